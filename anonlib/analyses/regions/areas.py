"""Areas: the small places a file names, each with a point, the people who live there and, where known, its outline."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import geopandas as gpd
import numpy as np
from pyproj import CRS


@dataclass(frozen=True, eq=False)
class Areas:
    """The initial regions that are aggregated (Croft et al. 2015, section 3).

    Attributes
    ----------
    ids : np.ndarray
        Object array of text, one an area, no two alike.
    points : np.ndarray
        float64, areas x 2: where each area is, in metres of ``crs`` (in the file's own units where no CRS is known). No
        two areas share a point.
    population : np.ndarray | None
        int64, the people who live in each area, 0 or more; None where the file does not say.
    places : gpd.GeoDataFrame
        One row an area in the order of ``ids``, with the geometry as given (point or polygon) in its own CRS.
    crs : CRS, optional
        The metric CRS of ``points``; None where no CRS is known.
    notes : tuple[str, ...], default ()
        A sentence on everything that was assumed or changed. No cell values.
    """

    ids: np.ndarray
    points: np.ndarray
    population: np.ndarray | None
    places: gpd.GeoDataFrame
    crs: CRS | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def have_outlines(self) -> bool:
        """Whether every area's geometry is a polygon."""
        return bool(self.places.geometry.geom_type.isin(("Polygon", "MultiPolygon")).all())

    @cached_property
    def key(self) -> str:
        """Names the content: the same key, the same areas."""
        digest = hashlib.sha256("\n".join(map(repr, self.ids.tolist())).encode())
        digest.update(self.points.tobytes())
        digest.update(b"" if self.population is None else self.population.tobytes())
        digest.update(b"".join(self.places.geometry.to_wkb()))
        digest.update("".join(map(str, (self.places.crs, self.crs))).encode())
        return digest.hexdigest()
