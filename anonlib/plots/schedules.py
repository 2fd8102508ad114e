"""Figures of schedules: their anonymity vectors, who goes where, and the paper's experiments.

The figures of the experiments are last: what was measured, beside what the paper printed (Tables 10 and 11).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from scipy import sparse

from anonlib.analyses.schedules import FewMoves
from anonlib.analyses.schedules.experiments import TABLE_10, TABLE_11, Comparison, Table10, Table11
from anonlib.basics.words import count
from anonlib.counting.classes import AnonymityVector
from anonlib.plots.theme import DARK_INK, LIGHT_INK, Palette, escape, figure, label, palette

BOUND = "No schedule is better than"
"""What the row of the bound is called."""
_ROW, _ABOVE = 46, 14  # pixels of a row of vectors, and of what is above its bars: their numbers
_TITLES = 250  # pixels beside the bars, for the titles of the rows
_PRINTED = 15  # characters of a vector in the title of its row
_ALL_SINGLE = 30  # up to here every class size has a bar of its own
_FACTORS = (1, 2, 5)
_LEAST_SEEN = 0.035  # of the highest bar: nobody is too few to be seen
_MOST_WRITTEN = 16  # bars of a row that have room for their numbers
_PIXELS, _DIGIT = 390, 7  # the bars of a figure are at least about so wide, and a digit of a number on one
_MOST_CROSSES = 5_000  # cells below k that are marked one by one
_CELLS_WRITTEN = 30  # columns of a grid whose cells have room for theirs


# ---- anonymity vectors ---------------------------------------------------------------------------------------------


def vectors(
    named: Mapping[str, AnonymityVector],
    k: int,
    *,
    bound: AnonymityVector | None = None,
    neutral: Collection[str] = (),
    unit: str = "people",
    dark: bool = False,
) -> go.Figure:
    """Anonymity vectors below each other: people by the size of their class, red below ``k``.

    Beside each row stand its name and its first positions as the paper prints them. The rows share the class sizes;
    each has the scale of its own highest bar, and a bar of few people is drawn high enough to be seen. Red bars are
    dotted too, for grey print.

    Parameters
    ----------
    named : Mapping[str, AnonymityVector]
        Vectors by name.
    k : int
        Smallest class size wanted.
    bound : AnonymityVector, optional
        Hatched, below the others.
    neutral : Collection[str], default ()
        Names of rows that are grey: what the others are compared with.
    unit : str, default "people"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    rows = [*named.items(), *([(BOUND, bound)] if bound is not None else [])]
    largest = max((int(vector.sizes[-1]) for _, vector in rows if len(vector.sizes)), default=1)
    lows = _bins(largest, k)
    highs = np.append(lows[1:] - 1, max(largest, int(lows[-1])))
    labels = [f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in zip(lows.tolist(), highs.tolist(), strict=True)]
    share = 1 / max(1, len(rows))
    bars, axes, titles = [], {}, []
    for i, (name, vector) in enumerate(rows):
        is_bound = bound is not None and i == len(rows) - 1
        plain = colours.original if is_bound or name in neutral else colours.safe
        bar, highest = _bars(name, vector, lows, labels, unit)
        red = (highs[bar["x"]] < k).tolist()
        if len(red) > _MOST_WRITTEN:
            room = _PIXELS / len(lows)
            shown = [is_red and len(text) * _DIGIT <= room for text, is_red in zip(bar["text"], red, strict=True)]
            bar["text"] = [text if is_shown else "" for text, is_shown in zip(bar["text"], shown, strict=True)]
        bar["marker"] = _marker([colours.risky if is_red else plain for is_red in red], is_bound, red, dark)
        bars.append(go.Bar(**bar, yaxis=_axis(i), textfont={"size": 11, "color": colours.faint}))
        top = 1 - i * share
        axes[f"yaxis{i + 1 if i else ''}"] = {
            "domain": [max(0.0, top - share), top - share * _ABOVE / _ROW],
            "range": [0, 1.1 * highest],
            "showgrid": False,
            "showticklabels": False,
            "zeroline": True,
            "zerolinecolor": colours.line,
            "fixedrange": True,
            "anchor": "x",
        }
        titles.append(
            {
                "x": 0, "xref": "paper", "xshift": -_TITLES, "y": top - share, "yref": "paper", "xanchor": "left",
                "yanchor": "bottom", "showarrow": False, "align": "left",
                "text": _title(name, vector, k, unit, colours), "font": {"size": 12.5, "color": colours.ink},
            }
        )  # fmt: skip
    axes["xaxis"] = {
        "title": f"size of the class: {unit} with the same quasi-identifiers in the same slot",
        "tickvals": list(range(len(lows))),
        "ticktext": labels,
        "tickangle": -40 if len(lows) * max(map(len, labels)) * _DIGIT > _PIXELS else 0,
        "range": [-0.6, len(lows) - 0.4],
        "anchor": _axis(max(0, len(rows) - 1)),
        "fixedrange": True,
    }
    lines = []
    below = int(np.searchsorted(lows, k))
    if 0 < below < len(lows):
        lines = [
            {
                "type": "line", "x0": below - 0.5, "x1": below - 0.5, "y0": 0, "y1": 1, "yref": f"{_axis(i)} domain",
                "layer": "below", "line": {"color": colours.risky, "width": 1.2, "dash": "dot"},
            }
            for i in range(len(rows))
        ]  # fmt: skip
        titles.append(
            {
                "x": below - 0.5, "y": 1, "yref": "paper", "text": f"k = {k:,}", "showarrow": False,
                "xanchor": "center", "yanchor": "bottom", "font": {"color": colours.risky, "size": 12},
            }
        )  # fmt: skip
    return figure(
        *bars, dark=dark, height=_ROW * max(1, len(rows)) + 76, bargap=0.12, margin={"t": 26, "l": _TITLES},
        annotations=titles,
        shapes=lines, **axes,
    )  # fmt: skip


def _bars(
    name: str, vector: AnonymityVector, lows: np.ndarray, labels: list[str], unit: str
) -> tuple[dict[str, Any], int]:
    """A row's bars, where there are people, and the highest of them."""
    bins = np.searchsorted(lows, vector.sizes, side="right") - 1
    people = np.bincount(bins, weights=vector.sizes * vector.classes, minlength=len(lows)).astype(np.int64)
    classes = np.bincount(bins, weights=vector.classes, minlength=len(lows)).astype(np.int64)
    used = np.flatnonzero(people)
    highest = max(1, int(people.max()))
    exact = len(f"{highest:,}") * _DIGIT * len(lows) <= _PIXELS
    bar = {
        "x": used,
        "y": np.maximum(people[used], _LEAST_SEEN * highest),
        "text": [f"{n:,}" if exact else _short(n) for n in people[used].tolist()],
        "textposition": "outside",
        "textangle": 0,
        "cliponaxis": False,
        "hoverinfo": "text",
        "hovertext": [
            f"{escape(name)}<br>class size {labels[j]}: {count(int(people[j]), unit)} in "
            f"{count(int(classes[j]), 'classes')}"
            for j in used.tolist()
        ],
    }
    return bar, highest


def _bins(largest: int, k: int) -> np.ndarray:
    """Smallest size of each bin: every size to 30 alone where none is larger, else wider and wider; ``k`` begins one.

    So that none mixes sizes below k with others. The bins reach ``largest`` and a little past k.
    """
    top = max(largest, k + 1)
    if top <= _ALL_SINGLE:
        return np.arange(1, top + 1)
    single = 20 if top <= 1_000 else 10
    starts = {*range(1, single + 1), k}
    starts |= {low for low in (11, 16, 21, 31, 51) if single < low <= top}
    starts |= {low for power in range(2, 13) for f in _FACTORS if (low := f * 10**power + 1) <= top}
    return np.array(sorted(starts))


def _axis(i: int) -> str:
    return f"y{i + 1}" if i else "y"


def _marker(colour: list[str], hatched: bool, red: list[bool], dark: bool) -> dict[str, Any]:
    """The look of bars: those below k have dots too, which grey print keeps apart; those of the bound are hatched."""
    if not hatched:
        shapes = ["." if is_red else "" for is_red in red]
        ink = DARK_INK if dark else LIGHT_INK
        dots = {"shape": shapes, "size": 6, "solidity": 0.15, "fillmode": "overlay", "fgcolor": ink}
        return {"color": colour, "line": {"width": 0}, "pattern": dots}
    pattern = {"shape": "/", "size": 5, "solidity": 0.25, "fillmode": "replace", "fgcolor": colour}
    return {"color": colour, "line": {"width": 1.2, "color": colour}, "pattern": pattern}


def _title(name: str, vector: AnonymityVector, k: int, unit: str, colours: Palette) -> str:
    below = vector.people_below(k)
    people = f"{count(below, unit) if below else 'nobody'} below {k:,}"
    red = f"<span style='color:{colours.risky}'>{people}</span>" if below else people
    printed = f"<span style='color:{colours.faint}'>{vector.printed(_PRINTED)}</span>"
    return f"<b>{label(name, 38)}</b><br>k = {vector.k:,}, {red} {printed}"


def _short(number: int) -> str:
    """``950``, ``1.2k``, ``35k``, ``1.2M``: the exact number is in the hover."""
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            value = number / size
            return (f"{value:.1f}" if value < 9.95 else f"{value:.0f}").removesuffix(".0") + letter
    return str(number)


def few_moves(moves: FewMoves, chosen: int, *, dark: bool = False) -> go.Figure:
    """People alone and people below k against how many people get another appointment, in steps.

    Parameters
    ----------
    moves : FewMoves
        What is gained by how many.
    chosen : int
        How many may move: marked.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    chart = figure(dark=dark, height=300)
    at = max(0, int(np.searchsorted(moves.moved, chosen, side="right")) - 1)
    lines = [("alone", moves.alone, colours.risky, "solid")]
    if moves.k > 2:
        lines.append((f"below {moves.k:,}", moves.below, colours.sequence[0], "dash"))
    for name, people, colour, dash in lines:
        chart.add_scatter(
            x=moves.moved.tolist(), y=people.tolist(), mode="lines", name=name,
            line={"color": colour, "width": 2.5, "shape": "hv", "dash": dash},
            hovertemplate="%{x:,} people moved: %{y:,} " + name + "<extra></extra>",
        )  # fmt: skip
        chart.add_scatter(
            x=[int(moves.moved[at])], y=[int(people[at])], mode="markers+text", showlegend=False, hoverinfo="skip",
            text=[f"{int(people[at]):,} {name}"], textposition="top right",
            textfont={"size": 12, "color": colours.ink}, cliponaxis=False,
            marker={"size": 9, "color": colour},
        )  # fmt: skip
    chart.update_xaxes(title="people who get another appointment", tickformat=",d", rangemode="tozero")
    chart.update_yaxes(title="people", tickformat=",d", rangemode="tozero")
    chart.update_layout(showlegend=True, legend={"y": 1.02, "yanchor": "bottom"}, margin={"t": 40})
    return chart


# ---- who goes where ------------------------------------------------------------------------------------------------


def grid(
    matrix: sparse.sparray | np.ndarray,
    value_labels: Sequence[str],
    slot_labels: Sequence[str],
    k: int,
    *,
    unit: str = "people",
    dark: bool = False,
) -> go.Figure:
    """People of each quasi-identifier value (rows) in each slot (columns): red below ``k``, else the more the bluer.

    Numbers are written if there is room, those below ``k`` underlined; else a cross is on each, and labels are thinned
    out. The hover has them all.

    Parameters
    ----------
    matrix : sparse.sparray | np.ndarray
        (Q, R) people; empty cells are blank.
    value_labels, slot_labels : Sequence[str]
        Labels of its rows and columns.
    k : int
        Smallest class size wanted.
    unit : str, default "people"
        What counts are of.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    people = np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray(), dtype=np.int64)
    people = people.reshape(len(value_labels), len(slot_labels))
    n_values, n_slots = people.shape
    rows, columns = np.nonzero(people)
    cell_counts = people[rows, columns]
    most = max(int(cell_counts.max(initial=1)), 1)
    hover = np.full(people.shape, "", dtype=object)
    value_names, slot_names = [label(v, 60) for v in value_labels], [label(s, 60) for s in slot_labels]
    for i, j, n in zip(rows.tolist(), columns.tolist(), cell_counts.tolist(), strict=True):
        hover[i, j] = f"{value_names[i]}<br>{slot_names[j]}<br>{count(n, unit)}" + (f", below {k:,}" if n < k else "")
    cell = max(4.0, min(28.0, 760 / max(1, n_values)))
    gap = 1.5 if max(n_values, n_slots) <= 60 else 0.5 if max(n_values, n_slots) <= 150 else 0
    written = n_slots <= _CELLS_WRITTEN and cell >= 15
    heat = go.Heatmap(
        z=np.where(people > 0, people.astype(float), np.nan),
        zmin=0,
        zmax=most,
        colorscale=_red_below(k, most, colours),
        xgap=gap,
        ygap=gap,
        showscale=not written,
        hoverongaps=False,
        hovertext=hover.tolist(),
        hoverinfo="text",
        colorbar={
            "title": {
                "text": f"{unit} (red: below {k:,})",
                "side": "right",
                "font": {"size": 12, "color": colours.faint},
            },
            "thickness": 10,
            "outlinewidth": 0,
            "tickformat": ",d",
            "tick0": 0,
            "dtick": max(1, -(-most // 6)),
            "tickfont": {"size": 11, "color": colours.faint},
        },
    )
    chart = figure(heat, dark=dark, height=round(cell * max(3, n_values)) + 120)
    if written:
        on_red = DARK_INK if dark else LIGHT_INK
        chart.add_scatter(
            x=columns,
            y=rows,
            mode="text",
            text=[f"{n:,}" for n in cell_counts.tolist()],
            textfont={
                "size": 12,
                "color": [on_red if n < k else colours.ink_on(n / most) for n in cell_counts.tolist()],
                "lineposition": ["under" if n < k else "none" for n in cell_counts.tolist()],
            },
            hoverinfo="skip",
        )
    elif (below := cell_counts < k).sum() <= _MOST_CROSSES:
        chart.add_scatter(
            x=columns[below],
            y=rows[below],
            mode="markers",
            marker={
                "symbol": "x-thin-open",
                "size": max(4, min(7, cell - 4)),
                "color": DARK_INK if dark else LIGHT_INK,
            },
            hoverinfo="skip",
        )
    lines = {"showgrid": written, "gridcolor": colours.line, "griddash": "dot", "zeroline": False, "fixedrange": True}
    chart.update_xaxes(
        **_thinned(slot_labels, 32, 34), **lines, range=[-0.5, max(1, n_slots) - 0.5], ticks="",
        tickangle=-40 if n_slots > 6 else 0,
    )  # fmt: skip
    chart.update_yaxes(
        **_thinned(value_labels, max(1, round(n_values * cell / 13)), 26), **lines,
        range=[max(1, n_values) - 0.5, -0.5],
    )  # fmt: skip
    chart.update_layout(margin={"t": 8})
    return chart


def _red_below(k: int, most: int, colours: Palette) -> list[list[Any]]:
    """One scale from 0 to ``most``: red for whole numbers below k, from there on the shared one."""
    edge = (k - 0.5) / most
    if edge >= 1:
        return [[0.0, colours.risky], [1.0, colours.risky]]
    if edge <= 0 or k <= 1:
        return colours.scale
    return [[0.0, colours.risky], [edge, colours.risky], [edge, colours.shade(edge)], [1.0, colours.much]]


def _thinned(labels: Sequence[str], most: int, length: int) -> dict[str, Any]:
    """Ticks for at most so many of the labels, evenly spaced."""
    step = max(1, -(-len(labels) // most))
    chosen = list(range(0, len(labels), step))
    return {"tickvals": chosen, "ticktext": [label(labels[i], length) for i in chosen]}


BAND = 1.96
"""Standard errors on either side that hold 95% of a normal distribution."""
_NAMES = {"reference": "heuristic", "published": "published rule", "optimal": "optimum", "random": "random"}
_ORDER: tuple[Comparison, ...] = (
    ("reference", "random"),
    ("optimal", "reference"),
    ("optimal", "random"),
    ("published", "random"),
)
_PERCENT = {"tickformat": ".0%", "tickvals": [0, 0.25, 0.5, 0.75, 1]}


def comparison_name(comparison: Comparison) -> str:
    """What is compared with what, in words.

    Parameters
    ----------
    comparison : Comparison
        A method, and the one it is compared with.

    Returns
    -------
    str
        Such as ``greedy over random``.
    """
    method, over = comparison
    return f"{_NAMES[method]} over {_NAMES[over]}"


def table10(result: Table10 | None, *, dark: bool = False) -> go.Figure:
    """Mean improvement against the people of a programme, with its 95% band; diamonds are what Table 10 prints.

    Parameters
    ----------
    result : Table10 | None
        What was measured; None draws what is printed alone.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    chart = figure(dark=dark, height=380)
    frame = result.to_frame() if result is not None else pd.DataFrame()
    compared = result.comparisons if result is not None else ()
    for comparison in (pair for pair in _ORDER if pair in compared):
        rows = frame[(frame["method"] == comparison[0]) & (frame["over"] == comparison[1])].sort_values("people")
        _measured(chart, rows, comparison, colours)
    for position, comparison in enumerate(_ORDER[:2]):
        printed = [(n, both[position]) for n, both in TABLE_10.items()]
        x, y = zip(*[(n, value) for n, value in printed if value is not None], strict=True)
        name = f"{comparison_name(comparison)}, printed"
        colour = _colour(comparison, colours)
        chart.add_scatter(
            x=x, y=y, mode="lines+markers", name=name,
            hovertemplate=f"{name}<br>%{{x:,}} people: %{{y:.0%}}<extra></extra>",
            line={"color": colour, "width": 1.5, "dash": "dash"},
            marker={"symbol": "diamond-open", "size": 10, "color": colour, "line": {"width": 2, "color": colour}},
        )  # fmt: skip
    ticks = sorted(
        {20, 30, 40, 50, 100, 250, 500, 1_000} | {int(n) for n in (result.sizes if result else ()) if n > 50}
    )
    chart.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{n:,}" for n in ticks], title="people of a programme")
    lowest = min(0.0, float(result.mean.min())) if result is not None else 0.0
    chart.update_yaxes(**_PERCENT, range=[lowest - 0.05, 1.03], title="mean improvement")
    chart.update_layout(showlegend=True, legend={"y": 1.02, "yanchor": "bottom"}, margin={"t": 60})
    return chart


def _measured(chart: go.Figure, rows: pd.DataFrame, comparison: Comparison, colours: Palette) -> None:
    """A line with its band; a mean of one programme has none."""
    colour = _colour(comparison, colours)
    people, mean = rows["people"].tolist(), rows["improvement"].to_numpy()
    spread = BAND * rows["standard_error"].to_numpy()
    whiskers = len(people) == 1  # no band can be seen
    if np.isfinite(spread).all() and not whiskers:
        chart.add_scatter(
            x=[*people, *people[::-1]], y=[*(mean + spread), *(mean - spread)[::-1]], fill="toself", mode="lines",
            fillcolor=_see_through(colour, 0.18), line={"width": 0}, hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    name = comparison_name(comparison)
    within = [f" ± {100 * value:.1f}" if np.isfinite(value) else "" for value in spread]
    chart.add_scatter(
        x=people,
        y=mean.tolist(),
        mode="lines+markers",
        name=name,
        line={"color": colour, "width": 2.5},
        marker={"size": 7, "color": colour},
        error_y={"type": "data", "array": spread.tolist(), "visible": whiskers and bool(np.isfinite(spread).all())},
        hoverinfo="text",
        hovertext=[
            f"{name}<br>{n:,} people: {100 * value:.1f}{more}%"
            for n, value, more in zip(people, mean.tolist(), within, strict=True)
        ],
    )


def table11(result: Table11 | None, *, dark: bool = False) -> go.Figure:
    """Least, mean and largest improvement over a region's dates: solid as measured, dashed as Table 11 prints.

    Parameters
    ----------
    result : Table11 | None
        What was measured, of which the comparisons with the original schedule are drawn; None draws what is printed
        alone.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    frame = result.to_frame() if result is not None else pd.DataFrame({"region": list(TABLE_11)})
    compared = [pair for pair in _ORDER if result is not None and pair in result.comparisons and pair[1] == "random"]
    regions = sorted(set(frame["region"].tolist()))
    lines = len(compared) + 1
    shift = [0.3 - 0.6 * i / max(1, lines - 1) if lines > 1 else 0.0 for i in range(lines)]
    chart = figure(dark=dark, height=90 + len(regions) * (18 + 16 * lines))
    for comparison, moved in zip(compared, shift, strict=False):
        rows = frame[(frame["method"] == comparison[0]) & (frame["over"] == comparison[1])]
        ranges = [
            (regions.index(region), *numbers)
            for region, *numbers in rows[["region", "min", "mean", "max"]].itertuples(index=False)
        ]
        _ranges(chart, ranges, moved, comparison_name(comparison), _colour(comparison, colours))
    printed = [
        (i, TABLE_11[region][0], TABLE_11[region][2], TABLE_11[region][1])
        for i, region in enumerate(regions)
        if region in TABLE_11
    ]
    _ranges(
        chart, printed, shift[-1], f"{comparison_name(_ORDER[0])}, printed", _colour(_ORDER[0], colours), printed=True
    )
    chart.update_xaxes(**_PERCENT, range=[min(-0.02, *_least(frame)), 1.03], title="improvement: least, mean, largest")
    chart.update_yaxes(
        tickvals=list(range(len(regions))), ticktext=[f"region {region}" for region in regions],
        range=[len(regions) - 0.45, -0.55], showgrid=False,
    )  # fmt: skip
    chart.update_layout(showlegend=True, legend={"y": 1.02, "yanchor": "bottom"}, margin={"t": 44})
    return chart


def _least(frame: pd.DataFrame) -> list[float]:
    return [frame["min"].min() - 0.02] if "min" in frame else [0.0]


def _ranges(
    chart: go.Figure,
    ranges: Sequence[tuple[int, float, float, float]],
    shift: float,
    name: str,
    colour: str,
    *,
    printed: bool = False,
) -> None:
    """A line from the least to the largest and a mark at the mean, a row a region."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row, least, _, largest in ranges:
        x += [least, largest, None]
        y += [row + _down(shift), row + _down(shift), None]
    chart.add_scatter(
        x=x, y=y, mode="lines", hoverinfo="skip", showlegend=False, name=name,
        line={"color": colour, "width": 2 if printed else 5, "dash": "dash" if printed else "solid"},
    )  # fmt: skip
    chart.add_scatter(
        x=[mean for _, _, mean, _ in ranges],
        y=[row + _down(shift) for row, *_ in ranges],
        mode="markers",
        name=name,
        marker={
            "symbol": "diamond-open" if printed else "circle",
            "size": 12,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
        hoverinfo="text",
        hovertext=[
            f"{name}<br>mean {mean:.1%}, from {least:.1%} to {largest:.1%}" for _, least, mean, largest in ranges
        ],
    )


def _down(shift: float) -> float:
    """The axis of the regions runs downwards."""
    return -shift


def _colour(comparison: Comparison, colours: Palette) -> str:
    return colours.sequence[_ORDER.index(comparison)]


def _see_through(colour: str, opacity: float) -> str:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"
