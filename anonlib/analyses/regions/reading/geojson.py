"""Areas from GeoJSON (RFC 7946), read without GDAL: other JSON formats of GDAL's name files and programs to open."""

from __future__ import annotations

import json
import re
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
from pyproj import CRS
from pyproj.exceptions import CRSError
from shapely.geometry import shape

from anonlib.analyses.regions.reading.layer import FORMATS, Layer, text_column
from anonlib.basics.errors import InputError
from anonlib.reading.sources import Limits
from anonlib.reading.sources.names import check_width
from anonlib.reading.sources.reading import check_cells

_JSON = re.compile(rb'[\s\x00\xef\xbb\xbf\xff\xfe]*\{[\s\x00]*["}]')
_CRS = re.compile(r"(?:urn:ogc:def:crs:)?(EPSG|OGC|ESRI):[\w.]*:?(\w+)", re.IGNORECASE)
_NEWLINE_DELIMITED = re.compile(rb'\}\s*\n\s*\x1e?\s*\{\s*"type"\s*:\s*"Feature"')
_MOST_BYTES = 200_000_000  # as text; in memory it takes several times as much
_DAMAGED = "This begins like GeoJSON but is cut off or damaged. Export it again."


def is_json(data: bytes) -> bool:
    """Whether a file begins with a JSON object."""
    return _JSON.match(data[:4096]) is not None


def read(data: bytes, limits: Limits) -> Layer:
    """The features of a FeatureCollection. Raises InputError for any other JSON and for damaged coordinates."""
    if len(data) > min(limits.bytes, _MOST_BYTES):
        raise InputError(
            f"This GeoJSON has {len(data) / 1e6:,.0f} MB, more than is read of it. Export a GeoPackage instead.",
            code="file-too-large",
        )
    features, crs = _features(data)
    cells = [feature.get("properties") or {} for feature in features]
    names = list(dict.fromkeys(name for row in cells for name in row))
    check_width(len(names), limits)
    check_cells(len(features), len(names), limits)
    columns = {name: text_column(row.get(name) for row in cells) for name in names}
    if any("id" in feature for feature in features):
        name = "id" if "id" not in columns else "feature id"
        columns.setdefault(name, text_column(feature.get("id") for feature in features))
    table = pd.DataFrame(columns, index=pd.RangeIndex(len(features)))
    return Layer(table, gpd.GeoSeries(_geometries(features), crs=crs))


def _features(data: bytes) -> tuple[list[dict[str, Any]], CRS]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        if _NEWLINE_DELIMITED.search(data[:1_000_000]):
            raise InputError(
                "This is GeoJSON with one feature per line. Export it as one FeatureCollection (plain GeoJSON).",
                code="file-not-of-this-kind",
            ) from None
        raise InputError(_DAMAGED, code="file-damaged") from None
    kind = document.get("type") if isinstance(document, dict) else None
    if kind == "Topology":
        raise InputError(f"This is TopoJSON. Export the areas as {FORMATS}.", code="file-not-of-this-kind")
    if kind != "FeatureCollection":
        raise InputError(
            f"This is JSON, but no GeoJSON FeatureCollection. Export the areas as {FORMATS}.",
            code="file-not-of-this-kind",
        )
    features = document.get("features")
    if not isinstance(features, list) or not all(map(_is_feature, features)):
        raise InputError(_DAMAGED, code="file-damaged")
    return features, _crs(document.get("crs"))


def _is_feature(feature: Any) -> bool:
    return (
        isinstance(feature, dict)
        and isinstance(feature.get("properties"), (dict, type(None)))
        and isinstance(feature.get("geometry"), (dict, type(None)))
    )


def _crs(member: Any) -> CRS:
    """The CRS: WGS 84 by the standard, or the one that older files name. A link to one is not followed."""
    if member is None:
        return CRS.from_epsg(4326)
    properties = member.get("properties") if isinstance(member, dict) else None
    named = properties.get("name") if isinstance(properties, dict) else None
    match = _CRS.fullmatch(named) if isinstance(named, str) else None
    try:
        if match is None:
            raise CRSError("not a code")
        authority, code = match[1].upper(), match[2].upper()
        return CRS.from_epsg(4326) if code == "CRS84" else CRS.from_authority(authority, code)
    except CRSError:
        raise InputError(
            "The file states a coordinate reference system that is not known here. "
            "Export it as GeoJSON in WGS 84 (EPSG:4326), or as GeoPackage.",
            code="coordinate-system-unknown",
        ) from None


def _geometries(features: list[dict[str, Any]]) -> np.ndarray:
    geometries = np.full(len(features), None, dtype=object)
    for i, feature in enumerate(features):
        geometry = feature.get("geometry")
        if geometry is None:
            continue
        try:
            geometries[i] = shape(geometry)
        except MemoryError:
            raise
        except Exception:
            raise InputError(
                f"The geometry of feature {i + 1:,} (counted from the first) is damaged. Repair it, or export again.",
                code="geometry-damaged",
            ) from None
    return geometries
