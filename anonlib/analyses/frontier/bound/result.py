"""A lower bound: where in the plane of risk and loss no policy can be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.basics import checks

_NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class LowerBound:
    """No policy of a space has a risk and a loss below a convex line, whichever policies were looked at.

    Attributes
    ----------
    plane : Plane
        The policies' space and the two measures.
    weights : np.ndarray
        float64 above 0, of the risk, ascending.
    values : np.ndarray
        float64, per weight: every policy has weight x risk + loss of at least so much.
    least_risk : float
        The risk of the top, in [0, 1]: no policy has less.
    iterations : int, default 0
        Of raising the bound, so far.
    seconds : float, default 0.0
        They took.
    finished : bool, default False
        More work would not raise it.
    work : float, default 0.0
        It took so far (:data:`anonlib.basics.budget.A_SECOND`), the same on every machine.
    ended_early : bool, default False
        A clock, or somebody, ended it before its work was done: another machine may prove more.
    """

    plane: Plane
    weights: np.ndarray
    values: np.ndarray
    least_risk: float
    iterations: int = 0
    seconds: float = 0.0
    finished: bool = False
    work: float = 0.0
    ended_early: bool = False

    def loss_at(self, risk: float | np.ndarray) -> np.ndarray:
        """The least loss that a policy of no more than a risk could have.

        Parameters
        ----------
        risk : float | np.ndarray
            In [0, 1]; one, or an array.

        Returns
        -------
        float64 array
            As many as ``risk``, in [0, 1]; 1 where no policy has so little risk.
        """
        at = np.asarray(risk, dtype=float)
        lines = self.values - np.multiply.outer(at, self.weights)
        return np.where(at < self.least_risk, 1.0, lines.max(axis=-1, initial=0.0).clip(max=1.0))

    def risk_at(self, loss: float) -> float:
        """The least risk that a policy of no more than a loss could have.

        Parameters
        ----------
        loss : float
            The most that a policy may lose, in [0, 1].

        Returns
        -------
        float
            In [0, 1].
        """
        checks.number(loss, "The loss")
        return float(min(1.0, max(self.least_risk, ((self.values - loss) / self.weights).max(initial=0.0))))

    @cached_property
    def corners(self) -> np.ndarray:
        """float64, corners x 2: risk and loss along the line, from the least risk there is to 1."""
        w, v = self.weights, self.values
        one, other = np.triu_indices(len(w), 1)
        crossings = (v[one] - v[other]) / (w[one] - w[other])
        # A line turns where the two highest cross, and where the highest comes to 0 or to 1.
        candidates = np.concatenate([crossings, v / w, (v - 1.0) / w])
        heights = np.concatenate([v[one] - w[one] * crossings, np.zeros(len(w)), np.ones(len(w))])
        within = (candidates > self.least_risk) & (candidates < 1.0)
        turns = within & (np.abs(self.loss_at(candidates) - heights) < _NEAR)
        risks = np.unique(np.concatenate([[self.least_risk, 1.0], candidates[turns]]))
        return np.column_stack([risks, self.loss_at(risks)])

    def area(self) -> float:
        """The area where no policy can be, within the unit square: at most that under any frontier's stair.

        It counts all of the square left of the least risk. The more, the better the bound.
        """
        risk, loss = self.corners.T
        return self.least_risk + float(np.dot(np.diff(risk), (loss[:-1] + loss[1:]) / 2))
