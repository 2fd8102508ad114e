"""The bound as it is raised: weight by weight, and for each the case whose bound is least."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.bound.result import LowerBound
from anonlib.analyses.frontier.bound.table import why_not
from anonlib.analyses.frontier.pace import BETWEEN
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics import checks
from anonlib.basics.errors import InputError


def lower_bounds(found: Frontier, *, seconds: float = np.inf) -> Iterator[LowerBound]:
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
    seconds : float, default np.inf
        How long it is raised; stopped between two iterations.

    Returns
    -------
    iterator of LowerBound
        The bound so far, about every quarter of a second; the last one after the time, or with ``finished``.

    Raises
    ------
    InputError
        For measures that are no sums over groups, spaces too large for a useful bound, and a time that is not above 0.

    Notes
    -----
    Proof: docs/analyses/frontier.md.
    """
    if seconds != np.inf and checks.number(seconds, "The time") <= 0:
        raise InputError("The time must be more than 0 seconds.", code="time-limit-too-short")
    if reason := why_not(found.plane):
        raise InputError(reason, code="bound-not-possible")
    return _bounds(found, seconds)


def _bounds(found: Frontier, seconds: float) -> Iterator[LowerBound]:
    from anonlib.analyses.frontier.bound.bounding import Bounding  # loads the compiler, which takes half a second

    bounding = Bounding(found)
    last = -np.inf
    while bounding.seconds < seconds and bounding.improve():
        if bounding.seconds - last >= BETWEEN:
            last = bounding.seconds
            yield bounding.bound()
    yield bounding.bound()
