"""Interval programs against the plain evaluation and against all policies of small spaces."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import cycle, islice, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import interval_loops
from anonlib.analyses.frontier.domains import safe_harbor_order
from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.interval_programs import Boxes, CellTable, expand, interval_programs, short_attributes
from anonlib.analyses.frontier.result import Frontier, non_dominated, stair_area
from anonlib.analyses.frontier.searches import Pace
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.basics.budget import A_SECOND, UNLIMITED
from anonlib.basics.errors import InputError
from anonlib.set_up.loops import compile_frontier
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import ADDITIVE, space_of_codes
from tests.reference.frontier import all_policies

WEIGHTS = np.logspace(-2, 2, 9)
KERNELS = ["number_groups", "merge", "spread", "interval_sums", "term_sums", "shortest_paths"]

programs = import_module("anonlib.analyses.frontier.interval_programs")  # whose package has a function of this name


def space_of(
    seed: int, sizes: tuple[int, ...], n: int = 60, people: int = 150, most: int = 4, observed_only: bool = True
) -> PolicySpace:
    """Records at multiples of two, each a few persons; ``people`` others are also at the values between."""
    rng = np.random.default_rng(seed)
    codes = np.minimum(rng.geometric(np.minimum(1, 2.5 / np.array(sizes)), size=(n, len(sizes))), sizes) * 2
    return space_of_codes(rng, codes, sizes, people, most, observed_only)


once = cache(space_of)
"""The same space for every pair of measures."""


@st.composite
def spaces(draw: st.DrawFn, n_bits: int = 40) -> PolicySpace:
    sizes = draw(st.lists(st.integers(1, 8), min_size=1, max_size=4).filter(lambda sizes: sum(sizes) <= n_bits))
    return space_of(
        draw(st.integers(0, 2**32)), tuple(sizes), draw(st.integers(1, 60)), draw(st.sampled_from([0, 100])),
        draw(st.sampled_from([1, 5, 10**9])), draw(st.booleans()),
    )  # fmt: skip


@cache
def every_measure(space: PolicySpace, bits: bytes, k: int) -> dict[str, np.ndarray]:
    """Every risk and every loss that adds up, of these policies: a risk is the same whatever loss is beside it."""
    policies = np.frombuffer(bits, bool).reshape(-1, space.n_bits)
    found = {}
    for risk, loss in zip(cycle(dict(ADDITIVE)), sorted({loss for _, loss in ADDITIVE})):
        found[risk], found[loss] = evaluate(space, policies, risk, loss, k)
    return found


def measured(plane: Plane, policies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Risk and loss of policies, which several pairs of measures are looked at with."""
    found = every_measure(plane.space, policies.tobytes(), plane.k)
    return found[plane.risk_key], found[plane.loss_key]


def assert_agrees(
    plane: Plane,
    policies: np.ndarray,
    risk: np.ndarray,
    loss: np.ndarray,
    wanted: tuple[np.ndarray, np.ndarray] | None = None,
) -> None:
    if wanted is None:
        wanted = evaluate(plane.space, policies, plane.risk_key, plane.loss_key, plane.k)
    np.testing.assert_allclose(risk, wanted[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(loss, wanted[1], rtol=0, atol=1e-9)


def variants(policy: np.ndarray, space: PolicySpace, attributes: list[int]) -> np.ndarray:
    """All policies that differ in these attributes only."""
    at = np.concatenate([np.arange(space.starts[j], space.starts[j + 1]) for j in attributes]).astype(int)
    found = np.repeat(policy[None], 2 ** len(at), axis=0)
    found[:, at] = all_policies(len(at))
    return found


def least_sums(risk: np.ndarray, loss: np.ndarray) -> list[float]:
    """The least of a weight times the risk, and the loss, for each weight."""
    return [(weight * risk + loss).min() for weight in WEIGHTS]


def assert_cut_as_all_policies_say(table: CellTable, plane: Plane, policy: np.ndarray, j: int) -> None:
    """One attribute is cut so that for no weight any other policy which differs in it only is better."""
    found = expand(table, policy, j, WEIGHTS)
    assert_agrees(plane, found.policies, found.risk, found.loss)
    risk, loss = evaluate(plane.space, variants(policy, plane.space, [j]), plane.risk_key, plane.loss_key, plane.k)
    assert least_sums(found.risk, found.loss) == pytest.approx(least_sums(risk, loss), abs=1e-9)


def last(plane: Plane, work: float = 0.3 * A_SECOND, seed: int = 0) -> Frontier:
    return [*interval_programs(plane, work=work, seed=seed)][-1]


def searched(plane: Plane, steps: int, seed: int = 0) -> Frontier:
    """The frontier after so many steps, which no clock ends."""
    search = programs.IntervalSearch(Pace(plane, "interval_programs", None, UNLIMITED), np.random.default_rng(seed))
    for _ in islice(search.steps(), steps):
        pass
    return search.archive.frontier()


# ---- one attribute --------------------------------------------------------------------------------------------------


@pytest.fixture(params=["as it is", "entries", "hashed", "parts"])
def way(request, monkeypatch) -> str:
    """Other ways to the same numbers, which large or many attributes take."""
    if request.param == "entries":
        monkeypatch.setattr(programs, "_MOST_SPREAD", 0)
    elif request.param == "hashed":
        monkeypatch.setattr(programs, "_LARGEST_DIRECT", 0)
    elif request.param == "parts":
        monkeypatch.setattr(programs, "LIMIT", 1)
    return request.param


@pytest.mark.parametrize("observed_only", [True, False])
@pytest.mark.parametrize("pair", [("population", "kl"), ("population", "kl_observed"), ("average", "ncp")])
def test_an_attribute_is_cut_as_all_its_policies_say(pair, observed_only, way):
    space = space_of(3, (7, 3, 2), observed_only=observed_only)
    assert not observed_only or any(any(domain.between) for domain in space.domains)
    plane = Plane(space, *pair, k=4)
    table = CellTable(plane)
    rng = np.random.default_rng(5)
    for j, share in product(range(3), (0.2, 0.6)):
        if space.domains[j].n_bits > 8:
            continue
        assert_cut_as_all_policies_say(table, plane, rng.random(space.n_bits) < share, j)


@pytest.mark.parametrize("people", [0, 150])
def test_without_people_elsewhere_too(people, way):
    space = space_of(4, (8, 4, 3), people=people, most=10**9)
    plane = Plane(space)
    policy = np.random.default_rng(0).random(space.n_bits) < 0.4
    assert_cut_as_all_policies_say(CellTable(plane), plane, policy, 0)


@given(spaces(), st.sampled_from(ADDITIVE), st.integers(0, 2**32), st.booleans())
@settings(max_examples=40)
def test_no_weight_is_worse_than_the_start(space, pair, seed, crowded):
    rng = np.random.default_rng(seed)
    plane, policy = Plane(space, *pair, k=3), rng.random(space.n_bits) < rng.random()
    j = int(rng.integers(len(space.domains)))
    bits = space.bits_of(policy, j)
    kept = bits | (rng.random(len(bits)) < rng.random())
    before = programs._MOST_INTERVALS
    programs._MOST_INTERVALS = 1 if crowded else before
    try:
        found = expand(CellTable(plane), policy, j, WEIGHTS, int(rng.integers(1, 5)), kept)
    finally:
        programs._MOST_INTERVALS = before
    assert_agrees(plane, found.policies, found.risk, found.loss)
    own = space.starts[j] + np.flatnonzero(~kept)
    assert not found.policies[:, own].any()
    others = np.ones(space.n_bits, dtype=bool)
    others[space.starts[j] : space.starts[j + 1]] = False
    assert (found.policies[:, others] == policy[others]).all()
    risk, loss = evaluate(space, policy, *pair, k=3)
    for weight in WEIGHTS:
        assert (weight * found.risk + found.loss).min() <= weight * risk[0] + loss[0] + 1e-9


@pytest.mark.parametrize("end", [0, -1])
def test_a_cap_leaves_long_intervals_to_both_ends(end):
    classes = space_of(6, (8, 2), n=200, people=0).classes
    values = [str(2 * v) for v in range(1, 9)]  # fewer records the larger they are
    space = PolicySpace(classes, order={"a0": values[::-1] if end == 0 else values})
    found = expand(CellTable(Plane(space)), space.bottom, 0, WEIGHTS, 2)
    policies = variants(space.bottom, space, [0])
    lengths = [[b - a + 1 for a, b in space.intervals(policy, 0)] for policy in policies]
    allowed = np.array([all(length <= 2 for length in row[1:-1]) for row in lengths])
    risk, loss = evaluate(space, policies[allowed])
    assert least_sums(found.risk, found.loss) == pytest.approx(least_sums(risk, loss), abs=1e-9)
    best = [space.intervals(policy, 0) for policy in found.policies]
    assert any(len(row) > 2 and row[end][1] - row[end][0] > 1 for row in best)


# ---- short attributes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", ADDITIVE)
@pytest.mark.parametrize("numbers", [2**20, 40])
def test_short_attributes_are_enumerated_as_evaluated(pair, numbers, monkeypatch):
    monkeypatch.setattr(programs, "_MOST_NUMBERS", numbers)
    space = once(8, (9, 3, 1, 2), observed_only=False)
    plane = Plane(space, *pair, k=4)
    policy = np.random.default_rng(1).random(space.n_bits) < 0.5
    found = Boxes(CellTable(plane), [1, 3]).enumerate(policy)
    assert len(found.policies) == len({bytes(row) for row in np.packbits(found.policies, axis=1)})
    assert {*map(bytes, found.policies)} == {*map(bytes, variants(policy, space, [1, 3]))}
    assert_agrees(plane, found.policies, found.risk, found.loss, measured(plane, found.policies))


def test_which_attributes_are_short():
    assert short_attributes([622, 7, 2, 111], 21_092) == [1, 2]
    assert short_attributes([72, 7, 16, 7, 14, 6, 5, 2, 41], 19_765) == [6, 7]
    assert short_attributes([3] * 5, 100) == [0, 1, 2, 3, 4]  # all policies of the space
    assert short_attributes([1, 1], 100) == [] == short_attributes([12, 1], 100)
    assert short_attributes([622, 7, 2, 111], 10**6) == [2]


# ---- the search -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "pair"), [*(((6, 3, 3), pair) for pair in ADDITIVE), ((9, 3, 2), ADDITIVE[0]), ((5, 6, 5), ADDITIVE[1])]
)
def test_a_small_space_against_all_its_policies(sizes, pair, monkeypatch):
    """The frontier found is hardly larger than that of all policies."""
    monkeypatch.setattr(programs, "MOST_BITS", 3)
    plane = Plane(once(10, sizes, people=0), *pair, k=3)
    assert 8 < plane.space.n_bits <= 14
    risk, loss = evaluate(plane.space, all_policies(plane.space.n_bits), *pair, k=3)
    found = searched(plane, 60)
    assert_agrees(plane, found.policies, found.risk, found.loss)
    kept, order = non_dominated(risk, loss)
    best = order[kept[order]]
    for r, u in zip(found.risk, found.loss, strict=True):
        assert ((risk[best] <= r + 1e-9) & (loss[best] <= u + 1e-9)).any()
    exact = stair_area(risk[best], loss[best])
    assert exact - 1e-9 <= found.area() <= 1.05 * exact + 1e-9


@pytest.mark.parametrize("sizes", [(4, 4, 3), (5,)])
def test_spaces_of_few_policies_are_enumerated(sizes):
    space = space_of(11, sizes, people=0)
    found = [*interval_programs(Plane(space), work=5 * A_SECOND)]
    assert len(found) == 1 and found[0].exact and found[0].finished and not found[0].ended_early
    assert found[0].evaluations == space.n_policies
    risk, loss = evaluate(space, all_policies(space.n_bits))
    kept, _ = non_dominated(risk, loss)
    assert sorted(zip(risk[kept], loss[kept], strict=True)) == [*zip(found[0].risk, found[0].loss, strict=True)]


@pytest.mark.parametrize("pair", ADDITIVE)
def test_one_attribute_has_all_points_that_a_weight_is_best_for(pair):
    space = once(12, (14,), n=120, people=0)
    assert programs.MOST_BITS < space.n_bits < 13
    plane = Plane(space, *pair)
    found = searched(plane, 30)
    risk, loss = measured(plane, all_policies(space.n_bits))
    points = {*zip(found.risk.tolist(), found.loss.tolist(), strict=True)}
    assert hull(risk, loss) <= points


def hull(risk: np.ndarray, loss: np.ndarray) -> set[tuple[float, float]]:
    """The corners of the lower left hull."""
    kept, order = non_dominated(risk, loss)
    corners: list[tuple[float, float]] = []
    for point in zip(risk[order[kept[order]]].tolist(), loss[order[kept[order]]].tolist(), strict=True):
        if corners and point == corners[-1]:
            continue
        while len(corners) > 1 and _above(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return {*corners}


def _above(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 1e-9


def test_the_area_never_grows_and_frontiers_come_often(monkeypatch):
    monkeypatch.setattr("anonlib.analyses.frontier.searches.BETWEEN", A_SECOND / 50)
    space = space_of(13, (30, 20, 3), n=400, people=800)
    search = interval_programs(Plane(space), work=None)
    found = [*islice(search, 6)]
    search.close()
    assert len(found) == 6 and not any(f.finished for f in found)
    assert all(b.area() <= a.area() and b.evaluations >= a.evaluations for a, b in pairwise(found))
    assert found[-1].area() < found[0].area()
    assert_agrees(found[-1].plane, found[-1].policies, found[-1].risk, found[-1].loss)
    assert not found[-1].exact and last(Plane(space), A_SECOND / 20).finished


def test_the_steps_repeat_for_a_seed():
    space = space_of(14, (30, 20, 3), n=300)
    one, same, other = (searched(Plane(space), 80, seed) for seed in (1, 1, 2))
    assert (one.policies.tobytes(), one.evaluations) == (same.policies.tobytes(), same.evaluations)
    assert one.policies.tobytes() != other.policies.tobytes()


@pytest.mark.parametrize("sizes", [(1,), (1, 1), (5,), (15,), (15, 1), (12, 12), (3,) * 9, (40, 2)])
@pytest.mark.parametrize("people", [0, 50])
def test_any_number_of_attributes_and_values(sizes, people):
    space = space_of(15, sizes, people=people)
    found = last(Plane(space), A_SECOND / 20)
    assert found.finished and found.exact == (space.n_bits <= 10)
    assert len(found) <= found.evaluations and (found.evaluations == space.n_policies or not found.exact)
    assert_agrees(found.plane, found.policies, found.risk, found.loss)
    assert found.loss[-1] == 0


@pytest.mark.parametrize(("n", "most"), [(1, 1), (1, 10**9)])
def test_one_record_and_many_persons(n, most):
    for pair in ADDITIVE:
        found = last(Plane(space_of(16, (20, 3), n=n, most=most), *pair), A_SECOND / 30)
        assert_agrees(found.plane, found.policies, found.risk, found.loss)


def test_nobody_at_risk_ends_it():
    space = space_of(17, (30, 20), n=40, people=0, most=4)
    crowd = PolicySpace(replace(space.classes, counts=space.classes.counts + 10))
    found = last(Plane(crowd, "below_k", "kl", k=5), 60 * A_SECOND)
    assert found.work < 30 * A_SECOND and found.area() == 0


def test_it_may_be_closed_any_time():
    search = interval_programs(Plane(space_of(18, (30, 20))))
    first = next(search)
    assert len(first) and not first.finished
    search.close()
    assert next(search, None) is None


@pytest.mark.parametrize(("pair", "named"), [
    (("highest", "kl"), "Highest risk in the file"), (("population", "class_size"), "Average class size"),
])  # fmt: skip
def test_measures_that_do_not_add_up_are_refused(pair, named):
    with pytest.raises(InputError, match=named):
        interval_programs(Plane(space_of(19, (4, 4)), *pair))


@pytest.mark.parametrize("wrong", [
    {"seconds": 0}, {"seconds": "3"}, {"seconds": float("nan")}, {"work": 0}, {"work": "3"}, {"seed": -1},
])  # fmt: skip
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(InputError):
        interval_programs(Plane(space_of(20, (4, 4))), **wrong)


def test_set_up_compiles_all_that_is_used():
    compile_frontier()
    compiled = {name: getattr(interval_loops, name).signatures for name in KERNELS}
    assert all(len(signatures) == 1 for signatures in compiled.values())
    assert set(KERNELS) == {
        name
        for name, value in vars(interval_loops).items()
        if hasattr(value, "signatures")
        and not name.startswith("_")
        and value.py_func.__module__ == interval_loops.__name__
    }


def test_ages_and_zip_codes_of_tennessee(tennessee):
    races = ["White", "Black", "American Indian", "Asian", "Pacific Islander", "Other", "Two or more"]
    zips = tennessee().domains[tennessee().attributes.index("zip")].values
    space = tennessee(race=races, zip=safe_harbor_order(zips))
    assert space.n_bits == 738
    found = searched(Plane(space), 120)
    some = np.linspace(0, len(found) - 1, 12).astype(int)
    assert_agrees(found.plane, found.policies[some], found.risk[some], found.loss[some])
    assert found.area() < 0.084
    better = found.dominating(space.safe_harbor("age", "zip"))
    assert len(better) > 100
