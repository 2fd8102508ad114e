"""Numbers that Stata, SAS and SPSS files declare as days, moments, months, quarters, halves, weeks or years."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

from anonlib.values.dates.month_names import months_in

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
