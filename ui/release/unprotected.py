"""Columns that leave although nothing protects them."""

from __future__ import annotations

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.unprotected import Lone, Telling, lone_values, telling_columns, uncounted
from ui import cache, outcome, page, state
from ui.text import plain

NEARLY_UNIQUE = 0.5  # distinct values / records


def show_unprotected(data: Dataset, applied: Applied) -> None:
    """Columns that leave although nobody said what they are, tell what is protected, or tell records apart."""
    released = applied.released
    undecided = [column for column in released.columns if column not in released.roles]
    if undecided:
        st.caption(f"Without a role, and released as they are: {page.listed(undecided)}.")
    for said in telling_in_words(cache.remember(_telling, state.session().recipe, data), released):
        st.warning(said, icon=":material/warning:")
    lone = [
        f"{found.alone:,} of {words.count(found.n_records, released.unit)} have a **{plain(found.column, 40)}** that "
        "no other has"
        for found in cache.remember(_lone, released)
        if found.alone
    ]
    if lone:
        st.warning(
            f"{'; '.join(lone)}. The k above does not count that: whoever has the same values elsewhere can link "
            "these records. Drop or recode, unless nobody can.",
            icon=":material/warning:",
        )


def _telling(recipe: Recipe, data: Dataset) -> tuple[Telling, ...]:
    return telling_columns(outcome.applied_to(recipe, data), recipe)


def _lone(released: Dataset) -> tuple[Lone, ...]:
    least = NEARLY_UNIQUE * max(20, released.n_records)
    return lone_values(released, [c for c in uncounted(released) if released.records[c].nunique() > least])


def telling_in_words(found: tuple[Telling, ...], released: Dataset) -> list[str]:
    """By column that tells, as Markdown: what, of how many records, and the way out."""
    said = []
    for column in dict.fromkeys(one.column for one in found):
        told = [one for one in found if one.column == column]
        shares = ", ".join(
            f"**{plain(one.tells, 40)}** of {words.share(one.known, one.n_records, released.unit)}" for one in told
        )
        ways = dict.fromkeys("recoding" if one.tells in released.columns else "dropping" for one in told)
        said.append(
            f"**{plain(column, 40)}** tells the original {shares}: {' or '.join(ways)} "
            f"{page.listed([one.tells for one in told])} does little while it leaves. Drop it, or make it a "
            "quasi-identifier on the Data page."
        )
    return said
