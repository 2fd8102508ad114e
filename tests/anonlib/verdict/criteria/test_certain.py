"""What is certain from a few known columns, against every set looked at by hand and the privacy profile."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals import Attacker, privacy_profile
from anonlib.dataset import Dataset
from anonlib.release.steps import LeaveOut
from anonlib.verdict.criteria.inference import Certain, certain
from tests.helpers.small_release import PERSON, QI, SENSITIVE, WEIGHT
from tests.helpers.verdicts import case_with

ROWS = st.lists(st.tuples(*[st.sampled_from([None, "a", "b"])] * 5), min_size=1, max_size=30)
ROLES = {"x": QI, "y": QI, "z": QI, "s": SENSITIVE, "t": SENSITIVE}


def data_of(rows, **fields) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(ROLES), dtype=object), roles=ROLES, **fields)


def counts(data: Dataset, known: int | None = 2, **fields) -> dict[str, int]:
    found = certain(case_with(data, **fields), known)
    assert found is not None
    return {name: each.certain for name, each in found.items()}


def by_hand(rows, j: int, most: int, harmless: tuple[str, ...] = ()) -> int:
    """For how many rows all who share some known values have the same value in the j-th column."""
    sets = [known for size in range(most + 1) for known in combinations(range(3), size)]
    total = 0
    for row in rows:
        peers = [[other[j] for other in rows if all(other[a] == row[a] for a in known)] for known in sets]
        total += row[j] is not None and row[j] not in harmless and any(set(values) == {row[j]} for values in peers)
    return total


@given(ROWS, st.sampled_from([(), ("a",)]))
def test_certain_by_brute_force(rows, harmless):
    for known, most in ((0, 0), (1, 1), (2, 2), (None, 3)):
        found = counts(data_of(rows), known, harmless={"s": harmless})
        assert found == {"s": by_hand(rows, 3, most, harmless), "t": by_hand(rows, 4, most)}


@given(ROWS)
def test_they_are_those_of_ppp_0(rows):
    rows = [tuple(value or "c" for value in row) for row in rows]
    table = data_of(rows).classes(["x", "y", "z", "s"])
    profile = privacy_profile(table, Attacker(knows=2, include_empty=True), sensitive="s")
    assert counts(data_of(rows))["s"] == round(float(profile.share_below(0)[0]) * len(rows))


def test_missing_is_no_harm_and_a_column_that_does_not_leave_tells_nothing():
    rows = [("a", "a", "a", None, "flu"), ("b", "a", "a", None, "flu"), ("b", "b", "a", "yes", "flu")]
    assert counts(data_of(rows)) == {"s": 1, "t": 3}
    gone = case_with(data_of(rows), LeaveOut(2))
    assert certain(gone, 2, before=True) == {"s": Certain("s", 1, 3), "t": Certain("t", 3, 3)}


def test_persons_count_once_and_weights_as_often_as_they_say():
    frame = pd.DataFrame({"x": list("aab"), "s": ["flu", "flu", "ok"], "p": list("112"), "w": ["3", "1", "1"]})
    roles = {"x": QI, "s": SENSITIVE}
    assert counts(Dataset.from_frame(frame, roles=roles | {"p": PERSON})) == {"s": 2}
    assert counts(Dataset.from_frame(frame, roles=roles | {"w": WEIGHT})) == {"s": 5}
    assert counts(Dataset.from_frame(frame, roles={"x": QI})) == {}


def test_of_persons_with_several_rows_one_row_may_tell_more_than_their_values():
    """By the values of each column nobody is like another; by one row “a” both have it."""
    rows = [("1", "a", "hiv"), ("1", "b", "flu"), ("2", "a", "hiv"), ("2", "c", "flu")]
    data = Dataset.from_frame(pd.DataFrame(rows, columns=["p", "x", "s"]), roles={"p": PERSON, "x": QI, "s": SENSITIVE})
    assert counts(data) == {"s": 2}


def test_where_sets_are_too_many_none_is_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("anonlib.verdict.criteria.sizes.MOST_LOOKED_AT", 5)
    case = case_with(data_of([("a", "a", "a", "a", "a")] * 3 + [("b", "a", "c", "a", "a")]))
    assert certain(case, 2) is None and certain(case, None) is not None
