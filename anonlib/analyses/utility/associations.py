"""How strongly columns go together, before and after: Cramér's V for categories, Spearman's rank correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.strength import Counts, File, Rows
from anonlib.basics.progress import Progress
from anonlib.dataset import Dataset

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
        files = [Rows(both.original, rows_before, names), Rows(both.released, rows_after, leaving)]
    else:
        files = [Counts(both.original, names), Counts(both.released, leaving)]
    passed_over = tuple(name for name in both.columns if name not in looked_at)
    return _between(files, names, passed_over, (both.original.n_records, both.released.n_records), progress)


def association_of_files(original: Dataset, other: Dataset, columns: Sequence[str], *, seed: int = 0) -> Association:
    """The same of two files in memory of which nobody knows whose record is whose, by columns that both have."""
    rng, names = np.random.default_rng(seed), tuple(columns[:MOST_COLUMNS])
    files = [
        Rows(table, np.sort(rng.permutation(table.n_records)[:MOST_RECORDS]), names) for table in (original, other)
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
