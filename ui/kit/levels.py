"""The picture of the levels at which the cells of each column leave."""

from __future__ import annotations

from functools import partial

from anonlib.analyses.utility.levels import ColumnLevels, in_words
from anonlib.dataset import Dataset
from anonlib.plots import levels as plots
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from ui.kit import page
from ui.session import cache, view


def of(data: Dataset, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    """The levels of what a recipe makes of the data; counted once."""
    return cache.remember(_levels, data, recipe)


def show(levels: tuple[ColumnLevels, ...], key: str) -> None:
    """The bars, a column each."""
    page.figure(partial(plots.columns, levels), in_words(levels), key)


def _levels(data: Dataset, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    return levels_of(view.apply(recipe, data), recipe)
