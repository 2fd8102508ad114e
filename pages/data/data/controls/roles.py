"""The roles: a question a column for what only the officer can judge, and the table of all columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.figures import VALUES
from anonlib.columns.roles import Role, Suggestion, undecided
from anonlib.dataset import Dataset
from pages.data.data.controls import several_rows
from pages.data.data.results import cells_of_other_tables
from ui.kit import glossary, page
from ui.session import decide, guard, keep, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain, printable

ROLE_ROW = 78  # pixels: Streamlit breaks lines in rows above four times the size of its letters
_ORDER, _LEFT = "roles-order", "roles-left"  # of the table, and the roles as it last left them
_AT_ONCE = (Role.QUASI_IDENTIFIER, Role.PLACE, Role.SENSITIVE, Role.IDENTIFIER)  # for many columns: never neither
_NOTHING = "Nothing: only you can say"
_ROLES = tuple(dict.fromkeys([Role.QUASI_IDENTIFIER, Role.PLACE, Role.SENSITIVE, Role.OTHER, *Role]))  # answers first


def show(data: Dataset) -> None:
    st.subheader("What each column is", anchor=False)
    st.markdown(
        "One question a column: **could somebody outside know this of a person?** Somebody outside is one who knows "
        "the person or holds another file: family, a neighbour, an employer, an insurer, a newspaper."
    )
    suggestions = view.now().suggestions
    _show_state(data, suggestions)
    ask(data)
    several_rows.show(data, suggestions)
    _show_meanings()
    chosen = _ask_which(data, suggestions)
    if chosen:
        _show_table(data, {s.column: s for s in chosen})


def _show_state(data: Dataset, suggestions: Sequence[Suggestion]) -> None:
    """How many columns are undecided, and what decides several at once."""
    left = undecided(data.columns, data.roles)
    n_asked = sum(bool(s.asked) for s in suggestions if s.column in left)
    at_once = sum(bool(s.asked) and not s.is_open for s in suggestions if s.column in left)
    buttons, summary = page.beside(3, 2)
    with summary:
        if left:
            st.markdown(_what_is_left(left, n_asked))
        else:
            st.markdown(f"Every column is decided. An attacker is taken to know {page.listed(data.quasi_identifiers)}.")
        if data.quasi_identifiers and len(left) == n_asked:
            st.page_link(page.VERDICT, label="Next: the verdict", icon=":material/arrow_forward:")
    with buttons, st.container(horizontal=True):
        safe = len(left) > n_asked
        st.button(
            "Accept suggestions", type="primary", icon=":material/done_all:", disabled=not safe,
            help="Those that need no question." if safe else "No suggestion is left that needs no question.",
            on_click=guard.action(decide.accept_suggestions),
        )  # fmt: skip
        if at_once:
            all_of_them = "the one that is asked" if at_once == 1 else f"all {at_once} that are asked"
            which = all_of_them if at_once == n_asked else f"{at_once} of {n_asked} that are asked"
            stays = "" if at_once == n_asked else " Columns of which nothing tells what they are stay to be answered."
            st.button(
                f"Answer {which} as suggested",
                help=f"Without looking at each: where a suggestion is wrong, so is every risk that is computed.{stays}",
                on_click=guard.action(decide.take_asked),
            )  # fmt: skip
        st.button(
            "Clear roles",
            disabled=not data.roles,
            help=None if data.roles else "No role is set.",
            on_click=guard.action(decide.clear_roles),
        )


def _what_is_left(left: Sequence[str], n_asked: int) -> str:
    """How many columns are undecided, and how many of them are asked."""
    undecided_columns = f"**{words.count(len(left), 'columns')} {'is' if len(left) == 1 else 'are'} undecided**"
    if n_asked == len(left):
        sentence = f"{undecided_columns}: {page.listed(left, 6)}. What outsiders know of a person, only you can judge."
    elif n_asked:
        sentence = (
            f"{undecided_columns}. For {len(left) - n_asked} there is a suggestion; {n_asked} only you can judge."
        )
    else:
        sentence = f"{undecided_columns}. For each there is a suggestion that needs no question."
    return f"{sentence} No risk counts a column before it is decided."


def _show_meanings() -> None:
    """What each role means, in sight of where it is chosen."""
    half = (len(_ROLES) + 1) // 2
    for column, part in zip(page.beside(1, 1), (_ROLES[:half], _ROLES[half:]), strict=True):
        column.caption("\n".join(f"- **{role.answer}**: {role.meaning}" for role in part))


def _ask_which(data: Dataset, suggestions: Sequence[Suggestion]) -> Sequence[Suggestion]:
    """The columns that the table shows: all, or those that are searched for, which can get one answer at once."""
    search, answer, apply, whose = page.beside(3, 4, 2, 4, gap="small", align="bottom")
    wanted = keep.text(
        "role-search", "Find columns", place=search, placeholder="Part of a name, a role or a reason",
        help="The table shows only columns that have all of these words in their name, role or reason.",
    ).casefold().split()  # fmt: skip
    chosen = [s for s in suggestions if all(word in _words_of(data, s) for word in wanted)]
    with answer:
        role = keep.select(
            "role-of-found", f"All {len(chosen)} shown are" if wanted else "All that are found are", _AT_ONCE,
            format_func=lambda role: role.answer, disabled=not wanted or not chosen,
            help="One answer for all columns that are found. “Neither” is answered column by column." if wanted
            else "Find some columns first.",
        )  # fmt: skip
    apply.button(
        "Apply", key="role-apply", disabled=not wanted or not chosen, width="stretch",
        on_click=guard.action(decide.set_role_of), args=([s.column for s in chosen], role),
        help="Give it to all that are found." if wanted and chosen else "Find some columns first.",
    )  # fmt: skip
    with whose:
        several_rows.ask_person(data, suggestions)
    if not chosen:
        st.markdown("No column has all of these words in its name, role or reason.")
    return chosen


def _words_of(data: Dataset, suggested: Suggestion) -> str:
    """All that the table shows of a column, to be searched."""
    return f"{titled(suggested.column)} {_answer_of(data, suggested.column)} {_why(suggested)}".casefold()


# ---- the table ----------------------------------------------------------------------------------------------------


def _show_table(data: Dataset, suggestions: dict[str, Suggestion]) -> None:
    order = _order(data, suggestions)
    rows = [suggestions[name] for name in order]
    empty = cells_of_other_tables(data)
    table = pd.DataFrame(
        {
            "Column": [titled(s.column) for s in rows],
            "Role": [_answer_of(data, s.column) for s in rows],
            "Suggested": [_NOTHING if s.is_open else s.role.answer for s in rows],
            "Why": [_why(s) for s in rows],
            "Differs in": [s.separation for s in rows],
            VALUES.name: [s.distinct for s in rows],
            "Missing": [s.missing - empty.get(s.column, 0) for s in rows],
        }
    )
    key = _key(order)
    st.data_editor(
        table,
        key=key,
        hide_index=True,
        alt="Table of columns, the undecided ones first, each with its answer, which can be edited.",
        height=min(page.table_height(0, 640) + ROLE_ROW * len(table), 780),
        row_height=ROLE_ROW,
        disabled=["Column", "Suggested", "Why", "Differs in", VALUES.name, "Missing"],
        column_config={
            "Column": st.column_config.TextColumn(width=156, pinned=True),
            "Role": st.column_config.SelectboxColumn(
                "Known outside?",
                width=204,
                options=[UNDECIDED, *(role.answer for role in _ROLES)],
                required=True,
                help="Could somebody outside know this of a person?\n"
                + "\n".join(f"- **{role.answer}**: {role.meaning}" for role in _ROLES)
                + f"\n\n{glossary.link('role', 'known', 'sensitive', 'neither')}",
            ),
            "Suggested": st.column_config.TextColumn(width=150),
            "Why": st.column_config.TextColumn(width=300),
            "Differs in": st.column_config.ProgressColumn(
                width=90,
                format="percent",
                min_value=0,
                max_value=1,
                help="Separation: share of record pairs that differ in this column.",
            ),
            VALUES.name: st.column_config.NumberColumn(
                "Values",
                width=61,
                format="localized",
                help=glossary.linked(f"{VALUES.name}. {VALUES.definition}", "value"),
            ),
            "Missing": st.column_config.NumberColumn(
                width=61, format="localized", help=glossary.linked("Records without a value.", "missing")
            ),
        },
        on_change=guard.action(_edited),
        args=(key, order),
    )


def _why(suggested: Suggestion) -> str:
    """The reasons; of an asked column why it is asked first, unless that speaks for another role."""
    hipaa = [f"HIPAA {suggested.hipaa_class}."] if suggested.hipaa_class else []
    if suggested.asked:
        return printable(" ".join([suggested.why[0], *hipaa, *suggested.why[1:]]))
    return printable(" ".join([*suggested.why, *hipaa]))


def _answer_of(data: Dataset, column: str) -> str:
    return data.roles[column].answer if column in data.roles else UNDECIDED


def _key(order: Sequence[str]) -> str:
    """The key of the table with its columns in this order: what is edited in a table of another order is not taken."""
    return keep.key(keep.per("roles", order))


def _edits(key: str) -> dict[int, str]:
    """The answers chosen in the table so far, by row."""
    rows = st.session_state[key]["edited_rows"] if key in st.session_state else {}
    return {int(row): change["Role"] for row, change in rows.items() if "Role" in change}


def _edited(key: str, order: Sequence[str]) -> None:
    answers = {role.answer: role for role in Role}
    roles = dict(session().roles)
    for row, answer in _edits(key).items():
        roles.pop(order[row], None)
        if answer in answers:
            roles[order[row]] = answers[answer]
    decide.set_roles(roles)
    keep.put(_LEFT, dict(session().roles))


def _order(data: Dataset, suggestions: dict[str, Suggestion]) -> tuple[str, ...]:
    """The order of the table: undecided columns first, and of these the asked ones.

    While nothing but the table changes the roles it stays as it is, which keeps the place and the focus; where an
    answer does not hold, because it was refused or undone, the table is a new one.
    """
    last_order: tuple[str, ...] = keep.value(_ORDER, ())
    if set(last_order) == set(suggestions) and _key(last_order) in st.session_state:
        if any(_answer_of(data, last_order[row]) != answer for row, answer in _edits(_key(last_order)).items()):
            keep.renew(keep.per("roles", last_order))
        elif keep.value(_LEFT, {}) == data.roles:
            return last_order
    left = undecided(suggestions, data.roles)
    to_ask = [name for name in left if suggestions[name].asked]
    order = tuple(dict.fromkeys([*to_ask, *left, *suggestions]))
    keep.put(_ORDER, order)
    return order


# ---- what only the officer can judge: a question a column, or a block of columns, answered with one click ----


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


def ask(data: Dataset) -> None:
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
    one_by_one = len(block) > 1 and any(suggestion.is_open for suggestion in block)
    neither = [] if one_by_one else [Role.OTHER]
    offered = list(dict.fromkeys([UNDECIDED, *of_persons, yes, Role.SENSITIVE, *neither, now]))
    with st.container(gap="xxsmall"):
        keep.radio(
            keep.per("question", *columns), _question(columns), offered, now, take=partial(_answered, columns),
            horizontal=True, format_func=partial(_named, yes),
        )  # fmt: skip
        suggested = _OPEN if first.is_open else _SUGGESTED[first.role]
        st.caption(f"{_why_asked(block)} {suggested}{f' {_ONE_BY_ONE}' if one_by_one else ''}")


def _question(columns: Sequence[str]) -> str:
    if len(columns) == 1:
        return f"Could somebody outside know “{plain(titled(columns[0]), 90)}” of a person?"
    return f"Could somebody outside know any of these {len(columns)} columns of a person?"


def _why_asked(block: Block) -> str:
    """What speaks for the suggestion; of several columns, which they are and what speaks for the first."""
    first = block[0]
    reasons = first.why if first.role is Role.SENSITIVE else (first.asked, *first.reasons)
    if len(block) == 1:
        tells = f"Of all pairs of records, {words.percent(first.separation)} differ in it."
        return plain(" ".join([*reasons, tells]))
    named = words.listed([f"**{plain(titled(suggestion.column), 40)}**" for suggestion in block], _NAMED)
    most = max(suggestion.separation for suggestion in block)
    return f"{named}: {plain(first.asked)} In each, {words.percent(most)} of all pairs of records differ or fewer."


def _answered(columns: Sequence[str], answer: str) -> None:
    decide.set_role_of(columns, None if answer == UNDECIDED else Role(answer))


def _named(yes: Role, answer: str) -> str:
    """What an answer is called where the role ``yes`` is the one that says yes; a role of another kind by its name."""
    if answer == UNDECIDED:
        return UNDECIDED
    role = Role(answer)
    return _ANSWERS[role] if role == yes or _ANSWERS.get(role, _YES) != _YES else role.answer
