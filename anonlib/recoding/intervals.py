"""Numbers to intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd

from anonlib import checks
from anonlib.errors import InputError
from anonlib.values import Values, to_numbers

_LARGE = 1e15  # below it floats tell numbers of 15 digits apart
_NEAR = 1e-9  # widths


@dataclass(frozen=True)
class Intervals:
    """Numbers to intervals of equal width, or between given cuts.

    Intervals hold their lower end and not their upper one.

    Attributes
    ----------
    width, start : float
        The intervals are so wide, above 0, and counted from there.
    bottom, top : float or None
        Numbers below ``bottom`` become one group "<20", numbers of at least ``top`` one group "90+".
    cuts : tuple of float
        Ascending. The groups lie between them and open at both ends; ``width``, ``bottom`` and ``top`` are then None.
    """

    width: float | None = None
    start: float = 0.0
    bottom: float | None = None
    top: float | None = None
    cuts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.cuts, list | tuple):
            raise InputError("Cuts must be a list of numbers.")
        object.__setattr__(self, "cuts", tuple(checks.number(cut, "Each cut") for cut in self.cuts))
        object.__setattr__(self, "start", checks.number(self.start, "Where intervals are counted from"))
        for name, what in (("width", "The width"), ("bottom", "The lower limit"), ("top", "The upper limit")):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else checks.number(value, what))
        if self.cuts and not (self.width is self.bottom is self.top is None):
            raise InputError("Cuts stand alone: leave out the width, the lower and the upper limit.")
        if any(b <= a for a, b in pairwise(self.cuts)):
            raise InputError("Cuts must be ascending, each once.")
        if not self.cuts and (self.width is None or self.width <= 0):
            raise InputError("The width of the intervals must be above 0, or cuts must be given.")
        if self.bottom is not None and self.top is not None and self.bottom >= self.top:
            raise InputError("The lower limit must be below the upper limit.")

    def labels(self, values: Values) -> np.ndarray:
        numbers = to_numbers(values)
        whole = bool(np.all(np.isnan(numbers) | (numbers == np.floor(numbers)))) and all(
            x == math.floor(x) for x in (self.start, self.width or 1, *self.cuts)
        )
        labels = np.array(values, dtype=object)
        found = np.flatnonzero(~np.isnan(numbers))
        codes, _ = pd.factorize(self._interval(numbers[found]))
        _, first = np.unique(codes, return_index=True)
        names = [self._label(float(number), whole) for number in numbers[found[first]]]
        labels[found] = np.array([*names, None], dtype=object)[codes]
        return labels

    def alike(self, numbers: np.ndarray, number: float) -> np.ndarray:
        """bool, per number: in one interval with ``number``."""
        intervals = self._interval(np.append(numbers, number))
        return intervals[:-1] == intervals[-1]

    def _interval(self, numbers: np.ndarray) -> np.ndarray:
        """Which interval each number is in, as a number that no two intervals share."""
        if self.cuts:
            return np.searchsorted(self.cuts, numbers, side="right").astype(float)
        assert self.width is not None
        steps = _steps(numbers, self.start, self.width)
        if self.bottom is not None:
            steps[numbers < self.bottom] = -np.inf
        if self.top is not None:
            steps[numbers >= self.top] = np.inf
        return steps

    def _label(self, number: float, whole: bool) -> str:
        if self.cuts:
            i = int(np.searchsorted(self.cuts, number, side="right"))
            if i == 0:
                return f"<{_plain(self.cuts[0])}"
            return f"{_plain(self.cuts[-1])}+" if i == len(self.cuts) else _span(self.cuts[i - 1], self.cuts[i], whole)
        assert self.width is not None
        if self.top is not None and number >= self.top:
            return f"{_plain(self.top)}+"
        if self.bottom is not None and number < self.bottom:
            return f"<{_plain(self.bottom)}"
        start, width = _exact(self.start), _exact(self.width)
        first = start + (_exact(number) - start) // width * width
        low, high = float(first), float(first + width)
        low = low if self.bottom is None else max(low, self.bottom)
        return _span(low, high if self.top is None else min(high, self.top), whole)

    def describe(self) -> str:
        if self.cuts:
            return "intervals cut at " + ", ".join(_plain(cut) for cut in self.cuts)
        text = f"intervals of {_plain(self.width or 0)}"
        text += f" from {_plain(self.start)}" if self.start else ""
        text += f", below {_plain(self.bottom)} together" if self.bottom is not None else ""
        return text + (f", {_plain(self.top)} and above together" if self.top is not None else "")


def _steps(numbers: np.ndarray, start: float, width: float) -> np.ndarray:
    """Whole widths from ``start`` to each number, rounded down; numbers so large that none can be told: themselves."""
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
        first, each = int(_exact(start) * 10**places), int(_exact(width) * 10**places)
        fits = max(abs(first), each) < _LARGE
        decimal &= fits
        steps[decimal] = (scaled[decimal].astype(np.int64) - first) // each if fits else 0
    room = _NEAR * np.maximum(1.0, (np.abs(numbers) + abs(start)) / width)
    near = np.abs(quotients - np.rint(quotients)) <= room
    for i in np.flatnonzero(near & ~decimal):
        steps[i] = (_exact(numbers[i]) - _exact(start)) // _exact(width)
    return steps


def _places(number: float) -> int:
    """Digits behind the decimal point of a number as it is written."""
    return max(0, -int(Decimal(repr(number)).as_tuple().exponent))


def _exact(number: float) -> Fraction:
    """The number as it is written: 0.3 holds 0.1 three times, which binary fractions do not."""
    return Fraction(repr(float(number)))


def _plain(number: float) -> str:
    return str(int(number)) if number == math.floor(number) else repr(float(number))


def _span(low: float, high: float, whole: bool) -> str:
    """The label of [low, high): ``30-34`` for whole numbers, ``[30, 35)`` otherwise."""
    if not whole or high != math.floor(high) or low != math.floor(low):
        return f"[{_plain(low)}, {_plain(high)})"
    if high - low == 1:
        return _plain(low)
    return f"{_plain(low)} to {_plain(high - 1)}" if low < 0 else f"{_plain(low)}-{_plain(high - 1)}"
