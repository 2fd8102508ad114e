"""Areas from a GeoPackage (OGC 12-128), read with SQLite in memory: nothing in it is run and no other file opened."""

from __future__ import annotations

import sqlite3

import geopandas as gpd
import numpy as np
import pandas as pd
import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError

from anonlib.analyses.regions.reading.layer import Layer, only_one, text_column
from anonlib.basics.errors import InputError
from anonlib.reading.sources import Limits
from anonlib.reading.sources.reading import check_cells

_SQLITE = b"SQLite format 3\x00"
_APPLICATIONS = (b"GPKG", b"GP10", b"GP11")
_ENVELOPES = (0, 32, 48, 48, 64, 0, 0, 0)  # bytes, by the code in the header's flags
_DAMAGED = "This GeoPackage is damaged or cut off. Copy or export it again."
_LAYERS = """
    SELECT g.table_name, g.column_name, g.srs_id FROM gpkg_geometry_columns g
    JOIN gpkg_contents c ON lower(c.table_name) = lower(g.table_name)
    JOIN sqlite_master m ON lower(m.name) = lower(g.table_name)
    WHERE c.data_type = 'features' AND m.sql LIKE 'CREATE TABLE%'
"""


def is_geopackage(data: bytes) -> bool:
    """Whether a file is a SQLite database that says it is a GeoPackage."""
    return data.startswith(_SQLITE) and data[68:72] in _APPLICATIONS


def read(data: bytes, limits: Limits) -> Layer:
    """The one layer of features that has any. Raises InputError for several, and for a damaged file."""
    # A database in write-ahead mode (bytes 18, 19) could not be opened without the files beside it.
    database = sqlite3.connect(":memory:")
    try:
        database.deserialize(data[:18] + b"\x01\x01" + data[20:])
        database.execute("PRAGMA temp_store = MEMORY")
        database.execute("PRAGMA trusted_schema = OFF")
        database.text_factory = lambda text: text.decode("utf-8", "replace")
        return _read(database, limits)
    except InputError:
        raise
    except MemoryError:
        raise
    except Exception:  # among others of SQLite's messages that quote bytes which are no text
        raise InputError(_DAMAGED, code="file-damaged") from None
    finally:
        database.close()


def _read(database: sqlite3.Connection, limits: Limits) -> Layer:
    layers = {name: (column, srs) for name, column, srs in database.execute(_LAYERS)}
    filled = [name for name in layers if database.execute(f"SELECT 1 FROM {_quoted(name)} LIMIT 1").fetchone()]
    name = only_one(filled, "layers")
    geometry_column, srs = layers[name]
    cursor = database.execute(f"SELECT * FROM {_quoted(name)}")
    names = [column[0] for column in cursor.description]
    place = next((i for i, column in enumerate(names) if column.lower() == str(geometry_column).lower()), None)
    if place is None:
        raise InputError(_DAMAGED, code="file-damaged")
    (n_rows,) = database.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()
    check_cells(n_rows, len(names), limits)
    rows = cursor.fetchall()
    blobs = [row[place] for row in rows]
    columns = {column: text_column(row[i] for row in rows) for i, column in enumerate(names) if i != place}
    table = pd.DataFrame(columns, index=pd.RangeIndex(len(rows)))
    crs = _crs(database, srs)
    return Layer(table, gpd.GeoSeries(_geometries(blobs), crs=crs))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _crs(database: sqlite3.Connection, srs: int) -> CRS | None:
    """The layer's CRS; None for the "undefined" ones of the standard (-1 and 0) and of GDAL."""
    query = "SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?"
    row = database.execute(query, (srs,)).fetchone()
    if row is None or srs in (-1, 0) or "undefined" in str(row[2]).lower()[:40]:
        return None
    authority, code, definition = row
    try:
        return CRS.from_authority(str(authority).upper(), str(code))
    except CRSError:
        pass
    try:
        return CRS.from_wkt(str(definition))
    except CRSError:
        raise InputError(
            "The layer’s coordinate reference system is not known here. Export it in WGS 84 (EPSG:4326).",
            code="coordinate-system-unknown",
        ) from None


def _geometries(blobs: list[bytes | None]) -> np.ndarray:
    """The geometries: each is a header (magic, version, flags, CRS, envelope) and well-known binary."""
    binary: list[bytes | None] = []
    for i, blob in enumerate(blobs):
        if blob is not None and (not isinstance(blob, bytes) or blob[:2] != b"GP" or len(blob) < 9):
            raise InputError(
                f"The geometry of row {i + 1:,} is damaged. Repair it, or export the layer again.",
                code="geometry-damaged",
            )
        binary.append(None if blob is None else blob[8 + _ENVELOPES[blob[3] >> 1 & 7] :])
    stated = {int.from_bytes(blob[4:8], "little" if blob[3] & 1 else "big", signed=True) for blob in blobs if blob}
    if len(stated) > 1:
        raise InputError(
            "The geometries of this layer are in several coordinate reference systems. Reproject them to one.",
            code="coordinate-systems-mixed",
        )
    try:
        return shapely.from_wkb(np.array([*binary, None], dtype=object)[:-1])
    except shapely.errors.ShapelyError:
        raise InputError(
            "A geometry of this layer is damaged. Repair it, or export the layer again.", code="geometry-damaged"
        ) from None
