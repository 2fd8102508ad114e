"""The compiled loops that split a part of a table until no part can be split.

A part is a run of ``order``, the places of rows, with a level for each column. A split puts some of the rows that share
a finer label into parts of their own; the others stay together at the label above. First the stack of parts that wait,
and how a part is put back as what it is split into; then the children of a part by a column, who of them stands alone,
and the best split; last the cheapest way to put a few rows into parts, of which every one is weighed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled, compiled_in_place

# ---- parts that wait ----


class PartStack(NamedTuple):
    """Parts that wait, the last first: where each begins and ends in the order (``runs``, int64, parts x 2), and its
    ``levels`` (int16, parts x columns); ``ends`` is room for the ends of those that one is split into."""

    runs: np.ndarray
    levels: np.ndarray
    ends: np.ndarray


@compiled_in_place
def part_rows(table, order, lo, hi, j, level, n_children, room, ends):
    """Put the rows of each child that stands alone side by side, the rest last; the ends of these runs to ``ends``."""
    base = table.at[j] + level * table.n[j]
    for child in range(n_children):
        room.place[room.best_children[child]] = child
        room.size[room.best_children[child]] = 0
    for i in range(lo, hi):
        room.size[table.label[base + table.values[j, order[i]]]] += 1
    n_runs, at = 0, lo
    for child in range(n_children):
        label = room.best_children[child]
        if room.best_alone[child]:
            room.row[label] = at
            at += room.size[label]
            ends[n_runs] = at
            n_runs += 1
        room.size[label] = 0
    for i in range(lo, hi):
        row = order[i]
        label = table.label[base + table.values[j, row]]
        if room.best_alone[room.place[label]]:
            room.buffer[room.row[label]] = row
            room.row[label] += 1
        else:
            room.buffer[at] = row
            at += 1
    for i in range(lo, hi):
        order[i] = room.buffer[i]
    return n_runs


@compiled_in_place
def _begin_region(table, j, lo, begin, regions):
    """Give the run that begins there the region of the part at ``lo``, but for the values of column j."""
    if begin == lo:
        return
    for word in range(regions.shape[1]):
        regions[begin, word] = regions[lo, word]
    for bit in range(table.bit[j], table.bit[j] + table.n[j]):
        regions[begin, bit >> 6] &= ~(np.uint64(1) << np.uint64(bit & 63))


@compiled_in_place
def part_regions(table, j, level, lo, hi, ends, n_children, room, regions):
    """Give each run of :func:`part_rows` its region: the values of its label, and to the rest those of all others."""
    base, begin, run = table.at[j] + level * table.n[j], lo, 0
    for child in range(n_children):
        if room.best_alone[child]:
            room.row[room.best_children[child]] = begin
            _begin_region(table, j, lo, begin, regions)
            begin = ends[run]
            run += 1
    if begin < hi:
        _begin_region(table, j, lo, begin, regions)
    for v in range(table.n[j]):
        bit = table.bit[j] + v
        one = np.uint64(1) << np.uint64(bit & 63)
        if not regions[lo, bit >> 6] & one:
            continue
        label = table.label[base + v]
        child = room.place[label]
        is_alone = child < n_children and room.best_children[child] == label and room.best_alone[child]
        to = room.row[label] if is_alone else begin
        if to != lo:
            regions[lo, bit >> 6] &= ~one
            if to < hi:
                regions[to, bit >> 6] |= one


@compiled
def stack_of(first, last, start, room):
    """A stack with one part, ``order[first:last]`` at levels ``start``."""
    runs = np.empty((last - first + 1, 2), np.int64)
    levels = np.empty((last - first + 1, len(start)), np.int16)
    runs[0, 0], runs[0, 1], levels[0] = first, last, start
    return PartStack(runs, levels, np.empty(len(room.size), np.int64))


@compiled_in_place
def take(table, order, stack, top, levels):
    """Where the part at place ``top`` begins and ends, and its records; its levels to ``levels``."""
    lo, hi = stack.runs[top, 0], stack.runs[top, 1]
    for j in range(len(levels)):
        levels[j] = stack.levels[top, j]
    n = 0
    for i in range(lo, hi):
        n += table.counts[order[i]]
    return lo, hi, n


@compiled_in_place
def _put(stack, top, lo, hi, levels):
    """Put the part ``order[lo:hi]`` at ``levels`` to place ``top``."""
    stack.runs[top, 0], stack.runs[top, 1] = lo, hi
    for j in range(len(levels)):
        stack.levels[top, j] = levels[j]


@compiled_in_place
def put_split(table, order, lo, hi, levels, j, level, n_children, room, split_parts, stack, top):
    """Split a part at ``levels`` by column j, and put what it is split into from place ``top`` on; the place after."""
    ends = stack.ends
    n_runs = part_rows(table, order, lo, hi, j, level, n_children, room, ends)
    if split_parts.regions.shape[1]:
        part_regions(table, j, level, lo, hi, ends, n_children, room, split_parts.regions)
    begin = lo
    for run in range(n_runs):
        _put(stack, top, begin, ends[run], levels)
        stack.levels[top, j] = level
        begin = ends[run]
        top += 1
    if begin < hi:
        _put(stack, top, begin, hi, levels)
        top += 1
    return top


# ---- the best split of a part ----

NOT_CERTAIN, DISTINCT, ENTROPY, EQUAL, ORDERED = range(5)
_SLACK = 1e-12  # figures that are equal but for the rounding of floats are equal


class LabelTable(NamedTuple):
    """Rows and what their values become; the entry of value v of column j on a level: ``at[j] + level * n[j] + v``.

    ``values`` (int32, columns x rows) are codes; ``label`` (int32) and ``loss`` (float) are looked up as above: the
    label's number and what one record's cell loses; ``counts`` (int64) are the records of each row; ``bit`` (int64, a
    column each) is the first of its values' bits in a region.
    """

    values: np.ndarray
    label: np.ndarray
    loss: np.ndarray
    at: np.ndarray
    n: np.ndarray
    counts: np.ndarray
    bit: np.ndarray


class SplitParts(NamedTuple):
    """What splitting has made: ``levels`` (int16, rows x columns) of each row; by place in the order of rows, whether a
    part ``begins`` (bool) and, where one does, its region: a bit for each value of each column that somebody in it may
    have, for who can read off which values were parted off (uint64, places x words; no words: nobody asks)."""

    levels: np.ndarray
    begins: np.ndarray
    regions: np.ndarray


class PartLimits(NamedTuple):
    """What must hold of each part: at least ``k`` records, and conditions on sensitive columns.

    Condition q is of the sensitive column ``column[q]``, of ``kind[q]`` (``NOT_CERTAIN`` ...) with ``limit[q]``.
    ``sensitive`` (int32, sensitive columns x rows) are codes below ``span``; value v of column s has its entry at
    ``start[s] + v`` of ``harms`` (bool: to be sure of it harms) of ``harms_at[q]`` and of ``overall`` (its share).
    Persons may have further values in a column: row i those of ``more`` (int32; nothing where nobody has two) from
    ``more_from[s, i]`` to ``more_to[s, i]``.
    """

    k: int
    column: np.ndarray
    kind: np.ndarray
    limit: np.ndarray
    sensitive: np.ndarray
    span: np.ndarray
    start: np.ndarray
    harms: np.ndarray
    harms_at: np.ndarray
    overall: np.ndarray
    more_from: np.ndarray
    more_to: np.ndarray
    more: np.ndarray


class SplitScratch(NamedTuple):
    """Arrays to count in: by label its ``size``, first row and place among the children; by child the next four, each
    with its place; by value its ``records`` and its ``first`` row, of the values ``having`` any."""

    size: np.ndarray
    row: np.ndarray
    place: np.ndarray
    children: np.ndarray
    alone: np.ndarray
    best_children: np.ndarray
    best_alone: np.ndarray
    having: np.ndarray
    records: np.ndarray
    first: np.ndarray
    held: np.ndarray
    buffer: np.ndarray


class SplitRule(NamedTuple):
    """How splits are compared: by what they save for the entropy they cost, or the column that is widest first; times a
    number at random, at most ``noise`` from 1. Where it does not jump only the next level that parts is looked at."""

    widest: bool
    jumps: bool
    noise: float


@compiled_in_place
def drawn(state):
    """A number in [0, 1) from a state of one uint64 (xorshift, Marsaglia 2003)."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return float(x >> np.uint64(11)) / 9007199254740992.0


@compiled_in_place
def lacks(held, at, size, limits, q):
    """Whether records of which so many hold each value, from ``at`` on, lack what condition q asks."""
    s, kind, limit = limits.column[q], limits.kind[q], limits.limit[q]
    span, start = limits.span[s], limits.start[s]
    if kind == NOT_CERTAIN:
        for v in range(span):
            having = held[at + v]
            if having > 0 and limits.harms[limits.harms_at[q] + v] and (size - having) / size <= limit:
                return True
        return False
    if kind == DISTINCT:
        distinct = 0
        for v in range(span):
            distinct += held[at + v] > 0
        return distinct < limit - _SLACK * limit
    if kind == ENTROPY:
        entropy = 0.0
        for v in range(span):
            if held[at + v] > 0:
                share = held[at + v] / size
                entropy -= share * np.log(share)
        return np.exp(entropy) < limit - _SLACK * limit
    distance, gap, steps = 0.0, 0.0, -1
    for v in range(span):
        overall = limits.overall[start + v]
        gap = held[at + v] / size - overall + (gap if kind == ORDERED else 0.0)
        distance += abs(gap)
        steps += overall > 0  # values that do not occur are no step between others
    distance /= max(1, steps) if kind == ORDERED else 2
    return distance > limit + _SLACK


@compiled_in_place
def hold(held, at, limits, s, row, number):
    """Add so many records of a row to those who hold its values of sensitive column s, counted from ``at`` on."""
    held[at + limits.sensitive[s, row]] += number
    if len(limits.more) > 0:
        for i in range(limits.more_from[s, row], limits.more_to[s, row]):
            held[at + limits.more[i]] += number


@compiled_in_place
def cannot_stand(limits, counts, order, lo, hi, held):
    """Whether the rows ``order[lo:hi]`` cannot be a part; ``held`` (int64) is room for the values of a column."""
    size = 0
    for i in range(lo, hi):
        size += counts[order[i]]
    if size < limits.k:
        return True
    for q in range(len(limits.column)):
        s = limits.column[q]
        held[: limits.span[s]] = 0
        for i in range(lo, hi):
            hold(held, 0, limits, s, order[i], counts[order[i]])
        if lacks(held, 0, size, limits, q):
            return True
    return False


@compiled_in_place
def count_children(table, order, lo, hi, j, level, room):
    """How many labels a part has in column j on a level; counted in ``room``."""
    base = table.at[j] + level * table.n[j]
    n_children = 0
    for i in range(lo, hi):
        row = order[i]
        label = table.label[base + table.values[j, row]]
        if room.size[label] == 0:
            room.children[n_children], room.row[label], room.place[label] = label, row, n_children
            n_children += 1
        room.size[label] += table.counts[row]
    return n_children


@compiled_in_place
def _lack_alone(table, limits, order, lo, hi, base, j, n_children, room):
    """Take ``alone`` from children that lack what is asked of a sensitive column; whether there was room to look."""
    for q in range(len(limits.column)):
        s = limits.column[q]
        span = limits.span[s]
        if n_children * span > len(room.held):
            return False
        room.held[: n_children * span] = 0
        for i in range(lo, hi):
            row = order[i]
            child = room.place[table.label[base + table.values[j, row]]]
            if room.alone[child]:
                hold(room.held, child * span, limits, s, row, table.counts[row])
        for child in range(n_children):
            size = room.size[room.children[child]]
            if room.alone[child] and lacks(room.held, child * span, size, limits, q):
                room.alone[child] = False
    return True


@compiled_in_place
def rest_lacks(table, limits, order, lo, hi, base, j, rest, room):
    """Whether the children that do not stand alone lack, together, what is asked of a part."""
    if rest < limits.k:
        return True
    for q in range(len(limits.column)):
        s = limits.column[q]
        room.held[: limits.span[s]] = 0
        for i in range(lo, hi):
            row = order[i]
            if not room.alone[room.place[table.label[base + table.values[j, row]]]]:
                hold(room.held, 0, limits, s, row, table.counts[row])
        if lacks(room.held, 0, rest, limits, q):
            return True
    return False


@compiled_in_place
def choose_alone(table, limits, order, lo, hi, j, level, n_children, room):
    """How many children stand alone (marked in ``alone``) so that the rest does too: the smallest join it until so."""
    base = table.at[j] + level * table.n[j]
    n_alone = 0
    for child in range(n_children):
        room.alone[child] = room.size[room.children[child]] >= limits.k
        n_alone += room.alone[child]
    if n_alone == 0 or not _lack_alone(table, limits, order, lo, hi, base, j, n_children, room):
        return 0
    n_alone = 0
    rest = 0
    for child in range(n_children):
        n_alone += room.alone[child]
        rest += 0 if room.alone[child] else room.size[room.children[child]]
    while n_alone and rest and rest_lacks(table, limits, order, lo, hi, base, j, rest, room):
        least = -1
        for child in range(n_children):
            size = room.size[room.children[child]]
            if room.alone[child] and (least < 0 or size < room.size[room.children[least]]):
                least = child
        room.alone[least] = False
        n_alone -= 1
        rest += room.size[room.children[least]]
    return n_alone


@compiled_in_place
def score_of(table, rule, n, j, level, lost, n_children, room, state):
    """How good a split is: what it saves a record, for the entropy of its parts."""
    base = table.at[j] + level * table.n[j]
    saved, entropy, rest = 0.0, 0.0, n
    for child in range(n_children):
        if room.alone[child]:
            label = room.children[child]
            size = room.size[label]
            saved += size * (lost - table.loss[base + table.values[j, room.row[label]]])
            entropy -= size / n * np.log(size / n)
            rest -= size
    if rest > 0:
        entropy -= rest / n * np.log(rest / n)
    if saved <= 0.0:
        return -1.0
    score = saved / n / (entropy + 0.001)
    if rule.widest:
        score += 1000.0 * lost
    return score * (1.0 + rule.noise * (2.0 * drawn(state) - 1.0)) if rule.noise > 0.0 else score


@compiled_in_place
def keep_children(room, n_children):
    """Keep the children and which of them stand alone, as the best so far."""
    for child in range(n_children):
        room.best_children[child], room.best_alone[child] = room.children[child], room.alone[child]


@compiled_in_place
def lowest_shared(table, order, lo, hi, j, top):
    """The lowest level of column j, at most ``top``, on which all of a part have one label."""
    value = table.values[j, order[lo]]
    for level in range(top - 1, -1, -1):
        base = table.at[j] + level * table.n[j]
        for i in range(lo + 1, hi):
            if table.label[base + table.values[j, order[i]]] != table.label[base + value]:
                return level + 1
    return 0


@compiled_in_place
def _count_values(table, order, lo, hi, j, room):
    """How many values a part has in column j; counted in ``room``."""
    n_values = 0
    for i in range(lo, hi):
        row = order[i]
        value = table.values[j, row]
        if room.records[value] == 0:
            room.having[n_values], room.first[value] = value, row
            n_values += 1
        room.records[value] += table.counts[row]
    return n_values


@compiled_in_place
def _join_values(table, j, level, n_values, room):
    """As :func:`count_children`, of a part whose values are counted, and how many records the largest child has."""
    base = table.at[j] + level * table.n[j]
    n_children, largest = 0, 0
    for place in range(n_values):
        value = room.having[place]
        label = table.label[base + value]
        if room.size[label] == 0:
            room.children[n_children], room.row[label], room.place[label] = label, room.first[value], n_children
            n_children += 1
        room.size[label] += room.records[value]
        largest = max(largest, room.size[label])
    return n_children, largest


@compiled_in_place
def best_split(table, limits, rule, order, lo, hi, n, levels, closed, room, state):
    """The best split of a part: column, level and number of children (in ``best_children``); column -1: there is none.

    A finer label that all of it share parts nothing, and is taken at once. Splits that are ``closed`` (bool, columns x
    levels; of no column: none is) are passed over.
    """
    best, best_j, best_level, best_n = 0.0, -1, 0, 0
    for j in range(len(levels)):
        if n < 2 * limits.k:  # no two parts of it stand
            levels[j] = lowest_shared(table, order, lo, hi, j, levels[j])
            continue
        lost = table.loss[table.at[j] + levels[j] * table.n[j] + table.values[j, order[lo]]]
        n_values = _count_values(table, order, lo, hi, j, room) if levels[j] else 0
        for level in range(levels[j] - 1, -1, -1):
            n_children, largest = _join_values(table, j, level, n_values, room)
            if n_children == 1:
                room.size[room.children[0]] = 0
                levels[j] = level
                lost = table.loss[table.at[j] + level * table.n[j] + table.values[j, order[lo]]]
                continue
            score = -1.0
            is_open = len(closed) == 0 or not closed[j, level]
            if (
                is_open
                and largest >= limits.k
                and choose_alone(table, limits, order, lo, hi, j, level, n_children, room) > 0
            ):
                score = score_of(table, rule, n, j, level, lost, n_children, room, state)
            if score > best:
                best, best_j, best_level, best_n = score, j, level, n_children
                keep_children(room, n_children)
            for child in range(n_children):
                room.size[room.children[child]] = 0
            if largest < limits.k or (is_open and not rule.jumps):  # a lower level has no larger child
                break
        for place in range(n_values):
            room.records[room.having[place]] = 0
    return best_j, best_level, best_n


@compiled_in_place
def finish(table, order, lo, hi, levels, split_parts):
    """Write the levels of a finished part, and take from its region what its labels exclude; what its cells lose."""
    lost, n = 0.0, 0
    for i in range(lo, hi):
        for j in range(len(levels)):
            split_parts.levels[order[i], j] = levels[j]
        n += table.counts[order[i]]
    split_parts.begins[lo] = True
    for j in range(len(levels)):
        base = table.at[j] + levels[j] * table.n[j]
        lost += n * table.loss[base + table.values[j, order[lo]]]
        if not split_parts.regions.shape[1]:
            continue
        label = table.label[base + table.values[j, order[lo]]]
        for v in range(table.n[j]):
            if table.label[base + v] != label:
                bit = table.bit[j] + v
                split_parts.regions[lo, bit >> 6] &= ~(np.uint64(1) << np.uint64(bit & 63))
    return lost


@compiled
def split(table, limits, rule, order, first, last, start, few, state, room, split_parts, waiting):
    """Split ``order[first:last]``, a part at levels ``start``, until no part can be; write what is made of it.

    Its region is where it begins in ``split_parts``. Parts of at most ``few`` records are not split but written to
    ``waiting`` (int64: from, to, levels), for a search of their own.

    Returns
    -------
    tuple of (float, int)
        What the cells of finished parts lose, and the number of parts that wait.
    """
    stack = stack_of(first, last, start, room)
    levels, nothing_closed = np.empty(len(start), np.int16), np.zeros((0, 0), np.bool_)
    lost, n_waiting, top = 0.0, 0, 1
    while top:
        top -= 1
        lo, hi, n = take(table, order, stack, top, levels)
        if n <= few and n >= 2 * limits.k:
            waiting[n_waiting, 0], waiting[n_waiting, 1] = lo, hi
            waiting[n_waiting, 2:] = levels
            n_waiting += 1
            continue
        j, level, n_children = best_split(table, limits, rule, order, lo, hi, n, levels, nothing_closed, room, state)
        if j < 0:
            lost += finish(table, order, lo, hi, levels, split_parts)
            continue
        top = put_split(table, order, lo, hi, levels, j, level, n_children, room, split_parts, stack, top)
    return lost, n_waiting


# ---- a few rows ----


@compiled
def _stands_alone(limits, counts, rows, members, held):
    """Whether the rows of a set (a bit each) can be a part."""
    size = 0
    for i in range(len(rows)):
        if members >> i & 1:
            size += counts[rows[i]]
    if size < limits.k:
        return False
    for q in range(len(limits.column)):
        s = limits.column[q]
        held[: limits.span[s]] = 0
        for i in range(len(rows)):
            if members >> i & 1:
                held[limits.sensitive[s, rows[i]]] += counts[rows[i]]
        if lacks(held, 0, size, limits, q):
            return False
    return True


@compiled
def _cost_of(label, lost, lost_blank, counts, rows, members):
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
def cheapest_parts(label, lost, lost_blank, counts, limits, rows, held):
    """The part that each of a few rows is in (intp), where the parts lose least together; all of them in one do.

    ``label`` (intp, columns x all rows) are the labels, ``lost`` and ``lost_blank`` what one record's cell loses with
    it and blank.
    """
    n_sets = 1 << len(rows)
    cost = np.full(n_sets, np.inf)
    for members in range(1, n_sets):
        if _stands_alone(limits, counts, rows, members, held):
            cost[members] = _cost_of(label, lost, lost_blank, counts, rows, members)
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
