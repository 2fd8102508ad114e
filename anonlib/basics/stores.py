"""What was computed and may be asked for again, remembered within a bound of memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from threading import Lock, RLock
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Store(Generic[T]):
    """Values by their key; the ones used longest ago give way when together they take more than ``limit`` bytes.

    The newest stays, however large. Several threads may use a store: what one of them computes the others wait for.

    Parameters
    ----------
    limit
        Bytes of all values together.
    size_of
        The bytes of a value, without what it shares with the others that it is given.
    """

    def __init__(self, limit: int, size_of: Callable[[Any, Collection[object]], int]) -> None:
        self.limit = limit
        self.size = 0
        self._size_of = size_of
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._computing: dict[Hashable, RLock] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

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

    def _drop(self, key: Hashable) -> None:
        if key in self._values:
            self.size -= self._values.pop(key)[1]
