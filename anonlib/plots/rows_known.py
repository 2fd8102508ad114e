"""A figure of persons below k by how many of their rows are known."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from anonlib.analyses.individuals.rows_known import ByRows
from anonlib.basics.words import count, percent
from anonlib.counting.guarantees import in_short
from anonlib.plots.theme import bar_marker, counts, figure, palette

_ROW, _AROUND = 34, 66  # pixels


def bars(found: Sequence[ByRows], k: int, *, dark: bool = False) -> go.Figure:
    """Persons below k for each knowledge of their rows, red and hatched; at the end of each bar how many are alone.

    Parameters
    ----------
    found : Sequence[ByRows]
        Of :func:`anonlib.analyses.individuals.rows_known.by_rows`.
    k : int
        The fewest persons of whom what is known should be true.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        What is not counted has no bar, and says so.
    """
    colours = palette(dark)
    rows = list(found)[::-1]
    places = list(range(len(rows)))
    below = [by_rows.below_k or 0 for by_rows in rows]
    bar = go.Bar(
        y=places,
        x=below,
        orientation="h",
        marker=bar_marker([True] * len(rows), dark),
        text=[_written(by_rows) for by_rows in rows],
        textposition="outside",
        textfont={"size": 12, "color": colours.ink},
        cliponaxis=False,
        hovertext=[_hover(by_rows, k) for by_rows in rows],
        hoverinfo="text",
    )
    chart = figure(bar, dark=dark, height=_AROUND + _ROW * len(rows), margin={"t": 8})
    chart.update_xaxes(title=f"persons below k = {k} by what is known", **counts(max(below, default=1), room=1.5))
    chart.update_yaxes(tickvals=places, ticktext=[in_short(by_rows.rows) for by_rows in rows], showgrid=False)
    return chart


def _written(by_rows: ByRows) -> str:
    if by_rows.below_k is None:
        return "not counted"
    share = f" ({percent(by_rows.below_k / max(1, by_rows.n_persons))})" if by_rows.below_k else ""
    return f"{by_rows.below_k:,}{share}" + (f", {by_rows.alone:,} alone" if by_rows.alone else "")


def _hover(by_rows: ByRows, k: int) -> str:
    if by_rows.below_k is None:
        return f"{in_short(by_rows.rows)}<br>not counted: there are too many ways to choose them"
    return f"{in_short(by_rows.rows)}<br>{count(by_rows.below_k, 'persons')} below k = {k}"
