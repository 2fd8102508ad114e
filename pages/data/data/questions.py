"""What only the officer can judge: one question a column, in plain words, answered with one click."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.roles import Role, Suggestion
from ui import decide, keep, page, view
from ui.text import plain

AT_ONCE = 5  # questions on the page; answered ones stay in place until the last of these is
UNDECIDED = "Undecided"
_YES, _HARM, _NEITHER = "Yes, known or could be found out", "No, and it would harm if learned", "Neither, I am sure"
_ANSWERS = {
    Role.QUASI_IDENTIFIER: _YES,
    Role.PLACE: _YES,
    Role.SENSITIVE: _HARM,
    Role.OTHER: _NEITHER,
}


def show(data: Dataset) -> None:
    """The questions about columns that are undecided, some at a time; nothing where all are answered."""
    asked = [s for s in view.now().suggestions if s.asked]
    groups = [asked[start : start + AT_ONCE] for start in range(0, len(asked), AT_ONCE)]
    group = next((group for group in groups if any(s.column not in data.roles for s in group)), None)
    if group is None:
        return
    with st.container(border=True):
        for suggested in group:
            _ask(suggested, data.roles.get(suggested.column))
        later = sum(s.column not in data.roles for s in asked) - sum(s.column not in data.roles for s in group)
        if later:
            st.caption(f"{words.count(later, 'more questions')} come when these are answered, or answer in the table.")


def _ask(suggested: Suggestion, role: Role | None) -> None:
    yes = Role.PLACE if suggested.role is Role.PLACE else Role.QUASI_IDENTIFIER
    offered = list(dict.fromkeys([None, yes, Role.SENSITIVE, Role.OTHER, role]))
    keep.radio(
        keep.per("question", suggested.column),
        f"Could somebody outside know **{plain(suggested.column, 60)}** of a person?",
        offered, role, take=partial(decide.set_role, suggested.column), horizontal=True,
        format_func=partial(_answer, yes),
    )  # fmt: skip
    tells = f"It tells {words.percent(suggested.separation)} of the pairs of records apart."
    answer = _answer(yes, suggested.role).split(",")[0].lower()
    st.caption(
        " ".join([plain(text) for text in (suggested.asked, *suggested.reasons, tells)] + [f"Suggested: **{answer}**."])
    )


def _answer(yes: Role, role: Role | None) -> str:
    """How an answer is called, where this role is the one that says yes."""
    if role is None:
        return UNDECIDED
    return role.answer if role not in _ANSWERS or (_ANSWERS[role] == _YES and role != yes) else _ANSWERS[role]
