"""The register in the folder that was named at the start: made, opened and closed."""

from __future__ import annotations

import streamlit as st

from anonlib.filing.register import FolderRegister
from ui.files import registers
from ui.session import guard
from ui.text import plain


def ask_folder() -> None:
    """Make a register in the folder, or open the one that is in it."""
    folder, why_not = registers.allowed(), registers.why_not_here()
    with st.container(border=True):
        st.markdown(
            "**No register is used.** It is kept in a folder on this machine that is named when Anonscope is started, "
            "and nothing is written before you make it. Two files are made there: the register, and a key with which "
            "the same persons are found again in later files by keyed digests. No cell of your data is in either. Keep "
            "the key as you keep the original: who has both files can try out whether somebody is in a release."
        )
        if folder is None or why_not:
            st.info(why_not)
            return
        st.markdown(f":material/folder: The folder is **{plain(folder.name, 60)}**.")
        if FolderRegister.is_in(folder):
            st.button("Open the register", on_click=guard.action(registers.open_it), icon=":material/folder_open:")
        else:
            st.button("Make a register", on_click=guard.action(registers.make), icon=":material/note_add:")


def show_folder() -> None:
    """Where it is, and the way to use it no more; a department's is always in use."""
    if not registers.folder():
        st.caption(
            "The department's register: whatever leaves is entered by itself, with who took it home, and each case is "
            "checked against earlier releases of the same file or persons."
        )
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/folder: The register is in **{plain(registers.folder(), 120)}**.")
        st.button(
            "Close the register", on_click=guard.action(registers.let_go), icon=":material/close:",
            key="register-let-go", help="The folder stays as it is.",
        )  # fmt: skip
