"""Risk: how identifiable is this file, to whom, and which columns make it so."""

from functools import partial

import streamlit as st

from pages.measure.risk import controls, summary
from pages.measure.risk.tabs import attackers, population, records, singling_out
from ui.kit import covering, explain, page, persons, required
from ui.session import view

DOES = "This page shows how many share their values with too few others, who could use that, and which columns do it."


def show_page() -> None:
    page.header("Risk", "How identifiable is this file, to whom, and which columns make it so?")
    original = required.quasi_identifiers(DOES)
    persons.say_how_counted(original, f"The tab “{attackers.TAB}” counts it too.")
    metrics = st.container()
    released, comparison = view.now().released, view.now().comparison
    covering.say_by_labels(released, tuple(original.quasi_identifiers))
    looked = controls.ask(released is not None)
    assert comparison is not None
    data = released if looked == "Release" and released is not None else original
    with metrics:
        summary.show_metrics(comparison, original)
    vector = (comparison.after if looked == "Release" else comparison.before).vector
    if not data.quasi_identifiers or not vector.n_records:
        st.info("No quasi-identifier or no record is left to count: nothing is left to single out.")
        st.stop()
    summary.show_picture(data, vector, comparison.before.vector, looked)

    of_several_rows = {attackers.TAB: partial(attackers.show_rows_known, data)} if data.has_several_rows else {}
    page.tabs(
        "risk-tabs",
        {
            "Attackers": partial(attackers.show, comparison, original.unit),
            **of_several_rows,
            "Quasi-identifiers": partial(attackers.show_quasi_identifiers, data),
            singling_out.TAB: partial(singling_out.show, data),
            population.TAB: partial(population.show, data),
            "Records below k": partial(records.show_records, data),
            "Sensitive values": partial(records.show_sensitive, data, looked == "Release"),
            "Class sizes": partial(records.show_vector, vector, data.unit),
            "How it works": partial(explain.show, "risk"),
        },
    )


show_page()
