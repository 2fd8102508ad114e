"""Days and parts of years anywhere in a column: among words, behind a word, or two of them as a span.

First come values that hold a day with its year, although only a few of the column do, one stands behind a word, or two
make a span. At the end come values that hold a month, quarter, half or week with its year: finer than a year, and no
day.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from anonlib.values.dates import patterns
from anonlib.values.dates.month_names import month_of
from anonlib.values.dates.reading import ENOUGH, Values, chosen_orders, days_of, group_of, parts_of
from anonlib.values.naming import fold

_MAY_HOLD = re.compile(
    r"\d[-/.]\s?\d{1,2}[-/.]\s?\d|\d[^\W_]{0,2}[\s/.-]{0,2}(?:de )?[^\W\d_]{3,10}\W|\d[^\W\d_]{3,9}\d\d"
    r"|[^\W\d_]{3}\W{0,2}\d{1,2}[^\W_]{0,2}[,\s/-]+\d{4}",
)
"""What every value with a day in it has, but for those in digits; nearly no other is then looked at closely."""
_NO_DAY = re.compile(r"\D*|-?\d*[.,]?\d*")
_IN_DIGITS = re.compile(r"(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6}|[T ].+|\.0+)?")
_NAME = r"(?P<{}>[^\W\d_]{{3,10}})"
_INSIDE = re.compile(
    r"(?<![\w.])(?:"
    rf"(?:(?<!-)|(?=\d{{4}}[/.]))(?P<y1>\d{{4}})(?P<k1>[-/.])(?P<m1>\d{{1,2}})(?P=k1)(?P<d1>\d{{1,2}})(?:(?=[Tt]\d)|(?!\w|(?P=k1)\d))"
    rf"|(?:(?<!-)|(?=\d\d?[/.]))(?P<a2>\d{{1,2}})(?P<k2>[-/.])\s?(?P<b2>\d{{1,2}})(?P=k2)\s?(?P<y2>\d{{4}})(?!\w|(?P=k2)\d)"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th|er)?[.º°]?(?:\s(?:de|of))?[\s/-]?{_NAME.format('n3')}\.?,?(?:\sdel?)?[\s/-]?"
    rf"(?P<y3>\d{{4}})(?!\w)"
    rf"|{_NAME.format('n4')}\.?[\s/-]?(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:,\s?|[\s/-])(?P<y4>\d{{4}})(?!\w)"
    r")"
)
"""A day with a year of four digits inside a text."""
_OF_A_YEAR = r"quartal|quarter|trimestre|kwartaal|kwarta\u0142"
_PARTS = re.compile(
    rf"(?:[1-4]\D{{0,3}}(?i:{_OF_A_YEAR})|(?i:{_OF_A_YEAR}|kw|kalenderwoche)\s?\d{{1,2}}"
    rf"|(?P<alone>[^\W\d_]{{3,10}})\.?|{_NAME.format('first')}\.?[\s/'’-]{{1,2}}\d{{1,2}}"
    rf"|\d{{1,2}}\.?[\s/-]?{_NAME.format('last')}\.?"
    rf"|[^\W\d_]{{2,4}},?\s{_NAME.format('middle')}\s{{1,2}}\d{{1,2}}\s\d\d?:\d\d(?::\d\d)?(?:\s[A-Z]{{2,5}})?\s\d{{4}}"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])|(?:0?[1-9]|[12]\d|3[01])\s(?:0?[1-9]|[12]\d|3[01])\s(?:19|20)\d\d"
    r"|(?:0?[1-9]|[12]\d|3[01])\.\s?(?:0?[1-9]|1[0-2])\."
    r"|(?:19|20)\d\d-?W(?:0[1-9]|[1-4]\d|5[0-3])(?:-?[1-7])?)"
)
"""Months and days of a month, and days in forms that are not read otherwise."""
_MONTHS_ALONE = 3  # different ones: words such as “may” and “set” are others
_THREE_NUMBERS = re.compile(r"\d\d?([-/.])\s?\d\d?\1\s?\d\d?")


def hold_days(values: Values) -> np.ndarray:
    """Which values are or hold a day with its year, however few of the column do.

    A value counts where at least :data:`ENOUGH` of what the column has in the same form are days: part numbers,
    versions and scores have such a form too, and are none.

    Parameters
    ----------
    values : Values
        A column's distinct values. Inside of texts only years of four digits are found.

    Returns
    -------
    ndarray of bool, an item a value

    Examples
    --------
    >>> hold_days(["alive", "died 2021-03-12", "12MAR2021", "v 1.2.10", "2021"]).tolist()
    [False, True, True, False, False]
    """
    texts = [patterns.with_colons(str(value).strip()) for value in values]
    holds_day = np.zeros(len(texts), dtype=bool)
    near = [i for i, text in enumerate(texts) if _may_hold(text)]
    for places in _of_whole_values(texts, near):
        holds_day[places] = True
    for places in _of_parts(texts, [i for i in near if not holds_day[i]]):
        holds_day[places] = True
    return holds_day


def may_be_parts_of_dates(values: Values) -> bool:
    """Whether a column's values may be months, days of a month or weeks, or days in a form that is not read as one.

    Parameters
    ----------
    values : Values
        A column's distinct values, of which at least :data:`ENOUGH` have to have such a form; of months without
        anything beside them at least three.

    Returns
    -------
    bool

    Examples
    --------
    >>> may_be_parts_of_dates(["Mar-21", "Apr-21"]), may_be_parts_of_dates(["202103"]), may_be_parts_of_dates(["2021"])
    (True, True, False)
    """
    matches = [_PARTS.fullmatch(str(value).strip()) for value in values]
    parts = [match for match in matches if match and (match.lastgroup is None or month_of(match[match.lastgroup]))]
    alone = sum(match.lastgroup == "alone" for match in parts)
    return len(parts) >= max(1, ENOUGH * len(matches)) and (alone < len(parts) or alone >= _MONTHS_ALONE)


def _may_hold(text: str) -> bool:
    if _IN_DIGITS.fullmatch(text):
        return True
    return _NO_DAY.fullmatch(text) is None and _MAY_HOLD.search(text) is not None


def _of_whole_values(texts: list[str], near: list[int]) -> Iterator[np.ndarray]:
    groups: dict[str, tuple[list[int], list[re.Match[str]]]] = {}
    for i in near:
        match = patterns.match_of(texts[i])
        if match is not None and ("name" not in match.re.groupindex or month_of(match["name"])):
            places, matches = groups.setdefault(group_of(match), ([], []))
            places.append(i)
            matches.append(match)
    chosen = chosen_orders({group: matches for group, (_, matches) in groups.items()})
    # Scores such as 8/9/10 are written like 8/9/9, which is no date: years of two digits are held against all these,
    # and days in digits against all numbers of as many.
    alike = Counter(match[1] + "2" for i in near if (match := _THREE_NUMBERS.fullmatch(texts[i])))
    alike["digits"] = sum(len(text) in (8, 12, 14) and text.isdigit() for text in texts)
    for group, (places, matches) in groups.items():
        order = chosen[group][0]
        if order is not None:
            yield _if_enough(places, [parts_of(match, order) for match in matches], alike[group])


def _of_parts(texts: list[str], near: list[int]) -> Iterator[np.ndarray]:
    places: dict[str, list[int]] = {}
    parts: dict[str, list[tuple[int, int, int]]] = {}
    for i in near:
        for match in _INSIDE.finditer(texts[i]):
            for form, part in _readings(match):
                places.setdefault(form, []).append(i)
                parts.setdefault(form, []).append(part)
    for form in places:
        yield _if_enough(places[form], parts[form])


def _readings(match: re.Match[str]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The form and year, month and day of a part, in both orders where either may be meant."""
    if match["y1"]:
        yield "year first" + match["k1"], (int(match["y1"]), int(match["m1"]), int(match["d1"]))
    elif match["y2"]:
        first, second, year = int(match["a2"]), int(match["b2"]), int(match["y2"])
        yield "dmy" + match["k2"], (year, second, first)
        yield "mdy" + match["k2"], (year, first, second)
    else:
        number = "3" if match["y3"] else "4"
        if month := month_of(match["n" + number]):
            yield "name" + number, (int(match["y" + number]), month, int(match["d" + number]))


def _if_enough(places: list[int], parts: list[tuple[int, int, int]], alike: int = 0) -> np.ndarray:
    """The places of days of 1800 to 2099, where enough of these parts, or of so many values alike, are such days."""
    days = days_of((year if 1800 <= year < 2100 else 0, month, day) for year, month, day in parts)
    known = ~np.isnat(days)
    # A day or month that is not known, written 0 or 99, speaks for dates beside some that are known.
    without_day = sum(
        1800 <= year < 2100 and day in (0, 99) and month in (*range(13), 99) for year, month, day in parts
    )
    enough = known.any() and known.sum() + without_day >= ENOUGH * max(len(places), alike)
    return np.array(places, dtype=np.intp)[known & enough]


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
_MAY_HOLD_PARTS = re.compile(r"(?:18|19|20)\d\d")


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
    near = [i for i, text in enumerate(texts) if _MAY_HOLD_PARTS.search(text) is not None]
    holds_part = np.zeros(len(texts), dtype=bool)
    holds_part[[i for i in near if not _NUMBER.fullmatch(texts[i]) and _holds_part(texts[i])]] = True
    for pattern in (
        _WEEK_IN_FIGURES,
        _MONTH_AS_NUMBER,
        _IN_ROMAN,
    ):  # so are rooms and amounts, and only a column of them tells
        alike = [i for i in near if pattern.fullmatch(texts[i])]
        if len(alike) >= ENOUGH * max(1, len(texts)):
            holds_part[alike] = True
    in_digits = [i for i in near if _MONTH_IN_DIGITS.fullmatch(texts[i])]
    if holds_part.any() and holds_part.sum() + len(in_digits) >= ENOUGH * len(texts):  # beside parts that have words
        holds_part[in_digits] = True
    return holds_part


def _holds_part(text: str) -> bool:
    if any(pattern.search(text) for pattern in (_NUMBERED, _MONTH_IN_FIGURES, _DAY_UNKNOWN)):
        return True
    return any(month_of(match["first"] or match["last"]) for match in _MONTH_NAMED.finditer(text))
