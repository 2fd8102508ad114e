"""From an aggregation of areas to steps of the recipe, and to the records that they protect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.generalization import Requirement
from anonlib.regions.aggregation import Aggregation
from anonlib.release.generalized import GeneralizeLocally, SuppressViolating, suppresses
from anonlib.release.places import AggregatePlaces
from anonlib.release.recipe import Entry, Recipe, columns_of
from anonlib.release.steps import DropColumns, Recode, Step

PlaceSteps = tuple[AggregatePlaces] | tuple[AggregatePlaces, SuppressViolating]


def steps_of(aggregation: Aggregation, reason: str = "") -> PlaceSteps:
    """The step that replaces areas by regions and, where that leaves somebody below k, one that leaves them out.

    Persons whose rows name several areas are in no count of the aggregation; the second step counts them with the set
    of their regions, so that k holds of them too.
    """
    counted = aggregation.area_classes
    places = AggregatePlaces(counted.column, _regions(aggregation), reason)
    if not aggregation.measures.suppressed and not counted.several:
        return (places,)
    requirement = Requirement((counted.column, *counted.classes.attributes), aggregation.k)
    return places, SuppressViolating((requirement,), (), reason)


def with_places(recipe: Recipe, steps: PlaceSteps) -> tuple[Recipe, int]:
    """The recipe with these steps in the place of those that recode or drop the same column; and how many those were.

    Steps that leave out records by a requirement on the column give way too; a step that drops other columns as well
    goes on dropping those. The new steps come before every step that suppresses, and after all that
    :func:`prepared_for_places` counts with: such a recoding is moved ahead of suppression that it stood behind.
    """
    column = steps[0].column
    left = [entry for entry in recipe.entries if not _gives_way(entry.step, column)]
    trimmed = [_without(entry, column) for entry in left]
    gave_way = len(recipe) - len(left) + sum(old != new for old, new in zip(left, trimmed, strict=True))
    counted = _counted(trimmed)
    place = next((i for i, entry in enumerate(trimmed) if suppresses(entry.step)), len(trimmed))
    ahead = [entry for entry, ahead in zip(trimmed[place:], counted[place:], strict=True) if ahead]
    behind = [entry for entry, ahead in zip(trimmed[place:], counted[place:], strict=True) if not ahead]
    return Recipe((*trimmed[:place], *ahead, *(Entry(step) for step in steps), *behind)), gave_way


def prepared_for_places(recipe: Recipe, column: str) -> Recipe:
    """What an aggregation of the places in ``column`` is to count with: the columns that are recoded or dropped.

    Without steps about ``column`` itself, and without those that suppress or recode part by part: they come after.
    ``prepared_for_places(recipe, column).apply(data).released`` are the records to count.
    """
    left = [_without(entry, column) for entry in recipe.entries if not _gives_way(entry.step, column)]
    return Recipe(tuple(entry for entry, counted in zip(left, _counted(left), strict=True) if counted))


def protected(data: Dataset, recipe: Recipe, aggregation: Aggregation) -> Dataset:
    """The records with regions in the place of areas, without identifiers and without those below k.

    They are what the recipe releases once the aggregation is in it. Raises InputError when its steps do not fit the
    data or do not cover all of its values.
    """
    whole, _ = with_places(recipe, steps_of(aggregation))
    applied = whole.apply(data)
    if applied.why_not:
        raise InputError(next(iter(applied.problems), applied.why_not))
    return applied.released


def _regions(aggregation: Aggregation) -> tuple[tuple[str, tuple[str, ...]], ...]:
    by_region = np.argsort(aggregation.region_of_area, kind="stable")
    ends = np.cumsum(aggregation.areas_of_region)[:-1]
    members = np.split(aggregation.area_classes.areas.ids[by_region], ends)
    pairs = zip(aggregation.names.tolist(), members, strict=True)
    return tuple(sorted((label, tuple(ids.tolist())) for label, ids in pairs))


def _gives_way(step: Step, column: str) -> bool:
    if isinstance(step, DropColumns):
        return step.columns == (column,)
    if isinstance(step, GeneralizeLocally):
        return column in dict(step.hierarchies)
    if isinstance(step, SuppressViolating):
        return any(column in requirement.attributes for requirement in step.requirements)
    return column in columns_of(step)


def _without(entry: Entry, column: str) -> Entry:
    step = entry.step
    if isinstance(step, DropColumns) and column in step.columns:
        others = tuple(name for name in step.columns if name != column)
        return replace(entry, step=replace(step, columns=others))
    return entry


def _counted(entries: Sequence[Entry]) -> list[bool]:
    """Per entry, whether classes are counted after it: a recoding that no earlier suppression depends on.

    A column that an earlier step has recoded part by part, or counts by, is recoded in what that step leaves.
    """
    counted, depended = [], set[str]()
    for entry in entries:
        if suppresses(entry.step) and entry.enabled:
            depended |= columns_of(entry.step)
        recodes = isinstance(entry.step, Recode | DropColumns | AggregatePlaces)
        counted.append(entry.enabled and recodes and not columns_of(entry.step) & depended)
    return counted
