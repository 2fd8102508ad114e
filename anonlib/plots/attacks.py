"""Figures of attacks: how often each succeeds, beside its control and who has not got the file; and what somebody
concludes who knows how a release was searched for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.generalization.search.coins import greatest_probability
from anonlib.basics.words import percent
from anonlib.plots.theme import Palette, bar_marker, escape, figure, label, palette

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


# ---- what is concluded by somebody who knows the method ----


@dataclass(frozen=True)
class Concluded:
    """Persons (records, summed weights) by what somebody who knows the method learns of them, as a row of the figure.

    Attributes
    ----------
    name : str
        The sensitive column, or what all of them are called together.
    certain, not_shown : int
        Whose value is certain, and of whom it is neither shown that it is nor that it is not.
    safe : int | None
        Of whom it is shown that it is not; None where that is not counted by column.
    left : int | None
        Who is left out for a value; None where that is not counted by column.
    of : int
        All in the file who count.
    """

    name: str
    certain: int
    not_shown: int
    safe: int | None
    left: int | None
    of: int


_SLIVER = 0.004  # of the axis: the least that a bar of somebody is as wide as


def concluded(rows: Sequence[Concluded], unit: str, *, dark: bool = False) -> go.Figure:
    """Of whom a value is certain, not shown to be safe and safe, and who is left out for one, a bar a column.

    Red is who is certain, and who is left out for a value, hatched. A bar of few is as wide as can be seen; the numbers
    stand behind.

    Parameters
    ----------
    rows : Sequence[Concluded]
        From the top.
    unit : str
        What is counted: records or persons.
    dark : bool, default False
        Whether the page is dark.
    """
    colours, places = palette(dark), list(range(len(rows)))[::-1]
    most = max(row.of for row in rows)
    kinds: list[tuple[str, dict[str, Any], list[int | None]]] = [
        ("certain", bar_marker([True] * len(rows), dark), [row.certain for row in rows]),
        (
            "left out for a value",
            bar_marker([True] * len(rows), dark) | {"pattern": {"shape": "x", "fillmode": "overlay", "size": 7,
                                                                "fgcolor": colours.ground, "solidity": 0.3}},
            [row.left for row in rows],
        ),
        ("not shown to be safe", {"color": colours.sequence[1]}, [row.not_shown for row in rows]),
        ("safe", {"color": colours.safe}, [row.safe for row in rows]),
    ]  # fmt: skip
    bars = [
        go.Bar(
            y=places,
            x=[0 if not number else max(number, _SLIVER * most) for number in numbers],
            orientation="h",
            marker=marker,
            width=0.55,
            name=name,
            hovertext=[f"{escape(row.name)}: {number or 0:,} of {row.of:,} {unit} {name}"
                       for row, number in zip(rows, numbers, strict=True)],
            hoverinfo="text",
        )
        for name, marker, numbers in kinds
        if any(numbers)
    ]  # fmt: skip
    columns = [
        go.Scatter(
            x=[at * most] * (len(rows) + 1),
            y=[len(rows) - 0.35, *places],
            mode="text",
            text=[heading, *("" if number is None else f"<b>{number:,}</b>" if number and red else f"{number:,}"
                             for number in numbers)],
            textposition="middle left",
            textfont={"size": 12, "color": colours.ink},
            hoverinfo="skip",
            showlegend=False,
        )
        for at, heading, red, numbers in (
            (1.12, "certain", True, kinds[0][2]),
            (1.3, "not shown safe", False, kinds[2][2]),
            (1.42, "safe", False, kinds[3][2]),
            (1.56, "left out", True, kinds[1][2]),
        )
    ]  # fmt: skip
    chart = figure(*bars, *columns, dark=dark, height=110 + 44 * len(rows), barmode="stack", showlegend=True)
    chart.update_yaxes(
        tickvals=places, ticktext=[label(row.name, 28) for row in rows], range=[-0.6, len(rows)], showgrid=False
    )
    ticks = sorted({round(most * part / 4) for part in range(5)})
    chart.update_xaxes(range=[0, 1.58 * most], tickvals=ticks, tickformat=",d", title=unit)
    chart.update_layout(legend={"y": 1.0, "yanchor": "bottom", "traceorder": "normal"}, margin={"t": 40})
    return chart


_POINTS = 121


def reachable(odds: float, share: float, *, dark: bool = False) -> go.Figure:
    """The probability that a value of each share can reach where a coin refuses as values do.

    Parameters
    ----------
    odds : float
        How many times the odds of a value can become at most, 1 or more.
    share : float
        The greatest share of a value in a class of the release, in [0, 1], which is marked.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    shares = np.geomspace(1e-6, 1, _POINTS)
    greatest = [greatest_probability(value, odds) for value in shares.tolist()]
    lines = [
        go.Scatter(
            x=shares, y=y, mode="lines", name=name, line={"color": colour, "width": 2.4, "dash": dash},
            hovertext=[f"{percent(value)}: {name} {percent(at)}" for value, at in zip(shares.tolist(), y, strict=True)],
            hoverinfo="text",
        )
        for name, y, colour, dash in (
            ("what the release shows", shares.tolist(), colours.faint, "dash"),
            ("can be reached at most", greatest, colours.sequence[0], "solid"),
        )
    ]  # fmt: skip
    here = greatest_probability(share, odds)
    mark = go.Scatter(
        x=[share], y=[here], mode="markers", name="this release",
        marker={"size": 12, "symbol": "diamond", "color": colours.ink},
        hovertext=[f"the commonest value of a class of this release, {percent(share)} of it: {percent(here)} at most"],
        hoverinfo="text",
    )  # fmt: skip
    chart = figure(*lines, mark, dark=dark, height=300, showlegend=True)
    chart.update_xaxes(
        type="log", range=[-6, 0.04], tickvals=[1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1],
        ticktext=["0.0001%", "0.001%", "0.01%", "0.1%", "1%", "10%", "100%"],
        title="share of a value in a class of the release",
    )  # fmt: skip
    chart.update_yaxes(range=[0, 1.04], tickformat=".0%", title="probability")
    chart.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    return chart
