"""Rules for schedules: what they allow, who breaks them, and whether they can be kept, against slow references."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from anonlib.analyses.schedules import optimal_schedule, random_schedule
from anonlib.analyses.schedules.names import Names
from anonlib.analyses.schedules.ruled import feasibility as mixing_module
from anonlib.analyses.schedules.ruled.distances import EARTH_KM, kilometres
from anonlib.analyses.schedules.ruled.feasibility import check_feasible
from anonlib.analyses.schedules.rules import MaxDistance, OriginMix, SameRegion, breaches, restrictions
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from tests.helpers.errors import refused
from tests.reference.schedules_rules import HOME, Case, Mix, cases

DEGREE = np.pi * EARTH_KM / 180  # on a great circle


def sentence(case: Case, names: Names | None = None) -> str | None:
    """Why the rules cannot be kept."""
    people, places, _, allowed, mix = case.arrays()
    try:
        check_feasible(people, places, allowed, mix, work=20 * A_SECOND, names=names)
    except InputError as error:
        return str(error)
    return None


# ---- E1 ------------------------------------------------------------------------------------------------------------


def test_same_region_compares_labels_as_text():
    rule = SameRegion(["1", "2", 2], [2, "1", "3"])
    assert rule.allowed(3, 3).tolist() == [[False, True, False], [True, False, False], [True, False, False]]


def test_region_with_too_few_places_is_named():
    rule = SameRegion(["South", "North", "North"], ["North", "North", "South", "North"])
    with pytest.raises(
        InputError, match="The 12 people of region “North” can only go to 2 slots with 9 places: 3 places"
    ):
        restrictions([rule], None, np.array([3, 5, 7]), np.array([5, 4, 9, 0]))


@pytest.mark.parametrize(
    ("people", "slots", "message"),
    [
        (["a", None], ["a"], "regions: that of person group 2 is missing"),
        (["a", "a"], [float("nan")], "regions: that of slot 1 is missing"),
        (["a"], ["a"], "there are 2 person groups, and 1 region"),
        ("ab", ["a"], "regions must be a list"),
    ],
)
def test_regions_that_cannot_be_used(people, slots, message):
    with pytest.raises(InputError, match=message):
        SameRegion(people, slots).allowed(2, 1)


def test_known_distances():
    far = kilometres(
        np.array([[0.0, 179.5], [59.9139, 10.7522], [90, 0]]), np.array([[0, -179.5], [60.3913, 5.3221]]), "sphere"
    )
    assert far[0, 0] == pytest.approx(DEGREE)  # across the date line
    assert far[1, 1] == pytest.approx(305, abs=1)  # Oslo and Bergen
    assert far[2, 0] == pytest.approx(90 * DEGREE)
    assert kilometres(np.array([[0.0, 0]]), np.array([[3000.0, 4000]]), "plane") == pytest.approx(5)


@given(*[st.tuples(st.floats(-90, 90), st.floats(-180, 180)) for _ in range(2)])
def test_haversine_is_the_angle_between_two_points(here, there):
    def on_globe(point):
        latitude, longitude = np.radians(point)
        return np.array([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)])

    chord = np.linalg.norm(on_globe(here) - on_globe(there))
    expected = 2 * EARTH_KM * np.arcsin(min(1.0, chord / 2))
    assert kilometres(np.array([here]), np.array([there]), "sphere")[0, 0] == pytest.approx(expected, abs=0.01)


def test_distance_allows_up_to_the_limit():
    people, slots = np.array([[0.0, 0.0]]), np.array([[0.0, 3000.0], [0.0, 3001.0]])
    assert MaxDistance(people, slots, 3, "plane").allowed(1, 2).tolist() == [[True, False]]


@pytest.mark.parametrize(
    ("people", "most", "metric", "message"),
    [
        ([[0, 0], [np.nan, 1]], 1, "sphere", "coordinates of person group 2 are missing"),
        ([[0, 0], [0, None]], 1, "plane", "coordinates of person group 2 are missing"),
        ([[10, 60], [120, 50]], 1, "sphere", "person group 2 have a latitude beyond 90 degrees.*seems that longitude"),
        ([[10, 60], [6_600_000, 300_000]], 1, "sphere", "person group 2 have a latitude beyond 90.*in metres"),
        ([[10, 60], [20, 190]], 1, "sphere", "person group 2 have a longitude beyond 180"),
        ([[0, 0]], 1, "sphere", "two coordinates for each person group, of which there are 2"),
        ([["north", 1], [1, 2]], 1, "sphere", "must be two numbers"),
        ([[0, 0], [1, 1]], -1, "sphere", "distance must be 0 km or more"),
        ([[0, 0], [1, 1]], float("nan"), "sphere", "distance must be a number"),
        ([[0, 0], [1, 1]], 1, "miles", "metric must be “sphere” or “plane”"),
    ],
)
def test_distances_that_cannot_be_used(people, most, metric, message):
    with pytest.raises(InputError, match=message):
        MaxDistance(people, [[0, 0]], most, metric).allowed(2, 1)


def test_people_out_of_reach_are_counted_and_the_first_named():
    rule = MaxDistance([[60, 10], [61, 10], [61, 11]], [[60, 10], [61, 10]], 50)
    with pytest.raises(
        InputError, match=r"7 people cannot reach any slot within 50 km. The nearest to person group 2 is 111\.2"
    ):
        restrictions([rule], None, np.array([1, 3, 4]), np.array([9, 0]))
    names = Names(["“Nes, 1”", "“Lia, 2”", "“Lia, 3”"])
    with pytest.raises(InputError, match=r"The nearest to “Lia, 2” is 111\.2 km away"):
        restrictions([rule], None, np.array([1, 3, 4]), np.array([9, 0]), names=names)


def test_swapped_coordinates_are_suspected():
    rule = MaxDistance([[60, 10]], [[10, 60]], 50)
    with refused("slots-too-few"):
        restrictions([rule], None, np.array([1]), np.array([9]))


# ---- E2 ------------------------------------------------------------------------------------------------------------


def test_the_share_is_exact():
    """0.15 of 20 is 3, 0.07 of 100 is 7, and a third of 9 is 3, whatever floats make of it."""
    for hundredths in range(1, 101):
        rule = OriginMix([HOME], HOME, hundredths / 100, least=1)
        places = np.arange(0, 301)
        np.testing.assert_array_equal(rule.most_in(places), places * hundredths // 100)
        smallest = int(rule.smallest_slot)
        assert rule.most_in(np.array([smallest - 1, smallest])).tolist() == [0, max(1, smallest * hundredths // 100)]
    assert OriginMix([HOME], HOME, 1 / 3).most_in(np.array([8, 9])).tolist() == [0, 3]
    assert OriginMix([HOME], HOME, Fraction(3, 20)).smallest_slot == OriginMix([HOME], HOME).smallest_slot == 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"share": 1.5}, "share must be between 0 and 1"),
        ({"share": "15%"}, "share must be a number"),
        ({"least": -1}, "least number of origins must be a whole number"),
        ({"of": "slot"}, "“load” or of the “capacity”"),
        ({"home": "X"}, "Nobody is of the home origin"),
        ({"origins": ["H", None]}, "origins: that of person group 2 is missing"),
        ({"origins": ["H"]}, "there are 2 person groups, and 1 origin"),
    ],
)
def test_mixes_that_cannot_be_used(change, message):
    with pytest.raises(InputError, match=message):
        restrictions([replace(OriginMix(["H", "A"], "H"), **change)], None, np.array([1, 1]), np.array([5]))


def test_breaches_are_those_of_the_words_of_the_rule():
    rng = np.random.default_rng(1)
    broken = 0
    for case in cases(range(400), mixed=True, most_people=99):
        people, places, _, _, mix = case.arrays()
        if people.sum() > places.sum():
            continue
        groups = random_schedule(people, places, rng).groups
        matrix = groups.toarray()
        kept = [case.mix.kept_in(matrix[:, j].tolist(), int(places[j])) for j in range(len(places))]
        others = [group for group, origin in enumerate(case.mix.origins) if origin != HOME]
        found = breaches(mix, groups, places)
        assert found.slots == kept.count(False)
        assert found.people == sum(matrix[others, j].sum() for j in range(len(places)) if not kept[j])
        assert found.used == (matrix.sum(axis=0) > 0).sum()
        broken += found.slots > 0
        rule = SameRegion(*(rng.choice(["a", "b"], n).tolist() for n in matrix.shape))
        wrong = np.where(rule.allowed(*matrix.shape), 0, matrix)
        found = breaches(rule, groups, places)
        assert (found.people, found.slots) == (wrong.sum(), wrong.any(axis=0).sum())
    assert broken > 20


# ---- together ------------------------------------------------------------------------------------------------------


def test_rules_hold_together():
    regions = SameRegion(["a", "a", "b"], ["a", "b", "a"])
    near = MaxDistance([[0, 0], [0, 9000], [0, 9000]], [[0, 0], [0, 9000], [0, 5000]], 5, "plane")
    mix = OriginMix(["H", "H", "H"], "H")
    allowed = np.array([[1, 1, 0], [1, 1, 1], [1, 1, 1]])
    together, found = restrictions([regions, mix, near], allowed, np.ones(3), np.ones(3))
    assert together.tolist() == [[True, False, False], [False, False, True], [False, True, False]]
    assert found is mix
    assert restrictions([], None, np.ones(3), np.ones(3)) == (None, None)


@pytest.mark.parametrize(
    ("rules", "allowed", "message"),
    [
        ([OriginMix(["H"], "H"), OriginMix(["H"], "H")], None, "one rule on the mix"),
        (["near"], None, "must be SameRegion, MaxDistance or OriginMix"),
        ([], np.ones((2, 2)), "1 rows .* of 2 yes or no"),
        ([], np.array([[0.5, 1]]), "yes or no"),
    ],
)
def test_rules_that_do_not_fit(rules, allowed, message):
    with pytest.raises(InputError, match=message):
        restrictions(rules, allowed, np.ones(1), np.ones(2))


# ---- can they be kept? ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("mixed", [False, True])
def test_feasible_just_when_a_schedule_exists(mixed):
    n_infeasible = n = 0
    for case in cases(range(500), mixed=mixed):
        reason = sentence(case)
        assert (reason is None) == (case.best() is not None), (case, reason)
        n, n_infeasible = n + 1, n_infeasible + (reason is not None)
    assert n > 300 and 100 < n_infeasible < n - 75


def test_blocking_people_have_too_few_places_in_all_slots_they_may_go_to():
    seen = 0
    for case in cases(range(500), mixed=False, most_people=99):
        people, places, _, allowed, _ = case.arrays()
        named = Names([f"g{i}g" for i in range(len(people))], [f"s{j}s" for j in range(len(places))])
        reason = sentence(case, named)
        found = re.match(
            r"The (\d+) (?:people|person) of (.*) can only go to .*\((.*)\) with (\d+) places?: (\d+)", reason or ""
        )
        if reason is None:
            continue
        if found is None:
            nowhere = ~allowed[:, places > 0].any(axis=1)
            assert "may not go to any open slot" in reason and nowhere.any()
            assert re.findall(r"g(\d+)g", reason) == [str(i) for i in np.flatnonzero(nowhere)]
            continue
        seen += 1
        groups, slots = ([int(i) for i in re.findall(rf"{c}(\d+){c}", found[k])] for k, c in ((2, "g"), (3, "s")))
        assert slots == np.flatnonzero(allowed[groups].any(axis=0) & (places > 0)).tolist()
        assert people[groups].sum() == int(found[1]) and places[slots].sum() == int(found[4])
        assert int(found[1]) - int(found[4]) == int(found[5]) > 0
    assert seen > 50


def test_unnamed_people_and_slots_are_counted_from_one():
    allowed = np.array([[True, False, True], [True, True, False], [True, False, True]])
    expected = "The 9 people of person groups 1 and 3 can only go to 2 slots (slots 1 and 3) with 7 places: 2 places"
    with pytest.raises(InputError, match=re.escape(expected)):
        optimal_schedule([4, 1, 5], [3, 9, 4], allowed=allowed)


def test_the_paper_means_slots_of_twenty():
    """15% and three nationalities, with slots of 10 places on average: the smallest that would do is 3 / 15%."""
    rule = OriginMix(["H", "A", "B", "C", "D"], "H")
    with pytest.raises(InputError, match=r"slots of at least 20 places \(3 / 15%\), and the largest has 12"):
        optimal_schedule([90, 2, 3, 3, 2], [8, 9, 10, 11, 12] * 3, rules=[rule])
    assert optimal_schedule([17, 1, 1, 1], [20], rules=[OriginMix(["H", "A", "B", "C"], "H")]).proven


@pytest.mark.parametrize(
    ("people", "places", "change", "message"),
    [
        ([9, 2, 1], [20, 20], {}, "of 2 origins, and every slot with any of them needs at least 3"),
        ([9, 0, 0, 0], [20, 20], {"none_allowed": False}, "are missing, and every slot that is used needs"),
        ([9, 2, 2, 2], [20, 20], {}, r"6 of 15 people \(40%\) are of other origins.*cannot be at most 15%"),
        ([9, 2, 2, 2], [20, 20], {"share": 0}, "With a share of 0% no slot may have them"),
        ([9, 4, 4, 4], [20, 40], {"of": "capacity"}, "room for 9 of them"),
        ([94, 4, 1, 1], [20] * 6, {}, "too many are of one origin to have 3 origins in each"),
        ([40, 2, 2, 2], [20, 20, 19], {"none_allowed": False}, "slots of that size have 40 places for 46 people"),
        ([55, 2, 1, 1], [20] * 3, {"none_allowed": False}, "At least 3 slots are used"),
    ],
)  # fmt: skip
def test_reasons_seen_at_once(people, places, change, message):
    present = [i for i, n in enumerate(people) if n]
    rule = replace(OriginMix([["H", "A", "B", "C"][i] for i in present], "H"), **change)
    with pytest.raises(InputError, match=message):
        check_feasible(np.array(people)[present], np.array(places), None, rule)


@pytest.mark.slow
def test_what_would_do_is_the_least_change():
    """Sentences on origins and shares, against all schedules of the changed programme."""
    reports = 0
    for case in cases(range(1500), mixed=True, most_people=10):
        if "cannot be kept" not in (reason := sentence(case) or ""):
            continue

        def kept(case=case, **change) -> bool:
            return replace(case, mix=replace(case.mix, **change)).best() is not None

        fewer, share = re.search(r"with (\d+) origins? in", reason), re.search(r"share of (\d+)%", reason)
        expected = [least for least in range(case.mix.least - 1, 0, -1) if kept(least=least)]
        assert [int(fewer[1])] == expected[:1] if fewer else not expected, (case, reason)
        shares = [n for n in range(int(case.mix.share * 100) + 1, 101) if kept(share=Fraction(n, 100))]
        assert [int(share[1])] == shares[:1] if share else not shares, (case, reason)
        assert ("none of other origins" in reason) == (not case.mix.none_allowed and kept(none_allowed=True))
        reports += 1
    assert reports > 5


def test_as_many_origins_as_can_be_are_asked_for_instead():
    """A only may go to the first slot and C to the second: two origins can meet in each, never three."""
    allowed = np.array([[True, True], [True, False], [True, True], [False, True]])
    rule = OriginMix(["H", "A", "B", "C"], "H", 0.5)
    with pytest.raises(InputError, match="It could be with 2 origins in a slot instead of 3 or if everyone might"):
        check_feasible(np.array([9, 1, 2, 1]), np.array([9, 9]), allowed, rule, work=20 * A_SECOND)


@pytest.mark.parametrize(
    ("limits", "stated"),
    [({}, "was not found out with the work given"), ({"seconds": 7.0}, "was not found out in 8 s")],
)
def test_undecided_is_stated(monkeypatch, limits, stated):
    """And what ended the search: its work, or a clock before."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def decided(programme, deadline, seed):
        now[0] += 8.0
        assert (deadline.left > 0) == (not limits)
        return cp_model.UNKNOWN, None

    monkeypatch.setattr(mixing_module, "decided", decided)
    rule = OriginMix(["H", "A", "B", "C"], "H")
    with pytest.raises(InputError, match=stated):
        check_feasible(np.array([30, 1, 1, 1]), np.array([20, 20]), None, rule, **limits)


def test_parts_apart_are_distinguished():
    mix = Mix(("H", "A", "H", "A"), Fraction(1, 2), 1, "load", True)
    allowed = ((True, False), (True, False), (False, True), (False, True))
    reason = sentence(Case((5, 1, 1, 5), (9, 9), (0, 1, 2, 3), allowed, mix))
    assert reason is not None and reason.startswith("Of the 6 people of person groups 3 and 4: 5 of 6 people (83.3%)")
