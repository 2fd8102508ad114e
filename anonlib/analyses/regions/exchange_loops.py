"""The compiled loop of the exchange: move border areas, one at a time, keeping all totals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled, compiled_in_place

NOBODY = np.int32(-1)  # of the type of areas and regions, so that each function is compiled once
EMPTY = -1
LEAST_GAIN = -1e-12  # of a score: what is less is rounding


class RegionTable(NamedTuple):
    """Records of each class in each region: ``values`` at region * ``width`` + class where ``keys`` is empty, else at
    the slot that holds that number.

    Slots are found by linear probing; entries that fall to 0 stay until the table is built again. ``used`` holds how
    many slots are taken.
    """

    values: np.ndarray
    keys: np.ndarray
    used: np.ndarray
    width: int


class ExchangeProblem(NamedTuple):
    """What does not change. Rows of neighbours and of classes are as in a compressed sparse row matrix."""

    place: np.ndarray  # float64, 2 x areas
    neighbour_start: np.ndarray
    neighbours: np.ndarray
    class_start: np.ndarray
    classes: np.ndarray
    counts: np.ndarray
    records: np.ndarray  # int64, an area
    k: int
    always: int  # records that are left out whatever moves


class ExchangeState(NamedTuple):
    """What moves change. A region's areas are two lists linked both ways, each in the order of a coordinate."""

    region: np.ndarray  # int32, of an area
    first: np.ndarray  # int32, 2 x regions: areas
    after: np.ndarray  # int32, 2 x areas
    before: np.ndarray
    middle: np.ndarray  # int32, 2 x regions: areas, at half of each list, the lower where there are two
    areas: np.ndarray  # int32, of a region: how many
    records: np.ndarray  # int64, of a region
    spread: np.ndarray  # float64, distances to the median of a region
    table: RegionTable
    totals: np.ndarray  # float64: left out, compactness, discernibility, entropy, cut edges
    squares: np.ndarray  # int64: discernibility, exactly
    members: np.ndarray  # int32, areas + 1, scratch
    mark: np.ndarray  # int64, of an area, and the latest mark given
    marks: np.ndarray
    noise: np.ndarray  # uint64, the state of the random numbers


@compiled
def fill(problem, state, descending):
    """Everything that follows from ``state.region``, in a state without areas.

    ``descending`` is int32, 2 x areas: the areas in the order of each coordinate, so that each list grows at its head.
    """
    k = problem.k
    state.totals[0] = problem.always
    for i in range(len(state.region)):
        p, own = np.int32(i), state.region[i]
        for axis in range(2):
            q = descending[axis, i]
            _link(
                problem.place[axis], state.first[axis], state.after[axis], state.before[axis], q, state.region[q]
            )  # fmt: skip
        _add(problem, state, p, own, 1)
        state.totals[3] -= _bits(problem.records[p])
        for j in range(problem.neighbour_start[p], problem.neighbour_start[p + 1]):
            q = problem.neighbours[j]
            if q > p and state.region[q] != own:
                state.totals[4] += 1
    squares = np.int64(0)
    for value in state.table.values:
        count = np.int64(value)
        if count < k:
            state.totals[0] += count
        else:
            squares += count * count
    state.squares[0] = squares
    state.totals[2] = squares
    for i in range(len(state.spread)):
        a = np.int32(i)
        _find_middle(state, a)
        state.spread[a] = _spread(problem, state, a, NOBODY, NOBODY)
        state.totals[1] += state.spread[a]
        state.totals[3] += _bits(state.records[a])


@compiled
def sweep(problem, state, order, weights, temperature, caps):
    """Give each area of ``order`` in turn to the neighbouring region that lowers the weighted sum most, if any does.

    ``weights`` and ``caps`` are of the five totals: a move that raises one above its cap is refused. ``temperature``
    is the scale of the noise on the sum, 0 for none. Returns the number of moves.
    """
    moves = 0
    change = np.zeros(5)
    best_change = np.zeros(5)
    for p in order:
        own = state.region[p]
        near = problem.neighbours[problem.neighbour_start[p] : problem.neighbour_start[p + 1]]
        inside = 0
        for q in near:
            inside += state.region[q] == own
        if inside == len(near) or not _stays_connected(problem, state, p, near, inside):
            continue
        left_small, left_squares = _change(problem, state.table, p, own, -1)
        left_spread = _spread(problem, state, own, p, NOBODY)
        left_bits = _bits(state.records[own] - problem.records[p]) - _bits(state.records[own])
        best, to, to_spread, to_squares = LEAST_GAIN, NOBODY, 0.0, 0
        for i in range(len(near)):
            other = state.region[near[i]]
            links = 0
            met = other == own
            for j in range(len(near)):
                if state.region[near[j]] == other:
                    links += 1
                    met = met or j < i
            if met:
                continue
            small, squares = _change(problem, state.table, p, other, 1)
            spread = _spread(problem, state, other, NOBODY, p)
            change[0] = left_small + small
            change[1] = left_spread - state.spread[own] + spread - state.spread[other]
            change[2] = left_squares + squares
            change[3] = left_bits + _bits(state.records[other] + problem.records[p]) - _bits(state.records[other])
            change[4] = inside - links
            score = 0.0
            allowed = True
            for m in range(5):
                score += weights[m] * change[m]
                allowed = allowed and (change[m] <= 0 or state.totals[m] + change[m] <= caps[m])
            if temperature > 0:
                score += temperature * np.log(_uniform(state.noise))
            if allowed and score < best:
                best, to, to_spread, to_squares = score, other, spread, left_squares + squares
                for m in range(5):
                    best_change[m] = change[m]
        if to != NOBODY:
            state.spread[own] = left_spread
            state.spread[to] = to_spread
            state.squares[0] += to_squares
            for m in range(5):
                state.totals[m] += best_change[m]
            state.totals[2] = state.squares[0]
            _move(problem, state, p, own, to)
            moves += 1
    return moves


# ---- what a move changes ------------------------------------------------------------------------------------------


@compiled_in_place
def _change(problem, table, p, a, sign):
    """Change of the records left out and of the sum of squares of a region that the area joins (1) or leaves (-1)."""
    small, squares = 0, 0
    begin, end = problem.class_start[p], problem.class_start[p + 1]
    classes, counts = problem.classes[begin:end], problem.counts[begin:end]
    if len(table.keys):
        for j in range(len(classes)):
            had = table.values[_slot(table.keys, a * np.int64(table.width) + classes[j])]
            of_class = _change_of_class(np.int64(had), sign * np.int64(counts[j]), problem.k)
            small += of_class[0]
            squares += of_class[1]
    else:
        row = table.values[a * np.int64(table.width) : (a + 1) * np.int64(table.width)]
        for j in range(len(classes)):
            had = row[np.uint32(classes[j])]  # unsigned, it is not asked whether it counts from the end
            of_class = _change_of_class(np.int64(had), sign * np.int64(counts[j]), problem.k)
            small += of_class[0]
            squares += of_class[1]
    return small, squares


@compiled_in_place
def _change_of_class(had, more, k):
    has = had + more
    small = (has if has < k else 0) - (had if had < k else 0)
    return small, (0 if has < k else has * has) - (0 if had < k else had * had)


@compiled_in_place
def _bits(n):
    """A region's or an area's part of the entropy."""
    return n * np.log2(n) if n > 0 else 0.0


@compiled_in_place
def _spread(problem, state, a, without, joined):
    """Sum of the distances of a region's areas to their coordinate-wise median, without one area or with one more."""
    along, after = problem.place[0], state.after[0]
    x = _median(along, state.middle[0, a], state.before[0], after, state.areas[a], without, joined)
    y = _median(
        problem.place[1], state.middle[1, a], state.before[1], state.after[1], state.areas[a], without, joined
    )  # fmt: skip
    total = 0.0
    p = state.first[0, a]
    while p != NOBODY:
        if joined != NOBODY and along[joined] <= along[p]:  # in its place: a sum depends on the order
            total += np.sqrt((along[joined] - x) ** 2 + (problem.place[1, joined] - y) ** 2)
            joined = NOBODY
        if p != without:
            total += np.sqrt((along[p] - x) ** 2 + (problem.place[1, p] - y) ** 2)
        p = after[p]
    if joined != NOBODY:
        total += np.sqrt((along[joined] - x) ** 2 + (problem.place[1, joined] - y) ** 2)
    return total


@compiled_in_place
def _median(along, middle, before, after, n, without, joined):
    """The median of a coordinate of ``n`` areas, without one of them or with one more.

    ``middle`` is half way along their list, the lower of two. Nobody asks which of equal areas it is that goes.
    """
    at = along[middle]
    previous, following = before[middle], after[middle]
    if without != NOBODY:
        value = along[without]
        if n % 2 == 0:
            return along[following] if value <= at else at
        if value < at:
            return (at + along[following]) / 2
        return (along[previous] + (at if value > at else along[following])) / 2
    if joined != NOBODY:
        value = along[joined]
        if n % 2 == 0:
            return min(max(value, at), along[following])
        if value < at:
            return ((value if previous == NOBODY else max(value, along[previous])) + at) / 2
        return (at + (value if following == NOBODY else min(value, along[following]))) / 2
    return at if n % 2 else (at + along[following]) / 2


@compiled_in_place
def _stays_connected(problem, state, p, near, inside):
    """Whether the area's neighbours in its own region are still connected within it once the area has left."""
    own = state.region[p]
    if inside == 0:
        return False  # the region is this area alone
    state.marks[0] += 2
    reached, sought = state.marks[0], state.marks[0] - 1  # larger than any mark from before
    start = NOBODY
    for q in near:
        if state.region[q] == own:
            state.mark[q] = sought
            start = q
    state.mark[p] = reached
    state.mark[start] = reached
    state.members[0] = start
    n_reached, done, end = 1, 0, 1
    while n_reached < inside and done < end:
        a = state.members[done]
        done += 1
        for q in problem.neighbours[problem.neighbour_start[a] : problem.neighbour_start[a + 1]]:
            if state.region[q] == own and state.mark[q] != reached:
                n_reached += state.mark[q] == sought
                state.mark[q] = reached
                state.members[end] = q
                end += 1
    return n_reached == inside


# ---- records of each class in each region ---------------------------------------------------------------------------


@compiled_in_place
def _slot(keys, key):
    """Where the key is, or the free slot where it would be."""
    last = len(keys) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    i = np.int64(mixed >> np.uint64(32)) & last
    while keys[i] != key and keys[i] != EMPTY:
        i = (i + 1) & last
    return i


@compiled
def _rehash(table):
    keys, values = table.keys.copy(), table.values.copy()
    table.used[0] = 0
    for i in range(len(keys)):
        table.keys[i] = EMPTY
        table.values[i] = 0
    for i in range(len(keys)):
        if values[i] != 0:
            j = _slot(table.keys, keys[i])
            table.keys[j] = keys[i]
            table.values[j] = values[i]
            table.used[0] += 1


@compiled
def _add_counts(table, region, classes, counts, begin, end, sign):
    """Add the counts from ``begin`` to ``end``, an area's of its classes, to a region, or take them away (-1)."""
    hashed = len(table.keys) > 0
    if hashed and 4 * (table.used[0] + end - begin) > 3 * len(table.keys):
        _rehash(table)
    row = region * np.int64(table.width)
    for j in range(begin, end):
        at = row + classes[j]
        if hashed:
            key = at
            at = _slot(table.keys, key)
            if table.keys[at] == EMPTY:
                table.keys[at] = key
                table.used[0] += 1
        table.values[at] += sign * counts[j]


# ---- making it ----------------------------------------------------------------------------------------------------


@compiled_in_place
def _link(place, first, after, before, p, a):
    """Enter an area in a region's list, in the order of a coordinate."""
    previous, following = NOBODY, first[a]
    while following != NOBODY and place[following] < place[p]:
        previous, following = following, after[following]
    before[p], after[p] = previous, following
    if previous == NOBODY:
        first[a] = p
    else:
        after[previous] = p
    if following != NOBODY:
        before[following] = p


@compiled_in_place
def _unlink(first, after, before, p, a):
    previous, following = before[p], after[p]
    if previous == NOBODY:
        first[a] = following
    else:
        after[previous] = following
    if following != NOBODY:
        before[following] = previous


@compiled
def _add(problem, state, p, a, sign):
    _add_counts(
        state.table, a, problem.classes, problem.counts, problem.class_start[p], problem.class_start[p + 1], sign
    )  # fmt: skip
    state.records[a] += sign * problem.records[p]
    state.areas[a] += sign


@compiled_in_place
def _find_middle(state, a):
    """Where half of a region's areas are before it, in each order."""
    for axis in range(2):
        p = state.first[axis, a]
        for _ in range((state.areas[a] - 1) // 2):
            p = state.after[axis, p]
        state.middle[axis, a] = p


@compiled
def _move(problem, state, p, own, to):
    _add(problem, state, p, own, -1)
    _add(problem, state, p, to, 1)
    for axis in range(2):
        _unlink(state.first[axis], state.after[axis], state.before[axis], p, own)
        _link(problem.place[axis], state.first[axis], state.after[axis], state.before[axis], p, to)
    _find_middle(state, own)
    _find_middle(state, to)
    state.region[p] = to


@compiled_in_place
def _uniform(noise):
    """A number between 0 and 1, both excluded (SplitMix64; Steele, Lea and Flood 2014)."""
    noise[0] += np.uint64(0x9E3779B97F4A7C15)
    z = noise[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (np.float64(z >> np.uint64(11)) + 0.5) * 2.0**-53
