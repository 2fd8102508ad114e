"""What is filed of an assessment as plain frozen values, of which report, JSON and command line are views."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from anonlib.analyses.population_uniqueness import PopulationUniqueness
from anonlib.analyses.risk import AttackerRisk, SensitiveRisk
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence.table import CAME_LATER, OfOneTable, TableFacts
from anonlib.filing.evidence.table import ColumnFacts as ColumnFacts  # so that all facts can be had from here
from anonlib.filing.evidence.table import FileFacts as FileFacts
from anonlib.filing.evidence.table import StepFacts as StepFacts
from anonlib.filing.evidence.utility import UtilityFacts
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.criteria import State

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
class RiskFacts:
    """Who can be distinguished by all that may be known.

    Attributes
    ----------
    records : int
        Records (persons, summed weights).
    k : int
        The smallest class.
    classes, unique, below_k : int
        Classes, records alone, records in classes smaller than the k that is asked for.
    sizes, classes_of_size : tuple[int, ...]
        The sizes of classes that occur, ascending, and how many classes have each.
    attackers : tuple[AttackerRisk, ...]
        The prosecutor, the journalist where there is a population table, and the marketer.
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
class InferredFacts:
    """How many have a value of a sensitive column that is certain to somebody.

    Attributes
    ----------
    column : str
        The sensitive column.
    known : int | None
        How many of the known columns somebody knows at most; None: all of them.
    before, after : int | None
        Records (persons) for whom a value is certain, in the original and in the release; None where that was too much
        to count, or the column does not leave.
    by : str, default ""
        Where persons have several rows, what is taken to be known of these in words; of several such kinds of knowledge
        the one that tells most.
    """

    column: str
    known: int | None
    before: int | None
    after: int | None
    by: str = field(default="", metadata=CAME_LATER)


@dataclass(frozen=True)
class SensitiveFacts:
    """l-diversity and t-closeness of a sensitive column, original and release; None where it does not leave.

    Attributes
    ----------
    column : str
        The sensitive column.
    before : SensitiveRisk
        Of the original.
    after : SensitiveRisk | None
        Of the release; None where the column does not leave.
    """

    column: str
    before: SensitiveRisk
    after: SensitiveRisk | None


@dataclass(frozen=True)
class Leaking:
    """What a combination of columns gives away of who somebody is, as shares of what names a person, in [0, 1].

    Attributes
    ----------
    columns : tuple[str, ...]
        The combination.
    before, after : float
        On average, in the original and of what is left of it in the release.
    worst_before, worst_after : float
        Of the person who loses most.
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
    most : int
        How many columns a combination has at most.
    before, after : int
        Records that some combination leaves alone.
    sets_before, sets_after : tuple[tuple[tuple[str, ...], int], ...]
        The combinations that are enough for most in either, with how many each is enough for in the original and in
        the release; in evidence of 1.0.0 and earlier, for most in the one alone.
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
    known, k : int
        How many columns somebody knows at most, and the size below which a group is small.
    alone, below, of : int
        Records (persons) alone, or in a smaller group than k, by some set; and all of them.
    columns, aside : tuple[str, ...]
        Those that were looked at; free texts, weights, and what nobody outside can know, which were not.
    n_sets : int
        Sets that were looked at.
    worst : tuple[tuple[tuple[str, ...], int, int], ...]
        The sets by which most are below k, with how many they leave alone and below k.
    not_counted : str
        Which sets were not looked at, in a sentence; "".
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
    title, asks, bound, source : str
        What it is about, what must hold in a sentence, its limit with its unit, and where that is from.
    state : str
        "met", "not met" or "cannot be checked"; "measured" where there is no limit.
    says : str
        The finding in a sentence.
    now, original : str
        The figure that the limit is compared with, as shown; "" where there is none.
    persons, of : int
        Whom it concerns, and all of them.
    worst : tuple[tuple[str, int], ...], default ()
        The knowledge by which most are concerned, or the columns at fault, with how many each.
    accepted, who, when : str, default ""
        Why it is accepted although it is not met, who says so, and the date; "".
    by_rows : tuple[tuple[str, int], ...], default ()
        Where persons have several rows, what is known of these in words, and how many it concerns then.
    by_column : tuple[tuple[str, int], ...], default ()
        Where several columns are looked at, each by itself: how many it concerns in each.
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
    by_column: tuple[tuple[str, int], ...] = field(default=(), metadata=CAME_LATER)

    @property
    def is_against(self) -> bool:
        """Whether it is neither met nor accepted."""
        return self.state != State.MET and not self.accepted


@dataclass(frozen=True)
class VersionFacts:
    """Another release of the same original, for comparison.

    Attributes
    ----------
    name : str
        What it is.
    k : int
        Its smallest class; 0 where no record is left.
    highest, average : float
        The prosecutor's highest risk and the marketer's average one, in [0, 1].
    records_kept, information_kept : float
        Rows and entropy kept, in [0, 1].
    persons_kept : float, optional
        Persons kept, in [0, 1]; None where rows are counted.
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
    people : int
        Everybody whom the file could have been drawn from, as stated.
    before : PopulationUniqueness
        The estimates for the original.
    after : PopulationUniqueness | None
        The estimates for the release; None where no record is left.
    match_before, match_after : float
        The probability that a match with a record that is alone is correct, in [0, 1].
    """

    people: int
    before: PopulationUniqueness
    after: PopulationUniqueness | None
    match_before: float
    match_after: float

    @property
    def says_how_wrong(self) -> tuple[str, ...]:
        """How far the estimates have been from a known truth, in sentences; one item where it is the same of both."""
        both = [estimate.says_how_wrong for estimate in (self.before, self.after) if estimate is not None]
        return tuple(dict.fromkeys(sentence for sentence in both if sentence))


@dataclass(frozen=True)
class ColumnAsReleased:
    """A column of the rows that leave.

    Attributes
    ----------
    name : str
        Its name.
    values : int | None
        Different values, missing not counted; None where an engine has too many to count.
    labels : tuple[str, ...]
        These in their natural order, where it may be known outside and has few
        (:data:`anonlib.filing.evidence.as_released.MOST_LABELS`).
    blanks : int
        Rows without a value.
    """

    name: str
    values: int | None
    labels: tuple[str, ...]
    blanks: int


@dataclass(frozen=True)
class AsReleased:
    """What was counted of the rows that leave, and of nothing else: equal rows, in any order, give the same.

    Attributes
    ----------
    rows : int
        Rows that leave.
    persons : int | None
        Persons by the ids that leave; None where none do.
    columns : tuple[ColumnAsReleased, ...]
        One item each, in their order.
    risk : RiskFacts | None
        Classes by the columns that leave and may be known outside; None where there are none, or several tables.
    sensitive : tuple[tuple[str, SensitiveRisk], ...]
        Of each sensitive column that leaves, l and t of these classes.
    alone : AloneFacts | None
        Who is alone by a few of all columns that leave; None of several tables.
    several_rows : bool
        Whether some person has several rows.
    chosen : tuple[str, ...]
        What an officer chose that labels do not show, such as dates that were moved, in sentences.
    redacted : tuple[str, ...]
        Columns of texts in which identifiers are looked for.
    asks : tuple[str, ...]
        What each criterion asks, as of persons with several rows wherever there are ids of persons.
    """

    rows: int
    persons: int | None
    columns: tuple[ColumnAsReleased, ...]
    risk: RiskFacts | None
    sensitive: tuple[tuple[str, SensitiveRisk], ...]
    alone: AloneFacts | None
    several_rows: bool
    chosen: tuple[str, ...]
    redacted: tuple[str, ...]
    asks: tuple[str, ...]


@dataclass(frozen=True)
class Evidence(OfOneTable):
    """What is filed of an assessment.

    Its cells are none but those of :attr:`TableFacts.recoding` and the labels of :attr:`ColumnAsReleased.labels`.

    Attributes
    ----------
    made_on, who : str
        The date as ``2026-11-22``, and who says so, as typed; "".
    versions : tuple[tuple[str, str], ...]
        The programs it was made with, and their versions.
    project : str
        SHA-256 of the saved project, which has the seed.
    tables : tuple[TableFacts, ...]
        What concerns one table each; today there is one, whose parts are attributes here too.
    unit : str
        What counts are of: "persons" or "records".
    k : int
        The smallest class that the recipient is asked for, 1 or more.
    threshold : float
        The highest risk that is accepted, in [0, 1].
    recipient, to_whom : str
        Who gets the release.
    verdict : str
        The verdict in a sentence.
    may_leave : bool
        Whether nothing stands against it.
    leaves_anyway : str
        Why it leaves although the verdict is against it, as typed; "".
    criteria : tuple[CriterionFacts, ...]
        One item each.
    before, after : RiskFacts | None
        Risk of original and release; None without known columns or records.
    sensitive : tuple[SensitiveFacts, ...], default ()
        l-diversity and t-closeness of each sensitive column; empty without one, or where left out.
    inferred : tuple[InferredFacts, ...], default ()
        How many have a value of each sensitive column that is certain to somebody; empty without one, or where left
        out.
    leaking : tuple[Leaking, ...], default ()
        What combinations of columns give away of who somebody is; empty where left out, or where nothing applies.
    singled_out : SinglingOutFacts, optional
        The smallest combinations that leave somebody alone; None where left out, or where nothing applies.
    others : tuple[VersionFacts, ...], default ()
        Other releases of the same original, for comparison; empty where none is compared.
    utility : UtilityFacts, optional
        What the release keeps of use; None where left out, or where nothing applies.
    in_population : PopulationFacts, optional
        Who is expected to be alone among the people whom the file was drawn from; None where left out, or where nothing
        applies.
    left_out : tuple[str, ...], default ()
        The parts of :data:`PARTS` that were not looked at.
    alone : AloneFacts, optional
        Who is alone by a few of all columns that leave; None without records, and in evidence of an old version.
    attacks : Attacks, optional
        What came of attacks; None where left out, and in evidence of an old version.
    several_rows : bool, default False
        Whether some person has several rows, so that it matters what is known of these.
    persons_kept : float, optional
        Persons kept, in [0, 1]; None where rows are counted, and in evidence of an old version.
    case : ReleaseCase, optional
        What the release is decided for, as typed; empty in evidence of an old version.
    pseudonyms : Pseudonyms, optional
        The label under which persons have pseudonyms by a key; None where they have numbers, or no id leaves.
    by_covering, by_labels : tuple[str, ...], default ()
        The known columns of which labels of several levels stand side by side in the release: those that leakage and
        singling out count by what their labels cover, and those that they count by equal labels.
    learned : str, default ""
        The worst of what was measured without a limit, in a sentence; "" where nothing was, and in evidence of an old
        version.
    measured : tuple[CriterionFacts, ...], default ()
        What was measured of the release without a limit; empty in evidence of an old version.
    as_released : AsReleased, optional
        What was counted of the rows that leave alone, for a report that anybody may read; None where no file leaves,
        and in evidence of an old version.
    """

    made_on: str
    who: str
    versions: tuple[tuple[str, str], ...]
    project: str
    tables: tuple[TableFacts, ...]
    unit: str
    k: int
    threshold: float
    recipient: str
    to_whom: str
    verdict: str
    may_leave: bool
    leaves_anyway: str
    criteria: tuple[CriterionFacts, ...]
    before: RiskFacts | None
    after: RiskFacts | None
    sensitive: tuple[SensitiveFacts, ...] = ()
    inferred: tuple[InferredFacts, ...] = ()
    leaking: tuple[Leaking, ...] = ()
    singled_out: SinglingOutFacts | None = None
    others: tuple[VersionFacts, ...] = ()
    utility: UtilityFacts | None = None
    in_population: PopulationFacts | None = None
    left_out: tuple[str, ...] = ()
    alone: AloneFacts | None = field(default=None, metadata=CAME_LATER)
    attacks: Attacks | None = field(default=None, metadata=CAME_LATER)
    several_rows: bool = field(default=False, metadata=CAME_LATER)
    persons_kept: float | None = field(default=None, metadata=CAME_LATER)
    case: ReleaseCase = field(default_factory=ReleaseCase, metadata=CAME_LATER)
    pseudonyms: Pseudonyms | None = field(default=None, metadata=CAME_LATER)
    by_covering: tuple[str, ...] = field(default=(), metadata=CAME_LATER)
    by_labels: tuple[str, ...] = field(default=(), metadata=CAME_LATER)
    learned: str = field(default="", metadata=CAME_LATER)
    measured: tuple[CriterionFacts, ...] = field(default=(), metadata=CAME_LATER)
    as_released: AsReleased | None = field(default=None, metadata=CAME_LATER)

    def with_table(self, **changes: Any) -> Evidence:
        """The evidence with other parts of its one table, by the names of :class:`TableFacts`."""
        return replace(self, tables=(replace(self.table, **changes),))

    @property
    def without_cells(self) -> Evidence:
        """The same without a cell of the data or of the release: what somebody reviews who may have neither."""
        leaving = self.as_released
        if leaving is not None:
            leaving = replace(leaving, columns=tuple(replace(column, labels=()) for column in leaving.columns))
        return replace(self.with_table(recoding=(), values_recoded=0), as_released=leaving)

    @property
    def is_confidential(self) -> bool:
        """Whether it holds values of the original, as :data:`CONFIDENTIAL` says."""
        return any(table.recoding for table in self.tables)

    @property
    def known(self) -> tuple[str, ...]:
        """The columns that somebody outside may know."""
        return tuple(column.name for column in self.columns if column.role in ("quasi_identifier", "place"))

    @property
    def n_accepted(self) -> int:
        """Criteria that are accepted although they are not met."""
        return sum(bool(criterion.accepted) for criterion in self.criteria)

    @property
    def is_by_reason(self) -> bool:
        """Whether it leaves by a written reason: for a criterion that is not met, or against the verdict."""
        return bool(self.n_accepted) if self.may_leave else bool(self.leaves_anyway)
