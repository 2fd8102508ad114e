"""Reading files: the corpus, random tables, marks, look-alikes, tables that stay in a database."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import logging
import sys
import traceback
import tracemalloc
from pathlib import Path
from typing import Any

import ibis
import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.reading.records import FrameRecords, ValueCounts
from anonlib.reading.sources import (
    DEFAULT_MARKS,
    ReadOptions,
    Source,
    apply_missing_marks,
    display_name,
    ibis_table,
    lookalikes,
    merge_lookalikes,
    missing_mark_candidates,
    open_source,
)
from anonlib.reading.sources.encodings import utf8_text
from anonlib.values.cells import text_categorical
from tests.helpers import corpus_workbooks
from tests.helpers.corpus import OLD_ENCODINGS, SECRETS, Case, Reads, Refused, cases
from tests.helpers.errors import refused
from tests.helpers.examples import settings

CASES = [*cases(), *corpus_workbooks.cases()]


def records(frame: pd.DataFrame) -> list[tuple[str | None, ...]]:
    columns = [[None if pd.isna(value) else value for value in frame[name]] for name in frame.columns]
    return list(zip(*columns, strict=True))


def read_or_refused(data: bytes, filename: str = "a.csv") -> Source | None:
    """What is read; nothing where that is refused with a sentence that shows no cell that may not be told."""
    try:
        return open_source(data, filename)
    except InputError as error:
        assert str(error).endswith(".") and not any(secret in str(error) for secret in SECRETS)
        assert error.__suppress_context__ or error.__context__ is None
    return None


def test_the_corpus_is_large_and_its_names_are_distinct():
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_corpus(case: Case, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder):
    caplog.set_level(logging.DEBUG)
    if isinstance(case.outcome, Refused):
        with pytest.raises(InputError) as caught:
            open_source(case.data, case.filename, case.options)
        message = str(caught.value)
        for fragment in case.outcome.fragments:
            assert fragment in message
        assert message.endswith(".")
        shown = "".join(traceback.format_exception(caught.value))
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
        shown_text = message + shown.split("Traceback")[-1].split("InputError")[-1]
    else:
        shown_text = check_read(case, case.outcome)
    shown_text += caplog.text + "".join(str(warning.message) for warning in recwarn)
    assert not [secret for secret in SECRETS if secret in shown_text]


def check_read(case: Case, outcome: Reads) -> str:
    source = open_source(case.data, case.filename, case.options)
    frame, reading = source.frame, source.reading
    for name in frame.columns:
        column = frame[name].array
        assert isinstance(column, pd.Categorical)
        assert column.categories.dtype == object
        assert all(isinstance(value, str) and value.strip() for value in column.categories)
        assert set(column.codes) - {-1} == set(range(len(column.categories)))
    assert frame.columns.is_unique
    assert all(isinstance(name, str) and name.strip() for name in frame.columns)
    if outcome.columns is not None:
        assert tuple(frame.columns) == tuple(outcome.columns)
    if outcome.rows is not None:
        assert records(frame) == list(outcome.rows)
    if outcome.n_rows is not None:
        assert len(frame) == outcome.n_rows
    notes = " ".join(reading.notes)
    for fragment in outcome.notes:
        assert fragment in notes
    assert all(note.endswith(".") for note in reading.notes)
    assert not (outcome.quiet and reading.notes)
    for attribute, value in outcome.reading.items():
        assert getattr(reading, attribute) == value
    assert source.digest == hashlib.sha256(case.data).hexdigest()
    assert source.n_bytes == len(case.data)
    return notes


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_utf8_is_never_taken_for_another_encoding(text):
    data = text.encode()
    assert utf8_text(data)[:2] == (data.removeprefix(b"\xef\xbb\xbf"), "utf-8")


@pytest.mark.parametrize("encoding", OLD_ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_encoding_is_recognised_by_the_letters_wherever_they_stand(encoding, end):
    text = OLD_ENCODINGS[encoding].replace("\n", end)
    plain = f"1;Smith;London{end}" * 60_000  # more than is looked at around the first letter
    for around in (text, plain + text + plain, text + plain, plain + text):
        found, name, _ = utf8_text(around.encode(encoding))
        assert (name, found) == (encoding, around.encode())


def test_few_letters_tell_nothing_and_are_read_as_in_most_files():
    text = "id,name\n1,José\n2,Müller\n"
    assert utf8_text(text.encode("cp1252"))[:2] == (text.encode(), "cp1252")


WORKBOOKS = {case.name: case.data for case in corpus_workbooks.cases() if case.name.endswith(": cells")}


@settings(max_examples=60)
@given(st.sampled_from(list(WORKBOOKS)), st.data())
def test_damaged_workbooks_are_read_or_refused_with_a_sentence(name, draw):
    whole = WORKBOOKS[name]
    members = corpus_workbooks.unzipped(whole) if whole.startswith(b"PK") else {"": whole}
    member = draw.draw(st.sampled_from([*members]))
    content = bytearray(members[member])
    places = st.integers(0, min(len(content), 3_000) - 1)
    for place, byte in draw.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=4)):
        content[place] = byte
    members[member] = bytes(content)
    read_or_refused(corpus_workbooks.zipped(members) if "" not in members else members[""], "a")


# No control characters (which a reader may take for a binary file) and no lone surrogates (which no file can hold).
CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from(" ,;\t|\"'\n#=0123456789"),
    max_size=12,
)


@st.composite
def written_tables(draw: st.DrawFn):
    width = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=15))
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"]))
    delimiter = draw(st.sampled_from(",;\t|^~ "))
    quoting: Any = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerow([f"name {i}" for i in range(width)])
    writer.writerows(rows)
    stated = "utf-16-le" if encoding == "utf-16-le" else None
    options = ReadOptions(encoding=stated, delimiter=delimiter, quote='"', header=True, skip_rows=0, skip_footer=0)
    return rows, out.getvalue().encode(encoding), options


@given(written_tables())
def test_a_table_written_by_the_csv_module_is_read_back_exactly(table):
    rows, data, options = table
    expected = [tuple(cell if cell.strip() else None for cell in row) for row in rows]
    width = len(rows[0])
    while width > 1 and expected and not any(expected[-1]):
        expected.pop()  # blank rows at the end are left out
    if not any(any(row) for row in expected):
        with pytest.raises(InputError, match=r"blanks|records|empty"):
            open_source(data, "a.csv", options)
        return
    source = open_source(data, "a.csv", options)
    assert list(source.frame.columns) == [f"name {i}" for i in range(width)]
    assert records(source.frame) == expected


WORDS = st.text(st.sampled_from("abcdeé "), min_size=1, max_size=8).map(str.strip).filter(bool)


@given(
    st.lists(st.tuples(st.integers(0, 99).map(str), WORDS, WORDS), min_size=2, max_size=30),
    st.sampled_from(",;\t|"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_usual_tables_are_read_without_being_reported_anything(rows, delimiter, encoding, quoting):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting)
    writer.writerows([("age", "town", "job"), *rows])
    source = open_source(out.getvalue().encode(encoding), "a.csv")
    assert list(source.frame.columns) == ["age", "town", "job"]
    assert records(source.frame) == rows
    assert source.reading.delimiter == delimiter


@settings(max_examples=300)
@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_sentence(data):
    source = read_or_refused(data)
    assert source is None or len(source.frame) >= 1


@settings(max_examples=200)
@given(st.sampled_from([case for case in CASES if not case.filename.endswith(".csv")]), st.data())
def test_damaged_files_are_read_or_refused_with_a_sentence(case, data):
    content = bytearray(case.data[:20_000])
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, max(len(content) - 1, 0)))] = data.draw(st.integers(0, 255))
    read_or_refused(bytes(content), case.filename)


def test_limits_are_stated_with_numbers(tmp_path: Path):
    parquet = io.BytesIO()
    pd.DataFrame({"a": ["x"] * 60, "b": ["y"] * 60}).to_parquet(parquet)
    for data, limits, says in (
        (b"a,b\n" + b"1,2\n" * 500_000, {"max_bytes": 1_000_000}, "has 2 MB; at most 1 MB"),
        (b"a,b,c\n1,2,3\n", {"max_columns": 2}, "has 3 columns; at most 2"),
        (b"a,b\n" + b"1,2\n" * 60, {"max_cells": 100}, "more than 100 cells"),
        (parquet.getvalue(), {"max_cells": 100}, "more than 100 cells"),
    ):
        with pytest.raises(InputError, match=says):
            open_source(data, "a", **limits)
    large = tmp_path / "large.csv"
    with large.open("wb") as file:  # two gigabytes that take no space
        file.seek(2_000_000_000)
        file.write(b"\n")
    with pytest.raises(InputError, match=r"has 2,000 MB; at most 500 MB"):
        open_source(large)


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("a.csv", "a.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\data.csv", "data.csv"),
        ("a\r\nSet-Cookie: x.csv", "a Set-Cookie: x.csv"),
        ("fdp.\u202ecsv", "fdp.csv"),
        ("a\x00b\u200b.csv", "a b.csv"),
        ("%s{0}![](http://x).csv", "x).csv"),
        ("..", "unnamed"),
        ("", "unnamed"),
        (None, "unnamed"),
        ("n" * 500 + ".csv", "n" * 115 + "….csv"),
    ],
)
def test_display_name(given_name: str | None, shown: str):
    assert display_name(given_name) == shown


def test_a_path_is_read_and_a_missing_one_refused(tmp_path: Path):
    path = tmp_path / "visits.csv"
    path.write_bytes(b"id,sex\n1,f\n")
    source = open_source(path)
    assert (source.name, len(source.frame)) == ("visits.csv", 1)
    with refused("file-missing"):
        open_source(tmp_path / "other.csv")
    with refused("file-unreadable"):
        open_source(tmp_path)


@pytest.mark.parametrize("kind", ["plain", "unclosed quote", "workbook", "Parquet", "Stata", "SPSS", "SAS transport"])
def test_nothing_is_written_to_disk(kind: str):
    case = next(case for case in CASES if case.name == kind)
    written, watching = [], True

    def watch(event: str, arguments: tuple) -> None:
        if watching and event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
            written.append(arguments[0])

    with contextlib.suppress(InputError):  # Python writes what it imports for the first time as bytecode
        open_source(case.data, case.filename)
    sys.addaudithook(watch)  # a hook cannot be removed, so it is switched off
    with contextlib.suppress(InputError):
        open_source(case.data, case.filename)
    watching = False
    assert not written


def test_what_openpyxl_says_of_a_cell_is_not_shown(recwarn):
    book = openpyxl.Workbook()
    for row in [("id", "seen"), ("1", 9_876_543_210), ("2", 1)]:
        book.worksheets[0].append(row)
    book.worksheets[0]["B2"].number_format = "yyyy-mm-dd"  # of a day out of range
    out = io.BytesIO()
    book.save(out)
    open_source(out.getvalue(), "a.xlsx")
    assert not recwarn.list


def test_a_sheet_of_one_far_cell_is_cheap():
    book = openpyxl.Workbook()
    for row in [("id", "sex"), *[(str(i), "f") for i in range(1_000)]]:
        book.worksheets[0].append(row)
    book.worksheets[0]["XFD1000"] = "x"  # a thousand rows as wide as this one would be 130 MB
    out = io.BytesIO()
    book.save(out)
    tracemalloc.start()
    source = open_source(out.getvalue(), "a.xlsx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert source.frame.shape == (1_000, 2)
    assert peak < 20_000_000


def test_irregular_rows_far_into_a_large_file_keep_their_place():
    rows = [(str(i), f"name {i % 7}", "x,y" if i % 3 else "two\nlines") for i in range(50_000)]
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("id", "name", "note"), *rows])
    lines = out.getvalue().replace('40000,name 2,"x,y"\r\n', '# checked\r\n40000,name 2,"x,y",,\r\n')
    source = open_source(lines.encode(), "a.csv")
    assert records(source.frame) == rows
    assert len(source.reading.notes) == 2


def test_adult(shared_data):
    source = open_source(shared_data("adult.csv"))
    reference = pd.read_csv(shared_data("adult.csv"), dtype=str, keep_default_na=False)
    assert source.frame.astype(object).equals(reference.astype(object))
    assert source.reading.notes == ()
    proposed = {(c.column, c.mark): c.count for c in missing_mark_candidates(counts_of(source.frame))}
    assert proposed["workclass", "?"] == 1836 and proposed["native_country", "?"] == 583
    assert proposed["capital_gain", "99999"] == 159


def frame_of(**columns: list[str | None]) -> pd.DataFrame:
    return pd.DataFrame({name: text_categorical(values) for name, values in columns.items()})


def counts_of(frame: pd.DataFrame) -> dict[str, ValueCounts]:
    records = FrameRecords(frame)
    return {name: records.counts_of(name) for name in records.columns}


def test_marks_are_proposed_with_counts():
    frame = frame_of(
        lab=["4", "5", "9999", "9999", "-9", "6"],
        age=["97", "98", "99", "96", "99", "95"],
        text=["N/A", "n/a", "null", "*", "suppressed", " N/A "],
        place=["Paris", "Unknown", "Oslo", "-", ".", None],
    )
    found = {(c.column, c.mark): c.count for c in missing_mark_candidates(counts_of(frame))}
    once = {"lab": ["-9"], "text": ["n/a", "null", "*", "suppressed"], "place": ["Unknown", "-", "."]}
    expected = {(column, mark): 1 for column, marks in once.items() for mark in marks}
    assert found == expected | {("lab", "9999"): 2, ("text", "N/A"): 2}


def test_marks_apply_to_all_columns_or_by_column():
    frame = frame_of(a=["?", "1", "2"], b=["?", "NA", " ? "])
    everywhere = apply_missing_marks(frame, DEFAULT_MARKS)
    assert records(everywhere) == [(None, None), ("1", None), ("2", None)]
    by_column = apply_missing_marks(frame, {"b": ["?"]})
    assert records(by_column) == [("?", None), ("1", "NA"), ("2", None)]
    assert records(frame) == [("?", "?"), ("1", "NA"), ("2", " ? ")]
    with refused("column-unknown"):
        apply_missing_marks(frame, {"c": ["?"]})


@given(
    st.lists(st.sampled_from(["?", "NA", "1", "10", "2", "x", None]), max_size=30),
    st.sets(st.sampled_from(["?", "NA", "10"])),
)
def test_marks_are_as_if_never_read(values, marks):
    marked = apply_missing_marks(frame_of(a=values), marks)["a"].array
    reference = text_categorical([None if value in marks else value for value in values])
    assert list(marked.codes) == list(reference.codes)
    assert list(marked.categories) == list(reference.categories)


def test_lookalikes_are_pointed_out_and_merged_when_asked():
    cities = ["Köln", "Köln", "Ko\u0308ln", "K\u200böln", "KÖLN", "Köln ", "Oslo", None]
    frame = frame_of(city=cities, id=list("abcdefgh"))
    (found,) = lookalikes(counts_of(frame))
    assert (found.column, found.values[0]) == ("city", "Köln")
    once = dict.fromkeys(("Ko\u0308ln", "K\u200böln", "KÖLN", "Köln "), 1)
    assert dict(zip(found.values, found.counts, strict=True)) == once | {"Köln": 2}
    merged = merge_lookalikes(frame, "city")
    assert records(merged[["city"]]) == [("Köln",)] * 6 + [("Oslo",), (None,)]
    assert records(frame)[2][0] == "Ko\u0308ln"
    with refused("column-unknown"):
        merge_lookalikes(frame, "town")


def test_no_lookalikes_among_different_values():
    assert lookalikes(counts_of(frame_of(a=["25.0", "250.0", "0123", "123", "ß", "β"]))) == ()


def test_ways_to_write_a_number_are_merged_to_the_most_frequent():
    frame = frame_of(dose=["1.0", "1", "1.0", "2", "2.0", "01", "1,5", "1.5"], id=list("abcdefgh"))
    assert [found.values for found in lookalikes(counts_of(frame))] == [("1.0", "1"), ("1,5", "1.5"), ("2", "2.0")]
    merged = records(merge_lookalikes(frame, "dose")[["dose"]])
    assert [value for (value,) in merged] == ["1.0", "1.0", "1.0", "2", "2", "01", "1,5", "1,5"]


def test_ibis_table_of_files(tmp_path: Path):
    parquet, text = tmp_path / "a.parquet", tmp_path / "a.csv"
    pd.DataFrame({"zip": ["02138", " ", None], "dose": [1.5, float("nan"), None]}).to_parquet(parquet)
    text.write_text("zip,n\n02138,1\n,2\n")
    table = ibis_table(parquet)
    assert sorted(ClassTable.from_ibis(table).counts) == [1, 2], "blank text and not-a-number are missing"
    assert ibis_table(text).zip.execute().tolist()[0] == "02138"
    assert ibis_table(str(text), columns=["n"]).columns == ("n",)
    with refused("column-unknown"):
        ibis_table(text, columns=["x"])
    with refused("file-missing"):
        ibis_table(tmp_path / "b.parquet")
    text.rename(tmp_path / "c.parquet")
    with refused("file-damaged"):
        ibis_table(tmp_path / "c.parquet")


def test_ibis_table_of_a_connection():
    connection = ibis.duckdb.connect()
    connection.raw_sql("create table people as select 1 as age, 'x' as name")
    connection.raw_sql("create table visits as select 1 as id, [1, 2] as days")
    assert ibis_table(connection, "people").count().execute() == 1
    with pytest.raises(InputError, match="2 tables"):
        ibis_table(connection)
    with refused("table-unknown"):
        ibis_table(connection, "other")
    with refused("cells-not-values"):
        ibis_table(connection, "visits")
    assert ibis_table(connection, "visits", columns=["id"]).columns == ("id",)
