"""First answers: from the coarsest state down and from the original up; each then takes back what is not needed."""

from __future__ import annotations

from collections.abc import Callable

from anonlib.analyses.generalization.search.problem import Problem, Solution
from anonlib.analyses.generalization.search.rows import Node

BestAtHand = Callable[[Solution | None], None]
"""Shown what does so far, None before anything does; may raise to stop."""


def top_down(problem: Problem, look: BestAtHand) -> Solution | None:
    """From the highest levels allowed, one level down at a time where it holds and loses least.

    None where even the highest levels do not do.
    """
    best = problem.settle(problem.highest)
    while best is not None:
        look(best)
        lower = sorted(with_level(best.state, j, level - 1) for j, level in enumerate(best.state) if level)
        passing = _passing(problem, sorted(lower, key=problem.cost), best, look)
        if not passing:
            break
        best = min(passing, key=lambda found: found.rank)
    return None if best is None else take_back(problem, best, look)


def _passing(problem: Problem, states: list[Node], best: Solution, look: BestAtHand) -> list[Solution]:
    """The states that do; of a large problem the first that does."""
    passing = []
    for state in states:
        look(best)
        found = problem.settle(state)
        if found is not None:
            passing.append(found)
            if problem.is_large:
                break
    return passing


def bottom_up(problem: Problem, look: BestAtHand) -> Solution | None:
    """From the original, up in the column that removes most violations for what it loses, until it holds."""
    state, excess = problem.bottom, problem.excess(problem.bottom)
    while (found := problem.settle(state)) is None:
        look(None)
        raised = []
        for j, level in enumerate(state):
            if level < problem.highest[j]:
                higher = with_level(state, j, level + 1)
                problem.pay(higher)
                left = problem.excess(higher)
                costs = max(problem.cost(higher) - problem.cost(state), 1e-9)
                raised.append(((left - excess) / costs, costs, higher, left))
        if not raised:
            return None
        _, _, state, excess = min(raised)
    return take_back(problem, found, look)


def take_back(problem: Problem, best: Solution, look: BestAtHand) -> Solution:
    """Lower any one column by any number of levels where it holds and loses less, until no single one can be."""
    while True:
        look(best)
        lower = (
            (problem.cost(state), state)
            for j, level in enumerate(best.state)
            for state in (with_level(best.state, j, down) for down in range(level))
        )
        for _, state in sorted(lower):
            look(best)
            found = problem.settle(state)
            if found is not None and found.rank < best.rank:
                best = found
                break
        else:
            return best


def with_level(state: Node, j: int, level: int) -> Node:
    """A state with another level of column ``j``."""
    return (*state[:j], level, *state[j + 1 :])
