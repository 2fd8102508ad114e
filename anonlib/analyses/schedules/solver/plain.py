"""The optimum where everyone may go everywhere: bounds, then packing, then the solver on parts.

The bounds are vectors that no schedule can be better than, in closed form. Both rest on the merge lemma: replacing two
parts by their sum makes an anonymity vector smaller, since it takes a class away at the smaller of the two sizes and
changes nothing below it (docs/analyses/schedules.md has the proofs).

Packing puts every part whole into one of the targets, each target filled exactly but for the places to spare. With the
frequencies as parts and the slots as targets this is the row plan; with the column plan's loads as parts and the
frequencies as targets it is the column plan. Either one, once packed, is a proven optimum. Next is a good schedule
where some values are too small to be made of whole slots, in milliseconds for any programme; the solver is last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import get_args

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.heuristics import GreedyRule, greedy_schedule
from anonlib.analyses.schedules.schedule import Schedule
from anonlib.analyses.schedules.solver.packing_loops import apart, fill
from anonlib.analyses.schedules.solver.parts import Parts, Side, many_ways, matched
from anonlib.analyses.schedules.solver.search import (
    A_LOOK,
    BUILT,
    SIMPLIFIED,
    Best,
    Certificate,
    Deadline,
    SlotSolution,
    Solver,
    certified,
    searched,
)
from anonlib.basics.budget import A_SECOND
from anonlib.counting.classes import AnonymityVector, anonymity_vector


def column_plan(capacities: np.ndarray, people: int) -> np.ndarray:
    """(R,) the people in each slot that give the smallest vector if each slot took people of one value only.

    The smallest slots stay empty while the places to spare allow it; the rest to spare is taken from the largest, one
    place at a time, which levels them at the top. Needs at least ``people`` places.
    """
    order = np.argsort(capacities, kind="stable")
    loads = capacities[order]
    spare = int(loads.sum()) - people
    emptied = int(np.searchsorted(np.cumsum(loads), spare, side="right"))
    spare -= int(loads[:emptied].sum())
    loads[:emptied] = 0
    loads[emptied:] = _levelled(loads[emptied:], spare)
    plan = np.empty_like(loads)
    plan[order] = loads
    return plan


def _levelled(ascending: np.ndarray, spare: int) -> np.ndarray:
    """The values with ``spare`` taken from the largest, one at a time."""
    if spare == 0 or not len(ascending):
        return ascending
    # Lowering the last m to the height of the one before them takes this much.
    from_top = ascending[::-1]
    heights = np.append(from_top[1:], 0)
    taken = np.cumsum(from_top) - np.arange(1, len(from_top) + 1) * heights
    m = int(np.searchsorted(taken, spare)) + 1
    left = int(from_top[:m].sum()) - spare
    levelled = ascending.copy()
    levelled[-m:] = left // m
    levelled[len(levelled) - left % m :] += 1
    return levelled


def row_plan(frequencies: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Each value in as few nearly equal parts as slots of ``most`` places can hold: value and size of each part.

    No split of a value into parts of at most so many has a smaller vector: the least part can be no larger, no fewer
    parts can be as small as it, and so on up.
    """
    n_parts = -(-frequencies // most)
    part = np.arange(n_parts.sum()) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
    least, larger = np.divmod(frequencies, n_parts)
    values = np.repeat(np.arange(len(frequencies)), n_parts)
    return values, least[values] + (part < larger[values])


def lower_bound(frequencies: np.ndarray, capacities: np.ndarray) -> AnonymityVector:
    """No schedule has a smaller vector: the larger of that of the row plan and that of the column plan."""
    _, parts = row_plan(frequencies, int(capacities.max()))
    return max(anonymity_vector(parts), anonymity_vector(column_plan(capacities, int(frequencies.sum()))))


_LAST = 24
"""The last targets are the hard ones: they must use up what is left. They are tried again and again."""
_CLOSE = 5  # a target is closed exactly once it is down to so many parts of mean size
_LOOKED = 200  # parts, at most, to close one target
_BETWEEN_LOOKS = 256  # targets that are filled between two looks at what is left to spend
_A_PART = A_SECOND / 3_000_000  # work of one part that is looked at or placed


MayGoOn = Callable[[float], bool]
"""Given how much work was done since it was asked last: whether there is more to spend."""


@dataclass
class _Steps:
    """What was done since the last look at what is left."""

    may_go_on: MayGoOn
    work: float = 0.0

    def is_work_left(self) -> bool:
        work, self.work = self.work, 0.0
        return self.may_go_on(work)


def pack(
    parts: np.ndarray, targets: np.ndarray, rng: np.random.Generator, tries: int, may_go_on: MayGoOn
) -> np.ndarray | None:
    """(len(parts),) the target of each part, so that no target has more than it holds; None if none was found.

    Randomised: small targets come first, since they have few ways to be filled, and the last ones are shuffled again up
    to ``tries`` times, while ``may_go_on`` says so.
    """
    spare = int(targets.sum() - parts.sum())
    if spare < 0 or (len(parts) and parts.max() > targets.max()):
        return None
    steps = _Steps(may_go_on)
    parts, targets = np.ascontiguousarray(parts, np.int64), np.ascontiguousarray(targets, np.int64)
    target_of_part = np.empty(len(parts), np.int64)
    order = np.argsort(targets, kind="stable")
    first, last = order[: max(0, len(order) - _LAST)], order[max(0, len(order) - _LAST) :]
    for _ in range(3):
        pool = rng.permutation(len(parts))
        steps.work += _A_PART * len(parts)
        begun = _fill(pool, parts, targets, first, spare, steps, target_of_part)
        if begun is None:
            if not steps.is_work_left():
                return None
            continue
        left, spare_left = begun
        for attempt in range(tries):
            if not steps.is_work_left():
                return None
            turn = last if attempt % 3 == 0 else rng.permutation(last) if attempt % 3 == 1 else last[::-1]
            ended = _fill(rng.permutation(left), parts, targets, turn, spare_left, steps, target_of_part)
            if ended is not None and not len(ended[0]):
                return target_of_part
    return None


def _fill(
    pool: np.ndarray,
    parts: np.ndarray,
    targets: np.ndarray,
    turn: np.ndarray,
    spare: int,
    steps: _Steps,
    target_of_part: np.ndarray,
) -> tuple[np.ndarray, int] | None:
    """Fill the targets in turn from the pool, writing the target of each part: the parts and places that are left."""
    enough = _CLOSE * (float(parts.mean()) if len(parts) else 1.0)
    sums = np.empty((_LOOKED + 1, (int(targets[turn].max(initial=0)) >> 6) + 1), np.uint64)
    pool, turn = np.ascontiguousarray(pool), np.ascontiguousarray(turn)
    state, work = np.array([len(pool), spare]), np.array([steps.work])
    for begin in range(-1, len(turn), _BETWEEN_LOOKS):
        if begin > 0:
            steps.work = float(work[0])
            if not steps.is_work_left():
                return None
            work[0] = steps.work
        some = turn[max(0, begin) : begin + _BETWEEN_LOOKS]
        is_filled = fill(pool, parts, targets, some, enough, _LOOKED, _A_PART, state, work, sums, target_of_part)
        steps.work = float(work[0])
        if not is_filled:
            return None
    return pool[: state[0]].copy(), int(state[1])


_TRIES_OF_MIXED = 6
_STEPS = 40  # so many numbers of small values are tried
Place = Callable[[np.ndarray, np.ndarray], np.ndarray | None]
"""From the small values' people and the places of the slots to a slot for each value; None if there is no room."""


def mixed(
    frequencies: np.ndarray,
    loads: np.ndarray,
    rng: np.random.Generator,
    offer: Callable[[sparse.csr_array], None],
    may_go_on: MayGoOn,
) -> None:
    """Offer schedules in which values up to some size go to a slot whole, and what they leave of it to larger values.

    ``loads`` is the column plan. The fewer values are placed so the better, as far as the larger ones can then be made
    of the parts there are. The small ones either each take a slot with a large value, or fill slots together. One that
    no slot holds is cut into as few equal parts as slots hold.
    """
    ascending = np.argsort(frequencies, kind="stable")
    together = partial(_together, rng=rng, may_go_on=may_go_on)
    for place in (_apart, together):
        best = len(frequencies) + 1
        for n_small in _looks(len(frequencies)):
            if n_small >= best or not may_go_on(A_LOOK):
                break
            cells = _placed(frequencies, loads, ascending[:n_small], place, rng, may_go_on)
            if cells is not None:
                offer(cells)
                best = n_small


def _looks(n: int) -> list[int]:
    """Numbers from 0 to n to try, ascending: closer together among the small ones."""
    return sorted({round(n * (step / _STEPS) ** 2) for step in range(_STEPS + 1)})


def _placed(
    frequencies: np.ndarray,
    loads: np.ndarray,
    small: np.ndarray,
    place: Place,
    rng: np.random.Generator,
    may_go_on: MayGoOn,
) -> sparse.csr_array | None:
    """The schedule in which just the small values go whole to a slot; None if the others cannot be packed."""
    which, people = row_plan(frequencies[small], int(loads.max()))
    whole = small[which]
    slots = place(people, loads)
    if slots is None:
        return None
    left = loads - np.bincount(slots, weights=people, minlength=len(loads)).astype(np.int64)
    is_large = np.ones(len(frequencies), dtype=bool)
    is_large[small] = False
    large = np.flatnonzero(is_large)
    rest = np.flatnonzero(left)
    target = (
        pack(left[rest], frequencies[large], rng, _TRIES_OF_MIXED, may_go_on) if len(large) else np.empty(0, np.int64)
    )
    if target is None or (not len(large) and len(rest)):
        return None
    cells = np.concatenate([people, left[rest]])
    values = np.concatenate([whole, large[target]])
    return sparse.csr_array((cells, (values, np.concatenate([slots, rest]))), shape=(len(frequencies), len(loads)))


def _apart(people: np.ndarray, loads: np.ndarray) -> np.ndarray | None:
    """Each fills a slot of its size, or else takes the slot with most places left."""
    slots = np.empty(len(people), np.int64)
    return slots if apart(people, np.argsort(-people, kind="stable"), loads, slots) else None


def _together(people: np.ndarray, loads: np.ndarray, rng: np.random.Generator, may_go_on: MayGoOn) -> np.ndarray | None:
    """They fill the largest slots, as few as hold them, but for what the last ones have left."""
    largest = np.argsort(-loads, kind="stable")
    n_slots = min(len(loads), int(np.searchsorted(np.cumsum(loads[largest]), people.sum())) + 1)
    target = (
        pack(people, loads[largest[:n_slots]], rng, _TRIES_OF_MIXED, may_go_on)
        if len(people)
        else np.empty(0, np.int64)
    )
    return None if target is None else largest[target]


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
