"""Figures of what a release keeps."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from anonlib.plots.theme import escape, figure, label, palette
from anonlib.words import percent


def information_kept(table: pd.DataFrame, *, dark: bool = False) -> go.Figure:
    """The information each column keeps, as bars from 0 to 100%, in the file's order.

    Parameters
    ----------
    table
        That of :meth:`anonlib.release.comparison.Comparison.column_frame`.
    dark
        Whether the page is dark.

    Returns
    -------
    Figure
    """
    colours = palette(dark)
    rows = table.iloc[::-1]
    positions = list(range(len(rows)))
    hover = [
        f"{escape(row.column)}<br>{row.values_before:,} values, now {row.values_after:,}"
        f"<br>{row.bits_before:.3g} bits, now {row.bits_after:.3g}"
        for row in rows.itertuples()
    ]
    bar = go.Bar(
        y=positions,
        x=rows["information_kept"],
        orientation="h",
        marker_color=colours.safe,
        text=[
            "dropped" if values == 0 else percent(kept)
            for values, kept in zip(rows["values_after"], rows["information_kept"], strict=True)
        ],
        textposition="outside",
        cliponaxis=False,
        hovertext=hover,
        hoverinfo="text",
    )
    chart = figure(bar, dark=dark, height=max(160, 50 + 28 * len(rows)))
    chart.update_xaxes(range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%", title="information kept")
    names = [label(name) for name in rows["column"]]
    chart.update_yaxes(tickvals=positions, ticktext=names, showgrid=False)
    return chart
