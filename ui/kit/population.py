"""The population table that risks among all people of an area are measured against."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.filing.project import NONE
from ui.kit import glossary, page
from ui.session import companions, guard, keep, view
from ui.text import plain, printable

PEOPLE = "risk-people"
"""The setting that is the population's size, where there is no table of it."""
NO_COLUMN = "— not in the table"
ONE_PERSON = "each row is one person"


def show() -> None:
    """What is loaded, which of its columns are the file's, and where to load another."""
    table, data = view.now().population, view.now().data
    st.markdown("**Population table**: the people of the area, with columns that the file has too.")
    if table is not None and data is not None:
        people = words.count(table.classes([]).n_records, "people")
        st.markdown(f"**{plain(table.name, 40)}**: {people}.")
        _ask_columns(table, data.quasi_identifiers)
        st.button("Remove it", on_click=guard.action(companions.forget_population))
    key = keep.key("population")
    st.file_uploader(
        "Load a population table",
        key=key,
        help=glossary.linked(
            "One row a person, or one row a combination of values with a column of counts.", "population table"
        ),
        on_change=guard.action(_load),
        args=(key,),
    )


def _ask_columns(table: Dataset, names: list[str]) -> None:
    """Which column counts the people, and which are the file's quasi-identifiers."""
    keep.select(
        "population-weight", "People are counted by", [NONE, *table.columns], table.weight or NONE,
        take=companions.count_population_by,
        format_func=lambda name: ONE_PERSON if name == NONE else printable(name),
    )  # fmt: skip
    pairs = view.now().pairs
    offered = [NONE, *(name for name in table.columns if name != table.weight)]
    paired = [name for name in names if pairs[name] != NONE]
    with st.expander(f"Its columns: {len(paired)} of {words.count(len(names), 'quasi-identifiers')}"):
        for name in names:
            keep.select(
                keep.per("population-column", name), f"{plain(name)} is", offered, pairs[name],
                take=partial(companions.pair_population, name),
                format_func=lambda other: NO_COLUMN if other == NONE else printable(other),
                help=glossary.linked(
                    "The column of the population table that holds the same values.",
                    "population table",
                ),
            )  # fmt: skip
    renamed = [f"{pairs[name]} as {name}" for name in paired if pairs[name] != name]
    if renamed:
        st.caption(f"Taken: {page.listed(renamed)}.")


def _load(key: str) -> None:
    upload = keep.uploaded(key)
    if upload is not None:
        companions.load_population(upload.getvalue(), upload.name)
