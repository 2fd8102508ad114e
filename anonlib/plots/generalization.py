"""Figures of a generalization: the level of each column, the search tree, and methods side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.generalization import Generalization, TracedTable
from anonlib.basics.words import count, percent
from anonlib.plots.theme import escape, figure, label, palette

MOST_NODES = 80
"""A search tree of more tables is too wide to read."""
_WIDTH = 900  # pixels that a search tree has at least, on a narrow screen
_OF_SIZE = 0.52  # the mean width of a character, of the size of the font


def levels(result: Generalization, *, unit: str = "records", dark: bool = False) -> go.Figure:
    """The level of each column: a row a column and a cell a level, the stronger the more values are released there.

    Parameters
    ----------
    result : Generalization
        The generalization. A cell names what the column's commonest value becomes on its level.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    problem, names = result.problem, list(result.attributes)
    deepest = max(problem.highest, default=0) + 1
    share = np.full((len(names), deepest), np.nan)
    text = [[""] * deepest for _ in names]
    hover = [[""] * deepest for _ in names]
    counts = np.where(result.kept, problem.classes.counts, 0)
    total = max(1, int(counts.sum()))
    for j, (name, ladder) in enumerate(zip(names, problem.ladders.levels, strict=True)):
        records = np.bincount(problem.rows.columns[j], weights=problem.classes.counts, minlength=ladder.n_values)
        commonest = int(np.argmax(records))
        for level in range(ladder.n_levels):
            n_released = int(counts[result.cell_levels[:, j] == level].sum())
            share[j, level] = n_released / total
            shown = ladder.label(level)[commonest]
            text[j][level] = label("(missing)" if shown is None else shown, 14)
            hover[j][level] = (
                f"{escape(name)}, level {level}: {len(ladder.labels[level]):,} values<br>{count(n_released, unit)} "
                f"({percent(n_released / total)}) are released at this level"
            )
    chart = figure(dark=dark, height=70 + 44 * max(2, len(names)))
    chart.add_heatmap(
        z=share, x=[f"level {level}" if level else "as it is" for level in range(deepest)], y=list(range(len(names))),
        colorscale=colours.scale, zmin=0, zmax=1, showscale=False, xgap=3, ygap=5, hovertext=hover, hoverinfo="text",
        hoverongaps=False,
    )  # fmt: skip
    notes = []  # all at once: Plotly checks every one there is with each that is added
    for j in range(len(names)):
        for level in range(problem.highest[j] + 1):
            used = share[j, level] > 0
            ink = colours.ink_on(share[j, level]) if used else colours.faint
            shown = f"<b>{text[j][level]}</b>" if used else text[j][level]
            notes.append({"x": level, "y": j, "text": shown, "showarrow": False, "font": {"size": 12, "color": ink}})
    chart.update_layout(annotations=notes)
    chart.update_xaxes(side="top", ticks="", showline=False, fixedrange=True)
    chart.update_yaxes(
        tickvals=list(range(len(names))), ticktext=[label(name, 24) for name in names], autorange="reversed",
        showgrid=False, fixedrange=True,
    )  # fmt: skip
    return chart


def search_tree(trace: Sequence[TracedTable], chosen: tuple[int, ...], *, dark: bool = False) -> go.Figure:
    """The tables of a search as a tree, each T(violating rows, rows), in the manner of Arca and Hewett's Figure 3.

    A label that has no room is left out: pointing at the table shows the same.

    Parameters
    ----------
    trace : Sequence[TracedTable]
        The tables. The order in which they were generalized further is drawn if :func:`tells_order`.
    chosen : tuple[int, ...]
        The state that was found.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    x, y = _places(trace)
    whole = tells_order(trace)
    lines_x: list[float | None] = []
    lines_y: list[float | None] = []
    chart = figure(dark=dark, height=110 + 92 * (int(max(y)) + 1))
    for i, node in enumerate(trace):
        if node.parent is not None:
            lines_x += [x[node.parent], x[i], None]
            lines_y += [-y[node.parent], -y[i], None]
    chart.add_scatter(x=lines_x, y=lines_y, mode="lines", line={"color": colours.line, "width": 1.5}, hoverinfo="skip")
    evaluations = [node.evaluation for node in trace]
    colour = [
        colours.sequence[1] if f.node == chosen else colours.safe if f.satisfied else colours.risky for f in evaluations
    ]
    hover = [
        f"levels {', '.join(map(str, f.node))}<br>{count(f.n_rows, 'rows')}"
        f"<br>violating: {count(f.groups, 'classes')}, {count(f.records, 'records')}"
        + ("" if node.expanded is None else f"<br>generalized further as number {node.expanded + 1}")
        for f, node in zip(evaluations, trace, strict=True)
    ]
    first = sorted(range(len(trace)), key=lambda i: evaluations[i].node != chosen)
    texts = [_numbers(node, whole) for node in trace]
    room = _room(x, y, texts, 12 if whole else 10, first)
    chart.add_scatter(
        x=x, y=[-place for place in y], mode="markers+text", hovertext=hover, hoverinfo="text", cliponaxis=False,
        text=[_marked(text) if fits else "" for text, fits in zip(texts, room, strict=True)],
        textposition="bottom center", textfont={"size": 12 if whole else 10, "color": colours.ink},
        marker={
            "size": [18 if f.node == chosen else 11 for f in evaluations], "color": colour, "opacity": 1,
            # in grey print red is like blue
            "symbol": ["star" if f.node == chosen else "circle" if f.satisfied else "x" for f in evaluations],
            "line": {"width": 0},
        },
    )  # fmt: skip
    size = 11 if whole else 9
    length = min(16, int(_pixels(x) / size / _OF_SIZE) - 1)  # neighbours are at least 1 apart
    names = [node.attribute or "" for node in trace]
    room = _room(x, y, [name[:length] for name in names], size, first)
    chart.add_scatter(
        x=x, y=[0.1 - place for place in y], mode="text", hoverinfo="skip", cliponaxis=False,
        text=[label(name, length) if fits else "" for name, fits in zip(names, room, strict=True)],
        textposition="top center", textfont={"size": size, "color": colours.faint},
    )  # fmt: skip
    chart.update_xaxes(visible=False, range=[min(x) - 0.8, max(x) + 0.8], fixedrange=True)
    chart.update_yaxes(visible=False, range=[-max(y) - 0.55, 0.45], fixedrange=True)
    return chart


def tells_order(trace: Sequence[TracedTable]) -> bool:
    """Whether a search tree of these tables has room for the order in which they were generalized further."""
    x, y = _places(trace)
    return all(_room(x, y, [_numbers(node, True) for node in trace], 12, range(len(trace))))


def _numbers(node: TracedTable, whole: bool) -> str:
    """What stands below a table: violating rows, rows and, after two spaces, its turn."""
    short = f"({node.evaluation.rows}, {node.evaluation.n_rows})"
    if not whole:
        return short
    return f"T{short}" + ("" if node.expanded is None else f"  {node.expanded + 1}.")


def _marked(text: str) -> str:
    numbers, _, turn = text.partition("  ")
    return f"{numbers}  <i>{turn}</i>" if turn else numbers


def _pixels(x: Sequence[float]) -> float:
    """How many a place is wide."""
    return _WIDTH / (max(x) - min(x) + 1.6)


def _room(x: Sequence[float], y: Sequence[int], texts: Sequence[str], size: int, order: Iterable[int]) -> list[bool]:
    """Which labels of a font's size are shown, so that no two in a row meet: those that come first in an order."""
    spans: dict[int, list[tuple[float, float]]] = {}
    fits = [False] * len(texts)
    for i in order:
        half = (len(texts[i]) + 1) * size * _OF_SIZE / 2
        low, high = x[i] * _pixels(x) - half, x[i] * _pixels(x) + half
        row = spans.setdefault(y[i], [])
        fits[i] = bool(texts[i]) and all(high <= other_low or low >= other_high for other_low, other_high in row)
        if fits[i]:
            row.append((low, high))
    return fits


def _places(trace: Sequence[TracedTable]) -> tuple[list[float], list[int]]:
    """Leaves side by side, a parent in the middle above its children; and the depth of each."""
    children: list[list[int]] = [[] for _ in trace]
    depth = [0] * len(trace)
    for i, node in enumerate(trace):
        if node.parent is not None:  # a parent is made before its children
            children[node.parent].append(i)
            depth[i] = depth[node.parent] + 1
    x = [0.0] * len(trace)
    order: list[int] = []
    waiting = [0]
    while waiting:  # depth first, the first child leftmost
        order.append(waiting.pop())
        waiting.extend(reversed(children[order[-1]]))
    leaves = [i for i in order if not children[i]]
    for place, i in enumerate(leaves):
        x[i] = float(place)
    for i in reversed(order):
        if children[i]:
            x[i] = (x[children[i][0]] + x[children[i][-1]]) / 2
    return x, depth


def methods(
    names: Sequence[str], values: Sequence[float], title: str, *, form: str = ",", dark: bool = False
) -> go.Figure:
    """One measure of several methods as bars (Arca and Hewett's Figures 8 to 10).

    Parameters
    ----------
    names : Sequence[str]
        What the methods are called, in the order in which they are drawn.
    values : Sequence[float]
        The measure of each of them.
    title : str
        The measure.
    form : str, default ","
        Format of the values.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    bar = go.Bar(
        y=list(names), x=list(values), orientation="h", marker_color=colours.safe, width=0.6,
        text=[format(value, form) for value in values], textposition="outside", cliponaxis=False,
        hovertemplate="%{y}: %{text}<extra></extra>",
    )  # fmt: skip
    chart = figure(bar, dark=dark, height=60 + 30 * len(names))
    chart.update_xaxes(
        title=title, showticklabels=False, ticks="", fixedrange=True, range=[0, 1.25 * max([*values, 1e-9])]
    )
    chart.update_yaxes(autorange="reversed", showgrid=False, fixedrange=True)
    return chart
