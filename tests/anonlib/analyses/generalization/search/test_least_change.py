"""The least change against every state, and what a search that is stopped leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import LeastChange, NothingFound, Problem, Solution, least_change
from anonlib.analyses.generalization.search.branch_and_bound import BranchAndBound
from anonlib.analyses.generalization.search.local_search import bottom_up, take_back, top_down
from anonlib.basics.budget import A_SECOND
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import AttributeDisclosure, CodedRows, KAnonymity, left_after
from anonlib.counting.privacy_models.models import columns_of
from tests.helpers.adviser import (
    SAME,
    at_a_state,
    every_state,
    least_of_all,
    of_many,
    of_words,
    problem_of,
    topped,
)  # fmt: skip
from tests.helpers.examples import settings

TOPPED, SURE = topped("xy"), AttributeDisclosure(columns=("a",), sensitive="s")
EVERYBODY = slow.cases(slow.STAYS_FOR_EVERYBODY)


# --- one state ------------------------------------------------------------------------------------------------------


@settings(max_examples=160)
@given(slow.cases(), st.data(), st.booleans())
def test_a_state_costs_what_its_records_lose(case, data, divisible):
    """The records are recoded one by one; who is left out is as in the release, and every cell is looked at."""
    problem = problem_of(case, divisible)
    named = set(columns_of(case.guarantees))
    state = data.draw(st.sampled_from(list(case.states())))
    state = tuple(level if name in named else 0 for name, level in zip(case.laddered, state, strict=True))
    rows, holding = at_a_state(case, state)
    levels = dict(zip(case.laddered, state, strict=True))
    table = ClassTable.from_frame(pd.DataFrame(rows, columns=list(case.names), dtype=object), weights=case.weights)
    names = sorted(columns_of(case.guarantees))
    table = table.project(names)
    coded, order = CodedRows.of(table).by_text(names)
    worth = np.zeros(len(coded.counts))
    for row, place in zip(case.rows, np.argsort(order)[table.class_of_record], strict=True):
        kept = (1 - case.cell_loss(name, levels.get(name, 0), row[name]) for name in case.names)
        worth[place] = sum(case.matter.get(name, 1) * float(each) for name, each in zip(case.names, kept, strict=True))
    left = left_after(coded, holding, worth, divisible=divisible)
    gone = int((coded.counts - left).sum())
    found = problem.settle(state)
    if gone > case.most:
        assert found is None
        return
    cost = case.loss(state, case.weights)
    whole = sum(case.matter.get(name, 1) for name in case.names) * case.n
    expected = float(cost) + (float(((coded.counts - left) * worth).sum()) / whole if whole else 0)
    assert found is not None and found.left_out == gone
    assert found.information_loss == pytest.approx(expected, abs=SAME)
    assert problem.cell_loss(found) == pytest.approx(expected - case.a_column * sum(map(bool, state)), abs=SAME)


@settings(max_examples=150)
@given(EVERYBODY, st.data())
def test_a_state_leaves_out_all_who_violate_and_nobody_else(case, data):
    problem = problem_of(case)
    assert problem.is_exact
    state = data.draw(st.sampled_from(list(np.ndindex(*(level + 1 for level in problem.highest)))))
    rows, holding = at_a_state(case, state)
    left = slow.left_without_violators(rows, case.weights, holding)
    of_each = [weight if i in left else 0 for i, weight in enumerate(case.weights)]
    found = problem.settle(tuple(state))
    gone = case.n - sum(of_each)
    assert (found is None) == (gone > case.most)
    if found is not None:
        assert found.left_out == gone
        assert found.information_loss == pytest.approx(float(case.loss(state, of_each)), abs=SAME)


# --- every state ----------------------------------------------------------------------------------------------------


def check_least(problem: Problem) -> LeastChange | None:
    """The search ends with a state as good as the best of all, and says what it may of it."""
    best, found = least_of_all(problem), least_change(problem)
    assert isinstance(found, NothingFound) == (best is None)
    if best is None or isinstance(found, NothingFound):
        assert found.finished and found.proven >= problem.is_exact, "where it is exact that nothing does is proven"
        return None
    assert found.finished and found.proven == problem.is_exact
    assert found.best == problem.settle(found.best.node)
    assert found.best.information_loss == pytest.approx(best.information_loss, abs=SAME)
    assert found.first >= found.best.information_loss - SAME
    for j, level in enumerate(found.best.node):
        for lower in range(level):
            other = problem.settle((*found.best.node[:j], lower, *found.best.node[j + 1 :]))
            assert other is None or other.information_loss >= found.best.information_loss - SAME, (
                "no column can be lowered at a gain"
            )
    return found


@pytest.mark.parametrize(
    ("cases", "proven"),
    [
        (slow.cases(), None),
        (EVERYBODY, True),
        (slow.cases(leaving_out=(0,)), True),
        (slow.cases(slow.AVERAGE | slow.not_certain(p=(0.25, 0.5)), leaving_out=(1, 2, 4)), False),
    ],
    ids=["any", "for everybody", "nobody left out", "averages and likely values"],
)
@settings(max_examples=200)
@given(data=st.data())
def test_nothing_loses_less_than_what_is_found(cases, proven, data):
    case = data.draw(cases)
    found = check_least(problem_of(case, divisible=proven is not None or data.draw(st.booleans())))
    if found is not None and proven is not None:
        assert found.proven == proven and found.best.left_out <= case.most


@settings(max_examples=120)
@given(slow.cases(), st.data())
def test_branch_and_bound_from_any_state(case, data):
    """Whatever it begins with and whichever levels are allowed, it ends with the best of these."""
    problem = problem_of(case)
    states = list(every_state(problem))
    assume(states)
    begin = data.draw(st.sampled_from(states))
    allowed = [data.draw(st.sampled_from([range(level + 1), range(at, at + 1)]))
               for level, at in zip(problem.highest, begin.node, strict=True)]  # fmt: skip
    found = BranchAndBound(problem, begin, allowed).run(lambda share, best: None)
    within = [each for each in states if all(level in some for level, some in zip(each.node, allowed, strict=True))]
    assert found.information_loss == pytest.approx(min(each.information_loss for each in within), abs=SAME)


@settings(max_examples=100)
@given(slow.cases())
def test_first_answers_hold_and_take_back_what_is_not_needed(case):
    problem = problem_of(case)
    for way in (top_down, bottom_up):
        found = way(problem, lambda _: None)
        if found is not None:
            assert found == problem.settle(found.node)
            assert take_back(problem, found, lambda _: None) == found


@settings(max_examples=80)
@given(slow.cases(), st.data())
def test_a_part_of_a_problem_shares_what_was_counted(case, data):
    """Other guarantees, limits, caps and prices: the same answers as a problem of its own."""
    problem = problem_of(case)
    least_change(problem)
    guarantees = data.draw(st.lists(st.sampled_from(case.guarantees), min_size=1, max_size=2))
    caps = {name: data.draw(st.integers(0, 3)) for name in problem.columns}
    most, a_column = data.draw(st.sampled_from([0, 1, 3])), data.draw(st.sampled_from([0.0, 0.5]))
    part = problem.changed(guarantees=guarantees, suppression_limit=most, highest=caps, a_column=a_column)
    alone = Problem(
        case.classes,
        case.hierarchies,
        guarantees,
        suppression_limit=most,
        highest=caps,
        weights=case.matter,
        a_column=a_column,
    )
    assert part.highest == alone.highest and part.n_nodes == alone.n_nodes
    assert list(every_state(part)) == list(every_state(alone))
    check_least(part)


# --- stopping and going on ------------------------------------------------------------------------------------------


class Stopped(Exception):
    pass


@settings(max_examples=60)
@given(slow.cases(slow.STAYS_FOR_EVERYBODY | slow.shared()), st.integers(1, 12))
def test_stopping_keeps_the_best_so_far(case, looks):
    problem = problem_of(case)
    reports: list[tuple[float, LeastChange | None]] = []

    def watch(share: float, found: LeastChange | None) -> None:
        reports.append((share, found))
        if len(reports) == looks:
            raise Stopped

    try:
        found = least_change(problem, progress=watch)
    except Stopped:
        found = None
    shares = [share for share, _ in reports]
    assert all(0 <= share <= 1 for share in shares) and shares == sorted(shares)
    answers = [each for _, each in reports if each is not None]
    for each in answers:
        assert each.best == problem.settle(each.best.node) and not each.proven and not each.finished
    losses = [each.best.information_loss for each in answers]
    assert losses == sorted(losses, reverse=True)
    if found is None and answers:
        going_on = least_change(problem, start=answers[-1].best)
        whole = least_change(problem_of(case))
        assert isinstance(going_on, LeastChange) and isinstance(whole, LeastChange)
        assert going_on.best.information_loss == pytest.approx(whole.best.information_loss, abs=SAME)


@settings(max_examples=60)
@given(slow.cases())
def test_without_work_there_is_a_first_answer(case):
    problem = problem_of(case)
    found, whole = least_change(problem, work=0), least_change(problem_of(case))
    if isinstance(found, NothingFound):
        assert found.proven <= isinstance(whole, NothingFound) and (found.finished or not found.proven)
        assert isinstance(whole, NothingFound) or not all(each.stays and not each.share for each in case.guarantees)
    else:
        assert isinstance(whole, LeastChange)
        assert found.best == problem.settle(found.best.node)
        assert found.best.information_loss >= whole.best.information_loss - SAME
        assert found.finished or not found.proven


def test_neighbourhoods_go_on_where_there_is_no_work_left_for_a_proof():
    """They take turns with the proof; what neighbourhoods find before it ends is not proven."""
    names = tuple(f"c{i}" for i in range(8))
    case = of_many(60, names, names, KAnonymity(columns=names, least=3), most=6)
    first = least_change(problem_of(case), work=0)
    problem = problem_of(case)
    found = least_change(problem, work=A_SECOND / 5, rng=np.random.default_rng(1))
    whole = least_change(problem_of(case))
    assert whole.proven and first.first >= first.best.information_loss >= whole.best.information_loss - SAME
    assert first.first >= found.best.information_loss >= whole.best.information_loss - SAME
    assert found.finished or not found.proven


def test_a_start_that_no_longer_does_is_passed_over():
    case = of_many(60, "abcd", "abcd", KAnonymity(columns=tuple("abcd"), least=3), most=6)
    easy = least_change(problem_of(replace(case, guarantees=(KAnonymity(columns=case.names, least=1),))))
    assert easy.best.node == (0, 0, 0, 0)
    strict = problem_of(replace(case, most=0))
    found = least_change(strict, start=easy.best)
    assert (
        found.best.information_loss == pytest.approx(least_of_all(strict).information_loss, abs=SAME)
        and found.best.left_out == 0
    )


# --- what must not be got wrong -------------------------------------------------------------------------------------


def test_a_sensitive_column_is_dropped_where_that_is_cheapest():
    """Everybody has the same illness: nothing known helps, and dropping it does."""
    case = of_words("as", "xx yx xx yx", {"a": TOPPED, "s": TOPPED}, SURE)
    assert least_change(problem_of(case)).best == Solution((0, 1), 0.0, 0), "a value that all share tells nothing apart"
    assert least_change(problem_of(replace(case, ladders={"a": TOPPED}))) == NothingFound(proven=True, finished=True)


def test_a_harmless_value_changes_the_price():
    case = of_words("as", "xx xx yx yy", {"a": TOPPED}, SURE)
    assert least_change(problem_of(case)).best.node == (1,)
    fine = replace(case, guarantees=(replace(SURE, harmless=("x",)),))
    assert least_change(problem_of(fine)).best == Solution((0,), 0.0, 0)


def test_a_column_that_matters_more_stays():
    case = of_words("ab", "xx xy yx yy", {"a": TOPPED, "b": TOPPED}, KAnonymity(columns=("a", "b"), least=2))
    assert least_change(problem_of(replace(case, matter={"a": 2}))).best.node == (0, 1)
    assert least_change(problem_of(replace(case, matter={"b": 2}))).best.node == (1, 0)
    assert least_change(problem_of(replace(case, matter={"a": 0}))).best == Solution((1, 0), 0.0, 0)


# --- where values refuse ----------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(EVERYBODY, st.data())
def test_values_refuse_a_state_and_leave_out_nobody(case, data):
    problem = problem_of(case).changed(values_refuse=True)
    state = tuple(data.draw(st.sampled_from(list(np.ndindex(*(level + 1 for level in problem.highest))))))
    rows, holding = at_a_state(case, state)
    sizes = [each for each in case.guarantees if not problem.looks_at_values(each)]
    left = slow.left_without_violators(rows, case.weights, sizes)
    gone = case.n - sum(case.weights[i] for i in left)
    holds = slow.all_hold([rows[i] for i in left], [case.weights[i] for i in left], holding)
    settled = problem.settle(state)
    assert (settled is not None) == (gone <= case.most and holds)
    if settled is not None:
        assert settled.left_out == gone
        assert settled.information_loss == pytest.approx(problem_of(case).settle(state).information_loss, abs=SAME)


@settings(max_examples=300)
@given(slow.cases() | EVERYBODY, st.booleans())
def test_where_values_refuse_nothing_loses_less_than_what_is_proven(case, divisible):
    problem = problem_of(case, divisible).changed(values_refuse=True)
    best = least_of_all(problem)
    outcome = least_change(problem)
    if isinstance(outcome, NothingFound):
        assert best is None
        return
    assert outcome.best == problem.settle(outcome.best.node)
    assert outcome.best.information_loss == pytest.approx(best.information_loss, abs=SAME)
