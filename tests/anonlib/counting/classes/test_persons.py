"""Persons whose rows differ: their set of values keeps its members, and recoding it is recoding their rows."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import generalize
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, generalized
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.rows_of_persons import ValueSet, bar_between
from anonlib.counting.privacy_models import KAnonymity
from tests.helpers.tables import check_form

VALUES = ["a", "b", "c", "a | b", "b || c"]  # some look like the labels of sets
AGES = Hierarchy((Intervals(5), Intervals(10), EVERYTHING))


def members(label: str | None) -> frozenset[str]:
    """What a label stands for: nothing, one value, or several."""
    if label is None:
        return frozenset()
    return frozenset(label.members) if isinstance(label, ValueSet) else frozenset({label})


def counted(table: ClassTable) -> Counter:
    """The classes with each label as the set it stands for; no two classes may stand for the same."""
    columns = [table.column(name) for name in table.attributes]
    keys = [tuple(map(members, row)) for row in zip(*columns, strict=True)]
    assert len(set(keys)) == len(keys)
    return Counter(dict(zip(keys, table.counts.tolist(), strict=True)))


def persons(rows: list[tuple], ids: list) -> ClassTable:
    frame = pd.DataFrame(rows, columns=["x", "y"], dtype=object)
    return ClassTable.from_frame(frame.assign(id=pd.Series(ids, dtype=object)), person="id")


def ladders(levels: int = 3) -> st.SearchStrategy[slow.Ladder]:
    """Ladders on which a missing value stays missing up to the top: it gives way to any value, whatever its label."""
    return slow.ladders(VALUES, levels).filter(lambda ladder: all(level[None] in (None, slow.TOP) for level in ladder))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[tuple], list]:
    """Rows of two columns and the person each is of; who has none is a person of their own."""
    rows = draw(st.lists(st.tuples(*[st.sampled_from([*VALUES, None])] * 2), min_size=1, max_size=16))
    return rows, draw(st.lists(st.sampled_from(["p", "q", "r", "s", None]), min_size=len(rows), max_size=len(rows)))


def relabelled(rows: list[tuple], x: dict, y: dict) -> list[tuple]:
    return [(x[one], y[other]) for one, other in rows]


# --- recoding -------------------------------------------------------------------------------------------------------


@given(tables(), ladders(), ladders(), st.data())
def test_recoding_persons_is_recoding_their_rows(table, x, y, data):
    rows, ids = table
    levels = {"x": data.draw(st.integers(0, len(x) - 1)), "y": data.draw(st.integers(0, len(y) - 1))}
    hierarchies = {"x": slow.hierarchy_of(x), "y": slow.hierarchy_of(y)}
    found = generalized(persons(rows, ids), hierarchies, levels)
    assert counted(found) == counted(persons(relabelled(rows, x[levels["x"]], y[levels["y"]]), ids))
    assert found.class_of_record is not None and len(found.class_of_record) == len(rows)


@given(tables(), ladders(2), ladders(2), st.integers(1, 3))
def test_the_least_generalization_of_persons(table, x, y, k):
    rows, ids = table
    classes = persons(rows, ids)
    hierarchies = {"x": slow.hierarchy_of(x), "y": slow.hierarchy_of(y)}
    states = [(i, j) for i in range(len(x)) for j in range(len(y))]
    recounted = {(i, j): counted(persons(relabelled(rows, x[i], y[j]), ids)) for i, j in states}
    satisfied = [state for state in states if min(recounted[state].values()) >= k]
    if not satisfied:
        with pytest.raises(InputError):
            generalize(classes, hierarchies, KAnonymity(columns=("x", "y"), least=k))
        return
    found = generalize(classes, hierarchies, KAnonymity(columns=("x", "y"), least=k))
    best = min(satisfied, key=lambda state: (-len(recounted[state]), sum(state), state))
    assert tuple(found.levels.values()) == best
    assert counted(found.classes) == recounted[best]
    parts = generalize(classes, hierarchies, KAnonymity(columns=("x", "y"), least=k), method="parts")
    assert parts.k[0] >= k and parts.utility.records == classes.n_records


def test_sets_on_every_level():
    classes = persons([("31", "u"), ("37", "u"), ("41", "u"), ("43", "v"), (None, "u"), ("31", "u")], list("ppqqqr"))
    assert {members(label) for label in classes.categories[0]} == {
        frozenset({"31"}), frozenset({"31", "37"}), frozenset({"41", "43"}),
    }  # fmt: skip
    levels = AGES.on(classes.categories[0], "age")
    place = {members(label): i for i, label in enumerate(classes.categories[0])}
    both, forties, one = (place[frozenset(found)] for found in ({"31", "37"}, {"41", "43"}, {"31"}))
    assert [levels.label(level)[both] for level in range(4)] == ["31 | 37", "30-34 | 35-39", "30-39", "*"]
    assert [levels.label(level)[forties] for level in range(4)] == ["41 | 43", "40-44", "40-49", "*"]
    assert [levels.label(level)[one] for level in range(4)] == ["31", "30-34", "30-39", "*"]
    kinds = [type(levels.label(level)[place]) for level, place in [(1, both), (2, both), (0, forties), (1, forties)]]
    assert kinds == [ValueSet, str, ValueSet, str]
    # Three values of the column, and at the level of ten years two of them are one.
    assert levels.loss(2)[both] == 1 / 2 and levels.loss(2)[forties] == 0 and levels.loss(3).tolist() == [1, 1, 1]


def test_a_hierarchy_must_cover_the_members_of_a_set():
    classes = persons([("a", "u"), ("b", "u"), ("c", "u")], ["p", "p", "q"])
    with pytest.raises(InputError, match="hierarchy of “x” does not cover 1 value of 3 on level 1"):
        generalized(classes, {"x": Hierarchy((ValueMap.of({"a": "A", "c": "C"}),))}, {"x": 1})
    covered = generalized(classes, {"x": Hierarchy((ValueMap.of({"a": "A", "b": "A", "c": "C"}),))}, {"x": 1})
    assert counted(covered) == {(frozenset("A"), frozenset("u")): 1, (frozenset("C"), frozenset("u")): 1}


def test_a_member_without_a_label_gives_way_to_one_that_has_a_label():
    classes = persons([("a", "u"), ("b", "u"), ("a", "u")], ["p", "p", "q"])
    hierarchy = Hierarchy((ValueMap.of({"a": None, "b": "B"}), EVERYTHING))
    assert counted(generalized(classes, {"x": hierarchy}, {"x": 1})) == {
        (frozenset("B"), frozenset("u")): 1, (frozenset(), frozenset("u")): 1,
    }  # fmt: skip


# --- labels ---------------------------------------------------------------------------------------------------------


def test_a_text_that_looks_like_a_set_is_a_value():
    classes = persons([("a | b", "u"), ("a", "u"), ("b", "u")], ["p", "q", "q"])
    assert [type(label) is ValueSet for label in classes.categories[0]].count(True) == 1
    assert {members(label) for label in classes.column("x")} == {frozenset({"a | b"}), frozenset({"a", "b"})}
    assert len(set(classes.column("x"))) == 2, "the bar of a set is longer than any in a value"


@given(st.lists(st.text("a| ", min_size=1, max_size=4), min_size=1, max_size=5, unique=True))
def test_no_two_sets_share_a_label(values):
    bar = bar_between(values)
    sets = [[v for i, v in enumerate(values) if bits >> i & 1] for bits in range(1, 2 ** len(values))]
    assert all(bar.strip() not in value for value in values)
    assert len({bar.join(found) for found in sets if len(found) > 1} | set(values)) == len(sets)


def test_the_label_is_a_text_that_keeps_its_members():
    label = ValueSet.of(["a", "b"], " | ")
    assert label == "a | b" and hash(label) == hash("a | b") and {"a | b": 1}[label] == 1
    for other in (pickle.loads(pickle.dumps(label)), copy.copy(label), copy.deepcopy(label)):
        assert type(other) is ValueSet and other == label and other.members == ("a", "b")


def test_sets_stay_sets_on_the_way():
    """Through projecting, keeping some classes and relabelling others, a set can still be recoded."""
    classes = persons([("31", "u"), ("37", "u"), ("41", "v"), ("44", "u")], ["p", "p", "q", "r"])
    there = classes.column("x") != "41"
    for table in (
        classes.project(["y", "x"]),
        classes.keep(there),
        classes.recode({"y": np.array(["w"] * len(classes.categories[1]), dtype=object)}),
        pickle.loads(pickle.dumps(classes)),
    ):
        recoded = generalized(table, {"x": AGES}, {"x": 1})
        assert frozenset({"30-34", "35-39"}) in {members(label) for label in recoded.column("x")}
    assert classes.keep(there).class_of_record.tolist().count(-1) == 1


def test_a_database_keeps_the_members_too():
    frame = pd.DataFrame({"x": ["31", "37", "41", None], "y": list("uuvv"), "id": list("ppqq")})
    there = ClassTable.from_ibis(ibis.memtable(frame), ["x", "y"], person="id")
    here = ClassTable.from_frame(frame, ["x", "y"], person="id")
    for level in range(4):
        assert counted(generalized(there, {"x": AGES}, {"x": level})) == counted(
            generalized(here, {"x": AGES}, {"x": level})
        )


# --- class tables with new values, or without some classes ----------------------------------------------------------


@given(tables(), st.data())
def test_relabelling_and_keeping_are_counting_again(table, data):
    rows, _ = table
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=["x", "y"], dtype=object))
    codes = np.array([data.draw(st.integers(0, 3)) for _ in range(classes.n_classes)], dtype=np.intp)
    labels = np.array([data.draw(st.sampled_from(["a", "d", None])) for _ in range(4)], dtype=object)
    kept = np.array([data.draw(st.booleans()) for _ in range(classes.n_classes)], dtype=bool)
    found = classes.relabel({"x": (codes, labels)}, kept)
    expected: Counter = Counter()
    for place, (_, y) in zip(classes.class_of_record.tolist(), rows, strict=True):
        if kept[place]:
            expected[labels[codes[place]], y] += 1
    assert slow.counted(found) == expected
    check_form(found)
    places = found.class_of_record.tolist()
    for place, before, (_, y) in zip(places, classes.class_of_record.tolist(), rows, strict=True):
        assert (place >= 0) == bool(kept[before])
        assert place < 0 or (found.column("x")[place], found.column("y")[place]) == (labels[codes[before]], y)
    check_form(classes.keep(kept))
    sizes = [
        count if kept[place] else 0
        for place, count in zip(classes.class_of_record, classes.size_of_record, strict=True)
    ]
    assert classes.keep(kept).size_of_record.tolist() == sizes
    assert slow.counted(classes.keep(kept)) == Counter(
        {row: count for row, count in slow.counted(classes).items() if kept[classes.class_of_record[rows.index(row)]]}
    )
