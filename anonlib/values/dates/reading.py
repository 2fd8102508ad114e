"""A column's distinct values read as dates: the form of each, and the order of day and month by a vote of all.

After the dates come months, quarters and days of a year in digits without a mark between: ``201304``, ``42013``,
``20132``, ``2013092``. One such number may be anything, also a day number of a spreadsheet; but a column of dates in
which all numbers have one of these forms is written in it. At the end the time of the day behind a date is read, to put
moments of one day in order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.values.dates import numbers as of_numbers
from anonlib.values.dates import patterns
from anonlib.values.dates.month_names import month_of

First = Literal["day", "month"]
Values = Sequence[str] | np.ndarray | pd.Index

ENOUGH = 0.8
"""Share of a column's distinct values that must be dates for the column to be one of dates."""
FIRST_OF_TWO_DIGITS = 1930
"""Years of two digits are those from 1930 to 2029, as spreadsheets have it: ``30`` is 1930 and ``29`` is 2029."""

_A_LOOK = 64  # values, which show columns that are plainly something else
_PLAIN_ISO = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_FEWEST_IN_OTHER_ORDER = 3  # values of eight digits of which the year stands last
_NONE = np.datetime64("NaT", "D")


@dataclass(frozen=True)
class Dates:
    """A column's distinct values as dates.

    Attributes
    ----------
    days : np.ndarray
        datetime64[D], an item a value; NaT for a value that is not a date. Of a moment the day as it is written,
        whatever its zone.
    forms : tuple[str, ...], default ()
        The forms of its dates in words, such as ``day.month.year``, the commonest first.
    has_times : bool
        Whether most of the dates come with a time of the day that is not midnight.
    two_digits : bool
        Whether years of two digits are among them; see :data:`FIRST_OF_TWO_DIGITS`.
    order_is_open : bool
        Whether no value tells if the day or the month stands first.
    """

    days: np.ndarray
    forms: tuple[str, ...] = ()
    has_times: bool = False
    two_digits: bool = False
    order_is_open: bool = False

    @property
    def share(self) -> float:
        """Share of the values that are dates, 0 to 1."""
        return float((~np.isnat(self.days)).mean()) if len(self.days) else 0.0

    @property
    def are_dates(self) -> bool:
        """Whether the column is one of dates: enough of its values are."""
        return self.share >= ENOUGH

    @property
    def years(self) -> tuple[int, int] | None:
        """The first and the last year; None where no value is a date."""
        known = self.days[~np.isnat(self.days)].astype("datetime64[Y]").astype(np.int64) + 1970
        return (int(known.min()), int(known.max())) if len(known) else None

    def notes(self) -> str:
        """What must be known to check how the dates were read, as sentences; "" where nothing is in doubt."""
        sentences = []
        if self.order_is_open:
            sentences.append(
                "No value tells whether the day or the month stands first: the day is, unless you say otherwise."
            )
        if self.two_digits:
            first, last = FIRST_OF_TWO_DIGITS, FIRST_OF_TWO_DIGITS + 99
            sentences.append(f"Years of two digits are read as {first} to {last}.")
        return " ".join(sentences)


def read_dates(values: Values, *, numbers: bool = False, first: First = "day") -> Dates:
    """A column's distinct values as dates.

    Every value is read by its own form; of ``03/04/2024``, ``03-04-24`` and ``03042024`` the column decides which of
    day, month and year stands where, by the order that gives more valid dates.

    Parameters
    ----------
    values : Values
        Distinct values: ``2021-03-12``, ``2021-03-12T10:15:00Z``, ``31.12.2020``, ``12/31/20``, ``12-Mar-2021``,
        ``12MAR2021``, ``12MAR2021:10:15:00``, ``Mar 14, 2005``, ``12 de marzo de 2021``, ``20210312``; names of months
        in English, German, French, Spanish, Italian and Dutch.
    numbers : bool, default False
        Whether something else says that the values are dates, such as the column's name: then day numbers of a
        spreadsheet and seconds since 1970 are read too (:func:`anonlib.values.dates.numbered_days`). Beside dates of
        the same years in the column they always are.
    first : First, default "day"
        What stands first where no value tells whether the day or the month does.

    Returns
    -------
    Dates

    Examples
    --------
    >>> dates = read_dates(["12MAR2021", "Mar 14, 2005", "03/31/99", "n/a"])
    >>> dates.days.astype(str).tolist(), dates.share, dates.two_digits
    (['2021-03-12', '2005-03-14', '1999-03-31', 'NaT'], 0.75, True)
    """
    texts = [patterns.with_colons(str(value).strip()) for value in values]
    # A million moments are a few thousand days and times: each is read once.
    place: dict[str, int] = {}
    times: dict[str, bool | None] = {"": False}  # whether one tells the time of the day; None where it is no time
    codes, tells_time = np.empty(len(texts), dtype=np.intp), np.empty(len(texts), dtype=bool)
    for i, text in enumerate(texts):
        day, time = patterns.parted(text)
        if time not in times:
            is_time = patterns.TIME_ALONE.fullmatch(time) is not None
            times[time] = patterns.MIDNIGHT.match(time) is None if is_time else None
        tells = times[time]
        tells_time[i] = bool(tells)
        codes[i] = place.setdefault(text if tells is None else day, len(place))
    read = _read_days(list(place), first)
    days, forms, known = read.days[codes], read.forms, ~np.isnat(read.days[codes])
    if not known.all() and (numbered := numbers_among(texts, days, numbers=numbers)) is not None:
        more = ~known & ~np.isnat(numbered.days)
        days[more], known, tells_time[more] = numbered.days[more], known | more, numbered.has_times
        forms = (*forms, numbered.form) if more.any() else forms
    has_times = bool(2 * tells_time[known].sum() > known.sum())
    return Dates(days, forms, has_times, read.two_digits, read.order_is_open)


def _read_days(texts: list[str], first: First) -> Dates:
    """Distinct texts as dates, without numbers and times."""
    days = np.full(len(texts), _NONE)
    forms: Counter[str] = Counter()
    iso = np.array([_PLAIN_ISO.fullmatch(text) is not None for text in texts], dtype=bool)
    if iso.any():
        plain = [_in_numbers(text.split("-")) for text, is_iso in zip(texts, iso, strict=True) if is_iso]
        days[iso] = days_of(plain)
        forms["year-month-day"] = int((~np.isnat(days[iso])).sum())
    matches = [(i, match) for i in np.flatnonzero(~iso).tolist() if (match := patterns.match_of(texts[i])) is not None]
    is_open = two_digits = False
    for form, places, group_days, tie in _voted(matches, first):
        days[places] = group_days
        forms[form] += int((~np.isnat(group_days)).sum())
        is_open |= tie
        two_digits |= "two digits" in form and bool((~np.isnat(group_days)).any())
    written = tuple(form for form, count in forms.most_common() if count)
    return Dates(days, written, False, two_digits, is_open)


def to_dates(values: Values, *, numbers: bool = False, first: First = "day") -> np.ndarray:
    """The days of a column's distinct values; see :func:`read_dates`.

    Parameters
    ----------
    values : Values
        A column's distinct values.
    numbers : bool, default False
        Whether something else says that the values are dates, such as the column's name.
    first : First, default "day"
        What stands first where no value tells whether the day or the month does.

    Returns
    -------
    datetime64[D] array
        NaT for a value that is not a date.

    Examples
    --------
    >>> to_dates(["02/03/2024", "02/28/2024"]).astype(str).tolist()
    ['2024-02-03', '2024-02-28']
    """
    return read_dates(values, numbers=numbers, first=first).days


def dates_or_none(values: Values, *, numbers: bool = False) -> Dates | None:
    """The dates of a column that is one of dates, None of any other: a look at some values spares the rest of many.

    Parameters
    ----------
    values : Values
        A column's distinct values.
    numbers : bool, default False
        Whether something else says that the values are dates, such as the column's name.

    Returns
    -------
    Dates or None
    """
    if len(values) > 2 * _A_LOOK and 2 * read_dates(values[:: len(values) // _A_LOOK], numbers=numbers).share < ENOUGH:
        return None
    dates = read_dates(values, numbers=numbers)
    return dates if dates.are_dates else None


def days_of(parts: Iterable[tuple[int, int, int]]) -> np.ndarray:
    """datetime64[D] of years, months and days; NaT where there is no such day."""
    year, month, day = np.array(list(parts), dtype=np.int64).reshape(-1, 3).T
    fits = (year >= 1) & (month >= 1) & (month <= 12)
    first = (12 * (np.where(fits, year, 1970) - 1970) + np.where(fits, month, 1) - 1).astype("datetime64[M]")
    begins = first.astype("datetime64[D]")
    length = ((first + 1).astype("datetime64[D]") - begins).astype(np.int64)
    return np.where(fits & (day >= 1) & (day <= length), begins + (day - 1), _NONE)


def numbers_among(texts: Sequence[str], days: np.ndarray, *, numbers: bool) -> of_numbers.NumberedDays | None:
    """The numbers that are dates: where something says so (``numbers``), or they lie where the other ``days`` do."""
    if not numbers and np.isnat(days).all():
        return None
    numbered = of_numbers.numbered_days(texts)
    if numbered is None or not (numbers or of_numbers.lies_beside(numbered.days, days)):
        return None
    return numbered


# ---- the vote ----


def _voted(
    matches: list[tuple[int, re.Match[str]]], first: First
) -> Iterator[tuple[str, np.ndarray, np.ndarray, bool]]:
    """Form, places, days and whether the order is open, of the values of one form after the other."""
    groups: dict[str, list[tuple[int, re.Match[str]]]] = {}
    for i, match in matches:
        groups.setdefault(group_of(match), []).append((i, match))
    chosen = chosen_orders({group: [match for _, match in members] for group, members in groups.items()}, first)
    for group, members in groups.items():
        order, is_open = chosen[group]
        if order is None:
            continue
        days = days_of(parts_of(match, order) for _, match in members)
        yield _form(group, order), np.array([i for i, _ in members]), days, is_open


def group_of(match: re.Match[str]) -> str:
    """What is written alike and so in one order: the mark and length of the year, or the kind of pattern."""
    if match.re is patterns.IN_FIGURES:
        return f"{match['mark']}{len(match['y'])}"
    if match.re is patterns.IN_DIGITS:
        return "digits"
    return {
        patterns.YEAR_FIRST: "year first", patterns.DAY_AND_NAME: "day and name",
        patterns.NAME_AND_DAY: "name and day", patterns.YEAR_AND_NAME: "year and name",
    }[match.re]  # fmt: skip


def chosen_orders(groups: dict[str, list[re.Match[str]]], first: First = "day") -> dict[str, tuple[str | None, bool]]:
    """Of each group the order of its parts, None where these are no dates, and whether no value tells the order."""
    chosen: dict[str, tuple[str | None, bool]] = {}
    for group, matches in groups.items():
        if group == "digits":
            chosen[group] = _order_of_digits(matches), False
        elif group[0] in "-./":
            chosen[group] = _order_of_figures(group, matches)
        else:
            chosen[group] = "ymd", False
    decided = {order for group, (order, is_open) in chosen.items() if group[0] in "-./" and order and not is_open}
    if len(decided & {"dmy", "mdy"}) == 1:  # what other dates of the column tell
        known = (decided & {"dmy", "mdy"}).pop()
        chosen = {group: (known, False) if is_open else (order, False) for group, (order, is_open) in chosen.items()}
    elif first == "month":
        chosen = {group: ("mdy", True) if is_open else (order, False) for group, (order, is_open) in chosen.items()}
    return chosen


def _order_of_figures(group: str, matches: list[re.Match[str]]) -> tuple[str | None, bool]:
    short = group[1:] == "2"
    parts = [(match["a"], match["b"]) for match in matches]
    evident = any(len(a) > 1 and len(b) > 1 and (a[0] == "0" or b[0] == "0" or max(a, b) > "12") for a, b in parts)
    if short and group[0] != "/" and not evident:
        return None, False  # versions of a program and numbers of paragraphs: 1.2.10
    orders = ("dmy", "mdy", "ymd") if short else ("dmy", "mdy")
    valid = {order: int((~np.isnat(days_of(parts_of(match, order) for match in matches))).sum()) for order in orders}
    order = max(valid, key=lambda option: valid[option])
    tie = valid["dmy"] == valid["mdy"] == valid[order] and any(a != b for a, b in parts)
    return order, tie and group[0] != "."  # with full stops the day stands first


def _order_of_digits(matches: list[re.Match[str]]) -> str | None:
    """The year first, or last where the values are several and hardly any is no day: ids are of any digits."""
    digits = [match["digits"] for match in matches]
    share = {order: _share_of_digits(matches, order) for order in ("ymd", "dmy", "mdy")}
    if share["ymd"] >= ENOUGH:
        return "ymd"
    order = max(("dmy", "mdy"), key=lambda option: share[option])
    enough = len(set(digits)) >= _FEWEST_IN_OTHER_ORDER and share[order] >= ENOUGH
    return order if enough else None


def _share_of_digits(matches: list[re.Match[str]], order: str) -> float:
    return float((~np.isnat(days_of(parts_of(match, order) for match in matches))).mean())


def parts_of(match: re.Match[str], order: str) -> tuple[int, int, int]:
    """Year, month and day as written, in an order such as ``dmy``; the year is 0 where it cannot be one."""
    if match.re is patterns.IN_FIGURES:
        a, b, c = match["a"], match["b"], match["y"]
        year = {"dmy": c, "mdy": c, "ymd": a}[order]
        month, day = {"dmy": (b, a), "mdy": (a, b), "ymd": (b, c)}[order]
        return year_of(year), int(month), int(day)
    if match.re is patterns.IN_DIGITS:
        digits = match["digits"]
        if order == "ymd":
            return _in_range(int(digits[:4])), int(digits[4:6]), int(digits[6:])
        first, second, year = int(digits[:2]), int(digits[2:4]), _in_range(int(digits[4:]))
        return (year, second, first) if order == "dmy" else (year, first, second)
    month = int(match["m"]) if match.re is patterns.YEAR_FIRST else month_of(match["name"])
    return year_of(match["y"]), month, int(match["d"])


def year_of(digits: str) -> int:
    """A year of four digits, or of two by :data:`FIRST_OF_TWO_DIGITS`; one of a single digit is none, and 0."""
    if len(digits) == 4:
        return int(digits)
    first = FIRST_OF_TWO_DIGITS
    return first + (int(digits) - first) % 100 if len(digits) == 2 else 0


def _in_range(year: int) -> int:
    """Years that eight digits in a row can mean: 1800 to 2099."""
    return year if 1800 <= year < 2100 else 0


def _in_numbers(parts: Sequence[str]) -> tuple[int, int, int]:
    year, month, day = map(int, parts)
    return year, month, day


_WORD_OF = {"d": "day", "m": "month", "y": "year"}


def _form(group: str, order: str) -> str:
    """A form in words."""
    if group == "digits":
        return "".join({"d": "DD", "m": "MM", "y": "YYYY"}[part] for part in order) + " in digits"
    if group[0] in "-./":
        short = " of two digits" if group[1:] == "2" else ""
        return group[0].join(_WORD_OF[part] for part in order) + (", the year" + short if short else "")
    return {
        "year first": "year, month and day", "day and name": "day, name of the month and year",
        "name and day": "name of the month, day and year", "year and name": "year, name of the month and day",
    }[group]  # fmt: skip


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY_OF_YEAR = r"(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])"
_FORMS = {  # with how many different values it takes at least
    re.compile(f"{_YEAR}{_MONTH}"): 3,
    re.compile(rf"(?:0?[1-9]|1[0-2]){_YEAR}"): 3,
    re.compile(f"{_YEAR}[1-4]"): 4,
    re.compile(f"{_YEAR}{_DAY_OF_YEAR}"): 3,
    re.compile(rf"(?P<year>\d\d){_DAY_OF_YEAR}"): 12,
}
_YYMMDD = re.compile(rf"\d\d{_MONTH}(?:0[1-9]|[12]\d|3[01])")


def years_in_digits(values: Values) -> dict[str, int]:
    """The year of each value that is a month, quarter or day of a year in digits; empty where the column has no such.

    Parameters
    ----------
    values : Values
        Distinct values of a column of dates.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> years_in_digits(["201312", "201401", "201402", "unknown"])
    {'201312': 2013, '201401': 2014, '201402': 2014}
    >>> years_in_digits(["42013", "41390", "41500"])
    {}
    """
    numbers = [text for text in map(str, values) if text.isascii() and text.isdigit() and len(text) != 4]
    if all(_YYMMDD.fullmatch(number) for number in numbers):
        return {}
    for form, least in _FORMS.items():
        matches = [form.fullmatch(number) for number in numbers]
        if len(numbers) >= least and all(matches):
            return {match[0]: year_of(match["year"]) for match in matches if match}
    return {}


_CLOCK = re.compile(r"(?P<h>\d{1,2}):(?P<m>\d\d)(?::(?P<s>\d\d(?:[.,:]\d+)?))?\s?(?P<half>[AaPp])?")
_DIGITS = re.compile(r"(?P<h>\d\d)(?P<m>\d\d)(?P<s>\d\d(?:\.\d+)?)?(?P<half>\Z)?")


def seconds_of_day(values: Values) -> np.ndarray:
    """Seconds since midnight as they are written, whatever the zone; 0 where no time stands behind a date.

    Parameters
    ----------
    values : Values
        Distinct values, as :func:`anonlib.values.dates.read_dates` reads them.

    Returns
    -------
    float64 array

    Examples
    --------
    >>> seconds_of_day(["2021-03-12 10:15", "3/12/21 8:30 PM", "20210312101501", "2021-03-12"]).tolist()
    [36900.0, 73800.0, 36901.0, 0.0]
    """
    return np.array([_seconds(patterns.with_colons(str(value).strip())) for value in values], dtype=float)


def _seconds(text: str) -> float:
    match = patterns.match_of(text)
    time = "" if match is None else (match["time"] or "").lstrip("Tt:, ").removeprefix("at ")
    clock = _CLOCK.match(time) or _DIGITS.match(time)
    if clock is None:
        return 0.0
    hour, half = int(clock["h"]), (clock["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = (clock["s"] or "0").replace(",", ".").replace(":", ".")
    return 3600.0 * hour + 60.0 * int(clock["m"]) + float(seconds)
