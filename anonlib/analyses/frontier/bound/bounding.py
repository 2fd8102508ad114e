"""The bound as it is raised: which weight of the risk next, and which case of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from anonlib.analyses.frontier.bound.ascent import CLOSE, Ascent, pool_for, rounding_error
from anonlib.analyses.frontier.bound.cases import Case, Choice, case_of, choices_of
from anonlib.analyses.frontier.bound.result import LowerBound
from anonlib.analyses.frontier.bound.table import Counted
from anonlib.analyses.frontier.bound.weights import Lines
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics.budget import UNLIMITED, Budget, Stopwatch

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
        self._counted = Counted(frontier.plane)
        self._choices = choices_of(self._counted)
        self._lines = Lines(frontier)
        self._pool = pool_for(self._counted)
        self._cases: dict[frozenset[Any], Case] = {}
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

    def _case(self, decisions: Mapping[Choice, bool]) -> Case:
        key = frozenset(decisions.items())
        if key not in self._cases:
            most = max(1, _MOST_NUMBERS // (2 * len(self._counted.axes[0].width)))
            while len(self._cases) >= most:
                del self._cases[next(iter(self._cases))]
            self._cases[key] = case_of(self._counted, dict(decisions))
            self.spending.spend(_A_NUMBER * self._counted.table.records.size)
        return self._cases[key]
