"""The whole search: a first answer by both greedy ways, then a proof or better answers for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.search.branch_and_bound import BranchAndBound
from anonlib.analyses.generalization.search.greedy import Look, bottom_up, take_back, top_down
from anonlib.analyses.generalization.search.impossible import is_impossible
from anonlib.analyses.generalization.search.problem import Problem, Settled
from anonlib.basics import checks

_FREED = 4  # columns a neighbourhood lets change
_GREEDY = (top_down, bottom_up)
_FEW = 5_000  # states that are looked at without a first answer
_DRAWS = 40  # neighbourhoods without gain before a search gives up
Greedy = Callable[[Problem, Look], Settled | None]
Watch = Callable[[float, "Found | None"], None]
"""Called with the share of the search that is done, in [0, 1], and the best so far; may raise to stop."""


@dataclass(frozen=True)
class Found:
    """The least change that a search found.

    Attributes
    ----------
    best : the state, its loss and the records it leaves out.
    first : the loss of the first answer.
    proven : no other state loses less. Only where the fewest are left out exactly (:attr:`Problem.is_exact`).
    finished : the search came to its end; else there was no more time.
    seconds : how long it took.
    complete : every state that may do was looked at (:attr:`Problem.is_complete`), where it came to its end.
    by_parts : parts of the table have levels of their own; the state of ``best`` is the highest of each column.
    with_blanks : single cells are blank besides, at the levels of ``best``.
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
    proven : there is none, no matter who is left out.
    finished : every state was looked at or ruled out; else there was no more time. Where it is not proven, another
        choice of whom to leave out may do all the same.
    complete : every state that may do was looked at (:attr:`Problem.is_complete`), where it came to its end.
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
        """Of the time that there is, how much is over; 0 where it has no end."""
        if self.until is None:
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
    watch : callable, optional
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
    search = BranchAndBound(problem, None)
    is_small = search.n_open <= _FEW and problem.is_complete and not problem.is_large
    is_quick = is_small or not problem.adds_up  # first answers would cost more than they save
    best = _first_answer(problem, answers, clock, tell, () if is_quick else _GREEDY)
    if best is None and not problem.is_complete:
        return NothingFound(proven=False, finished=True, complete=False)
    search.best = best
    if problem.is_large and best is not None:
        problem.pause = clock.look

    def see(share: float, found: Settled | None) -> None:
        if found is not None and not answers:
            answers.append(found)
        so_far = None if found is None else Found(found, answers_first(), False, False, clock.seconds)
        tell(max(share, clock.share), so_far)
        clock.look(1.0 if found is None else 0.5)

    def answers_first() -> float:
        return min(answers, key=lambda each: each.rank).loss

    finished = True
    try:
        search.run(see)
    except _OutOfTime:
        finished = False
        if search.best is None and is_quick:
            search.best = _first_answer(problem, answers, clock, tell, _GREEDY)
    best = search.best
    if best is None:
        return NothingFound(finished and problem.is_exact, finished, problem.is_complete)
    first = answers_first() if answers else best.loss
    if not finished:
        best = _neighbourhoods(problem, best, clock, tell, first, rng or np.random.default_rng(0))
    problem.pause = lambda: tell(1.0, None)
    if not finished and not problem.is_large:
        best = take_back(problem, best, lambda _: None)
    return Found(best, first, finished and problem.is_exact, finished, clock.seconds, problem.is_complete)


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


def _neighbourhoods(
    problem: Problem, best: Settled, clock: _Clock, tell: Watch, first: float, rng: np.random.Generator
) -> Settled:
    """Some columns free and the others as in the best, again and again."""
    several = [j for j, level in enumerate(problem.highest) if level]
    draws = 0
    search = None
    try:
        while draws < _DRAWS and len(several) > _FREED:
            free = set(rng.choice(several, _FREED, replace=False).tolist())
            allowed = [
                range(problem.highest[j] + 1) if j in free else range(level, level + 1)
                for j, level in enumerate(best.state)
            ]
            search = BranchAndBound(problem, best, allowed)

            def see(share: float, found: Settled | None) -> None:
                assert found is not None
                tell(1.0, Found(found, first, False, False, clock.seconds))
                clock.look()

            found = search.run(see)
            assert found is not None
            draws = 0 if found.rank < best.rank else draws + 1
            best = found
    except _OutOfTime:
        assert search is not None and search.best is not None
        best = min(best, search.best, key=lambda each: each.rank)
    return best
