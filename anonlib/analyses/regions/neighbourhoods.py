"""What lies around a site, and where the people there draw it (Croft et al. 2015, section 3.2.2)."""

from __future__ import annotations

import numpy as np
import shapely
from scipy.spatial import Delaunay, QhullError


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
