"""From what a search found to steps of the recipe."""

from __future__ import annotations

from anonlib.generalization import Generalization
from anonlib.release.generalization import steps_of
from anonlib.release.steps import Scope
from pages.protect.generalize.settings import Question
from ui import state, to_recipe


def add_to_recipe(found: Generalization, question: Question) -> None:
    data = state.dataset()
    assert data is not None
    to_recipe.take(steps_of(found, data, question.limit), found.problem.shield, Scope.SEARCH, data)
