"""What the solver is made of: plans, packing, ways to split, first schedules; and programmes, and people invited."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules import (
    Schedule,
    assign_people,
    greedy_schedule,
    optimal_schedule,
    text_programme,
    with_groups,
    with_values,
)
from anonlib.analyses.schedules.schedule import checked_programme
from anonlib.analyses.schedules.solver import parts as parts_module
from anonlib.analyses.schedules.solver import search as lexicographic_module
from anonlib.analyses.schedules.solver.parts import Side, Ways, many_ways, matched
from anonlib.analyses.schedules.solver.plain import column_plan, lower_bound, mixed, pack, row_plan
from anonlib.analyses.schedules.solver.search import Best, Certificate, Deadline, certified, minimise
from anonlib.basics.budget import about_seconds
from anonlib.basics.errors import InputError
from anonlib.counting.classes import AnonymityVector, anonymity_vector
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.vectors import padded
from tests.reference.schedules import EXAMPLE, best_vector, programmes, vector_of_sizes

SEEDS = st.integers(0, 2**32 - 1)


def partitions(n: int, sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to write n as a sum of the sizes, ascending."""
    if n == 0:
        yield ()
    for i, size in enumerate(sizes):
        if size <= n:
            for rest in partitions(n - size, sizes[i:]):
                yield (size, *rest)


def unpadded(vector: tuple[int, ...]) -> AnonymityVector:
    return anonymity_vector(np.repeat(range(1, len(vector) + 1), vector))


# ---- the two plans -------------------------------------------------------------------------------------------------


@given(c=st.lists(st.integers(0, 6), min_size=1, max_size=5), data=st.data())
def test_the_column_plan_is_the_best_of_all_loads(c: list[int], data: st.DataObject) -> None:
    people = data.draw(st.integers(0, sum(c)))
    plan = column_plan(np.array(c), people)
    assert ((plan >= 0) & (plan <= c)).all()
    loads = [found for found in product(*(range(places + 1) for places in c)) if sum(found) == people]
    assert vector_of_sizes(plan.tolist()) == min(map(vector_of_sizes, loads))


@pytest.mark.parametrize(
    ("c", "people", "plan"),
    [
        ([4, 2, 4, 3, 2], 15, [4, 2, 4, 3, 2]),
        ([4, 2, 4, 3, 2], 13, [4, 0, 4, 3, 2]),  # the first of two equal ones stays empty
        ([1, 9, 3], 10, [0, 7, 3]),  # what is left to spare is taken from the largest
        ([9, 4, 8, 4], 18, [7, 0, 7, 4]),  # which are levelled
        ([5, 5, 5], 11, [3, 4, 4]),
        ([2, 2], 0, [0, 0]),
    ],
)
def test_the_column_plan_empties_the_smallest_and_levels_the_largest(c: list, people: int, plan: list) -> None:
    given_places = np.array(c)
    assert column_plan(given_places, people).tolist() == plan
    assert given_places.tolist() == c


@given(f=st.lists(st.integers(1, 12), min_size=1, max_size=2), most=st.integers(1, 7))
def test_the_row_plan_is_the_best_of_all_splits(f: list[int], most: int) -> None:
    values, parts = row_plan(np.array(f), most)
    np.testing.assert_array_equal(np.bincount(values, weights=parts), f)
    assert parts.max() <= most
    splits = product(*(partitions(people, list(range(1, most + 1))) for people in f))
    best = min(vector_of_sizes([part for split in one for part in split]) for one in splits)
    assert vector_of_sizes(parts.tolist()) == best


@given(programme=programmes(most_values=4, most=6, most_slots=4))
def test_nothing_is_below_the_bound(programme: tuple[list[int], list[int]]) -> None:
    f, c = programme
    bound = padded(lower_bound(np.array(f), np.array(c)))
    assert bound <= best_vector(f, c)
    assert bound >= vector_of_sizes(column_plan(np.array(c), sum(f)).tolist())
    assert bound >= vector_of_sizes(row_plan(np.array(f), max(c))[1].tolist())


def test_the_bound_is_a_limit_to_k_but_not_to_the_people_below_it() -> None:
    bound, schedule = lower_bound(np.array([6, 3]), np.array([5, 4])), optimal_schedule([6, 3], [5, 4])
    assert schedule.vector.k < bound.k == 3
    assert schedule.vector.people_below(4) == 5 < bound.people_below(4) == 9


# ---- packing -------------------------------------------------------------------------------------------------------


def can_pack(parts: tuple[int, ...], targets: tuple[int, ...]) -> bool:
    if not parts:
        return True
    return any(
        can_pack(parts[1:], (*targets[:i], left - parts[0], *targets[i + 1 :]))
        for i, left in enumerate(targets)
        if left >= parts[0] and left not in targets[:i]
    )


def assert_packed(parts: np.ndarray, targets: np.ndarray, found: np.ndarray | None) -> None:
    assert found is not None and found.shape == parts.shape
    assert ((found >= 0) & (found < len(targets))).all()
    assert (np.bincount(found, weights=parts, minlength=len(targets)) <= targets).all()


def test_packing_finds_what_there_is() -> None:
    """Of 600 small cases, possible or not, most with places to spare: found exactly where a search of all finds one."""
    rng, outcomes = np.random.default_rng(7), Counter()
    for _ in range(600):
        parts = rng.integers(1, 7, rng.integers(2, 8))
        targets = rng.multinomial(parts.sum() + rng.integers(3), [0.3, 0.3, 0.4][: rng.integers(2, 4)])
        found = pack(parts, targets, rng, 100, lambda _: True)
        possible = can_pack(tuple(parts.tolist()), tuple(targets.tolist()))
        assert (found is not None) == possible, (parts, targets)
        if found is not None:
            assert_packed(parts, targets, found)
        outcomes[possible, bool(parts.sum() < targets.sum())] += 1
    assert min(outcomes.values()) > 50 and len(outcomes) == 4


@given(seed=SEEDS, spare=st.integers(0, 10))
def test_packing_fills_many_targets(seed: int, spare: int) -> None:
    """Targets cut into parts, some left out; more targets than are shuffled, more parts than are looked at."""
    rng = np.random.default_rng(seed)
    parts = rng.integers(5, 15, 400)
    sizes = np.array([int(some.sum()) for some in np.array_split(parts, 60)])
    sizes[rng.integers(60, size=spare)] += 1
    shuffled = rng.permutation(parts)
    found = pack(shuffled, sizes, rng, 100, lambda _: True)
    assert_packed(shuffled, sizes, found)


def test_packing_that_cannot_be() -> None:
    rng = np.random.default_rng(0)
    for parts, targets in (([2, 2], [3]), ([5], [3, 3]), ([2, 2, 2], [3, 3]), ([3, 3], [4, 2])):
        assert pack(np.array(parts), np.array(targets), rng, 10, lambda _: True) is None
    assert pack(np.array([2, 2]), np.array([2, 2]), rng, 10, lambda _: False) is None  # there is no time
    assert pack(np.zeros(0, np.int64), np.array([3]), rng, 1, lambda _: True).tolist() == []


# ---- ways to split -------------------------------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=6, unique=True).map(sorted),
    largest=st.integers(0, 16),
    spare=st.integers(0, 20),
)
def test_the_ways_are_all_there_are(sizes: list[int], largest: int, spare: int) -> None:
    ways = Ways(sizes, largest, spare)
    for number in range(largest + 1):
        sums = range(max(0, number - spare), number + 1)
        expected = {tuple(sorted(Counter(way).items())) for total in sums for way in partitions(total, sizes)}
        listed = ways.of(number)
        assert len(listed) == len(expected) == ways.count(number)
        assert set(listed) == expected
        few = ways.few(number)
        assert len(set(few)) == len(few)
        sums = range(max(0, number - min(1, spare)), number + 1)
        short = {way for way in expected if sum(n for _, n in way) <= 3 and sum(s * n for s, n in way) in sums}
        assert set(few) == short | ({()} if number <= spare else set())


def test_ways_of_large_numbers_are_not_counted() -> None:
    ways = Ways([1, 2, 700], 10**6)
    assert ways.count(2_000) == sum((2_000 - 700 * times) // 2 + 1 for times in range(3))
    assert ways.count(2_001) == ways.count(10**6) == np.inf
    assert many_ways(np.array([3, 39, 40, 5_000]), [1, 2, 3]).tolist() == [False, False, False, True]
    assert many_ways(np.array([60, 90]), [1, 2, 3]).tolist() == [False, True]  # 331 ways and 721


# ---- parts as the solver has them ----------------------------------------------------------------------------------


@pytest.mark.parametrize("counted", [True, False], ids=["patterns", "single"])
@given(
    numbers=st.lists(st.integers(0, 9), min_size=1, max_size=4),
    spare=st.integers(0, 3),
    sizes=st.sets(st.integers(1, 9), min_size=1).map(sorted),
)
@settings(max_examples=25)
def test_a_side_has_the_most_parts_that_fit(counted: bool, numbers: list, spare: int, sizes: list) -> None:
    """As many parts of the smallest size as a list of all ways allows, then as many of the next."""
    model = cp_model.CpModel()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts_module, "WAYS", 10**6 if counted else -1)
        side = Side(model, np.array(numbers), spare, sizes)
    kinds = [
        [way for total in range(max(0, number - spare), number + 1) for way in partitions(total, sizes)]
        for number in numbers
    ]
    for size in sizes:
        model.add(side.count(size) <= 100)
    model.maximize(sum(100 ** (4 - i) * side.count(size) for i, size in enumerate(sizes[:4])))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if not all(kinds):
        assert status == cp_model.INFEASIBLE
        return
    assert status == cp_model.OPTIMAL
    found = side.parts(solver)
    for i, number in enumerate(numbers):
        total = sum(size for position, size in found if position == i)
        assert max(0, number - spare) <= total <= number
    best = [max(([way.count(size) for size in sizes[:4]]) for way in ways) for ways in kinds]
    most = [sum(counts) for counts in zip(*best, strict=True)]
    assert [sum(part == size for _, part in found) for size in sizes[:4]] == most
    model.clear_hints()
    side.hint(model, found)
    assert len(model.proto.solution_hint.vars) == side.n_variables


def test_parts_that_meet_in_a_cell_are_one() -> None:
    cells = matched([(0, 2), (0, 2), (1, 3), (1, 2)], [(1, 2), (1, 2), (0, 3), (0, 2)], (3, 2))
    assert cells.toarray().sum(axis=1).tolist() == [4, 5, 0]
    assert cells.toarray().sum(axis=0).tolist() == [5, 4]
    assert sorted(cells.data.tolist()) in ([4, 5], [2, 2, 2, 3])
    assert cells.nnz == len(set(zip(*cells.nonzero(), strict=True)))


# ---- what is proven ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 7, 11])
def test_what_follows_from_the_first_counts(n: int) -> None:
    """No vector with the counts up to a size, and at least so many classes of the next, is below the bound."""
    vectors = [anonymity_vector(sizes) for sizes in partitions(n, list(range(1, n + 1)))]
    at_least = anonymity_vector([n])
    for vector in vectors:
        counts = padded(vector)
        best = Best(sparse.csr_array([vector.sizes.repeat(vector.classes)]))
        for prefix in range(n):
            for least in range(counts[prefix] + 1):
                found = certified(best, at_least, Certificate(prefix, least))
                alike = [v for v in map(padded, vectors) if v[:prefix] == counts[:prefix] and v[prefix] >= least]
                assert padded(found.bound) <= min(alike) <= counts == padded(found.vector)
                assert found.bound > at_least or least <= 1


@pytest.mark.parametrize(
    ("first", "left", "prefix", "longest"), [(3, 9, 0, 9), (1, 8, 0, 5), (2, 14, 1, 6), (0, 9, 2, 9)]
)
@pytest.mark.parametrize("chunk", [1, 12, 200, 1 << 24])
def test_the_weights_order_as_vectors_do(first, left, prefix, longest, chunk, monkeypatch) -> None:
    monkeypatch.setattr(lexicographic_module, "_CHUNK", chunk)
    weights = lexicographic_module._weights(first, left, prefix, longest)
    assert 1 <= len(weights) <= longest - prefix and weights[-1] == 1
    counts = [padded(anonymity_vector(sizes)) for sizes in partitions(left, list(range(prefix + 1, longest + 1)))]
    counts = [found[prefix:][: len(weights)] for found in counts if found[prefix] <= first]
    sums = {found: sum(n * weight for n, weight in zip(found, weights, strict=True)) for found in counts}
    assert sorted(sums) == sorted(sums, key=lambda found: sums[found])
    assert len(set(sums.values())) == len(sums)
    if chunk == 1 << 24:
        assert len(weights) == longest - prefix


@pytest.mark.parametrize("chunk", [1, 30])
@pytest.mark.parametrize("seed", range(60))
def test_the_least_vector_of_a_model(seed: int, chunk: int, monkeypatch) -> None:
    """Whatever is possible, whatever bound is not above it, and wherever it begins; also with some counts known."""
    monkeypatch.setattr(lexicographic_module, "_CHUNK", chunk)
    rng = random.Random(seed)
    n = rng.randint(6, 14)
    vectors = sorted(vector_of_sizes(sizes) for sizes in partitions(n, list(range(1, n + 1))))
    from_one_on = vectors[rng.randrange(len(vectors) // 2) :]
    possible = rng.sample(from_one_on, rng.randint(1, len(from_one_on)))
    least, bound = min(possible), rng.choice([vector for vector in vectors if vector <= min(possible)])
    for known in (None, rng.randrange(n)):
        model = cp_model.CpModel()
        counts = [model.new_int_var(0, n, "") for _ in range(n)]
        model.add_allowed_assignments(counts, possible)
        for size in range(known or 0):
            model.add(counts[size] == least[size])
        found = [rng.choice([vector for vector in possible if vector[: known or 0] == least[: known or 0]])]

        def read(solver, found=found, counts=counts) -> None:
            found.append(min(found[-1], tuple(solver.value(count) for count in counts)))

        certificate = minimise(
            model, counts, n, unpadded(bound), lambda found=found: unpadded(found[-1]), lambda: None, read,
            Deadline(about_seconds(60.0)), seed, known,
        )  # fmt: skip
        assert found[-1][: certificate.prefix] == least[: certificate.prefix]
        assert certificate.prefix == n if known is None else certificate.prefix > known


# ---- first schedules -----------------------------------------------------------------------------------------------


@given(programme=programmes(), seed=SEEDS)
def test_mixed_schedules_are_schedules(programme: tuple[list[int], list[int]], seed: int) -> None:
    f, c = map(np.array, programme)
    plan = column_plan(c, int(f.sum()))

    def offer(cells) -> None:
        np.testing.assert_array_equal(cells.sum(axis=1), f)
        np.testing.assert_array_equal(cells.sum(axis=0), plan)
        assert (cells.data > 0).all()
        assert anonymity_vector(cells.toarray().ravel()) >= lower_bound(f, c)

    mixed(f, plan, np.random.default_rng(seed), offer, lambda _: True)


def test_mixed_schedules_are_good_where_values_are_small() -> None:
    """Ten people a value and a slot: not always one, but then better than both greedy rules."""
    n_better = 0
    for seed in range(10):
        programme = text_programme(500, np.random.default_rng(seed), q=55)
        f, c = programme.frequencies, programme.capacities
        greedy = min(greedy_schedule(f, c, rule=rule).vector for rule in ("published", "reference"))
        offered: list = []
        mixed(f, column_plan(c, 500), np.random.default_rng(0), offered.append, lambda _: True)
        assert all(anonymity_vector(cells.data) < greedy for cells in offered)
        n_better += bool(offered)
    assert n_better >= 4
    mixed(f, column_plan(c, 500), np.random.default_rng(0), lambda _: pytest.fail("no time"), lambda _: False)


# ---- what can be scheduled -----------------------------------------------------------------------------------------


def test_a_programme_is_whole_numbers_of_its_own() -> None:
    f, c = np.array([2.0, 3.0]), np.array([5, 0], np.uint8)
    people, places = checked_programme(f, c)
    assert people.dtype == places.dtype == np.int64
    people[0] = places[0] = 9
    assert f.tolist() == [2, 3] and c.tolist() == [5, 0]


# ---- people and slots ----------------------------------------------------------------------------------------------


def scheduled() -> tuple[Schedule, np.ndarray, pd.DataFrame]:
    """Groups of 4, 4, 5 and 2 people in mixed order, the first and the third of one value; five slots."""
    f, c = EXAMPLE
    schedule = optimal_schedule(f, c, quasi_ids=[0, 1, 0, 2])
    people = np.random.default_rng(1).permutation(np.repeat(np.arange(4), f))
    return schedule, people, pd.DataFrame({"centre": list("AABBC"), "hour": [9, 13, 9, 13, 13]}, index=list("vwxyz"))


def test_each_person_has_one_slot_as_scheduled() -> None:
    schedule, people, slots = scheduled()
    invited = assign_people(schedule, people, slots, np.random.default_rng(5))
    assert invited.columns.tolist() == ["centre", "hour"]
    assert invited.index.tolist() == list(range(15))
    position = {("A", 9): 0, ("A", 13): 1, ("B", 9): 2, ("B", 13): 3, ("C", 13): 4}
    cells = np.zeros((4, 5), np.int64)
    np.add.at(cells, (people, [position[slot] for slot in zip(invited["centre"], invited["hour"], strict=True)]), 1)
    np.testing.assert_array_equal(cells, schedule.groups.toarray())


def test_who_of_a_group_goes_where_is_drawn_at_random() -> None:
    schedule, people, slots = scheduled()
    drawn = [assign_people(schedule, people, slots, np.random.default_rng(seed)) for seed in (5, 5, 6)]
    pd.testing.assert_frame_equal(drawn[0], drawn[1])
    assert not drawn[0].equals(drawn[2])
    # Each of the five of group 2 is as likely as the others to be in a given slot.
    schedule = greedy_schedule([5], [2, 3])
    rng, times = np.random.default_rng(0), 2_000
    first = sum(assign_people(schedule, [0] * 5, slots[:2], rng)["hour"].eq(9).to_numpy() for _ in range(times))
    np.testing.assert_allclose(first / times, 0.4, atol=4 * (0.24 / times) ** 0.5)


def test_people_and_slots_of_another_schedule() -> None:
    schedule, people, slots = scheduled()
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="is of 5 slots, the table of 4: use the one it was made of"):
        assign_people(schedule, people, slots[:4], rng)
    others = np.where(people == 3, 2, people)
    for wrong in (people[1:], others, np.append(people, 4), np.append(people[1:], 4)):
        with refused("saved-for-others"):
            assign_people(schedule, wrong, slots, rng)
    with pytest.raises(InputError, match="people: that of person 15 is negative"):
        assign_people(schedule, np.append(people[1:], -1), slots, rng)


@given(programme=programmes(), data=st.data())
def test_values_and_their_groups(programme: tuple[list[int], list[int]], data: st.DataObject) -> None:
    """Dealt out to groups and summed again, a schedule of values is what it was."""
    f, c = programme
    drawn = data.draw(st.lists(st.integers(0, 2), min_size=len(f), max_size=len(f)))
    value = np.unique(drawn, return_inverse=True)[1]
    whole = greedy_schedule(np.bincount(value, weights=f).astype(int), c)
    of_groups = with_groups(whole, np.array(f), value)
    np.testing.assert_array_equal(of_groups.groups.sum(axis=1), f)
    again = with_values(of_groups, value)
    np.testing.assert_array_equal(again.assignment.toarray(), whole.assignment.toarray())
    assert again.vector == of_groups.vector == whole.vector
