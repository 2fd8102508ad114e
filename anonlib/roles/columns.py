"""What is known of a column before its role is thought about: its spread, its name and its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.errors import InputError
from anonlib.identifiers import Evidence, Kind, evidence_of_values, kind_of_name
from anonlib.values import text_categorical

_SAMPLED_VALUES = 1_000  # distinct values whose shape is looked at, taken evenly over their natural order
_NEAR_UNIQUE = 0.9  # share of distinct values among the records with a value
_FEWEST_FOR_NEAR_UNIQUE = 12  # in a file of a handful of records every column is near-unique


@dataclass(frozen=True)
class RankedColumn:
    """How well one column tells records apart.

    Attributes
    ----------
    column : the column's name.
    distinct : number of distinct non-missing values.
    missing : number of records without a value.
    distinction : distinct values / records, 0 to 1, "missing" being a value of its own.
    separation : share of record pairs that differ in the column, 0 to 1 (0 for fewer than two records).
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
    frame
        One row a record.
    columns
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
            raise InputError(f"There is no column named “{column}” to rank. Choose among the columns of the file.")
    ranked = [_rank(str(column), _counts(_categorical(frame[column]))) for column in columns]
    return tuple(sorted(ranked, key=lambda r: (-r.separation, -r.distinction)))


@dataclass(frozen=True)
class Column:
    """A column of ``records`` records: how it tells them apart, what its name says, what its values look like."""

    records: int
    spread: RankedColumn
    named: Kind | None
    evidence: Evidence

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


def look(name: str, values: pd.Series) -> Column:
    """All that a role is suggested from."""
    column = _categorical(values)
    counts = _counts(column)
    used = np.flatnonzero(counts[1:])
    if len(used) > _SAMPLED_VALUES:
        sample = used[np.linspace(0, len(used) - 1, _SAMPLED_VALUES).round().astype(int)]
    else:
        sample = used
    texts = [str(value) for value in column.categories.take(sample)]
    return Column(len(column), _rank(name, counts), kind_of_name(name), evidence_of_values(texts, len(used)))


def tell_the_same(first: pd.Series, second: pd.Series) -> bool:
    """Whether each value of one column goes with one value of the other, in both directions; missing is a value."""
    codes, others = (np.asarray(_categorical(column).codes, dtype=np.int64) + 1 for column in (first, second))

    def tells(codes: np.ndarray, others: np.ndarray) -> bool:
        with_it = np.zeros(codes.max(initial=0) + 1, dtype=np.int64)
        with_it[codes] = others
        return bool((with_it[codes] == others).all())

    return tells(codes, others) and tells(others, codes)


def _categorical(values: pd.Series) -> pd.Categorical:
    return values.array if isinstance(values.dtype, pd.CategoricalDtype) else text_categorical(values)


def _counts(column: pd.Categorical) -> np.ndarray:
    """Records without a value, then records of each category."""
    return np.bincount(np.asarray(column.codes, dtype=np.int64) + 1, minlength=len(column.categories) + 1)


def _rank(name: str, counts: np.ndarray) -> RankedColumn:
    records, missing, distinct = int(counts.sum()), int(counts[0]), int((counts[1:] > 0).sum())
    pairs, alike = records * (records - 1), int((counts * (counts - 1)).sum())
    return RankedColumn(
        column=name,
        distinct=distinct,
        missing=missing,
        distinction=(distinct + (missing > 0)) / records if records else 0.0,
        separation=1 - alike / pairs if pairs else 0.0,
    )
