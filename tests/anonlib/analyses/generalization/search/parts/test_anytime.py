"""More rounds: parts that are alike are put together and split again; all that is asked goes on holding."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search.parts import ROUNDS, part_by_part, parts_within
from anonlib.counting.guarantees import NotCertain, Shared
from tests.helpers.adviser import SAME, problem_of
from tests.helpers.examples import settings
from tests.helpers.parts import loss, released

CASES = slow.cases(most_rows=14) | slow.cases(most_rows=14, leaving_out=(0,))


@settings(max_examples=15)
@given(CASES)
def test_what_is_asked_holds_after_more_rounds_and_no_more_is_lost(case):
    problem = problem_of(case)
    first, found = part_by_part(problem), part_by_part(problem, rounds=ROUNDS + 2)
    assert (first is None) == (found is None)
    if first is None or found is None:
        return
    rows, weights = released(case, found)
    assert case.n - sum(weights) == found.left_out <= case.most
    assert slow.all_hold(rows, weights, case.guarantees)
    assert found.loss == pytest.approx(loss(case, found), abs=SAME) and found.loss <= first.loss + SAME


def many(guarantees, columns: str = "ab", n_records: int = 2_500):
    """Records of two columns with two levels above their values, and a value of four."""
    rng = np.random.default_rng(8)
    names = ("a", "b", "s")
    drawn = rng.integers(0, (4, 4, 4), (n_records, 3)).tolist()
    rows = [dict(zip(names, (f"g{v}" for v in row), strict=True)) for row in drawn]
    values = [*slow.VALUES, None]
    ladder = [
        {v: v for v in values},
        {"g0": "u", "g1": "u", "g2": "v", "g3": "v", None: None},
        dict.fromkeys(values, "*"),
    ]
    return problem_of(slow.Case(names, rows, [1] * n_records, dict.fromkeys(columns, ladder), guarantees))


ASKED = {
    "k": (Shared(columns=("a", "b"), least=200),),
    "certain": (Shared(columns=("a", "b"), least=170), NotCertain(columns=("a", "b"), sensitive="s")),
    "few facts": (Shared(columns=("a", "b"), least=170), NotCertain(columns=("a", "b"), sensitive="s", known=1)),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_rounds_of_the_best_find_it_again(asked):
    """Whatever the clock says: it stands for time here, one second each time one looks."""
    problem = many(asked)
    first = part_by_part(problem)
    for seconds in (1, 20):
        seen: list[tuple[float, int, float]] = []
        time = count()

        def watch(share, rounds, parts, seen=seen):
            seen.append((share, rounds, parts.loss))

        def clock(time=time):
            return float(next(time))

        rounds, best = parts_within(problem, seconds, lambda share: None, watch, clock)
        again = part_by_part(problem, rounds=rounds)
        assert np.array_equal(best.cell_levels, again.cell_levels) and best.loss == again.loss <= first.loss
        assert seen[-1][1:] == (rounds, best.loss) and seen[0][0] <= 1
        assert [each[2] for each in seen] == sorted((each[2] for each in seen), reverse=True)


class _Stopped(Exception):
    pass


def test_who_stops_has_what_was_best():
    seen = []

    def watch(share, rounds, parts):
        seen.append((rounds, parts))
        raise _Stopped

    problem = many(ASKED["k"])
    with pytest.raises(_Stopped):
        parts_within(problem, 60, lambda share: None, watch)
    ((rounds, parts),) = seen
    assert rounds == ROUNDS and parts.loss == part_by_part(problem).loss
