"""Figures of each individual's privacy against partial knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.individuals.heatmap import HeatmapColumns
from anonlib.analyses.individuals.intervals import GeneralizationScan
from anonlib.analyses.individuals.minimal import MinimalSets
from anonlib.basics.words import count, percent
from anonlib.plots.theme import DARK_INK, LIGHT_INK, Palette, counts, escape, figure, label, mixed, palette

MOST_CLICKABLE = 1_000  # cells
_LINE = 62  # characters that fit above a bar
_ROW, _TALL = 30, 560  # pixels: a row, and all rows
_SAND = 0.45  # of its colour, the rest being the ground


def heatmap(
    columns: HeatmapColumns,
    variables: Sequence[str],
    measure: str,
    *,
    highest: float = 1.0,
    unit: str = "records",
    bold: Sequence[str] = (),
    selectable: bool = True,
    dark: bool = False,
) -> go.Figure:
    """Variables x individuals: blue is the mean of the measure, red where a column holds a value that is certain.

    A dotted line runs through what is red, since in grey print red is as dark as the darkest blue. Sand is where most
    have no peers: nothing is inferred of them, and nothing that is drawn protects them.

    Parameters
    ----------
    columns : HeatmapColumns
        The individuals in order, summed up into columns of the picture.
    variables : Sequence[str]
        Names of the rows.
    measure : str
        What the measure counts.
    highest : float, default 1.0
        Where the scale ends.
    unit : str, default "records"
        What counts are of.
    bold : Sequence[str], default ()
        Variables to point out.
    selectable : bool, default True
        Whether a range can be drawn; if cells are few enough, they can be clicked instead (:func:`is_clickable`), each
        with the individual's place in the order as ``customdata``.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    names = [f"<b>{label(name, 24)}</b>" if name in bold else label(name, 24) for name in variables]
    rows, shown_as = list(range(len(names))), ".3p" if highest == 1 else ".3g"
    height = max(170, 80 + round(min(_ROW, max(15, _TALL / len(rows))) * len(rows)))
    span = {"x0": columns.start + columns.width / 2 + 0.5, "dx": columns.width, "y": rows, "xgap": 0, "ygap": 1.5}
    amounts = go.Heatmap(
        z=columns.mean,
        zmin=0,
        zmax=highest,
        colorscale=colours.scale,
        colorbar={
            "title": {
                "text": _in_lines(measure, height),
                "side": "right",
                "font": {"size": 12, "color": colours.faint},
            },
            "thickness": 10,
            "outlinewidth": 0,
            "tickformat": ".0%" if highest == 1 else ",d",
            "tickfont": {"size": 11, "color": colours.faint},
        },
        hoverongaps=False,
        hovertemplate=f"%{{y}}: individual %{{x:,.0f}}<br>{measure}, mean: %{{z:{shown_as}}}<extra></extra>",
        **span,
    )
    red = go.Heatmap(
        z=np.where(columns.certain, np.float32(1), np.float32("nan")),
        zmin=0,
        zmax=1,
        colorscale=[[0, colours.risky], [1, colours.risky]],
        showscale=False,
        hoverinfo="skip",
        **span,
    )
    traces = [amounts, red, _line_through_red(columns, DARK_INK if dark else LIGHT_INK)]
    if columns.without_peers is not None:
        sand = mixed(colours.sequence[5], colours.ground, _SAND)
        traces.insert(
            1,
            go.Heatmap(
                z=np.where(_alone(columns), np.float32(1), np.float32("nan")),
                zmin=0,
                zmax=1,
                colorscale=[[0, sand], [1, sand]],
                showscale=False,
                hoverongaps=False,
                hovertemplate="%{y}: individual %{x:,.0f}<br>most here: nobody like them<extra></extra>",
                **span,
            ),
        )
    clickable = selectable and is_clickable(columns)
    if clickable:
        traces.append(_clickable(columns, rows, colours.safe))
    drawable = selectable and not clickable
    fixed = {} if drawable else {"fixedrange": True}
    return figure(
        *traces,
        dark=dark,
        height=height,
        xaxis={
            "title": f"{unit} in order of certainty, {columns.start + 1:,} to {columns.stop:,}",
            "range": [columns.start + 0.5, columns.stop + 0.5],
            "tickformat": ",d",
            "dtick": 1 if columns.stop - columns.start < 6 else None,
            **fixed,
        },
        yaxis={"tickvals": rows, "ticktext": names, "autorange": "reversed", "showgrid": False, **fixed},
        dragmode="select" if drawable else False,
        selectdirection="h",
        margin={"t": 8},
    )


def _in_lines(text: str, height: int) -> str:
    """What stands along a bar beside the rows, in two lines where one would be longer than these are high."""
    spaces = [i for i, letter in enumerate(text) if letter == " "]
    if 7 * len(text) < height - 60 or not spaces:
        return text
    middle = min(spaces, key=lambda i: abs(i - len(text) / 2))
    return f"{text[:middle]}<br>{text[middle + 1 :]}"


def _line_through_red(columns: HeatmapColumns, colour: str) -> go.Scatter:
    """A line along each run of red cells; it cannot be pointed at or selected."""
    edges = np.diff(columns.certain.astype(np.int8), axis=1, prepend=0, append=0)
    row, first = np.nonzero(edges > 0)
    end = np.nonzero(edges < 0)[1]
    left = columns.start + 0.5
    gap = np.full(len(row), np.nan)
    return go.Scatter(
        x=np.column_stack([left + first * columns.width, left + end * columns.width, gap]).ravel().astype(np.float32),
        y=np.column_stack([row, row, gap]).ravel().astype(np.float32),
        mode="lines",
        line={"color": colour, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )


def is_clickable(columns: HeatmapColumns) -> bool:
    """Whether the cells are few enough to be clicked; more would be too small to hit.

    Parameters
    ----------
    columns : HeatmapColumns
        The columns of the picture.
    """
    return columns.width == 1 and columns.mean.size <= MOST_CLICKABLE


def _alone(columns: HeatmapColumns) -> np.ndarray:
    """bool, variables x columns: most have no peers, and nobody's value is certain."""
    if columns.without_peers is None:
        return np.zeros(columns.certain.shape, dtype=bool)
    return columns.without_peers & ~columns.certain


def _clickable(columns: HeatmapColumns, rows: list[int], colour: str) -> go.Scatter:
    """Points that nobody sees over the cells: a click on a cell itself selects nothing."""
    places = np.arange(columns.start, columns.stop)
    return go.Scatter(
        x=np.tile(places + 1, len(rows)),
        y=np.repeat(rows, len(places)),
        customdata=np.tile(places, len(rows)),
        mode="markers",
        marker={"size": 14, "opacity": 0, "symbol": "square", "color": colour},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        text=[
            "nobody like them" if alone else "nothing to infer" if np.isnan(value) else f"{value:.3g}"
            for value, alone in zip(columns.mean.ravel(), _alone(columns).ravel(), strict=True)
        ],
        hovertemplate="%{y}: individual %{x:,d}, %{text}<br>click to read their story<extra></extra>",
        showlegend=False,
    )


def scan(result: GeneralizationScan, *, unit: str = "records", dark: bool = False) -> go.Figure:
    """The share protected by every equal-width partition, by its number of categories; the best of each stands out.

    Parameters
    ----------
    result : GeneralizationScan
        The scan. Points carry the partition's position as ``customdata``; lines are the variable as it is, and dropped.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    share = result.protected / max(1, result.n_records)
    n = result.n_records
    best = result.best
    others = np.setdiff1d(np.arange(len(share)), best)
    chart = figure(dark=dark, height=340)
    if len(others) > 4_000:  # a picture of every point would be slow; the best ones are all there
        others = others[np.linspace(0, len(others) - 1, 4_000).astype(int)]
    for which, colour, size, opacity in ((others, colours.original, 4, 0.45), (best, colours.safe, 9, 1.0)):
        chart.add_scatter(
            x=result.categories[which],
            y=share[which],
            customdata=np.column_stack([which, result.widths[which] * result.grid.step, result.protected[which]]),
            mode="markers",
            cliponaxis=False,
            marker={"color": colour, "size": size, "opacity": opacity, "line": {"width": 0}},
            hovertemplate="%{x:,d} categories of %{customdata[1]:,.4g}"
            f"<br>%{{customdata[2]:,d}} of {count(n, unit)} protected (%{{y:.3p}})<extra></extra>",
        )
    if result.optimum is not None:
        chart.add_scatter(
            x=[result.optimum.categories],
            y=[result.optimum.protected / max(1, n)],
            mode="markers",
            cliponaxis=False,
            marker={"symbol": "diamond", "size": 13, "color": colours.sequence[1]},
            hovertemplate=f"best cuts: {result.optimum.categories:,} categories, none wider than "
            f"{result.max_width:,.4g}<br>{result.optimum.protected:,} protected (%{{y:.3p}})<extra></extra>",
        )
    best_cuts = 0 if result.optimum is None else result.optimum.protected
    top = 1.06 * max(int(result.protected.max()), result.ceiling, best_cuts) / max(1, n) or 1.0
    _reference_lines(chart, result, top, colours)
    most = int(result.categories.max())
    chart.update_xaxes(
        title=f"number of categories of {label(result.attribute)}",
        type="log" if most > 30 else "linear",
        tickformat=",d",
        tickvals=[x for x in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000) if x <= most] if most > 30 else None,
        dtick=1 if most < 6 else None,
    )
    chart.update_yaxes(title=f"{unit} protected", range=[0, top], **_shares(top))
    return chart


def _shares(top: float) -> dict[str, Any]:
    """Ticks of an axis of shares from 0 to some top, seven at most, with the decimals that tell them apart."""
    power = 10.0 ** np.floor(np.log10(top / 6))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= top / 6)
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)) - 2)
    return {"dtick": step, "tick0": 0, "tickformat": f".{decimals}%"}


def _reference_lines(chart: go.Figure, result: GeneralizationScan, top: float, colours: Palette) -> None:
    """As the variable is, and without it: named beside the plot, where no point and no axis is, and apart."""
    n = max(1, result.n_records)
    notes = [
        (result.ceiling / n, f"without {label(result.attribute, 14)}:<br>{percent(result.ceiling / n)}"),
        (result.baseline / n, f"as it is:<br>{percent(result.baseline / n)}"),
    ]
    for share, _ in notes:
        chart.add_hline(y=share, line={"color": colours.faint, "width": 1, "dash": "dot"})
    if abs(notes[0][0] - notes[1][0]) < 0.13 * top:  # less than a name is high: one above the other
        notes = [(notes[1][0], "<br>".join(text for _, text in sorted(notes, reverse=True)))]
    for share, text in notes:
        chart.add_annotation(
            x=1, xref="paper", xanchor="left", xshift=6, y=share, align="left", showarrow=False, text=text,
            yanchor="top" if len(notes) == 1 and share > 0.7 * top else "bottom",
            font={"size": 12, "color": colours.faint},
        )  # fmt: skip
    chart.update_layout(margin={"r": 16 + 7 * max(len(part) for _, text in notes for part in text.split("<br>"))})


def minimal_sets(
    minimal: MinimalSets, what: str, *, most: int = 12, unit: str = "records", dark: bool = False
) -> go.Figure:
    """The minimal sets that are enough for most, each named above its bar, since the names may be long.

    Parameters
    ----------
    minimal : MinimalSets
        Those to draw, and for how many records each is enough.
    what : str
        What they do, after "records that these": ``single out``, ``give salary away``.
    most : int, default 12
        How many are drawn at most.
    unit : str, default "records"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    sets, numbers = minimal.sets[:most][::-1], minimal.counts[:most][::-1]
    positions = list(range(len(sets)))
    hover = [
        f"{' + '.join(escape(name) for name in names)}<br>{count(records, unit)} "
        f"({percent(records / max(1, minimal.people.n_records))}) "
        + ("for whom these together are enough, and no part of them is" if len(names) > 1 else "for whom it is enough")
        for names, records in zip(sets, numbers.tolist(), strict=True)
    ]
    bar = go.Bar(
        y=positions,
        x=numbers,
        orientation="h",
        width=0.42,
        marker_color=colours.safe,
        text=[f"{records:,}" for records in numbers.tolist()],
        textposition="outside",
        cliponaxis=False,
        hovertext=hover,
        hoverinfo="text",
    )
    chart = figure(bar, dark=dark, height=60 + 38 * max(2, len(sets)))
    for position, names in zip(positions, sets, strict=True):
        chart.add_annotation(
            x=0, y=position + 0.22, text=_in_one_line(names) or "(nothing known)", showarrow=False,
            xanchor="left", yanchor="bottom", borderpad=0, font={"size": 12, "color": colours.ink},
        )  # fmt: skip
    chart.update_xaxes(
        title=f"{unit} that these, and no part of them, {escape(what)}",
        **counts(int(numbers.max(initial=1)), room=1.14),
    )
    chart.update_yaxes(showticklabels=False, showgrid=False, range=[-0.5, max(2, len(sets)) - 0.2])
    return chart


def _in_one_line(names: tuple[str, ...]) -> str:
    """The names joined by +, the longest cut first when they are too long for one line."""
    room = _LINE - 3 * (len(names) - 1)
    length = next(
        size for size in range(room, 0, -1) if sum(min(len(name), size) for name in names) <= room or size == 1
    )
    return " + ".join(label(name, length) for name in names)
