"""The population table that the journalist's risk is measured against."""

from __future__ import annotations

import streamlit as st

from anonlib import words
from ui import guard, state
from ui.text import plain


def show() -> None:
    """What is loaded, and where to load another."""
    population = state.session().population
    st.markdown(
        "**Population table**: the people of the area, by the same columns as the file; for the journalist’s risk."
    )
    if population is not None:
        weighted = f", counted by **{plain(population.weight)}**" if population.weight else ""
        people = words.count(population.classes([]).n_records, "people")
        st.markdown(f"**{plain(population.name, 40)}**: {people}{weighted}.")
        st.button("Remove it", on_click=guard.action(state.forget_population))
    key = f"population-{state.session().generation}"
    st.file_uploader(
        "Load a population table",
        key=key,
        help="One row a person, or one row a combination of values with a column of counts.",
        on_change=guard.action(_load),
        args=(key,),
    )


def _load(key: str) -> None:
    upload = state.uploaded(key)
    if upload is not None:
        state.load_population(upload.getvalue(), upload.name)
