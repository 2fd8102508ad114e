"""Sensitive columns in a search: bands, groups of codes, and rare values put together, where a criterion asks for it.

All values of a column stand on one level, so that labels that differ are of values that differ: nothing counts as two
values that may be one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from anonlib.analyses.generalization.search import Found, NothingFound, Problem, Watch, least_change, within
from anonlib.basics.budget import Budget
from anonlib.coarsening.hierarchies import OTHER, Hierarchy, Holders, Levels, all_into, merged_rare
from anonlib.coarsening.recoding import Recoding, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.steps import MergeRare, Recode

_MOST_VALUES = 2_000  # of which the rare ones are put together: the step names all others


def bands(data: Dataset, name: str, hierarchy: Hierarchy, least: int = 0) -> Hierarchy:
    """The levels of a sensitive column that still say something of its values.

    Parameters
    ----------
    data : Dataset
        With the column.
    name : str
        The column.
    hierarchy : Hierarchy
        How it can be coarsened.
    least : int, default 0
        How many a criterion wants to share a value. Where no level brings each label to so many, there is a first one
        on which values that fewer records have are put together with those near them; 0: there is no such level.

    Returns
    -------
    Hierarchy
        Of no level where there is nothing between the values and all of them together.
    """
    counts = data.held.counts_of(name)
    values = counts.values
    levels = hierarchy.on([*values, None], name)
    kept = tuple(
        recoding for i, recoding in enumerate(hierarchy.recodings, start=1) if says_something(levels, i)
    )  # fmt: skip
    plain = Hierarchy(kept, hierarchy.called[: len(kept)])
    are_many = len(values) > _MOST_VALUES or not len(values)
    if least < 2 or are_many or any(_each_has(recoding, counts.values, counts.records, least) for recoding in kept):
        return plain
    merged = _together(hierarchy if kept else all_into(OTHER), values, counts.records, least)
    if not 1 < len({*merged.labels(values)}) < len(values):
        return plain
    chain: list[Recoding] = [merged]
    for recoding in kept:
        joined = _joined(merged, recoding, values)
        if 1 < len({*joined.labels(values)}) < len({*chain[-1].labels(values)}):
            chain.append(joined)
    together = f"values of fewer than {least} together"
    return Hierarchy(tuple(chain), (together, *(f"{each.describe()}, {together}" for each in kept))[: len(chain)])


def naming_no_value(step: Recode, data: Dataset, hierarchy: Hierarchy, least: int) -> Recode | MergeRare:
    """A step that finds rare values again where that comes to the same as one that names all of a column.

    A saved project does not hold the values of a sensitive column, and with them a step that names them.

    Parameters
    ----------
    step : Recode
        Onto a level of :func:`bands`.
    data : Dataset
        As for :func:`bands`.
    hierarchy : Hierarchy
        As for :func:`bands`.
    least : int
        As for :func:`bands`.
    """
    if not isinstance(step.recoding, ValueMap) or least < 2 or step.recoding.missing is not None:
        return step  # what is missing has a label, which it would not get from rare values put together
    labels = step.labels(data.held.values(step.column)).tolist()
    for near in (None, hierarchy):
        merging = MergeRare(step.column, least, hierarchy=near, reason=step.reason)
        if merging.labels(data).tolist() == labels:
            return merging
    return step


def _each_has(recoding: Recoding, values: np.ndarray, records: np.ndarray, least: int) -> bool:
    """Whether each label is that of so many records."""
    of_label = dict[str | None, int]()
    for label, number in zip(recoding.labels(values).tolist(), records.tolist(), strict=True):
        of_label[label] = of_label.get(label, 0) + number
    return all(number >= least for number in of_label.values())


def _together(hierarchy: Hierarchy, values: np.ndarray, records: np.ndarray, least: int) -> ValueMap:
    """Values of fewer records put together with those that a hierarchy has near them."""
    labels = merged_rare(hierarchy.on(values), Holders.of_records(records), least)
    return ValueMap(tuple((value, label) for value, label in zip(values, labels, strict=True)))


def _joined(merged: ValueMap, recoding: Recoding, values: np.ndarray) -> ValueMap:
    """A level on which values are one that are so on either of two: its labels name all that are joined."""
    small, large = merged.labels(values), recoding.labels(values)
    onto = {label: label for label in large.tolist()}

    def last(label: str | None) -> str | None:
        while onto[label] != label:
            label = onto[label]
        return label

    first = dict[str | None, str | None]()
    for one, other in zip(small.tolist(), large.tolist(), strict=True):
        onto[last(other)] = last(first.setdefault(one, other))
    named = dict[str | None, list[str]]()
    for label in dict.fromkeys(large.tolist()):
        named.setdefault(last(label), []).append(str(label))
    return ValueMap(
        tuple((value, " or ".join(named[last(label)])) for value, label in zip(values, large.tolist(), strict=True))
    )


def says_something(levels: Levels, level: int) -> bool:
    """Whether a level tells values apart, and not only whether there is one."""
    pairs = zip(levels.label(0), levels.label(level), strict=True)
    return len({label for value, label in pairs if value is not None and label is not None}) > 1


def searched(problem: Problem, sensitive: Collection[str], budget: Budget, watch: Watch | None) -> Found | NothingFound:
    """The least change, also where a coarser sensitive column makes another guarantee harder to meet.

    A search begins with the highest levels, where values of a sensitive column are most alike. So the problem without
    bands is searched first, with half of the budget, and the first that is found of it is where the whole search
    begins, however much may be spent: so that more work never comes to a worse answer.
    """
    plain = without_bands(problem, sensitive)
    if plain is None:
        return within(problem, budget, watch)
    half, tell = budget.part(0.5), watch or (lambda share, found: None)
    begin = least_change(plain, work=0, watch=lambda _, found: tell(0.0, found))
    start = begin.best if isinstance(begin, Found) else None
    first = within(plain, half, lambda share, found: tell(share / 2, found), start)
    whole = within(problem, half, lambda share, found: tell((1 + share) / 2, found), start)
    early = first.ended_early or whole.ended_early
    if isinstance(first, Found) and (isinstance(whole, NothingFound) or first.best.rank < whole.best.rank):
        return replace(first, proven=False, finished=whole.finished, ended_early=early)
    return replace(whole, ended_early=early)


def does(problem: Problem, sensitive: Collection[str] = ()) -> bool:
    """Whether the highest levels are found to do, or these with sensitive columns as they are."""
    plain = without_bands(problem, sensitive)
    return any(each is not None and each.settle(each.highest) is not None for each in (problem, plain))


def without_bands(problem: Problem, sensitive: Collection[str]) -> Problem | None:
    """The problem with sensitive columns as they are; None where none of them has bands."""
    highest = dict(zip(problem.columns, problem.highest, strict=True))
    banded = {
        name
        for name in problem.columns
        if name in sensitive and highest[name] and says_something(problem.levels[name], 1)
    }
    if not banded:
        return None
    return problem.changed(highest={name: 0 if name in banded else level for name, level in highest.items()})
