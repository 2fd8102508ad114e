"""What states lose at least, against what they lose: by the slow way, from any state nearby."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import PersonProblem, Problem
from anonlib.analyses.generalization.search.node_weights import NodeWeights
from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.classes import PersonTable
from anonlib.counting.privacy_models import KAnonymity
from anonlib.counting.privacy_models.models import sensitive_of
from tests.helpers.adviser import SAME, STRICT, at_a_state, problem_of, wide
from tests.helpers.examples import settings


def some_state(data: st.DataObject, problem: Problem) -> tuple[int, ...]:
    return tuple(data.draw(st.integers(0, level)) for level in problem.highest)


@settings(max_examples=300)
@given(slow.cases(STRICT), st.data())
def test_a_weight_is_what_is_lost_without_those_who_violate(case, data):
    """Records are recoded and compared one by one; where weights are exact they are those of the slow way.

    They are where all who must go share all columns, none of them sensitive.
    """
    problem = problem_of(case)
    counts = NodeWeights(problem)
    all_known = all(each.most_known == len(each.columns) for each in case.guarantees)
    stay = all(sensitive_of(each) not in problem.columns for each in case.guarantees)
    if len({frozenset(each.columns) for each in case.guarantees}) == 1 and all_known and stay:
        assert counts.is_exact
    counts.move(some_state(data, problem))
    for _ in range(3):
        state = some_state(data, problem)
        too_many, loss = counts.weigh(state)
        rows, holding = at_a_state(case, state)
        left = slow.left_without_violators(rows, case.weights, holding)
        of_each = [weight if i in left else 0 for i, weight in enumerate(case.weights)]
        gone = case.n - sum(of_each)
        lost = float(case.loss(state, of_each))
        if counts.is_exact:
            assert too_many == max(0, gone - case.most)
            assert loss == pytest.approx(lost, abs=SAME)
        else:
            assert too_many <= max(0, gone - case.most) and loss <= lost + SAME


@settings(max_examples=200)
@given(slow.cases(), st.data())
def test_no_state_loses_less_than_its_weight(case, data):
    problem = problem_of(case)
    counts = NodeWeights(problem)
    counts.move(some_state(data, problem))
    state = some_state(data, problem)
    too_many, loss = counts.weigh(state)
    found = problem.settle(state)
    if too_many:
        assert found is None
    if found is not None:
        assert loss <= found.information_loss + SAME
        assert not counts.is_exact or loss == pytest.approx(found.information_loss, abs=SAME)


def test_twenty_columns_are_weighed_as_they_are_counted():
    """20 columns of 40 values are 10^32 combinations."""
    problem = wide(400, 20)
    counts = NodeWeights(problem)
    rng = np.random.default_rng(0)
    for _ in range(60):
        state = tuple(int(level) for level in rng.integers(0, np.array(problem.highest) + 1))
        found = problem.settle(state)
        assert found is not None
        assert counts.weigh(state) == (0, pytest.approx(found.information_loss, abs=SAME))
        counts.move(state)


def test_of_persons_only_levels_are_weighed():
    frame = pd.DataFrame({"id": ["1", "1", "2", "2"], "age": ["31", "35", "33", "52"]})
    persons = PersonTable.from_frame(frame, ["age"], "id")
    problem = PersonProblem(
        persons, {"age": intervals([10])}, [KAnonymity(columns=("age",), least=2)], suppression_limit=4, most_persons=2
    )
    counts = NodeWeights(problem)
    assert not counts.is_exact
    for state in ((0,), (1,), (2,)):
        found = problem.settle(state)
        assert counts.weigh(state) == (0, counts.least_cost(state))
        assert found is None or counts.least_cost(state) <= found.information_loss
