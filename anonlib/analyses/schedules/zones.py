"""Programmes in which a part of the appointment stays: each date, say, is a programme of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from anonlib.analyses.schedules.index import improvement
from anonlib.analyses.schedules.rules import MaxDistance, OriginMix, Rule, SameRegion
from anonlib.analyses.schedules.schedule import Schedule, schedule_of
from anonlib.basics.budget import Stopwatch
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_alone, share_of
from anonlib.basics.words import count
from anonlib.counting.classes import AnonymityVector, anonymity_vector


@dataclass(frozen=True, eq=False)
class Zones:
    """Which people can go to which slots: those of their own zone.

    Attributes
    ----------
    labels : Sequence[str]
        (Z,) what each zone is called, such as a date.
    groups : np.ndarray
        (G,) the zone of each group.
    slots : np.ndarray
        (R,) the zone of each slot.
    """

    labels: Sequence[str]
    groups: np.ndarray
    slots: np.ndarray

    @staticmethod
    def of(groups: Sequence[str], slots: Sequence[str]) -> Zones:
        """Zones by labels of groups and slots, compared as text."""
        codes, labels = pd.factorize(np.array([*groups, *slots], dtype=object), sort=True)
        return Zones([str(label) for label in labels], codes[: len(groups)], codes[len(groups) :])

    def parts(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Zones with people: its number, the positions of its groups, and those of its slots."""
        by_zone = [np.argsort(of, kind="stable") for of in (self.groups, self.slots)]
        ends = [
            np.searchsorted(of[order], np.arange(len(self.labels) + 1))
            for of, order in zip((self.groups, self.slots), by_zone, strict=True)
        ]
        for zone in range(len(self.labels)):
            groups, slots = (order[end[zone] : end[zone + 1]] for order, end in zip(by_zone, ends, strict=True))
            if len(groups):
                yield zone, groups, slots

    def check_room(self, frequencies: np.ndarray, capacities: np.ndarray) -> None:
        """Check that each zone has as many places as people.

        Parameters
        ----------
        frequencies : np.ndarray
            (G,) people of each group.
        capacities : np.ndarray
            (R,) places of each slot.

        Raises
        ------
        InputError
            Names the zone that lacks most places.
        """
        people = np.bincount(self.groups, frequencies, len(self.labels)).astype(np.int64)
        places = np.bincount(self.slots, capacities, len(self.labels)).astype(np.int64)
        worst = int(np.argmax(people - places)) if len(self.labels) else 0
        if len(self.labels) and people[worst] > places[worst]:
            raise InputError(
                f"{count(int(people[worst]), 'people')} of “{self.labels[worst]}” have "
                f"{count(int(places[worst]), 'places')} there: "
                f"{count(int(people[worst] - places[worst]), 'places')} too few. Add slots or places there, or let "
                "this part of the appointment change.",
                code="slots-too-few",
            )

    def base(self, frequencies: np.ndarray, quasi_ids: np.ndarray) -> AnonymityVector:
        """The anonymity vector of what is known and the zone, before anything is chosen.

        Parameters
        ----------
        frequencies : np.ndarray
            (G,) people of each group.
        quasi_ids : np.ndarray
            (G,) the value of each group.

        Returns
        -------
        AnonymityVector
        """
        together = quasi_ids.astype(np.int64) * max(1, len(self.labels)) + self.groups
        of = np.unique(together, return_inverse=True)[1]
        return anonymity_vector(np.bincount(of, frequencies).astype(np.int64))


Solve = Callable[[np.ndarray, np.ndarray, np.ndarray, list[Rule], Progress], Schedule]
"""A schedule of one zone: from people of each group, places of each slot, the value of each group counted from 0, the
rules, and the progress to call."""
_REPORTS = 20  # times that what is put together so far is handed on


def by_zone(
    frequencies: np.ndarray,
    capacities: np.ndarray,
    quasi_ids: np.ndarray,
    zones: Zones,
    solve: Solve,
    *,
    rules: Sequence[Rule] = (),
    first: Schedule | None = None,
    progress: Progress = nobody,
) -> Schedule:
    """Each zone's schedule by itself, put together.

    A class is in one slot and so in one zone: the vector of all is the sum of the zones' vectors, and as v < v' gives
    v + w < v' + w, the sum of the optima is the optimum and the sum of bounds a bound.

    Parameters
    ----------
    frequencies : np.ndarray
        (G,) people of each group.
    capacities : np.ndarray
        (R,) places of each slot.
    quasi_ids : np.ndarray
        (G,) the value of each group.
    zones : Zones
        Which group and slot is of which zone.
    solve : Solve
        Makes the schedule of one.
    rules : Sequence[Rule], default ()
        Of all groups and slots.
    first : Schedule, optional
        What zones that are not solved yet have in what is reported on the way; without it only the share is.
    progress : Progress, default nobody
        Called after each zone.

    Returns
    -------
    Schedule
        Proven where that of every zone is.

    Raises
    ------
    InputError
        What ``solve`` raises.
    """
    stopwatch, shape = Stopwatch(), (len(frequencies), len(capacities))
    parts = list(zones.parts())
    solved: list[tuple[np.ndarray, np.ndarray, Schedule]] = []
    done, people, reported = 0, max(1, int(frequencies.sum())), 0
    for _, groups, slots in parts:
        values = np.unique(quasi_ids[groups], return_inverse=True)[1]
        begin, done = done, done + int(frequencies[groups].sum())
        of_this = share_alone(share_of(progress, begin / people, done / people))
        of_zone = [of_part(rule, groups, slots) for rule in rules]
        part = solve(frequencies[groups], capacities[slots], values, of_zone, of_this)
        solved.append((groups, slots, part))
        so_far = None
        if first is not None and reported < _REPORTS * done // people:
            reported = _REPORTS * done // people
            so_far = _Unsolved(first, solved, shape, quasi_ids, stopwatch).schedule
        progress(done / people, so_far)
    return _together(solved, shape, quasi_ids, stopwatch)


@dataclass(frozen=True, eq=False)
class _Unsolved:
    """Zones that are solved, and of the others what they have at first."""

    first: Schedule
    solved: Sequence[tuple[np.ndarray, np.ndarray, Schedule]]
    shape: tuple[int, int]
    quasi_ids: np.ndarray
    stopwatch: Stopwatch

    @property
    def schedule(self) -> Schedule:
        open_groups = np.ones(self.shape[0], dtype=bool)
        for groups, _, _ in self.solved:
            open_groups[groups] = False
        rest = self.first.groups.tocoo()
        stays = open_groups[rest.row]
        cells = _cells(self.solved, self.shape)
        rest = sparse.coo_array((rest.data[stays], (rest.row[stays], rest.col[stays])), shape=self.shape)
        return schedule_of(
            "optimal",
            cells + sparse.csr_array(rest),
            self.stopwatch.seconds,
            quasi_ids=self.quasi_ids,
            ended_early=True,
        )


def _cells(solved: Sequence[tuple[np.ndarray, np.ndarray, Schedule]], shape: tuple[int, int]) -> sparse.csr_array:
    entries = [(groups, slots, part.groups.tocoo()) for groups, slots, part in solved]
    row, column, data = (
        np.concatenate([np.zeros(0, np.int64), *pieces])
        for pieces in (
            [groups[cells.row] for groups, _, cells in entries],
            [slots[cells.col] for _, slots, cells in entries],
            [cells.data for *_, cells in entries],
        )
    )
    return sparse.csr_array((data, (row, column)), shape=shape, dtype=np.int64)


def _together(
    solved: Sequence[tuple[np.ndarray, np.ndarray, Schedule]],
    shape: tuple[int, int],
    quasi_ids: np.ndarray,
    stopwatch: Stopwatch,
) -> Schedule:
    parts = [part for *_, part in solved]
    proven = all(part.proven for part in parts)
    method = parts[0].method if parts else "optimal"
    bounds = [part.bound for part in parts if part.bound is not None]
    open_prefixes = [part.certified_prefix or 0 for part in parts if not part.proven]
    together = schedule_of(method, _cells(solved, shape), stopwatch.seconds, quasi_ids=quasi_ids)
    certificate: dict[str, object] = {}
    if bounds and len(bounds) == len(parts):
        longest = int(together.vector.sizes.max(initial=0))
        certificate = {
            "proven": proven,
            "certified_prefix": longest if proven else min(open_prefixes),
            "bound": sum_of_vectors(bounds),
            "ended_early": any(part.ended_early for part in parts),
        }
    return schedule_of(method, together.groups, together.seconds, quasi_ids=quasi_ids, **certificate)


def sum_of_vectors(vectors: Sequence[AnonymityVector]) -> AnonymityVector:
    """The anonymity vector of several programmes together.

    Parameters
    ----------
    vectors : Sequence[AnonymityVector]
        One a programme.

    Returns
    -------
    AnonymityVector
    """
    return anonymity_vector(np.concatenate([np.repeat(vector.sizes, vector.classes) for vector in vectors]))


def of_part(rule: Rule, groups: np.ndarray, slots: np.ndarray) -> Rule:
    """A rule of all, of some groups and slots alone.

    Parameters
    ----------
    rule : Rule
        What it asks of all.
    groups : np.ndarray
        Positions of groups.
    slots : np.ndarray
        Positions of slots.

    Returns
    -------
    Rule
    """
    if isinstance(rule, SameRegion):
        return SameRegion([rule.people[i] for i in groups.tolist()], [rule.slots[j] for j in slots.tolist()])
    if isinstance(rule, MaxDistance):
        people, theirs = (np.asarray(points, dtype=float) for points in (rule.people, rule.slots))
        return MaxDistance(people[groups], theirs[slots], rule.most, rule.metric)
    origins = [rule.origins[i] for i in groups.tolist()]
    return OriginMix(origins, rule.home, rule.share, rule.least, rule.of, rule.none_allowed)


def improvements(
    schedule: Schedule, over: Schedule, frequencies: np.ndarray, quasi_ids: np.ndarray, zones: Zones
) -> np.ndarray:
    """The improvement of one schedule over another in each zone, as Table 11 has it for each date.

    Parameters
    ----------
    schedule, over : Schedule
        The better and the worse one, of the same people and slots.
    frequencies : np.ndarray
        (G,) people of each group.
    quasi_ids : np.ndarray
        (G,) the value of each group.
    zones : Zones
        Which group and slot is of which zone.

    Returns
    -------
    np.ndarray
        float64, one a zone with people, -1 to 1: on the base of what is known alone.

    References
    ----------
    Caballero et al. 2017, sections 5.3 and 8.2.
    """
    gains = []
    for _, groups, slots in zones.parts():
        new, old = (anonymity_vector(_of_zone(part, groups, slots, quasi_ids)) for part in (schedule, over))
        values = np.unique(quasi_ids[groups], return_inverse=True)[1]
        base = anonymity_vector(np.bincount(values, frequencies[groups]).astype(np.int64))
        gains.append(improvement(new, old, base))
    return np.array(gains)


def _of_zone(schedule: Schedule, groups: np.ndarray, slots: np.ndarray, quasi_ids: np.ndarray) -> np.ndarray:
    """The class sizes of a zone."""
    cells = sparse.csr_array(schedule.assignment[np.unique(quasi_ids[groups])])[:, slots]
    return sparse.csr_array(cells).data
