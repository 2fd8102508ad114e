"""Generalize: the least generalization that reaches k, what it costs, and the way into the recipe."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.protect.generalize import controls, hierarchies, results, summary
from pages.protect.generalize.tabs import comparison, fake_records, searches
from ui.kit import explain, page, persons, required
from ui.session import view

DOES = "This page finds how coarse each column must be so that at least k records share every combination."


def show_page() -> None:
    page.header("Generalize", "How coarse must each column be to reach k, and what does that cost?")
    data = view.to_protect(required.quasi_identifiers(DOES))
    if not data.quasi_identifiers:
        st.info("The recipe drops every quasi-identifier: nothing is left to generalize.")
        st.stop()
    persons.say_how_counted(data)
    metrics = st.container()
    question, method = controls.ask(data)
    answer = results.answer_or_sentence(data, question, method)
    columns = [name for name, _ in question.hierarchies]
    tabs: dict[str, Callable[[], object]] = {"Hierarchies": partial(hierarchies.edit, data, columns)}
    if answer is not None:
        generalization = answer.generalization
        drawing, side = page.beside(2, 1)
        with drawing:
            summary.show_picture(generalization, question, data.unit)
        with side, st.container(border=True, height="stretch"):
            summary.show(answer, question, data)
        with metrics:
            summary.show_metrics(generalization, question, data)
        tabs["Original and result"] = partial(comparison.show, data, question, generalization)
        tabs["Methods side by side"] = partial(searches.show_methods, data, question)
        tabs["Search tree"] = partial(searches.show_tree, data, question, generalization)
    tabs["Fake records"] = partial(fake_records.show, data, question)
    tabs["How it works"] = partial(explain.show, "generalization")
    page.tabs(f"generalize-tabs-{len(tabs)}", tabs)


show_page()
