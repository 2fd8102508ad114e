"""A good schedule where some values are too small to be made of whole slots, in milliseconds for any programme."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.solver.bounds import row_plan
from anonlib.analyses.schedules.solver.deadline import A_LOOK
from anonlib.analyses.schedules.solver.fill import MayGoOn, pack
from anonlib.analyses.schedules.solver.kernel import apart

_TRIES = 6
_STEPS = 40  # so many numbers of small values are tried
Place = Callable[[np.ndarray, np.ndarray], np.ndarray | None]
"""From the small values' people and the places of the slots to a slot for each value; None if there is no room."""


def mixed(
    frequencies: np.ndarray,
    loads: np.ndarray,
    rng: np.random.Generator,
    offer: Callable[[sparse.csr_array], None],
    may_go_on: MayGoOn,
) -> None:
    """Offer schedules in which values up to some size go to a slot whole, and what they leave of it to larger values.

    ``loads`` is the column plan. The fewer values are placed so the better, as far as the larger ones can then be made
    of the parts there are. The small ones either each take a slot with a large value, or fill slots together. One that
    no slot holds is cut into as few equal parts as slots hold.
    """
    ascending = np.argsort(frequencies, kind="stable")
    together = partial(_together, rng=rng, may_go_on=may_go_on)
    for place in (_apart, together):
        best = len(frequencies) + 1
        for n_small in _looks(len(frequencies)):
            if n_small >= best or not may_go_on(A_LOOK):
                break
            cells = _placed(frequencies, loads, ascending[:n_small], place, rng, may_go_on)
            if cells is not None:
                offer(cells)
                best = n_small


def _looks(n: int) -> list[int]:
    """Numbers from 0 to n to try, ascending: closer together among the small ones."""
    return sorted({round(n * (step / _STEPS) ** 2) for step in range(_STEPS + 1)})


def _placed(
    frequencies: np.ndarray,
    loads: np.ndarray,
    small: np.ndarray,
    place: Place,
    rng: np.random.Generator,
    may_go_on: MayGoOn,
) -> sparse.csr_array | None:
    """The schedule in which just the small values go whole to a slot; None if the others cannot be packed."""
    which, people = row_plan(frequencies[small], int(loads.max()))
    whole = small[which]
    slots = place(people, loads)
    if slots is None:
        return None
    left = loads - np.bincount(slots, weights=people, minlength=len(loads)).astype(np.int64)
    is_large = np.ones(len(frequencies), dtype=bool)
    is_large[small] = False
    large = np.flatnonzero(is_large)
    rest = np.flatnonzero(left)
    target = pack(left[rest], frequencies[large], rng, _TRIES, may_go_on) if len(large) else np.empty(0, np.int64)
    if target is None or (not len(large) and len(rest)):
        return None
    cells = np.concatenate([people, left[rest]])
    values = np.concatenate([whole, large[target]])
    return sparse.csr_array((cells, (values, np.concatenate([slots, rest]))), shape=(len(frequencies), len(loads)))


def _apart(people: np.ndarray, loads: np.ndarray) -> np.ndarray | None:
    """Each fills a slot of its size, or else takes the slot with most places left."""
    slots = np.empty(len(people), np.int64)
    return slots if apart(people, np.argsort(-people, kind="stable"), loads, slots) else None


def _together(people: np.ndarray, loads: np.ndarray, rng: np.random.Generator, may_go_on: MayGoOn) -> np.ndarray | None:
    """They fill the largest slots, as few as hold them, but for what the last ones have left."""
    largest = np.argsort(-loads, kind="stable")
    n_slots = min(len(loads), int(np.searchsorted(np.cumsum(loads[largest]), people.sum())) + 1)
    target = pack(people, loads[largest[:n_slots]], rng, _TRIES, may_go_on) if len(people) else np.empty(0, np.int64)
    return None if target is None else largest[target]
