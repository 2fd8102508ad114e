"""Two columns in the original, and as read off a release with coarser labels: means by group, and tables.

First comes the mean of numbers in each group; then comes how often values of two columns occur together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from anonlib.analyses.utility.alongside import Alongside, Recoded
from anonlib.analyses.utility.associations import ColumnCodes, Counts, cramers_v
from anonlib.analyses.utility.in_words import named
from anonlib.analyses.utility.scale import limits, on_scale
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP
from anonlib.values.cells import is_code


@dataclass(frozen=True, eq=False)
class GroupMeans:
    """A mean by group, before and after.

    Attributes
    ----------
    value, group : str
        The columns.
    groups : tuple[str, ...]
        Values of the original's group column that have records with a number, those with most records
        first.
    records : float64 array
        Per group, the original's records with a number.
    before : float64 array
        Per group, the original's mean.
    after : float64 array
        Per group, the mean that the release has for it; NaN where it has none.
    """

    value: str
    group: str
    groups: tuple[str, ...]
    records: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @cached_property
    def overall(self) -> float:
        """The original's mean over all groups."""
        return float(np.average(self.before, weights=self.records))

    @property
    def spread_before(self) -> float:
        """How far the original's means are from the overall one, on average over the records."""
        return float(np.average(np.abs(self.before - self.overall), weights=self.records))

    @property
    def spread_after(self) -> float:
        """The same of the means that the release has, from their own overall mean; 0 where it has none."""
        known = ~np.isnan(self.after)
        if not known.any():
            return 0.0
        means, records = self.after[known], self.records[known]
        return float(np.average(np.abs(means - np.average(means, weights=records)), weights=records))

    @property
    def error(self) -> float:
        """How far the release's means are from the original's, on average over the records.

        A group without a mean is as far off as who knows the overall mean alone.
        """
        after = np.where(np.isnan(self.after), self.overall, self.after)
        return float(np.average(np.abs(after - self.before), weights=self.records))

    @property
    def kept(self) -> float:
        """Share kept, in [0, 1]: 1 - error / spread before; 0 where no group has a mean.

        So 0 is no better than to know the overall mean alone. Where all groups have one mean, 1 if the release has it.
        """
        if np.isnan(self.after).all():
            return 0.0
        if self.spread_before <= 1e-12 * max(1.0, abs(self.overall)):
            return float(self.error <= 1e-9 * max(1.0, abs(self.overall)))
        return min(1.0, max(0.0, 1 - self.error / self.spread_before))


def means_by_group(both: Alongside, value: str, group: str) -> GroupMeans:
    """The mean of a column in each group of another, both of which leave.

    A number released as an interval counts as its middle, as its limit where it is open; a cell without a number is
    left out. A group has the mean of the label that it was released as; of several labels, the mean of theirs by how
    many of its records have each, blank ones aside where it has others. Groups that share a label share its mean.

    Raises
    ------
    InputError
        When the original has no numbers, or no record with a number and a group.
    """
    names = (value, group)
    recoded = both.column(group)
    numbers = _middles(recoded_values := both.column(value).values)
    if is_code(list(map(str, recoded_values))) or np.isnan(numbers).all():
        raise InputError(
            f"{named(value)} has no numbers, so it has no mean: choose a column of numbers.",
            code="column-without-numbers",
        )
    sums, records = _sums(Counts(both.original, names), names, numbers, np.append(recoded.values == TOP, True))
    order = np.argsort(-records, kind="stable")
    order = order[records[order] > 0]
    if not len(order):
        raise InputError(
            f"No record has both {named(value)} and {named(group)}, so there is no mean to compare.", code="no-records"
        )
    labels = both.column(value).labels
    of_label, with_number = _sums(Counts(both.released, names), names, _middles(labels), recoded.blank)
    label_mean = np.divide(of_label, with_number, out=np.full(len(of_label), np.nan), where=with_number > 0)
    return GroupMeans(
        value,
        group,
        tuple(str(recoded.values[i]) for i in order),
        records[order],
        sums[order] / records[order],
        _mean_of_group(recoded, label_mean)[order],
    )


def _middles(labels: np.ndarray) -> np.ndarray:
    """Per label the number that it stands for, missing last; NaN for none."""
    if not len(labels):
        return np.array([np.nan])
    low, high = limits(labels)
    middle = np.where(np.isinf(low), high, np.where(np.isinf(high), low, low / 2 + high / 2))
    return np.append(np.where(np.isinf(middle), np.nan, middle), np.nan)


def _sums(
    file: Counts, names: tuple[str, str], numbers: np.ndarray, passed_over: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Per group of a file the sum of its numbers, and the records that have one."""
    value, group, counts = file.together(*names)
    n = len(passed_over)
    known = ~np.isnan(numbers[value]) & ~passed_over[group]
    value, group, counts = value[known], group[known], counts[known].astype(float)
    return np.bincount(group, counts * numbers[value], minlength=n), np.bincount(group, counts, minlength=n)


def _mean_of_group(recoded: Recoded, label_mean: np.ndarray) -> np.ndarray:
    """Per group of the original, missing last, the mean of its labels by how many of its records have each."""
    has_mean = ~np.isnan(label_mean[recoded.label])
    group, label, counts = recoded.value[has_mean], recoded.label[has_mean], recoded.counts[has_mean].astype(float)
    n = len(recoded.values) + 1
    total = np.bincount(group, counts, minlength=n)
    mean = np.bincount(group, counts * label_mean[label], minlength=n)
    return np.divide(mean, total, out=np.full(n, np.nan), where=total > 0)


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
    standing at its middle; else Cramér's V of the tables (:func:`anonlib.analyses.utility.associations.cramers_v`).
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


def _categories(both: Alongside, name: str, column: ColumnCodes) -> _Categories:
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
