"""A first recoding for a column and a first recipe, from the values: a start for the officer, never applied unasked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.generalization import Generalization, Method, WholeClasses, solve
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import merged, suggested_hierarchy
from anonlib.coarsening.hierarchies.builders import cuts_by_power, is_heavy_tailed, limits, widths
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Recoding
from anonlib.columns.codes import CodeSystem, recognised
from anonlib.columns.identifiers import kind_of_name
from anonlib.columns.roles import numbers_are_dates
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.records import ValueCounts
from anonlib.release.from_analyses import steps_of_generalization
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Step
from anonlib.values.cells import MOSTLY, Values, is_code, ranges_or_none, to_numbers
from anonlib.values.dates import dates_or_none
from anonlib.values.ranges import Ranges

_AGE_TOP = 90  # 45 CFR 164.514(b)(2)(i)(C): ages over 89 in one group
_GROUPS = 10
_CODE_GROUPS = 20  # the chapters of a classification are about so many
MOST_LEFT_OUT = 0.05  # share of the records that a first recipe may leave out, where it can
_WORK = A_SECOND / 2  # of each search
_REASON = "as suggested"
_TOO_MANY = "too many values to decide on each"


@dataclass(frozen=True)
class FirstRecipe:
    """Steps to begin with, and what they come to.

    Attributes
    ----------
    steps : tuple[Step, ...]
        Perhaps columns dropped, recodings of quasi-identifiers, then classes below k left out.
    records_kept, n_records : int
        Records (rows) of the release and of the original.
    k : int
        The smallest class of the release; 0 without records.
    """

    steps: tuple[Step, ...]
    records_kept: int
    n_records: int
    k: int


def suggested_recoding(
    values: Values, records: np.ndarray | None = None, name: str = "", *, dated: bool = False
) -> Recoding | None:
    """Codes to groups, dates to years, numbers and ranges to about ten intervals.

    Codes of a known system go to their groups on the first level that has at most twenty, other codes of one length to
    their first three characters. None for a column of words, which only a person can group, and for one of few values.

    Parameters
    ----------
    values : Values
        The column's distinct values.
    records : np.ndarray, optional
        The records of each, where they are known: where few have the lowest or the highest numbers, these are one
        group.
    name : str, default ""
        The column's name, which may tell that numbers are codes, or dates.
    dated : bool, default False
        Whether other columns tell that numbers are dates (:func:`anonlib.columns.roles.numbers_are_dates`).
    """
    if len(values) <= 2:
        return None
    if (system := recognised(values, name)) is not None:
        return _group(system, values)
    kind = kind_of_name(name) if name else None
    if dates_or_none(values, numbers=dated or (kind is not None and kind.group == "date")) is not None:
        return DateUnit("year")
    if is_code(values):
        return Mask(3, length=len(values[0]))
    numbers = to_numbers(values)
    if np.mean(~np.isnan(numbers)) >= MOSTLY and len(values) > _GROUPS:
        return _intervals(numbers, records)
    ranges = ranges_or_none(values) if len(values) > _GROUPS else None
    return None if ranges is None else _merged(ranges, values)


def _group(system: CodeSystem, values: Values) -> CodeGroup | None:
    """The first level with few groups, the coarsest where all have many; None where no level merges any values."""
    levels = [CodeGroup(system.key, level) for level in system.merging(values)]
    few = (level for level in levels if len(set(level.labels(values))) <= _CODE_GROUPS)
    return next(few, levels[-1] if levels else None)


def _merged(ranges: Ranges, values: Values) -> Recoding | None:
    """The first level of merged neighbours with about ten groups, years of months; the coarsest where none is so."""
    levels = [DateUnit("year")] if ranges.of == "months" else merged(ranges)
    few = (level for level in levels if len(set(level.labels(values))) <= _GROUPS)
    return next(few, levels[-1] if levels else None)


def first_recipe(dataset: Dataset, k: int, *, part_by_part: bool = True) -> FirstRecipe:
    """A first recipe that reaches k and leaves out few records.

    The suggested recoding of each quasi-identifier, and classes below k left out, where these have at most 5% of the
    records. Else what loses least cell detail along the suggested hierarchies and does: one level a column or, unless
    ``part_by_part`` is off, part by part (:func:`anonlib.analyses.generalization.solve`). Where none can, whichever
    keeps more. Columns of a database that have too many values to decide on each are dropped.

    Parameters
    ----------
    dataset : Dataset
        The original, with quasi-identifiers.
    k : int
        Wanted size of the smallest class, 1 or more.
    part_by_part : bool
        Whether parts may have levels of their own.

    Returns
    -------
    FirstRecipe
        The steps, for :meth:`anonlib.release.recipe.Recipe.take`.
    """
    counts = {name: _counts_if_few(dataset, name) for name in dataset.quasi_identifiers}
    if too_many := tuple(name for name, counted in counts.items() if counted is None):
        return _without(too_many, dataset, k, part_by_part)
    recodings = {
        name: suggested_recoding(counted.values, counted.records, name, dated=numbers_are_dates(dataset.held, name))
        for name, counted in counts.items()
        if counted is not None
    }
    steps = tuple(Recode(name, way, _REASON) for name, way in recodings.items() if way is not None)
    first = _outcome(dataset, steps, k)
    if first.records_kept >= (1 - MOST_LEFT_OUT) * first.n_records:
        return first
    searched = _outcome(dataset, _searched(dataset, k, part_by_part), k)
    return max(searched, first, key=lambda outcome: outcome.records_kept)


def _counts_if_few(dataset: Dataset, name: str) -> ValueCounts | None:
    try:
        return dataset.held.counts_of(name)
    except InputError:  # of a database that does not answer at all, the next question says so
        return None


def _without(columns: tuple[str, ...], dataset: Dataset, k: int, part_by_part: bool) -> FirstRecipe:
    """A first recipe for the other columns, behind the step that drops these."""
    drop = DropColumns(columns, _TOO_MANY)
    first = first_recipe(drop.apply(dataset), k, part_by_part=part_by_part)
    return replace(first, steps=(drop, *first.steps))


def _outcome(dataset: Dataset, recodings: tuple[Step, ...], k: int) -> FirstRecipe:
    steps = (*recodings, LeaveOut(k, reason=_REASON))
    released = Recipe.of(steps).apply(dataset).released
    return FirstRecipe(steps, released.n_records, dataset.n_records, released.classes().anonymity_vector.k)


def _searched(dataset: Dataset, k: int, part_by_part: bool) -> tuple[Step, ...]:
    """Recodings along the suggested hierarchies: the best found with some work, or none."""
    counted = dataset.with_counted()
    names = tuple(dataset.quasi_identifiers)
    counts = {name: counted.held.counts_of(name) for name in names}
    hierarchies = {
        name: suggested_hierarchy(
            counts[name].values,
            counts[name].records,
            name,
            dated=numbers_are_dates(dataset.held, name),
            described=dataset.described.get(name),
        )
        for name in names
    }
    table = counted.with_missing("category").classes(list(names))
    problem = WholeClasses(
        table, hierarchies, (KAnonymity(columns=names, least=k),), left_out_limit=MOST_LEFT_OUT, objective="cell_loss"
    )
    solutions = [*_solved(problem, "optimal", "greedy"), *(_solved(problem, "parts") if part_by_part else ())]
    if not solutions:
        return ()
    steps = steps_of_generalization(
        min(solutions, key=lambda solution: solution.utility.cell_loss), counted, MOST_LEFT_OUT
    )
    return tuple(step.with_reason(_REASON) for step in steps if step.recodes)


def _solved(problem: WholeClasses, *methods: Method) -> list[Generalization]:
    """The result of the first of these methods that has one with some work."""
    for method in methods:
        try:
            return [solve(problem, method, work=_WORK)]
        except InputError:  # too many combinations of levels, too little work, or no level does
            continue
    return []


def _intervals(values: np.ndarray, counts: np.ndarray | None) -> Intervals:
    """About ten intervals of a round width; what looks like ages gets its group of 90 and above."""
    is_number = ~np.isnan(values)
    numbers, place = np.unique(values[is_number], return_inverse=True)
    records = None if counts is None else np.bincount(place, counts[is_number])
    low, high = float(numbers[0]), float(numbers[-1])
    if low >= 0 and _AGE_TOP <= high <= 130:
        return Intervals(10.0, top=_AGE_TOP)
    if is_heavy_tailed(numbers, records):
        by_power = [cuts for cuts in cuts_by_power(numbers, records) if len(cuts) <= 2 * _GROUPS]
        if by_power:
            return Intervals(cuts=by_power[0])
    rough = (high - low) / _GROUPS
    width = widths(rough, high - low)[0] if rough else 1.0
    return Intervals(width, 0.0, *limits(numbers, records, width))
