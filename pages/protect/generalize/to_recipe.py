"""From what a search found to steps of the recipe."""

from __future__ import annotations

from anonlib.generalization import Generalization
from anonlib.release.generalization import steps_of, with_generalization
from pages.protect.generalize.settings import Question
from ui import state


def add_to_recipe(found: Generalization, question: Question) -> None:
    data = state.dataset()
    assert data is not None
    steps = steps_of(found, data, question.limit)
    state.take_steps(steps, *with_generalization(state.session().recipe, found, steps, data))
