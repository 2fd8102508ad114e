"""Work and answers as bytes, to move between the server and a job.

What both sides hold goes by its number and not by its content: an answer that has the data set in it that the work was
given comes back with that very data set. Arrays stand beside the pickle, each as a block, so that a job can map them
instead of copying them.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import _lru_cache_wrapper, lru_cache
from typing import Any

import cloudpickle
import numpy as np
import pandas as pd

from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.stores import TravellingStore
from anonlib.reading.records import TableRecords

_PLACE = 64  # bytes: each block begins at a multiple of so many, as arrays of numbers want it
_LITTLE = 4_096  # bytes: a smaller array is not worth a number
_HEAD = struct.Struct("<QQ")  # bytes of the pickle, number of blocks
_LENGTH = struct.Struct("<Q")


class Stays(Exception):
    """Something in it can not move: records that are in an engine, which counts them itself."""


class KnownToBoth:
    """What both sides hold, by number: the server adds what it sends, a job what it gets, in the same order."""

    def __init__(self) -> None:
        self._values: list[object] = []
        self._numbers: dict[int, int] = {}

    def __getitem__(self, number: int) -> object:
        return self._values[number]

    def number_of(self, value: object) -> int | None:
        """The number of this very object; None where the other side does not hold it."""
        return self._numbers.get(id(value))

    def add(self, values: Iterable[object]) -> None:
        """From now on both sides hold these too."""
        for value in values:
            self._numbers[id(value)] = len(self._values)
            self._values.append(value)


@dataclass(frozen=True)
class Parcel:
    """What moves: a pickle, and the blocks that stand beside it."""

    pickled: memoryview
    blocks: tuple[memoryview, ...]

    @property
    def size(self) -> int:
        """Bytes of all of it."""
        *_, (_, end) = self._places()
        return end

    def parts(self) -> Iterator[tuple[int, bytes | memoryview]]:
        """What stands where, counted from 0 in bytes."""
        lengths = b"".join(_LENGTH.pack(block.nbytes) for block in self.blocks)
        yield 0, _HEAD.pack(self.pickled.nbytes, len(self.blocks)) + lengths
        for (begin, _), part in zip(self._places(), (self.pickled, *self.blocks), strict=True):
            yield begin, part

    def in_one(self) -> bytes:
        """All of it."""
        whole = bytearray(self.size)
        for begin, part in self.parts():
            whole[begin : begin + len(part)] = part
        return bytes(whole)

    def _places(self) -> Iterator[tuple[int, int]]:
        end = _HEAD.size + _LENGTH.size * len(self.blocks)
        for part in (self.pickled, *self.blocks):
            begin = -(-end // _PLACE) * _PLACE
            end = begin + part.nbytes
            yield begin, end


def packed(value: object, known: KnownToBoth, *, adds: bool) -> Parcel:
    """A value as what moves.

    Parameters
    ----------
    value : object
        Functions of a script move as they are; others, and classes, by their name.
    known : KnownToBoth
        What the other side holds.
    adds : bool
        Whether the other side holds from then on what of it is worth a number: so of what the server sends.

    Raises
    ------
    Stays
        Where records in an engine are in it.
    TypeError, AttributeError, pickle.PicklingError
        Where something in it belongs to this process alone, such as a lock.
    """
    file, blocks = io.BytesIO(), list[pickle.PickleBuffer]()
    pickler = _Pickler(file, known, blocks)
    pickler.dump(value)
    new = list(pickler.new.values()) if adds else []
    pickler.dump(new)  # by reference to what was just written
    known.add(new)
    return Parcel(file.getbuffer(), tuple(block.raw() for block in blocks))


def unpacked(whole: memoryview, known: KnownToBoth, *, adds: bool, copies: bool) -> Any:
    """The value of what moved.

    Parameters
    ----------
    whole : memoryview
        As :meth:`Parcel.in_one` gives it, writable.
    known : KnownToBoth
        What the other side holds.
    adds : bool
        As it was packed.
    copies : bool
        Whether each array gets memory of its own; else all of them are in ``whole``.
    """
    n_pickled, n_blocks = _HEAD.unpack_from(whole)
    lengths = [_LENGTH.unpack_from(whole, _HEAD.size + _LENGTH.size * i)[0] for i in range(n_blocks)]
    end = _HEAD.size + _LENGTH.size * n_blocks
    parts = []
    for length in (n_pickled, *lengths):
        begin = -(-end // _PLACE) * _PLACE
        end = begin + length
        parts.append(whole[begin:end])
    pickled, *blocks = parts
    file = io.BytesIO(pickled)
    unpickler = _Unpickler(file, known, [bytearray(block) for block in blocks] if copies else blocks)
    value, new = unpickler.load(), unpickler.load()
    if adds:
        known.add(new)
    return value


class _Pickler(cloudpickle.Pickler):
    """Notes what is worth a number, and writes the number of what has one."""

    def __init__(self, file: io.BytesIO, known: KnownToBoth, blocks: list[pickle.PickleBuffer]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL, blocks.append)
        self._known = known
        self.new: dict[int, object] = {}
        self._is_first = True

    def persistent_id(self, value: Any) -> int | None:
        number = self._known.number_of(value)
        if number is None and self._is_worth_a_number(value):
            self.new[id(value)] = value
        return number

    def _is_worth_a_number(self, value: Any) -> bool:
        """Whether others may refer to it: to all that is sent, as a whole, and to large parts of it."""
        is_whole, self._is_first = self._is_first, False
        kind: type = type(value)
        if kind is np.ndarray:
            return value.nbytes >= _LITTLE
        return _is_referred_to(kind) or (is_whole and hasattr(value, "__dict__"))

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, TableRecords):
            raise Stays
        if isinstance(value, _lru_cache_wrapper) and "<" in getattr(value, "__qualname__", "<"):  # has no name
            return lru_cache(value.cache_parameters()["maxsize"]), (value.__wrapped__,)  # empty
        return super().reducer_override(value)


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, known: KnownToBoth, blocks: list[Any]) -> None:
        super().__init__(file, buffers=blocks)
        self._known = known

    def persistent_load(self, number: int) -> object:
        return self._known[number]


@lru_cache(None)
def _is_referred_to(kind: type) -> bool:
    """Frames, what goes along with data, problems with what was counted of them, and what of ours has a key."""
    if issubclass(kind, pd.DataFrame | TravellingStore | Problem):
        return True
    return kind.__module__.startswith("anonlib.") and hasattr(kind, "key") and not issubclass(kind, Enum)
