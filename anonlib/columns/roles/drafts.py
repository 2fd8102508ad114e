"""A role for a column by itself, before columns are held against one another."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.columns.identifiers import Kind
from anonlib.columns.roles.role import Role


@dataclass(frozen=True)
class Draft:
    """The role, the kind of content that decided, the reasons, and why the officer is asked.

    The deciding reason comes first; ``asked`` is empty where no rule asks. Of the role *other* ``has_own_reason`` says
    whether the first reason tells why the column is about no person, and not only that nothing tells what it is.
    """

    role: Role
    kind: Kind | None
    reasons: tuple[str, ...]
    asked: str = ""
    has_own_reason: bool = False
    in_doubt: Kind | None = None  # what the values may be besides, which only the officer can tell
