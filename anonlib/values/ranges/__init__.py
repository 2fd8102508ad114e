"""Texts that are ranges of numbers or of months: ``[70-80)``, ``70-79``, ``<5``, ``90 and over``, ``2019-Q3``.

A text is read by its form, and in doubt by what stands beside it in its column: ``123-456`` may be an id.
"""

from anonlib.values.ranges.months import ranges_of_months
from anonlib.values.ranges.notation import Notation, notation_of
from anonlib.values.ranges.numbers import range_of_text, ranges_of_numbers
from anonlib.values.ranges.ranges import Ranges, are_one_group, reaching_over

__all__ = [
    "Notation", "Ranges", "are_one_group", "notation_of", "range_of_text", "ranges_of_months", "ranges_of_numbers",
    "reaching_over",
]  # fmt: skip
