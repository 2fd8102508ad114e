"""An axis of a still picture: what it spans, where a number lies on it, and its ticks.

First come numbers on an axis: the formats of d3 that the figures use, and places of ticks that are easy to read. Then
comes the axis.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonlib.plots.still.paint import Lines, read

_FORMAT = re.compile(r"(?P<sign>\+)?(?P<comma>,)?(?:\.(?P<digits>\d+))?(?P<trim>~)?(?P<kind>[dfgrp%])?")


def formatted(value: float, pattern: str | None, step: float | None = None) -> str:
    """A number as the label of a tick.

    Parameters
    ----------
    value : float
        The number.
    pattern : str | None
        A format of d3: a plus sign for numbers above 0, a comma for thousands, digits, ``~`` to drop zeros at the
        end, and the kind d, f, g, r, p or %.
        Without one, as many digits as the steps between ticks need.
    step : float, optional
        The step between ticks, for numbers without a format.

    Raises
    ------
    ValueError
        If the format is another.

    Examples
    --------
    >>> formatted(1234, ",d"), formatted(0.25, ".0%"), formatted(0.012345, ".3~p"), formatted(0.5, None, 0.25)
    ('1,234', '25%', '1.23%', '0.50')
    """
    if pattern is None:
        digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step and step < 1 else 0
        digits += bool(step and step < 1 and abs(round(step, digits) - step) > 1e-9 * step)
        return _signed(f"{value:,.{digits}f}" if abs(value) >= 10_000 else f"{value:.{digits}f}")
    format_parts = _FORMAT.fullmatch(pattern)
    if not format_parts:
        raise ValueError(f"no still picture has the number format {pattern}")
    if format_parts["sign"]:
        return "+" * (value > 0) + formatted(value, pattern[1:], step)
    comma, trim, kind = format_parts["comma"] or "", format_parts["trim"], format_parts["kind"]
    places = 6 if format_parts["digits"] is None else int(format_parts["digits"])
    match kind:
        case "d":
            return _signed(f"{round(value):{comma}d}")
        case "%" | "p":
            part = 100 * value
            text = f"{part:{comma}.{places}f}" if kind == "%" else _significant(part, places, comma)
            return f"{_signed(_trimmed(text) if trim else text)}%"
        case "f":
            text = f"{value:{comma}.{places}f}"
        case "r":
            text = _significant(value, places, comma)
        case _:
            text = f"{value:{comma}.{places}g}"
    return _signed(_trimmed(text) if trim else text)


def _significant(value: float, digits: int, comma: str) -> str:
    """With so many significant digits, and never as a power."""
    if value == 0:
        return f"{0:.{digits - 1}f}"
    places = digits - 1 - math.floor(math.log10(abs(value)) + 1e-12)
    return f"{round(value, places):{comma}.{max(0, places)}f}"


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(text: str) -> str:
    text = text.removeprefix("-") if re.fullmatch(r"-0(\.0*)?", text) else text
    return text.replace("-", "\N{MINUS SIGN}")


def even_ticks(low: float, high: float, most: int) -> tuple[np.ndarray, float]:
    """Multiples of 1, 2 or 5 times a power of ten between two numbers, and their step.

    Parameters
    ----------
    low, high : float
        The ends of the axis.
    most : int
        About how many there may be.

    Returns
    -------
    float array, float
    """
    span = high - low
    if not span > 0:
        return np.array([low]), 1.0
    rough = span / max(1, most)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((power * factor for factor in (1, 2, 5) if power * factor >= 0.999 * rough), 10 * power)
    return stepped_ticks(low, high, 0.0, step), step


def stepped_ticks(low: float, high: float, first: float, step: float) -> np.ndarray:
    """All of ``first + n * step`` between two numbers."""
    n = np.arange(math.ceil((low - first) / step - 1e-9), math.floor((high - first) / step + 1e-9) + 1)
    return first + n * step


def log_ticks(low: float, high: float, room: int) -> np.ndarray:
    """1, 2 and 5 times each power of ten, where there is room; ``low``, ``high`` and the ticks are logarithms."""
    for factors in ((1, 2, 5), (1, 3), (1,)):
        exponents = np.array(
            [power + math.log10(factor) for power in range(math.floor(low), math.ceil(high) + 1) for factor in factors]
        )
        inside = exponents[(exponents >= low - 1e-9) & (exponents <= high + 1e-9)]
        if len(inside) <= room:
            return inside
    return inside[:: math.ceil(len(inside) / max(1, room))]


_TICK = 55  # pixels between ticks, at least about


Span = tuple[float, float, float]
"""What a trace needs of an axis, in its own units: least, largest, and the room beyond them as a share of the whole."""


@dataclass
class Axis:
    """One axis. Its own units are the numbers drawn, their logarithms to base 10, or places of categories.

    Attributes
    ----------
    name : str
        "x", "x2", "y" and so on.
    settings : dict
        Its part of Plotly's layout.
    categories : list[str], optional
        The names on it in order; none on an axis of numbers.
    low : float, default 0.0
        The end at ``start``, in its own units.
    high : float, default 1.0
        The end at ``end``, in its own units.
    start : float, default 0.0
        The pixel at which ``low`` stands.
    end : float, default 1.0
        The pixel at which ``high`` stands.
    """

    name: str
    settings: dict[str, Any]
    categories: list[str] = field(default_factory=list)
    low: float = 0.0
    high: float = 1.0
    start: float = 0.0
    end: float = 1.0

    @property
    def across(self) -> bool:
        """Whether it lies, as an x-axis does."""
        return self.name.startswith("x")

    @property
    def log(self) -> bool:
        return self.settings.get("type") == "log"

    @property
    def shown(self) -> bool:
        return self.settings.get("visible", True) is not False

    def own(self, values: Sequence[Any] | np.ndarray) -> np.ndarray:
        """Values in the axis's own units; NaN for what has no place on it."""
        if self.categories:
            place = {name: i for i, name in enumerate(self.categories)}
            return np.array([place.get(str(value), np.nan) for value in values], dtype=float)
        numbers = np.array([np.nan if value is None else value for value in values], dtype=float)
        if not self.log:
            return numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(numbers > 0, np.log10(np.where(numbers > 0, numbers, 1)), np.nan)

    def pixel(self, own: np.ndarray | float) -> np.ndarray:
        """Pixels of places in the axis's own units."""
        return self.start + (np.asarray(own, dtype=float) - self.low) * (self.end - self.start) / (self.high - self.low)

    def settle(self, ends: Sequence[Span]) -> None:
        """Find both ends: those asked for, or those of what is drawn.

        Parameters
        ----------
        ends : Sequence[Span]
            Of each trace.
        """
        wanted_range = self.settings.get("range")
        reverse = self.settings.get("autorange") in ("reversed", "min reversed", "max reversed")
        finite_ends = [end for end in ends if np.isfinite(end[:2]).all()]
        low = min((end[0] for end in finite_ends), default=0.0)
        high = max((end[1] for end in finite_ends), default=1.0)
        if self.categories:
            low, high = min(low, -0.5), max(high, len(self.categories) - 0.5)
        else:
            if self.settings.get("rangemode") in ("tozero", "nonnegative") and not self.log:
                low, high = min(low, 0.0), max(high, 0.0)
            span = high - low or 1.0
            low -= span * max((room for least, _, room in finite_ends if least == low and low != 0), default=0.0)
            high += span * max((room for _, most, room in finite_ends if most == high), default=0.0)
        if wanted_range is not None:
            low, high = (
                one if one is not None else other for one, other in zip(wanted_range, (low, high), strict=True)
            )
        if low == high:
            low, high = low - 0.5, high + 0.5
        self.low, self.high = (high, low) if reverse else (float(low), float(high))

    def ticks(self) -> list[tuple[float, Lines]]:
        """Where its ticks are, in its own units, and their labels."""
        low, high = sorted((self.low, self.high))
        margin = 1e-6 * (high - low)
        return [
            (place, text) for place, text in self._all_ticks(low, high) if low - margin <= place <= high + margin
        ]  # fmt: skip

    def _all_ticks(self, low: float, high: float) -> list[tuple[float, Lines]]:
        values = self.settings.get("tickvals")
        if values is not None and len(values):
            texts = self.settings.get("ticktext")
            own = self.own(values) if not self.categories else np.asarray(values, dtype=float)
            labels = texts if texts is not None else [self._text(value) for value in values]
            return [(float(place), read(label)) for place, label in zip(own, labels, strict=False)]
        if self.categories:
            return [(float(i), read(name)) for i, name in enumerate(self.categories)]
        room = max(2, int(abs(self.end - self.start) / (_TICK if self.across else 0.8 * _TICK)))
        step = self.settings.get("dtick")
        if self.log:
            powers = (
                stepped_ticks(low, high, 0, step) if isinstance(step, int | float)
                else log_ticks(low, high, room)
            )  # fmt: skip
            return [(float(power), read(self._text(10**power))) for power in powers]
        if isinstance(step, int | float):
            places = stepped_ticks(low, high, float(self.settings.get("tick0") or 0), step)
        else:
            places, step = even_ticks(low, high, min(room, self.settings.get("nticks") or 8))
        return [(float(place), read(self._text(place, step))) for place in places]

    def _text(self, value: float, step: float | None = None) -> str:
        pattern = self.settings.get("tickformat") or None
        if pattern is None and self.log:
            pattern = ",.3~r" if value >= 1 else ".3~r"
        return formatted(float(value), pattern, step)
