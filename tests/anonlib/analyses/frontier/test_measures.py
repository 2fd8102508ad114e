"""Measures of risk and loss: against their definitions, and weakly monotone on every pair of neighbouring policies."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.measures import LOSSES, RISKS
from anonlib.analyses.frontier.space import PolicySpace
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import one_column
from tests.reference.frontier import Case, all_policies, cases, divergence, losses, risks, table

FEW = settings(max_examples=40)


def offered(case: Case) -> list[str]:
    return [key for key, measure in RISKS.items() if case.people is not None or not measure.needs_population]


def policies_of(case: Case, data: st.DataObject, n: int = 4) -> np.ndarray:
    bits = case.space().n_bits
    drawn = data.draw(st.lists(st.lists(st.booleans(), min_size=bits, max_size=bits), min_size=n, max_size=n))
    return np.vstack([np.array(drawn, dtype=bool).reshape(n, bits), np.zeros((1, bits)), np.ones((1, bits))])


@FEW
@given(cases(n_bits=9), st.data())
def test_every_measure_is_its_definition(case: Case, data: st.DataObject) -> None:
    space, policies, k = case.space(), policies_of(case, data), data.draw(st.integers(2, 5))
    for policy in policies.astype(bool):
        expected_risk, expected_loss = risks(case, policy, k), losses(case, policy)
        assert set(expected_risk) == set(offered(case)) and set(expected_loss) == set(LOSSES)
        for key, risk in expected_risk.items():
            assert evaluate(space, policy, risk=key, k=k)[0] == pytest.approx([risk], abs=1e-9), key
        for key, loss in expected_loss.items():
            assert evaluate(space, policy, loss=key)[1] == pytest.approx([loss], abs=1e-9), key


@FEW
@given(cases(n_bits=9))
def test_the_loss_before_it_is_a_share_is_equation_4(case: Case) -> None:
    space = case.space()
    plane = Plane(space)
    nats = (plane.sums(space.top)[1] - plane.sums(space.bottom)[1]) / space.n_records
    assert nats == pytest.approx(divergence(case, space.top), abs=1e-9)
    assert nats >= -1e-9


@FEW
@given(cases(n_bits=6), st.integers(2, 4))
def test_a_coarser_policy_never_risks_more_nor_loses_less(case: Case, k: int) -> None:
    space = case.space()
    policies = all_policies(space.n_bits)
    of_bits = {policy.tobytes(): i for i, policy in enumerate(policies)}
    pairs = []
    for i, policy in enumerate(policies):
        for bit in np.flatnonzero(policy):
            coarser = policy.copy()
            coarser[bit] = False
            pairs.append((of_bits[coarser.tobytes()], i))
    coarse, fine = np.array(pairs, dtype=int).reshape(-1, 2).T
    for key in offered(case):
        risk, _ = evaluate(space, policies, risk=key, k=k)
        assert (risk[coarse] <= risk[fine]).all(), key
    for key in LOSSES:
        _, loss = evaluate(space, policies, loss=key)
        # A difference of sums is as exact as the sums, as a share of what there is to lose.
        assert (loss[coarse] >= loss[fine] - 1e-10).all(), key
        assert loss[-1] == 0 and loss[0] in (0, 1), "the data as they are, and one group"


def test_a_group_of_two_by_two_values_gives_each_a_quarter() -> None:
    # Section 4.1.4: [1-2] x [male, female] with m records are m / 4 of each of the four combinations.
    case = Case([("1", "1")] * 3 + [("2", "0")], None)
    expected = 3 / 4 * log((3 / 4) / (1 / 4)) + 1 / 4 * log((1 / 4) / (1 / 4))
    assert divergence(case, np.array([False, False])) == pytest.approx(expected)


def test_weight_on_values_without_records_is_what_observed_combinations_leave_out() -> None:
    # Two of four combinations have records, equally many: spread over those two, nothing is lost.
    case = Case([("0", "0"), ("1", "1")] * 3, None)
    space = case.space()
    assert evaluate(space, space.top, loss="kl")[1] == [1.0]
    assert evaluate(space, space.top, loss="kl_observed")[1] == [0.0]


@pytest.mark.parametrize("counts", [[3, 3], [7, 7, 7], [10] * 6])
def test_where_no_policy_loses_anything_rounding_is_not_made_a_loss(counts: list[int]) -> None:
    space = one_column(counts).space()
    assert (evaluate(space, all_policies(space.n_bits), loss="kl")[1] == 0).all()


def test_without_a_population_risk_is_the_share_of_groups_kept() -> None:
    space = one_column([4, 1, 2]).space()
    risk, _ = evaluate(space, np.array([[1, 1], [0, 1], [0, 0]]))
    assert risk.tolist() == pytest.approx([1, 2 / 3, 1 / 3])


def test_people_between_the_values_of_records_are_in_an_interval_that_reaches_over_them() -> None:
    case = Case([("1",), ("4",)], [(str(v),) for v in (0, 1, 2, 2, 3, 4, 4, 9)])
    space = case.space()
    # As they are: 1/1 + 1/2. Together: 1, 2, 2, 3, 4, 4, and neither 0 nor 9.
    assert evaluate(space, space.top)[0] == pytest.approx([2 / 6 / 1.5])


def distance(case: Case, policy: np.ndarray, hellinger: bool) -> float:
    """The L1 distance of the released from the original data; or the square of Hellinger's, twice."""
    n, total = len(case.rows), 0.0
    (domain,) = case.domains()
    for value in domain:
        interval = case.interval(policy, 0, value)
        p = sum(row[0] == value for row in case.rows) / n
        q = sum(row[0] in interval for row in case.rows) / len(interval) / n
        total += (sqrt(p) - sqrt(q)) ** 2 if hellinger else abs(p - q)
    return total


def test_the_mean_of_groups_is_not_monotone_and_so_not_offered() -> None:
    # Of 1, 10 and 10 people: joining the two large groups leaves fewer of those that drew the mean down.
    people = [1, 10, 10]
    as_is = np.mean([1 / p for p in people])
    coarser = np.mean([1 / people[0], 1 / (people[1] + people[2])])
    assert coarser > as_is
    space = one_column([1, 1, 1], people).space()
    risk, _ = evaluate(space, np.array([[1, 0], [1, 1]]))
    assert risk[0] < risk[1]


@pytest.mark.parametrize(
    ("hellinger", "counts", "finer"),
    [(False, [0, 0, 3, 1, 1, 0], [False, False, True, False, False]), (True, [0, 3, 1], [False, True])],
)
def test_l1_and_hellinger_are_not_monotone_and_so_not_offered(
    hellinger: bool, counts: list[int], finer: list[bool]
) -> None:
    case = one_column(counts, [1 + count for count in counts])
    fine = np.array(finer)
    assert distance(case, np.zeros_like(fine), hellinger) < distance(case, fine, hellinger) - 0.01
    assert divergence(case, np.zeros_like(fine)) > divergence(case, fine)


def test_bad_measures_are_refused() -> None:
    space = one_column([1, 2]).space()
    with refused("choice-unknown"):
        evaluate(space, space.top, risk="mean")
    with refused("choice-unknown"):
        evaluate(space, space.top, loss="l1")


def test_a_risk_in_the_population_needs_one() -> None:
    space = PolicySpace(table([("1",), ("2",)], ("a",)))
    with refused("population-missing"):
        Plane(space, "highest_population")
    with refused("number-out-of-range"):
        Plane(space, k=1)


def test_which_measures_are_sums() -> None:
    assert {key for key, measure in RISKS.items() if measure.additive} == {"population", "average", "below_k"}
    assert set(LOSSES) - {key for key, measure in LOSSES.items() if measure.additive} == {"class_size"}
