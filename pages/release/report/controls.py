"""The Report page's controls: in which order, for whom, by whom, and what is looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import streamlit as st

from anonlib.analyses.utility import Alongside, can_be_predicted
from anonlib.dataset import Dataset
from anonlib.filing.evidence import PART_NAMES, PARTS, VALUE_TABLES, Evidence
from anonlib.filing.evidence.report import ADDITIONS, ORDERS, Order, additions
from anonlib.release.recipe import Recipe
from pages.release.report.results import ANYBODY, INSIDE, ReportQuestion
from ui.files import projects
from ui.kit import page, shared_controls
from ui.kit.population import PEOPLE
from ui.session import cache, keep, view
from ui.text import plain, printable


def ask() -> ReportQuestion:
    """The controls in one row, the parts under “More”."""
    order_place, language_place, reader_place, more = page.beside(4, 2, 4, 2, gap="small", align="bottom")
    order = keep.select(
        "report-order", "Form of the report", get_args(Order), "assessment", place=order_place,
        format_func=ORDERS.__getitem__, help="The same content, in the order in which it is filed.",
    )  # fmt: skip
    reader = keep.segments(
        "report-reader", "Who reads it", [INSIDE, ANYBODY], place=reader_place,
        help="For anybody: what leaves, counted on its rows, and what was decided. Nothing counted on the original.",
    )  # fmt: skip
    spoken = shared_controls.ask_language(language_place)
    with more, st.popover("More"):
        target = _target()
        st.markdown("**What is looked at.** The report says what was left out.")
        parts = tuple(
            part for part in PARTS if keep.toggle(keep.per("report-part", part), PART_NAMES[part], True)
        )  # fmt: skip
        values = keep.toggle(
            "report-values", "List values of the original and what they became", False, disabled=reader == ANYBODY,
            help="In the report and the evidence, of columns that may be known. They are then as confidential as the "
            "data. A report for anybody lists none.",
        )  # fmt: skip
    if values and reader != ANYBODY:
        parts = (*parts, VALUE_TABLES)
    return ReportQuestion(
        order,
        spoken,
        reader == ANYBODY,
        parts,
        target if "utility" in parts else "",
        _people(),
        (projects.release_format(),),
    )


def ask_what_is_added(evidence: Evidence, question: ReportQuestion) -> ReportQuestion:
    """What of the original is added to a report for anybody: each sentence stands there before it is added."""
    offered = {key: sentences for key, sentences in additions(evidence).items() if sentences}
    if not question.public or not offered:
        return question
    chosen = []
    with st.expander("Add something of the original to this report"):
        st.caption(
            f"It would have these sentences. Numbers are given as ranges of at least k = {evidence.k} numbers; reasons "
            "as they were written."
        )
        for key, sentences in offered.items():
            if keep.toggle(keep.per("report-add", key), ADDITIONS[key], False, help="Off: it is not in the report."):
                chosen.append(key)
            st.markdown("\n".join(f"- :gray[{plain(sentence)}]" for sentence in sentences))
    return replace(question, add=tuple(chosen))


def _target() -> str:
    """A column that models predict, for the report's part on what the release is still good for; "" for none."""
    data, recipe = view.now().data, view.now().recipe
    assert data is not None
    offered = _offered(data, recipe)
    return keep.select(
        "report-target", "A task for the release: predict", ["", *offered], "",
        format_func=lambda name: printable(name) or "no task",
        help="Models learn this column from the release and are tested on original records that they have not seen. It "
        "takes some seconds.",
    )  # fmt: skip


@cache.remembered
def _offered(data: Dataset, recipe: Recipe) -> tuple[str, ...]:
    applied = view.apply(recipe, data)
    if not applied.released.n_records:
        return ()
    return can_be_predicted(Alongside.of(applied.original, applied.released))


def _people() -> int | None:
    """The population's size as it was stated, where it can be one of this file's."""
    data = view.now().data
    assert data is not None
    people = keep.value(PEOPLE, None)
    return int(people) if people and people >= data.classes([]).n_records else None
