"""What is certain from two known columns, against every set looked at by hand and the privacy profile."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.dataset import Dataset
from anonlib.individuals import Attacker, privacy_profile
from anonlib.release import inferable as module
from anonlib.release.inferable import inferable
from tests.helpers.small_release import PERSON, QI, SENSITIVE, WEIGHT

ROWS = st.lists(st.tuples(*[st.sampled_from([None, "a", "b"])] * 5), min_size=1, max_size=30)
ROLES = {"x": QI, "y": QI, "z": QI, "s": SENSITIVE, "t": SENSITIVE}


def data_of(rows, **fields) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(ROLES), dtype=object), roles=ROLES, **fields)


@given(ROWS)
def test_certain_by_brute_force(rows):
    found = {one.column: one for one in inferable(data_of(rows))}
    for j, name in ((3, "s"), (4, "t")):
        certain = 0
        for row in rows:
            sets = [known for size in range(3) for known in combinations(range(3), size)]
            peers = [[other[j] for other in rows if all(other[a] == row[a] for a in known)] for known in sets]
            certain += row[j] is not None and any(set(values) == {row[j]} for values in peers)
        assert (found[name].certain, found[name].n_records) == (certain, len(rows))
        assert found[name].known == ("x", "y", "z") and found[name].is_complete


@given(ROWS)
def test_they_are_those_of_ppp_0(rows):
    rows = [tuple(value or "c" for value in row) for row in rows]
    table = data_of(rows).classes(["x", "y", "z", "s"])
    profile = privacy_profile(table, Attacker(knows=2, include_empty=True), sensitive="s")
    (found,) = [one for one in inferable(data_of(rows)) if one.column == "s"]
    assert found.certain == round(float(profile.share_below(0)[0]) * len(rows))


def test_the_worst_is_first_and_missing_is_no_harm():
    rows = [("a", "a", "a", None, "flu"), ("b", "a", "a", None, "flu"), ("b", "b", "a", "yes", "flu")]
    assert [(one.column, one.certain) for one in inferable(data_of(rows))] == [("t", 3), ("s", 1)]
    assert [one.certain for one in inferable(data_of(rows, missing="drop"))] == [3, 1]


def test_persons_count_once_and_weights_as_often_as_they_say():
    frame = pd.DataFrame({"x": list("aab"), "s": ["flu", "flu", "ok"], "p": list("112"), "w": ["3", "1", "1"]})
    roles = {"x": QI, "s": SENSITIVE}
    assert inferable(Dataset.from_frame(frame, roles=roles | {"p": PERSON}))[0].certain == 2
    assert inferable(Dataset.from_frame(frame, roles=roles | {"w": WEIGHT}))[0].certain == 5
    assert inferable(Dataset.from_frame(frame, roles={"x": QI})) == ()


def test_where_all_pairs_are_too_many_the_finest_columns_give_at_least(monkeypatch):
    rows = [(str(i % 2), str(i % 7), str(i % 30), str(i % 5), "t") for i in range(120)]
    whole = {one.column: one for one in inferable(data_of(rows))}
    monkeypatch.setattr(module, "_MOST_LOOKED_AT", 120 * 2)
    part = {one.column: one for one in inferable(data_of(rows))}
    assert part["s"].known == ("z",) and not part["s"].is_complete
    assert part["s"].certain <= whole["s"].certain
