"""Small files held against Safe Harbor: the verdict on them, and what its own steps leave of a column."""

from __future__ import annotations

import pandas as pd

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.verdict.criteria import Case, Finding, SafeHarbor, State
from tests.helpers.small_release import QI

SEX = ["F", "M"]


def data_of(columns: dict[str, list[str | None]]) -> Dataset:
    """All columns as quasi-identifiers, each with its values over and over."""
    most = max(map(len, columns.values())) * 3
    rows = {name: [values[i % len(values)] for i in range(most)] for name, values in columns.items()}
    return Dataset.from_frame(pd.DataFrame(rows, dtype=object), roles=dict.fromkeys(columns, QI))


def finding(data: Dataset, recipe: Recipe | None = None) -> Finding:
    """What Safe Harbor says of the release that a recipe makes, an empty one unless it is named."""
    recipe = recipe or Recipe()
    return SafeHarbor().check(Case(recipe.apply(data), recipe))


def released(data: Dataset, name: str) -> set[str]:
    """The values of a column that leave after Safe Harbor's own steps, which have to meet it."""
    recipe = with_safe_harbor(Recipe(), data)
    assert finding(data, recipe).state is State.MET
    return set(recipe.apply(data).released.held.values(name).tolist())
