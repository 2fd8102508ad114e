"""What the recipe makes of the loaded data, how that stands to the original, and what k does not count."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.dataset import Dataset
from anonlib.release.comparison import Comparison, compare
from anonlib.release.inferable import Inferable, inferable
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.suggestions import FirstRecipe, first_recipe
from anonlib.release.unprotected import ToldApart, Uniqueness, uniqueness
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


@dataclass(frozen=True)
class Beside:
    """What is said beside k of the release, because k does not count it.

    Attributes
    ----------
    uniqueness : who is alone in it, in what k counts and in all that leaves.
    open_columns : the columns that break k once someone outside knows them, of which nobody has said that they cannot.
    original, released : of the sensitive column that is certain for most in the release, how many it is certain for in
        either from two known columns; None where no sensitive column is chosen, or none leaves.
    """

    uniqueness: Uniqueness
    open_columns: tuple[ToldApart, ...]
    original: Inferable | None
    released: Inferable | None


def beside_k() -> Beside | None:
    """None where there is no comparison, or no record is left."""
    session, data, result = state.session(), state.dataset(), applied()
    if data is None or result is None or not data.quasi_identifiers or not result.released.n_records:
        return None
    unique = cache.remember(_uniqueness, session.recipe, data)
    worst = next(iter(cache.remember(_inferable, session.recipe, data)), None)
    before = None
    if worst is not None:
        before = next(one for one in cache.remember(inferable, data) if one.column == worst.column)
    return Beside(unique, unique.open_columns(session.k, session.unknowable), before, worst)


def _uniqueness(recipe: Recipe, data: Dataset) -> Uniqueness:
    return uniqueness(applied_to(recipe, data).released)


def _inferable(recipe: Recipe, data: Dataset) -> tuple[Inferable, ...]:
    return inferable(applied_to(recipe, data).released)


def suggested(data: Dataset) -> FirstRecipe:
    """A first recipe for the session's k."""
    session = state.session()
    return cache.remember(first_recipe, data, k=session.k, part_by_part=session.population is None)
