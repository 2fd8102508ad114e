"""Why nothing was found, against trying every part of what must hold at the highest levels allowed."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from hypothesis import given

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import LeastChange, NothingFound, conflict, least_change
from anonlib.analyses.generalization.search.impossible import is_impossible
from anonlib.counting.guarantees import AttributeDisclosure, AverageRiskLimit, KAnonymity
from tests.helpers.adviser import at_a_state, of_words, problem_of, topped
from tests.helpers.examples import settings

TOPPED = topped("xy")


def holds_at_the_top(case: slow.Case, guarantees) -> bool:
    part = problem_of(replace(case, guarantees=tuple(guarantees)))
    # What is asked for is all that differs: columns that nothing is asked of stay as they are.
    return part.settle(part.highest) is not None


@settings(max_examples=200)
@given(slow.cases(leaving_out=(0, 0, 1, 2)))
def test_a_conflict_is_what_trying_finds(case):
    problem = problem_of(case)
    found = conflict(problem)
    if holds_at_the_top(case, case.guarantees):
        assert found is None
        return
    assert found is not None and found.most == case.most < found.goes
    assert found.proven == (found.must_go > found.most) == is_impossible(problem)
    named = [case.guarantees[i] for i in found.guarantees]

    def fails(guarantees) -> bool:
        part = problem.changed(guarantees=list(guarantees))
        return is_impossible(part) if found.proven else not holds_at_the_top(case, guarantees)

    assert fails(named)
    alone = [i for i, each in enumerate(case.guarantees) if fails([each])]
    if alone:
        assert found.guarantees == (alone[0],), "one that fails by itself is the answer"
    else:
        for fewer in combinations(named, len(named) - 1):
            assert not fails(fewer), "none of them can be spared"
    rows, holding = at_a_state(case, problem.highest)
    if not any(isinstance(each, AverageRiskLimit) for each in named):
        violate = [slow.violating(rows, case.weights, each) for each in named if each in holding]
        assert found.violating == slow.total(case.weights, set().union(*violate))
    if all(each.stays and not each.share for each in named):
        left = slow.left_without_violators(rows, case.weights, [each for each in named if each in holding])
        assert found.must_go == found.goes == case.n - slow.total(case.weights, left)


@settings(max_examples=100)
@given(slow.cases(slow.STAYS_FOR_EVERYBODY | slow.AVERAGE))
def test_there_is_a_conflict_where_nothing_is_found(case):
    problem = problem_of(case)
    assert isinstance(least_change(problem), NothingFound) == (conflict(problem) is not None)


def test_a_column_held_below_its_top_may_be_why():
    case = of_words("ab", "xx yx", {"a": TOPPED, "b": TOPPED}, KAnonymity(columns=("a", "b"), least=2))
    capped = problem_of(case).changed(highest={"a": 0})
    found = conflict(capped)
    assert (found.guarantees, found.violating, found.must_go, found.most) == ((0,), 2, 2, 0)
    assert conflict(problem_of(case)) is None
    assert conflict(problem_of(replace(case, guarantees=(KAnonymity(columns=("a", "b"), least=3),)))) is not None


def test_two_that_hold_alone_may_need_more_left_out_than_may_be():
    """One record is alone in a, another in b; one may be left out."""
    asked = (KAnonymity(columns=(name,), least=least) for name, least in (("a", 2), ("b", 2), ("a", 1)))
    found = conflict(problem_of(of_words("ab", "xx yx yy yx yx", {}, *asked, most=1)))
    assert (found.guarantees, found.violating, found.must_go, found.most) == ((0, 1), 2, 2, 1)


def test_an_average_says_how_many_are_in_small_classes():
    found = conflict(problem_of(of_words("a", "x y y", {}, AverageRiskLimit(columns=("a",), limit=0.5))))
    assert (found.violating, found.must_go) == (1, 1)


def test_a_value_that_most_have_cannot_be_hidden():
    """Three of four have x: who knows nothing is right three times in four, whatever is recoded."""
    likely = AttributeDisclosure(columns=("a",), sensitive="s", p=0.3)
    case = of_words("as", "xx yx xx yy", {"a": TOPPED}, likely)
    problem = problem_of(case)
    found = conflict(problem)
    assert least_change(problem) == NothingFound(proven=True, finished=True) and found.proven
    assert (found.guarantees, found.violating, found.must_go) == ((0,), 3, 1)
    dropped = problem_of(replace(case, ladders={"a": TOPPED, "s": TOPPED}))
    harmless = problem_of(replace(case, guarantees=(replace(likely, harmless=("x",)),)))
    for each in (dropped, harmless):
        assert conflict(each) is None and isinstance(least_change(each), LeastChange)
