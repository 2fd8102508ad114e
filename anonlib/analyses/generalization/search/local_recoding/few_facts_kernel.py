"""The compiled loops of few facts: parts are split on as long as no pair of labels makes somebody's value certain.

Of each pair of facts that may be known, and each two labels of these, three numbers are kept: how many records have
them, and the sums of their values' codes and of the squares of these. All have one value where records x squares is the
sum squared (where these are too large for 64 bits they may seem alike and are not, which is on the safe side).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import (
    choose_alone,
    count_children,
    finish,
    put_split,
    rest_lacks,
    score_of,
    stack_of,
    take,
)
from anonlib.basics.machine_code import compiled, compiled_in_place

_FREE = 1e6  # a finer label that all of a part share comes first


class PairCounts(NamedTuple):
    """Which facts may be known together, and the labels that all rows have now.

    Attributes
    ----------
    label : np.ndarray
        int32, facts x rows, each row's label; ``number`` (int32, as ``label`` of a table): what it becomes, equal for
        equal labels of a column on all levels.
    of_column : np.ndarray
        int64, the fact that each column of the table is, -1 for none.
    pairs : np.ndarray
        int64, pairs x 2, facts known together, twice the same where one is known alone.
    at, span : np.ndarray
        int64, a pair each: where its combinations begin, and the labels of its second fact.
    start, of_fact : np.ndarray
        The pairs that a fact is in are ``of_fact[start[fact] : start[fact + 1]]``.
    condition : np.ndarray
        int64, a pair each: the condition on a sensitive column that it is looked at for.
    values : np.ndarray
        int32, conditions x rows, codes of the sensitive column; ``harms`` (bool, conditions x codes).
    counts : np.ndarray
        int64, records of each row; none of those that are left out.
    keys : np.ndarray
        int64, what combination is in which place, -1 for none; empty: each is in its own.
    n, total, squares, used : np.ndarray
        int64, a place each: records, sums; how many places are used.
    moved, old, new : np.ndarray
        int64 and int32, room for rows that move, with their labels below and above.
    """

    label: np.ndarray
    number: np.ndarray
    of_column: np.ndarray
    pairs: np.ndarray
    at: np.ndarray
    span: np.ndarray
    start: np.ndarray
    of_fact: np.ndarray
    condition: np.ndarray
    values: np.ndarray
    harms: np.ndarray
    counts: np.ndarray
    keys: np.ndarray
    n: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    used: np.ndarray
    moved: np.ndarray
    old: np.ndarray
    new: np.ndarray


class ReadOffParts(NamedTuple):
    """The parts as somebody reads them off.

    Attributes
    ----------
    order, begin, end : np.ndarray
        int64, the rows of part i are ``order[begin[i] : end[i]]``; ``by_size``: the largest first.
    of_row : np.ndarray
        int64, the part of each row; ``regions`` (uint64, parts x words) as in :class:`.splitting_kernel.SplitParts`.
    column : np.ndarray
        int64, a fact each: its column of the table; -1 - e where it is not coarsened, the e-th of these.
    start, rows : np.ndarray
        int64, of these the rows with label x are ``rows[e, start[e, x] : start[e, x + 1]]``.
    """

    order: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    by_size: np.ndarray
    of_row: np.ndarray
    regions: np.ndarray
    column: np.ndarray
    start: np.ndarray
    rows: np.ndarray


@compiled
def _place(keys, used, key):
    """The place of a combination of two labels."""
    if not len(keys):
        return key
    mask = len(keys) - 1
    place = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask
    while keys[place] != key:
        if keys[place] < 0:
            keys[place] = key
            used[0] += 1
            break
        place = (place + 1) & mask
    return place


@compiled
def _is_certain(n, total, squares, harms, place):
    """Whether all records with these labels have one value, which harms."""
    if n[place] == 0 or n[place] * squares[place] != total[place] * total[place]:
        return False
    return harms[total[place] // n[place]]


@compiled_in_place
def _add(n, total, squares, place, n_records, value):
    """Add records with a value to those who have the labels of a place; below 0 they are taken away."""
    n[place] += n_records
    total[place] += n_records * value
    squares[place] += n_records * value * value


@compiled
def count_all(facts):
    """Count the labels of all rows again; bool per row: somebody's value is certain by a pair of its labels."""
    keys, used, n, total, squares, counts = facts.keys, facts.used, facts.n, facts.total, facts.squares, facts.counts
    n[:], total[:], squares[:] = 0, 0, 0
    certain = np.zeros(len(counts), np.bool_)
    for pair in range(len(facts.pairs)):
        first, second = facts.label[facts.pairs[pair, 0]], facts.label[facts.pairs[pair, 1]]
        values, harms = facts.values[facts.condition[pair]], facts.harms[facts.condition[pair]]
        at, span = facts.at[pair], facts.span[pair]
        for row in range(len(counts)):
            if counts[row]:
                place = _place(keys, used, at + first[row] * span + second[row])
                _add(n, total, squares, place, counts[row], np.int64(values[row]))
        for row in range(len(counts)):
            if counts[row] and not certain[row]:
                place = _place(keys, used, at + first[row] * span + second[row])
                certain[row] = _is_certain(n, total, squares, harms, place)
    return certain


@compiled
def _others(facts, pair, fact):
    """The labels that rows have of the other fact of a pair; and what a label of the fact, and one of the other, is
    counted as in the number of their combination."""
    first, second, span = facts.pairs[pair, 0], facts.pairs[pair, 1], facts.span[pair]
    if first == second:  # one fact is known alone
        return facts.label[fact], span + 1, 0
    if first == fact:
        return facts.label[second], span, 1
    return facts.label[first], 1, span


@compiled
def _move_in_pair(facts, pair, fact, n_moved, back):
    """Count rows that move with their other labels of a fact, or that move back, in one pair."""
    keys, used, n, total, squares, counts = facts.keys, facts.used, facts.n, facts.total, facts.squares, facts.counts
    values, moved = facts.values[facts.condition[pair]], facts.moved
    others, of_label, of_other = _others(facts, pair, fact)
    before, after = (facts.new, facts.old) if back else (facts.old, facts.new)
    for m in range(n_moved):
        row = moved[m]
        key = facts.at[pair] + others[row] * of_other
        value = np.int64(values[row])
        _add(n, total, squares, _place(keys, used, key + before[m] * of_label), -counts[row], value)
        _add(n, total, squares, _place(keys, used, key + after[m] * of_label), counts[row], value)


@compiled
def _tells_of_moved(facts, pair, fact, n_moved):
    """Whether somebody's value is certain by the labels in a pair that rows moved to, or by those that they left."""
    keys, used, n, total, squares = facts.keys, facts.used, facts.n, facts.total, facts.squares
    harms, moved, old, new = facts.harms[facts.condition[pair]], facts.moved, facts.old, facts.new
    others, of_label, of_other = _others(facts, pair, fact)
    for m in range(n_moved):
        key = facts.at[pair] + others[moved[m]] * of_other
        if _is_certain(n, total, squares, harms, _place(keys, used, key + new[m] * of_label)):
            return True
        if _is_certain(n, total, squares, harms, _place(keys, used, key + old[m] * of_label)):
            return True
    return False


@compiled
def _list_moved(table, facts, order, lo, hi, j, levels, level, child, room):
    """List the rows of a child (-1: of all that stand alone) whose label differs on a level, with both labels; how
    many they are."""
    values, label, number, counts = table.values[j], table.label, facts.number, facts.counts
    now = table.at[j] + levels[j] * table.n[j]
    base = table.at[j] + level * table.n[j]
    n_moved = 0
    for i in range(lo, hi):
        row = order[i]
        value = values[row]
        place = room.place[label[base + value]]
        if not (place == child if child >= 0 else room.alone[place]):
            continue
        old, new = number[now + value], number[base + value]
        if old != new and counts[row]:
            facts.moved[n_moved], facts.old[n_moved], facts.new[n_moved] = row, old, new
            n_moved += 1
    return n_moved


@compiled
def _move_children(table, facts, order, lo, hi, j, levels, level, child, room, back, looking):
    """Move the rows of a child (-1: of all that stand alone) to their labels of a level, or back; where one looks only
    if that makes nobody's value certain. Whether they are moved."""
    fact = facts.of_column[j]
    if fact < 0:
        return True
    n_moved = _list_moved(table, facts, order, lo, hi, j, levels, level, child, room)
    first, last = facts.start[fact], facts.start[fact + 1]
    for i in range(first, last):
        _move_in_pair(facts, facts.of_fact[i], fact, n_moved, back)
        if looking and _tells_of_moved(facts, facts.of_fact[i], fact, n_moved):
            for again in range(first, i + 1):
                _move_in_pair(facts, facts.of_fact[again], fact, n_moved, not back)
            return False
    for m in range(n_moved):
        facts.label[fact, facts.moved[m]] = facts.old[m] if back else facts.new[m]
    return True


@compiled
def _rest_of(n, n_children, room):
    """How many records of a part are in no child that stands alone."""
    for child in range(n_children):
        if room.alone[child]:
            n -= room.size[room.children[child]]
    return n


@compiled
def _try_split(table, limits, facts, order, lo, hi, n, j, levels, level, n_children, room):
    """Move the children that stand alone to their finer labels: all of them, or those after which nobody's value is
    certain, and the rest can still be a part. Whether any are; if not all is as before."""
    if _move_children(table, facts, order, lo, hi, j, levels, level, -1, room, False, True):
        return True
    if n_children == 1:
        return False
    waits = room.alone[:n_children].copy()
    room.alone[:n_children] = False
    for _ in range(n_children):  # the largest first
        child = -1
        for other in range(n_children):
            if waits[other] and (child < 0 or room.size[room.children[other]] > room.size[room.children[child]]):
                child = other
        if child < 0:
            break
        waits[child] = False
        room.alone[child] = _move_children(table, facts, order, lo, hi, j, levels, level, child, room, False, True)
    base = table.at[j] + level * table.n[j]
    while True:
        rest = _rest_of(n, n_children, room)
        if rest == n:
            return False
        if rest == 0 or not rest_lacks(table, limits, order, lo, hi, base, j, rest, room):
            return True
        least = -1
        for child in range(n_children):
            size = room.size[room.children[child]]
            if room.alone[child] and (least < 0 or size < room.size[room.children[least]]):
                least = child
        if not _move_children(table, facts, order, lo, hi, j, levels, level, least, room, True, True):
            _move_children(table, facts, order, lo, hi, j, levels, level, -1, room, True, False)
            return False
        room.alone[least] = False


@compiled
def _score_splits(table, limits, rule, order, lo, hi, n, levels, room, state, scores):
    """How good each split is, by column and level, whatever facts tell; 0 for none."""
    scores[:] = 0.0
    for j in range(len(levels)):
        lost = table.loss[table.at[j] + levels[j] * table.n[j] + table.values[j, order[lo]]]
        for level in range(levels[j] - 1, -1, -1):
            n_children = count_children(table, order, lo, hi, j, level, room)
            if n_children == 1:
                scores[j, level] = _FREE * (1 + levels[j] - level)
            elif n >= 2 * limits.k and choose_alone(table, limits, order, lo, hi, j, level, n_children, room) > 0:
                scores[j, level] = max(0.0, score_of(table, rule, n, j, level, lost, n_children, room, state))
            for child in range(n_children):
                room.size[room.children[child]] = 0


@compiled
def _split_best(table, limits, facts, order, lo, hi, n, levels, room, scores):
    """Split by the best of these that facts allow; its column, level and number of children, column -1 for none."""
    while True:
        best, best_j, best_level = 0.0, -1, 0
        for j in range(len(levels)):
            for level in range(levels[j]):
                if scores[j, level] > best:
                    best, best_j, best_level = scores[j, level], j, level
        if best_j < 0:
            return -1, 0, 0
        j, level = best_j, best_level
        n_children = count_children(table, order, lo, hi, j, level, room)
        if n_children == 1:
            room.alone[0] = True
        else:
            choose_alone(table, limits, order, lo, hi, j, level, n_children, room)
        done = _try_split(table, limits, facts, order, lo, hi, n, j, levels, level, n_children, room)
        room.best_children[:n_children] = room.children[:n_children]
        room.best_alone[:n_children] = room.alone[:n_children]
        for child in range(n_children):
            room.size[room.children[child]] = 0
        if done:
            return j, level, n_children
        scores[j, level] = 0.0


@compiled
def split_on(table, limits, facts, rule, order, first, last, start, state, room, split_parts):
    """Split a part on as long as few facts make nobody's value certain; as :func:`.splitting_kernel.split`.

    Returns
    -------
    float
        What the cells of the finished parts lose.
    """
    stack = stack_of(first, last, start, room)
    levels = start.copy()
    scores = np.zeros((len(start), 1 + (start.max() if len(start) else 0)))
    lost, top = 0.0, 1
    while top:
        top -= 1
        lo, hi, n = take(table, order, stack, top, levels)
        j, level, n_children = -1, 0, 0
        if not len(facts.keys) or facts.used[0] + 2 * (hi - lo) * len(facts.pairs) < 0.7 * len(facts.keys):
            _score_splits(table, limits, rule, order, lo, hi, n, levels, room, state, scores)
            j, level, n_children = _split_best(table, limits, facts, order, lo, hi, n, levels, room, scores)
        if j < 0:
            lost += finish(table, order, lo, hi, levels, split_parts)
            continue
        top = put_split(table, order, lo, hi, levels, j, level, n_children, room, split_parts, stack, top)
    return lost


@compiled
def split_all(table, limits, facts, rule, order, begin, end, state, room, split_parts):
    """Split parts on, ``order[begin[i] : end[i]]`` each, one after the other; what the cells of all lose then."""
    lost = 0.0
    for part in range(len(begin)):
        start = split_parts.levels[order[begin[part]]].copy()
        lost += split_on(table, limits, facts, rule, order, begin[part], end[part], start, state, room, split_parts)
    return lost


@compiled
def _shows(regions, part, bit):
    """Whether a part can hold the value that a bit stands for."""
    return regions[part, bit >> 6] >> np.uint64(bit & 63) & np.uint64(1) != 0


@compiled
def _only_values(values, counts, order, begin, end):
    """int64, a part each: the value that all in it have, -1 where they have several."""
    only = np.full(len(begin), -1, np.int64)
    for part in range(len(begin)):
        for i in range(begin[part], end[part]):
            if counts[order[i]]:
                value = values[order[i]]
                if only[part] >= 0 and only[part] != value:
                    only[part] = -1
                    break
                only[part] = value
    return only


@compiled
def _other_in_parts(regions, by_size, only, value, bit, other_bit):
    """Whether somebody has another value in a part that can hold both of two values."""
    for part in by_size:
        if only[part] != value and _shows(regions, part, bit) and _shows(regions, part, other_bit):
            return True
    return False


@compiled
def _other_with_label(regions, rows, of_row, counts, values, value, bit):
    """Whether one of some rows has another value, and is in a part that can hold a value of another column."""
    for row in rows:  # noqa: SIM110 - as it is compiled
        if counts[row] and values[row] != value and _shows(regions, of_row[row], bit):
            return True
    return False


@compiled
def certain_by_regions(table, facts, parts):
    """Who has a certain value for one who knows a pair of facts and reads off all parts which values they can hold.

    The candidates are the records whose part's region has both values; of facts that are not coarsened, those with the
    same label. bool per row.
    """
    regions, order, by_size, counts = parts.regions, parts.order, parts.by_size, facts.counts
    certain = np.zeros(len(counts), np.bool_)
    only, of_condition = np.zeros(0, np.int64), -1
    for pair in range(len(facts.pairs)):
        q = facts.condition[pair]
        values, harms = facts.values[q], facts.harms[q]
        if q != of_condition:
            only, of_condition = _only_values(values, counts, order, parts.begin, parts.end), q
        a, b = facts.pairs[pair, 0], facts.pairs[pair, 1]
        if parts.column[a] < 0:
            a, b = b, a
        j, other_j = parts.column[a], parts.column[b]
        if j < 0:
            continue  # both are as they are: labels tell all there is to know
        for row in order:
            value = values[row]
            if certain[row] or not counts[row] or not harms[value]:
                continue
            bit = table.bit[j] + table.values[j, row]
            if other_j >= 0:
                if only[parts.of_row[row]] == value:
                    other_bit = table.bit[other_j] + table.values[other_j, row]
                    certain[row] = not _other_in_parts(regions, by_size, only, value, bit, other_bit)
            else:
                exact, label = -1 - other_j, facts.label[b, row]
                like = parts.rows[exact, parts.start[exact, label] : parts.start[exact, label + 1]]
                certain[row] = not _other_with_label(regions, like, parts.of_row, counts, values, value, bit)
    return certain
