"""What was computed and may be asked for again, remembered within a bound of memory."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from threading import Lock, RLock
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from pandas.arrays import NumpyExtensionArray

T = TypeVar("T")


class Store(Generic[T]):
    """Values by their key; the ones used longest ago give way when together they take more than ``limit`` bytes.

    The newest stays, however large. Several threads may use a store: what one of them computes the others wait for.

    Parameters
    ----------
    limit : int
        Bytes of all values together.
    size_of : Callable[[Any, Collection[object]], int], optional
        The bytes of a value, without what it shares with the others that it is given; :func:`size_in_bytes` by default.
    """

    def __init__(self, limit: int, size_of: Callable[[Any, Collection[object]], int] | None = None) -> None:
        self.limit = limit
        self.size = 0
        self._size_of = size_of or size_in_bytes
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._computing: dict[Hashable, RLock] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        """As what a process hands to another: empty."""
        return type(self), (self.limit, self._size_of)

    def values(self) -> list[T]:
        """All values, the one used longest ago first."""
        with self._lock:
            return [value for value, _ in self._values.values()]

    def held(self, key: Hashable) -> T | None:
        """The value of this key where there is one."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def get(self, key: Hashable, compute: Callable[[], Any], known: tuple[object, ...] = ()) -> Any:
        """The value of this key, computed where there is none; ``known`` is held by others and not counted to it."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key][0]
            turn = self._computing.setdefault(key, RLock())
        with turn:
            with self._lock:
                if key in self._values:
                    return self._values[key][0]
            value = compute()
            self.put(key, value, known)
            return value

    def put(self, key: Hashable, value: T, known: tuple[object, ...] = ()) -> None:
        """Remember a value, in the place of an earlier one of this key."""
        size = self._size_of(value, known)
        with self._lock:
            self._drop(key)
            self._values[key] = value, size
            self.size += size
            self._computing.pop(key, None)
            while self.size > self.limit and len(self._values) > 1:
                self._drop(next(iter(self._values)))

    def forget(self, key: Hashable) -> None:
        """Drop the value of this key where there is one."""
        with self._lock:
            self._drop(key)

    def give_back(self, size: int) -> int:
        """Drop the values used longest ago, until so many bytes are free; how many are."""
        with self._lock:
            before = self.size
            while self._values and before - self.size < size:
                self._drop(next(iter(self._values)))
            return before - self.size

    def _drop(self, key: Hashable) -> None:
        if key in self._values:
            self.size -= self._values.pop(key)[1]


class TravellingStore(Store[T]):
    """A store whose values go along to another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _holding, (self.limit, self.items())

    def items(self) -> dict[Hashable, T]:
        """All values by their key, the one used longest ago first."""
        with self._lock:
            return {key: value for key, (value, _) in self._values.items()}

    def take_in(self, values: Mapping[Hashable, T]) -> None:
        """Remember values that were computed elsewhere."""
        for key, value in values.items():
            self.put(key, value)


def _holding(limit: int, values: Mapping[Hashable, T]) -> TravellingStore[T]:
    store = TravellingStore[T](limit)
    store.take_in(values)
    return store


_LITTLE = 1 << 14  # bytes: of a value that takes no more, what it shares is not looked for
_COUNTED = 100  # items of a collection that are looked at one by one; the rest count as much as these on average


def size_in_bytes(value: object, known: Collection[object] = ()) -> int:
    """About how many bytes a value takes, without what it shares with ``known`` unless it is little anyway.

    Arrays are counted exactly and each memory block once. Of the texts in an array of objects, and of the items of a
    long collection, a sample is looked at.
    """
    alone = _size(value, {})
    if alone <= _LITTLE or not known:
        return alone
    seen: dict[Hashable, object] = {}  # held until the end: the place of what is dropped would be used again
    for other in known:
        _size(other, seen)
    return _size(value, seen)


def _size(value: Any, seen: dict[Hashable, object]) -> int:
    total, left = 0, [value]
    while left:
        item = left.pop()
        if id(item) in seen or item is None or callable(item) or isinstance(item, bool | int | float):
            continue
        seen[id(item)] = item
        if isinstance(item, np.ndarray):
            total += _block(item, seen)
        elif isinstance(item, str | bytes):
            total += sys.getsizeof(item)
        elif isinstance(item, pd.DataFrame):
            left += [item[name].array for name in item.columns]
        elif isinstance(item, pd.Series | pd.Index):
            left.append(item.array)
        elif isinstance(item, pd.Categorical):
            left += [item.codes, item.categories]
        elif isinstance(item, NumpyExtensionArray):
            left.append(item.to_numpy())
        elif isinstance(item, ExtensionArray):
            total += item.nbytes
        elif isinstance(item, Mapping):
            total += _of_many(list(item.keys()), seen) + _of_many(list(item.values()), seen)
        elif isinstance(item, list | tuple | set | frozenset):
            total += sys.getsizeof(item)
            total += _of_many(list(item), seen)
        elif hasattr(item, "__dict__"):
            left += vars(item).values()
        elif hasattr(item, "__slots__"):
            left += [getattr(item, name) for name in item.__slots__ if hasattr(item, name)]
    return total


def _block(array: np.ndarray, seen: dict[Hashable, object]) -> int:
    """The bytes of an array's memory block, with those of the objects it holds; 0 where the block was counted."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    block = "block", array.__array_interface__["data"][0]
    if block in seen:
        return 0
    seen[block] = array
    return array.nbytes + (_of_many(array.ravel(), seen) if array.dtype == object else 0)


def _of_many(items: Sequence[Any] | np.ndarray, seen: dict[Hashable, object]) -> int:
    if not len(items):
        return 0
    sample = items[:: max(1, len(items) // _COUNTED)]
    return sum(_size(item, seen) for item in sample) * len(items) // len(sample)
