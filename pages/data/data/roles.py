"""What each column is: suggested with reasons, said by the officer."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.roles import Role, Suggestion
from ui import decide, guard, keep, page, view
from ui.state import session
from ui.text import printable

ROLE_ROW = 61  # pixels: Streamlit breaks lines in rows above four times the size of its letters
NO_ROLE = "—"


def _edits(key: str) -> dict[int, str]:
    """The roles chosen in the table so far, by row."""
    rows = st.session_state[key]["edited_rows"] if key in st.session_state else {}
    return {int(row): change["Role"] for row, change in rows.items() if "Role" in change}


def _edited(key: str, columns: list[str]) -> None:
    labels = {role.label: role for role in Role}
    roles = dict(session().roles)
    for row, label in _edits(key).items():
        roles.pop(columns[row], None)
        if label in labels:
            roles[columns[row]] = labels[label]
    decide.set_roles(roles)


def _key(shown: list[str]) -> str:
    """The key of the table of roles: the same while what was chosen there is what holds, which keeps the focus.

    Where it does not hold, because it was refused or undone, the table is a new one.
    """
    key = keep.key("roles")
    if all(shown[row] == label for row, label in _edits(key).items()):
        return key
    keep.renew("roles")
    return keep.key("roles")


def _why(suggested: Suggestion) -> str:
    return printable(
        " ".join(suggested.reasons) + (f" HIPAA {suggested.hipaa_class}." if suggested.hipaa_class else "")
    )


def _show_meanings() -> None:
    """What each role means, in sight of where it is chosen."""
    roles = list(Role)
    half = (len(roles) + 1) // 2
    for column, part in zip(page.beside(1, 1), (roles[:half], roles[half:]), strict=True):
        column.caption("\n".join(f"- **{role.label}**: {role.meaning}" for role in part))


def show(data: Dataset) -> None:
    st.subheader("What each column is", anchor=False)
    suggestions = view.now().suggestions
    open_roles = [s.column for s in suggestions if s.column not in data.roles]
    buttons, summary = page.beside(2, 3)
    with summary:
        if open_roles:
            st.markdown(
                f"**{words.count(len(open_roles), 'columns')}** without a role. Suggestions are from names and "
                "content: accept them all, or set a role in the table. Nothing is set until you say so."
            )
        else:
            st.markdown(f"Every column has a role. An attacker is taken to know {page.listed(data.quasi_identifiers)}.")
            if data.quasi_identifiers:
                st.page_link(page.RISK, label="Next: see the risk", icon=":material/arrow_forward:")
    with buttons, st.container(horizontal=True):
        st.button(
            "Accept all suggestions", type="primary", icon=":material/done_all:", disabled=not open_roles,
            help=None if open_roles else "Every column has a role already.",
            on_click=guard.action(decide.accept_suggestions),
        )  # fmt: skip
        st.button(
            "Clear roles",
            disabled=not data.roles,
            help=None if data.roles else "No role is set.",
            on_click=guard.action(decide.clear_roles),
        )
    table = pd.DataFrame(
        {
            "Column": [printable(s.column) for s in suggestions],
            "Role": [data.roles[s.column].label if s.column in data.roles else NO_ROLE for s in suggestions],
            "Suggested": [s.role.label for s in suggestions],
            "Why": [_why(s) for s in suggestions],
            "Distinct": [s.distinct for s in suggestions],
            "Tells apart": [s.separation for s in suggestions],
            "Missing": [s.missing for s in suggestions],
        }
    )
    _show_meanings()
    key = _key(table["Role"].tolist())
    st.data_editor(
        table,
        key=key,
        hide_index=True,
        alt="Table of columns with their role, the suggested role and its reasons; the role can be edited.",
        height=min(page.table_height(0, 640) + ROLE_ROW * len(table), 780),
        row_height=ROLE_ROW,
        disabled=["Column", "Suggested", "Why", "Distinct", "Tells apart", "Missing"],
        column_config={
            "Column": st.column_config.TextColumn(width=156, pinned=True),
            "Role": st.column_config.SelectboxColumn(
                width=116,
                options=[NO_ROLE, *(role.label for role in Role)],
                required=True,
                help="\n".join(f"- **{role.label}**: {role.meaning}" for role in Role),
            ),
            "Suggested": st.column_config.TextColumn(width=112),
            "Why": st.column_config.TextColumn(width=394),
            "Distinct": st.column_config.NumberColumn(
                width=66, format="localized", help="Distinct values, missing not counted."
            ),
            "Tells apart": st.column_config.ProgressColumn(
                width=96,
                format="percent",
                min_value=0,
                max_value=1,
                help="Separation: share of record pairs that differ in this column.",
            ),
            "Missing": st.column_config.NumberColumn(width=66, format="localized", help="Records without a value."),
        },
        on_change=guard.action(_edited),
        args=(key, [s.column for s in suggestions]),
    )
