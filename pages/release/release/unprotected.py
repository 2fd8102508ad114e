"""Columns that leave although nothing protects them, and who is alone in them."""

from __future__ import annotations

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.unprotected import Telling, ToldApart, Uniqueness, telling_columns
from ui import cache, guard, outcome, page, state
from ui.text import plain, printable

_MOST_NAMED = 8


def show_unprotected(data: Dataset, applied: Applied) -> None:
    """Columns that leave although nobody said what they are, tell what is protected, or tell records apart."""
    released = applied.released
    undecided = [column for column in released.columns if column not in released.roles]
    if undecided:
        st.caption(f"Without a role, and released as they are: {page.listed(undecided)}.")
    for said in telling_in_words(cache.remember(_telling, state.session().recipe, data), released):
        st.warning(said, icon=":material/warning:")
    beside = outcome.beside_k()
    if beside is not None:
        st.markdown(alone_in_words(beside.uniqueness, released))
        if beside.open_columns:
            st.warning(open_in_words(beside.open_columns, beside.uniqueness, released), icon=":material/warning:")
        ask_unknowable(beside.uniqueness)


def _telling(recipe: Recipe, data: Dataset) -> tuple[Telling, ...]:
    return telling_columns(outcome.applied_to(recipe, data), recipe)


def alone_in_words(unique: Uniqueness, released: Dataset) -> str:
    """How many share their values with nobody, in what k counts, in what has no role, and in all, as Markdown."""
    n = unique.n_records
    parts = [f"in the quasi-identifiers **{words.share(unique.counted.people_below(2), n)}**"]
    if unique.n_unassigned:
        columns = words.count(unique.n_unassigned, "columns")
        parts.append(f"in the {columns} without a role or “Other” **{words.share(unique.alone_unassigned, n)}**")
    parts.append(f"in all {words.count(unique.n_released, 'columns')} that leave **{words.share(unique.alone, n)}**")
    return f"{released.unit.capitalize()} that are alone with their values: {', '.join(parts)}."


def open_in_words(columns: tuple[ToldApart, ...], unique: Uniqueness, released: Dataset) -> str:
    """Which columns break k once someone outside knows them, as Markdown, and the ways out."""
    k = state.session().k
    named = []
    for column in columns[:_MOST_NAMED]:
        below = words.share(column.below(k, unique.counted), unique.n_records, released.unit)
        role = f" ({column.role.label.lower()})" if column.role is not None else ""
        named.append(f"**{plain(column.column, 40)}**{role} {below}")
    more = f" and {len(columns) - _MOST_NAMED} more" if len(columns) > _MOST_NAMED else ""
    return (
        f"k counts the quasi-identifiers alone. Whoever knows one of these columns too finds groups below {k}: "
        f"{'; '.join(named)}{more}. Make such a column a quasi-identifier on the Data page, recode or drop it, or say "
        "below that nobody outside can know it."
    )


def ask_unknowable(unique: Uniqueness) -> None:
    """Which of the columns that would break k nobody outside can know, as the officer says."""
    session = state.session()
    can = {column.column for column in unique.open_columns(session.k)} | {*session.unknowable}
    offered = tuple(column.column for column in unique.columns if column.column in can)
    if not offered:
        return
    key = f"unknowable-{session.generation}-{session.restored}-{hash(offered)}"
    st.multiselect(
        "Nobody outside can know", offered, [name for name in session.unknowable if name in offered], key=key,
        format_func=printable, placeholder="Choose columns", on_change=guard.action(_take_unknowable),
        args=(key, offered),
        help="A column that no register, social network, neighbour or colleague could tell of anybody in the file. "
        "What is said here holds until another file is loaded.",
    )  # fmt: skip


def _take_unknowable(key: str, offered: tuple[str, ...]) -> None:
    session = state.session()
    session.unknowable = (*(c for c in session.unknowable if c not in offered), *st.session_state[key])


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
