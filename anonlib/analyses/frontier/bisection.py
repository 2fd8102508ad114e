"""Policies that risk no more than a given one, by bisection of random chains (Benitez, Loukides and Malin 2010)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.pace import BUDGET, Pace, checked_budget
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics import checks


def bisection(
    plane: Plane,
    policy: np.ndarray,
    *,
    budget: int | None = BUDGET,
    work: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Iterator[Frontier]:
    """Search for the most specific policies on random chains that risk no more than a given one.

    Along a chain risk never rises, so each is found in about log2 of ``plane.space.n_levels`` policies, which is what
    counts. Only policies that risk no more enter the archive, besides the bottom, which every search has from the
    start. The bottom risks more than ``policy`` unless it is as good, so it never is among those that dominate it.
    Whether those found lose less than ``policy`` is for :meth:`Frontier.dominating` to say.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    policy : np.ndarray
        bool, ``n_bits`` long: the policy to be no riskier than.
    budget : int, default BUDGET
        Policies that may be looked at, without end where it is None.
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
        For a policy of another space, and for a budget, work or a time that is not above 0.

    References
    ----------
    Benitez, Loukides and Malin 2010.
    """
    plane.space.checked(policy)
    pace = Pace(plane, "bisection", budget, checked_budget(work, seconds))
    return _frontiers(pace, policy, np.random.default_rng(checks.whole(seed, "The seed", 0)))


def _frontiers(pace: Pace, policy: np.ndarray, rng: np.random.Generator) -> Iterator[Frontier]:
    from anonlib.analyses.frontier.chains.evaluator import Chains  # loads the compiler, which takes half a second

    archive = pace.archive
    space = archive.plane.space
    chains = Chains(archive.plane)
    nothing = np.zeros(0, dtype=np.int64)
    most = chains.evaluate(policy, nothing)[0][0]
    while pace.left:
        removed = rng.permutation(space.n_bits)
        low, high = 0, space.n_bits  # with the first ``high`` boundaries gone, the risk is no greater
        while low < high and pace.left:
            middle = (low + high) // 2
            tried = space.bottom.copy()
            tried[removed[:middle]] = False
            risk, loss = chains.evaluate(tried, nothing)
            archive.evaluations += 1
            if risk[0] <= most:
                archive.add(tried[None], risk, loss)
                high = middle
            else:
                low = middle + 1
            if pace.due(chains.work(1)):
                yield from archive.show()
    yield from archive.show(finished=True)
