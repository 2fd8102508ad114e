"""Part by part: what is asked holds of the labels of every row, counted plainly, and losses are those of the cells.

More rounds: parts that are alike are put together and split again; all that is asked goes on holding.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import Problem
from anonlib.analyses.generalization.search.local_recoding import ROUNDS, part_by_part, parts_within
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, LDiversity
from tests.helpers.adviser import PAIRS, SAME, in_another_order, of_many, of_words, problem_of, topped
from tests.helpers.examples import settings
from tests.helpers.parts import loss, released

CASES = slow.cases(most_rows=14) | slow.cases(most_rows=14, leaving_out=(0,))


@settings(max_examples=400)
@given(CASES, st.sampled_from([1, 2, 3, ROUNDS + 2]))
def test_what_is_asked_holds_of_the_labels(case, rounds):
    """And more rounds lose no more, nor do they find what is not found otherwise."""
    found, usual = part_by_part(problem_of(case), rounds=rounds), part_by_part(problem_of(case))
    assert (usual is None) == (found is None)
    if found is None or usual is None:
        return
    fewer, more = (found, usual) if rounds <= ROUNDS else (usual, found)
    assert more.loss <= fewer.loss + SAME
    rows, weights = released(case, found)
    assert case.n - sum(weights) == found.left_out <= case.most
    assert slow.all_hold(rows, weights, case.guarantees)
    assert found.loss == pytest.approx(loss(case, found), abs=SAME)


@settings(max_examples=100)
@given(slow.cases(slow.STAYS_FOR_EVERYBODY, most_rows=14))
def test_where_the_highest_levels_do_for_everybody_parts_do(case):
    """Of columns that can all be coarsened, no sensitive one among them: nobody is left out, and no more is lost."""
    known = {name for guarantee in case.guarantees for name in guarantee.columns}
    if not known <= set(case.ladders) or known & set(slow.SENSITIVE):
        return
    problem = problem_of(replace(case, a_column=0.0, ladders={n: case.ladders[n] for n in known}))
    top = replace(case, most=0, ladders={n: case.ladders[n] for n in known})
    rows = top.at(tuple(len(top.ladders[n]) - 1 for n in top.laddered))
    found = part_by_part(problem)
    if slow.all_hold([{**row, **dict.fromkeys(known, "*")} for row in rows], case.weights, case.guarantees) and all(
        len({row[name] for row in rows}) == 1 for name in known
    ):
        assert found is not None and found.left_out == 0
        highest = problem.settle(problem.highest)
        assert highest is not None and found.loss <= highest.information_loss + SAME


@settings(max_examples=60)
@given(slow.cases(most_rows=14), st.randoms(use_true_random=False))
def test_the_same_records_have_the_same_parts_in_any_order(case, random):
    shuffled = in_another_order(case, random)
    found, again = part_by_part(problem_of(case)), part_by_part(problem_of(shuffled))
    assert (found is None) == (again is None)
    if found is not None and again is not None:
        assert found.loss == again.loss
        both = [sorted(map(str, zip(*released(version, each), strict=True)))
                for version, each in ((case, found), (shuffled, again))]  # fmt: skip
        assert both[0] == both[1]


def table(words: str, asked, columns: str = "a") -> Problem:
    return problem_of(of_words("abs", words, dict.fromkeys(columns, topped("pqxyz")), asked))


def test_a_part_that_stands_alone_keeps_what_others_lose():
    """Three x stand alone; y and z do not, and stay together."""
    problem = table("xpu xpv xpu ypu zpv", KAnonymity(columns=("a", "b"), least=2), "ab")
    found = part_by_part(problem)
    levels = {str(problem.rows.labels_at("a", 0)[code]): level
              for code, level in zip(problem.rows.columns[0], found.cell_levels[:, 0], strict=True)}  # fmt: skip
    assert levels == {"x": 0, "y": 1, "z": 1} and not found.cell_levels[:, 1].any() and found.left_out == 0
    assert found.loss == pytest.approx(2 / 15)  # two of fifteen cells are gone


def test_the_smallest_join_a_rest_that_would_be_too_small():
    problem = table("xpu xpv xpu ypu ypv zpv", KAnonymity(columns=("a",), least=2))
    assert part_by_part(problem).loss == pytest.approx(3 / 18), "y joins z, for z cannot be alone"


@pytest.mark.parametrize(
    "asked",
    [AttributeDisclosure(columns=("a",), sensitive="s"), LDiversity(columns=("a",), sensitive="s", l=2)],
    ids=["certain", "diverse"],
)
def test_parts_have_the_sensitive_values_that_are_asked(asked):
    assert part_by_part(table("xpu xpv ypu ypu zpv", asked)).loss == pytest.approx(3 / 15)
    assert part_by_part(table("xpu ypu", asked)) is None, "all have one value"


def test_single_rows_of_many_persons_are_parts_of_their_own():
    """As many small parts as rows, each of twice k persons: all of them are looked at again."""
    rows = [{"a": f"g{i % 4}", "b": f"g{i // 4 % 4}", "s": f"g{i // 16}"} for i in range(64)]
    asked = (KAnonymity(columns=("a", "b", "s"), least=2),)
    problem = problem_of(slow.Case(("a", "b", "s"), rows, [80] * 64, dict.fromkeys("abs", PAIRS), asked))
    found = part_by_part(problem)
    assert problem.n_records > 2_000 and found.loss == 0 and found.left_out == 0


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
        again = part_by_part(problem, rounds=found.rounds, progress=looks.append)
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
