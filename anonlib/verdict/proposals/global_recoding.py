"""Whole columns with sensitive ones in bands (bands, groups of codes, rare values put together), and their search.

Each level is a step of the recipe. That of a column whose values a saved project does not name states a rule, and what
is rare is found again where it is applied: what was counted is what a project makes that was saved and opened. All
values of a column stand on one level, so that labels that differ are of values that differ: nothing counts as two
values that may be one.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.search import (
    LeastChange,
    NothingFound,
    Problem,
    least_change,
    within,
)
from anonlib.basics.budget import Budget
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.coarsening.hierarchies import SHARES_OF_RARE, Hierarchy, Holders, Levels, are_few
from anonlib.coarsening.recoding import Recoding, ValueMap, named, untouched
from anonlib.dataset import Dataset
from anonlib.release.steps import MergeRare, Recode, Step
from anonlib.release.steps.collapse_rare import holders_of

_MOST_VALUES = 2_000  # of which the rare ones are put together: it takes longer the more there are
_REASON = "for the verdict"


@dataclass(frozen=True, eq=False)
class Bands:
    """How a column can be coarsened, level by level, and the steps that do it.

    Attributes
    ----------
    hierarchy : Hierarchy
        Its levels, for the values of the data that they were made for.
    steps : tuple[Recode | MergeRare, ...]
        ``steps[i]`` brings the column to level i + 1.
    """

    hierarchy: Hierarchy
    steps: tuple[Recode | MergeRare, ...]

    @classmethod
    def of(cls, hierarchy: Hierarchy, name: str) -> Bands:
        """The levels of a hierarchy, each a recoding.

        Parameters
        ----------
        hierarchy : Hierarchy
            Its levels.
        name : str
            The column.
        """
        return cls(hierarchy, tuple(Recode(name, recoding, _REASON) for recoding in hierarchy.recodings))


def bands(data: Dataset, name: str, hierarchy: Hierarchy, least: int = 0) -> Bands:
    """The levels of a column that still say something of its values.

    Of a column whose values a saved project does not name, levels that list values are passed over. Where these are all
    there are, values of fewer than 2% and 10% of the records (persons) are put together instead.

    Parameters
    ----------
    data : Dataset
        With the column; the steps are to be applied to it.
    name : str
        The column.
    hierarchy : Hierarchy
        How it can be coarsened.
    least : int, default 0
        How many a criterion wants to share a value. Where no level brings each label to so many, there is a first one
        on which values that fewer have are put together with those near them; 0: there is no such level.

    Returns
    -------
    Bands
        Of no level where there is nothing between the values and all of them together.
    """
    every = _Column.of(data, name)
    if not data.may_be_named(name):
        rules = Hierarchy(tuple(recoding for recoding in hierarchy.recodings if not named(recoding)))
        lists_alone = bool(hierarchy.n_named) and not any(
            every.tells(every.recoded(recoding)) for recoding in rules.recodings
        )
        hierarchy = hierarchy if rules == hierarchy else rules
    else:
        lists_alone = False
    recodings = [
        level for i, recoding in enumerate(hierarchy.recodings, 1)
        if every.tells(level := every.recoded(recoding, hierarchy.describe(i)))
    ]  # fmt: skip
    by_share = every.coarser_each(every.by_share()) if lists_alone else []
    levels = by_share if lists_alone else recodings
    are_many = len(every.values) > _MOST_VALUES or not len(every.values)
    if least < 2 or are_many or any(every.each_has(level, least) for level in levels):
        return every.bands(levels)
    near = None if lists_alone or not levels else hierarchy
    first = every.together(least, near)
    if not every.tells(first) or every.n_labels(first) == len(every.values):
        return every.bands(levels)
    if lists_alone:
        coarser = [level for level in by_share if level.k > least]
    else:
        coarser = [every.together(least, near, level) for level in recodings]
    return every.bands(every.coarser_each([first, *coarser]))


@dataclass(frozen=True, eq=False)
class _Level:
    """A level that a column can be brought to.

    Attributes
    ----------
    step : Recode | MergeRare
        What brings it there.
    called : str
        The level in words.
    recoding : Recoding, optional
        Of a recoding, this; None where values that few have are put together.
    is_whole : bool, default False
        Whether the recoding covers all values, so that it is a level of a hierarchy itself.
    k : int, default 0
        How many have each value where those of fewer are put together.
    """

    step: Recode | MergeRare
    called: str
    recoding: Recoding | None = None
    is_whole: bool = False
    k: int = 0


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of the data, and what steps make of its values."""

    data: Dataset
    name: str
    values: np.ndarray
    by_step: dict[Step, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Dataset, name: str) -> _Column:
        return cls(data, name, data.held.counts_of(name).values)

    @cached_property
    def holders(self) -> Holders:
        return holders_of(self.data, self.name, self.values)

    def labels(self, level: _Level) -> np.ndarray:
        step = level.step
        if step not in self.by_step:
            labels = step.labels_of(self.name, self.values, self.data)
            assert labels is not None
            self.by_step[step] = labels
        return self.by_step[step]

    def recoded(self, recoding: Recoding, called: str = "") -> _Level:
        """The level of a recoding. Values that it does not apply to are named nowhere, so that they leave as ``*``."""
        leaves_some = bool(not self.data.may_be_named(self.name) and untouched(recoding, self.values).any())
        step = Recode(self.name, recoding, _REASON, "star" if leaves_some else "ask")
        return _Level(step, called, recoding, not leaves_some)

    def together(self, k: int, hierarchy: Hierarchy | None = None, level: _Level | None = None) -> _Level:
        """Values of fewer than so many put together, all of them as coarse as a recoding where one is given."""
        called = f"values of fewer than {k} together"
        called, recoding = (called, None) if level is None else (f"{level.called}, {called}", level.recoding)
        reason = f"{_REASON}: {called}"
        return _Level(MergeRare(self.name, k, hierarchy=hierarchy, reason=reason, level=recoding), called, k=k)

    def n_labels(self, level: _Level) -> int:
        return len({*self.labels(level).tolist()} - {None})

    def tells(self, level: _Level) -> bool:
        """Whether it tells values apart, and not only whether there is one."""
        return self.n_labels(level) > 1

    def each_has(self, level: _Level, least: int) -> bool:
        """Whether each label is that of so many."""
        labels = self.labels(level)
        held = self.holders.of_each(len(labels)) > 0
        return all(self.holders.n(labels == label) >= least for label in {*labels[held].tolist()})

    def by_share(self) -> list[_Level]:
        """Values put together that fewer than some shares of all have; none where they are too few or too many."""
        n = self.holders.n(np.ones(len(self.values), dtype=bool))
        if are_few(n) or len(self.values) > _MOST_VALUES:
            return []
        return [self.together(k) for k in sorted({max(2, math.ceil(share * n)) for share in SHARES_OF_RARE})]

    def coarser_each(self, levels: list[_Level]) -> list[_Level]:
        """Those of the levels that make fewer labels than the one before, and still say something."""
        coarser, before = list[_Level](), len(self.values)
        for level in levels:
            if 1 < self.n_labels(level) < before:
                coarser.append(level)
                before = self.n_labels(level)
        return coarser

    def bands(self, levels: list[_Level]) -> Bands:
        return Bands(
            Hierarchy(tuple(map(self._recoding_of, levels)), tuple(level.called for level in levels)),
            tuple(level.step for level in levels),
        )

    def _recoding_of(self, level: _Level) -> Recoding:
        """What a level makes of these values, as a recoding."""
        if level.recoding is not None and level.is_whole:
            return level.recoding
        return ValueMap(tuple(zip(self.values.tolist(), self.labels(level).tolist(), strict=True)))


def says_something(levels: Levels, level: int) -> bool:
    """Whether a level tells values apart, and not only whether there is one."""
    pairs = zip(levels.label(0), levels.label(level), strict=True)
    return len({label for value, label in pairs if value is not None and label is not None}) > 1


def search_with_bands(
    problem: Problem, sensitive: Collection[str], budget: Budget, progress: Progress | None
) -> LeastChange | NothingFound:
    """The least change, also where a coarser sensitive column makes another guarantee harder to meet.

    A search begins with the highest levels, where values of a sensitive column are most alike. So the problem without
    bands is searched first, with half of the budget, and the first that is found of it is where the whole search
    begins, however much may be spent: so that more work never comes to a worse answer.
    """
    plain = without_bands(problem, sensitive)
    if plain is None:
        return within(problem, budget, progress)
    half, report = budget.part(0.5), progress or nobody
    begin = least_change(plain, work=0, progress=lambda _, solution=None: report(0.0, solution))
    start = begin.best if isinstance(begin, LeastChange) else None
    first = within(plain, half, share_of(report, 0.0, 0.5), start)
    whole = within(problem, half, share_of(report, 0.5, 1.0), start)
    early = first.ended_early or whole.ended_early
    if isinstance(first, LeastChange) and (isinstance(whole, NothingFound) or first.best.rank < whole.best.rank):
        return replace(first, proven=False, finished=whole.finished, ended_early=early)
    return replace(whole, ended_early=early)


def does(problem: Problem, sensitive: Collection[str] = ()) -> bool:
    """Whether the highest levels are found to do, or these with sensitive columns as they are."""
    plain = without_bands(problem, sensitive)
    return any(variant is not None and variant.settle(variant.highest) is not None for variant in (problem, plain))


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
