"""How strongly columns go together, before and after: Cramér's V for categories, Spearman's rank correlation.

First comes how strongly two columns of a file go together, by how many records have which values of both. Then every
pair is compared before and after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.analyses.utility import alongside
from anonlib.analyses.utility.alongside import Alongside, places_in
from anonlib.analyses.utility.scale import on_scale
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset

MOST_NUMBERS, TENTHS = 20, 10  # distinct numbers that are categories as they are; groups that more are cut into
MOST_CATEGORIES = 50


class File:
    """A file, of which any two columns can be compared.

    Attributes
    ----------
    columns : Mapping[str, ColumnCodes]
        By name, the columns.
    n_records : int
        Records looked at.
    """

    columns: Mapping[str, ColumnCodes]
    n_records: int

    def together(self, one: str, other: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values of two columns that records have together, as codes with missing last, and how many records."""
        raise NotImplementedError

    def strength(self, one: str, other: str, ranks: bool) -> float:
        """How strongly two columns go together, by ranks or as categories."""
        return _strength(self.columns[one], self.columns[other], ranks, *self.together(one, other))


class RecordsInMemory(File):
    """Some records in memory."""

    def __init__(self, dataset: Dataset, rows: np.ndarray, names: Sequence[str]) -> None:
        self._codes, self.columns = dict[str, np.ndarray](), dict[str, ColumnCodes]()
        for name in names:
            held = dataset.records[name].array
            n = len(held.categories)
            codes = np.asarray(held.codes)[rows].astype(np.int64)
            self._codes[name] = codes = np.where(codes < 0, n, codes)
            self.columns[name] = ColumnCodes.of(dataset.held.values(name), np.bincount(codes, minlength=n + 1))
        self.n_records = len(rows)
        self._once = np.ones(len(rows), dtype=np.int64)

    def together(self, one: str, other: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._codes[one], self._codes[other], self._once


class Counts(File):
    """Records in a database, of which combinations of values are counted: of few records all at once."""

    def __init__(self, dataset: Dataset, names: Sequence[str]) -> None:
        self._held, self.columns = dataset.held, dict[str, ColumnCodes]()
        self._values = {name: dataset.held.values(name) for name in names}
        for name in names:
            counts = dataset.held.counts_of(name)
            self.columns[name] = ColumnCodes.of(counts.values, np.append(counts.records, counts.missing))
        self.n_records = dataset.n_records
        self._all = ClassTable.from_records(self._held, names) if self.n_records <= alongside.MOST_AT_ONCE else None

    def together(self, one: str, other: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        pair = [one, other]
        classes = ClassTable.from_records(self._held, pair) if self._all is None else self._all.project(pair)
        codes = [
            places_in(self._values[name], classes.categories[j])[classes.codes[:, j]] for j, name in enumerate(pair)
        ]
        return codes[0], codes[1], classes.counts


@dataclass(frozen=True, eq=False)
class ColumnCodes:
    """A column of one file, ready to be compared with others. Of values, missing is the last one.

    Attributes
    ----------
    ranks : float64 array or None
        Per value its rank among the records, ties at their mean and NaN for what is missing; None where the column has
        no scale.
    complete : bool
        Whether no record lacks a rank.
    groups : int64 array
        Per value its category.
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
    def of(cls, values: np.ndarray, records: np.ndarray) -> ColumnCodes:
        """The column of these values and the records of each, missing last."""
        places = on_scale(values)
        groups, n_groups = _groups(records, places)
        if places is None:
            return cls(None, False, groups, n_groups)
        ranks = ranks_of(np.append(places, np.nan), records)
        return cls(ranks, not records[np.isnan(ranks)].any(), groups, n_groups)


def _strength(
    one: ColumnCodes, other: ColumnCodes, ranks: bool, codes: np.ndarray, others: np.ndarray, records: np.ndarray
) -> float:
    """How strongly two columns go together, by the codes that so many records have together."""
    if not ranks:
        pairs = one.groups[codes] * other.n_groups + other.groups[others]
        table = np.bincount(pairs, weights=records, minlength=one.n_groups * other.n_groups)
        return cramers_v(table.reshape(one.n_groups, other.n_groups))
    assert one.ranks is not None and other.ranks is not None
    a, b = one.ranks[codes], other.ranks[others]
    if one.complete and other.complete:
        return _correlation(a, b, records)
    known = ~(np.isnan(a) | np.isnan(b))
    records = records[known]
    return _correlation(ranks_of(a[known], records), ranks_of(b[known], records), records)


def _correlation(one: np.ndarray, other: np.ndarray, records: np.ndarray) -> float:
    """The absolute value of Pearson's correlation of so many records; 0 where one of them is the same for all."""
    if records.sum() < 2:
        return 0.0
    a, b = one - np.average(one, weights=records), other - np.average(other, weights=records)
    spread = float(np.sqrt((records * a @ a) * (records * b @ b)))
    return min(1.0, abs(float(records * a @ b)) / spread) if spread > 0 else 0.0


def ranks_of(numbers: np.ndarray, records: np.ndarray | None = None) -> np.ndarray:
    """Ranks from 1, ties at their mean.

    Parameters
    ----------
    numbers : np.ndarray
        NaN is missing.
    records : np.ndarray, optional
        How many records have each; one where it is left out.

    Returns
    -------
    float64 array
        NaN where the number is.
    """
    codes, distinct = pd.factorize(numbers, sort=True, use_na_sentinel=True)
    known = codes >= 0
    weights = None if records is None else records[known]
    counts = np.bincount(codes[known], weights, minlength=len(distinct))
    middle = np.cumsum(counts) - (counts - 1) / 2
    return np.append(middle, np.nan)[codes]


def cramers_v(table: np.ndarray) -> float:
    """Cramér's V of a table of counts, corrected for its bias.

    ``phi² = max(0, chi²/n - (r-1)(c-1)/(n-1))``, ``r~ = r - (r-1)²/(n-1)``, ``c~`` likewise, and
    ``V = sqrt(phi² / min(r~ - 1, c~ - 1))`` (Bergsma 2013, with r and c the rows and columns that have records).

    Parameters
    ----------
    table : np.ndarray
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


def _groups(records: np.ndarray, places: np.ndarray | None) -> tuple[np.ndarray, int]:
    """Per value its category for Cramér's V, and how many there are; missing is the last one of both."""
    n_labels = len(records) - 1
    if places is not None:
        known = np.flatnonzero(~np.isnan(places) & (records[:-1] > 0))
        if len(np.unique(places[known])) > MOST_NUMBERS:
            cuts = np.unique(_tenths(places[known], records[known]))
            # What stands nowhere on the scale, missing or *, is the last category.
            numbers = np.append(places, np.nan)
            tenths = np.where(np.isnan(numbers), len(cuts) + 1, np.searchsorted(cuts, numbers, side="right"))
            return tenths, len(cuts) + 2
    of_label = np.arange(n_labels)
    if n_labels > MOST_CATEGORIES:
        of_label[np.argsort(-records[:-1], kind="stable")] = np.arange(n_labels)
        of_label = np.minimum(of_label, MOST_CATEGORIES - 1)
    n_groups = min(n_labels, MOST_CATEGORIES)
    return np.append(of_label, n_groups), n_groups + 1


def _tenths(places: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Where the records are cut into tenths, between two of them in proportion."""
    order = np.argsort(places)
    ends = np.cumsum(records[order])
    at = np.arange(1, TENTHS) / TENTHS * (ends[-1] - 1)
    below, above = (places[order][np.searchsorted(ends, np.floor(at) + i, side="right")] for i in (0, 1))
    return below + (above - below) * (at - np.floor(at))


MOST_COLUMNS = 40
MOST_RECORDS = 200_000


@dataclass(frozen=True)
class Pair:
    """Two columns, and how strongly they go together.

    Attributes
    ----------
    columns : tuple[str, str]
        Their names, in the file's order.
    measure : str
        str "Spearman" or "Cramér's V".
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
    columns : tuple[str, ...]
        The columns looked at, in the file's order.
    before, after : float64 array, columns x columns
        Strength of each pair, in [0, 1], 1 on the diagonal; NaN after for a column that is gone.
    ranked : bool array, columns x columns
        True for the absolute value of Spearman's correlation, False for Cramér's V.
    passed_over : tuple[str, ...], default ()
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
        all_pairs = [
            Pair(
                (self.columns[i], self.columns[j]),
                "Spearman" if self.ranked[i, j] else "Cramér's V",
                float(self.before[i, j]),
                float(self.after[i, j]),
            )
            for i, j in combinations(range(len(self.columns)), 2)
            if not np.isnan(self.after[i, j])
        ]
        return tuple(sorted(all_pairs, key=lambda pair: -round(abs(pair.difference), 12)))

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
    both : Alongside
        Original and release.
    seed : int, default 0
        Of the sample: above 200,000 records as many are drawn, the same of both files as far as they are in both. In a
        database all are counted.
    progress : Progress, optional
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
    leaving = [name for name in names if name in both.leaving]
    files: list[File]
    if both.in_memory:
        rows_before, rows_after = _sample(both, seed)
        files = [
            RecordsInMemory(both.original, rows_before, names),
            RecordsInMemory(both.released, rows_after, leaving),
        ]
    else:
        files = [Counts(both.original, names), Counts(both.released, leaving)]
    passed_over = tuple(name for name in both.columns if name not in looked_at)
    return _between(files, names, passed_over, (both.original.n_records, both.released.n_records), progress)


def association_of_files(original: Dataset, other: Dataset, columns: Sequence[str], *, seed: int = 0) -> Association:
    """The same of two files in memory of which nobody knows whose record is whose, by columns that both have."""
    rng, names = np.random.default_rng(seed), tuple(columns[:MOST_COLUMNS])
    files = [
        RecordsInMemory(table, np.sort(rng.permutation(table.n_records)[:MOST_RECORDS]), names)
        for table in (original, other)
    ]
    return _between(files, names, tuple(columns[MOST_COLUMNS:]), (original.n_records, other.n_records))


def _between(
    files: Sequence[File],
    names: tuple[str, ...],
    passed_over: tuple[str, ...],
    n_records: tuple[int, int],
    progress: Progress | None = None,
) -> Association:
    before = [files[0].columns[name] for name in names]
    after = [files[1].columns.get(name) for name in names]
    n = len(names)
    ranked = np.zeros((n, n), dtype=bool)
    strengths = np.full((2, n, n), np.nan)
    for i in range(n):
        strengths[:, i, i] = 1.0, np.nan if after[i] is None else 1.0
        for j in range(i):
            one, other = after[i], after[j]
            ranks = all(column is None or column.has_scale for column in (before[i], before[j], one, other))
            ranked[i, j] = ranked[j, i] = ranks
            strengths[0, i, j] = strengths[0, j, i] = files[0].strength(names[i], names[j], ranks)
            if one is not None and other is not None:
                strengths[1, i, j] = strengths[1, j, i] = files[1].strength(names[i], names[j], ranks)
        if progress:
            progress((i + 1) ** 2 / n**2)
    for array in (strengths, ranked):
        array.flags.writeable = False
    sampled = any(file.n_records < n for file, n in zip(files, n_records, strict=True))
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
