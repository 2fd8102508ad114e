"""Numbers that a file stores as numbers, written as text without loss."""

from __future__ import annotations

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
