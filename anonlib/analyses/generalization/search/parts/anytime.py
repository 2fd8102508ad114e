"""Parts for as much work as there is: what is found first, then round after round, the best so far always at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from anonlib.analyses.generalization.search.parts.parts import LocalRecoding, first_parts, of_all, of_known
from anonlib.analyses.generalization.search.parts.splits import ROUNDS
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.budget import Budget, Over, Spending

_IN_VAIN = 100  # rounds, and twice those of the best: without gain until then, a search gives up
_OFTEN, _SELDOM = 8, 5  # counted again after so many rounds, and later after a share (one in so many) of all that were
_A_ROUND, _A_COUNT = 2_000_000, 300  # the work of a round, and of counting again, a row
_A_FIRST = 2_000, 200_000  # of finding parts first, a row: of records of one row each, of persons with several

RoundsProgress = Callable[[float, int, LocalRecoding], None]
"""Called with the share of the budget that is spent, in [0, 1], the best so far and its rounds; may raise to stop."""


@dataclass(frozen=True, eq=False)
class RecodingWithinBudget:
    """What was found within a budget.

    Attributes
    ----------
    rounds : int
        :func:`.part_by_part` finds the same parts in so many rounds, on every machine.
    parts : LocalRecoding | None
        The best that were found; None as there.
    ended_early : bool
        Whether a clock ended the search.
    """

    rounds: int
    parts: LocalRecoding | None
    ended_early: bool


def parts_within(
    problem: Problem, budget: Budget, look: Callable[[float], None], watch: RoundsProgress
) -> RecodingWithinBudget:
    """The best parts found within a budget, and the rounds after which they are found again.

    All is counted again after numbers of rounds that are the same for every budget, and only there the work ends it: so
    as much work finds the same on every machine, and more work nothing worse.

    Parameters
    ----------
    problem : Problem
        As for :func:`.part_by_part`.
    budget : Budget
        What may be spent; what is found first takes what it takes. It ends by itself where many rounds gain nothing.
    look : Callable[[float], None]
        Called until something is found, with the share of that which is done; may raise to stop.
    watch : RoundsProgress
        See :data:`RoundsProgress`.

    Returns
    -------
    RecodingWithinBudget
    """
    spending = budget.begun()
    spending.spend(work_of_first_parts(problem))
    named = of_known(problem)
    search, first = first_parts(named, ROUNDS, look)
    if search is None or first is None:
        return RecodingWithinBudget(ROUNDS, of_all(problem, named, first), ended_early=False)
    rounds, best_rounds, best, shown = ROUNDS, ROUNDS, first, of_all(problem, named, first)
    again_after = ROUNDS + _OFTEN
    while True:
        assert shown is not None
        watch(spending.share, best_rounds, shown)
        if rounds == ROUNDS and _is_over(spending, at_once=True):
            return RecodingWithinBudget(best_rounds, shown, spending.ended_early)
        search.go_on()
        rounds += 1
        spending.spend(_A_ROUND)
        ended_early = _is_over(spending, at_once=False)
        if rounds < again_after and not ended_early:
            continue
        again_after = rounds + max(_OFTEN, rounds // _SELDOM)
        spending.spend(_A_COUNT * len(named.counts))
        better = search.better_than(first)
        if better.loss < best.loss:
            best_rounds, best, shown = rounds, better, of_all(problem, named, better)
        in_vain = rounds > 2 * best_rounds + _IN_VAIN
        if ended_early or in_vain or _is_over(spending, at_once=True):
            assert shown is not None
            watch(spending.share, best_rounds, shown)
            return RecodingWithinBudget(best_rounds, shown, spending.ended_early)


def work_of_first_parts(problem: Problem) -> float:
    """About how much work it is to find parts first (:data:`anonlib.basics.budget.A_SECOND`).

    Parameters
    ----------
    problem : Problem
        What is searched.

    Returns
    -------
    float
    """
    return len(problem.classes.counts) * _A_FIRST[isinstance(problem, PersonProblem)]


def _is_over(spending: Spending, *, at_once: bool) -> bool:
    """Whether the budget is spent; in between, where not ``at_once``, whether the clock is over."""
    try:
        if at_once:
            spending.raise_if_over()
        else:
            spending.raise_if_late()
    except Over:
        return True
    return False
