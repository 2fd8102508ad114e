"""The whole search: a first answer by both greedy ways, then a proof or better answers for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from anonlib.analyses.generalization.search.branch_and_bound import BranchAndBound
from anonlib.analyses.generalization.search.greedy import Look, bottom_up, take_back, top_down
from anonlib.analyses.generalization.search.impossible import is_impossible
from anonlib.analyses.generalization.search.nearby import Nearby, downhill
from anonlib.analyses.generalization.search.problem import Problem, Settled
from anonlib.analyses.generalization.search.state_counts import StateCounts
from anonlib.basics import checks

_FEW, _MANY = 5_000, 1_000_000  # states: looked at without a first answer; not soon proven
_NEARBY, _PROVING = 0.4, 0.5  # of the time, when what is near the first answer, and the proof, give way
Greedy = Callable[[Problem, Look], Settled | None]
Watch = Callable[[float, "Found | None"], None]
"""Called with the share of the search that is done, in [0, 1], and the best so far; may raise to stop."""


@dataclass(frozen=True)
class Found:
    """The least change that a search found.

    Attributes
    ----------
    best : Settled
        The state, its loss and the records it leaves out.
    first : float
        The loss of the first answer.
    proven : bool
        No other state loses less. Only where the fewest are left out exactly (:attr:`Problem.is_exact`).
    finished : bool
        The search came to its end; else there was no more time.
    seconds : float
        How long it took.
    complete : bool, default True
        Every state that may do was looked at (:attr:`Problem.is_complete`), where it came to its end.
    by_parts : bool, default False
        Parts of the table have levels of their own; the state of ``best`` is the highest of each column.
    with_blanks : bool, default False
        Single cells are blank besides, at the levels of ``best``.
    """

    best: Settled
    first: float
    proven: bool
    finished: bool
    seconds: float
    complete: bool = True
    by_parts: bool = False
    with_blanks: bool = False


@dataclass(frozen=True)
class NothingFound:
    """No state was found at which everything holds.

    Attributes
    ----------
    proven : bool
        There is none, no matter who is left out.
    finished : bool
        Every state was looked at or ruled out; else there was no more time. Where it is not proven, another choice of
        whom to leave out may do all the same.
    complete : bool, default True
        Every state that may do was looked at (:attr:`Problem.is_complete`), where it came to its end.
    """

    proven: bool
    finished: bool
    complete: bool = True


class _OutOfTime(Exception):
    """The time is over; the best so far is the answer."""


class _Clock:
    def __init__(self, seconds: float | None) -> None:
        self.started = time.monotonic()
        self.until = None if seconds is None else self.started + checks.number(seconds, "The time for the search")

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def share(self) -> float:
        """Of the time that there is, how much is over; 0 where it has no end, or is that of a first answer alone."""
        if self.until is None or self.until <= self.started:
            return 0.0
        return min(1.0, self.seconds / max(self.until - self.started, 1e-9))

    def look(self, share_of_time: float = 1.0) -> None:
        """Raises when so much of the time is over."""
        if self.until is not None and self.seconds > share_of_time * (self.until - self.started):
            raise _OutOfTime


def least_change(
    problem: Problem,
    *,
    seconds: float | None = None,
    watch: Watch | None = None,
    start: Settled | None = None,
    rng: np.random.Generator | None = None,
) -> Found | NothingFound:
    """The state that loses least, with the records left out that it takes for everything to hold.

    Parameters
    ----------
    problem : Problem
        What is searched. It remembers what it has counted: searching it again goes on from there.
    seconds : float, optional
        How long to search; until it is proven when left out. A first answer is always completed.
    watch : Watch, optional
        See :data:`Watch`.
    start : Settled, optional
        A state at hand, such as the best of an earlier search.
    rng : Generator, optional
        Draws neighbourhoods where there was no time for a proof; seed 0 without it.

    Returns
    -------
    Found, or NothingFound where no state does, or none was found in time

    References
    ----------
    Branch and bound for k-anonymity: Bayardo and Agrawal (2005). Large neighbourhood search: Shaw (1998).
    """
    clock, tell = _Clock(seconds), watch or (lambda share, found: None)
    before, problem.pause = problem.pause, lambda: tell(clock.share, None)
    try:
        return _searched(problem, clock, tell, start, rng)
    finally:
        problem.pause = before


def _searched(
    problem: Problem, clock: _Clock, tell: Watch, start: Settled | None, rng: np.random.Generator | None
) -> Found | NothingFound:
    if problem.settle(problem.highest) is None and is_impossible(problem):
        return NothingFound(proven=True, finished=True)
    if problem.is_large and problem.settle(problem.highest) is None:  # nothing below is likely to do
        return NothingFound(proven=False, finished=True, complete=False)
    answers = [start] if start is not None else []
    search, counts = BranchAndBound(problem, None), StateCounts(problem)
    is_small = problem.n_states <= _MANY and search.n_open <= _FEW and problem.is_complete and not problem.is_large
    is_quick = is_small or not problem.adds_up  # first answers would cost more than they save
    greedy: tuple[Greedy, ...] = (partial(_downhill, counts) if counts.is_exact else top_down, bottom_up)
    best = _first_answer(problem, answers, clock, tell, () if is_quick else greedy)
    if best is None and not problem.is_complete:
        return NothingFound(proven=False, finished=True, complete=False)
    if problem.is_large and best is not None:
        problem.pause = clock.look

    def look(share: float, found: Settled | None, of_time: float) -> None:
        if found is not None and not answers:
            answers.append(found)
        so_far = None if found is None else Found(found, answers_first(), False, False, clock.seconds)
        tell(max(share, clock.share), so_far)
        clock.look(of_time)

    def answers_first() -> float:
        return min(answers, key=lambda each: each.rank).loss

    def improved(best: Settled, of_time: float, further: bool) -> Settled:
        nearby = Nearby(problem, counts, best, lambda found: look(0.0, found, of_time))
        try:
            nearby.exchange()
            if further:
                nearby.further(rng or np.random.default_rng(0))
        except _OutOfTime:
            pass
        return nearby.best

    if best is not None and problem.n_states > _MANY and counts.is_exact:
        best = improved(best, _NEARBY, further=False)
    search.best = best
    finished = True
    try:
        search.run(lambda share, found: look(share, found, 1.0 if found is None else _PROVING))
    except _OutOfTime:
        finished = False
        if search.best is None and is_quick:
            search.best = _first_answer(problem, answers, clock, tell, greedy)
    best = search.best
    if best is None:
        return NothingFound(finished and problem.is_exact, finished, problem.is_complete)
    first = answers_first() if answers else best.loss
    if not finished:
        best = improved(best, 1.0, further=True)
    problem.pause = lambda: tell(1.0, None)
    if not finished and not problem.is_large:
        best = take_back(problem, best, lambda _: None)
    return Found(best, first, finished and problem.is_exact, finished, clock.seconds, problem.is_complete)


def _downhill(counts: StateCounts, problem: Problem, look: Look) -> Settled | None:
    """The first answer where states are soon weighed: downhill from the coarsest."""
    return problem.settle(downhill(counts, problem.highest, lambda state: look(problem.settle(state))))


def _first_answer(
    problem: Problem, answers: list[Settled], clock: _Clock, tell: Watch, ways: Sequence[Greedy]
) -> Settled | None:
    """The best of greedy ways, and of a state at hand where it still does.

    All are completed, but of a large problem: there what does when the time is over is the answer.
    """
    at_hand = [problem.settle(each.state) for each in answers]
    answers[:] = [each for each in at_hand if each is not None]
    latest = list(answers)

    def look(found: Settled | None) -> None:
        if found is not None:
            latest.append(found)
        best = min(latest, key=lambda each: each.rank, default=None)
        latest[:] = [] if best is None else [best]
        tell(clock.share, None if best is None else Found(best, best.loss, False, False, clock.seconds))
        if problem.is_large and best is not None:
            clock.look()

    problem.pause = lambda: look(None)
    try:
        answers[:] = [take_back(problem, each, look) for each in answers]
        for way in ways:
            if (found := way(problem, look)) is not None:
                look(found)
    except _OutOfTime:
        pass
    answers[:] = latest
    return latest[0] if latest else None
