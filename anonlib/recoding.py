"""Ways to recode a column: from its distinct values to the labels that are released.

Each way is a small value with ``labels(values)``: an object array as long as ``values``, where a label may be
None (released as missing). A value that a way does not apply to (text in an age column, a value that no group
names) is left as it is, and :func:`untouched` tells which, so that nothing leaves, is lost or hidden without a word.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np
import pandas as pd

from anonlib import checks, words
from anonlib.errors import InputError
from anonlib.values import Values, to_dates, to_numbers

_LARGE = 1e15  # below it floats tell numbers of 15 digits apart
_NEAR = 1e-9  # widths
_MOSTLY = 0.9  # share of the values named that must be numbers, or dates, to stand on a scale


@dataclass(frozen=True)
class Intervals:
    """Numbers to intervals of equal width, or between given cuts.

    ``width`` counts from ``start``; numbers of at least ``top`` become one group "90+", numbers below ``bottom``
    "<20". With ``cuts`` (ascending) the groups lie between them and open at both ends; ``width`` is then None.
    Intervals hold their lower end and not their upper one.
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


@dataclass(frozen=True)
class Mask:
    """Keep the first (or last) characters of each value and replace the others: ``02138`` -> ``021**``.

    What is hidden is ``length - keep`` characters of ``fill`` in every label, one at least, however long the value is
    and also where nothing is hidden: ``7``, ``70`` and ``7000`` with one character kept are all ``7****``. Else labels
    told how long the hidden part is. ``keep`` may be 0. With ``fill`` empty, the other characters are cut off.
    """

    keep: int
    side: Literal["start", "end"] = "start"
    fill: str = "*"
    length: int = 5  # as of a ZIP code

    def __post_init__(self) -> None:
        if self.side not in ("start", "end"):
            raise InputError("Characters are kept at the start or at the end.")
        object.__setattr__(self, "keep", checks.whole(self.keep, "The number of characters kept", 0))
        if len(checks.text(self.fill, "The mask")) > 1:
            raise InputError("The mask must be one character, or empty.")
        object.__setattr__(self, "length", checks.whole(self.length, "The length of masked values", 0))

    def labels(self, values: Values) -> np.ndarray:
        labels = np.empty(len(values), dtype=object)
        labels[:] = [self._label(value) for value in values]
        return labels

    def _label(self, value: str) -> str | None:
        hidden = self.fill * max(1, self.length - self.keep)
        shown = value[: self.keep] if self.side == "start" else value[max(0, len(value) - self.keep) :]
        return (shown + hidden if self.side == "start" else hidden + shown) or None

    def describe(self) -> str:
        where = "first" if self.side == "start" else "last"
        return f"{where} {self.keep} characters kept" if self.keep != 1 else f"{where} character kept"


@dataclass(frozen=True)
class ValueMap:
    """Values to labels, one by one; values that are not named keep their own (or take ``otherwise``).

    Missing values stay missing unless they are given a label of their own, ``missing``. Where the values named are
    numbers or dates, with ``between`` one that lies between two of the same label takes that label too, and with
    ``beyond`` one below the lowest (above the highest) takes the label of the lowest (highest).
    """

    labels_of: tuple[tuple[str, str | None], ...]
    otherwise: str | None = None
    missing: str | None = None
    between: bool = False
    beyond: bool = False

    @classmethod
    def of(cls, labels: Mapping[str, str | None], otherwise: str | None = None) -> ValueMap:
        return cls(tuple(labels.items()), otherwise)

    def __post_init__(self) -> None:
        pairs = tuple((checks.text(value, "Each value mapped"), label) for value, label in self.labels_of)
        for label in (self.otherwise, self.missing, *(label for _, label in pairs)):
            if label is not None:
                checks.text(label, "Each label")
        if len({value for value, _ in pairs}) < len(pairs):
            raise InputError("A value is mapped twice. Name each value once.")
        if not isinstance(self.between, bool) or not isinstance(self.beyond, bool):
            raise InputError("Whether values between and beyond those named are grouped must be true or false.")
        object.__setattr__(self, "labels_of", pairs)

    def labels(self, values: Values) -> np.ndarray:
        return self._labels_and_covered(values)[0]

    def covers(self, values: Values) -> np.ndarray:
        """bool per value: it is named, or takes a label all the same."""
        return self._labels_and_covered(values)[1]

    def _labels_and_covered(self, values: Values) -> tuple[np.ndarray, np.ndarray]:
        named = dict(self.labels_of)
        labels = np.empty(len(values), dtype=object)
        labels[:] = [named.get(value, value if self.otherwise is None else self.otherwise) for value in values]
        covered = np.array([self.otherwise is not None or value in named for value in values], dtype=bool)
        if self.between or self.beyond:
            asked = np.flatnonzero(~covered)
            texts = [str(value) for value in np.asarray(values, dtype=object)[asked]]
            for i, (low, high, _) in zip(asked, self._neighbours(texts), strict=True):
                wanted = self.between if low is not None and high is not None else self.beyond
                ends = {named[value] for value in (low, high) if value is not None}
                if wanted and len(ends) == 1:
                    labels[i], covered[i] = ends.pop(), True
        return labels, covered

    def nearest(self, values: Values) -> list[str | None]:
        """Per value the nearest of those named, as numbers or dates, of two the lower one; None where there is none."""
        return [nearest for _, _, nearest in self._neighbours(list(values))]

    def _neighbours(self, values: list[str]) -> list[tuple[str | None, str | None, str | None]]:
        """Per value, of those named the highest not above it, the lowest not below, and the nearer; None for none."""
        named = [value for value, _ in self.labels_of]
        places = _on_a_scale([*named, *values], len(named))
        known = np.flatnonzero(~np.isnan(places[: len(named)]))
        known = known[np.argsort(places[known], kind="stable")]
        scale = places[known]
        found: list[tuple[str | None, str | None, str | None]] = []
        for at in places[len(named) :]:
            if np.isnan(at):
                found.append((None, None, None))
                continue
            i = int(np.searchsorted(scale, at, side="right")) - 1
            j = int(np.searchsorted(scale, at, side="left"))
            low, high = named[known[i]] if i >= 0 else None, named[known[j]] if j < len(known) else None
            upper = low is None or (high is not None and scale[j] - at < at - scale[i])
            found.append((low, high, high if upper else low))
        return found

    def describe(self) -> str:
        if not self.labels_of and self.otherwise:
            return f"all values to {self.otherwise}"
        groups = len({label for _, label in self.labels_of})
        return f"{words.count(len(self.labels_of), 'values')} to {words.count(groups, 'labels')}" + (
            "" if self.otherwise is None else ", all others together"
        )


@dataclass(frozen=True)
class DateUnit:
    """Dates to their year, quarter or month: ``2024-03-17`` -> ``2024``, ``2024-Q1``, ``2024-03``."""

    unit: Literal["year", "quarter", "month"] = "year"

    def __post_init__(self) -> None:
        if self.unit not in ("year", "quarter", "month"):
            raise InputError("Dates can be recoded to the year, quarter or month.")

    def labels(self, values: Values) -> np.ndarray:
        dates = to_dates(values)
        labels = np.array(values, dtype=object)
        found = np.flatnonzero(~np.isnat(dates))
        codes, months = pd.factorize(dates[found].astype("datetime64[M]"))
        labels[found] = np.array([*map(self._label, months.astype(str).tolist()), None], dtype=object)[codes]
        return labels

    def _label(self, written: str) -> str:
        """The label of a month written as ``2024-03``."""
        year, month = written.split("-")
        return {"year": year, "quarter": f"{year}-Q{(int(month) + 2) // 3}", "month": written}[self.unit]

    def describe(self) -> str:
        return f"dates to {self.unit}"


Recoding = Intervals | Mask | ValueMap | DateUnit


def label_of_missing(recoding: Recoding) -> str | None:
    """What a missing value is released as; None where it stays missing."""
    return recoding.missing if isinstance(recoding, ValueMap) else None


def untouched(recoding: Recoding, values: Values) -> np.ndarray:
    """bool per value: the way does not apply to it (not a number, not a date, not named), so it stays."""
    match recoding:
        case Intervals():
            return np.isnan(to_numbers(values))
        case DateUnit():
            return np.isnat(to_dates(values))
        case ValueMap():
            return ~recoding.covers(values)
        case _:
            return np.zeros(len(values), dtype=bool)


def _on_a_scale(texts: list[str], n_named: int) -> np.ndarray:
    """Numbers, or days, read alike of all texts; NaN where one is neither, and everywhere when most of the first
    ``n_named`` are neither."""
    numbers = to_numbers(texts)
    if np.isnan(numbers[:n_named]).sum() <= (1 - _MOSTLY) * n_named:
        return numbers
    days = to_dates(texts)
    if np.isnat(days[:n_named]).sum() <= (1 - _MOSTLY) * n_named:
        return np.where(np.isnat(days), np.nan, days.astype(np.int64).astype(float))
    return np.full(len(texts), np.nan)


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
