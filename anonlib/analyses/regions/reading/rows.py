"""Rows of a file in words."""

from __future__ import annotations

import numpy as np

from anonlib.basics.words import listed, of_number


def rows(which: np.ndarray) -> str:
    """The rows where a mask holds, counted from 1 without a header: "row 3", "rows 3, 7 and 12"."""
    numbers = [int(i) + 1 for i in np.flatnonzero(which)]
    return f"{of_number(len(numbers), 'rows')} {listed(numbers)}"
