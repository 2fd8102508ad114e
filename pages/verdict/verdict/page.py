"""Verdict: may this file leave for this recipient, and if not, what is the least change that makes it so."""

from functools import partial

import streamlit as st

from pages.verdict.verdict import summary
from pages.verdict.verdict.controls import criteria, recipient
from pages.verdict.verdict.tabs import comparison, linked, prices, proposals, usefulness
from ui.kit import columns, criterion_pages, explain, page, release_gate, required
from ui.session import view

DOES = "This page says whether the file may leave for a recipient, and what would have to change."


def show_page() -> None:
    criterion_pages.go()
    page.header("Verdict", "May this file leave for this recipient, and if not, what is the least change?")
    data = required.roles(DOES)
    recipient.ask(data)
    verdict = view.now().verdict
    if verdict is None:
        st.info(release_gate.NOT_CHECKED, icon=":material/stop_circle:")
        return
    summary.show_sentence(verdict)
    columns.show_undecided(data.unit)
    criteria.show_rows(verdict, data)
    summary.show_alone(data)
    st.subheader("What would do", anchor=False)
    page.tabs(
        "verdict-tabs",
        {
            "Proposals": partial(proposals.show, data),
            "What must survive": partial(usefulness.show, data),
            "Compare": partial(comparison.show, data),
            **({linked.TAB: partial(linked.show, data)} if data.has_several_rows else {}),
            "What each criterion costs": partial(prices.show, data),
            "How it works": partial(explain.show, "verdict"),
        },
    )


show_page()
