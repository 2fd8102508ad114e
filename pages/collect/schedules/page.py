"""Schedules: invite people so that centre, date and hour give nobody away."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.collect.schedules import results, summary
from pages.collect.schedules.controls import settings, slots
from pages.collect.schedules.tabs import another_slot, few, schedule
from pages.collect.schedules.tabs.experiments import show_experiments
from ui.kit import explain, page
from ui.session import view


def show_page() -> None:
    page.header("Schedules", "How can people be invited so that centre, date and hour give nobody away?")
    data, k = view.now().data, view.now().k
    summary.show_what_is_missing(data)
    ask_place, shown = st.container(), st.container()  # always there, or the table of slots below would be made again
    of_schedule = ("Compare", "Grid", "Invitations", "Few moves", "Another slot", "Slots")
    views: dict[str, Callable[[], object]] = dict.fromkeys(of_schedule, schedule.waits)
    views["Change slots"] = partial(slots.show_change, None)
    with ask_place:
        question = settings.ask(data)
    if question is not None:
        with shown:
            warned, metrics = st.container(), st.container()
            with warned:
                summary.show_uninvited(question)
            answer = results.answer(question, summary.random_draw(), k, few.most_moved(question, k))
            with warned:
                summary.show_problem(answer)
            answer, name = summary.show_picture(answer, k)
            with metrics:
                summary.show_metrics(answer, name, k)
            summary.show_below(answer, name, k)
        views["Compare"] = partial(schedule.show_comparison, answer, name, k)
        views["Grid"] = partial(schedule.show_grid, answer, name, k)
        views["Invitations"] = partial(schedule.show_invitations, answer, name)
        views["Few moves"] = partial(few.show, answer, k)
        views["Another slot"] = partial(another_slot.show, answer, name, k)
        views["Slots"] = partial(schedule.show_slots, answer, name)
        views["Change slots"] = partial(slots.show_change, None if question.from_table else question.slots)
    views["The paper’s experiments"] = show_experiments
    views["How it works"] = partial(explain.show, "schedules")
    page.tabs("schedules-tabs", views)


show_page()
