"""The formats that a release leaves as: read again, each has the same cells as the others and as the release."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import zipfile
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.sources import ReadOptions, open_source
from anonlib.release.export import draws_for, released_csv, released_in
from anonlib.release.files import FORMATS, formats, release_rows
from anonlib.release.files.rows import as_numbers, neutralise
from anonlib.release.files.statistical import spss_names, stata_names
from tests.helpers.errors import refused
from tests.helpers.examples import settings

WHOLE = ReadOptions(header=True, skip_rows=0, skip_footer=0, keep_lines=True)
SEED = [7, 11]
NASTY = [
    "=1+1", "+A1", "-cmd", "@SUM(A1)", "\tx", " =2", "＝1", "a;=b", "02138", "007", "1,5", "-3", "12.50", "1e5", "0.1",
    "a\nb", "it's", "<b>&amp;</b>", "_x0041_",
    "é́", "名前", "🙂", "x" * 300, "y" * 2_100, "NULL", "*", '"q"', "TRUE", ".",
]  # fmt: skip
NAMES = [
    "id", "=name", "with space", "if", "ALL", "2nd", "größe", "名", "n" * 70, "n" * 69 + "m", "Id", "_x", "a.b", "str5",
]  # fmt: skip
CELLS = st.one_of(
    st.none(), st.sampled_from(NASTY), st.integers(-50, 50).map(str),
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Cf", "Cn")), min_size=1, max_size=12),
)  # fmt: skip
NUMBERS = st.one_of(st.none(), st.integers(-9, 9).map(str), st.sampled_from(["0.5", "2.25", "1234567890.125"]))


@st.composite
def releases(draw) -> Dataset:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    n = draw(st.integers(1, 12))
    columns = {}
    for name in names:
        cells = draw(st.lists(draw(st.sampled_from([CELLS, NUMBERS])), min_size=n, max_size=n))
        columns[name] = [None if cell is None or not cell.strip() else cell.strip() for cell in cells]
    columns["row"] = [f"r{i}" for i in range(n)]
    return Dataset.from_frame(pd.DataFrame(columns, dtype=object))


def reread(kind: str, released: Dataset) -> pd.DataFrame:
    written = released_in(kind, released, draws_for(released, SEED))
    options = WHOLE if kind in ("CSV", "Excel") else ReadOptions()
    return open_source(written, f"release.{FORMATS[kind].ending}", options).frame


def same(found: str | None, expected: str | None, number: bool) -> bool:
    if number and found is not None and expected is not None:
        return float(found) == float(expected)
    return found == expected


@pytest.mark.parametrize("kind", FORMATS)
@settings(120)
@given(released=releases())
def test_every_format_read_again_has_the_rows_of_the_release_in_the_order_of_the_csv(kind, released):
    rows = release_rows(released, draws_for(released, SEED))
    again = reread(kind, released)
    assert len(again) == released.n_records and len(again.columns) == len(released.columns)
    for column, name in zip(rows.columns, again.columns, strict=True):
        expected: Sequence = list(column.texts)
        if kind in ("CSV", "Excel"):
            harmless = dict(zip(column.labels, neutralise(column.labels), strict=True))
            expected = [harmless.get(text) for text in expected]
        if kind == "Excel":  # it would take _x0041_ for an A, which the reader here does not
            expected = [text and text.replace("_x0041_", "_x005F_x0041_") for text in expected]
        found = [None if pd.isna(cell) else str(cell) for cell in again[name]]
        assert all(map(same, found, expected, [column.numbers is not None] * len(found))), (found, expected)
    assert sorted(again.iloc[:, -1].astype(str)) == sorted(f"r{i}" for i in range(released.n_records))


@settings(60)
@given(releases())
def test_stata_and_spss_have_names_they_allow_and_the_release_s_names_beside_them(released):
    import pyreadstat

    for kind, read, names in (("Stata", pyreadstat.read_dta, stata_names), ("SPSS", pyreadstat.read_sav, spss_names)):
        written = released_in(kind, released, draws_for(released, SEED))
        _, about = read(io.BytesIO(written), metadataonly=True)
        assert about.column_names == names(released.columns)
        assert about.column_labels == [name[:80] for name in released.columns]


@settings(60)
@given(st.lists(st.one_of(st.sampled_from(NAMES), st.text(min_size=1, max_size=90)), unique=True, max_size=8))
def test_changed_names_are_short_enough_different_and_no_words_of_the_program(names):
    stata, spss = stata_names(names), spss_names(names)
    assert len(set(stata)) == len(names) and all(len(name) <= 32 for name in stata)
    assert len({name.casefold() for name in spss}) == len(names) and all(len(name.encode()) <= 64 for name in spss)
    for name in (*stata, *spss):
        assert name[0].isalpha() and all(letter == "_" or letter.isalnum() for letter in name)
    assert not {"if", "int", "str5"} & set(stata) and not {"all", "with"} & {name.lower() for name in spss}


def test_plain_names_stay():
    names = ["age", "Sex", "zip_code", "größe", "x1"]
    assert stata_names(names) == spss_names(names) == names


def test_numbers_are_numbers_where_nothing_is_lost_by_it():
    def typed(*texts: str) -> list[float] | None:
        found = as_numbers(np.array(texts, dtype=object))
        return None if found is None else found.tolist()

    assert typed("7", "-3", "12.50") == [7.0, -3.0, 12.5] and typed("0", "0.5") == [0.0, 0.5]
    assert typed("02138", "90210") is None and typed("90210", "10001") is None, "codes"
    for texts in (("007",), ("1", "1.0"), ("1e5",), ("1,5",), ("+1",), ("1", "x")):
        assert typed(*texts) is None, texts
    assert typed("12345678901234567") is None and typed() is None


def of_types() -> Dataset:
    frame = pd.DataFrame(
        {
            "patient": ["p1", "p1", "p2", "p3"],
            "age": ["31", "40", None, "7"],
            "weight": ["70", "70.5", "81", None],
            "zip": ["02138", "02139", "02138", "90210"],
            "year": ["2020", "2021", "2020", "2021"],
        }
    )
    return Dataset.from_frame(frame).with_roles({"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER})


def test_columns_have_their_types_where_the_format_has_types():
    released = of_types()
    parquet = pd.read_parquet(io.BytesIO(released_in("Parquet", released)))
    kinds = {name: parquet[name].dtype.kind for name in parquet.columns}
    assert kinds["weight"] == kinds["age"] == "f"
    assert kinds["year"] == "i" and not {kinds[name] for name in ("zip", "patient")} & {"i", "f"}
    stata = pd.read_stata(io.BytesIO(released_in("Stata", released)))
    assert stata["age"].dtype.kind == "f" and stata["zip"].isin(["02138", "02139", "90210"]).all()
    with zipfile.ZipFile(io.BytesIO(released_in("Excel", released))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<c><v>70.5</v></c>" in sheet and "<v>02138</v>" not in sheet and "<f" not in sheet


@pytest.mark.parametrize("kind", FORMATS)
def test_a_seed_gives_equal_bytes_whenever_it_is(kind):
    first = released_in(kind, of_types(), draws_for(of_types(), SEED))
    assert first == released_in(kind, of_types(), draws_for(of_types(), SEED))
    if kind == "SPSS":  # its header has the time of day, in which the two may agree
        assert first[:4] == b"$FL2" and first[92:101] == b"01 Jan 80" and first[101:109] == b"00:00:00"


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_has_the_person_ids_of_the_csv_and_never_the_file_s(kind):
    released = of_types()
    csv = reread("CSV", released)
    assert reread(kind, released)["patient"].astype(str).tolist() == csv["patient"].astype(str).tolist()
    assert b"p1" not in released_in(kind, released, draws_for(released, SEED)) or kind in ("Excel", "Parquet")


def test_the_csv_is_one_of_the_formats():
    released = of_types()
    assert released_in("CSV", released, draws_for(released, SEED)) == released_csv(released, draws_for(released, SEED))


def test_labels_that_no_row_has_leave_in_no_format():
    frame = pd.DataFrame({"a": pd.Categorical(["x", "x"], categories=["secret", "x"], ordered=True)})
    released = Dataset("a", "0", FrameRecords(frame))
    (column,) = release_rows(released, np.random.default_rng(0)).columns
    assert column.labels.tolist() == ["x"]
    assert b"secret" not in released_in("Parquet", released)


def named(cell: str) -> Dataset:
    return Dataset.from_frame(pd.DataFrame({"note": [cell, "b"]}))


@pytest.mark.parametrize(
    ("kind", "cell", "message"),
    [
        ("Excel", "x" * 40_000, "longer than a cell"),
        ("Excel", "a\x01b", "control characters"),
        ("SPSS", "é" * 20_000, "longer than SPSS"),
        ("SPSS", "a\0b", "null characters"),
        ("Stata", "a\0b", "null characters"),
    ],
)
def test_what_a_format_cannot_hold_is_stated_without_the_cell(kind, cell, message):
    with pytest.raises(InputError, match=message) as error:
        released_in(kind, named(cell))
    assert "“note”" in str(error.value) and cell not in str(error.value)


def test_too_many_rows_for_a_sheet_and_unknown_formats_are_sentences(monkeypatch):
    monkeypatch.setattr(formats, "MOST_ROWS", 2)
    with pytest.raises(InputError, match=r"holds 1 record, and this release has 2. Take it as CSV or Parquet"):
        released_in("Excel", named("a"))
    with refused("choice-unknown"):
        released_in("Word", named("a"))


def test_without_files_in_memory_spss_is_refused_and_nothing_is_written(monkeypatch):
    monkeypatch.setattr(formats, "IN_MEMORY", False)
    with refused("release-stays"):
        released_in("SPSS", named("a"))


_written: list[str] | None = None


def _watch(event: str, arguments: tuple) -> None:
    """As the browser tests watch the server: an audit hook stays for good, so it notes only while a test listens."""
    if _written is not None and event == "open":
        path, _, flags = arguments
        if not isinstance(path, int) and flags & (os.O_WRONLY | os.O_RDWR):
            _written.append(str(path))


sys.addaudithook(_watch)


def test_nothing_is_written_to_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(globals(), "_written", [])
    (tmp_path / "seen").write_text("x")
    assert _written, "the watch notices a file"
    (tmp_path / "seen").unlink()
    released = of_types()
    for kind in FORMATS:
        monkeypatch.setitem(globals(), "_written", [])
        released_in(kind, released)
        assert _written == [], kind
    assert not list(tmp_path.iterdir())
