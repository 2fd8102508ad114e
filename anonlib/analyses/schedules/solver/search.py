"""The search with the solver: how far the bound can be followed, then how few classes there are where it cannot.

First comes the work that a search for a schedule may do, and the clock that may end it early. Next, CP-SAT minimises a
model's anonymity vector, class size by class size, and it is stated how far that is proven. The search of schedules is
last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.basics.budget import A_SECOND, Budget, Over, Stopwatch
from anonlib.basics.progress import Progress
from anonlib.counting.classes import AnonymityVector, anonymity_vector

A_LOOK = A_SECOND / 1_000
"""Work that is taken for granted between two looks at what is left, where nobody says how much it was."""


class Deadline:
    """A budget of bounded work as it is spent by a search and its parts, and where the share that is spent is reported.

    Attributes
    ----------
    work : float
        What there is in all, as in a budget.
    """

    def __init__(self, budget: Budget, progress: Progress | None = None) -> None:
        assert budget.work is not None  # a search without end would be one
        self.work = budget.work
        self._spending = budget.begun()
        self._begun, self._end = 0.0, budget.work
        self._progress = progress
        self._furthest = [0.0]  # the largest share that was reported, by the search or any part of it

    @property
    def spent(self) -> float:
        """Work since it began."""
        return self._spending.work - self._begun

    @property
    def left(self) -> float:
        """Work; none where the clock has ended the search before."""
        left = max(0.0, self._end - self._spending.work)
        if left:
            try:
                self._spending.raise_if_late()
            except Over:
                return 0.0
        return left

    @property
    def seconds(self) -> float:
        """Since the search began, to be shown."""
        return self._spending.seconds

    @property
    def seconds_left(self) -> float | None:
        """Of the clock that ends the search early; None without one."""
        return self._spending.seconds_left

    @property
    def ended_early(self) -> bool:
        """Whether a clock ended the search before its work was done."""
        return self._spending.ended_early

    def spend(self, work: float) -> None:
        """So much is done."""
        self._spending.spend(work)

    def report(self, under_way: float = 0.0) -> None:
        """Say what share is spent, about as much being under way; what that raises stops the search."""
        if self._progress is None:
            return
        whole = self._spending.budget.work
        share = (self._spending.work + under_way) / whole if whole else 1.0
        self._furthest[0] = min(1.0, max(self._furthest[0], share, self._spending.share))
        self._progress(self._furthest[0])

    def may_go_on(self, work: float = A_LOOK) -> bool:
        """So much is done: spend and report it, and say whether there is work left."""
        self.spend(work)
        self.report()
        return self.left > 0

    def part(self, work: float) -> Deadline:
        """For a part of the search, of at most so much work; it is spent of the whole, and reported as the whole is."""
        part = Deadline(Budget(max(0.0, min(work, self.left))))
        part._spending, part._progress, part._furthest = self._spending, self._progress, self._furthest
        part._begun = self._spending.work
        part._end = part._begun + part.work
        return part


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


class SolverModel(Protocol):
    """Schedules as the solver takes them; ``counts`` are the classes of each size from 1."""

    model: cp_model.CpModel
    counts: list[cp_model.LinearExprT]

    def hint(self, groups: sparse.csr_array) -> None:
        """Begin the search at this schedule."""

    def read(self, solver: Solver) -> sparse.csr_array | None:
        """The schedule of a solution; None where it is of a relaxation and stands for none."""


Build = Callable[[np.ndarray], SolverModel | None]
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
    model: SolverModel, bound: AnonymityVector, best: Best, deadline: Deadline, seed: int, settled: int | None = None
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
