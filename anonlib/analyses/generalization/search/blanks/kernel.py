"""The compiled loop of a few rows: the cheapest way to put all of them into parts that stand alone."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.generalization.search.parts.kernel import lacks
from anonlib.basics.machine_code import compiled


@compiled
def _stands_alone(asked, counts, rows, members, held):
    """Whether the rows of a set (a bit each) can be a part."""
    size = 0
    for i in range(len(rows)):
        if members >> i & 1:
            size += counts[rows[i]]
    if size < asked.k:
        return False
    for q in range(len(asked.column)):
        s = asked.column[q]
        held[: asked.span[s]] = 0
        for i in range(len(rows)):
            if members >> i & 1:
                held[asked.sensitive[s, rows[i]]] += counts[rows[i]]
        if lacks(held, 0, size, asked, q):
            return False
    return True


@compiled
def _cost(label, lost, lost_blank, counts, rows, members):
    """What the cells of a part lose, where a column is blank unless its rows share a label."""
    total = 0.0
    for j in range(len(label)):
        first, alike = -1, True
        for i in range(len(rows)):
            if members >> i & 1:
                if first < 0:
                    first = label[j, rows[i]]
                alike = alike and label[j, rows[i]] == first
        for i in range(len(rows)):
            if members >> i & 1:
                total += counts[rows[i]] * (lost[j, rows[i]] if alike else lost_blank[j, rows[i]])
    return total


@compiled
def cheapest_parts(label, lost, lost_blank, counts, asked, rows, held):
    """The part that each of a few rows is in (intp), where the parts lose least together; all of them in one do.

    ``label`` (intp, columns x all rows) are the labels, ``lost`` and ``lost_blank`` what one record's cell loses with
    it and blank.
    """
    n_sets = 1 << len(rows)
    cost = np.full(n_sets, np.inf)
    for members in range(1, n_sets):
        if _stands_alone(asked, counts, rows, members, held):
            cost[members] = _cost(label, lost, lost_blank, counts, rows, members)
    best, taken = np.full(n_sets, np.inf), np.zeros(n_sets, np.int64)
    best[0] = 0.0
    for members in range(1, n_sets):
        lowest = members & -members
        others = members ^ lowest
        joined = others
        while True:  # every set of the others joins the lowest
            part = joined | lowest
            together = cost[part] + best[members ^ part]
            if together < best[members] - 1e-12:
                best[members], taken[members] = together, part
            if joined == 0:
                break
            joined = (joined - 1) & others
    part_of = np.zeros(len(rows), np.int64)
    members, number = n_sets - 1, 0
    while members:
        for i in range(len(rows)):
            if taken[members] >> i & 1:
                part_of[i] = number
        members ^= taken[members]
        number += 1
    return part_of
