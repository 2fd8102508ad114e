"""Schedules under rules to begin with, made from those of simpler programmes."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.heuristics import greedy_schedule
from anonlib.analyses.schedules.ruled.programme import Programme, joined, largest_flow, same_rows
from anonlib.analyses.schedules.schedule import along, seats_of
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.plain import solve_plain
from anonlib.counting.classes import anonymity_vector


def filled(
    programme: Programme, zone: np.ndarray, numbers: np.ndarray, places: np.ndarray, deadline: Deadline, seed: int
) -> sparse.csr_array:
    """(G, R) a schedule from the people of each group in each zone (G, Z); ``zone`` (R,) of each slot.

    In a zone everyone may go everywhere, so each is a plain programme of its own.
    """
    by_zone = [np.zeros((3, 0), np.int64)]
    n_zones = numbers.shape[1]
    for z in np.flatnonzero(numbers.any(axis=0)).tolist():
        groups, slots = np.flatnonzero(numbers[:, z]), np.flatnonzero(zone == z)
        people = numbers[groups, z]
        values, row = np.unique(programme.values[groups], return_inverse=True)
        frequencies = np.bincount(row, people, len(values)).astype(np.int64)
        solution = solve_plain(frequencies, places[slots], deadline.part(deadline.left / (n_zones - z)), seed)
        who, slot, n = seats_of(people, row, solution.groups)
        by_zone.append(np.array([groups[who], slots[slot], n]))
    return joined(by_zone, programme.shape)


def gathered(
    programme: Programme, groups: sparse.csr_array, deadline: Deadline, rng: np.random.Generator
) -> sparse.csr_array:
    """(G, R) a schedule from another, value by value made better as long as one gains.

    A value's people are taken out; the slot that can take most of them takes these, and so on with the rest. Those of
    other origins stay where they are under a mix, and slots keep the load that these need.
    """
    numbers = groups.toarray()
    free, least = _room(programme, numbers)
    values = np.unique(programme.values)
    moving = [np.flatnonzero((programme.values == value) & (programme.origins == 0)) for value in values]
    staying = [numbers[(programme.values == value) & (programme.origins > 0)].sum(axis=0) for value in values]
    idle = 0
    while idle < len(values):
        for i in rng.permutation(len(values)).tolist():
            if idle >= len(values) or not deadline.may_go_on():
                return sparse.csr_array(numbers)
            idle += 1
            own, now = moving[i], numbers[moving[i]]
            proposed = _gathered(programme.people[own], programme.allowed[own], free + now.sum(axis=0), staying[i])
            if proposed is None:
                continue
            less = now.sum(axis=0) - proposed.sum(axis=0)
            better = anonymity_vector(proposed.sum(axis=0) + staying[i]) < anonymity_vector(
                now.sum(axis=0) + staying[i]
            )
            if better and (numbers.sum(axis=0) - less >= least).all():
                numbers[own] = proposed
                free += less
                idle = 0
    return sparse.csr_array(numbers)


def _room(programme: Programme, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R,) places free in each slot, and the people who have to stay there, so that who is of another origin may."""
    loads, mix = numbers.sum(axis=0), programme.mix
    free, least = programme.places - loads, np.zeros_like(loads)
    if mix is not None:
        others = numbers[programme.origins > 0].sum(axis=0)
        if mix.of == "load":
            least = -(-others * mix.exact_share.denominator // max(1, mix.exact_share.numerator))
        if not mix.none_allowed:
            free = np.where(loads > 0, free, 0)
    return free, least


def _gathered(people: np.ndarray, allowed: np.ndarray, free: np.ndarray, staying: np.ndarray) -> np.ndarray | None:
    """(G, R) the people of one value, each slot in turn taking as many as it can; None if some are left over."""
    assigned = np.zeros(allowed.shape, np.int64)
    left, free = people.copy(), free.copy()
    choice = allowed.sum(axis=1)
    while left.any():
        most = np.minimum(free, left @ allowed)
        slot = int(np.argmax(np.where(most > 0, most + staying, 0)))
        if not most[slot]:
            return None
        able = np.flatnonzero(allowed[:, slot] & (left > 0))
        able = able[np.argsort(choice[able], kind="stable")]  # who has least choice comes first
        taken = np.diff(np.minimum(np.cumsum(left[able]), free[slot]), prepend=0)
        assigned[able, slot] += taken
        left[able] -= taken
        free[slot] -= taken.sum()
    return assigned


def expanded(
    programme: Programme, merged_groups: sparse.csr_array, of: np.ndarray, deadline: Deadline, seed: int
) -> sparse.csr_array:
    """(G, R) a schedule from one with values merged: of each merged group as many people in each slot.

    First come those whom no mix limits, zone by zone. Then the others, where people of their value are if that can be.
    """
    kinds = merged_groups.toarray()
    free = np.flatnonzero(programme.origins == 0)
    zone = same_rows(programme.allowed[free].T)
    numbers = np.zeros((programme.shape[0], int(zone.max(initial=-1)) + 1), np.int64)
    loads = kinds[np.unique(of[free])].sum(axis=0)
    of_zone = np.zeros((len(kinds), numbers.shape[1]), np.int64)
    np.add.at(of_zone.T, zone, kinds.T)
    order = np.lexsort((programme.values[free], of[free]))
    kind, at = np.nonzero(of_zone * np.isin(np.arange(len(kinds)), of[free])[:, None])
    member, cell, n = along(programme.people[free][order], of_zone[kind, at])
    np.add.at(numbers, (free[order[member]], at[cell]), n)
    places = programme.places if programme.mix is None else loads
    groups = filled(programme, zone, numbers, places, deadline, seed)
    if programme.mix is None:
        return groups
    cells = groups.toarray()
    rest = np.unique(of[programme.origins > 0])
    for kind in rest[np.argsort(-np.bincount(of, programme.people)[rest], kind="stable")].tolist():
        _join(programme, np.flatnonzero(of == kind), kinds[kind], cells)
    return sparse.csr_array(cells)


def _join(programme: Programme, groups: np.ndarray, loads: np.ndarray, assigned: np.ndarray) -> None:
    """Groups, each of another value, to slots with room for just all of them; most where their value is already."""
    slots = np.flatnonzero(loads)
    loads, people = loads[slots], programme.people[groups]
    allowed = np.zeros((len(groups), len(slots)), bool)
    for position, value in enumerate(programme.values[groups].tolist()):
        allowed[position] = assigned[np.ix_(programme.values == value, slots)].any(axis=0)
    cells = largest_flow(people, loads, allowed) if allowed.any() else np.zeros(allowed.shape, np.int64)
    left, free = people - cells.sum(axis=1), loads - cells.sum(axis=0)
    more = np.flatnonzero(left)
    if len(more):
        cells[more] += greedy_schedule(left[more], free).assignment.toarray()
    assigned[np.ix_(groups, slots)] += cells
