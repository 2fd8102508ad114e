"""Columns that leave although nothing protects them, and who is alone in them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import Telling, telling_columns
from anonlib.release.unprotected import NotCounted
from ui.kit import alone, page
from ui.session import cache, keep, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_MOST_NAMED = 8


def show_unprotected(data: Dataset, applied: Applied) -> None:
    """Columns that leave although they are undecided, tell what is protected, or tell records apart."""
    released = applied.released
    undecided = [column for column in released.columns if column not in released.roles]
    if undecided:
        st.caption(f"Without a role, and released as they are: {page.listed(undecided)}.")
    for sentence in telling_in_words(_telling(view.now().recipe, data), released):
        st.warning(sentence, icon=":material/warning:")
    beside = view.now().asked.beside_k
    if beside is not None:
        alone.show(data)
        if beside.open_columns:
            st.warning(open_in_words(beside.open_columns, released), icon=":material/warning:")
        ask_unknowable(beside.open_columns)


@cache.remembered
def _telling(recipe: Recipe, data: Dataset) -> tuple[Telling, ...]:
    return telling_columns(view.apply(recipe, data), recipe)


def open_in_words(columns: tuple[NotCounted, ...], released: Dataset) -> str:
    """Which columns break k once someone outside knows them, as Markdown, and the ways out."""
    named = []
    for column in columns[:_MOST_NAMED]:
        below = words.share(column.below, column.n_records, released.unit)
        role = f" ({column.role.label.lower()})" if column.role is not None else ""
        named.append(f"**{plain(column.column, 40)}**{role} {below}")
    more = f" and {len(columns) - _MOST_NAMED} more" if len(columns) > _MOST_NAMED else ""
    return (
        "k counts the quasi-identifiers alone. Somebody who knows one of these columns too finds people among fewer "
        f"than {view.now().aim.k} like them: {'; '.join(named)}{more}. Make such a column a quasi-identifier on the "
        "Data page, recode or drop it, or say below that nobody outside can know it."
        + "".join(f" {plain(column.if_of_a_survey)}" for column in columns if column.if_of_a_survey)
    )


def ask_unknowable(columns: tuple[NotCounted, ...]) -> None:
    """Which of the columns that would break k nobody outside can know, as the officer says."""
    unknowable = session().unknowable
    offered = tuple(dict.fromkeys((*unknowable, *(each.column for each in columns))))
    if not offered:
        return
    keep.several(
        "unknowable", "Nobody outside can know", offered, unknowable, take=partial(_take_unknowable, offered),
        format_func=titled, placeholder="Choose columns",
        help="A column that no register, social network, neighbour or colleague could know of anybody in the file. "
        "What is decided here holds until another file is loaded.",
    )  # fmt: skip


def _take_unknowable(offered: tuple[str, ...], chosen: list[str]) -> None:
    session().unknowable = (*(c for c in session().unknowable if c not in offered), *chosen)


def telling_in_words(found: tuple[Telling, ...], released: Dataset) -> list[str]:
    """By column that reveals another, as Markdown: what, of how many records, and the way out."""
    sentences = []
    for column in dict.fromkeys(each.column for each in found):
        of_column = [each for each in found if each.column == column]
        shares = ", ".join(
            f"**{plain(each.tells, 40)}** for {words.share(each.known, each.n_records, released.unit)}"
            + (f" by the {plain(each.by)}" if each.by else "")
            for each in of_column
        )
        ways = dict.fromkeys("recoding" if each.tells in released.columns else "dropping" for each in of_column)
        sentences.append(
            f"Original values can be read off **{plain(column, 40)}**: {shares}. {' or '.join(ways).capitalize()} "
            f"{page.listed([each.tells for each in of_column])} does little while it leaves. Drop it, or make it a "
            "quasi-identifier on the Data page."
        )
    return sentences
