"""What only the officer can judge: a question a column, or a block of columns, answered with one click."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.columns.roles import Role, Suggestion
from anonlib.dataset import Dataset
from ui.session import decide, keep, view
from ui.session.names import titled
from ui.text import plain

AT_ONCE = 5  # questions on the page; answered ones stay in place until the last of these is
UNDECIDED = "Undecided"
_NAMED = 8  # columns of a block that are named in its question
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
    Role.OTHER: "Suggested: **neither**.",
    Role.IDENTIFIER: "Suggested: **identifier**.",
}
_OPEN = "Nothing is suggested, as nothing speaks for an answer."
_ONE_BY_ONE = "“Neither” is answered column by column, in the table below."

Block = tuple[Suggestion, ...]


def show(data: Dataset) -> None:
    """The questions about columns that are undecided, some at a time; nothing where all are answered."""
    blocks = blocks_asked(view.now().suggestions)
    groups = [blocks[start : start + AT_ONCE] for start in range(0, len(blocks), AT_ONCE)]
    group = next((group for group in groups if any(_is_open(block, data) for block in group)), None)
    if group is None:
        return
    with st.container(border=True):
        for block in group:
            _ask(block, data)
        later = sum(_is_open(block, data) for block in blocks) - sum(_is_open(block, data) for block in group)
        if later:
            st.caption(f"Then: {words.count(later, 'more questions')}. All can be answered in the table below as well.")


def blocks_asked(suggestions: Sequence[Suggestion]) -> list[Block]:
    """The columns that are asked about, those together that one answer covers."""
    blocks: dict[str, list[Suggestion]] = {}
    for suggested in suggestions:
        if suggested.asked:
            blocks.setdefault(suggested.block or suggested.column, []).append(suggested)
    return [tuple(block) for block in blocks.values()]


def _is_open(block: Block, data: Dataset) -> bool:
    return any(suggested.column not in data.roles for suggested in block)


def _ask(block: Block, data: Dataset) -> None:
    first, columns = block[0], tuple(suggested.column for suggested in block)
    yes = Role.PLACE if first.role is Role.PLACE else Role.QUASI_IDENTIFIER
    roles = {data.roles.get(column) for column in columns}
    now = (roles.pop() if len(roles) == 1 else None) or UNDECIDED
    of_persons = [Role.IDENTIFIER, Role.PERSON_ID] if first.role is Role.IDENTIFIER else []
    # One click never says of many columns of which nothing tells what they are that they are harmless.
    one_by_one = len(block) > 1 and any(each.is_open for each in block)
    neither = [] if one_by_one else [Role.OTHER]
    offered = list(dict.fromkeys([UNDECIDED, *of_persons, yes, Role.SENSITIVE, *neither, now]))
    with st.container(gap="xxsmall"):
        keep.radio(
            keep.per("question", *columns), _question(columns), offered, now, take=partial(_answered, columns),
            horizontal=True, format_func=partial(_named, yes),
        )  # fmt: skip
        suggested = _OPEN if first.is_open else _SUGGESTED[first.role]
        st.caption(f"{_why(block)} {suggested}{f' {_ONE_BY_ONE}' if one_by_one else ''}")


def _question(columns: Sequence[str]) -> str:
    if len(columns) == 1:
        return f"Could somebody outside know “{plain(titled(columns[0]), 90)}” of a person?"
    return f"Could somebody outside know any of these {len(columns)} columns of a person?"


def _why(block: Block) -> str:
    """What speaks for the suggestion; of several columns, which they are and what speaks for the first."""
    first = block[0]
    reasons = first.why if first.role is Role.SENSITIVE else (first.asked, *first.reasons)
    if len(block) == 1:
        tells = f"Of all pairs of records, {words.percent(first.separation)} differ in it."
        return plain(" ".join([*reasons, tells]))
    named = words.listed([f"**{plain(titled(each.column), 40)}**" for each in block], _NAMED)
    most = max(each.separation for each in block)
    return f"{named}: {plain(first.asked)} In each, {words.percent(most)} of all pairs of records differ or fewer."


def _answered(columns: Sequence[str], answer: str) -> None:
    decide.set_role_of(columns, None if answer == UNDECIDED else Role(answer))


def _named(yes: Role, answer: str) -> str:
    """What an answer is called where the role ``yes`` is the one that says yes; a role of another kind by its name."""
    if answer == UNDECIDED:
        return UNDECIDED
    role = Role(answer)
    return _ANSWERS[role] if role == yes or _ANSWERS.get(role, _YES) != _YES else role.answer
