"""Figures of a generalization: the level of each column, the search tree, and methods side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from anonlib.generalization import Generalization, Node
from anonlib.plots.theme import escape, figure, label, palette
from anonlib.words import count, percent

MOST_NODES = 80
"""A search tree of more tables is too wide to read."""


def levels(result: Generalization, *, unit: str = "records", dark: bool = False) -> go.Figure:
    """A row a column and a cell a level, with what its commonest value becomes there; the stronger, the more."""
    colours = palette(dark)
    problem, names = result.problem, list(result.attributes)
    deepest = max(problem.heights, default=0) + 1
    share = np.full((len(names), deepest), np.nan)
    text = [[""] * deepest for _ in names]
    hover = [[""] * deepest for _ in names]
    counts = np.where(result.kept, problem.classes.counts, 0)
    total = max(1, int(counts.sum()))
    for j, (name, ladder) in enumerate(zip(names, problem.ladders.levels, strict=True)):
        records = np.bincount(problem.full.columns[j], weights=problem.classes.counts, minlength=ladder.n_values)
        commonest = int(np.argmax(records))
        for level in range(ladder.n_levels):
            here = int(counts[result.cell_levels[:, j] == level].sum())
            share[j, level] = here / total
            shown = ladder.label(level)[commonest]
            text[j][level] = label("(missing)" if shown is None else shown, 14)
            hover[j][level] = (
                f"{escape(name)}, level {level}: {len(ladder.labels[level]):,} values<br>{count(here, unit)} "
                f"({percent(here / total)}) are released at this level"
            )
    chart = figure(dark=dark, height=70 + 44 * max(2, len(names)))
    chart.add_heatmap(
        z=share, x=[f"level {level}" if level else "as it is" for level in range(deepest)], y=list(range(len(names))),
        colorscale=colours.scale, zmin=0, zmax=1, showscale=False, xgap=3, ygap=5, hovertext=hover, hoverinfo="text",
        hoverongaps=False,
    )  # fmt: skip
    for j in range(len(names)):
        for level in range(problem.heights[j] + 1):
            used = share[j, level] > 0
            chart.add_annotation(
                x=level, y=j, text=f"<b>{text[j][level]}</b>" if used else text[j][level], showarrow=False,
                font={"size": 12, "color": colours.ink_on(share[j, level]) if used else colours.faint},
            )  # fmt: skip
    chart.update_xaxes(side="top", ticks="", showline=False, fixedrange=True)
    chart.update_yaxes(
        tickvals=list(range(len(names))), ticktext=[label(name, 24) for name in names], autorange="reversed",
        showgrid=False, fixedrange=True,
    )  # fmt: skip
    return chart


def search_tree(trace: Sequence[Node], chosen: tuple[int, ...], *, dark: bool = False) -> go.Figure:
    """The tables of a search as a tree, each T(violating rows, rows), in the manner of Arca and Hewett's Figure 3.

    ``chosen`` is the state that was found. Numbers are the order in which the tables were generalized further.
    """
    colours = palette(dark)
    x, y = _places(trace)
    lines_x: list[float | None] = []
    lines_y: list[float | None] = []
    chart = figure(dark=dark, height=110 + 92 * (int(max(y)) + 1))
    for i, node in enumerate(trace):
        if node.parent is not None:
            lines_x += [x[node.parent], x[i], None]
            lines_y += [-y[node.parent], -y[i], None]
    chart.add_scatter(x=lines_x, y=lines_y, mode="lines", line={"color": colours.line, "width": 1.5}, hoverinfo="skip")
    found = [node.evaluation for node in trace]
    colour = [
        colours.sequence[1] if f.state == chosen else colours.safe if f.satisfied else colours.risky for f in found
    ]
    hover = [
        f"levels {', '.join(map(str, f.state))}<br>{count(f.n_rows, 'rows')}"
        f"<br>violating: {count(f.groups, 'groups')}, {count(f.records, 'records')}"
        + ("" if node.expanded is None else f"<br>generalized further as number {node.expanded + 1}")
        for f, node in zip(found, trace, strict=True)
    ]
    chart.add_scatter(
        x=x, y=[-place for place in y], mode="markers", hovertext=hover, hoverinfo="text",
        marker={
            "size": [16 if f.state == chosen else 11 for f in found], "color": colour, "opacity": 1,
            "line": {"width": 0},
        },
    )  # fmt: skip
    wide = len(trace) <= 30
    for i, (node, f) in enumerate(zip(trace, found, strict=True)):
        turn = "" if node.expanded is None else f"  <i>{node.expanded + 1}.</i>"
        chart.add_annotation(
            x=x[i], y=-y[i], text=f"T({f.rows}, {f.n_rows}){turn}" if wide else f"({f.rows}, {f.n_rows})",
            showarrow=False, yshift=-17, font={"size": 12 if wide else 10, "color": colours.ink},
        )  # fmt: skip
        if node.attribute is not None:
            chart.add_annotation(
                x=x[i], y=-y[i], text=label(node.attribute, 16 if wide else 9), showarrow=False, yshift=17,
                font={"size": 11 if wide else 9, "color": colours.faint},
            )  # fmt: skip
    chart.update_xaxes(visible=False, range=[min(x) - 0.8, max(x) + 0.8], fixedrange=True)
    chart.update_yaxes(visible=False, range=[-max(y) - 0.55, 0.45], fixedrange=True)
    return chart


def _places(trace: Sequence[Node]) -> tuple[list[float], list[int]]:
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
    """One measure of several methods as bars (Arca and Hewett's Figures 8 to 10), in the order given."""
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
