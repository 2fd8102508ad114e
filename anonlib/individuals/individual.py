"""One individual: every set of variables at once, the smallest ones that breach, and what would fix it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from anonlib.classes import ClassTable
from anonlib.errors import InputError
from anonlib.individuals.measures import NOT_NEAR, Measure, checked_measure, checked_share
from anonlib.individuals.proximity import Proximity, position
from anonlib.recoding import Intervals, Recoding
from anonlib.values import to_numbers

MOST_VARIABLES = 20
_WIDTHS = (2.0, 5.0, 10.0)


@dataclass(frozen=True, eq=False)
class Individual:
    """One class of individuals against all others: how many agree with it in every set of variables.

    ``agrees`` (bool, classes x attributes) says which other classes count as equal to it in which attribute, ``near``
    that for some of them this is being within a distance. With ``missing_is_harm`` a missing sensitive value can be
    inferred like any other; without it the measure is NaN where the individual's own value is missing.
    """

    classes: ClassTable
    row: int
    agrees: np.ndarray
    near: bool = False
    missing_is_harm: bool = False

    @classmethod
    def of(
        cls,
        classes: ClassTable,
        row: int,
        *,
        within: Mapping[str, float] | None = None,
        missing_is_harm: bool = False,
    ) -> Individual:
        """The individual(s) of a class. Raises InputError for more than 20 variables or a class that is not there."""
        if not 0 <= row < classes.n_classes:
            raise InputError("There is no such class of individuals.")
        if len(classes.attributes) > MOST_VARIABLES:
            raise InputError(f"With more than {MOST_VARIABLES} variables there are too many sets. Choose fewer.")
        agrees = classes.codes == classes.codes[row]
        proximity = Proximity.of(classes, within or {})
        for j, reach in proximity.reach.items():
            rank, own = reach.rank[classes.codes[:, j]], classes.codes[row, j]
            agrees[:, j] = (reach.low[own] <= rank) & (rank <= reach.high[own])
        return cls(classes, row, agrees, bool(proximity), missing_is_harm)

    def lacks(self, attribute: str) -> bool:
        """Whether its own value is missing."""
        j = position(self.classes, attribute)
        return self.classes.categories[j][self.classes.codes[self.row, j]] is None

    def peers(self, where: np.ndarray | None = None) -> np.ndarray:
        """int64, 2^K: the records that agree with it in each set of attributes (bit j is attribute j).

        ``where`` (bool, per class) counts only some of them. Every record falls under the largest set it agrees in;
        adding each set's to its subsets, one attribute at a time, gives them all.
        """
        n = len(self.classes.attributes)
        largest = self.agrees @ (1 << np.arange(n))
        weights = self.classes.counts if where is None else np.where(where, self.classes.counts, 0)
        counts = np.zeros(1 << n, dtype=np.int64)
        np.add.at(counts, largest, weights)
        for j in range(n):
            halves = counts.reshape(-1, 2, 1 << j)
            halves[:, 0] += halves[:, 1]
        return counts

    def measure(self, sensitive: str, measure: Measure = "ppp", q: float = 0.0) -> np.ndarray:
        """float64, 2^K: the measure for each set of known variables; NaN for the sets with the sensitive one.

        NaN for all sets where there is nothing to infer, the individual's own value being missing.
        """
        s = position(self.classes, sensitive)
        checked_measure(measure)
        checked_share(q, "q")
        if self.near and measure == "poac":
            raise InputError(NOT_NEAR)
        if self.lacks(sensitive) and not self.missing_is_harm:
            return np.full(1 << len(self.classes.attributes), np.nan)
        counts = self.peers()
        sets = np.arange(len(counts))
        values = np.full(len(counts), np.nan)
        known = sets[sets >> s & 1 == 0]
        peers, same = counts[known], counts[known | 1 << s]
        if measure == "poac":
            values[known] = self._alternatives_considered(s, q, known, peers)
        else:
            values[known] = (peers - same) / (peers if measure == "ppp" else 1)
        return values

    def _alternatives_considered(self, s: int, q: float, known: np.ndarray, peers: np.ndarray) -> np.ndarray:
        values, own = self.classes.codes[:, s], self.classes.codes[self.row, s]
        others = [v for v in range(len(self.classes.categories[s])) if v != own]
        if not others:
            return np.full(len(known), np.nan)
        return sum((self.peers(values == v)[known] / peers > q).astype(float) for v in others) / len(others)

    def smallest_breaching_sets(
        self,
        sensitive: str,
        p: float = 0.0,
        *,
        measure: Measure = "ppp",
        q: float = 0.0,
        max_known: int | None = None,
        include_empty: bool = False,
    ) -> tuple[tuple[str, ...], ...]:
        """The sets of known variables that bring the measure to ``p`` or below, no part of which does; small first."""
        breached = self._considered(max_known, include_empty) & (self.measure(sensitive, measure, q) <= p)
        by_part = breached.copy()  # by the set or a part of it
        minimal = breached.copy()
        for j in range(len(self.classes.attributes)):
            halves = by_part.reshape(-1, 2, 1 << j)
            halves[:, 1] |= halves[:, 0]
        for j in range(len(self.classes.attributes)):
            minimal.reshape(-1, 2, 1 << j)[:, 1] &= ~by_part.reshape(-1, 2, 1 << j)[:, 0]
        found = sorted(np.flatnonzero(minimal).tolist(), key=lambda mask: (mask.bit_count(), mask))
        names = self.classes.attributes
        return tuple(tuple(name for j, name in enumerate(names) if mask >> j & 1) for mask in found)

    def least(
        self,
        sensitive: str,
        *,
        measure: Measure = "ppp",
        q: float = 0.0,
        max_known: int | None = None,
        include_empty: bool = False,
        unknown: str | None = None,
    ) -> float:
        """The least value over all sets of known variables, those with ``unknown`` left out; NaN when there is none."""
        considered = self._considered(max_known, include_empty)
        if unknown is not None:
            considered &= np.arange(len(considered)) >> position(self.classes, unknown) & 1 == 0
        values = self.measure(sensitive, measure, q)[considered]
        values = values[~np.isnan(values)]
        return float(values.min()) if len(values) else float("nan")

    def _considered(self, max_known: int | None, include_empty: bool) -> np.ndarray:
        sizes = np.bitwise_count(np.arange(1 << len(self.classes.attributes)))
        most = len(self.classes.attributes) if max_known is None else max_known
        return (sizes >= (0 if include_empty else 1)) & (sizes <= most)

    def recoded(self, attribute: str, recoding: Recoding) -> Individual:
        """The individual among everyone after a recoding of one attribute."""
        j = position(self.classes, attribute)
        values = self.classes.categories[j]
        present = np.array([value is not None for value in values])
        labels = np.full(len(values), None, dtype=object)
        labels[present] = recoding.labels(values[present])
        same = labels == labels[self.classes.codes[self.row, j]]
        agrees = self.agrees.copy()
        agrees[:, j] = same[self.classes.codes[:, j]]
        return replace(self, agrees=agrees)


@dataclass(frozen=True)
class Remedy:
    """One change that lifts an individual above the threshold: ``recoding`` of ``attribute``, or dropping it (None).

    ``least`` is the measure's least value after it, NaN where nothing is left to know.
    """

    attribute: str
    recoding: Recoding | None
    least: float


def remedies(
    individual: Individual,
    sensitive: str,
    p: float = 0.0,
    *,
    measure: Measure = "ppp",
    q: float = 0.0,
    max_known: int | None = None,
    include_empty: bool = False,
) -> tuple[Remedy, ...]:
    """The single changes to a known variable that protect the individual, gentlest first.

    For numbers the narrowest of round widths below the range (2, 5, 10, 20, ... times the power of ten at or below the
    smallest step between values) that is enough, else dropping the variable; for others dropping it. Empty when no
    single change is enough, or none needed.
    """
    options = {"measure": measure, "q": q, "max_known": max_known, "include_empty": include_empty}
    if not individual.least(sensitive, **options) <= p:  # type: ignore[arg-type]
        return ()
    found: list[Remedy] = []
    for attribute, values in zip(individual.classes.attributes, individual.classes.categories, strict=True):
        if attribute == sensitive:
            continue
        for recoding in _round_intervals(values):
            least = individual.recoded(attribute, recoding).least(sensitive, **options)  # type: ignore[arg-type]
            if least > p:
                found.append(Remedy(attribute, recoding, least))
                break
        else:
            without = individual.least(sensitive, unknown=attribute, **options)  # type: ignore[arg-type]
            if not without <= p:
                found.append(Remedy(attribute, None, without))
    return tuple(sorted(found, key=lambda remedy: remedy.recoding is None))


def _round_intervals(values: np.ndarray) -> list[Intervals]:
    numbers = np.unique(to_numbers(["" if value is None else value for value in values]))
    numbers = numbers[~np.isnan(numbers)]
    if len(numbers) < 3:
        return []
    step = 10 ** np.floor(np.log10(np.diff(numbers).min()))
    widths = [float(step * width * 10**power) for power in range(12) for width in _WIDTHS]
    return [Intervals(width) for width in widths if width < numbers[-1] - numbers[0]]
