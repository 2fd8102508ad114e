"""A figure of persons below k by how many of their rows are known."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from anonlib.analyses.individuals.rows_known import ByRows
from anonlib.basics.words import count, percent
from anonlib.counting.privacy_models import in_short
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
    below = [each.below_k or 0 for each in rows]
    bar = go.Bar(
        y=places,
        x=below,
        orientation="h",
        marker=bar_marker([True] * len(rows), dark),
        text=[_written(each) for each in rows],
        textposition="outside",
        textfont={"size": 12, "color": colours.ink},
        cliponaxis=False,
        hovertext=[_hover(each, k) for each in rows],
        hoverinfo="text",
    )
    chart = figure(bar, dark=dark, height=_AROUND + _ROW * len(rows), margin={"t": 8})
    chart.update_xaxes(title=f"persons below k = {k} by what is known", **counts(max(below, default=1), room=1.5))
    chart.update_yaxes(tickvals=places, ticktext=[in_short(each.rows) for each in rows], showgrid=False)
    return chart


def _written(found: ByRows) -> str:
    if found.below_k is None:
        return "not counted"
    share = f" ({percent(found.below_k / max(1, found.n_persons))})" if found.below_k else ""
    return f"{found.below_k:,}{share}" + (f", {found.alone:,} alone" if found.alone else "")


def _hover(found: ByRows, k: int) -> str:
    if found.below_k is None:
        return f"{in_short(found.rows)}<br>not counted: there are too many ways to choose them"
    return f"{in_short(found.rows)}<br>{count(found.below_k, 'persons')} below k = {k}"
