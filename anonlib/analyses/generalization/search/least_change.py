"""The whole search: a first answer by both greedy ways, then a proof and better answers until the budget is spent.

What is looked at next depends on the work done so far alone: a search with more work goes on where one with less has
ended, and never has a worse answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np

from anonlib.analyses.generalization.search.branch_and_bound import BranchAndBound
from anonlib.analyses.generalization.search.impossible import is_impossible
from anonlib.analyses.generalization.search.local_search import (
    BestAtHand,
    Nearby,
    bottom_up,
    downhill,
    take_back,
    top_down,
)
from anonlib.analyses.generalization.search.node_weights import NodeWeights
from anonlib.analyses.generalization.search.problem import Problem, Solution
from anonlib.basics.budget import A_SECOND, Budget, Over, Spending
from anonlib.basics.progress import Progress, nobody

_FEW, _MANY = 5_000, 1_000_000  # nodes: looked at without a first answer; not soon proven
_TURN = A_SECOND / 4  # the work of the first turn of the proof, or of what is near; each pair of turns is twice as long
Greedy = Callable[[Problem, BestAtHand], Solution | None]


@dataclass(frozen=True)
class LeastChange:
    """The least change that a search found.

    Attributes
    ----------
    best : Solution
        The node, its loss and the records it leaves out.
    first : float
        The loss of the first answer.
    proven : bool
        No other node loses less. Only where the fewest are left out exactly (:attr:`Problem.is_exact`).
    finished : bool
        The search came to its end; else its budget was spent.
    seconds : float
        How long it took.
    complete : bool, default True
        Every node that may do was looked at (:attr:`Problem.is_complete`), where it came to its end.
    by_parts : bool, default False
        Parts of the table have levels of their own; the node of ``best`` is the highest of each column.
    with_blanks : bool, default False
        Single cells are blank besides, at the levels of ``best``.
    ended_early : bool, default False
        A clock ended the search, or somebody did: another machine may find another answer to the same question.
    by_sizes : bool, default False
        Sizes alone decided who is left out: to leave people out for their value may lose less.
    """

    best: Solution
    first: float
    proven: bool
    finished: bool
    seconds: float
    complete: bool = True
    by_parts: bool = False
    with_blanks: bool = False
    ended_early: bool = False
    by_sizes: bool = False


@dataclass(frozen=True)
class NothingFound:
    """No node was found at which everything holds.

    Attributes
    ----------
    proven : bool
        There is none, no matter who is left out.
    finished : bool
        Every node was looked at or ruled out; else its budget was spent. Where it is not proven, another choice of
        whom to leave out may do all the same.
    complete : bool, default True
        Every node that may do was looked at (:attr:`Problem.is_complete`), where it came to its end.
    ended_early : bool, default False
        A clock ended the search: another machine may find something.
    """

    proven: bool
    finished: bool
    complete: bool = True
    ended_early: bool = False


def least_change(
    problem: Problem,
    *,
    work: float | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
    start: Solution | None = None,
    rng: np.random.Generator | None = None,
) -> LeastChange | NothingFound:
    """The node that loses least, with the records left out that it takes for everything to hold.

    Parameters
    ----------
    problem : Problem
        What is searched. It remembers what it has counted: searching it again goes on from there.
    work : float, optional
        How much to search (:class:`anonlib.basics.budget.Budget`); until it is proven when left out. A first answer is
        always completed. As much work finds the same on every machine, and more work nothing worse.
    seconds : float, optional
        After so many the search is ended early, and its answer marked so.
    progress : Progress, optional
        Called with the share done and the best answer so far; what it raises stops the search.
    start : Solution, optional
        A node at hand, such as the best of an earlier search.
    rng : Generator, optional
        Draws neighbourhoods where there is no proof yet; seed 0 without it.

    Returns
    -------
    LeastChange, or NothingFound where no node does, or none was found

    References
    ----------
    Branch and bound for k-anonymity: Bayardo and Agrawal (2005). Large neighbourhood search: Shaw (1998).
    """
    return within(problem, Budget(work, seconds), progress, start, rng)


def within(
    problem: Problem,
    budget: Budget,
    progress: Progress | None = None,
    start: Solution | None = None,
    rng: np.random.Generator | None = None,
) -> LeastChange | NothingFound:
    """As :func:`least_change`, with a budget.

    Parameters
    ----------
    problem : Problem
        What is searched; it remembers what it has counted.
    budget : Budget
        How much work, or how many seconds, may be spent.
    progress : Progress, optional
        Called with the share done and the best answer so far; what it raises stops the search.
    start : Solution, optional
        A node at hand, such as the best of an earlier search.
    rng : Generator, optional
        Draws neighbourhoods where there is no proof yet; seed 0 without it.

    Returns
    -------
    LeastChange | NothingFound
    """
    spending, before = budget.begun(), (problem.spending, problem.check_stop)
    search = _Search(problem, spending, progress or nobody, start, rng or np.random.default_rng(0))
    problem.spending, problem.check_stop = spending, lambda: search.report(0.0, None)
    try:
        return search.run()
    finally:
        problem.spending, problem.check_stop = before


class _Search:
    """One search of a problem, and the best that it has found so far."""

    def __init__(
        self,
        problem: Problem,
        spending: Spending,
        progress: Progress,
        start: Solution | None,
        rng: np.random.Generator,
    ) -> None:
        self.problem, self.spending, self.progress, self.rng = problem, spending, progress, rng
        self.start = start
        self.best: Solution | None = None
        self.first: float | None = None

    def run(self) -> LeastChange | NothingFound:
        problem = self.problem
        if problem.settle(problem.highest) is None and is_impossible(problem):
            return NothingFound(proven=True, finished=True)
        if problem.is_large and problem.settle(problem.highest) is None:  # nothing below is likely to do
            return NothingFound(proven=False, finished=True, complete=False)
        proof, counts = BranchAndBound(problem, None), NodeWeights(problem)
        is_small = problem.n_nodes <= _MANY and proof.n_open <= _FEW and problem.is_complete and not problem.is_large
        is_quick = is_small or not problem.adds_up  # first answers would cost more than they save
        greedy: tuple[Greedy, ...] = (partial(_downhill, counts) if counts.is_exact else top_down, bottom_up)
        self.first_answer(() if is_quick else greedy)
        if self.best is None and not problem.is_complete:
            return NothingFound(False, True, complete=False, ended_early=self.spending.ended_early)
        is_large = problem.is_large and self.best is not None
        problem.check_stop = self.spending.raise_if_late if is_large else lambda: self.report(0.0, None)
        finished = True
        try:
            near_first = problem.n_nodes > _MANY and counts.is_exact
            self.in_turns(proof, None if self.spending.is_unlimited else counts, near_first)
        except Over:
            finished = False
        if not finished and is_quick:
            self.first_answer(greedy)
        early = self.spending.ended_early
        if self.best is None:
            return NothingFound(finished and problem.is_exact, finished, problem.is_complete, early)
        first = self.best.information_loss if self.first is None else self.first
        return LeastChange(
            self.best, first, finished and problem.is_exact, finished, self.spending.seconds, problem.is_complete,
            ended_early=early, by_sizes=problem.values_refuse,
        )  # fmt: skip

    def report(self, share: float, solution: Solution | None) -> None:
        """Show how far the search is; what is best so far is what is left of it where it is stopped."""
        so_far = None
        if solution is not None:
            first = solution.information_loss if self.first is None else self.first
            so_far = LeastChange(solution, first, False, False, self.spending.seconds, ended_early=True)
        self.progress(max(share, self.spending.share), so_far)

    def first_answer(self, ways: Sequence[Greedy]) -> None:
        """The best of greedy ways, of a node at hand where it still does, and of what was found before.

        All are completed, but of a large problem: there what does when the budget is spent is the answer.
        """
        problem = self.problem
        at_hand = None if self.start is None else problem.settle(self.start.node)

        def offer(solution: Solution | None) -> None:
            self._take(solution)
            self.report(0.0, self.best)
            if problem.is_large and self.best is not None:
                self.spending.raise_if_over()

        def report() -> None:  # amid a node, of which an earlier search may have counted some: the work may not end it
            self.report(0.0, self.best)
            if problem.is_large and self.best is not None:
                self.spending.raise_if_late()

        problem.check_stop = report
        try:
            if at_hand is not None:
                offer(take_back(problem, at_hand, offer))
            for way in ways:
                offer(way(problem, offer))
        except Over:
            pass
        if self.best is not None and self.first is None:
            self.first = self.best.information_loss

    def in_turns(self, proof: BranchAndBound, counts: NodeWeights | None, near_first: bool) -> None:
        """Go on with the proof, and with what is near the best so far, in turn, each as long as both before together.

        Without ``counts`` the proof alone: it ends with the best of all. Raises :class:`Over` when the budget is spent.
        """
        nearby: Nearby | None = None
        steps, spending = proof.steps(), self.spending
        turn, is_near = _TURN, near_first
        while True:
            if is_near and counts is not None and self.best is not None:
                nearby = nearby or Nearby(self.problem, counts, self.best, self._report_nearby)
                self._near(nearby, spending.work + turn)
            elif self._proven(proof, steps, inf if counts is None else spending.work + turn):
                return
            is_near = not is_near
            if is_near == near_first:
                turn *= 2

    def _proven(self, proof: BranchAndBound, steps: Iterator[float], until: float) -> bool:
        """Whether the proof has come to its end before so much work is spent."""
        proof.best = self.best
        try:
            for share in steps:
                self._take(proof.best)
                self.report(share, self.best)
                self.spending.raise_if_over()
                if self.spending.work >= until:
                    return False
        finally:
            self._take(proof.best)
        return True

    def _near(self, nearby: Nearby, until: float) -> None:
        """Look about the best so far until so much work is spent, or nothing gains any more."""
        assert self.best is not None
        nearby.go_on_from(self.best)
        try:
            while self.spending.work < until and nearby.step(self.rng):
                self._take(nearby.best)
        finally:
            self._take(nearby.best)

    def _report_nearby(self, solution: Solution | None) -> None:
        self._take(solution)
        self.report(0.0, self.best)
        self.spending.raise_if_over()

    def _take(self, solution: Solution | None) -> None:
        if solution is not None and (self.best is None or solution.rank < self.best.rank):
            self.best = solution


def _downhill(counts: NodeWeights, problem: Problem, progress: BestAtHand) -> Solution | None:
    """The first answer where nodes are soon weighed: downhill from the coarsest."""
    return problem.settle(downhill(counts, problem.highest, lambda node: progress(problem.settle(node))))
