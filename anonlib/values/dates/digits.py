"""Months, quarters and days of a year in digits without a mark between: ``201304``, ``42013``, ``20132``, ``2013092``.

One such number may be anything, also a day number of a spreadsheet; a column of dates in which all numbers have one of
these forms is written in it.
"""

from __future__ import annotations

import re

from anonlib.values.dates.reading import Values, year_of

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
