"""Individuals: whose sensitive value can be inferred, and from how much knowledge."""

from functools import partial

import streamlit as st

from pages.measure.individuals import controls, elsewhere, picture, results
from pages.measure.individuals.results import look_at
from pages.measure.individuals.summary import in_words, show_metrics
from pages.measure.individuals.tabs import coarser, columns, history, individual
from ui.kit import covering, explain, page, persons, required, shared_controls
from ui.session import view

DOES = "This page shows whose sensitive value can be inferred by someone who knows other columns, and which ones."


def show_page() -> None:
    page.header("Individuals", "Whose sensitive value can be inferred, and from how much knowledge?")
    original, released = required.quasi_identifiers(DOES), view.now().released
    persons.say_how_counted(original, f"The tab “{history.TAB}” shows it of one person.")
    metrics = st.container()
    asked, looked = controls.ask(original, released is not None, partial(results.affordable_in, original))
    if looked == shared_controls.ELSEWHERE:
        elsewhere.show(original, asked, metrics)
        return
    (covering.say_by_labels if asked.within else covering.say_how_counted)(released, asked.variables)
    version = look_at(original, released, asked, looked)
    data, question, answer = version.data, version.question, version.answer

    drawn, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        focus = controls.ask_focus(data, answer)
        words_place = st.container()
    with drawn:
        shown = picture.show(data, question, answer)
    with words_place:
        in_words(data, question, answer, focus, shown)
    with metrics:
        show_metrics(version.answers, focus, original, asked, released)

    of_several_rows = {history.TAB: partial(history.show, data, question, answer)} if data.has_several_rows else {}
    page.tabs(
        picture.TABS,
        {
            "Columns": partial(columns.show_variables, data, question, answer),
            "What each column adds": partial(columns.show_additions, data, question, focus),
            "Make a column coarser": partial(coarser.show_scan, data, question, focus),
            picture.STORY: partial(individual.show, data, question, focus, answer),
            **of_several_rows,
            "Smallest sets": partial(columns.show_sets, data, question, focus),
            "How it works": partial(explain.show, "individuals"),
        },
    )


show_page()
