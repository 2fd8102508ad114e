"""Regions in levels: areas joined to regions, and these to larger ones, so that each level lies inside the next."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator

import numpy as np

from anonlib.analyses.regions.aggregation import region_names
from anonlib.analyses.regions.areas import Areas
from anonlib.analyses.regions.clustering import adjacent_sites
from anonlib.analyses.regions.measures import middles
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset

ELSEWHERE = "elsewhere"
"""The label of values that are none of the areas."""


def nested_regions(
    points: np.ndarray, people: np.ndarray, leasts: Iterable[float], together: np.ndarray | None = None
) -> Iterator[np.ndarray]:
    """Regions of areas, level by level, each region with so many people at least.

    The region of the fewest people is joined with the one beside it that is near and has few people itself (distance of
    the middles times the people of both), until none has fewer than the level's least. Regions are beside each other
    where the Voronoi cells of two of their areas touch. Depends on no record but through ``people``.

    Parameters
    ----------
    points : np.ndarray
        float, areas x 2, in metric units, no two alike.
    people : np.ndarray
        Who live in each area, 0 or more.
    leasts : Iterable[float]
        The least people in a region, by level, rising.
    together : np.ndarray, optional
        int, the region that each area is in from the start, such as its municipality; None: each is its own.

    Yields
    ------
    intp array, one item an area
        Position of its region, from 0 on, none of them empty; one region where all areas have fewer people.

    References
    ----------
    The cells, and what is beside what: Croft et al. 2015, section 3.3. How regions grow is Anonscope's own.

    Examples
    --------
    Four areas of 10 people on a line, and regions of 20:

    >>> points = np.array([[0.0, 0.0], [1.0, 0.0], [8.0, 0.0], [9.0, 0.0]])
    >>> [level.tolist() for level in nested_regions(points, np.full(4, 10), [20])]
    [[0, 0, 1, 1]]
    """
    regions = _Growing(points, people)
    if together is not None:
        regions.begin(together)
    for least in leasts:
        regions.grow(least)
        yield regions.of_area()


class _Growing:
    """Regions that are joined, by the position of one of their areas."""

    def __init__(self, points: np.ndarray, people: np.ndarray) -> None:
        first, other = adjacent_sites(points)
        self.beside = [set(other[first[i] : first[i + 1]].tolist()) for i in range(len(points))]
        self.people = people.astype(float).tolist()
        self.x, self.y = points.astype(float).T.tolist()
        self.areas = [1.0] * len(points)
        self.into = np.arange(len(points))
        self.queue = list(zip(self.people, range(len(points)), strict=True))
        heapq.heapify(self.queue)

    def begin(self, together: np.ndarray) -> None:
        """Join the areas of each region that is there from the start, beside each other or not."""
        first: dict[int, int] = {}
        for area, region in enumerate(together.tolist()):
            into = first.setdefault(region, area)
            if into != area:
                self._join(area, into)

    def grow(self, least: float) -> None:
        """Join regions until none has fewer people, or one is left."""
        while self.queue and self.queue[0][0] < least:
            people, region = heapq.heappop(self.queue)
            if self.into[region] == region and self.people[region] == people and self.beside[region]:
                self._join(region, min(self.beside[region], key=lambda other: (self._cost(region, other), other)))

    def of_area(self) -> np.ndarray:
        """intp, per area the position of its region, from 0 on."""
        while (further := self.into[self.into]).tolist() != self.into.tolist():
            self.into = further
        return np.unique(self.into, return_inverse=True)[1]

    def _cost(self, region: int, other: int) -> float:
        apart = math.hypot(self.x[region] - self.x[other], self.y[region] - self.y[other])
        return apart * (self.people[region] + self.people[other])

    def _join(self, region: int, other: int) -> None:
        a, b = self.areas[region], self.areas[other]
        self.x[other] = (self.x[region] * a + self.x[other] * b) / (a + b)
        self.y[other] = (self.y[region] * a + self.y[other] * b) / (a + b)
        self.areas[other] = a + b
        self.into[region] = other
        self.people[other] += self.people[region]
        for neighbour in self.beside[region]:
            self.beside[neighbour].discard(region)
            if neighbour != other:
                self.beside[neighbour].add(other)
                self.beside[other].add(neighbour)
        heapq.heappush(self.queue, (self.people[other], other))


def region_hierarchy(areas: Areas, data: Dataset, column: str) -> Hierarchy:
    """A hierarchy of the places in a column: regions that grow from level to level, the last one everything together.

    Each level has at least 1, 2 or 5 times a power of ten people in every region: it begins with the first of these
    that joins a tenth of the areas. Regions are numbered from north to south on each level. A value that is none of the
    areas is :data:`ELSEWHERE`.

    Parameters
    ----------
    areas : Areas
        The areas; where they do not say how many people live in each, the records in it are counted.
    data : Dataset
        The records.
    column : str
        The column that names their area.

    Returns
    -------
    Hierarchy
        Its levels say how many people a region has at least.
    """
    people = areas.population
    unit = "people"
    if people is None:
        counted = data.classes([column])
        records = dict(zip(counted.column(column), counted.counts.tolist(), strict=True))
        people, unit = np.array([records.get(area, 0) for area in areas.ids.tolist()], dtype=np.int64), data.unit
    recodings, called = [], []
    leasts = _leasts(people)
    for least, region_of_area in zip(leasts, nested_regions(areas.points, people, leasts), strict=True):
        number = int(region_of_area.max()) + 1
        if number < 2:
            break
        names = region_names(middles(areas.points, region_of_area, number))
        pairs = zip(areas.ids.tolist(), names[region_of_area].tolist(), strict=True)
        recodings.append(ValueMap(tuple(pairs), otherwise=ELSEWHERE))
        called.append(f"{number:,} regions of at least {least:,} {unit}")
    return Hierarchy(tuple(recodings), tuple(called)).with_top()


def _leasts(people: np.ndarray) -> list[int]:
    """1, 2, 5, 10, 20, ... from the first that a tenth of the areas is below, up to half of all people."""
    least = np.quantile(people, 0.1) if len(people) else 0
    steps = [digit * 10**power for power in range(12) for digit in (1, 2, 5)]
    return [step for step in steps if least < step <= people.sum() / 2]
