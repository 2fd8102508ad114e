"""Leakage: which columns, and which combinations, give people away, on average and for the worst person."""

from functools import partial

import streamlit as st

from pages.measure.leakage import controls, results, summary, tabs
from ui.kit import covering, explain, page, persons, required
from ui.session import view

DOES = "This page shows which columns, alone and combined, narrow a person down most, on average and at worst."


def show_page() -> None:
    page.header(
        "Leakage", "Which columns, and which combinations, give people away, on average and for the worst person?"
    )
    loaded = required.quasi_identifiers(DOES)
    persons.say_how_counted(loaded)
    release = view.now().released
    metrics = st.container()
    question, looked = controls.ask(loaded, release is not None, partial(results.seconds_in, loaded))
    covering.say_how_counted(release, question.columns)
    original = results.original(loaded, question, looked)
    released = None if release is None else results.released(release, question, looked)
    shown = released if looked == "Release" and released is not None else original
    became = None if release is None else results.alerts_compared(original, released)

    drawn, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        focus, setting = controls.ask_focus(shown)
        summary.in_words(shown, focus)
    with drawn:
        summary.show_picture(shown, setting)
    with metrics:
        summary.show_metrics(original, released, loaded if release is None else release, shown, became)

    page.tabs(
        "leakage-tabs",
        {
            "Alerts": partial(tabs.show_alerts, shown, became, shown is original),
            "Pairs": partial(tabs.show_pairs, shown),
            "Combinations": partial(tabs.show_combinations, shown),
            "Original and release": partial(tabs.show_release, original, released, loaded, became),
            "How it works": partial(explain.show, "leakage"),
        },
    )


show_page()
