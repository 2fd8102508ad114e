"""The compiled loops that look at one thing after the other: how many share it, and of which values they are sure.

Holder u has the things ``thing[start[u]:start[u + 1]]``, one of each of their rows; the same may be among them twice.
"""

from __future__ import annotations

import numpy as np

from anonlib.basics.machine_code import compiled

_EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)


@compiled
def count_holders(thing, start, counts, last, sizes):
    """Write to ``sizes`` how many holders have each thing. ``last`` is room for as many."""
    last[: len(sizes)] = -1
    sizes[:] = 0
    for u in range(len(counts)):
        for i in range(start[u], start[u + 1]):
            t = thing[i]
            if last[t] != u:
                last[t] = u
                sizes[t] += counts[u]


@compiled
def agree(thing, start, bits, agreed, rows):
    """Write to ``agreed`` (uint64, things x words) the bits that all holders of each thing have.

    ``bits`` (uint64, holders x words) are the values that each has, a bit each. Written to ``rows`` (int32, a thing
    each) is how many rows have it.
    """
    agreed[:] = _EVERY
    rows[:] = 0
    words = bits.shape[1]
    for u in range(len(bits)):
        for i in range(start[u], start[u + 1]):
            t = thing[i]
            rows[t] += 1
            for w in range(words):
                agreed[t, w] &= bits[u, w]


@compiled
def tell(agreed, rows, word, field, shares, questions, thing_bits):
    """Set a bit in ``thing_bits`` (uint64, things x blocks of 64 questions) where all who hold a thing have one field.

    Parameters
    ----------
    agreed, rows : of :func:`agree`.
    word, field : int64 and uint64, a question each: a word, and the bits in it that it is about.
    shares : bool, a question each: values share these bits, so that only of a thing of one row they tell a value.
    questions : int64, the questions that are asked of these things.
    """
    for t in range(len(agreed)):
        for q in questions:
            if agreed[t, word[q]] & field[q] and (rows[t] == 1 or not shares[q]):
                thing_bits[t, q // 64] |= np.uint64(1) << np.uint64(q % 64)


@compiled
def perhaps(agreed, rows, word, field, in_common):
    """Write to ``in_common`` (bool, a thing each) whether several rows have a bit in common; returns whether any do."""
    some = False
    for t in range(len(agreed)):
        in_common[t] = rows[t] > 1 and (agreed[t, word] & field) != 0
        some = some or in_common[t]
    return some


@compiled
def mark(thing, start, counts, thing_bits, alone, marked, records):
    """Mark holders with the bits of their things.

    Parameters
    ----------
    thing_bits : of :func:`tell`.
    alone : int64, room for a number a thing.
    marked : uint64, holders x blocks of questions.
    records : int64, a question each: how many have its bit here, marked before or not.
    """
    blocks = thing_bits.shape[1]
    alone[: len(thing_bits)] = 0
    for u in range(len(counts)):
        first = start[u]
        if start[u + 1] == first + 1:
            t = thing[first]
            alone[t] += counts[u]
            for b in range(blocks):
                marked[u, b] |= thing_bits[t, b]
            continue
        for b in range(blocks):
            bits = np.uint64(0)
            for i in range(first, start[u + 1]):
                bits |= thing_bits[thing[i], b]
            if bits:
                marked[u, b] |= bits
                _add(bits, b, counts[u], records)
    for t in range(len(thing_bits)):
        if alone[t]:
            for b in range(blocks):
                _add(thing_bits[t, b], b, alone[t], records)


@compiled
def _add(bits, block, count, records):
    """Add a count to the questions whose bits are set."""
    q = 64 * block
    while bits:
        if bits & np.uint64(1):
            records[q] += count
        bits >>= np.uint64(1)
        q += 1


@compiled
def shared_values(thing, start, held_start, held, harms, sure, last, begin, length, pool):
    """Keep in ``sure`` (bool, a thing each) those of which all holders have one value that harms among theirs.

    Parameters
    ----------
    held_start, held : the values of holder u are ``held[held_start[u]:held_start[u + 1]]``, ascending.
    harms : bool, a value each.
    last, begin, length : int32, int64, int32, room for a number a thing.
    pool : int32, room for the values that are left of each thing's first holder.
    """
    n_things, end = len(sure), 0
    last[:n_things] = -1
    for u in range(len(start) - 1):
        for i in range(start[u], start[u + 1]):
            t = thing[i]
            if not sure[t] or last[t] == u:
                continue
            if last[t] < 0:
                begin[t], length[t] = end, held_start[u + 1] - held_start[u]
                for j in range(length[t]):
                    pool[end + j] = held[held_start[u] + j]
                end += length[t]
            else:
                length[t] = _intersect(pool, begin[t], length[t], held, held_start[u], held_start[u + 1])
            last[t] = u
    for t in range(n_things):
        if sure[t]:
            sure[t] = False
            if last[t] < 0:  # nobody has it
                continue
            for j in range(length[t]):
                sure[t] = sure[t] or harms[pool[begin[t] + j]]


@compiled
def _intersect(pool, begin, length, held, low, high):
    """Keep of a run of the pool what is among some values too, and return how many that are; both ascend."""
    n_kept, j = 0, low
    for i in range(begin, begin + length):
        while j < high and held[j] < pool[i]:
            j += 1
        if j < high and held[j] == pool[i]:
            pool[begin + n_kept] = pool[i]
            n_kept += 1
    return n_kept
