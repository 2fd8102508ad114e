"""The schedule as two partitions: each value's people in parts, each slot's load in parts, as many of each size.

A cell of the schedule is a part of its value and of its slot. The other way round, parts of equal size can be matched
in any way: what falls into one cell twice is merged, which only makes the vector smaller. So instead of a number for
each pair of value and slot there is one for each value and size, and each slot and size. First come the ways to split a
number into parts of given sizes: how many there are, and which. Then come the two sides, and how they are matched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.solver.search import Solver

Way = tuple[tuple[int, int], ...]
"""(size, times), sizes ascending."""
_LARGEST = 2_000
"""Numbers above this are not split one by one: they have more ways than anyone could count."""


class Ways:
    """The ways to split numbers up to ``largest``, or up to ``spare`` less than them, into parts of ``sizes``."""

    def __init__(self, sizes: Sequence[int], largest: int, spare: int = 0) -> None:
        top = min(largest, _LARGEST)
        self._sizes = [size for size in sizes if size <= top]
        self._spare = spare
        counts = np.zeros(top + 1)
        counts[0] = 1
        # A suffix of the sizes at a time: which sums it can make tells where a split may still go on.
        self._can_end = [self._within(counts)]
        for size in reversed(self._sizes):
            for start in range(size, top + 1, size):
                block = counts[start : start + size]
                block += counts[start - size : start - size + len(block)]
            self._can_end.append(self._within(counts))
        self._can_end.reverse()
        self._counts = self._can_end[0]

    def _within(self, counts: np.ndarray) -> np.ndarray:
        """For each number, the ways to make it or up to ``spare`` less."""
        total = np.cumsum(counts)
        if self._spare < len(counts):
            total[self._spare + 1 :] -= np.cumsum(counts)[: -self._spare - 1]
        return total

    def count(self, number: int) -> float:
        """How many ways there are; infinite for numbers too large to be looked at."""
        return float(self._counts[number]) if number < len(self._counts) else np.inf

    def of(self, number: int) -> list[Way]:
        """All of them."""
        return list(self._split(number, 0))

    def few(self, number: int) -> list[Way]:
        """Those of at most three parts that fall at most one short, and none at all where so much may be spared."""
        sizes = set(self._sizes)
        ways: set[tuple[int, ...]] = {()} if number <= self._spare else set()
        for total in {number, number - min(1, self._spare)}:
            for first in self._sizes:
                for second in (0, *self._sizes):
                    third = total - first - second
                    if third >= 0 and (third == 0 or third in sizes):
                        ways.add(tuple(sorted(size for size in (first, second, third) if size)))
        return [tuple(sorted(Counter(way).items())) for way in sorted(ways)]

    def _split(self, number: int, position: int) -> Iterator[Way]:
        if number <= self._spare:
            yield ()
        for first in range(position, len(self._sizes)):
            size = self._sizes[first]
            if size > number:
                return
            for times in range(1, number // size + 1):
                rest = number - times * size
                if self._can_end[first + 1][rest] > 0.5:
                    for way in self._split(rest, first + 1):
                        yield ((size, times), *way)


WAYS = 400
"""So many ways to split one number are rather counted than left to the solver's arithmetic."""

_FEW = 200  # the largest number whose ways of few parts are looked at

Parts = list[tuple[int, int]]
"""(value or slot, size of the part)."""


@dataclass
class _Pattern:
    """So many (``times``) of the values or slots of one kind are split into just these sizes."""

    way: Way
    times: cp_model.IntVar


class Side:
    """One side of a model: the values, whose parts sum to just their people, or the slots, to at most their places.

    ``numbers``: people or places; ``spare``: so much may each fall short of its number (0 for values). Parts are of
    the ``sizes`` given. Where there are few ways to split a number, it is counted how many of that number are split in
    which way; the others have a variable for each size of part, or, with ``few``, only ways of few parts.
    """

    def __init__(
        self, model: cp_model.CpModel, numbers: np.ndarray, spare: int, sizes: Sequence[int], few: bool = False
    ) -> None:
        self._patterns: list[tuple[np.ndarray, list[_Pattern]]] = []
        self._single: dict[int, dict[int, cp_model.IntVar]] = {}
        self._counts: dict[int, list[cp_model.LinearExprT]] = {size: [] for size in sizes}
        ways = Ways(sizes, int(numbers.max(initial=0)), spare)
        for number in np.unique(numbers[numbers > 0]).tolist():
            positions = np.flatnonzero(numbers == number)
            fitting = [size for size in sizes if size <= number]
            if ways.count(number) <= max(WAYS, len(positions) * len(fitting)):
                self._add_patterns(model, positions, ways.of(number))
            elif few and number <= _FEW:
                self._add_patterns(model, positions, ways.few(number))
            else:
                for position in positions.tolist():
                    self._add_single(model, position, number, spare, fitting)

    def _add_patterns(self, model: cp_model.CpModel, positions: np.ndarray, ways: list[Way]) -> None:
        patterns = [_Pattern(way, model.new_int_var(0, len(positions), "")) for way in ways]
        model.add(cp_model.LinearExpr.sum([pattern.times for pattern in patterns]) == len(positions))
        for pattern in patterns:
            for size, times in pattern.way:
                self._counts[size].append(pattern.times * times)
        self._patterns.append((positions, patterns))

    def _add_single(self, model: cp_model.CpModel, position: int, number: int, spare: int, sizes: list[int]) -> None:
        counts = {size: model.new_int_var(0, number // size, "") for size in sizes}
        total = cp_model.LinearExpr.weighted_sum(list(counts.values()), sizes)
        model.add_linear_constraint(total, max(0, number - spare), number)
        for size, count in counts.items():
            self._counts[size].append(count)
        self._single[position] = counts

    @property
    def n_variables(self) -> int:
        return sum(len(patterns) for _, patterns in self._patterns) + sum(map(len, self._single.values()))

    def count(self, size: int) -> cp_model.LinearExprT:
        """The parts of this size."""
        return cp_model.LinearExpr.sum(self._counts[size])

    def hint(self, model: cp_model.CpModel, parts: Parts) -> None:
        """Begin the search at these parts."""
        times: dict[int, Counter[int]] = defaultdict(Counter)
        for position, size in parts:
            times[position][size] += 1
        for positions, patterns in self._patterns:
            split = Counter(tuple(sorted(times[position].items())) for position in positions.tolist())
            for pattern in patterns:
                model.add_hint(pattern.times, split[pattern.way])
        for position, counts in self._single.items():
            for size, count in counts.items():
                model.add_hint(count, times[position][size])

    def parts(self, solver: Solver) -> Parts:
        """The parts of a solution."""
        placed: Parts = []
        for positions, patterns in self._patterns:
            left = iter(positions.tolist())
            for pattern in patterns:
                for _ in range(solver.value(pattern.times)):
                    position = next(left)
                    for size, times in pattern.way:
                        placed.extend([(position, size)] * times)
        for position, counts in self._single.items():
            for size, count in counts.items():
                placed.extend([(position, size)] * solver.value(count))
        return placed


def many_ways(numbers: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Whether each number can be split into parts of these sizes in more ways than are counted."""
    ways = Ways(sizes, int(numbers.max()))
    return np.array([ways.count(number) > WAYS for number in numbers.tolist()])


def matched(values: Parts, slots: Parts, shape: tuple[int, int]) -> sparse.csr_array:
    """(Q, R) people: parts of equal size are matched, in order; those that meet in one cell merge."""
    value, size = np.array(sorted(values, key=lambda part: (part[1], part[0])), np.int64).reshape(-1, 2).T
    slot, _ = np.array(sorted(slots, key=lambda part: (part[1], part[0])), np.int64).reshape(-1, 2).T
    return sparse.csr_array(sparse.coo_array((size, (value, slot)), shape=shape))
