"""The compiled loop of the exchange: move border areas, one at a time, keeping all totals.

All compiled code, and the layout of what it reads, is in this one file: the machine code that is kept for the next
start is made anew when the file of the function changes, and not when another file does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

NOBODY = np.int32(-1)  # of the type of areas and regions, so that each function is compiled once
EMPTY = -1
LEAST_GAIN = -1e-12  # of a score: what is less is rounding


def compiled(function: Callable) -> Any:
    """Machine code, kept for the next start where the folder of the module or of the user can be written."""
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba has no folder to keep it in
        return njit(nogil=True)(function)


class Table(NamedTuple):
    """Records of each class in each region: ``values`` at region * ``width`` + class where ``keys`` is empty, else at
    the slot that holds that number.

    Slots are found by linear probing; entries that fall to 0 stay until the table is built anew. ``used`` holds how
    many slots are taken.
    """

    values: np.ndarray
    keys: np.ndarray
    used: np.ndarray
    width: int


class Problem(NamedTuple):
    """What does not change. Rows of neighbours and of classes are as in a compressed sparse row matrix."""

    x: np.ndarray  # float64, an area
    y: np.ndarray
    neighbour_start: np.ndarray
    neighbours: np.ndarray
    class_start: np.ndarray
    classes: np.ndarray
    counts: np.ndarray
    records: np.ndarray  # int64, an area
    k: int


class State(NamedTuple):
    """What moves change. The areas of a region are a list that is linked both ways."""

    region: np.ndarray  # int32, of an area
    first: np.ndarray  # int32, area of a region
    after: np.ndarray  # int32, of an area
    before: np.ndarray
    size: np.ndarray  # int64, areas of a region
    records: np.ndarray  # int64, of a region
    spread: np.ndarray  # float64, distances to the median of a region
    table: Table
    totals: np.ndarray  # float64: suppressed, compactness, discernibility, entropy, cut edges
    squares: np.ndarray  # int64: discernibility, exactly
    xs: np.ndarray  # scratch, areas + 1
    ys: np.ndarray
    sorting: np.ndarray
    queue: np.ndarray
    mark: np.ndarray
    marks: np.ndarray
    noise: np.ndarray  # uint64, the state of the random numbers


@compiled
def fill(problem, state):
    """Everything that follows from ``state.region``, in a state without areas."""
    k = problem.k
    for i in range(len(state.region)):
        p, own = np.int32(i), state.region[i]
        _link(state, p, own)
        _add(problem, state, p, own, 1)
        state.totals[3] -= _bits(problem.records[p])
        for j in range(problem.neighbour_start[p], problem.neighbour_start[p + 1]):
            q = problem.neighbours[j]
            if q > p and state.region[q] != own:
                state.totals[4] += 1
    squares = 0
    for value in state.table.values:
        count = np.int64(value)
        if count < k:
            state.totals[0] += count
        else:
            squares += count * count
    state.squares[0] = squares
    state.totals[2] = squares
    for i in range(len(state.first)):
        a = np.int32(i)
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
        if state.size[own] == 1:
            continue
        near = problem.neighbours[problem.neighbour_start[p] : problem.neighbour_start[p + 1]]
        inside = 0
        for q in near:
            inside += state.region[q] == own
        if inside == len(near):
            continue
        left_small, left_squares = _leave(problem, state.table, p, own)
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
            small, squares = _join(problem, state.table, p, other)
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
        if to != NOBODY and _stays_connected(problem, state, p, near, inside):
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


@compiled
def _leave(problem, table, p, own):
    """Change of suppressed records and of the sum of squares of the region that the area leaves."""
    k, small, squares = problem.k, 0, 0
    row = own * np.int64(table.width)
    hashed = len(table.keys) > 0
    for j in range(problem.class_start[p], problem.class_start[p + 1]):
        at = row + problem.classes[j]
        if hashed:
            at = _slot(table.keys, at)
        had, moved = np.int64(table.values[at]), np.int64(problem.counts[j])
        if had < k:
            small -= moved
        elif had - moved < k:
            small += had - moved
            squares -= had * had
        else:
            squares -= moved * (2 * had - moved)
    return small, squares


@compiled
def _join(problem, table, p, other):
    """The same of the region that the area joins."""
    k, small, squares = problem.k, 0, 0
    row = other * np.int64(table.width)
    hashed = len(table.keys) > 0
    for j in range(problem.class_start[p], problem.class_start[p + 1]):
        at = row + problem.classes[j]
        if hashed:
            at = _slot(table.keys, at)
        had, moved = np.int64(table.values[at]), np.int64(problem.counts[j])
        if had >= k:
            squares += moved * (2 * had + moved)
        elif had + moved < k:
            small += moved
        else:
            small -= had
            squares += (had + moved) * (had + moved)
    return small, squares


@compiled
def _bits(n):
    """A region's or an area's part of the entropy."""
    return n * np.log2(n) if n > 0 else 0.0


@compiled
def _spread(problem, state, a, without, joined):
    """Sum of the distances of a region's areas to their coordinate-wise median, without one area or with one more."""
    xs, ys = state.xs, state.ys
    n = 0
    p = state.first[a]
    while p != NOBODY:
        if p != without:
            xs[n], ys[n] = problem.x[p], problem.y[p]
            n += 1
        p = state.after[p]
    if joined != NOBODY:
        xs[n], ys[n] = problem.x[joined], problem.y[joined]
        n += 1
    x, y = _median(xs, n, state.sorting), _median(ys, n, state.sorting)
    total = 0.0
    for i in range(n):
        total += np.sqrt((xs[i] - x) ** 2 + (ys[i] - y) ** 2)
    return total


@compiled
def _median(values, n, sorting):
    """Median of the first n values; ``sorting`` is scratch."""
    for i in range(n):
        sorting[i] = values[i]
    middle = n // 2
    low, high = 0, n - 1
    while high - low > 12:  # quickselect, by the median of three
        centre = (low + high) // 2
        a, b, c = sorting[low], sorting[centre], sorting[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while sorting[i] < pivot:
                i += 1
            while sorting[j] > pivot:
                j -= 1
            if i <= j:
                sorting[i], sorting[j] = sorting[j], sorting[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            low = high = middle
    for i in range(low + 1, high + 1):  # insertion
        value, j = sorting[i], i
        while j > low and sorting[j - 1] > value:
            sorting[j] = sorting[j - 1]
            j -= 1
        sorting[j] = value
    if n % 2:
        return sorting[middle]
    below = sorting[0]
    for i in range(1, middle):
        below = max(below, sorting[i])
    return (below + sorting[middle]) / 2


@compiled
def _stays_connected(problem, state, p, near, inside):
    """Whether the area's neighbours in its own region are still connected within it once the area has left."""
    own = state.region[p]
    if inside == 0:
        return False  # the area is all there is of its piece
    state.marks[0] += 2
    reached, sought = state.marks[0], state.marks[0] - 1  # larger than any mark from before
    start = NOBODY
    for q in near:
        if state.region[q] == own:
            state.mark[q] = sought
            start = q
    state.mark[p] = reached
    state.mark[start] = reached
    state.queue[0] = start
    found, done, end = 1, 0, 1
    while found < inside and done < end:
        a = state.queue[done]
        done += 1
        for q in problem.neighbours[problem.neighbour_start[a] : problem.neighbour_start[a + 1]]:
            if state.region[q] == own and state.mark[q] != reached:
                found += state.mark[q] == sought
                state.mark[q] = reached
                state.queue[end] = q
                end += 1
    return found == inside


# ---- records of each class in each region ---------------------------------------------------------------------------


@compiled
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


@compiled
def _link(state, p, a):
    head = state.first[a]
    state.before[p], state.after[p] = NOBODY, head
    if head != NOBODY:
        state.before[head] = p
    state.first[a] = p
    state.size[a] += 1


@compiled
def _add(problem, state, p, a, sign):
    _add_counts(
        state.table, a, problem.classes, problem.counts, problem.class_start[p], problem.class_start[p + 1], sign
    )  # fmt: skip
    state.records[a] += sign * problem.records[p]


@compiled
def _move(problem, state, p, own, to):
    _add(problem, state, p, own, -1)
    _add(problem, state, p, to, 1)
    previous, following = state.before[p], state.after[p]
    if previous == NOBODY:
        state.first[own] = following
    else:
        state.after[previous] = following
    if following != NOBODY:
        state.before[following] = previous
    state.size[own] -= 1
    _link(state, p, to)
    state.region[p] = to


@compiled
def _uniform(noise):
    """A number between 0 and 1, both excluded (SplitMix64; Steele, Lea and Flood 2014)."""
    noise[0] += np.uint64(0x9E3779B97F4A7C15)
    z = noise[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (np.float64(z >> np.uint64(11)) + 0.5) * 2.0**-53
