"""Figures of a frontier: the plane of risk and loss, and how fast methods get there.

First comes the axis of risk: as it is, or logarithmic with a place for 0. Next are the intervals of policies: a bar for
each attribute, cut where the policy cuts. Then come the plane, and the progress of each method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.frontier.bound import LowerBound
from anonlib.analyses.frontier.domains import Domain
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.result import Frontier
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.analyses.frontier.update_rates import IN_PAPER, UpdateRates
from anonlib.basics.words import count, percent
from anonlib.plots.theme import DARK_INK, LIGHT_INK, Palette, escape, figure, label, palette
from anonlib.values.cells import MISSING_LABEL


class RiskAxis:
    """Where each of some risks is drawn. On a logarithmic axis 0 lies at the left end, half a decade from the others.

    Attributes
    ----------
    log : bool
        It is logarithmic.
    has_zero : a risk is 0.
    least, most : the smallest and the largest risk that is not.
    """

    def __init__(self, risks: np.ndarray, log: bool) -> None:
        some = risks[risks > 0]
        self.log = log
        self.has_zero = bool((risks <= 0).any())
        self.most = float(some.max()) if len(some) else 1.0
        self.least = float(some.min()) if len(some) else 1.0
        self._floor = self.least / 3 if self.has_zero else self.least
        self._decades = float(np.log10(self.most / self._floor))

    def x(self, risk: np.ndarray | float) -> np.ndarray:
        """In the units of the axis."""
        return np.maximum(risk, self._floor) if self.log else np.asarray(risk, dtype=float)

    def x_of_annotation(self, risk: float) -> float:
        """Of an annotation Plotly wants the logarithm."""
        return float(np.log10(self.x(risk)) if self.log else risk)

    def share(self, risk: np.ndarray | float) -> np.ndarray:
        """0 at the smallest risk and 1 at the largest, or a little beyond."""
        if not self.log:
            return np.asarray(risk) / self.most
        return np.log10(self.x(risk) / self._floor) / max(self._decades, 1e-9)

    @property
    def _margin(self) -> float:
        """A factor on a logarithmic axis."""
        return float(10 ** (0.03 * self._decades + 0.02))

    @property
    def left(self) -> float:
        return self._floor / self._margin if self.log else -0.02 * self.most

    @property
    def right(self) -> float:
        return self.most * (self._margin if self.log else 1.03)

    def layout(self) -> dict[str, Any]:
        """For ``update_xaxes``."""
        if not self.log:
            return {"range": [self.left, self.right], "tickformat": ".4~p"}
        powers = range(int(np.floor(np.log10(self.least))), 1)
        steps = (1,) if self._decades > 2 else (1, 2, 5)
        ticks = [step * 10.0**power for power in powers for step in steps]
        ticks = [tick for tick in ticks if 0.999 * self.least <= tick <= self.right]
        texts = [
            f"{np.format_float_positional(100 * tick, precision=3, fractional=False, trim='-')}%" for tick in ticks
        ]
        zero = [self._floor] if self.has_zero else []
        return {
            "type": "log",
            "range": [float(np.log10(self.left)), float(np.log10(self.right))],
            "tickvals": zero + ticks,
            "ticktext": ["0%"] * len(zero) + texts,
        }


_BAR, _TITLE = 26, 30  # pixels: a policy's bar, and the line above the bars of an attribute
_WIDE, _LETTER_OF_INTERVAL = 520, 6.6  # pixels: a bar is at least about so wide, and so is a letter of its labels
_MOST_PARTED = 120  # intervals of a bar that a thin line parts


def intervals(
    space: PolicySpace,
    policies: Sequence[tuple[str, np.ndarray]],
    *,
    unit: str,
    dark: bool = False,
) -> go.Figure:
    """Each attribute's ordered values as a bar a policy, cut into the intervals that the policy releases.

    An interval is as wide as its share of the records; two tones take turns and mean nothing else.

    Parameters
    ----------
    space : PolicySpace
        The policies of a class table.
    policies : Sequence[tuple[str, np.ndarray]]
        Names with bool arrays.
    unit : str
        What counts are of.
    dark : bool, default False
        Whether the page is dark.

    Raises
    ------
    InputError
        For a policy of another space.
    """
    colours = palette(dark)
    checked = [(name, space.checked(policy)) for name, policy in policies]
    pitch = len(checked) * _BAR + _TITLE
    tones: list[go.Heatmap] = []
    labels: list[tuple[float, float, str]] = []
    written: list[dict[str, Any]] = []
    places = [j * pitch + _TITLE + (p + 0.5) * _BAR for j in range(len(space.domains)) for p in range(len(checked))]
    for j, domain in enumerate(space.domains):
        written.append(
            {
                "x": 0, "y": j * pitch + _TITLE - 3, "text": _title(domain), "showarrow": False, "xanchor": "left",
                "yanchor": "bottom", "borderpad": 0, "font": {"size": 12, "color": colours.ink},
            }
        )  # fmt: skip
        records = _records_before(space, j)
        for p, (name, policy) in enumerate(checked):
            spans = space.intervals(policy, j)
            cuts = np.array([first for first, _ in spans] + [len(domain)])
            place = places[j * len(checked) + p]
            bar, inside = _bar(name, domain, spans, records[cuts], place, unit, colours)
            tones.append(bar)
            labels += inside
            written.append(
                {
                    "x": 1, "y": place, "text": count(len(spans), "intervals"), "showarrow": False, "xanchor": "left",
                    "xshift": 6, "font": {"size": 12, "color": colours.faint},
                }
            )  # fmt: skip
    high = pitch * max(1, len(space.domains))
    return figure(
        *tones, _labels(labels, colours),
        dark=dark,
        height=high + 16,
        margin={"t": 4, "r": 100},
        annotations=written,
        xaxis={"visible": False, "range": [0, 1], "fixedrange": True},
        yaxis={
            "tickvals": places, "ticktext": [label(name, 22) for name, _ in checked] * len(space.domains), "ticks": "",
            "showgrid": False, "showline": False, "range": [high, 0], "fixedrange": True,
        },
    )  # fmt: skip


def _title(domain: Domain) -> str:
    text = domain.size()
    if domain.n_values > 1:
        text += f", {_shown(domain.values[0], 16)} to {_shown(domain.values[domain.n_values - 1], 16)}"
    return f"<b>{label(domain.attribute, 40)}</b>  {text}"


def _shown(value: str | None, length: int) -> str:
    return label(MISSING_LABEL if value is None else value, length)


def _bar(
    name: str,
    domain: Domain,
    spans: list[tuple[int, int]],
    before: np.ndarray,
    place: float,
    unit: str,
    colours: Palette,
) -> tuple[go.Heatmap, list[tuple[float, float, str]]]:
    """One heatmap of one row, however many intervals: a shape each would be slow. Labels where there is room, by place.

    ``before`` are the records before each interval, and in all.
    """
    edges, records = before / before[-1], np.diff(before)
    texts = [_shown(domain.label(first, last), 60) for first, last in spans]
    turns = np.zeros((1, len(spans)), dtype=np.uint8)
    turns[0, 1::2] = 1
    tones = go.Heatmap(
        x=edges, y=[place - 0.42 * _BAR, place + 0.42 * _BAR], z=turns, zmin=0, zmax=1,
        colorscale=[[0.0, colours.little], [1.0, colours.shade(0.3)]], showscale=False,
        xgap=1 if len(spans) <= _MOST_PARTED else 0, hovertext=[texts], customdata=records.astype(np.int64)[None, :],
        hovertemplate=f"<b>{label(name, 40)}</b><br>{label(domain.attribute, 40)}: %{{hovertext}}"
        f"<br>%{{customdata:,}} {unit}<extra></extra>",
    )  # fmt: skip
    room = [
        len(text) * _LETTER_OF_INTERVAL + 8 <= wide * _WIDE for text, wide in zip(texts, np.diff(edges), strict=True)
    ]
    middle = (edges[:-1] + edges[1:]) / 2
    return tones, [(x, place, text) for x, text, fits in zip(middle.tolist(), texts, room, strict=True) if fits]


def _labels(labels: Sequence[tuple[float, float, str]], colours: Palette) -> go.Scatter:
    """All labels in one: a browser takes as long for a trace of one as for one of all."""
    x, y, text = zip(*labels, strict=True) if labels else ((), (), ())
    return go.Scatter(
        x=x, y=y, text=text, mode="text", hoverinfo="skip", textfont={"size": 11, "color": colours.ink},
    )  # fmt: skip


def _records_before(space: PolicySpace, j: int) -> np.ndarray:
    """float64, the records before each value of attribute j, and in all."""
    cells = space.cells
    of_place = np.bincount(cells.places[:, j], weights=cells.records, minlength=2 * len(space.domains[j]) - 1)
    return np.concatenate([[0.0], np.cumsum(of_place[::2])])  # no record lies between values


__all__ = ["MOST_POINTS", "MOST_VISITED", "MarkedRelease", "Point", "frontier", "intervals", "progress", "update_rates"]

Point = tuple[float, float]
"""A risk and a loss."""


@dataclass(frozen=True)
class MarkedRelease:
    """A release that is drawn beside the policies.

    Attributes
    ----------
    point : Point
        Its risk and loss.
    label : str
        What stands beside it.
    kind : str
        A key of the shapes that marks have: ``recipe``, ``proposal``, ``k`` or ``earlier``.
    """

    point: Point
    label: str
    kind: str


_SHAPES: Mapping[str, tuple[str, int, int]] = {
    "recipe": ("star", 16, 3), "proposal": ("square", 10, 5), "k": ("triangle-up", 12, 1),
    "earlier": ("hexagon", 12, 4),
}  # fmt: skip
"""By kind of release the shape and size of its mark, and the place of its colour among those in turn."""

MOST_POINTS, MOST_VISITED = 600, 800
"""Marks drawn of a frontier, and of the policies looked at."""
_HEIGHT = 520
_INSIDE = 410  # pixels of the plane's height within the axes
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")
"""Of methods, in the order of their colours: in grey print colours are alike."""
_NAMES = {"enumeration": "All policies"}  # of methods, where it is not the key
_ACROSS, _LETTER = 450, 7  # pixels: the plane is at least about so wide within its axes, and so is a letter
_LINE = 17  # pixels of a line of a label
_BENDS = 200  # points of a curve


# ---- the plane -----------------------------------------------------------------------------------------------------


def frontier(
    frontiers: Sequence[Frontier],
    *,
    safe_harbor: Point | None = None,
    chosen: Point | None = None,
    other: Point | None = None,
    marks: Sequence[MarkedRelease] = (),
    bound: LowerBound | None = None,
    visited: bool = True,
    log: bool = False,
    dark: bool = False,
    opaque: bool = False,
) -> go.Figure:
    """Risk against loss, both lower is better, in the manner of Xia et al. 2013, Figures 7 and 8.

    The first frontier can be clicked: its points carry their position as ``customdata``, and the policies its search
    looked at lie faint underneath. So can marks, which carry -1, -2, ... in their order. The other frontiers are stairs
    to compare it with.

    Parameters
    ----------
    frontiers : Sequence[Frontier]
        All of one plane.
    safe_harbor : Point, optional
        Risk and loss of Safe Harbor: a diamond. What is better than it is shaded.
    chosen, other : Point, optional
        Points with a ring.
    marks : Sequence[MarkedRelease], default ()
        Other releases, each with a shape of its kind and its label.
    bound : LowerBound, optional
        Where no policy can be, which is shaded, with its edge.
    visited : bool, default True
        Whether the policies looked at are drawn.
    log : bool, default False
        Whether the axis of the risk is logarithmic, a risk of 0 at its left end.
    dark : bool, default False
        Whether the page is dark.
    opaque : bool, default False
        Whether nothing below the figure shines through.
    """
    colours = palette(dark)
    hues, plane = _hues(colours), frontiers[0].plane if frontiers else None
    marked = [point for point in (safe_harbor, chosen, other, *(mark.point for mark in marks)) if point is not None]
    axis = RiskAxis(np.concatenate([[risk for risk, _ in marked], *(frontier.risk for frontier in frontiers)]), log)
    chart = figure(dark=dark, height=_HEIGHT, margin={"t": 12}, hovermode="closest")
    if bound is not None:
        _add_bound(chart, bound, axis, colours)
    if frontiers and visited:
        _add_visited(chart, frontiers[0].visited, axis, colours)
    for i, frontier in reversed(list(enumerate(frontiers))):  # the first is drawn over the others
        _add_stair(chart, frontier, i, axis, hues[i % len(hues)], chosen)
    labels = _add_releases(chart, marks, axis, colours, plane, chosen)
    named: dict[str, set[Point | None]] = {"chosen": {point for point, _ in labels}}
    named["compared"] = {*named["chosen"], safe_harbor, chosen}
    for point, name, ring in ((other, "compared", colours.faint), (chosen, "chosen", colours.ink)):
        if point is not None:
            _add_mark(chart, point, axis, {"symbol": "circle-open", "size": 17, "line": {"width": 2.5}}, ring)
            labels += [(point, f"<b>{name}</b>")] if point not in named[name] else []
    if safe_harbor is not None:
        _shade(chart, safe_harbor, axis, colours)
        _add_mark(chart, safe_harbor, axis, {"symbol": "diamond", "size": 13}, colours.sequence[2])
        comparison = f"<br>{_better(frontiers, safe_harbor)}" if frontiers else ""
        labels.append((safe_harbor, f"<b>Safe Harbor</b>{comparison}"))
    _add_labels(chart, labels, axis, colours, dark)
    chart.update_xaxes(title=_risk_title(plane), **axis.layout())
    chart.update_yaxes(title=_loss_title(plane), tickformat=".4~p", range=[-0.03, 1.05])
    chart.update_layout(
        uirevision=f"{plane.key if plane else ''} {log}",  # what is zoomed into stays while the search goes on
        paper_bgcolor=_ground(dark, 1) if opaque else None,
        showlegend=True,
        legend={
            "orientation": "v", "x": 1, "xanchor": "right", "y": 1, "yanchor": "top", "itemsizing": "constant",
            "bgcolor": _ground(dark, 0.75),
        },
    )  # fmt: skip
    return chart


def _hues(colours: Palette) -> list[str]:
    """A colour a method, neighbours far apart; green is Safe Harbor's."""
    return [colours.sequence[i] for i in (0, 1, 3, 5, 4)]


def _at(frontier: Frontier, point: Point) -> int | None:
    """The position of a point in a frontier; None where it is not there."""
    matches = np.flatnonzero((frontier.risk == point[0]) & (frontier.loss == point[1]))
    return int(matches[0]) if len(matches) else None


def _thinned(places: np.ndarray, loss: np.ndarray, keep: int | None = None) -> np.ndarray:
    """Positions of at most ``MOST_POINTS`` of a frontier, evenly along the stair: where points are far apart, all."""
    if len(loss) <= MOST_POINTS:
        return np.arange(len(loss))
    way = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(places)) + np.abs(np.diff(loss)))])
    indices = np.searchsorted(way, np.linspace(0, way[-1], MOST_POINTS - 1))  # the first and the last among them
    return np.unique([*indices, *([] if keep is None else [keep])])


def _add_stair(
    chart: go.Figure, frontier: Frontier, place: int, axis: RiskAxis, colour: str, chosen: Point | None
) -> None:
    """Beginning with the loss of 1 that smaller risks have, to the right end of the plane."""
    if not len(frontier):
        return
    drawn = _thinned(
        axis.share(frontier.risk), frontier.loss, _at(frontier, chosen) if chosen is not None and not place else None
    )
    x, y = axis.x(frontier.risk[drawn]), frontier.loss[drawn]
    chart.add_scatter(
        x=np.array([x[0], *x, axis.right], dtype=np.float32), y=np.array([1.0, *y, y[-1]], dtype=np.float32),
        mode="lines", hoverinfo="skip", line={
            "shape": "hv", "width": 1.8 if place else 2.5, "color": colour, "dash": _DASHES[place % len(_DASHES)],
        },
        name=_method(frontier.method) or "Frontier", legendgroup=str(place), legendrank=1 + place,
    )  # fmt: skip
    if place:
        return
    shown = "%{x:.3~p}" if not (axis.log and axis.has_zero) else "%{text}"
    chart.add_scatter(
        x=x, y=y, customdata=drawn.astype(np.int32), mode="markers", legendgroup="0", showlegend=False,
        marker={"size": 6 if len(drawn) <= 200 else 5 if len(drawn) <= 600 else 4, "color": colour, "opacity": 1},
        selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
        text=[percent(risk) for risk in frontier.risk[drawn].tolist()] if shown == "%{text}" else None,
        hovertemplate=f"{escape(frontier.plane.risk.name)}: {shown}"
        f"<br>{escape(frontier.plane.loss.name)}: %{{y:.3~p}} lost<br>click to read this policy<extra></extra>",
    )  # fmt: skip


def _method(name: str) -> str:
    return _NAMES.get(name) or label(name.replace("_", " ").strip().capitalize(), 40)


def _add_visited(chart: go.Figure, points: np.ndarray, axis: RiskAxis, colours: Palette) -> None:
    if not len(points):
        return
    some = points[np.unique(np.linspace(0, len(points) - 1, MOST_VISITED).astype(int))]
    chart.add_scatter(
        x=axis.x(some[:, 0]).astype(np.float32), y=some[:, 1].astype(np.float32), mode="markers", hoverinfo="skip",
        marker={"size": 3, "color": colours.original, "opacity": 0.45},
        unselected={"marker": {"opacity": 0.45}}, name="Policies looked at", legendrank=2_000,
    )  # fmt: skip


def _add_mark(chart: go.Figure, point: Point, axis: RiskAxis, marker: dict[str, Any], colour: str) -> None:
    """A point that stands out; it leaves the hover and the click to what is below it."""
    chart.add_scatter(
        x=axis.x(np.array([point[0]])), y=np.array([point[1]]), mode="markers", hoverinfo="skip", showlegend=False,
        marker={**marker, "color": colour, "opacity": 1}, unselected={"marker": {"opacity": 1}}, cliponaxis=False,
    )  # fmt: skip


def _add_releases(
    chart: go.Figure,
    marks: Sequence[MarkedRelease],
    axis: RiskAxis,
    colours: Palette,
    plane: Plane | None,
    chosen: Point | None,
) -> list[tuple[Point, str]]:
    """A mark for each, which can be clicked; returns a label for each point, of all that are there, chosen or not."""
    names: dict[Point, list[str]] = {}
    for number, mark in enumerate(marks):
        (risk, loss), (symbol, size, hue) = mark.point, _SHAPES[mark.kind]
        named = names.setdefault(mark.point, [])
        named.append(label(mark.label, 40))
        lost = "loss" if plane is None else escape(plane.loss.name)
        chart.add_scatter(
            x=axis.x(np.array([risk])), y=np.array([loss]), customdata=np.array([-1 - number], dtype=np.int32),
            mode="markers", showlegend=False, cliponaxis=False,
            marker={
                "symbol": symbol, "size": size, "color": colours.sequence[hue], "opacity": 1,
                "line": {"width": 1.2, "color": colours.ink},
            },
            selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
            hovertemplate=f"<b>{named[-1]}</b><br>risk {percent(risk)}<br>{lost}: {percent(loss)} lost"
            "<br>click to read it<extra></extra>",
        )  # fmt: skip
    together = {point: " · ".join(named) for point, named in names.items()}
    return [(point, f"<b>{text}, chosen</b>" if point == chosen else text) for point, text in together.items()]


def _shade(chart: go.Figure, corner: Point, axis: RiskAxis, colours: Palette) -> None:
    """Where the policies are that dominate a point."""
    chart.add_shape(
        type="rect", x0=axis.left if axis.log else 0, x1=float(axis.x(corner[0])), y0=0, y1=corner[1], layer="below",
        line={"width": 0}, fillcolor=_see_through(colours.sequence[2], 0.16),
    )  # fmt: skip


def _add_bound(chart: go.Figure, bound: LowerBound, axis: RiskAxis, colours: Palette) -> None:
    """Where no policy can be: left of the least risk and below the line."""
    risk, loss = bound.corners.T
    if axis.log:  # a straight line is none there
        risk = np.unique(np.concatenate([risk, np.geomspace(max(bound.least_risk, axis.left), 1.0, _BENDS)]))
        loss = bound.loss_at(risk)
    left = axis.left if axis.log else 0.0
    x = np.concatenate([[left, left], axis.x(np.concatenate([risk[:1], risk, risk[-1:]]))])
    chart.add_scatter(
        x=x, y=np.concatenate([[0.0, 1.0, 1.0], loss, [0.0]]), mode="lines", fill="toself", hoverinfo="skip",
        fillcolor=_see_through(colours.original, 0.35), line={"width": 1.2, "color": colours.faint, "dash": "dot"},
        name="No policy can be here", legendrank=1_900,
    )  # fmt: skip


def _better(frontiers: Sequence[Frontier], point: Point) -> str:
    """How many policies of the first frontier are better than a point, by its search where there are several."""
    n = len(frontiers[0].dominating_point(*point))
    by = f" by {_method(frontiers[0].method).lower()}" if len(frontiers) > 1 else ""
    return f"{f'{n:,}' if n else 'no'} better {'policy' if n <= 1 else 'policies'} found{by}"


def _add_labels(
    chart: go.Figure, labels: Sequence[tuple[Point, str]], axis: RiskAxis, colours: Palette, dark: bool
) -> None:
    """To the right of their points, or above where there is no room; above each other where points are close."""
    taken: list[tuple[float, float, float]] = []  # place along the axis, and the label's foot and head in pixels
    for (risk, loss), text in sorted(labels, key=lambda item: item[0][1]):
        lines = text.split("<br>")
        x, high = float(axis.share(risk)), _LINE * len(lines) + 6
        room = (1 - x) * _ACROSS
        right = room < 34 + _LETTER * max(map(len, lines))
        at = _INSIDE * loss
        foot = at + (28 if right else 14)
        for other, low, top in taken:
            if abs(x - other) < 0.3 and foot < top and foot + high > low:
                foot = top
        taken.append((x, foot, foot + high))
        chart.add_annotation(
            x=axis.x_of_annotation(risk), y=loss, text=text, ax=max(room, 6) if right else 34, ay=at - foot - high / 2,
            xanchor="right" if right else "left", align="left", showarrow=True, arrowhead=0, arrowwidth=1, standoff=9,
            arrowcolor=colours.faint, bgcolor=_ground(dark, 0.8), font={"size": 13, "color": colours.ink},
            hovertext=f"risk {percent(risk)}, {percent(loss)} lost",
        )  # fmt: skip


def _risk_title(plane: Plane | None) -> str:
    if plane is None:
        return "risk"
    name = f"Records below k = {plane.k}" if plane.risk_key == "below_k" else plane.risk.name
    unit = {"population": " (100%: the original data)", "below_k": " (share of records)"}
    return f"risk: {escape(name)}{unit.get(plane.risk_key, ' (probability)')}"


def _loss_title(plane: Plane | None) -> str:
    return "loss" if plane is None else f"loss: {escape(plane.loss.name)} (100%: all in one class)"


def _ground(dark: bool, opacity: float) -> str:
    """The page's own ground."""
    return _see_through(DARK_INK if dark else LIGHT_INK, opacity)


def _see_through(colour: str, opacity: float) -> str:
    return f"rgba({','.join(map(str, _rgb(colour)))},{opacity})"


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


# ---- methods against each other ------------------------------------------------------------------------------------


def progress(
    areas: Mapping[str, Sequence[tuple[float, float]]],
    *,
    against: Literal["seconds", "policies looked at"] = "seconds",
    log: bool = False,
    dark: bool = False,
) -> go.Figure:
    """The area under the stair in the course of each search, in the manner of Xia et al. 2013, Figure 5. Lower is
    better.

    Parameters
    ----------
    areas : Mapping[str, Sequence[tuple[float, float]]]
        By method, pairs of time (or policies) and area. Colours are those of :func:`frontier`, in this order.
    against : Literal["seconds", "policies looked at"], default "seconds"
        What the first number of a pair is.
    log : bool, default False
        Whether its axis is logarithmic.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    hues = _hues(colours)
    chart = figure(dark=dark, height=320)
    for i, (name, points) in enumerate(areas.items()):
        curve = np.array(sorted(points), dtype=float).reshape(-1, 2)
        if log:
            curve = curve[curve[:, 0] > 0]
        if not len(curve):
            continue
        shown = _method(name)
        chart.add_scatter(
            x=curve[:, 0], y=curve[:, 1], mode="lines+markers" if len(curve) <= 40 else "lines",
            line={"shape": "hv", "width": 2.2, "color": hues[i % len(hues)], "dash": _DASHES[i % len(_DASHES)]},
            marker={"size": 6, "symbol": _SYMBOLS[i % len(_SYMBOLS)]},
            name=f"{shown}: {curve[-1, 1]:.4g}",
            hovertemplate=f"{shown}<br>%{{x:,.5~r}} {against}: area %{{y:.4~r}}<extra></extra>",
        )  # fmt: skip
    drawn = [area for points in areas.values() for _, area in points if area > 0]
    low, high = (min(drawn), max(drawn)) if drawn else (0.1, 1.0)
    room = max((high / low) ** 0.06, 1.002)
    edges = low / room, high * room
    ticks = [step * 10.0**power for power in range(-4, 1) for step in (1, 1.5, 2, 3, 5, 7)]
    ticks = [tick for tick in ticks if edges[0] <= tick <= edges[1]]
    chart.update_yaxes(
        title="area under the stair, less is better", type="log",
        range=np.log10(edges).tolist(), tickvals=ticks if len(ticks) > 2 else None,
        tickformat=".3~r", nticks=6,
    )  # fmt: skip
    chart.update_xaxes(title=against, type="log" if log else "linear", tickformat=",.3~r" if log else None)
    if not log:
        chart.update_xaxes(rangemode="tozero")
    chart.update_layout(showlegend=True, legend={"y": 1.02, "yanchor": "bottom"}, margin={"t": 48})
    return chart


def update_rates(rates: UpdateRates, *, dark: bool = False) -> go.Figure:
    """What the heuristic of sublattices predicts against what a chain through each came to, in the manner of Xia et
    al. 2013, Figure 6: the mean of each group by H, at its upper end, with a confidence interval of 95%.

    Parameters
    ----------
    rates : UpdateRates
        Random sublattices of a plane.
    dark : bool, default False
        Whether the page is dark.
    """
    colours, groups = palette(dark), rates.to_frame()
    chart = figure(dark=dark, height=320)
    some = np.unique(np.linspace(0, max(len(rates) - 1, 0), min(len(rates), MOST_VISITED)).astype(int))
    chart.add_scatter(
        x=rates.predicted[some], y=rates.observed[some], mode="markers", hoverinfo="skip",
        marker={"size": 4, "color": colours.original, "opacity": 0.5}, name="A sublattice",
    )  # fmt: skip
    chart.add_scatter(
        x=groups["up_to"], y=groups["observed"], mode="lines+markers", customdata=groups["sublattices"],
        error_y={"type": "data", "array": groups["within"].fillna(0.0), "thickness": 1.5, "width": 5},
        line={"width": 2.2, "color": colours.sequence[0]}, marker={"size": 8},
        name="Mean of a tenth, with its 95% interval",
        hovertemplate="H up to %{x:.1f}: %{y:.1%} of the policies update the frontier"
        "<br>%{customdata:,} sublattices<extra></extra>",
    )  # fmt: skip
    if not np.isnan(rates.correlation):
        chart.add_annotation(
            x=0.02, y=1.0, xref="paper", yref="paper", xanchor="left", yanchor="top", showarrow=False, align="left",
            text=f"<b>correlation {rates.correlation:.3f}</b><br>Xia et al. 2013: {IN_PAPER:.3f}",
            bgcolor=_ground(dark, 0.8), font={"size": 13, "color": colours.ink},
        )  # fmt: skip
    chart.update_xaxes(title="H: share of the sublattice’s rectangle below the frontier", range=[-0.02, 1.04])
    chart.update_yaxes(title="E: share of policies that update it", range=[-0.04, 1.06], tickformat=".0%")
    chart.update_layout(showlegend=True, legend={"y": 1.02, "yanchor": "bottom"}, margin={"t": 40})
    return chart
