"""A file made elsewhere of the original: synthetic data, a release by another program, last year's.

It is opened here, on whichever page it is wanted, and goes with the session.
"""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile
from ui.kit import page
from ui.server.keeping import forget_uploads
from ui.session import guard, keep
from ui.session.releases import FilesBeside
from ui.session.state import change_part, part
from ui.text import plain


def loaded() -> Dataset | None:
    """The file made elsewhere, with the original's roles and labels not yet taken over; None where there is none."""
    return part(FilesBeside).another


def ask(name: str) -> Dataset | None:
    """What is loaded, and where to load another; ``name`` is the page's."""
    another = loaded()
    if another is not None:
        left, right = page.beside(5, 2, gap="small", align="bottom")
        left.markdown(f"**{plain(another.name, 60)}**: {in_words(another)}.")
        right.button("Remove it", key=f"{name}-another-remove", on_click=guard.action(forget), args=("another",))
    ask_to_load(
        f"{name}-another", "Load a file made of the original elsewhere", "another",
        "Synthetic data, a release by another program, last year's: with the original's names of columns.",
    )  # fmt: skip
    return another


def in_words(another: Dataset) -> str:
    """How large it is: ``5,000 records, 12 columns``."""
    return f"{words.count(another.n_records, 'records')}, {words.count(len(another.columns), 'columns')}"


def ask_to_load(name: str, label: str, what: str, help: str) -> None:
    """A place to load one of the files beside, by the name of its field."""
    key = keep.key(name)
    st.file_uploader(label, key=key, on_change=guard.action(_load), args=(key, what), help=help)


def forget(what: str) -> None:
    """Drop one of the files."""
    change_part(FilesBeside, **{what: None})


def _load(key: str, what: str) -> None:
    upload = keep.uploaded(key)
    if upload is not None:
        read = LoadedFile.of(upload.getvalue(), upload.name)
        change_part(FilesBeside, **{what: read.dataset(read.records(), "category")})
        forget_uploads()
