"""What each reader of outlines gives, and what readers share: the text of cells, words, and checks of geometries.

After the layer and the text of cells come rows of a file in words. At the end the geometries of a file of areas are
checked: points or polygons, flat, present and sound.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely

from anonlib.basics.errors import InputError
from anonlib.basics.words import count, listed, of_number, singular

FORMATS = "GeoPackage, GeoJSON or zipped Shapefile, or as a table with coordinates"
"""What to export areas as, for sentences."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer: a row of text an area, its geometry (None in a table) and what was assumed."""

    table: pd.DataFrame
    geometry: gpd.GeoSeries | None
    notes: tuple[str, ...] = ()


def text_column(values: Iterable[Any]) -> np.ndarray:
    """Cells as text: whole numbers without a point, blank and missing ones None."""
    return np.array([*map(_text, values), None], dtype=object)[:-1]  # the None keeps it one-dimensional


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        written = value if value.isascii() else value.encode("utf-8", "replace").decode()  # lone surrogates
        return written if written.strip() else None
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if number != number:
            return None
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return None if isinstance(value, bytes) else str(value)


def only_one(layers: list[str], what: str) -> str:
    """The one layer there is. Raises InputError, naming them, when there are several, or none."""
    if not layers:
        raise InputError(
            f"The file holds no areas: every {singular(what)} of it is empty. Export it again.",
            code="file-without-records",
        )
    if len(layers) > 1:
        shown = ", ".join(f"“{name[:60]}”" for name in layers[:8]) + (", …" if len(layers) > 8 else "")
        raise InputError(
            f"The file holds {count(len(layers), what)}: {shown}. Export the one with the areas alone.",
            code="file-of-several-layers",
        )
    return layers[0]


def rows(which: np.ndarray) -> str:
    """The rows where a mask holds, counted from 1 without a header: "row 3", "rows 3, 7 and 12"."""
    numbers = [int(i) + 1 for i in np.flatnonzero(which)]
    return f"{of_number(len(numbers), 'rows')} {listed(numbers)}"


_POINTS = (shapely.GeometryType.POINT, shapely.GeometryType.MULTIPOINT)
_LINES = (shapely.GeometryType.LINESTRING, shapely.GeometryType.LINEARRING, shapely.GeometryType.MULTILINESTRING)
_POLYGONS = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)


def checked_geometry(geometry: gpd.GeoSeries, notes: list[str]) -> gpd.GeoSeries:
    """Points or polygons without height; outlines that cross themselves are repaired, and ``notes`` says so.

    Raises
    ------
    InputError
        For missing and empty geometries, lines, a mixture of kinds, coordinates that are no numbers, and outlines that
        have no area.
    """
    shapes = geometry.to_numpy()
    missing = shapely.is_missing(shapes) | shapely.is_empty(shapes)
    if missing.any():
        raise InputError(f"{_have(missing)} no geometry. Add it, or leave these areas out.", code="geometry-missing")
    kinds = shapely.get_type_id(shapes)
    are_points, are_polygons = np.isin(kinds, _POINTS), np.isin(kinds, _POLYGONS)
    if np.isin(kinds, _LINES).any():
        raise InputError(
            f"{_have(np.isin(kinds, _LINES))} a line. Areas are polygons or points.", code="geometry-of-other-kind"
        )
    if not (are_points.all() or are_polygons.all()):
        odd = ~are_polygons if are_polygons.sum() >= are_points.sum() else ~are_points
        raise InputError(
            f"The file mixes kinds of geometry: {rows(odd)} differ from the others. "
            "Areas are all polygons, or all points.",
            code="geometry-of-other-kind",
        )
    if shapely.has_z(shapes).any() or shapely.has_m(shapes).any():
        shapes = shapely.force_2d(shapes)
        notes.append("Heights or measures in the coordinates were left out.")
    xy, owner = shapely.get_coordinates(shapes, return_index=True)
    broken = np.zeros(len(shapes), dtype=bool)
    broken[owner[~np.isfinite(xy).all(axis=1)]] = True
    if broken.any():
        raise InputError(
            f"{_have(broken)} coordinates that are no numbers. Export the areas again.", code="coordinates-not-numbers"
        )
    shapes = _single_points(shapes) if are_points.all() else _sound(shapes, notes)
    return gpd.GeoSeries(shapes, crs=geometry.crs)


def _have(which: np.ndarray) -> str:
    text = rows(which)
    return f"{text[0].upper()}{text[1:]} {'has' if which.sum() == 1 else 'have'}"


def _single_points(shapes: np.ndarray) -> np.ndarray:
    several = shapely.get_num_geometries(shapes) > 1
    if several.any():
        raise InputError(
            f"{_have(several)} several points. Each area needs one point or an outline.", code="geometry-of-other-kind"
        )
    return shapely.get_geometry(shapes, 0)


def _sound(shapes: np.ndarray, notes: list[str]) -> np.ndarray:
    """Polygons that are valid: crossings and repeated stretches are made good where that leaves an area."""
    invalid = ~shapely.is_valid(shapes)
    if invalid.any():
        repaired = shapes.copy()
        repaired[invalid] = [_polygons_of(shape) for shape in shapely.make_valid(shapes[invalid])]
        notes.append(f"The outlines of {rows(invalid)} crossed or touched themselves and were repaired.")
        shapes = repaired
    flat = ~(shapely.area(shapes) > 0)
    if flat.any():
        raise InputError(
            f"{_have(flat)} an outline without area. Repair it, or leave these areas out.", code="geometry-damaged"
        )
    return shapes


def _polygons_of(shape: shapely.Geometry) -> shapely.Geometry:
    """The polygons of what a repair gives, without the lines and points that it may leave beside them."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    polygons = parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON]
    return polygons[0] if len(polygons) == 1 else shapely.multipolygons(polygons)
