"""Files as the tables of a case: several, workbooks, archives; names of their own, and nothing opened that is none."""

from __future__ import annotations

import gzip
import io

import openpyxl
import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.reading.connected import tables_in
from anonlib.reading.sources import ReadOptions
from anonlib.reading.sources.reading import Limits
from anonlib.reading.tables import (
    MOST_TABLES,
    NamedTable,
    archives,
    link,
    named_apart,
    open_offered,
    open_tables,
    opening,
)  # fmt: skip
from tests.helpers.corpus_workbooks import zipped as archive
from tests.helpers.errors import refused
from tests.helpers.tables import csv, in_memory

PATIENTS = {"patient_id": [101, 102, 103, 104], "sex": ["f", "m", "f", "m"]}
VISITS = {"visit_id": [1, 2, 3, 4, 5], "patient_id": [101, 101, 102, 104, 104], "ward": ["A", "B", "A", "C", None]}
TESTS = ["sodium", "potassium", "sodium", "sodium"]
LABS = {"visit_id": [1, 1, 2, 5], "test": TESTS, "value": ["140", "4.1", "138", "?"]}
KEYS = [("visits", "patient_id", "patients"), ("labs", "visit_id", "visits")]


def shapes(tables: tuple[NamedTable, ...]) -> dict[str, tuple[int, list[str]]]:
    return {table.name: (table.records.n_records, table.columns) for table in tables}


EXPECTED = {"patients": (4, list(PATIENTS)), "visits": (5, list(VISITS)), "labs": (4, list(LABS))}


def workbook(hidden: bool = False, **sheets: dict[str, list]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, columns in sheets.items():
        sheet = book.create_sheet(name)
        for line in [list(columns), *zip(*columns.values(), strict=True)] if columns else []:
            sheet.append(list(line))
    if hidden:
        book.worksheets[-1].sheet_state = "hidden"
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def parquet(columns: dict[str, list]) -> bytes:
    held = io.BytesIO()
    pd.DataFrame(columns).to_parquet(held)
    return held.getvalue()


WAYS = {
    "files": [("patients.csv", csv(PATIENTS)), ("x/visits.TSV", csv(VISITS, "\t")), ("labs.parquet", parquet(LABS))],
    "a workbook": [("case.xlsx", workbook(patients=PATIENTS, visits=VISITS, labs=LABS, empty={}))],
    "an archive": [("case.zip", archive({"x/patients.csv": csv(PATIENTS), "x/visits.csv.gz": gzip.compress(csv(VISITS)),
                                         "x/y/labs.xlsx": workbook(Sheet1=LABS), "__MACOSX/._labs.csv": b"x",
                                         "README.txt": b"Three tables of visits.\nTake care.\n"}))],
    "packed files": [("patients.csv.gz", gzip.compress(csv(PATIENTS))), ("visits.csv", csv(VISITS)),
                     ("labs.csv", csv(LABS))],
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_tables_come_in_many_ways_and_are_the_same(way):
    tables = open_tables(WAYS[way])
    assert shapes(tables) == EXPECTED
    assert len({table.digest for table in tables}) == 3
    linked = link(tables)
    assert linked.person_table == "patients"
    assert sorted((key.table, key.column, key.parent) for key in linked.keys) == sorted(KEYS)
    for table in tables:
        assert table.source is not None and table.source.digest == table.digest and not table.stays


def test_what_is_no_table_is_named():
    (first, *_) = open_tables(WAYS["an archive"])
    assert first.notes == ("Left out, since they are no tables: README.txt.",)
    files = {"a.csv": csv(LABS), "picture.png": b"x", "notes.docx": b"x"}
    (only,) = open_tables([("case.zip", archive(files))])
    assert only.notes == ("Left out of “case.zip”: notes.docx and picture.png.",)


def test_hidden_sheets_and_sheets_without_a_table_are_left_out_and_named():
    tables = open_tables([("a.xlsx", workbook(True, visits=VISITS, cover={"Visits of 2024": []}, secret=LABS))])
    assert list(shapes(tables)) == ["a"]
    assert tables[0].notes == (
        "Left out: 1 hidden sheet of the workbook.", "Left out, since no table was found in it: sheet “cover”.",
    )  # fmt: skip
    with refused("file-without-records"):
        open_tables([("a.xlsx", workbook(one={}))])


def test_names_are_made_distinct_whatever_their_capitals():
    files = [(name, csv(LABS)) for name in ("a.csv", "x/A.csv", "a.tsv", "a (2).csv", ".csv")]
    assert [table.name for table in open_tables(files)] == ["a", "A (3)", "a (4)", "a (2)", ".csv"]
    assert [table.name for table in named_apart(in_memory(b={"x": ["1"]}) * 3)] == ["b", "b (2)", "b (3)"]


def test_how_one_file_is_read_can_be_corrected():
    files = [("labs.csv", b"x;1\ny;2\n"), ("visits.csv", csv(VISITS))]
    tables = open_tables(files, options={"labs.csv": ReadOptions(delimiter=";", header=False)})
    assert shapes(tables)["labs"] == (2, ["column 1", "column 2"])


def test_progress_goes_from_nothing_to_all():
    seen: list[float] = []
    open_tables(WAYS["files"], seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([], "There is no file"),
        ([("a.csv", csv(LABS)), ("b.csv", b"x,y\n1,2\n3,4,5\n6,7\n")], "“b.csv”: "),
        ([("a.pdf", b"%PDF-1.7")], "“a.pdf”: This is a PDF document"),
        ([("a.json", b'{"a": 1}')], "“a.json”: This is JSON"),
        ([("a.zip", archive({"a.docx": b"x"}))], "holds no table"),
        ([("a.zip", archive({"a.csv": csv(LABS)})[:-30])], "“a.zip” is damaged"),
        ([("a.zip", archive({"b.zip": archive({"a.csv": csv(LABS)})}))], "holds no table"),
        ([("a.csv.gz", gzip.compress(csv(LABS))[:-9])], "“a.csv.gz” is cut off"),
        ([("a.zip", archive({"readme.txt": b"One line.\n"}))], "No table was found. Left out, since they"),
        ([(f"{i}.csv", csv(LABS)) for i in range(MOST_TABLES + 1)], "at most 30 tables"),
    ],
)  # fmt: skip
def test_what_cannot_be_opened_is_a_sentence_that_names_the_file(files, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        open_tables(files)
    assert "sodium" not in str(caught.value)


@pytest.mark.parametrize(
    "files",
    [
        [("a.csv", csv(LABS)), ("b.csv", csv(LABS) * 20)],
        [("a.zip", archive({"a.csv": csv(LABS) * 20}))],
        [("a.csv.gz", gzip.compress(csv(LABS) * 20))],
        [("a.zip", archive({"a.csv.gz": gzip.compress(csv(LABS) * 20)}))],
    ],
    ids=["together", "archive", "packed", "packed in an archive"],
)
def test_what_is_too_large_is_not_unpacked(files):
    with pytest.raises(InputError, match="more than 0 MB"):
        open_tables(files, limits=Limits(bytes=1000))


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "xlsx"])
def test_an_archive_of_too_many_tables_is_refused_before_it_is_unpacked(ending: str, monkeypatch) -> None:
    many = archive({f"{i}.{ending}": b"a" for i in range(9_999)})
    monkeypatch.setattr(archives.zipfile.ZipFile, "read", _unasked)
    with pytest.raises(InputError, match="at most 30 tables; here are 9,999"):
        open_tables([("a.zip", many)])


def test_too_many_files_are_refused_before_one_is_read(monkeypatch) -> None:
    monkeypatch.setattr(opening, "open_source", _unasked)
    with pytest.raises(InputError, match="at most 30 tables; here are 31"):
        open_tables([("a.zip", archive({f"{i}.csv": csv(LABS) for i in range(30)})), ("b.csv", csv(LABS))])


def test_a_licence_and_parts_of_an_export_are_no_tables_too_many() -> None:
    texts = {f"licence {i}.txt": b"One line.\n" for i in range(40)}
    lines = {f"{i}.ndjson": b'{"resourceType": "Patient", "id": "%d"}\n' % i for i in range(40)}
    (table,) = open_tables([("a.zip", archive(texts | lines))])
    assert table.records.n_records == 40


def _unasked(*_: object, **__: object) -> None:
    raise AssertionError("nothing is read")


def test_an_archive_with_a_password_is_refused():
    content = bytearray(archive({"a.csv": csv(LABS)}))
    for start in (content.find(b"PK\x03\x04") + 6, content.find(b"PK\x01\x02") + 8):
        content[start] |= 1
    with refused("file-has-a-password"):
        open_tables([("a.zip", bytes(content))])


def test_cells_count_over_all_tables():
    with refused("too-many-cells"):
        open_tables(WAYS["files"], limits=Limits(cells=30))


def test_tables_of_a_folder_share_a_connection_and_hang_together(tmp_path):
    (tmp_path / "visits").mkdir()
    (tmp_path / "patients.csv").write_bytes(csv(PATIENTS))
    for i in range(2):
        pd.DataFrame({key: values[3 * i : 3 * i + 3] for key, values in VISITS.items()}).to_parquet(
            tmp_path / "visits" / f"{i}.parquet"
        )
    pd.DataFrame(LABS).to_parquet(tmp_path / "labs.parquet")
    tables = open_offered(tables_in(tmp_path).tables)
    assert shapes(tables) == {name: EXPECTED[name] for name in ("labs", "patients", "visits")}
    assert all(table.stays and table.source is None for table in tables)
    assert len({id(table.records.table.get_backend()) for table in tables}) == 1  # type: ignore[attr-defined]
    linked, here = link(tables), link(open_tables(WAYS["files"]))
    assert linked.person_table == here.person_table and set(linked.keys) == set(here.keys)
