"""What the colours of a map of regions say, and its legend."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Literal

import geopandas as gpd
import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.plots.theme import DARK_INK, LIGHT_INK, figure, mixed, palette, rgb

Colour = Literal["left out", "smallest class", "region"]

_STEPS = (0.3, 0.62, 1.0)  # how much of the red there is in: up to 5%, up to 20%, more
_SHARES = (0.05, 0.2)


@dataclass(frozen=True)
class Levels:
    """What the colours of a map say: the words and the colour of each level, and each region's level (int64).

    ``hatched`` is how many lines are drawn across the regions of each level (0, 1 or 2 times as many), and ``lines``
    their colour: a print without colours shows as much.
    """

    words: tuple[str, ...]
    colours: tuple[str, ...]
    of_region: np.ndarray
    hatched: tuple[int, ...]
    lines: str


def levels(aggregation: Aggregation, colour: Colour = "left out", *, dark: bool = False) -> Levels:
    """The colours of regions: red, in steps, where records are below k; calm and lighter than full red where none is.

    Parameters
    ----------
    aggregation : Aggregation
        The regions.
    colour : Colour, default "left out"
        What the colours say.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    page = DARK_INK if dark else LIGHT_INK
    empty = aggregation.records == 0
    if colour == "smallest class":
        k, least = aggregation.k, aggregation.smallest_class
        level = np.searchsorted([k, 2 * k, 5 * k], least, side="right")
        labels = (f"below {k:,}", f"{k:,} to {2 * k - 1:,}", f"{2 * k:,} to {5 * k - 1:,}", f"{5 * k:,} or more")
        shades = (colours.risky, *(mixed(colours.much, colours.little, part) for part in (0.0, 0.3, 0.6)))
        hatched, lines = (1, 0, 0, 0), page
    else:
        share = aggregation.left_out / np.maximum(aggregation.records, 1)
        level = np.where(share > 0, 1 + np.searchsorted(_SHARES, share, side="left"), 0)
        labels = ("nobody", "up to 5%", "up to 20%", "more than 20%")
        shades = (colours.little, *(mixed(colours.risky, page, part) for part in _STEPS))
        hatched, lines = (0, 1, 2, 0), colours.risky
    of_region = np.where(empty, len(labels), level).astype(np.int64)
    return Levels((*labels, "no records"), (*shades, page), of_region, (*hatched, 0), lines)


def map_legend(aggregation: Aggregation, colour: Colour = "left out", *, dark: bool = False) -> go.Figure:
    """The levels of a map in a line: the colour, its words, and how many regions have it.

    Parameters
    ----------
    aggregation : Aggregation
        The regions.
    colour : Colour, default "left out"
        What the colours say.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    if colour == "region":
        return figure(dark=dark, height=30)
    drawn_levels = levels(aggregation, colour, dark=dark)
    times = np.bincount(drawn_levels.of_region, minlength=len(drawn_levels.words))
    used = [i for i in range(len(drawn_levels.words)) if times[i] or i < len(drawn_levels.words) - 1]
    chart = figure(dark=dark, height=60, showlegend=True, margin={"l": 0, "r": 0, "t": 0, "b": 0})
    for i in used:
        lines = (
            {"shape": "/", "size": 10 / drawn_levels.hatched[i], "fgcolor": drawn_levels.lines}
            if drawn_levels.hatched[i]
            else {}
        )
        chart.add_bar(
            x=[None], y=[None], hoverinfo="skip", name=f"{drawn_levels.words[i]}: {times[i]:,}",
            marker={"color": drawn_levels.colours[i], "line": {"width": 1, "color": colours.faint},
                    "pattern": {"fillmode": "overlay", "solidity": 0.2, **lines}},
        )  # fmt: skip
    title = "left out" if colour == "left out" else "smallest class"
    chart.update_layout(
        legend={"title": {"text": f"{title}:  ", "side": "left"}, "x": 0, "y": 1, "itemclick": False,
                "itemdoubleclick": False},
    )  # fmt: skip
    chart.update_xaxes(visible=False)
    chart.update_yaxes(visible=False)
    return chart


def fills(shapes: gpd.GeoDataFrame | None, aggregation: Aggregation, colour: Colour, dark: bool) -> list[list[int]]:
    """The colour of each region as red, green and blue, 0 to 255."""
    if colour != "region" or shapes is None:
        drawn_levels = levels(aggregation, colour, dark=dark)
        return [rgb(drawn_levels.colours[i]) for i in drawn_levels.of_region.tolist()]
    page = DARK_INK if dark else LIGHT_INK
    tints = [rgb(mixed(hue, page, 0.5)) for hue in palette(dark).sequence]
    return [tints[i] for i in _apart(shapes, len(tints))]


def _apart(shapes: gpd.GeoDataFrame, n_colours: int) -> list[int]:
    """A colour for each outline, not that of a neighbour; where all are taken, the one fewest neighbours have.

    The outline with the fewest neighbours is taken away again and again and coloured last (Matula and Beck 1983): on a
    map whose outlines are all of one piece six colours are then enough.
    """
    a, b = shapes.sindex.query(shapes.geometry, predicate="intersects")
    near: list[set[int]] = [set() for _ in range(len(shapes))]
    for region, neighbour in zip(a.tolist(), b.tolist(), strict=True):
        if region != neighbour:
            near[region].add(neighbour)
    left = [len(neighbours) for neighbours in near]
    heap = [(n, region) for region, n in enumerate(left)]
    heapq.heapify(heap)
    order: list[int] = []
    gone = [False] * len(near)
    while heap:
        n, region = heapq.heappop(heap)
        if gone[region] or n != left[region]:
            continue
        gone[region] = True
        order.append(region)
        for neighbour in near[region]:
            left[neighbour] -= 1
            heapq.heappush(heap, (left[neighbour], neighbour))
    given = [-1] * len(near)
    for region in reversed(order):
        taken = [0] * n_colours
        for neighbour in near[region]:
            if given[neighbour] >= 0:
                taken[given[neighbour]] += 1
        given[region] = min(range(n_colours), key=lambda c: (taken[c], (c - region) % n_colours))
    return given
