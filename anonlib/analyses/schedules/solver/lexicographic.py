"""Minimise a model's anonymity vector with CP-SAT, class size by class size, and say how far that is proven."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model

from anonlib.analyses.schedules.solver.deadline import A_LOOK, Deadline
from anonlib.basics.budget import A_SECOND, Stopwatch
from anonlib.counting.classes import AnonymityVector

Solver = cp_model.CpSolver | cp_model.CpSolverSolutionCallback
_CHUNK = 1 << 24
"""Class sizes are minimised together while the product of what each can reach stays below this: one weighted sum then
orders them as the vector does, and is small enough for the solver's arithmetic to be quick and exact."""
BUILT, SIMPLIFIED = A_SECOND / 30_000, A_SECOND / 15_000
"""Work of a variable to build a model, and then to make it simpler before it is searched."""
_A_CALL = A_SECOND / 500
_A_UNIT = 4 * A_SECOND
"""Work of one unit of what the solver counts of its own, once it searches."""


@dataclass(frozen=True)
class Certificate:
    """What is proven of the smallest vector: its counts up to size ``prefix``, and the least count of the next size."""

    prefix: int
    next_least: int = 0


def dense(vector: AnonymityVector, longest: int) -> np.ndarray:
    """The classes of each size from 1 to ``longest``; larger ones are left out."""
    counts = np.zeros(longest, np.int64)
    short = vector.sizes <= longest
    counts[vector.sizes[short] - 1] = vector.classes[short]
    return counts


def minimise(
    model: cp_model.CpModel,
    counts: Sequence[cp_model.LinearExprT],
    people: int,
    bound: AnonymityVector,
    best: Callable[[], AnonymityVector],
    hint: Callable[[], None],
    read: Callable[[Solver], None],
    deadline: Deadline,
    seed: int,
    prefix: int | None = None,
) -> Certificate:
    """Search the model for the smallest vector of ``counts``, the classes of each size from 1.

    ``best`` gives the smallest vector found so far, ``hint`` begins the model's search there, and ``read`` takes what
    the solver finds; ``bound`` is a vector that nothing is smaller than. With ``prefix``, the best's counts up to that
    size are proven already, and only the next few that are not are searched.
    """
    longest = len(counts)
    least = dense(bound, longest)
    once, prefix = prefix is not None, prefix or 0
    while prefix < longest:
        known = dense(best(), longest)
        sizes = np.arange(1, prefix + 1)
        left = people - int((sizes * known[:prefix]).sum())
        if left == 0:
            return Certificate(longest)
        floor = int(least[prefix]) if np.array_equal(known[:prefix], least[:prefix]) else 0
        if known[prefix] == floor:
            model.add(counts[prefix] == floor)
            prefix += 1
            continue
        weights = _weights(int(known[prefix]), left, prefix, longest)
        objective = cp_model.LinearExpr.weighted_sum(counts[prefix : prefix + len(weights)], weights)
        model.clear_hints()
        hint()
        model.minimize(objective)
        solver, status = solve(model, deadline, seed, read)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            read(solver)
        if status != cp_model.OPTIMAL:
            reached = int(np.ceil(solver.best_objective_bound - 1e-6)) if status != cp_model.UNKNOWN else 0
            return Certificate(prefix, max(floor, reached // weights[0]))
        known = dense(best(), longest)
        if int(known[prefix : prefix + len(weights)] @ np.array(weights)) != round(solver.objective_value):
            return Certificate(prefix, max(floor, round(solver.objective_value) // weights[0]))
        for size in range(prefix, prefix + len(weights)):
            model.add(counts[size] == int(known[size]))
        prefix += len(weights)
        if once:
            break
    return Certificate(prefix)


def _weights(first: int, left: int, prefix: int, longest: int) -> list[int]:
    """Weights of the class sizes after ``prefix`` that order a few of them as the vector does."""
    reach = [first]
    product = first + 1
    for size in range(prefix + 2, longest + 1):
        product *= left // size + 1
        if product > _CHUNK:
            break
        reach.append(left // size)
    weights = [1]
    for most in reversed(reach[1:]):
        weights.append(weights[-1] * (most + 1))
    return weights[::-1]


def solve(
    model: cp_model.CpModel,
    deadline: Deadline,
    seed: int,
    read: Callable[[Solver], None] | None = None,
    work: float | None = None,
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """Run the solver beside this thread, which goes on reporting how far it is; what that raises stops the solver.

    It does what is left of the work, or ``work`` of it at most, and is one thread that counts what it does, so that it
    comes to the same on every machine. What ``read`` raises is raised here, too.
    """
    solver = cp_model.CpSolver()
    before = _A_CALL + SIMPLIFIED * len(model.proto.variables)
    most = max(before + A_LOOK, deadline.left if work is None else min(work, deadline.left))
    solver.parameters.max_deterministic_time = (most - before) / _A_UNIT
    seconds_left = deadline.seconds_left
    if seconds_left is not None:
        solver.parameters.max_time_in_seconds = max(0.01, seconds_left)
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = 1
    stopwatch = Stopwatch()
    reporter = _Reporter(read) if read is not None else None
    with ThreadPoolExecutor(1) as beside:
        status = beside.submit(solver.solve, model, reporter)
        try:
            while not status.done():
                wait([status], 0.02)
                deadline.report(min(most, stopwatch.seconds * A_SECOND))
        except BaseException:
            while not status.done():  # a stop that comes before the search has begun is not heard
                solver.stop_search()
                wait([status], 0.02)
            raise
    reached = status.result()
    deadline.spend(solver.deterministic_time * _A_UNIT + before)
    if reached in (cp_model.UNKNOWN, cp_model.FEASIBLE):
        _ = deadline.left  # the clock may have ended it
    return solver, reached


class _Reporter(cp_model.CpSolverSolutionCallback):
    """Hands on each solution as it is found."""

    def __init__(self, read: Callable[[cp_model.CpSolverSolutionCallback], None]) -> None:
        super().__init__()
        self._read = read

    def on_solution_callback(self) -> None:
        self._read(self)
