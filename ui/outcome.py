"""What the recipe makes of the loaded data, and how that stands to the original."""

from __future__ import annotations

from anonlib.dataset import Dataset
from anonlib.release.comparison import Comparison, compare
from anonlib.release.recipe import Applied, Recipe
from ui import cache, state, tables


def applied() -> Applied | None:
    """The recipe's outcome on the loaded data."""
    data = state.dataset()
    return None if data is None else applied_to(state.session().recipe, data)


def applied_to(recipe: Recipe, data: Dataset) -> Applied:
    return cache.remember(Recipe.apply, recipe, data)


def comparison(recipe: Recipe | None = None) -> Comparison | None:
    """Original against release (of another recipe, when given) for the session's k and threshold.

    None without data or quasi-identifiers.
    """
    session, data = state.session(), state.dataset()
    if data is None or not data.quasi_identifiers or not data.n_records:
        return None
    inputs = (data, session.recipe if recipe is None else recipe, tables.population())
    return cache.remember(_compare, *inputs, k=session.k, threshold=session.threshold)


def _compare(data: Dataset, recipe: Recipe, population: Dataset | None, *, k: int, threshold: float) -> Comparison:
    return compare(applied_to(recipe, data), recipe, k=k, threshold=threshold, population=population)
