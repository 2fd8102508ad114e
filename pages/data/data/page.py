"""Data: load a file, check how it was read, and say what each column is."""

import streamlit as st

from anonlib.samples import SAMPLES
from pages.data.data import left_out, missing, reading, roles
from ui import guard, loading, opening, page, read_as


def show_loader() -> None:
    file, sample = page.beside(2, 1)
    with file:
        opening.ask_file()
    with sample:
        chosen = st.selectbox(
            "Or a sample", [s.key for s in SAMPLES], format_func=lambda k: page.sample(k).title, key="sample-choice"
        )
        st.button("Open sample", on_click=guard.action(page.open_sample), args=(chosen,), icon=":material/science:")


def show_forget() -> None:
    """Drop everything, once it is confirmed: this is what no undo brings back."""
    with st.popover("Forget this data", icon=":material/delete:"):
        st.markdown(
            "Drops from memory the file, everything computed from it, every setting and step of the recipe, and what "
            "could be undone. **This cannot be undone.** Save the recipe on the Release page first if you want it."
        )
        st.button(
            "Forget this data for good", type="primary", icon=":material/delete_forever:",
            on_click=guard.action(loading.forget),
        )  # fmt: skip


def show_page() -> None:
    page.header("Data", "What is in this file, was it read right, and what could someone outside know of it?")
    show_loader()
    read_as.show_refused()
    data = page.require_data(
        "Load a file above, or open a sample: this page then shows how it was read and what each column is.",
        loader=False,
    )
    st.divider()
    reading.show_size(data)
    read_as.show_reading()
    left_out.show()
    read_as.show_correction()
    reading.show_preview(data)
    missing.show(data)
    roles.show(data)
    st.divider()
    show_forget()


show_page()
