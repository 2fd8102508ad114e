"""What a date is: the one place that says so, of a column's distinct values.

All that needs it asks here: roles, Safe Harbor, hierarchies, recodings, the codebook. A date inside a sentence is
looked for by :mod:`anonlib.columns.free_text`; a month, a quarter or a year is a range of months
(:mod:`anonlib.values.ranges`).
"""

from anonlib.values.dates.inside import hold_days, hold_parts, may_be_parts_of_dates
from anonlib.values.dates.month_names import MONTH_WORDS, month_of
from anonlib.values.dates.numbers import NumberedDays, lies_beside, numbered_days
from anonlib.values.dates.reading import (
    ENOUGH,
    FIRST_OF_TWO_DIGITS,
    Dates,
    First,
    dates_or_none,
    read_dates,
    seconds_of_day,
    to_dates,
    years_in_digits,
)
from anonlib.values.dates.writing import DatesAsWritten, shifted

__all__ = [
    "ENOUGH", "FIRST_OF_TWO_DIGITS", "MONTH_WORDS", "Dates", "DatesAsWritten", "First", "NumberedDays", "dates_or_none",
    "hold_days", "hold_parts", "lies_beside", "may_be_parts_of_dates", "month_of", "numbered_days", "read_dates",
    "seconds_of_day", "shifted", "to_dates", "years_in_digits",
]  # fmt: skip
