"""The compiled loops: where the cells of some rows are, and which of a column's distinct values each cell is.

A cell is distinguished from others by its length and two keys: up to sixteen bytes they are the bytes themselves, else
hashes of them all, and the bytes are compared as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled

IRREGULAR = -1
LONGEST_EXACT = 16  # bytes of a cell that its length and its keys tell from every other cell
_RETURN, _LINE = np.uint8(13), np.uint8(10)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads keys over the slots
_NONE, _ONE, _BYTE, _SHIFT, _HALF = (np.uint64(number) for number in (0, 1, 8, 29, 32))
_LOW = np.uint64(2**32 - 1)


class ByteMarks(NamedTuple):
    """Bytes that part cells; ``quote`` is -1 where quotation marks are ordinary text."""

    delimiter: int
    quote: int


class Values(NamedTuple):
    """The distinct values of a column, in the order in which they came first, and the slots in which they are found."""

    firsts: np.ndarray  # uint64, a value: see Keys
    lasts: np.ndarray
    starts: np.ndarray  # int64, where it stands first
    lengths: np.ndarray  # int64, bytes


class Keys(NamedTuple):
    """Of some cells: their first eight bytes and those that follow, or two hashes where they are longer than that."""

    firsts: np.ndarray  # uint64, a cell
    lasts: np.ndarray
    hashes: np.ndarray  # uint64 below 2^32: of both and the length


@compiled
def find_cells(text, begin, marks, starts, lengths):
    """Where the cells of the next rows are, until ``starts`` (columns x rows) is full or the text ends.

    Returns the number of rows and where the next one begins; :data:`IRREGULAR` rows at the first doubt.
    """
    width, most = starts.shape
    position, row = begin, 0
    while position < len(text) and row < most:
        blank = _line_end(text, position) if width > 1 else 0  # which is no row, unless there is one column
        if blank > 0:
            position += blank
            continue
        for column in range(width):
            start, end, position = _cell(text, position, marks)
            if position == IRREGULAR:
                return IRREGULAR, 0
            starts[column, row], lengths[column, row] = start, end - start
            if column < width - 1:
                if position == len(text) or text[position] != marks.delimiter:
                    return IRREGULAR, 0
                position += 1
        if position < len(text):
            ended = _line_end(text, position)
            if ended == 0:
                return IRREGULAR, 0
            position += ended
        row += 1
    return row, position


@compiled
def _line_end(text, position):
    """How many bytes end a line here: a line feed, with or without a carriage return before it; 0 where it goes on."""
    if text[position] == _LINE:
        return 1
    if text[position] == _RETURN and position + 1 < len(text) and text[position + 1] == _LINE:
        return 2
    return 0


@compiled
def _cell(text, begin, marks):
    """Where the content of a cell begins and ends, and what follows the cell: :data:`IRREGULAR` at the first doubt."""
    quoted = begin < len(text) and text[begin] == marks.quote
    position = begin + 1 if quoted else begin
    start = position
    while position < len(text):
        byte = text[position]
        if byte == marks.quote:
            return (start, position, position + 1) if quoted else (start, position, IRREGULAR)
        if byte in (_LINE, _RETURN):
            return (start, position, IRREGULAR) if quoted else (start, position, position)
        if byte == marks.delimiter and not quoted:
            return start, position, position
        position += 1
    return (start, position, IRREGULAR) if quoted else (start, position, position)


@compiled
def find_keys(text, starts, lengths, keys):
    """Write the keys of some cells. A loop of its own: the next one then waits for several cells' values at once."""
    for i in range(len(starts)):
        start, length = starts[i], lengths[i]
        if length <= LONGEST_EXACT:
            first = _word(text, start, min(length, 8))
            last = _word(text, start + 8, length - 8) if length > 8 else _NONE
        else:
            first, last = np.uint64(length), _SCATTER
            for j in range(start, start + length - 7, 8):
                word = _word(text, j, 8)
                first = (first ^ word) * _SCATTER
                first ^= first >> _SHIFT
                last = (last ^ first) * _SCATTER
            last ^= _word(text, start + length - 8, 8)
        mixed = (first ^ np.uint64(length)) * _SCATTER
        mixed = ((mixed ^ (mixed >> _SHIFT)) + last) * _SCATTER
        keys.firsts[i], keys.lasts[i], keys.hashes[i] = first, last, (mixed ^ (mixed >> _SHIFT)) >> _HALF


@compiled
def encode(text, starts, lengths, keys, values, slots, n_values, codes):
    """Write which value each cell is into ``codes``, new ones after those known; returns how many there are then.

    A slot (uint64, a power of 2 of them) is 0, or the hash of a value and 1 + its place. There must be room for as many
    new values as cells, in ``values`` and in twice as many slots.
    """
    mask = np.uint64(len(slots) - 1)
    for i in range(len(starts)):
        start, length = starts[i], lengths[i]
        tag = keys.hashes[i]
        slot = tag & mask
        while True:
            taken = slots[slot]
            if taken == _NONE:
                slots[slot] = (tag << _HALF) | np.uint64(n_values + 1)
                values.firsts[n_values], values.lasts[n_values] = keys.firsts[i], keys.lasts[i]
                values.starts[n_values], values.lengths[n_values] = start, length
                codes[i] = n_values
                n_values += 1
                break
            if taken >> _HALF == tag:
                known = np.int64(taken & _LOW) - 1
                if (
                    values.firsts[known] == keys.firsts[i]
                    and values.lasts[known] == keys.lasts[i]
                    and values.lengths[known] == length
                    and (length <= LONGEST_EXACT or _same(text, values.starts[known], start, length))
                ):
                    codes[i] = known
                    break
            slot = (slot + _ONE) & mask
    return n_values


@compiled
def fill_slots(before, slots):
    """Put what is in slots into others, more and empty."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(before)):
        if before[i] != _NONE:
            slot = (before[i] >> _HALF) & mask
            while slots[slot] != _NONE:
                slot = (slot + _ONE) & mask
            slots[slot] = before[i]


@compiled
def copy_values(text, starts, lengths, out):
    """Write the values one after the other."""
    place = 0
    for i in range(len(starts)):
        for j in range(starts[i], starts[i] + lengths[i]):
            out[place] = text[j]
            place += 1


@compiled
def _word(text, start, length):
    word = _NONE
    for i in range(start, start + length):
        word = (word << _BYTE) | np.uint64(text[i])
    return word


@compiled
def _same(text, first, second, length):
    i = 0
    while i < length and text[first + i] == text[second + i]:
        i += 1
    return i == length
