"""Proposals as they are taken: the release is what was counted, and meets what was searched, also read again."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import LeastChange, NothingFound, Solution, least_change
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.basics.budget import Budget
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import (
    Aim,
    AverageRisk,
    Closeness,
    ColumnsStay,
    Criterion,
    Finding,
    Inference,
    NoIdentifiers,
    RecordsKept,
    SmallestClass,
    State,
    Verdict,
)
from anonlib.verdict.proposals import Adviser, Asked, Proposal, WhatIf, WhatIfs, what_ifs, why_none
from anonlib.verdict.proposals.offers import KINDS, Cost, Offer, Offers, best_first, is_order_fixed
from tests.helpers.adviser import SAME
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.proposals import advisers, check_taken
from tests.helpers.small_release import OTHER, PERSON, QI, SENSITIVE, WEIGHT, column
from tests.helpers.verdicts import case_with
from tests.helpers.ways import whole_columns


@settings(max_examples=160)
@given(advisers(), st.sampled_from(["most_detail", "most_records", "fewest_columns"]))
def test_what_is_taken_is_what_was_searched(adviser, which):
    proposal = getattr(adviser, which)()
    if isinstance(proposal, NothingFound):
        return
    stay = {name for each in adviser.asked.criteria if isinstance(each, ColumnsStay) for name in each.columns}
    assert not set(proposal.levels) & {*adviser.asked.fixed, *stay}
    assert which != "most_records" or not (proposal.left_out or proposal.rows_out)
    check_taken(adviser, proposal)


@settings(max_examples=120)
@given(advisers())
def test_where_sensitive_columns_give_way_what_leaves_is_what_was_searched(adviser):
    """Only where nothing was found with all of them, and never one that must stay."""
    proposal = whole_columns(adviser)
    if isinstance(proposal, NothingFound):
        return
    left_out = {name for name in adviser.data.sensitive if proposal.changes.get(name) == "dropped"}
    assert not left_out & {*adviser.asked.fixed, *(adviser.fixed)}
    assert left_out <= {*adviser.asked.droppable} or isinstance(adviser.most_detail(), NothingFound)
    check_taken(adviser, proposal)


@settings(max_examples=80)
@given(advisers())
def test_the_three_proposals_differ_as_they_say(adviser):
    detail, records, columns = adviser.most_detail(), adviser.most_records(), adviser.fewest_columns()
    if isinstance(detail, NothingFound):
        assert detail == columns and isinstance(records, NothingFound) and records.proven >= detail.proven
        return
    assert isinstance(columns, Proposal) and len(columns.levels) <= len(detail.levels)
    assert columns.loss >= detail.loss - SAME
    if isinstance(records, Proposal):
        assert records.loss >= detail.loss - SAME and not records.left_out
        assert len(columns.levels) <= len(records.levels)
    assert detail.least_change.proven == adviser.problem.is_exact


@settings(max_examples=60)
@given(advisers())
def test_prices_are_what_it_costs_to_ask(adviser):
    """Never below 0, and alone never more than together, where both were proven."""
    asked = adviser.asked
    prices, whole = adviser.marginal_costs(), adviser.most_detail()
    assert bool(prices) == isinstance(whole, Proposal)
    if isinstance(whole, NothingFound):
        return
    assert [each.criterion for each in prices] == [criterion for criterion, _ in adviser.searched]
    allowing = [each for each in asked.criteria if isinstance(each, RecordsKept | ColumnsStay)]
    for each in prices:
        alone = Adviser(replace(asked, criteria=(each.criterion, *allowing))).most_detail()
        assert 0 <= each.cost <= whole.loss + SAME
        assert isinstance(alone, NothingFound) == (each.alone is None)
        assert isinstance(alone, NothingFound) or alone.loss == pytest.approx(each.alone, abs=SAME)
        if adviser.problem.is_exact:
            assert isinstance(alone, Proposal) and each.alone <= whole.loss + SAME
            if len({id(criterion) for criterion, _ in adviser.searched}) == 1:
                assert each.cost == pytest.approx(whole.loss, abs=SAME)


def allowing(asked: Asked, what_if: WhatIf) -> Asked:
    """What is asked once a what-if is allowed."""
    criteria = tuple(what_if.new if each == what_if.old and what_if.new else each for each in asked.criteria)
    harmless = dict(asked.harmless)
    if what_if.harmless is not None:
        names, value = what_if.harmless
        harmless |= {name: (*harmless.get(name, ()), value) for name in names}
    fixed = tuple(name for name in asked.fixed if name != what_if.free)
    droppable = (*asked.droppable, *what_if.drop)
    return replace(asked, criteria=criteria, harmless=harmless, fixed=fixed, droppable=droppable)


@settings(max_examples=200)
@given(advisers())
def test_where_nothing_is_found_it_is_stated_how_sure_that_is_and_what_is_offered_does(adviser):
    nothing = adviser.most_detail()
    if isinstance(nothing, Proposal):
        assert what_ifs(adviser).ways == () or adviser.conflict() is not None
        return
    assert why_none(adviser, nothing).startswith("Nothing that is allowed" if nothing.proven else "No change was found")
    for what_if in what_ifs(adviser).ways:
        assert isinstance(Adviser(allowing(adviser.asked, what_if)).most_detail(), Proposal), what_if.says


# --- a file of eight ------------------------------------------------------------------------------------------------

PEOPLE = [
    ("31", "F", "flu"), ("32", "F", "flu"), ("34", "F", "asthma"), ("36", "M", "flu"), ("38", "M", "cancer"),
    ("52", "M", "flu"), ("57", "F", "asthma"), ("58", "F", "flu"),
]  # fmt: skip
AGES = Hierarchy((Intervals(10), Intervals(30))).with_top()
SEXES = Hierarchy((EVERYTHING,))


def people(**fields) -> Dataset:
    frame = pd.DataFrame(PEOPLE, columns=["age", "sex", "illness"], dtype=object)
    return Dataset.from_frame(
        frame, roles={"age": QI, "sex": QI, "illness": SENSITIVE} | fields.pop("roles", {}), **fields
    )


def adviser_of(*criteria: Criterion, **fields) -> Adviser:
    return Adviser(Asked(people(), criteria, {"age": AGES, "sex": SEXES}, **fields))


def test_steps_say_what_they_are_for():
    adviser = adviser_of(SmallestClass(2), RecordsKept(0.8))
    found = adviser.most_detail()
    assert (found.levels, found.left_out, found.decides) == ({"age": 1}, 1, ("age", "sex"))
    recode, leave_out = found.steps
    assert isinstance(recode, Recode) and recode.column == "age" and recode.recoding == Intervals(10)
    assert isinstance(leave_out, LeaveOut) and {step.reason for step in found.steps} == {"for the verdict"}
    assert adviser.problem.suppression_limit == 1 and found.least_change.proven


def test_a_level_that_leaves_a_value_without_a_label_is_passed_over_where_who_lacks_one_is_left_out():
    frame = pd.DataFrame({"age": ["30", "30", "31", "32"]}, dtype=object)
    data = Dataset.from_frame(frame, roles={"age": QI}, missing="drop")
    gap = ValueMap((("30", None), ("31", "thirties"), ("32", "thirties")))
    adviser = Adviser(Asked(data, (SmallestClass(2), RecordsKept(1.0)), {"age": Hierarchy((gap, EVERYTHING))}))
    found = adviser.most_detail()
    assert found.steps[0].recoding.otherwise == "*" and not found.left_out
    assert found.changes == {"age": "removed"}, "the levels that are left are counted, and said"
    assert column(found.taken(Recipe(), data).apply(data).released, "age") == ["*"] * 4


def test_an_earlier_search_gives_way():
    adviser = adviser_of(SmallestClass(2), RecordsKept(0.8))
    first = adviser.most_detail().taken(Recipe(), people())
    again = adviser.most_records().taken(first.add(LeaveOut(2)), people())
    steps = [entry.step for entry in again.entries]
    assert [step for step in steps if isinstance(step, LeaveOut)] == [LeaveOut(2)] and steps[-1] == LeaveOut(2)
    assert again.apply(people()).released.n_records == 8


def test_a_label_of_missing_values_parts_no_person_from_those_without_gaps():
    """One person's age is missing in one of two rows: with its label they would be known by both, the other by one."""
    rows = [("p1", "30", "1"), ("p1", None, "2"), ("p2", "31", "3"), ("p3", None, "4"), ("p4", None, "5")]
    data = Dataset.from_frame(
        pd.DataFrame(rows, columns=["who", "age", "number"], dtype=object),
        roles={"who": PERSON, "age": QI, "number": OTHER},
    )
    thirties = ValueMap((("30", "30s"), ("31", "30s")), missing="unknown")
    asked = Asked(data, (SmallestClass(2), RecordsKept(1.0)), {"age": Hierarchy((thirties, EVERYTHING))})
    found = Adviser(asked).most_detail()
    assert found.changes == {"age": "removed"}, "30 and what is missing would stay apart"
    released = found.taken(Recipe(), data).apply(data).released
    assert column(released, "age") == ["*"] * 5
    check_taken(Adviser(asked), found)


def test_a_sensitive_column_is_dropped_where_that_may_be():
    constant = people()
    frame = constant.frame.assign(illness=pd.Categorical(["flu"] * 8))
    data = constant.with_frame(frame, "")
    asked = Asked(data, (Inference(0, most=0.0), SmallestClass(2), RecordsKept(0.8)), {"age": AGES, "sex": SEXES})
    assert Adviser(asked).most_detail() == NothingFound(proven=True, finished=True)
    dropping = Adviser(Asked(data, asked.criteria, asked.hierarchies, droppable=("illness",)))
    found = dropping.most_detail()
    assert found.levels == {"age": 1, "illness": 1} and found.left_out == 1
    assert DropColumns(("illness",), "for the verdict") in found.steps
    assert "illness" not in found.taken(Recipe(), data).apply(data).released.columns
    check_conflict, criteria = Adviser(asked).conflict()
    assert criteria == (asked.criteria[0],) and check_conflict.violating == 8


def test_numbers_are_in_their_own_order():
    """As text “10” comes before “2”, and the distance between them would be another."""
    stays = [("30", stay) for stay in ("1", "2", "10", "10")] + [("50", stay) for stay in ("1", "1", "2", "2", "10")]
    frame = pd.DataFrame([(*row, str(i)) for i, row in enumerate(stays * 2)], columns=["age", "stay", "number"])
    data = Dataset.from_frame(frame, roles={"age": QI, "stay": SENSITIVE, "number": OTHER})
    for tenths in range(6):
        close = Closeness(tenths / 20, "ordered")
        adviser = Adviser(Asked(data, (close, RecordsKept(0.5)), {"age": AGES}))
        met = close.check(case_with(data)).is_met
        assert bool(adviser.most_detail().steps) != met
        check_taken(adviser, adviser.most_detail())


def test_a_marginal_cost_where_the_others_alone_were_not_found_to_be_met(monkeypatch):
    """What meets all meets the others: where the search misses that, this one is not said to cost everything."""
    adviser = adviser_of(SmallestClass(2), AverageRisk(0.5), RecordsKept(1.0))
    whole = adviser.most_detail().loss
    found = adviser.marginal_costs()
    assert whole > 0 and [each.finished for each in found] == [True, True]
    searches = iter([least_change(adviser.problem), *[NothingFound(proven=False, finished=False)] * 4])
    monkeypatch.setattr("anonlib.verdict.proposals.adviser.within", lambda problem, *_: next(searches))
    found = adviser.marginal_costs()
    assert [(each.cost, each.alone, each.finished) for each in found] == [(0.0, None, False)] * 2


def test_the_earlier_name_of_what_criteria_cost_still_does():
    adviser = adviser_of(SmallestClass(2), RecordsKept(1.0))
    with pytest.warns(DeprecationWarning, match="marginal_costs"):
        assert adviser.prices() == adviser.marginal_costs()


def test_what_cannot_be_searched_is_stated():
    with refused("nothing-to-search-for"):
        adviser_of(NoIdentifiers(), RecordsKept(0.5))
    with refused("nothing-to-search-for"):
        Adviser(Asked(people(roles={"age": OTHER, "sex": OTHER}), (SmallestClass(2),)))


def test_columns_that_stay_are_fixed():
    fixed = adviser_of(SmallestClass(3), ColumnsStay(("sex",)), RecordsKept(1.0))
    assert fixed.problem.columns == ("age",) and set(fixed.most_detail().levels) == {"age"}
    stay = adviser_of(SmallestClass(2), ColumnsStay(("sex", "age")), RecordsKept(1.0))
    assert stay.most_detail() == NothingFound(proven=True, finished=True)


def test_the_limit_of_records_is_of_the_original():
    """Three of ten have no age and leave anyway: of the others one may be left out where six of ten are to be kept."""
    frame = pd.DataFrame([*PEOPLE[:7], *[(None, "F", "flu")] * 3], columns=["age", "sex", "illness"], dtype=object)
    data = Dataset.from_frame(frame, roles={"age": QI, "sex": QI, "illness": SENSITIVE}, missing="drop")
    asked = Asked(data, (SmallestClass(2), RecordsKept(0.6)), {"age": AGES, "sex": SEXES})
    assert Adviser(asked).problem.suppression_limit == 1
    weighted = data.with_frame(frame.assign(w=pd.Categorical(["10"] * 10)).astype("category"), "")
    weighted = weighted.with_roles({**data.roles, "w": WEIGHT})
    assert Adviser(Asked(weighted, asked.criteria, asked.hierarchies)).problem.suppression_limit == 10, (
        "persons, not rows"
    )
    assert Adviser(Asked(people(), (SmallestClass(2),))).problem.suppression_limit == 0, (
        "5% of eight, where nothing is said"
    )


@pytest.mark.parametrize("weight", [-1.0, float("nan"), "much"])
def test_weights_must_be_numbers_of_0_or_more(weight):
    with pytest.raises(InputError, match="age"):
        adviser_of(SmallestClass(2), weights={"age": weight})


def test_a_loss_is_of_the_original_also_where_columns_were_dropped_before():
    """Taken once, a proposal that drops a column does not let the next one look as if that had cost nothing."""
    frame = pd.DataFrame({"a": list("xxyyzz"), "b": list("112234"), "s": list("uvuvuv")}, dtype=object)
    data = Dataset.from_frame(frame, roles={"a": QI, "b": QI, "s": SENSITIVE})
    aim = replace(Aim.for_recipient("own"), criteria=(SmallestClass(2), RecordsKept(1.0)), weights=(("b", 2.0),))
    without = data.without_columns(["b"])
    alone = Adviser(Asked.of(without, aim, {})).most_detail()
    of_all = Adviser(Asked.of(without, aim, {}, original=data)).most_detail()
    whole = Adviser(Asked.of(data, aim, {}, original=data)).most_detail()
    assert (alone.loss, alone.levels) == (0.0, {}) and of_all.loss == pytest.approx(2 / 4)
    assert whole.loss <= of_all.loss
    assert Adviser(Asked.of(without, aim, {}, original=data)).marginal_costs()[0].cost == 0.0


def test_what_ifs_within_a_time_are_those_that_were_tried_by_then(monkeypatch):
    """The clock strikes after the first what-if: what follows it is not tried, and a later search is not stopped."""
    frame = pd.DataFrame({"age": ["31"] * 6, "illness": list("xxxxyy"), "ward": ["A"] * 6})
    data = Dataset.from_frame(frame, roles={"age": QI, "illness": SENSITIVE, "ward": SENSITIVE})
    adviser = Adviser(Asked(data, (Inference(0, most=0.0), SmallestClass(7), RecordsKept(0.5))))
    asked_less = Adviser(Asked(data, (Inference(0, most=0.0), RecordsKept(0.5))))
    assert what_ifs(adviser, budget=Budget(seconds=0)) == WhatIfs((), all_tried=False)
    every = what_ifs(asked_less)
    assert len(every.ways) > 1 and every.all_tried

    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def strikes(share, found):
        assert 0 <= share <= 1
        now[0] = 100.0 if found else 0.0

    before = asked_less.problem.check_stop
    in_time = what_ifs(asked_less, strikes, Budget(seconds=10))
    (first,) = in_time.ways
    assert first in every.ways and not in_time.all_tried
    assert asked_less.problem.check_stop is before
    assert what_ifs(asked_less) == every


def test_where_no_single_thing_would_do_two_sensitive_columns_are_left_out_together():
    """Everybody's illness and ward are certain, so neither may leave; the outcome may."""
    frame = pd.DataFrame({"age": ["31"] * 6, "illness": ["flu"] * 6, "ward": ["A"] * 6, "outcome": list("xyxyxy")})
    roles = {"age": QI} | dict.fromkeys(("illness", "ward", "outcome"), SENSITIVE)
    asked = Asked(Dataset.from_frame(frame, roles=roles), (Inference(0, most=0.0), RecordsKept(1.0)))
    adviser = Adviser(asked)
    assert isinstance(adviser.most_detail(), NothingFound)
    (what_if,) = what_ifs(adviser).ways
    assert set(what_if.drop) == {"illness", "ward"} and what_if.says.endswith("dropped")
    found = Adviser(replace(asked, droppable=what_if.drop)).most_detail()
    assert isinstance(found, Proposal)
    released = found.taken(Recipe(), asked.data).apply(asked.data).released
    assert set(released.columns) == {"age", "outcome"}


def test_a_proposal_that_leaves_something_of_each_column_stands_before_one_that_loses_less_on_average():
    """Nothing can be analysed of a column that is gone; of those that meet as much, and only of those."""
    found = LeastChange(Solution((1,), 0.4, 0), 0.4, False, finished=True, seconds=1.0)
    proposal = Proposal({"age": 1}, {}, (), ("age",), 0.4, 0, 10, found)
    mixed, whole = (Offer(kind, proposal) for kind in (KINDS[0], KINDS[2]))
    costs = {mixed.title: Cost(0, 0.5), whole.title: Cost(1, 0.3)}
    assert best_first(Offers((whole, mixed)), {}, costs) == [mixed, whole]
    assert best_first(Offers((whole, mixed)), {}, {**costs, mixed.title: Cost(1, 0.5)}) == [whole, mixed]


def test_where_a_search_refuses_by_a_coin_the_first_way_stands_first_whatever_it_loses():
    """Ways compared by what they lost would add up their refusals for somebody who knows that they were."""
    found = LeastChange(Solution((1,), 0.4, 0), 0.4, False, finished=True, seconds=1.0)
    proposal = Proposal({"age": 1}, {}, (), ("age",), 0.4, 0, 10, found)
    mixed, blank, whole = (Offer(kind, proposal) for kind in KINDS[:3])
    costs = {mixed.title: Cost(1, 0.9), blank.title: Cost(0, 0.5), whole.title: Cost(0, 0.1)}
    offers = Offers((whole, blank, mixed))
    assert best_first(offers, {}, costs) == [whole, blank, mixed]
    assert best_first(offers, {}, costs, fixed=True) == [mixed, blank, whole]
    criterion = SmallestClass(5)
    finding = Finding(criterion, State.NOT_MET, "", 0.0)
    not_met = Verdict("own", (finding,))
    is_met = Verdict("own", (replace(finding, state=State.MET),))
    verdicts = {mixed.title: not_met, blank.title: is_met, whole.title: is_met}
    assert best_first(offers, verdicts, costs, fixed=True) == [blank, whole, mixed], "the first that meets all"


def test_the_order_is_fixed_where_a_criterion_asks_for_a_coin():
    with_coin = SimpleNamespace(coin=Coin())
    assert is_order_fixed([SmallestClass(5), with_coin]) and not is_order_fixed([SmallestClass(5)])
