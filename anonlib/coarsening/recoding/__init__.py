"""Ways to recode a column: from its distinct values to the labels that are released.

Each way is a small value with ``labels(values)``: an object array as long as ``values``, where a label may be
None (released as missing). A value that a way does not apply to (text in an age column, a value that no group
names) is left as it is, and :func:`untouched` tells which, so that nothing leaves, is lost or hidden without a word.
"""

import numpy as np

from anonlib.coarsening.recoding.codes import CodeGroup
from anonlib.coarsening.recoding.dates import DateUnit
from anonlib.coarsening.recoding.intervals import Intervals
from anonlib.coarsening.recoding.mask import Mask
from anonlib.coarsening.recoding.redaction import Redaction
from anonlib.coarsening.recoding.rounding import Rounding
from anonlib.coarsening.recoding.value_map import ValueMap
from anonlib.values.cells import Values

__all__ = [
    "NOTHING", "CodeGroup", "DateUnit", "Intervals", "Mask", "Recoding", "Redaction", "Rounding", "ValueMap",
    "label_of_missing", "named", "untouched",
]  # fmt: skip

Recoding = Intervals | Mask | ValueMap | DateUnit | Rounding | CodeGroup | Redaction
NOTHING = ValueMap(())
"""Names no value, and so applies to no data: what is left of a mapping whose values are confidential."""


def named(recoding: Recoding) -> int:
    """How many values a way of recoding names.

    Parameters
    ----------
    recoding : Recoding
        A way to recode a column.

    Returns
    -------
    int
        0 for all but :class:`ValueMap`.
    """
    return len(recoding.labels_of) if isinstance(recoding, ValueMap) else 0


def label_of_missing(recoding: Recoding) -> str | None:
    """What a missing value is released as; None where it stays missing.

    Parameters
    ----------
    recoding : Recoding
        A way to recode a column.

    Returns
    -------
    str or None
    """
    return recoding.missing if isinstance(recoding, ValueMap) else None


def untouched(recoding: Recoding, values: Values) -> np.ndarray:
    """Which values a way of recoding does not apply to (no number, no date, not named), so that they stay.

    Parameters
    ----------
    recoding : Recoding
        A way to recode a column.
    values : Values
        Distinct values, none missing.

    Returns
    -------
    bool array, one item a value
        False everywhere for :class:`Mask` and :class:`Redaction`, which apply to any text.

    Examples
    --------
    >>> untouched(Rounding(10), ["7", "1,349", "unknown"]).tolist()
    [False, False, True]
    """
    match recoding:
        case Intervals() | DateUnit() | Rounding() | ValueMap() | CodeGroup():
            return ~recoding.covers(values)
        case _:
            return np.zeros(len(values), dtype=bool)
