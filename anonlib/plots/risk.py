"""Figures of class sizes and of what each quasi-identifier adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anonlib.basics.words import count
from anonlib.counting.classes import AnonymityVector
from anonlib.plots.theme import bar_marker, counts, escape, figure, label, palette

Scale = Literal["automatic", "even", "logarithmic"]
TOO_SMALL = 0.03  # of the tallest bar: below it a bar is a line at most
_SIDE_BY_SIDE, _WIDE = 6, 7  # bars whose numbers have room beside one another, and characters that take that of two
_LAST_SINGLE = 20
_LATER = (21, 31, 51, 101, 201, 501, 1_001, 5_001, 20_001)


@dataclass(frozen=True)
class SizeBins:
    """Class sizes put together for a picture: every size to 20 by itself, then wider and wider.

    ``lows`` and ``highs`` are the smallest and largest size of each bin, ``classes`` and ``records`` its content.
    """

    lows: np.ndarray
    highs: np.ndarray
    classes: np.ndarray
    records: np.ndarray

    @property
    def labels(self) -> list[str]:
        return [
            f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in zip(self.lows, self.highs, strict=True)
        ]


def size_bins(vector: AnonymityVector, k: int, largest: int | None = None) -> SizeBins:
    """Bins of class sizes; none mixes sizes below k with others.

    Parameters
    ----------
    vector : AnonymityVector
        The class sizes.
    k : int
        Smallest class size wanted.
    largest : int, optional
        The size that the bins reach at least; the vector's largest when left out. They reach 2 k in any case.
    """
    top = max(largest or 0, int(vector.sizes[-1]) if len(vector.sizes) else 1, 2 * k)
    starts = {*range(1, min(top, _LAST_SINGLE) + 1), *(low for low in _LATER if low <= top)}
    if k <= top:
        starts.add(k)
    lows = np.array(sorted(starts))
    highs = np.append(lows[1:] - 1, max(top, lows[-1]))
    bin_of_size = np.searchsorted(lows, vector.sizes, side="right") - 1
    classes = np.bincount(bin_of_size, weights=vector.classes, minlength=len(lows)).astype(int)
    records = np.bincount(bin_of_size, weights=vector.sizes * vector.classes, minlength=len(lows)).astype(int)
    return SizeBins(lows, highs, classes, records)


def is_logarithmic(
    vector: AnonymityVector, k: int, before: AnonymityVector | None = None, scale: Scale = "automatic"
) -> bool:
    """Whether the bars of :func:`class_sizes`, of the same class sizes and k, stand on a logarithmic axis.

    Left to itself (a scale that is "automatic") it is logarithmic if a bar below k would be lower than 3% of the
    tallest, and so not be seen.
    """
    if scale != "automatic":
        return scale == "logarithmic"
    drawn = [size_bins(v, k, _largest(vector, before)) for v in (vector, before or vector)]
    tallest = max(int(bins.records.max(initial=0)) for bins in drawn)
    red = drawn[0].records[(drawn[0].highs < k) & (drawn[0].records > 0)]
    return bool((red < TOO_SMALL * tallest).any())


def _largest(vector: AnonymityVector, before: AnonymityVector | None) -> int:
    return max((int(v.sizes[-1]) for v in (vector, before or vector) if len(v.sizes)), default=1)


def class_sizes(
    vector: AnonymityVector,
    k: int,
    *,
    before: AnonymityVector | None = None,
    unit: str = "records",
    scale: Scale = "automatic",
    dark: bool = False,
) -> go.Figure:
    """Records by the size of their class; those below k are red, hatched and have their number.

    Parameters
    ----------
    vector : AnonymityVector
        The class sizes.
    k : int
        Smallest class size wanted.
    before : AnonymityVector, optional
        Class sizes drawn over it as an outline.
    unit : str, default "records"
        What counts are of.
    scale : Scale, default "automatic"
        See :func:`is_logarithmic`.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    log = is_logarithmic(vector, k, before, scale)
    largest = _largest(vector, before)
    bins = size_bins(vector, k, largest)
    below_k = bins.highs < k
    amounts_of_red = [f"{n:,}" if red and n else "" for red, n in zip(below_k, bins.records.tolist(), strict=True)]
    crowded = sum(len(amount) // _WIDE + 1 for amount in amounts_of_red if amount) > _SIDE_BY_SIDE
    hover = [
        f"class size {label}<br>{count(records, unit)} in {count(classes, 'classes')}"
        for label, records, classes in zip(bins.labels, bins.records.tolist(), bins.classes.tolist(), strict=True)
    ]
    bar = go.Bar(
        x=bins.labels,
        y=bins.records,
        showlegend=False,
        marker=bar_marker(below_k, dark),
        text=amounts_of_red,
        textposition="outside",
        textfont={"color": colours.risky, "size": 12},
        textangle=-90 if crowded else 0,
        constraintext="none",
        cliponaxis=False,
        hovertext=hover,
        hoverinfo="text",
    )
    bars, layout = [bar], {}
    most = int(np.max(bins.records, initial=0))
    if before is not None:
        old = size_bins(before, k, largest)
        most = max(most, int(np.max(old.records, initial=0)))
        outline = {"color": "rgba(0,0,0,0)", "line": {"color": colours.original, "width": 1.5}}
        bars.append(
            go.Bar(
                x=old.labels, y=old.records, name="original", marker=outline,
                hovertemplate="original: %{y:,}<extra></extra>",
            )
        )  # fmt: skip
        bars += [_in_legend("release", False, bins, dark), _in_legend(f"release, below k = {k}", True, bins, dark)]
        layout = {"barmode": "overlay", "showlegend": True, "legend": {"x": 1, "xanchor": "right"}}
    if log:  # a bar of one record has a height, too
        room = 8 if crowded else 2
        amounts = {"type": "log", "range": [np.log10(0.5), np.log10(room * most)], "dtick": 1, "tickformat": ",d"}
    else:
        amounts = counts(most, room=1.25 if crowded else 1.12)
    below = int(np.searchsorted(bins.lows, k))
    if 0 < below <= len(bins.lows):
        line = {"color": colours.risky, "width": 1.5, "dash": "dot"}
        x = below - 0.5
        layout["shapes"] = [
            {"type": "line", "x0": x, "x1": x, "xref": "x", "y0": 0, "y1": 1, "yref": "y domain", "line": line}
        ]
        layout["annotations"] = [
            {
                "x": x, "y": 1, "yref": "paper", "text": f"k = {k}", "showarrow": False, "xanchor": "center",
                "yanchor": "bottom", "font": {"color": colours.risky, "size": 13},
            }
        ]  # fmt: skip
    title = f"size of the class: {unit} that share all quasi-identifiers"
    return figure(
        *bars, dark=dark, height=300, xaxis={"title": title, "type": "category"}, yaxis={"title": unit, **amounts},
        **layout,
    )  # fmt: skip


def _in_legend(name: str, red: bool, bins: SizeBins, dark: bool) -> go.Bar:
    """Nothing but a line of the legend: a trace whose bars have several colours has none that is right."""
    return go.Bar(x=bins.labels[:1], y=[None], name=name, marker=bar_marker([red], dark), hoverinfo="skip")


def contributions(
    table: pd.DataFrame, below_with: int, k: int, *, unit: str = "records", dark: bool = False
) -> go.Figure:
    """Records below k with all quasi-identifiers, and without each one: the longer the bar, the more it adds.

    Parameters
    ----------
    table : pd.DataFrame
        That of :func:`anonlib.analyses.risk.attribute_contributions`.
    below_with : int
        Records below k with all.
    k : int
        Smallest class size wanted.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    rows = table.iloc[::-1]
    names = [label(name) for name in rows["attribute"]]
    hover = [
        f"{escape(name)}<br>{below_with:,} {unit} below k = {k} with it<br>{without:,} without it (k = {k_without:,})"
        for name, without, k_without in zip(rows["attribute"], rows["below_k_without"], rows["k_without"], strict=True)
    ]
    positions = list(range(len(rows)))
    bar = go.Bar(
        y=positions,
        x=rows["adds_below_k"],
        orientation="h",
        marker_color=colours.safe,
        text=[f"+{added:,}" for added in rows["adds_below_k"]],
        textposition="auto",
        hovertext=hover,
        hoverinfo="text",
    )
    chart = figure(bar, dark=dark, height=max(160, 60 + 34 * len(rows)))
    chart.update_xaxes(
        title=f"{unit} that fall below k = {k} because the attacker also knows this column",
        # Below 0 where records that lack a value are left out: without the column more are counted.
        **counts(int(rows["adds_below_k"].max()), least=min(0, int(rows["adds_below_k"].min()))),
    )
    chart.update_yaxes(tickvals=positions, ticktext=names, showgrid=False)
    return chart
