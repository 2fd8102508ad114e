"""One query at a time on a connection: a second one would end, without a word, the rows that a first one streams."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir

_NAME = "_anonscope_turn"


def turn(table: ir.Table) -> RLock:
    """What is held while the connection of a table answers; threads of a session may ask at the same time."""
    return vars(table.get_backend()).setdefault(_NAME, RLock())  # backends of two sessions can be equal
