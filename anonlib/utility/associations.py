"""How strongly columns go together, before and after: Cramér's V for categories, Spearman's rank correlation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.utility.alongside import Alongside
from anonlib.utility.scale import on_scale

MOST_COLUMNS = 40
MOST_RECORDS = 200_000
MOST_NUMBERS, TENTHS = 20, 10  # distinct numbers that are categories as they are; groups that more are cut into
MOST_CATEGORIES = 50
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Pair:
    """Two columns, and how strongly they go together.

    Attributes
    ----------
    columns : tuple of (str, str)
        Their names, in the file's order.
    measure : str
        "Spearman" or "Cramér's V".
    before, after : float
        In the original and in the release, in [0, 1].
    """

    columns: tuple[str, str]
    measure: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """After - before, in [-1, 1]: below 0 the release hides it, above 0 it shows more than there is."""
        return self.after - self.before


@dataclass(frozen=True, eq=False)
class Association:
    """Every pair of columns, before and after.

    Attributes
    ----------
    columns : tuple of str
        The columns looked at, in the file's order.
    before, after : float64 array, columns x columns
        Strength of each pair, in [0, 1], 1 on the diagonal; NaN after for a column that is gone.
    ranked : bool array, columns x columns
        True for the absolute value of Spearman's correlation, False for Cramér's V.
    passed_over : tuple of str
        Columns beyond the most that are looked at.
    sampled : bool
        Whether a sample of the records was looked at.
    """

    columns: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    ranked: np.ndarray
    passed_over: tuple[str, ...] = ()
    sampled: bool = False

    @property
    def difference(self) -> np.ndarray:
        """After - before, columns x columns; NaN for a column that is gone."""
        return self.after - self.before

    @property
    def kept(self) -> float:
        """Share of the original's association that is still there, in [0, 1]; 1 where there was none.

        The sum over pairs of the smaller of before and after, divided by the sum before. What goes with a column that
        is gone is lost; what the release shows beyond the original makes up for nothing.
        """
        above = np.triu_indices(len(self.columns), 1)
        before, after = self.before[above], np.nan_to_num(self.after[above])
        return float(np.minimum(before, after).sum() / before.sum()) if before.sum() > 0 else 1.0

    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of columns that are in both, those that changed most first."""
        found = [
            Pair(
                (self.columns[i], self.columns[j]),
                "Spearman" if self.ranked[i, j] else "Cramér's V",
                float(self.before[i, j]),
                float(self.after[i, j]),
            )
            for i, j in combinations(range(len(self.columns)), 2)
            if not np.isnan(self.after[i, j])
        ]
        return tuple(sorted(found, key=lambda pair: -round(abs(pair.difference), 12)))

    def to_frame(self) -> pd.DataFrame:
        """One row a pair, as :meth:`pairs`: its columns, the measure, strength before and after, and the difference."""
        names = ["column", "with", "measure", "before", "after", "difference"]
        rows = [(*pair.columns, pair.measure, pair.before, pair.after, pair.difference) for pair in self.pairs()]
        return pd.DataFrame(rows, columns=names)


def association(both: Alongside, *, seed: int = 0, progress: Progress | None = None) -> Association:
    """How strongly each two columns go together, in the original and in the release.

    Where all labels of both columns are numbers, intervals of numbers or dates, in both files, it is the absolute value
    of Spearman's rank correlation over the records that have both; an interval stands at its middle. Else it is
    Cramér's V with Bergsma's correction of its bias, a missing value being a category. For it more than 20 distinct
    numbers are cut into tenths of the records, and of more than 50 categories the rarest are one.

    Parameters
    ----------
    both
        Original and release.
    seed
        Of the sample: above 200,000 records as many are drawn, the same of both files as far as they are in both.
    progress
        Called with the share done, 0 to 1; may raise to stop.

    Returns
    -------
    Association
        Of at most 40 columns, those that leave first.

    References
    ----------
    W. Bergsma, "A bias-correction for Cramér's V and Tschuprow's T", J. of the Korean Statistical Society 42, 2013.
    """
    looked_at = {*[*both.leaving, *(name for name in both.columns if name not in both.leaving)][:MOST_COLUMNS]}
    names = tuple(name for name in both.columns if name in looked_at)
    rows_before, rows_after = _sample(both, seed)
    before = [Column.of(both.original.records[name], rows_before) for name in names]
    after = [Column.of(both.released.records[name], rows_after) if name in both.leaving else None for name in names]
    n = len(names)
    ranked = np.zeros((n, n), dtype=bool)
    strengths = np.full((2, n, n), np.nan)
    for i in range(n):
        strengths[:, i, i] = 1.0, np.nan if after[i] is None else 1.0
        for j in range(i):
            one, other = after[i], after[j]
            ranks = all(column is None or column.has_scale for column in (before[i], before[j], one, other))
            ranked[i, j] = ranked[j, i] = ranks
            strengths[0, i, j] = strengths[0, j, i] = _strength(before[i], before[j], ranks)
            if one is not None and other is not None:
                strengths[1, i, j] = strengths[1, j, i] = _strength(one, other, ranks)
        if progress:
            progress((i + 1) ** 2 / n**2)
    for array in (strengths, ranked):
        array.flags.writeable = False
    passed_over = tuple(name for name in both.columns if name not in looked_at)
    sampled = len(rows_before) < both.original.n_records or len(rows_after) < both.released.n_records
    return Association(names, strengths[0], strengths[1], ranked, passed_over, sampled)


def _sample(both: Alongside, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Which records of the original, and of the release, are looked at: the first in one order drawn by lot."""
    n = both.original.n_records
    if n <= MOST_RECORDS:
        return np.arange(n), np.arange(len(both.rows))
    turn = np.random.default_rng(seed).permutation(n)  # per record of the original, its turn
    before = np.sort(np.argsort(turn, kind="stable")[:MOST_RECORDS])
    after = np.sort(np.argsort(turn[both.rows], kind="stable")[:MOST_RECORDS])
    return before, after


@dataclass(frozen=True, eq=False)
class Column:
    """A column of one file, ready to be compared with others.

    Attributes
    ----------
    ranks : float64 array or None
        Per record its rank, ties at their mean and NaN for what is missing; None where the column has no scale.
    complete : bool
        Whether no rank is missing.
    groups : int64 array
        Per record its category.
    n_groups : int
        Categories.
    """

    ranks: np.ndarray | None
    complete: bool
    groups: np.ndarray
    n_groups: int

    @property
    def has_scale(self) -> bool:
        return self.ranks is not None

    @classmethod
    def of(cls, column: pd.Series, rows: np.ndarray) -> Column:
        """The column in these records."""
        codes = column.cat.codes.to_numpy()[rows].astype(np.int64)
        places = on_scale(column.cat.categories)
        groups, n_groups = _groups(codes, places, len(column.cat.categories))
        if places is None:
            return cls(None, False, groups, n_groups)
        ranks = ranks_of(np.append(places, np.nan)[codes])
        return cls(ranks, not np.isnan(ranks).any(), groups, n_groups)


def _strength(one: Column, other: Column, ranks: bool) -> float:
    if not ranks:
        table = np.bincount(one.groups * other.n_groups + other.groups, minlength=one.n_groups * other.n_groups)
        return cramers_v(table.reshape(one.n_groups, other.n_groups))
    assert one.ranks is not None and other.ranks is not None
    if one.complete and other.complete:
        return _correlation(one.ranks, other.ranks)
    known = ~(np.isnan(one.ranks) | np.isnan(other.ranks))
    return _correlation(ranks_of(one.ranks[known]), ranks_of(other.ranks[known]))


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    """The absolute value of Pearson's correlation; 0 where one of them is the same for all."""
    if len(one) < 2:
        return 0.0
    a, b = one - one.mean(), other - other.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return min(1.0, abs(float(a @ b)) / spread) if spread > 0 else 0.0


def ranks_of(numbers: np.ndarray) -> np.ndarray:
    """Ranks from 1, ties at their mean.

    Parameters
    ----------
    numbers
        One a record; NaN is missing.

    Returns
    -------
    float64 array
        NaN where the number is.
    """
    codes, distinct = pd.factorize(numbers, sort=True, use_na_sentinel=True)
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
    middle = np.cumsum(counts) - (counts - 1) / 2
    return np.append(middle, np.nan)[codes]


def cramers_v(table: np.ndarray) -> float:
    """Cramér's V of a table of counts, corrected for its bias.

    ``phi² = max(0, chi²/n - (r-1)(c-1)/(n-1))``, ``r~ = r - (r-1)²/(n-1)``, ``c~`` likewise, and
    ``V = sqrt(phi² / min(r~ - 1, c~ - 1))`` (Bergsma 2013, with r and c the rows and columns that have records).

    Parameters
    ----------
    table
        Categories x categories, records.

    Returns
    -------
    float
        0 (none, or one category only) to 1.
    """
    counts = np.asarray(table, dtype=float)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    n, (r, c) = counts.sum(), counts.shape
    if min(r, c) < 2 or n < 2:
        return 0.0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
    phi2 = float((counts**2 / expected).sum() / n - 1)
    phi2 = max(0.0, phi2 - (r - 1) * (c - 1) / (n - 1))
    room = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return min(1.0, float(np.sqrt(phi2 / room))) if room > 1e-12 else 0.0


def _groups(codes: np.ndarray, places: np.ndarray | None, n_labels: int) -> tuple[np.ndarray, int]:
    """Per record its category for Cramér's V, and how many there are; missing is the last one."""
    if places is not None:
        numbers = np.append(places, np.nan)[codes]
        values = np.unique(numbers[~np.isnan(numbers)])
        if len(values) > MOST_NUMBERS:
            cuts = np.unique(np.nanquantile(numbers, np.arange(1, TENTHS) / TENTHS))
            # What stands nowhere on the scale, missing or *, is the last category.
            tenths = np.where(np.isnan(numbers), len(cuts) + 1, np.searchsorted(cuts, numbers, side="right"))
            return tenths, len(cuts) + 2
    of_label = np.arange(n_labels)
    if n_labels > MOST_CATEGORIES:
        counts = np.bincount(codes[codes >= 0], minlength=n_labels)
        of_label[np.argsort(-counts, kind="stable")] = np.arange(n_labels)
        of_label = np.minimum(of_label, MOST_CATEGORIES - 1)
    n_groups = min(n_labels, MOST_CATEGORIES)
    return np.append(of_label, n_groups)[codes], n_groups + 1
