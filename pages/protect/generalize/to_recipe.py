"""From what a search found to steps of the recipe."""

from __future__ import annotations

from anonlib.analyses.generalization import Generalization
from anonlib.release.generalization import steps_of
from anonlib.release.steps import Scope
from pages.protect.generalize.question import Question
from ui.session import decide, view


def add_to_recipe(found: Generalization, question: Question) -> None:
    """Take what was found into the recipe."""
    data = view.now().data
    assert data is not None
    decide.take(steps_of(found, data, question.limit), found.problem.shield, Scope.SEARCH, data)
