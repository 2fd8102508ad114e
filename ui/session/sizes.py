"""How much memory a value takes, as far as it is arrays, frames and text."""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray
from pandas.arrays import NumpyExtensionArray

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
            left += [*item.keys(), *item.values()]
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


def _of_many(items: Sequence | np.ndarray, seen: dict[Hashable, object]) -> int:
    if not len(items):
        return 0
    sample = items[:: max(1, len(items) // _COUNTED)]
    return sum(_size(item, seen) for item in sample) * len(items) // len(sample)
