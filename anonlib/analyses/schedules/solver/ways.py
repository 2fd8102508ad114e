"""The ways to split a number into parts of given sizes: how many there are, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

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
