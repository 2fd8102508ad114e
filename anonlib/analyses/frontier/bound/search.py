"""A lower bound, raised step by step: where in the plane of risk and loss no policy can be.

After the bound comes which weights of the risk it is made of: those whose lines under the frontier leave the least
open. Next is one weight of the risk and one case, with multipliers that raise the bound, iteration by iteration. At the
end the whole bound is raised, weight by weight: which weight of the risk is next, and which case of it, the one whose
bound is least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from anonlib.analyses.frontier.bound.paths import Pool, all_values, drop, settle
from anonlib.analyses.frontier.bound.table import BoundCase, BoundCounts, Choice, case_of, choices_of, why_not
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs import lower_hull
from anonlib.analyses.frontier.result import Frontier
from anonlib.analyses.frontier.searches import WORK, YieldMarks, checked_budget
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, UNLIMITED, Budget, Over, Stopwatch
from anonlib.basics.errors import InputError

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


_ENOUGH = 1e-6  # of area: less than that no line is added for
_MOST_TRIED = 400


class Lines:
    """The tangents of a frontier, each with a weight: the next one is the one that adds most area below it."""

    def __init__(self, frontier: Frontier) -> None:
        self._risk, self._loss = frontier.risk, frontier.loss
        corners = lower_hull(frontier.risk, frontier.loss)
        run, fall = np.diff(frontier.risk[corners]), -np.diff(frontier.loss[corners])
        steep = np.unique((fall / run)[fall > 0]) if len(run) else np.zeros(0)
        self._tried = steep[np.unique(np.linspace(0, len(steep) - 1, _MOST_TRIED).astype(int))] if len(steep) else steep
        self._left = float(frontier.risk.min())
        self._grid = np.unique(np.concatenate([frontier.risk[corners], np.linspace(self._left, 1.0, 2_001)]))
        self._under = np.zeros(len(self._grid))
        self.weights: list[float] = []

    def target(self, weight: float) -> float:
        """The least weight x risk + loss of the frontier."""
        return float((weight * self._risk + self._loss).min())

    def add(self) -> float | None:
        """The next weight; None where none is worth it."""
        if not len(self._tried):
            return None
        gains = [self._area(np.maximum(self._under, self._line(w))) for w in self._tried.tolist()]
        best = int(np.argmax(gains))
        if gains[best] <= self._area(self._under) + _ENOUGH:
            return None
        weight = float(self._tried[best])
        self.weights.append(weight)
        self._under = np.maximum(self._under, self._line(weight))
        return weight

    def width(self, weight: float) -> float:
        """How much of the plane's width this weight's line is the highest of all on."""
        return float(np.dot(np.diff(self._grid, append=1.0), self._under <= self._line(weight) + 1e-12))

    def _line(self, weight: float) -> np.ndarray:
        return np.clip(self.target(weight) - weight * self._grid, 0.0, 1.0)

    def _area(self, under: np.ndarray) -> float:
        return float(np.dot(np.diff(self._grid), (under[:-1] + under[1:]) / 2))


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
        self, counted: BoundCounts, case: BoundCase, weight: float, target: float, pool: Pool,
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


def rounding_error(counted: BoundCounts, weight: float) -> float:
    """What rounding may make a sum of weight x risk + loss too large by."""
    return ROUNDING * (counted.magnitude + weight + 1.0)


def pool_for(counted: BoundCounts) -> Pool:
    """Scratch for one ascent at a time."""
    n_intervals, n_boxes = (len(axis.width) for axis in counted.axes[:2])
    rows = max(1, min(n_intervals, MOST_COSTS // n_boxes))
    return Pool(
        np.empty(n_intervals), np.empty(n_intervals), np.empty(n_intervals, dtype=np.int64),
        np.empty((rows, n_boxes), dtype=np.float32), np.empty((rows, n_boxes), dtype=np.bool_),
        np.empty(rows, dtype=np.int64), np.zeros(1, dtype=np.int64),
    )  # fmt: skip


_FIRST_WEIGHTS = 9
_FIRST_CHOICES = 2  # boundaries that are decided on at once; then one at a time
_VISIT = 40  # iterations for a case before others have their turn
_LITTLE = 1e-6  # of a bound, which a visit should raise it by
_A_NUMBER = 5.0  # work of a combination of values, to count it for all policies or for a case
_MOST_NUMBERS = 30_000_000  # of multipliers that are held, 4 bytes each, and of sums of cases, 8 bytes each


@dataclass(eq=False)
class Open:
    """Policies that agree on some boundaries, among which there may be a better one than those found.

    Attributes
    ----------
    kept : Mapping[Choice, bool]
        By the boundary whether they keep it.
    best : float
        The bound so far.
    multipliers : np.ndarray, optional
        float32, from which to go on.
    tired : bool, default False
        More iterations raise it hardly, and there is nothing left to decide on.
    """

    kept: Mapping[Choice, bool]
    best: float
    multipliers: np.ndarray | None = None
    tired: bool = False


@dataclass(eq=False)
class Weight:
    """One weight of the risk.

    Attributes
    ----------
    weight : float
        Of the risk.
    target : float
        The least weight x risk + loss found.
    proven : float
        What is certain of policies of which none is better: a little less, for rounding.
    width : float
        How much of the plane its line matters for.
    parts : list[Open]
        What is open; together with what is closed, all policies.
    visits : int, default 0
        Turns that it has had.
    """

    weight: float
    target: float
    proven: float
    width: float
    parts: list[Open]
    visits: int = 0

    @property
    def value(self) -> float:
        """No policy has less."""
        return min([self.proven, *(part.best for part in self.parts)])

    @property
    def next_part(self) -> Open | None:
        """The one that holds the bound down."""
        return min((part for part in self.parts if not part.tired), key=lambda part: part.best, default=None)

    @property
    def promise(self) -> float:
        """About how much the area may gain by a turn; 0 where no turn raises the bound."""
        part = self.next_part
        return (
            0.0
            if part is None or part.best > self.value
            else self.width * (self.target - self.value) / (1 + self.visits)
        )


class Bounding:
    """A lower bound that is raised iteration by iteration; it always holds one, and none lower than before.

    ``found`` is any frontier of the plane, whose measures add up and whose space is not too large
    (:func:`anonlib.analyses.frontier.bound.table.why_not`). The same steps give the same bound.

    Attributes
    ----------
    iterations : so far.
    spending : what they took, without the time that nobody asked for one.
    """

    def __init__(self, frontier: Frontier, budget: Budget = UNLIMITED) -> None:
        self.spending = budget.begun()
        self.plane = frontier.plane
        self.iterations = 0
        self.finished = False
        self._least_risk = float(frontier.plane.finish(*frontier.plane.ends[1])[0])
        self._counted = BoundCounts(frontier.plane)
        self._choices = choices_of(self._counted)
        self._lines = Lines(frontier)
        self._pool = pool_for(self._counted)
        self._cases: dict[frozenset[Any], BoundCase] = {}
        self._held = 0
        self._weights: list[Weight] = []
        for _ in range(_FIRST_WEIGHTS):
            self._add_weight()
        self._turn: tuple[Weight, Open, Ascent, float] | None = None
        self._left = 0
        self.spending.spend(_A_NUMBER * self._counted.table.records.size)

    def improve(self) -> bool:
        """One iteration; False where there is nothing left to be raised."""
        if self._turn is None:
            self._begin_turn()
        if self._turn is not None:
            self._iterate()
        return not self.finished

    def show(self) -> Iterator[LowerBound]:
        """Yield what is certain now; the time until it is let go on does not count."""
        bound = self.bound()
        shown = Stopwatch()
        yield bound
        self.spending.stood_still(shown.seconds)

    def bound(self) -> LowerBound:
        """What is certain now."""
        weights = sorted(self._weights, key=lambda weight: weight.weight)
        return LowerBound(
            self.plane, np.array([weight.weight for weight in weights]), np.array([weight.value for weight in weights]),
            self._least_risk, self.iterations, self.spending.seconds, self.finished, self.spending.work,
            self.spending.ended_early,
        )  # fmt: skip

    def _add_weight(self) -> bool:
        weight = self._lines.add()
        if weight is None:
            return False
        least = weight * self._least_risk  # nobody has less risk than the top, nor less loss than none
        target = self._lines.target(weight)
        proven = max(least, target - CLOSE * rounding_error(self._counted, weight))
        self._weights.append(Weight(weight, target, proven, 0.0, [Open({}, least)]))
        for known_weight in self._weights:
            known_weight.width = self._lines.width(known_weight.weight)
        return True

    def _begin_turn(self) -> None:
        next_one = max(self._weights, key=lambda weight: weight.promise, default=None)
        while next_one is None or next_one.promise <= 0:
            if not self._add_weight():
                self.finished = True
                return
            next_one = self._weights[-1]
        part = next_one.next_part
        assert part is not None
        next_one.visits += 1
        ascent = Ascent(
            self._counted, self._case(part.kept), next_one.weight, next_one.target, self._pool, part.multipliers,
            part.best,
        )  # fmt: skip
        self._turn = next_one, part, ascent, part.best
        self._left = _VISIT if part.kept or not self._choices else 1  # at first a rough bound for every weight

    def _iterate(self) -> None:
        assert self._turn is not None
        weight, part, ascent, before = self._turn
        ascent.step()
        self.spending.spend(ascent.work)
        self.iterations += 1
        self._left -= 1
        part.best = ascent.best
        if ascent.closed:
            weight.parts.remove(part)
        elif self._left and not ascent.spent:
            return
        else:
            self._end_turn(weight, part, ascent, before)
        self._turn = None

    def _end_turn(self, weight: Weight, part: Open, ascent: Ascent, before: float) -> None:
        """Keep the multipliers, and decide on one boundary more: kept or not."""
        if self._held + ascent.multipliers.size <= _MOST_NUMBERS:
            self._held += ascent.multipliers.size
            part.multipliers = ascent.multipliers.astype(np.float32)
        undecided = [choice for choice in self._choices if choice not in part.kept]
        decided = undecided[: 1 if part.kept else _FIRST_CHOICES]
        if decided:
            weight.parts.remove(part)
            for decisions in product((False, True), repeat=len(decided)):
                more = dict(zip(decided, decisions, strict=True))
                weight.parts.append(Open({**part.kept, **more}, part.best, part.multipliers))
        else:
            part.tired = ascent.spent or part.best <= before + _LITTLE * max(1.0, part.best)

    def _case(self, decisions: Mapping[Choice, bool]) -> BoundCase:
        key = frozenset(decisions.items())
        if key not in self._cases:
            most = max(1, _MOST_NUMBERS // (2 * len(self._counted.axes[0].width)))
            while len(self._cases) >= most:
                del self._cases[next(iter(self._cases))]
            self._cases[key] = case_of(self._counted, dict(decisions))
            self.spending.spend(_A_NUMBER * self._counted.table.records.size)
        return self._cases[key]


def lower_bounds(
    frontier: Frontier, *, work: float | None = WORK, seconds: float | None = None
) -> Iterator[LowerBound]:
    """Raise a lower bound on the risk and loss of all policies, whichever search found ``frontier``.

    For a weight of the risk, weight x risk + loss of a policy is a sum over boxes: an interval of each attribute. The
    least sum over policies is at least that where every interval of the longest attribute may have intervals of its own
    in the next one, and each of these in the others; that is a shortest path of shortest paths. Multipliers make it
    costly to cut differently (Lagrangian relaxation), and boundaries of the other attributes are kept or not one after
    the other (branch and bound). What is yielded never falls. With one attribute it comes to the frontier's lower hull.

    Parameters
    ----------
    frontier : Frontier
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
    if reason := why_not(frontier.plane):
        raise InputError(reason, code="bound-not-possible")
    return _bounds(frontier, budget)


def _bounds(frontier: Frontier, budget: Budget) -> Iterator[LowerBound]:

    bounding, marks = Bounding(frontier, budget), YieldMarks()
    with suppress(Over):
        while bounding.improve():
            if marks.passed(bounding.spending.work):
                yield from bounding.show()
            bounding.spending.raise_if_over()
    yield bounding.bound()
