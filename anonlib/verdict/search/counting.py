"""What a search remembers, up to so many bytes."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np


class Kept:
    """Arrays by what they are of, the least lately used dropped beyond so many bytes."""

    def __init__(self, most: int) -> None:
        self.most, self.bytes = most, 0
        self._held: OrderedDict[tuple, np.ndarray] = OrderedDict()

    def get(self, key: tuple) -> np.ndarray | None:
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def keep(self, key: tuple, array: np.ndarray) -> None:
        self._held[key] = array
        self.bytes += array.nbytes
        while self.bytes > self.most and len(self._held) > 1:
            self.bytes -= self._held.popitem(last=False)[1].nbytes

    def forget(self, key: tuple) -> None:
        array = self._held.pop(key, None)
        self.bytes -= 0 if array is None else array.nbytes
