"""Large regular text, read by compiled loops: to the last cell and note as with care, or not at all."""

from __future__ import annotations

from contextlib import contextmanager
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher

from anonlib.basics.errors import InputError
from anonlib.reading.sources import ReadOptions, body, open_source, regular, regular_loops
from anonlib.reading.sources.reading import blank_places
from anonlib.reading.sources.regular import read_regular
from anonlib.set_up.loops import compile_reading
from tests.helpers.examples import settings

WORDS = st.sampled_from([
    "", " ", "\u00a0", "1", "02138", "2.50", "F", "2020-01-02", "#1", "# no", "NA", "é", "日本", "a\x00", "Total",
    "x" * 17, "eight by", "nine byte", "sixteen bytes of", "more than sixteen bytes", "more than sixteen byte!",
])  # fmt: skip
ODD = st.sampled_from([",", ";", '"', '""', "'", "\n", "\r", "\r\n", "\n\n", "\x00", " ", "\ufeff", "#", "\x1a", "x\n"])


@contextmanager
def read_by_loops(from_bytes: int = 1, block: int = regular.BLOCK):
    with mock.patch.object(body, "FROM_BYTES", from_bytes), mock.patch.object(regular, "BLOCK", block):
        yield


@st.composite
def tables(draw) -> list[list[str]]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(WORDS, min_size=width, max_size=width), min_size=1, max_size=12))


@st.composite
def files(draw) -> bytes:
    """A table as a file, mostly a regular one, and now and then with something that does not belong."""
    table, delimiter = draw(tables()), draw(st.sampled_from(",;\t|"))
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"]]))
    lines = []
    for row in [[f"name {i}" for i in range(len(table[0]))], *table]:
        cells = [f'"{cell}"' if draw(st.booleans()) else cell for cell in row]
        lines.append(delimiter.join(cells) + draw(st.sampled_from(ends)))
    text = "".join(lines)
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(ODD) + text[place:]
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])))


def outcome(data: bytes, options: ReadOptions):
    """All that an officer can learn of a file: its cells and how it was read, or the sentence that refuses it."""
    try:
        source = open_source(data, "visits.csv", options)
    except InputError as error:
        return str(error)
    columns = {
        name: (column.array.codes.tolist(), list(column.array.categories)) for name, column in source.frame.items()
    }
    return columns, source.reading, source.digest


@settings(400)
@given(
    files(),
    st.integers(1, 9),
    st.sampled_from([None, ","]),
    st.sampled_from([None, "", "'"]),
    st.sampled_from([None, True, False]),
    st.booleans(),
)
def test_both_ways_come_to_the_same(data, block, delimiter, quote, header, keep_lines):
    options = ReadOptions(delimiter=delimiter, quote=quote, header=header, keep_lines=keep_lines)
    with read_by_loops(block=block):
        quick = outcome(data, options)
    assert quick == outcome(data, options)


@settings(200)
@given(tables(), st.integers(1, 9), st.data())
def test_regular_rows_are_read_cell_by_cell(table, block, data):
    def written(cell: str) -> str:
        return f'"{cell}"' if data.draw(st.booleans()) else cell

    ends = st.sampled_from(["\n", "\r\n"])
    text = "".join("\t".join(map(written, row)) + data.draw(ends) for row in table).encode()
    with read_by_loops(block=block):
        columns = read_regular(memoryview(text), "\t", '"', len(table[0]), len(table) + 1)
    assert columns is not None
    for i, (codes, texts) in enumerate(columns):
        values = texts.to_pylist()
        assert [values[code] for code in codes] == [row[i] for row in table]
        assert values == list(dict.fromkeys(row[i] for row in table))  # in the order in which they came first


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1\n", "a,b\n1,2,3\n", "a,b\n ,\n \n",  # a row of too few or too many cells
        'a"b,c\n', 'a,"b\n', 'a,"b"c\n', 'a,"b""c"\n', ' "a",b\n',  # a quotation mark out of place, or doubled
        'a,"b\nc"\n', 'a,"b\r\nc"\n',  # a line break within a cell
        "a,b\rc,d\r", "a\r,b\n", "a,b\n\r",  # a carriage return that ends no line
        "\n\n",  # no row at all
        "\ufeffa,b\n",  # a mark that another reader takes for none of the text
    ],
)  # fmt: skip
def test_at_the_first_doubt_nothing_is_read(text):
    assert read_regular(memoryview(text.encode()), ",", '"', 2, 5) is None


def test_one_odd_row_among_very_many_is_found_by_its_line(monkeypatch):
    """The rows that fit are not counted among those that do not."""
    monkeypatch.setattr(body, "_MOST", 5)
    data = b"id,sex\n" + b"1,F\n" * 20
    assert len(open_source(data + b'2,"M\nF"\n').frame) == 21
    with pytest.raises(InputError, match=r"^Line 22 has more cells than the 2 columns"):
        open_source(data + b"2,M,3\n" + b"1,F\n" * 20)


def test_quotation_marks_can_be_ordinary_text():
    columns = read_regular(memoryview(b'5" x,"\n"",b"c\n'), ",", "", 2, 3)
    assert columns is not None
    assert [texts.to_pylist() for _, texts in columns] == [['5" x', '""'], ['"', 'b"c']]


def test_texts_of_one_hash_are_distinguished_by_their_bytes():
    text = np.frombuffer(b"a text of many bytes|a text of most bytes|a text of many bytes", np.uint8)
    starts, lengths = np.array([0, 21, 42]), np.array([20, 20, 20])
    same = regular_loops.Keys(*(np.zeros(3, np.uint64) for _ in range(3)))
    values = regular_loops.Values(*(np.zeros(3, kind) for kind in (np.uint64, np.uint64, np.int64, np.int64)))
    codes = np.empty(3, np.int32)
    n = regular_loops.encode(text, starts, lengths, same, values, np.zeros(8, np.uint64), 0, codes)
    assert n == 2 and codes.tolist() == [0, 1, 0]


def test_progress_goes_up_to_one_and_can_end_the_reading():
    data = b"id,sex\n" + b"".join(b"%d,F\n" % i for i in range(500))
    for from_bytes in (1, len(data)):
        shares: list[float] = []
        with read_by_loops(from_bytes, block=64):
            open_source(data, progress=shares.append)
        assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == pytest.approx(1)
        assert len(shares) > 10 or from_bytes > 1

    shares = []
    with read_by_loops(block=64):
        open_source(data + b'a"b,M\n', options=ReadOptions(quote=None), progress=shares.append)
    assert shares == sorted(shares), "where care takes over it goes on"

    class Stopped(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.3:
            raise Stopped

    with read_by_loops(block=64), pytest.raises(Stopped):
        open_source(data, progress=stop)


def test_blanks_are_those_of_python():
    texts = [*map(chr, [*range(0xD800), *range(0xE000, 0x11000)]), "", "  ", " \u3000", "\u3000x", "\x00"]
    expected = [i for i, text in enumerate(texts) if not text.strip()]
    assert blank_places(pa.array(texts, pa.large_string())).tolist() == expected
    assert blank_places(pa.array(texts, pa.large_string())[5:]).tolist() == [i - 5 for i in expected if i >= 5]


def test_set_up_compiles_all_that_reading_needs():
    def compiled_for() -> dict[str, int]:
        return {
            name: len(loop.signatures) for name, loop in vars(regular_loops).items() if isinstance(loop, Dispatcher)
        }

    compile_reading()
    ready = compiled_for()
    assert sum(ready.values()) >= 5  # those called from outside; what they call may come with them
    for text, width in ((b"1\n2", 1), (b"a,b,c\r\n" * 100, 3)):
        with read_by_loops(block=4):
            assert read_regular(memoryview(b"0\n" + text)[2:], ",", "", width, 101) is not None
    assert compiled_for() == ready
