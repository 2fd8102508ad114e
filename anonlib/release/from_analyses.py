"""From what analyses found to steps of the recipe: a generalization, a policy, an aggregation of areas.

A generalization comes first, then a policy of a forecast, and one of the frontier. At the end is an aggregation of
areas, which leads to steps and to the records that they protect.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.frontier import PolicySpace
from anonlib.analyses.generalization import Generalization
from anonlib.analyses.generalization.search.cell_suppression import question_at
from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.areas import Areas
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import Recoding, ValueMap
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.release.recipe import Recipe
from anonlib.release.steps import (
    AggregatePlaces,
    BlankCells,
    GeneralizeLocally,
    LeaveOut,
    ReachableLevel,
    Recode,
    Scope,
    Step,
)
from anonlib.values.cells import text_categorical


def steps_of_generalization(generalization: Generalization, data: Dataset, limit: float) -> tuple[Step, ...]:
    """Recodings of the columns that change and, where records are left out, a step that leaves them out.

    They replace what is recoded and left out by ``found.problem.shield`` (``Scope.SEARCH``).

    Parameters
    ----------
    generalization : Generalization
        The result of a search.
    data : Dataset
        What was searched.
    limit : float
        The share of its records, in [0, 1], that may be left out.

    Returns
    -------
    tuple of Step
        None where nothing has to change.

    Raises
    ------
    InputError
        Where cells would be blank and records that lack a quasi-identifier are left out.
    """
    reason = "reaches " + " and ".join(
        f"k = {guarantee.least} on {len(guarantee.columns)} columns" for guarantee in generalization.shared
    )
    if generalization.levels is None:
        problem = generalization.problem
        weights = tuple(zip(problem.columns, problem.attribute_weights, strict=True)) if problem.is_weighted else ()
        ways = tuple(problem.hierarchies.items())
        search: Literal["parts", "mondrian"] = "mondrian" if generalization.method == "mondrian" else "parts"
        return (
            GeneralizeLocally(ways, generalization.guarantees, limit, reason, column_weights=weights, search=search),
        )
    recodings = list[Step](steps_of_levels(generalization.problem.hierarchies, generalization.levels, data, reason))
    if generalization.method == "blanks":
        if generalization.left_out or generalization.shares_blank():
            step = _blank_cells(generalization, limit, reason)
            step.check_missing(data)
            recodings.append(step)
    elif generalization.left_out:
        recodings.append(LeaveOut(guarantees=generalization.guarantees, reason=reason))
    return tuple(recodings)


def steps_of_levels(
    hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int], data: Dataset, reason: str = ""
) -> tuple[Recode, ...]:
    """A recoding of each column that is on a level of its hierarchy above its values.

    They say of each of these columns how it is released. Those of a search say as well that nobody is left out for
    them (``Scope.SEARCH``), those of a policy do not (``Scope.POLICY``).

    Parameters
    ----------
    hierarchies : Mapping[str, Hierarchy]
        By column.
    levels : Mapping[str, int]
        By column its level, 0 for its values as they are.
    data : Dataset
        What was counted.
    reason : str, default ""
        Why.

    Returns
    -------
    tuple of Recode
    """
    return tuple(
        Recode(name, of_counted(hierarchies[name].recodings[level - 1], data, name), reason)
        for name, level in levels.items()
        if level
    )


def _blank_cells(generalization: Generalization, limit: float, reason: str) -> BlankCells:
    """The step that leaves the cells blank that were found, at the levels that are recoded before."""
    assert generalization.levels is not None
    question = question_at(generalization.problem, tuple(generalization.levels.values()))
    weights = tuple((name, weight) for name, weight in question.weights.items() if weight != 1)
    return BlankCells(question.columns, generalization.guarantees, limit, reason, weights, question.worth)


def of_counted(recoding: Recoding, data: Dataset, name: str) -> Recoding:
    """The recoding of the records that were counted.

    Where a record with a missing quasi-identifier is left out, a label for what is missing would let it in again.
    """
    if isinstance(recoding, ValueMap) and data.missing == "drop" and name in data.quasi_identifiers:
        return replace(recoding, missing=None)
    return recoding


def steps_of_policy(space: PolicySpace, policy: np.ndarray, reason: str = "") -> tuple[Recode, ...]:
    """A recoding of each column that the policy changes.

    A policy says of each of its columns how it is released, those that it leaves alone included: its steps replace the
    recodings of ``space.attributes`` (``Scope.POLICY``).

    Parameters
    ----------
    space : PolicySpace
        What the policy is one of.
    policy : np.ndarray
        One item a boundary of the space: whether it is kept.
    reason : str
        Why. How many values only the population has is added to it: the file has so many fewer than the mapping.

    Returns
    -------
    tuple of Recode
        One step a column that changes.
    """
    steps = []
    for name, recoding in space.recode(policy).items():
        of_file = {*space.domains[space.attributes.index(name)].values, *(space.also or {}).get(name, ())}
        more = sum(value not in of_file for value, _ in recoding.labels_of)
        only = f"{words.count(more, 'values')} only in the population" if more else ""
        steps.append(Recode(name, recoding, "; ".join(part for part in (reason, only) if part)))
    return tuple(steps)


PlaceSteps = tuple[AggregatePlaces] | tuple[AggregatePlaces, LeaveOut]


def steps_of_aggregation(aggregation: Aggregation, reason: str = "") -> PlaceSteps:
    """The step that replaces areas by regions and, where that leaves somebody below k, one that leaves them out.

    Persons whose rows name several areas are in no count of the aggregation; the second step counts them with the set
    of their regions, so that k holds of them too. The steps replace everything about the places (``Scope.REGIONS``).

    Parameters
    ----------
    aggregation : Aggregation
        The regions, and what is counted in them. A region that is withheld is none of the step's, so that its records
        are left out.
    reason : str
        Why.

    Raises
    ------
    InputError
        Where every region is withheld.
    """
    counted = aggregation.area_classes
    places = AggregatePlaces(counted.column, _regions(aggregation), reason)
    if not aggregation.measures.left_out and not counted.several:
        return (places,)
    guarantee = KAnonymity(columns=(counted.column, *counted.classes.attributes), least=aggregation.k)
    return places, LeaveOut(guarantees=(guarantee,), reason=reason)


def prepared_for_places(recipe: Recipe, column: str) -> Recipe:
    """What an aggregation of the places in ``column`` is to count with: the columns that are recoded or dropped.

    Without steps about ``column`` itself, and without those that leave records out or recode by parts: they come after.
    ``prepared_for_places(recipe, column).apply(data).released`` are the records to count.
    """
    return recipe.without((column,), Scope.REGIONS).independent


def protected(data: Dataset, recipe: Recipe, aggregation: Aggregation) -> Dataset:
    """The records with regions in the place of areas, without identifiers and without those below k.

    They are what the recipe releases once the aggregation is in it.

    Raises
    ------
    InputError
        When its steps do not fit the data or do not cover all of its values.
    """
    steps = steps_of_aggregation(aggregation)
    applied = recipe.take(steps, replacing=steps[0].columns, scope=Scope.REGIONS).apply(data)
    if applied.why_not:
        raise InputError(next(iter(applied.problems), applied.why_not), code="release-stays")
    return applied.released


def released_as(areas: Areas, recipe: Recipe, column: str) -> np.ndarray:
    """What a recipe releases each area as: an object array with the label of its region, or its own id.

    ``column`` is the column of the records that names their area. None stands for an area that no released record can
    name, and for all where the column is dropped.
    """
    itself, ids = f"{column}, itself", text_categorical(areas.ids.tolist())
    table = Dataset("areas", areas.key, FrameRecords(pd.DataFrame({itself: ids, column: ids})))
    released = recipe.apply_to_population(table)
    if column not in released.columns:
        return np.full(len(areas), None, dtype=object)
    pairs = zip(released.records[itself], released.records[column].astype(object), strict=True)
    label_of = {area: label if isinstance(label, str) else None for area, label in pairs}
    return np.array([*(label_of.get(area) for area in areas.ids.tolist()), None], dtype=object)[:-1]


def layers_of(areas: Areas, recipe: Recipe, column: str) -> tuple[np.ndarray, ...]:
    """What a recipe may release each area as, part by part: an array as of :func:`released_as` for each level.

    In some parts of the file an area may be itself, in others in its region, or in a larger one. Otherwise one array.
    """
    first = released_as(areas, recipe, column)
    local = [step for step in recipe.enabled if step.labels_by == "part" and column in step.recodes]
    return (first, *(labels for step in local for labels in _coarser(step, column, first)))


def _coarser(step: Step, column: str, first: np.ndarray) -> list[np.ndarray]:
    """By coarser level of a step the label of each area.

    An area that nobody can name has none; one that the level does not cover, as no record has it, stays as it is.
    """
    is_nowhere = np.array([label is None for label in first], dtype=bool)
    with suppress(InputError):
        coarser = [
            way.labels[:-1].copy() for way in step.levels(column, [ReachableLevel("", np.append(first, [None]))])[1:]
        ]
        for labels in coarser:
            labels[is_nowhere] = None
        return coarser
    levels = list[dict[str | None, str | None]]()
    for label in {*first.tolist()} - {None}:
        with suppress(InputError):
            of_one = step.levels(column, [ReachableLevel("", np.array([label, None], dtype=object))])[1:]
            levels += [{} for _ in of_one[len(levels) :]]
            for of_level, way in zip(levels, of_one, strict=True):
                of_level[label] = way.labels[0]
    return [np.array([*(label_of.get(area, area) for area in first), None], dtype=object)[:-1] for label_of in levels]


def _regions(aggregation: Aggregation) -> tuple[tuple[str, tuple[str, ...]], ...]:
    by_region = np.argsort(aggregation.region_of_area, kind="stable")
    ends = np.cumsum(aggregation.areas_of_region)[:-1]
    members = np.split(aggregation.area_classes.areas.ids[by_region], ends)
    withheld = np.zeros(len(members), dtype=bool) if aggregation.withheld is None else aggregation.withheld
    regions = zip(aggregation.names.tolist(), members, withheld.tolist(), strict=True)
    return tuple(sorted((label, tuple(ids.tolist())) for label, ids, is_withheld in regions if not is_withheld))
