"""The compiled loop that parts groups by one more attribute: each pair of group and value gets a number of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.machine_code import compiled

_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads keys over the places
_DIRECT = 4  # keys a row up to which each key has its own place


class Numbers(NamedTuple):
    """Room to give numbers to the keys of so many rows."""

    place: np.ndarray  # int32: the number of the key that has this place; length a power of 2, at least 4 a row
    key: np.ndarray  # int64, a number: its key


def numbers_for(rows: int) -> Numbers:
    """Room for so many rows."""
    return Numbers(np.empty(1 << (_DIRECT * max(rows, 4) - 1).bit_length(), np.int32), np.empty(max(rows, 1), np.int64))


@compiled
def part(group, n_groups, codes, domain, counts, numbers, parts, sizes):
    """Part groups by an attribute; returns how many parts there are.

    ``group``, below ``n_groups``, ``codes``, below ``domain``, and ``counts`` are of each row. The number of its part
    is written to ``parts``, numbered as they come up, and the sum of its counts to ``sizes``.
    """
    rows, n_parts = len(codes), 0
    span = n_groups * domain
    direct = span <= _DIRECT * rows
    places = span if direct else len(numbers.place) // (_DIRECT // 2)
    mask, shift = places - 1, np.uint64(0)
    if not direct:
        bits = 0
        while 1 << bits < places:
            bits += 1
        shift = np.uint64(64 - bits)
    numbers.place[:places] = -1
    for r in range(rows):
        key = np.int64(group[r]) * domain + codes[r]
        at = key
        if not direct:
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
