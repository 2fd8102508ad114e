"""More rounds: parts that are alike are put together and split again; all that is asked goes on holding."""

from __future__ import annotations

import numpy as np
import pytest

from anonlib.analyses.generalization.search.parts import ROUNDS, part_by_part, parts_within
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.counting.guarantees import AttributeDisclosure, KAnonymity
from tests.helpers.adviser import of_many, problem_of

ASKED = {
    "k": (KAnonymity(columns=("a", "b"), least=200),),
    "certain": (KAnonymity(columns=("a", "b"), least=170), AttributeDisclosure(columns=("a", "b"), sensitive="s")),
    "few facts": (
        KAnonymity(columns=("a", "b"), least=170),
        AttributeDisclosure(columns=("a", "b"), sensitive="s", known=1),
    ),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_rounds_of_the_best_find_it_again(asked):
    problem = problem_of(of_many(2_500, "abs", "ab", *asked))
    first = part_by_part(problem)
    losses = [first.loss]
    for work in (0, A_SECOND / 8, A_SECOND / 4):
        seen: list[tuple[float, int, float]] = []

        def watch(share, rounds, parts, seen=seen):
            seen.append((share, rounds, parts.loss))

        found = parts_within(problem, Budget(work), lambda share: None, watch)
        looks: list[float] = []
        again = part_by_part(problem, rounds=found.rounds, look=looks.append)
        assert looks == sorted(looks) and all(0 <= look <= 1 for look in looks)
        assert np.array_equal(found.parts.cell_levels, again.cell_levels) and not found.ended_early
        assert seen[-1][1:] == (found.rounds, found.parts.loss) and seen[0][0] <= 1
        assert [each[2] for each in seen] == sorted((each[2] for each in seen), reverse=True)
        losses.append(found.parts.loss)
    assert losses == sorted(losses, reverse=True), "more work finds nothing worse"


class _Stopped(Exception):
    pass


def test_who_stops_has_what_was_best():
    seen = []

    def watch(share, rounds, parts):
        seen.append((rounds, parts))
        raise _Stopped

    problem = problem_of(of_many(2_500, "abs", "ab", *ASKED["k"]))
    with pytest.raises(_Stopped):
        parts_within(problem, Budget(), lambda share: None, watch)
    ((rounds, parts),) = seen
    assert rounds == ROUNDS and parts.loss == part_by_part(problem).loss
