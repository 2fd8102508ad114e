"""Figures of regions beside their map: configurations side by side, and what a number of regions leaves out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from anonlib.analyses.regions.measures import Measures
from anonlib.basics import words
from anonlib.plots.theme import Palette, escape, figure, label, palette

_ROW, _AROUND = 34, 92  # pixels of a configuration, and of what is around all of them
_GAP = 0.035  # of the width, between panels
_ROOM = 1.45  # of the longest bar, for the number at its end
_Panel = tuple[str, str, Callable[[Measures], float], Callable[[Measures], str]]


def measures_bars(
    configurations: Sequence[tuple[str, Measures]], *, unit: str = "records", dark: bool = False
) -> go.Figure:
    """The four measures of each configuration, a panel each (Croft et al. 2015, Figures 3 to 5, and records left out).

    Shorter is better in every panel. The order and the colour of a configuration are the same in all of them.

    Parameters
    ----------
    configurations : Sequence[tuple[str, Measures]]
        Names with measures.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    shown = list(configurations)
    rows = list(range(len(shown)))
    hues = [colours.sequence[i % len(colours.sequence)] for i in rows]
    hatches = ["/" if i // len(colours.sequence) % 2 else "" for i in rows]
    chart = figure(dark=dark, height=_ROW * max(1, len(rows)) + _AROUND, bargap=0.3, margin={"t": 48})
    panels = _panels(unit)
    wide = (1 + _GAP) / len(panels) - _GAP
    for j, (name, meaning, value, text) in enumerate(panels):
        values = [value(measures) for _, measures in shown]
        numbers = [text(measures) for _, measures in shown]
        axis = f"x{j + 1}" if j else "x"
        chart.add_bar(
            x=values, y=rows, orientation="h", xaxis=axis, yaxis="y",
            marker={"color": hues, "line": {"width": 0}, "pattern": {"shape": hatches, "fillmode": "overlay"}},
            text=numbers, textposition="outside", textangle=0, cliponaxis=False,
            textfont={"size": 12, "color": colours.ink}, hoverinfo="text",
            hovertext=[_hover(title, measures, unit) for title, measures in shown],
        )  # fmt: skip
        left = j * (wide + _GAP)
        chart.update_layout(
            {
                f"xaxis{j + 1 if j else ''}": {
                    "domain": [left, min(1.0, left + wide)],
                    "range": [0, _ROOM * max([*values, 0]) or 1],
                    "visible": False,
                    "fixedrange": True,
                    "anchor": "y",
                }
            }
        )
        chart.add_annotation(
            x=left, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", yshift=6, showarrow=False,
            align="left", text=f"<b>{name}</b><br><span style='color:{colours.faint}'>{meaning}</span>",
            font={"size": 12, "color": colours.ink},
        )  # fmt: skip
    chart.update_yaxes(
        tickvals=rows, ticktext=[label(title, 34) for title, _ in shown], range=[len(rows) - 0.4, -0.6],
        showgrid=False, fixedrange=True, tickfont={"size": 12, "color": colours.ink},
    )  # fmt: skip
    return chart


def left_out_curve(
    points: Sequence[tuple[int, Measures]],
    *,
    current: int | None = None,
    target: float | None = None,
    unit: str = "records",
    searched: Sequence[tuple[int, Measures]] = (),
    names: tuple[str, str] = ("balanced", "searched"),
    dark: bool = False,
) -> go.Figure:
    """The share of the records left out against the number of regions asked for; red past the target.

    Parameters
    ----------
    points : Sequence[tuple[int, Measures]]
        Numbers of regions with measures.
    current : int, optional
        The number that is looked at.
    target : float, optional
        Share of the records that may be left out, in [0, 1].
    unit : str, default "records"
        What counts are of.
    searched : Sequence[tuple[int, Measures]], default ()
        The same of regions that were searched for, a line of its own.
    names : tuple[str, str], default ("balanced", "searched")
        What the two lines are called.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    traces = _line_and_dots(points, names[0], None if searched else current, target, unit, colours)
    if searched:
        traces += _line_and_dots(searched, names[1], current, target, unit, colours, dash="dot")
    chart = figure(*traces, dark=dark, height=320, showlegend=bool(searched), legend={"x": 0, "y": 1})
    top = max([*(share for trace in traces for share in trace.y), 100 * (target or 0), 0.1])
    chart.update_xaxes(title="number of regions", type="log", tickformat=",d", dtick="D2", fixedrange=True)
    chart.update_yaxes(title=f"{unit} left out", ticksuffix="%", range=[0, 1.12 * top], fixedrange=True)
    if target is not None:
        chart.add_hline(y=100 * target, line={"color": colours.risky, "width": 1.2, "dash": "dash"})
        chart.add_annotation(
            x=0, xref="paper", y=100 * target, xanchor="left", yanchor="bottom", showarrow=False,
            text=f"at most {words.percent(target)}", font={"size": 12, "color": colours.risky},
        )  # fmt: skip
    if current is not None:
        chart.add_vline(x=current, line={"color": colours.faint, "width": 1.2, "dash": "dot"})
        chart.add_annotation(
            x=math.log10(max(1, current)), y=1, yref="paper", xanchor="center", yanchor="bottom", showarrow=False,
            text=words.count(current, "regions"), font={"size": 12, "color": colours.ink},
        )  # fmt: skip
    return chart


def _line_and_dots(
    points: Sequence[tuple[int, Measures]],
    name: str,
    current: int | None,
    target: float | None,
    unit: str,
    colours: Palette,
    dash: str = "solid",
) -> list[go.Scatter]:
    ordered = sorted(points, key=lambda point: point[0])
    numbers = [number for number, _ in ordered]
    share = [100 * measures.share_left_out for _, measures in ordered]
    red = [target is not None and measures.share_left_out > target for _, measures in ordered]
    line = go.Scatter(
        x=numbers, y=share, mode="lines", line={"color": colours.original, "width": 1.5, "dash": dash}, name=name,
        hoverinfo="skip",
    )  # fmt: skip
    marker = {
        "opacity": 1,
        "size": [13 if number == current else 8 for number in numbers],
        "symbol": ["diamond" if is_red else "circle" for is_red in red],
        "color": [colours.risky if is_red else colours.safe for is_red in red],
        "line": {"color": colours.ink, "width": [2.5 if number == current else 0 for number in numbers]},
    }
    hover = [_point(number, measures, unit) for number, measures in ordered]
    dots = go.Scatter(
        x=numbers, y=share, mode="markers", cliponaxis=False, marker=marker, showlegend=False, hoverinfo="text",
        hovertext=hover,
    )  # fmt: skip
    return [line, dots]


def _panels(unit: str) -> tuple[_Panel, ...]:
    return (
        ("Left out", f"share of the {unit}", lambda m: m.share_left_out, lambda m: words.percent(m.share_left_out)),
        (
            "Compactness",
            "km from area to middle, all areas",
            lambda m: m.compactness,
            lambda m: _short(m.compactness / 1000),
        ),
        (
            "Discernibility",
            "class sizes, squared",
            lambda m: float(m.discernibility),
            lambda m: _short(float(m.discernibility)),
        ),
        ("Non-uniform entropy", f"bits, all {unit}", lambda m: m.entropy, lambda m: _short(m.entropy)),
    )


def _hover(title: str, measures: Measures, unit: str) -> str:
    return "<br>".join(
        (
            f"<b>{escape(title)}</b>, {words.count(measures.regions, 'regions')}",
            f"left out: {words.share(measures.left_out, measures.n_records, unit)}",
            f"compactness: {measures.compactness / 1000:,.0f} km",
            f"discernibility: {measures.discernibility:,} {unit}²",
            f"non-uniform entropy: {measures.entropy:,.0f} bits",
        )
    )


def _point(number: int, measures: Measures, unit: str) -> str:
    regions = words.count(measures.regions, "regions")
    first = regions if number == measures.regions else f"{regions} ({number:,} asked for)"
    return f"{first}<br>left out: {words.share(measures.left_out, measures.n_records, unit)}"


def _short(number: float) -> str:
    """Three digits: ``950``, ``1.2k``, ``35.1k``, ``1.24M``, ``3.5bn``; the exact number is in the hover."""
    for size, letter in ((10**12, "tn"), (10**9, "bn"), (10**6, "M"), (10**3, "k")):
        if abs(number) >= 0.9995 * size:
            value = number / size
            return (f"{value:.3g}" if value < 999.5 else f"{value:,.0f}") + letter
    return f"{number:.3g}"
