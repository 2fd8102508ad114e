"""Figures of what a release is still good for. Nothing in them is red: no threshold says how much utility is enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.utility import Association, ColumnUtility, Prediction, Utility
from anonlib.basics.words import percent
from anonlib.plots.theme import Palette, escape, figure, label, mixed, palette

_ROW = 28  # pixels
_LEFT, _RIGHT = [0.0, 0.56], [0.66, 1.0]  # where the two halves of a figure are
_MOST_WRITTEN = 12  # columns whose cells have room for a number
_LEAST_RANGE = 0.1  # so that differences that mean nothing stay pale
_LEARNT = {"original": "the original", "release": "the release"}


def columns(utility: Utility, *, dark: bool = False) -> go.Figure:
    """The information that each column keeps, and how far its distribution moved, as bars in the file's order.

    Parameters
    ----------
    utility : Utility
        What a release keeps.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    rows = utility.columns[::-1]
    places = list(range(len(rows)))
    shared = {
        "y": places, "orientation": "h", "textposition": "outside", "cliponaxis": False, "hoverinfo": "text",
        "hovertext": [_hover(row) for row in rows],
    }  # fmt: skip
    entropy_bar = go.Bar(
        x=[row.entropy_kept for row in rows],
        marker_color=colours.safe,
        text=[percent(row.entropy_kept) if row.distance is not None else "dropped" for row in rows],
        **shared,
    )
    moved = go.Bar(
        x=[0.0 if row.is_blank else row.distance or 0.0 for row in rows],
        marker_color=colours.sequence[1],
        text=["" if row.distance is None else "blank" if row.is_blank else percent(row.distance) for row in rows],
        xaxis="x2",
        **shared,
    )
    chart = figure(entropy_bar, moved, dark=dark, height=max(160, 60 + _ROW * len(rows)))
    most = max([row.distance or 0.0 for row in rows if not row.is_blank], default=0.0)
    shares = {"tickformat": ".0%", "anchor": "y"}
    chart.update_layout(
        xaxis={**shares, "domain": _LEFT, "range": [0, 1.16], "tickvals": [0, 0.5, 1], "title": "entropy kept"},
        xaxis2={**shares, "domain": _RIGHT, "range": [0, max(0.1, 1.3 * most)], "nticks": 4, "title": "distance"},
    )
    chart.update_yaxes(tickvals=places, ticktext=[label(row.column) for row in rows], showgrid=False)
    return chart


def association_change(association: Association, *, dark: bool = False) -> go.Figure:
    """How much each pair of released columns goes together more or less than in the original, as a square of cells.

    Parameters
    ----------
    association : Association
        Strength of association before and after.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        Blue where association fell, orange where it rose; two columns or more.
    """
    colours = palette(dark)
    with_value = np.flatnonzero(~np.isnan(association.after.diagonal())).tolist()
    names = [association.columns[i] for i in with_value]
    change = association.difference[np.ix_(with_value, with_value)]
    below = np.where(np.tri(len(names), k=-1, dtype=bool), change, np.nan)  # each pair once
    most = max(_LEAST_RANGE, float(np.nanmax(np.abs(below), initial=0.0)))
    rows = list(range(len(names)))
    cells = go.Heatmap(
        z=below,
        x=rows,
        y=rows,
        zmin=-most,
        zmax=most,
        xgap=1.5,
        ygap=1.5,
        colorscale=_two_ways(colours, dark),
        hoverongaps=False,
        hovertext=[[_pair_hover(association, i, j) for j in with_value] for i in with_value],
        hoverinfo="text",
        text=[["" if np.isnan(value) else _signed(value) for value in row] for row in below],
        texttemplate="%{text}" if len(names) <= _MOST_WRITTEN else None,
        textfont={"color": colours.ink, "size": 12},
        colorbar={
            "title": {"text": "release − original", "side": "right", "font": {"size": 12, "color": colours.faint}},
            "thickness": 10,
            "outlinewidth": 0,
            "tickformat": "+.2f",
            "nticks": 5,
            "tickfont": {"size": 11, "color": colours.faint},
        },
    )
    height = 110 + round(max(14, min(34, 560 / max(1, len(names)))) * max(3, len(names)))
    chart = figure(cells, dark=dark, height=height)
    ticks = {"ticktext": [label(name, 20) for name in names], "tickvals": rows, "showgrid": False}
    end = len(names) - 0.5
    chart.update_xaxes(**ticks, range=[-0.5, end - 1], tickangle=-35 if len(names) > 5 else 0, ticks="")
    chart.update_yaxes(**ticks, range=[end, 0.5])
    chart.update_layout(margin={"t": 8})
    return chart


def prediction(outcome: Prediction, *, dark: bool = False) -> go.Figure:
    """How often each model is right, and how well it puts records in order, learnt from the original and the release.

    Parameters
    ----------
    outcome : Prediction
        What came of predicting a column.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        Bars; a dash spans the parts that were held back.
    """
    colours = palette(dark)
    rows = outcome.scores[::-1]
    places = list(range(len(rows)))
    colour = [colours.safe if row.learnt_from == "release" else colours.original for row in rows]
    shared = {
        "y": places, "orientation": "h", "marker_color": colour, "textposition": "inside", "insidetextanchor": "start",
        "hoverinfo": "skip", "textfont": {"color": colours.ink},
    }  # fmt: skip
    right = go.Bar(x=[row.accuracy for row in rows], text=[percent(row.accuracy) for row in rows], **shared)
    area = go.Bar(x=[row.auc for row in rows], text=[f"{row.auc:.3f}" for row in rows], xaxis="x2", **shared)
    spread = go.Scatter(
        x=[value for row in rows for value in (min(row.accuracies), max(row.accuracies), None)],
        y=[place for place in places for _ in range(3)],
        mode="lines",
        line={"color": colours.ink, "width": 2},
        hoverinfo="skip",
    )
    chart = figure(right, area, spread, dark=dark, height=70 + 34 * len(rows))
    names = [
        row.model if row.model == outcome.commonest.model else f"{row.model}, {_LEARNT[row.learnt_from]}"
        for row in rows
    ]
    shares = {"range": [0, 1], "tickvals": [0, 0.25, 0.5, 0.75, 1], "anchor": "y"}
    chart.update_layout(
        xaxis={**shares, "domain": [0, 0.48], "tickformat": ".0%", "title": "right for"},
        xaxis2={**shares, "domain": [0.56, 1], "title": "area under the curve, 0.5 is chance"},
    )
    chart.update_yaxes(tickvals=places, ticktext=names, showgrid=False)
    return chart


def _two_ways(colours: Palette, dark: bool) -> list[list[Any]]:
    """Blue for less, the page's ground for none, orange for more: apart for every kind of colour blindness."""
    much = 0.55 if dark else 1.0  # the ink has to stay legible on it
    less, more = "#56b4e9", "#e69f00"
    return [[0.0, mixed(less, colours.ground, much)], [0.5, colours.ground], [1.0, mixed(more, colours.ground, much)]]


def _hover(row: ColumnUtility) -> str:
    gone = "<br>not in the release" if row.distance is None else f"<br>distance {percent(row.distance)}"
    gone = "<br>every cell is blank or *" if row.is_blank else gone
    return (
        f"{escape(row.column)}<br>{row.values_before:,} values, now {row.values_after:,}"
        f"<br>{row.entropy_before:.3g} bits, now {row.entropy_after:.3g}{gone}"
    )


def _signed(value: float) -> str:
    """A change with its sign, which none has that is written as no change."""
    text = f"{value:+.2f}"
    return "0.00" if float(text) == 0 else text


def _pair_hover(association: Association, i: int, j: int) -> str:
    measure = "Spearman" if association.ranked[i, j] else "Cramér’s V"
    names = f"{escape(association.columns[i])} + {escape(association.columns[j])}"
    before, after = association.before[i, j], association.after[i, j]
    return f"{names}<br>{measure}: {before:.2f} in the original<br>{after:.2f} in the release"
