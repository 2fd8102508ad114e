"""Which folder the register is in."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.files import registers
from ui.kit import page
from ui.session import guard, keep
from ui.text import plain

_FOLDER = "register-folder"


def ask_folder() -> None:
    """Name a folder, and make a register in it or open the one that is there."""
    why_not = registers.why_not_here()
    with st.container(border=True):
        st.markdown(
            "**No register is used.** It is kept in a folder on this machine that you name, and nothing is written "
            "before you do. Two files are made there: the register, and a key with which the same persons are found "
            "again in later files by keyed digests. No cell of your data is in either. Keep the key as you keep the "
            "original: who has both files can try out whether somebody is in a release."
        )
        place, make, find = page.beside(6, 2, 2, gap="small", align="bottom")
        named = keep.text(
            _FOLDER, "Folder on this machine", place=place, placeholder="such as a folder for releases on a drive of "
            "yours", disabled=bool(why_not), help=why_not or "It must be there already; its path is typed in full.",
        )  # fmt: skip
        for where, label, act, icon in (
            (make, "Make a register", registers.make_in, ":material/note_add:"),
            (find, "Open the register", registers.open_in, ":material/folder_open:"),
        ):
            where.button(
                label, on_click=guard.action(_with_folder), args=(act,), icon=icon, width="stretch",
                disabled=bool(why_not) or not named.strip(),
                help=why_not or ("" if named.strip() else "Name a folder first."),
            )  # fmt: skip


def _with_folder(act: Callable[[str], None]) -> None:
    act(keep.value(_FOLDER, ""))


def show_folder() -> None:
    """Where it is, and the way to use it no more."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/folder: The register is in **{plain(registers.folder(), 120)}**.")
        st.button(
            "Close the register", on_click=guard.action(registers.let_go), icon=":material/close:",
            key="register-let-go", help="The folder stays as it is.",
        )  # fmt: skip
