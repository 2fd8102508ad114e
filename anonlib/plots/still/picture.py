"""A still picture put together: what is drawn on the axes, the axes themselves, and what stands over them.

First comes what stands over a picture: lines and areas at places of its axes, notes, and the legend. Next is the frame:
its axes, and the room that labels, titles, notes and the legend take around them. The picture is put together at the
end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

import numpy as np

from anonlib.plots.still import bars, cells, points
from anonlib.plots.still.axes import Axis, Span
from anonlib.plots.still.bars import fills
from anonlib.plots.still.paint import (
    DASHES,
    FAMILY,
    Anchor,
    Lines,
    Paint,
    drawn,
    each,
    height,
    number,
    painted,
    read,
    width,
)
from anonlib.plots.theme import LIGHT

_SAMPLE, _BETWEEN, _ROW = 22, 18, 18  # pixels: a legend's sample, the gap between its entries, and its rows

Box = tuple[float, float, float, float]
"""Pixels: left, top, right and bottom."""


def _ended(reference: str, value: float, axes: dict[str, Axis], box: Box, real: bool) -> float:
    """The pixel of one coordinate; ``real`` where a logarithmic axis is given the number and not its logarithm."""
    across = reference.startswith(("x", "paper x"))
    name, _, whole = reference.partition(" ")
    if name == "paper" or whole == "domain":
        low, high = (box[0], box[2]) if across else (box[3], box[1])
        if whole == "domain":
            low, high = axes[name].start, axes[name].end
        return float(low + value * (high - low))
    axis = axes[name]
    own = float(np.log10(value)) if real and axis.log else float(value)
    return float(axis.pixel(own))


def _at(part: dict[str, Any], key: str, axes: dict[str, Axis], box: Box, real: bool) -> float:
    reference = part.get(f"{key[0]}ref") or key[0]
    return _ended("paper x" if reference == "paper" and key[0] == "x" else reference, part[key], axes, box, real)


def shape(part: dict[str, Any], axes: dict[str, Axis], box: Box) -> str:
    """A line or an area.

    Raises
    ------
    ValueError
        If it is of another kind.
    """
    x0, x1, y0, y1 = (_at(part, key, axes, box, True) for key in ("x0", "x1", "y0", "y1"))
    line = part.get("line") or {}
    wide = 2 if line.get("width") is None else line["width"]
    dash = DASHES[line.get("dash") or "solid"]
    stroke = f'{painted(line.get("color") or "#444444", "stroke")} stroke-width="{number(wide)}"' if wide else ""
    stroke += f' stroke-dasharray="{dash}"' if dash else ""
    if part.get("type") == "line":
        return f'<path d="M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}" fill="none" {stroke}/>'
    if part.get("type") == "rect":
        (left, right), (top, bottom) = sorted((x0, x1)), sorted((y0, y1))
        left, right = max(left, box[0]), min(right, box[2])
        top, bottom = max(top, box[1]), min(bottom, box[3])
        fill = painted(part.get("fillcolor") or "none", "fill", float(part.get("opacity") or 1))
        return (
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(max(0, right - left))}" '
            f'height="{number(max(0, bottom - top))}" {fill} {stroke}/>'
        )
    raise ValueError(f"no still picture has shapes of the kind {part.get('type')}")


# ---- notes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Note:
    """A note with its place: the pixels of its box, and of what it points at."""

    part: dict[str, Any]
    lines: Lines
    size: float
    box: Box
    target: tuple[float, float]

    @property
    def points(self) -> bool:
        return self.part.get("showarrow", True) is not False


def note(part: dict[str, Any], axes: dict[str, Axis], box: Box, size: float) -> Note:
    """Place a note of Plotly.

    Parameters
    ----------
    part : dict
        Plotly's annotation.
    axes : dict[str, Axis]
        By name.
    box : Box
        Where the axes are.
    size : float
        Pixels of type that Plotly calls 12.
    """
    lines = read(part.get("text"))
    big = size * float((part.get("font") or {}).get("size") or 12) / 12
    wide, high = width(lines, big), height(lines, big)
    x, y = (_at(part, key, axes, box, False) for key in "xy")
    target = x, y
    x += float(part.get("xshift") or 0)
    y -= float(part.get("yshift") or 0)
    if part.get("showarrow", True) is not False:
        ax, ay = part.get("ax"), part.get("ay")
        x += -10.0 if ax is None else float(ax)
        y += -30.0 if ay is None else float(ay)
    left = x - wide * {"left": 0, "right": 1}.get(_side(part, "xanchor", "x"), 0.5)
    top = y - high * {"top": 0, "bottom": 1}.get(_side(part, "yanchor", "y"), 0.5)
    return Note(part, lines, big, (left, top, left + wide, top + high), target)


def _side(part: dict[str, Any], key: str, axis: str) -> str:
    """Where a note is held; without a word, at its middle, or on paper at the side that is nearest."""
    held = part.get(key) or "auto"
    if held != "auto" or part.get("showarrow", True) is not False or part.get(f"{axis}ref") != "paper":
        return held
    near = ("left", "right") if axis == "x" else ("bottom", "top")
    return near[0] if part[axis] < 1 / 3 else near[1] if part[axis] > 2 / 3 else "middle"


def note_svg(note: Note, colour: str) -> str:
    """A note, its ground, and the line to what it points at."""
    left, top, right, bottom = note.box
    middle = (top + bottom) / 2
    pieces = []
    if note.points and note.part.get("arrowcolor"):
        pieces.append(_pointer(note))
    ground = note.part.get("bgcolor")
    if ground:
        pieces.append(
            f'<rect x="{number(left - 2)}" y="{number(top)}" width="{number(right - left + 4)}" '
            f'height="{number(bottom - top)}" {painted(ground, "fill")}/>'
        )
    anchor: Anchor = {"left": "start", "right": "end"}.get(_held(note.part), "middle")  # type: ignore[assignment]
    x = {"start": left, "end": right}.get(anchor, (left + right) / 2)
    ink = (note.part.get("font") or {}).get("color") or colour
    pieces.append(drawn(note.lines, x, middle, size=note.size, colour=ink, anchor=anchor))
    return "".join(pieces)


def _held(part: dict[str, Any]) -> str:
    """Where narrower faces than the one measured keep to: the side that the note is held at."""
    side = _side(part, "xanchor", "x")
    return side if side in ("left", "right") else part.get("align") or "center"


def _pointer(placed_note: Note) -> str:
    left, top, right, bottom = placed_note.box
    x, y = placed_note.target
    start = (min(max(x, left), right), min(max(y, top), bottom))
    way = np.array([x - start[0], y - start[1]])
    long = float(np.hypot(*way))
    off = float(placed_note.part.get("standoff") or 0)
    if long <= off + 1:
        return ""
    end = np.array(start) + way * (1 - off / long)
    wide = number(placed_note.part.get("arrowwidth") or 1)
    return (
        f'<path d="M{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}" fill="none" '
        f'{painted(placed_note.part["arrowcolor"], "stroke")} stroke-width="{wide}"/>'
    )


# ---- the legend ----------------------------------------------------------------------------------------------------


def named(traces: list[dict[str, Any]], layout: dict[str, Any]) -> list[dict[str, Any]]:
    """The traces of the legend, in its order."""
    if not layout.get("showlegend"):
        return []
    in_legend = [trace for trace in traces if trace.get("name") and trace.get("showlegend", True) is not False]
    order = "reversed" in ((layout.get("legend") or {}).get("traceorder") or "")
    in_legend = sorted(in_legend[::-1] if order else in_legend, key=lambda trace: trace.get("legendrank") or 1000)
    return in_legend


def legend_rows(
    traces: list[dict[str, Any]], upright: bool, room: float, size: float
) -> list[list[tuple[dict[str, Any], float]]]:
    """The entries row by row, each with its width in pixels; upright legends have one in a row."""
    rows: list[list[tuple[dict[str, Any], float]]] = []
    used = 0.0
    for trace in traces:
        wide = _SAMPLE + 6 + width(read(trace["name"]), size)
        if not rows or upright or used + wide > room:
            rows.append([])
            used = 0.0
        rows[-1].append((trace, wide))
        used += wide + _BETWEEN
    return rows


def legend_height(rows: list[list[tuple[dict[str, Any], float]]]) -> float:
    """Pixels that the rows of :func:`legend_rows` take from top to bottom."""
    return len(rows) * _ROW


def legend(
    rows: list[list[tuple[dict[str, Any], float]]],
    settings: dict[str, Any],
    box: Box,
    size: float,
    colour: str,
    paint: Callable[[dict[str, Any]], Paint],
) -> str:
    """The legend, held at a side of a box and at its top.

    Parameters
    ----------
    rows : list[list[tuple[dict[str, Any], float]]]
        Of :func:`legend_rows`.
    settings : dict
        Plotly's legend: the side, and its ground.
    box : Box
        Pixels in which it stands.
    size : float
        The size of its type, in pixels.
    colour : str
        The colour of its type.
    paint : Callable[[dict], Paint]
        What a trace is drawn with.
    """
    if not rows:
        return ""
    widths = [sum(wide for _, wide in row) + _BETWEEN * (len(row) - 1) for row in rows]
    right = (settings.get("xanchor") or "auto") == "right" or (
        settings.get("xanchor") is None and (settings.get("x") or 0) > 2 / 3
    )
    left = box[2] - max(widths) if right else box[0]
    pieces = []
    if settings.get("bgcolor"):
        pieces.append(
            f'<rect x="{number(left - 4)}" y="{number(box[1])}" width="{number(max(widths) + 8)}" '
            f'height="{number(legend_height(rows))}" {painted(settings["bgcolor"], "fill")}/>'
        )
    for i, row in enumerate(rows):
        x, y = left, box[1] + (i + 0.5) * _ROW
        for trace, wide in row:
            pieces.append(_sample(trace, x, y, paint(trace)))
            pieces.append(drawn(read(trace["name"]), x + _SAMPLE + 6, y, size=size, colour=colour))
            x += wide + _BETWEEN
    return "".join(pieces)


def _sample(trace: dict[str, Any], x: float, y: float, paint: Paint) -> str:
    if trace.get("type") != "bar":
        return points.sample(trace, x, y, _SAMPLE, paint)
    marker = trace.get("marker") or {}
    line = marker.get("line") or {}
    wide = each(line.get("width"), 1, 0)[0]
    outline = (
        f' {painted(each(line.get("color"), 1, "none")[0], "stroke")} stroke-width="{number(wide)}"' if wide else ""
    )
    return (
        f'<rect x="{number(x + 4)}" y="{number(y - 5)}" width="14" height="10" {fills(marker, 1, paint)[0]}{outline}/>'
    )


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
            if self.axes[name].settings.get("overlaying") or self.axes[name].settings.get("side") in ("top", "right"):
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

    def lay_out(self) -> Box:
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

    def _stretch(self, box: Box) -> None:
        left, top, right, bottom = box
        for axis in self.axes.values():
            low, high = axis.settings.get("domain") or (0, 1)
            if axis.across:
                axis.start, axis.end = left + low * (right - left), left + high * (right - left)
            else:
                axis.start, axis.end = bottom - low * (bottom - top), bottom - high * (bottom - top)

    def _rim(self) -> Box:
        """The box of the axes that leaves room for all that stands around it, as the axes are now."""
        inner = self.box()
        note_boxes = [note(item, self.axes, inner, SIZE).box for item in self.layout.get("annotations") or ()]
        left = max((self._beside(axis) for axis in self.axes.values() if not axis.across), default=0.0)
        bottom = max((self._under(axis) for axis in self.axes.values() if axis.across), default=0.0)
        first_tick = max((self._over_the_end(axis, first=True) for axis in self.axes.values()), default=0.0)
        last_tick = max((self._over_the_end(axis, first=False) for axis in self.axes.values()), default=0.0)
        scales = sum(cells.scale_room(item, 0.92 * SIZE) for item in self.scales())
        over = max([0.0, *(inner[1] - item[1] for item in note_boxes)])
        right = max([scales, last_tick, *(item[2] - inner[2] for item in note_boxes)])
        left = max([left, first_tick, *(inner[0] - item[0] for item in note_boxes)])
        legend = legend_height(self.legend_rows(inner)) + GAP if self.legend_is_above() else 0.0
        left, top = left + 2 * EDGE, over + legend + 2 * EDGE
        return left, top, max(left + _LEAST, self.wide - right - 2 * EDGE), max(top + _LEAST, self.tall - bottom - EDGE)

    def box(self) -> Box:
        across = [axis for axis in self.axes.values() if axis.across]
        up = [axis for axis in self.axes.values() if not axis.across]
        return (
            min(axis.start for axis in across), min(axis.end for axis in up),
            max(axis.end for axis in across), max(axis.start for axis in up),
        )  # fmt: skip

    def labels(self, axis: Axis) -> list[tuple[float, Lines]]:
        return axis.ticks() if axis.shown and axis.settings.get("showticklabels") is not False else []

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
        wanted_angle = axis.settings.get("tickangle")
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
        return read((axis.settings.get("title") or {}).get("text")) if axis.shown else ()

    # ---- the legend and the scales ---------------------------------------------------------------------------------

    def scales(self) -> list[dict[str, Any]]:
        return [trace for trace in self.traces if cells.has_scale(trace)]

    def legend_is_above(self) -> bool:
        settings = self.layout.get("legend") or {}
        return settings.get("orientation") == "h" and bool(named(self.traces, self.layout))

    def legend_rows(self, box: Box) -> list[list[tuple[dict[str, Any], float]]]:
        settings = self.layout.get("legend") or {}
        entries = named(self.traces, self.layout)
        return legend_rows(entries, settings.get("orientation") != "h", box[2] - box[0], SIZE)


KINDS = ("bar", "scatter", "scattergl", "heatmap")


class Picture(Frame):
    """A figure of Plotly on its way to SVG."""

    def svg(self) -> str:
        """The whole document."""
        self.make_axes()
        drawn_bars = bars.placed([(trace, *self.axes_of(trace)) for trace in self.of("bar")], self.layout)
        self.settle(drawn_bars)
        box = self.lay_out()
        shapes = self.layout.get("shapes") or ()
        below = [shape(item, self.axes, box) for item in shapes if item.get("layer") == "below"]
        above = [shape(item, self.axes, box) for item in shapes if item.get("layer") != "below"]
        clipped, free, texts = self._drawn(drawn_bars)
        placed_notes = [note(item, self.axes, box, SIZE) for item in self.layout.get("annotations") or ()]
        parts = [
            *self._grid(),
            *below,
            f'<g clip-path="url(#inside)">{"".join(clipped)}</g>',
            *free,
            *self._ticks(),
            *above,
            *texts,
            *(note_svg(item, self._ink) for item in placed_notes),
            self._legend(box),
            *(cells.scale(item, box[2], box[1], box[3], LIGHT.faint, 0.92 * SIZE) for item in self.scales()),
        ]
        left, top, right, bottom = box
        clip = (
            f'<clipPath id="inside"><rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}"/></clipPath>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(self.wide)}" height="{number(self.tall)}" '
            f'viewBox="0 0 {number(self.wide)} {number(self.tall)}" font-family="{FAMILY}">'
            f"<defs>{clip}{''.join(self.hatched.values())}</defs>{''.join(parts)}</svg>"
        )

    # ---- what is drawn ---------------------------------------------------------------------------------------------

    @property
    def _ink(self) -> str:
        return (self.layout.get("font") or {}).get("color") or LIGHT.ink

    def _drawn(self, drawn_bars: list[bars.Bars]) -> tuple[list[str], list[str], list[str]]:
        """What ends at the axes, what may reach beyond them, and texts."""
        waiting = iter(drawn_bars)
        clipped: list[str] = []
        free: list[str] = []
        texts: list[str] = []
        for trace, paint in zip(self.traces, self.paints, strict=True):
            if trace["type"] == "bar":
                inside, text = next(waiting).svg(paint, SIZE)
            elif trace["type"] == "heatmap":
                inside, text = cells.svg(trace, *self.axes_of(trace), SIZE)
            else:
                inside, text = points.svg(trace, *self.axes_of(trace), paint, SIZE)
            (free if trace.get("cliponaxis") is False and trace["type"] != "bar" else clipped).append(inside)
            texts.append(text)
        return clipped, free, texts

    def _grid(self) -> list[str]:
        box, lines = self.box(), []
        for axis in self.axes.values():
            if not axis.shown or axis.settings.get("showgrid") is False:
                continue
            stroke = f'{painted(axis.settings.get("gridcolor") or LIGHT.line, "stroke")} stroke-width="0.8"'
            for place, _ in axis.ticks():
                at = number(float(axis.pixel(place)))
                way = (
                    f"M{at} {number(box[1])}V{number(box[3])}"
                    if axis.across
                    else f"M{number(box[0])} {at}H{number(box[2])}"
                )
                lines.append(f'<path d="{way}" {stroke}/>')
        return lines

    def _ticks(self) -> list[str]:
        pieces, box = [], self.box()
        for axis in self.axes.values():
            if not axis.shown:
                continue
            faint = ((axis.settings.get("tickfont") or {}).get("color")) or LIGHT.faint
            deep, angle = self.deep(axis) if axis.across else self._beside_labels(axis), self.angle(axis)
            for place, text in self.labels(axis):
                at = float(axis.pixel(place))
                if not axis.across:
                    pieces.append(drawn(text, box[0] - GAP, at, size=SIZE, colour=faint, anchor="end"))
                    continue
                if axis.settings.get("ticks") == "outside":
                    stroke = painted(axis.settings.get("tickcolor") or LIGHT.line, "stroke")
                    pieces.append(f'<path d="M{number(at)} {number(box[3])}v{TICK}" {stroke}/>')
                down = box[3] + TICK + 3
                if angle:
                    down, at = down + 0.4 * SIZE, at + 0.3 * SIZE
                    pieces.append(drawn(text, at, down, size=SIZE, colour=faint, anchor="end", angle=-angle))
                else:
                    down += height(text, SIZE) / 2
                    pieces.append(drawn(text, at, down, size=SIZE, colour=faint, anchor="middle"))
            pieces.append(self._titled(axis, box, deep))
        return pieces

    def _beside_labels(self, axis: Axis) -> float:
        return max((width(text, SIZE) for _, text in self.labels(axis)), default=0.0)

    def _titled(self, axis: Axis, box: Box, deep: float) -> str:
        title, middle = self.title(axis), (axis.start + axis.end) / 2
        style: dict[str, Any] = {"size": SIZE, "colour": LIGHT.faint, "anchor": "middle"}
        if axis.across:
            return drawn(title, middle, box[3] + deep + GAP + height(title, SIZE) / 2 - 2, **style)
        return drawn(title, box[0] - deep - 2 * GAP - height(title, SIZE) / 2 + 2, middle, angle=-90, **style)

    # ---- what stands over it ---------------------------------------------------------------------------------------

    def _legend(self, box: Box) -> str:
        rows = self.legend_rows(box)
        settings = self.layout.get("legend") or {}
        place = (
            (box[0], float(EDGE), box[2], box[1])
            if self.legend_is_above()
            else (box[0], box[1] + 4, box[2] - 4, box[3])
        )
        colour = (settings.get("font") or {}).get("color") or LIGHT.faint
        paints = {id(trace): paint for trace, paint in zip(self.traces, self.paints, strict=True)}
        return legend(rows, settings, place, SIZE, colour, lambda trace: paints[id(trace)])


def shown(traces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The traces that are drawn.

    Raises
    ------
    ValueError
        If one is of a kind that no still picture has.
    """
    visible = [trace for trace in traces if trace.get("visible", True) is True]
    for trace in visible:
        trace.setdefault("type", "scatter")
        if trace["type"] not in KINDS:
            raise ValueError(f"no still picture has traces of the kind {trace['type']}")
    return [trace for trace in visible if not _is_empty(trace)]


def _is_empty(trace: dict[str, Any]) -> bool:
    return trace["type"] == "heatmap" and not np.size(np.asarray(trace.get("z") if trace.get("z") is not None else []))
