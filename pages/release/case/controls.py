"""What the case says, group by group."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from anonlib.filing.case import GROUPS, ITEMS, MOST_CHARACTERS, MOST_OF_A_LINE, Item
from ui.session import keep
from ui.session.state import session

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
