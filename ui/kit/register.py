"""The register in a line: where it is, and whether earlier releases could be held beside what is released now."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from anonlib.basics import words
from ui.files import projects, registers
from ui.kit import page
from ui.session import view
from ui.text import plain

_ICON = ":material/menu_book:"


def show_line() -> None:
    """Which folder it is in, on every page; nothing without one."""
    folder = registers.folder()
    if folder:
        name = Path(folder).name or folder
        st.page_link(
            page.REGISTER, label=f"Register: {plain(name, 30)}", icon=_ICON,
            help=f"Releases that you take home are entered in {plain(folder, 200)}.",
        )  # fmt: skip


def show_entered() -> None:
    """Where this very release is in the register, and in which formats it left."""
    chosen, now = registers.current(), view.now()
    if chosen is None or now.data is None:
        return
    for entry in chosen.entries():
        if (entry.original, entry.recipe) == (now.data.digest, now.recipe.digest):
            formats = words.listed(list(entry.formats)) or "as a table"
            st.caption(f"In the register: {plain(entry.in_a_line, 160)} ({formats}).")


def show_earlier() -> None:
    """How many earlier releases could be held beside this one, and how many the verdict does not count with it."""
    now = view.now()
    if registers.current() is None or now.data is None or now.applied is None:
        return
    earlier_releases = registers.earlier(projects.opened())
    if not earlier_releases:
        return
    open_ones = sum(not release.counted for release in earlier_releases)
    beside = f"{words.count(len(earlier_releases), 'earlier releases')} in the register could be held beside this one"
    label = f"{beside}; the verdict does not count {open_ones:,} of them with it." if open_ones else f"{beside}."
    st.page_link(page.REGISTER, label=label, icon=":material/warning:" if open_ones else _ICON)
