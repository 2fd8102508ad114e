"""The compiled loop that parts groups by one more attribute: each pair of group and value gets a number of its own."""

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
