"""Records in memory and in an engine give the same, whatever is asked of them."""

from __future__ import annotations

import gc
from collections import Counter
from hashlib import sha256
from io import BytesIO
from typing import Any

import ibis
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.reading.records import CellLabels, CountedBy, Labels, TableRecords
from anonlib.reading.records.writing import write
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.records import both, columns_of_cells, in_memory, rows_of

some, few = settings(20, deadline=None), settings(8, deadline=None)
COUNTED_BY = st.sampled_from([CountedBy(), CountedBy(person="id"), CountedBy(weight="w")])
MISSING = st.sampled_from(["category", "drop"])
LABELS = ["<5", "é", "*", None]


def same_classes(one: ClassTable, other: ClassTable) -> None:
    assert [values.tolist() for values in one.categories] == [values.tolist() for values in other.categories]
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_array_equal(one.counts, other.counts)


def counted(records, names: list[str], by: CountedBy, missing: Any = "category") -> ClassTable:
    return ClassTable.from_records(records, names, by.weight, missing, by.person)


@pytest.mark.everyday
@some
@given(columns_of_cells(), COUNTED_BY, MISSING)
def test_classes_values_and_rows_are_the_same(engine, columns, by, missing):
    here, there = both(engine, columns)
    assert (there.columns, there.n_records) == (here.columns, here.n_records)
    assert rows_of(there) == rows_of(here)
    for names in (["x", "Size of it"], ["Size of it"], []):
        same_classes(counted(there, names, by, missing), counted(here, names, by, missing))
    for name in here.columns:
        ours, theirs = here.counts_of(name), there.counts_of(name)
        assert ours.values.tolist() == theirs.values.tolist() and ours.missing == theirs.missing
        assert ours.records.tolist() == theirs.records.tolist()


@st.composite
def labels_for(draw, values: np.ndarray) -> Labels:
    labels = draw(st.lists(st.sampled_from([*LABELS, "a"]), min_size=len(values), max_size=len(values)))
    gone = draw(st.none() | st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    missing = draw(st.sampled_from(LABELS))
    made = Labels.as_they_come(
        values, np.array([*labels, None], dtype=object)[:-1], None if gone is None else np.array(gone, bool), missing
    )
    return Labels(made.values, made.labels, made.order, made.gone, made.missing, draw(st.booleans()))


@some
@given(columns_of_cells(), st.booleans(), st.data())
def test_a_column_recoded_is_the_same(engine, columns, persons, data):
    here, there = both(engine, columns)
    labels = data.draw(labels_for(here.counts_of("x").values))
    person = "id" if persons else None
    ours, theirs = here.recode("x", labels, person), there.recode("x", labels, person)
    assert rows_of(theirs) == rows_of(ours)
    by = CountedBy(person=person)
    same_classes(counted(theirs, ["x", "w"], by), counted(ours, ["x", "w"], by))
    assert ours.rows is None or len(ours.rows) == ours.n_records


@some
@given(columns_of_cells(), COUNTED_BY, MISSING, st.data())
def test_records_of_classes_and_their_labels_are_the_same(engine, columns, by, missing, data):
    here, there = both(engine, columns)
    names = data.draw(st.sampled_from([["x", "Size of it"], ["x"], []]))
    classes = counted(here, names, by, missing)
    kept = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(classes.counts), max_size=len(classes.counts))), bool
    )
    values = here.counts_of("x").values
    table = data.draw(st.lists(st.sampled_from(LABELS), min_size=2 * len(values) + 2, max_size=2 * len(values) + 2))
    level = data.draw(st.lists(st.integers(0, 1), min_size=len(kept), max_size=len(kept)))
    cells = CellLabels(values, np.array(level, dtype=np.intp), np.array(table, dtype=object).reshape(2, -1))
    of_table = counted(there, names, by, missing)
    for labels in ({}, {"x": cells}):
        ours = here.label(classes, kept, labels, by)
        theirs = there.label(of_table, kept, labels, by)
        assert rows_of(theirs) == rows_of(ours)
        same_classes(counted(theirs, ["x", "w"], CountedBy()), counted(ours, ["x", "w"], CountedBy()))


@some
@given(columns_of_cells(), COUNTED_BY, st.data())
def test_as_many_of_each_class_are_left(engine, columns, by, data):
    """Which of them is up to where they are: of the classes as many stay, and all of a person."""
    here, there = both(engine, columns)
    classes, of_table = (counted(records, ["x"], by) for records in (here, there))
    stays = np.array([data.draw(st.integers(0, int(count))) for count in classes.counts], dtype=np.int64)
    ours, theirs = here.first(classes, stays, by), there.first(of_table, stays, by)
    same_classes(counted(theirs, ["x"], by), counted(ours, ["x"], by))
    assert not rows_of(theirs) - rows_of(there)
    again = there.first(of_table, stays, by)
    assert rows_of(again) == rows_of(theirs)


@some
@given(columns_of_cells(), st.sampled_from([CountedBy(), CountedBy(person="id")]))
def test_the_same_ones_are_drawn_everywhere(engine, columns, by):
    """Those whose hash is least: of what a person's id is, or else of what the row holds."""
    _, there = both(engine, columns)
    classes = counted(there, ["x"], by)
    drawn = there.first(classes, np.ones(len(classes.counts), dtype=np.int64), by)

    def hash_of(row: tuple[str | None, ...]) -> str:
        reports = row[2] if by.person and row[2] is not None else "\x1f" + "\x1f".join(cell or "" for cell in row)
        return sha256(f" {reports}".encode()).hexdigest()

    rows = [*rows_of(there).elements()]
    people = {row[2] if by.person and row[2] is not None else i: [] for i, row in enumerate(rows)}
    for i, row in enumerate(rows):
        people[row[2] if by.person and row[2] is not None else i].append(row)
    of_class: dict[frozenset[str | None], list] = {}
    for theirs in people.values():
        of_class.setdefault(frozenset({row[0] for row in theirs} - {None}), []).append(theirs)
    first = [min(members, key=lambda theirs: hash_of(theirs[0])) for members in of_class.values()]
    assert rows_of(drawn) == Counter(row for theirs in first for row in theirs)


@some
@given(columns_of_cells(), st.binary(min_size=4, max_size=4))
def test_rows_are_written_in_the_same_order(engine, columns, secret):
    """By the beginning of a hash of the secret and what the row holds."""
    _, there = both(engine, columns)
    file = BytesIO()
    write(there.table, file, "Parquet", secret, {}, {}, lambda share: None)
    written = [tuple(row.values()) for row in pq.read_table(BytesIO(file.getvalue())).to_pylist()]

    def place(row: tuple[str | None, ...]) -> str:
        return sha256((secret.hex() + " \x1f" + "\x1f".join(cell or "" for cell in row)).encode()).hexdigest()

    assert written == sorted(rows_of(there).elements(), key=place)


@some
@given(columns_of_cells(), st.binary(min_size=4, max_size=4))
def test_columns_and_numbers_are_the_same(engine, columns, secret):
    here, there = both(engine, columns)
    changed = [
        records.copy_column("x", "X again").drop(["Size of it"]).renumber("id", secret) for records in (here, there)
    ]
    assert changed[0].columns == changed[1].columns == ["x", "id", "w", "X again"]
    assert rows_of(changed[0]) == rows_of(changed[1])
    ids = [cells for cells in columns["id"] if cells is not None]
    numbers = sorted({row[1] for row in rows_of(changed[0]) if row[1] is not None})
    assert numbers == [str(n + 1) for n in range(len(set(ids)))]


def test_the_order_of_numbers_is_the_secrets():
    here = in_memory({"id": [f"p{n}" for n in range(50)]})
    orders = {tuple(here.renumber("id", bytes([n])).frame["id"]) for n in range(3)}
    assert len(orders) == 3 and tuple(map(str, range(1, 51))) not in orders


def test_labels_of_other_values_are_refused():
    here = in_memory({"x": ["a", "b"]})
    with pytest.raises(ValueError, match="the column's values"):
        here.recode("x", Labels.as_they_come(np.array(["a"], object), np.array(["A"], object)))


def test_a_row_that_came_after_the_values_were_read_is_left_out():
    connection = ibis.duckdb.connect()
    connection.raw_sql("create table visits as select * from (values ('a'), ('b'), (null)) rows(x)")
    there = TableRecords(connection.table("visits"))
    values = there.counts_of("x").values
    connection.raw_sql("insert into visits values ('new')")
    after = there.recode("x", Labels.as_they_come(values, np.array(["A", "B"], dtype=object)))
    assert rows_of(after) == {("A",): 1, ("B",): 1, (None,): 1}


def test_an_engine_that_fails_is_a_sentence_without_its_words():
    connection = ibis.duckdb.connect()
    connection.raw_sql("create table visits as select 'secret' as x")
    there = TableRecords(connection.table("visits"))
    connection.raw_sql("drop table visits")
    with refused("database-table-changed") as caught:
        there.counts_of("x")
    assert "visits" not in str(caught.value) and caught.value.__suppress_context__


def test_lists_are_refused():
    with refused("cells-not-values"):
        TableRecords(ibis.memtable({"x": ["a"], "days": [[1, 2]]}))


def test_too_many_values_are_refused(engine, monkeypatch):
    monkeypatch.setattr("anonlib.reading.records.table.MOST_VALUES", 3)
    _, there = both(engine, {"x": ["a", "b", "c", None], "y": ["a", "b", "c", "d"]})
    assert len(there.counts_of("x").values) == 3
    with pytest.raises(InputError, match="“y” has more than 3 different values"):
        there.counts_of("y")


@some
@given(columns_of_cells())
def test_how_many_values_occur_how_often_is_reported_of_any_number_of_values(engine, columns):
    here, _ = both(engine, columns)
    cells = Counter(columns["x"])
    sizes = here.sizes_of("x")
    assert Counter(cells.values()) == dict(zip(sizes.records.tolist(), sizes.values.tolist(), strict=True))
    assert sizes.n_values == len(cells.keys() - {None}) and sizes.missing == cells[None]
    shares = np.array(list(cells.values())) / len(columns["x"])
    assert sizes.entropy == pytest.approx(-(shares * np.log2(shares)).sum(), abs=1e-12)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("anonlib.reading.records.table.MOST_VALUES", 1)
        _, there = both(engine, columns)
        found = there.sizes_of("x")
    assert (found.records.tolist(), found.values.tolist()) == (sizes.records.tolist(), sizes.values.tolist())
    assert (found.n_values, found.missing) == (sizes.n_values, sizes.missing)


@few
@given(columns_of_cells(), COUNTED_BY, st.data())
def test_what_cells_were_is_found_again(engine, columns, by, data):
    """Whatever was changed in between, also where it is up to the engine which of several records stay."""
    here, there = both(engine, columns)
    stays = data.draw(st.sampled_from([None, 1, 2]))
    labels = data.draw(labels_for(here.values("x")))
    made = []
    for records in (here, there):
        changed = records.recode("x", labels, by.person).drop(["Size of it"])
        classes = counted(changed, ["x"], by)
        if stays is None:
            changed = changed.label(classes, np.arange(classes.n_classes) > 0, counted_by=by)
        else:
            changed = changed.first(classes, np.minimum(stays, classes.counts), by)
        beside = changed.with_columns_of(records, {"x": "x before", "Size of it": "size before"})
        assert beside.columns == ["x", "id", "w", "x before", "size before"]
        assert rows_of(beside.drop(["x before", "size before"])) == rows_of(changed)
        assert not rows_of(beside.drop(["x"])).keys() - {(id, w, x, size) for x, size, id, w in rows_of(records)}, (
            "each has the cells of a record"
        )
        made.append(beside)
    if stays is None:
        assert rows_of(made[0]) == rows_of(made[1]), "the same ones"


@pytest.mark.everyday
def test_what_is_left_is_kept_in_the_engine_until_nothing_refers_to_it(engine):
    _, there = both(engine, {"x": ["a", "a", "b"], "y": ["1", None, " "]})
    classes, before = counted(there, ["x"], CountedBy()), engine.kept(there.table)
    left = there.label(classes, classes.counts > 1)
    (name,) = engine.kept(there.table) - before
    assert rows_of(left) == {("a", "1"): 1, ("a", None): 1} and left.table.schema() == there.table.schema()
    del left
    gc.collect()
    there.label(classes, classes.counts == 1)
    assert name not in engine.kept(there.table)


def test_records_of_another_table_are_not_found_again(engine):
    here, there = both(engine, {"x": ["a", "b"]})
    _, other = both(engine, {"x": ["a", "c"]})
    for records, before in ((there, other), (there, here), (here, there)):
        with refused("rows-not-known"):
            records.with_columns_of(before, {"x": "x before"})


def test_what_a_query_gives_is_a_table(engine):
    there = TableRecords(engine.connection.sql("select 'a' as x union all select 'A' as x"))
    assert rows_of(there) == {("a",): 1, ("A",): 1}
