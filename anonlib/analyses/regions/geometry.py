"""What regions look like on the ground: their outlines, for the map and as files to download.

All of it is in the metric CRS of the areas' points; files are transformed to the CRS they ask for when they are
written. No outline holds a site: a site can be the very point of one area, which the regions are there to hide.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely
from pyproj import CRS
from scipy.spatial import Voronoi
from shapely import GEOSException
from shapely.geometry.base import BaseGeometry

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.areas import Areas
from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import sum_by

Kind = Literal["dissolved", "voronoi"]

_CONCAVITY = 0.08  # of the longest distance between neighbours: what is farther apart is coast or empty land
_MARGIN = 0.5  # of the mean distance between areas: land around the outermost areas
_ALONE = 1_000.0  # metres: what counts as that distance where all areas are one point
_GRID = 2.0**-27  # of the extent: three centimetres of Canada
_MOST_VERTICES = 30_000  # of a map: half a megabyte on its way to the browser
_DOUBLINGS = 6  # of the tolerance: past that, small outlines would lose their shape
_DECIMALS = 6  # of a degree: a tenth of a metre
_WORLD_RADIUS = 12_700_000  # metres: all but the farthest point of an equal-area azimuthal projection
_WORLD = CRS.from_epsg(4326)


@dataclass(frozen=True, eq=False)
class Ground:
    """The ground that each area covers: what the outlines of any aggregation of the areas are put together from.

    ``cells`` is an object array, one polygon an area, in the CRS of the areas' points.
    """

    areas: Areas
    cells: np.ndarray

    @cached_property
    def is_coverage(self) -> bool:
        """Whether neighbours share their borders exactly, without gap or overlap."""
        return bool(shapely.coverage_is_valid(self.cells))

    @cached_property
    def hull(self) -> BaseGeometry:
        """All cells together."""
        return _union(self.cells, self.is_coverage)

    def to_frame(self) -> gpd.GeoDataFrame:
        """One row an area: ``area`` and its cell."""
        return gpd.GeoDataFrame({"area": self.areas.ids}, geometry=self.cells, crs=self.areas.crs)


def ground(areas: Areas) -> Ground:
    """The ground of each area: its own polygon or, where areas are points, what is nearer to it than to any other.

    Points' cells end at a concave hull around all points, so that coasts and empty land stay visible. Takes about
    half a second for 18,000 areas: keep it, the areas of a session do not change.
    """
    if areas.have_outlines:
        places = areas.places.geometry
        shapes = places if areas.crs is None or places.crs is None else places.to_crs(areas.crs)
        cells = shapes.to_numpy(dtype=object, copy=True)
        broken = ~shapely.is_valid(cells)
        cells[broken] = shapely.make_valid(cells[broken], method="structure", keep_collapsed=False)
        return Ground(areas, cells)
    return Ground(areas, _voronoi(areas.points, _around(areas.points)))


def outlines(aggregation: Aggregation, kind: Kind = "dissolved", on: Ground | None = None) -> gpd.GeoDataFrame:
    """The outline of each region, with what :meth:`Aggregation.to_frame` says of it, in the CRS of the areas' points.

    Parameters
    ----------
    aggregation : Aggregation
        R regions.
    kind : Kind, default "dissolved"
        "dissolved" puts the areas' own ground together, whatever shape that gives; "voronoi" gives the cells of the
        sites' Voronoi diagram (Croft et al. 2015, section 3.3), whose borders may run through areas' polygons.
    on : Ground, optional
        The ground of the areas, where it is at hand.

    Returns
    -------
    R rows: ``region``, ``areas``, ``people``, ``records``, ``smallest class``, ``left out`` and the geometry.
    """
    land = ground(aggregation.area_classes.areas) if on is None else on
    if kind == "voronoi":
        shapes = _voronoi(aggregation.sites, land.hull)
    else:
        shapes = _dissolve(land, aggregation.region_of_area, aggregation.n_regions)
    return gpd.GeoDataFrame(aggregation.to_frame(), geometry=shapes, crs=land.areas.crs)


def outlines_of(labels: np.ndarray, on: Ground) -> gpd.GeoDataFrame:
    """The outline of each region that areas are released as, in the CRS of the areas' points.

    Parameters
    ----------
    labels : np.ndarray
        Object array, one item an area: what its region is called; None for an area in none.
    on : Ground
        The ground of the areas.

    Returns
    -------
    One row a label, in their order as text: ``region``, ``areas``, ``people`` where the areas say it, and the geometry.
    """
    inside = np.array([label is not None for label in labels], dtype=bool)
    names, region = np.unique(labels[inside].astype(str), return_inverse=True)
    n = len(names)
    region_of_area = np.full(len(labels), n)
    region_of_area[inside] = region
    population = on.areas.population
    people = {} if population is None else {"people": sum_by(region_of_area, n + 1, population)[:n]}
    table = {"region": names, "areas": np.bincount(region, minlength=n), **people}
    return gpd.GeoDataFrame(table, geometry=_dissolve(on, region_of_area, n + 1)[:n], crs=on.areas.crs)


def outlines_of_layers(layers: Sequence[np.ndarray], released: Collection[str], on: Ground) -> gpd.GeoDataFrame:
    """The same where an area can have several labels: the outline of each label that is released, once.

    Parameters
    ----------
    layers : Sequence[np.ndarray]
        Labels of areas, each as for :func:`outlines_of`.
    released : Collection[str]
        The labels in the release; outlines of others are left out.
    on : Ground
        The ground of the areas.
    """
    shapes = [outlines_of(labels, on) for labels in layers]
    together = gpd.GeoDataFrame(pd.concat(shapes, ignore_index=True), crs=shapes[0].crs)
    together = together[together["region"].isin(list(released))].drop_duplicates("region")
    return together.sort_values("region", ignore_index=True)


def for_map(shapes: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Outlines with as few vertices as a map needs: borders that neighbours share stay shared.

    The tolerance (Visvalingam and Whyatt 1993: the square root of the area that dropping a vertex may change) starts
    at a fiftieth of a small outline's width and is doubled until the map is small enough, or half that width is
    reached: the corners where three outlines meet always stay.
    """
    simple = shapes.geometry.to_numpy(dtype=object)
    if int(shapely.get_num_coordinates(simple).sum()) <= _MOST_VERTICES:
        return shapes
    is_coverage = bool(shapely.coverage_is_valid(simple))
    tolerance = float(np.quantile(np.sqrt(shapely.area(simple)), 0.1)) / 50
    for _ in range(_DOUBLINGS):
        simple = _simplified(simple, tolerance, is_coverage)
        if int(shapely.get_num_coordinates(simple).sum()) <= _MOST_VERTICES:
            break
        tolerance *= 2
    return shapes.set_geometry(gpd.GeoSeries(simple, index=shapes.index, crs=shapes.crs))


def to_geojson(shapes: gpd.GeoDataFrame) -> bytes:
    """The outlines as GeoJSON: longitude and latitude in WGS 84, cut at the antimeridian (RFC 7946).

    Raises
    ------
    InputError
        Where no CRS is known.
    """
    if shapes.crs is None:
        raise InputError(
            "GeoJSON needs longitude and latitude, and the file of areas names no coordinate system. "
            "Download the GeoPackage instead, which keeps the coordinates as they are.",
            code="coordinate-system-missing",
        )
    frame = _transformed(shapes, _WORLD)
    geometries = frame.geometry.to_numpy(dtype=object, copy=True)
    broken = ~shapely.is_valid(geometries)  # edges over a pole, or stretched by a projection far from its middle
    geometries[broken] = shapely.make_valid(geometries[broken], method="structure", keep_collapsed=False)
    rounded = shapely.set_precision(geometries, 10.0**-_DECIMALS)
    frame = frame.set_geometry(gpd.GeoSeries(shapely.orient_polygons(rounded), index=frame.index, crs=_WORLD))
    return frame.to_json(to_wgs84=True, drop_id=True, separators=(",", ":"), ensure_ascii=False).encode()


def to_geopackage(shapes: gpd.GeoDataFrame, crs: CRS | None = None) -> bytes:
    """The outlines as a GeoPackage in ``crs`` (their own where it is left out). Nothing is written to disk."""
    target = shapes if crs is None or shapes.crs is None else _transformed(shapes, crs)
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="'crs' was not provided")  # the areas' file names none
        target.to_file(file, driver="GPKG", layer="regions", engine="pyogrio")
    return file.getvalue()


def _union(shapes: np.ndarray, is_coverage: bool) -> BaseGeometry:
    return shapely.coverage_union_all(shapes) if is_coverage else shapely.union_all(shapes)


def _dissolve(land: Ground, region_of_area: np.ndarray, n_regions: int) -> np.ndarray:
    order = np.argsort(region_of_area, kind="stable")
    members = np.split(land.cells[order], np.cumsum(np.bincount(region_of_area, minlength=n_regions))[:-1])
    shapes = np.empty(n_regions, dtype=object)
    shapes[:] = [_union(cells, land.is_coverage) for cells in members]
    return shapes


def _around(points: np.ndarray) -> BaseGeometry:
    """The land of the points: their concave hull and a margin. It holds every point in its inside."""
    all_points = shapely.multipoints(points)
    apart = np.sqrt(shapely.area(shapely.convex_hull(all_points)) / len(points))
    extent = float(np.ptp(points, axis=0).max())
    apart = max(apart, extent / len(points) / 4) or _ALONE
    tight = shapely.concave_hull(all_points, ratio=_CONCAVITY, allow_holes=True)
    land = shapely.simplify(shapely.buffer(tight, _MARGIN * apart, quad_segs=4), _MARGIN * apart / 10)
    # Beside a lattice of areas, lest borders between areas run along the shore or end in its very corners.
    return shapely.transform(land, lambda xy: xy + np.array([0.0131, 0.0073]) * apart)


def _voronoi(points: np.ndarray, within: BaseGeometry) -> np.ndarray:
    """Per point, what of ``within`` is nearer to it than to any other point. Of two alike the first has it.

    Corners are rounded to a grid that is fine beside the whole, so that neighbours share theirs to the last bit.
    """
    cells = np.full(len(points), shapely.Polygon(), dtype=object)
    first = np.flatnonzero(~pd.DataFrame(points).duplicated().to_numpy())
    if len(first) == 1:
        cells[first] = within
        return cells
    west, south, east, north = shapely.total_bounds([within, shapely.multipoints(points)])
    middle, grid = np.array([west + east, south + north]) / 2, max(east - west, north - south) * _GRID
    land = shapely.set_precision(shapely.transform(within, lambda xy: (xy - middle) / grid), 1.0)
    whole = _convex_cells((points[first] - middle) / grid, 1 / _GRID)
    shapely.prepare(land)
    cut = ~shapely.contains_properly(land, whole)
    whole[cut] = shapely.set_precision(shapely.intersection(whole[cut], land), 1.0)
    cells[first] = shapely.transform(whole, lambda xy: xy * grid + middle)
    return cells


def _convex_cells(points: np.ndarray, extent: float) -> np.ndarray:
    """The Voronoi cells of points around 0, with whole numbers as corners.

    Qhull's, for it keeps its word where four points or more are on a circle. A ring of points far outside makes every
    cell finite, and changes none within the extent.
    """
    angle = np.arange(8) * np.pi / 4 + 0.1
    far = 8 * extent * np.column_stack((np.cos(angle), np.sin(angle)))
    diagram = Voronoi(np.vstack((points, far)))
    corners = [diagram.regions[i] for i in diagram.point_region[: len(points)]]
    cell = np.repeat(np.arange(len(points)), [len(polygon) for polygon in corners])
    at = diagram.vertices[np.concatenate(corners)]
    beside = at - points[cell]
    order = np.lexsort((np.arctan2(beside[:, 1], beside[:, 0]), cell))  # a cell is convex, and its point is inside
    return shapely.polygons(shapely.linearrings(np.rint(at[order]), indices=cell))


def _simplified(shapes: np.ndarray, tolerance: float, is_coverage: bool) -> np.ndarray:
    if is_coverage:
        try:
            return shapely.coverage_simplify(shapes, tolerance)
        except GEOSException:
            pass
    return shapely.simplify(shapes, tolerance)


def _transformed(shapes: gpd.GeoDataFrame, crs: CRS) -> gpd.GeoDataFrame:
    """In another CRS; cut at the antimeridian where that is one of longitude and latitude."""
    if shapes.crs == crs:
        return shapes
    frame = shapes.to_crs(crs)
    if not np.isfinite(shapely.get_coordinates(frame.geometry)).all():
        # A hull around areas of the whole world reaches beyond what the projection has of it.
        within = shapely.Point(0, 0).buffer(_WORLD_RADIUS, quad_segs=64)
        frame = shapes.set_geometry(shapes.geometry.intersection(within)).to_crs(crs)
    if not crs.is_geographic:
        return frame
    geometries = frame.geometry.to_numpy(dtype=object, copy=True)
    bounds = shapely.bounds(geometries)
    around = bounds[:, 2] - bounds[:, 0] > 180
    geometries[around] = [_cut(shape) for shape in geometries[around]]
    return frame.set_geometry(gpd.GeoSeries(geometries, index=frame.index, crs=crs))


def _cut(shape: BaseGeometry) -> BaseGeometry:
    """A shape on both sides of the antimeridian, whose edges were drawn around the world, in two parts."""
    east = shapely.make_valid(shapely.transform(shape, lambda xy: np.column_stack((xy[:, 0] % 360, xy[:, 1]))))
    west_of, east_of = (shapely.intersection(east, shapely.box(a, -90, b, 90)) for a, b in ((0, 180), (180, 360)))
    moved = shapely.transform(east_of, lambda xy: xy - [360, 0])
    parts = [
        p
        for p in shapely.get_parts(np.array([west_of, moved], dtype=object)).tolist()
        if p.geom_type in ("Polygon", "MultiPolygon")
    ]
    return shapely.multipolygons(shapely.get_parts(np.array(parts, dtype=object)))
