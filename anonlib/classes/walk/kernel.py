"""The compiled loops of the walk over all sets: how many share what is known, and how many of them the rest as well.

A set B of attributes stands for as many questions as it has sensitive members: for each such s, the others are known
and s is not. ``peers`` are the records equal in the others, ``same`` those equal in all of B. Where B has few
combinations (*cells*), both are sums over cells, and a value is computed once a cell. Else ``same`` is counted row by
row, and ``peers`` were when the smaller set had its turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.classes.walk.numbering import Numbers, part
from anonlib.machine_code import compiled


class Table(NamedTuple):
    """The distinct rows of the attributes 0 to some last one, and what is asked of them."""

    codes: np.ndarray  # int32, attributes x rows
    counts: np.ndarray  # int64, a row
    domains: np.ndarray  # int64, values an attribute
    chosen: np.ndarray  # int32, the rows whose values are asked for
    n_records: int
    wanted: int  # bit s: attribute s is sensitive
    share: bool  # the share of the peers that differ, else their number
    most_cells: int  # a set of more combinations is counted row by row


class Kept(NamedTuple):
    """How many records are equal, for the sets of one size and one last attribute that larger sets may ask for."""

    place: np.ndarray  # int32, by the set's rank: where in ``peers``; -1: not kept
    peers: np.ndarray  # int32 (int64 where there are so many records), places x chosen rows


class Smaller(NamedTuple):
    """The sets of one attribute less: those with the same last attribute, and those with the second one as theirs."""

    own: Kept
    other: Kept
    raised: np.ndarray  # int32, per chosen row its place among the chosen rows of the other table


class Room(NamedTuple):
    """What one thread writes to, besides the least values."""

    groups: np.ndarray  # int32, members of a set but the last x rows: the group of each row by the first of them
    sizes: np.ndarray  # int64, a group
    cell: np.ndarray  # int32, a row: its group by all members
    same: np.ndarray  # as ``Kept.peers``, a chosen row
    cells: np.ndarray  # int64, a cell: its records
    values: np.ndarray  # float64, a cell
    numbers: Numbers


@compiled
def look_at(table, first, size, binomials, smaller, kept, least, room):
    """Every set of ``size`` attributes whose last ones are ``first``, the table's last and if need be a second one.

    Parameters
    ----------
    binomials : int64, ``binomials[j, m]`` sets of m attributes below attribute j.
    kept : where counts of these sets go.
    least : float64, attributes x chosen rows, lowered to what a set leaves.
    """
    chain = np.empty(size, np.int64)
    chain[: len(first)] = first
    for depth in range(len(first), size):
        chain[depth] = chain[depth - 1] - 1
    n_groups, cells = np.ones(size + 1, np.int64), np.ones(size + 1)
    grouped = 0
    while True:
        for depth in range(grouped, size - 1):
            cells[depth + 1] = cells[depth] * table.domains[chain[depth]]
            n_groups[depth + 1] = _group(table, chain, depth, n_groups[depth], cells[depth + 1], room)
        if cells[size - 1] * table.domains[chain[size - 1]] <= table.most_cells:
            _by_cell(table, chain, n_groups[size - 1], binomials, kept, least, room)
        else:
            _by_row(table, chain, n_groups[size - 1], binomials, smaller, kept, least, room)
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
def _group(table, chain, depth, n_groups, cells, room):
    """Group the rows by one more member of the chain; returns below what number the groups are."""
    codes, domain, groups = table.codes[chain[depth]], table.domains[chain[depth]], room.groups[depth]
    if depth == 0:
        for r in range(len(codes)):
            groups[r] = codes[r]
        return domain
    before = room.groups[depth - 1]
    if cells > table.most_cells:
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
def _by_cell(table, chain, n_groups, binomials, kept, least, room):
    size, chosen = len(chain), table.chosen
    cell, cells, n_cells = room.cell[: len(table.counts)], room.cells, n_groups * table.domains[chain[size - 1]]
    _number_cells(table, chain, room, cell)
    cells[:n_cells] = 0
    for r in range(len(cell)):
        cells[cell[r]] += table.counts[r]
    place = kept.place[_rank(chain, -1, binomials)]
    if place >= 0:
        peers = kept.peers[place]
        for i in range(len(chosen)):
            peers[i] = cells[cell[chosen[i]]]
    after = n_cells
    for s in chain:
        after //= table.domains[s]
        if table.wanted >> s & 1:
            _value_cells(table.share, table.domains[s], n_cells, after, cells, room.values)
            _lower_to_cells(room.values, cell, chosen, least[s])


@compiled
def _number_cells(table, chain, room, cell):
    size = len(chain)
    codes, domain = table.codes[chain[size - 1]], table.domains[chain[size - 1]]
    if size == 1:
        for r in range(len(cell)):
            cell[r] = codes[r]
    else:
        groups = room.groups[size - 2]
        for r in range(len(cell)):
            cell[r] = groups[r] * domain + codes[r]


@compiled
def _lower_to_cells(values, cell, chosen, least):
    if len(chosen) == len(cell):
        for i in range(len(cell)):
            value = values[cell[i]]
            least[i] = value if value < least[i] else least[i]
    else:
        for i in range(len(chosen)):
            value = values[cell[chosen[i]]]
            least[i] = value if value < least[i] else least[i]


@compiled
def _value_cells(share, domain, n_cells, after, cells, values):
    """The value in each cell for one attribute, whose ``domain`` values are each ``after`` cells apart."""
    for block in range(0, n_cells, after * domain):
        for start in range(block, block + after):
            peers = np.int64(0)
            for at in range(start, start + after * domain, after):
                peers += cells[at]
            if peers:
                for at in range(start, start + after * domain, after):
                    differ = float(peers - cells[at])
                    values[at] = differ / float(peers) if share else differ


@compiled
def _by_row(table, chain, n_groups, binomials, smaller, kept, least, room):
    size, same = len(chain), room.same[: len(table.chosen)]
    _count_rows(table, chain, n_groups, room, same)
    place = kept.place[_rank(chain, -1, binomials)]
    if place >= 0:
        kept.peers[place, :] = same
    for depth in range(size):
        s = chain[depth]
        if not table.wanted >> s & 1:
            continue
        if size == 1:
            _lower_among_all(table.share, table.n_records, same, least[s])
        elif depth:
            peers = smaller.own.peers[smaller.own.place[_rank(chain, depth, binomials)]]
            _lower(table.share, peers, same, least[s])
        else:
            peers = smaller.other.peers[smaller.other.place[_rank(chain, depth, binomials)]]
            _lower_raised(table.share, peers, smaller.raised, same, least[s])


@compiled
def _count_rows(table, chain, n_groups, room, same):
    """The number of records equal to each chosen row in all of the chain."""
    size, cell, sums = len(chain), room.cell[: len(table.counts)], room.cells
    codes, domain = table.codes[chain[size - 1]], table.domains[chain[size - 1]]
    if n_groups * domain <= len(sums):  # a place for each combination: none needs a number
        _number_cells(table, chain, room, cell)
        for r in range(len(cell)):
            sums[cell[r]] = 0
        for r in range(len(cell)):
            sums[cell[r]] += table.counts[r]
    else:
        part(room.groups[size - 2], n_groups, codes, domain, table.counts, room.numbers, cell, sums)
    if len(same) == len(cell):
        for r in range(len(cell)):
            same[r] = sums[cell[r]]
    else:
        for i in range(len(same)):
            same[i] = sums[cell[table.chosen[i]]]


@compiled
def _lower(share, peers, same, least):
    if share:
        for i in range(len(same)):
            value = float(peers[i] - same[i]) / float(peers[i])
            least[i] = value if value < least[i] else least[i]
    else:
        for i in range(len(same)):
            value = float(peers[i] - same[i])
            least[i] = value if value < least[i] else least[i]


@compiled
def _lower_raised(share, peers, raised, same, least):
    for i in range(len(same)):
        of = peers[raised[i]]
        value = float(of - same[i])
        if share:
            value /= of
        if value < least[i]:
            least[i] = value


@compiled
def _lower_among_all(share, n_records, same, least):
    for i in range(len(same)):
        value = float(n_records - same[i])
        if share:
            value /= n_records
        if value < least[i]:
            least[i] = value
