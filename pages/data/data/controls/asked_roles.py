"""What only the officer can judge: one question a column, in plain words, answered with one click."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.columns.roles import Role, Suggestion
from anonlib.dataset import Dataset
from ui.session import decide, keep, view
from ui.text import plain

AT_ONCE = 5  # questions on the page; answered ones stay in place until the last of these is
UNDECIDED = "Undecided"
_YES = "Yes, known or could be found out"
_ANSWERS = {
    Role.QUASI_IDENTIFIER: _YES,
    Role.PLACE: _YES,
    Role.SENSITIVE: "No, and it would harm if learned",
    Role.OTHER: "Neither, I am sure",
}
_SUGGESTED = {
    Role.QUASI_IDENTIFIER: "Suggested: **yes**.",
    Role.PLACE: "Suggested: **yes**.",
    Role.SENSITIVE: "Suggested: **no, and it would harm**.",
    Role.OTHER: "Suggested, as nothing speaks for another answer: **neither**.",
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
            st.caption(f"Then: {words.count(later, 'more questions')}. All can be answered in the table below as well.")


def _ask(suggested: Suggestion, role: Role | None) -> None:
    yes = Role.PLACE if suggested.role is Role.PLACE else Role.QUASI_IDENTIFIER
    now = role or UNDECIDED
    offered = list(dict.fromkeys([UNDECIDED, yes, Role.SENSITIVE, Role.OTHER, now]))
    tells = f"It tells {words.percent(suggested.separation)} of the pairs of records apart."
    reasons = suggested.why if suggested.role is Role.SENSITIVE else (suggested.asked, *suggested.reasons)
    why = plain(" ".join([*reasons, tells]))
    with st.container(gap="xxsmall"):
        keep.radio(
            keep.per("question", suggested.column),
            f"Could somebody outside know “{plain(suggested.column, 60)}” of a person?",
            offered, now, take=partial(_answered, suggested.column), horizontal=True, format_func=partial(_named, yes),
        )  # fmt: skip
        st.caption(f"{why} {_SUGGESTED[suggested.role]}")


def _answered(column: str, answer: str) -> None:
    decide.set_role(column, None if answer == UNDECIDED else Role(answer))


def _named(yes: Role, answer: str) -> str:
    """What an answer is called where the role ``yes`` is the one that says yes; a role of another kind by its name."""
    if answer == UNDECIDED:
        return UNDECIDED
    role = Role(answer)
    return _ANSWERS[role] if role == yes or _ANSWERS.get(role, _YES) != _YES else role.answer
