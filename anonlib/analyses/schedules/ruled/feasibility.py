"""Whether the rules can be kept at all, before any solving; and if not, who or what is in the way.

First comes whether a mix of origins can be kept (E2; Caballero et al. 2017, section 9), and what would do if it cannot.
The check of all rules follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from ortools.sat.python import cp_model
from scipy import sparse
from scipy.sparse import csgraph

from anonlib.analyses.schedules.names import Names
from anonlib.analyses.schedules.ruled.model import Flows
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
from anonlib.analyses.schedules.solver.plain import column_plan
from anonlib.analyses.schedules.solver.search import Deadline, solve
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.basics.errors import InputError
from anonlib.basics.words import count, percent

_SHARE_OF_A_CHANGE = 0.1  # of the work, for one look at a rule that asks for less


def seated_in_mix(programme: Programme, who: str, deadline: Deadline, seed: int) -> sparse.csr_array:
    """(G, R) the people of each group in each slot, in some schedule that keeps the mix.

    ``who`` begins the sentences if there is none: InputError is raised with what can be seen at once, or else with what
    the rule would have to be. It is also raised when nothing was found out with the work given.
    """
    for sentence in _reasons(programme):
        raise InputError(who + sentence, code="rules-cannot-be-kept")
    status, groups = decided(programme, deadline, seed)
    if groups is not None:
        return groups
    if status == cp_model.INFEASIBLE:
        raise InputError(
            f"{who}The rule on origins cannot be kept. {_changes(programme, deadline, seed)}",
            code="rules-cannot-be-kept",
        )
    if deadline.ended_early:
        raise InputError(
            f"{who}Whether the rule on origins can be kept was not found out in {deadline.seconds:.0f} seconds. "
            "Allow more time, a larger share or fewer origins.",
            code="time-limit-too-short",
        )
    raise InputError(
        f"{who}Whether the rule on origins can be kept was not found out with the work given to the search. "
        "Allow more of it, a larger share or fewer origins.",
        code="time-limit-too-short",
    )


def decided(
    programme: Programme, deadline: Deadline, seed: int, work: float | None = None
) -> tuple[cp_model.CpSolverStatus, sparse.csr_array | None]:
    """(G, R) the people of each group in each slot, in some schedule that keeps the mix; None if none was found."""
    flows = Flows(programme)
    solver, status = solve(flows.model, deadline, seed, work=work)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return status, None
    groups = sparse.lil_array(programme.shape, dtype=np.int64)
    for zone, (slots, of) in enumerate(zip(flows.zones, flows.groups, strict=True)):
        groups[of, slots[0]] = flows.zone_numbers(solver, zone)
    return status, groups.tocsr()


# ---- what can be seen at once --------------------------------------------------------------------------------------


def _reasons(programme: Programme) -> Iterator[str]:
    """Sentences on why no schedule keeps the mix, each by a count; none does not mean that one does."""
    mix, others = _mix(programme), programme.origins > 0
    people = np.bincount(programme.origins[others], programme.people[others])[1:].astype(np.int64)
    people = people[people > 0]
    if not people.sum() and mix.none_allowed:
        return
    if len(people) < mix.fewest:
        every = "every slot with any of them" if mix.none_allowed else "every slot that is used"
        present = f"of {count(len(people), 'origins')}" if len(people) else "missing"
        way_out = "Ask for fewer" if mix.none_allowed else "Ask for fewer, or allow slots without them"
        yield (
            f"People of other origins than “{mix.home}” are {present}, and {every} needs at least "
            f"{count(mix.fewest, 'origins')}. {way_out}."
        )
        return
    reached = programme.places[programme.allowed[others].any(axis=0)]
    most = np.sort(mix.most_in(reached))[::-1]
    if not most.any():
        yield _too_small(mix, int(reached.max(initial=0)), int(people.sum()))
    elif (sentence := _too_many(programme, int(people.sum()), int(most.sum()))) is not None:
        yield sentence
    elif mix.none_allowed:
        yield from _too_alike(mix, people, int(np.searchsorted(np.cumsum(most), people.sum())) + 1)
    else:
        yield from _too_few_of_origin(programme, people)


def _too_small(mix: OriginMix, largest: int, people: int) -> str:
    who = f"{count(people, 'people')} {'is' if people == 1 else 'are'} of other origins than “{mix.home}”. "
    if mix.smallest_slot is None:
        return f"{who}With a share of 0% no slot may have them. Allow a larger share."
    return (
        f"{who}In a slot they may be at most {percent(float(mix.exact_share))} and have to be of at least "
        f"{count(mix.fewest, 'origins')}. That takes slots of at least {count(mix.smallest_slot, 'places')} "
        f"({mix.fewest} / {percent(float(mix.exact_share))}), and the largest has {largest:,}. "
        "Make slots larger, allow a larger share, or ask for fewer origins."
    )


def _too_many(programme: Programme, people: int, room: int) -> str | None:
    mix, share = _mix(programme), _mix(programme).exact_share
    everyone = programme.n_people
    if mix.of == "load" and people * share.denominator > everyone * share.numerator:
        return (
            f"{people:,} of {count(everyone, 'people')} ({percent(people / everyone)}) are of other origins than "
            f"“{mix.home}”: they cannot be at most {percent(float(share))} in every slot. Allow a larger share."
        )
    if people > room:
        return (
            f"{count(people, 'people')} are of other origins than “{mix.home}”, and slots have room for {room:,} of "
            f"them ({percent(float(share))} of the places, in slots of at least {mix.smallest_slot:,}). "
            "Make slots larger, or allow a larger share."
        )
    return None


def _too_alike(mix: OriginMix, people: np.ndarray, slots: int) -> Iterator[str]:
    """``people`` of each origin need so many ``slots`` at least, and each of these one of ``fewest`` origins.

    An origin can be that of one person in each slot. In m slots this gives min(people, m) for each; that is
    concave in m and 0 at 0, so what is too little for m slots stays so for more of them.
    """
    if np.minimum(people, slots).sum() < mix.fewest * slots:
        yield (
            f"The {count(int(people.sum()), 'people')} of other origins than “{mix.home}” take at least "
            f"{count(slots, 'slots')}, and too many are of one origin to have {count(mix.fewest, 'origins')} in each. "
            "Ask for fewer origins, or allow a larger share."
        )


def _too_few_of_origin(programme: Programme, people: np.ndarray) -> Iterator[str]:
    """Every slot that is used needs people of other origins."""
    mix = _mix(programme)
    places = np.sort(programme.places[mix.most_in(programme.places) > 0])[::-1]
    if places.sum() < programme.n_people:
        yield (
            f"Every slot that is used needs {count(mix.fewest, 'origins')} other than “{mix.home}”, which takes at "
            f"least {count(mix.smallest_slot or 0, 'places')}: slots of that size have "
            f"{count(int(places.sum()), 'places')} for {count(programme.n_people, 'people')}. "
            "Make slots larger, or allow slots without them."
        )
        return
    slots = int(np.searchsorted(np.cumsum(places), programme.n_people)) + 1
    if np.minimum(people, slots).sum() < mix.fewest * slots:
        yield (
            f"At least {count(slots, 'slots')} are used, and people of other origins than “{mix.home}” are too few to "
            f"have {count(mix.fewest, 'origins')} in each. Allow slots without them, or ask for fewer origins."
        )


# ---- what would do -------------------------------------------------------------------------------------------------


def _changes(programme: Programme, deadline: Deadline, seed: int) -> str:
    """The least changes of one thing at a time with which the rule can be kept."""
    mix = _mix(programme)

    def would_do(changed: Programme) -> bool:
        if any(_reasons(changed)):
            return False
        return decided(changed, deadline, seed, work=deadline.work * _SHARE_OF_A_CHANGE)[1] is not None

    def with_origins(least: int) -> bool:
        return would_do(replace(programme, mix=replace(mix, least=least)))

    def with_share(hundredths: int) -> bool:
        return would_do(replace(programme, mix=replace(mix, share=Fraction(hundredths, 100))))

    ways = []
    if mix.least > 1 and (fewer := _first(with_origins, range(mix.least - 1, 0, -1))) is not None:
        ways.append(f"with {count(fewer, 'origins')} in a slot instead of {mix.least}")
    if (larger := _first(with_share, range(int(mix.exact_share * 100) + 1, 101))) is not None:
        ways.append(f"with a share of {larger}% instead of {percent(float(mix.exact_share))}")
    if not mix.none_allowed and would_do(replace(programme, mix=replace(mix, none_allowed=True))):
        ways.append("if slots may have none of other origins")
    if not programme.allowed.all() and would_do(replace(programme, allowed=np.ones_like(programme.allowed))):
        ways.append("if everyone might go to every slot")
    return (
        f"It could be {' or '.join(ways)}." if ways else "No single change of it was found that would do: change two."
    )


def _first(holds: Callable[[int], bool], values: range) -> int | None:
    """The first of the values for which it holds, and does for all that follow; by halving."""
    if not values or not holds(values[-1]):
        return None
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if holds(values[middle]):
            high = middle
        else:
            low = middle + 1
    return values[low]


def _mix(programme: Programme) -> OriginMix:
    assert programme.mix is not None
    return programme.mix


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
