"""The search, and what it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.pace import WORK, Pace, checked_budget
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics import checks
from anonlib.basics.errors import InputError


def interval_programs(
    plane: Plane, *, work: float | None = WORK, seconds: float | None = None, seed: int = 0
) -> Iterator[Frontier]:
    """Cut one attribute after the other into the best intervals, with those of the others as they are.

    With the other attributes fixed, a risk and a loss that are sums over groups are sums over the intervals of one
    attribute. The policy of least weight x risk + loss is then a shortest path over its cuts: exact for that attribute,
    and what the intervals cost serves every weight. It is not exact across attributes. Attributes of few values are
    enumerated instead, all policies over them at once. Not in Xia et al. 2013, whose measures and frontier these are.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    work : float, default WORK
        How much the search may do (:class:`anonlib.basics.budget.Budget`); without end where it is None.
    seconds : float, optional
        After so many it is ended early, and what it found is marked so; no clock when left out.
    seed : int, default 0
        Draws where it looks next. The same seed and work give the same frontier on every machine.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one has ``finished``. If all attributes are
        enumerated, that is at once, and it is ``exact``.

    Raises
    ------
    InputError
        For a risk or a loss that is no sum over groups, and for work or a time that is not above 0.

    Notes
    -----
    Proof and limits: docs/analyses/frontier.md.
    """
    rng = np.random.default_rng(checks.whole(seed, "The seed", 0))
    for measure in (plane.risk, plane.loss):
        if not measure.additive:
            raise InputError(
                f"Interval programs need measures that add up over classes, and “{measure.name}” does not. "
                "Choose another measure, or another search.",
                code="measure-not-additive",
            )
    from anonlib.analyses.frontier.interval_programs.run import Search  # loads the compiler, which takes half a second

    return Search(Pace(plane, "interval_programs", None, checked_budget(work, seconds)), rng).frontiers()
