"""Figures of attacks: how often each succeeds, beside its control and who has not got the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from anonlib.basics.words import percent
from anonlib.plots.theme import escape, figure, palette

_ROW = 34  # pixels


@dataclass(frozen=True)
class Success:
    """An attack, as a row of the figure; shares in [0, 1].

    Attributes
    ----------
    title : str
        What it is, in a few words.
    share, low, high : float
        Tries that succeed, and the 95% interval.
    control, baseline : float | None
        The same against people who are not in the file, and by who has not got it; None without.
    is_red : bool
        Whether it gains more than is accepted.
    says : tuple[str, ...]
        Sentences about it.
    """

    title: str
    share: float
    low: float
    high: float
    control: float | None
    baseline: float | None
    is_red: bool
    says: tuple[str, ...]


def successes(rows: Sequence[Success], *, dark: bool = False) -> go.Figure:
    """Each attack in a row: its success with the 95% interval, the control's, and the baseline's, on one axis.

    Red, and a diamond, is an attack that gains more than is accepted.

    Parameters
    ----------
    rows : Sequence[Success]
        From the top.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
    """
    colours = palette(dark)
    places = list(range(len(rows)))[::-1]
    success = go.Scatter(
        x=[row.share for row in rows],
        y=places,
        mode="markers",
        marker={
            "size": 11,
            "color": [colours.risky if row.is_red else colours.safe for row in rows],
            "symbol": ["diamond" if row.is_red else "circle" for row in rows],
        },
        name="people in the file",
        hovertext=["<br>".join([f"<b>{escape(row.title)}</b>", *map(escape, row.says)]) for row in rows],
        hoverinfo="text",
    )
    controls = [(place, row.control) for place, row in zip(places, rows, strict=True) if row.control is not None]
    baselines = [(place, row.baseline) for place, row in zip(places, rows, strict=True) if row.baseline is not None]
    marks = [
        _marks(baselines, "without the file (baseline)", "line-ns-open", colours.faint),
        _marks(controls, "people who are not in it (control)", "circle-open", colours.ink),
    ]
    numbers = go.Scatter(
        x=[1.03] * len(rows),
        y=places,
        mode="text",
        text=[f"<b>{percent(row.share)}</b>" if row.is_red else percent(row.share) for row in rows],
        textposition="middle right",
        textfont={"size": 12, "color": colours.ink},
        hoverinfo="skip",
        showlegend=False,
    )
    ends = [(end, place) for place, row in zip(places, rows, strict=True) for end in (row.low, row.high, None)]
    intervals = go.Scatter(
        x=[end for end, _ in ends],
        y=[place for _, place in ends],
        mode="lines",
        line={"color": colours.faint, "width": 1.6},
        name="95% interval",
        hoverinfo="skip",
    )
    chart = figure(intervals, *marks, success, numbers, dark=dark, height=96 + _ROW * max(2, len(rows)))
    chart.update_yaxes(tickvals=places, ticktext=[escape(row.title) for row in rows], range=[-0.6, len(rows) - 0.4])
    chart.update_xaxes(
        tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%", range=[-0.02, 1.15], title="share of tries that succeed"
    )
    chart.update_layout(showlegend=True, legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    return chart


def _marks(shares: Sequence[tuple[int, float]], name: str, symbol: str, colour: str) -> go.Scatter:
    return go.Scatter(
        x=[share for _, share in shares],
        y=[place for place, _ in shares],
        mode="markers",
        marker={"size": 12, "symbol": symbol, "color": colour, "line": {"width": 2, "color": colour}},
        name=name,
        hovertext=[f"{name}: {percent(share)}" for _, share in shares],
        hoverinfo="text",
    )
