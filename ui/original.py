"""What the pages that protect look at: the original, as far as the recipe decides on whole columns and on places."""

from __future__ import annotations

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from ui import cache, outcome, state, tables


def to_protect(data: Dataset) -> Dataset:
    """The original without the columns that the recipe drops, and with regions where it aggregates places."""
    places = state.session().recipe.places
    if places.entries:
        data = outcome.applied_to(places, data).released
    dropped = state.session().recipe.dropped
    return data.without_columns([name for name in data.columns if name in dropped])


def people() -> Dataset | None:
    """The population table, with regions where the recipe aggregates places."""
    population = tables.population()
    places = state.session().recipe.places
    return None if population is None else cache.remember(Recipe.apply_to_population, places, population)
