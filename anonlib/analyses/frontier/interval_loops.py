"""The compiled loops: cells into groups, what each interval of an attribute costs, and shortest paths over its cuts."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.chain_loops import loss_term, risk_term
from anonlib.basics.machine_code import compiled

EMPTY = -1
NOBODY = 1e-300  # stands for no people: it vanishes in any sum, and no record divided by it is none


@compiled
def number_groups(places, offsets, n_occupied, prior, span, slots, keys, group):
    """Number the groups that have records, and give each row its group's number, -1 where it is in none.

    ``places`` is int32, rows x attributes, those with records first; ``offsets`` int64, attributes x places, the part
    of a place in a key below ``span``, -1 where the row is dropped. Keys of groups within the groups ``prior`` (int32)
    count. ``slots`` (int32, all -1) has a place a key, or, where ``keys`` (int64, all -1) is not empty, both are a hash
    table whose length is a power of two. Returns the number of groups.
    """
    n_groups = 0
    hashed = len(keys) > 0
    last = len(keys) - 1
    for i in range(len(places)):
        key = np.int64(prior[i]) * span
        for j in range(places.shape[1]):
            offset = offsets[j, places[i, j]]
            key = -1 if key < 0 or offset < 0 else key + offset
        group[i] = -1
        if key < 0:
            continue
        at = key
        if hashed:
            at = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & last
            while keys[at] != key and keys[at] != EMPTY:
                at = (at + 1) & last
        if slots[at] < 0 and i < n_occupied:
            slots[at] = n_groups
            n_groups += 1
            if hashed:
                keys[at] = key
        group[i] = slots[at]
    return n_groups


@compiled
def merge(rest, group, records, people, starts, ends, stamp, at, entries, entry_start):
    """Sum the cells of each group at each of the places of an attribute. Returns the number of sums.

    ``rest`` (int32) has a cell's combination of the other attributes, ``group`` that combination's group. The cells of
    place q are from ``starts[i, q]`` to ``ends[i, q]``, for each i. ``entries`` are a group, its records, people and
    cells with records; those of place q begin at ``entry_start[q]``.
    """
    entry_group, entry_n, entry_p, entry_c = entries
    n = 0
    for q in range(starts.shape[1]):
        entry_start[q] = n
        for part in range(len(starts)):
            for i in range(starts[part, q], ends[part, q]):
                g = group[rest[i]]
                if g < 0:
                    continue
                e = at[g]
                if stamp[g] != q:
                    stamp[g] = q
                    at[g] = e = n
                    n += 1
                    entry_group[e], entry_n[e], entry_p[e], entry_c[e] = g, 0.0, 0.0, 0.0
                entry_n[e] += records[i]
                entry_p[e] += people[i]
                entry_c[e] += 1.0 if records[i] > 0.0 else 0.0
    entry_start[starts.shape[1]] = n
    return n


@compiled
def spread(rest, group, people, starts, ends, rows):
    """Add the people of the cells of place q, ``starts[q]`` to ``ends[q]``, to ``rows[q]`` (float64, x groups)."""
    for q in range(len(rows)):
        row = rows[q]
        for i in range(starts[q], ends[q]):
            g = group[rest[i]]
            if g >= 0:
                row[g] += people[i]


@compiled
def interval_sums(entries, entry_start, others, n_groups, terms, k, xlogx, reach, offset, costs, tails):
    """Sums of the terms of the groups within intervals of blocks.

    Blocks and what is between two are places, in turn. ``entries`` are the groups at each place, ``others`` (float64,
    places x groups; or empty) the people of cells without records that are not among them. ``costs`` (float64,
    2 x intervals: risk, loss) has the interval [a, b) at ``offset[a] + b - a - 1`` for b up to ``reach[a]``; ``tails``
    (2 x blocks) those that go on to the end.
    """
    n_blocks = len(reach)
    n, p, c, quotient = np.empty(n_groups), np.empty(n_groups), np.empty(n_groups), np.zeros(n_groups + 8)
    risk_of, loss_of = np.empty(n_groups), np.empty(n_groups)
    state = n, p, c, risk_of, loss_of
    _clear(state)
    for a in range(n_blocks):
        risk, loss = 0.0, 0.0
        if a > 0:
            begin, end = entry_start[2 * a - 2], entry_start[2 * reach[a - 1] - 1]
            if len(others) or end - begin > n_groups:
                _clear(state)
            else:
                _clear_some(state, entries[0], begin, end)
        for b in range(a, reach[a]):
            first = 2 * b - 1 if b > a else 2 * b
            begin, end = entry_start[first], entry_start[2 * b + 1]
            risk, loss = _joined(entries, begin, end, state, terms, k, xlogx, risk, loss)
            if len(others):
                if b > a:
                    _add(p, others[first])
                risk = _add_and_divide(p, others[2 * b], n, quotient)
            costs[0, offset[a] + b - a] = risk
            costs[1, offset[a] + b - a] = loss
    risk, loss = 0.0, 0.0
    _clear(state)
    for a in range(n_blocks - 1, -1, -1):
        last = 2 * a + 1 if a < n_blocks - 1 else 2 * a
        begin, end = entry_start[2 * a], entry_start[last + 1]
        risk, loss = _joined(entries, begin, end, state, terms, k, xlogx, risk, loss)
        if len(others):
            if a < n_blocks - 1:
                _add(p, others[last])
            risk = _add_and_divide(p, others[2 * a], n, quotient)
        tails[0, a] = risk
        tails[1, a] = loss


@compiled
def _clear(state):
    n, p, c, risk_of, loss_of = state
    n[:] = 0.0
    p[:] = NOBODY
    c[:] = 0.0
    risk_of[:] = 0.0
    loss_of[:] = 0.0


@compiled
def _clear_some(state, group, begin, end):
    """As :func:`_clear`, where only the groups of these entries are not."""
    n, p, c, risk_of, loss_of = state
    for e in range(begin, end):
        g = group[e]
        n[g] = c[g] = risk_of[g] = loss_of[g] = 0.0
        p[g] = NOBODY


@compiled
def _joined(entries, begin, end, state, terms, k, xlogx, risk, loss):
    """The sums of both terms once entries have joined their groups."""
    group, records, people, cells = entries
    n, p, c, risk_of, loss_of = state
    for e in range(begin, end):
        g = group[e]
        more = n[g] + records[e]
        n[g] = more
        p[g] += people[e]
        c[g] += cells[e]
        term = risk_term(terms[0], more, p[g], k)
        risk += term - risk_of[g]
        risk_of[g] = term
        term = loss_term(terms[1], more, c[g], xlogx)
        loss += term - loss_of[g]
        loss_of[g] = term
    return risk, loss


@compiled
def _add(p, more):
    for g in range(len(p)):
        p[g] += more[g]


@compiled
def _add_and_divide(p, more, n, quotient):
    """Add people to their groups; the sum of records / people. Without branches, so that several are done at once."""
    for g in range(len(p)):
        people = p[g] + more[g]
        p[g] = people
        quotient[g] = np.divide(n[g], people)
    s0, s1, s2, s3, s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for g in range(0, len(p), 8):
        s0 += quotient[g]
        s1 += quotient[g + 1]
        s2 += quotient[g + 2]
        s3 += quotient[g + 3]
        s4 += quotient[g + 4]
        s5 += quotient[g + 5]
        s6 += quotient[g + 6]
        s7 += quotient[g + 7]
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@compiled
def term_sums(n, p, c, terms, k, xlogx):
    """The sums of both terms over groups."""
    risk, loss = 0.0, 0.0
    for g in range(len(n)):
        if n[g] > 0.0:
            risk += risk_term(terms[0], n[g], p[g], k)
            loss += loss_term(terms[1], n[g], c[g], xlogx)
    return risk, loss


@compiled
def shortest_paths(costs, tails, reach, offset, weights, cut, sums):
    """For each weight of the risk (rows of ``weights``: of risk and of loss) the intervals of least weighted cost.

    Fills ``cut`` (uint8, weights x blocks; whether a block begins an interval) and ``sums`` (weights x 2).
    """
    n_blocks = len(reach)
    least = np.empty(n_blocks + 1)
    before = np.empty(n_blocks + 1, dtype=np.int64)
    for row in range(len(weights)):
        of_risk, of_loss = weights[row, 0], weights[row, 1]
        least[:] = np.inf
        least[0] = 0.0
        for a in range(n_blocks):
            so_far, at = least[a], offset[a]
            for b in range(a + 1, reach[a] + 1):
                cost = so_far + of_risk * costs[0, at] + of_loss * costs[1, at]
                at += 1
                if cost < least[b]:
                    least[b] = cost
                    before[b] = a
            cost = so_far + of_risk * tails[0, a] + of_loss * tails[1, a]
            if cost < least[n_blocks]:
                least[n_blocks] = cost
                before[n_blocks] = a
        cut[row] = 0
        sums[row] = 0.0
        b = n_blocks
        while b > 0:
            a = before[b]
            cut[row, a] = 1
            if b <= reach[a]:
                sums[row, 0] += costs[0, offset[a] + b - a - 1]
                sums[row, 1] += costs[1, offset[a] + b - a - 1]
            else:
                sums[row, 0] += tails[0, a]
                sums[row, 1] += tails[1, a]
            b = a
