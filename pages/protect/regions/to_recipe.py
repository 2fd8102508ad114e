"""From an aggregation to steps of the recipe."""

from __future__ import annotations

from anonlib.regions.aggregation import Aggregation
from anonlib.release.regions import steps_of, with_places
from pages.protect.regions.results import name_of
from pages.protect.regions.settings import Asked
from ui import state


def add_to_recipe(asked: Asked, found: Aggregation) -> None:
    reason = f"{name_of(asked, found)} on {len(asked.counted.classes.attributes) + 1} columns"
    steps = steps_of(found, reason)
    state.take_steps(steps, *with_places(state.session().recipe, steps))
