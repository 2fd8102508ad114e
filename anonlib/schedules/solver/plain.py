"""The optimum where everyone may go everywhere: bounds, then packing, then the solver on parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.classes import AnonymityVector, anonymity_vector
from anonlib.schedules.heuristics import greedy_schedule
from anonlib.schedules.solver.bounds import column_plan, row_plan
from anonlib.schedules.solver.fill import pack
from anonlib.schedules.solver.lexicographic import Certificate, Solver, Watch, dense, minimise, solve
from anonlib.schedules.solver.mixed import mixed
from anonlib.schedules.solver.parts import Parts, Side, many_ways, matched

_TRIES = 100
_SHARES = (0.02, 0.08)  # of the time, for one look at how far the bound can be followed
_MOST_VARIABLES = 40_000
"""Of a model: beyond it the solver does not come far in minutes."""


@dataclass(frozen=True)
class Solution:
    """The best people of each value in each slot (Q, R) that was found, and what is proven about the smallest vector.

    ``prefix``: for sizes up to this one the counts of ``cells`` are proven least. ``bound``: nothing is smaller.
    """

    cells: sparse.csr_array
    vector: AnonymityVector
    prefix: int
    bound: AnonymityVector

    @property
    def proven(self) -> bool:
        return self.vector == self.bound


class Best:
    """The best cells found so far, and whom to tell of better ones."""

    def __init__(self, cells: sparse.csr_array, offer: Callable[[sparse.csr_array], None] | None = None) -> None:
        self.cells, self.vector, self._offer = cells, anonymity_vector(cells.data), offer

    def offer(self, cells: sparse.csr_array | None) -> None:
        """Keep the cells if they are better."""
        if cells is None:
            return
        vector = anonymity_vector(cells.data)
        if vector < self.vector:
            self.cells, self.vector = cells, vector
            if self._offer is not None:
                self._offer(cells)


def solve_plain(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    watch: Watch,
    seed: int = 0,
    offer: Callable[[sparse.csr_array], None] | None = None,
) -> Solution:
    """The smallest vector of any schedule of these frequencies and capacities, which have room for everyone.

    ``offer`` is told of each better schedule on the way.
    """
    capacities = np.minimum(capacities, frequencies.sum())  # places without end are no more than all need
    row_bound = anonymity_vector(row_plan(frequencies, int(capacities.max()))[1])
    loads = column_plan(capacities, int(frequencies.sum()))
    column_bound = anonymity_vector(loads)
    bound = max(row_bound, column_bound)
    if bound == column_bound:
        packed = _columns_packed(frequencies, loads, watch, seed)
    if bound == row_bound and (bound != column_bound or packed is None):
        packed = _rows_packed(frequencies, capacities, watch, seed)
    if packed is not None:
        if offer is not None:
            offer(packed)
        return Solution(packed, bound, int(bound.sizes.max(initial=0)), bound)
    best = Best(greedy_schedule(frequencies, capacities).assignment, offer)
    best.offer(greedy_schedule(frequencies, capacities, rule="reference").assignment)
    mixed(frequencies, loads, np.random.default_rng(seed), best.offer, watch.look)
    brief = Watch(watch.left / 3, lambda _: watch.tell())
    _searched(frequencies, capacities, bound, best, brief, seed, True)
    certificate = _searched(frequencies, capacities, bound, best, watch, seed, False)
    return certified(best, bound, certificate)


def _columns_packed(frequencies: np.ndarray, loads: np.ndarray, watch: Watch, seed: int) -> sparse.csr_array | None:
    """Each slot's load whole from one value."""
    slots = np.flatnonzero(loads)
    value = pack(loads[slots], frequencies, np.random.default_rng(seed), _TRIES, watch.look)
    if value is None:
        return None
    return sparse.csr_array((loads[slots], (value, slots)), shape=(len(frequencies), len(loads)))


def _rows_packed(frequencies: np.ndarray, capacities: np.ndarray, watch: Watch, seed: int) -> sparse.csr_array | None:
    """Each part of the row plan whole in one slot."""
    values, parts = row_plan(frequencies, int(capacities.max()))
    slot = pack(parts, capacities, np.random.default_rng(seed), _TRIES, watch.look)
    if slot is None:
        return None
    return sparse.csr_array((parts, (values, slot)), shape=(len(frequencies), len(capacities)))


class _Model:
    """Parts on both sides, as many of each size; ``fixed`` (t,) are the counts of sizes 1 to t, the others are free.

    ``together``: values that can be split in very many ways are taken together as one. That is a relaxation, so what is
    proven of it holds; and its parts mostly can be packed into the values. ``few``: slots that can be split in very
    many ways have few parts; a smaller model, of which nothing is proven.
    """

    def __init__(
        self, frequencies: np.ndarray, capacities: np.ndarray, fixed: np.ndarray, few: bool, together: bool
    ) -> None:
        people = int(frequencies.sum())
        longest = int(min(frequencies.max(), capacities.max()))
        sizes = [*(np.flatnonzero(fixed) + 1).tolist(), *range(len(fixed) + 1, longest + 1)]
        self.frequencies = frequencies
        self.shape = (len(frequencies), len(capacities))
        self.model = cp_model.CpModel()
        self.large = np.flatnonzero(many_ways(frequencies, sizes)) if together else np.empty(0, np.int64)
        alone = frequencies.copy()
        alone[self.large] = 0
        alone[self.large[:1]] = frequencies[self.large].sum()
        self.values = Side(self.model, alone, 0, sizes, False)
        self.slots = Side(self.model, capacities, int(capacities.sum()) - people, sizes, few)
        self.counts: list[cp_model.LinearExprT] = [*fixed.tolist()]
        for size in range(len(fixed) + 1, longest + 1):
            self.counts.append(self.model.new_int_var(0, people // size, ""))
        for size in sizes:
            self.model.add(self.values.count(size) == self.counts[size - 1])
            self.model.add(self.slots.count(size) == self.counts[size - 1])

    @property
    def n_variables(self) -> int:
        return self.values.n_variables + self.slots.n_variables

    def hint(self, cells: sparse.csr_array) -> None:
        """Begin the search at these cells."""
        entries = cells.tocoo()
        rows = entries.row
        if len(self.large):
            rows = np.where(np.isin(rows, self.large), self.large[0], rows)
        self.model.clear_hints()
        self.values.hint(self.model, _parts(rows, entries.data))
        self.slots.hint(self.model, _parts(entries.col, entries.data))

    def cells(self, solver: Solver, watch: Watch) -> sparse.csr_array | None:
        """The cells of a solution; None when the parts taken together cannot be packed."""
        values = self.values.parts(solver)
        if len(self.large):
            sizes = np.array([size for value, size in values if value == self.large[0]])
            placed = pack(sizes, self.frequencies[self.large], np.random.default_rng(0), _TRIES, lambda: watch.left > 0)
            if placed is None:
                return None
            values = [part for part in values if part[0] != self.large[0]]
            values += _parts(self.large[placed], sizes)
        return matched(values, self.slots.parts(solver), self.shape)


def _searched(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    bound: AnonymityVector,
    best: Best,
    watch: Watch,
    seed: int,
    few: bool,
) -> Certificate:
    """Let the solver look for better ones; what is proven at the end.

    In turn: how far can the vector follow the bound, and how few classes are there of the first size where it cannot?
    Each time the counts up to there are settled, and sizes without classes leave the model.
    """
    people = int(frequencies.sum())
    longest = int(min(frequencies.max(), capacities.max()))
    certificate, together = Certificate(0), True
    while certificate.prefix < longest and watch.look():
        floor = _floor(bound, best.vector, certificate.prefix, longest)
        settled = _settled(frequencies, capacities, floor, best, watch, seed, few, together)
        model = _Model(frequencies, capacities, floor[:settled], few, together)
        if model.n_variables > _MOST_VARIABLES:
            return Certificate(settled)
        certificate = _next_sizes(model, people, bound, best, watch, seed, settled)
        if certificate.prefix == settled < longest:
            if not (together and len(model.large)):
                break
            together = False  # what is best together may not be possible apart
    return certificate


def _next_sizes(
    model: _Model, people: int, bound: AnonymityVector, best: Best, watch: Watch, seed: int, settled: int
) -> Certificate:
    """Find the fewest classes of the sizes that come after those settled."""
    return minimise(
        model.model, model.counts, people, bound, lambda: best.vector, lambda: model.hint(best.cells),
        lambda solver: best.offer(model.cells(solver, watch)), watch, seed, settled,
    )  # fmt: skip


def _floor(bound: AnonymityVector, best: AnonymityVector, prefix: int, longest: int) -> np.ndarray:
    """(longest,) the best's counts up to ``prefix``, and after it no fewer than any schedule has."""
    known, least = dense(best, longest), dense(bound, longest)
    floor = np.zeros_like(known)
    floor[:prefix] = known[:prefix]
    if np.array_equal(known[:prefix], least[:prefix]):
        floor[prefix:] = least[prefix:]
    return floor


def _settled(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    floor: np.ndarray,
    best: Best,
    watch: Watch,
    seed: int,
    few: bool,
    together: bool,
) -> int:
    """Up to which size a schedule was found whose counts are the floor's; it is then the best."""

    def agrees() -> int:
        differs = dense(best.vector, len(floor)) != floor
        return int(np.argmax(differs)) if differs.any() else len(floor)

    refuted = len(floor) + 1
    for share in _SHARES:  # short looks first: the easy answers narrow the range for the long ones
        low, high = agrees(), refuted - 1
        while low < high and watch.look():
            middle = (low + high + 1) // 2
            model = _Model(frequencies, capacities, floor[:middle], few, together)
            status = cp_model.UNKNOWN
            if model.n_variables <= _MOST_VARIABLES:
                solver, status = solve(model.model, watch, seed, seconds=watch.seconds * share)
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                best.offer(model.cells(solver, watch))
            elif status == cp_model.INFEASIBLE:
                refuted = middle
            low, high = (agrees(), high) if agrees() >= middle else (low, middle - 1)
    return agrees()


def _parts(positions: np.ndarray, sizes: np.ndarray) -> Parts:
    return list(zip(positions.tolist(), sizes.tolist(), strict=True))


def certified(best: Best, bound: AnonymityVector, certificate: Certificate) -> Solution:
    """The solution with the larger of two bounds: the one given, and the one that the solver has proven."""
    prefix, vector = certificate.prefix, best.vector
    known = vector.sizes <= prefix
    sizes, classes = vector.sizes[known].tolist(), vector.classes[known].tolist()
    left = vector.n_records - int((vector.sizes[known] * vector.classes[known]).sum())
    more = certificate.next_least
    left -= more * (prefix + 1)
    proven = anonymity_vector(np.repeat([*sizes, prefix + 1, left], [*classes, more, int(left > 0)]))
    least = max(bound, proven)
    return Solution(best.cells, vector, max(prefix, agreed(vector, least)), least)


def agreed(vector: AnonymityVector, bound: AnonymityVector) -> int:
    """Up to which size the vector has just the classes of the bound; the largest size of all when it is the bound."""
    longest = int(max(vector.sizes.max(initial=0), bound.sizes.max(initial=0)))
    differs = dense(vector, longest) != dense(bound, longest)
    return int(np.argmax(differs)) if differs.any() else longest
