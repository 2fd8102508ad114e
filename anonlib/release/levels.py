"""At which level the cells of each column leave, by what a recipe made of the original."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from anonlib.analyses.utility import Alongside
from anonlib.analyses.utility.alongside import Recoded, places_in
from anonlib.analyses.utility.levels import KINDS, ColumnLevels, Kind, LevelShare
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.left import columns_left
from anonlib.release.recipe import Recipe
from anonlib.release.steps import ReachableLevel, Step
from anonlib.values.dates import to_dates

_NO_DAY = np.datetime64("NaT", "D")
_LATEST = 2**40  # days
_FIRST_WAY = len(KINDS)  # behind the kinds: no level accounts for it, and then level by level


def levels_of(applied: Applied, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    """At which levels the cells of each column leave, counted on what a recipe made.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome, with its records in memory or in a database.
    recipe : Recipe
        The steps that made it.

    Returns
    -------
    tuple of ColumnLevels
        One item a column of the original, in the file's order, without identifiers, person ids and weights. A column
        that is dropped has the one part "dropped", and one of which nothing is left
        (:func:`anonlib.release.left.columns_left`) the one part "removed". A cell that was missing and got a label
        counts by its label.

    Raises
    ------
    InputError
        When no record leaves, or it is not known which ones of the original do.
    """
    both = Alongside.of(applied.original, applied.released)
    leaving, removed = set(both.leaving), set(columns_left(applied).removed)
    levels = []
    for name in both.columns:
        steps = steps_on(name, applied, recipe)
        if name not in leaving:
            levels.append(ColumnLevels(name, (LevelShare("dropped", "dropped", 1.0, 0.0),)))
        elif name in removed:
            levels.append(ColumnLevels(name, (LevelShare("removed", "removed", 1.0, 0.0),)))
        else:
            levels.append(_levels(name, both.column(name), steps) if steps else _as_it_was(name, applied.released))
    return tuple(levels)


def levels_if_counted(applied: Applied, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    """The same; empty where no record leaves or they cannot be counted, as of too many values in a database.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    recipe : Recipe
        The steps that made it.

    Returns
    -------
    tuple of ColumnLevels
    """
    try:
        return levels_of(applied, recipe)
    except InputError:
        return ()


def steps_on(column: str, applied: Applied, recipe: Recipe) -> list[Step]:
    """The steps that recoded a column, in their order; those that are off or could not be applied left out."""
    return [
        entry.step
        for entry, effect in zip(recipe.entries, applied.effects, strict=True)
        if effect is not None and not effect.problem and column in entry.step.recodes
    ]


def _as_it_was(column: str, released: Dataset) -> ColumnLevels:
    """A column that no step recoded, whose values an engine may have too many of to be fetched."""
    try:
        missing = released.held.counts_of(column).missing
    except InputError:
        missing = released.held.profile(column).missing
    share = missing / released.n_records
    parts = (
        LevelShare("as it was", "as it was", 1 - share, 1.0),
        LevelShare("missing already", "missing already", share, 0.0),
    )
    return ColumnLevels(column, tuple(part for part in parts if part.share))


def _levels(column: str, recoded: Recoded, steps: Sequence[Step]) -> ColumnLevels:
    """The parts of a column that leaves: each value with a label that it has is at one level."""
    if any(step.labels_by == "person" for step in steps):
        return _moved_levels(column, recoded, steps)
    ways = ways_of(column, recoded.values, steps)
    kinds, details = _of_pairs(recoded, ways)
    named = {level: way.name for level, way in enumerate(ways)} | {-1: steps[-1].label_name}
    cells: dict[tuple[str, Kind], tuple[float, float]] = {}
    for kind in np.unique(kinds).tolist():
        pairs = kinds == kind
        counts, name = recoded.counts[pairs], _name(KINDS[kind]) if kind < _FIRST_WAY else named[kind - _FIRST_WAY - 1]
        of_kind: Kind = KINDS[kind] if kind < _FIRST_WAY else "coarser" if details[pairs].any() else "all together"
        n, detail_kept = cells.get((name, of_kind), (0.0, 0.0))
        cells[name, of_kind] = n + float(counts.sum()), detail_kept + float(details[pairs] @ counts)
    total = recoded.n_released
    parts = [LevelShare(name, kind, n / total, detail / n) for (name, kind), (n, detail) in cells.items()]
    parts.sort(key=lambda part: (KINDS.index(part.kind), -part.detail))
    return ColumnLevels(column, tuple(parts), all(step.labels_by in ("rule", "text") for step in steps))


def _name(kind: Kind) -> str:
    """What cells of a kind are called; saved evidence has the kind."""
    return "removed" if kind == "all together" else kind


def _moved_levels(column: str, recoded: Recoded, steps: Sequence[Step]) -> ColumnLevels:
    """The parts of a column of dates that were moved: no cell is as it was, though its text may be by chance."""
    n_labels, total = len(recoded.labels), recoded.n_released
    n_sharing = np.append(_values_of_moved(recoded, steps), 1)
    details = _detail(n_sharing, len(recoded.values))
    is_empty, is_top = recoded.label == n_labels, np.append(recoded.labels == TOP, False)[recoded.label]
    was_missing = recoded.value == len(recoded.values)
    parts = []
    for name, kind, pairs in (
        (steps[-1].label_name, "coarser", ~is_empty & ~is_top), (_name("all together"), "all together", is_top),
        ("blank", "blank", is_empty & ~was_missing), ("missing already", "missing already", is_empty & was_missing),
    ):  # fmt: skip
        n = float(recoded.counts[pairs].sum())
        detail_kept = float(details[recoded.label[pairs]] @ recoded.counts[pairs]) if kind == "coarser" else 0.0
        if n:
            parts.append(LevelShare(name, cast(Kind, kind), n / total, detail_kept / n))
    return ColumnLevels(column, tuple(parts))


def _values_of_moved(recoded: Recoded, steps: Sequence[Step]) -> np.ndarray:
    """int64 per label: of how many of the column's values it can be, however few are released as it.

    A moved date can be of all within its reach; a number of days since the first of all that are so late or later.
    Where more was done to the column, a label can be of all values between the first and the last that have it.
    """
    if len(steps) == 1:
        return steps[0].values_within(recoded.values, recoded.labels)
    days = to_dates(recoded.values, numbers=True)
    dated = (recoded.value < len(recoded.values)) & ~np.isnat(np.append(days, _NO_DAY))[recoded.value]
    low, high = np.full(len(recoded.labels) + 1, _LATEST), np.full(len(recoded.labels) + 1, -_LATEST)
    of_pair = np.append(days, _NO_DAY)[recoded.value[dated]].astype(np.int64)
    np.minimum.at(low, recoded.label[dated], of_pair)
    np.maximum.at(high, recoded.label[dated], of_pair)
    known = np.sort(days[~np.isnat(days)].astype(np.int64))
    between = np.searchsorted(known, high[:-1], "right") - np.searchsorted(known, low[:-1], "left")
    return np.maximum(between, np.bincount(recoded.label, minlength=len(recoded.labels) + 1)[:-1])


def _of_pairs(recoded: Recoded, ways: Sequence[ReachableLevel]) -> tuple[np.ndarray, np.ndarray]:
    """Per pair of a value and a label, its place in :data:`KINDS`, or behind these its level; and the detail left."""
    n_values, n_labels = len(recoded.values), len(recoded.labels)
    value, label = recoded.value, recoded.label
    was_missing, is_empty = value == n_values, label == n_labels
    own = np.append(places_in(recoded.labels, recoded.values), -1)  # the label that is the value itself
    same, top = ~is_empty & (own[value] == label), np.append(recoded.labels == TOP, False)[label]
    n_sharing = np.bincount(label[~was_missing], minlength=n_labels + 1)[label]  # unless a level says more
    kinds = np.full(len(value), _FIRST_WAY)
    for level, way in enumerate(ways):
        codes = places_in(recoded.labels, way.labels)
        fits = (kinds == _FIRST_WAY) & (codes[value] == label)
        kinds[fits] = _FIRST_WAY + 1 + level
        if way.is_whole:
            n_sharing[fits] = np.bincount(codes[:-1] + 1, minlength=n_labels + 2)[label[fits] + 1]  # -1: does not occur
    for kind, pairs in (
        ("all together", top), ("as it was", same), ("blank", is_empty), ("missing already", is_empty & was_missing),
    ):  # fmt: skip
        kinds[pairs] = KINDS.index(kind)
    details = _detail(n_sharing, n_values)
    details[same] = 1.0
    details[top | is_empty] = 0.0
    return kinds, details


def _detail(n_sharing: np.ndarray, n_values: int) -> np.ndarray:
    """How much a cell still says whose label so many of a column's values have, in [0, 1]: 1 - LM (Iyengar 2002)."""
    return np.clip(1 - (n_sharing - 1) / max(1, n_values - 1), 0, 1)


def ways_of(column: str, values: np.ndarray, steps: Sequence[Step]) -> list[ReachableLevel]:
    """All levels that the steps lead to one after the other, the finest first."""
    ways = [ReachableLevel("as it was", np.append(values.astype(object), [None]))]
    for step in steps:
        ways = step.levels(column, ways)
    return ways
