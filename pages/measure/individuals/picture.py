"""The heatmap and its gestures: draw a range to look closer, click a cell to read that record's story."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from anonlib.analyses.individuals import Measure
from anonlib.analyses.individuals.heatmap import heatmap_columns
from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.plots import individuals as plots
from anonlib.verdict.attacks.elsewhere import LookedUp
from pages.measure.individuals import results
from pages.measure.individuals.question import IN_WORDS, MEANS, IndividualsQuestion
from pages.measure.individuals.results import IndividualsAnswer
from ui.kit import page
from ui.session import keep, view
from ui.text import printable

STORY = "One individual"
TABS = "individuals-tabs"
_PAPER = "Kroes et al. 2021"

RECORD, SCAN_COLUMN = "individuals-record", "individuals-scan-column"  # names of settings


def range_name(n: int) -> str:
    return f"individuals-range-{n}"


def _select(n: int, chart_key: str, answer: IndividualsAnswer, classes_of: Callable[[], ClassTable]) -> None:
    """A range drawn in the picture becomes the range shown; a cell that is clicked becomes the story shown."""
    selection = st.session_state[chart_key].selection
    drawn = selected_range(selection.get("box") or [], n)
    points = selection.get("points") or []
    if drawn is not None and drawn[1] > drawn[0]:
        keep.put(range_name(n), drawn)
    elif points:
        place = points[0]["customdata"]
        place = int(place[0] if isinstance(place, list | tuple) else place)
        record = results.record_at(classes_of(), answer, place)
        keep.put(RECORD, record + 1)
        st.session_state[TABS] = STORY


def selected_range(boxes: list[dict], n: int) -> tuple[int, int] | None:
    """The individuals (counted from 1) under a box drawn in the picture."""
    if not boxes:
        return None
    low, high = sorted(float(x) for x in boxes[0]["x"][:2])
    return max(1, round(low)), min(n, round(high))


def show(
    data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer, looked_up: LookedUp | None = None,
    beyond: bool = False,
) -> tuple[int, int, bool]:  # fmt: skip
    """The heatmap of the range chosen; returns the range, counted from 1, and whether its cells can be clicked.

    Of a file made elsewhere everybody is ``looked_up`` in it; ``beyond`` leaves out of what is red what others give
    away too.
    """
    n = answer.people.n_sampled
    first, last = keep.value(range_name(n), (1, n))
    columns = heatmap_columns(
        answer.values, answer.certain, answer.people.counts, answer.order, first - 1, last,
        without_peers=answer.without_peers,
    )  # fmt: skip
    draw = partial(
        plots.heatmap, columns, answer.variables, answer.in_words, highest=answer.highest, unit=data.unit,
        bold=[name for name in answer.variables if data.roles.get(name) == Role.SENSITIVE],
    )  # fmt: skip
    worst = answer.variables[int(np.argmax(answer.share))]
    key = f"individuals-heatmap-{first}-{last}" + ("-elsewhere" if looked_up else "")
    page.figure(
        draw,
        f"Heatmap of {answer.in_words}{_term(answer)}{' in the other file' if looked_up else ''} for "
        f"{words.count(len(answer.variables), 'columns')} and {data.unit} {first:,} to {last:,} in order of certainty. "
        f"Red is certain; most in {printable(worst)}, {words.percent(float(answer.share.max()))}."
        + (" Sand: nobody in the other file is like them." if columns.without_peers is not None else ""),
        key,
        "points" if plots.is_clickable(columns) else "box",
        partial(_select, n, key, answer, partial(_classes, data, question, looked_up)),
    )
    if n > 1:
        keep.range_slider(
            range_name(n), f"{data.unit.capitalize()} shown, in this order", 1, n, (1, n),
            help="Or draw a range in the picture. With few enough shown, a click on a cell tells that record’s story.",
        )  # fmt: skip
    whose = (
        f"one of the original’s {data.unit}, looked up in the other file" if looked_up else f"one of the {data.unit}"
    )
    page.counts(
        f"Each row takes one column as unknown and the others as what may be known; each place along it is {whose}. "
        f"Red, with a dotted line through it: {_red(question, looked_up, beyond)}, for at least one of those drawn "
        f"there; {_sand(answer)}blue: {answer.in_words}{_term(answer)}, on average{_blank(answer)}. "
        f"{_left_out(question, answer)}{_figure_of(question, answer, looked_up)}"
    )
    return first, last, plots.is_clickable(columns)


def _classes(data: Dataset, question: IndividualsQuestion, looked_up: LookedUp | None) -> ClassTable:
    return results.classes_of(data, question) if looked_up is None else looked_up.beside.people


def _red(question: IndividualsQuestion, looked_up: LookedUp | None, beyond: bool) -> str:
    if looked_up is None:
        return meaning(question)
    anyway = " that the original’s other people do not give away (what they do is pale)" if beyond else ""
    return f"{meaning(question)}, so that the file gives away a true value{anyway}"


def _sand(answer: IndividualsAnswer) -> str:
    if not answer.without_peers.any():
        return ""
    return "sand: nobody in the file is like most of those drawn there, so that nothing is inferred of them; "


def _figure_of(question: IndividualsQuestion, answer: IndividualsAnswer, looked_up: LookedUp | None) -> str:
    """Which sets of columns the picture is the least over, and which figure of the paper it is."""
    if question.attacker == "chance":
        return ""
    n = len(question.variables) - 1
    others = words.count(n, "other columns")
    if question.attacker == "all":
        says, of_paper = f"All {others} are known at once", f"Figure 1{_with(question, 'poac')}"
    elif answer.known is not None and answer.known < n:
        says, of_paper = (
            f"The least over every set of at most {answer.known} of the {others}",
            "Figure 2, takes every set",
        )
    else:
        says, of_paper = f"The least over every set of the {others}", f"Figure 2{_with(question, 'ppp')}"
    if looked_up is None:
        return f"{says}: {_PAPER}, {of_paper}."
    return f"{says}: {_PAPER}, {of_paper}. Peers are looked up in the other file, as in Kroes et al. 2023."


def _with(question: IndividualsQuestion, measure: Measure) -> str:
    """The measure, where the figure of the paper is of another one."""
    return "" if question.measure == measure else f", here with {question.name}"


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
    is_blank = np.isnan(answer.values) & ~answer.without_peers
    return "; blank: no value, nothing to infer" if is_blank.any() else ""


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
