"""Sensitive columns in a search: bands, groups of codes, and rare values put together, where a criterion asks for it.

All values of a column stand on one level, so that labels that differ are of values that differ: nothing counts as two
values that may be one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from anonlib.analyses.generalization.search import Found, NothingFound, Problem, Watch, least_change
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, Levels, rare
from anonlib.coarsening.recoding import Recoding
from anonlib.dataset import Dataset

_MOST_VALUES = 2_000  # of which the rare ones are put together: the step names all others


def bands(data: Dataset, name: str, hierarchy: Hierarchy, least: int = 0) -> Hierarchy:
    """The levels of a sensitive column that still say something of its values.

    Parameters
    ----------
    data
        With the column.
    name
        The column.
    hierarchy
        How it can be coarsened.
    least
        How many a criterion wants to share a value. Values that fewer records have are put together on a first level,
        where the hierarchy goes on from there; 0: there is no such level.

    Returns
    -------
    Hierarchy
        Of no level where there is nothing between the values and all of them together.
    """
    counts = data.held.counts_of(name)
    levels = hierarchy.on([*counts.values, None], name)
    kept = tuple(
        recoding for i, recoding in enumerate(hierarchy.recodings, start=1) if says_something(levels, i)
    )  # fmt: skip
    called = hierarchy.called[: len(kept)]
    if least < 2 or len(counts.values) > _MOST_VALUES or not len(counts.values):
        return Hierarchy(kept, called)
    (merged,) = rare(counts.values.tolist(), counts.records, [least], top=False).recodings
    if not _changes_and_tells(merged, counts.values):
        return Hierarchy(kept, called)
    try:
        first = Hierarchy((merged, *kept))
        first.on([*counts.values, None], name)
    except InputError:  # its levels part what is rare
        return Hierarchy(kept, called) if kept else Hierarchy((merged,))
    return replace(first, called=(f"values of fewer than {least} together", *called))


def says_something(levels: Levels, level: int) -> bool:
    """Whether a level tells values apart, and not only whether there is one."""
    pairs = zip(levels.label(0), levels.label(level), strict=True)
    return len({label for value, label in pairs if value is not None and label is not None}) > 1


def _changes_and_tells(recoding: Recoding, values) -> bool:
    n_labels = len({*recoding.labels(values)} - {None})
    return 1 < n_labels < len(values)


def searched(
    problem: Problem, sensitive: Collection[str], seconds: float | None, watch: Watch | None
) -> Found | NothingFound:
    """The least change, also where a coarser sensitive column makes another guarantee harder to meet.

    A search begins with the highest levels, where values of a sensitive column are most alike. So the problem without
    bands is searched first, for half of the time, and what it finds is where the whole search begins.
    """
    plain = without_bands(problem, sensitive)
    if plain is None:
        return least_change(problem, seconds=seconds, watch=watch)
    half = None if seconds is None else seconds / 2
    tell = None if watch is None else lambda share, found: watch(share / 2, found)
    first = least_change(plain, seconds=half, watch=tell)
    start = first.best if isinstance(first, Found) else None
    later = None if watch is None else lambda share, found: watch((1 + share) / 2, found)
    whole = least_change(problem, seconds=half, watch=later, start=start)
    if isinstance(first, Found) and (isinstance(whole, NothingFound) or first.best.rank < whole.best.rank):
        return replace(first, proven=False, finished=whole.finished)
    return whole


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
