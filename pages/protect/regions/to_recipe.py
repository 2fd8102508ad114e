"""From an aggregation to steps of the recipe."""

from __future__ import annotations

from anonlib.regions.aggregation import Aggregation
from anonlib.release.regions import steps_of
from anonlib.release.steps import Scope
from pages.protect.regions.results import name_of
from pages.protect.regions.settings import Asked
from ui import to_recipe


def add_to_recipe(asked: Asked, found: Aggregation) -> None:
    reason = f"{name_of(asked, found)} on {len(asked.counted.classes.attributes) + 1} columns"
    steps = steps_of(found, reason)
    to_recipe.take(steps, steps[0].columns, Scope.REGIONS)
