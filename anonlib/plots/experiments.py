"""Figures of the paper's experiments with schedules: what was measured, beside what is printed (Tables 10 and 11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anonlib.analyses.schedules.experiments import TABLE_10, TABLE_11, Comparison, Table10, Table11
from anonlib.plots.theme import Palette, figure, palette

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
