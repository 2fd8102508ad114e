"""Numbers to round numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding.intervals import exact, plain_number, steps_from
from anonlib.values.cells import Values, to_numbers

_LARGE = 1e14  # multiples; above them floats do not tell neighbours apart


@dataclass(frozen=True)
class Rounding:
    """Numbers to the nearest multiple of a number, halves up: ``1,349`` to the nearest 100 -> ``1300``.

    Attributes
    ----------
    to : float
        Above 0, such as 10 or 0.5.
    first : tuple[float, ...], default ()
        Ascending and below ``to``: what numbers are rounded to before, one after another. So the levels
        of a hierarchy are nested: 145 is 150 to the nearest 10, and 200 to the nearest 100 from there.

    Raises
    ------
    InputError
        For numbers that are not above 0 and ascending.
    """

    to: float
    first: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.first, list | tuple):
            raise InputError("What numbers are rounded to before must be a list of numbers.", code="not-a-list")
        object.__setattr__(self, "to", checks.number(self.to, "What numbers are rounded to"))
        object.__setattr__(
            self, "first", tuple(checks.number(number, "Each earlier rounding") for number in self.first)
        )
        all_of_them = (*self.first, self.to)
        if all_of_them[0] <= 0 or list(all_of_them) != sorted({*all_of_them}):
            raise InputError("Round to numbers above 0, each larger than the one before.", code="number-out-of-range")

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The nearest multiple of a number; what is no number stays as it is.
        """
        numbers = to_numbers(values)
        labels = np.array(values, dtype=object)
        known = np.flatnonzero(~np.isnan(numbers))
        rounded = numbers[known]
        for to in (*self.first, self.to):
            rounded = _rounded(rounded, to)
        codes, distinct = pd.factorize(rounded)
        labels[known] = np.array([*map(plain_number, distinct.tolist()), None], dtype=object)[codes]
        return labels

    def covers(self, values: Values) -> np.ndarray:
        """Which values this way applies to: numbers.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        bool array, one item a value
        """
        return ~np.isnan(to_numbers(values))

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``rounded to the nearest 100``."""
        return f"rounded to the nearest {plain_number(self.to)}"


def _rounded(numbers: np.ndarray, to: float) -> np.ndarray:
    """The nearest multiples, exact ones of what is written; numbers too large for that stay."""
    rounded = numbers.copy()
    with np.errstate(over="ignore"):
        small = np.flatnonzero(np.abs(numbers / to) < _LARGE)
    codes, distinct = pd.factorize(steps_from(numbers[small], -to / 2, to))
    rounded[small] = np.array([float(exact(to) * int(step)) for step in distinct.tolist()], dtype=float)[codes]
    return rounded
