"""What must survive, original against release: means by group, two columns together, what a model learns."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.utility.purposes import GroupMeans, Learnt, SharedTables
from anonlib.basics.words import count, percent
from anonlib.plots.theme import escape, figure, label, palette

_MOST_GROUPS = 16  # drawn; the largest
_ROW = 24  # pixels
_MOST_ACROSS, _MOST_DOWN = 8, 18  # categories on an axis that have a name; of more, every second, third ...
ORIGINAL, RELEASE = "original", "release"


def group_means(means: GroupMeans, *, dark: bool = False) -> go.Figure:
    """The mean of each group, in the original and as the release has it, as two dots a group, the largest on top.

    Parameters
    ----------
    means : GroupMeans
        A mean by group, before and after.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        Of at most 16 groups; a group without a mean in the release has one dot.
    """
    colours = palette(dark)
    n = min(_MOST_GROUPS, len(means.groups))
    places = np.arange(n)[::-1]
    before, after = means.before[:n], means.after[:n]
    between = go.Scatter(
        x=[value for pair in zip(before, after, strict=True) for value in (*pair, None)],
        y=[place for place in places for _ in range(3)],
        mode="lines",
        line={"color": colours.line, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
    chart = figure(
        between,
        _dots(means, before, places, ORIGINAL, colours.original),
        _dots(means, after, places, RELEASE, colours.safe),
        dark=dark,
        height=90 + _ROW * n,
        showlegend=True,
    )
    chart.update_yaxes(
        tickvals=places.tolist(), ticktext=[label(group, 22) for group in means.groups[:n]], showgrid=False
    )
    chart.update_xaxes(title=f"mean of {label(means.value)}")
    return chart


def _dots(by_group: GroupMeans, means: np.ndarray, places: np.ndarray, name: str, colour: str) -> go.Scatter:
    return go.Scatter(
        x=means,
        y=places,
        mode="markers",
        marker={
            "size": 10,
            "color": colour,
            "symbol": "circle-open" if name == ORIGINAL else "circle",
            "line": {"width": 2, "color": colour},
        },
        name=name,
        hovertext=[
            f"{escape(group)}<br>{name} {mean:.4g}" for group, mean in zip(by_group.groups, means, strict=False)
        ],
        hoverinfo="text",
    )


def together(tables: SharedTables, *, dark: bool = False) -> go.Figure:
    """How the second column is spread within each value of the first, in the original and beside it in the release.

    Parameters
    ----------
    tables : SharedTables
        Two columns together, before and after.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        Two squares of cells on one scale of shares; rows without a record stay empty.
    """
    colours = palette(dark)
    shares = [_within_rows(table) for table in (tables.before, tables.after)]
    most = max(float(np.nanmax(share, initial=0.0)) for share in shares)
    strips = [
        go.Heatmap(
            z=share,
            x=list(range(len(tables.across))),
            y=list(range(len(tables.rows))),
            zmin=0,
            zmax=most,
            colorscale=colours.scale,
            xaxis=axis,
            yaxis=axis.replace("x", "y"),
            showscale=i == 1,
            hoverongaps=False,
            hoverinfo="text",
            hovertext=_cell_hover(tables, share, name),
            colorbar={
                "thickness": 10,
                "outlinewidth": 0,
                "tickformat": ".0%",
                "nticks": 4,
                "tickfont": {"size": 11, "color": colours.faint},
            },
        )
        for i, (share, axis, name) in enumerate(zip(shares, ("x", "x2"), (ORIGINAL, RELEASE), strict=True))
    ]
    height = 120 + round(max(8, min(22, 300 / len(tables.rows))) * max(4, len(tables.rows)))
    chart = figure(*strips, dark=dark, height=height)
    first, second = (label(name) for name in tables.columns)
    across = {**_ticks(tables.across, _MOST_ACROSS), "showgrid": False, "title": second, "tickangle": -45}
    down = {**_ticks(tables.rows, _MOST_DOWN), "showgrid": False, "range": [len(tables.rows) - 0.5, -0.5]}
    chart.update_layout(
        xaxis={**across, "domain": [0, 0.48]},
        xaxis2={**across, "domain": [0.52, 1], "anchor": "y2"},
        yaxis={**down, "title": first},
        yaxis2={**down, "anchor": "x2", "showticklabels": False},
        margin={"t": 28},
    )
    for axis, name in (("x", ORIGINAL), ("x2", RELEASE)):
        chart.add_annotation(
            x=0.5,
            y=1,
            yanchor="bottom",
            xref=f"{axis} domain",
            yref="paper",
            text=name,
            showarrow=False,
            font={"color": colours.ink},
        )
    return chart


def _within_rows(table: np.ndarray) -> np.ndarray:
    totals = table.sum(axis=1, keepdims=True)
    return np.divide(table, totals, out=np.full(table.shape, np.nan), where=totals > 0)


def _ticks(names: tuple[str, ...], most: int) -> dict[str, Any]:
    step = -(-len(names) // most)
    places = list(range(0, len(names), step))
    return {"tickvals": places, "ticktext": [label(names[place], 16) for place in places]}


def _cell_hover(tables: SharedTables, share: np.ndarray, name: str) -> list[list[str]]:
    return [
        [
            "" if np.isnan(value) else f"{escape(row)} + {escape(column)}<br>{name}: {percent(float(value))} of the row"
            for column, value in zip(tables.across, values, strict=True)
        ]
        for row, values in zip(tables.rows, share, strict=True)
    ]


def learnt(model: Learnt, *, dark: bool = False) -> go.Figure:
    """How well a model does that learnt from the original, and from the release, as dots; a line spans the parts.

    Parameters
    ----------
    model : Learnt
        What a model learnt.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    rows = ((ORIGINAL, model.parts_before, model.before, 1), (RELEASE, model.parts_after, model.after, 0))
    traces: list[go.Scatter] = []
    for name, parts, mean, place in rows:
        colour = colours.original if name == ORIGINAL else colours.safe
        known = [area for area in parts if not np.isnan(area)] or [mean]
        traces += [
            go.Scatter(
                x=[min(known), max(known)], y=[place, place], mode="lines", line={"color": colour, "width": 3},
                hoverinfo="skip",
            ),
            go.Scatter(
                x=[mean], y=[place], mode="markers+text", text=[f"{mean:.3f}"], textposition="top center",
                textfont={"color": colours.ink}, marker={"size": 12, "color": colour},
                hovertext=[f"{name}: {mean:.3f}, mean of {count(len(parts), 'parts')}"], hoverinfo="text",
            ),
        ]  # fmt: skip
    chart = figure(*traces, dark=dark, height=190)
    least = min(0.5, *(area for _, parts, mean, _ in rows for area in (*parts, mean) if not np.isnan(area)))
    chart.update_xaxes(range=[least - 0.02, 1.02], title="area under the curve, 0.5 is chance")
    chart.update_yaxes(tickvals=[1, 0], ticktext=[ORIGINAL, RELEASE], range=[-0.6, 1.8], showgrid=False)
    return chart
