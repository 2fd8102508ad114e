"""What stands over a still picture: lines and areas at places of its axes, notes, and the legend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonlib.plots.still import points
from anonlib.plots.still.axes import Axis
from anonlib.plots.still.bars import fills
from anonlib.plots.still.paint import DASHES, Paint, each, painted
from anonlib.plots.still.text import Anchor, Lines, drawn, height, number, read, width

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
    look = f'{painted(line.get("color") or "#444444", "stroke")} stroke-width="{number(wide)}"' if wide else ""
    look += f' stroke-dasharray="{dash}"' if dash else ""
    if part.get("type") == "line":
        return f'<path d="M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}" fill="none" {look}/>'
    if part.get("type") == "rect":
        (left, right), (top, bottom) = sorted((x0, x1)), sorted((y0, y1))
        left, right = max(left, box[0]), min(right, box[2])
        top, bottom = max(top, box[1]), min(bottom, box[3])
        fill = painted(part.get("fillcolor") or "none", "fill", float(part.get("opacity") or 1))
        return (
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(max(0, right - left))}" '
            f'height="{number(max(0, bottom - top))}" {fill} {look}/>'
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


def note_svg(found: Note, colour: str) -> str:
    """A note, its ground, and the line to what it points at."""
    left, top, right, bottom = found.box
    middle = (top + bottom) / 2
    pieces = []
    if found.points and found.part.get("arrowcolor"):
        pieces.append(_pointer(found))
    ground = found.part.get("bgcolor")
    if ground:
        pieces.append(
            f'<rect x="{number(left - 2)}" y="{number(top)}" width="{number(right - left + 4)}" '
            f'height="{number(bottom - top)}" {painted(ground, "fill")}/>'
        )
    anchor: Anchor = {"left": "start", "right": "end"}.get(_held(found.part), "middle")  # type: ignore[assignment]
    x = {"start": left, "end": right}.get(anchor, (left + right) / 2)
    ink = (found.part.get("font") or {}).get("color") or colour
    pieces.append(drawn(found.lines, x, middle, size=found.size, colour=ink, anchor=anchor))
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
    look: dict[str, Any],
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
    look : dict
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
    right = (look.get("xanchor") or "auto") == "right" or (look.get("xanchor") is None and (look.get("x") or 0) > 2 / 3)
    left = box[2] - max(widths) if right else box[0]
    pieces = []
    if look.get("bgcolor"):
        pieces.append(
            f'<rect x="{number(left - 4)}" y="{number(box[1])}" width="{number(max(widths) + 8)}" '
            f'height="{number(legend_height(rows))}" {painted(look["bgcolor"], "fill")}/>'
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
