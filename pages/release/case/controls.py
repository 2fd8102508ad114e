"""What the case says, group by group, and whether each form of the report has what it asks for."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from anonlib.basics import words
from anonlib.filing.case import GROUPS, ITEMS, MOST_CHARACTERS, MOST_OF_A_LINE, Item
from anonlib.filing.evidence.report import ORDERS
from ui.kit import glossary, page, request
from ui.session import keep
from ui.session.state import session
from ui.text import plain

_AREA = 90  # pixels of a text of several lines
_OPEN = ("case", "recipient")


def ask() -> None:
    """All that a case may hold; what is empty is “not stated” in print."""
    st.caption(
        "All of it stands in the reports, those for anybody too, and is kept in the project. Nothing that is counted "
        "depends on it; leave empty what does not apply."
    )
    for group, title in GROUPS.items():
        items = [item for item in ITEMS if item.group == group]
        given = sum(bool(getattr(session().project.case, item.name)) for item in items)
        with st.expander(f"{title}: {given} of {len(items)}", expanded=group in _OPEN, key=f"case-{group}"):
            lines = [item for item in items if item.kind != "text"]
            for pair in [lines[i : i + 2] for i in range(0, len(lines), 2)]:
                for place, item in zip(st.columns(2, gap="small"), pair, strict=False):
                    _ask(item, place)
            for item in items:
                if item.kind == "text":
                    _ask(item, st)


def _ask(item: Item, place) -> None:
    def take(typed) -> None:
        text = "" if typed is None else str(typed)
        session().case = replace(session().case, **{item.name: text})

    name, about = f"case-{item.name}", session().case
    match item.kind:
        case "date":
            keep.day(name, item.label, about.day, place=place, take=take, help=item.asks)
        case "text":
            keep.area(
                name, item.label, getattr(about, item.name), place=place, take=take, help=item.asks, height=_AREA,
                max_chars=MOST_CHARACTERS,
            )  # fmt: skip
        case _:
            keep.text(
                name, item.label, getattr(about, item.name), place=place, take=take, help=item.asks,
                max_chars=MOST_OF_A_LINE,
            )  # fmt: skip


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
            asked_items = [item for item in ITEMS if order in item.asked_by]
            if asked_items:
                _show_order(title, [item.label.lower() for item in about.lacks(order)], len(asked_items))
        with st.container(horizontal=True):
            st.page_link(page.REPORT, label="To the report", icon=":material/description:")
            st.page_link(page.REGISTER, label="To the register of releases", icon=":material/menu_book:")
        request.show_standing()
    page.counts("Nobody checks what is typed: whether it is so is for the author and the reviewer to say.")


def _show_order(title: str, lacking: list[str], n_asked: int) -> None:
    if not lacking:
        st.markdown(f":green[:material/check_circle:] **{title}**: all {n_asked} are given.")
        return
    names = words.listed([plain(name) for name in lacking], most=len(lacking))
    st.markdown(
        f":gray[:material/radio_button_unchecked:] **{title}**: {n_asked - len(lacking)} of {n_asked}. "
        f":small[:gray[Not stated: {names}.]]"
    )
