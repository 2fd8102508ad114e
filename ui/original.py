"""What the pages that protect look at: the original, as far as the recipe decides on whole columns and on places."""

from __future__ import annotations

from anonlib.dataset import Dataset
from anonlib.release.places import AggregatePlaces
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from ui import cache, view


def to_protect(data: Dataset) -> Dataset:
    """The original without the columns that the recipe drops, and with regions where it aggregates places."""
    places = _places()
    if places.entries:
        data = view.apply(places, data).released
    dropped = {name for step in view.now().recipe.enabled if isinstance(step, DropColumns) for name in step.columns}
    return data.without_columns([name for name in data.columns if name in dropped])


def people() -> Dataset | None:
    """The population table, with regions where the recipe aggregates places."""
    population = view.now().people
    return None if population is None else cache.version(Recipe.apply_to_population, _places(), population)


def _places() -> Recipe:
    return Recipe.of(step for step in view.now().recipe.enabled if isinstance(step, AggregatePlaces))
