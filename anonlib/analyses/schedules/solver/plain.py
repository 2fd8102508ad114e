"""The optimum where everyone may go everywhere: bounds, then packing, then the solver on parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.heuristics import GreedyRule, greedy_schedule
from anonlib.analyses.schedules.schedule import Schedule
from anonlib.analyses.schedules.solver.bounds import column_plan, row_plan
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.fill import pack
from anonlib.analyses.schedules.solver.lexicographic import BUILT, SIMPLIFIED, Certificate, Solver
from anonlib.analyses.schedules.solver.mixed import mixed
from anonlib.analyses.schedules.solver.parts import Parts, Side, many_ways, matched
from anonlib.analyses.schedules.solver.search import Best, SlotSolution, certified, searched
from anonlib.counting.classes import AnonymityVector, anonymity_vector

_TRIES = 100
_SHARES = (0.02, 0.08)  # of the work, for one look at how far the bound can be followed
_MOST_VARIABLES = 40_000
"""Of a model: beyond it the solver does not come far in minutes."""


def solve_plain(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    deadline: Deadline,
    seed: int = 0,
    offer: Callable[[sparse.csr_array], None] | None = None,
    greedy: Sequence[Schedule] = (),
) -> SlotSolution:
    """The smallest vector of any schedule of these frequencies and capacities, which have room for everyone.

    ``offer`` is called with each better schedule on the way; ``greedy`` are those of both rules where they are at hand.
    """
    if capacities.max(initial=0) > frequencies.sum():  # places without end are no more than all need
        capacities, greedy = np.minimum(capacities, frequencies.sum()), ()
    row_bound = anonymity_vector(row_plan(frequencies, int(capacities.max()))[1])
    loads = column_plan(capacities, int(frequencies.sum()))
    column_bound = anonymity_vector(loads)
    bound = max(row_bound, column_bound)
    if bound == column_bound:
        packed = _columns_packed(frequencies, loads, deadline, seed)
    if bound == row_bound and (bound != column_bound or packed is None):
        packed = _rows_packed(frequencies, capacities, deadline, seed)
    if packed is not None:
        if offer is not None:
            offer(packed)
        return SlotSolution(packed, bound, int(bound.sizes.max(initial=0)), bound)
    published, reference = greedy or (
        greedy_schedule(frequencies, capacities, rule=rule) for rule in get_args(GreedyRule)
    )
    best = Best(published.assignment, offer)
    best.offer(reference.assignment)
    mixed(frequencies, loads, np.random.default_rng(seed), best.offer, deadline.may_go_on)
    brief = deadline.part(deadline.left / 3)
    _searched(frequencies, capacities, bound, best, brief, seed, True)
    certificate = _searched(frequencies, capacities, bound, best, deadline, seed, False)
    return certified(best, bound, certificate)


def _columns_packed(
    frequencies: np.ndarray, loads: np.ndarray, deadline: Deadline, seed: int
) -> sparse.csr_array | None:
    """Each slot's load whole from one value."""
    slots = np.flatnonzero(loads)
    value = pack(loads[slots], frequencies, np.random.default_rng(seed), _TRIES, deadline.may_go_on)
    if value is None:
        return None
    return sparse.csr_array((loads[slots], (value, slots)), shape=(len(frequencies), len(loads)))


def _rows_packed(
    frequencies: np.ndarray, capacities: np.ndarray, deadline: Deadline, seed: int
) -> sparse.csr_array | None:
    """Each part of the row plan whole in one slot."""
    values, parts = row_plan(frequencies, int(capacities.max()))
    slot = pack(parts, capacities, np.random.default_rng(seed), _TRIES, deadline.may_go_on)
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
        self,
        frequencies: np.ndarray,
        capacities: np.ndarray,
        fixed: np.ndarray,
        few: bool,
        together: bool,
        deadline: Deadline,
    ) -> None:
        people = int(frequencies.sum())
        longest = int(min(frequencies.max(), capacities.max()))
        sizes = [*(np.flatnonzero(fixed) + 1).tolist(), *range(len(fixed) + 1, longest + 1)]
        self.frequencies, self.deadline = frequencies, deadline
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

    def _go_on(self, work: float) -> bool:
        self.deadline.spend(work)  # the thread of the search reports, this one is the solver's
        return self.deadline.left > 0

    @property
    def n_variables(self) -> int:
        return self.values.n_variables + self.slots.n_variables

    def hint(self, groups: sparse.csr_array) -> None:
        """Begin the search at these cells."""
        entries = groups.tocoo()
        rows = entries.row
        if len(self.large):
            rows = np.where(np.isin(rows, self.large), self.large[0], rows)
        self.model.clear_hints()
        self.values.hint(self.model, _parts(rows, entries.data))
        self.slots.hint(self.model, _parts(entries.col, entries.data))

    def read(self, solver: Solver) -> sparse.csr_array | None:
        """The cells of a solution; None when the parts taken together cannot be packed."""
        values = self.values.parts(solver)
        if len(self.large):
            sizes = np.array([size for value, size in values if value == self.large[0]])
            frequencies, rng = self.frequencies[self.large], np.random.default_rng(0)
            placed = pack(sizes, frequencies, rng, _TRIES, self._go_on)
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
    deadline: Deadline,
    seed: int,
    few: bool,
) -> Certificate:
    """Let the solver look for better ones; what is proven at the end."""
    together, large = True, False

    def build(fixed: np.ndarray) -> _Model | None:
        nonlocal large
        model = _Model(frequencies, capacities, fixed, few, together, deadline)
        large = len(model.large) > 0
        deadline.spend(BUILT * model.n_variables)
        return model if model.n_variables <= min(_MOST_VARIABLES, deadline.left / SIMPLIFIED) else None

    def again() -> bool:  # what is best together may not be possible apart
        nonlocal together
        were_together, together = together and large, False
        return were_together

    longest = int(min(frequencies.max(), capacities.max()))
    return searched(build, longest, bound, best, deadline, seed, _SHARES, again)


def _parts(positions: np.ndarray, sizes: np.ndarray) -> Parts:
    return list(zip(positions.tolist(), sizes.tolist(), strict=True))
