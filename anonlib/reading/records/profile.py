"""What there is to know of a column before its role is thought about, in counts and a few of its texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.reading.records.labels import ValueCounts

MOST_LOOKED_AT = 1_000
"""Different values whose shape is looked at."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A column in counts.

    Attributes
    ----------
    records : int
        Records, with a value or without.
    missing : int
        Records without one.
    distinct : int
        Different values, 0 or more.
    pairs_alike : int
        Ordered pairs of different records that are equal in the column; missing is a value.
    texts : np.ndarray
        Object array of at most ``MOST_LOOKED_AT`` of its different values in natural order, all where there are no
        more, else taken evenly over that order.
    exact : bool, default True
        Whether ``distinct`` and ``pairs_alike`` are counted; they are estimated, and the texts drawn, where an engine
        holds more different values than are fetched.
    """

    records: int
    missing: int
    distinct: int
    pairs_alike: int
    texts: np.ndarray
    exact: bool = True


def counts_of_cells(cells: pd.Categorical) -> ValueCounts:
    """How often each category occurs."""
    records = np.bincount(np.asarray(cells.codes, dtype=np.int64) + 1, minlength=len(cells.categories) + 1)
    return ValueCounts(cells.categories.to_numpy(dtype=object), records[1:], int(records[0]))


def profile_of(counts: ValueCounts) -> Profile:
    """The profile of a column whose values are counted."""
    used = np.flatnonzero(counts.records)
    looked_at = used
    if len(used) > MOST_LOOKED_AT:
        looked_at = used[np.linspace(0, len(used) - 1, MOST_LOOKED_AT).round().astype(int)]
    sizes = np.append(counts.records[used], counts.missing)
    alike = int((sizes * (sizes - 1)).sum())
    return Profile(counts.n_records, counts.missing, len(used), alike, counts.values[looked_at])


def estimated(records: int, missing: int, distinct: int, texts: np.ndarray) -> Profile:
    """The profile of a column of about so many different values, which are taken to occur equally often."""
    present = records - missing
    distinct = min(distinct, present)
    alike = missing * (missing - 1) + round(present * (present / distinct - 1))
    return Profile(records, missing, distinct, alike, texts, exact=False)
