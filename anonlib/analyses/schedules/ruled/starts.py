"""Schedules under rules to begin with, made from those of simpler programmes.

First comes the way from a schedule without the mix of origins to one that keeps it, with most of its cells. Then come
the ways from zones, from another schedule value by value, and from merged values.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from ortools.graph.python import min_cost_flow
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.heuristics import greedy_schedule
from anonlib.analyses.schedules.ruled.model import SlotMix
from anonlib.analyses.schedules.ruled.programme import Programme, joined, largest_flow, merged, same_rows
from anonlib.analyses.schedules.schedule import along, seats_of
from anonlib.analyses.schedules.solver.plain import solve_plain
from anonlib.analyses.schedules.solver.search import Deadline, solve
from anonlib.counting.classes import anonymity_vector

_SAME_LOADS = 0.7  # of the work


def remixed(programme: Programme, groups: sparse.csr_array, deadline: Deadline, seed: int) -> sparse.csr_array | None:
    """(G, R) a schedule that keeps the mix, from one that need not; None if none was found.

    As many people of other origins as can be are put into cells of their value, then as many of the others as can be
    into cells that they were in. Every slot keeps its load, or most of it if that was not found.
    """
    cells = programme.cells(groups).toarray()
    begun = _others(programme, cells, True, deadline.part(deadline.left * _SAME_LOADS), seed)
    begun = begun or _others(programme, cells, False, deadline, seed)
    if begun is None:
        return None
    assigned, free = begun
    rest = np.flatnonzero(programme.origins == 0)
    places = np.maximum(0, cells - programme.cells(sparse.csr_array(assigned)).toarray())
    assigned[rest] = _rest(programme.part(rest, np.arange(len(free))), free, places)
    return sparse.csr_array(assigned)


def _others(
    programme: Programme, cells: np.ndarray, same_loads: bool, deadline: Deadline, seed: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """(G, R) where people of other origins go, and (R,) how many of the others.

    They go into a cell of their value, or to any slot as one of their kind: people of one origin who may go to the same
    slots. Numbers of each kind are found for home too, so that these have their seats.
    """
    alike, of = merged(replace(programme, values=np.zeros_like(programme.values)))
    others = np.flatnonzero(programme.origins > 0)
    own = np.where(programme.allowed[others], cells[programme.values[others]], 0)
    member, cell_slot = np.nonzero(own)
    group, own = others[member], own[member, cell_slot]
    value = programme.values[group]
    kind, slot = np.nonzero(alike.allowed)
    model = cp_model.CpModel()
    matched = _numbers(model, np.minimum(programme.people[group], own))
    apart = _numbers(model, np.minimum(alike.people[kind], programme.places[slot]))
    for k, people in enumerate(alike.people.tolist()):
        model.add(_sum(np.append(matched[of[group] == k], apart[kind == k])) == people)
    for g in others.tolist():
        model.add(_sum(matched[group == g]) <= int(programme.people[g]))
    loads = cells.sum(axis=0).tolist()
    short = [model.new_int_var(0, 0 if same_loads else load, "") for load in loads]
    for j, places in enumerate(programme.places.tolist()):
        in_slot, apart_in_slot = cell_slot == j, slot == j
        everyone = [*matched[in_slot], *apart[apart_in_slot]]
        model.add(_sum(everyone) <= places)
        model.add(_sum([*everyone, short[j]]) >= loads[j])
        SlotMix(model, alike, j, np.concatenate([of[group[in_slot]], kind[apart_in_slot]]), everyone)
        for v in np.unique(value[in_slot]).tolist():
            model.add(_sum(matched[in_slot & (value == v)]) <= int(cells[v, j]))
    model.maximize(cp_model.LinearExpr.weighted_sum([*matched, *short], [2] * len(matched) + [-1] * len(short)))
    solver, status = solve(model, deadline, seed)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    assigned = np.zeros(programme.shape, np.int64)
    assigned[group, cell_slot] = [solver.value(number) for number in matched]
    left = (programme.people - assigned.sum(axis=1))[others]
    is_other = alike.origins[kind] > 0
    numbers = np.array([solver.value(number) for number in apart], np.int64)
    order = np.argsort(of[others], kind="stable")
    member, at, n = along(left[order], numbers[is_other])
    np.add.at(assigned, (others[order[member]], slot[is_other][at]), n)
    return assigned, np.bincount(slot[~is_other], numbers[~is_other], programme.shape[1]).astype(np.int64)


def _numbers(model: cp_model.CpModel, most: np.ndarray) -> np.ndarray:
    return np.array([model.new_int_var(0, n, "") for n in most.tolist()], object)


def _sum(numbers: np.ndarray | list[cp_model.IntVar]) -> cp_model.LinearExprT:
    return cp_model.LinearExpr.sum(list(numbers))


def _rest(programme: Programme, free: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(G, R) everyone seated on the free places, of which there are just so many: most in cells (V, R) that were there.

    The cheapest flow from groups to slots, where a place in such a cell costs nothing.
    """
    group, slot = np.nonzero(programme.allowed & (free > 0))
    most = np.minimum(programme.people[group], free[slot])
    cheap = np.minimum(most, places[programme.values[group], slot])
    n_groups, n_slots = programme.shape
    flow = min_cost_flow.SimpleMinCostFlow()
    arcs = [
        flow.add_arcs_with_capacity_and_unit_cost(group, n_groups + slot, capacity, np.full(len(group), cost))
        for capacity, cost in ((cheap, 0), (most, 1))
    ]
    flow.set_nodes_supplies(np.arange(n_groups + n_slots), np.append(programme.people, -free))
    status = flow.solve()
    assert status == flow.OPTIMAL, status
    assigned = np.zeros(programme.shape, np.int64)
    for of_kind in arcs:
        np.add.at(assigned, (group, slot), flow.flows(of_kind))
    return assigned


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
