"""The schedule with the smallest anonymity vector, and what is proven about it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.ruled.solve import solve_ruled
from anonlib.analyses.schedules.rules import Rule, restrictions
from anonlib.analyses.schedules.schedule import Counts, Schedule, checked_counts, checked_programme, dealt, schedule_of
from anonlib.analyses.schedules.solver.plain import solve_plain
from anonlib.analyses.schedules.solver.search import Deadline
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, Budget, Stopwatch
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import anonymity_vector

WORK = 20 * A_SECOND
"""What a search may do by default (:class:`anonlib.basics.budget.Budget`)."""


def optimal_schedule(
    frequencies: Counts,
    capacities: Counts,
    *,
    quasi_ids: Counts | None = None,
    allowed: np.ndarray | None = None,
    rules: Sequence[Rule] | None = None,
    work: float = WORK,
    time_limit: float | None = None,
    progress: Progress | None = None,
    seed: int = 0,
    greedy: Sequence[Schedule] = (),
) -> Schedule:
    """The schedule with the smallest anonymity vector, or the best found.

    As much work comes to the same schedule on every machine.

    Parameters
    ----------
    frequencies : Counts
        (G,) people of each group, at least 1.
    capacities : Counts
        (R,) places of each slot, 0 for a closed one.
    quasi_ids : Counts, optional
        (G,) the quasi-identifier value of each group, counted from 0; by default each group is a value of its own.
    allowed : np.ndarray, optional
        (G, R) whether a group may go to a slot.
    rules : Sequence[Rule], optional
        The paper's E1 and E2.
    work : float, default WORK
        How much the search may do, as in :class:`anonlib.basics.budget.Budget`; a little more for what was begun.
    time_limit : float, optional
        After so many seconds it is ended early, and what it comes to is marked so.
    progress : Progress, optional
        Called with the share of the work done and the best schedule so far; what it raises ends the search.
    seed : int, default 0
        Draws the packings that are tried.
    greedy : Sequence[Schedule], default ()
        What both greedy rules make of the values and slots, published and reference, where they are at hand: without
        rules the search begins with them.

    Returns
    -------
    Schedule

    Raises
    ------
    InputError
        If there is no schedule, naming who or what is in the way.

    References
    ----------
    Caballero et al. 2017, section 6; proofs in docs/analyses/schedules.md.

    Examples
    --------
    The running example of the paper: of 14,504 schedules all but 58 leave somebody alone.

    >>> found = optimal_schedule([4, 4, 5, 2], [4, 2, 4, 3, 2])
    >>> found.vector.sizes.tolist(), found.vector.classes.tolist(), found.proven
    ([2, 3, 4], [2, 1, 2], True)
    """
    people, places = checked_programme(frequencies, capacities)
    value = _checked_values(quasi_ids, len(people))
    checks.number(work, "The work of a search")
    if time_limit is not None and checks.number(time_limit, "The time limit") < 0:
        raise InputError("The time limit must be 0 seconds or more.", code="time-limit-too-short")
    may_go, mix = restrictions(rules or (), allowed, people, places)
    if not len(people):
        nobody = sparse.csr_array((0, len(places)), dtype=np.int64)
        return schedule_of("optimal", nobody, 0.0, proven=True, certified_prefix=0, bound=anonymity_vector([]))
    latest = _Latest(value, progress)
    deadline = Deadline(Budget(work, time_limit), latest.progress)
    if may_go is None and mix is None:
        merged = np.bincount(value, weights=people).astype(np.int64)
        solution = solve_plain(
            merged, places, deadline, seed, lambda cells: latest.offer(dealt(cells, people, value)), greedy
        )
        groups = dealt(solution.groups, people, value)
    else:
        solution = solve_ruled(people, places, value, may_go, mix, deadline, seed, latest.offer)
        groups = solution.groups
    return schedule_of(
        "optimal", groups, deadline.seconds, quasi_ids=value, proven=solution.proven,
        certified_prefix=int(solution.vector.sizes.max(initial=0)) if solution.proven else solution.prefix,
        bound=solution.bound, ended_early=deadline.ended_early and not solution.proven,
    )  # fmt: skip


class _Latest:
    """The best schedule so far, made when it is reported, in the caller's thread."""

    def __init__(self, value: np.ndarray, progress: Progress | None) -> None:
        self._value, self._progress = value, progress
        self._cells: sparse.csr_array | None = None
        self._schedule: Schedule | None = None
        self._stopwatch = Stopwatch()

    def offer(self, groups: sparse.csr_array) -> None:
        self._cells = groups

    def progress(self, share: float, _so_far: None = None, /) -> None:
        if self._progress is None:
            return
        cells, self._cells = self._cells, None
        if cells is not None:
            self._schedule = schedule_of(
                "optimal", cells, self._stopwatch.seconds, quasi_ids=self._value, ended_early=True
            )  # who stops it here has this one
        self._progress(share, self._schedule)


def _checked_values(quasi_ids: Counts | None, n_groups: int) -> np.ndarray:
    """(G,) the value of each group, counted from 0 without gaps."""
    if quasi_ids is None:
        return np.arange(n_groups)
    value = checked_counts(quasi_ids, "quasi-identifier values", "group")
    if len(value) != n_groups:
        raise InputError(
            f"There are {n_groups:,} groups and {len(value):,} quasi-identifier values: each group needs one.",
            code="list-of-other-length",
        )
    if len(value) and len(np.unique(value)) != value.max() + 1:
        raise InputError(
            "The quasi-identifier values of the groups must be counted from 0, without gaps.", code="groups-wrong"
        )
    return value
