"""Lists in cells: recognised, looked at item by item, and put together again when they leave."""

from __future__ import annotations

import csv
import io
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset
from anonlib.reading.joining import join
from anonlib.reading.records import FrameRecords
from anonlib.reading.tables import Linked, ListColumn
from anonlib.reading.tables.lists import items_of, mark_of
from anonlib.release.export import released_in
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Unlink
from anonlib.verdict.criteria import Case, SmallestClass
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.three_tables import tables_of

ATC = ListColumn("people", "atc", ";")
ROLES = {"row of the file": "person_id", "age": "quasi_identifier", "atc": "quasi_identifier"}


NO_PERSONS = Linked(None)


def dataset_of(frame: pd.DataFrame, linked: Linked = NO_PERSONS, roles=ROLES, lists=(ATC,)) -> Dataset:
    joined = join(tables_of({"people": frame}), linked, lists)
    held, layout = joined.records, joined.layout
    return Dataset("people", held.digest, held, withheld=layout.hidden, tables=layout).with_roles(roles)


def released(data: Dataset) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(released_in("CSV", data, np.random.default_rng(0)).decode())))


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["A01;B02", "B02", "A01; C03", "C03;B02"] * 5, ";"),
        (["I10, E11", "E11", "I10, J45", "J45"] * 5, ","),
        (["well", "a bit tired; better now", "well"] * 5, ""),
        (["Smith, Anna", "Jones, Bob", "Hill, Ada"], ""),
        (["1;2", "3;4", "5;6"], ""),
        (["A01;", "A01;B02"] * 5, ""),
        (["2024-01-01", "2024-01-02"] * 5, ""),
    ],
    ids=["codes", "with blanks", "sentences", "names", "nothing comes again", "an empty item", "dates"],
)
def test_what_looks_like_lists(cells, mark):
    assert mark_of(FrameRecords.of(pd.DataFrame({"x": cells})).counts_of("x")) == mark


cells = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(lambda items: ";".join(items) or None)
people = st.lists(st.tuples(st.sampled_from(["1", "2"]), cells), min_size=1, max_size=6)


@settings(max_examples=80, deadline=None)
@given(people, st.sampled_from([1, 2, "all"]), st.booleans())
def test_sizes_by_any_items_known_are_those_of_the_file_that_leaves(rows, known, merges):
    frame = pd.DataFrame(rows, columns=["age", "atc"], dtype=object)
    steps = [Recode("atc", ValueMap.of({"a": "a", "b": "a", "c": "c"}))] if merges else []
    case = Case(Recipe.of(steps).apply(dataset_of(frame)), Recipe.of(steps), k=2)
    left = released(case.released)
    assert len(left) == len(frame)
    persons = [
        [{"age": row["age"], "atc": None}, *({"age": row["age"], "atc": item} for item in items_of(row["atc"], ";"))]
        for row in left
    ]
    if all(len(person) == 1 for person in persons):
        return
    found = SmallestClass(2, rows=(known,)).check(case)
    assert found.now == min(slow.sizes(persons, ("age", "atc"), known))


@settings(max_examples=40, deadline=None)
@given(people)
def test_what_leaves_has_the_items_of_each_cell_in_the_order_of_their_labels(rows):
    frame = pd.DataFrame(rows, columns=["age", "atc"], dtype=object)
    left = Counter((row["age"], row["atc"]) for row in released(dataset_of(frame)))
    assert left == Counter((age, ";".join(sorted(items_of(cell or "", ";")))) for age, cell in rows)


def test_a_mark_that_a_label_has_is_another_one_between_items():
    frame = pd.DataFrame({"age": ["1", "2"], "atc": ["a;b", "b"]})
    data = Recipe.of([Recode("atc", ValueMap.of({"a": "a; or so", "b": "b"}))]).apply(dataset_of(frame)).released
    assert {row["age"]: row["atc"] for row in released(data)} == {"1": "a; or so|b", "2": "b"}


def test_a_column_that_is_dropped_and_rows_that_are_left_out():
    frame = pd.DataFrame({"age": ["1", "1", "2"], "atc": ["a;b", "b;a", "c"]})
    data = dataset_of(frame)
    assert list(released(Recipe.of([DropColumns(("atc",))]).apply(data).released)[0]) == ["age"]
    assert [row["atc"] for row in released(Recipe.of([LeaveOut(2)]).apply(data).released)] == ["a;b", "a;b"]


def test_where_a_person_id_is_there_lists_hang_below_its_rows():
    frame = pd.DataFrame({"id": ["P", "P", "Q"], "age": ["1", "1", "2"], "atc": ["a;b", "b", None]})
    roles = {"id": "person_id", "age": "quasi_identifier", "atc": "quasi_identifier"}
    data = dataset_of(frame, Linked(None, {"people": "id"}), roles)
    assert data.columns == ["id", "age", "atc"] and data.n_records == 3 + 3
    left = released(data)
    assert Counter((row["age"], row["atc"]) for row in left) == Counter([("1", "a;b"), ("1", "b"), ("2", "")])
    assert len({row["id"] for row in left}) == 2
    applied = Recipe.of([Unlink("id")]).apply(data)
    assert "hold the items of a row together" in applied.problems[0]


def test_a_list_in_no_column_is_a_sentence():
    with refused("column-unknown"):
        dataset_of(pd.DataFrame({"age": ["1"], "atc": ["a"]}), lists=(ListColumn("visits", "atc", ";"),))
