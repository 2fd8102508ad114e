"""Files to begin with: the samples, and public data that are downloaded when the officer asks."""

from __future__ import annotations

import streamlit as st

from anonlib.reading.public_data import PUBLIC_DATA, load_public
from anonlib.reading.samples import SAMPLES
from ui.files import data_file, samples
from ui.session import guard
from ui.session.state import session
from ui.text import plain


def show_samples() -> None:
    st.subheader("Or start with a sample", anchor=False)
    st.markdown("Small invented or published data, so that every page says something at once.")
    for start in range(0, len(SAMPLES), 3):
        for column, sample in zip(st.columns(3), SAMPLES[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{plain(sample.title)}**")
                st.caption(plain(sample.description))
                st.button(
                    "Open",
                    key=f"open-{sample.key}",
                    help=f"Load {plain(sample.filename)} with its roles accepted",
                    icon=":material/science:",
                    on_click=guard.action(samples.open_sample),
                    args=(sample.key,),
                )


def fetch_public(key: str) -> None:
    entry = PUBLIC_DATA[key]
    data_file.load(load_public(key), f"{entry.key}.csv")
    session().notice = f"{entry.title} is loaded. Accept its suggested roles on the Data page."


def show_public_data() -> None:
    with st.expander("Public data sets, downloaded when you ask"):
        st.markdown(
            "The only thing here that uses the network, and only when you press a button: it asks the UCI Machine "
            "Learning Repository for the file and sends nothing of yours. The file is kept in this computer’s cache."
        )
        for entry in PUBLIC_DATA.values():
            name, button = st.columns([5, 1], vertical_alignment="center")
            name.markdown(f"**{plain(entry.title)}** {plain(entry.licence)}")
            button.button(
                "Download",
                key=f"fetch-{entry.key}",
                on_click=guard.action(fetch_public),
                args=(entry.key,),
                width="stretch",
            )
