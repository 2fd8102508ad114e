"""Random and greedy schedules: the paper's example enumerated whole, slow references, bad input, a million people."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.schedules.heuristics import greedy_schedule, random_schedule
from anonlib.analyses.schedules.optimal import optimal_schedule
from anonlib.analyses.schedules.schedule import Schedule
from anonlib.basics.errors import InputError
from tests.helpers.errors import refused
from tests.helpers.vectors import assert_seats_all, padded
from tests.reference.schedules import (
    EXAMPLE,
    all_schedules,
    best_vector,
    programmes,
    published,
    reference,
    smallest_class,
    vector_of,
    vector_of_sizes,
    walked,
)

RULES = {"published": published, "reference": reference}
SEEDS = st.integers(0, 2**32)


def rows(schedule: Schedule) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, schedule.assignment.toarray().tolist()))


def assert_complete(schedule: Schedule, f: list[int], c: list[int]) -> None:
    """A schedule of everyone of which nothing is proven."""
    assert_seats_all(schedule, f, c)
    assert schedule.groups.shape == schedule.assignment.shape
    assert not schedule.proven and schedule.certified_prefix is None


# ---- the running example -------------------------------------------------------------------------------------------


def test_the_running_example_enumerated_whole() -> None:
    """Section 4.3's numbers, section 6's optimum, and where the schedule of section 7 stands."""
    vectors = Counter(vector_of(matrix) for matrix in all_schedules(*EXAMPLE))
    single = sum(n for vector, n in vectors.items() if smallest_class(vector) == 1)
    assert (vectors.total(), single, vectors.total() - single) == (14_504, 14_446, 58)
    assert {smallest_class(vector) for vector in vectors} == {1, 2}
    assert min(vectors) == best_vector(*EXAMPLE) == (0, 2, 1, 2, *[0] * 11)
    printed = (2, 3, 1, 1, *[0] * 11)
    assert sum(n for vector, n in vectors.items() if vector <= printed) == 339
    assert vectors[printed] == 84  # so it shares the ranks 256 to 339, and the last is 2.3% of the way, not 2


def test_the_published_rule_finds_the_optimum_of_the_running_example() -> None:
    assert padded(greedy_schedule(*EXAMPLE).vector) == (0, 2, 1, 2, *[0] * 11)


def test_the_reference_rule_is_what_section_7_prints() -> None:
    schedule = greedy_schedule(*EXAMPLE, rule="reference")
    assert padded(schedule.vector) == (2, 3, 1, 1, *[0] * 11)
    # The printed rows are in the order of the rule: frequencies 5, 4, 4, 2.
    printed = ((4, 0, 1, 0, 0), (0, 0, 3, 1, 0), (0, 2, 0, 2, 0), (0, 0, 0, 0, 2))
    assert tuple(rows(schedule)[i] for i in (2, 0, 1, 3)) == printed


def test_two_classes_of_four_are_at_the_fourth_place() -> None:
    """Section 6 writes (0, 0, 0, 0, 2) for them: ten people, where it has eight."""
    assert vector_of_sizes([1, 7]) == (1, 0, 0, 0, 0, 0, 1, 0)
    assert vector_of_sizes([4, 4]) == (0, 0, 0, 2, 0, 0, 0, 0)
    assert vector_of_sizes([5, 5])[:5] == (0, 0, 0, 0, 2)


# ---- the rules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@given(programme=programmes())
def test_greedy_is_its_rule(rule: str, programme: tuple[list[int], list[int]]) -> None:
    f, c = programme
    people, places = np.array(f), np.array(c)
    schedule = greedy_schedule(people, places, rule=rule)
    assert (people.tolist(), places.tolist()) == (f, c)
    assert_complete(schedule, f, c)
    assert rows(schedule) == RULES[rule](f, c)
    assert padded(schedule.vector) == vector_of(rows(schedule))


@given(programme=programmes(most_values=3, most=4, most_slots=3), data=st.data())
def test_no_schedule_is_better_than_the_best(programme: tuple[list[int], list[int]], data: st.DataObject) -> None:
    """The two slow ways to the optimum agree, also where not everyone may go everywhere; no rule beats them."""
    f, c = programme
    row = st.lists(st.booleans(), min_size=len(c), max_size=len(c))
    allowed = data.draw(st.lists(row, min_size=len(f), max_size=len(f)))
    assert best_vector(f, c, allowed) == min(map(vector_of, all_schedules(f, c, allowed)), default=None)
    best = best_vector(f, c)
    assert best == min(map(vector_of, all_schedules(f, c))) == best_vector(f, c, quasi_ids=range(len(f)))
    for rule in RULES:
        assert best <= padded(greedy_schedule(f, c, rule=rule).vector)


@pytest.mark.parametrize(
    ("f", "c", "expected"),
    [
        ([3], [2, 2], ((2, 1),)),  # no capacity is at most q/2
        ([5], [4, 3, 0], ((2, 3, 0),)),  # nor here: the smallest that is open
        ([3], [4, 7, 6], ((0, 3, 0),)),  # section 7's example: the largest of those that have more
        ([4], [1, 3, 4], ((0, 0, 4),)),  # one fits
        ([4], [1, 2, 3], ((0, 2, 2),)),  # section 7's other example: neither the largest nor the smallest
        ([9], [4, 3, 5, 1], ((4, 0, 5, 0),)),  # at most q/2 first, then what fits
    ],
)
def test_the_published_rule_step_by_step(f: list[int], c: list[int], expected: tuple) -> None:
    assert rows(greedy_schedule(f, c)) == expected


@given(programme=programmes(), seed=SEEDS)
def test_random_schedules_are_complete(programme: tuple[list[int], list[int]], seed: int) -> None:
    f, c = programme
    people, places = np.array(f), np.array(c)
    for rule in ("seats", "reference"):
        schedule = random_schedule(people, places, np.random.default_rng(seed), rule=rule)
        assert (people.tolist(), places.tolist()) == (f, c)
        assert_complete(schedule, f, c)
        assert rows(random_schedule(f, c, np.random.default_rng(seed), rule=rule)) == rows(schedule)


@given(programme=programmes(), seed=SEEDS)
def test_the_programs_random_rule_walks_on_to_the_next_with_any_left(programme, seed: int) -> None:
    f, c = programme
    rng = np.random.default_rng(seed)
    values = walked(rng.integers(len(f), size=sum(f)).tolist(), f)
    slots = walked(rng.integers(len(c), size=sum(f)).tolist(), c)
    cells = Counter(zip(values, slots, strict=True))
    expected = tuple(tuple(cells[i, j] for j in range(len(c))) for i in range(len(f)))
    assert rows(random_schedule(f, c, np.random.default_rng(seed), rule="reference")) == expected


def test_every_place_is_equally_likely() -> None:
    """Each cell of a random schedule is hypergeometric; means and variances of 4,000 against theirs."""
    f, c, times = np.array([6, 3, 1]), np.array([8, 0, 3, 2]), 4000
    rng = np.random.default_rng(11)
    drawn = np.array([random_schedule(f, c, rng).assignment.toarray() for _ in range(times)])
    share, all_places = c / c.sum(), c.sum()
    mean = np.outer(f, share)
    variance = np.outer(f * (all_places - f) / (all_places - 1), share * (1 - share))
    assert (np.abs(drawn.mean(axis=0) - mean) <= 4.5 * np.sqrt(variance / times)).all()
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.15)


# ---- what cannot be scheduled --------------------------------------------------------------------------------------

MAKERS = {
    "published": greedy_schedule,
    "reference": lambda f, c: greedy_schedule(f, c, rule="reference"),
    "random": lambda f, c: random_schedule(f, c, np.random.default_rng(0)),
    "optimal": optimal_schedule,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    ("f", "c", "sentence"),
    [
        ([5, 4], [4, 4], "9 people are to be invited to 8 places: 1 place too few. Add slots or raise capacities."),
        ([600, 900], [0], "1,500 people are to be invited to 0 places: 1,500 places too few"),
        ([4], [], "4 people are to be invited to 0 places: 4 places too few"),
        ([1, 0], [4], "The frequencies: that of quasi-identifier value 2 is below 1."),
        ([-2], [4], "The frequencies: that of quasi-identifier value 1 is below 1."),
        ([1], [4, -1, -1], "The capacities: that of slot 2 is negative."),
        ([1, 1.5], [4], "The frequencies: that of quasi-identifier value 2 is not a whole number."),
        ([1], [9, 0.1], "The capacities: that of slot 2 is not a whole number."),
        ([1, None], [4], "The frequencies"),
        ([2], [9, None], "The capacities"),
        ([float("nan")], [4], "The frequencies: that of quasi-identifier value 1 is missing."),
        ([1], [float("inf")], "The capacities: that of slot 1 is missing."),
        (["two"], [9], "The frequencies must be whole numbers"),
        ([1], ["four"], "The capacities must be whole numbers, one for each slot."),
        ([[2]], [9], "The frequencies must be one list of whole numbers"),
        ([1], "4", "The capacities must be one list of whole numbers, one for each slot."),
        ([1], [[4], [4]], "The capacities must be one list of whole numbers, one for each slot."),
        ([1], [[4], [4, 4]], "The capacities must be whole numbers, one for each slot."),
        ([1], [2**40 + 1], "The capacities: that of slot 1 is too large."),
        ([2**63], [4], "The frequencies: that of quasi-identifier value 1 is too large."),
    ],
)
def test_what_cannot_be_scheduled_is_stated(make, f, c, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        make(f, c)


def test_rules_there_are_not() -> None:
    with refused("choice-unknown"):
        greedy_schedule([1], [1], rule="best")  # type: ignore[arg-type]
    with refused("choice-unknown"):
        random_schedule([1], [1], np.random.default_rng(0), rule="best")  # type: ignore[arg-type]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_nobody_to_schedule(make) -> None:
    for c in ([], [3, 2]):
        schedule = make([], c)
        assert schedule.assignment.shape == (0, len(c))
        assert schedule.vector.n_records == 0


# ---- many ----------------------------------------------------------------------------------------------------------


def test_more_than_a_million_people() -> None:
    rng = np.random.default_rng(3)
    f = np.maximum(1, np.rint(rng.normal(100, 20, 10_050))).astype(np.int64)
    c = np.maximum(1, np.rint(rng.normal(10, 2, 102_000))).astype(np.int64)
    assert 1_000_000 < f.sum() <= c.sum()
    made = [greedy_schedule(f, c, rule=rule) for rule in RULES]
    made += [random_schedule(f, c, rng, rule=rule) for rule in ("seats", "reference")]
    for schedule in made:
        assert_complete(schedule, f, c)
    assert made[0].vector < made[1].vector < min(made[2].vector, made[3].vector)


def test_places_without_end() -> None:
    """Capacities that say “as many as come” are not laid out one by one."""
    schedule = random_schedule([300, 200], [2**40, 2**40], np.random.default_rng(5))
    assert_complete(schedule, [300, 200], [2**40, 2**40])
    assert greedy_schedule([300, 200], [2**40]).k == 200
