"""Code systems under test: known for a while, put to columns of codes, of their own labels and of junk."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import Hierarchy, Levels
from anonlib.coarsening.recoding import CodeGroup
from anonlib.columns.codes import SYSTEMS, CodeSystem, recognised

_JUNK = st.text(max_size=6) | st.text("0123456789ABKMQSX*-.: ", max_size=7)


def known_as(systems: Sequence[CodeSystem], values: Sequence[str], name: str = "") -> str | None:
    """The key of the system that a column is taken for, where these alone are known."""
    with patch.dict(SYSTEMS, {system.key: system for system in systems}, clear=True):
        found = recognised(values, name)
    return None if found is None else found.key


def levels_on(system: CodeSystem, values: Sequence[str | None]) -> Levels:
    """The labels of every level of a system, which a hierarchy has checked to be nested."""
    with patch.dict(SYSTEMS, {system.key: system}):
        return Hierarchy(tuple(CodeGroup(system.key, level) for level in system.levels)).on(values)


def columns_of(system: CodeSystem, codes: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Different values: codes, labels that the system makes of them, codes written otherwise, and junk."""
    labels = codes.flatmap(lambda code: st.sampled_from(system.groups_of(code) or (code,)))
    written = codes.map(str.lower) | codes.map(lambda code: f" {code} ") | labels.map(str.lower)
    return st.lists(codes | labels | written | _JUNK, unique=True, max_size=12)
