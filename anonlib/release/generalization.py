"""From a generalization to steps of the recipe."""

from __future__ import annotations

from dataclasses import replace

from anonlib.dataset import Dataset
from anonlib.generalization import Generalization
from anonlib.recoding import Recoding, ValueMap
from anonlib.release.generalized import GeneralizeLocally, SuppressViolating
from anonlib.release.places import AggregatePlaces
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode, Step


def steps_of(found: Generalization, data: Dataset, limit: float) -> tuple[Step, ...]:
    """Recodings of the columns that change and, where records are left out, a step that leaves them out.

    ``data`` is what was searched, and ``limit`` the share of its records, in [0, 1], that may be left out.
    """
    reason = "reaches " + " and ".join(
        f"k = {requirement.k} on {len(requirement.attributes)} columns" for requirement in found.requirements
    )
    if found.levels is None:
        problem = found.problem
        weights = tuple(zip(problem.attributes, problem.attribute_weights, strict=True)) if problem.is_weighted else ()
        ways = tuple(problem.hierarchies.items())
        return (GeneralizeLocally(ways, found.requirements, found.rules, limit, reason, column_weights=weights),)
    recodings: list[Step] = [
        Recode(name, _of_counted(found.problem.hierarchies[name].recodings[level - 1], data, name), reason)
        for name, level in found.levels.items()
        if level
    ]
    if found.suppressed:
        recodings.append(SuppressViolating(found.requirements, found.rules, reason))
    return tuple(recodings)


def _of_counted(recoding: Recoding, data: Dataset, name: str) -> Recoding:
    """The recoding of the records that were counted.

    Where a record with a missing quasi-identifier is left out, a label for what is missing would let it in again.
    """
    if isinstance(recoding, ValueMap) and data.missing == "drop" and name in data.quasi_identifiers:
        return replace(recoding, missing=None)
    return recoding


def with_generalization(
    recipe: Recipe, found: Generalization, steps: tuple[Step, ...], data: Dataset | None = None
) -> tuple[Recipe, int]:
    """The recipe with these steps in the place of those that recode the same columns; and how many those were.

    The steps know the values that ``data``, the original, has where they stand.
    """
    shield = set(found.problem.shield)
    places = {entry.step.column for entry in recipe.entries if isinstance(entry.step, AggregatePlaces)} - shield
    left = tuple(entry for entry in recipe.entries if not _gives_way(entry.step, shield, places))
    return Recipe(left).take(steps, data), len(recipe) - len(left)


def _gives_way(step: Step, shield: set[str], places: set[str]) -> bool:
    """Whether a step is made anew: not so what is left out for places that this search does not look at."""
    if isinstance(step, SuppressViolating):
        return not any(places & {*requirement.attributes} for requirement in step.requirements)
    return isinstance(step, GeneralizeLocally) or (isinstance(step, Recode) and step.column in shield)
