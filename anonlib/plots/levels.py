"""A picture of the levels at which the cells of each column leave. Light is coarse, hatched is blank."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from anonlib.analyses.utility.levels import KINDS, ColumnLevels, Kind, LevelShare
from anonlib.basics.words import percent
from anonlib.plots.theme import DARK_INK, Palette, escape, figure, label, palette

_ROW, _AROUND = 23, 84  # pixels: of a column, and of the legend and the axis together
_LETTER, _EDGES = 0.017, 0.02  # of a bar's whole length: a letter in it, and its edges
_LEAST_SHADE, _MOST_SHADE = 0.2, 0.75  # of what is coarser, between "all together" and "as it was"
_THICK = 0.76  # of a row


def columns(levels: Sequence[ColumnLevels], *, dark: bool = False) -> go.Figure:
    """What part of each column's cells leaves at which level, as bars in the file's order.

    Parameters
    ----------
    levels : Sequence[ColumnLevels]
        Of :func:`anonlib.release.levels.levels_of`; :func:`anonlib.analyses.utility.levels.in_words` has them in words.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        10 columns are 314 pixels high.
    """
    colours = palette(dark)
    traces = [_bars(kind, levels, colours) for kind in KINDS if any(_parts(kind, levels))]
    chart = figure(*traces, dark=dark, height=_AROUND + _ROW * max(1, len(levels)), barmode="overlay", showlegend=True)
    places = list(range(len(levels)))
    chart.update_xaxes(range=[0, 1], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1])
    chart.update_yaxes(
        tickvals=places, ticktext=[label(column_levels.column, 20) for column_levels in levels], showgrid=False,
        range=[len(levels) - 0.5, -0.5],
    )  # fmt: skip
    chart.update_layout(margin={"t": 34}, legend={"y": 1, "yanchor": "bottom", "traceorder": "normal"})
    return chart


_NAMES: dict[Kind, str] = {"all together": "removed", "empty": "blank or missing", "removed": "column removed"}
"""What kinds are called in the legend, where that is not how evidence holds them."""


def _bars(kind: Kind, levels: Sequence[ColumnLevels], colours: Palette) -> go.Bar:
    """The bars of all parts of one kind, each behind those of its column that come before it."""
    drawn = _parts(kind, levels)
    fills = [_fill(part, colours) for *_, part in drawn]
    is_empty = kind in ("blank", "empty")
    return go.Bar(
        y=[place for place, _, _ in drawn],
        x=[part.share for *_, part in drawn],
        base=[start for _, start, _ in drawn],
        orientation="h",
        width=_THICK,
        name=_NAMES.get(kind, kind),
        marker={
            "color": fills,
            "line": {"width": 1, "color": colours.original if kind in ("removed", "dropped") else colours.ground},
            "pattern": {
                "shape": ["/" if is_empty else ""] * len(drawn), "fillmode": "overlay", "fgcolor": colours.faint,
                "fgopacity": 0.75, "size": 7, "solidity": 0.22,
            },
        },
        text=[_written(part) for *_, part in drawn],
        textposition="inside",
        textangle=0,
        textfont={"size": 11, "color": [_ink(part, colours) for *_, part in drawn]},
        hovertext=[f"{escape(levels[i].column)}<br>{percent(part.share)} {escape(part.name)}" for i, _, part in drawn],
        hoverinfo="text",
    )  # fmt: skip


def _parts(kind: Kind, levels: Sequence[ColumnLevels]) -> list[tuple[int, float, LevelShare]]:
    """Each part of a kind with the place of its column and the share at which it begins."""
    parts = []
    for place, column in enumerate(levels):
        start = 0.0
        for part in column.parts:
            if part.kind == kind:
                parts.append((place, start, part))
            start += part.share
    return parts


def _shade(part: LevelShare) -> float | None:
    """How dark a part is, 0 to 1; None where it is on no scale."""
    match part.kind:
        case "as it was":
            return 1.0
        case "coarser":
            return _LEAST_SHADE + (_MOST_SHADE - _LEAST_SHADE) * part.detail
        case "all together":
            return 0.0
    return None


def _fill(part: LevelShare, colours: Palette) -> str:
    shade = _shade(part)
    if shade is not None:
        return colours.shade(shade)
    return colours.original if part.kind == "missing already" else colours.ground


def _ink(part: LevelShare, colours: Palette) -> str:
    shade = _shade(part)
    if shade is not None:
        return colours.ink_on(shade)
    return DARK_INK if part.kind == "missing already" else colours.ink


def _written(part: LevelShare) -> str:
    """The name of a level and its share, or the share alone, where its bar has room; of what is blank neither, as it is
    hatched."""
    if part.kind in ("blank", "empty"):
        return ""
    share = "" if part.share == 1 else percent(part.share)
    room = int((part.share - _EDGES) / _LETTER)
    texts = (f"{part.name} {share}".strip(), share or label(part.name, max(room, 1)))
    return next((escape(text) for text in texts if len(text) <= room), "")
