"""An axis of a still picture: what it spans, where a number lies on it, and its ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonlib.plots.still import numerals
from anonlib.plots.still.text import Lines, read

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
    look : dict
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
    look: dict[str, Any]
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
        return self.look.get("type") == "log"

    @property
    def shown(self) -> bool:
        return self.look.get("visible", True) is not False

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
        wanted_range = self.look.get("range")
        reverse = self.look.get("autorange") in ("reversed", "min reversed", "max reversed")
        finite_ends = [end for end in ends if np.isfinite(end[:2]).all()]
        low = min((end[0] for end in finite_ends), default=0.0)
        high = max((end[1] for end in finite_ends), default=1.0)
        if self.categories:
            low, high = min(low, -0.5), max(high, len(self.categories) - 0.5)
        else:
            if self.look.get("rangemode") in ("tozero", "nonnegative") and not self.log:
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
        values = self.look.get("tickvals")
        if values is not None and len(values):
            texts = self.look.get("ticktext")
            own = self.own(values) if not self.categories else np.asarray(values, dtype=float)
            labels = texts if texts is not None else [self._text(value) for value in values]
            return [(float(place), read(label)) for place, label in zip(own, labels, strict=False)]
        if self.categories:
            return [(float(i), read(name)) for i, name in enumerate(self.categories)]
        room = max(2, int(abs(self.end - self.start) / (_TICK if self.across else 0.8 * _TICK)))
        step = self.look.get("dtick")
        if self.log:
            powers = (
                numerals.stepped_ticks(low, high, 0, step) if isinstance(step, int | float)
                else numerals.log_ticks(low, high, room)
            )  # fmt: skip
            return [(float(power), read(self._text(10**power))) for power in powers]
        if isinstance(step, int | float):
            places = numerals.stepped_ticks(low, high, float(self.look.get("tick0") or 0), step)
        else:
            places, step = numerals.even_ticks(low, high, min(room, self.look.get("nticks") or 8))
        return [(float(place), read(self._text(place, step))) for place in places]

    def _text(self, value: float, step: float | None = None) -> str:
        pattern = self.look.get("tickformat") or None
        if pattern is None and self.log:
            pattern = ",.3~r" if value >= 1 else ".3~r"
        return numerals.formatted(float(value), pattern, step)
