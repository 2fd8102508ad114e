"""Why nothing can do: the smallest set of guarantees that cannot hold together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.adviser.problem import Problem
from anonlib.guarantees import Average


@dataclass(frozen=True)
class Conflict:
    """Guarantees that cannot hold together at the highest levels allowed.

    Attributes
    ----------
    guarantees : positions in the problem's, one where it cannot hold by itself.
    violating : records that violate the first of them there; of an average those in too small classes.
    must_go : records that would have to be left out for all of them together, at least.
    most : how many may be.
    """

    guarantees: tuple[int, ...]
    violating: int
    must_go: int
    most: int


def conflict(problem: Problem) -> Conflict | None:
    """Why the highest levels allowed do not do; None where they do.

    Each guarantee is tried alone first. Where every one holds by itself, they are taken away one by one as long as
    what is left cannot hold (a deletion filter).

    References
    ----------
    Chinneck and Dravnieks (1991).
    """
    if problem.settle(problem.highest) is not None:
        return None
    every = range(len(problem.guarantees))
    alone = [i for i in every if not _holds(problem, [i])]
    kept = alone[:1]
    if not kept:
        kept = list(every)
        for i in every:
            rest = [other for other in kept if other != i]
            if not _holds(problem, rest):
                kept = rest
    part = only(problem, kept)
    guarantee = problem.guarantees[kept[0]]
    top = problem.highest
    if isinstance(guarantee, Average):
        violate = only(problem, kept[:1]).least_out(top)[0]
    else:
        violate = problem.records(problem.violating(guarantee, top))
    return Conflict(tuple(kept), violate, part.least_out(top)[0], problem.most)


def only(problem: Problem, guarantees: Sequence[int], *, most: int | None = None) -> Problem:
    """The problem with some of its guarantees alone."""
    return problem.changed(guarantees=[problem.guarantees[i] for i in guarantees], most=most)


def _holds(problem: Problem, guarantees: Sequence[int]) -> bool:
    part = only(problem, guarantees)
    return part.settle(part.highest) is not None
