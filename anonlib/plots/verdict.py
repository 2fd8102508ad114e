"""Pictures of the verdict: what each criterion costs, and versions of a release side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from anonlib.basics.words import percent
from anonlib.plots.theme import figure, label, palette

_WIDE, _HIGH = 0.2, 0.4  # of the axis, and powers of ten: texts of points that are nearer would lie over each other
_NEAR_THE_END = 0.85  # of the axis: a text in the middle above such a point would leave the picture


def costs(
    names: Sequence[str], together: Sequence[float], alone: Sequence[float | None], *, dark: bool = False
) -> go.Figure:
    """What each criterion costs beside all others, as bars, and alone, as marks.

    Parameters
    ----------
    names : Sequence[str]
        Of the criteria.
    together : Sequence[float]
        The detail that could be kept without it, as a share of all cells.
    alone : Sequence[float | None]
        The detail that it costs alone; None where nothing does.
    dark : bool
        Whether the page is dark.
    """
    colours = palette(dark)
    positions = list(range(len(names)))[::-1]
    bars = go.Bar(
        y=positions,
        x=list(together),
        orientation="h",
        marker_color=colours.safe,
        text=[percent(cost) for cost in together],
        textposition="outside",
        cliponaxis=False,
        hovertext=[f"without it {percent(cost)} more detail is kept" for cost in together],
        hoverinfo="text",
        name="what it costs beside the others",
    )
    marks = go.Scatter(
        y=[place for place, loss in zip(positions, alone, strict=True) if loss is not None],
        x=[loss for loss in alone if loss is not None],
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 18, "color": colours.ink, "line": {"width": 2}},
        hovertext=[f"alone it costs {percent(loss)}" for loss in alone if loss is not None],
        hoverinfo="text",
        name="what it costs when asked alone",
    )
    chart = figure(bars, marks, dark=dark, height=max(190, 100 + 40 * len(names)), showlegend=True)
    chart.update_layout(margin={"t": 34}, legend={"y": 1, "yanchor": "bottom"})  # above the first bar
    most = max([*together, *(loss for loss in alone if loss is not None), 0.01])
    chart.update_xaxes(range=[0, 1.15 * most], tickformat=".0%", title="lost in the search")
    chart.update_yaxes(tickvals=positions, ticktext=[label(name, 32) for name in names], showgrid=False)
    return chart


def variants(
    names: Sequence[str],
    entropy_kept: Sequence[float],
    risk: Sequence[float],
    met: Sequence[bool],
    *,
    dark: bool = False,
) -> go.Figure:
    """Variants of a release as points: the entropy kept against the highest risk.

    Parameters
    ----------
    names : Sequence[str]
        What each is called.
    entropy_kept, risk : Sequence[float]
        Entropy kept and highest risk, in [0, 1].
    met : Sequence[bool]
        Whether a variant meets all criteria: its point is filled.
    dark : bool
        Whether the page is dark.
    """
    colours = palette(dark)
    points = go.Scatter(
        x=list(entropy_kept),
        y=[max(value, 1e-6) for value in risk],
        mode="markers+text",
        text=_names_of_points(names, entropy_kept, risk),
        textposition=_places_of_names(entropy_kept, risk),
        cliponaxis=False,
        marker={
            "symbol": ["circle" if done else "circle-open" for done in met],
            "size": 14,
            "color": colours.safe,
            "line": {"width": 2, "color": colours.safe},
        },
        hovertext=[
            f"{label(name)}<br>{percent(a)} of the entropy kept<br>highest risk (prosecutor) {percent(b)}"
            for name, a, b in zip(names, entropy_kept, risk, strict=True)
        ],
        hoverinfo="text",
    )
    chart = figure(points, dark=dark, height=340)
    chart.update_xaxes(range=[0, 1.08], tickformat=".0%", title="entropy kept")
    ticks = [10.0**-power * first for power in range(6) for first in (1, 0.5, 0.2)]
    chart.update_yaxes(
        type="log",
        tickvals=ticks,
        ticktext=[percent(tick) for tick in ticks],
        title="highest risk (prosecutor), logarithmic",
    )
    return chart


def _names_of_points(names: Sequence[str], entropy_kept: Sequence[float], risk: Sequence[float]) -> list[str]:
    """The text at each point; where several lie in one place, all their names at the first."""
    at: dict[tuple[str, str], list[int]] = {}
    for i, place in enumerate(zip(map(percent, entropy_kept), map(percent, risk), strict=True)):
        at.setdefault(place, []).append(i)
    texts = [""] * len(names)
    for together in at.values():
        texts[together[0]] = ", ".join(label(names[i]) for i in together)
    return texts


def _places_of_names(entropy_kept: Sequence[float], risk: Sequence[float]) -> list[str]:
    """Where the text at each point is: above it, or below where that of a point near it is above."""
    places: list[str] = []
    for i, (x, y) in enumerate(zip(entropy_kept, risk, strict=True)):
        near = [
            places[j] for j in range(i)
            if abs(x - entropy_kept[j]) < _WIDE and abs(math.log10(max(y, 1e-6) / max(risk[j], 1e-6))) < _HIGH
        ]  # fmt: skip
        below = any(place.startswith("top") for place in near) and not any(place.startswith("bottom") for place in near)
        places.append(f"{'bottom' if below else 'top'} {'left' if x > _NEAR_THE_END else 'center'}")
    return places
