"""The time of the day behind a date, to put moments of one day in order."""

from __future__ import annotations

import re

import numpy as np

from anonlib.values.dates import patterns
from anonlib.values.dates.reading import Values

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
