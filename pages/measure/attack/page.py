"""Attack: what somebody with the released file actually gets, tried and counted."""

from functools import partial

import streamlit as st

from pages.measure.attack import controls, results, summary
from pages.measure.attack.tabs import attacks, knows_method
from ui.kit import criterion_pages, explain, page, persons, required
from ui.session import view

DOES = "This page attacks the release as somebody would who has the file, and says how often that succeeds."


def show_page() -> None:
    criterion_pages.go()
    page.header("Attack", "What would somebody with the released file actually get?")
    data = required.roles(DOES)
    persons.say_how_counted(data)
    applied = view.now().applied
    assert applied is not None
    if not view.now().recipe.enabled:
        st.info("There is no recipe yet: what is attacked is the original as it would leave now, without identifiers.")
    lines = st.container()
    question = controls.ask(data, applied.released)
    tried = results.attacks(data, question) if data.frame is not None and applied.released.n_records else None
    by_method = results.by_method(data)
    with lines:
        summary.show_lines(tried, by_method, question, data.unit)
    if data.frame is None:
        st.info("The records stay in a database: who is alone is counted there, attacks are tried on files.")
    elif not applied.released.n_records:
        st.info("No record leaves, so there is nothing to attack: recode more, or leave out fewer.")
    all_attacks = None if tried is None else tried.attacks
    counted = (all_attacks.alone if all_attacks is not None else None) or view.now().alone
    page.folds(
        "attack",
        {
            **({} if all_attacks is None else {"Every attack": partial(attacks.show, all_attacks, question)}),
            **({} if counted is None else {"Columns at fault": partial(attacks.show_columns, counted, data.unit)}),
            summary.FOLD: partial(knows_method.show, by_method, data),
            "Another file": partial(attacks.show_another, data, question),
            "Intruder": partial(attacks.show_intruder, data, question),
            "How it works": partial(explain.show, "attack"),
        },
    )


show_page()
