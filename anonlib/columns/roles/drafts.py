"""A role for a column by itself, before columns are held against one another."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.columns.identifiers import Kind
from anonlib.columns.roles.role import Role


@dataclass(frozen=True)
class Draft:
    """The role, the kind of content that decided, the reasons, and why the officer is asked.

    The deciding reason comes first; ``asked`` is empty where no rule asks.
    """

    role: Role
    kind: Kind | None
    reasons: tuple[str, ...]
    asked: str = ""
    in_doubt: Kind | None = None  # what the values may be besides, which only the officer can tell
