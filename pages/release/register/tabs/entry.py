"""One release in full, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

from anonlib.basics import words
from anonlib.filing.case import ITEMS
from anonlib.filing.register import Register, RegisterEntry
from ui.kit import page
from ui.session import guard, keep
from ui.text import plain, printable


def show(register: Register, entries: Sequence[RegisterEntry]) -> None:
    """Choose a release, read it, and note that its data came back or until when they may be kept."""
    by_number = {listed_entry.number: listed_entry for listed_entry in entries}
    number = keep.select(
        "register-entry", "Release", list(by_number), format_func=lambda n: printable(by_number[n].in_a_line)
    )  # fmt: skip
    entry = by_number[number]
    left, right = page.beside(3, 2)
    with left:
        _show(entry)
    with right:
        _ask(register, entry)


def _show(entry: RegisterEntry) -> None:
    lines = [
        ("Left on", f"{entry.entered[:10]}, last {entry.latest[:10]}"),
        ("To", f"{entry.case.recipient} ({entry.kind_name})" if entry.case.recipient else entry.kind_name),
        *((item.label, getattr(entry.case, item.name)) for item in ITEMS if item.group in ("case", "people")),
        ("Contract", entry.case.contract),
        ("Keep until", entry.until),
        ("Assessed again by", entry.reassess),
        ("Returned or deleted", f"{entry.closed} {entry.closing_note}".strip()),
        ("Verdict", entry.verdict),
        ("Leaves although", entry.leaves_anyway),
        ("Released", f"{words.count(entry.records, 'records')}, {words.count(len(entry.columns), 'columns')}"),
        ("Persons", "" if entry.persons is None else f"{entry.persons:,}"),
        ("Columns", words.listed(entry.columns, most=40)),
        ("Found again", entry.found_again),
        *((f"SHA-256 of the {kind}", digest) for kind, digest in entry.formats.items()),
        ("SHA-256 of the original", entry.original),
    ]
    st.markdown("  \n".join(f":gray[{plain(name)}:] {plain(value)}" for name, value in lines if value))


def _ask(register: Register, entry: RegisterEntry) -> None:
    with st.container(border=True):
        if entry.closed:
            st.markdown(f":green[:material/check_circle:] Returned or deleted on **{entry.closed}**.")
            st.button(
                "Take that back", on_click=guard.action(_reopen), args=(register, entry.number), icon=":material/undo:"
            )
            return
        note = keep.text(
            keep.per("register-note", entry.number), "What was noted", placeholder="such as: confirmed by letter"
        )
        st.button(
            "The data were returned or deleted today", on_click=guard.action(_close),
            args=(register, entry.number, note), icon=":material/assignment_return:",
        )  # fmt: skip

        def take_until(day: date | None) -> None:
            register.change_until(entry.number, "" if day is None else day)

        def take_again(day: date | None) -> None:
            if day is not None:
                register.change_reassessment(entry.number, day)

        until = date.fromisoformat(entry.until) if entry.until else None
        keep.day(keep.per("register-until", entry.number), "May be kept until", until, take=take_until)
        keep.day(
            keep.per("register-again", entry.number), "Assessed again by", date.fromisoformat(entry.reassess),
            take=take_again,
        )  # fmt: skip


def _close(register: Register, number: int, note: str) -> None:
    register.close(number, date.today(), note)


def _reopen(register: Register, number: int) -> None:
    register.reopen(number)
