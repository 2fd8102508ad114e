"""The compiled loops that put parts which are alike together and split them again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import drawn, split
from anonlib.basics.machine_code import compiled

_FAR = 1e300  # further than any part is


class LinkedParts(NamedTuple):
    """Parts as lists of rows, so that some can change while the others stay where they are.

    Attributes
    ----------
    first : np.ndarray
        int64, a part each: one of its rows; ``after`` (int64, a row each): the next row of its part, -1 behind the last
        one. ``levels`` (int16, rows x columns) as in :class:`.splitting_kernel.SplitParts`.
    size : np.ndarray
        int64, a part each: its records; ``lost`` (float): what its cells lose; ``run`` (int64): which run of rows it is
        of, that columns without levels part.
    place : np.ndarray
        int64, a part each: where it began in the order of rows, -1 for one that was made since.
    n : np.ndarray
        int64, one number: how many parts there are.
    """

    first: np.ndarray
    after: np.ndarray
    levels: np.ndarray
    size: np.ndarray
    lost: np.ndarray
    run: np.ndarray
    place: np.ndarray
    n: np.ndarray


@compiled
def _joined_level(table, top, j, row, level, other, other_level):
    """The lowest level of column j on which two rows that are on these levels have one label; above ``top``: none."""
    at, n, value, other_value = table.at[j], table.n[j], table.values[j, row], table.values[j, other]
    joined = max(level, other_level)
    while joined <= top[j] and table.label[at + joined * n + value] != table.label[at + joined * n + other_value]:
        joined += 1
    return joined


@compiled
def _distance(table, top, pieces, part, other, most):
    """What the cells of two parts lose more at their joined levels; as soon as it is more than ``most``, that."""
    row, other_row = pieces.first[part], pieces.first[other]
    distance = 0.0
    for j in range(len(top)):
        level, other_level = pieces.levels[row, j], pieces.levels[other_row, j]
        joined = _joined_level(table, top, j, row, level, other_row, other_level)
        if joined > top[j]:
            return _FAR
        at, n, value, other_value = table.at[j], table.n[j], table.values[j, row], table.values[j, other_row]
        distance += pieces.size[part] * (table.loss[at + joined * n + value] - table.loss[at + level * n + value])
        distance += pieces.size[other] * (
            table.loss[at + joined * n + other_value] - table.loss[at + other_level * n + other_value]
        )
        if distance >= most:
            break
    return distance


@compiled
def _nearest(table, top, pieces, part, looked_at, wanted, state, near, distances):
    """The nearest of so many parts drawn, put into ``near``, the nearest first; how many they are."""
    n_near = 0
    for _ in range(looked_at):
        other = int(drawn(state) * pieces.n[0])
        if other == part or pieces.run[other] != pieces.run[part]:
            continue
        most = distances[n_near - 1] if n_near == wanted else _FAR
        distance = _distance(table, top, pieces, part, other, most)
        if distance >= most or np.any(near[:n_near] == other):
            continue
        place = min(n_near, wanted - 1)
        n_near = min(n_near + 1, wanted)
        while place > 0 and distances[place - 1] > distance:
            distances[place], near[place] = distances[place - 1], near[place - 1]
            place -= 1
        distances[place], near[place] = distance, other
    return n_near


@compiled
def _append(pieces, part, rows, n):
    """Put the rows of a part behind so many others; how many there are then."""
    row = pieces.first[part]
    while row >= 0:
        rows[n] = row
        n += 1
        row = pieces.after[row]
    return n


@compiled
def _put(table, pieces, part, rows, begin, end, levels):
    """Make a part of some rows."""
    pieces.first[part], pieces.place[part], pieces.size[part], pieces.lost[part] = rows[begin], -1, 0, 0.0
    for i in range(begin, end):
        row = rows[i]
        pieces.after[row] = rows[i + 1] if i + 1 < end else -1
        pieces.levels[row] = levels[row]
        pieces.size[part] += table.counts[row]
    row = rows[begin]
    for j in range(levels.shape[1]):
        loss = table.loss[table.at[j] + levels[row, j] * table.n[j] + table.values[j, row]]
        pieces.lost[part] += pieces.size[part] * loss


@compiled
def _take_away(pieces, part):
    """Let the last part take the place of one that is no more."""
    pieces.n[0] -= 1
    last = pieces.n[0]
    for of_parts in (pieces.first, pieces.size, pieces.run, pieces.place):
        of_parts[part] = of_parts[last]
    pieces.lost[part] = pieces.lost[last]


@compiled
def _replace(table, pieces, parts, rows, n, split_parts):
    """Put the parts that were made of some rows in the place of those that these rows were."""
    run = pieces.run[parts[0]]
    n_made, begin = 0, 0
    for i in range(1, n + 1):
        if i < n and not split_parts.begins[i]:
            continue
        if n_made < len(parts):
            part = parts[n_made]
        else:
            part = pieces.n[0]
            pieces.n[0] += 1
        _put(table, pieces, part, rows, begin, i, split_parts.levels)
        pieces.run[part] = run
        n_made, begin = n_made + 1, i
    if n_made < len(parts):
        for part in np.sort(parts[n_made:])[::-1]:  # the last first, which no other takes the place of
            _take_away(pieces, part)


@compiled
def split_together(
    table, limits, rule, top, pieces, tries, most_rows, most_records, near, looked_at, state, room, split_parts
):
    """Put a part drawn and some of the nearest together and split them again, again and again; keep what loses no more.

    Parameters
    ----------
    tries, most_rows : how often, and how many rows may be split in all
    most_records : of parts that are put together
    near : room for the nearest parts: of one up to as many
    looked_at : among how many parts, drawn, the nearest are looked for
    split_parts : where what is made of the rows is written to (:class:`.splitting_kernel.SplitParts`), as many as all
        rows
    """
    parts, distances = np.empty(near + 1, np.int64), np.empty(near)
    rows, start = np.empty(len(pieces.after), np.int64), np.empty(len(top), np.int16)
    nothing = np.zeros((0, 2 + len(top)), np.int64)
    n_split = 0
    for _ in range(tries):
        if n_split >= most_rows:
            break
        part = int(drawn(state) * pieces.n[0])
        wanted = 1 + int(drawn(state) * near)
        n_near = _nearest(table, top, pieces, part, looked_at, wanted, state, parts[1:], distances)
        row, size, lost = pieces.first[part], pieces.size[part], pieces.lost[part]
        parts[0], n_parts, start[:] = part, 1, pieces.levels[row]
        n = 0
        for other in parts[1 : 1 + n_near]:
            if size + pieces.size[other] > most_records:
                break
            other_row = pieces.first[other]
            for j in range(len(top)):
                start[j] = _joined_level(table, top, j, row, start[j], other_row, pieces.levels[other_row, j])
            size, lost, n_parts = size + pieces.size[other], lost + pieces.lost[other], n_parts + 1
        if n_parts == 1:
            continue
        for other in parts[:n_parts]:
            n = _append(pieces, other, rows, n)
        split_parts.begins[:n] = False
        n_split += n
        now, _ = split(table, limits, rule, rows, 0, n, start, 0, state, room, split_parts, nothing)
        if now <= lost + 1e-9:
            _replace(table, pieces, parts[:n_parts], rows, n, split_parts)


@compiled
def put_in_order(table, pieces, regions, order, split_parts):
    """Write parts one behind the other to ``order`` and ``split_parts``.

    A part that was made since may be of what is no range of values, and neither is the rest without it: who reads off
    all parts is taken to know which values each column has in it. ``regions`` are those of the places before.
    """
    end = 0
    for part in range(pieces.n[0]):
        begin = end
        end = _append(pieces, part, order, begin)
        split_parts.begins[begin:end] = False
        split_parts.begins[begin] = True
        if not regions.shape[1]:
            continue
        if pieces.place[part] >= 0:
            split_parts.regions[begin] = regions[pieces.place[part]]
            continue
        split_parts.regions[begin] = 0
        for i in range(begin, end):
            for j in range(len(table.at)):
                bit = table.bit[j] + table.values[j, order[i]]
                split_parts.regions[begin, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
