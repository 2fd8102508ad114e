"""Cells of an engine are the text that a CSV file of the same rows has."""

from __future__ import annotations

from pathlib import Path

import ibis
import pyarrow as pa
import pytest

from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords, TableRecords
from anonlib.reading.sources import ReadOptions, apply_missing_marks, ibis_table, open_source
from tests.helpers.records import TEXTS, rows_of

KINDS = {
    "answer": "(i % 2 = 0)",
    "day": "date '2024-02-27' + i::integer",
    "moment": "timestamp '2024-02-28 00:00:00' + to_hours(12 * i)",
    "clock": "time '09:30:00'",
    "price": "(i * 1.50)::decimal(7, 2)",
    "whole": "(i - 2)::double",
    "share": "i / 7",
    "tiny": "(i * 1e-7)::float",
    "large": "(i * 1e15)::double",
    "number": "9007199254740992 + i",
    "huge": "170141183460469231731687303715884105720 + i::hugeint",
    "code": "lpad((2138 + i)::varchar, 5, '0')",
    "who": "('00000000-0000-0000-0000-00000000000' || i)::uuid",
    "level": "(case when i % 2 = 0 then 'low' else 'high' end)::enum_of_levels",
}


@pytest.fixture
def connection():
    opened = ibis.duckdb.connect()
    opened.raw_sql("create type enum_of_levels as enum ('low', 'high')")
    yield opened
    opened.disconnect()


def read_again(connection, name: str, folder: Path) -> FrameRecords:
    """The table as DuckDB exports it and a file is read."""
    file = folder / "table.csv"
    connection.raw_sql(f"copy {name} to '{file.as_posix()}' (header, delimiter ',')")
    frame = open_source(file, options=ReadOptions(delimiter=",", quote='"', header=True)).frame
    return FrameRecords(apply_missing_marks(frame, ("nan",)))


@pytest.mark.parametrize("kind", KINDS)
def test_each_type_is_written_as_in_a_file(kind, connection, tmp_path):
    connection.raw_sql(
        f"create table cells as select i as row, case when i = 3 then null else {KINDS[kind]} end as cell"
        " from range(6) rows(i)"
    )
    here, there = read_again(connection, "cells", tmp_path), TableRecords(connection.table("cells"))
    assert rows_of(there) == rows_of(here)
    ours, theirs = here.counts_of("cell"), there.counts_of("cell")
    assert (ours.values.tolist(), ours.missing) == (theirs.values.tolist(), theirs.missing) and ours.missing == 1


def test_floats_that_are_no_number_or_minus_zero(connection, tmp_path):
    connection.raw_sql(
        "create table cells as select * from (values (1, 'nan'::double), (2, null), (3, 0.0), (4, '-0.0'::double),"
        " (5, 0.0), (6, 'inf'::double)) rows(row, cell)"
    )
    here, there = read_again(connection, "cells", tmp_path), TableRecords(connection.table("cells"))
    assert rows_of(there) == rows_of(here)
    assert there.counts_of("cell").missing == 2
    classes = ClassTable.from_records(there, ["cell"])
    assert dict(zip(classes.column("cell"), classes.counts, strict=True)) == {"-0.0": 1, "0.0": 2, "inf": 1, None: 2}


def test_texts_are_neither_merged_nor_trimmed(connection, tmp_path):
    blank = ["", " ", "\t", "\u00a0", "\u2003 ", "\u3000", None]
    texts = [*TEXTS, *blank, *TEXTS[:3]]
    connection.con.register("arrow", pa.table({"row": range(len(texts)), "cell": pa.array(texts, pa.string())}))
    connection.raw_sql("create table cells as select * from arrow")
    here, there = read_again(connection, "cells", tmp_path), TableRecords(connection.table("cells"))
    assert rows_of(there) == rows_of(here)
    assert sorted(there.counts_of("cell").values) == sorted(TEXTS)
    assert there.counts_of("cell").missing == len(blank)


def test_a_file_is_the_same_opened_in_place(tmp_path):
    file = tmp_path / "visits.csv"
    file.write_text("zip,age,place\n02138,40,é\n02138,40,e\u0301\n,041,\n02139, ,x \n02138,40,é\n", encoding="utf-8")
    roles = dict.fromkeys(("zip", "age", "place"), "quasi_identifier")
    here = Dataset.from_frame(open_source(file).frame, roles=roles)
    there = Dataset.from_ibis(ibis_table(file), roles=roles)
    assert there.classes().to_frame().equals(here.classes().to_frame())
    assert there.classes().n_classes == 4
