"""A value has one text, whatever way it came in: an upload, a path, a folder in place, a frame."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.connected import tables_in
from anonlib.reading.records import FrameRecords, TableRecords
from anonlib.reading.sources import ibis_table, open_source
from tests.helpers.errors import refused

NANOSECONDS = 1_709_112_600_000_000_000  # 2024-02-28 09:30:00 in UTC
MOMENTS = [
    datetime.datetime(2024, 2, 28, 9, 30),
    datetime.datetime(2024, 2, 28, 9, 30, 0, 500_000),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 1),
    datetime.datetime(2024, 2, 28),
    None,
]
IN_UTC = ["2024-02-28 09:30:00", "2024-02-28 09:30:00.5", "1969-12-31 23:59:59.000001", "2024-02-28 00:00:00", None]
FLOATS = [0.1, 1.0, 1e-7, 1e16, 16777216.0, 3.4028234663852886e38, -0.0, float("nan"), float("inf"), None]
ZONED = [text and f"{text}+00" for text in IN_UTC]


def texts_of(frame: pd.DataFrame) -> dict[str, list[str | None]]:
    return {name: [None if pd.isna(cell) else cell for cell in frame[name]] for name in frame}


def counted(kind: pa.DataType, numbers: list[int | None]) -> pa.Array:
    return pa.array(numbers, pa.int32() if kind.bit_width == 32 else pa.int64()).cast(kind)


COLUMNS: dict[str, tuple[pa.Array, list[str | None]]] = {
    "answer": (pa.array([True, False, None]), ["true", "false", None]),
    "small": (pa.array([-5, 7, None], pa.int8()), ["-5", "7", None]),
    "large": (pa.array([2**64 - 1, 0], pa.uint64()), ["18446744073709551615", "0"]),
    "half": (pa.array(np.array([0.1, 1.5, 65504, np.nan], np.float16)), ["0.099975586", "1.5", "65504.0", None]),
    "single": (
        pa.array(FLOATS, pa.float32()),
        ["0.1", "1.0", "1e-07", "1e+16", "16777216.0", "3.4028235e+38", "-0.0", None, "inf", None],
    ),
    "double": (
        pa.array(FLOATS),
        ["0.1", "1.0", "1e-07", "1e+16", "16777216.0", "3.4028234663852886e+38", "-0.0", None, "inf", None],
    ),
    "price": (pa.array([Decimal("1.50"), Decimal("-0.05"), None], pa.decimal128(9, 2)), ["1.50", "-0.05", None]),
    "tiny": (pa.array([Decimal("0E-10"), Decimal("1.5E-9")], pa.decimal128(38, 10)), ["0.0000000000", "0.0000000015"]),
    "day": (pa.array([datetime.date(2024, 2, 29), datetime.date(1, 1, 1), None]), ["2024-02-29", "0001-01-01", None]),
    "far day": (counted(pa.date32(), [3_000_000, -800_000, 0]), ["10183-09-21", "0222-09-04 (BC)", "1970-01-01"]),
    "moment": (pa.array(MOMENTS, pa.timestamp("us")), IN_UTC),
    "moment ms": (counted(pa.timestamp("ms"), [0, 1500]), ["1970-01-01 00:00:00", "1970-01-01 00:00:01.5"]),
    "moment ns": (
        counted(pa.timestamp("ns"), [NANOSECONDS, NANOSECONDS + 10]),
        ["2024-02-28 09:30:00", "2024-02-28 09:30:00.00000001"],
    ),
    "far moment": (counted(pa.timestamp("us"), [253_402_300_800 * 10**6]), ["10000-01-01 00:00:00"]),
    "in utc": (pa.array(MOMENTS, pa.timestamp("us", "UTC")), ZONED),
    "in Berlin": (pa.array(MOMENTS, pa.timestamp("us", "Europe/Berlin")), ZONED),
    "in Berlin ns": (
        counted(pa.timestamp("ns", "Europe/Berlin"), [NANOSECONDS, NANOSECONDS + 1500, -5, -2000]),
        [
            "2024-02-28 09:30:00+00",
            "2024-02-28 09:30:00.000001+00",
            "1970-01-01 00:00:00+00",
            "1969-12-31 23:59:59.999998+00",
        ],
    ),
    "clock": (counted(pa.time32("ms"), [34_200_500, 0, None]), ["09:30:00.5", "00:00:00", None]),
    "clock us": (counted(pa.time64("us"), [34_200_000_001]), ["09:30:00.000001"]),
    "clock ns": (counted(pa.time64("ns"), [0, 1, 34_200 * 10**9]), ["00:00:00", "00:00:00.000000001", "09:30:00"]),
    "in Oslo when clocks went back": (
        counted(pa.timestamp("ms", "Europe/Oslo"), [1_603_584_000_000, 1_603_587_600_000]),
        ["2020-10-25 00:00:00+00", "2020-10-25 01:00:00+00"],
    ),
    "stay": (counted(pa.duration("us"), [1, 86_400_000_000]), ["1", "86400000000"]),
    "text": (pa.array(["a", "", " ", "\u3000", " x ", "True", None]), ["a", None, None, None, " x ", "True", None]),
    "long text": (pa.array(["é", "", None], pa.large_string()), ["é", None, None]),
    "code": (pa.array(["02138", "a", None]).dictionary_encode(), ["02138", "a", None]),
    "number code": (pa.array([10, 2, None]).dictionary_encode(), ["10", "2", None]),
    "nothing": (pa.nulls(2), [None, None]),
}
EXTENDED = {
    "uuid": (
        pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16, None], pa.binary(16))),
        ["30303030-3030-3030-3030-303030303030", None],
    ),
    "bool8": (pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None], pa.int8())), ["1", "0", None]),
}
WAYS = {
    "upload": lambda file: FrameRecords.of(open_source(file.read_bytes(), file.name).frame),
    "path": lambda file: TableRecords(ibis_table(file)),
    "folder": lambda file: TableRecords(tables_in(file.parent).tables[0].open().table),
    "frame": lambda file: FrameRecords.of(pq.read_table(file).to_pandas(types_mapper=pd.ArrowDtype)),
}


@pytest.fixture(scope="module", params=["UTC", "America/Caracas"])
def file(request, tmp_path_factory) -> Path:
    """A Parquet file of all the columns, opened on computers of several time zones."""
    with pytest.MonkeyPatch.context() as zone:
        zone.setenv("TZ", request.param)
        made = tmp_path_factory.mktemp("typed") / "typed.parquet"
        n = max(len(values) for values, _ in COLUMNS.values())
        padded = {
            name: pa.concat_arrays([values, pa.nulls(n - len(values), values.type)])
            for name, (values, _) in COLUMNS.items()
        }
        pq.write_table(pa.table({"row": range(100, 100 + n), **padded}), made)
        yield made


@pytest.mark.parametrize("way", WAYS)
def test_a_value_has_one_text_whatever_the_way_in(way, file):
    frame = WAYS[way](file).head(100).astype(object).sort_values("row")
    found = texts_of(frame)
    for name, (_, texts) in COLUMNS.items():
        assert found[name] == texts + [None] * (len(frame) - len(texts)), name


@pytest.mark.parametrize("way", ["upload", "path", "folder"])
@pytest.mark.parametrize("kind", EXTENDED)
def test_types_of_types_have_one_text_too(kind, way, tmp_path):
    values, texts = EXTENDED[kind]
    pq.write_table(pa.table({"row": range(len(values)), "cell": values}), tmp_path / "a.parquet")
    frame = WAYS[way](tmp_path / "a.parquet").head(10).astype(object).sort_values("row")
    assert texts_of(frame)["cell"] == texts


def test_decimals_that_the_engine_would_change_are_not_read_in_place(tmp_path):
    values = pa.array([Decimal(1), Decimal(10**49)], pa.decimal256(50, 0))
    pq.write_table(pa.table({"wide": values}), tmp_path / "a.parquet")
    assert list(open_source(tmp_path / "a.parquet").frame["wide"]) == ["1", str(10**49)]
    for way in ("path", "folder"):
        with pytest.raises(InputError, match="more than 38 digits cannot be read in place: column wide"):
            WAYS[way](tmp_path / "a.parquet")


def test_a_frame_of_pandas_has_the_texts_of_its_parquet_file(tmp_path):
    frame = pd.DataFrame(
        {
            "answer": [True, False, True],
            "maybe": pd.array([True, None, False], "boolean"),
            "objects": pd.Series([True, None, 1.5], dtype=object),
            "born": pd.to_datetime(["2024-02-28", "2024-02-28 09:30:00.5", None], format="ISO8601"),
            "seen": pd.to_datetime(["2024-02-28 00:00:00"] * 3).tz_localize("Europe/Berlin"),
            "single": np.array([0.1, 1.5, np.nan], np.float32),
            "text": ["", " ", "x"],
            "scale": pd.Categorical(["low", "", "high"], ["low", "", "high"], ordered=True),
            "choice": pd.Categorical(["b", "", "a"]),
            "coded": pd.Categorical([True, False, True]),
        }
    )
    frame.drop(columns="objects").to_parquet(tmp_path / "a.parquet")
    data = Dataset.from_frame(frame)
    texts = texts_of(data.records)
    assert texts == {
        "answer": ["true", "false", "true"],
        "maybe": ["true", None, "false"],
        "objects": ["true", None, "1.5"],
        "born": ["2024-02-28 00:00:00", "2024-02-28 09:30:00.5", None],
        "seen": ["2024-02-27 23:00:00+00"] * 3,
        "single": ["0.1", "1.5", None],
        "text": [None, None, "x"],
        "scale": ["low", None, "high"],
        "choice": ["b", None, "a"],
        "coded": ["true", "false", "true"],
    }
    assert data.records["scale"].cat.ordered and list(data.records["scale"].cat.categories) == ["low", "high"]
    del texts["objects"]
    assert texts_of(open_source(tmp_path / "a.parquet").frame) == texts


@pytest.mark.parametrize("cells", [[[1], [2]], [{"a": 1}], [b"x"]])
def test_what_is_no_cell_is_refused_by_its_column(cells):
    with refused("cells-not-values", "odd"):
        Dataset.from_frame(pd.DataFrame({"odd": pd.Series(cells, dtype=object)}))
    with refused("cells-not-values", "odd"):
        Dataset.from_frame(pd.DataFrame({"odd": pd.array(cells, dtype=pd.ArrowDtype(pa.array(cells).type))}))
