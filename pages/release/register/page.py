"""Register: who got which release, until when, and what is due; kept in a folder of the officer's."""

from functools import partial

import streamlit as st

from pages.release.register import controls, results, summary
from pages.release.register.tabs import due, entry, releases
from ui.files import registers
from ui.kit import explain, page


def show_page() -> None:
    page.header("Register", "Who got which release, what for and until when, and what is due?")
    register = registers.current()
    if register is None:
        controls.ask_folder()
        return
    controls.show_folder()
    entries = register.entries()
    summary.show(register, entries)
    results.show_earlier()
    if not entries:
        st.info("No release is entered yet. Take one home on the Release page: it is entered by itself.")
        return
    page.tabs(
        "register-tabs",
        {
            "Releases": partial(releases.show, register),
            "What is due": partial(due.show, register),
            "One release": partial(entry.show, register, entries),
            "How it works": partial(explain.show, "register"),
        },
    )


show_page()
