"""Which columns of a file are of dates, and which of numbers, by what they hold."""

from __future__ import annotations

import numpy as np

from anonlib.columns.roles import numbers_are_dates
from anonlib.reading.records import Records
from anonlib.values.cells import to_numbers
from anonlib.values.dates import read_dates


def columns_of_dates(held: Records) -> tuple[str, ...]:
    """The columns of which at least 80% of the values are dates, in the file's order; looked for once."""
    if "columns of dates" not in held.remembered:
        held.remembered["columns of dates"] = tuple(name for name in held.columns if _are_dates(held, name))
    return held.remembered["columns of dates"]


def columns_of_numbers(held: Records) -> tuple[str, ...]:
    """The columns of which every value is a number, in the file's order; looked for once."""
    if "columns of numbers" not in held.remembered:
        held.remembered["columns of numbers"] = tuple(name for name in held.columns if _are_numbers(held, name))
    return held.remembered["columns of numbers"]


def _are_dates(held: Records, name: str) -> bool:
    texts = held.profile(name).texts
    return len(texts) > 0 and read_dates(texts, numbers=numbers_are_dates(held, name)).are_dates


def _are_numbers(held: Records, name: str) -> bool:
    texts = held.profile(name).texts
    return len(texts) > 0 and not np.isnan(to_numbers(texts)).any()
