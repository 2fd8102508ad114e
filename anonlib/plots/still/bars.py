"""The bars of a still picture, with their hatching and their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anonlib.plots.still.axes import Axis, Span
from anonlib.plots.still.paint import Lines, Paint, drawn, each, height, number, painted, read, width
from anonlib.plots.theme import DARK_INK, LIGHT_INK

_SIDES = ("x", "y", "width", "height")
_BEYOND = 0.05  # of an axis, behind the longest bar
_GAP = 4  # pixels between a bar and its number


@dataclass(frozen=True)
class Bars:
    """A trace of bars on its axes.

    Attributes
    ----------
    trace : dict
        Plotly's.
    along : Axis
        The axis of the amounts.
    across : Axis
        The axis of the places.
    thick, shift : np.ndarray
        Of each bar, in the units of ``across``; the shift is of its middle.
    """

    trace: dict[str, Any]
    along: Axis
    across: Axis
    thick: np.ndarray
    shift: np.ndarray

    @property
    def upright(self) -> bool:
        return self.trace.get("orientation", "v") != "h"

    def spans(self) -> tuple[Span, Span]:
        """What it needs of ``along`` and of ``across``."""
        first, last = self._ends()
        places = _places(self.trace, self.across) + self.shift
        ends = np.concatenate([first, last])
        ends = ends[np.isfinite(ends)]
        sides = np.concatenate([places - self.thick / 2, places + self.thick / 2])
        sides = sides[np.isfinite(sides)]
        if not len(ends) or not len(sides):
            return (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)
        return (ends.min(), ends.max(), _BEYOND), (sides.min(), sides.max(), _BEYOND)

    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        amounts = np.array(self.trace["y" if self.upright else "x"], dtype=float)
        base = np.array(each(self.trace.get("base"), len(amounts), 0.0), dtype=float)
        low, high = self.along.own(base), self.along.own(base + amounts)
        return np.where(np.isfinite(low), low, min(self.along.low, self.along.high)), high

    def svg(self, paint: Paint, size: float) -> tuple[str, str]:
        """The bars, and their numbers, which stand over everything else."""
        first, last = (self.along.pixel(end) for end in self._ends())
        place = _places(self.trace, self.across) + self.shift
        side, other = self.across.pixel(place - self.thick / 2), self.across.pixel(place + self.thick / 2)
        marker = self.trace.get("marker") or {}
        n = len(last)
        inside = fills(marker, n, paint)
        line = marker.get("line") or {}
        widths, strokes = each(line.get("width"), n, 0), each(line.get("color"), n, "none")
        names = each(self.trace.get("text"), n, "")
        bars, texts = [], []
        for i in range(n):
            if not np.isfinite([first[i], last[i], side[i]]).all():
                continue
            box = _box(first[i], last[i], side[i], other[i], self.upright)
            stroke = painted(strokes[i], "stroke") + f' stroke-width="{number(widths[i])}"' if widths[i] else ""
            shape = " ".join(f'{key}="{number(value)}"' for key, value in zip(_SIDES, box, strict=True))
            bars.append(f"<rect {shape} {inside[i]} {stroke}/>".replace("  ", " "))
            if label := read(names[i]):
                texts.append(self._number(label, (first[i], last[i]), (side[i] + other[i]) / 2, i, size))
        return "".join(bars), "".join(texts)

    def _number(self, label: Lines, ends: tuple[float, float], middle: float, i: int, size: float) -> str:
        """A bar's number: behind its end, or inside where it has room and is not asked to stand outside."""
        n = len(self.across.own(self.trace["x" if self.upright else "y"]))
        where = each(self.trace.get("textposition"), n, "auto")[i]
        if where == "none":
            return ""
        font = self.trace.get("textfont") or {}
        size = size * each(font.get("size"), n, 12)[i] / 12
        turned = self.upright and abs(self.trace.get("textangle") or 0) == 90
        needed = (width(label, size) if turned or not self.upright else height(label, size)) + 2 * _GAP
        outside = where == "outside" or (where == "auto" and abs(ends[1] - ends[0]) < needed)
        colour = each(font.get("color"), n, None)[i] or (None if outside else _ink_on(self.trace, i))
        away = np.sign(ends[1] - ends[0]) or (-1 if self.upright else 1)
        away *= 1 if outside else -1
        style: dict[str, Any] = {"size": size, "colour": colour or DARK_INK}
        at = ends[1] + away * _GAP
        if not self.upright:
            return drawn(label, at, middle, anchor="start" if away > 0 else "end", **style)
        if turned:
            return drawn(label, middle, at, anchor="start" if away < 0 else "end", angle=-90, **style)
        return drawn(label, middle, at + away * height(label, size) / 2, anchor="middle", **style)


def placed(traces: list[tuple[dict[str, Any], Axis, Axis]], layout: dict[str, Any]) -> list[Bars]:
    """Traces of bars with the thickness and place that they have beside one another.

    Parameters
    ----------
    traces : list[tuple[dict, Axis, Axis]]
        Each with its x-axis and its y-axis.
    layout : dict
        Plotly's, for the gaps and for whether bars of the same place stand beside or over one another.

    Raises
    ------
    ValueError
        If they stand on one another, or have numbers at their foot.
    """
    beside = layout.get("barmode", "group") == "group"
    if layout.get("barmode") not in (None, "group", "overlay"):
        raise ValueError(f"no still picture has bars that {layout['barmode']}")
    if any(trace.get("insidetextanchor") not in (None, "end") for trace, *_ in traces):
        raise ValueError("no still picture has numbers inside a bar but at its end")
    gap = layout.get("bargap")
    bars = []
    for trace, x, y in traces:
        along, across = (x, y) if trace.get("orientation") == "h" else (y, x)
        places = _places(trace, across)
        mates = [
            other for other, *axes in traces
            if other is trace
            or (axes == [x, y] and np.array_equal(_places(other, across), places) and other.get("width") is None)
        ]  # fmt: skip
        parts = len(mates) if beside and trace.get("width") is None else 1
        apart = np.diff(np.unique(places[np.isfinite(places)]))
        room = (float(apart.min()) if len(apart) else 1.0) * (1 - (0.2 if gap is None else gap))
        thick = np.array(each(trace.get("width"), len(places), room / parts), dtype=float)
        rank = next((i for i, mate in enumerate(mates) if mate is trace), 0)
        shift = np.full(len(places), (rank - (parts - 1) / 2) * room / parts if parts > 1 else 0.0)
        bars.append(Bars(trace, along, across, thick, shift))
    return bars


def _places(trace: dict[str, Any], across: Axis) -> np.ndarray:
    upright = trace.get("orientation", "v") != "h"
    places, amounts = (trace.get(key) for key in (("x", "y") if upright else ("y", "x")))
    return across.own(places if places is not None else range(len(amounts if amounts is not None else ())))


def _box(first: float, last: float, side: float, other: float, upright: bool) -> tuple[float, float, float, float]:
    low, high, left, right = min(first, last), max(first, last), min(side, other), max(side, other)
    return (left, low, right - left, high - low) if upright else (low, left, high - low, right - left)


def fills(marker: dict[str, Any], n: int, paint: Paint) -> list[str]:
    """What each of so many bars is filled with, as an attribute of its SVG."""
    colours = each(marker.get("color"), n, paint.colour)
    pattern = marker.get("pattern") or {}
    shapes = each(pattern.get("shape"), n, "")
    opacity, lines = each(marker.get("opacity"), n, 1), each(pattern.get("fgcolor"), n, LIGHT_INK)
    return [
        f'fill="url(#{paint.hatching(colour, line)})"' if shape else painted(colour, "fill", float(part))
        for colour, shape, line, part in zip(colours, shapes, lines, opacity, strict=True)
    ]  # fmt: skip


def _ink_on(trace: dict[str, Any], i: int) -> str:
    """Ink for a number inside its bar."""
    colour = each((trace.get("marker") or {}).get("color"), i + 1, LIGHT_INK)[i]
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)] if str(colour).startswith("#") else [255] * 3
    bright = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    return DARK_INK if bright > 120 else LIGHT_INK
