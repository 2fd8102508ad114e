"""What is filed of an assessment as plain frozen values, of which report, JSON and command line are views."""

from __future__ import annotations

from dataclasses import dataclass, field

from anonlib.analyses.population_uniqueness import PopulationUniqueness
from anonlib.analyses.risk import AttackerRisk, SensitiveRisk
from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence.later import CAME_LATER
from anonlib.filing.evidence.utility import UtilityFacts
from anonlib.verdict.attacks.attacking import Attacks

PARTS = ("inference", "leakage", "singling_out", "attacks", "utility")
"""Parts that take time or that a report may do without."""
VALUE_TABLES = "recoding"
"""A part that is in nothing unless it is asked for by name: values of the original, and what they became."""
CONFIDENTIAL = "It lists values of the original and what they became, so that it is as confidential as the data."
"""What a report, or evidence, with value tables carries as a warning."""
RELEASE = "Release"
"""What the release is called among other versions."""
PART_NAMES = {
    "inference": "What can be inferred",
    "leakage": "What combinations give away",
    "singling_out": "Which columns single out",
    "attacks": "What attacks gain",
    "utility": "What the release is still good for",
    VALUE_TABLES: "Value tables",
}


@dataclass(frozen=True)
class FileFacts:
    """A file, by what it is and not by what is in it.

    Attributes
    ----------
    name : its name, without a path.
    sha256 : of its bytes, 64 hexadecimal digits; of a table that stays in a database, of what it holds.
    records, columns : rows and columns; of a table beside the file ``columns`` may be 0, where that is not known.
    persons : persons or summed weights in it, where these are counted; None where records are.
    by_content : whether it is named by what it holds (:attr:`anonlib.dataset.Dataset.content_digest`).
    """

    name: str
    sha256: str
    records: int
    columns: int
    persons: int | None = None
    by_content: bool = field(default=False, metadata=CAME_LATER)


@dataclass(frozen=True)
class ColumnFacts:
    """What evidence holds about one column; none of its values.

    Attributes
    ----------
    name : its name.
    role : as accepted; "" where nobody has decided.
    reasons : why that role is suggested, or why another one is, in sentences with counts.
    suggested : the role that was suggested.
    leaves : whether it is in the release.
    values_before, values_after : distinct values, missing not counted; 0 after where it does not leave.
    missing : records without a value in the original.
    entropy_before, entropy_after : bits.
    information_kept : entropy kept, after / before, in [0, 1].
    """

    name: str
    role: str
    reasons: tuple[str, ...]
    suggested: str
    leaves: bool
    values_before: int
    values_after: int
    missing: int
    entropy_before: float
    entropy_after: float
    information_kept: float


@dataclass(frozen=True)
class StepFacts:
    """One step of the recipe in words, and what it did.

    Attributes
    ----------
    says, reason : what it does, and why.
    applied : it is switched on and could be applied.
    records_removed, columns_removed, cells_changed : counts.
    problem : why it could not be applied; "".
    """

    says: str
    reason: str
    applied: bool
    records_removed: int
    columns_removed: int
    cells_changed: int
    problem: str


@dataclass(frozen=True)
class RiskFacts:
    """Who can be distinguished by all that may be known.

    Attributes
    ----------
    records : records (persons, summed weights).
    k : the smallest class.
    classes, unique, below_k : classes, records alone, records in classes smaller than the k that is asked for.
    sizes, classes_of_size : the sizes of classes that occur, ascending, and how many classes have each.
    attackers : the prosecutor, the journalist where there is a population table, and the marketer.
    """

    records: int
    k: int
    classes: int
    unique: int
    below_k: int
    sizes: tuple[int, ...]
    classes_of_size: tuple[int, ...]
    attackers: tuple[AttackerRisk, ...]


@dataclass(frozen=True)
class Inferred:
    """How many have a value of a sensitive column that is certain to somebody.

    Attributes
    ----------
    column : the sensitive column.
    known : how many of the known columns somebody knows at most; None: all of them.
    before, after : records (persons) for whom a value is certain, in the original and in the release; None where that
        was too much to count, or the column does not leave.
    """

    column: str
    known: int | None
    before: int | None
    after: int | None


@dataclass(frozen=True)
class SensitiveFacts:
    """l-diversity and t-closeness of a sensitive column, original and release; None where it does not leave."""

    column: str
    before: SensitiveRisk
    after: SensitiveRisk | None


@dataclass(frozen=True)
class Leaking:
    """What a combination of columns gives away of who somebody is, as shares of what names a person, in [0, 1].

    Attributes
    ----------
    columns : the combination.
    before, after : on average, in the original and of what is left of it in the release.
    worst_before, worst_after : of the person who loses most.
    """

    columns: tuple[str, ...]
    before: float
    after: float
    worst_before: float
    worst_after: float


@dataclass(frozen=True)
class SinglingOutFacts:
    """The smallest combinations that leave somebody alone.

    Attributes
    ----------
    most : how many columns a combination has at most.
    before, after : records that some combination leaves alone.
    sets_before, sets_after : the combinations that are enough for most, with how many it is enough for.
    """

    most: int
    before: int
    after: int
    sets_before: tuple[tuple[tuple[str, ...], int], ...]
    sets_after: tuple[tuple[tuple[str, ...], int], ...]


@dataclass(frozen=True)
class AloneFacts:
    """Who is alone by a few of all columns that leave, whatever their role.

    Attributes
    ----------
    known, k : how many columns somebody knows at most, and the size below which a group is small.
    alone, below, of : records (persons) alone, or in a smaller group than k, by some set; and all of them.
    columns, aside : those that were looked at; free texts, weights, and what nobody outside can know, which were not.
    n_sets : sets that were looked at.
    worst : the sets by which most are below k, with how many they leave alone and below k.
    not_counted : which sets were not looked at, in a sentence; "".
    """

    known: int
    k: int
    alone: int
    below: int
    of: int
    columns: tuple[str, ...]
    aside: tuple[str, ...]
    n_sets: int
    worst: tuple[tuple[tuple[str, ...], int, int], ...]
    not_counted: str


@dataclass(frozen=True)
class CriterionFacts:
    """A criterion, and what was found.

    Attributes
    ----------
    title, asks, bound, source : what it is about, what must hold in a sentence, its limit, and where that is from.
    state : "met", "not met" or "cannot be checked".
    says : the finding in a sentence.
    now, original : the figure that the limit is compared with, as shown; "" where there is none.
    persons, of : whom it concerns, and all of them.
    worst : the knowledge by which most are concerned, or the columns at fault, with how many each.
    accepted, who, when : why it is accepted although it is not met, who says so, and the date; "".
    by_rows : where persons have several rows, what is known of these in words, and how many it concerns then.
    """

    title: str
    asks: str
    bound: str
    source: str
    state: str
    says: str
    now: str
    original: str
    persons: int
    of: int
    worst: tuple[tuple[str, int], ...] = ()
    accepted: str = ""
    who: str = ""
    when: str = ""
    by_rows: tuple[tuple[str, int], ...] = field(default=(), metadata=CAME_LATER)


@dataclass(frozen=True)
class VersionFacts:
    """Another release of the same original, for comparison.

    Attributes
    ----------
    name : what it is.
    k : its smallest class; 0 where no record is left.
    highest, average : the prosecutor's highest risk and the marketer's average one, in [0, 1].
    records_kept, information_kept : rows and entropy kept, in [0, 1].
    persons_kept : persons kept, in [0, 1]; None where rows are counted.
    """

    name: str
    k: int
    highest: float
    average: float
    records_kept: float
    information_kept: float
    persons_kept: float | None = field(default=None, metadata=CAME_LATER)


@dataclass(frozen=True)
class PopulationFacts:
    """Who of those alone in the file is expected to be alone among so many people, where there is no table of them.

    Attributes
    ----------
    people : everybody whom the file could have been drawn from, as stated.
    before, after : the estimates for original and release; None where no record is left.
    match_before, match_after : the probability that a match with a record that is alone is correct, in [0, 1].
    """

    people: int
    before: PopulationUniqueness
    after: PopulationUniqueness | None
    match_before: float
    match_after: float

    @property
    def says_how_wrong(self) -> tuple[str, ...]:
        """How far the estimates have been from a known truth, in sentences; one item where it is the same of both."""
        both = [each.says_how_wrong for each in (self.before, self.after) if each is not None]
        return tuple(dict.fromkeys(each for each in both if each))


@dataclass(frozen=True)
class ReleasedFacts:
    """The file that leaves.

    Attributes
    ----------
    sha256, bytes : of the CSV.
    records, columns : rows, and names of columns as they stand in it.
    without_missing : records that the policy for missing values leaves out.
    digests : by format, the CSV too, the SHA-256 of the file; of a large release the CSV and those asked for alone.
    of_nobody : rows of count 0, which are left out.
    """

    sha256: str
    bytes: int
    records: int
    columns: tuple[str, ...]
    without_missing: int
    digests: tuple[tuple[str, str], ...] = field(default=(), metadata=CAME_LATER)
    of_nobody: int = field(default=0, metadata=CAME_LATER)

    @property
    def on_record(self) -> dict[str, str]:
        """By format the SHA-256 of the file."""
        return {"CSV": self.sha256, **dict(self.digests)}


@dataclass(frozen=True)
class Recoded:
    """One value of a column that may be known, and what it is released as; None is a missing value."""

    step: int
    column: str
    value: str | None
    label: str | None


@dataclass(frozen=True)
class Evidence:
    """What is filed of an assessment. Its cells are none but the labels of :attr:`recoding`.

    Attributes
    ----------
    made_on, who : the date as ``2026-11-22``, and who says so, as typed; "".
    versions : the programs it was made with, and their versions.
    project : SHA-256 of the saved project, which has the seed.
    file, population, areas : the file, and the files beside it.
    unit : what counts are of: "persons" or "records".
    missing : what a missing value of a known column counts as: "category" or "drop".
    k, threshold : the smallest class that the recipient is asked for, and the highest risk that is accepted.
    recipient, to_whom : who gets the release.
    verdict, may_leave : the verdict in a sentence, and whether nothing stands against it.
    leaves_anyway : why it leaves although the verdict is against it, as typed; "".
    undecided, unknowable : columns that nobody has decided on, and those that nobody outside can know.
    harmless : by sensitive column, how many values anybody may be sure of.
    columns, steps, criteria : one item each.
    before, after : risk of original and release; None without known columns or records.
    records_kept, information_kept : rows and entropy kept, in [0, 1].
    sensitive, inferred, leaking, singled_out, others : see their types; empty where left out, or where nothing applies.
    utility, in_population : see their types; None where left out, or where nothing applies.
    recoding : what the values of known columns became, where that was asked for.
    values_recoded : how many there are; of more than are listed, all.
    released : the file that leaves; None where none may.
    why_no_file : why none can be made; "".
    left_out : the parts of :data:`PARTS` that were not looked at.
    alone : who is alone by a few of all columns that leave; None without records, and in evidence of an old version.
    attacks : what came of attacks; None where left out, and in evidence of an old version.
    several_rows : whether some person has several rows, so that it matters what is known of these.
    persons_kept : persons kept, in [0, 1]; None where rows are counted, and in evidence of an old version.
    texts_looked_at : columns of free text that leave and in which identifiers are looked for.
    levels : at which levels the cells of each column leave; empty without records, and in evidence of an old version.
    may_be_blank : the columns in which a step may have blanked cells.
    case : what the release is decided for, as typed; empty in evidence of an old version.
    """

    made_on: str
    who: str
    versions: tuple[tuple[str, str], ...]
    project: str
    file: FileFacts
    population: FileFacts | None
    areas: FileFacts | None
    unit: str
    missing: str
    k: int
    threshold: float
    recipient: str
    to_whom: str
    verdict: str
    may_leave: bool
    leaves_anyway: str
    undecided: tuple[str, ...]
    unknowable: tuple[str, ...]
    harmless: tuple[tuple[str, int], ...]
    columns: tuple[ColumnFacts, ...]
    steps: tuple[StepFacts, ...]
    criteria: tuple[CriterionFacts, ...]
    before: RiskFacts | None
    after: RiskFacts | None
    records_kept: float
    information_kept: float
    sensitive: tuple[SensitiveFacts, ...] = ()
    inferred: tuple[Inferred, ...] = ()
    leaking: tuple[Leaking, ...] = ()
    singled_out: SinglingOutFacts | None = None
    others: tuple[VersionFacts, ...] = ()
    utility: UtilityFacts | None = None
    in_population: PopulationFacts | None = None
    recoding: tuple[Recoded, ...] = ()
    released: ReleasedFacts | None = None
    why_no_file: str = ""
    left_out: tuple[str, ...] = ()
    alone: AloneFacts | None = field(default=None, metadata=CAME_LATER)
    attacks: Attacks | None = field(default=None, metadata=CAME_LATER)
    several_rows: bool = field(default=False, metadata=CAME_LATER)
    values_recoded: int = field(default=0, metadata=CAME_LATER)
    persons_kept: float | None = field(default=None, metadata=CAME_LATER)
    texts_looked_at: tuple[str, ...] = field(default=(), metadata=CAME_LATER)
    levels: tuple[ColumnLevels, ...] = field(default=(), metadata=CAME_LATER)
    may_be_blank: tuple[str, ...] = field(default=(), metadata=CAME_LATER)
    case: ReleaseCase = field(default_factory=ReleaseCase, metadata=CAME_LATER)

    @property
    def is_confidential(self) -> bool:
        """Whether it holds values of the original, as :data:`CONFIDENTIAL` says."""
        return bool(self.recoding)

    @property
    def known(self) -> tuple[str, ...]:
        """The columns that somebody outside may know."""
        return tuple(each.name for each in self.columns if each.role in ("quasi_identifier", "place"))

    @property
    def n_accepted(self) -> int:
        """Criteria that are accepted although they are not met."""
        return sum(bool(each.accepted) for each in self.criteria)
