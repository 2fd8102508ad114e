"""A hierarchy as a picture: one column of boxes a level, each box above the values it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from anonlib.basics.words import count
from anonlib.coarsening.hierarchies import Hierarchy, Levels
from anonlib.coarsening.recoding import Intervals
from anonlib.plots.theme import figure, label, palette
from anonlib.values.cells import MISSING_LABEL

MOST_BOXES = 400  # on one level: more would be lines
_ROW, _LEAST, _TALL = 22, 150, 480  # pixels: a value, and all values
_READABLE, _GAP = 13, 1.6  # pixels: of a box that holds its label, and between boxes
_BOX, _EDGE = 0.985, 0.035  # of the width of a level: a box, and the red edge of one with few records
_WIDE, _CHARACTER = 1_000, 7.4  # pixels of all levels, and of a character


def tree(
    hierarchy: Hierarchy,
    levels: Levels,
    records: Sequence[int] | np.ndarray,
    *,
    k: int = 0,
    unit: str = "records",
    dark: bool = False,
) -> go.Figure:
    """Levels from left to right, values from top to bottom, equally tall: a box is as tall as the values in it.

    If boxes are too small for their labels, the first and last of those under one larger box are named. A level of more
    than ``MOST_BOXES`` groups is drawn as one box that says how many they are.

    Parameters
    ----------
    hierarchy : Hierarchy
        The levels that values go up.
    levels : Levels
        The labels that each value of a column has on them.
    records : Sequence[int] | np.ndarray
        Records of each value.
    k : int, default 0
        Boxes of fewer records have a red edge.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    n = levels.n_values
    height = min(_TALL, max(_LEAST, _ROW * n))
    pixel = n / height  # in values
    characters = max(6, int(_WIDE / levels.n_levels / _CHARACTER) - 2)
    order = leaf_order(levels)
    amounts = np.asarray(records, dtype=np.int64)[order]
    boxes = [_Boxes.of(levels, level, order, amounts) for level in range(levels.n_levels)]
    traces: list[go.Bar | go.Scatter] = []
    for level, drawn in enumerate(boxes):
        traces += _bars(drawn, level, pixel, characters, k, unit, dark)
        if not drawn.mostly_named(pixel):
            wider = next((other for other in boxes[level + 1 :] if other.mostly_named(pixel)), None)
            if wider is not None:
                traces.append(_name_spans(drawn, wider, level, pixel, characters, dark))
    return figure(
        *traces,
        dark=dark,
        height=height + 46,
        bargap=0,
        barmode="overlay",
        dragmode=False,
        margin={"l": 0, "r": 0, "t": 40, "b": 4},
        xaxis={
            "side": "top",
            "range": [-0.005, levels.n_levels],
            "tickvals": [level + _BOX / 2 for level in range(levels.n_levels)],
            "ticktext": [heading(hierarchy, level, characters) for level in range(levels.n_levels)],
            "ticks": "",
            "showline": False,
            "fixedrange": True,
        },
        yaxis={"visible": False, "autorange": False, "range": [n, 0], "fixedrange": True},
    )


@dataclass(frozen=True, eq=False)
class _Boxes:
    """The groups of a level in the order drawn: first place, label, number of values and of records."""

    starts: np.ndarray
    names: list[str]
    sizes: np.ndarray
    records: np.ndarray

    @classmethod
    def of(cls, levels: Levels, level: int, order: np.ndarray, records: np.ndarray) -> _Boxes:
        group = levels.group[level][order]
        n = len(group)
        starts = np.flatnonzero(np.append(True, group[1:] != group[:-1])[:n])
        names = [MISSING_LABEL if name is None else str(name) for name in levels.labels[level][group[starts]]]
        if len(starts) > MOST_BOXES:
            starts, names = starts[:1], [f"{len(starts):,} " + ("labels" if level else "values")]
        sizes = np.diff(np.append(starts, n))
        return cls(starts, names, sizes, np.add.reduceat(records, starts) if n else records)

    def named(self, pixel: float) -> np.ndarray:
        """bool per group: its box holds its label; ``pixel`` is one in values."""
        return self.sizes >= _READABLE * pixel

    def mostly_named(self, pixel: float) -> bool:
        return 2 * int(self.sizes[self.named(pixel)].sum()) >= int(self.sizes.sum())


def _bars(boxes: _Boxes, level: int, pixel: float, characters: int, k: int, unit: str, dark: bool) -> list[go.Bar]:
    """The boxes of a level, and the red edges of those with few records."""
    colours = palette(dark)
    middle = boxes.starts + boxes.sizes / 2
    tall = boxes.sizes - np.minimum(_GAP * pixel, 0.25 * boxes.sizes)
    bars = go.Bar(
        orientation="h",
        base=[level] * len(middle),
        x=[_BOX] * len(middle),
        y=middle,
        width=tall,
        marker={"color": colours.little, "line": {"width": 0}},
        text=[
            f"{label(name, characters - len(f'{amount:,}') - 2)}  <span style='opacity:0.65'>{amount:,}</span>"
            if named
            else ""
            for name, amount, named in zip(boxes.names, boxes.records, boxes.named(pixel), strict=True)
        ],
        textposition="inside",
        insidetextanchor="start",
        textangle=0,
        constraintext="none",
        textfont={"size": 12, "color": colours.ink},
        hovertext=[
            f"{label(name, 80)}<br>{count(int(amount), unit)}" + (f", {size:,} values" if size > 1 else "")
            for name, amount, size in zip(boxes.names, boxes.records, boxes.sizes, strict=True)
        ],
        hoverinfo="text",
    )
    few = (boxes.records < k) & (boxes.records > 0)
    if not few.any():
        return [bars]
    edges = go.Bar(
        orientation="h",
        base=[level + _BOX - _EDGE] * int(few.sum()),
        x=[_EDGE] * int(few.sum()),
        y=middle[few],
        width=tall[few],
        marker={"color": colours.risky, "line": {"width": 0}},
        hoverinfo="skip",
    )
    return [bars, edges]


def _name_spans(boxes: _Boxes, wider: _Boxes, level: int, pixel: float, characters: int, dark: bool) -> go.Scatter:
    """Over boxes too small for labels: the first and the last of those under each box of a wider level."""
    colours = palette(dark)
    own = np.append(0, np.cumsum(boxes.named(pixel)))
    tall = np.flatnonzero(wider.named(pixel))
    first = np.searchsorted(boxes.starts, wider.starts[tall])
    last = np.searchsorted(boxes.starts, wider.starts[tall] + wider.sizes[tall]) - 1
    apart = own[last + 1] == own[first]  # none of those under it has room for its own label
    tall, first, last = tall[apart], first[apart], last[apart]
    most = characters // 2 - 1
    halo = ", ".join([f"0 0 3px {colours.little}"] * 6)
    return go.Scatter(
        x=[level + 0.015] * len(tall),
        y=wider.starts[tall] + wider.sizes[tall] / 2,
        mode="text",
        text=[
            label(boxes.names[a], characters)
            if a == b
            else f"{label(boxes.names[a], most)} … {label(boxes.names[b], most)}"
            for a, b in zip(first, last, strict=True)
        ],
        textposition="middle right",
        textfont={"size": 12, "color": colours.ink, "shadow": halo},
        hoverinfo="skip",
    )


def heading(hierarchy: Hierarchy, level: int, characters: int = 28) -> str:
    """What stands over a level: its number and how it is made.

    Parameters
    ----------
    hierarchy : Hierarchy
        The one that the level is of.
    level : int
        The level, 0 for the values themselves.
    characters : int, default 28
        The longest heading.
    """
    name = f"Level {level}" if level else "Values"
    how = hierarchy.describe(level)
    recoding = hierarchy.recodings[level - 1] if level else None
    if len(how) > characters and isinstance(recoding, Intervals):
        how = f"{len(recoding.cuts) + 1} intervals" if recoding.cuts else how.split(",")[0].split(" from ")[0]
    return f"<b>{name}</b><br>{label(how if len(how) <= characters else how.removesuffix(' kept'), characters)}"


def leaf_order(levels: Levels) -> np.ndarray:
    """An order of the values in which every group of every level stands together.

    Parameters
    ----------
    levels : Levels
        The labels of the values.

    Returns
    -------
    intp array
        Positions of the values; groups are in the order of their first value.
    """
    keys = [group_rank(group) for group in levels.group]
    return np.lexsort(keys) if keys else np.zeros(0, dtype=np.intp)


def group_rank(group: np.ndarray) -> np.ndarray:
    """Groups numbered in the order in which they first occur.

    Parameters
    ----------
    group : np.ndarray
        The group of each value.

    Returns
    -------
    intp array, one item a value
    """
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place]
