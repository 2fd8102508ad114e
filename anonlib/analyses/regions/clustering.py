"""Anonymity-driven clustering: sites moved to make the least anonymous regions less so (Croft et al. 2015, 3.2.2).

First comes what lies around a site, and where the people there draw it (section 3.2.2 as well); then the sites are
moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from scipy.sparse import csr_array
from scipy.spatial import Delaunay, QhullError, cKDTree

from anonlib.analyses.regions.aggregation import nearest_site
from anonlib.analyses.regions.areas import AreaClasses
from anonlib.analyses.regions.measures import region_counts
from anonlib.basics import checks
from anonlib.basics.progress import Progress
from anonlib.counting.classes.coding import tally_keys


def adjacent_sites(sites: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sites whose Voronoi cells touch each site's: of site i, the second array from first[i] up to first[i + 1].

    Sites on a line are adjacent to the ones before and after them.
    """
    apart = sites - sites.mean(axis=0)
    try:
        return Delaunay(apart).vertex_neighbor_vertices
    except (QhullError, ValueError):  # fewer than three, or on a line
        order = np.argsort(apart @ np.linalg.svd(apart, full_matrices=False)[2][0], kind="stable")
        pairs = np.concatenate([np.column_stack([order[:-1], order[1:]]), np.column_stack([order[1:], order[:-1]])])
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        return np.append(0, np.cumsum(np.bincount(pairs[:, 0], minlength=len(sites)))), pairs[:, 1]


def polygon_around(site: np.ndarray, adjacent: np.ndarray) -> shapely.Geometry:
    """The polygon of the sites adjacent to a site, in their order around it; a line or a point where they are too few.

    Around a site on the rim it may leave the site out, or cross itself.
    """
    if len(adjacent) < 3:
        return shapely.convex_hull(shapely.multipoints(adjacent))
    apart = adjacent - site
    return shapely.make_valid(shapely.polygons(adjacent[np.argsort(np.arctan2(apart[:, 1], apart[:, 0]))]))


def within(around: shapely.Geometry, points: np.ndarray, tolerance: float) -> np.ndarray:
    """bool, per point: whether it is in a geometry, on its border, or no farther than the tolerance from it."""
    inside = np.zeros(len(points), dtype=bool)
    if not around.is_empty:
        low_x, low_y, high_x, high_y = around.bounds
        near = np.flatnonzero((points[:, 0] >= low_x - tolerance) & (points[:, 0] <= high_x + tolerance))
        near = near[(points[near, 1] >= low_y - tolerance) & (points[near, 1] <= high_y + tolerance)]
        shapely.prepare(around)
        inside[near] = shapely.dwithin(around, shapely.points(points[near]), tolerance)
    return inside


def weighted_medians(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """float64, columns x 2: the coordinate-wise median of points that count as often as each column of weights says.

    ``weights`` is int64, points x columns, each column with a sum above 0 (Equations 18 and 19). Between the two middle
    ones, where the number is even, as in any median.
    """
    medians = np.empty((weights.shape[1], 2))
    for axis in (0, 1):
        order = np.argsort(points[:, axis], kind="stable")
        upto = np.cumsum(weights[order], axis=0)
        beyond = upto[-1] - upto
        lower, upper = (upto >= beyond).argmax(axis=0), (upto > beyond).argmax(axis=0)
        medians[:, axis] = (points[order[lower], axis] + points[order[upper], axis]) / 2
    return medians


def distances(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """float64, points x others."""
    return np.hypot(points[:, :1] - others[:, 0], points[:, 1:] - others[:, 1])


NO_RECORDS = np.iinfo(np.int64).max  # the level of a region without records: it is never the lowest
BLOCK = 2_000_000  # distances held at once
FEW = 16  # classes that tell most moves that cannot help


@dataclass(frozen=True, eq=False)
class Clustering:
    """Sites after anonymity-driven clustering, and how it went.

    The objective (Equation 14) is the anonymity first, the size of the smallest class of any region, and then how few
    regions are at it. A region without records has no anonymity.

    Attributes
    ----------
    sites : np.ndarray
        float64, sites x 2, in the areas' metric units. Sites that no area was nearest to are dropped at the start.
    moves : int
        How often a site was moved; each move raised the objective.
    passes : int
        How often the regions at the lowest anonymity were gone through.
    reason : str
        Why it ended: "reached k", "no move left", or "stopped" while it is under way.
    anonymity, at_anonymity : int
        The smallest class of any region, and how many regions have one of that size.
    anonymity_before, at_anonymity_before : int
        The same at the start.
    """

    sites: np.ndarray
    moves: int
    passes: int
    reason: str
    anonymity: int
    at_anonymity: int
    anonymity_before: int
    at_anonymity_before: int


def anonymity_driven_clustering(
    area_classes: AreaClasses, sites: np.ndarray, k: int, *, progress: Progress | None = None
) -> Clustering:
    """Move sites while that raises the anonymity of the least anonymous regions.

    Region by region of those at the lowest anonymity, and class by class of its smallest ones, the site is tried at the
    weighted median of the nearby areas that hold the class (Equations 18 and 19), and stays there if Equation 14 rises.
    Ends once every class has ``k`` records or more, or when nothing moved in a whole pass. It can end where it began:
    if every region has classes of one record, no single move lifts any of them.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area.
    sites : np.ndarray
        float, sites x 2, in the areas' metric units, such as those of balanced density.
    k : int
        Smallest class size wanted, 1 or more.
    progress : Progress, optional
        Called with the share of the present pass that is done (0 to 1) and the clustering so far; may raise to stop.

    Returns
    -------
    Clustering

    Raises
    ------
    InputError
        For k below 1.

    References
    ----------
    Croft et al. 2015, section 3.2.2.
    """
    k = checks.whole(k, "k", 1)
    regions = _Regions(area_classes, sites)
    before = regions.lowest()
    moves = passes = 0

    def so_far(reason: str) -> Clustering:
        return Clustering(regions.sites, moves, passes, reason, *regions.lowest(), *before)

    while (least := regions.lowest()[0]) < k:
        passes += 1
        moved = False
        at_lowest = np.flatnonzero(regions.level == least).tolist()
        for done, region in enumerate(at_lowest):
            if progress:
                progress(done / len(at_lowest), so_far("stopped"))
            if regions.level[region] == least and regions.improve(region):
                moves += 1
                moved = True
        if not moved:
            return so_far("no move left")
    return so_far("reached k")


@dataclass(frozen=True)
class _Change:
    """Regions after some areas change hands: their positions, levels and smallest classes."""

    regions: np.ndarray
    level: np.ndarray
    smallest: list[np.ndarray]


class _Regions:
    """The regions of some sites: what each needs to know to find out whether a move helps."""

    def __init__(self, area_classes: AreaClasses, sites: np.ndarray) -> None:
        self._points, self._counts = area_classes.areas.points, area_classes.counts
        self._x, self._y = np.ascontiguousarray(self._points.T)
        span = float(np.ptp(self._points, axis=0).max(initial=0.0))
        self._tolerance = 1e-9 * span  # medians lie on areas, and areas on the edges between medians
        self.sites, self.region = _used(self._points, np.asarray(sites, dtype=float))
        self.level, self._smallest = _levels(region_counts(self._counts, self.region, len(self.sites)))
        self._areas = np.split(np.argsort(self.region, kind="stable"), np.cumsum(np.bincount(self.region))[:-1])
        self._weak: list[np.ndarray | None] = [None] * len(self.sites)
        self._is_wanted = np.full(self._counts.shape[1], -1)
        self._look_around()

    def lowest(self) -> tuple[int, int]:
        """The anonymity of all regions and how many regions are at it (Equation 14); 0 without records."""
        least = int(self.level.min())
        return (0, 0) if least == NO_RECORDS else (least, int((self.level == least).sum()))

    def improve(self, region: int) -> bool:
        """Move the region's site for one of its smallest classes, where that raises the objective."""
        for spot in self._promising(region):
            if self._change(*self._after(region, spot)) is None:
                continue
            sites = self.sites.copy()
            sites[region] = spot
            exact = nearest_site(self._points, sites)  # where distances tie, as the aggregation will have it
            areas = np.flatnonzero(exact != self.region)
            change = self._change(areas, exact[areas])
            if change is not None:
                self._commit(sites, exact, change)
                return True
        return False

    def _commit(self, sites: np.ndarray, region: np.ndarray, change: _Change) -> None:
        self.sites, self.region = sites, region
        for i, changed in enumerate(change.regions.tolist()):
            self.level[changed] = change.level[i]
            self._smallest[changed] = change.smallest[i]
            self._areas[changed] = np.flatnonzero(region == changed)
            self._weak[changed] = None
        self._look_around()

    def _look_around(self) -> None:
        """Per area the distance to its site, and the nearest other site; the sites' adjacency is found when needed."""
        apart = self._points - self.sites[self.region]
        self._near = np.hypot(apart[:, 0], apart[:, 1])
        self._adjacent: tuple[np.ndarray, np.ndarray] | None = None
        if len(self.sites) > 1:
            distance, site = cKDTree(self.sites).query(self._points, k=2)
            other = np.arange(len(site)), np.where(site[:, 0] == self.region, 1, 0)
            self._other, self._to_other = site[other], distance[other]
        else:
            self._other, self._to_other = self.region, np.full(len(self._points), np.inf)

    def _promising(self, region: int) -> Iterator[np.ndarray]:
        """Where the smallest classes draw the region's site, without the places that cannot help."""
        near, classes = self._neighbourhood(region), self._smallest[region]
        for some in np.array_split(classes, 1 + len(classes) * min(16 * len(near), len(self._points)) // BLOCK):
            spots = weighted_medians(self._points[near], self._members(near, some))
            yield from spots[self._may_help(region, spots)]

    def _neighbourhood(self, region: int) -> np.ndarray:
        """The areas of the region and those in the polygon of the adjacent sites."""
        if self._adjacent is None:
            self._adjacent = adjacent_sites(self.sites)
        first, of = self._adjacent
        around = polygon_around(self.sites[region], self.sites[of[first[region] : first[region + 1]]])
        inside = within(around, self._points, self._tolerance)
        inside[self._areas[region]] = True
        return np.flatnonzero(inside)

    def _members(self, areas: np.ndarray, classes: np.ndarray) -> np.ndarray:
        """int64, areas x classes: records of some classes in some areas."""
        of, sizes, area = self._entries(areas)
        self._is_wanted[classes] = np.arange(len(classes))
        column = self._is_wanted[of]
        self._is_wanted[classes] = -1
        members = np.zeros((len(areas), len(classes)), dtype=np.int64)
        members[area[column >= 0], column[column >= 0]] = sizes[column >= 0]
        return members

    def _entries(self, areas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The classes in some areas, their sizes, and the position in ``areas`` of each."""
        start = self._counts.indptr[areas]
        many = self._counts.indptr[areas + 1] - start
        first = np.cumsum(many) - many
        entry = np.repeat(start - first, many) + np.arange(many.sum())
        return self._counts.indices[entry], self._counts.data[entry], np.repeat(np.arange(len(areas)), many)

    def _may_help(self, region: int, spots: np.ndarray) -> np.ndarray:
        """bool, per spot: whether a region at the lowest level might rise; where none can, the objective cannot."""
        own, others = self._areas[region], self._in_reach(region, spots)
        come = (distances(spots, self._points[others]) < self._near[others]).astype(float)
        go = (distances(spots, self._points[own]) > self._to_other[own]).astype(float)
        weak = np.concatenate([self._holds(others, region), self._own_weak(region)])
        may = self._may_rise(region, np.concatenate([others, own]), np.hstack([come, -go]), weak)
        donor, taker = self.region[others], self._other[own]
        for other in np.unique(np.concatenate([donor[come.any(axis=0)], taker[go.any(axis=0)]])).tolist():
            if self.level[other] == self.level[region]:
                given, taken = donor == other, taker == other
                own_weak = self._own_weak(other)[np.searchsorted(self._areas[other], others[given])]
                weak = np.concatenate([own_weak, self._holds(own[taken], other)])
                areas = np.concatenate([others[given], own[taken]])
                may |= self._may_rise(other, areas, np.hstack([-come[:, given], go[:, taken]]), weak)
        return may

    def _may_rise(self, region: int, areas: np.ndarray, change: np.ndarray, weak: np.ndarray) -> np.ndarray:
        """bool, per row of ``change`` (1 where an area comes, -1 where it goes): whether the region's level might rise.

        Each of its smallest classes must gain members or lose all. So the areas that come or go must hold as many of
        these classes as there are (``weak`` says how many each holds), which is soon seen; then class by class.
        """
        classes = self._smallest[region]
        may = np.abs(change) @ weak >= len(classes)
        for some in np.split(classes, range(FEW, len(classes), 16 * FEW)):
            if may.any():
                net = change[may] @ self._members(areas, some).astype(float)
                may[may] = ((net > 0) | (net == -self.level[region])).all(axis=1)
        return may

    def _own_weak(self, region: int) -> np.ndarray:
        """Per area of a region, how many of the region's smallest classes it holds."""
        known = self._weak[region]
        if known is None:
            known = self._weak[region] = self._holds(self._areas[region], region)
        return known

    def _holds(self, areas: np.ndarray, region: int) -> np.ndarray:
        """Per area, how many of a region's smallest classes it holds."""
        of, _, area = self._entries(areas)
        self._is_wanted[self._smallest[region]] = 0
        held = area[self._is_wanted[of] == 0]
        self._is_wanted[self._smallest[region]] = -1
        return np.bincount(held, minlength=len(areas)).astype(float)

    def _after(self, region: int, spot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The areas that change hands once the site is at the spot, and whose they are then."""
        own, others = self._areas[region], self._in_reach(region, spot[None])
        come = others[distances(spot[None], self._points[others])[0] < self._near[others]]
        go = own[distances(spot[None], self._points[own])[0] > self._to_other[own]]
        return np.concatenate([come, go]), np.concatenate([np.full(len(come), region), self._other[go]])

    def _in_reach(self, region: int, spots: np.ndarray) -> np.ndarray:
        """The areas of other regions that may be nearer to one of the spots than to their site."""
        (low_x, low_y), (high_x, high_y) = spots.min(axis=0), spots.max(axis=0)
        nearby = np.flatnonzero((self._x - self._near <= high_x) & (self._x + self._near >= low_x))
        y, near = self._y[nearby], self._near[nearby]
        nearby = nearby[(y - near <= high_y) & (y + near >= low_y)]
        return nearby[self.region[nearby] != region]

    def _change(self, areas: np.ndarray, new: np.ndarray) -> _Change | None:
        """What comes of areas changing hands; None where the objective does not rise, or a region is emptied.

        The objective rises just where no region falls below the lowest level and fewer of those that change are at it.
        """
        changed = np.unique(np.concatenate([self.region[areas], new]))
        if not changed.size:
            return None
        region = self.region.copy()
        region[areas] = new
        members = np.concatenate([self._areas[region] for region in changed.tolist()])
        place = np.searchsorted(changed, region[members])
        if not np.bincount(place, minlength=len(changed)).all():
            return None
        of, sizes, area = self._entries(members)
        shape = (len(changed), self._counts.shape[1])
        key, total = tally_keys(place[area] * shape[1] + of, shape[0] * shape[1], sizes)
        level = np.full(len(changed), NO_RECORDS)
        np.minimum.at(level, place[area], total[key])
        before, least = self.level[changed], self.level.min()
        emptied = (level == NO_RECORDS) & (before != NO_RECORDS)
        if emptied.any() or (level < least).any() or (level == least).sum() >= (before == least).sum():
            return None
        at = total[key] == level[place[area]]
        return _Change(changed, level, [np.unique(of[at & (place[area] == i)]) for i in range(len(changed))])


def _used(points: np.ndarray, sites: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sites that some area is nearest to, and the nearest of each area."""
    nearest = nearest_site(points, sites)
    used = np.unique(nearest)
    return (sites, nearest) if len(used) == len(sites) else _used(points, sites[used])


def _levels(counts: csr_array) -> tuple[np.ndarray, list[np.ndarray]]:
    """Per region the size of its smallest class, and which classes have it. A class without members is none."""
    counts.sort_indices()  # classes are tried in their order
    region = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    level = np.full(counts.shape[0], NO_RECORDS)
    np.minimum.at(level, region, counts.data)
    least = counts.data == level[region]
    ends = np.cumsum(np.bincount(region[least], minlength=counts.shape[0]))
    return level, np.split(counts.indices[least], ends[:-1])
