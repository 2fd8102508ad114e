"""Vectors that no schedule can be better than, in closed form.

Both rest on the merge lemma: replacing two parts by their sum makes an anonymity vector smaller, since it takes a class
away at the smaller of the two sizes and changes nothing below it (docs/analyses/schedules.md has the proofs).
"""

from __future__ import annotations

import numpy as np

from anonlib.counting.classes import AnonymityVector, anonymity_vector


def column_plan(capacities: np.ndarray, people: int) -> np.ndarray:
    """(R,) the people in each slot that give the smallest vector if each slot took people of one value only.

    The smallest slots stay empty while the places to spare allow it; the rest to spare is taken from the largest, one
    place at a time, which levels them at the top. Needs at least ``people`` places.
    """
    order = np.argsort(capacities, kind="stable")
    loads = capacities[order]
    spare = int(loads.sum()) - people
    emptied = int(np.searchsorted(np.cumsum(loads), spare, side="right"))
    spare -= int(loads[:emptied].sum())
    loads[:emptied] = 0
    loads[emptied:] = _levelled(loads[emptied:], spare)
    plan = np.empty_like(loads)
    plan[order] = loads
    return plan


def _levelled(ascending: np.ndarray, spare: int) -> np.ndarray:
    """The values with ``spare`` taken from the largest, one at a time."""
    if spare == 0 or not len(ascending):
        return ascending
    # Lowering the last m to the height of the one before them takes this much.
    from_top = ascending[::-1]
    heights = np.append(from_top[1:], 0)
    taken = np.cumsum(from_top) - np.arange(1, len(from_top) + 1) * heights
    m = int(np.searchsorted(taken, spare)) + 1
    left = int(from_top[:m].sum()) - spare
    levelled = ascending.copy()
    levelled[-m:] = left // m
    levelled[len(levelled) - left % m :] += 1
    return levelled


def row_plan(frequencies: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Each value in as few nearly equal parts as slots of ``most`` places can hold: value and size of each part.

    No split of a value into parts of at most so many has a smaller vector: the least part can be no larger, no fewer
    parts can be as small as it, and so on up.
    """
    n_parts = -(-frequencies // most)
    part = np.arange(n_parts.sum()) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
    least, larger = np.divmod(frequencies, n_parts)
    values = np.repeat(np.arange(len(frequencies)), n_parts)
    return values, least[values] + (part < larger[values])


def lower_bound(frequencies: np.ndarray, capacities: np.ndarray) -> AnonymityVector:
    """No schedule has a smaller vector: the larger of that of the row plan and that of the column plan."""
    _, parts = row_plan(frequencies, int(capacities.max()))
    return max(anonymity_vector(parts), anonymity_vector(column_plan(capacities, int(frequencies.sum()))))
