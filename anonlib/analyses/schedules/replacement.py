"""Another slot for somebody who cannot come to theirs, and what each choice costs in anonymity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse

from anonlib.analyses.schedules.rules import MaxDistance, OriginMix, Rule, SameRegion
from anonlib.analyses.schedules.schedule import Schedule, schedule_of
from anonlib.analyses.schedules.zones import of_part
from anonlib.basics.errors import InputError
from anonlib.counting.classes import AnonymityVector


@dataclass(frozen=True, eq=False)
class Replacements:
    """The slots that somebody can be given instead of their own, those where their like are first.

    Attributes
    ----------
    slot : int
        Their own.
    left_behind : int
        People of their value who stay in it.
    before : AnonymityVector
        The vector as it is.
    slots : np.ndarray
        (n,) other slots with a free place, best first: slots with people of the same value before those without, then
        by the vector after.
    peers : np.ndarray
        (n,) people of the same value in each.
    free : np.ndarray
        (n,) places that are free in each.
    after : tuple[AnonymityVector, ...]
        (n,) the vector with the person in it.
    keeps_rules : np.ndarray
        (n,) whether the rules allow it.
    keeps_k : np.ndarray
        (n,) whether the smallest class is then no smaller than what is promised.
    promised : int
        That smallest class.
    full : int
        Other slots without a free place.
    full_with_peers : int
        Those of them in which people of the same value are.
    """

    slot: int
    left_behind: int
    before: AnonymityVector
    slots: np.ndarray
    peers: np.ndarray
    free: np.ndarray
    after: tuple[AnonymityVector, ...]
    keeps_rules: np.ndarray
    keeps_k: np.ndarray
    promised: int
    full: int
    full_with_peers: int

    @property
    def keeps_promises(self) -> np.ndarray:
        """(n,) whether both the rules and the promised k are kept."""
        return self.keeps_rules & self.keeps_k

    def to_frame(self) -> pd.DataFrame:
        """One row a slot that can be given: its position, who is there, and what becomes of the classes."""
        return pd.DataFrame(
            {
                "slot": self.slots,
                "peers": self.peers,
                "free": self.free,
                "k": [vector.k for vector in self.after],
                "alone": [vector.people_below(2) for vector in self.after],
                "keeps_rules": self.keeps_rules,
                "keeps_k": self.keeps_k,
            }
        )


def replacements(
    schedule: Schedule,
    group: int,
    slot: int,
    capacities: np.ndarray,
    quasi_ids: np.ndarray,
    k: int,
    *,
    rules: Sequence[Rule] = (),
    may_go: np.ndarray | None = None,
) -> Replacements:
    """Where somebody of a group can go instead of their slot.

    Parameters
    ----------
    schedule : Schedule
        People of each group in each slot.
    group : int
        The person's.
    slot : int
        The one that they cannot attend.
    capacities : np.ndarray
        (R,) places of each slot.
    quasi_ids : np.ndarray
        (G,) the value of each group.
    k : int
        Smallest class size wanted. Promised is the smaller of it and of what the schedule has.
    rules : Sequence[Rule], default ()
        Of groups and slots.
    may_go : np.ndarray, optional
        (R,) the slots that come into question; by default all.

    Returns
    -------
    Replacements

    Raises
    ------
    InputError
        If nobody of the group is in the slot.

    References
    ----------
    Caballero et al. 2017, section 9, E1: alternatives “which already have people with the same identifier” come first.

    Examples
    --------
    Three people of one value and four of another: one of the first cannot come, and is not alone where their like are.

    >>> two = schedule_of("optimal", sparse.csr_array(np.array([[2, 1, 0], [0, 2, 2]])), 0.0)
    >>> offered = replacements(two, 0, 0, np.array([2, 4, 4]), np.arange(2), 2)
    >>> offered.slots.tolist(), offered.peers.tolist(), [vector.people_below(2) for vector in offered.after]
    ([1, 2], [1, 0], [1, 3])
    """
    cells = schedule.groups
    if cells[group, slot] < 1:
        raise InputError("Nobody of this group is in that slot.", code="value-unknown")
    load = np.asarray(cells.sum(axis=0)).ravel()
    value = int(quasi_ids[group])
    own = schedule.assignment[[value]].toarray()[0]
    others = np.arange(len(capacities)) != slot
    if may_go is not None:
        others &= may_go
    free = np.asarray(capacities) - load
    chosen = np.flatnonzero(others & (free > 0))
    promised = min(k, schedule.k)
    after = [_moved(schedule.vector, int(own[slot]), int(own[j])) for j in chosen.tolist()]
    order = [n for wanted in (True, False) for n in sorted(
        (n for n in range(len(chosen)) if (own[chosen[n]] > 0) == wanted), key=after.__getitem__
    )]  # fmt: skip
    ordered, after = chosen[order], [after[n] for n in order]
    is_full = others & (free <= 0) & (load > 0)
    kept = _rules_kept(cells, group, slot, ordered, np.asarray(capacities), rules)
    return Replacements(
        slot, int(own[slot]) - 1, schedule.vector, ordered, own[ordered], free[ordered], tuple(after), kept,
        np.array([vector.k >= promised for vector in after], dtype=bool), promised,
        int(is_full.sum()), int((is_full & (own > 0)).sum()),
    )  # fmt: skip


def _moved(vector: AnonymityVector, here: int, there: int) -> AnonymityVector:
    """The vector once somebody has gone from a class of one size to one of another, 0 for none."""
    counts = dict(zip(vector.sizes.tolist(), vector.classes.tolist(), strict=True))
    for size, more in ((here, -1), (here - 1, 1), (there, -1), (there + 1, 1)):
        counts[size] = counts.get(size, 0) + more
    sizes = np.array(sorted(size for size, classes in counts.items() if size > 0 and classes > 0), dtype=np.int64)
    return AnonymityVector(sizes, np.array([counts[size] for size in sizes.tolist()], dtype=np.int64))


def _rules_kept(
    cells: sparse.csr_array, group: int, slot: int, slots: np.ndarray, capacities: np.ndarray, rules: Sequence[Rule]
) -> np.ndarray:
    kept = np.ones(len(slots), dtype=bool)
    for rule in rules:
        if isinstance(rule, SameRegion | MaxDistance):
            own = of_part(rule, np.array([group]), slots)
            kept &= not isinstance(own, OriginMix) and own.allowed(1, len(slots))[0]
        elif isinstance(rule, OriginMix):
            kept &= _mix_kept(cells, group, slot, slots, capacities, rule)
    return kept


def _mix_kept(
    cells: sparse.csr_array, group: int, slot: int, slots: np.ndarray, capacities: np.ndarray, rule: OriginMix
) -> np.ndarray:
    """Whether the mix is kept in both slots, or at least broken in no slot in which it was kept."""
    origin = rule.codes(cells.shape[0])
    of_origin = sparse.csr_array((np.ones(len(origin), np.int64), (origin, np.arange(len(origin)))))
    by_origin = (of_origin @ cells).toarray()
    was_broken = rule.broken_by(by_origin, capacities)
    left = by_origin[:, [slot]].copy()
    left[origin[group]] -= 1
    if rule.broken_by(left, capacities[[slot]])[0] and not was_broken[slot]:
        return np.zeros(len(slots), dtype=bool)
    joined = by_origin[:, slots].copy()
    joined[origin[group]] += 1
    return ~rule.broken_by(joined, capacities[slots]) | was_broken[slots]


def with_moves(
    schedule: Schedule, moves: Sequence[tuple[int, int, int]], quasi_ids: np.ndarray, method: str | None = None
) -> Schedule:
    """A schedule in which single people have another slot.

    What was proven of the schedule is not of this one; the bound is of all schedules and stays.

    Parameters
    ----------
    schedule : Schedule
        The one before.
    moves : Sequence[tuple[int, int, int]]
        The group of each person, the slot that they leave and the one that they go to.
    quasi_ids : np.ndarray
        (G,) the value of each group.
    method : str, optional
        How it was made; by default as the one before.

    Returns
    -------
    Schedule
    """
    if not moves:
        return schedule
    group, leave, to = np.array(moves, dtype=np.int64).T
    ones = np.ones(len(moves), np.int64)
    change = sparse.coo_array(
        (np.concatenate([-ones, ones]), (np.concatenate([group, group]), np.concatenate([leave, to]))),
        shape=schedule.groups.shape,
    )
    groups = schedule.groups + sparse.csr_array(change)
    moved = schedule_of(method or schedule.method, groups, schedule.seconds, quasi_ids=quasi_ids)
    is_best = schedule.bound is not None and moved.vector == schedule.bound
    return replace(
        moved, bound=schedule.bound, proven=is_best,
        certified_prefix=None if schedule.bound is None else int(moved.vector.sizes.max(initial=0)) if is_best else 0,
    )  # fmt: skip
