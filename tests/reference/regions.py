"""Aggregation of areas from its definitions, slow and obvious, over lists of records; and a made-up province.

Croft et al. 2015, sections 3.1 to 3.4. A record is (area, values): the area's name or None, and a tuple of values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from math import dist, log2, prod
from statistics import median

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely
from scipy.sparse import csr_array
from scipy.spatial import Voronoi

from anonlib.analyses.regions import AreaClasses, Areas, nearest_site
from anonlib.counting.classes import ClassTable

Record = tuple[str | None, tuple]
Site = tuple[float, float]


# --- what the library is given ----------------------------------------------------------------------------------------


def areas_at(points: Sequence[Site] | np.ndarray, population: Sequence[int] | np.ndarray | None = None) -> Areas:
    """Areas named A0, A1, ... at some points."""
    at = np.asarray(points, dtype=float).reshape(-1, 2)
    names = np.array([f"A{i}" for i in range(len(at))], dtype=object)
    people = None if population is None else np.asarray(population, dtype=np.int64)
    places = gpd.GeoDataFrame({"area": names}, geometry=gpd.points_from_xy(*at.T))
    return Areas(names, at, people, places)


def classes_at(
    points: Sequence[Site] | np.ndarray, counts: Sequence | np.ndarray, population: Sequence[int] | None = None
) -> AreaClasses:
    """Areas with so many records of each class: ``counts`` is areas x classes, every class with a record at least."""
    table = np.asarray(counts, dtype=np.int64)
    frame = pd.DataFrame({"class": [f"{i:04d}" for i in range(table.shape[1])]})
    classes = ClassTable.from_frame(frame, weights=table.sum(axis=0).tolist())
    return AreaClasses(areas_at(points, population), csr_array(table), classes, "area")


def province(n_areas: int, sizes: Sequence[int], seed: int = 0, vary: float = 0.0) -> AreaClasses:
    """A province as in section 4.1: 400 to 700 people an area, quasi-identifiers of so many values drawn for each.

    Most areas are in towns. With ``vary`` the distributions differ from place to place.
    """
    rng = np.random.default_rng(seed)
    towns = rng.uniform(0, 400_000, (12, 2))
    points = towns[rng.integers(0, 12, n_areas)] + rng.normal(0, 15_000, (n_areas, 2))
    people = rng.integers(400, 701, n_areas)
    combinations = np.array(list(product(*(range(size) for size in sizes))), dtype=int)
    chance = np.zeros((n_areas, len(combinations)))
    for j, size in enumerate(sizes):
        wave = np.sin(points @ rng.normal(0, 1 / 100_000, (2, size)))
        value = np.log(rng.dirichlet(np.full(size, 2.0))) + vary * wave
        chance = chance + value[:, combinations[:, j]]
    share = np.exp(chance)
    counts = rng.multinomial(people, share / share.sum(axis=1, keepdims=True))
    occurs = counts.sum(axis=0) > 0
    frame = pd.DataFrame({f"q{j}": combinations[occurs, j].astype(str) for j in range(len(sizes))})
    classes = ClassTable.from_frame(frame, weights=counts[:, occurs].sum(axis=0).tolist())
    assert classes.class_of_record is not None
    by_class = np.argsort(classes.class_of_record)
    return AreaClasses(areas_at(points, people), csr_array(counts[:, occurs][:, by_class]), classes, "area")


# --- numbers and measures ---------------------------------------------------------------------------------------------


def class_entropy(values: Sequence[tuple]) -> float:
    """Equation 1: f_j classes of size j each."""
    sizes = Counter(Counter(values).values())
    return -sum(f * j / len(values) * log2(j / len(values)) for j, f in sizes.items())


def max_combinations(values: Sequence[tuple]) -> int:
    """Equation 4."""
    return prod(len(set(column)) for column in zip(*values, strict=True))


def sizes_in(records: Sequence[Record], region_of: Mapping[str, Hashable]) -> Counter:
    """Records of each class in each region."""
    return Counter((region_of[area], values) for area, values in records if area is not None)


def left_out(records: Sequence[Record], region_of: Mapping[str, Hashable], k: int) -> int:
    return sum(size for size in sizes_in(records, region_of).values() if size < k)


def compactness(points: Mapping[str, Site], region_of: Mapping[str, Hashable]) -> float:
    """Equation 20, to the middle of each area's region: the median of either coordinate."""
    total = 0.0
    for area, place in points.items():
        same = [points[other] for other in points if region_of[other] == region_of[area]]
        total += dist(place, (median(x for x, _ in same), median(y for _, y in same)))
    return total


def discernibility(records: Sequence[Record], region_of: Mapping[str, Hashable], k: int) -> int:
    """Equation 21: each record that is not left out, and everyone it cannot be told from."""
    sizes = sizes_in(records, region_of)
    of_record = [sizes[region_of[area], values] for area, values in records if area is not None]
    return sum(size for size in of_record if size >= k)


def entropy(records: Sequence[Record], region_of: Mapping[str, Hashable]) -> float:
    """Equations 22 and 23, record by record."""
    total = 0.0
    for area, _ in records:
        same_area = sum(other == area for other, _ in records)
        same_region = sum(region_of[str(other)] == region_of[str(area)] for other, _ in records)
        total -= log2(same_area / same_region)
    return total


# --- anonymity-driven clustering --------------------------------------------------------------------------------------


def smallest(counts: np.ndarray) -> int | None:
    """The anonymity of a region: its smallest class that has a member."""
    return min((int(size) for size in counts if size > 0), default=None)


def objective(levels: Sequence[int | None], n_regions: int) -> int:
    """Equation 14: g |R| + (|R| - |R_g|)."""
    known = [level for level in levels if level is not None]
    least = min(known)
    return least * n_regions + n_regions - known.count(least)


def weighted_median(values: Sequence | np.ndarray, weights: Sequence | np.ndarray) -> float:
    return float(np.median(np.repeat(values, weights)))


def neighbourhood(points: np.ndarray, sites: np.ndarray, region_of: np.ndarray, region: int) -> list[int]:
    """Areas of the region or in the polygon of the sites whose Voronoi cells touch its cell."""
    ridges = Voronoi(sites).ridge_points
    adjacent = [int(a + b - region) for a, b in ridges if region in (a, b)]
    clockwise = sorted(adjacent, key=lambda i: -np.angle(complex(*(sites[i] - sites[region]))))
    ring = sites[clockwise] if len(clockwise) > 2 else np.empty((0, 2))
    polygon = shapely.make_valid(shapely.Polygon(ring)).buffer(1e-6)
    return [i for i in range(len(points)) if region_of[i] == region or polygon.covers(shapely.Point(points[i]))]


def clustering(points: np.ndarray, counts: np.ndarray, sites: np.ndarray, k: int) -> tuple[np.ndarray, int, int]:
    """Sites, moves and passes: everything anew at every step. For sites in general position that all have areas."""
    sites, moves, passes = sites.copy(), 0, 0

    def levels_of(region_of: np.ndarray) -> list[int | None]:
        return [smallest(counts[region_of == region].sum(axis=0)) for region in range(len(sites))]

    def moved(region: int) -> np.ndarray | None:
        region_of = nearest_site(points, sites)
        before = levels_of(region_of)
        inside = counts[region_of == region].sum(axis=0)
        near = neighbourhood(points, sites, region_of, region)
        for one in np.flatnonzero(inside == smallest(inside)):
            tried = sites.copy()
            tried[region] = [weighted_median(points[near, axis], counts[near, one]) for axis in (0, 1)]
            new_region_of = nearest_site(points, tried)
            after = levels_of(new_region_of)
            emptied = set(region_of) != set(new_region_of) or any(
                now is None and then is not None for then, now in zip(before, after, strict=True)
            )
            if not emptied and objective(after, len(sites)) > objective(before, len(sites)):
                return tried
        return None

    while (least := min(level for level in levels_of(nearest_site(points, sites)) if level is not None)) < k:
        passes, moves_before = passes + 1, moves
        for region, at_start in enumerate(levels_of(nearest_site(points, sites))):
            now = levels_of(nearest_site(points, sites))
            if min(level for level in now if level is not None) > least:
                break
            if at_start == now[region] == least and (tried := moved(region)) is not None:
                sites, moves = tried, moves + 1
        if moves == moves_before:
            break
    return sites, moves, passes
