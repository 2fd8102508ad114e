"""How often values of two columns occur together, in the original and as read off a release with coarser labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.scale import on_scale
from anonlib.analyses.utility.strength import Column, Counts, cramers_v
from anonlib.coarsening.hierarchies import TOP


@dataclass(frozen=True, eq=False)
class SharedTables:
    """Two columns together, before and after, in the same categories.

    Attributes
    ----------
    columns : tuple[str, str]
        The columns: the first one's categories are rows of the tables, the second one's are
        columns.
    rows, across : tuple[str, ...]
        The categories: values, tenths of the records where there are more than 20 numbers, the rarest of
        more than 50.
    before, after : float64 array, rows x across
        Records with both, of the original and of the release. A record whose label stands for several categories is
        shared out over them as often as the label has each.
    measure : str
        str "Spearman" or "Cramér's V".
    strength_before, strength_after : float
        How strongly they go together, in [0, 1].
    n_released : int
        Records of the release that have both.
    """

    columns: tuple[str, str]
    rows: tuple[str, ...]
    across: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    measure: str
    strength_before: float
    strength_after: float
    n_released: int

    @property
    def kept(self) -> float:
        """Share kept, in [0, 1]: the smaller strength divided by the larger; 0 where no record has both.

        A release that shows more than there is misleads as one that shows less.
        """
        if not self.n_released:
            return 0.0
        most = max(self.strength_before, self.strength_after)
        return min(self.strength_before, self.strength_after) / most if most > 0 else 1.0


def shared_tables(both: Alongside, first: str, second: str) -> SharedTables:
    """Two columns that leave, together.

    Records of which either is missing or blank are left out, of both files. Where all labels of both are numbers,
    intervals or dates, in both files, the strength is the absolute value of Spearman's rank correlation, an interval
    standing at its middle; else Cramér's V of the tables (:func:`anonlib.analyses.utility.strength.cramers_v`).
    """
    names = (first, second)
    of_original, of_release = Counts(both.original, names), Counts(both.released, names)
    categories = [_categories(both, name, of_original.columns[name]) for name in names]
    before = _table(both, of_original, names, [of_column.of_value for of_column in categories])
    after = _table(both, of_release, names, [of_column.of_label for of_column in categories])
    ranked = all(file.columns[name].has_scale for file in (of_original, of_release) for name in names)
    strengths = (
        (of_original.strength(*names, True), of_release.strength(*names, True))
        if ranked
        else (cramers_v(before), cramers_v(after))
    )
    return SharedTables(
        names,
        categories[0].names,
        categories[1].names,
        before,
        after,
        "Spearman" if ranked else "Cramér's V",
        *strengths,
        round(float(after.sum())),
    )


@dataclass(frozen=True, eq=False)
class _Categories:
    """A column's categories, and how values and labels are shared out over them; of both, missing is the last one."""

    names: tuple[str, ...]
    of_value: sparse.csr_array
    of_label: sparse.csr_array


def _categories(both: Alongside, name: str, column: Column) -> _Categories:
    recoded = both.column(name)
    known = np.append(recoded.values != TOP, False)
    # Categories without a value, such as that of what is missing, are passed over.
    present, group = np.unique(column.groups[known], return_inverse=True)
    category = np.full(len(known), -1, dtype=np.int64)
    category[known] = group
    known_both = known[recoded.value] & ~recoded.blank[recoded.label]
    value, label, counts = recoded.value[known_both], recoded.label[known_both], recoded.counts[known_both]
    of_label = sparse.csr_array(
        (counts.astype(float), (label, category[value])), shape=(len(recoded.labels) + 1, len(present))
    )
    totals = np.asarray(of_label.sum(axis=1)).ravel()
    scaled = sparse.diags_array(np.divide(1, totals, out=np.zeros(len(totals)), where=totals > 0)) @ of_label
    of_value = sparse.csr_array((np.ones(len(group)), (np.flatnonzero(known), group)), shape=(len(known), len(present)))
    return _Categories(_names(recoded.values[known[:-1]], group, len(present)), of_value, sparse.csr_array(scaled))


def _table(both: Alongside, file: Counts, names: tuple[str, str], shares: list[sparse.csr_array]) -> np.ndarray:
    one, other, counts = file.together(*names)
    together = sparse.csr_array((counts.astype(float), (one, other)), shape=(shares[0].shape[0], shares[1].shape[0]))
    return (shares[0].T @ together @ shares[1]).toarray()


def _names(values: np.ndarray, group: np.ndarray, n: int) -> tuple[str, ...]:
    """What categories are called: the value, the span of numbers or the number of other values."""
    places = on_scale(values) if len(values) else None
    names = []
    for i in range(n):
        mine = values[group == i]
        if len(mine) == 1:
            names.append(str(mine[0]))
        elif places is None:
            names.append(f"{len(mine):,} others")
        else:
            order = np.argsort(places[group == i], kind="stable")
            names.append(f"{mine[order[0]]} to {mine[order[-1]]}")
    return tuple(names)
