"""What the data are needed for, in one line before the proposals: it ranks them, and says what gives way last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from anonlib.analyses.utility.purposes import (
    MOST_PURPOSES,
    MeanByGroup,
    Model,
    Purpose,
    Together,
    UsefulColumns,
    in_a_sentence,
)
from anonlib.dataset import Dataset
from anonlib.values.cells import is_code, to_numbers
from ui.kit import page
from ui.session import cache, guard, keep
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_KINDS = (Together, MeanByGroup, Model)
_MOST_VALUES = 20  # that a model can predict
_HELP = (
    "Proposals that keep these columns stand first, and whatever else may give way does so before any of them is "
    "dropped. No figure changes its meaning."
)
_ANALYSES = "A model, a mean by group, or two columns that must go together. How well each does is measured below."


def ask(data: Dataset) -> None:
    """The columns that must stay useful, what more must survive, and the case that it is all for."""
    what, columns, more, case = page.beside(6, 8, 5, 5, gap="small", align="center")
    what.markdown("**What are the data needed for?**", help=_HELP)
    offered = columns_that_say_something(data)
    useful = next((purpose for purpose in session().aim.purposes if isinstance(purpose, UsefulColumns)), None)
    keep.several(
        "verdict-useful", "Must stay useful", offered,
        [name for name in (() if useful is None else useful.names) if name in offered], take=_take_useful,
        place=columns, format_func=titled, placeholder="Not known: no column comes first",
        label_visibility="collapsed",
    )  # fmt: skip
    others = [purpose for purpose in session().aim.purposes if purpose != useful]
    label = f"Analyses: {len(others)}" if others else "An analysis"
    with more, st.popover(label, width="stretch", help=_ANALYSES):
        _ask_more(data)
        _show_named(others)
        _offer_sentence()
    with case:
        _show_case()


def _show_case() -> None:
    """What is decided about, in a line, which leads to its page."""
    about = session().case
    label = plain(about.in_a_line, 100) if about.in_a_line else "who asks"
    st.page_link(page.CASE, label=f"Case: {label}", icon=":material/assignment:")


def columns_that_say_something(data: Dataset) -> tuple[str, ...]:
    """Columns that are no identifier, person id or weight."""
    apart = {*data.identifiers, data.person_id, data.weight}
    return tuple(name for name in data.columns if name not in apart)


def _take_useful(names: list[str]) -> None:
    others = tuple(purpose for purpose in session().aim.purposes if not isinstance(purpose, UsefulColumns))
    named = (UsefulColumns(tuple(names)),) if names else ()
    session().aim = replace(session().aim, purposes=(*named, *others))


# ---- the case's purpose ----


def _offer_sentence() -> None:
    """The button that writes what is named into the case, which stays text that is typed."""
    sentence, written = in_a_sentence(session().aim.purposes), session().case.purpose
    if not sentence:
        why_not = "Choose columns, or name what must survive, first."
    elif sentence in written:
        why_not = "The case says so already."
    else:
        why_not = ""
    st.button(
        "Write it into the case", key="verdict-purpose-to-case", icon=":material/assignment:", disabled=bool(why_not),
        on_click=guard.action(_write_into_case), args=(sentence,), width="stretch",
        help=why_not or f"The case’s purpose then says: {plain(sentence)} You can change it there.",
    )  # fmt: skip


def _write_into_case(sentence: str) -> None:
    case = session().case
    session().case = replace(case, purpose=f"{case.purpose}\n{sentence}".strip())


# ---- models, comparisons, associations ----


def _ask_more(data: Dataset) -> None:
    """The selectors that name one more thing."""
    if len(session().aim.purposes) >= MOST_PURPOSES:
        st.caption(f"{MOST_PURPOSES} things are named, the most that can be. Take one out to name another.")
        return
    columns, numbers, few = _offered(data)
    if len(columns) < 2:
        st.caption("The file has fewer than two columns that say something of a person.")
        return
    kind = keep.segments(
        "usefulness-kind",
        "What must survive",
        [purpose_type.called for purpose_type in _KINDS],
        label_visibility="collapsed",
    )
    purpose, why_not = _asked_purpose(kind, columns, numbers, few)
    is_named = purpose in session().aim.purposes
    st.button(
        "It must survive", key="usefulness-add", icon=":material/add:", on_click=guard.action(_add),
        args=(purpose,), disabled=purpose is None or is_named,
        help="It is named already." if is_named else why_not or "Named with the project, and guides every search.",
    )  # fmt: skip
    if why_not:
        st.caption(why_not)


def _asked_purpose(
    kind: str, columns: Sequence[str], numbers: Sequence[str], few: Sequence[str]
) -> tuple[Purpose | None, str]:
    """What the selectors name, or why they name nothing."""
    if kind == MeanByGroup.called:
        if not numbers:
            return None, "No column holds numbers, so there is no mean."
        value = _select("usefulness-value", "Mean of", numbers)
        group = _select(keep.per("usefulness-group", value), "In each group of", _others(columns, value))
        return MeanByGroup(value, group), ""
    if kind == Model.called:
        if not few:
            return None, f"No column has 2 to {_MOST_VALUES} values, so there is nothing to predict."
        target = _select("usefulness-target", "What to predict", few[::-1])
        predictors = keep.several(
            keep.per("usefulness-predictors", target), "From which columns", _others(columns, target),
            format_func=titled, placeholder="Choose columns",
        )  # fmt: skip
        return (Model(target, tuple(predictors)), "") if predictors else (None, "Choose columns to predict it from.")
    first = _select("usefulness-first", "This column", columns)
    second = _select(keep.per("usefulness-second", first), "Together with", _others(columns, first))
    return Together(first, second), ""


def _select(name: str, label: str, offered: Sequence[str]) -> str:
    return keep.select(name, label, offered, format_func=titled)


def _others(columns: Sequence[str], name: str) -> list[str]:
    return [other for other in columns if other != name]


@cache.remembered
def _offered(data: Dataset) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Columns that say something of a person, of few enough values; those of numbers, and those with 2 to 20 values."""
    columns = tuple(name for name in columns_that_say_something(data) if data.held.lists_values(name))
    values = {name: data.held.values(name) for name in columns}
    few = tuple(name for name, held in values.items() if 2 <= len(held) <= _MOST_VALUES)
    return columns, tuple(name for name, held in values.items() if _holds_numbers(held)), few


def _holds_numbers(values: np.ndarray) -> bool:
    """Whether most values are numbers, and no codes."""
    texts = list(map(str, values))
    return len(texts) > 1 and not is_code(texts) and bool(np.isnan(to_numbers(texts)).mean() < 0.5)


def _show_named(purposes: Sequence[Purpose]) -> None:
    for place, purpose in enumerate(purposes):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Take out", key=f"usefulness-remove-{place}", icon=":material/close:",
                on_click=guard.action(_remove), args=(purpose,), help="It is named no longer. You can undo it.",
            )  # fmt: skip
            st.markdown(f"**{plain(purpose.title)}**")


def _add(purpose: Purpose) -> None:
    session().aim = replace(session().aim, purposes=(*session().aim.purposes, purpose))


def _remove(purpose: Purpose) -> None:
    left = tuple(other for other in session().aim.purposes if other != purpose)
    session().aim = replace(session().aim, purposes=left)
