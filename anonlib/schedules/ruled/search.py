"""The solver under rules: how far the bound can be followed, then how few classes there are where it cannot."""

from __future__ import annotations

import numpy as np
from ortools.sat.python import cp_model

from anonlib.classes import AnonymityVector
from anonlib.schedules.ruled.programme import Best, Programme
from anonlib.schedules.ruled.zoned import ZonedModel, longest_cell, n_variables
from anonlib.schedules.solver.lexicographic import Certificate, Watch, dense, minimise, solve


def within(watch: Watch, seconds: float) -> Watch:
    """A watch for a part of the work, of at most so many seconds; who listens to the whole is told as before."""

    def tell(_: float) -> None:
        watch.look()

    return Watch(max(0.0, min(seconds, watch.left)), tell)


MOST_VARIABLES = 40_000
"""Of a model: beyond it the solver does not come far in minutes."""
_SHARE = 0.1  # of the time, for one look at how far the bound can be followed


def searched(programme: Programme, bound: AnonymityVector, best: Best, watch: Watch, seed: int) -> Certificate:
    """Let the solver look for better schedules than ``best``; what is proven at the end.

    In turn: up to which size can the counts be those of ``bound``, and how few classes are there of the next? Each time
    the counts up to there are settled, and sizes without classes leave the model.
    """
    longest = longest_cell(programme)
    certificate = Certificate(0)
    while certificate.prefix < longest and watch.look():
        floor = _floor(bound, best.vector, certificate.prefix, longest)
        settled = _settled(programme, floor, certificate.prefix, best, watch, seed)
        if n_variables(programme, floor[:settled]) > MOST_VARIABLES:
            return Certificate(settled)
        model = ZonedModel(programme, floor[:settled])
        certificate = minimised(model, programme, bound, best, watch, seed, settled)
        if certificate.prefix <= settled:
            break
    return certificate


def minimised(
    model: ZonedModel,
    programme: Programme,
    bound: AnonymityVector,
    best: Best,
    watch: Watch,
    seed: int,
    settled: int | None = None,
) -> Certificate:
    """Let the solver look for better schedules; with ``settled``, only for the next counts after that size."""
    return minimise(
        model.model, model.counts, programme.n_people, bound, lambda: best.vector, lambda: model.hint(best.groups),
        lambda solver: best.offer(model.read(solver)), watch, seed, settled,
    )  # fmt: skip


def _floor(bound: AnonymityVector, best: AnonymityVector, prefix: int, longest: int) -> np.ndarray:
    """(longest,) the best's counts up to ``prefix``, and after it no fewer than any schedule has."""
    known, least = dense(best, longest), dense(bound, longest)
    floor = np.zeros_like(known)
    floor[:prefix] = known[:prefix]
    if np.array_equal(known[:prefix], least[:prefix]):
        floor[prefix:] = least[prefix:]
    return floor


def _settled(programme: Programme, floor: np.ndarray, prefix: int, best: Best, watch: Watch, seed: int) -> int:
    """Up to which size a schedule was found whose counts are the floor's; it is then the best."""

    def agrees() -> int:
        differs = dense(best.vector, len(floor)) != floor
        return int(np.argmax(differs)) if differs.any() else len(floor)

    low, high = agrees(), len(floor)
    while low < high and watch.look():
        middle = (low + high + 1) // 2
        if n_variables(programme, floor[:middle]) <= MOST_VARIABLES:
            model = ZonedModel(programme, floor[:middle])
            model.hint(best.groups)
            solver, status = solve(model.model, watch, seed, seconds=watch.seconds * _SHARE)
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                best.offer(model.read(solver))
        if agrees() >= middle:
            low = agrees()
        else:
            high = middle - 1
    return low
