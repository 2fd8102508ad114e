"""All releases, looked through by words, and as CSV."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.filing.register import Register, RegisterEntry
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import keep
from ui.text import printable

_MOST_HIGH = 480  # pixels


def show(register: Register) -> None:
    """The releases that have all words looked for, the newest first."""
    search_place, only, take = page.beside(5, 3, 2, gap="small", align="bottom")
    text = keep.text(
        "register-search", "Search", place=search_place, placeholder="recipient, purpose, contract, column …",
        help="Words that must all occur: in the case, the file’s name, its columns or the recipient.",
    )  # fmt: skip
    open_only = keep.toggle("register-open", "Open ones only", False, place=only)
    entries = register.entries(text, open_only=open_only)
    with take:
        page.download(
            "Register (CSV)", partial(register.to_csv, entries), "register.csv", "download-register",
            holds=Holds.INSIDE, why_not="" if entries else "No release has these words.",
            help="The releases that are listed below, with all that is kept of each.",
        )  # fmt: skip
    if not entries:
        st.info("No release has these words.")
        return
    frame = pd.DataFrame([_row(entry) for entry in entries])
    page.table(
        frame, f"{words.count(len(entries), 'releases')}, the newest first, with recipient and days.",
        height=page.table_height(len(frame), _MOST_HIGH),
    )  # fmt: skip
    page.counts("A release is entered when its file is taken home; several formats of the same one are one entry.")


def _row(entry: RegisterEntry) -> dict[str, object]:
    return {
        "No.": entry.number,
        "Left on": entry.entered[:10],
        "Case": printable(f"{entry.case.reference} {entry.case.title}".strip() or entry.file),
        "Recipient": printable(entry.case.recipient or entry.kind_name),
        "Keep until": entry.until,
        "Returned": entry.closed,
        "Contract": printable(entry.case.contract),
        "Verdict": "may leave" if entry.may_leave else "left with a reason",
        "Assessed by": printable(entry.who),
        "Records": entry.records,
        "Formats": ", ".join(entry.formats),
        "Purpose": printable(entry.case.purpose),
    }
