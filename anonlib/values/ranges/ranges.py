"""What ranges a column's values are."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True, eq=False)
class Ranges:
    """The ranges that values are, one item a value.

    Attributes
    ----------
    of : Literal["numbers", "months"]
        What the ends are. Months are counted from the year 0: of March 2020, ``12 * 2020 + 2``.
    low, high : float64 array
        The ends; infinite where the range is open, both NaN where a value is no range. Of a number both are itself.
        Of months, the first one and the one that follows the last.
    holds_low, holds_high : bool array
        Whether the end as it is written belongs to the range.
    begin, end : float64 array
        The same range from its first number up to where the next range can begin: ``70-79`` and ``[70-80)`` are both
        70 to 80, ``>89`` begins at 90 where values are whole. Of a number both are itself.
    """

    of: Literal["numbers", "months"]
    low: np.ndarray
    high: np.ndarray
    holds_low: np.ndarray
    holds_high: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @property
    def fits(self) -> np.ndarray:
        """bool per value: it is a range or a number."""
        return ~np.isnan(self.low)

    @property
    def is_range(self) -> np.ndarray:
        """bool per value: it is more than a number."""
        return self.fits & (self.low != self.high)

    @property
    def overlap(self) -> bool:
        """Whether two different ranges have numbers in common; numbers among the values do not count."""
        spans = sorted({*zip(self.begin[self.is_range].tolist(), self.end[self.is_range].tolist(), strict=True)})
        return any(after[0] < before[1] for before, after in itertools.pairwise(spans))

    def order(self) -> np.ndarray:
        """Positions that sort the values by lower, then upper end; what is no range comes last, as it came."""
        return np.lexsort((self.holds_high, self.high, ~self.holds_low, self.low, ~self.fits))


def reaching_over(found: Ranges, top: float) -> np.ndarray:
    """Which values are a number of ``top`` or more, or a range that reaches there.

    Parameters
    ----------
    found : Ranges
        Ranges of numbers.
    top : float
        As 90 for ages over 89.

    Returns
    -------
    bool array, one item a value
    """
    return np.where(found.is_range, found.end > top, found.low >= top)


def are_one_group(found: Ranges, top: float) -> bool:
    """Whether what reaches to ``top`` is nothing, or one range that holds all from there on: ``90+``, ``85+``.

    Parameters
    ----------
    found : Ranges
        Ranges of numbers.
    top : float
        As 90 for ages over 89.

    Returns
    -------
    bool
    """
    over = np.flatnonzero(reaching_over(found, top))
    return not over.size or bool(over.size == 1 and np.isinf(found.end[over[0]]) and found.begin[over[0]] <= top)
