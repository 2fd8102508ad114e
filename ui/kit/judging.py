"""The verdict on a release: while it is counted, how far that is, and the way to stop it."""

from __future__ import annotations

from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Verdict
from ui.session import stoppable, view

NOT_CHECKED = "The criteria are not checked: you stopped it. Press “Check the criteria” in the sidebar."
_WORDING = stoppable.Wording(
    "Checking the criteria", "The criteria are not checked: you stopped it.", "Stop checking", "Check the criteria"
)


def verdict(recipe: Recipe | None = None, place: str = "sidebar") -> Verdict | None:
    """The verdict on the release as it is, or by another recipe, counted here where it was not before.

    None without roles, and where it was stopped.
    """
    now = view.now()
    asked = now.recipe if recipe is None else recipe
    return stoppable.done(now.judged_by(asked), lambda tell: now.verdict_of(asked, tell), _WORDING, place)
