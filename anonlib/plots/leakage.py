"""Figures of information loss: each column's on average and at worst, of every pair, and before against after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.leakage import LeakageComparison, LeakageTable
from anonlib.basics.thresholds import is_at_most
from anonlib.basics.words import change, count, percent
from anonlib.plots.theme import DARK_INK, LIGHT_INK, Palette, bar_marker, counts, escape, figure, label, palette

_ROW, _BAR = 36, 0.62  # pixels of a row, and the share of it that its bar takes
_SHARES = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%"}
_MOST_WRITTEN = 14  # columns up to which a pair's cell has room for its number


def losses(
    table: LeakageTable,
    *,
    average: float = 1.0,
    worst: float = 1.0,
    unit: str = "records",
    bold: Sequence[str] = (),
    dark: bool = False,
) -> go.Figure:
    """Each attribute's average loss as a bar and its worst person's as a mark, and beside it the number in small
    groups.

    The attributes that lose most come first. Red is an average or a worst loss above its limit, and any record in a
    group below the table's k. In grey print such bars are striped, such marks diamonds and such numbers bold.

    Parameters
    ----------
    table : LeakageTable
        The leakage; ``customdata`` of the figure is the attribute's position in its sets.
    average, worst : float, default 1.0
        Limits of the normalized losses; 1 switches them off.
    unit : str, default "records"
        What counts are of.
    bold : Sequence[str], default ()
        Attributes to point out.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    order = [i for i in table.ranked().tolist() if len(table.sets[i]) == 1][::-1]
    shares, highest, below = table.normalized[order], table.worst_normalized[order], table.below_k[order]
    past, worst_past = ~is_at_most(shares, average), ~is_at_most(highest, worst)
    positions = list(range(len(order)))
    hover = [_in_words(table, i, unit) for i in order]
    shared = {"y": positions, "customdata": order, "hovertext": hover, "hoverinfo": "text", "showlegend": False}
    bars = go.Bar(
        x=shares,
        orientation="h",
        width=_BAR,
        marker=bar_marker(past, dark),
        **shared,
    )
    marks = _marks(highest, worst_past, colours.ink, colours, shared)
    numbers = go.Scatter(  # in a column of their own, where no line crosses them
        x=[1.05] * len(order),
        y=positions,
        mode="text",
        text=[
            f"{_bold(percent(a), a_past)} · {_bold(percent(w), w_past)}" if loss else "says nothing"
            for a, a_past, w, w_past, loss in zip(shares, past, highest, worst_past, table.loss[order], strict=True)
        ],
        textposition="middle right",
        textfont={"size": 12, "color": colours.ink},
        hoverinfo="skip",
        showlegend=False,
    )
    small = go.Bar(
        x=below,
        orientation="h",
        xaxis="x2",
        width=_BAR,
        marker=bar_marker(below > 0, dark),
        text=[f"{records:,}" for records in below.tolist()],
        textposition="outside",
        cliponaxis=False,
        **shared,
    )
    chart = figure(bars, small, marks, numbers, dark=dark, height=96 + _ROW * max(2, len(order)))
    names = [table.sets[i][0] for i in order]
    chart.update_yaxes(
        tickvals=positions,
        ticktext=[f"<b>{label(name, 24)}</b>" if name in bold else label(name, 24) for name in names],
        range=[-0.6, len(order) - 0.4],
        showgrid=False,
    )
    chart.update_layout(
        xaxis={
            **_SHARES,
            "domain": [0, 0.7],
            "range": [0, 1.42],
            "title": "loss: bar on average, mark at worst",
        },
        xaxis2={
            "domain": [0.76, 1],
            "nticks": 4,
            **counts(int(below.max(initial=0)), room=1.3),
            "title": f"{unit} below {table.k}",
            "anchor": "y",
        },
        margin={"t": 34},
    )
    _limit_lines(chart, average, worst, colours)
    return chart


def pairs(table: LeakageTable, *, dark: bool = False) -> go.Figure:
    """The average loss of every pair of attributes, normalized; on the diagonal that of the attribute alone.

    Parameters
    ----------
    table : LeakageTable
        The leakage of every set of up to two attributes. Those that lose most come first.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    names = [table.sets[i][0] for i in table.ranked().tolist() if len(table.sets[i]) == 1]
    normalized, worst = table.normalized, table.worst_normalized
    place = [[table.place({first, second}) for second in names] for first in names]
    values = normalized[place]
    hover = [
        [f"{' + '.join(map(escape, table.sets[i]))}<br>{percent(normalized[i])} on average<br>"
         f"{percent(worst[i])} for the worst person" for i in row]
        for row in place
    ]  # fmt: skip
    rows = list(range(len(names)))
    dark_cells = np.array([[colours.is_dark(value) for value in row] for row in values])
    amounts = [
        go.Heatmap(
            z=np.where(cells, values, np.nan),
            x=rows,
            y=rows,
            zmin=0,
            zmax=1,
            xgap=1.5,
            ygap=1.5,
            colorscale=colours.scale,
            showscale=first,
            hoverongaps=False,
            hovertext=hover,
            hoverinfo="text",
            text=np.where(cells, [[f"{100 * value:.0f}" for value in row] for row in values], ""),
            texttemplate="%{text}" if len(names) <= _MOST_WRITTEN else None,
            textfont={"color": ink, "size": 12},
            colorbar={
                "title": {"text": "average loss", "side": "right", "font": {"size": 12, "color": colours.faint}},
                "thickness": 10,
                "outlinewidth": 0,
                "tickformat": ".0%",
                "tickfont": {"size": 11, "color": colours.faint},
            },
        )
        for first, cells, ink in ((True, dark_cells, LIGHT_INK), (False, ~dark_cells, DARK_INK))
    ]
    chart = figure(*amounts, dark=dark, height=110 + round(max(14, min(34, 560 / len(names))) * max(3, len(names))))
    ticks = {"tickvals": rows, "ticktext": [label(name, 20) for name in names], "showgrid": False}
    chart.update_xaxes(**ticks, tickangle=-35 if len(names) > 5 else 0, ticks="", fixedrange=True)
    chart.update_yaxes(**ticks, autorange="reversed", fixedrange=True)
    chart.update_layout(margin={"t": 8})
    return chart


def before_after(
    comparison: LeakageComparison,
    places: Sequence[int],
    *,
    average: float = 1.0,
    worst: float = 1.0,
    name: str = "release",
    second: tuple[str, LeakageComparison] | None = None,
    dark: bool = False,
) -> go.Figure:
    """Average loss of sets in the original and in one or two releases, as a bar each; marks are the worst person's.

    Parameters
    ----------
    comparison : LeakageComparison
        The losses of the same sets in the original and in a release.
    places : Sequence[int]
        Positions of the sets to draw, the first on top.
    average, worst : float, default 1.0
        Limits of the normalized losses; what is past them in a release is red.
    name : str, default "release"
        What the release is called.
    second : tuple[str, LeakageComparison], optional
        What another release is called, and the losses of the same sets in the original and in it.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    order = list(places)[::-1]
    positions = list(range(len(order)))
    titles = [" + ".join(map(escape, comparison.sets[i])) for i in order]
    releases = [(name, comparison, colours.safe)]
    if second is not None:
        releases.append((second[0], second[1], colours.much))
    bars = [("original", comparison.normalized_before, comparison.worst_before, colours.original, colours.original)]
    bars += [
        (title, release.normalized_after, release.worst_after, colour, colours.ink)
        for title, release, colour in releases
    ]
    step = 0.8 / len(bars)
    chart = figure(dark=dark, height=110 + (18 + 14 * len(bars)) * max(2, len(order)), bargap=0.2)
    for k, (title, shares, highest, colour, ink) in enumerate(bars):
        then, most = shares[order], highest[order]
        past = bool(k)
        shift = 0.4 - step / 2 - k * step
        shared = {
            "y": [position + shift for position in positions],
            "hoverinfo": "text",
            "hovertext": [
                f"{of_set}, {escape(title)}<br>{percent(a)} on average<br>{percent(w)} for the worst person"
                for of_set, a, w in zip(titles, then, most, strict=True)
            ],
        }
        marker = bar_marker(~is_at_most(then, average) & past, dark, colour)
        if k == 2:  # red bars of both are distinguished by the way their stripes go, and by their rims
            marker["pattern"]["shape"] = ["\\" if shape else "" for shape in marker["pattern"]["shape"]]
        marker["line"] = {"width": 1.5, "color": colour}
        chart.add_bar(
            x=then, orientation="h", width=0.85 * step, name=label(title, 40), showlegend=False, marker=marker, **shared
        )  # fmt: skip
        chart.add_trace(_marks(most, ~is_at_most(most, worst) & past, ink, colours, shared, size=13))
    for title, _, _, colour, _ in bars:  # in the legend no bar is red
        chart.add_scatter(
            x=[None], y=[None], mode="markers", name=label(title, 40),
            marker={"symbol": "square", "size": 12, "color": colour},
        )  # fmt: skip
    for position, i in zip(positions, order, strict=True):
        chart.add_annotation(
            x=1.04, y=position, xanchor="left", showarrow=False, font={"size": 12, "color": colours.ink}, align="left",
            text=_fall([release for _, release, _ in releases], i),
        )  # fmt: skip
    chart.update_xaxes(**_SHARES, range=[0, 1.5], title="loss: bar on average, mark at worst")
    chart.update_yaxes(
        tickvals=positions,
        ticktext=[label(" + ".join(comparison.sets[i]), 44) for i in order],
        range=[-0.6, len(order) - 0.4],
        showgrid=False,
    )
    chart.update_layout(showlegend=True, legend={"y": 1, "yanchor": "bottom", "traceorder": "normal"})
    return chart


def _fall(releases: Sequence[LeakageComparison], i: int) -> str:
    """The average loss of a set from the original to each release, a line each, with what became of it."""
    lines = []
    for release in releases:
        fall = change(percent(release.normalized_before[i]), percent(release.normalized_after[i]))
        lines.append(f"{fall}  <b>{release.fates[i]}</b>" if release.fates[i] else fall)
    return "<br>".join(lines)


def _marks(
    shares: np.ndarray, past: np.ndarray, other: str, colours: Palette, shared: dict[str, Any], size: int = 21
) -> go.Scatter:
    """The worst person's loss: an upright line at its share, a red diamond where it is past the limit."""
    colour = _coloured(past, colours.risky, other)
    marker = {
        "symbol": ["diamond-tall" if is_past else "line-ns" for is_past in past.tolist()],
        "size": [0.8 * size if is_past else size for is_past in past.tolist()],
        "color": colour,
        "opacity": 1,
        "line": {"width": [0 if is_past else 3 for is_past in past.tolist()], "color": colour},
    }
    return go.Scatter(x=shares, mode="markers", marker=marker, **(shared | {"showlegend": False}))


def _bold(text: str, past: bool) -> str:
    return f"<b>{text}</b>" if past else text


def _coloured(past: np.ndarray, risky: str, other: str) -> list[str]:
    return [risky if is_past else other for is_past in past.tolist()]


def _in_words(table: LeakageTable, i: int, unit: str) -> str:
    return (
        f"{escape(table.sets[i][0])}: {count(int(table.partitions[i]), 'values')}<br>"
        f"average {table.loss[i]:.3g} of {table.entropy:.3g} bits ({percent(table.normalized[i])})<br>"
        f"worst person {table.worst[i]:.3g} bits ({percent(table.worst_normalized[i])})<br>"
        f"smallest class: {count(int(table.smallest[i]), unit)}<br>"
        f"in classes below {table.k}: {count(int(table.below_k[i]), unit)}"
    )


def _limit_lines(chart: go.Figure, average: float, worst: float, colours: Palette) -> None:
    """The limits as dotted lines, their names on the sides away from each other."""
    for value, name, anchor in (
        (average, "average", "right" if average <= worst else "left"),
        (worst, "worst", "left" if average <= worst else "right"),
    ):
        if value < 1:
            chart.add_vline(x=value, line={"color": colours.risky, "width": 1.2, "dash": "dot"}, layer="below")
            chart.add_annotation(
                x=value, y=1, yref="paper", xanchor=anchor, yanchor="bottom", showarrow=False,
                text=f"{name} above {percent(value)}", font={"size": 12, "color": colours.risky},
            )  # fmt: skip
