"""What criteria look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step
from anonlib.verdict.criteria import Case
from tests.helpers.small_release import OTHER, PERSON, QI, SENSITIVE, WEIGHT


def case_with(data: Dataset, *steps: Step, **more: Any) -> Case:
    """The data, and what the steps leave of them."""
    recipe = Recipe.of(steps)
    return Case(recipe.apply(data), recipe, **more)


@st.composite
def records(
    draw: st.DrawFn,
    least: int,
    most: int,
    counted: Sequence[str] = ("", "", "i", "w"),
    weights: Sequence[str] = ("0", "1", "1", "2", "3"),
    numbered: bool = False,
) -> Dataset:
    """A few records with gaps, of persons ("i"), weighted ("w") or neither; by number where they are numbered."""
    rows = draw(slow.rows(least=least, most=most))
    frame = pd.DataFrame(rows, dtype=object)
    roles = dict.fromkeys(slow.KNOWN, QI) | dict.fromkeys(slow.SENSITIVE, SENSITIVE)
    by = draw(st.sampled_from(counted))
    if by:
        marks = {"i": ["p1", "p2", "p3", "p4", None], "w": weights}[by]
        frame[by] = draw(st.lists(st.sampled_from(marks), min_size=len(rows), max_size=len(rows)))
        roles[by] = PERSON if by == "i" else WEIGHT
    if numbered:
        frame["number"], roles["number"] = [str(i) for i in range(len(rows))], OTHER
    return Dataset.from_frame(frame, roles=roles, missing=draw(st.sampled_from(["category", "category", "drop"])))
