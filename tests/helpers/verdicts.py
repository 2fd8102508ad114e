"""What criteria look at."""

from __future__ import annotations

from typing import Any

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step
from anonlib.verdict.criteria import Case


def case_with(data: Dataset, *steps: Step, **more: Any) -> Case:
    """The data, and what the steps leave of them."""
    recipe = Recipe.of(steps)
    return Case(recipe.apply(data), recipe, **more)
