"""Requests: what waits for review and what is due; and one of them, with all that a reviewer decides by."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.department.requests import controls, downloads, results, summary, tabs
from ui.kit import explain, page


def show_page() -> None:
    page.header("Requests", "What waits for a second pair of eyes, what was decided, and what is due?")
    looked_at = results.looked_at()
    if looked_at is None:
        summary.show_all()
        explain.show_folded("requests")
        return
    summary.show_head(looked_at)
    about, act = page.beside(3, 2)
    with about:
        page.tabs(
            "request-tabs",
            {
                "Verdict": partial(tabs.show_verdict, looked_at),
                "Attacks": partial(tabs.show_attacks, looked_at),
                "Steps and columns": partial(tabs.show_steps, looked_at),
                "Since the last release": partial(tabs.show_changes, looked_at),
                "Case": partial(tabs.show_case, looked_at),
                "Report": partial(downloads.show, looked_at),
                "History": partial(tabs.show_history, looked_at),
            },
        )
    with act, st.container(border=True):
        controls.show_decision(looked_at)
        controls.show_comments(looked_at)


show_page()
