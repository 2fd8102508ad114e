"""One weight of the risk and one case: multipliers that raise the bound, iteration by iteration."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.bound.cases import Case
from anonlib.analyses.frontier.bound.paths import Pool, all_values, drop, settle
from anonlib.analyses.frontier.bound.table import Counted
from anonlib.basics.budget import A_SECOND

MOST_COSTS = 30_000_000
"""Boxes whose costs are held, 5 bytes each."""
ROUNDING = 1e-9
"""Share of all amounts that rounding may be off by: fewer than 2^23 of them are added, each within 2^-53 of itself."""
CLOSE = 3
"""Times the error of rounding: a bound so near to the target is as good as the target."""
_ROUNDS = 100  # of looking into the intervals on the best path
_FAILURES, _SHRINK = 4, 0.6  # iterations without a better bound after which steps are shorter, and by how much
# Work: of a step, of an outer interval, of a cut in one, of a box whose cost is known, of a place in one whose is not.
_A_STEP, _AN_INTERVAL, _A_CUT, _A_BOX, _A_PLACE = A_SECOND / 5_000, 1.0, 0.3, 0.3, 0.5
_MOMENTUM = 0.7  # of the step before, in the next one


class Ascent:
    """Raises the least weight x risk + loss of relaxed policies: all that agree with a case, and more.

    ``target`` is weight x risk + loss of some policy, and ``pool`` scratch. ``multipliers`` (outer values x inner cuts)
    and ``best``, a bound, may be of an earlier ascent, also one of a wider case.

    Attributes
    ----------
    best : float, default -np.inf
        The bound so far: no policy of the case that is better than the target has less; never above the target.
    multipliers : np.ndarray, optional
        float64, those of the best bound.
    spent : no other multipliers are better.
    work : float
        Of the latest step.
    """

    def __init__(
        self, counted: Counted, case: Case, weight: float, target: float, pool: Pool,
        multipliers: np.ndarray | None = None, best: float = -np.inf,
    ) -> None:  # fmt: skip
        self._counted, self._case, self._pool, self._target = counted, case, pool, target
        self._n_outer, self._n_inner = (axis.size for axis in counted.axes[:2])
        self._weights = np.array([weight * counted.scales[0], counted.scales[1]])
        self.error = rounding_error(counted, weight)
        pool.crude[:] = self._weights @ case.sums
        pool.value[:], pool.slot[:], pool.used[0] = 0.0, -1, 0
        shape = self._n_outer, self._n_inner - 1
        self.multipliers = np.zeros(shape) if multipliers is None else multipliers.astype(np.float64)
        self.best, self.spent = best, False
        self.work = 0.0
        self._tried, self._last = self.multipliers, np.zeros(shape)
        self._scale, self._failures = 1.0, 0
        records = np.sqrt(np.diff(counted.starts) + 1.0)  # outer values of more combinations may change more
        self._share = (records / records.sum())[:, None]
        self._cuts = np.zeros(shape, dtype=np.uint8)

    @property
    def closed(self) -> bool:
        """No policy of the case is better than the target, but for the error of rounding."""
        return self.best >= self._target - CLOSE * self.error

    def step(self) -> None:
        """The bound by these multipliers, and the next ones: along the subgradient, as far as Polyak's rule says."""
        value = self._bound()
        if value > self.best:
            self._failures = 0
            self.best, self.multipliers = value, self._tried
        else:
            self._failures += 1
            if self._failures >= _FAILURES:
                self._scale, self._failures = self._scale * _SHRINK, 0
                self._tried, self._last = self.multipliers, np.zeros_like(self._last)
        parted = (self._cuts != self._cuts[0]).any(axis=0)  # cuts that some outer intervals have and others do not
        self.spent = not parted.any()
        gradient = np.where(parted, self._cuts - (self._share * self._cuts).sum(axis=0), 0.0)
        direction = gradient + _MOMENTUM * self._last
        length = float((self._share * direction * direction).sum())
        self._last = direction
        if not self.spent and length > 0:
            step = self._scale * max(self._target - value, 0.0) / length
            self._tried = self._tried + step * self._share * direction

    def _work_of(self, looked_into: int, n_cuts: int) -> float:
        """What a step was, before which so many outer intervals were looked into."""
        n_outer, n_boxes = len(self._pool.value), self._pool.costs.shape[1]
        more = max(0, int(self._pool.used[0]) - looked_into)
        work = _A_STEP + _AN_INTERVAL * n_outer + _A_CUT * (n_cuts + n_outer * self._n_inner)
        n_places = self._counted.table.records.shape[2]
        return work + n_boxes * (_A_BOX * (looked_into + more) + _A_PLACE * more * n_places)

    def _bound(self) -> float:
        before = np.zeros((self._n_outer + 1, self._n_inner - 1))
        np.cumsum(self._tried, axis=0, out=before[1:])
        looked_into = int(self._pool.used[0])
        all_values(self._pool, before, self._n_outer, self._n_inner)
        cost = settle(self._counted.table, self._case.rest, self._weights, self._pool, before, _ROUNDS, self._cuts)
        # A policy, whose cuts are the same everywhere, pays for them what is left of the sum of rounded multipliers.
        paid = float(before[-1].clip(min=0.0).sum())
        error = self.error + ROUNDING * float(np.abs(self._tried).sum())
        self.work = self._work_of(looked_into, before.size)
        value = cost - paid - self._counted.constant - error
        drop(self._pool, self._n_outer, self._target + self._counted.constant + paid + error)
        return min(value, self._target)


def rounding_error(counted: Counted, weight: float) -> float:
    """What rounding may make a sum of weight x risk + loss too large by."""
    return ROUNDING * (counted.magnitude + weight + 1.0)


def pool_for(counted: Counted) -> Pool:
    """Scratch for one ascent at a time."""
    n_intervals, n_boxes = (len(axis.width) for axis in counted.axes[:2])
    rows = max(1, min(n_intervals, MOST_COSTS // n_boxes))
    return Pool(
        np.empty(n_intervals), np.empty(n_intervals), np.empty(n_intervals, dtype=np.int64),
        np.empty((rows, n_boxes), dtype=np.float32), np.empty((rows, n_boxes), dtype=np.bool_),
        np.empty(rows, dtype=np.int64), np.zeros(1, dtype=np.int64),
    )  # fmt: skip
