"""The search with the solver: how far the bound can be followed, then how few classes there are where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.lexicographic import Certificate, Solver, dense, minimise, solve
from anonlib.counting.classes import AnonymityVector, anonymity_vector


@dataclass(frozen=True)
class SlotSolution:
    """The best people of each group in each slot (G, R) that was found, and what is proven about the smallest vector.

    ``vector``: of the people of each value in each slot; where everyone may go everywhere each value is one group.
    ``prefix``: for sizes up to this one its counts are proven least. ``bound``: nothing is smaller.
    """

    groups: sparse.csr_array
    vector: AnonymityVector
    prefix: int
    bound: AnonymityVector

    @property
    def proven(self) -> bool:
        return self.vector == self.bound


def vector_of_cells(groups: sparse.csr_array) -> AnonymityVector:
    """The vector where each group is a value."""
    return anonymity_vector(groups.data)


class Best:
    """The best people of each group in each slot found so far, and whom to report better ones to."""

    def __init__(
        self,
        groups: sparse.csr_array,
        offer: Callable[[sparse.csr_array], None] | None = None,
        vector_of: Callable[[sparse.csr_array], AnonymityVector] = vector_of_cells,
    ) -> None:
        self.groups, self.vector = groups, vector_of(groups)
        self._offer, self._vector_of = offer, vector_of

    def offer(self, groups: sparse.csr_array | None) -> None:
        """Keep the schedule, if it is one and better."""
        if groups is None:
            return
        vector = self._vector_of(groups)
        if vector < self.vector:
            self.groups, self.vector = groups, vector
            if self._offer is not None:
                self._offer(groups)


class Model(Protocol):
    """Schedules as the solver takes them; ``counts`` are the classes of each size from 1."""

    model: cp_model.CpModel
    counts: list[cp_model.LinearExprT]

    def hint(self, groups: sparse.csr_array) -> None:
        """Begin the search at this schedule."""

    def read(self, solver: Solver) -> sparse.csr_array | None:
        """The schedule of a solution; None where it is of a relaxation and stands for none."""


Build = Callable[[np.ndarray], Model | None]
"""The model with these counts (t,) of sizes 1 to t, the others free; None where it is too large."""


def searched(
    build: Build,
    longest: int,
    bound: AnonymityVector,
    best: Best,
    deadline: Deadline,
    seed: int,
    shares: tuple[float, ...],
    again: Callable[[], bool] = lambda: False,
) -> Certificate:
    """Let the solver look for better schedules than ``best``; what is proven at the end.

    In turn: up to which size can the counts be those of ``bound``, and how few classes are there of the next? Each time
    the counts up to there are settled, and sizes without classes leave the model. ``longest``: the most people of a
    class. ``shares``: parts of the work for one look at how far the bound can be followed, short ones first. ``again``:
    asked where the last model came to nothing; whether ``build`` gives other ones from now on.
    """
    certificate = Certificate(0)
    while certificate.prefix < longest and deadline.may_go_on():
        least = floor(bound, best.vector, certificate.prefix, longest)
        settled = _settled(build, least, best, deadline, seed, shares)
        model = build(least[:settled])
        if model is None:
            return Certificate(settled)
        certificate = minimised(model, bound, best, deadline, seed, settled)
        if certificate.prefix == settled < longest and not again():
            break
    return certificate


def minimised(
    model: Model, bound: AnonymityVector, best: Best, deadline: Deadline, seed: int, settled: int | None = None
) -> Certificate:
    """Let the solver look for better schedules; with ``settled``, only for the next counts after that size."""
    return minimise(
        model.model, model.counts, best.vector.n_records, bound, lambda: best.vector, lambda: model.hint(best.groups),
        lambda solver: best.offer(model.read(solver)), deadline, seed, settled,
    )  # fmt: skip


def floor(bound: AnonymityVector, best: AnonymityVector, prefix: int, longest: int) -> np.ndarray:
    """(longest,) the best's counts up to ``prefix``, and after it no fewer than any schedule has."""
    known, least = dense(best, longest), dense(bound, longest)
    result = np.zeros_like(known)
    result[:prefix] = known[:prefix]
    if np.array_equal(known[:prefix], least[:prefix]):
        result[prefix:] = least[prefix:]
    return result


def _settled(
    build: Build, least: np.ndarray, best: Best, deadline: Deadline, seed: int, shares: tuple[float, ...]
) -> int:
    """Up to which size a schedule was found whose counts are the least; it is then the best."""

    def agrees() -> int:
        return _alike(dense(best.vector, len(least)), least)

    refuted = len(least) + 1
    for share in shares:  # short looks first: the easy answers narrow the range for the long ones
        low, high = agrees(), refuted - 1
        while low < high and deadline.may_go_on():
            middle = (low + high + 1) // 2
            model = build(least[:middle])
            if model is not None:
                solver, status = solve(model.model, deadline, seed, work=deadline.work * share)
                if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                    best.offer(model.read(solver))
                elif status == cp_model.INFEASIBLE:
                    refuted = middle
            low, high = (agrees(), high) if agrees() >= middle else (low, middle - 1)
    return agrees()


def certified(best: Best, bound: AnonymityVector, certificate: Certificate) -> SlotSolution:
    """The solution with the larger of two bounds: the one given, and the one that the solver has proven."""
    prefix, vector = certificate.prefix, best.vector
    known = vector.sizes <= prefix
    sizes, classes = vector.sizes[known].tolist(), vector.classes[known].tolist()
    left = vector.n_records - int((vector.sizes[known] * vector.classes[known]).sum())
    more = certificate.next_least
    left -= more * (prefix + 1)
    proven = anonymity_vector(np.repeat([*sizes, prefix + 1, left], [*classes, more, int(left > 0)]))
    least = max(bound, proven)
    return SlotSolution(best.groups, vector, max(prefix, agreed(vector, least)), least)


def agreed(vector: AnonymityVector, bound: AnonymityVector) -> int:
    """Up to which size the vector has just the classes of the bound; the largest size of all when it is the bound."""
    longest = int(max(vector.sizes.max(initial=0), bound.sizes.max(initial=0)))
    return _alike(dense(vector, longest), dense(bound, longest))


def _alike(counts: np.ndarray, others: np.ndarray) -> int:
    """Up to which size the counts are the same."""
    differs = counts != others
    return int(np.argmax(differs)) if differs.any() else len(counts)
