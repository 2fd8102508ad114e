"""Names for columns that a computation adds."""

from __future__ import annotations

from collections.abc import Iterable


def unused_name(name: str, taken: Iterable[str]) -> str:
    """The name, or one made of it that is not taken."""
    used = {str(other).casefold() for other in taken}  # databases do not tell “Size” from “size”
    while name.casefold() in used:
        name += "_"
    return name
