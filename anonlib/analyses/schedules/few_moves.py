"""What moving as few people as possible gains over a schedule that is there already.

Small programmes are solved: for each number of people who may move, the smallest vector, by the solver and proven. Of
larger ones it is the best found: one change after another, each time the one that takes away most classes of the
smallest size for each person who moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
import pandas as pd
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.existing import people_moved
from anonlib.analyses.schedules.schedule import Schedule, schedule_of
from anonlib.analyses.schedules.zones import Zones
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.classes import anonymity_vector

_MOST_CELLS, _MOST_PEOPLE = 60, 40  # of a programme that is solved
_MOST_WORK = 1.0  # of all its solutions, as the solver counts it: about seconds
_MOST_WEIGHT = 2**50  # of the weights of class sizes, which the solver takes
_NEXT = 8.0  # a class of one size counts as so many of the next larger one
_CHANGES_BETWEEN = 64  # made between two calls of progress
Change = tuple[int, int, int, int]
"""A value, the slot its people leave, the slot they go to, and how many."""


@dataclass(frozen=True, eq=False)
class FewMoves:
    """The better schedules on the way from one that is there, by how many people move.

    Attributes
    ----------
    moved : np.ndarray
        (S,) people who have another slot than at first, ascending from 0.
    alone : np.ndarray
        (S,) people who are then alone.
    below : np.ndarray
        (S,) people who are then in classes below ``k``.
    k : int
        Smallest class size wanted: classes of at least so many are left as they are.
    proven : bool
        Whether no schedule with as few moved people has a smaller vector, as far as sizes below ``k`` go, and more
        people who move gain nothing there.
    ended : bool
        Whether the search came to its end: nothing more was found.
    """

    moved: np.ndarray
    alone: np.ndarray
    below: np.ndarray
    k: int
    proven: bool
    ended: bool
    _before: sparse.csr_array
    _changes: tuple[tuple[Change, ...], ...]

    def at(self, people: int) -> Schedule:
        """The best schedule in which at most so many people move.

        Parameters
        ----------
        people : int
            0 or more.

        Returns
        -------
        Schedule
            Of quasi-identifier values and slots as the one it begins with.
        """
        step = int(np.searchsorted(self.moved, people, side="right")) - 1
        if step <= 0:
            return schedule_of("few_moves", self._before, 0.0)
        first = step if self.proven else 1
        changes = [change for some in self._changes[first : step + 1] for change in some]
        value, leave, to, n = np.array(changes, dtype=np.int64).reshape(-1, 4).T
        difference = sparse.coo_array(
            (np.concatenate([-n, n]), (np.concatenate([value, value]), np.concatenate([leave, to]))),
            shape=self._before.shape,
        )
        return schedule_of("few_moves", self._before + sparse.csr_array(difference), 0.0)

    def to_frame(self) -> pd.DataFrame:
        """One row a schedule: people who move, alone, and below k."""
        return pd.DataFrame({"moved": self.moved, "alone": self.alone, "below_k": self.below})


def few_moves(
    before: Schedule, capacities: np.ndarray, k: int, zones: Zones | None = None, *, progress: Progress = nobody
) -> FewMoves:
    """How few people have to move for how much anonymity.

    Parameters
    ----------
    before : Schedule
        The schedule that is there, of which each row is a quasi-identifier value. Its slots hold it.
    capacities : np.ndarray
        (R,) places of each slot.
    k : int
        Smallest class size wanted, at least 2: only classes below it are worth a move.
    zones : Zones, optional
        Of values and slots: nobody leaves theirs.
    progress : Progress, default nobody
        Called with the share of classes below ``k`` that are gone and the changes so far.

    Returns
    -------
    FewMoves

    Raises
    ------
    InputError
        If a slot has fewer places than people.

    Notes
    -----
    A change is one of four, each between two slots. The people of a class go to where their like are, to free places or
    in exchange for as many of another value; or one of their like comes to them, in either way. Only changes count that
    make the vector smaller at a size below ``k``. Of these, those at the smallest size come first, and among them those
    that take away most classes for each person who moves.

    Examples
    --------
    The schedule of Table 3 of Caballero et al. 2017, in its own five slots: the six of them who have to move to leave
    nobody alone.

    >>> cells = [[1, 1, 0, 0, 2], [1, 0, 1, 2, 0], [1, 1, 2, 1, 0], [1, 0, 1, 0, 0]]
    >>> there = schedule_of("existing", sparse.csr_array(np.array(cells)), 0.0)
    >>> few = few_moves(there, np.array([4, 2, 4, 3, 2]), 2)
    >>> few.proven, few.moved[-1].item(), few.alone[-1].item()
    (True, 6, 0)
    """
    cells = sparse.csr_array(before.assignment)
    places = np.asarray(capacities, dtype=np.int64)
    load = np.asarray(cells.sum(axis=0)).ravel()
    if k < 2:
        raise InputError("The smallest class wanted must be 2 or more.", code="number-out-of-range")
    if (load > places).any():
        raise InputError(
            f"The slots: slot {int(np.flatnonzero(load > places)[0]) + 1} has fewer places than people are in it now.",
            code="slots-too-few",
        )
    if zones is None:
        zones = Zones(("",), np.zeros(cells.shape[0], np.int64), np.zeros(cells.shape[1], np.int64))
    may_go = np.equal.outer(zones.groups, zones.slots) if cells.shape[0] * cells.shape[1] <= _MOST_CELLS else None
    if may_go is not None and load.sum() <= _MOST_PEOPLE and (weights := _weights(int(load.sum()), k)) is not None:
        solved = _solved(cells, places, k, may_go, weights, progress)
        if solved is not None:
            return solved
    return _found(cells, places, k, zones, progress)


# ---- small ones, solved ---------------------------------------------------------------------------------------------


def _weights(people: int, k: int) -> list[int] | None:
    """By class size below k, a weight at which fewer of one size are worth any number of larger ones."""
    weights, weight = [0] * k, 1
    for size in range(min(k - 1, people), 0, -1):
        weights[size] = weight
        weight *= people // size + 1
        if weight > _MOST_WEIGHT:
            return None
    return weights


def _solved(
    cells: sparse.csr_array, places: np.ndarray, k: int, may_go: np.ndarray, weights: list[int], progress: Progress
) -> FewMoves | None:
    """The smallest vector for each number of people who may move, as long as it gets smaller; None if that is hard."""
    before = cells.toarray()
    best, work = _least(before, places, may_go, weights, None, _MOST_WORK)
    if best is None:
        return None
    steps, at = [before], 0
    while _worth(steps[-1], weights) > _worth(best, weights):
        at += 1
        progress(min(0.99, at / max(1, int(before.sum()))))
        after, spent = _least(before, places, may_go, weights, at, _MOST_WORK - work)
        work += spent
        if after is None:
            return None
        if _worth(after, weights) < _worth(steps[-1], weights):
            steps.append(after)
    changes = [_between(before, after) for after in steps]
    vectors = [anonymity_vector(step.ravel()) for step in steps]
    moved = [people_moved(cells, sparse.csr_array(step)) for step in steps]
    return FewMoves(
        np.array(moved), np.array([vector.people_below(2) for vector in vectors]),
        np.array([vector.people_below(k) for vector in vectors]), k, True, True, cells, tuple(changes),
    )  # fmt: skip


def _worth(cells: np.ndarray, weights: list[int]) -> int:
    counts = np.bincount(cells.ravel(), minlength=len(weights))[: len(weights)].tolist()
    return sum(weight * n for weight, n in zip(weights[1:], counts[1:], strict=True))


def _least(
    before: np.ndarray, places: np.ndarray, may_go: np.ndarray, weights: list[int], moves: int | None, work: float
) -> tuple[np.ndarray | None, float]:
    """A schedule with at most so many moved people whose classes have the least weight, and the work of finding it.

    None if it takes more than ``work``.
    """
    model = cp_model.CpModel()
    shape = before.shape
    cell = {
        (i, j): model.new_int_var(0, int(min(before[i].sum(), places[j])) if may_go[i, j] else 0, "")
        for i in range(shape[0])
        for j in range(shape[1])
    }
    for i in range(shape[0]):
        model.add(sum(cell[i, j] for j in range(shape[1])) == int(before[i].sum()))
    for j in range(shape[1]):
        model.add(sum(cell[i, j] for i in range(shape[0])) <= int(places[j]))
    terms = []
    for of_cell in cell.values():
        for size in range(1, len(weights)):
            if weights[size]:
                is_size = model.new_bool_var("")
                model.add(of_cell != size).only_enforce_if(~is_size)
                model.add(of_cell == size).only_enforce_if(is_size)
                terms.append(weights[size] * is_size)
    if moves is not None:
        stays = []
        for (i, j), of_cell in cell.items():
            if before[i, j]:
                stay = model.new_int_var(0, int(before[i, j]), "")
                model.add(stay <= of_cell)
                stays.append(stay)
        model.add(sum(stays) >= int(before.sum()) - moves)
    for (i, j), of_cell in cell.items():
        model.add_hint(of_cell, int(before[i, j]))
    model.minimize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = max(work, 0.0)
    if solver.solve(model) != cp_model.OPTIMAL:
        return None, solver.deterministic_time
    after = np.array([[solver.value(cell[i, j]) for j in range(shape[1])] for i in range(shape[0])])
    return after, solver.deterministic_time


def _between(before: np.ndarray, after: np.ndarray) -> tuple[Change, ...]:
    """The changes from one to the other, value by value: who leaves a slot takes the next that gains."""
    changes: list[Change] = []
    for i, change in enumerate(after - before):
        leave = np.repeat(np.arange(len(change)), np.maximum(-change, 0))
        to = np.repeat(np.arange(len(change)), np.maximum(change, 0))
        changes += [(i, int(j), int(other), 1) for j, other in zip(leave, to, strict=True)]
    return tuple(changes)


# ---- larger ones, one change after another --------------------------------------------------------------------------


class _Zone:
    """The values and slots of a zone, how many of whom are where, and what places are free."""

    def __init__(self, values: np.ndarray, slots: np.ndarray, cells: np.ndarray, places: np.ndarray) -> None:
        self.values, self.slots, self.cells, self.before = values, slots, cells, cells.copy()
        self.free = places - cells.sum(axis=0)
        self._of_size: dict[int, np.ndarray] = {}

    def best_change(self, i: int, j: int) -> tuple[float, tuple[Change, ...]] | None:
        """What does most for the class of value i in slot j for each person who moves; None where nothing does.

        A change has at most four classes, which are weighed by how small they are against this one.
        """
        size = int(self.cells[i, j])
        others = np.flatnonzero(self.cells[i] > 0)
        others = others[others != j]
        if not len(others):
            return None
        weight = self._weights(size)
        theirs, here = self.cells[:, others], self.cells[:, [j]]
        own = self.cells[i, others]
        best: tuple[float, tuple[Change, ...]] | None = None
        for n, to_others in ((size, True), (1, False)):
            # Own people: n go from j to the other slot, or one comes from there.
            source, target = (np.full(len(others), size), own) if to_others else (own, np.full(len(others), size))
            gain = weight[source] + weight[target] - weight[source - n] - weight[target + n]
            free = self.free[others] if to_others else np.full(len(others), self.free[j])
            alone = np.where((free >= n) & (source >= n), gain / n, -np.inf)
            at = int(np.argmax(alone))
            if alone[at] > (0.0 if best is None else best[0]):
                best = float(alone[at]), (self._change(i, j, int(others[at]), n, to_others),)
            # In exchange for as many of another value.
            give, take = (theirs, here) if to_others else (here, theirs)
            both = gain + weight[give] + weight[take] - weight[give - n] - weight[take + n]
            both[(give < n) | (source < n) | (np.arange(len(both))[:, None] == i)] = -np.inf
            row, column = np.unravel_index(int(np.argmax(both)), both.shape)
            if both[row, column] / (2 * n) > (0.0 if best is None else best[0]):
                other = int(others[column])
                own_change = self._change(i, j, other, n, to_others)
                best = (
                    float(both[row, column] / (2 * n)),
                    (own_change, self._change(int(row), j, other, n, not to_others)),
                )
        return best

    def _weights(self, size: int) -> np.ndarray:
        """By class size: 1 for this one, less the larger it is, and more for a smaller one."""
        if size not in self._of_size:
            steps = np.clip(size - np.arange(2 * int(self.cells.sum(axis=1).max()) + 2), -12, 12)
            self._of_size = {size: _NEXT ** steps.astype(float)}
            self._of_size[size][0] = 0.0
        return self._of_size[size]

    def _change(self, i: int, j: int, other: int, n: int, to_other: bool) -> Change:
        return (i, j, other, n) if to_other else (i, other, j, n)

    def make(self, changes: tuple[Change, ...]) -> None:
        for i, leave, to, n in changes:
            self.cells[i, leave] -= n
            self.cells[i, to] += n
            self.free[leave] += n
            self.free[to] -= n

    def moved_by(self, changes: tuple[Change, ...]) -> int:
        """How many more people are in another slot than at first, once the changes are made."""
        touched = {(i, slot) for i, leave, to, _ in changes for slot in (leave, to)}
        left = {cell: max(0, int(self.before[cell] - self.cells[cell])) for cell in touched}
        after = {cell: int(self.cells[cell]) for cell in touched}
        for i, leave, to, n in changes:
            after[i, leave] -= n
            after[i, to] += n
        return sum(max(0, int(self.before[cell]) - after[cell]) - left[cell] for cell in touched)


def _found(cells: sparse.csr_array, places: np.ndarray, k: int, zones: Zones, progress: Progress) -> FewMoves:
    all_zones = []
    for _, values, slots in zones.parts():
        part = sparse.csr_array(cells[values])[:, slots].toarray()
        all_zones.append(_Zone(values, slots, part, places[slots]))
    counts = np.bincount(cells.data, minlength=k + 1)
    moved, alone, below = [0], [int(counts[1])], [int((np.arange(k) * counts[:k]).sum())]
    changes: list[tuple[Change, ...]] = [()]

    def result(ended: bool) -> FewMoves:
        # Only steps that are better than all with as few moved people.
        return _steps(np.array(moved), np.array(alone), np.array(below), k, ended, cells, changes)

    for size in range(1, k):
        for zone, step in _changes_at(all_zones, size):
            moved.append(moved[-1] + zone.moved_by(step))
            own = [(int(zone.values[i]), int(zone.slots[a]), int(zone.slots[b]), n) for i, a, b, n in step]
            gone, new = _sizes_changed(zone, step)
            alone.append(alone[-1] + new.count(1) - gone.count(1))
            below.append(below[-1] + sum(s for s in new if s < k) - sum(s for s in gone if s < k))
            zone.make(step)
            changes.append(tuple(own))
            if len(changes) % _CHANGES_BETWEEN == 0:
                progress(min(0.99, (below[0] - below[-1]) / max(1, below[0])), result(False))
    return result(True)


def _sizes_changed(zone: _Zone, step: tuple[Change, ...]) -> tuple[list[int], list[int]]:
    """The sizes of the classes that a change touches, before and after it."""
    after: dict[tuple[int, int], int] = {}
    for i, leave, to, n in step:
        for slot, more in ((leave, -n), (to, n)):
            after[i, slot] = after.get((i, slot), int(zone.cells[i, slot])) + more
    return [int(zone.cells[cell]) for cell in after if zone.cells[cell]], [size for size in after.values() if size]


def _changes_at(zones: list[_Zone], size: int) -> Iterator[tuple[_Zone, tuple[Change, ...]]]:
    """The best change at classes of one size, one after another; each is to be made before the next is asked for.

    What a change gains is found again when its turn comes, and it is made if the next in the queue promises no more.
    """
    queue = []

    def ask(number: int, i: int, j: int) -> tuple[float, int, int, int, tuple[Change, ...]] | None:
        best = zones[number].best_change(i, j)
        if best is None or not _is_smaller(zones[number], best[1], size):
            return None
        return -best[0], number, i, j, best[1]

    for number, zone in enumerate(zones):
        for i, j in np.argwhere(zone.cells == size).tolist():
            if (asked := ask(number, i, j)) is not None:
                queue.append(asked)
    heapify(queue)
    while queue:
        _, number, i, j, _ = heappop(queue)
        if zones[number].cells[i, j] != size or (again := ask(number, i, j)) is None:
            continue
        if queue and again[0] > queue[0][0]:
            heappush(queue, again)
        else:
            yield zones[number], again[-1]


def _is_smaller(zone: _Zone, step: tuple[Change, ...], size: int) -> bool:
    """Whether the vector is smaller after the changes, and that at this size."""
    gone, new = _sizes_changed(zone, step)
    return min(new) >= size and new.count(size) < gone.count(size) and min(gone) >= size


def _steps(
    moved: np.ndarray, alone: np.ndarray, below: np.ndarray, k: int, ended: bool, cells: sparse.csr_array,
    changes: list[tuple[Change, ...]],
) -> FewMoves:  # fmt: skip
    """Where people moved back, earlier steps that move as many are taken together with the later one."""
    last = np.ones(len(moved), dtype=bool)
    fewest_later = np.minimum.accumulate(moved[::-1])[::-1]
    last[:-1] = moved[:-1] < fewest_later[1:]
    together: list[tuple[Change, ...]] = []
    open_changes: list[Change] = []
    for i, step in enumerate(changes):
        open_changes += step
        if last[i]:
            together.append(tuple(open_changes))
            open_changes = []
    return FewMoves(moved[last], alone[last], below[last], k, False, ended, cells, tuple(together))
