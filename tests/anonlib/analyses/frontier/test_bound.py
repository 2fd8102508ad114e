"""The lower bound against all policies of small spaces: none is below it, and it never falls."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import interval_programs, lower_bounds, why_no_bound
from anonlib.analyses.frontier.bound import search, table
from anonlib.analyses.frontier.bound.search import Bounding, LowerBound
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs import Boxes, CellTable, ExpandedPolicies, lower_hull
from anonlib.analyses.frontier.result import Frontier, non_dominated, stair_area
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from tests.helpers.clocks import clock
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import ADDITIVE, space_of_codes

SLACK = 1e-9


def space_of(
    seed: int, sizes: tuple[int, ...], n: int = 60, people: int = 150, most: int = 4, observed_only: bool = True
) -> PolicySpace:
    """Records at even numbers; ``people`` others are also at those between. Each attribute's low values are common."""
    rng = np.random.default_rng(seed)
    codes = 2 * (1 + np.array(sizes) * rng.random((n, len(sizes))) ** 2).astype(int)
    return space_of_codes(rng, codes, sizes, people, most, observed_only)


def all_policies(plane: Plane) -> ExpandedPolicies:
    attributes = [j for j, domain in enumerate(plane.space.domains) if len(domain) > 1]
    if attributes:
        return Boxes(CellTable(plane), attributes).enumerate(plane.space.top)
    sums = plane.sums(plane.space.top)
    return ExpandedPolicies(plane.space.top[None], *(each[None] for each in plane.finish(*sums)), 0.0)


def everything(plane: Plane) -> tuple[Frontier, np.ndarray, np.ndarray]:
    """The frontier of all policies, and the risk and loss of each."""
    found = all_policies(plane)
    kept, order = non_dominated(found.risk, found.loss)
    at = order[kept[order]]
    return Frontier(plane, found.policies[at], found.risk[at], found.loss[at]), found.risk, found.loss


def ends_only(found: Frontier) -> Frontier:
    """What is known before any search: the top and the bottom."""
    return found.only(np.unique([0, len(found) - 1]))


def assert_nobody_below(bound: LowerBound, risk: np.ndarray, loss: np.ndarray) -> None:
    assert (loss >= bound.loss_at(risk) - SLACK).all()
    assert risk.min() >= bound.least_risk - SLACK
    for weight, value in zip(bound.weights, bound.values, strict=True):
        assert value <= (weight * risk + loss).min() + SLACK
    kept, order = non_dominated(risk, loss)
    at = order[kept[order]]
    assert bound.area() <= stair_area(risk[at], loss[at]) + SLACK


def raised(found: Frontier, iterations: int) -> Bounding:
    bounding = Bounding(found)
    for _ in range(iterations):
        if not bounding.improve():
            break
    return bounding


# ---- nobody is below -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(6, 4, 3, 2), (8, 6), (5, 5, 4), (9, 1, 4)])
@pytest.mark.parametrize("people", [0, 150])
def test_no_policy_of_twelve_bits_is_below(sizes, people):
    plane = Plane(space_of(3, sizes, people=people))
    assert 10 <= plane.space.n_bits <= 14
    found, risk, loss = everything(plane)
    bounding, areas = Bounding(found), []
    for i in range(500):
        more = bounding.improve()
        if i % 10 == 0 or not more:
            assert_nobody_below(bounding.bound(), risk, loss)
            areas.append(bounding.bound().area())
        if not more:
            break
    assert areas == sorted(areas)
    hull = lower_hull(found.risk, found.loss)
    exact = LowerBound(plane, *_lines_of(found.risk[hull], found.loss[hull]), float(risk.min())).area()
    assert 0.5 * exact < areas[-1] <= exact + 1e-9 <= found.area() + 2e-9


def _lines_of(risk: np.ndarray, loss: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lines along the sides of a hull, by their weight and value."""
    weights = -np.diff(loss) / np.diff(risk)
    return weights[::-1], (weights * risk[:-1] + loss[:-1])[::-1]


@st.composite
def planes(draw: st.DrawFn) -> Plane:
    """Of at most twelve bits: all policies are looked at. Values between those of records double the bits."""
    people, observed_only = draw(st.sampled_from([0, 100])), draw(st.booleans())
    between = bool(people) and not observed_only
    few = st.lists(st.integers(1, 6), min_size=1, max_size=5)
    sizes = draw(few.filter(lambda sizes: sum(sizes) <= 6 if between else sum(sizes) - len(sizes) <= 9))
    n, most = draw(st.integers(1, 60)), draw(st.sampled_from([1, 5, 10**7]))
    space = space_of(draw(st.integers(0, 2**32)), tuple(sizes), n, people, most, observed_only)
    assert space.n_bits <= 12
    return Plane(space, *draw(st.sampled_from(ADDITIVE)), k=3)


@given(planes(), st.integers(1, 25), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_no_policy_is_below_whatever_is_known(plane, iterations, known, crowded, unsure):
    """Also where few intervals can be looked into, and where boxes are only bounded."""
    found, risk, loss = everything(plane)
    before = search.MOST_COSTS, table.MOST_BOXES
    search.MOST_COSTS, table.MOST_BOXES = (1 if crowded else before[0]), (0 if unsure else before[1])
    try:
        bounding = raised(found if known else ends_only(found), iterations)
    finally:
        search.MOST_COSTS, table.MOST_BOXES = before
    assert_nobody_below(bounding.bound(), risk, loss)


def test_a_decided_boundary_holds_for_all_that_is_below():
    """Each case is a bound for the policies that agree with it."""
    plane = Plane(space_of(5, (6, 4, 3, 2)))
    counted, space = table.BoundCounts(plane), plane.space
    choices = table.choices_of(counted)
    assert len(choices) == 3
    every = all_policies(plane)
    bits = [space.starts[counted.axes[2 + number].attribute] + v for number, v in choices[:2]]
    for kept in product((False, True), repeat=2):
        case = table.case_of(counted, dict(zip(choices, kept, strict=False)))
        agree = (every.policies[:, bits] == kept).all(axis=1)
        for weight in (0.05, 0.3, 2.0):
            best = float((weight * every.risk + every.loss)[agree].min())
            rising = search.Ascent(counted, case, weight, best + 0.01, search.pool_for(counted))
            for _ in range(30):
                rising.step()
                assert rising.best <= best + SLACK
            assert rising.best > 0.7 * best


# ---- how good it is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [0, 150])
@pytest.mark.parametrize("pair", ADDITIVE)
def test_with_one_attribute_it_is_the_hull(pair, people):
    plane = Plane(space_of(7, (12,), people=people), *pair, k=4)
    found, risk, loss = everything(plane)
    *_, bound = lower_bounds(found)
    assert bound.finished
    assert_nobody_below(bound, risk, loss)
    for weight, value in zip(bound.weights, bound.values, strict=True):
        assert value == pytest.approx((weight * risk + loss).min(), abs=1e-6)
    hull = lower_hull(found.risk, found.loss)
    np.testing.assert_allclose(bound.loss_at(found.risk[hull]), found.loss[hull], atol=1e-3)


def test_stopping_and_going_on_is_the_same_as_going_on():
    found, _, _ = everything(Plane(space_of(2, (6, 4, 3, 2))))
    whole, parts = raised(found, 150), Bounding(found)
    for _ in range(150):
        parts.improve()
        parts.bound()
    one, other = whole.bound(), parts.bound()
    assert one.values.tolist() == other.values.tolist() and one.weights.tolist() == other.weights.tolist()
    assert one.iterations == other.iterations


def test_it_is_yielded_as_it_rises():
    found, _, _ = everything(Plane(space_of(2, (6, 4, 3, 2))))
    areas = [bound.area() for bound in islice(lower_bounds(found, work=A_SECOND / 2), 5)]
    assert areas == sorted(areas) and areas[-1] > 0


def test_ages_and_zip_codes_of_tennessee(tennessee):
    """Weaker than what the bench measures in a minute, but certain of the same frontier."""
    plane = Plane(tennessee())
    assert plane.space.n_bits == 738 and not why_no_bound(plane)
    found, _ = list(islice(interval_programs(plane), 2))
    bound = raised(found, 3).bound()
    assert 0.01 < bound.area() < found.area()
    assert (found.loss >= bound.loss_at(found.risk) - SLACK).all()


# ---- the result ----------------------------------------------------------------------------------------------------


def made_up(weights: list[float], values: list[float], least: float = 0.0) -> LowerBound:
    plane = Plane(space_of(1, (3, 2)))
    return LowerBound(plane, np.array(weights), np.array(values), least)


def test_the_line_of_a_bound():
    bound = made_up([0.5, 2.0], [0.3, 0.6])
    assert bound.loss_at(np.array([0.0, 0.1, 0.2, 0.4, 0.7, 1.0])) == pytest.approx([0.6, 0.4, 0.2, 0.1, 0, 0])
    assert (
        bound.risk_at(0.6) == 0 and bound.risk_at(0.2) == pytest.approx(0.2) and bound.risk_at(0) == pytest.approx(0.6)
    )
    assert bound.corners == pytest.approx(np.array([[0, 0.6], [0.2, 0.2], [0.6, 0], [1, 0]]))
    assert bound.area() == pytest.approx(0.08 + 0.04)


@given(st.lists(st.tuples(st.floats(1e-3, 30), st.floats(0, 1.2)), min_size=1, max_size=9), st.floats(0, 0.9))
@settings(max_examples=60)
def test_the_area_is_that_below_the_line(lines, least):
    """Also where lines nearly coincide, by very many thin strips."""
    weights = np.unique([weight for weight, _ in lines])
    values = np.array([max(value for weight, value in lines if weight == each) for each in weights])
    bound = made_up(weights.tolist(), values.tolist(), least)
    risk = np.linspace(least, 1.0, 200_001)
    strips = (bound.loss_at(risk)[1:] + bound.loss_at(risk)[:-1]) @ np.diff(risk) / 2
    assert bound.area() == pytest.approx(least + strips, abs=1e-7)


def test_nearly_the_same_lines_do_not_hide_a_corner():
    bound = made_up([0.2, 0.2 + 1e-9, 2.0], [0.02, 0.02 + 1e-10, 0.02])
    assert bound.area() == pytest.approx(0.02 * 0.1 / 2, rel=1e-6)
    np.testing.assert_allclose(bound.corners[-2:], [[0.1, 0.0], [1.0, 0.0]], atol=1e-6)


def test_nobody_is_left_of_the_least_risk():
    bound = made_up([2.0], [0.6], least=0.1)
    assert bound.loss_at(0.09) == 1 and bound.loss_at(0.1) == pytest.approx(0.4)
    assert bound.risk_at(0.9) == pytest.approx(0.1)
    assert bound.area() == pytest.approx(0.1 + 0.2 * 0.4 / 2)
    assert made_up([], []).area() == 0


# ---- what it cannot do ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "name"), [(("highest", "kl"), "Highest"), (("population", "class_size"), "Average")])
def test_measures_that_do_not_add_up_are_refused(pair, name):
    plane = Plane(space_of(1, (4, 2)), *pair)
    found = Frontier(plane, plane.space.top[None], np.ones(1), np.ones(1))
    with pytest.raises(InputError, match=name):
        lower_bounds(found)


def test_large_spaces_are_refused(monkeypatch):
    found, _, _ = everything(Plane(space_of(1, (4, 2))))
    monkeypatch.setattr(table, "MOST_NUMBERS", 3)
    with refused("bound-not-possible"):
        lower_bounds(found)
    monkeypatch.setattr(table, "MOST_INTERVALS", 3)
    assert "Recode it first" in why_no_bound(found.plane)


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"work": 0}, {"work": "9"}])
def test_no_time_and_no_work_are_refused(wrong):
    found, _, _ = everything(Plane(space_of(1, (4, 2))))
    with pytest.raises(InputError):
        lower_bounds(found, **wrong)


def test_any_machine_proves_the_same_and_a_clock_is_marked():
    found, _, _ = everything(Plane(space_of(2, (6, 4, 3, 2))))
    proven = []
    for seconds in (0.0, 1_000.0):
        with clock(seconds):
            proven.append([*lower_bounds(found, work=A_SECOND / 20)][-1])
    one, other = proven
    assert one.values.tolist() == other.values.tolist() and (one.work, one.iterations) == (other.work, other.iterations)
    assert not one.ended_early and not other.ended_early and not one.finished
    with clock(1.0):
        assert [*lower_bounds(found, seconds=5)][-1].ended_early
