"""What is said to be impossible or proven, against every state and every set of records: slow enumeration.

Why nothing was found, against trying every part of what must hold at the highest levels allowed.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import LeastChange, NothingFound, conflict, least_change
from anonlib.analyses.generalization.search.impossible import fewest_to_go, is_impossible
from anonlib.counting.privacy_models import AttributeDisclosure, AverageRiskLimit, KAnonymity, LDiversity, TCloseness
from tests.helpers.adviser import SAME, at_a_state, of_words, problem_of, topped, ways
from tests.helpers.examples import settings

SMALL = {"leaving_out": (0, 1, 1, 2, 3), "most_rows": 7, "weighted": False}


OTHERS_LEFT_OUT_MAY_MEND = slow.not_certain(p=(0.25, 1 / 3, 0.4, 0.5)) | slow.diverse(("entropy",)) | slow.CLOSE


@settings(max_examples=1000)
@given(slow.cases(**SMALL) | slow.cases(OTHERS_LEFT_OUT_MAY_MEND, **SMALL))
def test_claims_hold_against_every_state_and_every_choice_of_records(case):
    problem, found = problem_of(case), least_change(problem_of(case))
    if isinstance(found, NothingFound):
        against = conflict(problem)
        assert against is not None and found.proven >= against.proven
        if found.proven:
            assert next(ways(case), None) is None
        if against.proven:
            named = replace(case, guarantees=tuple(case.guarantees[i] for i in against.guarantees))
            assert next(ways(named), None) is None, "nor do those that are named hold"
        return
    assert not is_impossible(problem)
    if found.proven:
        named = {name for each in case.guarantees for name in (*each.columns, getattr(each, "sensitive", None))}
        unmoved = [i for i, name in enumerate(case.laddered) if name not in named]
        losses = (
            case.loss(state, [i in left for i in range(case.n)])
            for state, left in ways(case)
            if not any(state[i] for i in unmoved)
        )
        assert found.best.information_loss == pytest.approx(float(min(losses)), abs=SAME)


@settings(max_examples=300)
@given(slow.cases(**(SMALL | {"leaving_out": (7,), "most_rows": 6})))
def test_no_state_and_no_choice_leaves_out_fewer(case):
    fewest = fewest_to_go(problem_of(case))
    assert all(case.n - len(left) >= fewest for _, left in ways(replace(case, most=max(0, fewest - 1))))


@pytest.mark.parametrize(
    "asked",
    [
        AttributeDisclosure(columns=("a",), sensitive="s", p=0.4, share=0.2),
        AttributeDisclosure(columns=("a",), sensitive="s", p=0.4),
        LDiversity(columns=("a",), sensitive="s", l=2, by="entropy"),
    ],
)
@pytest.mark.parametrize("ladders", [{}, {"a": topped("xy")}])
def test_what_one_record_would_mend_is_not_stated_to_be_impossible(asked, ladders):
    """Of x, x, x, y, y one x left out does; to leave out who violates, again and again, leaves nobody."""
    case = of_words("as", "xx xx xx xy xy", ladders, asked, most=2)
    assert (0,) * len(ladders) in {state for state, left in ways(case) if len(left) == 4}
    problem = problem_of(case)
    assert least_change(problem) == NothingFound(proven=False, finished=True)
    found = conflict(problem)
    assert not found.proven and found.must_go <= found.most == 2 < found.goes == 5
    strict = problem_of(replace(case, most=0))
    assert least_change(strict) == NothingFound(proven=True, finished=True) and conflict(strict).must_go > 0


def test_closeness_that_others_left_out_would_mend():
    """Two groups of u, u, v and u, v: without one u both have as many of each."""
    case = of_words("as", "xx xx xy yx yy", {}, TCloseness(columns=("a",), sensitive="s", t=0.0), most=1)
    assert {left for _, left in ways(case)} == {(0, 2, 3, 4), (1, 2, 3, 4)}
    assert least_change(problem_of(case)) == NothingFound(proven=False, finished=True)


def test_one_that_holds_below_the_top_is_not_named_as_impossible():
    """Ages apart are too small classes, b and c together make s likely: either holds by itself, at another level."""
    ladder = [{value: value for value in ("b", "c", "d", None)}, {"b": "bc", "c": "bc", "d": "d", None: None}]
    likely = AttributeDisclosure(columns=("a",), sensitive="s", p=0.25, share=0.4)
    in_classes = KAnonymity(columns=("a",), least=2, share=0.2)
    case = of_words("as", "bs bs bt cs dt", {"a": ladder}, in_classes, likely)
    assert next(ways(replace(case, guarantees=(likely,))))[0] == (0,)
    assert next(ways(replace(case, guarantees=(in_classes,))))[0] == (1,)
    assert next(ways(case), None) is None
    assert least_change(problem_of(case)) == NothingFound(proven=True, finished=True)
    assert least_change(problem_of(case), work=0) == NothingFound(proven=False, finished=False), "not yet"
    assert least_change(problem_of(case), seconds=0) == NothingFound(False, False, ended_early=True), "not yet"
    found = conflict(problem_of(case))
    assert found.guarantees == (1,) and not found.proven and found.violating == 4


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
