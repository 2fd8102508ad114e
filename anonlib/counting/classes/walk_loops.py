"""The compiled loops of the walk over all sets: how many share what is known, and how many also the rest.

First comes the loop that parts groups by one more attribute: each pair of group and value gets a number of its own. The
loops of the walk follow.

A set B of attributes stands for as many questions as it has sensitive members: for each such s, the others are known
and s is not. ``same`` are the records equal in all of B, ``peers`` those equal in the others, which were counted when
the smaller set had its turn. So each set is counted once (:func:`count`), and all questions of many sets are then
answered for a block of rows at a time (:func:`lower`), while what the block needs is near the processor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled

_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads keys over the places
_DIRECT = 8  # keys a row up to which each key has its own place


class Numbers(NamedTuple):
    """Room to give numbers to the keys of so many rows."""

    place: np.ndarray  # int32: the number of the key that has this place; length a power of 2, at least 8 a row
    seen: np.ndarray  # uint8, a key: whether it occurs; 8 a row
    key: np.ndarray  # int64, a number: its key


def numbers_for(rows: int) -> Numbers:
    """Room for so many rows."""
    keys = _DIRECT * max(rows, 4)
    return Numbers(np.empty(1 << (keys - 1).bit_length(), np.int32), np.empty(keys, np.uint8), np.empty(rows, np.int64))


@compiled
def part(group, n_groups, codes, domain, counts, numbers, parts, sizes):
    """Part groups by an attribute; returns how many parts there are.

    ``group``, below ``n_groups``, ``codes``, below ``domain``, and ``counts`` are of each row. The number of its part
    is written to ``parts``, and the sum of its counts to ``sizes``.
    """
    span = n_groups * domain
    if span > _DIRECT * len(codes):
        return _part_by_hash(group, codes, domain, counts, numbers, parts, sizes)
    numbers.seen[:span] = 0
    for r in range(len(codes)):
        key = group[r] * domain + codes[r]
        parts[r] = key
        numbers.seen[key] = 1
    n_parts = 0
    for key in range(span):  # without a question asked of each: the processor does not have to guess
        numbers.place[key] = n_parts
        n_parts += numbers.seen[key]
    sizes[:n_parts] = 0
    for r in range(len(codes)):
        number = numbers.place[parts[r]]
        parts[r] = number
        sizes[number] += counts[r]
    return n_parts


@compiled
def _part_by_hash(group, codes, domain, counts, numbers, parts, sizes):
    n_parts, places, bits = 0, len(numbers.place) // (_DIRECT // 2), 0
    while 1 << bits < places:
        bits += 1
    shift, mask = np.uint64(64 - bits), places - 1
    numbers.place[:places] = -1
    for r in range(len(codes)):
        key = np.int64(group[r]) * domain + codes[r]
        at = np.int64(np.uint64(key) * _SCATTER >> shift)
        while numbers.place[at] >= 0 and numbers.key[numbers.place[at]] != key:
            at = at + 1 & mask
        number = numbers.place[at]
        if number < 0:
            number = n_parts
            numbers.place[at] = number
            numbers.key[number] = key
            sizes[number] = 0
            n_parts += 1
        sizes[number] += counts[r]
        parts[r] = number
    return n_parts


_BLOCK = 1024  # rows
_EXACT = 2**26  # records, up to which two shares are compared by products that float64 holds exactly


class WalkTable(NamedTuple):
    """The distinct rows of the attributes 0 to some last one."""

    codes: np.ndarray  # int32, attributes x rows
    counts: np.ndarray  # int32 (int64 where there are so many records), a row
    domains: np.ndarray  # int64, values an attribute
    chosen: np.ndarray  # int32, the rows whose values are asked for


class SetCounts(NamedTuple):
    """The records equal in each set of one size, for chosen rows: by the set's last attribute, then its rank."""

    records: np.ndarray  # as ``Table.counts``, one after the other
    start: np.ndarray  # int64, per last attribute where its sets begin
    rows: np.ndarray  # int64, per last attribute how many chosen rows its table has


class WalkRoom(NamedTuple):
    """What one thread writes to, besides results."""

    groups: np.ndarray  # int32, members of a set but the last x rows: the group of each row by the first of them
    sizes: np.ndarray  # as ``Table.counts``, a group
    cell: np.ndarray  # int32, a row: its group by all members
    cells: np.ndarray  # as ``Table.counts``, a cell: its records
    numbers: Numbers


@compiled
def count(table, first, size, binomials, lowest, counted, room):
    """Count every set of ``size`` attributes whose last ones are ``first``, the table's last and if need be a second.

    Parameters
    ----------
    binomials : int64, ``binomials[j, m]`` sets of m attributes below attribute j.
    lowest : the rank of the set that has the first place in ``counted``.
    counted : as ``Table.counts``, sets x chosen rows: where the numbers of equal records go.
    """
    chain = np.empty(size, np.int64)
    chain[: len(first)] = first
    for depth in range(len(first), size):
        chain[depth] = chain[depth - 1] - 1
    n_groups = np.ones(size + 1, np.int64)
    grouped = 0
    while True:
        for depth in range(grouped, size - 1):
            n_groups[depth + 1] = _group(table, chain[depth], depth, n_groups[depth], room)
        _count(table, chain, n_groups[size - 1], room, counted[_rank(chain, -1, binomials) - lowest])
        depth = size - 1
        while depth >= len(first) and chain[depth] == size - 1 - depth:
            depth -= 1
        if depth < len(first):
            return
        chain[depth] -= 1
        for after in range(depth + 1, size):
            chain[after] = chain[after - 1] - 1
        grouped = min(depth, size - 1)


@compiled
def _group(table, j, depth, n_groups, room):
    """Group the rows by one more member of the chain, attribute j; returns below what number the groups are."""
    codes, domain, groups = table.codes[j], table.domains[j], room.groups[depth]
    if depth == 0:
        for r in range(len(codes)):
            groups[r] = codes[r]
        return domain
    before = room.groups[depth - 1]
    if n_groups * domain > len(codes):
        return part(before, n_groups, codes, domain, table.counts, room.numbers, groups, room.sizes)
    for r in range(len(codes)):
        groups[r] = before[r] * domain + codes[r]
    return n_groups * domain


@compiled
def _rank(chain, left, binomials):
    """The place of a set among those with the same last attribute: the chain, which descends, without one member."""
    last, below, rank = (1 if left == 0 else 0), len(chain) - (2 if left >= 0 else 1), 0
    for depth in range(last + 1, len(chain)):
        if depth != left:
            rank += binomials[chain[depth], below]
            below -= 1
    return rank


@compiled
def _count(table, chain, n_groups, room, counted):
    """The number of records equal to each chosen row in all of the chain."""
    size, cell, sums = len(chain), room.cell[: len(table.counts)], room.cells
    codes, domain = table.codes[chain[size - 1]], table.domains[chain[size - 1]]
    if n_groups * domain <= len(sums):  # a place for each combination: none needs a number
        sums[: n_groups * domain] = 0
        if size == 1:
            for r in range(len(cell)):
                cell[r] = codes[r]
                sums[codes[r]] += table.counts[r]
        else:
            groups = room.groups[size - 2]
            for r in range(len(cell)):
                at = groups[r] * domain + codes[r]
                cell[r] = at
                sums[at] += table.counts[r]
    else:
        part(room.groups[size - 2], n_groups, codes, domain, table.counts, room.numbers, cell, sums)
    if len(counted) == len(cell):
        for r in range(len(cell)):
            counted[r] = sums[cell[r]]
    else:
        for i in range(len(counted)):
            counted[i] = sums[cell[table.chosen[i]]]


@compiled
def asked_of(last, size, low, high, binomials, slots):
    """What is asked of the sets of one size and last attribute whose ranks are from ``low`` to below ``high``.

    Parameters
    ----------
    slots : int64, per attribute its place among the sensitive ones; -1: it is none.

    Returns
    -------
    int64, questions x 4: the sensitive attribute's slot, one after the other; the set's rank less ``low``; of the set
    without it the last attribute (-1: it is empty) and the rank.
    """
    n = 0
    for s in range(last + 1):
        if slots[s] >= 0:
            n += (high - low) if s == last else size * (high - low)
    rows, end = np.empty((n, 4), np.int64), 0
    chain = np.empty(size, np.int64)
    for s in range(last + 1):
        if slots[s] < 0:
            continue
        _of_rank(last, low, binomials, chain)
        for place in range(high - low):
            for depth in range(size):
                if chain[depth] == s:
                    rows[end, 0], rows[end, 1] = slots[s], place
                    rows[end, 2] = -1 if size == 1 else chain[1] if depth == 0 else last
                    rows[end, 3] = 0 if size == 1 else _rank(chain, depth, binomials)
                    end += 1
            _next(chain)
    return rows[:end]


@compiled
def _of_rank(last, rank, binomials, chain):
    """Write the set of some rank among those with the same last attribute to ``chain``, descending."""
    chain[0] = last
    for depth in range(1, len(chain)):
        below, member = len(chain) - depth, len(chain) - depth - 1
        while member + 1 < len(binomials) and binomials[member + 1, below] <= rank:
            member += 1
        chain[depth] = member
        rank -= binomials[member, below]


@compiled
def _next(chain):
    """Make of a set the one of the next rank: the lowest member that has room goes up, those below it down."""
    size = len(chain)
    for depth in range(size - 1, 0, -1):
        if chain[depth] + 1 < chain[depth - 1]:
            chain[depth] += 1
            for after in range(depth + 1, size):
                chain[after] = size - 1 - after
            return


@compiled
def raise_least(below, place, least, start, stop):
    """Begin with the least values of fewer attributes' rows, slots x rows: those of the row each one becomes there."""
    for slot in range(len(least)):
        values, least_in_slot = below[slot], least[slot]
        for r in range(start, stop):
            least_in_slot[r] = values[place[r]]


@compiled
def lower(lookups, share, own, n_records, counted, smaller, which, raised, start, stop, least):
    """Lower the least values of the rows from ``start`` to below ``stop`` to what is left by any of the sets.

    A set for which a row has no peers lowers nothing; a share is then 2 where no set of those looked at has any.

    Parameters
    ----------
    lookups : of :func:`asked_of`.
    share : the share of the peers that differ (PPP), else their number (NPP).
    own : records of each row that are not counted as peers: 1 for what all others give away, else 0.
    n_records : records in all: the peers where nothing is known.
    counted : as ``Table.counts``, sets x chosen rows.
    smaller : of one attribute less.
    which : int32, per attribute the place in ``raised`` of the table it is the last of; -1: the present table.
    raised : int32, tables x chosen rows: the place of each among the chosen rows of a smaller table.
    least : float64, slots x chosen rows.
    """
    top, of = np.empty(_BLOCK), np.empty(_BLOCK)
    peers = np.empty(_BLOCK, counted.dtype)
    for low in range(start, stop, _BLOCK):
        high = min(low + _BLOCK, stop)
        n, q = high - low, 0
        while q < len(lookups):
            slot = lookups[q, 0]
            best = least[slot, low:high]
            top[:n], of[:n] = -1, 1
            while q < len(lookups) and lookups[q, 0] == slot:
                same = counted[lookups[q, 1], low:high]
                known = _peers(lookups[q, 2], lookups[q, 3], n_records, smaller, which, raised, low, high, peers)
                if not share:
                    _lower_number(known, same, own, best)
                elif n_records <= _EXACT:
                    _raise_share(known, same, own, top, of)
                else:
                    _lower_share(known, same, own, best)
                q += 1
            if share and n_records <= _EXACT:
                _lower_share(of[:n], top[:n], 0, best)


@compiled
def _peers(last, rank, n_records, smaller, which, raised, low, high, room):
    """The records equal in a smaller set, for the rows of a block."""
    room = room[: high - low]
    if last < 0:
        room[:] = n_records
        return room
    first = smaller.start[last] + rank * smaller.rows[last]
    if which[last] < 0:
        return smaller.records[first + low : first + high]
    peers, place = smaller.records[first : first + smaller.rows[last]], raised[which[last], low:high]
    for i in range(len(room)):
        room[i] = peers[place[i]]
    return room


@compiled
def _raise_share(peers, same, own, top, of):
    """Raise the fractions ``top / of`` to same / peers where that is more: divided once, after all sets."""
    for i in range(len(peers)):
        a, b = float(same[i] - own), float(peers[i] - own)  # 0 / 0 raises nothing, not even -1 / 1
        more = a * of[i] > top[i] * b
        top[i] = a if more else top[i]
        of[i] = b if more else of[i]


@compiled
def _lower_share(peers, same, own, best):
    for i in range(len(peers)):
        if peers[i] > own:
            value = float(peers[i] - same[i]) / float(peers[i] - own)
            best[i] = value if value < best[i] else best[i]


@compiled
def _lower_number(peers, same, own, best):
    for i in range(len(peers)):
        value = float(peers[i] - same[i]) if peers[i] > own else np.inf
        best[i] = value if value < best[i] else best[i]
