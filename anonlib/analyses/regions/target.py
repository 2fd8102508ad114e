"""How many regions: what each number of them leaves out, and the most that leave out no more than a share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.regions.aggregation import Construction, nearest_site
from anonlib.analyses.regions.areas import AreaClasses
from anonlib.analyses.regions.choices import Placement, aggregate, balanced
from anonlib.analyses.regions.measures import Measures
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress

Points = tuple[tuple[int, Measures], ...]
"""Numbers of sites asked for, ascending, each with what came of it; ``measures.regions`` may be fewer."""

LOOK_BEYOND = 8


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
    measures : Measures
        What comes of it.
    points : Points
        All numbers tried.
    """

    share: float
    asked: int
    measures: Measures
    points: Points

    @property
    def is_kept(self) -> bool:
        """Whether no more than the share is left out."""
        return self.measures.share_left_out <= self.share


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
    curve: Points = (),
) -> Target:
    """The most regions found of whose records at most a share is left out; one region if none does.

    One region and all areas come first, and the points of a ``curve`` that is known already for the same areas, k and
    components. Then the gap above the largest number that will do is halved, by ratio, until it is closed, and a few
    numbers beyond it are tried as well.

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
    curve : Points, default ()
        Points known already.

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
    tried = dict(curve)

    def measured(numbers: Iterable[int]) -> None:
        new = [number for number in numbers if number not in tried]
        tried.update(left_out_curve(area_classes, k, new, placement=placement, construction=construction))

    def most() -> int:
        return max((number for number, measures in tried.items() if measures.share_left_out <= share), default=0)

    measured([1, area_classes.n_areas])
    while 0 < (number := most()) < area_classes.n_areas:
        above = min(other for other in tried if other > number)
        if above - number > 1:
            measured([max(number + 1, math.isqrt(number * above))])
            continue
        measured(range(number + 1, min(number + LOOK_BEYOND, area_classes.n_areas) + 1))
        if most() == number:
            break
    number = max(
        1, number
    )  # joining regions only makes classes larger: no other number leaves out less than one region
    return Target(share, number, tried[number], tuple(sorted(tried.items(), key=lambda point: point[0])))
