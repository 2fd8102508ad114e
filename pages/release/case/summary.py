"""What each form of the report asks for, and whether the case says it."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.filing.case import ITEMS
from anonlib.filing.evidence.report import ORDERS
from ui.kit import glossary, page
from ui.session.state import session
from ui.text import plain


def show_orders() -> None:
    """The case in a line, and each form with what it lacks."""
    about = session().case
    given = len(about.to_dict())
    with st.container(border=True):
        st.metric(
            "The case says",
            f"{given} of {len(ITEMS)}",
            help=glossary.linked("Parts that are not empty, of all that it may say.", "case"),
        )
        if about.in_a_line:
            st.markdown(plain(about.in_a_line, 200))
        st.markdown("**What each form of the report asks for**")
        for order, title in ORDERS.items():
            asked = [item for item in ITEMS if order in item.asked_by]
            if asked:
                _show_order(title, [item.label.lower() for item in about.lacks(order)], len(asked))
        with st.container(horizontal=True):
            st.page_link(page.REPORT, label="To the report", icon=":material/description:")
            st.page_link(page.REGISTER, label="To the register of releases", icon=":material/menu_book:")
    page.counts("Nobody checks what is typed: whether it is so is for the author and the reviewer to say.")


def _show_order(title: str, lacking: list[str], asked: int) -> None:
    if not lacking:
        st.markdown(f":green[:material/check_circle:] **{title}**: all {asked} are given.")
        return
    names = words.listed([plain(name) for name in lacking], most=len(lacking))
    st.markdown(
        f":gray[:material/radio_button_unchecked:] **{title}**: {asked - len(lacking)} of {asked}. "
        f":small[:gray[Not stated: {names}.]]"
    )
