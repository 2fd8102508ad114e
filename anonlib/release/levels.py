"""At which level the cells of each column leave, by what a recipe made of the original."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np
import pandas as pd

from anonlib.analyses.utility import Alongside
from anonlib.analyses.utility.alongside import Recoded, places_in
from anonlib.analyses.utility.levels import KINDS, ColumnLevels, Kind, LevelShare
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP, Hierarchy
from anonlib.coarsening.recoding import Recoding, Redaction, label_of_missing
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.left import columns_left
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, GeneralizeLocally, MergeRare, Recode, ShiftDates, Step
from anonlib.values.cells import to_numbers
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
        The recipe.

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
    found = []
    for name in both.columns:
        steps = steps_on(name, applied, recipe)
        if name not in leaving:
            found.append(ColumnLevels(name, (LevelShare("dropped", "dropped", 1.0, 0.0),)))
        elif name in removed:
            found.append(ColumnLevels(name, (LevelShare("removed", "removed", 1.0, 0.0),)))
        else:
            found.append(_levels(name, both.column(name), steps) if steps else _as_it_was(name, applied.released))
    return tuple(found)


def levels_if_counted(applied: Applied, recipe: Recipe) -> tuple[ColumnLevels, ...]:
    """The same; empty where no record leaves or they cannot be counted, as of too many values in a database.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    recipe : Recipe
        The recipe.

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
    if any(isinstance(step, ShiftDates) for step in steps):
        return _moved_levels(column, recoded, steps)
    ways = ways_of(column, recoded.values, steps)
    kinds, details = _of_pairs(recoded, ways)
    named = {level: way.name for level, way in enumerate(ways)} | {-1: _name_of_others(steps)}
    cells: dict[tuple[str, Kind], tuple[float, float]] = {}
    for kind in np.unique(kinds).tolist():
        pairs = kinds == kind
        counts, name = recoded.counts[pairs], _name(KINDS[kind]) if kind < _FIRST_WAY else named[kind - _FIRST_WAY - 1]
        of_kind: Kind = KINDS[kind] if kind < _FIRST_WAY else "coarser" if details[pairs].any() else "all together"
        n, kept = cells.get((name, of_kind), (0.0, 0.0))
        cells[name, of_kind] = n + float(counts.sum()), kept + float(details[pairs] @ counts)
    total = recoded.n_released
    parts = [LevelShare(name, kind, n / total, kept / n) for (name, kind), (n, kept) in cells.items()]
    parts.sort(key=lambda part: (KINDS.index(part.kind), -part.detail))
    return ColumnLevels(column, tuple(parts), all(map(_is_one_rule, steps)))


def _name(kind: Kind) -> str:
    """What cells of a kind are called; saved evidence has the kind."""
    return "removed" if kind == "all together" else kind


def _is_one_rule(step: Step) -> bool:
    """Whether a step gives each value one label in the whole column, none of several levels of a hierarchy."""
    return isinstance(step, Recode | AggregatePlaces) or (isinstance(step, MergeRare) and step.hierarchy is None)


def _moved_levels(column: str, recoded: Recoded, steps: Sequence[Step]) -> ColumnLevels:
    """The parts of a column of dates that were moved: no cell is as it was, though its text may be by chance."""
    n_labels, total = len(recoded.labels), recoded.n_released
    n_sharing = np.append(_values_of_moved(recoded, steps), 1)
    details = _detail(n_sharing, len(recoded.values))
    is_empty, is_top = recoded.label == n_labels, np.append(recoded.labels == TOP, False)[recoded.label]
    was_missing = recoded.value == len(recoded.values)
    parts = []
    for name, kind, pairs in (
        (_name_of_moved(steps[-1]), "coarser", ~is_empty & ~is_top), (_name("all together"), "all together", is_top),
        ("blank", "blank", is_empty & ~was_missing), ("missing already", "missing already", is_empty & was_missing),
    ):  # fmt: skip
        n = float(recoded.counts[pairs].sum())
        kept = float(details[recoded.label[pairs]] @ recoded.counts[pairs]) if kind == "coarser" else 0.0
        if n:
            parts.append(LevelShare(name, cast(Kind, kind), n / total, kept / n))
    return ColumnLevels(column, tuple(parts))


def _values_of_moved(recoded: Recoded, steps: Sequence[Step]) -> np.ndarray:
    """int64 per label: of how many of the column's values it can be, however few are released as it.

    A moved date can be of all within its reach; a number of days since the first of all that are so late or later.
    Where more was done to the column, a label can be of all values between the first and the last that have it.
    """
    step = steps[-1]
    if len(steps) == 1 and isinstance(step, ShiftDates):
        return values_within(step, recoded.values, recoded.labels)
    days = to_dates(recoded.values, numbers=True)
    dated = (recoded.value < len(recoded.values)) & ~np.isnat(np.append(days, _NO_DAY))[recoded.value]
    low, high = np.full(len(recoded.labels) + 1, _LATEST), np.full(len(recoded.labels) + 1, -_LATEST)
    of_pair = np.append(days, _NO_DAY)[recoded.value[dated]].astype(np.int64)
    np.minimum.at(low, recoded.label[dated], of_pair)
    np.maximum.at(high, recoded.label[dated], of_pair)
    known = np.sort(days[~np.isnat(days)].astype(np.int64))
    between = np.searchsorted(known, high[:-1], "right") - np.searchsorted(known, low[:-1], "left")
    return np.maximum(between, np.bincount(recoded.label, minlength=len(recoded.labels) + 1)[:-1])


def values_within(step: ShiftDates, values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """int64 per label: of how many values of a column it can be, by what a step says of them.

    Parameters
    ----------
    step : ShiftDates
        What moved the dates.
    values, labels : np.ndarray
        Different texts before and after.
    """
    before = to_dates(values, numbers=True, first=step.dates_begin_with)
    days = before[~np.isnat(before)].astype(np.int64)
    if step.as_ == "since_first":
        since = to_numbers(labels) if len(labels) else np.zeros(0)
        return len(days) - np.searchsorted(np.sort(days) - days.min(initial=_LATEST), since)
    after = to_dates(labels, numbers=True, first=step.dates_begin_with).astype(np.int64)
    found = np.zeros(len(labels), dtype=np.int64)
    kinds = 7 if step.keep_weekday else 1
    for kind in range(kinds):
        alike, mine = np.sort(days[days % kinds == kind]), after % kinds == kind
        low, high = after[mine] - step.reach, after[mine] + step.reach
        found[mine] = np.searchsorted(alike, high, "right") - np.searchsorted(alike, low, "left")
    return found


def _name_of_moved(last: Step) -> str:
    if not isinstance(last, ShiftDates):
        return _name_of_others([last])
    return "days since the first date" if last.as_ == "since_first" else f"moved by at most {last.reach} days"


def _name_of_others(steps: Sequence[Step]) -> str:
    """What a label is called that no level accounts for."""
    last = steps[-1] if steps else None
    return last.recoding.describe() if isinstance(last, Recode) else "coarser"


def _of_pairs(recoded: Recoded, ways: Sequence[Way]) -> tuple[np.ndarray, np.ndarray]:
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


@dataclass(frozen=True, eq=False)
class Way:
    """A level that steps can bring a column to: its name, and the label of each value, missing last.

    ``is_whole`` is whether all values can have these labels, and not only those that are rare.
    """

    name: str
    labels: np.ndarray
    is_whole: bool = True


def ways_of(column: str, values: np.ndarray, steps: Sequence[Step]) -> list[Way]:
    """All levels that the steps lead to one after the other, the finest first."""
    ways = [Way("as it was", np.append(values.astype(object), [None]))]
    for step in steps:
        match step:
            case Recode() if isinstance(step.recoding, Redaction):
                pass  # reading texts again takes long, and every other text is a redacted one
            case Recode():
                ways = [
                    _after(way, step.recoding.describe(), step.labels, label_of_missing(step.recoding)) for way in ways
                ]
            case AggregatePlaces():
                ways = [_after(way, "regions", step.labels) for way in ways]
            case MergeRare(level=level) if level is not None:
                ways = [_after(way, level.describe(), partial(_on, level)) for way in ways]
            case MergeRare() if step.hierarchy is None:
                together = np.full(len(values) + 1, step.other, dtype=object)
                ways = [*ways, Way("rare values together", together, is_whole=False)]
            case MergeRare(hierarchy=hierarchy) if hierarchy is not None:
                ways = [coarser for way in ways for coarser in _along(way, hierarchy, column)]
            case GeneralizeLocally() if column in dict(step.hierarchies):
                ways = [coarser for way in ways for coarser in _along(way, dict(step.hierarchies)[column], column)]
    return ways


def _on(level: Recoding, labels: np.ndarray) -> np.ndarray:
    return Hierarchy((level,)).on(labels).label(1)


def _after(way: Way, name: str, relabel: Callable[[np.ndarray], np.ndarray], missing: str | None = None) -> Way:
    """A way when its labels are recoded, each alike."""
    codes, distinct = pd.factorize(way.labels)
    return replace(way, name=name, labels=np.append(relabel(distinct.astype(object)), [missing])[codes])


def _along(way: Way, hierarchy: Hierarchy, column: str) -> list[Way]:
    """A way, and what each level of a hierarchy makes of it."""
    codes, distinct = pd.factorize(way.labels)
    levels = hierarchy.on([*distinct, None], column)
    coarser = range(1, levels.n_levels)
    return [way, *(replace(way, name=hierarchy.describe(i), labels=levels.label(i)[codes]) for i in coarser)]
