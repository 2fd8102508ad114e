"""Texts as ranges of months: years, halves, quarters, months, and spans of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from anonlib.values.dates import month_of
from anonlib.values.ranges.ranges import Ranges

_DASH = r"[-–—]"
_YEAR = r"((?:18|19|20)\d\d)"
_NAME = r"([^\W\d_]{3,10})\.?"
_YEAR_INSIDE = re.compile(r"(?:18|19|20)\d\d")
_YEAR_ALONE = re.compile(_YEAR)
_YEARS = re.compile(rf"{_YEAR}\s*(?:{_DASH}|to|/)\s*{_YEAR}")
_QUARTER = re.compile(rf"{_YEAR}[-/ ]?q([1-4])|q([1-4])[-/ ]?{_YEAR}")
_HALF = re.compile(rf"{_YEAR}[-/ ]?h([12])|h([12])[-/ ]?{_YEAR}")
_MONTH = re.compile(rf"{_YEAR}[-/](0[1-9]|1[0-2])|(0?[1-9]|1[0-2])/{_YEAR}")
_MONTH_NAMED = re.compile(rf"{_NAME}[-/ ]?\s*{_YEAR}|{_YEAR}[-/ ]?\s*{_NAME}")
_MONTHS_NAMED = re.compile(rf"{_NAME}\s*(?:{_YEAR})?\s*(?:{_DASH}|to)\s*{_NAME}\s*{_YEAR}")
_MONTHS_TO = re.compile(rf"{_YEAR}-(0[1-9]|1[0-2])\s*(?:[–—]|\s-\s|to|/)\s*{_YEAR}-(0[1-9]|1[0-2])")


def ranges_of_months(texts: Sequence[str]) -> Ranges:
    """Texts as ranges of months: years, halves, quarters, months and spans of them.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values, without blanks around them.

    Returns
    -------
    Ranges
        Its lower ends belong to the ranges, its upper ones do not.
    """
    low, high = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for i, text in enumerate(texts):
        found = _months(text.casefold())
        if found is not None:
            low[i], high[i] = found
    known = ~np.isnan(low)
    return Ranges("months", low, high, known, np.zeros(len(texts), dtype=bool), low, high)


def _months(text: str) -> tuple[int, int] | None:
    if not _YEAR_INSIDE.search(text):
        return None
    if match := _YEAR_ALONE.fullmatch(text):
        return _from(int(match[1]) * 12, 12)
    for pattern, length in ((_QUARTER, 3), (_HALF, 6), (_MONTH, 1)):
        if match := pattern.fullmatch(text):
            year, part = (match[1], match[2]) if match[1] else (match[4], match[3])
            return _from(int(year) * 12 + length * (int(part) - 1), length)
    if match := _MONTH_NAMED.fullmatch(text):
        name, year = (match[1], match[2]) if match[1] else (match[4], match[3])
        month = month_of(name)
        return _from(int(year) * 12 + month - 1, 1) if month else None
    if match := _YEARS.fullmatch(text):
        return _until(int(match[1]) * 12, int(match[2]) * 12 + 11)
    if match := _MONTHS_TO.fullmatch(text):
        return _until(int(match[1]) * 12 + int(match[2]) - 1, int(match[3]) * 12 + int(match[4]) - 1)
    if match := _MONTHS_NAMED.fullmatch(text):
        first, last = month_of(match[1]), month_of(match[3])
        if first and last:
            return _until(int(match[2] or match[4]) * 12 + first - 1, int(match[4]) * 12 + last - 1)
    return None


def _from(month: int, length: int) -> tuple[int, int]:
    return month, month + length


def _until(first: int, last: int) -> tuple[int, int] | None:
    return (first, last + 1) if first <= last else None
