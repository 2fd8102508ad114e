"""The links of pages above: which pages there are for whom, and which one a run shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from anonlib.filing.department.person import TeamRole
from ui.server import who

Sections = Mapping[str, Sequence[tuple[str, str]]]
"""By the name of a section, the folder of each page with its icon."""
_HELP = "data/glossary"
"""The page to which helps lead: it is for everybody, and nobody's first."""
_ROLES: Mapping[str, frozenset[TeamRole]] = {
    "department/requests": frozenset({TeamRole.OFFICER, TeamRole.REVIEWER}),
    "department/reidentification": frozenset({TeamRole.OFFICER, TeamRole.REVIEWER}),
    "department/administration": frozenset({TeamRole.ADMINISTRATOR}),
}
"""The pages that only a department has, and for whom; of the others, which handle data, each is for officers."""


def page_of_run(pages: Sections) -> st.Page:
    """The page that this run shows, of those that its person may see."""
    shown = {name: [page for page in section if _is_for_this_run(page[0])] for name, section in pages.items()}
    if not who.is_officer():  # who has few pages, and needs no sections
        few = [page for section in shown.values() for page in section]
        shown = {"": sorted(few, key=lambda page: page[0] == _HELP)}
    first = next(folder for section in shown.values() for folder, _ in section)
    return st.navigation(
        {name: [_page(*page, first) for page in section] for name, section in shown.items() if section}, position="top"
    )


def _is_for_this_run(folder: str) -> bool:
    if folder in _ROLES:
        person = who.person()
        return person is not None and bool(person.roles & _ROLES[folder])
    return folder == _HELP or who.is_officer()


def _page(folder: str, icon: str, first: str) -> st.Page:
    name, script, icon = Path(folder).name, f"pages/{folder}/page.py", f":material/{icon}:"
    if folder == _HELP and who.is_officer():
        return st.Page(script, title="Glossary", icon=icon, url_path=name, visibility="hidden")
    return st.Page(script, title=name.capitalize(), icon=icon, url_path=name, default=folder == first)
