"""Numbers, dates and times that a file stores as such, written as text without loss."""

from __future__ import annotations

import datetime
import re

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
