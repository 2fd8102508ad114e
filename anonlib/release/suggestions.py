"""A first recoding for a column, from its values: a start for the officer, never applied unasked."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonlib.dataset import Dataset
from anonlib.recoding import DateUnit, Intervals, Mask, Recoding
from anonlib.release.steps import Recode, Step, Suppress
from anonlib.values import is_code, to_dates, to_numbers

_MOSTLY = 0.9  # share of a column's values that must fit before a way is suggested
_AGE_TOP = 90  # 45 CFR 164.514(b)(2)(i)(C): ages over 89 in one group
_GROUPS = 10


def suggested_recoding(column: pd.Series) -> Recoding | None:
    """Codes of one length to their first three characters, dates to years, numbers to about ten intervals.

    None for a column of words, which only a person can group, and for one of few values.
    """
    values = column.cat.categories
    if len(values) <= 2:
        return None
    if is_code(values):
        return Mask(3, length=len(values[0]))
    if np.mean(~np.isnat(to_dates(values))) >= _MOSTLY:
        return DateUnit("year")
    numbers = to_numbers(values)
    if np.mean(~np.isnan(numbers)) >= _MOSTLY and len(values) > _GROUPS:
        return _intervals(numbers[~np.isnan(numbers)])
    return None


def suggested_steps(dataset: Dataset, k: int) -> tuple[Step, ...]:
    """A first recipe: the suggested recoding of each quasi-identifier, then suppression below k."""
    recodings = {name: suggested_recoding(dataset.records[name]) for name in dataset.quasi_identifiers}
    steps: list[Step] = [Recode(name, way, "as suggested") for name, way in recodings.items() if way is not None]
    return (*steps, Suppress(k, "as suggested"))


def _intervals(numbers: np.ndarray) -> Intervals:
    """About ten intervals of a round width; what looks like ages gets its group of 90 and above."""
    low, high = float(numbers.min()), float(numbers.max())
    rough = (high - low) / _GROUPS
    power = 10.0 ** np.floor(np.log10(rough))
    width = float(power * next(step for step in (1, 2, 5, 10) if step * power >= rough * 0.999))
    if low >= 0 and _AGE_TOP <= high <= 130:
        return Intervals(10.0, top=_AGE_TOP)
    return Intervals(width)
