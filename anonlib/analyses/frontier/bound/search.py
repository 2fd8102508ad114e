"""The bound as it is raised: weight by weight, and for each the case whose bound is least."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from anonlib.analyses.frontier.bound.result import LowerBound
from anonlib.analyses.frontier.bound.table import why_not
from anonlib.analyses.frontier.pace import WORK, Marks, checked_budget
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics.budget import Budget, Over
from anonlib.basics.errors import InputError


def lower_bounds(found: Frontier, *, work: float | None = WORK, seconds: float | None = None) -> Iterator[LowerBound]:
    """Raise a lower bound on the risk and loss of all policies, whichever search found ``found``.

    For a weight of the risk, weight x risk + loss of a policy is a sum over boxes: an interval of each attribute. The
    least sum over policies is at least that where every interval of the longest attribute may have intervals of its own
    in the next one, and each of these in the others; that is a shortest path of shortest paths. Multipliers make it
    costly to cut differently (Lagrangian relaxation), and boundaries of the other attributes are kept or not one after
    the other (branch and bound). What is yielded never falls. With one attribute it comes to the frontier's lower hull.

    Parameters
    ----------
    found : Frontier
        Any frontier of the plane. A better one makes the bound better sooner.
    work : float, default WORK
        How much is done to raise it (:class:`anonlib.basics.budget.Budget`); without end where it is None. As much work
        comes to the same bound on every machine.
    seconds : float, optional
        After so many it is ended early, between two iterations, and marked so; no clock when left out.

    Returns
    -------
    iterator of LowerBound
        The bound so far, every so much work; the last one after all of it, or with ``finished``.

    Raises
    ------
    InputError
        For measures that are no sums over groups, spaces too large for a useful bound, and work or a time that is not
        above 0.

    Notes
    -----
    Proof: docs/analyses/frontier.md.
    """
    budget = checked_budget(work, seconds)
    if reason := why_not(found.plane):
        raise InputError(reason, code="bound-not-possible")
    return _bounds(found, budget)


def _bounds(frontier: Frontier, budget: Budget) -> Iterator[LowerBound]:
    from anonlib.analyses.frontier.bound.bounding import Bounding  # loads the compiler, which takes half a second

    bounding, marks = Bounding(frontier, budget), Marks()
    with suppress(Over):
        while bounding.improve():
            if marks.passed(bounding.spending.work):
                yield from bounding.show()
            bounding.spending.raise_if_over()
    yield bounding.bound()
