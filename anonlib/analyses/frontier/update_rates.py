"""How well the heuristic of sublattices predicts what a search of one finds (Xia et al. 2013, section 4.2.1, Figure 6).

H of a sublattice is the share of its rectangle below the frontier; E is the share of the policies of a random chain
through it that would update the frontier. The paper draws sublattices against the frontier of one random maximal chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.searches import WORK, YieldMarks, checked_budget
from anonlib.analyses.frontier.sublattices import Literals, corners, update_probability
from anonlib.basics import checks
from anonlib.basics.budget import Budget, Over

SUBLATTICES = 2_000
"""Drawn at most by default; the paper draws 24,240."""
IN_PAPER = 0.8643536
"""Pearson's correlation of H and E in Xia et al. 2013, section 4.2.1."""
GROUPS = 10
_OF_95 = 1.959964  # standard errors within which the mean is with a confidence of 95%


@dataclass(frozen=True, eq=False)
class UpdateRates:
    """Random sublattices of a plane: what the heuristic predicts of each, and what a chain through it came to.

    Attributes
    ----------
    predicted : np.ndarray
        float64 in [0, 1], a sublattice each: H, the share of its rectangle below the frontier.
    observed : np.ndarray
        float64 in [0, 1]: E, the share of the policies of a random chain through it that update the frontier.
    work : float
        Done so far, the same on every machine.
    seconds : float
        It took so far.
    finished : bool
        As many were drawn as were asked for, or the work was done.
    ended_early : bool, default False
        A clock ended it before.
    """

    predicted: np.ndarray
    observed: np.ndarray
    work: float
    seconds: float
    finished: bool
    ended_early: bool = False

    def __len__(self) -> int:
        return len(self.predicted)

    @property
    def correlation(self) -> float:
        """Pearson's, of H and E over all sublattices, in [-1, 1]; NaN where one of them is the same for all."""
        if len(self) < 2 or not self.predicted.std() or not self.observed.std():
            return float("nan")
        return float(np.corrcoef(self.predicted, self.observed)[0, 1])

    def to_frame(self) -> pd.DataFrame:
        """One row for each of ten groups by H that has sublattices, as in Figure 6.

        ``up_to`` is the largest H of the group, ``sublattices`` how many there are, ``observed`` the mean of E, and
        ``within`` half the width of its confidence interval of 95% (NaN for one).
        """
        group = np.clip(np.ceil(np.round(self.predicted * GROUPS, 9)).astype(int), 1, GROUPS)
        rows = []
        for number in np.unique(group).tolist():
            rates = self.observed[group == number]
            error = rates.std(ddof=1) / np.sqrt(len(rates)) if len(rates) > 1 else np.nan
            rows.append((number / GROUPS, len(rates), float(rates.mean()), float(_OF_95 * error)))
        return pd.DataFrame(rows, columns=["up_to", "sublattices", "observed", "within"])


def update_rates(
    plane: Plane,
    *,
    sublattices: int = SUBLATTICES,
    work: float | None = WORK,
    seconds: float | None = None,
    seed: int = 0,
) -> Iterator[UpdateRates]:
    """Draw random sublattices against the frontier of a random maximal chain, each with a chain through it.

    A policy updates the frontier where no policy of that is as good in both risk and loss. The frontier stays as it
    is. Sublattices are drawn as the search draws them (:func:`anonlib.analyses.frontier.sublattices.corners`).

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    sublattices : int, default SUBLATTICES
        How many are drawn at most, 1 or more.
    work : float, default WORK
        Ends it as well, with the same answer on every machine; without end where it is None.
    seconds : float, optional
        After so many it is ended early; no clock when left out.
    seed : int, default 0
        The same seed, number and work give the same sublattices.

    Returns
    -------
    iterator of UpdateRates
        Those so far, every so much work; the last one has ``finished``.

    Raises
    ------
    InputError
        For a number, work or a time that is not above 0.

    References
    ----------
    Xia et al. 2013, section 4.2.1 and Equation 1, mended: see docs/errata.md.
    """
    n = checks.whole(sublattices, "The number of sublattices", 1)
    budget, rng = checked_budget(work, seconds), np.random.default_rng(checks.whole(seed, "The seed", 0))
    return _drawn(plane, n, budget, rng)


def _drawn(plane: Plane, n: int, budget: Budget, rng: np.random.Generator) -> Iterator[UpdateRates]:
    from anonlib.analyses.frontier.chains import Chains  # loads the compiler, which takes half a second

    space, chains, marks = plane.space, Chains(plane), YieldMarks()
    nothing = np.zeros(space.n_bits, dtype=bool)
    risk, loss = (column[::-1] for column in chains.evaluate(space.bottom, rng.permutation(space.n_bits)))
    stair = np.concatenate([[np.inf], loss])  # the least loss at no greater risk
    pairs: list[tuple[float, float]] = []
    spending = budget.begun()  # once all is compiled

    def so_far(finished: bool) -> UpdateRates:
        predicted, observed = np.array(pairs).reshape(-1, 2).T
        return UpdateRates(predicted, observed, spending.work, spending.seconds, finished, spending.ended_early)

    spending.spend(chains.work(space.n_levels))
    while len(pairs) < n:
        alpha, beta = corners(space, Literals(nothing, nothing), rng)
        r, u = chains.evaluate(beta, rng.permutation(np.flatnonzero(beta & ~alpha)))
        updates = u < stair[np.searchsorted(risk, r, side="right")]
        pairs.append((update_probability(r[-1], u[-1], r[0], u[0], risk, loss), float(updates.mean())))
        spending.spend(chains.work(len(r)))
        if marks.passed(spending.work):
            yield so_far(finished=False)
        try:
            spending.raise_if_over()
        except Over:
            break
    yield so_far(finished=True)
