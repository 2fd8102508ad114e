"""What a state loses with those left out who must be, in compiled code: one pass over the rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled

FREE = -1  # the size of a slot with no class


class ClassSlots(NamedTuple):
    """Room for the classes of a state: a table by number, of a power of two of slots.

    Attributes
    ----------
    key : np.ndarray
        uint64, the number of the class in a slot.
    used : np.ndarray
        int64, per class the slot it is in, in the order they are met.
    size : np.ndarray
        int64, per slot the records of its class; below 0 where it is free.
    worth : np.ndarray
        float64, what the cells of these are worth.
    value : np.ndarray
        int32, per sensitive column and slot, the value that is met first in the class.
    mixed : np.ndarray
        bool, likewise: the class has another one too.
    """

    key: np.ndarray
    used: np.ndarray
    size: np.ndarray
    worth: np.ndarray
    value: np.ndarray
    mixed: np.ndarray


class ClassLimits(NamedTuple):
    """What every class must have.

    Attributes
    ----------
    least : int
        records.
    sensitive : np.ndarray
        int32, sensitive columns x rows, the codes of the values that may not be certain.
    harms : np.ndarray
        bool, all their values one column after the other: to be sure of it does harm.
    start : np.ndarray
        int64, per column where its values begin there.
    """

    least: int
    sensitive: np.ndarray
    harms: np.ndarray
    start: np.ndarray


@compiled
def must_go(
    keys: np.ndarray,
    worth: np.ndarray,
    counts: np.ndarray,
    codes: np.ndarray,
    changed: np.ndarray,
    start: np.ndarray,
    more_key: np.ndarray,
    more_worth: np.ndarray,
    asked: ClassLimits,
    slots: ClassSlots,
) -> tuple[int, float]:
    """How many records are in classes that lack something, and what their cells are worth.

    ``keys`` (uint64) and ``worth`` are those of the rows at a state, ``codes`` (int32, columns x rows) the values of
    all columns, ``changed`` the columns whose levels differ from it. What that adds to the key and the worth of each
    value of theirs stands in ``more_key`` and ``more_worth``, of each column from ``start`` on.
    """
    mask, half = np.uint64(len(slots.key) - 1), np.uint64(32)
    n_used = 0
    for row in range(len(keys)):
        if counts[row] == 0:
            continue
        key, of_cells = keys[row], worth[row]
        for i in range(len(changed)):
            place_of_value = start[i] + codes[changed[i], row]
            key += more_key[place_of_value]
            of_cells += more_worth[place_of_value]
        place = (key ^ (key >> half)) & mask
        while slots.size[place] != FREE and slots.key[place] != key:
            place = (place + np.uint64(1)) & mask
        if slots.size[place] == FREE:
            slots.key[place] = key
            slots.size[place] = 0
            slots.worth[place] = 0.0
            slots.used[n_used] = place
            n_used += 1
            for s in range(len(asked.sensitive)):
                slots.value[s, place] = asked.sensitive[s, row]
                slots.mixed[s, place] = False
        slots.size[place] += counts[row]
        slots.worth[place] += counts[row] * of_cells
        for s in range(len(asked.sensitive)):
            if slots.value[s, place] != asked.sensitive[s, row]:
                slots.mixed[s, place] = True
    records, lost = 0, 0.0
    for i in range(n_used):
        place = np.uint64(slots.used[i])
        lacks = slots.size[place] < asked.least
        for s in range(len(asked.sensitive)):
            lacks |= not slots.mixed[s, place] and asked.harms[asked.start[s] + slots.value[s, place]]
        if lacks:
            records += slots.size[place]
            lost += slots.worth[place]
        slots.size[place] = FREE
    return records, lost
