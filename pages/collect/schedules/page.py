"""Schedules: invite people so that centre, date and hour give nobody away."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.collect.schedules import controls, in_words, picture, results, slots, tabs
from pages.collect.schedules.experiments import show_experiments
from ui.kit import explain, page
from ui.session import view


def show_page() -> None:
    page.header("Schedules", "How can people be invited so that centre, date and hour give nobody away?")
    data, k = view.now().data, view.now().k
    in_words.show_what_is_missing(data)
    asked, shown = st.container(), st.container()  # always there, or the table of slots below would be made anew
    views: dict[str, Callable[[], object]] = dict.fromkeys(("Compare", "Grid", "Invitations", "Slots"), tabs.waits)
    views["Change slots"] = partial(slots.show_change, None)
    with asked:
        question = controls.ask(data)
    if question is not None:
        with shown:
            warned, metrics = st.container(), st.container()
            with warned:
                in_words.show_uninvited(question)
            answer = results.answer(question, picture.random_draw())
            with warned:
                in_words.show_problem(answer)
            name = picture.show(answer, k)
            with metrics:
                in_words.show_metrics(answer, name, k)
                in_words.show_below(answer, name, k)
        views["Compare"] = partial(tabs.show_comparison, answer, k)
        views["Grid"] = partial(tabs.show_grid, answer, name, k)
        views["Invitations"] = partial(tabs.show_invitations, answer, name)
        views["Slots"] = partial(tabs.show_slots, answer, name)
        views["Change slots"] = partial(slots.show_change, None if question.from_table else question.slots)
    views["The paper’s experiments"] = show_experiments
    views["How it works"] = partial(explain.show, "schedules")
    page.tabs("schedules-tabs", views)


show_page()
