"""The compiled loop that follows intervals along a chain."""

from __future__ import annotations

import numpy as np

from anonlib.basics.machine_code import compiled


@compiled
def spans(policy, starts, removed):
    """int64, steps x 3: the first value of the interval that each step makes, the one after the boundary, and the one
    after the last; numbered from 0 in each attribute."""
    n_attributes = len(starts) - 1
    other_end = np.arange(len(policy) + n_attributes)
    attribute = np.empty(len(policy), dtype=np.int64)
    for j in range(n_attributes):
        for bit in range(starts[j], starts[j + 1]):
            attribute[bit] = j
            if not policy[bit]:
                _span(other_end, bit + j)
    bounds = np.empty((len(removed), 3), dtype=np.int64)
    for i in range(len(removed)):
        j = attribute[removed[i]]
        first, last = _span(other_end, removed[i] + j)
        offset = starts[j] + j
        bounds[i, 0], bounds[i, 1], bounds[i, 2] = first - offset, removed[i] - starts[j] + 1, last - offset + 1
    return bounds


@compiled
def _span(other_end, left):
    """Join the interval that ends at ``left`` with the next one; their first and last value."""
    first, last = other_end[left], other_end[left + 1]
    other_end[first], other_end[last] = last, first
    return first, last
