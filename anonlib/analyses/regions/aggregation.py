"""An aggregation: which region each area is in, and what that keeps, costs and leaves out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from anonlib.analyses.regions import measures
from anonlib.analyses.regions.areas import AreaClasses
from anonlib.analyses.regions.measures import Measures
from anonlib.analyses.regions.spatial import SpatialAnonymity, most_people, released_by_area, spatial_anonymity
from anonlib.basics import checks
from anonlib.counting.classes.coding import sum_by


@dataclass(frozen=True, eq=False)
class Aggregation:
    """Areas aggregated to regions, and the records that must be left out for k.

    Attributes
    ----------
    area_classes : AreaClasses
        What was aggregated.
    k : int
        The least size of a class of quasi-identifiers within a region.
    sites : np.ndarray
        float64, regions x 2, in the areas' metric units: what each region's areas are nearest to, or, where regions did
        not grow from sites, their middles.
    region_of_area : np.ndarray
        int32, per area the position of its region, 0 to regions - 1; no region is empty.
    method : str, default ""
        How the regions came about, in a word.
    asked : int, default 0
        How many sites were asked for; sites that no area is nearest to have no region.
    seconds : float, default 0.0
        Time from the choice of sites to here.
    improves_all : bool, optional
        Of an exchange, whether all four measures are better than at its start; None otherwise.
    withheld : np.ndarray, optional
        bool, one item a region: all of its records are left out, whatever their class. None where no region is.
    labels : np.ndarray, optional
        Object array of text, what each region is called where it has a name; no two alike.
    """

    area_classes: AreaClasses
    k: int
    sites: np.ndarray
    region_of_area: np.ndarray
    method: str = ""
    asked: int = 0
    seconds: float = 0.0
    improves_all: bool | None = None
    withheld: np.ndarray | None = None
    labels: np.ndarray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checks.whole(self.k, "k", 1))

    @property
    def releases_nothing(self) -> bool:
        """Whether every region is withheld."""
        return self.withheld is not None and bool(self.withheld.all())

    @property
    def n_regions(self) -> int:
        """Regions, none of them empty."""
        return len(self.sites)

    @cached_property
    def counts(self) -> csr_array:
        """int64, sparse, regions x classes: records of each class in each region."""
        return measures.region_counts(self.area_classes.counts, self.region_of_area, self.n_regions)

    @cached_property
    def released(self) -> csr_array:
        """int64, sparse, regions x classes, no entry 0: the classes of k or more in what is not withheld."""
        counts = self.counts
        stays = counts.data >= self.k
        if self.withheld is not None:
            stays &= ~self.withheld[self._region_of_entry]
        kept = csr_array(
            (np.where(stays, counts.data, 0), counts.indices, counts.indptr), shape=counts.shape, copy=True
        )
        kept.eliminate_zeros()
        return kept

    @cached_property
    def middles(self) -> np.ndarray:
        """float64, regions x 2: the coordinate-wise median of each region's points; compactness is measured to it."""
        return measures.middles(self.area_classes.areas.points, self.region_of_area, self.n_regions)

    @cached_property
    def measures(self) -> Measures:
        """What the aggregation keeps, costs and leaves out."""
        points, counts, n_records = self.area_classes.areas.points, self.counts, self.area_classes.n_records
        return Measures(
            regions=self.n_regions,
            left_out=n_records - int(self.released.sum()),
            n_records=n_records,
            compactness=measures.compactness(points, self.middles, self.region_of_area),
            discernibility=measures.discernibility(self.released, self.k),
            entropy=measures.non_uniform_entropy(self.area_classes.records, self.region_of_area, self.n_regions),
            anonymity=int(counts.data.min()) if counts.nnz else 0,
            seconds=self.seconds,
            withheld=0 if self.withheld is None else int(self.withheld.sum()),
        )

    @cached_property
    def spatial(self) -> SpatialAnonymity:
        """Among how many people a released record may be, and how often its area is guessed."""
        counted = self.area_classes
        released = released_by_area(counted.counts, self.region_of_area, self.released)
        return spatial_anonymity(
            released, counted.population, self.region_of_area, known=counted.areas.population is not None
        )

    @cached_property
    def largest_area(self) -> np.ndarray:
        """float64, the share of each region's people, in [0, 1], who live in its area of the most; 1 if nobody does."""
        most = most_people(self.area_classes.population, self.region_of_area, self.n_regions)
        return np.where(self.population > 0, most / np.maximum(self.population, 1), 1.0)

    @cached_property
    def areas_of_region(self) -> np.ndarray:
        """int64, areas in each region."""
        return np.bincount(self.region_of_area, minlength=self.n_regions)

    @cached_property
    def population(self) -> np.ndarray:
        """int64, people in each region."""
        return sum_by(self.region_of_area, self.n_regions, self.area_classes.population)

    @cached_property
    def records(self) -> np.ndarray:
        """int64, records in each region."""
        return sum_by(self.region_of_area, self.n_regions, self.area_classes.records)

    @cached_property
    def left_out(self) -> np.ndarray:
        """int64, records of each region in classes below k; all of them where it is withheld."""
        return self.records - np.asarray(self.released.sum(axis=1), dtype=np.int64)

    @cached_property
    def smallest_class(self) -> np.ndarray:
        """int64, the size of each region's smallest class; 0 where it has no records."""
        least = np.full(self.n_regions, np.iinfo(np.int64).max)
        np.minimum.at(least, self._region_of_entry, self.counts.data)
        return np.where(self.records > 0, least, 0)

    @property
    def _region_of_entry(self) -> np.ndarray:
        return np.repeat(np.arange(self.n_regions), np.diff(self.counts.indptr))

    @cached_property
    def names(self) -> np.ndarray:
        """object array of text: ``labels``, or ``R1`` to ``R9``, ``R01`` to ``R99`` from north to south."""
        return region_names(self.sites) if self.labels is None else self.labels

    @cached_property
    def key(self) -> str:
        """Names the content: the same key, the same regions of the same records."""
        given = tuple(None if part is None else part.tolist() for part in (self.withheld, self.labels))
        parts = (self.area_classes.key, self.k, self.asked, self.shape_key, given)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass") + self.sites.tobytes()).hexdigest()

    @cached_property
    def shape_key(self) -> str:
        """Names which area is in which region, whatever is counted in them."""
        return hashlib.sha256(self.area_classes.areas.key.encode() + self.region_of_area.tobytes()).hexdigest()

    def to_frame(self) -> pd.DataFrame:
        """One row a region: ``region``, ``areas``, ``people``, ``records``, ``smallest class``, ``left out``."""
        return pd.DataFrame(
            {
                "region": self.names,
                "areas": self.areas_of_region,
                "people": self.population,
                "records": self.records,
                "smallest class": self.smallest_class,
                "left out": self.left_out,
            }
        )

    def area_table(self) -> pd.DataFrame:
        """One row an area: ``area`` and its ``region``, missing where that is withheld."""
        names = self.names.copy()
        if self.withheld is not None:
            names[self.withheld] = None
        return pd.DataFrame({"area": self.area_classes.areas.ids, "region": names[self.region_of_area]})


def region_names(points: np.ndarray) -> np.ndarray:
    """What regions at some points are called: ``R1`` to ``R9``, ``R01`` to ``R99``; from north to south.

    Parameters
    ----------
    points : np.ndarray
        float, regions x 2.

    Returns
    -------
    object array of text, one item a region
    """
    names = np.empty(len(points), dtype=object)
    width = len(str(len(points)))
    names[np.lexsort((points[:, 0], -points[:, 1]))] = [f"R{i:0{width}d}" for i in range(1, len(points) + 1)]
    return names


def areas_as_they_are(area_classes: AreaClasses, k: int) -> Aggregation:
    """Every area a region of its own: what the records are before anything is aggregated.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area.
    k : int
        Smallest class size wanted.

    Returns
    -------
    Aggregation
    """
    n = area_classes.n_areas
    own = np.arange(n, dtype=np.int32)
    return Aggregation(area_classes, k, area_classes.areas.points, own, "areas as they are", asked=n)


Construction = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From points (areas x 2) and sites (sites x 2) to the position of each area's site."""


def nearest_site(points: np.ndarray, sites: np.ndarray) -> np.ndarray:
    """The site that each point is nearest to: the cell of the sites' Voronoi diagram in which it lies.

    Parameters
    ----------
    points : np.ndarray
        float, points x 2, in metric units.
    sites : np.ndarray
        float, sites x 2, in the same units.

    Returns
    -------
    intp array, one item a point
        Position of its site.

    References
    ----------
    Croft et al. 2015, section 3.3.

    Examples
    --------
    >>> nearest_site(np.array([[0.0, 1.0], [9.0, 0.0]]), np.array([[0.0, 0.0], [10.0, 0.0]])).tolist()
    [0, 1]
    """
    return cKDTree(sites).query(points)[1]


def voronoi_regions(
    area_classes: AreaClasses,
    sites: np.ndarray,
    k: int,
    *,
    method: str = "",
    construction: Construction = nearest_site,
) -> Aggregation:
    """Aggregate areas by the Voronoi cell of the sites in which their point lies.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area.
    sites : np.ndarray
        float, sites x 2, in the areas' metric units. Sites that no area is nearest to are dropped.
    k : int
        Smallest class size wanted.
    method : str, default ""
        The result's name.
    construction : Construction, default nearest_site
        From points and sites to the site of each point.

    Returns
    -------
    Aggregation

    References
    ----------
    Croft et al. 2015, section 3.3.
    """
    site_of_area = construction(area_classes.areas.points, sites)
    used = np.bincount(site_of_area, minlength=len(sites)) > 0
    region_of_area = (np.cumsum(used) - 1)[site_of_area].astype(np.int32)
    return Aggregation(area_classes, k, sites[used], region_of_area, method, asked=len(sites))
