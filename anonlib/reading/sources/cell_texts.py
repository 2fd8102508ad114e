"""Typed cells as text, each as an engine writes it into a CSV file: the same text whatever way a value came in.

Values of one type come first. Then come numbers, dates and times that a file stores as such, written as text without
loss. At the end are numbers that Stata, SAS and SPSS files declare as days, moments, months, quarters, halves, weeks or
years.
"""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from anonlib.values.dates.month_names import months_in

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
    match = _YEAR.match(text)
    assert match is not None
    year = int(match.group())
    if year > 0:
        return text
    day, blank, clock = text[match.end() :].partition(" ")
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


_LARGEST_PLAIN = 1e21
_ZERO_FORMAT = re.compile(r"0[0 ()/-]*0")


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a decimal point.

    >>> number_text(250.0), number_text(0.1), number_text(1e22)
    ('250', '0.1', '1e+22')
    """
    if isinstance(value, int):
        return str(value)
    if value != value:
        return ""
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return repr(float(value))


def digits_as_shown(value: float, number_format: str | None) -> str | None:
    """A whole number with the leading zeros and separators its format shows; None for other numbers and formats.

    >>> digits_as_shown(2138, "00000"), digits_as_shown(21381234, "00000\\\\-0000")
    ('02138', '02138-1234')
    """
    pattern = (number_format or "").replace("\\", "").replace('"', "")
    if not _ZERO_FORMAT.fullmatch(pattern) or value < 0 or value != int(value):
        return None
    digits = str(int(value)).zfill(pattern.count("0"))
    shown = []
    for mark in reversed(pattern):
        shown.append(mark if mark != "0" else digits[-1])
        digits = digits[:-1] if mark == "0" else digits
    return digits + "".join(reversed(shown))


def moment_text(value: datetime.date | datetime.time) -> str:
    """A date, time or moment as ISO; a moment at midnight that has no time zone is its date.

    >>> moment_text(datetime.datetime(2024, 3, 17)), moment_text(datetime.datetime(2024, 3, 17, 9, 30))
    ('2024-03-17', '2024-03-17 09:30:00')
    """
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    nanosecond = getattr(value, "nanosecond", 0)  # of a pandas moment
    midnight = value.tzinfo is None and value.time() == datetime.time() and not nanosecond
    return value.date().isoformat() if midnight else value.isoformat(sep=" ")


_STATA = re.compile(r"%-?(?:t(?P<unit>[mqhwdcC])|(?P<day>d)).*")
_PER_YEAR = {"m": 12, "q": 4, "h": 2, "w": 52}  # Stata's 52nd week goes on to the end of the year
_WRITTEN = {"m": "{}-{:02}", "q": "{}-Q{}", "h": "{}-H{}", "w": "{}-W{:02}"}
_EPOCH = datetime.datetime(1960, 1, 1)  # of Stata and SAS
_EPOCH_OF_SPSS = datetime.datetime(1582, 10, 14)
_DAY = 86_400
_SPSS = {
    "MOYR": "m", "QYR": "q", "WKYR": "w", "MONTH": "month",
    **dict.fromkeys(("DATE", "ADATE", "EDATE", "JDATE", "SDATE", "DATETIME", "YMDHMS"), "day"),
}  # fmt: skip
# Of SAS those that show a month, a quarter or a year are written as such; all others as the days that they hold.
_SAS = re.compile(
    r"(?:(?P<month>MONYY|YYMON|(?:MMYY|YYMM)[CDNPS]?)|(?P<quarter>YYQR?[CDNPS]?)|(?P<year>YEAR)"
    r"|(?P<day>DATE|(?:DDMMYY|MMDDYY|YYMMDD)[BCDNPS]?|WEEKDAT[EX]|WEEKDAY|WEEK[UVW]|WORDDAT[EX]|JULIAN|JULDAY|PDJUL[GI]|"
    r"MONNAME|MONTH|QTRR?|DAY|DOWNAME|[EB]8601DA|IS8601DA|NLDATE\w*?|EURDF(?:DD|DE|DN|DT|DWN|MN|MY|WDX|WKX)|NENGO|MINGUO|"
    r"HDATE|HEBDATE)"
    r"|(?P<moment>DATETIME|DATEAMPM|MDYAMPM|DTDATE|DTWKDATX|[EB]8601D[NTXZ]|IS8601D[NTZ]|NLDATM\w*?)"
    r"|DT(?P<month_of_moment>MONYY)|DT(?P<quarter_of_moment>YYQC)|DT(?P<year_of_moment>YEAR))\d*(?:\.\d*)?",
    re.IGNORECASE,
)
_UNIT_OF_SAS = {"month": "m", "quarter": "q", "year": "year"}
_MONTHS = tuple(in_full for in_full, *_ in months_in("English"))


def period_texts(values: Sequence[Any], declared: str, program: str) -> list[Any] | None:
    """The values of a column as what the file declares them to be: ``2013-04``, ``2013-Q2``, ``2013-H1``, ``2013-W05``,
    a day, a moment, a year.

    Parameters
    ----------
    values : Sequence[Any]
        Numbers; what is none, such as a kind of missing value, stays as it is.
    declared : str
        The format that the file declares, such as ``%tq`` and ``%tdCY`` of Stata, ``QYR6`` of SPSS, ``MONYY7`` of SAS.
    program : str
        ``Stata``, ``SAS`` or ``SPSS``, as the name of the file's format begins.

    Returns
    -------
    list, or None
        None where the format is another one.

    Examples
    --------
    >>> period_texts([639, 211.0, None], "%tm", "Stata"), period_texts([2774], "%tw", "Stata")
    (['2013-04', '1977-08', None], ['2013-W19'])
    >>> period_texts([13584153600.0], "QYR8", "SPSS"), period_texts([19450], "MONYY7", "SAS")
    (['2013-Q2'], ['2013-04'])
    """
    read = {"Sta": _of_stata, "SAS": _of_sas, "SPS": _of_spss}[program[:3]](declared)
    if read is None or not any(map(_is_number, values)):
        return None
    return [read(value) if _is_number(value) else value for value in values]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and value == value and abs(value) < 1e15


def _of_stata(declared: str) -> Callable[[float], Any] | None:
    match = _STATA.fullmatch(declared)
    if match is None:
        return None
    unit = match["unit"] or match["day"]
    if unit not in _PER_YEAR:
        return _moment(_EPOCH, _DAY if unit == "d" else 1e-3)

    def written(value: float) -> str:
        year, period = divmod(int(value), _PER_YEAR[unit])
        return _WRITTEN[unit].format(_EPOCH.year + year, period + 1)

    return written


def _of_spss(declared: str) -> Callable[[float], Any] | None:
    unit = _SPSS.get(re.sub(r"[\d.]+$", "", declared.upper()))
    if unit == "month":
        return lambda value: _MONTHS[int(value) - 1] if value in range(1, 13) else value
    return None if unit is None else _in_unit(unit, _moment(_EPOCH_OF_SPSS, 1))


def _of_sas(declared: str) -> Callable[[float], Any] | None:
    match = _SAS.fullmatch(declared)
    if match is None:
        return None
    shown, _, of_moment = str(match.lastgroup).partition("_of_")
    is_moment = of_moment == "moment" or shown == "moment"
    return _in_unit(_UNIT_OF_SAS.get(shown, "day"), _moment(_EPOCH, 1 if is_moment else _DAY))


def _moment(epoch: datetime.datetime, seconds: float) -> Callable[[float], Any]:
    """The moment that so many units of as many seconds after an epoch are; the number itself where there is none."""

    def read(value: float) -> Any:
        try:
            return epoch + datetime.timedelta(seconds=float(value) * seconds)
        except OverflowError:
            return value

    return read


def _in_unit(unit: str, moment: Callable[[float], Any]) -> Callable[[float], Any]:
    def written(value: float) -> Any:
        day = moment(value)
        if not isinstance(day, datetime.datetime) or unit == "day":
            return day
        if unit == "year":
            return str(day.year)
        week = (day.timetuple().tm_yday - 1) // 7 + 1
        return _WRITTEN[unit].format(day.year, {"m": day.month, "q": (day.month + 2) // 3, "w": week}[unit])

    return written
