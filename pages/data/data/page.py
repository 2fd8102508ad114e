"""Data: load a file, check how it was read, and say what each column is."""

import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.roles import Role, Suggestion
from anonlib.samples import SAMPLES
from anonlib.sources import DEFAULT_MARKS, lookalikes, missing_mark_candidates
from pages.data.data import left_out
from ui import cache, guard, opening, page, read_as, state
from ui.text import plain, printable

PREVIEW_ROWS = 200
ROLE_ROW = 61  # pixels: Streamlit breaks lines in rows above four times the size of its letters
NO_ROLE = "—"
POLICIES = {"category": "counts, as a value of its own", "drop": "is left out of counts and release"}


# ---- load ---------------------------------------------------------------------------------------------------------


def show_loader() -> None:
    file, sample = page.beside(2, 1)
    with file:
        opening.ask_file()
    with sample:
        chosen = st.selectbox(
            "Or a sample", [s.key for s in SAMPLES], format_func=lambda k: page.sample(k).title, key="sample-choice"
        )
        st.button("Open sample", on_click=guard.action(page.open_sample), args=(chosen,), icon=":material/science:")


# ---- how it was read ----------------------------------------------------------------------------------------------


def show_size(data: Dataset) -> None:
    missing = int(sum((column.cat.codes < 0).sum() for _, column in data.records.items()))
    cells = data.n_records * len(data.columns)
    page.metrics(
        ("Records", words.count(data.n_records), "Rows below the header, as read."),
        ("Columns", words.count(len(data.columns)), "Columns of the file, as read."),
        ("Missing cells", words.percent(missing / cells if cells else 0), f"{missing:,} of {cells:,} cells"),
        ("Digest", f"{data.digest[:8]}…", f"SHA-256 of the file’s bytes: {data.digest}"),
    )


def show_preview(data: Dataset) -> None:
    part = f"the first {PREVIEW_ROWS:,} of " if data.n_records > PREVIEW_ROWS else ""
    label = f"Preview: {part}{words.count(data.n_records, 'records')}"
    # With a key it stays as it is when the first role is set: the table of roles below does not jump.
    with st.expander(label, expanded=not data.roles, key=f"preview-{state.session().generation}"):
        head = data.records.head(PREVIEW_ROWS).astype(object)
        head.columns = pd.Index([printable(name) for name in head.columns])
        head.index = pd.RangeIndex(1, len(head) + 1, name="record")
        height = page.table_height(len(head), 280)
        page.table(head, "The first records as read; an empty cell is missing.", height=height, hide_index=False)


# ---- missing values and spellings ---------------------------------------------------------------------------------


def _candidates(data: Dataset):
    return missing_mark_candidates(data.records)


def _lookalikes(data: Dataset):
    return lookalikes(data.records)


def set_marks(key: str) -> None:
    state.prepare(marks=tuple(dict.fromkeys(("", *st.session_state[key]))))


def set_column_marks(key: str) -> None:
    state.prepare(column_marks=tuple(st.session_state[key]))


def set_merged(key: str) -> None:
    state.prepare(merged=tuple(st.session_state[key]))


def set_missing(key: str) -> None:
    state.set_missing(st.session_state[key])


def show_missing(data: Dataset) -> None:
    loaded, drawn = state.session().loaded, f"{state.session().generation}-{state.session().restored}"
    assert loaded is not None
    raw = Dataset(data.name, data.digest, loaded.source.frame, prepared=repr(loaded.options))
    candidates = cache.remember(_candidates, raw)
    found: dict[str, int] = {}
    for candidate in candidates:
        found[candidate.mark] = found.get(candidate.mark, 0) + candidate.count
    marks, policy = page.beside(3, 2)
    with marks:
        chosen = [mark for mark in loaded.marks if mark]
        st.multiselect(
            "Marks that mean “missing” (an empty cell always does)",
            list(dict.fromkeys([*chosen, *(mark for mark in DEFAULT_MARKS if mark), *found])),
            default=chosen,
            key=(key := f"marks-{drawn}"),
            format_func=lambda mark: f"{printable(mark)} ({found[mark]:,} cells)" if mark in found else printable(mark),
            accept_new_options=True,
            help="Found in this file with the number of cells; type your own mark and press Enter.",
            on_change=guard.action(set_marks),
            args=(key,),
        )
        elsewhere = {(c.column, c.mark): c.count for c in candidates if c.mark not in loaded.marks}
        if elsewhere:
            marks_found = ", ".join(plain(mark, 20) for mark in list(dict.fromkeys(mark for _, mark in elsewhere))[:6])
            st.multiselect(
                f"Also in the file: {marks_found}. Where does it mean “missing”?",
                list(elsewhere),
                default=[pair for pair in loaded.column_marks if pair in elsewhere],
                key=(key := f"column-marks-{drawn}-{hash(loaded.marks)}"),
                format_func=lambda pair: f"{printable(pair[1])} in {printable(pair[0])} ({elsewhere[pair]:,} cells)",
                placeholder="Choose where; what is not chosen stays a value",
                on_change=guard.action(set_column_marks),
                args=(key,),
            )
    with policy:
        st.radio(
            "A record with a missing quasi-identifier",
            list(POLICIES),
            format_func=POLICIES.__getitem__,
            index=list(POLICIES).index(state.session().missing),
            key=(key := f"missing-{drawn}"),
            on_change=guard.action(set_missing),
            args=(key,),
        )
    alike = cache.remember(_lookalikes, raw)
    if alike:
        columns = list(dict.fromkeys(found.column for found in alike))
        st.multiselect(
            "Columns in which to merge values that differ only by case, blanks or invisible characters",
            columns,
            default=[column for column in loaded.merged if column in columns],
            format_func=printable,
            key=(key := f"merged-{drawn}"),
            placeholder="Choose columns to merge, or leave the values apart",
            on_change=guard.action(set_merged),
            args=(key,),
        )


# ---- roles --------------------------------------------------------------------------------------------------------


def _edits(key: str) -> dict[int, str]:
    """The roles chosen in the table so far, by row."""
    rows = st.session_state[key]["edited_rows"] if key in st.session_state else {}
    return {int(row): change["Role"] for row, change in rows.items() if "Role" in change}


def edited_roles(key: str, columns: list[str]) -> None:
    labels = {role.label: role for role in Role}
    roles = dict(state.session().roles)
    for row, label in _edits(key).items():
        roles.pop(columns[row], None)
        if label in labels:
            roles[columns[row]] = labels[label]
    state.set_roles(roles)


def roles_key(shown: list[str]) -> str:
    """The key of the table of roles: the same while what was chosen there is what holds, which keeps the focus.

    Where it does not hold, because it was refused or undone, the table is a new one.
    """
    session = state.session()
    key = f"roles-{session.generation}-{session.edits}"
    if all(shown[row] == label for row, label in _edits(key).items()):
        return key
    session.edits += 1
    return f"roles-{session.generation}-{session.edits}"


def _why(suggested: Suggestion) -> str:
    return printable(
        " ".join(suggested.reasons) + (f" HIPAA {suggested.hipaa_class}." if suggested.hipaa_class else "")
    )


def show_meanings() -> None:
    """What each role means, in sight of where it is chosen."""
    roles = list(Role)
    half = (len(roles) + 1) // 2
    for column, part in zip(page.beside(1, 1), (roles[:half], roles[half:]), strict=True):
        column.caption("\n".join(f"- **{role.label}**: {role.meaning}" for role in part))


def show_roles(data: Dataset) -> None:
    st.subheader("What each column is", anchor=False)
    suggestions = state.suggestions()
    open_roles = [s.column for s in suggestions if s.column not in data.roles]
    buttons, said = page.beside(2, 3)
    with said:
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
            on_click=guard.action(state.accept_suggestions),
        )  # fmt: skip
        st.button(
            "Clear roles",
            disabled=not data.roles,
            help=None if data.roles else "No role is set.",
            on_click=guard.action(state.clear_roles),
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
    show_meanings()
    key = roles_key(table["Role"].tolist())
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
        on_change=guard.action(edited_roles),
        args=(key, [s.column for s in suggestions]),
    )


# ---- forgetting ---------------------------------------------------------------------------------------------------


def show_forget() -> None:
    """Drop everything, once it is confirmed: this is what no undo brings back."""
    with st.popover("Forget this data", icon=":material/delete:"):
        st.markdown(
            "Drops from memory the file, everything computed from it, every setting and step of the recipe, and what "
            "could be undone. **This cannot be undone.** Save the recipe on the Release page first if you want it."
        )
        st.button(
            "Forget this data for good", type="primary", icon=":material/delete_forever:",
            on_click=guard.action(state.forget),
        )  # fmt: skip


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Data", "What is in this file, was it read right, and what could someone outside know of it?")
    show_loader()
    read_as.show_refused()
    data = page.require_data(
        "Load a file above, or open a sample: this page then shows how it was read and what each column is.",
        loader=False,
    )
    st.divider()
    show_size(data)
    read_as.show_reading()
    left_out.show()
    read_as.show_correction()
    show_preview(data)
    show_missing(data)
    show_roles(data)
    st.divider()
    show_forget()


show_page()
