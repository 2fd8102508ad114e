"""What is known of a column before its role is thought about: its spread, its name and its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.columns.codes import CodeSystem, recognised
from anonlib.columns.identifiers import KINDS, Evidence, Kind, evidence_of_values, kind_of_name, kind_of_title
from anonlib.reading.records.profile import Profile, counts_of_cells, profile_of
from anonlib.reading.sources import Described
from anonlib.values.ages import Ages, ages_of, unit_of_name
from anonlib.values.cells import Values, text_categorical

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
    evidence: Evidence
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
