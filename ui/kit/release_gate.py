"""The gate before what leaves: the verdict on a release, and which downloads wait for it."""

from __future__ import annotations

from enum import Enum

from anonlib.release.recipe import Recipe
from anonlib.verdict import criteria
from anonlib.verdict.criteria import Verdict
from ui.files import department, projects
from ui.session import long_work, view
from ui.text import plain


class Holds(Enum):
    """What is in a file that is offered. Each download says it, and nothing else decides who may take it."""

    RELEASE = "release"
    """What the recipe releases, or what goes with it to the recipient: through the gate alone."""
    INSIDE = "inside"
    """Lines of single persons, or values of the original: a working paper, marked as one that stays inside."""
    FIGURES = "figures"
    """Counts, measures and outlines without a value of a cell: no record."""


STAYS_INSIDE = "**Stays inside.**"
NOT_CHECKED = "The criteria are not checked: you stopped it. Press “Check the criteria” in the sidebar."
_WORDING = long_work.WorkInWords(
    "Checking the criteria", "The criteria are not checked: you stopped it.", "Stop checking", "Check the criteria"
)


def verdict(recipe: Recipe | None = None, place: str = "sidebar") -> Verdict | None:
    """The verdict on the release as it is, or by another recipe, counted here where it was not before.

    None without roles, and where it was stopped.
    """
    now = view.now()
    judged_recipe = now.recipe if recipe is None else recipe
    judging = now.judging(judged_recipe)
    return None if judging is None else long_work.stoppable(now.judged_by(judged_recipe), judging, _WORDING, place)


def why_it_stays(kind: str = "") -> str:
    """Why what the session's recipe releases may not be taken yet, as Markdown; "" where it may.

    At a department's server somebody else has approved it first, in the format of this ``kind`` where one is named.
    """
    now = view.now()
    if now.applied is None:
        return "Nothing is loaded."
    if now.is_verdict_stopped:
        return NOT_CHECKED
    why = criteria.why_it_stays(now.applied, now.verdict, now.aim.leaves_anyway)
    opened = projects.opened()
    return plain(why or opened.why_no_key or department.why_it_stays(opened, kind))
