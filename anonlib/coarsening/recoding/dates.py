"""Dates to years together, their year, half, quarter, month or day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.values.cells import Values
from anonlib.values.dates import First, to_dates
from anonlib.values.ranges import ranges_of_months

Unit = Literal["day", "month", "quarter", "half", "year", "5 years", "10 years", "20 years"]
"""What is kept of a date, the finest first: each unit lies within one of the next."""
_MONTHS_OF: dict[str, int] = {
    "month": 1, "quarter": 3, "half": 6, "year": 12, "5 years": 60, "10 years": 120, "20 years": 240,
}  # fmt: skip
_QUARTER = re.compile(r"(?P<year>\d{4})(?P<mark>[-/ ]?[qQ])[1-4]|(?P<first>[qQ])[1-4](?P<then>[-/ ]?)\d{4}")


@dataclass(frozen=True)
class DateUnit:
    """Dates to years together, their year, half, quarter, month or day.

    ``2024-03-17 09:30`` becomes ``2020-2029``, ``2024``, ``2024-H1``, ``2024-Q1``, ``2024-03``, or ``2024-03-17``.

    Dates are read as :mod:`anonlib.values.dates` does; who chooses this way says that numbers of days and seconds are
    dates. A month, a quarter or another span of months belongs to the unit that it lies within, written as the column
    writes its quarters (``Q3 2019`` -> ``H2 2019``); one that no unit holds is left as it is.

    Attributes
    ----------
    unit : Unit, default "year"
        What is kept. Years together begin with one that is a multiple of their number. A day is for moments, which lose
        their time, and for days that are written in several ways.
    first : First, default "day"
        "day" or "month": what stands first in ``03/04/2021`` where no value of the column tells.

    Raises
    ------
    InputError
        For a unit that is not one of these, and for another part that stands first.
    """

    unit: Unit = "year"
    first: First = "day"

    def __post_init__(self) -> None:
        if self.unit != "day" and self.unit not in _MONTHS_OF:
            raise InputError(
                "Dates can be recoded to 20, 10 or 5 years together, the year, half year, quarter, month or day.",
                code="choice-unknown",
            )
        if self.first not in get_args(First):
            raise InputError("Of a date either the day or the month stands first.", code="choice-unknown")

    def __repr__(self) -> str:
        """Without what stands first where the day does: the order of rows of saved releases follows from it."""
        first = "" if self.first == "day" else f", first={self.first!r}"
        return f"DateUnit(unit={self.unit!r}{first})"

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The unit of a date or span; what is neither, or lies in no unit, stays as it is.
        """
        labels = np.array(values, dtype=object)
        if self.unit == "day":
            dates = to_dates(values, numbers=True, first=self.first)
            known = np.flatnonzero(~np.isnat(dates))
            labels[known] = dates[known].astype(str)
            return labels
        months = self._months(values)
        dated = np.flatnonzero(months >= 0)
        codes, units = pd.factorize(months[dated] // _MONTHS_OF[self.unit])
        pattern = _pattern(values)
        labels[dated] = np.array([*(self._label(unit, pattern) for unit in units.tolist()), None], dtype=object)[codes]
        return labels

    def covers(self, values: Values) -> np.ndarray:
        """Which values this way applies to: a date, or a span of months that lies within one unit.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        bool array, one item a value
        """
        return (
            ~np.isnat(to_dates(values, numbers=True, first=self.first))
            if self.unit == "day"
            else self._months(values) >= 0
        )

    def _months(self, values: Values) -> np.ndarray:
        """int64, per value the first month of its date or span, counted from the year 0; -1 for what is neither."""
        dates = to_dates(values, numbers=True, first=self.first)
        months = np.where(np.isnat(dates), -1, dates.astype("datetime64[M]").astype(np.int64) + 12 * 1970)
        others = np.flatnonzero(np.isnat(dates))
        if others.size:
            spans = ranges_of_months([str(value).strip() for value in np.asarray(values, dtype=object)[others]])
            length = _MONTHS_OF[self.unit]
            within = spans.fits & (spans.low // length == (spans.high - 1) // length)
            months[others[within]] = spans.low[within].astype(np.int64)
        return months

    def _label(self, number: int, pattern: str) -> str:
        """The label of a unit by its number, counted from the year 0."""
        year, part = divmod(number * _MONTHS_OF[self.unit], 12)
        if self.unit == "year":
            return f"{year:04d}"
        if self.unit.endswith("years"):
            return f"{year:04d}-{year + _MONTHS_OF[self.unit] // 12 - 1:04d}"
        if self.unit == "month":
            return f"{year:04d}-{part + 1:02d}"
        letter = "H" if self.unit == "half" else "Q"
        return pattern.format(year=f"{year:04d}", letter=letter, part=part // _MONTHS_OF[self.unit] + 1)

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``dates to quarter``."""
        text = "dates to half year" if self.unit == "half" else f"dates to {self.unit}"
        return text if self.first == "day" else f"{text}, read with the month first"


def _pattern(values: Values) -> str:
    """How quarters are written: as the first of the values that is one, else ``2024-Q1``."""
    quarter = next((match for value in values if (match := _QUARTER.fullmatch(str(value).strip()))), None)
    if quarter is None:
        return "{year}-{letter}{part}"
    if quarter["first"]:
        return "{letter}{part}" + quarter["then"] + "{year}"
    return "{year}" + quarter["mark"][:-1] + "{letter}{part}"
