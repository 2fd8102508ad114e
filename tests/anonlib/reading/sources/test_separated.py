"""Cells parted by colons or blanks, blanks after delimiters, very long cells, and sentences on what cannot be read."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.basics.errors import InputError
from anonlib.reading.sources import ReadOptions, Source, open_source
from anonlib.reading.sources.reading import ALIGNED
from tests.helpers.errors import refused


def read(text: str, **options: object) -> Source:
    return open_source(text.encode(), "a.csv", ReadOptions(**options))  # type: ignore[arg-type]


def rows(source: Source) -> list[tuple[object, ...]]:
    frame = source.frame.astype(object)
    return list(frame.where(frame.notna(), None).itertuples(index=False, name=None))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("id:sex:age\n1:f:20\n2:m:30\n3:f:40\n", ("1", "f", "20")),
        ("id:age:zip\n1:20:02138\n2:31:02139\n3:45:02140\n", ("1", "20", "02138")),
        ("id:age\n1:20\n2:31\n3:61\n", ("1", "20")),
        ("name:job:icd10\nSmith, Ann:nurse:I10\nJones, Bo:clerk:E11\nFox, Cy:cook:\n", ("Smith, Ann", "nurse", "I10")),
        ("id:note\n1:a; b\n2:c\n3:d; e; f\n", ("1", "a; b")),
        ('id:at\n1:"12:30"\n2:"13:40"\n', ("1", "12:30")),
        ("id:age:\n1:20:\n2:31:\n3:61:\n", ("1", "20")),
    ],
)
def test_a_file_parted_by_colons_is_no_single_column(text: str, first: tuple[str, ...]):
    source = read(text)
    assert (source.reading.delimiter, source.reading.delimiter_name) == (":", "colon")
    assert rows(source)[0] == first and "".join(source.frame.columns) == text.splitlines()[0].replace(":", "")


def test_one_damaged_line_of_many_hides_no_colons():
    lines = ["id:sex:age", *(f"{i}:f:{20 + i}" for i in range(30)), "30:f"]
    with pytest.raises(InputError, match="line 32"):
        read("\n".join(lines))
    assert read("\n".join(lines), fill_short_rows=True).frame.shape == (31, 3)


@pytest.mark.parametrize(
    "text",
    [
        "when (hh:mm)\n2024-01-02 12:30\n2024-01-03 13:40\n2024-01-04 09:05\n",
        "from:to\n12:30\n13:40\n23:59\n",
        "h:m:s\n12:30:00\n13:40:59.5\n00:00:01\n",
        "time\n08:30\n09:30\n10:20\n",
    ],
)
def test_a_column_of_times_is_one(text: str):
    assert read(text).frame.shape == (3, 1)


def test_times_among_cells_mislead_nobody():
    source = read("id,seen,at\n1,12:30,a:b\n2,13:40,c:d\n3,14:50,e:f\n")
    assert source.reading.delimiter == "," and rows(source)[0] == ("1", "12:30", "a:b")
    for text in ("a:b\n12:30\n13:40\n", "08:30\n09:30\n10:20\n", "08:30:00\n09:30:00\n10:20:00\n"):
        assert read(text).frame.shape[1] == 1


def test_one_column_that_may_be_several_says_so():
    source = read("a1:f:20\na2:m:30\na3:f:40\n")
    assert "nearly every line holds a colon" in " ".join(source.reading.notes)
    assert read("zip\n02138\n02139\n").reading.notes == ()
    assert read("a1:f:20\na2:m:30\na3:f:40\n", delimiter=":", header=False).frame.shape == (3, 3)


LEFT = """id    name          age
1     John Smith     30
2     Anna Jones      5
3                   101
"""
RIGHT = """  id name          age
   1 John Smith     30
  22 Anna Jones      5
 333 Bo            101
"""


@pytest.mark.parametrize("text", [LEFT, RIGHT, LEFT.replace("\n", "\r\n"), LEFT.rstrip(), "\n" + LEFT])
def test_aligned_columns_are_read_with_their_blank_cells(text: str):
    source = read(text)
    assert list(source.frame.columns) == ["id", "name", "age"]
    assert rows(source)[0] == ("1", "John Smith", "30") and len(source.frame) == 3
    assert text == RIGHT or rows(source)[2] == ("3", None, "101"), "a blank cell keeps its place"
    assert source.reading.delimiter == ALIGNED and "aligned" in str(source.reading.delimiter_name)


def test_a_line_that_does_not_fit_the_columns_is_refused():
    people = "".join(f"{i:<6}{'Anna Jones' if i % 2 else '':<12}{i:>5}\n" for i in range(200))
    with pytest.raises(InputError, match="Line 202 has fewer cells"):
        read("id    name          age\n" + people + "4     Johannes Sebastian 30\n")
    few = read(LEFT + "4     Johannes Sebastian 30\n")
    assert few.frame.shape == (4, 1) and "holds a blank" in " ".join(few.reading.notes)


def test_columns_of_words_are_not_cut():
    for text in ("full name\nJohn Smith\nAnna Moore\nBert Young\n", "note\nHe was well\nShe came back\nNothing\n"):
        assert read(text).frame.shape[1] == 1


def test_cells_parted_by_any_number_of_blanks_as_chosen():
    source = read("id age sex\n1 34 f\n10   5 m\n", delimiter=ALIGNED)
    assert rows(source) == [("1", "34", "f"), ("10", "5", "m")]
    assert "holds a blank" in " ".join(read("id age sex\n1 34 f\n10   5 m\n").reading.notes)


def test_a_title_above_aligned_columns_is_skipped_as_chosen():
    source = read("Report of the year 2024\n" + LEFT, delimiter=ALIGNED, skip_rows=1)
    assert len(source.frame) == 3 and source.reading.left_out[0].line == 1


def test_blanks_before_quotation_marks():
    source = read('a, "b", c\n1, "Paris, France", 3\n2, "he said, ""no""", 4\n')
    assert list(source.frame.columns) == ["a", "b", "c"]
    assert rows(source) == [("1", "Paris, France", "3"), ("2", 'he said, "no"', "4")]
    assert "Blanks follow the delimiters" in " ".join(source.reading.notes)
    over_lines = read('a, "b"\n1, "x\n, ""y"\n2, "z"\n')
    assert rows(over_lines) == [("1", 'x\n, "y'), ("2", "z")]


@pytest.mark.parametrize("cell", [" x", " 5'10\" tall"])
def test_blanks_stay_where_no_quotation_mark_follows(cell: str):
    assert rows(read(f"a,b\n1,{cell}\n2,y\n"))[0] == ("1", cell)


@pytest.mark.parametrize("rest", ["", "2,y\n", "2,y\n3,z\n"])
def test_a_first_record_with_a_very_long_cell_is_read(rest: str):
    long = "x" * ((1 << 22) + 100)
    source = read(f'id,note\n1,"{long}"\n{rest}')
    assert rows(source)[0] == ("1", long) and len(source.frame) == 1 + rest.count("\n")


def test_a_cell_that_is_too_long_is_named_by_its_line():
    with pytest.raises(InputError, match="line 2 is longer than 16,777,216"):
        read('id,note\n1,"' + "x" * 17_000_000 + '"\n2,y\n')


@pytest.mark.slow
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.repeats)])
def test_columns_of_unequal_length_in_a_damaged_parquet_file(step):
    """A footer that promises more records than a column holds; at each fifth byte each day."""
    out, table = io.BytesIO(), pa.table({"a": list(range(50)), "b": list("xy" * 25)})
    pq.write_table(table, out, use_dictionary=False, compression="none")
    data = out.getvalue()
    refused = 0
    for place in range(4, len(data) - 4, step):
        damaged = bytearray(data)
        damaged[place] ^= (1, 2, 16)[place % 3]
        try:
            assert len(open_source(bytes(damaged), "a.parquet").frame) > 0
        except InputError as error:
            refused += str(error).endswith(".")
    assert refused


def test_sentences_name_the_file_once():
    for start in (b"HEADER RECORD*******LIB", b" " * 456 + b"SPSSPORT"):
        with refused("file-damaged") as caught:
            open_source(start + b"x" * 600, "a.xpt")
        assert "file file" not in str(caught.value)


def test_nothing_is_to_be_skipped_where_nothing_was():
    with refused("file-without-table") as caught:
        read(",,\n,,\n")
    assert "Skip" not in str(caught.value)
