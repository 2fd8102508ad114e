"""The compiled loops of part by part that take a part from those that wait, and put back what it is split into."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled


class Stack(NamedTuple):
    """Parts that wait, the last first: where each begins and ends in the order (``runs``, int64, parts x 2), and its
    ``levels`` (int16, parts x columns); ``ends`` is room for the ends of those that one is split into."""

    runs: np.ndarray
    levels: np.ndarray
    ends: np.ndarray


@compiled
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
    order[lo:hi] = room.buffer[lo:hi]
    return n_runs


@compiled
def part_regions(table, j, level, lo, hi, ends, n_runs, n_children, room, regions):
    """Give each run of :func:`part_rows` its region: the values of its label, and to the rest those of all others."""
    if not regions.shape[1]:
        return
    region = regions[lo].copy()
    before = region.copy()
    first, base = table.bit[j], table.at[j] + level * table.n[j]
    for bit in range(first, first + table.n[j]):
        region[bit >> 6] &= ~(np.uint64(1) << np.uint64(bit & 63))
    begin, run = lo, 0
    for child in range(n_children):
        if room.best_alone[child]:
            room.row[room.best_children[child]] = begin
            regions[begin] = region
            begin = ends[run]
            run += 1
    if begin < hi:
        regions[begin] = region
    for v in range(table.n[j]):
        bit = first + v
        one = np.uint64(1) << np.uint64(bit & 63)
        if not before[bit >> 6] & one:
            continue
        label = table.label[base + v]
        child = room.place[label]
        if child < n_children and room.best_children[child] == label and room.best_alone[child]:
            regions[room.row[label], bit >> 6] |= one
        elif begin < hi:
            regions[begin, bit >> 6] |= one


@compiled
def stack_of(first, last, start, room):
    """A stack with one part, ``order[first:last]`` at levels ``start``."""
    runs = np.empty((last - first + 1, 2), np.int64)
    levels = np.empty((last - first + 1, len(start)), np.int16)
    runs[0, 0], runs[0, 1], levels[0] = first, last, start
    return Stack(runs, levels, np.empty(len(room.size), np.int64))


@compiled
def take(table, order, stack, top, levels):
    """Where the part at place ``top`` begins and ends, and its records; its levels to ``levels``."""
    lo, hi = stack.runs[top, 0], stack.runs[top, 1]
    levels[:] = stack.levels[top]
    n = 0
    for i in range(lo, hi):
        n += table.counts[order[i]]
    return lo, hi, n


@compiled
def put_split(table, order, lo, hi, levels, j, level, n_children, room, made, stack, top):
    """Split a part at ``levels`` by column j, and put what it is split into from place ``top`` on; the place after."""
    ends = stack.ends
    n_runs = part_rows(table, order, lo, hi, j, level, n_children, room, ends)
    part_regions(table, j, level, lo, hi, ends, n_runs, n_children, room, made.regions)
    begin = lo
    for run in range(n_runs):
        stack.runs[top, 0], stack.runs[top, 1], stack.levels[top] = begin, ends[run], levels
        stack.levels[top, j] = level
        begin = ends[run]
        top += 1
    if begin < hi:
        stack.runs[top, 0], stack.runs[top, 1], stack.levels[top] = begin, hi, levels
        top += 1
    return top
