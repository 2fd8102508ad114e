"""Figures of regions beside their map: configurations side by side, and what a number of regions leaves out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from anonlib.analyses.regions.measures import Measures
from anonlib.analyses.regions.spatial import SpatialAnonymity
from anonlib.basics import words
from anonlib.plots.theme import Palette, escape, figure, label, palette

_ROW, _HEAD, _AROUND = 22, 1.25, 62  # pixels of a run, rows of a group's heading, pixels around all of them
_BARS, _NUMBERS, _GAP = 0.19, 0.09, 0.02  # of the width: a panel of bars, of numbers alone, and between panels
_ROOM = 1.6  # of the longest bar, for the number at its end
_NAME = 44  # letters of a run's name
_Panel = tuple[str, str, Callable[["ComparedRun"], float | None], Callable[["ComparedRun"], str]]
_HUES = {"balanced": 0, "clustering": 1, "exchange": 2, "given": 3}  # of the palette's sequence, by placement


@dataclass(frozen=True)
class ComparedRun:
    """A configuration beside others.

    Attributes
    ----------
    way : str
        How its regions come about, in words.
    placement : str
        "balanced", "clustering", "exchange" or "given": its colour.
    k : int
        Smallest class size wanted.
    measures : Measures
        What it keeps, costs and leaves out.
    spatial : SpatialAnonymity
        What it leaves open of who and where.
    """

    way: str
    placement: str
    k: int
    measures: Measures
    spatial: SpatialAnonymity

    @property
    def heading(self) -> str:
        """Of the runs that it can be compared with: as many regions, for the same k."""
        return f"{words.count(self.measures.regions, 'regions')}, k = {self.k}"


def in_groups(runs: Sequence[ComparedRun]) -> list[ComparedRun]:
    """Runs in the order in which they are compared: by k, by the number of regions, given ones before the others.

    Parameters
    ----------
    runs : Sequence[ComparedRun]
        In any order; those of one group and placement stay in theirs.
    """
    return sorted(runs, key=lambda run: (run.k, run.measures.regions, (1 + _HUES[run.placement]) % len(_HUES)))


def measures_bars(runs: Sequence[ComparedRun], *, unit: str = "records", dark: bool = False) -> go.Figure:
    """The four measures of each run (Croft et al. 2015, Figures 3 to 5, and records left out), and what it hides.

    Runs of as many regions stand together under their number, each with its name, and the lowest of a group is bold.
    Bars are from 0 on one scale a panel; shorter is better. How many people are the fewest in a region, and how often
    an area is guessed, are numbers beside them: they are no losses.

    Parameters
    ----------
    runs : Sequence[ComparedRun]
        In any order.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    shown = in_groups(runs)
    rows, headings, at = list[float](), dict[str, float](), 0.0
    for run in shown:
        if run.heading not in headings:
            headings[run.heading], at = at, at + _HEAD
        rows.append(at)
        at += 1
    hues = [colours.sequence[_HUES[run.placement]] for run in shown]
    chart = figure(dark=dark, height=round(_ROW * at) + _AROUND, bargap=0.25, margin={"t": 48})
    left = 0.0
    for j, (name, meaning, value, text) in enumerate(_panels(unit)):
        values = [value(run) for run in shown]
        is_bars, axis = j < _MEASURES, f"x{j + 1}" if j else "x"
        numbers = _with_best_bold(shown, values, [text(run) for run in shown]) if is_bars else list(map(text, shown))
        about = {"hoverinfo": "text", "hovertext": [_hover(run, unit) for run in shown], "xaxis": axis, "yaxis": "y"}
        if is_bars:
            chart.add_bar(
                x=values, y=rows, orientation="h", marker={"color": hues, "line": {"width": 0}}, text=numbers,
                textposition="outside", textangle=0, cliponaxis=False, textfont={"size": 12, "color": colours.ink},
                **about,
            )  # fmt: skip
        else:
            chart.add_scatter(
                x=[0] * len(rows), y=rows, mode="text", text=numbers, textposition="middle right", cliponaxis=False,
                textfont={"size": 12, "color": colours.ink}, **about,
            )  # fmt: skip
        wide = _BARS if is_bars else _NUMBERS
        top = _ROOM * max([*(part or 0 for part in values), 0]) or 1
        chart.update_layout({
            f"xaxis{j + 1 if j else ''}": {
                "domain": [left, min(1.0, left + wide - _GAP)], "range": [0, top if is_bars else 1], "visible": False,
                "fixedrange": True, "anchor": "y",
            }
        })  # fmt: skip
        chart.add_annotation(
            x=left, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", yshift=6, showarrow=False,
            align="left", text=f"<b>{name}</b><br><span style='color:{colours.faint}'>{meaning}</span>",
            font={"size": 12, "color": colours.ink},
        )  # fmt: skip
        left += wide + (_GAP if j == _MEASURES - 1 else 0)
    ticks = [(y, f"{label(run.way, _NAME)}  ") for run, y in zip(shown, rows, strict=True)]
    ticks += [(y + 0.1, f"<b>{heading}</b>  ") for heading, y in headings.items()]
    chart.update_yaxes(
        tickvals=[y for y, _ in ticks], ticktext=[text for _, text in ticks], range=[at - 0.4, -0.6],
        showgrid=False, fixedrange=True, tickfont={"size": 12, "color": colours.ink},
    )  # fmt: skip
    return chart


def _with_best_bold(shown: Sequence[ComparedRun], values: Sequence[float | None], numbers: list[str]) -> list[str]:
    """The numbers, that of the lowest value of each group in bold, where others of the group are higher."""
    of_group = dict[str, list[float]]()
    for run, value in zip(shown, values, strict=True):
        of_group.setdefault(run.heading, []).append(value or 0)
    least = {heading: min(group) for heading, group in of_group.items() if min(group) < max(group)}
    return [
        f"<b>{number}</b>" if value == least.get(run.heading) else number
        for run, value, number in zip(shown, values, numbers, strict=True)
    ]


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


_MEASURES = 4  # panels of bars; what comes after them are numbers


def _panels(unit: str) -> tuple[_Panel, ...]:
    return (
        (
            "Left out", f"share of the {unit}",
            lambda run: run.measures.share_left_out, lambda run: words.percent(run.measures.share_left_out),
        ),
        (
            "Compactness", "km, all areas",
            lambda run: run.measures.compactness, lambda run: _short(run.measures.compactness / 1000),
        ),
        (
            "Discernibility", "class sizes, squared",
            lambda run: float(run.measures.discernibility), lambda run: _short(float(run.measures.discernibility)),
        ),
        (
            "Non-uniform entropy", f"bits, all {unit}",
            lambda run: run.measures.entropy, lambda run: _short(run.measures.entropy),
        ),
        ("Fewest", "people", lambda run: run.spatial.fewest_people, _fewest),
        ("Area", "guessed", lambda run: run.spatial.area_guessed, _guessed),
    )  # fmt: skip


def _fewest(run: ComparedRun) -> str:
    return "—" if run.spatial.fewest_people is None else f"{run.spatial.fewest_people:,}"


def _guessed(run: ComparedRun) -> str:
    return "—" if run.spatial.area_guessed is None else words.percent(run.spatial.area_guessed)


def _hover(run: ComparedRun, unit: str) -> str:
    measures = run.measures
    withheld = f", {measures.withheld:,} of them left out whole" if measures.withheld else ""
    return "<br>".join(
        (
            f"<b>{escape(run.way)}</b>, {words.count(measures.regions, 'regions')}{withheld}",
            f"left out: {words.share(measures.left_out, measures.n_records, unit)}",
            f"compactness: {measures.compactness / 1000:,.0f} km",
            f"discernibility: {measures.discernibility:,} {unit}²",
            f"non-uniform entropy: {measures.entropy:,.0f} bits",
            f"fewest people in a region: {_fewest(run)}",
            f"area guessed: {_guessed(run)}",
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
