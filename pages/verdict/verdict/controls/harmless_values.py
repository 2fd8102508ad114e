"""Which values of sensitive columns harm nobody: column by column, or one value in many columns at once."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import Aim
from anonlib.verdict.proposals import values_in_columns
from ui.session import cache, guard, keep
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain, printable

_MOST_VALUES = 200  # of a sensitive column that are offered
_VALUE = "verdict-harmless-value"


def ask(data: Dataset, aim: Aim) -> None:
    """Ask for them; what is chosen is kept with the aim."""
    st.markdown("Values that harm nobody if somebody is certain of them, such as “None” or “discharged home”.")
    offered = {name: _offered(data, name=name) for name in data.sensitive}
    _ask_at_once(_in_many(data, aim=aim))
    for name, (n_values, values) in offered.items():
        if n_values > len(values):
            st.caption(f"{plain(titled(name), 60)} has {n_values:,} values, too many to choose from.")
            continue
        chosen = [value for value in aim.harmless_by_column.get(name, ()) if value in values]

        def take(held: list[str], name: str = name) -> None:
            session().aim = session().aim.with_harmless(name, held)

        keep.several(
            keep.per("verdict-harmless", name), f"Harmless in {plain(titled(name), 60)}", values, chosen, take=take,
            format_func=printable,
        )  # fmt: skip


def _ask_at_once(having: Mapping[str, tuple[str, ...]]) -> None:
    """One value that several columns have, and in which of them it harms nobody: at first in all."""
    if not having:
        return
    with st.container(border=True):
        value = keep.select(
            _VALUE, "One value in several columns", list(having),
            format_func=lambda text: f"{printable(text)} ({words.count(len(having[text]), 'columns')})",
        )  # fmt: skip
        columns = keep.several(
            keep.per("verdict-harmless-columns", value, having[value]), "Columns", having[value], having[value],
            format_func=printable,
        )  # fmt: skip
        st.button(
            "Harmless in all of these", key="verdict-harmless-at-once", icon=":material/done_all:",
            on_click=guard.action(_take), args=(value, tuple(columns)), disabled=not columns,
            help="Inference leaves the value out in all of them. You can take it back below." if columns
            else "Choose a column.",
        )  # fmt: skip


def _take(value: str, columns: tuple[str, ...]) -> None:
    session().aim = session().aim.with_harmless_in(columns, value)


@cache.remembered
def _in_many(data: Dataset, *, aim: Aim) -> dict[str, tuple[str, ...]]:
    """Values that several columns have, with those in which they are not harmless yet."""
    everywhere = values_in_columns(data, data.sensitive, {}, _MOST_VALUES)
    left = values_in_columns(data, data.sensitive, aim.harmless_by_column, _MOST_VALUES)
    return {value: names for value, names in left.items() if len(everywhere[value]) > 1}


@cache.remembered
def _offered(data: Dataset, *, name: str) -> tuple[int, list[str]]:
    """How many values a column has, and all of them where they are few."""
    profile = data.held.profile(name)
    return profile.distinct, [] if profile.distinct > _MOST_VALUES else data.held.values(name).tolist()
