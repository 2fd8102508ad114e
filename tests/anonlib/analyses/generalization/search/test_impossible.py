"""What is said to be impossible or proven, against every state and every set of records: slow enumeration."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import NothingFound, conflict, least_change
from anonlib.analyses.generalization.search.impossible import fewest_to_go, is_impossible
from anonlib.counting.guarantees import AttributeDisclosure, KAnonymity, LDiversity, TCloseness
from tests.helpers.adviser import SAME, of_words, problem_of, topped, ways
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
        assert found.best.loss == pytest.approx(float(min(losses)), abs=SAME)


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
