"""The optimum under rules against all schedules of small programmes; larger ones against the words of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules import optimal_schedule
from anonlib.analyses.schedules.ruled import solve as component_module
from anonlib.analyses.schedules.ruled.feasibility import seated
from anonlib.analyses.schedules.ruled.model import Flows, ZonedModel
from anonlib.analyses.schedules.ruled.neighbours import (
    improved,
    quick_bound,
    row_bound,
    with_values_merged,
    with_zones_merged,
)
from anonlib.analyses.schedules.ruled.programme import best_of, merged, programme_of
from anonlib.analyses.schedules.ruled.solve import Component, solve_ruled
from anonlib.analyses.schedules.ruled.starts import expanded, filled, gathered, remixed
from anonlib.analyses.schedules.rules import MaxDistance, OriginMix, SameRegion
from anonlib.analyses.schedules.schedule import dealt, summed
from anonlib.analyses.schedules.solver.search import Deadline, SlotSolution, floor
from anonlib.basics.budget import A_SECOND, Budget, about_seconds
from anonlib.counting.classes import anonymity_vector
from tests.helpers.errors import refused
from tests.helpers.vectors import padded
from tests.reference.schedules import Vector, all_schedules, vector_of
from tests.reference.schedules_rules import HOME, Case, Mix, cases

PATIENT = 60 * A_SECOND


def feasible_cases(mixed: bool, seeds: range) -> Iterator[tuple[Case, Vector]]:
    for case in cases(seeds, mixed=mixed):
        if (best := case.best()) is not None:
            yield case, best


def solved(case: Case, work: float, reports: list | None = None) -> SlotSolution:
    people, places, values, allowed, mix = case.arrays()
    offer = reports.append if reports is not None else None
    return solve_ruled(people, places, values, allowed, mix, Deadline(Budget(work)), 1, offer)


@pytest.fixture(params=["at once", "step by step"])
def path(request, monkeypatch):
    """Whether small programmes are given to the solver at once, or all steps for large ones are taken first."""
    if request.param == "step by step":
        monkeypatch.setattr(component_module, "_SMALL", 0)
        monkeypatch.setattr("anonlib.analyses.schedules.ruled.neighbours._IDLE", 5)
    return request.param


# ---- against all schedules -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("mixed", [False, True])
def test_optimum_of_all_schedules(path, mixed):
    n = n_shared = 0
    for case, best in feasible_cases(mixed, range(200) if path == "at once" else range(400, 480)):
        solution = solved(case, PATIENT)
        assert case.keeps(tuple(map(tuple, solution.groups.toarray().tolist()))), case
        assert padded(solution.vector, sum(case.people)) == best, case
        assert vector_of(solution.groups.toarray().tolist(), case.values) == best, case
        assert solution.proven and solution.bound == solution.vector
        assert solution.prefix >= solution.vector.sizes.max()
        n, n_shared = n + 1, n_shared + (len(set(case.values)) < len(case.values))
    assert n > (35 if path == "at once" else 10) and n_shared > 8


@pytest.mark.slow
@pytest.mark.parametrize("mixed", [False, True])
def test_what_is_stated_to_be_proven_is_when_there_is_no_time(path, mixed):
    n_unproven = 0
    for case, best in feasible_cases(mixed, range(120)):
        reports: list[sparse.csr_array] = []
        solution = solved(case, 0.0, reports)
        n = sum(case.people)
        assert padded(solution.bound, n) <= best <= padded(solution.vector, n), case
        assert padded(solution.vector, n)[: solution.prefix] == best[: solution.prefix], case
        assert solution.proven == (padded(solution.bound, n) == padded(solution.vector, n))
        assert case.keeps(tuple(map(tuple, solution.groups.toarray().tolist())))
        vectors = [vector_of(groups.toarray().tolist(), case.values) for groups in reports]
        assert vectors == sorted(vectors, reverse=True)
        assert vectors[-1] == padded(solution.vector, n)
        assert all(case.keeps(tuple(map(tuple, groups.toarray().tolist()))) for groups in reports)
        n_unproven += not solution.proven
    assert n_unproven > 5


@pytest.mark.slow
def test_bounds_are_not_above_the_best():
    for mixed in (False, True):
        for case, best in feasible_cases(mixed, range(200)):
            programme, _ = merged(programme_of(*case.arrays()))
            n = sum(case.people)
            assert padded(quick_bound(programme), n) <= best, case
            simple, of = with_values_merged(programme)
            assert len(of) == programme.shape[0] and padded(quick_bound(simple), n) <= best, case
            if not mixed:
                rows = row_bound(
                    programme, seated(programme, Deadline(about_seconds(9)), 0), Deadline(about_seconds(9)), 0
                )
                assert padded(rows, n) <= best, case


# ---- the model -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mixed", [False, True])
def test_hint_is_the_schedule(mixed):
    """With every number at its hint the model holds, counts the vector, and is read as a schedule of that vector."""
    for case, best in feasible_cases(mixed, range(120)):
        programme = programme_of(*case.arrays())
        groups = next(matrix for matrix in case.schedules() if vector_of(matrix, case.values) == best)
        model = ZonedModel(programme, np.zeros(0, np.int64))
        model.hint(sparse.csr_array(np.array(groups)))
        solver = cp_model.CpSolver()
        solver.parameters.fix_variables_to_their_hinted_value = True
        solver.parameters.num_workers = 1
        assert solver.solve(model.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE), case
        counts = [solver.value(count) for count in model.counts]
        assert tuple(counts) == best[: len(counts)], case
        assert vector_of(model.read(solver).toarray().tolist(), case.values) == best, case


def test_mix_with_people_who_are_seated_already():
    """Feasible just when some schedule keeps the mix together with those who stay."""
    rng = np.random.default_rng(0)
    n_feasible = 0
    for case in cases(range(250), mixed=True):
        mix, rule, n_slots = case.mix, case.arrays()[-1], len(case.places)
        names = [HOME, *sorted(set(mix.origins) - {HOME})]
        staying = rng.integers(0, 3, (len(names), n_slots)) * (rng.random((len(names), n_slots)) < 0.4)
        everyone = replace(mix, origins=(*mix.origins, *names))
        places = [free + int(staying[:, j].sum()) for j, free in enumerate(case.places)]
        found = all_schedules(case.people, case.places, case.allowed)
        expected = any(everyone.kept((*matrix, *staying.tolist()), places) for matrix in found)
        programme = replace(programme_of(*case.arrays()[:4], rule), places=np.array(case.places), seated=staying)
        status = cp_model.CpSolver().solve(Flows(programme).model)
        assert (status in (cp_model.OPTIMAL, cp_model.FEASIBLE)) == expected, (case, staying)
        n_feasible += expected
    assert n_feasible > 20


def test_counts_above_the_bound_leave_the_others_free():
    best, bound = anonymity_vector([2, 2, 3, 5]), anonymity_vector([2, 3, 3, 4])
    assert floor(bound, best, 2, 6).tolist() == [0, 2, 0, 0, 0, 0]
    assert floor(bound, best, 1, 6).tolist() == [0, 1, 2, 1, 0, 0]


def test_of_two_components_the_least_is_proven(monkeypatch):
    """Vectors are added; what is proven of both is proven of the sum."""

    def solve(part, deadline, seed):
        part.prefix = 5 if part.programme.n_people == 7 else 2
        part.bound = anonymity_vector([part.programme.n_people])

    monkeypatch.setattr(Component, "solve", solve)
    allowed = np.array([[True, True, False, False], [False, False, True, True]])
    solution = solve_ruled(np.array([7, 8]), np.full(4, 4), np.arange(2), allowed, None, Deadline(about_seconds(9.0)))
    assert solution.prefix == 2 and not solution.proven
    assert solution.bound == anonymity_vector([7, 8])
    assert solution.vector == anonymity_vector([4, 3, 4, 4])


# ---- larger programmes ---------------------------------------------------------------------------------------------


def county(seed: int, *, mixed: bool, towns: int = 6, centres: int = 4) -> Case:
    """300 people of 12 values in towns on a map, who go to slots in the two centres nearest."""
    rng = np.random.default_rng(seed)
    town, centre = rng.random((towns, 2)), rng.random((centres, 2))
    far = np.hypot(*(np.subtract.outer(town[:, i], centre[:, i]) for i in (0, 1)))
    may = far <= np.sort(far, axis=1)[:, [1]]
    origin = np.where(rng.random(300) < 0.08 * mixed, rng.integers(1, 6, 300), 0)
    person = np.column_stack([rng.integers(0, 12, 300), rng.integers(0, towns, 300), origin])
    groups, people = np.unique(person, axis=0, return_counts=True)
    mix = Mix(named(groups[:, 2]), Fraction(1, 4), 2, "load", True) if mixed else None
    at = np.repeat(np.arange(centres), 6)
    allowed = may[groups[:, 1]][:, at].tolist()
    return Case(tuple(people.tolist()), (24,) * len(at), tuple(groups[:, 0].tolist()), tuple(map(tuple, allowed)), mix)


def named(origins: np.ndarray) -> tuple[str, ...]:
    return tuple(HOME if origin == 0 else f"country {origin}" for origin in origins)


def as_case(groups: sparse.csr_array) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, groups.toarray().tolist()))


@pytest.mark.parametrize("mixed", [False, True])
def test_first_schedules_keep_the_rules(mixed):
    case = county(3, mixed=mixed)
    programme, of = merged(programme_of(*case.arrays()))
    people, deadline, rng = np.array(case.people), Deadline(Budget(PATIENT)), np.random.default_rng(0)
    first = seated(programme, deadline, 0)
    simple, simple_of = with_values_merged(programme)
    spread = expanded(programme, summed(first, simple_of, simple.shape[0]), simple_of, Deadline(about_seconds(1.0)), 0)
    found = {"seated": first, "expanded": spread, "gathered": gathered(programme, spread, deadline, rng)}
    if mixed:
        _, places, values, allowed, _ = case.arrays()
        plain, plain_of = merged(programme_of(people, places, values, allowed, None))
        without = dealt(seated(plain, deadline, 0), people, plain_of)
        found["remixed"] = remixed(programme, summed(without, of, programme.shape[0]), deadline, 0)
    else:
        zoned, zone = with_zones_merged(programme)
        numbers = summed(sparse.csr_array(spread.T), zone, zoned.shape[1]).T.toarray()
        found["filled"] = filled(programme, zone, numbers, programme.places, Deadline(about_seconds(1.0)), 0)
    for name, groups in found.items():
        assert case.keeps(as_case(dealt(groups, people, of))), name
    assert programme.vector(found["gathered"]) <= programme.vector(spread)
    assert programme.vector(found["gathered"]) < programme.vector(first)


@pytest.mark.parametrize("mixed", [False, True])
def test_neighbours_make_it_better_and_keep_the_rules(mixed):
    case = county(4, mixed=mixed)
    programme, of = merged(programme_of(*case.arrays()))
    reports: list[sparse.csr_array] = []
    best = best_of(programme, seated(programme, Deadline(Budget(PATIENT)), 0), reports.append)
    before = best.vector
    improved(programme, quick_bound(programme), best, Deadline(about_seconds(0.5)), 0)
    assert best.vector < before and len(reports) > 1
    for groups in reports:
        assert case.keeps(as_case(dealt(groups, np.array(case.people), of)))
    assert reports[-1] is best.groups


@pytest.mark.parametrize("mixed", [False, True])
def test_a_county_with_little_work(mixed):
    case = county(5, mixed=mixed)
    reports: list[sparse.csr_array] = []
    solution = solved(case, A_SECOND / 2, reports)
    assert case.keeps(as_case(solution.groups))
    assert padded(solution.vector, 300) == vector_of(solution.groups.toarray().tolist(), case.values)
    assert solution.bound <= solution.vector
    assert padded(solution.vector, 300) < vector_of(reports[0].toarray().tolist(), case.values)


def test_regions_are_programmes_of_their_own():
    rng = np.random.default_rng(2)
    frequencies, values, region = rng.integers(3, 30, 24), np.repeat(np.arange(8), 3), np.tile(list("abc"), 8)
    slot_region = np.array(list("abc" * 20))
    capacities = rng.integers(8, 14, 60)
    together = optimal_schedule(
        frequencies, capacities, quasi_ids=values, rules=[SameRegion(region, slot_region)], work=PATIENT
    )
    apart = [optimal_schedule(frequencies[region == r], capacities[slot_region == r], work=PATIENT) for r in "abc"]
    assert together.proven and all(schedule.proven for schedule in apart)
    assert together.vector == anonymity_vector(np.concatenate([schedule.assignment.data for schedule in apart]))
    assert not together.groups.toarray()[region[:, None] != slot_region].any()


def test_distance_in_the_schedule():
    people, slots = np.array([[0, 0], [0, 40_000], [0, 20_000]]), np.array([[0, 0], [0, 40_000]])
    rule = MaxDistance(people, slots, 25, "plane")
    schedule = optimal_schedule([4, 5, 3], [8, 8], quasi_ids=[0, 0, 1], rules=[rule])
    assert schedule.proven and schedule.vector == anonymity_vector([4, 5, 3])
    assert schedule.groups.toarray()[:2].tolist() == [[4, 0], [0, 5]]


def test_large_slots_keep_the_optimum_without_the_mix():
    """Who is in a cell can be anyone of its value: here the mix costs nothing, and that is proven."""
    rng = np.random.default_rng(0)
    origin = np.where(rng.random(1500) < 0.06, rng.integers(1, 9, 1500), 0)
    person = np.column_stack([rng.integers(0, 30, 1500), origin])
    groups, people = np.unique(person, axis=0, return_counts=True)
    rule = OriginMix(named(groups[:, 1]), HOME)
    places = np.full(11, 150)
    schedule = optimal_schedule(people, places, quasi_ids=groups[:, 0], rules=[rule], work=PATIENT)
    assert schedule.proven and not rule.broken(schedule.groups, places).any()
    assert schedule.vector == optimal_schedule(np.bincount(person[:, 0]), places).vector


# ---- the rest ------------------------------------------------------------------------------------------------------


def test_stopped_from_outside_what_was_reported_stands():
    case = county(6, mixed=True)
    people, places, values, allowed, mix = case.arrays()
    reports = []

    class Stopped(Exception):
        pass

    def progress(share, schedule):
        if schedule is not None:
            reports.append(schedule)
        if len(reports) > 3:
            raise Stopped

    with pytest.raises(Stopped):
        optimal_schedule(
            people, places, quasi_ids=values, allowed=allowed, rules=[mix], work=PATIENT, progress=progress
        )
    assert case.keeps(as_case(reports[-1].groups))


def test_places_without_end():
    rule = OriginMix(["H", "A", "B", "C"], "H", of="capacity")
    schedule = optimal_schedule([5, 9, 9, 9], [2**39, 2**40], rules=[rule, SameRegion([1] * 4, [1, 1])])
    assert schedule.proven and schedule.vector == anonymity_vector([5, 9, 9, 9])


def test_closed_slots_and_groups_that_differ_by_them_only():
    allowed = np.array([[True, True, False], [True, True, True], [True, True, True]])
    schedule = optimal_schedule([3, 3, 3], [6, 4, 0], quasi_ids=[1, 0, 1], allowed=allowed)
    assert schedule.proven and schedule.vector == anonymity_vector([6, 3])


def test_infeasible_raises_before_anything_is_reported():
    reports: list = []
    with refused("slots-too-few"):
        solve_ruled(
            np.array([1]),
            np.array([2]),
            np.array([0]),
            np.zeros((1, 1), bool),
            None,
            Deadline(about_seconds(1)),
            0,
            reports.append,
        )
    assert not reports


def test_a_component_begins_with_what_it_is_given():
    programme = programme_of(np.array([2, 2]), np.array([2, 2]), np.arange(2), np.array([[1, 1], [0, 1]], bool), None)
    part = Component(programme, sparse.csr_array(np.array([[2, 0], [0, 2]])))
    part.solve(Deadline(about_seconds(0.0)), 0)
    assert part.proven and part.best.vector == anonymity_vector([2, 2])
