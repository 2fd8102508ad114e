"""Code systems under test: known for a while."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from anonlib.columns.codes import SYSTEMS, CodeSystem, recognised


def known_as(systems: Sequence[CodeSystem], values: Sequence[str], name: str = "") -> str | None:
    """The key of the system that a column is taken for, where these alone are known."""
    with patch.dict(SYSTEMS, {system.key: system for system in systems}, clear=True):
        found = recognised(values, name)
    return None if found is None else found.key
