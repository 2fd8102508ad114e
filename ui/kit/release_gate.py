"""What a download holds, and the gate before those that hold records that leave."""

from __future__ import annotations

from enum import Enum

from anonlib.verdict import criteria
from ui.kit import judging
from ui.session import view
from ui.text import plain


class Holds(Enum):
    """What is in a file that is offered. Each download says it, and nothing else decides who may take it."""

    RELEASE = "release"
    """What the recipe releases, or what goes with it to the recipient: through the gate alone."""
    INSIDE = "inside"
    """Lines of single persons, or values of the original: a working paper of whoever has the original, and says so."""
    FIGURES = "figures"
    """Counts, measures and outlines without a value of a cell: no record."""


STAYS_INSIDE = "**Stays inside.**"


def why_it_stays() -> str:
    """Why what the session's recipe releases may not be taken yet, as Markdown; "" where it may."""
    now = view.now()
    if now.applied is None:
        return "Nothing is loaded."
    if now.is_verdict_stopped:
        return judging.NOT_CHECKED
    return plain(criteria.why_it_stays(now.applied, now.verdict, now.aim.leaves_anyway))
