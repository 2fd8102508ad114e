"""Typed cells as text, each as an engine writes it into a CSV file: the same text whatever way a value came in."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # in a second
_YEAR = re.compile(r"-?\d+")
_ENDLESS = {2**63 - 1: "infinity", -(2**63) + 1: "-infinity"}
_ENDLESS_DAYS = {2**31 - 1: "infinity", -(2**31) + 1: "-infinity"}
_NO_CELLS = (list, tuple, set, frozenset, dict, np.ndarray, bytes, bytearray, memoryview)
_BINARY = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
_EXTENSIONS = (pa.UuidType, pa.Bool8Type)  # whose values are plain


def is_cell_type(kind: pa.DataType) -> bool:
    """Whether values of an Arrow type are cells: neither lists nor structures nor binary values."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if isinstance(kind, pa.BaseExtensionType):
        return isinstance(kind, _EXTENSIONS)
    return not (pa.types.is_nested(kind) or any(is_binary(kind) for is_binary in _BINARY))


def array_texts(values: pa.Array) -> list[str]:
    """The texts of values of one type; none may be missing.

    Answers are ``true`` and ``false``. Floats have the fewest digits that read back as the same float of their width,
    as Python writes them (``1.0``, ``1e+16``); not-a-number is blank. Decimals keep their zeros. Moments are
    ``2024-02-28 09:30:00.5``; those that have a time zone are in UTC and end with ``+00``, to the microsecond. Years
    before 1 are ``0044-03-15 (BC)``. A duration is its number of the unit it is stored in.
    """
    kind = values.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_integer(kind):
        return [str(value) for value in values.to_pylist()]
    if pa.types.is_timestamp(kind):
        return moment_texts(_numbers(values), kind.unit, zoned=kind.tz is not None)
    if pa.types.is_date32(kind):
        days = _numbers(values)
        return [_ENDLESS_DAYS.get(int(day)) or text for day, text in zip(days, _days(days, "D"), strict=True)]
    if pa.types.is_date64(kind):
        return _days(_numbers(values), "ms")
    if pa.types.is_time(kind):
        return _times(_numbers(values), kind.unit)
    if pa.types.is_duration(kind):
        return [str(number) for number in _numbers(values).tolist()]
    if pa.types.is_float16(kind) or pa.types.is_float32(kind):
        return [_single_text(value) for value in values.to_numpy(zero_copy_only=False).astype(np.float32)]
    return [value_text(value) for value in values.to_pylist()]


def value_text(value: object) -> str:
    """The text of one value of Python, NumPy or pandas, as :func:`array_texts` has it of an array.

    Raises
    ------
    TypeError
        For lists, structures and binary values, which are no cells.
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (np.float16, np.float32)):
        return _single_text(value)
    if isinstance(value, float):
        return "" if value != value else repr(float(value))
    if isinstance(value, decimal.Decimal):
        return "" if value.is_nan() else format(value, "f")
    if isinstance(value, datetime.timedelta):
        value = pd.Timedelta(value).to_timedelta64()
    if isinstance(value, datetime.datetime):
        value, zoned = _in_utc(value), value.tzinfo is not None
        return array_texts(pa.array([value.to_datetime64()]))[0] + ("+00" if zoned else "")
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return array_texts(pa.array(np.array([value])))[0]
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return _without_zeros(value.isoformat())
    if isinstance(value, _NO_CELLS):
        raise TypeError("no cell")
    return str(value)


def distinct_texts(values: Sequence[object] | np.ndarray | pd.Index | pd.api.extensions.ExtensionArray) -> list[str]:
    """The texts of a column's distinct values, whatever their types. Raises TypeError as :func:`value_text`."""
    kind = getattr(values, "dtype", None)
    if kind is None or pd.api.types.is_object_dtype(kind):
        return [value_text(value) for value in values]
    try:
        array = pa.array(values)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError):  # types of pandas alone, such as periods
        return [value_text(value) for value in values]
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if not is_cell_type(array.type) and not isinstance(array.type, pa.BaseExtensionType):
        raise TypeError("no cell")
    return array_texts(array) if is_cell_type(array.type) else [value_text(value) for value in values]


def moment_texts(numbers: np.ndarray, unit: str, *, zoned: bool) -> list[str]:
    """Moments as text, from whole numbers of a unit since 1970."""
    if zoned and unit == "ns":  # engines keep moments with a time zone to the microsecond
        numbers, unit = numbers // 1000 + ((numbers < 0) & (numbers % 1000 > 0)), "us"  # towards 1970, as they do
    texts = np.datetime_as_string(numbers.view(f"datetime64[{unit}]")).tolist()
    zone = "+00" if zoned else ""
    written = (_without_zeros(_in_era(text.replace("T", " "))) + zone for text in texts)
    return [_ENDLESS.get(number) or text for number, text in zip(numbers.tolist(), written, strict=True)]


def _days(numbers: np.ndarray, unit: str) -> list[str]:
    days = numbers.astype(np.int64).view(f"datetime64[{unit}]").astype("datetime64[D]")
    return [_in_era(text) for text in np.datetime_as_string(days).tolist()]


def _times(numbers: np.ndarray, unit: str) -> list[str]:
    """Times of day; 24:00:00 and later ones, which no clock shows, go on counting hours."""
    per_second, texts = _UNITS[unit], []
    digits = len(str(per_second)) - 1
    for number in numbers.tolist():
        seconds, part = divmod(abs(number), per_second)
        text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        texts.append(("-" if number < 0 else "") + _without_zeros(f"{text}.{part:0{digits}}" if digits else text))
    return texts


def _in_era(text: str) -> str:
    """A date, or a moment, of a year before 1 as an engine writes it; others as they are."""
    found = _YEAR.match(text)
    assert found is not None
    year = int(found.group())
    if year > 0:
        return text
    day, blank, clock = text[found.end() :].partition(" ")
    return f"{1 - year:04}{day} (BC){blank}{clock}"


def _without_zeros(text: str) -> str:
    """A time without zeros at the end of the part of its second."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _single_text(value: np.floating) -> str:
    return "" if value != value else repr(float(str(np.float32(value))))


def _numbers(values: pa.Array) -> np.ndarray:
    kind = values.type
    whole = pa.int32() if kind.bit_width == 32 else pa.int64()
    return values.view(whole).to_numpy(zero_copy_only=False).astype(np.int64)


def _in_utc(value: datetime.datetime) -> pd.Timestamp:
    moment = pd.Timestamp(value)
    return moment if moment.tzinfo is None else moment.tz_convert("UTC").tz_localize(None)
