"""From what a search found to steps of the recipe."""

from __future__ import annotations

from anonlib.generalization import Generalization
from anonlib.release.generalization import steps_of, with_generalization
from pages.protect.generalize.question import Question
from ui import decide, view


def add_to_recipe(found: Generalization, question: Question) -> None:
    data = view.now().data
    assert data is not None
    steps = steps_of(found, data, question.limit)
    decide.take_steps(steps, *with_generalization(view.now().recipe, found, steps, data))
