"""The file that is looked at, or connected data: opened, and forgotten."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.reading.connected import Offered
from anonlib.reading.samples import SAMPLES
from ui.files import connected, data_file, upload
from ui.kit import page
from ui.session import guard
from ui.text import plain, printable


def show_loader() -> None:
    file, sample = page.beside(2, 1)
    with file:
        upload.ask_file()
    with sample:
        chosen = st.selectbox(
            "Or a sample", [s.key for s in SAMPLES], format_func=lambda k: upload.sample(k).title, key="sample-choice"
        )
        st.button("Open sample", on_click=guard.action(upload.open_sample), args=(chosen,), icon=":material/science:")
    _show_connected()


def show_forget() -> None:
    """Drop everything, once it is confirmed: this is what no undo brings back."""
    with st.popover("Forget this data", icon=":material/delete:"):
        st.markdown(
            "Drops from memory the file, everything computed from it, every setting and step of the recipe, and what "
            "could be undone; it closes the register, and drops a key of pseudonyms. **This cannot be undone.** Save "
            "the project in the sidebar first: opened on the file again, it brings back what you decided."
        )
        st.button(
            "Forget this data for good", type="primary", icon=":material/delete_forever:",
            on_click=guard.action(data_file.forget),
        )  # fmt: skip


# ---- connected data ----


def _show_connected() -> None:
    """The tables that are offered and the button that opens one; nothing where none is."""
    if not connected.is_offered():
        return
    listing = connected.offered()
    labels = {table.name: _in_short(table) for table in listing.tables}
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
            "Open table", on_click=guard.action(_open_connected), args=(name,), icon=":material/database:",
            disabled=name is None, help=None if name is not None else "Choose a table first.",
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


def _in_short(table: Offered) -> str:
    size = table.n_bytes
    return f"{printable(table.name)} ({table.kind}{'' if size is None else f', {words.size(size)}'})"


def _open_connected(name: str | None) -> None:
    if name is not None:
        data_file.connect(connected.table(name))


def _open_several(names: tuple[str, ...]) -> None:
    data_file.connect_several([connected.table(name) for name in names])
