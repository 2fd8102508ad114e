"""Schedules that are made at once: at random, and by the paper's greedy rules."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Literal, get_args

import numpy as np
from scipy import sparse

from anonlib.analyses.schedules.schedule import Counts, Schedule, checked_programme, schedule_of
from anonlib.basics.budget import Stopwatch
from anonlib.basics.errors import InputError
from anonlib.basics.words import quoted

GreedyRule = Literal["published", "reference"]
RandomRule = Literal["seats", "reference"]
Move = tuple[int, int]
"""A slot, and how many people of the value at hand go there."""


def random_schedule(
    frequencies: Counts, capacities: Counts, rng: np.random.Generator, *, rule: RandomRule = "seats"
) -> Schedule:
    """People put on places at random, as capacities allow.

    Parameters
    ----------
    frequencies : Counts
        (Q,) people of each quasi-identifier value.
    capacities : Counts
        (R,) places of each slot.
    rng : np.random.Generator
        Draws the schedule.
    rule : RandomRule, default "seats"
        ``seats``: people are shuffled onto places; every place of every slot is equally likely for everyone.
        ``reference``: as the authors' program does. Again and again a value and a slot are drawn, each equally likely
        however many people or places it has; if one has none left, the next in the list that has is taken. Table 10 is
        of this rule; over the other, the same heuristic gains up to two points less there.

    Returns
    -------
    Schedule

    Raises
    ------
    InputError
        For counts that are not whole, and if people outnumber places.

    References
    ----------
    Caballero et al. 2017, section 8.1.
    """
    stopwatch = Stopwatch()
    people, seats = checked_programme(frequencies, capacities)
    _check_rule(rule, RandomRule)
    if rule == "seats":
        value = np.repeat(np.arange(len(people)), people)
        ends = np.cumsum(seats)
        place = rng.choice(int(seats.sum()), size=len(value), replace=False)
        slot = np.searchsorted(ends, place, side="right")
        method = "random"
    else:
        value, slot = _drawn(people, rng), _drawn(seats, rng, int(people.sum()))
        method = "random_reference"
    return schedule_of(method, _cells(value, slot, np.ones(len(value)), people, seats), stopwatch.seconds)


def greedy_schedule(frequencies: Counts, capacities: Counts, *, rule: GreedyRule = "published") -> Schedule:
    """One value after another, the most frequent first, is given slots by a simple rule.

    About R + Q steps: a million people in 100,000 slots take less than a second.

    Parameters
    ----------
    frequencies : Counts
        (Q,) people of each quasi-identifier value.
    capacities : Counts
        (R,) places of each slot. Among equal values or slots the first is taken.
    rule : GreedyRule, default "published"
        With q people of a value still to place, ``published`` takes a slot of exactly q places; or, if one has more,
        the one with the most; or else the whole of the largest of at most q/2 places, and so on with the rest
        (Caballero et al. 2017, Algorithm 2). If the printed algorithm cannot go on, this one does: its loop ends when q
        is 0, if no slot has at most q/2 places the smallest is taken whole, and cells without people are no classes.
        ``reference`` is the rule of the authors' program, which Table 10 and the example of section 7 are of. The
        largest slots are taken until they cover q; they are filled, the smallest first, and the largest of them gets
        the rest.

    Returns
    -------
    Schedule
        Rows and columns in the order of ``frequencies`` and ``capacities``.

    Raises
    ------
    InputError
        For counts that are not whole, and if people outnumber places.

    Examples
    --------
    The running example of Caballero et al. 2017: the paper prints the vector (2, 3, 1, 1), which is of the program's
    rule. The printed algorithm leaves nobody alone.

    >>> for rule in ("reference", "published"):
    ...     vector = greedy_schedule([4, 4, 5, 2], [4, 2, 4, 3, 2], rule=rule).vector
    ...     print(vector.sizes.tolist(), vector.classes.tolist())
    [1, 2, 3, 4] [2, 3, 1, 1]
    [2, 3, 4] [2, 1, 2]
    """
    stopwatch = Stopwatch()
    people, seats = checked_programme(frequencies, capacities)
    _check_rule(rule, GreedyRule)
    place, method = (_published, "greedy") if rule == "published" else (_reference, "greedy_reference")
    free = _FreePlaces(seats)
    moves = [
        (value, slot, moved)
        for value in np.argsort(-people, kind="stable").tolist()
        for slot, moved in place(int(people[value]), free)
    ]
    value, slot, moved = np.array(moves, dtype=np.int64).reshape(-1, 3).T
    return schedule_of(method, _cells(value, slot, moved, people, seats), stopwatch.seconds)


class _FreePlaces:
    """Slots by the places they have left; those with as many are interchangeable, and given out in their order."""

    def __init__(self, seats: np.ndarray) -> None:
        order = np.argsort(seats, kind="stable")
        sizes, starts = np.unique(seats[order], return_index=True)
        slots = np.split(order, starts[1:])
        # Sorted lists of slots are heaps already.
        self._slots = {int(n): slots[i].tolist() for i, n in enumerate(sizes) if n > 0}
        self._sizes = list(self._slots)

    def __contains__(self, places: int) -> bool:
        return places in self._slots

    @property
    def most(self) -> int:
        return self._sizes[-1]

    def at_most(self, places: int) -> int:
        """The most places that a slot has up to so many; where all have more, the fewest that one has."""
        return self._sizes[max(bisect_right(self._sizes, places) - 1, 0)]

    def take(self, places: int) -> int:
        """The first slot with so many places left; it is no longer free."""
        slots = self._slots[places]
        slot = heappop(slots)
        if not slots:
            del self._slots[places]
            self._sizes.pop(bisect_right(self._sizes, places) - 1)
        return slot

    def put_back(self, slot: int, places: int) -> None:
        if places not in self._slots:
            self._slots[places] = []
            insort(self._sizes, places)
        heappush(self._slots[places], slot)


def _published(people: int, free: _FreePlaces) -> Iterator[Move]:
    while people:
        if people in free:
            places = people
        elif free.most > people:
            places = free.most
        else:
            places = free.at_most(people // 2)
        slot, moved = free.take(places), min(people, places)
        if places > moved:
            free.put_back(slot, places - moved)
        yield slot, moved
        people -= moved


def _reference(people: int, free: _FreePlaces) -> Iterator[Move]:
    """As the slots taken cover the people only with the last of them, fewer places are over than the smallest has.

    So filling them smallest first fills all but one: the largest, of equals the last.
    """
    taken = []
    while people > 0:
        places = free.most
        taken.append((free.take(places), places))
        people -= places
    over, most = -people, taken[0][1]
    last = max(i for i, (_, places) in enumerate(taken) if places == most)
    for i, (slot, places) in enumerate(taken):
        if over and i == last:
            free.put_back(slot, over)
            places -= over
        yield slot, places


def _drawn(counts: np.ndarray, rng: np.random.Generator, n: int | None = None) -> np.ndarray:
    """``n`` (all) of the units counted, in the order drawn: each time every entry is equally likely.

    An entry without any left stands for the next that has some, the first coming after the last.
    """
    left = counts.tolist()
    following = list(range(len(left)))  # the entry itself, or some entry on the way to the next that has any left
    draws = rng.integers(len(left), size=int(counts.sum()) if n is None else n) if left else np.zeros(0, np.int64)
    entries = draws.tolist()
    for i, entry in enumerate(entries):
        while not left[entry]:
            following[entry] = (entry + 1) % len(left) if following[entry] == entry else following[following[entry]]
            entry = following[entry]
        left[entry] -= 1
        entries[i] = entry
    return np.array(entries, dtype=np.int64)


def _cells(
    value: np.ndarray, slot: np.ndarray, moved: np.ndarray, people: np.ndarray, seats: np.ndarray
) -> sparse.csr_array:
    shape = (len(people), len(seats))
    return sparse.coo_array((moved.astype(np.int64), (value, slot)), shape=shape).tocsr()


def _check_rule(rule: str, rules: object) -> None:
    if rule not in get_args(rules):
        raise InputError(f"The rule must be {quoted(get_args(rules), 'or')}.", code="choice-unknown")
