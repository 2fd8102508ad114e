"""Figures of one person's history: when each visit was and who shares it, and what so many known visits leave.

The last figure is of persons below k, by how many of their rows are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.individuals.history import History, MostTellingVisits
from anonlib.analyses.individuals.rows_known import ByRows
from anonlib.basics.words import count, ordinal, percent
from anonlib.counting.privacy_models import in_short
from anonlib.plots.theme import Palette, bar_marker, counts, escape, figure, label, palette

_WIDE = 760  # pixels that a time line has for its marks
_LETTER, _APART = 7.5, 18  # pixels: a digit, and a mark with what it needs around it
_MOST_LEVELS = 6
_LEVEL = 34  # pixels
_MANY = 60  # visits; of more only those below k have their number
_FEW = 14  # numbers along an axis


def timeline(
    history: History,
    k: int,
    *,
    times: Sequence[float | None] | None = None,
    named: Sequence[str] = (),
    axis: str = "",
    are_days: bool = True,
    made_up: bool = False,
    dark: bool = False,
) -> go.Figure:
    """A mark for each visit at its time, with the number of persons who share it; those below k are red diamonds.

    Parameters
    ----------
    history : History
        The visits of one person, and how many share what is known of each.
    k : int
        The fewest persons who should share what is known.
    times : Sequence[float | None], optional
        Of each visit, None where it has none (such a visit is not drawn); left out, the visits stand in their order.
    named : Sequence[str], default ()
        How the time of each visit is written.
    axis : str, default ""
        What the times are: the name of their column.
    are_days : bool, default True
        Whether times are days since 1970; else they are numbers.
    made_up : bool, default False
        Whether times and names are invented, which is then written into the figure.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    at: list[float | None] = [float(i + 1) for i in range(len(history.visits))] if times is None else list(times)
    drawn = [i for i, time in enumerate(at) if time is not None]
    places = np.array([at[i] for i in drawn], dtype=float)
    sizes = np.array([history.visits[i].sharing for i in drawn], dtype=np.int64)
    red = sizes < k
    texts = [f"{size:,}" if len(drawn) <= _MANY or flag else "" for size, flag in zip(sizes.tolist(), red, strict=True)]
    levels = _levels(places, texts)
    x = _days(places) if times is not None and are_days else places.tolist()
    hover = [
        f"{ordinal(i + 1)} visit{': ' + escape(named[i]) if named else ''}<br>"
        f"{count(history.visits[i].sharing, 'persons')} "
        f"{'have' if history.visits[i].sharing != 1 else 'has'} one like it"
        for i in drawn
    ]
    stems = go.Scatter(
        x=[end for value in x for end in (value, value, None)],
        y=[end for level in levels for end in (0, level, None)],
        mode="lines", line={"color": colours.line, "width": 1}, hoverinfo="skip",
    )  # fmt: skip
    traces = [stems]
    for flag, symbol in ((False, "circle"), (True, "diamond")):
        which = np.flatnonzero(red == flag).tolist()
        if which:
            traces.append(_marks([x[i] for i in which], [levels[i] for i in which], [texts[i] for i in which],
                                 [hover[i] for i in which], symbol, flag, colours))  # fmt: skip
    top = max(levels, default=1)
    chart = figure(*traces, dark=dark, height=96 + _LEVEL * top, margin={"t": 26})
    chart.update_yaxes(visible=False, range=[0, top + 1], fixedrange=True)
    chart.update_xaxes(title=label(axis) if times is not None else "visit, in the order of the file", fixedrange=True)
    if times is None:
        chart.update_xaxes(tickformat=",d", range=[0.5, len(history.visits) + 0.5], dtick=_step(len(history.visits)))
    elif len(set(places.tolist())) == 1 and are_days:
        around = _days(places[:1] + np.array([-45, 45]))
        chart.update_xaxes(range=around)
    if made_up:
        chart.add_annotation(
            text="<b>values made up</b>", x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="bottom",
            showarrow=False, font={"size": 13, "color": colours.ink}, bgcolor=colours.ground,
            bordercolor=colours.faint, borderwidth=1, borderpad=3,
        )  # fmt: skip
    return chart


def _marks(
    x: list[Any], y: list[Any], texts: Sequence[str], hover: Sequence[str], symbol: str, red: bool, colours: Palette
) -> go.Scatter:
    colour = colours.risky if red else colours.safe
    return go.Scatter(
        x=x,
        y=y,
        mode="markers+text",
        marker={"symbol": symbol, "size": 13, "color": colour},
        text=list(texts),
        textposition="top center",
        textfont={"size": 12, "color": colours.risky if red else colours.ink},
        cliponaxis=False,
        hovertext=list(hover),
        hoverinfo="text",
    )


def _levels(places: np.ndarray, texts: Sequence[str]) -> list[int]:
    """From 1, how high each mark stands, so that none covers another one or its number as far as there is room."""
    if not len(places):
        return []
    low, high = float(places.min()), float(places.max())
    left = (places - low) / (high - low) * _WIDE if high > low else np.zeros(len(places))
    free = np.full(_MOST_LEVELS, -np.inf)  # where each level has room again
    levels = []
    for at, text in zip(left.tolist(), texts, strict=True):
        half = max(_APART, _LETTER * len(text)) / 2 + 2
        open_levels = np.flatnonzero(free <= at - half)
        level = int(open_levels[0]) if len(open_levels) else int(np.argmin(free))
        free[level] = at + half
        levels.append(level + 1)
    return levels


def _days(times: np.ndarray) -> list[str]:
    return np.round(times).astype(np.int64).astype("datetime64[D]").astype(str).tolist()


def _step(number: int) -> int:
    """Between the numbers along an axis, so that few stand there."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, number) if number / step <= _FEW)


def steps(history: History, k: int, *, dark: bool = False) -> go.Figure:
    """How many persons are left when the first visit is known, the first two, and so on, as steps that descend.

    Beside it, dashed, the fewest that any so many visits leave, as far as they are counted; at the end those who have
    just the same rows. Points below k, the fewest persons who should share what is known, are red diamonds; the line of
    k is dotted.
    """
    colours = palette(dark)
    n_visits = len(history.visits)
    in_time = [visit.left for visit in history.visits]
    fewest = [history.most_telling(number) for number in range(1, n_visits + 1)]
    hover = [f"nothing known<br>{count(history.n_persons, 'persons')}"] + [
        f"{_first(number)} known<br>{count(persons, 'persons')} left" for number, persons in enumerate(in_time, start=1)
    ]
    hover.append(f"all visits and their number known<br>{count(history.all_rows, 'persons')} left")
    numbers = [history.n_persons, *in_time, history.all_rows]
    end = n_visits + 1
    line = go.Scatter(
        x=list(range(end + 1)), y=numbers, mode="lines", line={"shape": "hv", "color": colours.safe, "width": 2},
        name="in the order of time", hoverinfo="skip", showlegend=True,
    )  # fmt: skip
    traces: list[Any] = [line, *_fewest(fewest, k, colours)] if n_visits > 1 else [line]
    shown = [0, *_with_numbers(in_time), end]
    for red, symbol in ((False, "circle"), (True, "diamond")):
        which = [i for i, persons in enumerate(numbers) if (persons < k) == red]
        texts = [f"{numbers[i]:,}" if i in shown else "" for i in which]
        if which:
            traces.append(
                _marks(which, [numbers[i] for i in which], texts, [hover[i] for i in which], symbol, red, colours)
                .update(showlegend=False, textposition="top right")
            )  # fmt: skip
    chart = figure(*traces, dark=dark, height=300, showlegend=n_visits > 1, margin={"t": 34, "r": 46})
    chart.add_hline(y=k, line={"color": colours.risky, "width": 1.5, "dash": "dot"})
    chart.add_annotation(
        x=1, xref="paper", xanchor="left", xshift=4, y=np.log10(k), text=f"k = {k}", showarrow=False,
        font={"color": colours.risky, "size": 13},
    )  # fmt: skip
    ticks = [0, *range(1, n_visits + 1, _step(n_visits)), end]
    chart.update_xaxes(
        title="visits known, the first ones first", tickvals=ticks, fixedrange=True, range=[-0.2, end + 0.45],
        ticktext=["none", *(f"{number:,}" for number in ticks[1:-1]), "all, and<br>how many"],
    )  # fmt: skip
    chart.update_yaxes(
        title="persons left", type="log", dtick=1, tickformat=",d", fixedrange=True,
        range=[np.log10(0.6), np.log10(5 * max(history.n_persons, k))],
    )  # fmt: skip
    return chart


def _fewest(fewest: Sequence[MostTellingVisits | None], k: int, colours: Palette) -> list[go.Scatter]:
    """The fewest that any so many visits leave: a dotted line, and squares that are red below k."""
    numbers = list(range(1, len(fewest) + 1))
    persons = [None if telling is None else telling.persons for telling in fewest]
    line = go.Scatter(
        x=numbers, y=persons, mode="lines", name="those that reveal most", showlegend=True, connectgaps=False,
        line={"shape": "hv", "color": colours.sequence[1], "width": 2, "dash": "dot"}, hoverinfo="skip",
    )  # fmt: skip
    squares = go.Scatter(
        x=numbers, y=persons, mode="markers", showlegend=False,
        marker={
            "size": 7, "symbol": "square",
            "color": [colours.risky if n is not None and n < k else colours.sequence[1] for n in persons],
        },
        hovertext=[_telling_in_words(telling) for telling in fewest], hoverinfo="text",
    )  # fmt: skip
    return [line, squares]


def _first(number: int) -> str:
    return "first visit" if number == 1 else f"first {number:,} visits"


def _telling_in_words(telling: MostTellingVisits | None) -> str:
    if telling is None or telling.persons is None:
        return "not counted"
    which = ", ".join(ordinal(place + 1) for place in telling.visits[:8]) + ("…" if len(telling.visits) > 8 else "")
    return (
        f"those that reveal most, {count(telling.number, 'visits')}: {which}<br>{count(telling.persons, 'persons')} "
        "left"
    )


def _with_numbers(in_time: Sequence[int]) -> list[int]:
    """The visits at which a number stands: those after which fewer are left, as far as there is room."""
    falling = [i for i in range(1, len(in_time) + 1) if i == 1 or in_time[i - 1] < in_time[i - 2]]
    return falling[:: max(1, -(-len(falling) // _FEW))]


_ROW, _AROUND = 34, 66  # pixels


def bars(by_knowledge: Sequence[ByRows], k: int, *, dark: bool = False) -> go.Figure:
    """Persons below k for each knowledge of their rows, red and hatched; at the end of each bar how many are alone.

    Parameters
    ----------
    by_knowledge : Sequence[ByRows]
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
    rows = list(by_knowledge)[::-1]
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
