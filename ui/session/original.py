"""What the pages that protect look at: the original, as far as the recipe decides on whole columns and on places."""

from __future__ import annotations

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from ui.session import cache, view

_apply_to_population = cache.version(Recipe.apply_to_population)


def to_protect(data: Dataset, recipe: Recipe | None = None) -> Dataset:
    """The original without the columns that a recipe drops, and with regions where it aggregates places.

    The recipe is the session's where it is left out.
    """
    return (view.now().recipe if recipe is None else recipe).to_protect(data, view.apply)


def people() -> Dataset | None:
    """The population table, with regions where the recipe aggregates places."""
    population, places = view.now().people, view.now().recipe.places
    return None if population is None else _apply_to_population(places, population)
