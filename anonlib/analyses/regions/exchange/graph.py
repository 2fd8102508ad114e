"""Which areas are neighbours: the graph that regions are connected on."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import Delaunay, QhullError, cKDTree


def adjacency(points: np.ndarray) -> csr_array:
    """The Delaunay triangulation of the areas' points (float, areas x 2) as a symmetric int8 matrix of ones.

    It is connected. An area that is no corner of it, such as one that shares its point with another, is a neighbour
    of the nearest corner alone. Areas on one line, or fewer than three, are a path.
    """
    n = len(points)
    centred = points - points.mean(axis=0)
    try:
        triangles = Delaunay(centred).simplices if n > 2 else None
    except QhullError:
        triangles = None
    if triangles is None:
        return _symmetric(_path(centred), n)
    corners = np.unique(triangles)
    others = np.setdiff1d(np.arange(n), corners)
    nearest = corners[cKDTree(centred[corners]).query(centred[others])[1]] if others.size else others
    sides = [triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]
    return _symmetric(np.concatenate([*sides, np.column_stack([others, nearest])]), n)


def _path(centred: np.ndarray) -> np.ndarray:
    """Each area with the next along the line of the greatest extent."""
    direction = np.linalg.svd(centred, full_matrices=False)[2][0]
    along = np.argsort(centred @ direction, kind="stable")
    return np.column_stack([along[:-1], along[1:]])


def _symmetric(pairs: np.ndarray, n: int) -> csr_array:
    both = np.concatenate([pairs, pairs[:, ::-1]])
    matrix = csr_array((np.ones(len(both), dtype=np.int8), (both[:, 0], both[:, 1])), shape=(n, n))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


def without_stray_pieces(region: np.ndarray, points: np.ndarray, graph: csr_array) -> np.ndarray:
    """The regions (int, of each area), each connected: its largest piece stays, and the others go to a neighbour.

    A piece goes to the adjacent region whose areas are nearest in the mean; pieces amid pieces wait for their turn.
    """
    region = region.copy()
    a, b = _ends(graph)
    same = region[a] == region[b]
    n_pieces, piece = connected_components(csr_array((same[same], (a[same], b[same])), shape=graph.shape), False)
    size = np.bincount(piece, minlength=n_pieces)
    region_of_piece = np.zeros(n_pieces, dtype=region.dtype)
    region_of_piece[piece] = region
    largest_last = np.lexsort((size, region_of_piece))
    main = np.zeros(n_pieces, dtype=bool)
    main[largest_last[np.append(np.flatnonzero(np.diff(region_of_piece[largest_last])), n_pieces - 1)]] = True
    settled = main[piece]
    means = _means(points[settled], region[settled], int(region.max()) + 1)
    while not settled.all():
        beside = ~settled[a] & settled[b]
        for stray in np.unique(piece[a[beside]]):
            members = piece == stray
            near = np.unique(region[b[beside & members[a]]])
            apart = means[near] - points[members].mean(axis=0)
            region[members] = near[np.argmin(np.hypot(apart[:, 0], apart[:, 1]))]
        settled |= np.isin(piece, piece[a[beside]])
    return region


def cut_edges(region: np.ndarray, graph: csr_array) -> int:
    """How many neighbours are in different regions."""
    a, b = _ends(graph)
    return int(np.count_nonzero(region[a] != region[b])) // 2


def _ends(graph: csr_array) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr)), graph.indices


def _means(points: np.ndarray, region: np.ndarray, n: int) -> np.ndarray:
    sums = [np.bincount(region, points[:, axis], minlength=n) for axis in (0, 1)]
    return np.column_stack(sums) / np.bincount(region, minlength=n)[:, None]
