"""A still picture put together: what is drawn on the axes, the axes themselves, and what stands over them."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonlib.plots.still import bars, cells, notes, points
from anonlib.plots.still.axes import Axis
from anonlib.plots.still.frame import EDGE, GAP, SIZE, TICK, Frame
from anonlib.plots.still.paint import painted
from anonlib.plots.still.text import FAMILY, drawn, height, number, width
from anonlib.plots.theme import LIGHT

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
        below = [notes.shape(item, self.axes, box) for item in shapes if item.get("layer") == "below"]
        above = [notes.shape(item, self.axes, box) for item in shapes if item.get("layer") != "below"]
        clipped, free, texts = self._drawn(drawn_bars)
        placed_notes = [notes.note(item, self.axes, box, SIZE) for item in self.layout.get("annotations") or ()]
        parts = [
            *self._grid(),
            *below,
            f'<g clip-path="url(#inside)">{"".join(clipped)}</g>',
            *free,
            *self._ticks(),
            *above,
            *texts,
            *(notes.note_svg(item, self._ink) for item in placed_notes),
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
            if not axis.shown or axis.look.get("showgrid") is False:
                continue
            look = f'{painted(axis.look.get("gridcolor") or LIGHT.line, "stroke")} stroke-width="0.8"'
            for place, _ in axis.ticks():
                at = number(float(axis.pixel(place)))
                way = (
                    f"M{at} {number(box[1])}V{number(box[3])}"
                    if axis.across
                    else f"M{number(box[0])} {at}H{number(box[2])}"
                )
                lines.append(f'<path d="{way}" {look}/>')
        return lines

    def _ticks(self) -> list[str]:
        pieces, box = [], self.box()
        for axis in self.axes.values():
            if not axis.shown:
                continue
            faint = ((axis.look.get("tickfont") or {}).get("color")) or LIGHT.faint
            deep, angle = self.deep(axis) if axis.across else self._beside_labels(axis), self.angle(axis)
            for place, text in self.labels(axis):
                at = float(axis.pixel(place))
                if not axis.across:
                    pieces.append(drawn(text, box[0] - GAP, at, size=SIZE, colour=faint, anchor="end"))
                    continue
                if axis.look.get("ticks") == "outside":
                    stroke = painted(axis.look.get("tickcolor") or LIGHT.line, "stroke")
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

    def _titled(self, axis: Axis, box: notes.Box, deep: float) -> str:
        title, middle = self.title(axis), (axis.start + axis.end) / 2
        look: dict[str, Any] = {"size": SIZE, "colour": LIGHT.faint, "anchor": "middle"}
        if axis.across:
            return drawn(title, middle, box[3] + deep + GAP + height(title, SIZE) / 2 - 2, **look)
        return drawn(title, box[0] - deep - 2 * GAP - height(title, SIZE) / 2 + 2, middle, angle=-90, **look)

    # ---- what stands over it ---------------------------------------------------------------------------------------

    def _legend(self, box: notes.Box) -> str:
        rows = self.legend_rows(box)
        look = self.layout.get("legend") or {}
        place = (
            (box[0], float(EDGE), box[2], box[1])
            if self.legend_is_above()
            else (box[0], box[1] + 4, box[2] - 4, box[3])
        )
        colour = (look.get("font") or {}).get("color") or LIGHT.faint
        paints = {id(trace): paint for trace, paint in zip(self.traces, self.paints, strict=True)}
        return notes.legend(rows, look, place, SIZE, colour, lambda trace: paints[id(trace)])


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
