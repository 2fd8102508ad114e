"""From an aggregation to steps of the recipe."""

from __future__ import annotations

from anonlib.regions.aggregation import Aggregation
from anonlib.release.regions import steps_of, with_places
from ui import state
from ui.regions.results import name_of
from ui.regions.settings import Asked


def add_to_recipe(asked: Asked, found: Aggregation) -> None:
    reason = f"{name_of(asked, found)} on {len(asked.counted.classes.attributes) + 1} columns"
    steps = steps_of(found, reason)
    recipe, replaced = with_places(state.session().recipe, steps)
    state.set_recipe(recipe)
    state.session().notice = "In the recipe: " + "; ".join(step.describe() for step in steps) + "."
    if replaced:
        state.session().notice += f" {replaced} earlier {'step' if replaced == 1 else 'steps'} gave way."
