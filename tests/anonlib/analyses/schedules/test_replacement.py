"""Another slot for somebody who cannot come (Caballero et al. 2017, section 9, E1), and zones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from anonlib.analyses.schedules import (
    MaxDistance,
    OriginMix,
    SameRegion,
    Zones,
    breaches,
    by_zone,
    greedy_schedule,
    improvement,
    improvements,
    optimal_schedule,
    replacements,
    with_moves,
)
from anonlib.analyses.schedules.schedule import schedule_of
from anonlib.counting.classes import anonymity_vector
from tests.helpers.errors import refused
from tests.helpers.examples import settings


@settings(80, deadline=None)
@given(st.data())
def test_each_choice_is_what_moving_one_person_gives(data: st.DataObject):
    """Against the schedule written out, with the person moved in it."""
    n_groups, n_slots = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 3), min_size=n_slots, max_size=n_slots)
    cells = np.array(data.draw(st.lists(row, min_size=n_groups, max_size=n_groups)))
    cells[0, 0] += 1
    values = np.unique(
        data.draw(st.lists(st.integers(0, 2), min_size=n_groups, max_size=n_groups)), return_inverse=True
    )[1]
    places = cells.sum(axis=0) + np.array(data.draw(st.lists(st.integers(0, 2), min_size=n_slots, max_size=n_slots)))
    regions = data.draw(st.lists(st.sampled_from("ab"), min_size=n_groups, max_size=n_groups))
    of_slots = data.draw(st.lists(st.sampled_from("ab"), min_size=n_slots, max_size=n_slots))
    rules = [SameRegion(regions, of_slots)] if data.draw(st.booleans()) else []
    k = data.draw(st.integers(1, 4))
    schedule = schedule_of("optimal", sparse.csr_array(cells), 0.0, quasi_ids=values)
    offered = replacements(schedule, 0, 0, places, values, k, rules=rules)
    of_value = np.array([cells[values == value].sum(axis=0) for value in range(values.max() + 1)])
    free = [j for j in range(1, n_slots) if cells[:, j].sum() < places[j]]
    assert sorted(offered.slots.tolist()) == free
    assert offered.promised == min(k, schedule.k) and offered.left_behind == of_value[values[0], 0] - 1
    ranks = []
    for n, slot in enumerate(offered.slots.tolist()):
        moved = of_value.copy()
        moved[values[0], [0, slot]] += [-1, 1]
        after = anonymity_vector(moved.ravel())
        assert offered.after[n] == after and offered.peers[n] == of_value[values[0], slot]
        assert offered.keeps_k[n] == (after.k >= offered.promised)
        assert offered.keeps_rules[n] == (not rules or regions[0] == of_slots[slot])
        assert with_moves(schedule, [(0, 0, slot)], values).vector == after
        ranks.append(
            (
                offered.peers[n] == 0,
                [(-s, c) for s, c in zip(after.sizes.tolist(), after.classes.tolist(), strict=True)],
            )
        )
    assert ranks == sorted(ranks), "where their like are first, then by the vector"
    assert offered.full == sum(places[j] <= cells[:, j].sum() > 0 for j in range(1, n_slots))


def test_the_running_example_with_a_place_to_spare():
    """One of the two women at C, 13 can join the three at B, 13, which leaves the other alone: that breaks k."""
    cells = [[0, 0, 4, 0, 0], [4, 0, 0, 0, 0], [0, 0, 0, 3, 2], [0, 2, 0, 0, 0]]
    schedule = schedule_of("optimal", sparse.csr_array(np.array(cells)), 0.0)
    assert schedule.vector.printed() == "(0,2,1,2)"
    offered = replacements(schedule, 2, 4, np.array([5, 2, 4, 4, 2]), np.arange(4), 2)
    assert offered.slots.tolist() == [3, 0] and offered.peers.tolist() == [3, 0]
    assert [vector.printed() for vector in offered.after] == ["(1,1,0,3)", "(2,1,1,2)"]
    assert not offered.keeps_promises.any() and offered.full == 2 and offered.full_with_peers == 0
    offered = replacements(schedule, 2, 3, np.array([5, 2, 4, 3, 3]), np.arange(4), 2)
    assert [vector.printed() for vector in offered.after] == ["(0,2,1,2)", "(1,3,0,2)"]
    assert offered.keeps_promises.tolist() == [True, False]
    with refused("value-unknown"):
        replacements(schedule, 0, 0, np.array([5, 2, 4, 3, 3]), np.arange(4), 2)


def test_a_choice_that_breaks_the_mix_or_the_distance_is_marked():
    cells = np.array([[17, 20], [3, 0]])
    schedule = schedule_of("optimal", sparse.csr_array(cells), 0.0, quasi_ids=np.zeros(2, np.int64))
    values, places = np.zeros(2, np.int64), np.array([21, 21])
    mix = OriginMix(["home", "away"], "home", 0.15, 1)
    assert not breaches(mix, schedule.groups, places).slots
    offered = replacements(schedule, 0, 0, places, values, 2, rules=[mix])
    assert offered.keeps_rules.tolist() == [False], "without them 3 of 19 are more than 15%"
    assert replacements(schedule, 1, 0, places, values, 2, rules=[mix]).keeps_rules.tolist() == [True]
    far = MaxDistance(np.array([[59.0, 10.0], [59.0, 10.0]]), np.array([[59.0, 10.0], [60.0, 10.0]]), 25)
    assert replacements(schedule, 0, 0, places, values, 2, rules=[far]).keeps_rules.tolist() == [False]


# ---- zones --------------------------------------------------------------------------------------------------------


def programme(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, Zones]:
    """Two dates with values in common, each with room for its people."""
    rng = np.random.default_rng(seed)
    values, dates = np.array([0, 1, 2, 0, 1]), ["x", "x", "x", "y", "y"]
    people = rng.integers(1, 7, 5)
    slots, places = ["x", "y", "x", "y"], []
    for date in slots:
        total = int(people[[d == date for d in dates]].sum())
        places.append(total // 2 + int(rng.integers(1, 3)))
    return people, np.array(places), values, Zones.of(dates, slots)


@pytest.mark.parametrize("seed", range(2))
def test_zones_solved_one_by_one_are_the_optimum_under_the_rule_of_the_same_date(seed):
    people, places, values, zones = programme(seed)
    labels = [zones.labels[z] for z in zones.groups], [zones.labels[z] for z in zones.slots]
    whole = optimal_schedule(people, places, quasi_ids=values, rules=[SameRegion(*labels)])
    reports = []
    split = by_zone(
        people, places, values, zones,
        lambda f, c, v, rules, progress: optimal_schedule(f, c, quasi_ids=v, rules=rules, progress=progress),
        first=whole, progress=lambda share, so_far=None: reports.append((share, so_far)),
    )  # fmt: skip
    assert whole.proven and split.proven and split.vector == whole.vector == split.bound
    assert not breaches(SameRegion(*labels), split.groups, places).people
    assert np.array_equal(split.groups.sum(axis=1), people) and (split.groups.sum(axis=0) <= places).all()
    assert reports[-1][0] == 1 and all(part.groups.sum() == people.sum() for _, part in reports if part is not None)
    greedy = by_zone(people, places, values, zones, lambda f, c, *_: greedy_schedule(f, c))
    assert (
        not greedy.proven and greedy.bound is None and split.vector <= greedy.vector
    ) or split.vector == greedy.vector
    gains = improvements(split, greedy, people, values, zones)
    for zone, gain in enumerate(gains):
        of_zone = [part.groups[zones.groups == zone][:, zones.slots == zone].data for part in (split, greedy)]
        base = anonymity_vector(people[zones.groups == zone])
        assert gain == pytest.approx(improvement(*map(anonymity_vector, of_zone), base))
    assert zones.base(people, values) == anonymity_vector(people), "a value and a date each"


def test_a_zone_without_room_is_named():
    zones = Zones.of(["2027-03-01", "2027-03-02"], ["2027-03-02", "2027-03-01"])
    zones.check_room(np.array([3, 4]), np.array([4, 3]))
    with refused("slots-too-few") as caught:
        zones.check_room(np.array([3, 5]), np.array([4, 3]))
    assert "5 people of “2027-03-02” have 4 places there: 1 place too few" in str(caught.value)
