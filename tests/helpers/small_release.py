"""A file of six people and how to look at it, for the tests of recipes and releases."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pandas as pd

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Scope, Step

QI, SENSITIVE, IDENTIFIER = Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.IDENTIFIER
PERSON, WEIGHT, OTHER = Role.PERSON_ID, Role.WEIGHT, Role.OTHER

ROWS = [
    # name, age, zip, visit, illness
    ("Ann", "34", "02138", "2024-03-17", "flu"),
    ("Bob", "36", "02139", "2024-04-02", "flu"),
    ("Cy", "39", "02138", "2024-12-31", "cancer"),
    ("Di", "52", "02141", "2023-01-01", "flu"),
    ("Ed", None, "02141", "2023-02-01", "asthma"),
    ("Flo", "unknown", "02138", "2024-03-18", None),
]
COLUMNS = ["name", "age", "zip", "visit", "illness"]
ROLES = {"name": IDENTIFIER, "age": QI, "zip": QI, "visit": OTHER, "illness": SENSITIVE}
STEPS = (DropColumns(("visit",)), Recode("age", Intervals(10)), Recode("zip", Mask(3)), LeaveOut(2))


def small(**fields) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(ROWS, columns=COLUMNS, dtype=object), **({"roles": ROLES} | fields))


def taken(recipe: Recipe, steps: Iterable[Step], columns: Collection[str], scope: Scope) -> tuple[Recipe, int]:
    """The recipe with steps that decide so much about the columns anew, and how many earlier ones gave way."""
    return recipe.take(steps, replacing=columns, scope=scope), len(recipe.giving_way(columns, scope))


def column(dataset: Dataset, name: str) -> list:
    values = dataset.frame[name]
    return values.astype(object).where(values.notna(), None).tolist()


def rows_of(dataset: Dataset) -> list[tuple]:
    return list(zip(*(column(dataset, name) for name in dataset.columns), strict=True))


def fingerprint(frame: pd.DataFrame) -> list:
    return [(name, frame[name].cat.codes.tolist(), frame[name].cat.categories.tolist()) for name in frame.columns]
