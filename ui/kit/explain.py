"""The documents of ``docs/`` in the app: "How it works" of a page is the file of its analysis, formulas drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

DOCUMENTS = Path(__file__).resolve().parents[2] / "docs"
GLOSSARY = "pages/data/glossary/page.py"
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]*\.md)(?:#([^)\s]*))?\)")


@dataclass(frozen=True)
class Document:
    """A file of ``docs/``: what stands before its first section, its sections by heading, and what it links to.

    Links are plain text in the app; what they lead to is in ``linked``, by the words of the link.
    """

    lead: str
    sections: dict[str, str]
    linked: dict[str, str]


def show(analysis: str) -> None:
    """What an analysis does, its definitions section by section, and the documents that its text refers to.

    Parameters
    ----------
    analysis
        Name of a file in ``docs/analyses``, without ``.md``.
    """
    document = read(DOCUMENTS / "analyses" / f"{analysis}.md")
    st.markdown(document.lead)
    for heading, text in {**document.sections, **document.linked}.items():
        with st.expander(heading):
            st.markdown(text)
    st.page_link(GLOSSARY, label="Glossary: the words here, and what the field calls them", icon=":material/menu_book:")


def show_folded(analysis: str) -> None:
    """What :func:`show` shows, under a line that opens it: for a page without tabs."""
    folded = st.expander("How it works", key=f"explain-{analysis}", icon=":material/menu_book:", on_change="rerun")
    if folded.open:
        with folded:
            show(analysis)


@cache
def read(path: Path) -> Document:
    """A document in the parts that are shown. It comes with the app and does not change while it runs."""
    text = path.read_text(encoding="utf-8")
    lead, sections = _sections(_without_links(text))
    linked = {words: _part(path.parent / target, anchor) for words, target, anchor in _LINK.findall(text)}
    return Document(lead, sections, linked)


def sections_of(path: Path) -> dict[str, str]:
    """The sections of a document by their headings, links as plain text."""
    return _sections(_without_links(path.read_text(encoding="utf-8")))[1]


def _part(path: Path, anchor: str) -> str:
    """The text of a document without its title, or of its section with this anchor."""
    text = _without_links(path.read_text(encoding="utf-8"))
    if path.name == "errata.md":  # the heading names the paper of the first column, and the last names tests
        text = re.sub(r"^\|[^|]*(\|.*\|)[^|]*\|$", r"\1", text, flags=re.MULTILINE)
    if anchor:
        return {_anchor(heading): body for heading, body in _sections(text)[1].items()}[anchor]
    return re.sub(r"^## (.*)$", r"**\1**", text.partition("\n")[2].strip(), flags=re.MULTILINE)


def _anchor(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def _sections(text: str) -> tuple[str, dict[str, str]]:
    """The text between the title and the first section, and the text of each section by its heading."""
    lead, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    by_heading = dict(section.split("\n", 1) for section in sections)
    return lead.partition("\n")[2].strip(), {heading: body.strip() for heading, body in by_heading.items()}


def _without_links(text: str) -> str:
    return _LINK.sub(r"**\1**", text)
