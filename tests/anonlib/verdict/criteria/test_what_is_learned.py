"""Two questions of protection: who is found is limited for each recipient, what is learned for some, else measured."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.dataset import Dataset
from anonlib.release.steps import LeaveOut
from anonlib.verdict.criteria import (
    BY_KEY,
    RECIPIENTS,
    Accepted,
    Aim,
    Diversity,
    Inference,
    SmallestClass,
    State,
    judge,
)
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, SENSITIVE
from tests.helpers.verdicts import case_with

CELLS = st.lists(st.tuples(*[st.sampled_from("ab")] * 3, *[st.sampled_from("xyz")] * 2), min_size=1, max_size=12)
NAMES = ["age", "sex", "job", "ill", "drug"]
ROLES = {"age": QI, "sex": QI, "job": QI, "ill": SENSITIVE, "drug": SENSITIVE}


def case_of(rows):
    return case_with(Dataset.from_frame(pd.DataFrame(rows, columns=NAMES), roles=ROLES))


def certain_of(rows, column: str, known: list[str], facts: int) -> int:
    """Of how many rows somebody with at most so many facts is certain of the column's value, counted row by row."""
    at = NAMES.index(column)
    places = [NAMES.index(name) for name in known if name != column]
    return sum(
        any(
            len({other[at] for other in rows if all(other[i] == row[i] for i in chosen)}) == 1
            for size in range(facts + 1)
            for chosen in combinations(places, size)
        )
        for row in rows
    )


@settings(60)
@given(CELLS, st.integers(1, 3))
def test_what_is_measured_is_what_is_counted_row_by_row(rows, facts):
    measured = [Inference(known=facts, knows="other_sensitive"), Inference(known=facts)]
    verdict = judge(case_of(rows), [SmallestClass(1)], recipient="Under contract", measured=measured)
    assert verdict.may_leave, "what is measured stands against nothing"
    for finding, known in zip(verdict.measured, (NAMES, NAMES[:3]), strict=True):
        counts = {name: certain_of(rows, name, known, facts) for name in ("ill", "drug")}
        assert finding.state is State.MEASURED and dict(finding.by_column) == counts
        assert (finding.persons, finding.n_persons) == (max(counts.values()), len(rows))
        vary = {name: n for name, n in counts.items() if len({row[NAMES.index(name)] for row in rows}) > 1 and n}
        assert finding.by_column[0][1] == max((vary or counts).values()), "the worst first, of those that vary"
    worst = verdict.measured[0]
    if worst.persons:
        name, persons = worst.by_column[0]
        assert f"is certain of {name} for" in verdict.learned and f"({persons:,} of {len(rows)})" in verdict.learned
        assert ("for more of columns that hardly vary" in verdict.learned) == (persons < worst.persons)
    else:
        assert "is certain of no sensitive value" in verdict.learned
    assert verdict.says == f"{verdict.decision} {verdict.learned}"


@settings(60)
@given(
    CELLS,
    st.lists(
        st.builds(
            Inference,
            known=st.integers(0, 3),
            p=st.sampled_from([0.0, 0.3]),
            most=st.sampled_from([0.0, 0.2, 0.5]),
            knows=st.sampled_from(["quasi_identifiers", "other_sensitive"]),
            column=st.sampled_from(["", "ill"]),
        ),
        min_size=2,
        max_size=2,
        unique=True,
    ),
)
def test_a_criterion_that_another_one_asks_already_is_met_where_that_is(rows, asked):
    weak, strong = asked
    if weak.is_implied([strong], False):
        case = case_of(rows)
        assert not strong.check(case).is_met or weak.check(case).is_met
        assert not strong.is_implied([weak], False), "one of the two is looked at"


def test_of_two_attackers_the_one_who_knows_more_is_asked_against():
    more, less, _ = BY_KEY["contract"].measured
    assert less.is_implied([more], False) and not more.is_implied([less], False)
    assert not more.is_implied([Inference(known=2, most=0.01, knows="other_sensitive")], False), "but for its source"


@pytest.mark.parametrize("key", ["contract", "within"])
def test_the_switch_makes_what_is_measured_a_criterion_and_back(key):
    aim = Aim.for_recipient(key)
    assert not aim.limits_what_is_learned and aim.measured == BY_KEY[key].measured
    limited = aim.limiting_what_is_learned(True)
    assert limited.limits_what_is_learned and limited.measured == ()
    *certain, by_method = BY_KEY[key].measured
    assert limited.criteria == (*BY_KEY[key].criteria, *certain, by_method.as_criterion)
    assert not any(map(limited.is_changed, limited.criteria))
    assert limited.limiting_what_is_learned(False) == aim
    by_hand = limited.with_criterion(Diversity(2)).accepting(Accepted(Diversity(2), "A reason."))
    assert by_hand.limiting_what_is_learned(False) == aim, "criteria of one's own on it go too, with their reasons"
    for each in (aim, limited, by_hand):
        assert Aim.from_dict(each.to_dict()) == each


@pytest.mark.parametrize("recipient", RECIPIENTS, ids=lambda each: each.key)
def test_a_recipient_measures_only_what_is_learned_and_no_criterion_of_its_own(recipient):
    assert all(each.disclosure == "attribute" for each in recipient.measured)
    assert not set(recipient.measured) & set(recipient.criteria)
    assert not recipient.measured or not Aim.for_recipient(recipient.key).limits_what_is_learned


def test_what_cannot_be_counted_is_measured_as_such():
    data = Dataset.from_frame(pd.DataFrame({"age": ["1", "1"], "ill": ["x", "y"]}), roles={"age": QI, "ill": "other"})
    verdict = judge(
        case_with(data), [SmallestClass(2)], recipient="Under contract", measured=[Inference(), Inference(known=2)]
    )
    assert verdict.may_leave and [each.state for each in verdict.measured] == [State.UNKNOWN] * 2
    assert verdict.learned == "What can be learned of somebody was not counted, since no column is sensitive."
    assert "No column is sensitive" in verdict.measured[0].says


def test_what_was_not_counted_yet_stands_beside_the_worst_of_what_was():
    case = case_of([("a", "a", "a", "x", "x"), ("b", "a", "a", "y", "x")])
    more, less = Inference(known=2, knows="other_sensitive"), Inference(known=2)
    most_work = (less.work(case) + more.work(case)) / 2
    verdict = judge(case, [SmallestClass(1)], recipient="Own", measured=[more, less], most_work=most_work)
    assert [each.state for each in verdict.measured] == [State.UNKNOWN, State.MEASURED]
    assert "somebody who knows any 2 facts of a person is certain of ill for" in verdict.learned
    assert (
        "What somebody who knows any 2 facts of a person (sensitive ones too) can be sure of was not" in verdict.learned
    )


def test_a_release_without_records_measures_nothing():
    data = Dataset.from_frame(pd.DataFrame({"age": ["1"], "ill": ["x"]}), roles={"age": QI, "ill": SENSITIVE})
    verdict = judge(
        case_with(data, LeaveOut(2)), [SmallestClass(2)], recipient="Own", measured=[Inference()], most_work=1
    )
    assert verdict.measured == () and verdict.learned == ""
