"""The Frontier page's tab of the population table, and how the records fit it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.basics import words
from pages.protect.frontier.policy import shown
from pages.protect.frontier.question import COUNT, Question
from ui.kit import page, population
from ui.text import printable

SOME_VALUES = 5


def show(question: Question | None) -> None:
    """The table that is loaded, how the records fit it, and where to load another."""
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        population.show()
    with right:
        if question is None:
            st.markdown("How the records fit it is shown here once the settings above can be counted.")
        elif question.matched is None:
            st.markdown(
                "Without a population table the records are their own population: the risk is then the share of the "
                "original’s classes that a policy keeps, and an attacker is taken to know who is in the file."
            )
        else:
            _show_match(question)


def _show_match(question: Question) -> None:
    matched, unit = question.matched, question.unit
    assert matched is not None
    st.markdown(
        f"**{words.share(matched.n_records - matched.unmatched, matched.n_records, unit)} match somebody** in the "
        f"table by {page.listed(list(matched.attributes))}."
    )
    if matched.unmatched:
        what = "counted as people of the population" if question.unmatched == COUNT else "left out of the search"
        known = f", though each of their values is known to it for {matched.by_combination:,} at least" * bool(
            matched.by_combination
        )
        st.markdown(
            f"{words.count(matched.unmatched, unit)} match nobody{known}. They are {what} (change it under **More**)."
        )
    if matched.exceeding > matched.unmatched:
        st.markdown(
            f"{words.count(matched.exceeding - matched.unmatched, unit)} more are in combinations with fewer people in "
            "the table than in the file: the table is older, or of a smaller area."
        )
    frame = pd.DataFrame(
        {
            "column": [printable(name) for name in matched.attributes],
            "values unknown to the table": [len(values) for values in matched.unknown_values.values()],
            f"{unit} with such a value": list(matched.unknown.values()),
            "such as": [", ".join(map(shown, values[:SOME_VALUES])) for values in matched.unknown_values.values()],
        }
    )
    page.table(frame, "Values of each column that nobody in the population table has")
    page.counts(
        "Where most records of a column are unknown, the table writes its values differently: as groups of ages, ZIP "
        "codes without their leading zero, or other words. Records match where all columns do."
    )
