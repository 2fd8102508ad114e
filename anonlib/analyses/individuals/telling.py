"""The visits of a person that tell most: of all choices of so many, the one that fewest persons share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from anonlib.analyses.individuals.sharing import Sharing

MOST_CHOICES = 50_000
"""Most ways to choose so many visits of the person that are looked at; where there are more they are not counted."""
MOST_NUMBERS = 50
"""Most visits known at a time for which the most telling ones are looked for."""
_A_LOOK = 4_000_000  # cells at a time


@dataclass(frozen=True)
class Telling:
    """The so many visits that fewest persons share.

    Attributes
    ----------
    number : int
        How many visits are known.
    persons : int | None
        Who have rows like them; None where there are too many ways to choose them (:data:`MOST_CHOICES`).
    visits : tuple[int, ...]
        Their places among the visits, from 0, ascending; none where they are not counted. Of choices that tell as much,
        those that go on from the ones before, and else the first in time.
    """

    number: int
    persons: int | None
    visits: tuple[int, ...]


def most_telling(sharing: Sharing) -> Iterator[Telling]:
    """By how many visits are known, those that fewest share.

    Nobody is left by fewer persons than all visits leave: a choice that leaves no more is the least there is, and so
    is each that goes on from it.
    """
    n_visits = sharing.has.shape[1]
    least = sharing.size(np.asarray(sharing.has.all(axis=1)))
    before = _before(sharing.earlier, sharing.first)
    best: tuple[int, ...] = ()
    for number in range(1, min(n_visits, MOST_NUMBERS) + 1):
        best, persons = _extended(sharing, best, before)
        counted: int | None = persons
        if persons > least:
            if _n_choices(sharing, number) > MOST_CHOICES:
                counted = None
            else:
                other, fewer = _least_of_all(sharing, number, before, least)
                best, counted = (other, fewer) if fewer < persons else (best, persons)
        yield Telling(number, counted, best if counted is not None else ())
        if counted == least:
            return


def _before(earlier: np.ndarray, first: np.ndarray) -> list[int]:
    """Per visit the last one equal to it before it, -1 where there is none."""
    last: dict[int, int] = {}
    previous = []
    for place, kind in enumerate(first.tolist()):
        previous.append(last.get(kind, -1))
        last[kind] = place
    return previous


def _extended(sharing: Sharing, chosen: tuple[int, ...], before: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """A choice with the one more visit that leaves fewest persons, and how many these are."""
    who = sharing.has[:, list(chosen)].all(axis=1)
    may_follow = [place for place, equal in enumerate(before) if place not in chosen and (equal < 0 or equal in chosen)]
    left = sharing.persons[who] @ sharing.has[who][:, may_follow]
    fewest = int(np.argmin(left))
    return tuple(sorted((*chosen, may_follow[fewest]))), int(left[fewest])


def _n_choices(sharing: Sharing, number: int) -> int:
    """How many choices of so many visits there are, equal ones counted once; or more than :data:`MOST_CHOICES`."""
    times = np.bincount(sharing.first)
    ways = [1] + [0] * number
    for most in times[times > 0].tolist():
        ways = [min(sum(ways[max(0, size - most) : size + 1]), MOST_CHOICES + 1) for size in range(number + 1)]
    return ways[number]


def _least_of_all(sharing: Sharing, number: int, before: Sequence[int], least: int) -> tuple[tuple[int, ...], int]:
    """Of all choices of so many visits the first that fewest share, and how many these are."""
    has, persons = np.ascontiguousarray(sharing.has.T), sharing.persons
    at_once = max(1, _A_LOOK // max(1, len(persons)))
    best: tuple[int, ...] = ()
    fewest = int(persons.sum()) + 1
    choices = _choices(number, before)
    while chunk := list(islice(choices, at_once)):
        places = np.array(chunk, dtype=np.intp)
        who = has[places[:, 0]]
        for column in places[:, 1:].T:
            who = who & has[column]
        sizes = who @ persons
        first = int(np.argmin(sizes))
        if sizes[first] < fewest:
            best, fewest = chunk[first], int(sizes[first])
        if fewest == least:
            break
    return best, fewest


def _choices(number: int, before: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of so many visits in the order of time; of equal visits the earlier ones are chosen first."""

    def chosen_from(begun: tuple[int, ...], start: int) -> Iterator[tuple[int, ...]]:
        if len(begun) == number:
            yield begun
            return
        for place in range(start, len(before) - (number - len(begun)) + 1):
            if before[place] < 0 or before[place] in begun:
                yield from chosen_from((*begun, place), place + 1)

    yield from chosen_from((), 0)
