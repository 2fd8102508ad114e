"""The links of pages above: which pages there are for whom, and which one a run shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from ui.server import who

Sections = Mapping[str, Sequence[tuple[str, str]]]
"""By the name of a section, the folder of each page with its icon."""
_WITHOUT_DATA: Sections = {"": [("data/glossary", "book")]}


def page_of_run(pages: Sections) -> st.Page:
    """The page that this run shows, of those that its person may see: all, but data are for officers alone."""
    sections = pages if who.is_officer() else _WITHOUT_DATA
    return st.navigation({name: [_page(*page) for page in pages] for name, pages in sections.items()}, position="top")


def _page(folder: str, icon: str) -> st.Page:
    name = Path(folder).name
    script, icon, is_first = f"pages/{folder}/page.py", f":material/{icon}:", name == "home"
    if name == "glossary" and who.is_officer():  # which helps lead to
        return st.Page(script, title="Glossary", icon=icon, url_path=name, visibility="hidden")
    return st.Page(script, title=name.capitalize(), icon=icon, url_path=name, default=is_first)
