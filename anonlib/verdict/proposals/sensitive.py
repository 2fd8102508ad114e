"""Columns in bands beside those that are known: bands, groups of codes, and rare values put together.

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

from anonlib.analyses.generalization.search import Found, NothingFound, Problem, Watch, least_change, within
from anonlib.basics.budget import Budget
from anonlib.coarsening.hierarchies import SHARES_OF_RARE, Hierarchy, Holders, Levels, are_few
from anonlib.coarsening.recoding import Recoding, ValueMap, named, untouched
from anonlib.dataset import Dataset
from anonlib.release.steps import MergeRare, Recode, Step
from anonlib.release.steps.rare import holders_of

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
        lists_alone = bool(hierarchy.n_named) and not any(every.tells(every.recoded(each)) for each in rules.recodings)
        hierarchy = hierarchy if rules == hierarchy else rules
    else:
        lists_alone = False
    steps: list[tuple[Recode | MergeRare, str]] = [
        (every.recoded(recoding), hierarchy.describe(level)) for level, recoding in enumerate(hierarchy.recodings, 1)
    ]
    steps = [(step, called) for step, called in steps if every.tells(step)]
    if lists_alone:
        steps = every.coarser_each(every.by_share())
    are_many = len(every.values) > _MOST_VALUES or not len(every.values)
    if least < 2 or are_many or any(every.each_has(step, least) for step, _ in steps):
        return every.bands(steps)
    near = None if lists_alone or not steps else hierarchy
    first = MergeRare(name, least, hierarchy=near)
    if not every.tells(first) or every.n_labels(first) == len(every.values):
        return every.bands(steps)
    together = f"values of fewer than {least} together"
    joined: list[tuple[Recode | MergeRare, str]] = [(first, together)]
    for step, called in steps:
        if isinstance(step, Recode):
            joined.append((replace(first, level=step.recoding), f"{called}, {together}"))
        elif step.k > least:
            joined.append((step, called))
    return every.bands(every.coarser_each(joined))


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of the data, and what steps make of its values."""

    data: Dataset
    name: str
    values: np.ndarray
    made: dict[Step, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Dataset, name: str) -> _Column:
        return cls(data, name, data.held.counts_of(name).values)

    @cached_property
    def holders(self) -> Holders:
        return holders_of(self.data, self.name, self.values)

    def labels(self, step: Recode | MergeRare) -> np.ndarray:
        if step not in self.made:
            by_data = isinstance(step, MergeRare)
            self.made[step] = step.labels(self.data) if by_data else step.labels(self.values)  # type: ignore[arg-type]
        return self.made[step]

    def recoded(self, recoding: Recoding) -> Recode:
        """The step of a recoding. Values that it does not apply to are named nowhere, so that they leave as ``*``."""
        leaves_some = not self.data.may_be_named(self.name) and untouched(recoding, self.values).any()
        return Recode(self.name, recoding, _REASON, "star" if leaves_some else "ask")

    def n_labels(self, step: Recode | MergeRare) -> int:
        return len({*self.labels(step).tolist()} - {None})

    def tells(self, step: Recode | MergeRare) -> bool:
        """Whether it tells values apart, and not only whether there is one."""
        return self.n_labels(step) > 1

    def each_has(self, step: Recode | MergeRare, least: int) -> bool:
        """Whether each label is that of so many."""
        labels = self.labels(step)
        held = self.holders.of_each(len(labels)) > 0
        return all(self.holders.n(labels == label) >= least for label in {*labels[held].tolist()})

    def by_share(self) -> list[tuple[Recode | MergeRare, str]]:
        """Values put together that fewer than some shares of all have; none where they are too few or too many."""
        n = self.holders.n(np.ones(len(self.values), dtype=bool))
        if are_few(n) or len(self.values) > _MOST_VALUES:
            return []
        least = sorted({max(2, math.ceil(share * n)) for share in SHARES_OF_RARE})
        return [(MergeRare(self.name, k), f"values of fewer than {k} together") for k in least]

    def coarser_each(self, steps: list[tuple[Recode | MergeRare, str]]) -> list[tuple[Recode | MergeRare, str]]:
        """Those of the steps that make fewer labels than the one before, and still say something."""
        kept, before = list[tuple[Recode | MergeRare, str]](), len(self.values)
        for step, called in steps:
            if 1 < self.n_labels(step) < before:
                kept.append((step, called))
                before = self.n_labels(step)
        return kept

    def bands(self, steps: list[tuple[Recode | MergeRare, str]]) -> Bands:
        return Bands(
            Hierarchy(tuple(self._level(step) for step, _ in steps), tuple(called for _, called in steps)),
            tuple(
                step if isinstance(step, Recode) else step.with_reason(f"{_REASON}: {called}") for step, called in steps
            ),
        )

    def _level(self, step: Recode | MergeRare) -> Recoding:
        """The level of a hierarchy that a step makes of these values."""
        if isinstance(step, Recode) and step.others == "ask":
            return step.recoding
        return ValueMap(tuple(zip(self.values.tolist(), self.labels(step).tolist(), strict=True)))


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
