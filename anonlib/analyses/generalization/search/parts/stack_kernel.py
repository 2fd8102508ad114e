"""The compiled loops of part by part that take a part from those that wait, and put back what it is split into."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled, compiled_in_place


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
def put_split(table, order, lo, hi, levels, j, level, n_children, room, made, stack, top):
    """Split a part at ``levels`` by column j, and put what it is split into from place ``top`` on; the place after."""
    ends = stack.ends
    n_runs = part_rows(table, order, lo, hi, j, level, n_children, room, ends)
    if made.regions.shape[1]:
        part_regions(table, j, level, lo, hi, ends, n_children, room, made.regions)
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
