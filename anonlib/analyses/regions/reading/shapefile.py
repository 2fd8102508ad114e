"""Areas from a zipped Shapefile. Only its own parts are handed to GDAL, under names of ours, in memory.

GDAL takes a zip for whatever its members are, and one that describes a source elsewhere (a VRT) makes it open any file
of this machine. So the parts of one Shapefile are looked at here and packed again.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

import geopandas as gpd
import pandas as pd
import pyogrio

from anonlib.analyses.regions.reading.layer import Layer, only_one, text_column
from anonlib.basics.errors import InputError
from anonlib.basics.quiet import silence
from anonlib.reading.sources import Limits

_PARTS = (".shp", ".shx", ".dbf", ".prj", ".cpg")
_MAGIC = b"\x00\x00\x27\x0a"
_HEADER = 100  # bytes of a .shp without shapes
_UNPACKED = 4  # times the size limit of a file
_BOMB_SIZE, _BOMB_RATIO = 50_000_000, 400
_DAMAGED = "This zip archive or the Shapefile in it is damaged. Export it again."
_OTHERS = (".gpkg", ".geojson", ".json", ".csv", ".kml", ".gml", ".gdb", ".parquet")
_BOOKS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml", "word/document.xml", "ppt/presentation.xml")


def is_archive_of_shapes(data: bytes) -> bool:
    """Whether a file is a zip archive and no document (Excel workbooks are zip archives as well)."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {name.lower() for name in archive.namelist()}
    except Exception:
        return False  # the reader of tables says what is wrong with it
    return not names.intersection(_BOOKS)


def read(data: bytes, limits: Limits) -> Layer:
    """The one Shapefile of the archive. Raises InputError for several or none, missing parts, or too large ones."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = _parts(archive, limits)
    except InputError:
        raise
    except MemoryError:
        raise
    except Exception:
        raise InputError(_DAMAGED, code="file-damaged") from None
    if not parts[".shp"].startswith(_MAGIC):
        raise InputError(_DAMAGED, code="file-damaged")
    frame = _opened(parts)
    if not isinstance(frame, gpd.GeoDataFrame):
        raise InputError(
            "The Shapefile holds no shapes, only a table. Export it again with its outlines.",
            code="shapefile-incomplete",
        )
    columns = {str(name): text_column(frame[name].tolist()) for name in frame.columns if name != frame.geometry.name}
    table = pd.DataFrame(columns, index=pd.RangeIndex(len(frame)))
    return Layer(table, gpd.GeoSeries(frame.geometry.to_numpy(), crs=frame.crs))


def _parts(archive: zipfile.ZipFile, limits: Limits) -> dict[str, bytes]:
    """The parts of the one Shapefile in the archive, by their ending."""
    members = [m for m in archive.infolist() if not m.is_dir() and not m.filename.startswith("__MACOSX/")]
    shapes = {m.filename[:-4]: m for m in members if m.filename.lower().endswith(".shp")}
    if not shapes:
        endings = {PurePosixPath(m.filename.lower()).suffix for m in members}
        if endings.intersection(_OTHERS):
            raise InputError(
                "This zip archive holds no Shapefile. Unpack it and open the file inside.", code="shapefile-incomplete"
            )
        raise InputError(
            "This zip archive holds no Shapefile: put its .shp, .shx, .dbf and .prj into it.",
            code="shapefile-incomplete",
        )
    filled = [stem for stem, member in shapes.items() if member.file_size > _HEADER]
    stem = only_one(filled, "Shapefiles")
    own = {m.filename[-4:].lower(): m for m in members if m.filename[:-4] == stem}
    chosen = {ending: own[ending] for ending in _PARTS if ending in own}
    for ending, why in ((".dbf", "the areas’ names"), (".shx", "where each shape begins")):
        if ending not in chosen:
            raise InputError(
                f"The zip lacks the {ending} part of the Shapefile, which says {why}. Add it.",
                code="shapefile-incomplete",
            )
    total = sum(member.file_size for member in chosen.values())
    bomb = any(m.file_size > _BOMB_SIZE and m.file_size > _BOMB_RATIO * m.compress_size for m in chosen.values())
    if total > _UNPACKED * limits.bytes or bomb:
        raise InputError(
            f"The Shapefile unpacks to {total / 1e6:,.0f} MB, more than is read into memory. Simplify its outlines.",
            code="file-too-large",
        )
    if any(member.flag_bits & 1 for member in chosen.values()):
        raise InputError(
            "The zip archive is protected by a password. Remove it and load the file again.", code="file-has-a-password"
        )
    return {ending: archive.read(member) for ending, member in chosen.items()}


def _opened(parts: dict[str, bytes]) -> pd.DataFrame:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for ending, content in parts.items():
            archive.writestr(f"areas{ending}", content)
    silence("pyogrio", __name__)
    try:
        try:
            return pyogrio.read_dataframe(packed.getvalue(), layer="areas")
        except UnicodeDecodeError:
            return pyogrio.read_dataframe(packed.getvalue(), layer="areas", encoding="cp1252")
    except MemoryError:
        raise
    except Exception:
        raise InputError(_DAMAGED, code="file-damaged") from None
