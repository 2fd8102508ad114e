"""Frontier: the policies that trade risk for detail best, and how Safe Harbor stands to them."""

from functools import partial

import streamlit as st

from pages.protect.frontier import lower_bound, picture, releases, results, summary, tabs
from pages.protect.frontier.controls import choice, settings
from pages.protect.frontier.picture import FigureStack
from ui.kit import page, persons, required
from ui.session import view
from ui.session.state import session

DOES = "This page finds the recodings that trade risk for detail best, and compares them with Safe Harbor."


def show_page() -> None:
    notice = session().notice
    page.header(
        "Frontier", "Which recoding is the best trade between risk and detail, and is it better than Safe Harbor?"
    )
    data = view.to_protect(required.quasi_identifiers(DOES))
    if not data.quasi_identifiers:
        st.info("The recipe drops every quasi-identifier: nothing is left to recode.")
        st.stop()
    population = view.people_to_protect()
    persons.say_how_counted(data)
    metrics = st.container()
    question = settings.ask(data, population)
    if question is None:
        tabs.show_to_mend(data, population)
        st.stop()
    summary.warn(question, data)
    drawing, side = page.beside(2, 1)
    with drawing:
        drawn = FigureStack("frontier-pictures")
    with side:
        method, work = settings.ask_search(question)
        search = results.search(question, method, work, lower_bound.name(question))
        others = releases.beside(question, data)
        with st.container(border=True):
            position, chosen = choice.show(question, search.best, others)
        with st.container(border=True):
            choice.offer_safe_harbor(question, data)
    frontiers = [search.best, *results.others(question, method)]
    with drawing:
        picture.show(question, frontiers, others, drawn)
        placing = releases.show(question, others)
        with st.container(border=True):
            bounding = lower_bound.offer(question, search.best, chosen, work)
    with metrics:
        summary.show_metrics(question, search.best, chosen)
    tabs.show(question, data, population, frontiers, position)
    releases.go_on(question, data, others, placing, notice)
    picture.go_on(question, search, method, others, drawn)
    lower_bound.go_on(bounding, partial(picture.draw_newer, question, search.best, method, others, drawn), drawn.settle)


show_page()
