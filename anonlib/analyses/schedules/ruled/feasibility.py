"""Whether the rules can be kept at all, before any solving; and if not, who or what is in the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from anonlib.analyses.schedules.names import Names
from anonlib.analyses.schedules.ruled.mixing import seated_in_mix
from anonlib.analyses.schedules.ruled.programme import (
    Programme,
    components,
    joined,
    largest_flow,
    merged,
    programme_of,
    same_rows,
)
from anonlib.analyses.schedules.rules import OriginMix
from anonlib.analyses.schedules.schedule import along, dealt
from anonlib.analyses.schedules.solver.bounds import column_plan
from anonlib.analyses.schedules.solver.deadline import Deadline
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.basics.errors import InputError
from anonlib.basics.words import count

_LEAST_SECONDS = 5.0
_LEAST_WORK = _LEAST_SECONDS * A_SECOND
"""For the solver to find out whether a mix can be kept, however little a search may do."""


def check_feasible(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    allowed: np.ndarray | None,
    mix: OriginMix | None,
    *,
    work: float = _LEAST_WORK,
    seconds: float | None = None,
    names: Names | None = None,
    seed: int = 0,
) -> None:
    """Check that some schedule keeps the rules.

    Parameters
    ----------
    frequencies : np.ndarray
        (G,) people of each group.
    capacities : np.ndarray
        (R,) places of each slot.
    allowed : np.ndarray | None
        (G, R) who may go where; None: everyone everywhere.
    mix : OriginMix | None
        The mix of origins asked for.
    work : float, default _LEAST_WORK
        As in :class:`anonlib.basics.budget.Budget`: after so much, that of 5 seconds at least, a mix that is not
        decided is an error that says so.
    seconds : float, optional
        After so many, 5 at least, it is given up earlier, with an error that says so as well.
    names : Names, optional
        What groups and slots are called in sentences.
    seed : int, default 0
        Draws the schedules that are tried.

    Raises
    ------
    InputError
        If none does, naming what blocks it: people and slots, or numbers. For work and seconds that are no numbers or
        below 0.
    """
    deadline = Deadline(Budget(checks.number(work, "The work of a search"), seconds))
    alike = np.zeros(len(frequencies), np.int64)
    seated(programme_of(frequencies, capacities, alike, allowed, mix), deadline, seed, names)


def seated(programme: Programme, deadline: Deadline, seed: int, names: Names | None = None) -> sparse.csr_array:
    """(G, R) the people of each group in each slot, in some schedule that keeps the rules.

    Raises
    ------
    InputError
        Where there is none, as :func:`check_feasible` does.
    """
    names = names or Names()
    alike, of = merged(replace(programme, values=np.zeros_like(programme.values)))
    groups = _seated_by_flow(alike, of, names)
    if programme.mix is not None and (programme.origins.any() or not programme.mix.none_allowed):
        patient = _patient(deadline)
        parts = list(components(alike))
        by_part = []
        for members, slots in parts:
            who, part = "", alike.part(members, slots)
            if len(parts) > 1:
                everyone = np.flatnonzero(np.isin(of, members))
                who = f"Of the {count(int(alike.people[members].sum()), 'people')} of {names.of_groups(everyone)}: "
            cells = seated_in_mix(part, who, patient, seed).tocoo()
            by_part.append(np.array([members[cells.row], slots[cells.col], cells.data]))
        deadline.spend(patient.spent)
        groups = joined(by_part, alike.shape)
    return dealt(groups, programme.people, of)


def _patient(deadline: Deadline) -> Deadline:
    """What is left of a search, and at least what it takes to find out whether it can begin."""
    seconds = None if deadline.seconds_left is None else max(deadline.seconds_left, _LEAST_SECONDS)
    return Deadline(Budget(max(deadline.left, _LEAST_WORK), seconds), lambda *_: deadline.report())


def _seated_by_flow(programme: Programme, of: np.ndarray, names: Names) -> sparse.csr_array:
    """Everyone seated where they may go, by a largest flow from kinds of people to zones of slots.

    ``of``: the groups that make up each of the programme's, to be named.
    """
    open_slots = np.flatnonzero(programme.places > 0)
    links = programme.allowed[:, open_slots]
    nowhere = np.logical_not(links.any(axis=1))
    if nowhere.any():
        everyone = np.flatnonzero(nowhere[of])
        raise InputError(
            f"The {count(int(programme.people[nowhere].sum()), 'people')} of {names.of_groups(everyone)} may not go to "
            "any open slot. Add a slot for them, or widen the rule.",
            code="slots-too-few",
        )
    kind, zone = same_rows(links), same_rows(links.T)
    first_kind, first_zone = (np.unique(of_each, return_index=True)[1] for of_each in (kind, zone))
    people = np.bincount(kind, programme.people).astype(np.int64)
    places = np.bincount(zone, programme.places[open_slots]).astype(np.int64)
    flow = largest_flow(people, places, links[np.ix_(first_kind, first_zone)])
    if flow.sum() < people.sum():
        kinds, zones = _blocking(people, places, links[np.ix_(first_kind, first_zone)], flow)
        everyone = np.flatnonzero(np.isin(kind, kinds)[of])
        slots = open_slots[np.isin(zone, zones)]
        raise InputError(
            _too_few(int(people[kinds].sum()), int(places[zones].sum()), everyone, slots, names), code="slots-too-few"
        )
    return _spread(programme, open_slots, kind, zone, flow)


def _blocking(
    people: np.ndarray, places: np.ndarray, links: np.ndarray, flow: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Kinds of people and all zones they can go to, which have fewer places: where the largest flow is cut.

    From people who are left over one gets to all zones they may go to, from there to all who sit in these, and so on.
    No zone met has a place left, else the flow could be larger. Of several such sets apart, the one that lacks most.
    """
    n_kinds = len(people)
    kinds, zones = flow.sum(axis=1) < people, np.zeros(len(places), bool)
    while True:
        reached = links[kinds].any(axis=0)
        if (reached == zones).all():
            break
        zones = reached
        kinds = kinds | (flow[:, zones] > 0).any(axis=1)
    kind, zone = np.nonzero(links & kinds[:, None])
    n = n_kinds + len(places)
    graph = sparse.csr_array((np.ones(len(kind), bool), (kind, n_kinds + zone)), shape=(n, n))
    part = csgraph.connected_components(graph, directed=False)[1]
    lacking = np.bincount(part[:n_kinds][kinds], people[kinds], part.max() + 1)
    lacking -= np.bincount(part[n_kinds:][zones], places[zones], part.max() + 1)
    worst = int(np.argmax(lacking))
    return np.flatnonzero(kinds & (part[:n_kinds] == worst)), np.flatnonzero(zones & (part[n_kinds:] == worst))


def _too_few(people: int, places: int, groups: np.ndarray, slots: np.ndarray, names: Names) -> str:
    lacking = people - places
    return (
        f"The {count(people, 'people')} of {names.of_groups(groups)} can only go to {count(len(slots), 'slots')} "
        f"({names.of_slots(slots)}) with {count(places, 'places')}: {count(lacking, 'places')} "
        f"{'is' if lacking == 1 else 'are'} missing. Add places there or slots for them, or widen the rule."
    )


def _spread(
    programme: Programme, open_slots: np.ndarray, kind: np.ndarray, zone: np.ndarray, flow: np.ndarray
) -> sparse.csr_array:
    """The flow from kinds to zones as people of each group in each slot, the load of a zone in its column plan."""
    by_kind, by_slot = np.argsort(kind, kind="stable"), np.argsort(zone, kind="stable")
    kinds, zones = np.nonzero(flow)
    group, cell, n = along(programme.people[by_kind], flow[kinds, zones])
    group, at = by_kind[group], zones[cell]
    order = np.argsort(at, kind="stable")
    loads = np.zeros(len(open_slots), np.int64)
    for z, people in enumerate(flow.sum(axis=0).tolist()):
        slots = np.flatnonzero(zone == z)
        loads[slots] = column_plan(programme.places[open_slots[slots]], people)
    met, slot, people = along(n[order], loads[by_slot])
    seats = open_slots[by_slot[slot]]
    return sparse.csr_array(sparse.coo_array((people, (group[order[met]], seats)), shape=programme.shape))
