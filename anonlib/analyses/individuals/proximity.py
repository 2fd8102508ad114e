"""Nearness of numbers: peers within a distance of a numeric variable, instead of equal in it.

Kroes et al. 2021 leave it for later (“Strengths, limitations and future work”).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from anonlib.analyses.individuals.attacker import Attacker
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset
from anonlib.values.cells import to_numbers


def position(classes: ClassTable, name: str) -> int:
    """Where an attribute is in the table. Raises InputError where it is not."""
    if name not in classes.attributes:
        raise InputError(
            f"There is no column named “{name}” among those that are counted here.", code="column-unknown", column=name
        )
    return classes.attributes.index(name)


def numbers_of(classes: ClassTable, j: int) -> np.ndarray:
    """float64, the values of the j-th attribute as numbers; NaN for what is none, and for a missing value."""
    return to_numbers(["" if value is None else value for value in classes.categories[j]])


@dataclass(frozen=True, eq=False)
class Reach:
    """Which values of a variable count as equal. A value that is not a number is within reach of itself alone.

    Attributes
    ----------
    rank : np.ndarray
        Per code its rank by number.
    low, high : np.ndarray
        Per code the first and the last rank within the distance.
    """

    rank: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class Proximity:
    """The variables whose values count as equal within a distance; of a sensitive one, within that tolerance.

    ``reach`` has them by their position.
    """

    reach: Mapping[int, Reach]

    @classmethod
    def of(cls, classes: ClassTable, attacker: Attacker) -> Proximity:
        """The attacker's distances in this table. Raises InputError where a variable has no numbers."""
        reach = {}
        for name, distance in dict(attacker.within).items():
            j = position(classes, name)
            if distance:
                reach[j] = _reach(classes, j, Fraction(repr(float(distance))))
        return cls(reach)

    def __bool__(self) -> bool:
        return bool(self.reach)

    def sizes(self, classes: ClassTable, subset: Subset) -> np.ndarray:
        """int64, per class of the subset the records within reach of it; its own size where nothing is near."""
        near = [j for j in subset.members if j in self.reach]
        if not near:
            return subset.sizes
        exact = [j for j in subset.members if j not in self.reach]
        key = _exact_part(classes.codes[subset.row][:, exact])
        return self._records_in_reach(key, {j: classes.codes[subset.row, j] for j in near}, subset.sizes)

    def _records_in_reach(self, key: np.ndarray, codes: dict[int, np.ndarray], sizes: np.ndarray) -> np.ndarray:
        """Records whose keys are equal and whose codes are within reach, per class.

        Classes are sorted by key and then by rank in each near variable. Within the last of these, reach is one
        stretch, found by bisection; the others are gone through rank by rank.
        """
        *others, last = codes
        own = key
        for j in codes:
            own = own * len(self.reach[j].rank) + self.reach[j].rank[codes[j]]
        order = np.argsort(own)
        ordered, before = own[order], np.concatenate([[0], np.cumsum(sizes[order])])

        def count(prefix: np.ndarray, rest: list[int], who: np.ndarray) -> np.ndarray:
            if not rest:
                reach, code = self.reach[last], codes[last][who]
                start = prefix * len(reach.rank)
                high = np.searchsorted(ordered, start + reach.high[code], side="right")
                return before[high] - before[np.searchsorted(ordered, start + reach.low[code])]
            reach, code = self.reach[rest[0]], codes[rest[0]][who]
            low, width = reach.low[code], reach.high[code] - reach.low[code]
            totals = np.zeros(len(who), dtype=np.int64)
            for offset in range(int(width.max(initial=0)) + 1):
                some = np.flatnonzero(offset <= width)
                totals[some] += count(prefix[some] * len(reach.rank) + low[some] + offset, rest[1:], who[some])
            return totals

        return count(key, others, np.arange(len(key)))


def _reach(classes: ClassTable, j: int, distance: Fraction) -> Reach:
    name, numbers = classes.attributes[j], numbers_of(classes, j)
    numeric = np.flatnonzero(~np.isnan(numbers))
    if not len(numeric):
        raise InputError(
            f"“{name}” has no numbers, so nothing in it is near. Choose a numeric column.",
            code="column-without-numbers",
            column=name,
        )
    order = numeric[np.argsort(numbers[numeric], kind="stable")]
    rank = np.empty(len(numbers), dtype=np.intp)
    rank[order] = np.arange(len(order))
    rank[np.isnan(numbers)] = np.arange(len(order), len(numbers))
    # As the decimal numbers they are written as: 0.8 - 0.7 is 0.1, which binary fractions do not know.
    exact = [Fraction(repr(float(numbers[i]))) for i in order]
    low, high = rank.copy(), rank.copy()
    low[order] = [bisect_left(exact, number - distance) for number in exact]
    high[order] = [bisect_right(exact, number + distance) - 1 for number in exact]
    return Reach(rank, low, high)


def _exact_part(codes: np.ndarray) -> np.ndarray:
    """One number a row, the same for the same codes."""
    if codes.shape[1] == 0:
        return np.zeros(len(codes), dtype=np.int64)
    from anonlib.counting.classes.coding import group

    return group(codes, [int(column.max()) + 1 for column in codes.T])[0]
