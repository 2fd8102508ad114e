"""From coordinates of any kind to metres."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import shapely
from pyproj import CRS
from pyproj.exceptions import ProjError
from pyproj.network import set_network_enabled

from anonlib.analyses.regions.reading.layer import rows
from anonlib.basics.errors import InputError

set_network_enabled(False)  # no grids from the network, whatever the environment says

WGS84 = CRS.from_epsg(4326)
_ZONE = 6.0  # degrees: the width of a UTM zone


def in_degrees(xy: np.ndarray) -> np.ndarray:
    """Per point, whether it can be longitude (-180 to 180, or 0 to 360) and latitude."""
    return (xy[:, 0] >= -180) & (xy[:, 0] <= 360) & (np.abs(xy[:, 1]) <= 90)


def in_metres(geometry: gpd.GeoSeries, notes: list[str]) -> tuple[np.ndarray, CRS | None]:
    """One point a geometry (float64, n x 2) and the metric CRS it is in (None where the file names none)."""
    crs = geometry.crs
    projected = geometry
    if crs is not None and not _is_fit(crs):
        try:
            on_globe = geometry.to_crs(WGS84)
            _check_finite(on_globe)
            crs = fitting_crs(on_globe)
            projected = geometry.to_crs(crs)
            _check_finite(projected)
        except ProjError:
            raise InputError(
                "The coordinates cannot be projected to metres. Export the areas in WGS 84 (EPSG:4326).",
                code="coordinates-out-of-range",
            ) from None
        notes.append(f"Distances are measured in {_named(crs)}.")
    points = shapely.get_coordinates(_middles(projected.to_numpy()))
    return np.ascontiguousarray(points), crs


def _check_finite(geometry: gpd.GeoSeries) -> None:
    xy, owner = shapely.get_coordinates(geometry.to_numpy(), return_index=True)
    lost = np.zeros(len(geometry), dtype=bool)
    lost[owner[~np.isfinite(xy).all(axis=1)]] = True
    if lost.any():
        raise InputError(
            f"The coordinates of {rows(lost)} cannot be projected to metres. Check them and the coordinate system.",
            code="coordinates-out-of-range",
        )


def fitting_crs(on_globe: gpd.GeoSeries) -> CRS:
    """The UTM zone of data that is no wider than one, else an equal-area azimuthal projection around its middle."""
    lon, lat = shapely.get_coordinates(on_globe.to_numpy()).T
    west, width = _span(lon)
    middle = (west + width / 2 + 180) % 360 - 180
    south, north = float(lat.min()), float(lat.max())
    if width <= _ZONE and south >= -80 and north <= 84:
        zone = min(60, int((middle + 180) // 6) + 1)
        return CRS.from_epsg((32600 if south + north >= 0 else 32700) + zone)
    return CRS.from_dict(
        {"proj": "laea", "lat_0": round((south + north) / 2, 4), "lon_0": round(middle, 4), "datum": "WGS84"}
    )


def _span(lon: np.ndarray) -> tuple[float, float]:
    """The westernmost longitude and the width of the narrowest span of all, which may cross the date line."""
    around = np.sort(np.unique(lon % 360))
    gaps = np.diff(around, append=around[0] + 360)
    widest = int(gaps.argmax())
    return float(around[(widest + 1) % len(around)]), float(360 - gaps[widest])


def _is_fit(crs: CRS) -> bool:
    """Whether distances can be measured in a CRS: metres, and not the Mercator of web maps, which stretches them."""
    if not crs.is_projected or any(axis.unit_conversion_factor != 1 for axis in crs.axis_info[:2]):
        return False
    operation = crs.coordinate_operation
    method = "" if operation is None else operation.method_name.lower()
    return "mercator" not in method or "transverse" in method or "oblique" in method


def _named(crs: CRS) -> str:
    return "an equal-area projection around the middle of the areas" if crs.to_epsg() is None else crs.name


def _middles(shapes: np.ndarray) -> np.ndarray:
    """The centroid of each, or a point on its surface where the centroid is outside."""
    middles = shapely.centroid(shapes)
    outside = ~shapely.covers(shapes, middles)
    middles[outside] = shapely.point_on_surface(shapes[outside])
    return middles
