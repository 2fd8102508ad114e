"""The finest policy that keeps a promise in enough draws, and which one does at which number of new people.

The lattice of policies comes first, then the search, and last the table that is a rule for the periods to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
import pandas as pd

from anonlib.analyses.forecast.futures import Futures, Promise, forecast, kept_after_each
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy, Levels, levels_of
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import tally

PolicyLevels = tuple[int, ...]
"""A policy: the level of each column, 0 as it is."""
MOST_POLICIES = 50_000
"""Policies of a lattice."""
_UNKNOWN, _KEPT, _BROKEN = 0, 1, -1
_DECIMALS = 11  # losses that differ by the order of adding are alike


@dataclass(frozen=True, eq=False)
class LevelLattice:
    """All policies that release each column on one level of its hierarchy.

    Attributes
    ----------
    classes : ClassTable
        The people who may come, by these columns as they are, and perhaps by others.
    hierarchies : Mapping[str, Hierarchy]
        By column that is released.

    Raises
    ------
    InputError
        When a hierarchy does not fit the values (:meth:`Hierarchy.on`), there is none, or there are too many policies.
    """

    classes: ClassTable
    hierarchies: Mapping[str, Hierarchy]

    def __post_init__(self) -> None:
        if not self.hierarchies or not self.classes.n_records:
            raise InputError("Policies need at least one quasi-identifier and one record.", code="nothing-to-count")
        if self.n_policies > MOST_POLICIES:
            raise InputError(
                f"These columns have {self.n_policies:,} combinations of levels, more than {MOST_POLICIES:,}. Leave a "
                "column out, or give one fewer levels.",
                code="too-many-policies",
            )

    @cached_property
    def _levels(self) -> dict[str, Levels]:
        return levels_of(self.classes, self.hierarchies)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that are released, in the order of a policy's levels."""
        return tuple(self._levels)

    @cached_property
    def highest(self) -> PolicyLevels:
        """The coarsest policy."""
        return tuple(levels.n_levels - 1 for levels in self._levels.values())

    @property
    def n_policies(self) -> int:
        """How many policies there are."""
        return prod(high + 1 for high in self.highest)

    @cached_property
    def policies(self) -> np.ndarray:
        """int64, policies x columns: their levels, in lexicographic order."""
        return np.indices([high + 1 for high in self.highest]).reshape(len(self.highest), -1).T

    @cached_property
    def losses(self) -> np.ndarray:
        """float64, per policy the detail of cells that it loses: 0 of people as they are, 1 of all in one class.

        The mean, over columns and over all people who may come, of (values with one's label - 1) / (values - 1), as
        "detail of cells" on the Generalize page, there of records (Iyengar 2002; Xu et al. 2006).
        """
        total = np.zeros(self.n_policies)
        for j, (name, levels) in enumerate(self._levels.items()):
            place = self.classes.attributes.index(name)
            people = np.bincount(self.classes.codes[:, place], self.classes.counts, levels.n_values)
            of_level = [float(people @ levels.loss(level)) / people.sum() for level in range(levels.n_levels)]
            total += np.array(of_level)[self.policies[:, j]]
        return np.asarray(np.round(total / len(self.columns), _DECIMALS))

    def position(self, policy: Iterable[int]) -> int:
        """Where a policy stands among all.

        Parameters
        ----------
        policy : Iterable[int]
            Its levels, by column.

        Returns
        -------
        int

        Raises
        ------
        InputError
            When there is no such level.
        """
        levels = tuple(policy)
        if len(levels) != len(self.highest) or not all(0 <= a <= b for a, b in zip(levels, self.highest, strict=True)):
            raise InputError(
                "A policy has one level a column, from 0 to the last of its hierarchy.", code="level-unknown"
            )
        return int(np.ravel_multi_index(levels, [high + 1 for high in self.highest]))

    def groups(self, policy: Iterable[int]) -> np.ndarray:
        """The class in which each combination of values is released.

        Parameters
        ----------
        policy : Iterable[int]
            Its levels, by column.

        Returns
        -------
        int32 array, one item a class of ``classes``
            Numbers from 0, of which some may be nobody's.
        """
        chosen = self.policies[self.position(policy)]
        columns, spans = [], []
        for (name, levels), level in zip(self._levels.items(), chosen.tolist(), strict=True):
            columns.append(levels.group[level][self.classes.codes[:, self.classes.attributes.index(name)]])
            spans.append(len(levels.labels[level]))
        return tally(columns, spans, self.classes.counts)[0].astype(np.int32)

    def describe(self, policy: Iterable[int]) -> dict[str, str]:
        """A policy in words.

        Parameters
        ----------
        policy : Iterable[int]
            Its levels, by column.

        Returns
        -------
        dict of str by column
            ``as it is``, ``intervals of 5``, ``removed``.
        """
        return {
            name: self.hierarchies[name].describe(level)
            for name, level in zip(self.columns, self.policies[self.position(policy)].tolist(), strict=True)
        }


def fewer_levels(hierarchies: Mapping[str, Hierarchy], most: int = MOST_POLICIES) -> dict[str, Hierarchy]:
    """The same columns with at most so many policies: of those with most levels one in the middle is left aside.

    A column keeps at least its values as they are and its coarsest level, so that many columns can still have more
    policies.

    Parameters
    ----------
    hierarchies : Mapping[str, Hierarchy]
        By column.
    most : int, default MOST_POLICIES
        Policies, 1 or more.

    Returns
    -------
    dict of Hierarchy by column
        As they were where they have no more policies.

    Examples
    --------
    >>> from anonlib.coarsening.hierarchies import EVERYTHING
    >>> from anonlib.coarsening.recoding import Intervals
    >>> ages = Hierarchy((Intervals(5), Intervals(10), Intervals(20), EVERYTHING))
    >>> [way.width for way in fewer_levels({"age": ages, "weight": ages}, 16)["age"].recodings[:-1]]
    [5.0, 20.0]
    """
    fewer = dict(hierarchies)
    while prod(1 + len(hierarchy.recodings) for hierarchy in fewer.values()) > most:
        name = max(fewer, key=lambda name: len(fewer[name].recodings))
        levels = list(fewer[name].recodings)
        if len(levels) < 2:
            break
        del levels[(len(levels) - 2) // 2 if len(levels) < 4 else (len(levels) - 1) // 2]
        fewer[name] = replace(fewer[name], recodings=tuple(levels))
    return fewer


# ---- the finest that keeps a promise ----


@dataclass(frozen=True, eq=False)
class FinestPolicy:
    """The policy of least loss among those that keep a promise in enough of the draws.

    Attributes
    ----------
    lattice : LevelLattice
        All policies that were to choose from.
    promise : Promise
        What is kept.
    policy : PolicyLevels, optional
        Its levels; None where no policy keeps the promise, or none that was looked at so far.
    loss : float
        The detail it loses, in [0, 1]; 1 without a policy.
    kept, draws : int
        In how many draws the promise is kept, and of how many.
    ties : tuple[PolicyLevels, ...]
        Others that lose as much and keep the promise too. Of all of them the one that keeps it in most draws is taken,
        then the first by its levels.
    looked_at : int
        Policies that were counted; the others follow, being coarser or finer in every column.
    finished : bool
        Whether no finer policy keeps the promise in these draws; else the search was stopped before.
    """

    lattice: LevelLattice
    promise: Promise
    policy: PolicyLevels | None
    loss: float
    kept: int
    draws: int
    ties: tuple[PolicyLevels, ...]
    looked_at: int
    finished: bool


def finest_policy(
    futures: Futures, lattice: LevelLattice, promise: Promise, progress: Progress = nobody
) -> FinestPolicy:
    """The finest policy that keeps a promise in enough of the draws.

    On the same draws, a coarser policy's classes are unions of a finer one's, so that fewer people are in small ones:
    what breaks the promise breaks it the more the finer. So the search, which skips what follows, is exact.

    Parameters
    ----------
    futures : Futures
        The draws, of the classes of the lattice.
    lattice : LevelLattice
        The policies.
    promise : Promise
        What is to be kept.
    progress : Progress, optional
        Gets the share done, and the best so far.

    Returns
    -------
    FinestPolicy
    """
    needed = promise.needed(futures.draws)
    kept: dict[int, int] = {}

    def keeps(position: int) -> np.ndarray:
        group = lattice.groups(lattice.policies[position].tolist())
        kept[position] = forecast(futures, group, promise.k).kept(promise)
        return np.array([kept[position] >= needed])

    search = _LatticeSearch(lattice, keeps, 1)

    def answer(finished: bool) -> FinestPolicy:
        best = search.best(0)
        for position in best:
            if position not in kept:
                keeps(position)
        best = sorted(best, key=lambda position: (-kept[position], position))
        policies = [tuple(lattice.policies[position].tolist()) for position in best]
        policy = policies[0] if policies else None
        loss = float(lattice.losses[best[0]]) if best else 1.0
        in_draws = kept[best[0]] if best else 0
        ties = tuple(policies[1:])
        return FinestPolicy(
            lattice, promise, policy, loss, in_draws, futures.draws, ties, len(search.looked_at), finished
        )

    for share in search.steps():
        progress(share, answer(False))
    return answer(True)


class _LatticeSearch:
    """Which policies do something that every coarser one does too; of several such things at once.

    Of each, all policies are decided that lose no more than the best one: what does it, what does not, or what follows.
    """

    def __init__(self, lattice: LevelLattice, does: Callable[[int], np.ndarray], things: int) -> None:
        self._lattice, self._does = lattice, does
        self._known = np.zeros((lattice.n_policies, things), dtype=np.int8)
        self._least = np.full(things, np.inf)
        self.looked_at: list[int] = []

    def best(self, thing: int) -> list[int]:
        """The policies of least loss that do it, as far as is known."""
        does = (self._known[:, thing] == _KEPT) & (self._lattice.losses == self._least[thing])
        return np.flatnonzero(does).tolist()

    def steps(self) -> Iterable[float]:
        """Decide all; yields what is done, in [0, 1], after each policy that was looked at."""
        for thing in range(len(self._least)):
            while (open_ones := np.flatnonzero(self._open(thing))).size:
                finest = int(open_ones[np.argmin(self._lattice.losses[open_ones])])
                chain = self._chain(finest, thing)
                low, high = -1, len(chain)
                while high - low > 1:
                    middle = (low + high) // 2
                    if self._look_at(chain[middle])[thing]:
                        high = middle
                    else:
                        low = middle
                    yield 1 - sum(self._open(other).sum() for other in range(len(self._least))) / self._known.size

    def _open(self, thing: int) -> np.ndarray:
        return (self._known[:, thing] == _UNKNOWN) & (self._lattice.losses <= self._least[thing])

    def _chain(self, finest: int, thing: int) -> list[int]:
        """Undecided policies from a policy on, each coarser than the one before by a level of one column."""
        policies, losses, highest = self._lattice.policies, self._lattice.losses, self._lattice.highest
        chain = [finest]
        while True:
            now = policies[chain[-1]]
            above = [
                self._lattice.position((*now[:j], now[j] + 1, *now[j + 1 :]))
                for j in range(len(highest))
                if now[j] < highest[j]
            ]
            above = [position for position in above if self._known[position, thing] == _UNKNOWN]
            if not above:
                return chain
            chain.append(min(above, key=lambda position: (losses[position], position)))

    def _look_at(self, position: int) -> np.ndarray:
        policies, losses = self._lattice.policies, self._lattice.losses
        does = self._does(position)
        self.looked_at.append(position)
        coarser = (policies >= policies[position]).all(axis=1)
        finer = (policies <= policies[position]).all(axis=1)
        for thing in range(len(does)):
            if does[thing]:
                self._known[coarser, thing] = _KEPT
                self._least[thing] = min(self._least[thing], losses[position])
            else:
                self._known[finer, thing] = _BROKEN
        return does


# ---- a rule for the periods to come ----


@dataclass(frozen=True)
class PolicyRange:
    """The finest policy for a range of numbers of people, each of which it keeps the promise for.

    Attributes
    ----------
    first, last : int
        The least and the largest number of people.
    policy : PolicyLevels, optional
        Its levels; None where no policy keeps the promise for each number, or none that was looked at so far.
    loss : float
        The detail it loses, in [0, 1]; 1 without a policy.
    kept : int
        In how many draws it keeps the promise for the number for which it keeps it in fewest.
    hardest : int
        That number; 0 without a policy.
    """

    first: int
    last: int
    policy: PolicyLevels | None
    loss: float
    kept: int
    hardest: int


@dataclass(frozen=True, eq=False)
class PolicyTable:
    """Which policy to release by, by the number of new people.

    Attributes
    ----------
    lattice : LevelLattice
        All policies.
    promise : Promise
        What is kept.
    draws : int
        Draws of each number of people.
    ranges : tuple[PolicyRange, ...]
        By number of people; ranges side by side of one policy are one.
    looked_at : int
        Policies that were counted.
    finished : bool
        Whether no finer policy keeps the promise in these draws; else the search was stopped before.
    """

    lattice: LevelLattice
    promise: Promise
    draws: int
    ranges: tuple[PolicyRange, ...]
    looked_at: int
    finished: bool

    def to_frame(self) -> pd.DataFrame:
        """One row a range: its numbers, what each column becomes, the loss, and draws that keep the promise."""
        rows = []
        for row in self.ranges:
            of_columns = dict.fromkeys(self.lattice.columns, "no release")
            if row.policy is not None:
                of_columns = self.lattice.describe(row.policy)
            rows.append(
                {
                    "people from": row.first,
                    "people to": row.last,
                    **{f"{name}: level": text for name, text in of_columns.items()},
                    "detail lost": row.loss,
                    "draws that keep it": row.kept,
                    "draws": self.draws,
                    "fewest at": row.hardest,
                }
            )
        return pd.DataFrame(rows)


def usual_ranges(least: int, most: int) -> tuple[tuple[int, int], ...]:
    """Ranges of numbers of people that end on a scale of 1, 2 and 5.

    Parameters
    ----------
    least, most : int
        Where the first begins and the last ends.

    Returns
    -------
    tuple of pairs
        The first and the last number of each.

    Examples
    --------
    >>> usual_ranges(11, 100)
    ((11, 19), (20, 49), (50, 100))
    """
    scale = [factor * 10**power for power in range(len(str(most)) + 1) for factor in (1, 2, 5)]
    begins = [least, *(number for number in scale if least < number < most)]
    return tuple(zip(begins, [*(begin - 1 for begin in begins[1:]), most], strict=True))


def policy_table(
    futures: Futures,
    lattice: LevelLattice,
    promise: Promise,
    ranges: Sequence[tuple[int, int]],
    progress: Progress = nobody,
) -> PolicyTable:
    """The finest policy for each range of numbers of people, which keeps the promise for every number in it.

    Of more people a larger share may be in small classes: a policy that keeps a promise for a number need not keep it
    for every larger one. So every number is looked at.

    Parameters
    ----------
    futures : Futures
        The draws, of the classes of the lattice and of one number of people: the largest of the ranges, or more.
    lattice : LevelLattice
        The policies.
    promise : Promise
        What is to be kept.
    ranges : Sequence[tuple[int, int]]
        The least and the largest number of each, 1 or more.
    progress : Progress, optional
        Gets the share done, and the table so far.

    Returns
    -------
    PolicyTable

    Raises
    ------
    InputError
        When the draws have fewer people than a range.

    References
    ----------
    Brown et al. 2022, "Dynamic policy search", of the least number of each range alone.
    """
    if not ranges or any(not 1 <= first <= last <= int(futures.ends.min()) for first, last in ranges):
        raise InputError(
            f"Ranges of people go from 1 to the {words.count(int(futures.ends.min()), 'people')} that were drawn.",
            code="number-out-of-range",
        )
    needed = promise.needed(futures.draws)
    kept: dict[int, list[tuple[int, int]]] = {}

    def keeps(position: int) -> np.ndarray:
        after = kept_after_each(futures, lattice.groups(lattice.policies[position].tolist()), promise)
        hardest = [first + int(np.argmin(after[first : last + 1])) for first, last in ranges]
        kept[position] = [(int(after[number]), number) for number in hardest]
        return np.array([fewest >= needed for fewest, _ in kept[position]])

    search = _LatticeSearch(lattice, keeps, len(ranges))

    def row(i: int) -> PolicyRange:
        first, last = ranges[i]
        best = search.best(i)
        if not best:
            return PolicyRange(first, last, None, 1.0, 0, 0)
        for position in best:
            if position not in kept:
                keeps(position)
        position = min(best, key=lambda position: (-kept[position][i][0], position))
        policy = tuple(lattice.policies[position].tolist())
        return PolicyRange(first, last, policy, float(lattice.losses[position]), *kept[position][i])

    def answer(finished: bool) -> PolicyTable:
        rows = _joined(map(row, range(len(ranges))))
        return PolicyTable(lattice, promise, futures.draws, rows, len(search.looked_at), finished)

    for share in search.steps():
        progress(share, answer(False))
    return answer(True)


def _joined(rows: Iterable[PolicyRange]) -> tuple[PolicyRange, ...]:
    """Ranges side by side of one policy as one, which keeps the promise in fewest draws where either does."""
    joined: list[PolicyRange] = []
    for row in rows:
        before = joined[-1] if joined else None
        if before is None or before.policy != row.policy or before.last + 1 != row.first:
            joined.append(row)
            continue
        fewest = min(before, row, key=lambda one_range: one_range.kept)
        joined[-1] = replace(fewest, first=before.first, last=row.last)
    return tuple(joined)
