"""Data: load a file, check how it was read, and say what each column is."""

import streamlit as st

from pages.data.data import results
from pages.data.data.controls import dictionary, file, ids, missing, roles, tables
from ui.files import read_as
from ui.kit import explain, page, required


def show_page() -> None:
    page.header("Data", "What is in this file, was it read right, and what could someone outside know of it?")
    file.show_loader()
    read_as.show_refused()
    data = required.data(
        "Load a file above, or open a sample: this page then shows how it was read and what each column is.",
        loader=False,
    )
    st.divider()
    results.show_size(data)
    read_as.show_reading()
    tables.show()
    results.show_left_out()
    read_as.show_correction()
    dictionary.show()
    results.show_preview(data)
    missing.show()
    ids.show(data)
    roles.show(data)
    st.divider()
    explain.show_folded("counting")
    file.show_forget()


show_page()
