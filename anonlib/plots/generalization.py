"""Figures of a generalization: the level of each column, the search tree, and methods side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.generalization import Generalization, TracedTable, Unfollowed
from anonlib.basics.words import count, percent
from anonlib.plots.theme import DARK_INK, escape, figure, label, palette

MOST_NODES = 80
"""A search tree of more tables is too wide to read: of a larger search the way to its answer is drawn."""
_LEVEL = 92  # pixels of a level of a search tree
_NUMBERED = 14  # pixels from which a table has room for a number in it
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


def drawn_tables(trace: Sequence[TracedTable], chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Which tables of a search its tree shows.

    Parameters
    ----------
    trace : Sequence[TracedTable]
        The tables.
    chosen : tuple[int, ...]
        The state that was found.

    Returns
    -------
    tuple of int
        Positions in the trace: all of up to :data:`MOST_NODES`; of more the way to the chosen one, and what was made
        of each table on it.
    """
    if len(trace) <= MOST_NODES:
        return tuple(range(len(trace)))
    way = {_place_of(trace, chosen)}
    while (parent := trace[min(way)].parent) is not None:  # a parent is made before its children
        way.add(parent)
    return tuple(i for i, node in enumerate(trace) if i in way or node.parent in way)


def search_tree(trace: Sequence[TracedTable], chosen: tuple[int, ...], *, dark: bool = False) -> go.Figure:
    """The tables of a search as a tree, each T(violating rows, rows), in the manner of Arca and Hewett's Figure 3.

    Tables are numbered as they were made, and those that were generalized further have in them at which turn; the
    others are hollow. A label that has no room is left out: pointing at the table shows the same, and why it was not
    generalized further.

    Parameters
    ----------
    trace : Sequence[TracedTable]
        The tables, of which those of :func:`drawn_tables` are shown.
    chosen : tuple[int, ...]
        The state that was found.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    tree = _Tree.of(trace, chosen)
    turns = [str(node.expanded + 1) if node.expanded is not None else "" for node in tree.tables]
    chart = figure(dark=dark, height=120 + _LEVEL * (max(tree.y) + 1))
    lines_x: list[float | None] = []
    lines_y: list[float | None] = []
    for i, parent in enumerate(tree.parents):
        if parent is not None:  # between the labels
            lines_x += [tree.x[parent], tree.x[i], None]
            lines_y += [-0.38 - tree.y[parent], 0.33 - tree.y[i], None]
    chart.add_scatter(
        x=lines_x, y=lines_y, mode="lines", line={"color": colours.line, "width": 1.5}, hoverinfo="skip",
        showlegend=False,
    )  # fmt: skip
    kinds = [_kind(node, chosen) for node in tree.tables]
    looks = {
        "violates": (colours.risky, "square"), "satisfies": (colours.safe, "circle"),
        "chosen": (colours.sequence[1], "star"),
    }  # fmt: skip
    followed = [bool(turn) or kind == "chosen" for turn, kind in zip(turns, kinds, strict=True)]
    size = tree.marker_size
    chart.add_scatter(
        x=tree.x, y=[-place for place in tree.y], mode="markers+text", hoverinfo="text", cliponaxis=False,
        hovertext=[_in_words(*table) for table in zip(tree.shown, tree.tables, tree.more, strict=True)],
        text=turns if size >= _NUMBERED else [""] * len(turns), showlegend=False,
        textposition="middle center", textfont={
            "size": 0.5 * size,
            "color": [colours.ground if kind == "violates" else DARK_INK for kind in kinds],
        },
        marker={
            "size": [size if filled else 0.6 * size for filled in followed],
            "color": [looks[kind][0] for kind in kinds], "opacity": 1,
            "symbol": [
                looks[kind][1] + ("" if filled else "-open") for kind, filled in zip(kinds, followed, strict=True)
            ],
            "line": {"width": [0 if filled else 2 for filled in followed], "color": [looks[kind][0] for kind in kinds]},
        },
    )  # fmt: skip
    font = 12 if tree.is_wide else 10
    numbers = tree.numbers(whole=tree.is_wide)
    chart.add_scatter(
        x=tree.x, y=[-0.14 - place for place in tree.y], mode="text", hoverinfo="skip", cliponaxis=False,
        text=_fitting(tree, numbers, list(map(_bare, numbers)), font), textposition="bottom center", showlegend=False,
        textfont={"size": font, "color": [colours.ink if filled else colours.faint for filled in followed]},
    )  # fmt: skip
    names = [node.attribute or "" for node in tree.tables]
    cut = [name[: tree.longest_name] for name in names]
    chart.add_scatter(
        x=tree.x, y=[0.14 - place for place in tree.y], mode="text", hoverinfo="skip", cliponaxis=False,
        text=_fitting(tree, [label(name, tree.longest_name) for name in names], cut, font - 1),
        textposition="top center", showlegend=False, textfont={"size": font - 1, "color": colours.faint},
    )  # fmt: skip
    for name, (colour, symbol) in looks.items():
        chart.add_scatter(
            x=[None], y=[None], mode="markers", name=name, marker={"size": 12, "color": colour, "symbol": symbol},
        )  # fmt: skip
    chart.add_scatter(
        x=[None], y=[None], mode="markers", name="not generalized further",
        marker={"size": 10, "color": colours.faint, "symbol": "circle-open", "line": {"width": 2}},
    )  # fmt: skip
    chart.update_layout(showlegend=True, legend={"y": 1, "yanchor": "bottom", "traceorder": "normal"})
    chart.update_xaxes(visible=False, range=[min(tree.x) - 0.8, max(tree.x) + 0.8], fixedrange=True)
    chart.update_yaxes(visible=False, range=[-max(tree.y) - 0.55, 0.45], fixedrange=True)
    return chart


def tells_order(trace: Sequence[TracedTable], chosen: tuple[int, ...]) -> bool:
    """Whether a search tree of these tables has room for the order in which they were generalized further.

    Parameters
    ----------
    trace : Sequence[TracedTable]
        The tables.
    chosen : tuple[int, ...]
        The state that was found.
    """
    return _Tree.of(trace, chosen).marker_size >= _NUMBERED


def _place_of(trace: Sequence[TracedTable], chosen: tuple[int, ...]) -> int:
    return next(i for i, node in enumerate(trace) if node.evaluation.node == chosen)


def _kind(node: TracedTable, chosen: tuple[int, ...]) -> str:
    if node.evaluation.node == chosen:
        return "chosen"
    return "satisfies" if node.evaluation.satisfied else "violates"


_UNFOLLOWED: dict[Unfollowed, str] = {
    "satisfies": "it satisfies, and no table above it keeps more",
    "no better": "pruned: it keeps no more than the best that satisfies, and no table above it does",
    "ended": "the search had its answer",
    "stopped": "the search was ended before",
}


def _in_words(i: int, node: TracedTable, n_more: int) -> str:
    table = node.evaluation
    then = "" if node.expanded is None else f"generalized further as number {node.expanded + 1}"
    if node.unfollowed:
        then = f"not generalized further: {_UNFOLLOWED[node.unfollowed]}"
    lines = [
        f"<b>T{i or ''}</b>: levels {', '.join(map(str, table.node))}",
        f"{count(table.n_rows, 'rows')}",
        f"violating: {count(table.groups, 'classes')}, {count(table.rows, 'rows')}, {count(table.records, 'records')}",
        then,
        f"{count(n_more, 'tables')} below it not drawn" if n_more else "",
    ]
    return "<br>".join(filter(None, lines))


def _bare(text: str) -> str:
    """The first line of what stands below a table, without markup."""
    return text.partition("<br>")[0].replace("<sub>", "").replace("</sub>", "")


@dataclass(frozen=True)
class _Tree:
    """What is drawn of a search: positions in the trace, and of each its table, its parent among them and its place.

    ``more`` is how many tables below each are not drawn, where no child of it is; ``first`` are the places among them
    by which labels are given room first.
    """

    shown: tuple[int, ...]
    tables: tuple[TracedTable, ...]
    parents: tuple[int | None, ...]
    x: tuple[float, ...]
    y: tuple[int, ...]
    more: tuple[int, ...]
    first: tuple[int, ...]

    @classmethod
    def of(cls, trace: Sequence[TracedTable], chosen: tuple[int, ...]) -> _Tree:
        shown = drawn_tables(trace, chosen)
        place = {i: k for k, i in enumerate(shown)}
        tables = tuple(trace[i] for i in shown)
        parents = tuple(None if node.parent is None else place[node.parent] for node in tables)
        x, y = _places(parents)
        first = sorted(
            range(len(shown)), key=lambda k: (tables[k].evaluation.node != chosen, tables[k].expanded is None)
        )
        below = [0] * len(trace)
        for i in range(len(trace) - 1, 0, -1):  # a parent is made before its children
            below[trace[i].parent or 0] += below[i] + 1
        more = tuple(0 if k in parents else below[i] for k, i in enumerate(shown))
        return cls(shown, tables, parents, tuple(x), tuple(y), more, tuple(first))

    @property
    def pixels(self) -> float:
        """How many a place is wide."""
        return _WIDTH / (max(self.x) - min(self.x) + 1.6)

    @property
    def marker_size(self) -> float:
        """Of a table that was generalized further, in pixels: neighbours are at least 1 apart."""
        return min(22.0, max(9.0, 0.7 * self.pixels))

    @cached_property
    def is_wide(self) -> bool:
        """Whether all labels have room in full."""
        return all(_room(self, list(map(_bare, self.numbers(whole=True))), 12))

    def numbers(self, *, whole: bool) -> list[str]:
        """What stands below each table: violating rows and rows, with the number of the table where there is room."""
        texts = []
        for i, node, n in zip(self.shown, self.tables, self.more, strict=True):
            short = f"({node.evaluation.rows}, {node.evaluation.n_rows})" + (f"<br>+{n:,}" if n else "")
            texts.append(f"T{f'<sub>{i}</sub>' if i else ''}{short}" if whole else short)
        return texts

    @property
    def longest_name(self) -> int:
        """Characters of a column's name that have room."""
        return min(16, int(self.pixels / (11 if self.is_wide else 9) / _OF_SIZE) - 1)


def _fitting(tree: _Tree, texts: Sequence[str], plain: Sequence[str], size: int) -> list[str]:
    """The texts that have room, by what they are without markup; the others empty."""
    return [text if fits else "" for text, fits in zip(texts, _room(tree, plain, size), strict=True)]


def _room(tree: _Tree, texts: Sequence[str], size: int) -> list[bool]:
    """Which labels of a font's size are shown, so that no two in a row meet."""
    spans: dict[int, list[tuple[float, float]]] = {}
    fits = [False] * len(texts)
    for i in tree.first:
        half = (len(texts[i]) + 1) * size * _OF_SIZE / 2
        low, high = tree.x[i] * tree.pixels - half, tree.x[i] * tree.pixels + half
        row = spans.setdefault(tree.y[i], [])
        fits[i] = bool(texts[i]) and all(high <= other_low or low >= other_high for other_low, other_high in row)
        if fits[i]:
            row.append((low, high))
    return fits


def _places(parents: Sequence[int | None]) -> tuple[list[float], list[int]]:
    """Leaves side by side, a parent in the middle above its children; and the depth of each."""
    children: list[list[int]] = [[] for _ in parents]
    depth = [0] * len(parents)
    for i, parent in enumerate(parents):
        if parent is not None:  # a parent is made before its children
            children[parent].append(i)
            depth[i] = depth[parent] + 1
    x = [0.0] * len(parents)
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
    names: Sequence[str],
    values: Sequence[float],
    title: str,
    *,
    form: str = ",",
    named: bool = True,
    dark: bool = False,
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
    named : bool, default True
        Whether the names stand at the bars: one of several charts side by side says them for all.
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
    chart.update_yaxes(autorange="reversed", showgrid=False, fixedrange=True, showticklabels=named)
    return chart
