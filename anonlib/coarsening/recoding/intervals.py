"""Numbers to intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.values.cells import Values, to_numbers, to_ranges
from anonlib.values.ranges import Notation, Ranges, notation_of

Bounds = tuple[float, float]

_LARGE = 1e15  # below it floats tell numbers of 15 digits apart
_NEAR = 1e-9  # widths


@dataclass(frozen=True)
class Intervals:
    """Numbers, and ranges of numbers, to intervals of equal width, or between given cuts.

    Intervals hold their lower end and not their upper one. A range such as ``70-74`` or ``[70-75)`` belongs to the
    interval that it lies within, written as the column writes its ranges; one that no interval holds is left as it is.
    In a column of ranges such as ``(70, 80]`` intervals hold their upper end instead, as those do.

    Attributes
    ----------
    width : float, optional
        The intervals are so wide, above 0; None: numbers between ``bottom`` and ``top`` stay as they are.
    start : float, default 0.0
        The intervals are counted from there.
    bottom : float, optional
        Numbers below it become one group "<20".
    top : float, optional
        Numbers of at least this become one group "90+".
    cuts : tuple[float, ...], default ()
        Ascending. The groups lie between them and are open at both ends; ``width``, ``bottom`` and ``top`` are then
        None.

    Raises
    ------
    InputError
        For a width that is not above 0, limits or cuts that do not ascend, cuts beside the others, and nothing at all.
    """

    width: float | None = None
    start: float = 0.0
    bottom: float | None = None
    top: float | None = None
    cuts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.cuts, list | tuple):
            raise InputError("Cuts must be a list of numbers.", code="not-a-list")
        object.__setattr__(self, "cuts", tuple(checks.number(cut, "Each cut") for cut in self.cuts))
        object.__setattr__(self, "start", checks.number(self.start, "Where intervals are counted from"))
        for name, what in (("width", "The width"), ("bottom", "The lower limit"), ("top", "The upper limit")):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else checks.number(value, what))
        if self.cuts and not (self.width is self.bottom is self.top is None):
            raise InputError(
                "Cuts stand alone: leave out the width, the lower and the upper limit.", code="choices-do-not-fit"
            )
        if any(b <= a for a, b in pairwise(self.cuts)):
            raise InputError("Cuts must be ascending, each once.", code="cuts-not-ascending")
        if self.width is not None and self.width <= 0:
            raise InputError("The width of the intervals must be above 0.", code="number-out-of-range")
        if not self.cuts and self.width is self.bottom is self.top is None:
            raise InputError(
                "Give the width of the intervals, a lower or an upper limit, or cuts.", code="choice-missing"
            )
        if self.bottom is not None and self.top is not None and self.bottom >= self.top:
            raise InputError("The lower limit must be below the upper limit.", code="number-out-of-range")

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The interval of a number or range; what no interval holds stays as it is.
        """
        numbers = to_numbers(values)
        labels = np.array(values, dtype=object)
        ranges = to_ranges(values, numbers) if np.isnan(numbers).any() else None
        notation = None if ranges is None else _usual_notation(values, ranges)
        whole = bool(np.all(np.isnan(numbers) | (numbers == np.floor(numbers)))) and all(
            x == math.floor(x) for x in (self.start, self.width or 1, *self.cuts)
        )
        write = notation.written if notation else lambda low, high: _written(low, high, whole)
        known = np.flatnonzero(~np.isnan(numbers))
        if notation is not None and notation.right:
            for i in known.tolist():
                labels[i] = self._of_a_number_up_to(float(numbers[i]), labels[i], write)
        else:
            codes, _ = pd.factorize(self._interval(numbers[known]))
            _, first = np.unique(codes, return_index=True)
            names = [self._label(number, text, write) for number, text in zip(
                numbers[known[first]].tolist(), labels[known[first]], strict=True
            )]  # fmt: skip
            labels[known] = np.array([*names, None], dtype=object)[codes]
            if self.width is None and not self.cuts:  # what is between the limits keeps its spelling, 1 and 1.0
                between = known[np.isfinite(self._interval(numbers[known]))]
                labels[between] = np.asarray(values, dtype=object)[between]
        if ranges is not None:
            for i, bounds in self._of_ranges(ranges):
                labels[i] = labels[i] if bounds is None else write(*bounds)
        return labels

    def covers(self, values: Values) -> np.ndarray:
        """Which values this way applies to: a number, or a range that lies within one interval.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        bool array, one item a value
        """
        numbers = to_numbers(values)
        covered = ~np.isnan(numbers)
        if not covered.all():
            covered[[i for i, _ in self._of_ranges(to_ranges(values, numbers))]] = True
        return covered

    def alike(self, numbers: np.ndarray, number: float) -> np.ndarray:
        """Which numbers are in one interval with another.

        Parameters
        ----------
        numbers : np.ndarray
            float64, finite.
        number : float
            The other one.

        Returns
        -------
        bool array, one item a number
        """
        intervals = self._interval(np.append(numbers, number))
        return intervals[:-1] == intervals[-1]

    def _of_ranges(self, ranges: Ranges) -> list[tuple[int, Bounds | None]]:
        """The place of each range that lies within one interval, and its interval; None where it stays as it is."""
        if ranges.of != "numbers":
            return []
        within: list[tuple[int, Bounds | None]] = []
        for i in np.flatnonzero(ranges.is_range).tolist():
            begin, end = float(ranges.begin[i]), float(ranges.end[i])
            bounds = self._bounds(begin if np.isfinite(begin) else float(np.nextafter(end, -np.inf)))
            if bounds is None:
                above = self.bottom is None or begin >= self.bottom
                if above and (self.top is None or end <= self.top) and np.isfinite([begin, end]).any():
                    within.append((i, None))
            elif bounds[0] <= begin and end <= bounds[1]:
                within.append((i, bounds))
        return within

    def _interval(self, numbers: np.ndarray) -> np.ndarray:
        """Which interval each number is in, as a number that no two intervals share."""
        if self.cuts:
            return np.searchsorted(self.cuts, numbers, side="right").astype(float)
        steps = numbers.copy() if self.width is None else steps_from(numbers, self.start, self.width)
        if self.bottom is not None:
            steps[numbers < self.bottom] = -np.inf
        if self.top is not None:
            steps[numbers >= self.top] = np.inf
        return steps

    def _bounds(self, number: float) -> Bounds | None:
        """The interval that a number is in; None where numbers between the limits stay as they are."""
        if self.cuts:
            i = int(np.searchsorted(self.cuts, number, side="right"))
            return (self.cuts[i - 1] if i else -np.inf, self.cuts[i] if i < len(self.cuts) else np.inf)
        if self.top is not None and number >= self.top:
            return self.top, np.inf
        if self.bottom is not None and number < self.bottom:
            return -np.inf, self.bottom
        if self.width is None:
            return None
        start, width = exact(self.start), exact(self.width)
        first = start + (exact(number) - start) // width * width
        low, high = float(first), float(first + width)
        low = low if self.bottom is None else max(low, self.bottom)
        return low, high if self.top is None else min(high, self.top)

    def _label(self, number: float, text: str, write: Callable[[float, float], str]) -> str:
        bounds = self._bounds(number)
        return text if bounds is None else write(*bounds)

    def _of_a_number_up_to(self, number: float, text: str, write: Callable[[float, float], str]) -> str:
        """The label of a number among ranges that hold their upper end: 80 is in (70, 80]."""
        bounds = self._bounds(number)
        if bounds is not None and bounds[0] == number:
            bounds = self._bounds(float(np.nextafter(number, -np.inf)))
        return text if bounds is None else write(*bounds)

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``intervals of 5``."""
        if self.cuts:
            return "intervals cut at " + ", ".join(plain_number(cut) for cut in self.cuts)
        parts = []
        if self.width is not None:
            parts.append(
                f"intervals of {plain_number(self.width)}" + (f" from {plain_number(self.start)}" if self.start else "")
            )
        parts += [f"below {plain_number(self.bottom)} together"] if self.bottom is not None else []
        parts += [f"{plain_number(self.top)} and above together"] if self.top is not None else []
        return ", ".join(parts)


def steps_from(numbers: np.ndarray, start: float, width: float) -> np.ndarray:
    """Whole widths from ``start`` to each number, rounded down; numbers too large for that: themselves."""
    with np.errstate(over="ignore"):
        quotients = (numbers - start) / width
    if not (np.abs(quotients) < _LARGE).all():
        return numbers.copy()
    steps = np.floor(quotients)
    # Floats err in the last place, which matters near a boundary: decimals no finer than the width are counted as
    # whole numbers of them, and what else is near one is divided exactly.
    places = max(_places(start), _places(width))
    unit = 10.0 ** min(places, 300)
    with np.errstate(over="ignore"):
        scaled = np.rint(numbers * unit)
    decimal = (np.abs(scaled) < _LARGE) & (scaled / unit == numbers) & (places <= 15)
    if decimal.any():
        first, scaled_width = int(exact(start) * 10**places), int(exact(width) * 10**places)
        fits = max(abs(first), scaled_width) < _LARGE
        decimal &= fits
        steps[decimal] = (scaled[decimal].astype(np.int64) - first) // scaled_width if fits else 0
    room = _NEAR * np.maximum(1.0, (np.abs(numbers) + abs(start)) / width)
    near = np.abs(quotients - np.rint(quotients)) <= room
    for i in np.flatnonzero(near & ~decimal):
        steps[i] = (exact(numbers[i]) - exact(start)) // exact(width)
    return steps


def _places(number: float) -> int:
    """Digits behind the decimal point of a number as it is written."""
    return max(0, -int(Decimal(repr(number)).as_tuple().exponent))


def exact(number: float) -> Fraction:
    """The number as it is written: 0.3 holds 0.1 three times, which binary fractions do not."""
    return Fraction(repr(float(number)))


def plain_number(number: float) -> str:
    """A number as it is written: without a point where it is whole."""
    return str(int(number)) if number == math.floor(number) else repr(float(number))


def _usual_notation(values: Values, ranges: Ranges) -> Notation | None:
    """How the ranges of a column are written, where most of it are ranges."""
    few = 2 * ranges.is_range.sum() < ranges.fits.sum()
    return None if few or ranges.of != "numbers" else notation_of([str(value) for value in values], ranges)


def _written(low: float, high: float, whole: bool) -> str:
    """The label of [low, high), either of which may be infinite: ``<20``, ``90+``, ``30-34``, ``[30, 35)``."""
    if np.isinf(low):
        return f"<{plain_number(high)}"
    return f"{plain_number(low)}+" if np.isinf(high) else _span(low, high, whole)


def _span(low: float, high: float, whole: bool) -> str:
    """The label of [low, high): ``30-34`` for whole numbers, ``[30, 35)`` otherwise."""
    if not whole or high != math.floor(high) or low != math.floor(low):
        return f"[{plain_number(low)}, {plain_number(high)})"
    if high - low == 1:
        return plain_number(low)
    return (
        f"{plain_number(low)} to {plain_number(high - 1)}"
        if low < 0
        else f"{plain_number(low)}-{plain_number(high - 1)}"
    )
