"""How many regions: what each number of them leaves out, and the most that leave out no more than a share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np

from anonlib.analyses.regions.aggregation import Aggregation, Construction, nearest_site
from anonlib.analyses.regions.areas import AreaClasses
from anonlib.analyses.regions.choices import Placement, aggregate, balanced
from anonlib.analyses.regions.measures import Measures
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_alone, share_of

Points = tuple[tuple[int, Measures], ...]
"""Numbers of sites asked for, ascending, each with what came of it; ``measures.regions`` may be fewer."""

LOOK_BEYOND = 8
LEAST_TRIES, MOST_TRIES = 12, 24  # of numbers whose regions are searched for
TRIED_ENTRIES = 5e7  # of the matrix of areas and classes, in all tries: by work, not by the clock
FARTHER = 0.01  # of a number that was guessed, where the one before was too low as well, or too high


class RegionSearch(Protocol):
    """From placed regions to others of the same areas by a search that takes long, such as an exchange."""

    def __call__(self, start: Aggregation, /, *, progress: Progress) -> Aggregation:
        """Search.

        Parameters
        ----------
        start : Aggregation
            The regions to begin with. One region stays as it is.
        progress : Progress
            Called with the share done; may raise to stop.

        Returns
        -------
        Aggregation
            The same for the same start.
        """


@dataclass(frozen=True)
class Target:
    """The most regions found that leave out no more than a share of the records.

    What is left out rises with the number of regions, but not strictly: another number, never tried, may also do. Where
    even one region leaves out more, the target is that one, which leaves out the least there is, and ``is_kept`` is
    False.

    Attributes
    ----------
    share : float
        The share of the records that may be left out, in [0, 1].
    asked : int
        The largest number of sites tried that keeps to it; 1 where none does.
    aggregation : Aggregation
        The regions of that number, as they were when it was tried.
    points : Points
        All numbers tried.
    is_ended : bool, default True
        Whether the search went to its end: it is not under way, nor did it try the most numbers that it may.
    """

    share: float
    asked: int
    aggregation: Aggregation
    points: Points
    is_ended: bool = True

    @property
    def measures(self) -> Measures:
        """What comes of the number."""
        return self.aggregation.measures

    @property
    def is_kept(self) -> bool:
        """Whether no more than the share is left out."""
        return self.measures.share_left_out <= self.share

    @property
    def beyond(self) -> tuple[int, ...]:
        """The larger numbers tried, ascending: each leaves out more than the share."""
        return tuple(number for number, _ in self.points if number > self.asked)


def curve_numbers(n_areas: int, most: int = 24) -> tuple[int, ...]:
    """Numbers of sites to try, from 1 to the number of areas, spaced by a constant factor.

    Parameters
    ----------
    n_areas : int
        The largest number.
    most : int, default 24
        How many there are at most.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> curve_numbers(1000, most=4)
    (1, 10, 100, 1000)
    """
    return tuple(sorted({round(number) for number in np.geomspace(1, n_areas, most).tolist()}))


def left_out_curve(
    area_classes: AreaClasses,
    k: int,
    numbers: Iterable[int],
    *,
    placement: Placement = balanced,
    construction: Construction = nearest_site,
    progress: Progress | None = None,
) -> Points:
    """What each of some numbers of sites keeps, costs and leaves out.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    k : int
        Smallest class size wanted.
    numbers : Iterable[int]
        Numbers of sites.
    placement : Placement, default balanced
        From the areas, the number of sites and k to the sites.
    construction : Construction, default nearest_site
        From points and sites to the site of each point.
    progress : Progress, optional
        Called with the share done (0 to 1) and the points so far; may raise to stop.

    Returns
    -------
    Points

    Raises
    ------
    InputError
        As :func:`anonlib.analyses.regions.choices.aggregate`.

    References
    ----------
    Croft et al. 2015, section 5.1.
    """
    wanted = sorted(set(numbers))
    points: Points = ()
    for number in wanted:
        aggregation = aggregate(area_classes, k, number=number, placement=placement, construction=construction)
        points += ((number, aggregation.measures),)
        if progress:
            progress(len(points) / len(wanted), points)
    return points


def regions_for_target(
    area_classes: AreaClasses,
    k: int,
    share: float,
    *,
    placement: Placement = balanced,
    construction: Construction = nearest_site,
    search: RegionSearch | None = None,
    most_tries: int | None = None,
    curve: Points = (),
    progress: Progress = nobody,
) -> Target:
    """The most regions found of whose records at most a share is left out; one region if none does.

    Without a search, one region and all areas come first, and the points of a ``curve`` that is known already for the
    same areas, k and components. Then the gap above the largest number that will do is halved, by ratio, until it is
    closed, and a few numbers beyond it are tried as well.

    With a search, which takes long, the numbers to try are guessed: what the placed regions leave out, times the part
    of it that was left after the search at the numbers tried so far. The first is the target of the placed regions
    alone. Each number that is tried is tried in full, and the regions that are returned are those of its try.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    k : int
        Smallest class size wanted.
    share : float
        Share of the records that may be left out, in [0, 1].
    placement : Placement, default balanced
        From the areas, the number of sites and k to the sites.
    construction : Construction, default nearest_site
        From points and sites to the site of each point.
    search : RegionSearch, optional
        From the placed regions to those that are to keep to the share.
    most_tries : int, optional
        The most numbers whose regions are searched for, 1 or more; left out, from 12 to 24, fewer where there are many
        areas with many classes.
    curve : Points, default ()
        Points of the placed regions known already.
    progress : Progress, default nobody
        Called with the share done (0 to 1) of a search and, after each try, the target so far, None as long as none is
        kept; may raise to stop.

    Returns
    -------
    Target

    Raises
    ------
    InputError
        For a share outside [0, 1].
    """
    if not 0 <= checks.number(share, "The share of records that may be left out") <= 1:
        raise InputError("The share of records that may be left out must be from 0 to 1.", code="number-out-of-range")
    if most_tries is None:
        most_tries = int(np.clip(TRIED_ENTRIES // max(1, area_classes.counts.nnz), LEAST_TRIES, MOST_TRIES))
    most_tries = checks.whole(most_tries, "The most numbers to try", 1)
    n_areas = area_classes.n_areas

    def placed(number: int, _progress: Progress) -> Aggregation:
        return aggregate(area_classes, k, number=number, placement=placement, construction=construction)

    halving = _Tries(placed, share, n_areas, curve)
    halving.take([1, n_areas])
    while halving.most and (numbers := halving.numbers(halving.halfway)):
        halving.take(numbers)
    target = halving.target()
    if search is None:
        return target

    starts = dict(target.points)

    def searched(number: int, progress: Progress) -> Aggregation:
        start = placed(number, nobody)
        starts[number] = start.measures
        return search(start, progress=progress)

    tries = _Tries(searched, share, n_areas)
    numbers = [target.asked]
    while numbers and len(tries.tried) < most_tries:
        tries.take(numbers[: most_tries - len(tries.tried)], progress)
        numbers = tries.numbers(partial(tries.guess, starts))
    if not tries.most:
        tries.take([1])
    progress(1.0)
    return replace(tries.target(), is_ended=not numbers)


class _Tries:
    """Numbers of sites that were tried, and the regions of the largest that keeps to the share."""

    def __init__(
        self, regions_of: Callable[[int, Progress], Aggregation], share: float, n_areas: int, known: Points = ()
    ) -> None:
        self._regions_of, self._share, self._n_areas = regions_of, share, n_areas
        self.tried = dict(known)
        self._latest: list[bool] = []  # whether the share was kept to, by the latest tries
        self._best: tuple[int, Aggregation] | None = None

    @property
    def most(self) -> int:
        """The largest number that keeps to the share, 0 for none."""
        return max((number for number in self.tried if self._is_kept(number)), default=0)

    @property
    def _above(self) -> int:
        """The next larger number that was tried; what is one too large where there is none."""
        return min((number for number in self.tried if number > self.most), default=self._n_areas + 1)

    def _is_kept(self, number: int) -> bool:
        return self.tried[number].share_left_out <= self._share

    def take(self, numbers: Iterable[int], progress: Progress = nobody) -> None:
        """Try these numbers."""
        for number in [number for number in numbers if number not in self.tried]:
            done, expected = len(self.tried), self._expected()
            ahead = (done + 1) / (done + expected)
            aggregation = self._regions_of(number, share_alone(share_of(progress, done / (done + expected), ahead)))
            self.tried[number] = aggregation.measures
            self._latest.append(self._is_kept(number))
            if number == max(1, self.most):
                self._best = number, aggregation
            progress(ahead, replace(self.target(), is_ended=False) if self.most else None)

    def _expected(self) -> int:
        """About how many numbers are still to be tried, 1 or more."""
        return LOOK_BEYOND + 2 if self._above - self.most > 1 else max(1, len(self.numbers(lambda: 0)))

    def numbers(self, pick: Callable[[], int]) -> list[int]:
        """What to try next: a number in the gap above the largest that will do; once it is closed, those beyond."""
        if self._above - self.most > 1:
            return [pick()]
        beyond = range(self.most + 1, min(self.most + LOOK_BEYOND, self._n_areas) + 1) if self.most else ()
        return [number for number in beyond if number not in self.tried]

    def halfway(self) -> int:
        """The middle of the gap, by ratio."""
        return max(self.most + 1, math.isqrt(self.most * self._above))

    def guess(self, starts: dict[int, Measures]) -> int:
        """The number in the gap that should just keep to the share, by what the starts of searches leave out.

        Where guesses go on being too low, or too high, the next goes farther, by twice as much at a time.
        """
        numbers, known, tried = np.arange(self.most + 1, self._above), sorted(starts), sorted(self.tried)
        kept = [self.tried[n].left_out / starts[n].left_out if starts[n].left_out else 1.0 for n in tried]
        shares = np.interp(np.log(numbers), np.log(known), [starts[n].share_left_out for n in known])
        fit = np.flatnonzero(shares * np.interp(np.log(numbers), np.log(tried), kept) <= self._share)
        number = int(numbers[fit[-1]]) if fit.size else self.most + 1
        alike = next((i for i, kept in enumerate(self._latest[::-1]) if kept != self._latest[-1]), len(self._latest))
        farther = math.ceil(number * FARTHER * (2 ** (alike - 1) - 1))
        return int(np.clip(number + (farther if self._latest[-1] else -farther), numbers[0], numbers[-1]))

    def target(self) -> Target:
        """The largest number that keeps to the share, with its regions."""
        asked = max(1, self.most)  # joining regions only makes classes larger: none leaves out less than one region
        if self._best is None or self._best[0] != asked:  # known from a curve, without its regions
            self._best = asked, self._regions_of(asked, nobody)
        return Target(self._share, asked, self._best[1], tuple(sorted(self.tried.items(), key=lambda point: point[0])))
