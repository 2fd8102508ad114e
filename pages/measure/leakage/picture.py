"""The Leakage page's picture: what each column gives away."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.leakage import LeakageTable
from anonlib.basics import words
from anonlib.plots import leakage as plots
from pages.measure.leakage.results import Version, leakiest
from ui.kit import page
from ui.session import keep
from ui.text import printable


def _select(chart_key: str, focus: str, table: LeakageTable) -> None:
    """The column whose bar was clicked is the one in words."""
    points = st.session_state[chart_key].selection.get("points") or []
    place = clicked_place(points)
    if place is not None:
        keep.put(focus, table.sets[place][0])


def clicked_place(points: list[dict]) -> int | None:
    """The position in the table's sets that the clicked point carries."""
    place = points[0].get("customdata") if points else None
    return None if place is None else int(place[0] if isinstance(place, list | tuple) else place)


def show_picture(version: Version, focus: str) -> None:
    table, question, data = version.table, version.question, version.data
    top = leakiest(table)
    i = table.place([top])
    key = "leakage-losses"
    page.figure(
        partial(
            plots.losses, table, average=question.average, worst=question.worst, unit=data.unit,
            bold=[name for name in table.attributes if name in data.sensitive],
        ),
        f"Bars of what each of {words.count(len(table.attributes), 'columns')} gives away on average, with a mark for "
        f"the worst person, and how many {data.unit} are in classes below {table.k}. Most gives {printable(top)}: "
        f"{words.percent(float(table.normalized[i]))} on average, {words.percent(float(table.worst_normalized[i]))} at "
        "worst.",
        key, "points", partial(_select, key, focus, table),
    )  # fmt: skip
    page.counts(
        "Bar: what a column gives away on average, as a share of the bits that name someone; mark: what the worst "
        "person loses. Red, the bar striped and the mark a diamond, is past a limit. The average hides the worst "
        "person, and filling rare classes raises it: read both. "
        f"{'Bold: sensitive. ' if data.sensitive else ''}Arca and Hewett 2021, Proposition 2."
    )
