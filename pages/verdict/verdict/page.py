"""Verdict: may this file leave for this recipient, and if not, what is the least change that makes it so."""

from functools import partial

import streamlit as st

from pages.verdict.verdict import offers, question, questions, results, summary
from pages.verdict.verdict.controls import criteria, earlier, purpose, recipient
from pages.verdict.verdict.tabs import comparison, costs, usefulness
from ui.kit import criterion_pages, explain, page, persons, register, release_gate, required, sidebar
from ui.session import view

DOES = "This page says whether the file may leave for a recipient, and what would have to change."


def show_page() -> None:
    criterion_pages.go()
    page.header("Verdict", "May this file leave for this recipient, and if not, what is the least change?")
    data = required.roles(DOES)
    recipient.ask(data)
    persons.say_of_households(data)
    verdict = view.now().verdict
    if verdict is None:
        st.info(release_gate.NOT_CHECKED, icon=":material/stop_circle:")
        sidebar.show_beside_k()
        return
    with st.container():  # one thing of the page however much is in it, so that an open control below stays open
        summary.show_sentence(verdict, data.unit)
        register.show_earlier()
        purpose.ask(data)
        questions_place = st.container()  # before a proposal is taken, of which they change most
        shown_offers = results.show_made(data)
        with questions_place:
            questions.show(verdict, shown_offers, data)
    searching = st.container()
    st.subheader("Criteria", anchor=False)
    criteria.show_rows(verdict, data)
    summary.show_measured(verdict, data)
    earlier.show(verdict, data)
    alone = st.container()
    page.tabs(
        "verdict-tabs",
        {
            "What must survive": partial(usefulness.show, data),
            "Compare": partial(comparison.show, data),
            **({comparison.TAB_OF_LINKED: partial(comparison.show_linked, data)} if data.has_several_rows else {}),
            "What each criterion costs": partial(costs.show, data),
            "How it works": partial(explain.show, "verdict"),
        },
    )
    with alone:  # what takes longest comes last, when all else is on the page
        summary.show_alone(data)
    sidebar.show_beside_k()
    if question.is_searched(data) and (
        shown_offers is not None or offers.waits_for_button(data) or offers.comes_last(data)
    ):
        offers.go_on(data, searching)


show_page()
