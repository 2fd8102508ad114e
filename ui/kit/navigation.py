"""The links of pages above: which pages there are for whom, and which one a run shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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
    first, icon = next(page for section in shown.values() for page in section)
    links = {name: [_page(*page, first) for page in section] for name, section in shown.items() if section}
    if not who.is_officer():  # at its own address too, which an officer may have sent
        links[""].append(_page_at_its_name(first, icon, visibility="hidden"))
    return st.navigation(links, position="top")


def _is_for_this_run(folder: str) -> bool:
    if folder in _ROLES:
        person = who.person()
        return person is not None and bool(person.roles & _ROLES[folder])
    return folder == _HELP or who.is_officer()


def _page(folder: str, icon: str, first: str) -> st.Page:
    if folder == _HELP and who.is_officer():
        return _page_at_its_name(folder, icon, title="Glossary", visibility="hidden")
    if folder == first and not who.is_officer():
        return _page_at_its_name(folder, icon, url_path="start", default=True)
    return _page_at_its_name(folder, icon, default=folder == first)


def _page_at_its_name(folder: str, icon: str, **options: Any) -> st.Page:
    name = Path(folder).name
    given = {"title": name.capitalize(), "url_path": name, **options}
    return st.Page(f"pages/{folder}/page.py", icon=f":material/{icon}:", **given)
