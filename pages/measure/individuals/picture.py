"""The heatmap and its gestures: draw a range to look closer, click a cell to read that record's story."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from anonlib.analyses.individuals.heatmap import heatmap_columns
from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.plots import individuals as plots
from pages.measure.individuals import results
from pages.measure.individuals.question import IN_WORDS, MEANS, IndividualsQuestion
from pages.measure.individuals.results import IndividualsAnswer
from ui.kit import page
from ui.session import keep, view
from ui.text import printable

STORY = "One individual"
TABS = "individuals-tabs"
_SOURCE = "Kroes et al. 2021, Figure 2."

RECORD, SCAN_COLUMN = "individuals-record", "individuals-scan-column"  # names of settings


def range_name(n: int) -> str:
    return f"individuals-range-{n}"


def _select(n: int, chart_key: str, data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer) -> None:
    """A range drawn in the picture becomes the range shown; a cell that is clicked becomes the story shown."""
    selection = st.session_state[chart_key].selection
    drawn = selected_range(selection.get("box") or [], n)
    points = selection.get("points") or []
    if drawn is not None and drawn[1] > drawn[0]:
        keep.put(range_name(n), drawn)
    elif points:
        place = points[0]["customdata"]
        place = int(place[0] if isinstance(place, list | tuple) else place)
        record = results.record_at(results.classes_of(data, question), answer, place)
        keep.put(RECORD, record + 1)
        st.session_state[TABS] = STORY


def selected_range(boxes: list[dict], n: int) -> tuple[int, int] | None:
    """The individuals (counted from 1) under a box drawn in the picture."""
    if not boxes:
        return None
    low, high = sorted(float(x) for x in boxes[0]["x"][:2])
    return max(1, round(low)), min(n, round(high))


def show(data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer) -> tuple[int, int, bool]:
    """The heatmap of the range chosen; returns the range, counted from 1, and whether its cells can be clicked."""
    n = answer.people.n_sampled
    first, last = keep.value(range_name(n), (1, n))
    columns = heatmap_columns(answer.values, answer.certain, answer.people.counts, answer.order, first - 1, last)
    draw = partial(
        plots.heatmap, columns, answer.variables, answer.in_words, highest=answer.highest, unit=data.unit,
        bold=[name for name in answer.variables if data.roles.get(name) == Role.SENSITIVE],
    )  # fmt: skip
    worst = answer.variables[int(np.argmax(answer.share))]
    key = f"individuals-heatmap-{first}-{last}"
    page.figure(
        draw,
        f"Heatmap of {answer.in_words}{_term(answer)} for {words.count(len(answer.variables), 'columns')} and "
        f"{data.unit} {first:,} to {last:,} in order of certainty. Red is certain; most in {printable(worst)}, "
        f"{words.percent(float(answer.share.max()))}.",
        key,
        "points" if plots.is_clickable(columns) else "box",
        partial(_select, n, key, data, question, answer),
    )
    if n > 1:
        keep.range_slider(
            range_name(n), f"{data.unit.capitalize()} shown, in this order", 1, n, (1, n),
            help="Or draw a range in the picture. With few enough shown, a click on a cell tells that record’s story.",
        )  # fmt: skip
    page.counts(
        f"Each row takes one column as unknown and the others as what may be known; each place along it is one of the "
        f"{data.unit}. Red, with a dotted line through it: {meaning(question)}, for at least one of those drawn "
        f"there; blue: {answer.in_words}{_term(answer)}, on average{_blank(answer)}. {_left_out(question, answer)}"
        f"{'' if question.attacker == 'chance' else _SOURCE}"
    )
    return first, last, plots.is_clickable(columns)


def _left_out(question: IndividualsQuestion, answer: IndividualsAnswer) -> str:
    names = [name for name in question.variables if name not in answer.variables]
    has, them = ("has one value", "it") if len(names) == 1 else ("have one value each", "them")
    return f"No row: {page.listed(names)} {has}, so nobody is distinguished from others by {them}. " if names else ""


def _term(answer: IndividualsAnswer) -> str:
    """The field's term beside the plain words."""
    return f" ({answer.name})" if answer.name in IN_WORDS else ""


def term_in_words(question: IndividualsQuestion, answer: IndividualsAnswer) -> str:
    """The field's term for the values and what it means; of chances, what they are."""
    return f"{answer.name}: {MEANS[question.measure]}" if answer.name in IN_WORDS else f"{answer.name.capitalize()}."


def _blank(answer: IndividualsAnswer) -> str:
    return "; blank: no value, nothing to infer" if np.isnan(answer.values).any(axis=0).any() else ""


def meaning(question: IndividualsQuestion) -> str:
    """What red means, in words."""
    if question.attacker == "chance":
        limit = words.percent(view.now().threshold)
        return f"the value is inferred with a probability above {limit}, the risk threshold of the Risk page"
    return f"{question.certain_where()} ({question.limit})"


def of_missing(answer: IndividualsAnswer, column: str, unit: str, question: IndividualsQuestion) -> str:
    """A sentence on those who are certain to lack the value; none where there are none."""
    if column not in answer.variables:
        return ""
    number = int(answer.people.number(answer.missing[:, answer.place(column)]))
    if not number:
        return ""
    many = words.count(number, unit)
    if question.missing_is_harm:
        return f" Among them: {many} whose value there is certainly missing."
    return f" Not counted: {many} whose value there is certainly missing. (**More** can count them.)"


def show_all(n: int) -> None:
    """Show every individual again."""
    keep.put(range_name(n), (1, n))


def open_tab(name: str, column: str = "") -> None:
    """Open a view below the picture, of a column where it has one."""
    st.session_state[TABS] = name
    if column:
        keep.put(SCAN_COLUMN, column)
