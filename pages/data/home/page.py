"""Home: what this is, how the work goes, and samples in one click."""

import streamlit as st

from anonlib.basics import words
from pages.data.home.controls import show_doors, show_public_data, show_samples
from ui.kit import page
from ui.server import who
from ui.session import view
from ui.text import plain


def show_page() -> None:
    page.header(
        "Anonscope", "See who could be re-identified in a file of health data, protect them, and release the rest."
    )
    data = view.now().data
    if data is not None:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(data.name, 60)}** is loaded: {words.count(data.n_rows, 'rows')}.")
            if data.quasi_identifiers:
                st.page_link(page.VERDICT, label="See the verdict", icon=":material/arrow_forward:")
            else:
                st.page_link(page.DATA, label="Say what its columns are", icon=":material/arrow_forward:")
    show_doors()
    where = "this machine" if who.team() is None else "your department’s server"
    st.info(
        f"**Nothing leaves {where}.** A file you load is held in memory for your session only: it is not sent "
        "anywhere, not written to disk, and dropped when you forget it or close the tab.",
        icon=":material/lock:",
    )
    show_samples()
    show_public_data()


show_page()
