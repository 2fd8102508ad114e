"""More rounds: parts that are alike are put together and split again; all that is asked goes on holding."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from anonlib.analyses.generalization.search.parts import ROUNDS, part_by_part, parts_within
from anonlib.counting.guarantees import NotCertain, Shared
from tests.helpers.adviser import of_many, problem_of

ASKED = {
    "k": (Shared(columns=("a", "b"), least=200),),
    "certain": (Shared(columns=("a", "b"), least=170), NotCertain(columns=("a", "b"), sensitive="s")),
    "few facts": (Shared(columns=("a", "b"), least=170), NotCertain(columns=("a", "b"), sensitive="s", known=1)),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_rounds_of_the_best_find_it_again(asked):
    """Whatever the clock says: it stands for time here, one second each time one looks."""
    problem = problem_of(of_many(2_500, "abs", "ab", *asked))
    first = part_by_part(problem)
    for seconds in (1, 20):
        seen: list[tuple[float, int, float]] = []
        time = count()

        def watch(share, rounds, parts, seen=seen):
            seen.append((share, rounds, parts.loss))

        def clock(time=time):
            return float(next(time))

        rounds, best = parts_within(problem, seconds, lambda share: None, watch, clock)
        looks: list[float] = []
        again = part_by_part(problem, rounds=rounds, look=looks.append)
        assert looks == sorted(looks) and all(0 <= look <= 1 for look in looks)
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

    problem = problem_of(of_many(2_500, "abs", "ab", *ASKED["k"]))
    with pytest.raises(_Stopped):
        parts_within(problem, 60, lambda share: None, watch)
    ((rounds, parts),) = seen
    assert rounds == ROUNDS and parts.loss == part_by_part(problem).loss
