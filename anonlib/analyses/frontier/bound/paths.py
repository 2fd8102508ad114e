"""The compiled loops of the lower bound: shortest paths over the intervals of the outer and of the inner attribute."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.analyses.frontier.bound.costs import box_cost, look_into, not_above, row_start
from anonlib.basics.machine_code import compiled

_MOST_REFINED = 64  # times that the best cuts of an interval are looked for again in one go


class Pool(NamedTuple):
    """What is known of the intervals of the outer attribute, of which only some are looked into.

    Attributes
    ----------
    crude : np.ndarray
        float64, per interval what it costs at least, whatever its cuts of the inner attribute.
    value : np.ndarray
        float64, the same with the multipliers; infinite for those that no better policy has.
    slot : np.ndarray
        int64, per interval its row of ``costs``; -1 where it has none.
    costs : np.ndarray
        float32, rows x intervals of the inner attribute: what a box costs at least.
    known : np.ndarray
        bool, the same shape: the cost is the least over the rest, and no cheaper bound.
    owner : np.ndarray
        int64, per row its interval.
    used : np.ndarray
        int64, one item: rows in use.
    """

    crude: np.ndarray
    value: np.ndarray
    slot: np.ndarray
    costs: np.ndarray
    known: np.ndarray
    owner: np.ndarray
    used: np.ndarray


@compiled
def _path_cost(costs, cut_cost, best):
    """The least cost of the ways to cut the inner attribute; fills ``best``, the least up to each value."""
    n = len(best) - 1
    best[0], best[1:] = 0.0, np.inf
    at = 0
    for a in range(n):
        so_far = best[a] + cut_cost[a]
        part, row = best[a + 1 :], costs[at : at + n - a]
        for b in range(n - a):
            cost = so_far + row[b]
            part[b] = cost if cost < part[b] else part[b]
        at += n - a
    return best[n]


@compiled
def _cut_costs(before, i, end, cut_cost):
    """What it costs an outer interval to begin an inner interval with each inner value; nothing for the first."""
    for y in range(1, len(cut_cost)):
        cut_cost[y] = before[end, y - 1] - before[i, y - 1]


@compiled
def all_values(pool, before, n_outer, n_inner):
    """Fill ``pool.value`` for multipliers, ``before`` being their sums (float64, outer values + 1 x inner cuts)."""
    cut_cost, best = np.zeros(n_inner), np.empty(n_inner + 1)
    for i in range(n_outer):
        at = row_start(i, n_outer)
        for end in range(i + 1, n_outer + 1):
            if pool.value[at] != np.inf:
                _cut_costs(before, i, end, cut_cost)
                if pool.slot[at] >= 0:
                    pool.value[at] = _path_cost(pool.costs[pool.slot[at]], cut_cost, best)
                else:
                    least = 0.0
                    for y in range(1, n_inner):
                        least += min(cut_cost[y], 0.0)
                    pool.value[at] = pool.crude[at] + least
            at += 1


@compiled
def _forward(value, n, least):
    """Fill ``least``: the least cost of the ways to cut the first values of the outer attribute."""
    least[0], least[1:] = 0.0, np.inf
    at = 0
    for i in range(n):
        so_far = least[i]
        part, row = least[i + 1 :], value[at : at + n - i]
        for b in range(n - i):
            cost = so_far + row[b]
            part[b] = cost if cost < part[b] else part[b]
        at += n - i


@compiled
def _begin_of(value, n, least, end):
    """Where the last interval of the best way to cut the values before ``end`` begins."""
    i = end - 1
    while i > 0 and least[i] + value[row_start(i, n) + end - i - 1] != least[end]:
        i -= 1
    return i


@compiled
def settle(table, rest, weights, pool, before, most_rounds, cuts):
    """The least cost over all cuts of the outer attribute, with the intervals on the best path looked into.

    Fills ``cuts`` (uint8, outer values x inner cuts): whether the interval of the value has the cut.
    """
    n_outer, n_inner = len(table.outer_first), len(table.inner_first)
    least, cut_cost, best = np.empty(n_outer + 1), np.zeros(n_inner), np.empty(n_inner + 1)
    refined = np.zeros(len(pool.costs), dtype=np.bool_)
    for _ in range(most_rounds):
        _forward(pool.value, n_outer, least)
        changed = False
        end = n_outer if least[n_outer] < np.inf else 0
        while end > 0:
            i = _begin_of(pool.value, n_outer, least, end)
            at = row_start(i, n_outer) + end - i - 1
            slot = pool.slot[at]
            if slot < 0 and pool.used[0] < len(pool.costs):
                slot = pool.used[0]
                pool.used[0] += 1
                pool.slot[at], pool.owner[slot] = slot, at
                look_into(table, rest, weights, i, end, pool.costs[slot], pool.known[slot])
            if slot >= 0 and not refined[slot]:
                refined[slot] = True
                _cut_costs(before, i, end, cut_cost)
                value = _refine(table, rest, weights, i, end, pool.costs[slot], pool.known[slot], cut_cost, best)
                changed = changed or value != pool.value[at]
                pool.value[at] = value
            end = i
        if not changed:
            break
    _forward(pool.value, n_outer, least)
    cuts[:] = 0
    end = n_outer if least[n_outer] < np.inf else 0
    while end > 0:
        i = _begin_of(pool.value, n_outer, least, end)
        slot = pool.slot[row_start(i, n_outer) + end - i - 1]
        _cut_costs(before, i, end, cut_cost)
        if slot >= 0:
            _path_cost(pool.costs[slot], cut_cost, best)
            _backtrack(pool.costs[slot], cut_cost, best, cuts[i])
        else:
            for y in range(1, n_inner):
                cuts[i, y - 1] = 1 if cut_cost[y] < 0.0 else 0
        for x in range(i + 1, end):
            cuts[x] = cuts[i]
        end = i
    return least[n_outer]


@compiled
def _backtrack(costs, cut_cost, best, cuts):
    """Fill ``cuts`` with those of the path that ``best`` is of."""
    n = len(best) - 1
    cuts[:] = 0
    b = n
    while b > 0:
        b = _inner_begin(costs, cut_cost, best, b)
        if b > 0:
            cuts[b - 1] = 1


@compiled
def _inner_begin(costs, cut_cost, best, b):
    """Where the last interval of the best way to cut the first ``b`` inner values begins."""
    n = len(best) - 1
    a = b - 1
    while a > 0 and best[a] + cut_cost[a] + costs[row_start(a, n) + b - a - 1] != best[b]:
        a -= 1
    return a


@compiled
def _refine(table, rest, weights, i, end, costs, known, cut_cost, best):
    """The least cost of an outer interval, once the boxes of its best cuts are known."""
    n = len(best) - 1
    value = _path_cost(costs, cut_cost, best)
    for _ in range(_MOST_REFINED):
        new = False
        b = n
        while b > 0:
            a = _inner_begin(costs, cut_cost, best, b)
            at = row_start(a, n) + b - a - 1
            if not known[at]:
                costs[at] = max(costs[at], not_above(box_cost(table, rest, weights, i, end, a, b)))
                known[at] = True
                new = True
            b = a
        if not new:
            break
        value = _path_cost(costs, cut_cost, best)
    return value


@compiled
def drop(pool, n, limit):
    """Put aside the outer intervals that no policy better than ``limit`` has; returns how many are left."""
    least = np.empty(n + 1)
    _forward(pool.value, n, least)
    after = np.full(n + 1, np.inf)
    after[n] = 0.0
    left = 0
    for i in range(n - 1, -1, -1):
        at = row_start(i, n)
        for end in range(i + 1, n + 1):
            cost = pool.value[at] + after[end]
            after[i] = min(after[i], cost)
            if least[i] + cost > limit:
                pool.value[at] = np.inf
                if pool.slot[at] >= 0:  # its row goes to the last one in use
                    pool.used[0] -= 1
                    gone, moved = pool.slot[at], pool.used[0]
                    owner = pool.owner[moved]
                    pool.costs[gone], pool.known[gone] = pool.costs[moved], pool.known[moved]
                    pool.owner[gone], pool.slot[owner], pool.slot[at] = owner, gone, -1
            else:
                left += 1
            at += 1
    return left
