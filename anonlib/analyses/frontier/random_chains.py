"""Random Chain Search (Xia et al. 2013, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.chains import along
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.pace import BUDGET, Pace, checked_budget
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics import checks


def random_chains(
    plane: Plane,
    *,
    budget: int | None = BUDGET,
    work: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Iterator[Frontier]:
    """Look at maximal chains from bottom to top, each boundary that goes drawn at random.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    budget : int, default BUDGET
        Policies that may be looked at: a chain counts ``plane.space.n_levels``, and the last one ends where the budget
        does. Without end where it is None.
    work : float, optional
        Ends the search as well, with the same frontier on every machine (:class:`anonlib.basics.budget.Budget`);
        without end when left out.
    seconds : float, optional
        After so many it is ended early, and what it found is marked so; no clock when left out.
    seed : int, default 0
        The same seed and budget give the same frontier.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one has ``finished``.

    Raises
    ------
    InputError
        For a budget, work or a time that is not above 0.

    References
    ----------
    Xia et al. 2013, Algorithm 1.
    """
    pace = Pace(plane, "random_chains", budget, checked_budget(work, seconds))
    return _frontiers(pace, np.random.default_rng(checks.whole(seed, "The seed", 0)))


def _frontiers(pace: Pace, rng: np.random.Generator) -> Iterator[Frontier]:
    from anonlib.analyses.frontier.chains.evaluator import Chains  # loads the compiler, which takes half a second

    archive = pace.archive
    space = archive.plane.space
    chains = Chains(archive.plane)
    while left := pace.left:
        removed = rng.permutation(space.n_bits)[: int(min(left - 1, space.n_bits))]
        risk, loss = chains.evaluate(space.bottom, removed)
        archive.evaluations += len(risk)
        archive.add(along(space.bottom, removed), risk, loss)
        if pace.due(chains.work(len(risk))):
            yield from archive.show()
    yield from archive.show(finished=True)
