"""Better states near one: never worse, never what does not hold, and no gain left where it says so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import LeastChange, PersonProblem, least_change
from anonlib.analyses.generalization.search.local_search import Nearby, downhill, one_column, two_columns
from anonlib.analyses.generalization.search.node_weights import NodeWeights
from anonlib.basics.budget import A_SECOND
from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.classes import PersonTable
from anonlib.counting.privacy_models import KAnonymity
from tests.helpers.adviser import SAME, STRICT, every_state, least_of_all, problem_of, wide
from tests.helpers.examples import settings


def look(_: object) -> None:
    """Nobody waits."""


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@given(slow.cases(STRICT))
def test_downhill_ends_where_no_one_column_loses_less(case):
    problem = problem_of(case)
    counts = NodeWeights(problem)
    assume(counts.is_exact and problem.settle(problem.highest) is not None)
    found = problem.settle(downhill(counts, problem.highest, look))
    assert found is not None and found.information_loss <= problem.settle(problem.highest).information_loss + SAME
    for state in one_column(problem, found.node):
        other = problem.settle(state)
        assert other is None or other.information_loss >= found.information_loss - SAME


@settings(max_examples=120)
@given(slow.cases())
def test_no_exchange_gains_where_a_search_nearby_ends(case):
    problem = problem_of(case)
    start = max(every_state(problem), key=lambda found: found.rank, default=None)
    assume(start is not None)
    nearby = Nearby(problem, NodeWeights(problem), start, look)
    nearby.exchange()
    assert nearby.best == problem.settle(nearby.best.node) and nearby.best.information_loss <= start.information_loss
    for ways in (one_column, two_columns):
        for state in ways(problem, nearby.best.node):
            other = problem.settle(state)
            assert other is None or other.information_loss >= nearby.best.information_loss - SAME
    for begin in (start, nearby.best):  # what is further away is never worse
        further = Nearby(problem, NodeWeights(problem), begin, look)
        further.further(np.random.default_rng(0))
        assert least_of_all(problem).information_loss - SAME <= further.best.information_loss <= begin.information_loss


class Stop(Exception):
    pass


def test_who_stops_keeps_the_best_so_far():
    problem = wide(300, 8)
    whole = Nearby(problem, NodeWeights(problem), problem.settle(problem.highest), look)
    whole.exchange()
    for last in (1, 5, 20):
        looks = []

        def stop(found, looks=looks, last=last):
            looks.append(found)
            if len(looks) == last:
                raise Stop

        nearby = Nearby(problem, NodeWeights(problem), problem.settle(problem.highest), stop)
        with pytest.raises(Stop):
            nearby.exchange()
            nearby.further(np.random.default_rng(0))
        assert nearby.best == looks[-1] == problem.settle(nearby.best.node)
        assert nearby.best.information_loss >= whole.best.information_loss - SAME or last > 5


def test_of_many_columns_something_is_always_kept_and_more_work_never_keeps_less():
    """20 columns have 3.5 billion states: not proven, but found with something kept, and the same with one seed."""
    problem = wide(400, 20).changed(suppression_limit=80)
    answers: list[LeastChange] = []
    quick = least_change(problem, work=0)
    longer = least_change(
        problem, work=A_SECOND / 4, progress=lambda _, found: answers.append(found) if found else None
    )
    assert isinstance(quick, LeastChange) and isinstance(longer, LeastChange)
    assert not longer.proven and longer.best.information_loss <= quick.best.information_loss < 1
    losses = [each.best.information_loss for each in answers]
    assert losses == sorted(losses, reverse=True), "the best so far gets better alone"
    assert longer.best.left_out <= 80


def test_drawn_levels_are_those_of_the_seed():
    found = []
    for _ in range(2):
        problem = wide(200, 9).changed(suppression_limit=40)
        nearby = Nearby(problem, NodeWeights(problem), problem.settle(problem.highest), look)
        nearby.exchange()
        nearby.further(np.random.default_rng(7))
        found.append(nearby.best)
    assert found[0] == found[1]


def test_persons_with_several_rows_are_searched_nearby_too():
    rng = np.random.default_rng(2)
    names = [f"c{i}" for i in range(4)]
    frame = pd.DataFrame(rng.integers(0, 20, (60, 4)).astype(str), columns=names)
    frame["id"] = np.repeat(np.arange(30), 2).astype(str)
    persons = PersonTable.from_frame(frame, names, "id")
    problem = PersonProblem(
        persons,
        dict.fromkeys(names, intervals([5, 10])),
        [KAnonymity(columns=tuple(names), least=2)],
        suppression_limit=60,
        most_persons=30,
    )
    start = problem.settle(problem.highest)
    assert start is not None
    nearby = Nearby(problem, NodeWeights(problem), start, look)
    nearby.exchange()
    assert nearby.best.rank <= start.rank and nearby.best == problem.settle(nearby.best.node)
