"""Connected data: tables that stay where they are, opened by their name."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.reading.connected import Offered
from ui.files import connected, data_file
from ui.kit import page
from ui.session import guard
from ui.text import plain, printable


def show() -> None:
    """The tables that are offered and the button that opens one; nothing where none is."""
    if not connected.is_offered():
        return
    listing = connected.offered()
    labels = {each.name: _shown(each) for each in listing.tables}
    chosen, button = page.beside(2, 1, align="bottom")
    with chosen:
        name = st.selectbox(
            "Or connected data, which stays where it is", list(labels), index=None, key="connected-choice",
            format_func=labels.__getitem__, disabled=not labels,
            placeholder="Choose a table" if labels else "There is no CSV or Parquet file in the folder now",
            help="Tables that the administrator offers. A table of any size is counted where it is: only "
            "counts come here, and the records of the preview.",
        )  # fmt: skip
    with button:
        st.button(
            "Open table", on_click=guard.action(_open), args=(name,), icon=":material/database:", disabled=name is None,
            help=None if name is not None else "Choose a table first.",
        )  # fmt: skip
    if len(labels) > 1:
        with st.popover("Several tables as one case", icon=":material/account_tree:"):
            several = st.multiselect(
                "Tables of the same persons", list(labels), key="connected-several", format_func=labels.__getitem__,
                placeholder="Choose two or more",
                help="Patients, their visits, and what hangs below these: keys are found by names and values.",
            )  # fmt: skip
            st.button(
                "Open these tables", on_click=guard.action(_open_several), args=(tuple(several),),
                icon=":material/database:", disabled=len(several) < 2,
                help=None if len(several) > 1 else "Choose two tables or more first.",
            )  # fmt: skip
    if listing.passed_over:
        names = words.listed([plain(name, 80) for name in listing.passed_over])
        st.caption(f"Links that lead out of the folder, in a circle or nowhere are not followed: {names}.")


def _shown(table: Offered) -> str:
    size = table.n_bytes
    return f"{printable(table.name)} ({table.kind}{'' if size is None else f', {words.size(size)}'})"


def _open(name: str | None) -> None:
    if name is not None:
        data_file.connect(connected.table(name))


def _open_several(names: tuple[str, ...]) -> None:
    data_file.connect_several([connected.table(name) for name in names])
