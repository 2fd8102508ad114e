"""The frame of a still picture: its axes, and the room that labels, titles, notes and the legend take around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

from anonlib.plots.still import bars, cells, notes, points
from anonlib.plots.still.axes import Axis, Span
from anonlib.plots.still.paint import Paint
from anonlib.plots.still.text import Lines, height, read, width
from anonlib.plots.theme import LIGHT

SIZE = 11.0  # pixels of the type that Plotly calls 12
TICK, GAP = 4, 6  # pixels: a tick, and the gap between a label and what it is about
EDGE = 4  # pixels at the rim of the picture
_APART = 8  # pixels between labels beside one another
_LEAST = 40  # pixels of the axes, however long the labels around them


@dataclass
class Frame:
    """A figure of Plotly with its axes.

    Attributes
    ----------
    traces : list[dict]
        What is drawn, those that are hidden left out.
    layout : dict
        With the template's part in it.
    wide, tall : float
        pixels.
    axes : dict[str, Axis], optional
        By name.
    paints : list[Paint], optional
        What each trace is drawn with.
    hatched : dict[str, str], optional
        Name and SVG of each hatching that is drawn with.
    """

    traces: list[dict[str, Any]]
    layout: dict[str, Any]
    wide: float
    tall: float
    axes: dict[str, Axis] = field(default_factory=dict)
    paints: list[Paint] = field(default_factory=list)
    hatched: dict[str, str] = field(default_factory=dict)

    # ---- axes ------------------------------------------------------------------------------------------------------

    def make_axes(self) -> None:
        """An axis for each that a trace is drawn on, and what each trace is drawn with."""
        used = {"x", "y"} | {
            reference for trace in self.traces for reference in (trace.get("xaxis"), trace.get("yaxis")) if reference
        }
        for name in sorted(used):
            self.axes[name] = Axis(name, self.layout.get(f"{name[0]}axis{name[1:]}") or {}, self._categories(name))
            if self.axes[name].look.get("overlaying") or self.axes[name].look.get("side") in ("top", "right"):
                raise ValueError("no still picture has an axis over another, above it or to the right")
        colours = self.layout.get("colorway") or LIGHT.sequence
        self.paints = [Paint(colours[i % len(colours)], self.hatched) for i in range(len(self.traces))]

    def _categories(self, name: str) -> list[str]:
        """The names on an axis, in the order in which they come; none where it has numbers."""
        key = name[0]
        values = [
            value for trace in self.traces
            if (trace.get(f"{key}axis") or key) == name and trace.get(key) is not None for value in trace[key]
        ]  # fmt: skip
        is_category = (self.layout.get(f"{key}axis{name[1:]}") or {}).get("type") == "category"
        return (
            list(dict.fromkeys(map(str, values)))
            if is_category or any(isinstance(item, str) for item in values)
            else []
        )

    def axes_of(self, trace: dict[str, Any]) -> tuple[Axis, Axis]:
        return self.axes[trace.get("xaxis") or "x"], self.axes[trace.get("yaxis") or "y"]

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [trace for trace in self.traces if trace["type"] in kinds]

    def settle(self, drawn_bars: list[bars.Bars]) -> None:
        """Find what each axis spans."""
        ends: dict[str, list[Span]] = {name: [] for name in self.axes}
        for item in drawn_bars:
            for axis, span in zip((item.along, item.across), item.spans(), strict=True):
                ends[axis.name].append(span)
        for kinds, spans in ((("scatter", "scattergl"), points.spans), (("heatmap",), cells.spans)):
            for trace in self.of(*kinds):
                axes = self.axes_of(trace)
                for axis, span in zip(axes, spans(trace, *axes), strict=True):
                    ends[axis.name].append(span)
        for name, axis in self.axes.items():
            axis.settle(ends[name])

    # ---- room ------------------------------------------------------------------------------------------------------

    def lay_out(self) -> notes.Box:
        """Give labels, titles, notes and the legend their room, and the axes the rest."""
        margin = self.layout.get("margin") or {}
        box = (
            float(margin.get("l") or 0), float(margin.get("t") or 0),
            self.wide - float(margin.get("r") or 0), self.tall - float(margin.get("b") or 0),
        )  # fmt: skip
        for _ in range(3):  # how many ticks there are depends on the room, and the other way round
            self._stretch(box)
            box = self._rim()
        self._stretch(box)
        return box

    def _stretch(self, box: notes.Box) -> None:
        left, top, right, bottom = box
        for axis in self.axes.values():
            low, high = axis.look.get("domain") or (0, 1)
            if axis.across:
                axis.start, axis.end = left + low * (right - left), left + high * (right - left)
            else:
                axis.start, axis.end = bottom - low * (bottom - top), bottom - high * (bottom - top)

    def _rim(self) -> notes.Box:
        """The box of the axes that leaves room for all that stands around it, as the axes are now."""
        inner = self.box()
        note_boxes = [notes.note(item, self.axes, inner, SIZE).box for item in self.layout.get("annotations") or ()]
        left = max((self._beside(axis) for axis in self.axes.values() if not axis.across), default=0.0)
        bottom = max((self._under(axis) for axis in self.axes.values() if axis.across), default=0.0)
        first_tick = max((self._over_the_end(axis, first=True) for axis in self.axes.values()), default=0.0)
        last_tick = max((self._over_the_end(axis, first=False) for axis in self.axes.values()), default=0.0)
        scales = sum(cells.scale_room(item, 0.92 * SIZE) for item in self.scales())
        over = max([0.0, *(inner[1] - item[1] for item in note_boxes)])
        right = max([scales, last_tick, *(item[2] - inner[2] for item in note_boxes)])
        left = max([left, first_tick, *(inner[0] - item[0] for item in note_boxes)])
        legend = notes.legend_height(self.legend_rows(inner)) + GAP if self.legend_is_above() else 0.0
        left, top = left + 2 * EDGE, over + legend + 2 * EDGE
        return left, top, max(left + _LEAST, self.wide - right - 2 * EDGE), max(top + _LEAST, self.tall - bottom - EDGE)

    def box(self) -> notes.Box:
        across = [axis for axis in self.axes.values() if axis.across]
        up = [axis for axis in self.axes.values() if not axis.across]
        return (
            min(axis.start for axis in across), min(axis.end for axis in up),
            max(axis.end for axis in across), max(axis.start for axis in up),
        )  # fmt: skip

    def labels(self, axis: Axis) -> list[tuple[float, Lines]]:
        return axis.ticks() if axis.shown and axis.look.get("showticklabels") is not False else []

    def _beside(self, axis: Axis) -> float:
        labels = max((width(text, SIZE) for _, text in self.labels(axis)), default=0.0)
        title = self.title(axis)
        return (labels + GAP if labels else 0.0) + (height(title, SIZE) + GAP if title else 0.0)

    def _under(self, axis: Axis) -> float:
        title = self.title(axis)
        return self.deep(axis) + (height(title, SIZE) + GAP if title else 0.0)

    def deep(self, axis: Axis) -> float:
        """How far the labels of an axis below the picture reach down."""
        labels, angle = self.labels(axis), self.angle(axis)
        tall = [
            sin(radians(angle)) * width(text, SIZE) + cos(radians(angle)) * height(text, SIZE) for _, text in labels
        ]  # fmt: skip
        return max(tall, default=0.0) + TICK + (GAP if labels else 0.0)

    def _over_the_end(self, axis: Axis, first: bool) -> float:
        """How far labels below the picture reach beyond an end of their axis."""
        if not axis.across or not self.labels(axis):
            return 0.0
        inner = self.box()
        turned = self.angle(axis) > 0
        ends = [
            (float(axis.pixel(place)), width(text, SIZE) * (cos(radians(self.angle(axis))) if turned else 0.5))
            for place, text in self.labels(axis)
        ]
        if first:
            return max(0.0, *(inner[0] - (at - half) for at, half in ends))
        return 0.0 if turned else max(0.0, *(at + half - inner[2] for at, half in ends))

    def angle(self, axis: Axis) -> float:
        """Degrees by which labels below the picture are turned: none, or as far as they need beside one another."""
        wanted_angle = axis.look.get("tickangle")
        labels = self.labels(axis)
        places = sorted((float(axis.pixel(place)), width(text, SIZE)) for place, text in labels)
        fits = all(
            b - a >= (first + second) / 2 + _APART
            for (a, first), (b, second) in pairwise(places)
        )  # fmt: skip
        if fits and not (isinstance(wanted_angle, int | float) and wanted_angle):
            return 0.0
        return min(90.0, abs(float(wanted_angle))) if isinstance(wanted_angle, int | float) and wanted_angle else 45.0

    def title(self, axis: Axis) -> Lines:
        return read((axis.look.get("title") or {}).get("text")) if axis.shown else ()

    # ---- the legend and the scales ---------------------------------------------------------------------------------

    def scales(self) -> list[dict[str, Any]]:
        return [trace for trace in self.traces if cells.has_scale(trace)]

    def legend_is_above(self) -> bool:
        look = self.layout.get("legend") or {}
        return look.get("orientation") == "h" and bool(notes.named(self.traces, self.layout))

    def legend_rows(self, box: notes.Box) -> list[list[tuple[dict[str, Any], float]]]:
        look = self.layout.get("legend") or {}
        named = notes.named(self.traces, self.layout)
        return notes.legend_rows(named, look.get("orientation") != "h", box[2] - box[0], SIZE)
