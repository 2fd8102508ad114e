"""Requests: what waits for review and what is due; and one of them, with all that a reviewer decides by."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.department.requests import controls, downloads, results, summary, tabs
from ui.kit import explain, page


def show_page() -> None:
    page.header("Requests", "What waits for a second pair of eyes, what was decided, and what is due?")
    in_view = results.in_view()
    if in_view is None:
        summary.show_all()
        explain.show_folded("requests")
        return
    summary.show_head(in_view)
    about, act = page.beside(3, 2)
    with about:
        page.tabs(
            "request-tabs",
            {
                "Verdict": partial(tabs.show_verdict, in_view),
                "Attacks": partial(tabs.show_attacks, in_view),
                "Steps and columns": partial(tabs.show_steps, in_view),
                "Since the last release": partial(tabs.show_changes, in_view),
                "Case": partial(tabs.show_case, in_view),
                "Report": partial(downloads.show, in_view),
                "History": partial(tabs.show_history, in_view),
            },
        )
    with act, st.container(border=True):
        controls.show_decision(in_view)
        controls.show_comments(in_view)


show_page()
