"""Opening a file of areas: a table with coordinates, or outlines as GeoPackage, GeoJSON or zipped Shapefile."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import geopandas as gpd
import pandas as pd

from anonlib.analyses.regions.reading import geojson, geopackage, shapefile
from anonlib.analyses.regions.reading.layer import FORMATS, Layer
from anonlib.basics.errors import InputError
from anonlib.reading.sources import Limits, display_name, open_source
from anonlib.reading.sources.names import column_names

MOST_AREAS = 300_000
"""Areas that are read at most; the United States have 240,000 block groups."""

_SPATIAL: tuple[tuple[Callable[[bytes], bool], Callable[[bytes, Limits], Layer]], ...] = (
    (geopackage.is_geopackage, geopackage.read),
    (geojson.is_json, geojson.read),
    (shapefile.is_archive_of_shapes, shapefile.read),
)
_REFUSED = (
    (b"\x00\x00\x27\x0a", "This is only the .shp of a Shapefile. Put it and its .dbf, .shx and .prj into one zip."),
    (b"fgb\x03", f"This is a FlatGeobuf file. Export the areas as {FORMATS}."),
    (b"PK\x05\x06", "This zip archive is empty. Put the .shp, .dbf, .shx and .prj of one Shapefile into it."),
)


@dataclass(frozen=True, eq=False)
class AreaFile:
    """A file of areas as it was read; which column is which is not decided yet.

    Attributes
    ----------
    name : str
        For display only, never a path to open.
    digest : str
        SHA-256 of the bytes, 64 hexadecimal digits.
    table : pd.DataFrame
        One row an area, one column of text (object, missing None) each attribute.
    geometry : gpd.GeoSeries | None
        One geometry (or None) a row, in the file's CRS; None where the file is a table.
    notes : tuple[str, ...], default ()
        A sentence on everything that was assumed. No cell values.
    """

    name: str
    digest: str
    table: pd.DataFrame
    geometry: gpd.GeoSeries | None
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Names the content: the same key, the same file."""
        return self.digest


def open_areas(data: bytes, name: str | None = None, limits: Limits = Limits()) -> AreaFile:  # noqa: B008
    """Read a file of areas from memory; nothing is written to disk and nothing else is opened.

    Parameters
    ----------
    data : bytes
        The file: a GeoPackage, GeoJSON, a zip with one Shapefile, or any table that
        :func:`anonlib.reading.sources.open_source` reads (one row an area, with coordinates); its first bytes tell.
    name : str, optional
        Its name, from which nothing is concluded.
    limits : Limits, default Limits()
        What is too large.

    Returns
    -------
    AreaFile

    Raises
    ------
    InputError
        If it is none of these, is damaged, empty or too large, or holds several layers.
    """
    if len(data) > limits.bytes:
        raise InputError(
            f"The file has {len(data) / 1e6:,.0f} MB; at most {limits.bytes / 1e6:,.0f} MB are read into memory. "
            "Simplify the outlines, or keep the columns and areas that you need.",
            code="file-too-large",
        )
    layer = _layer(data, name, limits)
    n_areas, n_columns = layer.table.shape
    if not n_areas:
        raise InputError(
            "The file holds no areas. Export it again, one row or shape for each area.", code="file-without-records"
        )
    if n_areas > MOST_AREAS:
        raise InputError(
            f"The file holds {n_areas:,} areas; at most {MOST_AREAS:,} are read. "
            "Take larger areas, or the part of the country that the records are from.",
            code="too-many-areas",
        )
    if not n_columns:
        raise InputError(
            "The areas have no attributes, so none says which area is which. Export them with their ids.",
            code="area-ids-missing",
        )
    named, notes = column_names([str(column) for column in layer.table.columns], n_columns, limits)
    table = layer.table.set_axis(named, axis="columns")
    return AreaFile(display_name(name), hashlib.sha256(data).hexdigest(), table, layer.geometry, (*layer.notes, *notes))


def _layer(data: bytes, name: str | None, limits: Limits) -> Layer:
    for is_it, read in _SPATIAL:
        if is_it(data):
            return read(data, limits)
    for start, sentence in _REFUSED:
        if data.startswith(start):
            raise InputError(sentence, code="file-not-of-this-kind")
    if data.startswith(b"PAR1") and b'"primary_column"' in data[-2_000_000:]:
        raise InputError(f"This is a GeoParquet file. Export the areas as {FORMATS}.", code="file-not-of-this-kind")
    source = open_source(data, name, max_bytes=limits.bytes, max_columns=limits.columns, max_cells=limits.cells)
    table = source.frame.astype(object)
    return Layer(table.where(table.notna(), None), None, source.reading.notes)
