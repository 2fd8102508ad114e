"""Lines across shapes: what tells them apart where colours do not, as on a grey print."""

from __future__ import annotations

import numpy as np
import shapely


def hatching(shapes: np.ndarray, spacing: float) -> np.ndarray:
    """Parallel lines that rise to the right, where they cross the shapes.

    Parameters
    ----------
    shapes : np.ndarray
        Object array of valid polygons.
    spacing : float
        Distance of the lines along x.

    Returns
    -------
    float array, lines x 2 x 2
        Both ends of each.
    """
    shapes = shapes[~shapely.is_empty(shapes)]
    if not len(shapes):
        return np.empty((0, 2, 2))
    low_x, low_y, high_x, high_y = shapely.total_bounds(shapes)
    tall = high_y - low_y
    at = spacing * np.arange(np.ceil((low_x - tall) / spacing), np.floor(high_x / spacing) + 1)
    ends = np.empty((len(at), 2, 2))
    ends[:, 0, 0], ends[:, 0, 1], ends[:, 1, 0], ends[:, 1, 1] = at, low_y, at + tall, high_y
    lines = shapely.linestrings(ends)
    line, shape = shapely.STRtree(shapes).query(lines, predicate="intersects")
    parts = shapely.get_parts(shapely.intersection(lines[line], shapes[shape]))
    is_line = shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING  # and not a corner that is touched
    return shapely.get_coordinates(parts[is_line]).reshape(-1, 2, 2)
