"""The smallest vector: against all schedules of small programmes, cut short, of many people; and what is proven."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from scipy import sparse

from anonlib.analyses.schedules import Schedule, greedy_schedule, optimal_schedule, random_schedule, text_programme
from anonlib.analyses.schedules.rules import OriginMix
from anonlib.analyses.schedules.solver import parts as parts_module
from anonlib.analyses.schedules.solver import plain as plain_module
from anonlib.analyses.schedules.solver import search as lexicographic_module
from anonlib.analyses.schedules.solver.plain import lower_bound
from anonlib.analyses.schedules.solver.search import Deadline, SlotSolution, floor
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.basics.errors import InputError
from anonlib.counting.classes import anonymity_vector
from tests.helpers.clocks import clock
from tests.helpers.examples import settings
from tests.helpers.vectors import assert_seats_all, padded
from tests.reference.schedules import EXAMPLE, Vector, _rows, best_vector, programmes, vector_of, vector_of_sizes

Programme = tuple[list[int], list[int]]
SAMPLES = Path(__file__).resolve().parents[4] / "data" / "samples"
PATIENT = 60 * A_SECOND  # what takes so long fails as not proven


def assert_complete(schedule: Schedule, f: list[int], c: list[int]) -> None:
    """A schedule of everyone that is proven just where it reaches its bound."""
    assert_seats_all(schedule, f, c)
    assert schedule.method == "optimal"
    assert schedule.bound <= schedule.vector
    assert schedule.proven == (schedule.bound == schedule.vector)
    assert schedule.certified_prefix <= schedule.vector.sizes.max()
    if schedule.proven:
        assert schedule.certified_prefix == schedule.vector.sizes.max()


def assert_honest(found: Schedule | SlotSolution, prefix: int, best: Vector) -> None:
    """What is said to be proven is so; ``best`` is the smallest vector."""
    assert padded(found.bound) <= best <= padded(found.vector)
    assert padded(found.vector)[:prefix] == best[:prefix]
    if found.proven:
        assert padded(found.vector) == best


# ---- small programmes of many shapes -------------------------------------------------------------------------------


def drawn(rng: random.Random, most: int, n: int) -> list[int]:
    return [rng.randint(1, most) for _ in range(rng.randint(1, n))]


def with_room(f: list[int], c: list[int], rng: random.Random, most: int, spare: int = 0) -> Programme:
    """Slots of at most so many places are added until there is room for all, and for ``spare`` more."""
    while sum(c) < sum(f) + spare:
        c.insert(rng.randrange(len(c) + 1), rng.randint(1, min(most, sum(f) + spare - sum(c))))
    return f, c


SHAPES: dict[str, Callable[[random.Random], Programme]] = {
    "no place to spare": lambda rng: with_room(drawn(rng, 7, 4), [], rng, 7),
    "a few to spare": lambda rng: with_room(drawn(rng, 6, 3), [], rng, 5, rng.randint(1, 3)),
    "many to spare": lambda rng: with_room(drawn(rng, 5, 3), drawn(rng, 6, 2), rng, 6, 6),
    "closed slots": lambda rng: with_room(drawn(rng, 6, 3), [0, *drawn(rng, 4, 2), 0], rng, 5),
    "ones": lambda rng: with_room([1] * rng.randint(1, 7), [], rng, 3, rng.randint(0, 2)),
    "slots of one": lambda rng: (drawn(rng, 3, 3), [1] * 9),
    "equal numbers": lambda rng: with_room([n := rng.randint(2, 5)] * 3, [rng.randint(1, n)] * 2, rng, 4),
    "one value": lambda rng: with_room([rng.randint(1, 14)], [], rng, 5, rng.randint(0, 3)),
    "one slot": lambda rng: (f := drawn(rng, 9, 6), [sum(f) + rng.randint(0, 2)]),
    "large slots": lambda rng: with_room(drawn(rng, 4, 5), [rng.randint(6, 9)], rng, 9, rng.randint(0, 2)),
    "large values": lambda rng: with_room([rng.randint(8, 12), *drawn(rng, 3, 2)], [], rng, 4, rng.randint(0, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_the_optimum_is_the_best_of_all_schedules(shape: str) -> None:
    rng = random.Random(shape)
    for _ in range(20):
        f, c = SHAPES[shape](rng)
        schedule = optimal_schedule(f, c, work=PATIENT, seed=rng.randrange(1000))
        assert_complete(schedule, f, c)
        best = best_vector(f, c)
        assert padded(schedule.vector) == best == vector_of(tuple(map(tuple, schedule.groups.toarray().tolist())))
        assert schedule.proven, (f, c)
        assert_honest(schedule, schedule.certified_prefix, best)


def best_in_any_order(f: list[int], c: list[int]) -> Vector:
    """As best_vector, but slots with the same places left are one case: quick enough for twenty people and more."""

    @cache
    def best(i: int, free: tuple[int, ...]) -> Vector:
        if i == len(f):
            return (0,) * sum(f)
        rows = {}
        for row in _rows(f[i], free, [True] * len(free)):
            left = tuple(sorted(places - people for places, people in zip(free, row, strict=True)))
            rows[left, tuple(sorted(row))] = row
        return min(
            tuple(n + row.count(size) for size, n in enumerate(best(i + 1, left), start=1))
            for (left, _), row in rows.items()
            if sum(left) >= sum(f[i + 1 :])
        )

    return best(0, tuple(sorted(c)))


def test_a_plan_that_can_be_packed_needs_no_search(monkeypatch) -> None:
    monkeypatch.setattr(plain_module, "_searched", lambda *_: pytest.fail("searched"))
    for f, c in (([8, 6], [4, 4, 3, 3, 2]), ([3, 2, 2, 1], [5, 4]), ([9, 1], [4, 3, 5])):
        reports: list[sparse.csr_array] = []
        found = plain_module.solve_plain(np.array(f), np.array(c), Deadline(Budget(PATIENT)), offer=reports.append)
        assert found.proven and padded(found.vector) == best_vector(f, c)
        assert reports == [found.groups]


@cache
def hard() -> list[tuple[list[int], list[int], Vector]]:
    """Programmes whose optimum is not the bound, so that the solver has to prove it; with that optimum."""
    rng, found = random.Random(3), []
    while len(found) < 30:
        if len(found) < 20:
            f, c = with_room([rng.randint(3, 7) for _ in range(4)], [], rng, 7, rng.choice([0, 0, 1, 2]))
        else:
            f, c = SHAPES["large slots"](rng)
        best = best_in_any_order(f, c)
        if padded(lower_bound(np.array(f), np.array(c))) < best:
            found.append((f, c, best))
    return found


def test_the_references_agree() -> None:
    for f, c, best in hard()[20:]:
        assert best == best_vector(f, c)


@pytest.fixture
def solver_alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A random schedule to begin with, and no plan is packed: the solver has to find and prove everything."""

    def any_schedule(f: np.ndarray, c: np.ndarray, rule: str = "") -> Schedule:
        return random_schedule(f, c, np.random.default_rng(0))

    monkeypatch.setattr(plain_module, "greedy_schedule", any_schedule)
    monkeypatch.setattr(plain_module, "_columns_packed", lambda *_: None)
    monkeypatch.setattr(plain_module, "_rows_packed", lambda *_: None)
    monkeypatch.setattr(plain_module, "mixed", lambda *_: None)
    return monkeypatch


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ways", "chunk", "settled"),
    [(ways, chunk, (i + j) % 2 == 0) for i, ways in enumerate((0, 3, 400)) for j, chunk in enumerate((1, 40, 1 << 24))],
)
def test_the_solver_alone_finds_and_proves_it(ways: int, chunk: int, settled: bool, solver_alone) -> None:
    """However many sizes are minimised at once, and whether ways to split are counted or numbers taken together."""
    solver_alone.setattr(parts_module, "WAYS", ways)
    solver_alone.setattr(lexicographic_module, "_CHUNK", chunk)
    if not settled:
        solver_alone.setattr(plain_module, "_SHARES", ())
    for f, c, best in random.Random(ways + chunk).sample(hard(), 8):
        schedule = optimal_schedule(f, c, work=PATIENT)
        assert_complete(schedule, f, c)
        assert padded(schedule.vector) == best
        assert schedule.proven, (f, c)


def test_slots_of_many_parts(solver_alone) -> None:
    """The quick look takes it that slots have few parts; here they cannot."""
    solver_alone.setattr(parts_module, "WAYS", 0)
    for f, c in (([2, 2, 2, 2, 1, 1, 1], [6, 5]), ([1] * 9, [5, 4]), ([3, 2, 2, 1, 1, 1], [9, 2])):
        schedule = optimal_schedule(f, c, work=PATIENT)
        assert schedule.proven and padded(schedule.vector) == best_vector(f, c)


def test_no_floor_is_above_the_optimum() -> None:
    """Whatever is known of it already, and where it parts from the bound."""
    for f, c, best in hard():
        longest = min(max(f), max(c))
        vector = anonymity_vector(np.repeat(range(1, len(best) + 1), best))
        for prefix in range(longest + 1):
            least = tuple(floor(lower_bound(np.array(f), np.array(c)), vector, prefix, longest).tolist())
            assert least[:prefix] == best[:prefix]
            assert least <= best


# ---- cut short -----------------------------------------------------------------------------------------------------


class Hurried(Deadline):
    """There is time left for just so many looks."""

    def __init__(self, looks: int) -> None:
        super().__init__(Budget(PATIENT))
        self._looks = looks

    @property
    def left(self) -> float:
        self._looks -= 1
        return A_SECOND if self._looks >= 0 else 0.0


class FirstOnly(cp_model.CpSolver):
    """Ends at the first solution, with what bound it has by then."""

    def __init__(self) -> None:
        super().__init__()
        self.parameters.stop_after_first_solution = True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ways", "chunk", "first_only"),
    [(0, 1, False), (0, 1 << 24, True), (3, 1 << 24, False), (400, 1, True), (400, 1 << 24, False)],
)
def test_what_is_cut_short_is_honest(ways: int, chunk: int, first_only: bool, solver_alone) -> None:
    solver_alone.setattr(parts_module, "WAYS", ways)
    solver_alone.setattr(lexicographic_module, "_CHUNK", chunk)
    if first_only:
        solver_alone.setattr(cp_model, "CpSolver", FirstOnly)
    n_open, prefixes = 0, set()
    for i, (f, c, best) in enumerate(hard()):
        found = plain_module.solve_plain(np.array(f), np.array(c), Hurried((0, 2, 4, 8, 14, 22, 32)[i % 7]))
        assert_honest(found, found.prefix, best)
        n_open += not found.proven
        prefixes.add(found.prefix)
    assert n_open > 5 and len(prefixes) > 3


def test_with_hardly_any_time_it_is_honest_too() -> None:
    for f, c, best in hard():
        schedule = optimal_schedule(f, c, time_limit=0)
        assert_complete(schedule, f, c)
        assert_honest(schedule, schedule.certified_prefix, best)
        assert schedule.bound >= lower_bound(np.array(f), np.array(c))


@pytest.mark.parametrize("limit", [0, 0.05])
def test_a_hard_programme_with_little_time(limit: float) -> None:
    f, c = square(100, 20, 1)
    schedule = optimal_schedule(f, c, time_limit=limit)
    assert_complete(schedule, f, c)
    assert schedule.vector <= min(greedy_schedule(f, c, rule=rule).vector for rule in ("published", "reference"))


def with_rules() -> dict:
    """300 people of whom each may go to most slots, and some are of other origins."""
    rng = np.random.default_rng(3)
    value, origin = rng.integers(0, 12, 60), np.where(rng.random(60) < 0.2, rng.integers(1, 5, 60), 0)
    rule = OriginMix([f"country {n}" for n in origin], "country 0", 0.5)
    f, c = np.full(60, 5), np.full(12, 26)
    return {
        "frequencies": f,
        "capacities": c,
        "quasi_ids": value,
        "allowed": rng.random((60, 12)) < 0.8,
        "rules": [rule],
    }


@pytest.mark.parametrize("ruled", [False, True])
def test_any_machine_comes_to_the_same(ruled: bool) -> None:
    programme = with_rules() if ruled else dict(zip(("frequencies", "capacities"), square(40, 60, 1), strict=True))
    found = []
    for seconds in (0.0, 1_000.0):
        with clock(seconds):
            found.append(optimal_schedule(**programme, work=A_SECOND / 2))
    one, other = found
    assert not one.proven and not one.ended_early and not other.ended_early
    np.testing.assert_array_equal(one.groups.toarray(), other.groups.toarray())
    assert (one.certified_prefix, one.bound) == (other.certified_prefix, other.bound)


@pytest.mark.parametrize("ruled", [False, True])
def test_what_a_clock_ends_early_is_marked_and_never_called_proven(ruled: bool) -> None:
    programme = with_rules() if ruled else dict(zip(("frequencies", "capacities"), square(40, 60, 1), strict=True))
    with clock(1.0):
        schedule = optimal_schedule(**programme, work=PATIENT, time_limit=6.0)
    assert schedule.ended_early and not schedule.proven
    reports: list[Schedule | None] = []
    with pytest.raises(InterruptedError):
        optimal_schedule(**programme, work=PATIENT, progress=lambda share, best: stop_at(best, reports))
    assert reports[-1].ended_early, "who stops it has what was found until then"


def stop_at(best: Schedule | None, reports: list) -> None:
    """Stop where there is a schedule."""
    reports.append(best)
    if best is not None:
        raise InterruptedError


@pytest.mark.parametrize("wrong", [None, -1.0, "2"])
def test_work_that_is_no_number_is_refused(wrong) -> None:
    with pytest.raises(InputError, match="The work of a search"):
        optimal_schedule([4, 4], [4, 4], work=wrong)


def test_models_too_large_are_left_alone(solver_alone) -> None:
    solver_alone.setattr(plain_module, "_MOST_VARIABLES", 0)
    for f, c, best in hard():
        found = plain_module.solve_plain(np.array(f), np.array(c), Deadline(Budget(PATIENT)))
        assert_honest(found, found.prefix, best)
        assert not found.proven


# ---- larger ones ---------------------------------------------------------------------------------------------------


def square(n: int, mean: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """As many slots as values, alike in size, and no place to spare: the hard case."""
    rng = np.random.default_rng(seed)
    f, c = (np.maximum(1, np.rint(rng.normal(mean, mean / 5, n))).astype(int) for _ in range(2))
    while f.sum() != c.sum():
        c[rng.integers(n)] += np.sign(f.sum() - c.sum())
    return f, c


@pytest.mark.parametrize("n", [100, 300, 1000, 1_000_100])
def test_ten_people_a_value_are_proven(n: int) -> None:
    """Q = N/10 + 5: values as small as slots are; of a million people Q = N/100 + 5, as in the paper."""
    programme = text_programme(n, np.random.default_rng(n), q=n // 10 + 5 if n <= 1000 else None)
    schedule = optimal_schedule(programme.frequencies, programme.capacities, work=PATIENT)
    assert_complete(schedule, programme.frequencies, programme.capacities)
    assert schedule.proven


@given(programme=programmes(most_values=8, most=14), data=st.data())
@settings(max_examples=15)
def test_orders_change_nothing_and_more_places_do_no_harm(programme: Programme, data: st.DataObject) -> None:
    """Too many schedules to look at them all."""
    f, c = programme
    schedule = optimal_schedule(f, c, work=PATIENT)
    other = optimal_schedule(data.draw(st.permutations(f)), data.draw(st.permutations(c)), work=PATIENT)
    roomier = optimal_schedule(f, [*c, data.draw(st.integers(1, 14))], work=PATIENT)
    assert schedule.proven and other.proven and roomier.proven
    assert roomier.vector <= schedule.vector == other.vector


def test_places_without_end() -> None:
    for c in ([2**40], [2**40, 2**40], [2**40, 3, 300]):
        schedule = optimal_schedule([300, 200], c)
        assert_complete(schedule, [300, 200], c)
        assert schedule.proven and padded(schedule.vector) == vector_of_sizes([300, 200])


@pytest.mark.parametrize("c", [[], [0], [3, 2]])
def test_nobody_to_schedule(c: list[int]) -> None:
    for groups in (None, []):
        schedule = optimal_schedule([], c, quasi_ids=groups)
        assert schedule.assignment.shape == schedule.groups.shape == (0, len(c))
        assert schedule.proven and schedule.certified_prefix == schedule.vector.n_records == 0


# ---- groups of one value -------------------------------------------------------------------------------------------


@given(programme=programmes(most_values=5, most=5, most_slots=4), data=st.data())
@settings(max_examples=40)
def test_groups_of_a_value_are_scheduled_as_one(programme: Programme, data: st.DataObject) -> None:
    f, c = programme
    draws = data.draw(st.lists(st.integers(0, 3), min_size=len(f), max_size=len(f)))
    value = np.unique(draws, return_inverse=True)[1]
    merged = np.bincount(value, weights=f).astype(int).tolist()
    schedule = optimal_schedule(f, c, quasi_ids=value, work=PATIENT)
    assert_complete(schedule, merged, c)
    assert schedule.proven and padded(schedule.vector) == best_vector(merged, c)
    assert schedule.groups.shape == (len(f), len(c))
    np.testing.assert_array_equal(schedule.groups.sum(axis=1), f)
    for one in range(len(merged)):
        cells = schedule.groups.toarray()[value == one].sum(axis=0)
        np.testing.assert_array_equal(cells, schedule.assignment.toarray()[one])


def test_groups_are_dealt_out_wherever_their_value_goes() -> None:
    f, c, value = [3, 2, 4, 1], [6, 2, 2], [2, 0, 2, 1]
    best = min(best_vector([2, 1, 7], c), best_vector(f, c, quasi_ids=value))
    schedule = optimal_schedule(f, c, quasi_ids=value)
    assert padded(schedule.vector) == best == vector_of(schedule.groups.toarray().tolist(), value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"quasi_ids": [0, 1]}, "There are 3 groups and 2 quasi-identifier values: each group needs one."),
        ({"quasi_ids": [0, 2, 2]}, "counted from 0, without gaps"),
        ({"quasi_ids": [0, -1, 1]}, "quasi-identifier values: that of group 2 is negative"),
        ({"quasi_ids": ["a", "b", "b"]}, "quasi-identifier values must be whole numbers"),
        ({"time_limit": -1}, "The time limit must be 0 seconds or more."),
        ({"time_limit": "long"}, "The time limit must be a number."),
        ({"time_limit": float("nan")}, "The time limit must be a number."),
    ],
)
def test_what_cannot_be_scheduled_is_stated(options: dict, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        optimal_schedule([4, 4, 2], [8, 8], **options)


# ---- progress ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_hard_squares_are_proven(seed: int) -> None:
    """And what is reported meanwhile is of everyone and gets better."""
    f, c = square(20, 20, seed)
    reports: list[tuple[float, Schedule | None]] = []
    schedule = optimal_schedule(f, c, work=PATIENT, progress=lambda share, best: reports.append((share, best)))
    assert_complete(schedule, f, c)
    assert schedule.proven and schedule.vector < greedy_schedule(f, c).vector
    shares = [share for share, _ in reports]
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] <= 1
    found = [best for _, best in reports if best is not None]
    assert [best for _, best in reports][-len(found) :] == found  # once there is one there always is
    distinct = {id(best): best for best in found}.values()
    vectors = [best.vector for best in distinct]
    assert len(vectors) > 1 and vectors == sorted(vectors, reverse=True)
    assert schedule.vector <= vectors[-1]
    for best in distinct:
        np.testing.assert_array_equal(best.groups.sum(axis=1), f)
        assert (best.groups.sum(axis=0) <= c).all()
        assert not best.proven and best.certified_prefix is None


@pytest.mark.parametrize("after", [1, 60])
def test_progress_can_stop_it(after: int) -> None:
    f, c = square(150, 60, 3)
    calls: list[Schedule | None] = []

    def progress(share: float, best: Schedule | None) -> None:
        calls.append(best)
        if len(calls) >= after:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        optimal_schedule(f, c, time_limit=600, progress=progress, quasi_ids=np.arange(150)[::-1])
    assert len(calls) == after


# ---- the paper -----------------------------------------------------------------------------------------------------


def test_the_running_example() -> None:
    """Section 6: (0, 2, 1, 2), which is proven; it keeps the 2-anonymity of the base."""
    schedule = optimal_schedule(*EXAMPLE)
    assert_complete(schedule, *EXAMPLE)
    assert padded(schedule.vector)[:4] == (0, 2, 1, 2)
    assert schedule.proven and (schedule.k, schedule.certified_prefix) == (2, 4)


TABLE_8 = [
    ([[0, 0, 2, 0, 2], [2, 2, 0, 0, 0], [0, 0, 2, 3, 0], [2, 0, 0, 0, 0]], (0, 6, 1, 0)),
    ([[0, 0, 4, 0, 0], [4, 0, 0, 0, 0], [0, 0, 0, 3, 2], [0, 2, 0, 0, 0]], (0, 2, 1, 2)),
    ([[4, 0, 0, 0, 0], [0, 0, 4, 0, 0], [0, 0, 0, 3, 2], [0, 2, 0, 0, 0]], (0, 2, 1, 2)),
    ([[0, 0, 4, 0, 0], [4, 0, 0, 0, 0], [0, 0, 0, 3, 2], [0, 2, 0, 0, 0]], (0, 2, 1, 2)),
]


def test_table_8() -> None:
    """Each iteration's matrix is a schedule with the printed vector, whose first counts stay."""
    f, c = EXAMPLE
    best = padded(optimal_schedule(f, c).vector)
    for level, (matrix, printed) in enumerate(TABLE_8, start=1):
        assert np.sum(matrix, axis=1).tolist() == f
        assert (np.sum(matrix, axis=0) <= c).all()
        assert vector_of(matrix)[:4] == printed and printed[:level] == best[:level]


def test_table_9() -> None:
    """The optimal appointments as printed, person by person: they are the people and slots of Table 7."""
    people = pd.read_csv(SAMPLES / "screening_people.csv", dtype=str)
    slots = "B9 A9 B13 A13 B9 B13 B13 A9 C13 A13 A9 C13 B9 B9 A9".split()
    table = people.assign(slot=slots).groupby(["zip", "gender", "age", "slot"]).size()
    assert sorted(table.groupby(["zip", "gender", "age"]).sum()) == sorted(EXAMPLE[0])
    used = table.groupby("slot").sum().to_dict()
    assert used == dict(zip(["A9", "A13", "B9", "B13", "C13"], EXAMPLE[1], strict=True))
    assert anonymity_vector(table.to_numpy()) == optimal_schedule(*EXAMPLE).vector
