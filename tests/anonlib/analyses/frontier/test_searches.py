"""The searches of a frontier, against all policies of small spaces, and the parts of the sublattice search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import archive
from anonlib.analyses.frontier import searches as searching
from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.interval_programs import interval_programs
from anonlib.analyses.frontier.result import Frontier, stair_area
from anonlib.analyses.frontier.searches import bisection, enumeration, random_chains
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.analyses.frontier.sublattices import Clauses, corners, sublattices, update_probability
from anonlib.basics import budget
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from tests.helpers.clocks import clock
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.frontier import Case, all_points, all_policies, cases, table

sublattice_search = import_module("anonlib.analyses.frontier.sublattices")  # whose package has a function of this name


def last(search: Iterator[Frontier]) -> Frontier:
    found = list(search)
    assert [frontier.finished for frontier in found] == [False] * (len(found) - 1) + [True]
    return found[-1]


def points(frontier: Frontier) -> set[tuple[float, float]]:
    return set(zip(frontier.risk.tolist(), frontier.loss.tolist(), strict=True))


def lattice(widths: tuple[int, ...] = (6, 5, 4), n: int = 40, seed: int = 0) -> PolicySpace:
    codes = np.random.default_rng(seed).integers(0, widths, size=(n, len(widths)))
    return PolicySpace(table([tuple(map(str, row)) for row in codes], tuple("abcdefgh"[: len(widths)])))


def searches(plane: Plane, budget: int, seed: int = 0) -> list[Iterator[Frontier]]:
    middle = np.arange(plane.space.n_bits) % 2 == 0
    return [
        random_chains(plane, budget=budget, seed=seed),
        sublattices(plane, budget=budget, seed=seed),
        bisection(plane, middle, budget=budget, seed=seed),
    ]


def exact(plane: Plane) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All policies that no policy strictly dominates, each compared with each."""
    policies = all_policies(plane.space.n_bits)
    risk, loss = evaluate(plane.space, policies, plane.risk_key, plane.loss_key, plane.k)
    no_worse = (risk[:, None] <= risk) & (loss[:, None] <= loss)
    better = (risk[:, None] < risk) | (loss[:, None] < loss)
    kept = ~(no_worse & better).any(axis=0)
    return policies[kept], risk[kept], loss[kept]


@settings(max_examples=30)
@given(cases(n_bits=8), st.integers(0, 99))
def test_no_search_says_more_than_is_true(case, seed: int):
    plane = Plane(case.space())
    _, risk, loss = exact(plane)
    for search in searches(plane, 150, seed):
        found = last(search)
        wanted = evaluate(plane.space, found.policies) if len(found) else (found.risk, found.loss)
        np.testing.assert_allclose(np.array([found.risk, found.loss]), np.array(wanted), rtol=0, atol=1e-9)
        assert (np.diff(found.risk) >= 0).all() and (np.diff(found.loss) <= 0).all()
        for r, u in points(found):
            assert ((risk <= r + 1e-9) & (loss <= u + 1e-9)).any()
            assert not len(found.dominating_point(r, u))


@settings(max_examples=25)
@given(cases(n_bits=5), st.integers(0, 99))
def test_with_enough_policies_tiny_lattices_are_solved(case, seed: int):
    plane = Plane(case.space())
    _, risk, loss = exact(plane)
    wanted = sorted(set(zip(risk.tolist(), loss.tolist(), strict=True)))
    for search in (random_chains, sublattices):
        found = last(search(plane, budget=2_000, seed=seed))
        np.testing.assert_allclose(sorted(points(found)), wanted, rtol=0, atol=1e-9)


@settings(max_examples=25)
@given(cases(n_bits=7))
def test_enumeration_is_exact_and_keeps_ties(case):
    """Also where not all policies are looked at at once."""
    plane = Plane(case.space())
    policies, risk, loss = exact(plane)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(enumeration.__globals__, "_AT_ONCE", 3)
        found = last(enumeration(plane))
    assert found.exact and found.evaluations == 2**plane.space.n_bits
    assert {*map(bytes, found.policies)} == {*map(bytes, policies)}
    assert points(found) == set(zip(risk.tolist(), loss.tolist(), strict=True))


def test_policies_that_tie_are_all_kept():
    """Two attributes that say the same: what is done to one can be done to the other."""
    rows = [(a, a) for a in "0123"]
    space = PolicySpace(table(rows, ("a", "b")))
    for search in (enumeration(Plane(space)), random_chains(Plane(space), budget=2_000)):
        found = last(search)
        assert len(found) > found.n_points
        swapped = np.hstack([found.policies[:, 3:], found.policies[:, :3]])
        assert {*map(bytes, found.policies)} == {*map(bytes, swapped)}


def test_a_frontier_only_improves_while_a_search_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(searching, "BETWEEN", 0.0)
    plane = Plane(lattice())
    for search in searches(plane, 200):
        found = list(search)
        assert len(found) > 3
        assert all(a.area() >= b.area() and a.evaluations <= b.evaluations for a, b in pairwise(found))
        assert found[-1].evaluations == 200 + 2  # top and bottom, with which it began
        reports = [(frontier.evaluations, frontier.area()) for frontier in found]
        history = [(evaluations, area) for evaluations, _, area in found[-1].history]
        assert {*reports} <= {*history} and history[-1] == reports[-1]
        assert all(a.history == b.history[: len(a.history)] for a, b in pairwise(found))


def test_time_that_a_search_stands_still_does_not_count(monkeypatch: pytest.MonkeyPatch):
    clock = [0.0]
    monkeypatch.setattr(budget.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(searching, "BETWEEN", 0.0)
    search = random_chains(Plane(lattice()), budget=60)
    seen = []
    for found in search:
        seen.append(found.seconds)
        clock[0] += 1_000.0  # between two presses of the button
    assert len(seen) > 2 and set(seen) == {0.0}


def test_of_a_long_search_every_other_moment_is_remembered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "_MOST_HISTORY", 8)
    monkeypatch.setattr(searching, "BETWEEN", 0.0)
    found = last(random_chains(Plane(lattice()), budget=400))
    assert 3 < len(found.history) <= 8
    assert found.history[-1][0] == 402 and found.history == tuple(sorted(found.history))


def test_the_same_seed_gives_the_same_frontier():
    plane = Plane(lattice())
    for one, same, other in zip(searches(plane, 90), searches(plane, 90), searches(plane, 90, seed=1), strict=True):
        a, b, c = last(one), last(same), last(other)
        assert np.array_equal(a.policies, b.policies) and np.array_equal(a.visited, b.visited)
        assert not np.array_equal(a.visited, c.visited)


def test_searches_begin_with_top_and_bottom():
    space = lattice()
    for search in searches(Plane(space), 1):
        found = last(search)
        assert found.evaluations == 1 + 2
        assert {space.top.tobytes(), space.bottom.tobytes()} <= {*map(bytes, found.policies)}


SEARCHES = (
    random_chains, sublattices, interval_programs, lambda plane, **limits: bisection(plane, plane.space.top, **limits)
)  # fmt: skip


@pytest.mark.parametrize("search", SEARCHES)
def test_any_machine_finds_the_same_however_often_it_is_looked_at(search, monkeypatch: pytest.MonkeyPatch):
    """As much work comes to the same frontier, also where pictures are drawn in between."""
    plane = Plane(lattice((12, 12, 12), 200))
    limits = {} if search is interval_programs else {"budget": None}
    found = []
    for seconds, between in ((0.0, searching.BETWEEN), (1_000.0, searching.BETWEEN), (1_000.0, 1.0)):
        monkeypatch.setattr(searching, "BETWEEN", between)
        with clock(seconds):
            found.append(last(search(plane, work=A_SECOND / 20, **limits)))
    for other in found[1:]:
        assert np.array_equal(found[0].policies, other.policies) and np.array_equal(found[0].visited, other.visited)
        assert (found[0].work, found[0].evaluations) == (other.work, other.evaluations)
        assert not found[0].ended_early and not other.ended_early and found[0].work >= A_SECOND / 20


@pytest.mark.parametrize("search", SEARCHES)
def test_a_clock_ends_a_search_early_and_that_is_marked(search):
    plane = Plane(lattice((12, 12, 12), 200))
    limits = {} if search is interval_programs else {"budget": 10**9}
    with clock(1.0):
        found = last(search(plane, seconds=20, **limits))
    assert found.ended_early and not found.exact and 0 < found.evaluations < 10**6


def test_work_ends_a_search_whose_policies_have_no_end():
    with pytest.raises(InputError, match="more than 0"):
        random_chains(Plane(lattice()), work=0)
    assert last(random_chains(Plane(lattice()), budget=None, work=A_SECOND / 100)).evaluations > 3


def test_a_space_of_one_policy_is_searched_at_once():
    plane = Plane(PolicySpace(table([("1",)] * 3, ("a",))))
    for search in [*searches(plane, 10), enumeration(plane)]:
        found = last(search)
        assert points(found) == {(1.0, 0.0)} and found.evaluations == 1


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 8])
def test_what_is_on_the_frontier_was_looked_at(budget: int):
    for seed in range(8):
        for search in searches(Plane(lattice()), budget, seed):
            found = last(search)
            assert len(found) <= found.evaluations <= budget + 2


@cache
def known() -> tuple[Case, dict[bytes, tuple[float, float]]]:
    """Records among more people, and the points of all of their 4,096 policies, from the definitions."""
    rng = np.random.default_rng(4)
    rows = [tuple(map(str, row)) for row in 2 * rng.integers(0, (7, 5, 3), (40, 3))]
    people = rows + [tuple(map(str, row)) for row in rng.integers(-1, (14, 10, 6), (90, 3))]
    case = Case(rows, people)
    found = all_points(case)
    assert len(found) == 2**12
    return case, found


@cache
def best_known() -> np.ndarray:
    """The points that no policy's strictly dominates, by risk."""
    points = np.unique(np.array([*known()[1].values()]), axis=0)
    no_worse = (points[:, None] <= points).all(axis=2)
    return points[no_worse.sum(axis=0) == 1]  # itself


@pytest.mark.parametrize(("search", "budget", "above"), [(random_chains, 4_000, 0.08), (sublattices, 2_000, 0.05)])
def test_searches_of_twelve_bits_come_near_the_frontier(search, budget: int, above: float):
    """Its points are those of its policies, no policy looked at is better, and none is better than there can be."""
    found = last(search(Plane(known()[0].space()), budget=budget))
    true = np.array([known()[1][policy.tobytes()] for policy in found.policies])
    np.testing.assert_allclose(np.column_stack([found.risk, found.loss]), true, rtol=0, atol=1e-9)
    assert len(found.visited) == found.evaluations
    for r, u in found.visited:
        assert ((found.risk <= r + 1e-9) & (found.loss <= u + 1e-9)).any()
    for r, u in points(found):
        assert not len(found.dominating_point(r, u))
    least = stair_area(*best_known().T)
    assert least - 1e-9 <= found.area() <= (1 + above) * least


@settings(max_examples=25)
@given(cases(n_bits=6), st.integers(0, 2**32))
def test_bisection_finds_what_risks_no_more(case, seed: int):
    plane = Plane(case.space())
    policy = np.random.default_rng(seed).random(plane.space.n_bits) < 0.6
    bound, _ = evaluate(plane.space, policy)
    found = last(bisection(plane, policy, budget=700, seed=seed))
    _, risk, loss = exact(plane)
    no_more = found.risk <= bound[0]
    assert found.policies[~no_more].all()  # the bottom alone
    assert no_more[found.dominating(policy)].all()
    # The policy that loses least is the most specific one of a chain.
    assert abs(found.loss[no_more].min() - loss[risk <= bound[0]].min()) <= 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_unsatisfiable_pruning_ends_the_search(seed: int):
    plane = Plane(lattice((3, 2, 2), 12, seed))
    found = last(sublattices(plane, budget=10**6, seed=seed))
    assert found.evaluations < 10**5
    wanted = last(enumeration(plane))
    np.testing.assert_allclose(sorted(points(found)), sorted(points(wanted)), rtol=0, atol=1e-9)


def test_what_is_pruned_is_no_better_than_the_frontier(monkeypatch: pytest.MonkeyPatch):
    """As good as the best that the rectangle allows: the risk of alpha with the loss of beta."""
    pruned: list[tuple[np.ndarray, np.ndarray]] = []
    add = Clauses.add

    def noted(self: Clauses, ones: np.ndarray, zeros: np.ndarray) -> None:
        pruned.append((ones, zeros))
        add(self, ones, zeros)

    monkeypatch.setattr(Clauses, "add", noted)
    plane = Plane(lattice((6, 4, 3), 60))
    found = last(sublattices(plane, budget=400))
    assert len(pruned) > 5
    for ones, zeros in pruned:
        risk, loss = evaluate(plane.space, np.array([ones, ~zeros]))
        assert ((found.risk <= risk[0] + 1e-9) & (found.loss <= loss[1] + 1e-9)).any()
    assert any((ones != ~zeros).any() for ones, zeros in pruned)


def slow_share(alpha: tuple[float, float], beta: tuple[float, float], frontier: np.ndarray) -> float:
    """Of the rectangle cut up at every point of the frontier, the pieces that no point is as good as."""
    risks = sorted({alpha[0], beta[0], *(r for r in frontier[:, 0] if alpha[0] < r < beta[0])})
    losses = sorted({alpha[1], beta[1], *(u for u in frontier[:, 1] if beta[1] < u < alpha[1])})
    total = 0.0
    for (left, right), (low, high) in product(pairwise(risks), pairwise(losses)):
        middle = (left + right) / 2, (low + high) / 2
        if not ((frontier[:, 0] <= middle[0]) & (frontier[:, 1] <= middle[1])).any():
            total += (right - left) * (high - low)
    return total / ((beta[0] - alpha[0]) * (alpha[1] - beta[1]))


def stair_of(seed: int, n: int) -> np.ndarray:
    """Non-dominated points in the order of risk, some twice, on a grid so that edges meet."""
    rng = np.random.default_rng(seed)
    corners = np.sort(rng.integers(0, 13, (2, n)), axis=1) / 12
    kept = np.unique(np.column_stack([corners[0], corners[1][::-1]]), axis=0)
    better = (kept[:, None] <= kept).all(axis=2) & (kept[:, None] < kept).any(axis=2)
    kept = kept[~better.any(axis=0)]
    return np.repeat(kept, rng.integers(1, 3, len(kept)), axis=0)


@given(st.integers(0, 2**32), st.integers(1, 9), *[st.integers(0, 12)] * 2, *[st.integers(1, 12)] * 2)
def test_the_share_below_the_stair_is_exact(seed: int, n: int, risk: int, loss: int, width: int, height: int):
    frontier = stair_of(seed, n)
    alpha, beta = (risk / 12, (loss + height) / 12), ((risk + width) / 12, loss / 12)
    share = update_probability(*alpha, *beta, *frontier.T)
    assert 0 <= share <= 1
    assert share == pytest.approx(slow_share(alpha, beta, frontier), abs=1e-12)


@pytest.mark.parametrize(
    ("alpha", "beta", "share"),
    [
        ((0.3, 0.8), (0.3, 0.4), 0.25),  # no width: from .4 up to the stair's .5
        ((0.1, 0.5), (0.5, 0.5), 0.5),  # no height: until the stair comes down to .5 at .3
        ((0.3, 0.5), (0.3, 0.5), 0.0),  # a point of the frontier
        ((0.2, 0.5), (0.2, 0.5), 1.0),  # a point below it
        ((0.4, 0.9), (0.6, 0.5), 0.0),  # it only touches
    ],
)
def test_the_share_of_what_has_no_area(alpha: tuple, beta: tuple, share: float):
    frontier = np.array([[0.0, 1.0], [0.3, 0.5], [1.0, 0.0]])
    assert update_probability(*alpha, *beta, *frontier.T) == pytest.approx(share)


def overlap(ones: np.ndarray, zeros: np.ndarray, policies: np.ndarray) -> np.ndarray:
    return np.all(policies[:, ones], axis=1) & ~np.any(policies[:, zeros], axis=1)


@settings(max_examples=250)
@given(st.integers(0, 2**32), st.integers(1, 7), st.floats(0.1, 1))
def test_literals_avoid_every_pruned_sublattice_until_all_is_pruned(seed: int, n_bits: int, fixed: float):
    rng = np.random.default_rng(seed)
    policies = all_policies(n_bits)
    known, pruned = Clauses(n_bits), np.zeros(len(policies), dtype=bool)
    for _ in range(40):
        found = known.avoided(rng)
        assert (found is None) == pruned.all()
        if found is None:
            break
        left = overlap(found.ones, found.zeros, policies)
        assert left.any() and not (left & pruned).any()
        value, same = rng.random(n_bits) < 0.5, rng.random(n_bits) < fixed
        known.add(value & same, ~value & same)
        pruned |= overlap(value & same, ~value & same, policies)


def test_the_papers_example_of_clauses():
    """(B4 = 1) and (B2 = 0 or B4 = 0) and (B1 = 1 or B2 = 0 or B3 = 1) is solved by B4 = 1, B2 = 0 (Figure 10)."""
    known = Clauses(5)
    for ones, zeros in (([], [4]), ([2, 4], []), ([2], [1, 3])):
        known.add(np.isin(np.arange(5), ones), np.isin(np.arange(5), zeros))
    for seed in range(5):
        found = known.avoided(np.random.default_rng(seed))
        assert found is not None
        assert (np.flatnonzero(found.ones).tolist(), np.flatnonzero(found.zeros).tolist()) == ([4], [2])


def test_corners_keep_the_literals_and_without_any_are_not_the_whole_lattice():
    space, rng = lattice((9, 9, 9), 200), np.random.default_rng(0)
    none, bits = Clauses(space.n_bits).avoided(rng), rng.integers(0, 3, space.n_bits)
    assert none is not None and not none.ones.any() and not none.zeros.any()
    for literals in (none, sublattice_search.Literals(bits == 0, bits == 1)):
        for _ in range(20):
            alpha, beta = corners(space, literals, rng)
            assert alpha[literals.ones].all() and not beta[literals.zeros].any() and (beta | ~alpha).all()
            assert alpha.any() or not beta.all()


def test_a_search_of_clauses_that_takes_too_long_gives_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sublattice_search, "MOST_STEPS", 1)
    known = Clauses(4)
    for value in all_policies(4):
        known.add(value, ~value)
    assert known.avoided(np.random.default_rng(0)) is not None


def test_bad_input_is_refused_before_the_search():
    plane = Plane(lattice())
    for search in (random_chains, sublattices):
        for wrong in ({"budget": 0}, {"seconds": 0}, {"seed": -1}, {"budget": 1.5}):
            with pytest.raises(InputError):
                search(plane, **wrong)
    for threshold in (-0.1, 1, float("nan")):
        with pytest.raises(InputError, match="threshold"):
            sublattices(plane, threshold=threshold)
    with refused("policy-wrong"):
        bisection(plane, np.ones(3, dtype=bool))
    with pytest.raises(InputError, match="15 boundaries"):
        enumeration(Plane(lattice((9, 8), 200)))
