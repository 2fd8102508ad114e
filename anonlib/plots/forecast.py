"""Figures of a forecast: in how many draws policies keep a promise, by the number of people; and the draws' shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.forecast import Promise, RiskForecast
from anonlib.basics.words import count, percent
from anonlib.plots.theme import bar_marker, counts, escape, figure, mixed, palette

_POINTS = 240  # of a line: as many as can be seen
_BARS, _FEW_BARS = 24, 8


@dataclass(frozen=True, eq=False)
class KeptLine:
    """In how many draws a policy keeps a promise.

    Attributes
    ----------
    name : str
        What it is called.
    kept : np.ndarray
        int64, for each number of people from 0 on.
    role : Literal["present", "finest", "other"]
        What it is drawn as.
    """

    name: str
    kept: np.ndarray
    role: Literal["present", "finest", "other"]


def kept_by_number(
    lines: Sequence[KeptLine], promise: Promise, draws: int, people: int, *, dark: bool = False
) -> go.Figure:
    """In how many of the draws each policy keeps a promise, against the number of people of a release.

    Parameters
    ----------
    lines : Sequence[KeptLine]
        The policies, those of the table from coarse to fine.
    promise : Promise
        What is kept.
    draws : int
        Of each number of people.
    people : int
        The number that is asked about.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    longest = max(len(line.kept) for line in lines) - 1
    at = np.unique(np.geomspace(min(2, longest), longest, _POINTS).round().astype(np.int64))
    chart = figure(dark=dark, height=400)
    others = [line for line in lines if line.role == "other"]
    for line in sorted(lines, key=lambda line: ("other", "present", "finest").index(line.role)):
        style = {"width": 3.2, "color": colours.sequence[0]}
        if line.role == "present":
            style = {"width": 2.4, "color": colours.ink, "dash": "dash"}
        elif line.role == "other":
            amount = 0.25 + 0.5 * others.index(line) / max(1, len(others) - 1)
            style = {"width": 1.4, "color": mixed(colours.much, colours.little, amount)}
        share = line.kept[at] / draws
        chart.add_scatter(
            x=at, y=share, mode="lines", line=style, name=escape(line.name), showlegend=line.role != "other",
            customdata=line.kept[at],
            hovertemplate=f"{escape(line.name)}<br>%{{x:,d}} people: kept in %{{customdata:,d}} of {draws:,} draws"
            "<extra></extra>",
        )  # fmt: skip
    chart.add_hline(y=promise.certainty, line={"color": colours.risky, "width": 1.4, "dash": "dot"})
    chart.add_vline(x=people, line={"color": colours.faint, "width": 1.2, "dash": "dot"})
    chart.add_annotation(
        x=np.log10(people), y=1.06, yref="paper", text=f"{people:,} people", showarrow=False,
        xanchor="right" if 2 * people > longest else "center",
        font={"size": 12, "color": colours.faint},
    )  # fmt: skip
    chart.add_annotation(
        x=1.0, xref="paper", xanchor="right", y=promise.certainty, yanchor="top", showarrow=False,
        text=f"asked for: {percent(promise.certainty)}",
        font={"size": 12, "color": colours.risky},
    )  # fmt: skip
    chart.update_xaxes(
        title="people of a release", type="log", tickvals=_ticks(longest), ticktext=[f"{n:,}" for n in _ticks(longest)],
        range=[np.log10(max(1, at[0])), np.log10(longest) + 0.02],
    )  # fmt: skip
    chart.update_yaxes(title="share of draws that keep the promise", tickformat=".0%", range=[-0.02, 1.03])
    chart.update_layout(showlegend=True, legend={"y": 1.17})
    return chart


def _ticks(longest: int) -> list[int]:
    ticks = [factor * 10**power for power in range(len(str(longest))) for factor in (1, 2, 5)]
    return [tick for tick in ticks if 2 <= tick <= longest]


def shares(drawn: RiskForecast, promise: Promise, *, dark: bool = False) -> go.Figure:
    """How many draws have which share of people in small classes; red is more than promised.

    Parameters
    ----------
    drawn : RiskForecast
        The draws.
    promise : Promise
        What is kept.
    dark : bool, default False
        Whether the page is dark.
    """
    share = drawn.share
    width = _width(float(share.max()), promise.most)
    # A share that is exactly promised is in the bar that ends with it.
    number = np.maximum(0, np.ceil(share / width - 1e-9).astype(np.int64) - 1)
    number[share == 0] = -1
    bars, inverse = np.unique(number, return_inverse=True)
    draws = np.bincount(inverse)
    names = ["0%" if bar < 0 else f"{percent(bar * width)} to {percent((bar + 1) * width)}" for bar in bars.tolist()]
    risky = (bars + 1) * width > promise.most * (1 + 1e-9)
    chart = figure(dark=dark, height=320)
    chart.add_bar(
        x=names, y=draws, marker=bar_marker(risky, dark),
        hovertext=[f"{name} below k: {count(n, 'draws')}" for name, n in zip(names, draws.tolist(), strict=True)],
        hoverinfo="text",
    )  # fmt: skip
    room = max(0, _FEW_BARS - len(names)) / 2  # a bar alone would be as wide as the picture
    chart.update_xaxes(
        title=f"share of a release’s people in classes below {drawn.k}", type="category",
        range=[-0.5 - room, len(names) - 0.5 + room],
    )  # fmt: skip
    chart.update_yaxes(title="draws", **counts(int(draws.max())))
    return chart


def _width(most: float, promised: float) -> float:
    """Of bars of which one ends at what is promised, and that are not too many."""
    if promised <= 0:
        return max(most, 1e-6) / _BARS
    return promised * max(1, int(np.ceil(most / promised / _BARS)))
