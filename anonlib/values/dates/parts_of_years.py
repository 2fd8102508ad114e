"""Months, quarters, halves and weeks with their year, anywhere in a value: finer than a year, and no day."""

from __future__ import annotations

import re

import numpy as np

from anonlib.values.dates.month_names import month_of
from anonlib.values.dates.reading import ENOUGH, Values
from anonlib.values.naming import fold

_YEAR = r"(?P<y{}>(?:18|19|20)\d\d)"
_GAP = r"[\s./_-]{0,3}"
_WEEK = (
    r"(?:calendar week|epi ?week|week|weeks|wk|wks|cw|kalenderwoche|kw|woche|semaine|sem|semana|settimana|sett|weeknr|"
    r"weeknummer|tydzien|tyg|vecka|v|bi ?w|(?:mon|tue|wed|thu|fri|sat|sun)w|w)"
)
_QUARTER = r"(?:q|qu|qtr|quarter|quartal|trimestre|trim|t|kwartaal|kw|kwartal|kv|kvartal)"
_HALF = r"(?:h|hj|half|halbjahr|semestre|s|semester|polrocze|halvar)"
_OF = r"(?:of\s|in\s|de\s|del\s|di\s)?"
_ORDER = r"(?:\.|st|nd|rd|th|er|eme|e|o|a)?"
_NUMBERED = re.compile(
    r"(?<![\w])(?:"
    rf"{_YEAR.format(1)}{_GAP}(?:{_WEEK}{_GAP}\d{{1,2}}|{_QUARTER}{_GAP}[1-4]|{_HALF}{_GAP}[12])"
    rf"|(?:{_WEEK}{_GAP}\d{{1,2}}|{_QUARTER}{_GAP}[1-4]|{_HALF}{_GAP}[12]){_GAP}{_OF}{_YEAR.format(2)}"
    rf"|(?:\d{{1,2}}{_ORDER}\s?{_WEEK}|[1-4]{_ORDER}\s?{_QUARTER}|[12]{_ORDER}\s?{_HALF}){_GAP}"
    rf"{_OF}{_YEAR.format(3)}"
    rf"|{_YEAR.format(4)}(?:0[1-9]|1[0-2])b"
    r")(?!\w)"
)
"""Weeks, quarters, halves and, as DHIS2 writes them, pairs of months, by their words or letters."""
_MONTH_IN_FIGURES = re.compile(
    rf"(?<![\w/.-])(?:(?:0?[1-9]|1[0-2])[./-]{_YEAR.format(1)}|{_YEAR.format(2)}[./-](?:0[1-9]|1[0-2]))(?![\w/-]|\.\d)"
)
_UNKNOWN = r"(?:un|unk|uk|xx|nk|na|00|99|--|\?\?)"
_DAY_UNKNOWN = re.compile(
    rf"(?<!\w)(?:{_YEAR.format(1)}[./-](?:0[1-9]|1[0-2])[./-]{_UNKNOWN}"
    rf"|{_UNKNOWN}[./-](?:0?[1-9]|1[0-2])[./-]{_YEAR.format(2)}"
    rf"|{_YEAR.format(3)}(?:0[1-9]|1[0-2])(?:00|99|xx))(?!\w)"
)
_MONTH_NAMED = re.compile(
    rf"(?<![^\W\d_])(?P<first>[^\W\d_]{{3,10}})\.?[\s./'’-]{{0,3}}(?:of\s|de\s|del\s|di\s)?{_YEAR.format(1)}(?!\d)"
    rf"|(?<!\d){_YEAR.format(2)}[\s./-]{{0,2}}(?P<last>[^\W\d_]{{3,10}})(?![^\W\d_])"
)
_WEEK_IN_FIGURES = re.compile(
    rf"(?:(?:0?[1-9]|[1-4]\d|5[0-3])[/-]{_YEAR.format(1)}|{_YEAR.format(2)}[/-](?:0?[1-9]|[1-4]\d|5[0-3]))"
)
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_MONTH_AS_NUMBER = re.compile(r"(?:0[1-9]|1[0-2])\.(?:18|19|20)\d\d|(?:18|19|20)\d\d\.(?:0[1-9]|1[0-2])")
_IN_ROMAN = re.compile(
    r"(?:x?i{1,3}|i?[vx]|vi{1,3})[ ./-](?:18|19|20)\d\d|(?:18|19|20)\d\d[ ./-](?:x?i{1,3}|i?[vx]|vi{1,3})"
)
_MONTH_IN_DIGITS = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")
_MAY_HOLD = re.compile(r"(?:18|19|20)\d\d")


def hold_parts(values: Values) -> np.ndarray:
    """Which values are or hold a month, quarter, half or week of a year; those that hold a day are for others.

    Parameters
    ----------
    values : Values
        A column's distinct values.

    Returns
    -------
    ndarray of bool, an item a value

    Examples
    --------
    >>> hold_parts(["KW 01/2013", "died 04/2013", "UN-APR-2013", "2013-06-00", "2013", "1999-2004"]).tolist()
    [True, True, True, True, False, False]
    >>> hold_parts(["33/2014", "07/2013"]).tolist(), hold_parts(["ISO 9001-2008"]).tolist()
    ([True, True], [False])
    """
    texts = [fold(str(value)).casefold().strip() for value in values]
    near = [i for i, text in enumerate(texts) if _MAY_HOLD.search(text) is not None]
    found = np.zeros(len(texts), dtype=bool)
    found[[i for i in near if not _NUMBER.fullmatch(texts[i]) and _holds_part(texts[i])]] = True
    for pattern in (
        _WEEK_IN_FIGURES,
        _MONTH_AS_NUMBER,
        _IN_ROMAN,
    ):  # so are rooms and amounts, and only a column of them tells
        alike = [i for i in near if pattern.fullmatch(texts[i])]
        if len(alike) >= ENOUGH * max(1, len(texts)):
            found[alike] = True
    in_digits = [i for i in near if _MONTH_IN_DIGITS.fullmatch(texts[i])]
    if found.any() and found.sum() + len(in_digits) >= ENOUGH * len(texts):  # beside parts that have words
        found[in_digits] = True
    return found


def _holds_part(text: str) -> bool:
    if any(pattern.search(text) for pattern in (_NUMBERED, _MONTH_IN_FIGURES, _DAY_UNKNOWN)):
        return True
    return any(month_of(match["first"] or match["last"]) for match in _MONTH_NAMED.finditer(text))
