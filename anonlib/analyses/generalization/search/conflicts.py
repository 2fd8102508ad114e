"""Why nothing was found to do: the smallest set of guarantees that do not hold together, and whether that is proven."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.search.impossible import fewest_to_go, is_impossible
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.counting.guarantees import AverageRiskLimit


@dataclass(frozen=True)
class Conflict:
    """Guarantees that do not hold together at the highest levels allowed.

    Attributes
    ----------
    guarantees : tuple[int, ...]
        Positions in the problem's, one where it does not hold by itself; none where more records than may be are left
        out already.
    proven : bool
        They hold together at no state that is allowed, no matter who is left out.
    violating : int
        Records that violate one of them at the highest levels; of an average those in too small classes.
    must_go : int
        Records that would have to be left out for all of them together, at least; no more than may be where it is not
        proven. Of persons with several rows, here and below, these.
    goes : int
        Records that the search leaves out there until all of them hold.
    most : int
        How many may be.
    """

    guarantees: tuple[int, ...]
    proven: bool
    violating: int
    must_go: int
    goes: int
    most: int


def conflict(problem: Problem, progress: Callable[[float], None] | None = None) -> Conflict | None:
    """Why the highest levels allowed were not found to do; None where they do.

    Each guarantee is tried alone first. Where every one holds by itself, they are taken away one by one as long as
    what is left does not hold (a deletion filter). Where it is proven that nothing does, so it is of those named.

    Parameters
    ----------
    problem : Problem
        What is searched.
    progress : Callable[[float], None], optional
        Called with the share of the guarantees that was tried, in [0, 1]; what it raises stops the work.

    Returns
    -------
    Conflict or None

    References
    ----------
    Chinneck and Dravnieks (1991).
    """
    if problem.settle(problem.highest) is not None:
        return None
    proven = is_impossible(problem)
    kept = _fewest_that_fail(problem, is_impossible if proven else _fails_at_the_top, progress or _go_on)
    part = only(problem, kept)
    everybody = only(problem, kept, most=problem.n_rows).settle(problem.highest)
    assert everybody is not None
    goes = everybody.rows_out or everybody.left_out
    return Conflict(kept, proven, _violating(part, problem.highest), fewest_to_go(part), goes, problem.most)


def only(problem: Problem, guarantees: Sequence[int], *, most: int | None = None) -> Problem:
    """The problem with some of its guarantees alone."""
    return problem.changed(guarantees=[problem.guarantees[i] for i in guarantees], most=most)


def _fewest_that_fail(
    problem: Problem, fails: Callable[[Problem], bool], progress: Callable[[float], None]
) -> tuple[int, ...]:
    """Positions of guarantees that fail together, of which none can be spared; of single ones the first."""
    if fails(only(problem, ())):
        return ()
    every = range(len(problem.guarantees))
    for i in every:
        progress(i / len(every))
        if fails(only(problem, [i])):
            return (i,)
    kept = list(every)
    for i in every:
        progress(i / len(every))
        others = [other for other in kept if other != i]
        if fails(only(problem, others)):
            kept = others
    return tuple(kept)


def _go_on(share: float) -> None:
    """Nobody waits."""


def _fails_at_the_top(problem: Problem) -> bool:
    return problem.settle(problem.highest) is None


def _violating(problem: Problem, state: tuple[int, ...]) -> int:
    """Records that violate one of the guarantees at a state; of averages the most that are in too small classes."""
    found, in_small_classes = np.zeros(len(problem.counts), dtype=bool), 0
    for guarantee in problem.guarantees:
        if isinstance(guarantee, AverageRiskLimit):
            in_small_classes = max(in_small_classes, problem.in_small_classes(guarantee, state))
        else:
            found |= problem.violating(guarantee, state)
    return max(problem.records(found), in_small_classes)
