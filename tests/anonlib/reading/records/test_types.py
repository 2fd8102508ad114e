"""Cells of every type are the same text in every engine, which for numbers is the one that Python writes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.counting.classes import ClassTable
from anonlib.reading.records import CountedBy, FrameRecords, Labels, TableRecords
from anonlib.values.cells import text_categorical
from tests.helpers.engines import Engine
from tests.helpers.errors import refused
from tests.helpers.records import rows_of

POSTGRES = {"double": "double precision", "float": "real", "string": "text"}
DUCKDB = {"timestamp": "timestamptz", "timestamp_ntz": "timestamp", "string": "text"}
TYPES = {"duckdb": DUCKDB, "postgres": {**DUCKDB, **POSTGRES}, "spark": {"numeric": "decimal"}}
"""By engine what it calls types that are called as in Spark here."""

FLOATS = (
    "0.0 -0.0 1.0 -1.0 2.5 0.1 -0.001 0.0001 0.00012345 -0.0001 1e-05 1.5e-07 1e-300 999999.0 1000000.0 -1234567.5 "
    "10000000.0 123456789012.25 1000000000000000.0 -1500000000000000.0 1234567890123456.0 1e+16 -1.25e+16 1e+22 1e+100 "
    "1.7976931348623157e+308 inf -inf 0.30000000000000004"
).split()
SINGLE = "0.0 1.0 0.1 -0.001 0.0001 1e-05 1000000.0 -1234567.0 16777216.0 3.4028235e+38 12.5 inf".split()
TEXTS = {
    "double": FLOATS,
    "float": SINGLE,
    "decimal(7, 2)": ["0.00", "1.50", "-3.10", "10.00", "99999.99"],
    "decimal(12, 9)": ["0.000000001", "0.000000000", "-1.500000000"],
    "decimal(38, 0)": ["17014118346046923173168730371588410572", "-3", "0"],
    "bigint": ["9007199254740993", "-9223372036854775808", "7"],
    "smallint": ["-5", "0", "12"],
    "boolean": ["true", "false"],
    "date": ["2024-02-29", "1899-12-31"],
    "timestamp_ntz": [f"2024-02-28 {each}" for each in ("00:00:00", "09:30:00.5", "10:20:30")]
    + ["1969-12-31 23:59:59.000001"],
}


def typed(engine: Engine, kind: str, texts: list[str | None]) -> TableRecords:
    """A column of a type, by text of its cells, and a column of row numbers."""
    base, _, size = kind.partition("(")
    name = TYPES[engine.name].get(base, base) + ("(" + size if size else "")
    cells = ["null" if text is None else f"'{text}'" for text in texts]
    rows = ", ".join(f"({i}, {cell})" for i, cell in enumerate(cells))
    return TableRecords(
        engine.made_by(f"select n, cast(cast(c as {TYPES[engine.name].get('string', 'string')}) as {name}) as cell"
                       f" from (values {rows}) as given(n, c)")
    )  # fmt: skip


@pytest.mark.parametrize("kind", TEXTS)
def test_each_type_has_one_text(engine, kind):
    cells = [*TEXTS[kind], None, TEXTS[kind][0]]
    there = typed(engine, kind, cells)
    assert rows_of(there) == {(str(i), cell): 1 for i, cell in enumerate(cells)}
    counts = there.counts_of("cell")
    assert dict(zip(counts.values, counts.records, strict=True)) == {text: cells.count(text) for text in TEXTS[kind]}
    assert counts.missing == 1
    classes = ClassTable.from_records(there, ["cell"])
    assert dict(zip(classes.column("cell"), classes.counts, strict=True)) == {cell: cells.count(cell) for cell in cells}


@pytest.mark.parametrize("kind", TEXTS)
def test_each_type_is_found_again_by_its_text(engine, kind):
    """As it is joined by, alone and in sets of a person's values."""
    cells = [*TEXTS[kind], None]
    there = typed(engine, kind, cells)
    values = there.values("cell")
    names = np.array([f"was {value}" for value in values], dtype=object)
    recoded = there.recode("cell", Labels.as_they_come(values, names, missing="was missing"))
    assert rows_of(recoded) == {(str(i), f"was {cell or 'missing'}"): 1 for i, cell in enumerate(cells)}
    classes = ClassTable.from_records(there, ["cell"], person="n")
    assert rows_of(there.label(classes, classes.counts > 0, counted_by=CountedBy(person="n"))) == rows_of(there)


def test_moments_with_a_time_zone_are_in_utc(engine):
    """Ibis does not tell which of Spark's have one."""
    there = typed(engine, "timestamp", ["2024-02-28 02:00:00+02:00", "2024-02-28 09:30:00.25+00:00"])
    behind = "" if engine.name == "spark" else "+00"
    assert there.values("cell").tolist() == [f"2024-02-28 00:00:00{behind}", f"2024-02-28 09:30:00.25{behind}"]


def test_floats_are_written_as_in_memory(engine):
    """Up to 2**53, from where not every whole number is a float."""
    rng = np.random.default_rng(5)
    parts = rng.normal(size=60), rng.normal(size=60) * 10.0 ** rng.integers(-12, 12, 60), rng.integers(0, 2**50, 40)
    floats = np.unique(np.concatenate([*parts, np.round(rng.uniform(-999, 999, 60), 2)]))
    there = typed(engine, "double", [repr(float(each)) for each in floats])
    assert set(there.values("cell")) == set(text_categorical(floats.tolist()).categories)


def test_not_a_number_is_missing_and_minus_zero_another_text(engine):
    cells = ["NaN", None, "0", "-0.0", "0"]
    there = typed(engine, "double", cells)
    counts = there.counts_of("cell")
    assert dict(zip(counts.values, counts.records, strict=True)) == {"0.0": 2, "-0.0": 1} and counts.missing == 2


@pytest.mark.parametrize("kind", ["bigint", "double", "decimal(7, 2)", "string"])
def test_weights_of_every_type(engine, kind):
    there = typed(engine, kind, ["3", "0", "3", "12"])
    classes = ClassTable.from_records(there, [], weights="cell")
    assert classes.counts.tolist() == [18]
    kept = there.label(classes, np.array([True]), counted_by=CountedBy(weight="cell"))
    assert kept.n_records == 3, "who stands for nobody is in no class"


@pytest.mark.parametrize(("kind", "wrong"), [("double", "1.5"), ("double", "NaN"), ("bigint", "-1"), ("string", "two")])
def test_other_weights_are_refused(engine, kind, wrong):
    with refused("people-not-numbers", "cell"):
        ClassTable.from_records(typed(engine, kind, ["1", wrong]), ["n"], weights="cell")


def test_decimals_that_keep_their_zeros_are_distinguished(engine):
    if engine.name != "postgres":
        pytest.skip("only PostgreSQL has decimals of any scale")
    there = typed(engine, "numeric", ["1.5", "1.50", "NaN", "1.5", None])
    counts = there.counts_of("cell")
    assert dict(zip(counts.values, counts.records, strict=True)) == {"1.5": 2, "1.50": 1} and counts.missing == 2


PEOPLE = [*"xyxxzzzvw"]
COLLATED = {"postgres": ("text collate merges_cases", "char(3)", "varchar(9)"), "spark": ("string collate UTF8_LCASE",)}


@pytest.fixture
def merging(engine: Engine) -> Engine:
    if engine.name not in COLLATED:
        pytest.skip("columns of files have no collation")
    if engine.name == "postgres":
        engine.run(
            "create collation if not exists merges_cases"
            " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
        )
    return engine


def test_a_collation_merges_and_orders_nothing(merging):
    texts = ["a", "A", "10", "9", "é", "e\u0301", "É", " ", "a"]
    for kind in COLLATED[merging.name]:
        expected = FrameRecords.of(pd.DataFrame({"p": PEOPLE, "cell": [text.strip() or None for text in texts]}))
        there = TableRecords(collated(merging, kind, texts))
        ours, theirs = expected.counts_of("cell"), there.counts_of("cell")
        assert ours.values.tolist() == theirs.values.tolist() and ours.records.tolist() == theirs.records.tolist()
        for person in (None, "p"):
            one, other = (ClassTable.from_records(each, ["cell"], person=person) for each in (there, expected))
            assert one.to_frame().equals(other.to_frame())
            by = CountedBy(person=person)
            left = there.label(one, one.counts == 1, counted_by=by), expected.label(other, other.counts == 1, None, by)
            assert rows_of(left[0]) == rows_of(left[1])
        assert rows_of(there.renumber("cell", b"key")) == rows_of(expected.renumber("cell", b"key"))


def collated(engine: Engine, kind: str, texts: list[str]):
    rows = ", ".join(f"('{p}', '{text}')" for p, text in zip(PEOPLE, texts, strict=True))
    if engine.name == "spark":
        return engine.made_by(f"select p, cast(c as {kind}) as cell from (values {rows}) as given(p, c)")
    name = engine.new_name()
    engine.run(f"create temp table {name} (p text, cell {kind})")
    engine.run(f"insert into {name} values {rows}")
    return engine.connection.table(name)
