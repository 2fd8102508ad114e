"""Figures of attacks: how often each succeeds, beside its control and who has not got the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from anonlib.basics.words import percent
from anonlib.plots.theme import Palette, escape, figure, palette

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
    gained : str
        What it gains, as it is written; "–" where that is not known.
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
    gained: str
    is_red: bool
    says: tuple[str, ...]


def successes(rows: Sequence[Success], *, dark: bool = False) -> go.Figure:
    """Each attack in a row: its success with the 95% interval, the control's, and the baseline's, on one axis.

    Red, and a diamond, is an attack that gains more than is accepted. Behind each row stand its success and its gain.

    Parameters
    ----------
    rows : Sequence[Success]
        From the top.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    placed = list(zip(range(len(rows))[::-1], rows, strict=True))
    controls = [(place, row.control) for place, row in placed if row.control is not None]
    baselines = [(place, row.baseline) for place, row in placed if row.baseline is not None]
    ends = [(end, place) for place, row in placed for end in (row.low, row.high, None)]
    intervals = go.Scatter(
        x=[end for end, _ in ends],
        y=[place for _, place in ends],
        mode="lines",
        line={"color": colours.faint, "width": 1.6},
        name="95% interval",
        hoverinfo="skip",
    )
    traces = [
        intervals,
        _marks(baselines, "without the file (baseline)", "line-ns-open", colours.faint),
        _marks(controls, "people who are not in it (control)", "circle-open", colours.ink),
        *(
            _tried([place_and_row for place_and_row in placed if place_and_row[1].is_red == red], red, colours)
            for red in (False, True)
        ),
        _numbers(placed, _AT_SUCCESS, "succeed", lambda row: percent(row.share), colours.ink),
        _numbers(placed, _AT_GAIN, "gain", lambda row: row.gained, colours.ink),
    ]
    chart = figure(*(trace for trace in traces if len(trace.x)), dark=dark, height=96 + _ROW * max(2, len(rows)))
    lines = [
        {"type": "line", "x0": 0, "x1": 1, "y0": place, "y1": place, "layer": "below",
         "line": {"color": colours.line, "width": 0.8}}
        for place, _ in placed
    ]  # fmt: skip
    chart.update_yaxes(
        tickvals=[place for place, _ in placed], ticktext=[escape(row.title) for row in rows],
        range=[-0.6, len(rows) + 0.1], showgrid=False,
    )  # fmt: skip
    chart.update_xaxes(
        tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%", range=[-0.02, _AT_GAIN + 0.17],
        title="share of tries that succeed",
    )  # fmt: skip
    chart.update_layout(
        shapes=lines, showlegend=True, legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40}
    )  # fmt: skip
    return chart


_AT_SUCCESS, _AT_GAIN = 1.04, 1.2  # where the numbers stand on the axis of shares


def _tried(placed: Sequence[tuple[int, Success]], red: bool, colours: Palette) -> go.Scatter:
    """What succeeds of people in the file, of the attacks that gain more than is accepted or of the others."""
    return go.Scatter(
        x=[row.share for _, row in placed],
        y=[place for place, _ in placed],
        mode="markers",
        marker={
            "size": 11, "color": colours.risky if red else colours.safe, "symbol": "diamond" if red else "circle",
        },
        name="people in the file, gain above the limit" if red else "people in the file",
        hovertext=["<br>".join([f"<b>{escape(row.title)}</b>", *map(escape, row.says)]) for _, row in placed],
        hoverinfo="text",
    )  # fmt: skip


def _numbers(
    placed: Sequence[tuple[int, Success]], at: float, name: str, shown: Callable[[Success], str], colour: str
) -> go.Scatter:
    """A column of numbers behind the rows, below its name; those of red rows are bold."""
    texts = [f"<b>{shown(row)}</b>" if row.is_red else shown(row) for _, row in placed]
    return go.Scatter(
        x=[at] * (len(placed) + 1),
        y=[len(placed) - 0.3, *(place for place, _ in placed)],
        mode="text",
        text=[name, *texts],
        textposition="middle right",
        textfont={"size": 12, "color": colour},
        hoverinfo="skip",
        showlegend=False,
    )


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
