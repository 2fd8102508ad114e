"""Numbers that may be dates: day numbers of a spreadsheet, and seconds since 1970 or 1582.

Their range alone says little, since amounts and ids lie there too: they are dates where something else says so as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_FIRST_DAY, _LAST_DAY = 3_654, 51_501  # 1910-01-01 and 2040-12-31, counted from 1899-12-30
_FIRST_SECOND, _LAST_SECOND = 631_152_000, 2_000_000_000  # 1990-01-01 to 2033-05-18; telephone numbers lie above
_SECONDS_A_DAY = 86_400
_EPOCH_OF_SHEETS = np.datetime64("1899-12-30", "D")
_EPOCH_OF_UNIX = np.datetime64("1970-01-01", "D")
_EPOCH_OF_SPSS = np.datetime64("1582-10-14", "D")
_FIRST_OF_SPSS, _LAST_OF_SPSS = 10_325_664_000, 14_431_132_800  # 1910-01-01 and 2040-02-05
_MINUTE = {1: 1, _SECONDS_A_DAY: 60, 1000 * _SECONDS_A_DAY: 60_000}  # by the unit of a day
_ENOUGH = 0.95  # share of the numbers that must lie in the range
_MOSTLY = 0.8  # share of the values that must be numbers, beside words such as "unknown"
_PLAIN = re.compile(r"(\d{1,15})(?:[.,](\d+))?", re.ASCII)
_FEWEST = 3  # values
_NEAR = 366  # days around the dates of another column


@dataclass(frozen=True)
class NumberedDays:
    """Numbers as dates.

    Attributes
    ----------
    days : np.ndarray
        datetime64[D] array, an item a value; NaT for a value that is no number, or out of range.
    form : str
        What the numbers would be, in words.
    unit : int
        How much a day is: 1, 86,400 seconds or as many milliseconds.
    has_times : bool
        Whether some are not at midnight.
    numbers : int
        How many of the values are numbers.
    whole_minutes : bool, default False
        Whether seconds are all whole minutes, as codes and telephone numbers hardly ever are.
    """

    days: np.ndarray
    form: str
    unit: int
    has_times: bool
    numbers: int
    whole_minutes: bool = False

    @property
    def may_be_dates(self) -> bool:
        """Whether a whole column may be dates by the range of its numbers: three at least, hardly any outside, and few
        values that are none."""
        inside = int((~np.isnat(self.days)).sum())
        return inside >= max(_FEWEST, _ENOUGH * self.numbers) and self.numbers >= _MOSTLY * len(self.days)


def numbered_days(texts: Sequence[str]) -> NumberedDays | None:
    """Numbers as the dates that they may be by their range.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values without blanks around them.

    Returns
    -------
    NumberedDays or None
        Of days of a spreadsheet (3,654 to 51,501, which are 1910 to 2040), seconds or milliseconds since 1970 (of
        1990 to 2033), and whole minutes in seconds since 1582 (of 1910 to 2040), what most values can be; None where no
        value can be any.

    Examples
    --------
    >>> numbered_days(["36526", "44197", "12"]).days.astype(str).tolist()
    ['2000-01-01', '2021-01-01', 'NaT']
    """
    numbers = np.array([_number(text) for text in texts])
    n_numbers = int((~np.isnan(numbers)).sum())
    best: NumberedDays | None = None
    most = 0
    for form, unit, epoch, first, last in (
        ("day numbers of a spreadsheet", 1, _EPOCH_OF_SHEETS, _FIRST_DAY, _LAST_DAY + 1),
        ("seconds since 1970", _SECONDS_A_DAY, _EPOCH_OF_UNIX, _FIRST_SECOND, _LAST_SECOND),
        ("milliseconds since 1970", 1000 * _SECONDS_A_DAY, _EPOCH_OF_UNIX, 1000 * _FIRST_SECOND, 1000 * _LAST_SECOND),
        ("seconds since 1582, as SPSS counts", _SECONDS_A_DAY, _EPOCH_OF_SPSS, _FIRST_OF_SPSS, _LAST_OF_SPSS),
    ):
        inside = (numbers >= first) & (numbers < last)
        if first == _FIRST_OF_SPSS and (numbers[inside] % 60 != 0).any():
            continue  # telephone numbers and codes of areas lie there too
        if inside.sum() <= most:
            continue
        most = int(inside.sum())
        whole_days = np.floor(np.where(inside, numbers, 0) / unit).astype(np.int64)
        days = np.where(inside, epoch + whole_days, np.datetime64("NaT", "D"))
        in_minutes = unit > 1 and not bool((numbers[inside] % _MINUTE[unit] != 0).any())
        best = NumberedDays(days, form, unit, bool((numbers[inside] % unit != 0).any()), n_numbers, in_minutes)
    return best


def _number(text: str) -> float:
    """A plain number, with a decimal point or comma; NaN for any other text, and for one with zeros in front."""
    match = _PLAIN.fullmatch(text)
    if match is None or (match[1][0] == "0" and match[1] != "0"):
        return np.nan
    return float(f"{match[1]}.{match[2]}") if match[2] else float(match[1])


def lies_beside(days: np.ndarray, others: np.ndarray) -> bool:
    """Whether days lie where those of another column do, a year around them: then numbers are dates too.

    Parameters
    ----------
    days, others : np.ndarray
        datetime64[D] arrays; NaT is left aside.

    Returns
    -------
    bool
        False where one of them has no days.
    """
    days, others = days[~np.isnat(days)], others[~np.isnat(others)]
    if not len(days) or not len(others):
        return False
    return bool(days.min() >= others.min() - _NEAR and days.max() <= others.max() + _NEAR)
