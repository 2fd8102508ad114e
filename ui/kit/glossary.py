"""The glossary in the app: a page with an anchor a word, and the link to it in the help of what bears the word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import streamlit as st

from anonlib.basics.figures import NamedFigure
from ui.kit import explain

ADDRESS = "glossary"  # of the page, from any other one
_NO_WORDS = ("Other words that you may meet",)  # what others say


@dataclass(frozen=True)
class GlossaryEntry:
    """A line of the glossary.

    Attributes
    ----------
    words : tuple[str, ...]
        What the app says, one word or several that belong together.
    meaning : str
        In a sentence, as Markdown.
    terms : str
        What the field calls it.
    shown_on : str
        Where the app says it.
    """

    words: tuple[str, ...]
    meaning: str
    terms: str
    shown_on: str

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.words[0].lower()).strip("-")


@cache
def sections() -> dict[str, tuple[GlossaryEntry, ...]]:
    """The entries of each section, in the order of the document."""
    parts = explain.sections_of(explain.DOCUMENTS / "glossary.md")
    return {heading: tuple(_entries(text)) for heading, text in parts.items() if heading not in _NO_WORDS}


def _entries(text: str) -> list[GlossaryEntry]:
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return [GlossaryEntry(tuple(words.split("; ")), meaning, terms, place) for words, meaning, terms, place in rows[2:]]


@cache
def _by_word() -> dict[str, GlossaryEntry]:
    return {word: entry for entries in sections().values() for entry in entries for word in entry.words}


def entry_of(word: str) -> GlossaryEntry:
    """The entry of a word."""
    return _by_word()[word]


def link(*words: str) -> str:
    """What the field calls these words, and where they are explained, as a line of Markdown for a help text."""
    entries = dict.fromkeys(entry_of(word) for word in words)
    named = (f"[{entry.words[0]}]({ADDRESS}#{entry.anchor}) ({entry.terms})" for entry in entries)
    return f"Glossary: {'; '.join(named)}."


def linked(text: str, *words: str) -> str:
    """A help text with the line of :func:`link` below it."""
    return f"{text}  \n{link(*words)}" if text else link(*words)


def meaning(figure: NamedFigure, unit: str = "records") -> str:
    """What a figure counts, as a help text with the link to its word."""
    return linked(figure.meaning(unit), figure.word)


def show() -> None:
    """All sections, a heading with an anchor a word."""
    for heading, entries in sections().items():
        st.header(heading)
        for entry in entries:
            st.subheader("; ".join(entry.words), anchor=entry.anchor)
            st.markdown(f"{entry.meaning}  \n:small[:gray[In the field: {entry.terms}. Here: {entry.shown_on}.]]")
