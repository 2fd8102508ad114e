"""The file that is looked at: opened, and forgotten."""

from __future__ import annotations

import streamlit as st

from anonlib.reading.samples import SAMPLES
from pages.data.data.controls import connected
from ui.files import data_file, samples, upload
from ui.kit import page
from ui.session import guard


def show_loader() -> None:
    file, sample = page.beside(2, 1)
    with file:
        upload.ask_file()
    with sample:
        chosen = st.selectbox(
            "Or a sample", [s.key for s in SAMPLES], format_func=lambda k: samples.sample(k).title, key="sample-choice"
        )
        st.button("Open sample", on_click=guard.action(samples.open_sample), args=(chosen,), icon=":material/science:")
    connected.show()


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
