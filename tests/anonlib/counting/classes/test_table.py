"""ClassTable and AnonymityVector against slow, obvious references."""

from __future__ import annotations

from collections import Counter
from datetime import date

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable, anonymity_vector
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.tables import check_form, check_same
from tests.reference.generalization import counted

TEXTS = st.one_of(st.none(), st.sampled_from(["a", "b", "a-b", "b-c", "c", "", " ", "10", "9", "(missing)", "None"]))
NUMBERS = st.one_of(st.none(), st.integers(-2, 2))
MIXED = st.one_of(st.none(), st.integers(3, 5), st.sampled_from(["3", "4", "x", 2.5, (1, 2)]))
NAMES = ["age", "count", "size", "index", "size_"]


@st.composite
def frames(draw, max_rows: int = 25, max_columns: int = 4) -> pd.DataFrame:
    n = draw(st.integers(0, max_rows))
    columns = {}
    for name in draw(st.permutations(NAMES))[: draw(st.integers(0, max_columns))]:
        values = draw(st.lists(draw(st.sampled_from([TEXTS, NUMBERS, MIXED])), min_size=n, max_size=n))
        column = pd.Series(values, dtype=object)
        if draw(st.booleans()) and column.map(type).isin([str, type(None)]).all():
            present = [*sorted(set(column.dropna())), "never"]
            column = pd.Series(pd.Categorical(column, categories=draw(st.permutations(present))))
        columns[name] = column
    return pd.DataFrame(columns, index=range(n))


def rows_of(frame: pd.DataFrame) -> list[tuple]:
    """The frame's rows as tuples, a missing value as None."""
    columns = [[None if pd.isna(v) is True else v for v in frame[name].tolist()] for name in frame]
    return list(zip(*columns, strict=True)) if columns else [()] * len(frame)


def classes_of(table: ClassTable) -> list[tuple]:
    columns = [table.column(name) for name in table.attributes]
    return list(zip(*columns, strict=True)) if columns else [()] * table.n_classes


@given(frames())
def test_classes_are_the_distinct_rows_with_their_counts(frame):
    table = ClassTable.from_frame(frame)
    check_form(table)
    rows = rows_of(frame)
    assert counted(table) == Counter(rows)
    assert table.n_records == len(frame) == table.counts.sum()
    keys = classes_of(table)
    assert [keys[i] for i in table.class_of_record] == rows
    assert table.size_of_record.tolist() == [Counter(rows)[row] for row in rows]
    assert table.anonymity_vector == anonymity_vector(list(Counter(rows).values()))


@given(frames(), st.data())
def test_weights_are_persons(frame, data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(frame), max_size=len(frame)))
    expected: Counter = Counter()
    for row, weight in zip(rows_of(frame), weights, strict=True):
        expected[row] += weight
    table = ClassTable.from_frame(frame, weights=weights)
    check_form(table)
    assert counted(table) == +expected
    assert [i == -1 for i in table.class_of_record] == [weight == 0 for weight in weights]
    by_column = ClassTable.from_frame(frame.assign(persons=[str(w) for w in weights]), weights="persons")
    check_same(by_column, table)


@given(frames())
def test_dropping_leaves_out_records_with_a_missing_value(frame):
    rows = rows_of(frame)
    table = ClassTable.from_frame(frame, missing="drop")
    check_form(table)
    assert counted(table) == Counter(row for row in rows if None not in row)
    assert [i == -1 for i in table.class_of_record] == [None in row for row in rows]
    assert [size == 0 for size in table.size_of_record] == [None in row for row in rows]


def person_reference(rows: list[tuple], ids: list, missing: str = "category") -> Counter:
    """Persons by the rule: per attribute the set of a person's present values; no id, a person of their own."""
    people: dict = {}
    for i, (row, person) in enumerate(zip(rows, ids, strict=True)):
        held = people.setdefault(("row", i) if person is None else ("id", person), [set() for _ in row])
        for values, value in zip(held, row, strict=True):
            values |= {value} - {None}
    classes = [tuple(frozenset(values) for values in held) for held in people.values()]
    return Counter(row for row in classes if missing == "category" or all(row))


@st.composite
def frames_of_persons(draw) -> tuple[pd.DataFrame, list]:
    n = draw(st.integers(0, 20))
    values = st.sampled_from([None, "a", "b", "c", "a | b", "a |", "| b", "||"])
    frame = pd.DataFrame(
        {name: pd.Series(draw(st.lists(values, min_size=n, max_size=n)), dtype=object) for name in ("x", "size")}
    )
    ids = draw(st.lists(st.one_of(st.none(), st.integers(1, 6)), min_size=n, max_size=n))
    return frame, ids


def as_sets(table: ClassTable, frame: pd.DataFrame) -> list[tuple[frozenset, ...]]:
    """The classes of a table of persons with each label read back into the set it stands for.

    A label that is no value of its column is a set; its bar is longer than any within a value.
    """
    columns = []
    for name in table.attributes:
        present = set(frame[name].dropna())
        read = {None: frozenset()} | {value: frozenset([value]) for value in present}
        for label in set(table.column(name)) - read.keys():
            parts = (label.split(f" {'|' * length} ") for length in (3, 2, 1))
            read[label] = next(frozenset(found) for found in parts if len(found) > 1 and present.issuperset(found))
        columns.append([read[label] for label in table.column(name)])
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("missing", ["category", "drop"])
@given(frames_of_persons())
def test_counts_are_of_persons(missing, drawn):
    frame, ids = drawn
    table = ClassTable.from_frame(frame.assign(id=pd.Series(ids, dtype=object)), person="id", missing=missing)
    check_form(table)
    expected = person_reference(rows_of(frame), ids, missing)
    assert sorted(table.counts) == sorted(expected.values())
    assert dict(zip(as_sets(table, frame), table.counts.tolist(), strict=True)) == expected
    for person in set(ids) - {None}:  # a person's rows are all in the person's class
        assert len({c for c, i in zip(table.class_of_record.tolist(), ids, strict=True) if i == person}) == 1


def test_a_person_with_differing_rows_is_the_set_of_their_values():
    frame = pd.DataFrame(
        {
            "id": ["p", "p", "q", "r", None, None],
            "zip": ["10", "9", "9", None, "9", "9"],
            "sex": ["F", None, "F", "F", "F", "F"],
        }
    )
    table = ClassTable.from_frame(frame, person="id")
    assert counted(table) == {("9", "F"): 3, ("10 | 9", "F"): 1, (None, "F"): 1}
    assert table.n_records == 5
    assert table.class_of_record.tolist()[0] == table.class_of_record.tolist()[1]
    assert counted(ClassTable.from_frame(frame, ["sex"], person="id")) == {("F",): 5}


@given(frames(), st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_changes_nothing(frame, random):
    table = ClassTable.from_frame(frame)
    order = list(range(len(frame)))
    random.shuffle(order)
    shuffled = ClassTable.from_frame(frame.iloc[order])
    check_same(shuffled, table, records=False)
    assert shuffled.class_of_record.tolist() == [table.class_of_record[i] for i in order]
    columns = list(frame.columns)
    random.shuffle(columns)
    turned = ClassTable.from_frame(frame[columns])
    assert turned.anonymity_vector == table.anonymity_vector
    check_same(turned.project(table.attributes), table)


@given(frames(), st.sampled_from(["category", "drop"]), st.data())
def test_projecting_is_counting_the_subset_of_the_records_that_were_not_left_out(frame, missing, data):
    names = data.draw(st.lists(st.sampled_from(list(frame.columns)), unique=True)) if len(frame.columns) else []
    table = ClassTable.from_frame(frame, missing=missing)
    complete = [i for i, row in enumerate(rows_of(frame)) if missing == "category" or None not in row]
    projected = table.project(names)
    check_form(projected)
    expected = ClassTable.from_frame(frame.iloc[complete], names)
    check_same(projected, expected, records=False)
    assert np.flatnonzero(projected.class_of_record >= 0).tolist() == complete
    assert projected.class_of_record[complete].tolist() == expected.class_of_record.tolist()
    keys, into = classes_of(projected), table.membership(names)
    assert [keys[i] for i in into] == list(zip(*(table.column(n) for n in names), strict=True)) or not names
    assert np.array_equal(np.bincount(into, table.counts, minlength=projected.n_classes), projected.counts)


def test_many_columns_of_many_values_overflow_no_key():
    rng = np.random.default_rng(7)
    base = rng.integers(0, 10, size=(300, 40))
    codes = np.concatenate([base, base[:100], base[:7]])  # 10^40 possible rows
    codes[-1, 0] = (codes[-1, 0] + 1) % 10  # differs in the most significant column only
    frame = pd.DataFrame({f"c{j}": codes[:, j] for j in range(40)})
    table = ClassTable.from_frame(frame)
    check_form(table)
    assert counted(table) == Counter(rows_of(frame))
    assert table.n_classes == 301
    check_same(table.project(["c39", "c0"]), ClassTable.from_frame(frame, ["c39", "c0"]))


def test_two_columns_of_huge_domains():
    n = 3000
    frame = pd.DataFrame({f"id{j}": [f"{(i * 7919 * (j + 1)) % 100_003}" for i in range(n)] for j in range(5)})
    doubled = pd.concat([frame, frame.iloc[::2]], ignore_index=True)
    assert counted(ClassTable.from_frame(doubled)) == Counter(rows_of(doubled))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"x": ["a-b", "a", "a-b"], "y": ["c", "b-c", "c"]}, {("a-b", "c"): 2, ("a", "b-c"): 1}),
        (
            {"x": ["(missing)", None, "None", "nan", np.nan]},
            {("(missing)",): 1, ("None",): 1, ("nan",): 1, (None,): 2},
        ),
        ({"x": pd.Series([None, np.nan, pd.NA, pd.NaT, 1], dtype=object)}, {(None,): 4, (1,): 1}),
        ({"x": pd.array([1, None, None], dtype="Int64"), "y": [0.0, np.nan, np.nan]}, {(1, 0.0): 1, (None, None): 2}),
        ({"x": [None, None], "y": pd.Categorical([None, None], categories=["a"])}, {(None, None): 2}),
    ],
    ids=["joined texts alike", "texts that say missing", "kinds of missing", "missing numbers", "all missing"],
)
def test_what_is_a_class_of_its_own(columns, expected):
    assert counted(ClassTable.from_frame(pd.DataFrame(columns))) == expected


def test_a_missing_value_is_labelled_as_one():
    table = ClassTable.from_frame(pd.DataFrame({"x": ["(missing)", None, "None", "nan", np.nan]}, dtype=object))
    assert table.labels()["x"].tolist() == ["(missing)", "None", "nan", "(missing)"]


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_without_attributes_everyone_is_in_one_class(rows):
    table = ClassTable.from_frame(pd.DataFrame({"x": range(rows)}), [])
    check_form(table)
    assert table.counts.tolist() == ([rows] if rows else [])
    assert table.class_of_record.tolist() == [0] * rows
    assert table.anonymity_vector.k == rows
    check_same(ClassTable.from_frame(pd.DataFrame({"x": range(rows)})).project([]), table)


def test_without_records_there_is_no_class():
    frame = pd.DataFrame({"x": pd.Categorical([], categories=["a", "b"]), "w": []})
    for table in (
        ClassTable.from_frame(frame, ["x"]),
        ClassTable.from_frame(frame, ["x"], weights="w"),
        ClassTable.from_frame(frame, ["x"], person="w"),
        ClassTable.from_frame(frame, ["x"], missing="drop"),
        ClassTable.from_frame(pd.DataFrame({"x": [None]}), missing="drop"),
    ):
        check_form(table)
        assert (table.n_classes, table.n_records, table.anonymity_vector.k) == (0, 0, 0)
        assert table.to_frame().shape == (0, 2)
        assert table.project([]).n_classes == 0


def test_huge_weights_stay_exact():
    weights = [2**60 + 1, 2**60, 2**53 + 1]
    table = ClassTable.from_frame(pd.DataFrame({"x": ["a", "a", "b"]}), weights=weights)
    assert counted(table) == {("a",): 2**61 + 1, ("b",): 2**53 + 1}
    assert table.n_records == 2**61 + 2**53 + 2
    assert table.project([]).counts.tolist() == [2**61 + 2**53 + 2]
    frame = pd.DataFrame({"x": ["a", "a"], "w": pd.array([2**53 + 1, 2**53], dtype="Int64")})
    assert ClassTable.from_frame(frame, weights="w").counts.tolist() == [2**54 + 1]


def test_columns_that_count_apart_are_no_attributes():
    frame = pd.DataFrame({"x": ["a", "a"], "w": [2, 3]})
    assert ClassTable.from_frame(frame, weights="w").attributes == ("x",)
    assert ClassTable.from_frame(frame, person="w").attributes == ("x",)
    assert ClassTable.from_frame(frame, ["w"], weights="w").to_frame().values.tolist() == [[2, 2], [3, 3]]


def test_names_of_ours_do_not_collide():
    frame = pd.DataFrame({"count": [1, 1], "count_": [2, 2], "index": [3, 4], "size": [5, 5]})
    result = ClassTable.from_frame(frame).to_frame()
    assert list(result.columns) == ["count", "count_", "index", "size", "count__"]
    assert result.values.tolist() == [[1, 2, 3, 5, 1], [1, 2, 4, 5, 1]]
    assert list(ClassTable.from_frame(frame[["index"]]).to_frame("n").columns) == ["index", "n"]


def test_a_categorical_keeps_its_order_and_other_columns_sort():
    frame = pd.DataFrame(
        {
            "level": pd.Categorical(["low", "high", "mid"], categories=["low", "mid", "high", "never"]),
            "number": [10, 9, 2],
        }
    )
    table = ClassTable.from_frame(frame)
    assert [values.tolist() for values in table.categories] == [["low", "mid", "high"], [2, 9, 10]]


def test_a_table_knows_its_records_only_when_it_read_them():
    table = ClassTable.from_ibis(ibis.memtable({"x": ["a", "b"]}))
    assert table.class_of_record is None and table.project(["x"]).class_of_record is None
    with refused("records-in-a-database"):
        _ = table.size_of_record


BAD = pd.DataFrame([[1, 2, 3, "secret"]], columns=["a", "b", "b", "w"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attributes": ["nope"]}, "no column named “nope”"),
        ({"attributes": ["a", "a"]}, "named twice"),
        ({"attributes": ["b"]}, "2 columns are named “b”"),
        ({}, "2 columns are named “b”"),
        ({"attributes": ["a"], "weights": "nope"}, "no column named “nope”"),
        ({"attributes": ["a"], "weights": "b"}, "2 columns are named “b”"),
        ({"attributes": ["a"], "weights": "w"}, "whole numbers of persons.*record 1 does not"),
        ({"attributes": ["a"], "weights": ["secret"]}, "whole numbers"),
        ({"attributes": ["a"], "weights": [None]}, "whole numbers"),
        ({"attributes": ["a"], "weights": [True]}, "whole numbers"),
        ({"attributes": ["a"], "weights": [-1]}, "whole numbers"),
        ({"attributes": ["a"], "weights": [1.5]}, "whole numbers"),
        ({"attributes": ["a"], "weights": [float("inf")]}, "whole numbers"),
        ({"attributes": ["a"], "weights": [1e30]}, "more than can be counted"),
        ({"attributes": ["a"], "weights": [1, 1]}, r"one number per record \(1\), not 2"),
        ({"attributes": ["a"], "person": "nope"}, "no column named “nope”"),
        ({"attributes": ["a"], "person": "b"}, "2 columns are named “b”"),
        ({"attributes": ["a"], "person": "w", "weights": "a"}, "either a person id or a weight"),
        ({"attributes": ["a"], "missing": "remove"}, "category"),
    ],
)
def test_bad_input_is_stated_without_the_value(arguments, message):
    with pytest.raises(InputError, match=message) as caught:
        ClassTable.from_frame(BAD, **arguments)
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_unknown_attributes_of_a_table():
    table = ClassTable.from_frame(pd.DataFrame({"x": [1]}))
    for ask in (lambda: table.project(["y"]), lambda: table.membership(["x", "x"]), lambda: table.column("y")):
        with pytest.raises(InputError):
            ask()


# --- in a database -------------------------------------------------------------------------------------------------


def text_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """As a data set read from a file has it: text categories in natural order, blank cells missing."""
    from anonlib.values.cells import text_categorical

    present = frame.astype(object).where(frame.notna() & (frame.astype(object) != ""), None)
    return pd.DataFrame({name: text_categorical(present[name]) for name in frame}, index=frame.index)


@st.composite
def database_frames(draw) -> pd.DataFrame:
    n = draw(st.integers(1, 20))
    kinds = {
        "index": (st.one_of(st.none(), st.sampled_from(["10", "9", "b", "a-b", ""])), object),
        "size": (st.one_of(st.none(), st.integers(-3, 12)), "Int64"),
        "Count": (st.sampled_from([1.5, 2.0, np.nan, 1e20]), float),
        "day": (st.one_of(st.none(), st.sampled_from([date(2024, 3, 9), date(2024, 3, 10)])), object),
    }
    return pd.DataFrame(
        {
            name: pd.Series(draw(st.lists(values, min_size=n, max_size=n)), dtype=kind)
            for name, (values, kind) in kinds.items()
        }
    )


quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(database_frames(), st.sampled_from(["category", "drop"]))
def test_a_database_counts_the_same(frame, missing):
    schema = {"index": "string", "size": "int64", "Count": "float64", "day": "date"}
    table = ibis.memtable(frame, schema=schema)
    names = ["index", "size", "Count", "day"]
    expected = ClassTable.from_frame(text_frame(frame), names, missing=missing)
    check_same(ClassTable.from_ibis(table, names, missing=missing), expected, records=False)


@quick
@given(frames_of_persons(), st.sampled_from(["category", "drop"]))
def test_a_database_counts_the_same_persons(drawn, missing):
    frame, ids = drawn
    frame = frame.assign(id=pd.Series(ids, dtype="Int64"))
    table = ibis.memtable(frame, schema={"x": "string", "size": "string", "id": "int64"})
    for names in (["x", "size"], ["size"], ["id", "x"], []):
        expected = ClassTable.from_frame(text_frame(frame), names, person="id", missing=missing)
        check_same(ClassTable.from_ibis(table, names, person="id", missing=missing), expected, records=False)


@quick
@given(database_frames(), st.data())
def test_a_database_counts_the_same_weights(frame, data):
    weights = data.draw(st.lists(st.integers(0, 5), min_size=len(frame), max_size=len(frame)))
    frame = frame[["index", "size"]].assign(w=weights)
    expected = ClassTable.from_frame(text_frame(frame), ["index", "size"], weights="w")
    for kind in ("int64", "float64", "string"):
        table = ibis.memtable(frame.assign(w=frame["w"].astype(str) if kind == "string" else frame["w"].astype(kind)))
        check_same(ClassTable.from_ibis(table, ["index", "size"], weights="w"), expected, records=False)
        assert ClassTable.from_ibis(table, weights="w").attributes == ("index", "size")


def test_a_parquet_file_counts_the_same(tmp_path):
    frame = pd.DataFrame(
        {
            "id": pd.array([2**53, 2**53 + 1, None, 2**53], dtype="Int64"),  # one more digit than a float holds
            "Size": ["x", "x", None, "x"],
            "blood": [1.0, np.nan, None, 1.0],
        }
    )
    frame.to_parquet(tmp_path / "file.parquet")
    table = ibis.duckdb.connect().read_parquet(tmp_path / "file.parquet")
    counts = ClassTable.from_ibis(table)
    assert counted(counts) == {
        ("9007199254740992", "x", "1.0"): 2,
        ("9007199254740993", "x", None): 1,
        (None, None, None): 1,
    }
    assert counted(ClassTable.from_ibis(table, ["blood"])) == {("1.0",): 2, (None,): 2}
    assert ClassTable.from_ibis(table, []).counts.tolist() == [4]
    assert ClassTable.from_ibis(table, [], person="blood").counts.tolist() == [3], "NaN and NULL are persons alone"
    assert ClassTable.from_ibis(table.filter(table.id < 0), ["Size"]).n_classes == 0
    assert ClassTable.from_ibis(table.filter(table.id < 0), []).n_classes == 0


def test_huge_weights_stay_exact_in_a_database():
    table = ibis.memtable({"x": ["a", "a", "b"], "w": [2**60 + 1, 2**60, 7]})
    assert counted(ClassTable.from_ibis(table, weights="w")) == {("a",): 2**61 + 1, ("b",): 7}


@pytest.mark.parametrize(
    "weights", [[1.0, -1.0], [1.0, 0.5], [1.0, None], [1.0, np.nan], [1.0, np.inf], ["1", "secret"], [3, -1]]
)
def test_weights_that_would_cancel_in_a_sum_are_refused_in_a_database_too(weights):
    table = ibis.memtable(pd.DataFrame({"x": ["a", "a"], "w": weights}))
    with pytest.raises(InputError, match="1 records do not") as caught:
        ClassTable.from_ibis(table, ["x"], weights="w")
    assert "secret" not in str(caught.value)


def test_bad_input_to_a_database():
    table = ibis.memtable({"x": ["a"], "w": [1], "huge": [1e30]})
    for arguments, message in [
        ({"attributes": ["nope"]}, "no column"),
        ({"attributes": ["x"], "weights": "nope"}, "no column"),
        ({"attributes": ["x"], "person": "nope"}, "no column"),
        ({"attributes": ["x"], "person": "x", "weights": "w"}, "either"),
        ({"attributes": ["x"], "weights": "huge"}, "more than can be counted"),
        ({"attributes": ["x"], "missing": "remove"}, "category"),
    ]:
        with pytest.raises(InputError, match=message):
            ClassTable.from_ibis(table, **arguments)


# --- anonymity vectors ---------------------------------------------------------------------------------------------

SIZES = st.lists(st.integers(0, 6), max_size=12)


def dense(sizes: list[int]) -> tuple[int, ...]:
    """The paper's v: v[l] classes of size l, for l = 1, 2, ... up to a length that suits every test."""
    return tuple(sizes.count(size) for size in range(1, 8))


@given(SIZES, SIZES, st.integers(0, 8))
def test_vectors_compare_as_dense_tuples(one, other, k):
    a, b = anonymity_vector(one), anonymity_vector(np.array(other, dtype=np.int64))
    assert (a < b, a <= b, a == b, a > b) == (
        dense(one) < dense(other),
        dense(one) <= dense(other),
        dense(one) == dense(other),
        dense(one) > dense(other),
    )
    assert a != b or hash(a) == hash(b)
    assert a != one
    real = [size for size in one if size]
    assert a.k == min(real, default=0)
    assert a.n_records == sum(real)
    assert a.people_below(k) == sum(size for size in real if size < k)
    rows = a.to_frame()
    assert rows.values.tolist() == [[s, real.count(s), s * real.count(s)] for s in sorted(set(real))]
