"""The finest policy that keeps a promise, and the table by number of people, against all policies counted."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.forecast import (
    LevelLattice,
    NewPeople,
    Promise,
    draw_futures,
    fewer_levels,
    finest_policy,
    forecast,
    kept_after_each,
    policy_table,
    usual_ranges,
)
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.classes import ClassTable
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.forecast import chance_of_at_most, finest, hierarchies, rows_of

FEW = settings(max_examples=60)
TOWNS, AGES = "pqrs", "123"


@st.composite
def streams(draw: st.DrawFn) -> tuple:
    """Draws of few people, policies of two columns, and a promise."""
    people = draw(st.lists(st.tuples(st.sampled_from(TOWNS), st.sampled_from(AGES)), min_size=4, max_size=40))
    classes = ClassTable.from_frame(pd.DataFrame(people, columns=["town", "age"]))
    towns, ages = (sorted({row[j] for row in people}) for j in range(2))
    lattice = LevelLattice(classes, {"town": draw(hierarchies(towns)), "age": draw(hierarchies(ages))})
    number = draw(st.integers(2, len(people)))
    futures = draw_futures(classes, NewPeople.of(number), 25, np.random.default_rng(draw(st.integers(0, 999))))
    certainty = draw(st.sampled_from([0.2, 0.6, 0.9, 1.0]))
    promise = Promise(draw(st.integers(2, 4)), draw(st.sampled_from([0.0, 0.1, 0.3, 0.7])), certainty)
    return people, lattice, futures, promise


@FEW
@given(streams())
def test_a_coarser_policy_has_fewer_in_small_classes_in_every_draw(stream: tuple) -> None:
    _, lattice, futures, promise = stream
    counted = {
        tuple(policy): forecast(futures, lattice.groups(policy), promise.k) for policy in lattice.policies.tolist()
    }
    for finer, of_finer in counted.items():
        for coarser, of_coarser in counted.items():
            if all(a <= b for a, b in zip(finer, coarser, strict=True)):
                assert (of_coarser.below <= of_finer.below).all()
                assert (of_coarser.matches <= of_finer.matches + 1e-9).all()
                assert lattice.losses[lattice.position(finer)] <= lattice.losses[lattice.position(coarser)]


@FEW
@given(streams())
def test_the_finest_is_that_of_all_policies_counted(stream: tuple) -> None:
    people, lattice, futures, promise = stream
    ways = [lattice.hierarchies[name] for name in lattice.columns]
    needed = promise.needed(futures.draws)
    expected = finest(rows_of(futures), Counter(people), ways, (promise.k, promise.most), needed, [futures.longest])
    answer = finest_policy(futures, lattice, promise)
    assert answer.finished and answer.looked_at <= lattice.n_policies
    assert {answer.policy, *answer.ties} - {None} == expected
    if answer.policy is not None:
        drawn = forecast(futures, lattice.groups(answer.policy), promise.k)
        assert answer.kept == drawn.kept(promise) >= needed
        assert drawn.quantile(promise.certainty) <= promise.most


@FEW
@given(streams())
def test_the_table_is_that_of_all_policies_counted_for_every_number(stream: tuple) -> None:
    people, lattice, futures, promise = stream
    ways = [lattice.hierarchies[name] for name in lattice.columns]
    needed, cut = promise.needed(futures.draws), max(1, futures.longest // 2)
    ranges = [pair for pair in ((1, cut), (cut + 1, futures.longest)) if pair[0] <= pair[1]]
    table = policy_table(futures, lattice, promise, ranges)
    draws = rows_of(futures)
    assert table.finished and table.ranges[0].first == 1 and table.ranges[-1].last == futures.longest
    of_number = {number: row for row in table.ranges for number in range(row.first, row.last + 1)}
    for first, last in ranges:
        numbers = list(range(first, last + 1))
        expected = finest(draws, Counter(people), ways, (promise.k, promise.most), needed, numbers)
        row = of_number[first]
        assert (row.policy is None and not expected) or row.policy in expected
        if row.policy is not None:
            kept = kept_after_each(futures, lattice.groups(row.policy), promise)
            assert row.kept == kept[row.first : row.last + 1].min() == kept[row.hardest] >= needed


def fifty() -> tuple[ClassTable, LevelLattice]:
    """Fifty people of each of fifty ages."""
    ages = ClassTable.from_frame(pd.DataFrame({"age": [str(age) for age in range(50)] * 50}))
    return ages, LevelLattice(ages, {"age": intervals([5, 10, 20])})


def test_the_best_so_far_keeps_the_promise() -> None:
    ages, lattice = fifty()
    futures = draw_futures(ages, NewPeople.of(150), 200)
    shown: list = []
    answer = finest_policy(futures, lattice, Promise(11, 0.05), lambda share, best: shown.append((share, best)))
    assert lattice.describe(answer.policy or ()) == {"age": "intervals of 10"}
    assert len(shown) == answer.looked_at and all(a <= b for (a, _), (b, _) in pairwise(shown))
    assert all(not best.finished and best.loss >= answer.loss for _, best in shown)
    rows: list = []
    table = policy_table(
        futures, lattice, Promise(11, 0.05), [(11, 100), (101, 150)], lambda _, best: rows.append(best)
    )
    assert len(rows) == table.looked_at and not rows[0].finished and table.finished


def test_a_table_is_a_rule() -> None:
    ages, lattice = fifty()
    table = policy_table(draw_futures(ages, NewPeople.of(500), 200), lattice, Promise(11, 0.05), usual_ranges(2, 500))
    frame = table.to_frame()
    assert frame["people from"].tolist()[0] == 2 and frame["people to"].tolist()[-1] == 500
    assert (frame["people from"].to_numpy()[1:] == frame["people to"].to_numpy()[:-1] + 1).all()
    assert frame["age: level"].tolist()[:2] == ["no release", "removed"]  # of fewer than 11 all are in a small class
    assert frame["age: level"].is_unique and frame["age: level"].tolist()[-1] == "intervals of 5"
    assert frame["detail lost"].is_monotonic_decreasing


def test_the_same_again() -> None:
    ages, lattice = fifty()
    one, other = (
        policy_table(draw_futures(ages, NewPeople.of(400), 100), lattice, Promise(11, 0.05), usual_ranges(5, 400))
        for _ in range(2)
    )
    assert one.to_frame().equals(other.to_frame())


def test_more_people_can_break_what_fewer_keep() -> None:
    """One in 2,000 people is alone in a class: rarely among 50, and more often among 99, of whom one is above 1%."""
    everybody, rare = 20_000, 10
    people = pd.DataFrame({"a": ["common", "rare"], "people": [everybody - rare, rare]})
    classes = ClassTable.from_frame(people, ["a"], weights="people")
    promise = Promise(11, 0.01, 0.965)
    chances = {n: chance_of_at_most(rare, everybody, n, n // 100) for n in (50, 99, 100)}
    assert chances[50] > promise.certainty > chances[99] and chances[100] > promise.certainty
    futures = draw_futures(classes, NewPeople.of(100), 20_000, np.random.default_rng(3))
    kept = kept_after_each(futures, np.arange(2), promise) / 20_000
    for n, chance in chances.items():
        assert abs(kept[n] - chance) < 5 * np.sqrt(chance * (1 - chance) / 20_000)
    lattice = LevelLattice(classes, {"a": Hierarchy((EVERYTHING,))})
    as_it_is, over_all = (
        policy_table(futures, lattice, promise, [ends]).ranges[0].policy for ends in ((50, 50), (50, 100))
    )
    assert as_it_is == (0,) and over_all == (1,)


def test_usual_ranges() -> None:
    assert usual_ranges(11, 11) == ((11, 11),)
    assert usual_ranges(10, 60) == ((10, 19), (20, 49), (50, 60))
    for least, most in ((2, 2), (3, 7_777), (1, 10)):
        ranges = usual_ranges(least, most)
        assert ranges[0][0] == least and ranges[-1][1] == most
        assert all(b + 1 == c for (_, b), (c, _) in pairwise(ranges))


# ---- what cannot be stated ----


def test_a_hierarchy_that_does_not_cover_a_value_of_the_population() -> None:
    from anonlib.coarsening.recoding import ValueMap

    classes = ClassTable.from_frame(pd.DataFrame({"town": ["p", "q"]}))
    with refused("hierarchy-does-not-cover"):
        _ = LevelLattice(classes, {"town": Hierarchy((ValueMap((("p", "P"),)),))}).losses


def test_a_column_that_the_people_lack() -> None:
    classes = ClassTable.from_frame(pd.DataFrame({"town": ["p", "q"]}))
    with refused("column-unknown", "age"):
        LevelLattice(classes, {"age": Hierarchy((EVERYTHING,))})
    with refused("nothing-to-count"):
        LevelLattice(classes, {})


def test_too_many_policies() -> None:
    names = [f"c{i}" for i in range(16)]
    classes = ClassTable.from_frame(pd.DataFrame({name: ["p", "q"] for name in names}))
    with refused("too-many-policies"):
        LevelLattice(classes, dict.fromkeys(names, Hierarchy((EVERYTHING,))))


@FEW
@given(st.lists(st.integers(0, 6), min_size=1, max_size=8), st.integers(1, 2_000))
def test_levels_that_are_left_aside(numbers: list[int], most: int) -> None:
    """Only from the middle of a column's, and no more columns than need be are left with two."""
    ways = {f"c{i}": Hierarchy((*map(Intervals, range(2, n + 1)), EVERYTHING)[:n]) for i, n in enumerate(numbers)}
    fewer = fewer_levels(ways, most)
    policies = prod(1 + len(way.recodings) for way in fewer.values())
    assert policies <= most or all(len(way.recodings) < 2 for way in fewer.values())
    for name, way in fewer.items():
        assert [level for level in ways[name].recodings if level in way.recodings] == list(way.recodings)
        assert way.recodings[-1:] == ways[name].recodings[-1:]
    if prod(1 + len(way.recodings) for way in ways.values()) <= most:
        assert fewer == ways


@pytest.mark.parametrize("policy", [(4,), (-1,), (0, 0), ()])
def test_levels_that_there_are_not(policy: tuple) -> None:
    with refused("level-unknown"):
        fifty()[1].groups((9,) if policy == (4,) else policy)


@pytest.mark.parametrize("ranges", [[], [(0, 3)], [(3, 2)], [(1, 31)]])
def test_ranges_beyond_the_draws(ranges: list) -> None:
    ages, lattice = fifty()
    with refused("number-out-of-range"):
        policy_table(draw_futures(ages, NewPeople.of(30), 5), lattice, Promise(), ranges)
