"""What each column is: suggested with reasons, decided by the officer."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.figures import VALUES
from anonlib.columns.roles import Role, Suggestion, undecided
from anonlib.dataset import Dataset
from pages.data.data.controls import asked_roles, person, several_rows
from pages.data.data.results import cells_of_other_tables
from ui.kit import glossary, page
from ui.session import decide, guard, keep, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import printable

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
    asked_roles.show(data)
    several_rows.show(data, suggestions)
    _show_meanings()
    chosen = _ask_which(data, suggestions)
    if chosen:
        _show_table(data, {s.column: s for s in chosen})


def _show_state(data: Dataset, suggestions: Sequence[Suggestion]) -> None:
    """How many columns are undecided, and what decides several at once."""
    left = undecided(data.columns, data.roles)
    asked = sum(bool(s.asked) for s in suggestions if s.column in left)
    at_once = sum(bool(s.asked) and not s.is_open for s in suggestions if s.column in left)
    buttons, summary = page.beside(3, 2)
    with summary:
        if left:
            st.markdown(_what_is_left(left, asked))
        else:
            st.markdown(f"Every column is decided. An attacker is taken to know {page.listed(data.quasi_identifiers)}.")
        if data.quasi_identifiers and len(left) == asked:
            st.page_link(page.VERDICT, label="Next: the verdict", icon=":material/arrow_forward:")
    with buttons, st.container(horizontal=True):
        safe = len(left) > asked
        st.button(
            "Accept suggestions", type="primary", icon=":material/done_all:", disabled=not safe,
            help="Those that need no question." if safe else "No suggestion is left that needs no question.",
            on_click=guard.action(decide.accept_suggestions),
        )  # fmt: skip
        if at_once:
            all_of_them = "the one that is asked" if at_once == 1 else f"all {at_once} that are asked"
            which = all_of_them if at_once == asked else f"{at_once} of {asked} that are asked"
            kept = "" if at_once == asked else " Columns of which nothing tells what they are stay to be answered."
            st.button(
                f"Answer {which} as suggested",
                help=f"Without looking at each: where a suggestion is wrong, so is every risk that is computed.{kept}",
                on_click=guard.action(decide.take_asked),
            )  # fmt: skip
        st.button(
            "Clear roles",
            disabled=not data.roles,
            help=None if data.roles else "No role is set.",
            on_click=guard.action(decide.clear_roles),
        )


def _what_is_left(left: Sequence[str], asked: int) -> str:
    """How many columns are undecided, and how many of them are asked."""
    undecided_columns = f"**{words.count(len(left), 'columns')} {'is' if len(left) == 1 else 'are'} undecided**"
    if asked == len(left):
        sentence = f"{undecided_columns}: {page.listed(left, 6)}. What outsiders know of a person, only you can judge."
    elif asked:
        sentence = f"{undecided_columns}. For {len(left) - asked} there is a suggestion; {asked} only you can judge."
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
        person.show(data, suggestions)
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
                options=[asked_roles.UNDECIDED, *(role.answer for role in _ROLES)],
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
    return data.roles[column].answer if column in data.roles else asked_roles.UNDECIDED


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
    kept: tuple[str, ...] = keep.value(_ORDER, ())
    if set(kept) == set(suggestions) and _key(kept) in st.session_state:
        if any(_answer_of(data, kept[row]) != answer for row, answer in _edits(_key(kept)).items()):
            keep.renew(keep.per("roles", kept))
        elif keep.value(_LEFT, {}) == data.roles:
            return kept
    left = undecided(suggestions, data.roles)
    asked = [name for name in left if suggestions[name].asked]
    order = tuple(dict.fromkeys([*asked, *left, *suggestions]))
    keep.put(_ORDER, order)
    return order
