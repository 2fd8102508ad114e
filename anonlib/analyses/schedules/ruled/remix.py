"""From a schedule without the mix of origins to one that keeps it, with most of its cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from ortools.graph.python import min_cost_flow
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules.ruled.programme import Programme, merged
from anonlib.analyses.schedules.ruled.slot_mix import SlotMix
from anonlib.analyses.schedules.schedule import along
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.analyses.schedules.solver.lexicographic import solve

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
