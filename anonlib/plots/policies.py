"""The intervals of policies: a bar an attribute, cut where the policy cuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from anonlib.analyses.frontier.domains import Domain
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.basics.words import count
from anonlib.plots.theme import Palette, figure, label, palette
from anonlib.values.cells import MISSING_LABEL

_BAR, _TITLE = 26, 30  # pixels: a policy's bar, and the line above the bars of an attribute
_WIDE, _LETTER = 520, 6.6  # pixels: a bar is at least about so wide, and so is a letter of its labels
_MOST_PARTED = 120  # intervals of a bar that a thin line parts


def intervals(
    space: PolicySpace,
    policies: Sequence[tuple[str, np.ndarray]],
    *,
    unit: str,
    dark: bool = False,
) -> go.Figure:
    """Each attribute's ordered values as a bar a policy, cut into the intervals that the policy releases.

    An interval is as wide as its share of the records; two tones take turns and mean nothing else.

    Parameters
    ----------
    space : PolicySpace
        The policies of a class table.
    policies : Sequence[tuple[str, np.ndarray]]
        Names with bool arrays.
    unit : str
        What counts are of.
    dark : bool, default False
        Whether the page is dark.

    Raises
    ------
    InputError
        For a policy of another space.
    """
    colours = palette(dark)
    checked = [(name, space.checked(policy)) for name, policy in policies]
    pitch = len(checked) * _BAR + _TITLE
    tones: list[go.Heatmap] = []
    labels: list[tuple[float, float, str]] = []
    written: list[dict[str, Any]] = []
    places = [j * pitch + _TITLE + (p + 0.5) * _BAR for j in range(len(space.domains)) for p in range(len(checked))]
    for j, domain in enumerate(space.domains):
        written.append(
            {
                "x": 0, "y": j * pitch + _TITLE - 3, "text": _title(domain), "showarrow": False, "xanchor": "left",
                "yanchor": "bottom", "borderpad": 0, "font": {"size": 12, "color": colours.ink},
            }
        )  # fmt: skip
        records = _records_before(space, j)
        for p, (name, policy) in enumerate(checked):
            spans = space.intervals(policy, j)
            cuts = np.array([first for first, _ in spans] + [len(domain)])
            place = places[j * len(checked) + p]
            bar, inside = _bar(name, domain, spans, records[cuts], place, unit, colours)
            tones.append(bar)
            labels += inside
            written.append(
                {
                    "x": 1, "y": place, "text": count(len(spans), "intervals"), "showarrow": False, "xanchor": "left",
                    "xshift": 6, "font": {"size": 12, "color": colours.faint},
                }
            )  # fmt: skip
    high = pitch * max(1, len(space.domains))
    return figure(
        *tones, _labels(labels, colours),
        dark=dark,
        height=high + 16,
        margin={"t": 4, "r": 100},
        annotations=written,
        xaxis={"visible": False, "range": [0, 1], "fixedrange": True},
        yaxis={
            "tickvals": places, "ticktext": [label(name, 22) for name, _ in checked] * len(space.domains), "ticks": "",
            "showgrid": False, "showline": False, "range": [high, 0], "fixedrange": True,
        },
    )  # fmt: skip


def _title(domain: Domain) -> str:
    text = domain.size()
    if domain.n_values > 1:
        text += f", {_shown(domain.values[0], 16)} to {_shown(domain.values[domain.n_values - 1], 16)}"
    return f"<b>{label(domain.attribute, 40)}</b>  {text}"


def _shown(value: str | None, length: int) -> str:
    return label(MISSING_LABEL if value is None else value, length)


def _bar(
    name: str,
    domain: Domain,
    spans: list[tuple[int, int]],
    before: np.ndarray,
    place: float,
    unit: str,
    colours: Palette,
) -> tuple[go.Heatmap, list[tuple[float, float, str]]]:
    """One heatmap of one row, however many intervals: a shape each would be slow. Labels where there is room, by place.

    ``before`` are the records before each interval, and in all.
    """
    edges, records = before / before[-1], np.diff(before)
    texts = [_shown(domain.label(first, last), 60) for first, last in spans]
    turns = np.zeros((1, len(spans)), dtype=np.uint8)
    turns[0, 1::2] = 1
    tones = go.Heatmap(
        x=edges, y=[place - 0.42 * _BAR, place + 0.42 * _BAR], z=turns, zmin=0, zmax=1,
        colorscale=[[0.0, colours.little], [1.0, colours.shade(0.3)]], showscale=False,
        xgap=1 if len(spans) <= _MOST_PARTED else 0, hovertext=[texts], customdata=records.astype(np.int64)[None, :],
        hovertemplate=f"<b>{label(name, 40)}</b><br>{label(domain.attribute, 40)}: %{{hovertext}}"
        f"<br>%{{customdata:,}} {unit}<extra></extra>",
    )  # fmt: skip
    room = [len(text) * _LETTER + 8 <= wide * _WIDE for text, wide in zip(texts, np.diff(edges), strict=True)]
    middle = (edges[:-1] + edges[1:]) / 2
    return tones, [(x, place, text) for x, text, fits in zip(middle.tolist(), texts, room, strict=True) if fits]


def _labels(labels: Sequence[tuple[float, float, str]], colours: Palette) -> go.Scatter:
    """All labels in one: a browser takes as long for a trace of one as for one of all."""
    x, y, text = zip(*labels, strict=True) if labels else ((), (), ())
    return go.Scatter(
        x=x, y=y, text=text, mode="text", hoverinfo="skip", textfont={"size": 11, "color": colours.ink},
    )  # fmt: skip


def _records_before(space: PolicySpace, j: int) -> np.ndarray:
    """float64, the records before each value of attribute j, and in all."""
    cells = space.cells
    of_place = np.bincount(cells.places[:, j], weights=cells.records, minlength=2 * len(space.domains[j]) - 1)
    return np.concatenate([[0.0], np.cumsum(of_place[::2])])  # no record lies between values
