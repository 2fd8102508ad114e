"""The compiled loops that split a part where a try that looks at values can be refused by a coin too.

A split is a chain of tries: the rows of one finer label are parted off from all others that are still together. A try
looks at the values of both sides alone, and at a coin of these two sets of persons. Which splits are tried, and in
which order, known columns decide, and what was refused before. A refusal costs two rows that stay together something
where the try would have parted them, and nobody is brought beyond the budget: who is parted later, or was on the same
side, is not concerned. So of each row is kept which refused tries would have parted it off.

First these refused tries, then the tries, last the splitting of a part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import (
    best_split,
    finish,
    hold,
    lacks,
    part_rows,
    put_split,
    stack_of,
    take,
)
from anonlib.basics.machine_code import compiled, compiled_in_place

# ---- refused tries ----

_KEPT_PAIRS = 64  # refused tries of a part that are remembered, so that the same one costs nothing again
_SLOTS = 32  # refused tries on the path of a part that can tell its rows apart, a bit each
_MOST_KINDS = 64  # of rows, by the refused tries that they are parted by


class RefusedTries(NamedTuple):
    """The refused tries that tell rows of the part at hand apart.

    Attributes
    ----------
    of_row : np.ndarray
        uint64, a row each: a bit for each such try by which it would have been parted off.
    costs : np.ndarray
        int8, what each of them costs; ``n`` (int64, three numbers) are how many bits are used (as a mask), how many
        kinds of rows there are, and how many pairs of sets were refused.
    kinds, rows : np.ndarray
        uint64 and int64, the different bits of rows, and how many rows that are still together have them; ``inside``
        (int64) how many of these a run has.
    pairs : np.ndarray
        uint64, the pairs of sets that were refused.
    """

    of_row: np.ndarray
    costs: np.ndarray
    n: np.ndarray
    kinds: np.ndarray
    rows: np.ndarray
    inside: np.ndarray
    pairs: np.ndarray


@compiled
def no_refused_tries(n_rows):
    """Room for so many rows, of which none was to be parted off."""
    return RefusedTries(
        np.zeros(n_rows, np.uint64), np.zeros(_SLOTS, np.int8), np.zeros(3, np.int64),
        np.zeros(_MOST_KINDS, np.uint64), np.zeros(_MOST_KINDS, np.int64), np.zeros(_MOST_KINDS, np.int64),
        np.zeros(_KEPT_PAIRS, np.uint64),
    )  # fmt: skip


@compiled_in_place
def _kind_of(tries, bits):
    """The place of a kind of rows, a new one where there is none; -1 where there is no room."""
    for kind in range(tries.n[1]):
        if tries.kinds[kind] == bits:
            return kind
    if tries.n[1] == len(tries.kinds):
        return -1
    tries.kinds[tries.n[1]], tries.rows[tries.n[1]], tries.inside[tries.n[1]] = bits, 0, 0
    tries.n[1] += 1
    return tries.n[1] - 1


@compiled_in_place
def _begin_part(tries, order, lo, hi):
    """Forget the tries that tell no two rows of a part apart, and count its kinds of rows."""
    any_has, all_have = np.uint64(0), ~np.uint64(0)
    for i in range(lo, hi):
        any_has |= tries.of_row[order[i]]
        all_have &= tries.of_row[order[i]]
    apart = any_has & ~all_have
    tries.n[0], tries.n[1], tries.n[2] = np.int64(apart), 0, 0
    for i in range(lo, hi):
        tries.of_row[order[i]] &= apart
        tries.rows[_kind_of(tries, tries.of_row[order[i]])] += 1


@compiled_in_place
def _costliest_pair(tries, order, lo, hi):
    """What refused tries cost two rows already, one of a run and one of the others, at most; counts those inside."""
    for kind in range(tries.n[1]):
        tries.inside[kind] = 0
    for i in range(lo, hi):
        tries.inside[_kind_of(tries, tries.of_row[order[i]])] += 1
    most = 0
    for kind in range(tries.n[1]):
        for other in range(tries.n[1]):
            if tries.inside[kind] > 0 and tries.rows[other] > tries.inside[other]:
                cost, apart = 0, tries.kinds[kind] ^ tries.kinds[other]
                for slot in range(len(tries.costs)):
                    if apart >> np.uint64(slot) & np.uint64(1):
                        cost += tries.costs[slot]
                most = max(most, cost)
    return most


@compiled_in_place
def _free_slot(tries):
    """A bit that is not used, -1 where there is none or the kinds of rows could become too many."""
    if 2 * tries.n[1] > len(tries.kinds):
        return -1
    for slot in range(len(tries.costs)):
        if not tries.n[0] >> slot & 1:
            return slot
    return -1


@compiled_in_place
def _let_go(tries):
    """Take the rows of a run, counted inside, from those that are still together."""
    for kind in range(tries.n[1]):
        tries.rows[kind] -= tries.inside[kind]


@compiled_in_place
def _note_refused(tries, order, lo, hi, slot, cost, pair):
    """Note that a run was not parted off."""
    _let_go(tries)
    tries.costs[slot] = cost
    tries.n[0] |= np.int64(1) << slot
    for i in range(lo, hi):
        tries.of_row[order[i]] |= np.uint64(1) << np.uint64(slot)
        tries.rows[_kind_of(tries, tries.of_row[order[i]])] += 1
    if tries.n[2] < len(tries.pairs):
        tries.pairs[tries.n[2]] = pair
        tries.n[2] += 1


@compiled_in_place
def _was_refused(tries, pair):
    for place in range(tries.n[2]):  # noqa: SIM110 - as it is compiled
        if tries.pairs[place] == pair:
            return True
    return False


# ---- tries ----


@compiled_in_place
def _mixed(number):
    number += np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@compiled_in_place
def _pair_of(coins, first, second):
    """The number of an unordered pair of sets of persons."""
    return _mixed((_mixed(first ^ coins.key) + _mixed(second ^ coins.key)) ^ coins.key)


@compiled_in_place
def _set_of(coins, counts, order, lo, hi):
    """The number of a set of persons: the sum of its rows'."""
    number = np.uint64(0)
    for i in range(lo, hi):
        number += coins.row[order[i]] * np.uint64(counts[order[i]])
    return number


@compiled_in_place
def _hold_all(limits, counts, order, lo, hi, held, sign):
    """Add the rows of a run to those who hold each value of each sensitive column, or take them away."""
    for s in range(len(limits.span)):
        for i in range(lo, hi):
            hold(held, limits.start[s], limits, s, order[i], sign * counts[order[i]])


@compiled_in_place
def _lacks_any(limits, held, size):
    """Whether something that is asked of values does not hold of so many records."""
    for q in range(len(limits.column)):  # noqa: SIM110 - as it is compiled
        if lacks(held, limits.start[limits.column[q]], size, limits, q):
            return True
    return False


@compiled
def _try_runs(table, limits, coins, budget, order, lo, hi, ends, n_runs, tries, goes, held, rest_held):
    """Try to part off each run of a part from the rows that are still together, the largest run first.

    ``goes`` (bool, a run each) says afterwards which are parted off; ``held`` (zeros) and ``rest_held`` (int64, all
    values of the sensitive columns) are room. How many are parted off.
    """
    counts = table.counts
    begins, sizes = np.empty(n_runs, np.int64), np.zeros(n_runs, np.int64)
    begin, rest = lo, 0
    for run in range(n_runs):
        begins[run] = begin
        for i in range(begin, ends[run]):
            sizes[run] += counts[order[i]]
        begin = ends[run]
    for i in range(lo, hi):
        rest += counts[order[i]]
    together = _set_of(coins, counts, order, lo, hi)
    rest_held[:], goes[:n_runs] = 0, False
    _hold_all(limits, counts, order, lo, hi, rest_held, 1)
    n_gone = 0
    for run in np.argsort(-sizes, kind="mergesort"):
        begin, end, remaining = begins[run], ends[run], rest - sizes[run]
        if remaining < limits.k:  # nobody would stay, or too few
            continue
        of_run = _set_of(coins, counts, order, begin, end)
        pair, slot = _pair_of(coins, of_run, together - of_run), _free_slot(tries)
        if slot < 0 or _was_refused(tries, pair):
            continue
        most = budget - _costliest_pair(tries, order, begin, end)
        if most < 1:
            continue
        smaller = min(sizes[run], remaining)
        cost = min(most, 1 + (smaller >= coins.large) + (smaller >= coins.larger))
        _hold_all(limits, counts, order, begin, end, held, 1)
        _hold_all(limits, counts, order, begin, end, rest_held, -1)
        refuses = _mixed(pair + coins.key) < coins.thresholds[cost]
        refuses = refuses or _lacks_any(limits, held, sizes[run]) or _lacks_any(limits, rest_held, remaining)
        _hold_all(limits, counts, order, begin, end, held, -1)
        if refuses:
            _hold_all(limits, counts, order, begin, end, rest_held, 1)
            _note_refused(tries, order, begin, end, slot, cost, pair)
        else:
            _let_go(tries)
            goes[run], n_gone = True, n_gone + 1
            rest, together = remaining, together - of_run
    return n_gone


@compiled
def split_with_coins(
    table, limits, by_size, rule, coins, budget, tries, order, first, last, start, costs, few, state, room, split_parts,
    waiting, waiting_costs
):  # fmt: skip
    """As :func:`.splitting_kernel.split`, with coins and what refused tries may cost two rows that stay together.

    ``by_size`` are the limits without any on values, by which splits are ranked; ``costs`` are those of the tries by
    which rows of the part were to be parted already, and of parts that wait ``waiting_costs``.
    """
    stack = stack_of(first, last, start, room)
    stack_costs = np.zeros((last - first + 1, len(costs)), np.int8)
    stack_costs[0] = costs
    levels = np.empty(len(start), np.int16)
    closed = np.zeros((len(start), 1 + (start.max() if len(start) else 0)), np.bool_)
    goes = np.empty(len(room.size), np.bool_)
    held, rest_held = np.zeros(limits.start[-1], np.int64), np.zeros(limits.start[-1], np.int64)
    lost, n_waiting, top = 0.0, 0, 1
    while top:
        top -= 1
        lo, hi, n = take(table, order, stack, top, levels)
        tries.costs[:] = stack_costs[top]
        if n <= few and n >= 2 * limits.k:
            waiting[n_waiting, 0], waiting[n_waiting, 1] = lo, hi
            waiting[n_waiting, 2:] = levels
            waiting_costs[n_waiting] = tries.costs
            n_waiting += 1
            continue
        _begin_part(tries, order, lo, hi)
        closed[:] = False
        is_split = False
        while not is_split:
            j, level, n_children = best_split(table, by_size, rule, order, lo, hi, n, levels, closed, room, state)
            if j < 0:
                break
            closed[j, level] = True
            n_runs = part_rows(table, order, lo, hi, j, level, n_children, room, stack.ends)
            n_gone = _try_runs(
                table, limits, coins, budget, order, lo, hi, stack.ends, n_runs, tries, goes, held, rest_held
            )
            if n_gone:
                run = 0
                for child in range(n_children):
                    if room.best_alone[child]:
                        room.best_alone[child] = goes[run]
                        run += 1
                new_top = put_split(table, order, lo, hi, levels, j, level, n_children, room, split_parts, stack, top)
                stack_costs[top:new_top] = tries.costs
                top, is_split = new_top, True
        if not is_split:
            lost += finish(table, order, lo, hi, levels, split_parts)
    return lost, n_waiting
