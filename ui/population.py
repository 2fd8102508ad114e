"""The population table that risks among all people of an area are measured against."""

from __future__ import annotations

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from ui import guard, page, state, tables
from ui.text import plain, printable

NO_COLUMN = "— not in the table"
ONE_PERSON = "each row is one person"


def show() -> None:
    """What is loaded, which of its columns are the file's, and where to load another."""
    table, data = state.session().population, state.dataset()
    st.markdown("**Population table**: the people of the area, with columns that the file has too.")
    if table is not None and data is not None:
        people = words.count(table.classes([]).n_records, "people")
        st.markdown(f"**{plain(table.name, 40)}**: {people}.")
        _ask_columns(table, data.quasi_identifiers)
        st.button("Remove it", on_click=guard.action(tables.forget_population))
    key = f"population-{state.session().generation}"
    st.file_uploader(
        "Load a population table",
        key=key,
        help="One row a person, or one row a combination of values with a column of counts.",
        on_change=guard.action(_load),
        args=(key,),
    )


def _ask_columns(table: Dataset, names: list[str]) -> None:
    """Which column counts the people, and which are the file's quasi-identifiers."""
    key = f"population-weight-{table.digest[:12]}-{state.session().restored}"
    weights = [tables.NONE, *table.columns]
    st.selectbox(
        "People are counted by", weights, weights.index(table.weight or tables.NONE), key=key,
        format_func=lambda name: ONE_PERSON if name == tables.NONE else printable(name),
        on_change=guard.action(_count_by), args=(key,),
    )  # fmt: skip
    pairs = tables.population_pairs()
    offered = [tables.NONE, *(name for name in table.columns if name != table.weight)]
    there = [name for name in names if pairs[name] != tables.NONE]
    with st.expander(f"Its columns: {len(there)} of {words.count(len(names), 'quasi-identifiers')}"):
        for name in names:
            setting = tables.pair_of(name)
            st.selectbox(
                f"{plain(name)} is", offered, offered.index(pairs[name]), key=state.kept(setting),
                format_func=lambda other: NO_COLUMN if other == tables.NONE else printable(other),
                help="The column of the population table that holds the same values.",
            )  # fmt: skip
    renamed = [f"{pairs[name]} as {name}" for name in there if pairs[name] != name]
    if renamed:
        st.caption(f"Taken: {page.listed(renamed)}.")


def _count_by(key: str) -> None:
    table = state.session().population
    assert table is not None
    try:
        tables.count_population_by(st.session_state[key])
    except InputError:
        st.session_state[key] = table.weight or tables.NONE
        raise


def _load(key: str) -> None:
    upload = state.uploaded(key)
    if upload is not None:
        tables.load_population(upload.getvalue(), upload.name)
