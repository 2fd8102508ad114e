"""What is known of a column by itself, the draft of a role for it, and the reasons that rules share.

First comes what is known of a column before its role is thought about: its spread, its name and its content. Next is
the draft, a role for a column by itself, before columns are held against one another. Then come the sentences that more
than one rule gives as a reason; they give counts and shares, never a value. At the end are numbers that may be dates by
their range, and what the other columns of the file say to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.codes import CodeSystem, recognised
from anonlib.columns.identifiers import KINDS, ContentEvidence, Kind, evidence_of_values, kind_of_name, kind_of_title
from anonlib.columns.roles.known_outside import asked_of
from anonlib.columns.roles.role import Role
from anonlib.reading.records import Records
from anonlib.reading.records.profile import Profile, counts_of_cells, profile_of
from anonlib.reading.sources import Described
from anonlib.values.ages import Ages, ages_of, unit_of_name
from anonlib.values.cells import Values, text_categorical
from anonlib.values.dates import NumberedDays, lies_beside, numbered_days, read_dates

_VAGUE = ("identifier", "event_date", "name", "result")  # kinds of which a name often says more
_FEW = 40  # values by which columns are compared
_NEAR_UNIQUE = 0.9  # share of distinct values among the records with a value
_FEWEST_FOR_NEAR_UNIQUE = 12  # in a file of a handful of records every column is near-unique


@dataclass(frozen=True)
class RankedColumn:
    """How well one column tells records apart.

    Attributes
    ----------
    column : str
        The column's name.
    distinct : int
        Number of distinct non-missing values.
    missing : int
        Number of records without a value.
    distinction : float
        Distinct values / records, 0 to 1, "missing" being a value of its own.
    separation : float
        Share of record pairs that differ in the column, 0 to 1 (0 for fewer than two records).
    """

    column: str
    distinct: int
    missing: int
    distinction: float
    separation: float


def rank_quasi_identifiers(frame: pd.DataFrame, columns: Sequence[str]) -> tuple[RankedColumn, ...]:
    """Columns by how well each alone tells records apart, the best first.

    The order is by separation, then distinction, then as given: separation weighs how evenly the values are spread,
    distinction only how many there are.

    Parameters
    ----------
    frame : pd.DataFrame
        One row a record.
    columns : Sequence[str]
        Names of columns.

    Returns
    -------
    tuple of RankedColumn

    Raises
    ------
    InputError
        For a column that the frame does not have.

    References
    ----------
    R. Motwani and Y. Xu, "Efficient algorithms for masking and finding quasi-identifiers" (2007), here for sets of one
    attribute.

    Examples
    --------
    >>> five = pd.DataFrame({"group": ["a", "a", "b", "c", None]})
    >>> (found,) = rank_quasi_identifiers(five, ["group"])
    >>> found.distinction, found.separation
    (0.8, 0.9)
    """
    for column in columns:
        if column not in frame.columns:
            raise InputError(
                f"There is no column named “{column}” to rank. Choose among the columns of the file.",
                code="column-unknown",
                column=column,
            )
    ranked = [_rank(str(column), profile_of(counts_of_cells(as_cells(frame[column])))) for column in columns]
    return tuple(sorted(ranked, key=lambda r: (-r.separation, -r.distinction)))


@dataclass(frozen=True)
class Column:
    """A column of ``records`` records: how it tells them apart, what its name says, what its values look like."""

    records: int
    spread: RankedColumn
    named: Kind | None
    evidence: ContentEvidence
    exact: bool = True  # whether its different values were counted, and not estimated
    system: CodeSystem | None = None  # whose codes the values are
    of_system: int = 0  # values looked at that are its codes
    title: str = ""  # what it is called in words, where these say what it is
    identifies: bool = False  # whether a dictionary says that it identifies persons
    ages: Ages | None = None  # what its values are as ages, where it is a column of ages
    few: frozenset[str] = frozenset()  # its values, where there are so few that columns can be compared by them

    @property
    def distinct(self) -> int:
        return self.spread.distinct

    @property
    def present(self) -> int:
        """Records with a value."""
        return self.records - self.spread.missing

    @property
    def unique_share(self) -> float:
        """Distinct values / records with a value, 0 to 1."""
        return self.distinct / self.present if self.present else 0.0

    @property
    def constant(self) -> bool:
        """Whether several records share the only value, and none is without."""
        return self.distinct == 1 and self.present == self.records > 1

    @property
    def tells_apart(self) -> bool:
        """Whether some records differ in it; having no value is to differ from having one."""
        return self.spread.separation > 0

    @property
    def repeats_little(self) -> bool:
        """Whether there are more than nine distinct values to ten records with a value."""
        return self.unique_share > _NEAR_UNIQUE

    @property
    def near_unique(self) -> bool:
        """Whether values repeat little, in records enough to tell."""
        return self.repeats_little and self.present >= _FEWEST_FOR_NEAR_UNIQUE


def look(name: str, profile: Profile, described: Described | None = None, of_survey: Kind | None = None) -> Column:
    """All that a role is suggested from; ``of_survey`` is what the name says as a code of a survey."""
    texts = [str(text) for text in profile.texts]
    system = recognised(texts, name)
    named, title = kind_named(name, described or Described(name), of_survey)
    evidence = evidence_of_values(texts, profile.distinct)
    is_of_ages = KINDS["age"] in ((named,) if named is not None else (evidence.kind,))
    return Column(
        profile.records, _rank(name, profile), named, evidence,
        profile.exact, system, 0 if system is None else int(system.fits(texts).sum()), title,
        described is not None and described.identifies,
        ages_in(texts, name, described) if is_of_ages else None,
        frozenset(texts if profile.distinct <= _FEW else ()),
    )  # fmt: skip


def ages_in(values: Values, name: str, described: Described | None = None) -> Ages:
    """What the values of a column of ages are as ages, in the unit that its name or dictionary says.

    Parameters
    ----------
    values : Values
        Distinct values.
    name : str
        The column's name.
    described : Described, optional
        What a file or a dictionary says of it; of a code, the words that it stands for are read.

    Returns
    -------
    Ages
    """
    known = described or Described(name)
    stands_for = dict(known.labels)
    return ages_of([stands_for.get(str(value), str(value)) for value in values], unit_of_name(f"{known.unit} {name}"))


def kind_named(name: str, described: Described, of_survey: Kind | None = None) -> tuple[Kind | None, str]:
    """The kind that a column's name says, or what it is called in words, and these words where they decide.

    Words say more than a name, but for a name that says which date or whose number it is.
    """
    by_name, by_title = kind_of_name(name), kind_of_title(described.title)
    if by_name is None and by_title is None:  # mg/dL and mmHg say what a column of a laboratory is
        by_title = kind_of_title(described.unit)
    if of_survey is not None:
        return of_survey, ""
    if by_title is None or (by_name is not None and by_title.key in _VAGUE):
        return by_name, ""
    return by_title, described.title


def as_cells(values: pd.Series) -> pd.Categorical:
    """A column of any frame as a categorical of text."""
    return values.array if isinstance(values.dtype, pd.CategoricalDtype) else text_categorical(values)


def _rank(name: str, profile: Profile) -> RankedColumn:
    records, missing, distinct = profile.records, profile.missing, profile.distinct
    pairs = records * (records - 1)
    return RankedColumn(
        column=name,
        distinct=distinct,
        missing=missing,
        distinction=(distinct + (missing > 0)) / records if records else 0.0,
        separation=1 - profile.pairs_alike / pairs if pairs else 0.0,
    )


@dataclass(frozen=True)
class Draft:
    """The role, the kind of content that decided, the reasons, and why the officer is asked.

    The deciding reason comes first; ``asked`` is empty where no rule asks. Of the role *other* ``has_own_reason`` says
    whether the first reason tells why the column is about no person, and not only that nothing tells what it is.
    """

    role: Role
    kind: Kind | None
    reasons: tuple[str, ...]
    asked: str = ""
    has_own_reason: bool = False
    in_doubt: Kind | None = None  # what the values may be besides, which only the officer can tell


NOTHING_TELLS = "Neither the name nor the values tell what this is: could somebody outside know it?"
ONLY_YOU = "Only you can say whether somebody outside could know it."
AREAS = "If these are codes of areas, family, neighbours and address lists tell where somebody lives."
SURVEY_WEIGHT = "Anybody who has another copy of this survey finds a record by it: round it, or drop it."
COUNT_OR_SURVEY = (
    "Does each row stand for so many persons of this file? In a survey a row is one person: choose Neither."
)
BODY_OR_SURVEY = (
    "Are these weights of bodies? If they are of a survey, anybody who has another copy of it finds a record by them: "
    "round them, or drop them."
)
ONE_MORE = "Somebody outside often knows this as well, though other such columns come before it."

MAY_BE_AGES = "By their range the values may be ages: could somebody outside know them?"
MAY_BE_PLACES = "The values may be codes of countries or States: could somebody outside know them?"
MAY_BE_WEIGHTS = (
    "The values are 1 on average and spread around it, as the weights of a survey do. Anybody who has another copy of "
    "the survey finds a record by them: round them, or drop them."
)
IN_RUNS = "Rows of the same value follow one another, as rows of one household or person do."
RUNS = "If each value stands for one person, choose the role Person id; the number of a household identifies as well."


def may_be_dates(form: str) -> str:
    """Of numbers that may be dates by their range, where neither the name nor other dates say so."""
    return f"By their range the values may be dates, as {form}: could somebody outside know such a date?"


def copies(column: str) -> str:
    """Of a column that tells another one of every record."""
    return f"Anybody who knows “{column}” knows this too."


_KINDS_LISTED = 3  # of identifiers inside texts: a reason must fit beside its column
TO_RELEASE = "To release it, give it the role Sensitive and redact it."


def says(column: Column, kind: Kind, but: str = "") -> str:
    """What the column's name says, or what it is called in words; ``but`` ends the sentence."""
    return f"{'Its description' if column.title else 'The name'} points to {kind.label}{but}."


def looks(column: Column) -> str:
    """What the values look like; they must look like something."""
    seen = column.evidence
    assert seen.kind is not None
    if seen.direct:
        like = f"look like direct identifiers, such as {seen.kind.label}"
    elif seen.kind.key == "age":
        like = "look like ranges of ages"
    elif seen.kind.group in ("demographic", "stay") and seen.numbers is None and seen.kind.key != "event_time":
        like = f"are words for {seen.kind.label}"
    else:
        like = f"look like {'dates' if seen.kind.group == 'date' else seen.kind.label}"
    looked_at = words.count(seen.looked_at, "distinct values")
    notes = "" if seen.dates is None else seen.dates.notes()
    return f"The values {like} ({words.percent(seen.share)} of {looked_at} looked at). {notes}".rstrip()


def looks_numbered(numbered: NumberedDays, beside: str = "") -> str:
    """That numbers are dates, by the column's name or by dates in the column ``beside``."""
    as_well = f", and as such lie in the years of “{beside}”" if beside else ""
    return f"The values look like dates, as {numbered.form}{as_well}."


def codes(column: Column) -> str:
    """Which system's codes the values are; there must be one."""
    assert column.system is not None
    looked_at, label = column.evidence.looked_at, column.system.label
    if looked_at < column.distinct:
        return f"{words.percent(column.of_system / looked_at)} of {looked_at:,} values looked at are {label}."
    which = "All" if column.of_system == looked_at else f"{column.of_system:,} of"
    return f"{which} {words.count(looked_at, 'values')} are {label}."


def distinct(column: Column) -> str:
    """How many values there are, in how many records."""
    values, records = words.count(column.distinct, "distinct values"), words.count(column.present, "records")
    if not column.exact:
        return f"It has about {values} in {records}."
    if column.repeats_little:
        repeat = "No value repeats" if column.distinct == column.present else "Few values repeat"
        return f"{repeat}: {values} in {records}."
    return f"It has {values} in {records}."


def stray(column: Column) -> tuple[str, ...]:
    """A warning of direct identifiers among other values, if there are any."""
    seen = column.evidence
    if seen.direct_kind is None:
        return ()
    share = words.percent(seen.direct_share)
    return (f"But {share} of the values look like direct identifiers, such as {seen.direct_kind.label}: check them.",)


def embedded(column: Column) -> tuple[str, ...]:
    """What was found inside texts, in numbers; nothing of a column of other things."""
    inside = column.evidence.inside
    return () if inside is None else (inside.describe(_KINDS_LISTED),)


def to_release(column: Column) -> tuple[str, ...]:
    """How a column of texts that is suggested as an identifier can be released all the same."""
    return () if column.evidence.inside is None else (TO_RELEASE,)


def numbers_as_dates(drafts: list[Draft], columns: list[Column]) -> list[Draft]:
    """Numbers without a telling name are dates where they lie in the years of another column's dates; else it is asked.

    Numbers of which the name says what they are, and codes of a known system, are left as they are; so are those that
    are no number twice, unless another column's dates say that they are dates.
    """
    beside = {
        column.spread.column: days for column, drafted in zip(columns, drafts, strict=True)
        if drafted.kind is not None and drafted.kind.group == "date" and (days := _days(column)) is not None
    }  # fmt: skip
    return [_as_dates(drafted, column, beside) for drafted, column in zip(drafts, columns, strict=True)]


def numbers_are_dates(held: Records, name: str) -> bool:
    """Whether numbers in a column are dates, since its name says so or they lie in the years of another column's dates.

    Parameters
    ----------
    held : Records
        The records; few other columns are looked at, and only where the numbers may be dates by their range.
    name : str
        The column's name.

    Returns
    -------
    bool
    """
    if kind_of_name(name) is not None:
        return _says_date(name)
    key = ("numbers are dates", name)
    if key not in held.remembered:
        held.remembered[key] = _lie_beside_dates(held, name)
    return held.remembered[key]


def _lie_beside_dates(held: Records, name: str) -> bool:
    texts = [str(text).strip() for text in held.profile(name).texts]
    numbered = numbered_days(texts)
    if numbered is None or not numbered.may_be_dates:
        return False
    others = (
        read_dates(held.profile(other).texts, numbers=_says_date(other)) for other in held.columns if other != name
    )
    return any(other.are_dates and lies_beside(numbered.days, other.days) for other in others)


def _says_date(name: str) -> bool:
    named = kind_of_name(name)
    return named is not None and named.group == "date"


def _as_dates(drafted: Draft, column: Column, beside: dict[str, np.ndarray]) -> Draft:
    numbered = column.evidence.numbered
    if numbered is None or column.named is not None or column.system is not None or column.constant:
        return drafted
    name = next((name for name, days in beside.items() if lies_beside(numbered.days, days)), "")
    if name:
        kind = KINDS["event_date"]
        return Draft(Role.QUASI_IDENTIFIER, kind, (looks_numbered(numbered, name), *drafted.reasons), asked_of(kind))
    if drafted.role is Role.IDENTIFIER:
        return replace(drafted, reasons=(*drafted.reasons, may_be_dates(numbered.form)))
    if drafted.role is not Role.OTHER:
        return drafted
    return replace(drafted, asked=may_be_dates(numbered.form), in_doubt=KINDS["event_date"])


def _days(column: Column) -> np.ndarray | None:
    """The days of a column of dates, of months their first; None where it tells none."""
    seen = column.evidence
    if seen.dates is not None and seen.dates.share > 0:
        return seen.dates.days
    if seen.numbered is not None:
        return seen.numbered.days
    if seen.numbers is not None and seen.whole and len(seen.numbers):
        return (seen.numbers - 1970).astype("datetime64[Y]").astype("datetime64[D]")  # years, by the name
    return None
