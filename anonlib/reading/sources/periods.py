"""Numbers that Stata and SPSS files declare as months, quarters, halves of years or weeks."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

_STATA = re.compile(r"%-?t(?P<unit>[mqhw])")
_SPSS = re.compile(r"(?P<unit>MOYR|QYR|WKYR)\d*(?:\.\d+)?", re.IGNORECASE)
_PER_YEAR = {"m": 12, "q": 4, "h": 2, "w": 52}  # Stata's 52nd week goes on to the end of the year
_WRITTEN = {"m": "{}-{:02}", "q": "{}-Q{}", "h": "{}-H{}", "w": "{}-W{:02}"}
_FIRST_YEAR = 1960  # of Stata
_FIRST_DAY = datetime.datetime(1582, 10, 14)  # of SPSS, which counts seconds


def period_texts(values: Sequence[Any], declared: str) -> list[Any] | None:
    """The values of a column as periods of a year: ``2013-04``, ``2013-Q2``, ``2013-H1``, ``2013-W05``.

    Parameters
    ----------
    values : Sequence[Any]
        Numbers; what is none, such as a kind of missing value, stays as it is.
    declared : str
        The format that the file declares: of Stata ``%tm``, ``%tq``, ``%th``, ``%tw``; of SPSS ``MOYR8``, ``QYR6``,
        ``WKYR8``.

    Returns
    -------
    list, or None
        None where the format is another one.

    Examples
    --------
    >>> period_texts([639, 211.0, None], "%tm"), period_texts([2774], "%tw"), period_texts([13584153600.0], "QYR8")
    (['2013-04', '1977-08', None], ['2013-W19'], ['2013-Q2'])
    """
    if (stata := _STATA.match(declared)) is not None:
        written = _of_stata(stata["unit"])
    elif (spss := _SPSS.fullmatch(declared)) is not None:
        written = _of_spss(spss["unit"][0].lower())
    else:
        return None
    return [written(value) if _is_number(value) else value for value in values]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and value == value and abs(value) < 1e13


def _of_stata(unit: str) -> Callable[[float], str]:
    def written(value: float) -> str:
        year, period = divmod(int(value), _PER_YEAR[unit])
        return _WRITTEN[unit].format(_FIRST_YEAR + year, period + 1)

    return written


def _of_spss(unit: str) -> Callable[[float], str]:
    def written(value: float) -> str:
        day = _FIRST_DAY + datetime.timedelta(seconds=float(value))
        week = (day.timetuple().tm_yday - 1) // 7 + 1
        period = {"m": day.month, "q": (day.month + 2) // 3, "w": week}[unit]
        return _WRITTEN[unit].format(day.year, period)

    return written
