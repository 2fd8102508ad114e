"""The terms of one group as compiled loops count them; those of many are in `anonlib.analyses.frontier.measures`."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.measures import BELOW_K, KL, KL_OBSERVED, ONE, PEOPLE, SQUARE
from anonlib.basics.machine_code import compiled


@compiled
def risk_term(number, n, p, k):
    """The term of risk of a group of n records and p people."""
    if number == PEOPLE:
        return np.divide(n, p)
    if number == ONE:
        return 1.0
    if number == BELOW_K:
        return n if n < k else 0.0
    return 0.0


@compiled
def loss_term(number, n, c, xlogx):
    """The term of loss of a group of n records in c cells; ``xlogx`` is a table of n ln n."""
    if number == KL:
        return -_xlogx(n, xlogx)
    if number == KL_OBSERVED:
        return n * np.log(c) - _xlogx(n, xlogx) if n > 0.0 else 0.0
    if number == SQUARE:
        return n * n
    return 0.0


@compiled
def _xlogx(n, table):
    i = np.int64(n)
    return table[i] if i < len(table) else n * np.log(n)
