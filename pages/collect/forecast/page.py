"""Forecast: a file that comes again and again, and what can be promised of it before its records exist."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.collect.forecast import controls, results, summary, tabs
from ui.kit import explain, page, persons, required
from ui.session import view

DOES = "This page finds how coarse each column of a file that comes again and again must be, before its records exist."


def show_page() -> None:
    page.header(
        "Forecast",
        "A file comes again and again: how coarse must it be to keep a promise, before its records exist?",
    )
    data = view.to_protect(required.quasi_identifiers(DOES))
    if not data.quasi_identifiers:
        st.info("The recipe drops every quasi-identifier: nothing is left to recode.")
        st.stop()
    population = view.people_to_protect()
    persons.say_how_counted(data)
    metrics = st.container()
    asked = controls.ask(data, population)
    views: dict[str, Callable[[], object]] = {}
    if asked is not None:
        drawing, side = page.beside(2, 1)
        with side:
            plan = results.plan(asked)
            with st.container(border=True):
                summary.show(asked, plan)
        with drawing:
            summary.show_picture(asked, plan)
        with metrics:
            summary.show_metrics(asked, plan)
        views["Which policy when"] = partial(tabs.show_table, asked, plan)
        views["Draws"] = partial(tabs.show_draws, asked, plan)
    views["People drawn"] = partial(tabs.show_people, asked)
    views["How it works"] = partial(explain.show, "forecast")
    page.tabs(f"forecast-tabs-{len(views)}", views)


show_page()
