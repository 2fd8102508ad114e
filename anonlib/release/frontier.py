"""From a policy of the frontier to steps of the recipe."""

from __future__ import annotations

import numpy as np

from anonlib import words
from anonlib.frontier import PolicySpace
from anonlib.release.generalized import GeneralizeLocally
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode, Step


def steps_of(space: PolicySpace, policy: np.ndarray, reason: str = "") -> tuple[Recode, ...]:
    """A recoding of each column that the policy changes.

    It also names values that only the population has, which the reason tells: the file has so many fewer.
    """
    steps = []
    for name, recoding in space.recode(policy).items():
        of_file = {*space.domains[space.attributes.index(name)].values, *(space.also or {}).get(name, ())}
        more = sum(value not in of_file for value, _ in recoding.labels_of)
        only = f"{words.count(more, 'values')} only in the population" if more else ""
        steps.append(Recode(name, recoding, "; ".join(part for part in (reason, only) if part)))
    return tuple(steps)


def with_policy(recipe: Recipe, space: PolicySpace, steps: tuple[Recode, ...]) -> tuple[Recipe, int]:
    """The recipe with these steps in the place of those that recode the columns of the policy; and how many those were.

    A policy says of each of its columns how it is released, those that it leaves alone included.
    """
    left = tuple(entry for entry in recipe.entries if not _gives_way(entry.step, set(space.attributes)))
    return Recipe(left).take(steps), len(recipe) - len(left)


def _gives_way(step: Step, columns: set[str]) -> bool:
    if isinstance(step, GeneralizeLocally):
        return bool(columns & dict(step.hierarchies).keys())
    return isinstance(step, Recode) and step.column in columns
