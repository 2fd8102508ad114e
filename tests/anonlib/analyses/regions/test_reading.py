"""Files of areas: every format gives the same areas, what is none is told apart, and nothing else is opened."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import sqlite3
import warnings
import zipfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box

from anonlib.analyses.regions.reading import AreaColumns, areas_of, open_areas, suggest_columns
from anonlib.basics.errors import InputError
from anonlib.reading.sources import Limits
from tests.helpers.corpus_workbooks import zipped
from tests.helpers.errors import refused

IDS = ["001", "002", "010", "011"]
SQUARES = [box(x, y, x + 0.1, y + 0.1) for x in (-60.0, -59.9) for y in (47.0, 47.1)]


def frame(geometry=SQUARES, ids=IDS, crs=4326, **columns) -> gpd.GeoDataFrame:
    people = {"people": range(400, 400 + len(ids)), **columns}
    return gpd.GeoDataFrame({"area": ids, **people}, geometry=list(geometry), crs=crs)


def packed(folder: Path) -> bytes:
    return zipped({f"export/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())})


def as_geopackage(data: gpd.GeoDataFrame, folder: Path, layer: str = "areas") -> bytes:
    data.to_file(folder / "areas.gpkg", layer=layer)
    return (folder / "areas.gpkg").read_bytes()


def as_shapefile(data: gpd.GeoDataFrame, folder: Path) -> bytes:
    (folder / "shapes").mkdir(exist_ok=True)
    data.to_file(folder / "shapes" / "areas.shp")
    return packed(folder / "shapes")


def as_geojson(data: gpd.GeoDataFrame, folder: Path | None = None) -> bytes:
    return data.to_json().encode()


def read(data: bytes, crs: str | None = None, **columns):
    file = open_areas(data, "areas")
    suggested = suggest_columns(file)
    return areas_of(file, AreaColumns(**{**suggested.__dict__, **columns}), crs)


def refusal(data: bytes, **columns) -> str:
    with pytest.raises(InputError) as caught:
        read(data, **columns)
    assert caught.value.__cause__ is None
    return str(caught.value)


# Formats


@pytest.mark.parametrize("write", [as_geopackage, as_shapefile, as_geojson])
def test_every_format_of_outlines_gives_the_same_areas(write, tmp_path):
    data = write(frame(), tmp_path)
    file = open_areas(data, "../secret/areas.x")
    assert (file.name, file.digest) == ("areas.x", hashlib.sha256(data).hexdigest())
    assert suggest_columns(file) == AreaColumns("area", None, None, "people")
    areas = areas_of(file, suggest_columns(file))
    assert areas.ids.tolist() == IDS
    assert areas.population.tolist() == [400, 401, 402, 403]
    assert areas.have_outlines
    assert areas.places.crs == "EPSG:4326"
    assert areas.crs == "EPSG:32621"
    assert all(a.equals(b) for a, b in zip(areas.places.geometry, SQUARES, strict=True))
    middles = gpd.GeoSeries(SQUARES, crs=4326).to_crs(32621).centroid.get_coordinates().to_numpy()
    assert np.allclose(areas.points, middles)


@pytest.mark.parametrize("write", ["csv", "xlsx", "parquet"])
def test_every_format_of_tables_gives_the_same_areas(write):
    data = pd.DataFrame({"DAuid": IDS, "lon": ["-60", "-59.5", "-59", "-58.5"], "lat": ["47", "47", "47", "48"]})
    out = io.BytesIO()
    {"csv": data.to_csv, "xlsx": data.to_excel, "parquet": data.to_parquet}[write](out, index=False)
    file = open_areas(out.getvalue(), "areas")
    assert file.geometry is None
    assert suggest_columns(file) == AreaColumns("DAuid", "lon", "lat", None)
    areas = areas_of(file, suggest_columns(file))
    assert areas.ids.tolist() == IDS
    assert areas.population is None
    assert not areas.have_outlines
    assert areas.crs == "EPSG:32621"
    assert any("degrees" in note for note in areas.notes)


def test_numbers_as_ids_are_plain_whole_numbers(tmp_path):
    for write in (as_geopackage, as_shapefile, as_geojson):
        (tmp_path / write.__name__).mkdir()
        for ids in ([59010123, 7, 8, 9], [59010123.0, 7.0, 8.0, 9.0]):
            assert read(write(frame(ids=ids), tmp_path / write.__name__)).ids.tolist() == ["59010123", "7", "8", "9"]


def test_the_feature_id_of_geojson_is_a_column():
    document = json.loads(as_geojson(frame()))
    for feature, name in zip(document["features"], "abcd", strict=True):
        feature["id"] = name
    file = open_areas(json.dumps(document).encode(), "x")
    assert file.table["id"].tolist() == list("abcd")
    document["features"][1]["properties"] = {"other": {"deep": [1]}, "blank": "  ", "yes": True}
    file = open_areas(("\ufeff \n" + json.dumps(document)).encode(), "x")
    assert file.table.loc[1].dropna().tolist() == ['{"deep": [1]}', "true", "b"]


def test_the_crs_that_geojson_names_is_used():
    data = frame().to_crs(3347)
    areas = read(data.to_json(show_bbox=False).encode())
    assert areas.crs == areas.places.crs == "EPSG:3347"
    assert "“" not in "".join(areas.notes)
    linked = {**json.loads(as_geojson(frame())), "crs": {"type": "link", "properties": {"href": "file:x"}}}
    assert "coordinate reference system" in refusal(json.dumps(linked).encode())


def test_a_geopackage_in_write_ahead_mode_is_read(tmp_path):
    data = bytearray(as_geopackage(frame(), tmp_path))
    data[18:20] = b"\x02\x02"
    assert read(bytes(data)).ids.tolist() == IDS


def test_the_only_layer_with_areas_is_taken(tmp_path):
    as_geopackage(frame(), tmp_path, "districts")
    as_geopackage(frame().iloc[:0], tmp_path, "empty")
    assert read((tmp_path / "areas.gpkg").read_bytes()).ids.tolist() == IDS
    data = as_geopackage(frame(), tmp_path, "blocks")
    assert "“districts”, “blocks”" in refusal(data)
    as_shapefile(frame(), tmp_path)
    frame().iloc[:0].to_file(tmp_path / "shapes" / "empty.shp")
    assert read(packed(tmp_path / "shapes")).ids.tolist() == IDS
    frame().to_file(tmp_path / "shapes" / "more.shp")
    assert "“export/areas”, “export/more”" in refusal(packed(tmp_path / "shapes"))


# What is not read


def test_a_zip_cannot_make_gdal_open_another_file(tmp_path):
    as_shapefile(frame(), tmp_path)
    elsewhere = tmp_path / "shapes" / "areas.shp"
    source = f'<OGRVRTLayer name="areas"><SrcDataSource>{elsewhere}</SrcDataSource></OGRVRTLayer>'
    virtual = f"<OGRVRTDataSource>{source}</OGRVRTDataSource>".encode()
    for name in ("areas.vrt", "areas.shp", "areas.shp.vrt"):
        assert "Shapefile" in refusal(zipped({name: virtual, "areas.dbf": virtual, "areas.shx": virtual}))


def test_only_the_parts_of_the_shapefile_are_handed_on(tmp_path, monkeypatch):
    handed_on = []

    def watched(data, **options):
        handed_on.extend(zipfile.ZipFile(io.BytesIO(data)).namelist())
        return pyogrio.read_dataframe(data, **options)

    monkeypatch.setattr("anonlib.analyses.regions.reading.shapefile.pyogrio", SimpleNamespace(read_dataframe=watched))
    as_shapefile(frame(), tmp_path)
    (tmp_path / "shapes" / "areas.vrt").write_text("<OGRVRTDataSource/>")
    (tmp_path / "shapes" / "areas.gpkg").write_bytes(b"SQLite format 3\x00")
    assert read(packed(tmp_path / "shapes")).ids.tolist() == IDS
    assert set(handed_on) == {f"areas{ending}" for ending in (".shp", ".shx", ".dbf", ".prj", ".cpg")}


def test_what_pyogrio_says_of_a_cell_is_not_shown(tmp_path, monkeypatch, caplog, recwarn):
    def quoting(data, **options):
        logging.getLogger("pyogrio").error("a cell of the file")
        for module in ("pyogrio.raw", "anonlib.analyses.regions.reading.shapefile"):
            warnings.warn_explicit("a cell of the file", RuntimeWarning, "raw.py", 1, module=module)
        return pyogrio.read_dataframe(data, **options)

    monkeypatch.setattr("anonlib.analyses.regions.reading.shapefile.pyogrio", SimpleNamespace(read_dataframe=quoting))
    as_shapefile(frame(), tmp_path)
    recwarn.clear()
    assert read(packed(tmp_path / "shapes")).ids.tolist() == IDS
    assert not caplog.text
    assert not recwarn.list


@pytest.mark.parametrize(
    ("missing", "message"), [(".dbf", ".dbf part"), (".shx", ".shx part"), (".shp", "no Shapefile")]
)
def test_parts_that_a_shapefile_lacks_are_named(tmp_path, missing, message):
    as_shapefile(frame(), tmp_path)
    (tmp_path / "shapes" / f"areas{missing}").unlink()
    assert message in refusal(packed(tmp_path / "shapes"))


def archive_of(shapes: bytes) -> bytes:
    return zipped({"a.shp": b"\x00\x00\x27\x0a" + shapes, "a.dbf": b"", "a.shx": b""})


def test_zip_bombs_and_large_files_are_refused(tmp_path):
    assert "unpacks to 60 MB" in refusal(archive_of(bytes(60_000_000)))
    with refused("file-too-large"):
        open_areas(as_shapefile(frame(), tmp_path), "x", Limits(bytes=100))
    with pytest.raises(InputError, match="unpacks to 6 MB"):
        open_areas(archive_of(bytes(6_000_000)), "x", Limits(bytes=1_000_000))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"\x00\x00\x27\x0a" + bytes(200), "one zip"),
        (b"PK\x05\x06" + bytes(18), "empty"),
        (b"PK\x03\x04" + bytes(18), "damaged"),
        (b"fgb\x03fgb\x00" + bytes(50), "FlatGeobuf"),
        (b'{"type": "Topology", "objects": {}}', "TopoJSON"),
        (b'{"type": "FeatureCollection", "features": [', "cut off"),
        (b'{"type":"Feature","properties":{}}\n{"type":"Feature","properties":{}}', "one feature per line"),
        (b'{"type": "gdal_streamed_alg", "command_line": "gdal vector pipeline ! read x"}', "no GeoJSON"),
        (b'{"type": "FeatureCollection", "features": {"a": 1}}', "damaged"),
        (b'{"type": "FeatureCollection", "features": [1]}', "damaged"),
        (b'{"type": "FeatureCollection", "features": []}', "no areas"),
        (b'{"a":' + b"[" * 200_000, "damaged"),
        (b"SQLite format 3\x00" + bytes(200), "SQLite"),
        (b"SQLite format 3\x00" + bytes(52) + b"GPKG" + bytes(200), "damaged"),
        (b"<?xml version='1.0'?><kml/>", "XML"),
    ],
)  # fmt: skip
def test_files_that_are_no_areas_are_distinguished(data, message):
    assert message in refusal(data)


@given(cut=st.integers(1, 200), kind=st.sampled_from(["gpkg", "shp", "json"]), flip=st.integers(0, 10**6))
def test_damaged_files_are_refused_or_read_but_never_fail_otherwise(cut, kind, flip, damaged):
    data = bytearray(damaged[kind])
    data[flip % len(data)] ^= 0xFF
    for broken in (bytes(data), bytes(data[: -len(data) * cut // 201])):
        try:
            read(broken)
        except InputError as error:
            assert "Traceback" not in str(error)


@pytest.fixture(scope="module")
def damaged(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    return {"gpkg": as_geopackage(frame(), folder), "shp": as_shapefile(frame(), folder), "json": as_geojson(frame())}


def test_a_schema_that_is_no_text_is_damage(damaged):
    assert "damaged" in refusal(damaged["gpkg"].replace(b"CONSTRAINT", b"CONS\xafRAINT"))


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_a_layer_without_a_crs_is_degrees_where_it_can_be(tmp_path):
    for write in (as_geopackage, as_shapefile):
        (tmp_path / write.__name__).mkdir()
        areas = read(write(frame(crs=None), tmp_path / write.__name__))
        assert areas.places.crs == "EPSG:4326"
        assert "states no coordinate reference system" in " ".join(areas.notes)


def test_names_of_properties_are_made_visible():
    file = open_areas(as_geojson(frame().rename(columns={"area": "ar\u202eea", "people": "\t"})), "x")
    assert list(file.table.columns) == ["area", "column 2", "id"]
    assert any("invisible" in note for note in file.notes)


def test_views_of_a_geopackage_are_not_run(tmp_path):
    as_geopackage(frame(), tmp_path)
    with closing(sqlite3.connect(tmp_path / "areas.gpkg")) as database, database:
        database.execute("ALTER TABLE areas RENAME TO hidden")
        database.execute("CREATE VIEW areas AS SELECT * FROM hidden")
        database.execute("UPDATE gpkg_contents SET table_name = 'areas'")
        database.execute("UPDATE gpkg_geometry_columns SET table_name = 'areas'")
    assert "no areas" in refusal((tmp_path / "areas.gpkg").read_bytes())


def test_a_layer_of_two_coordinate_systems_is_refused(tmp_path):
    as_geopackage(frame(), tmp_path)
    with closing(sqlite3.connect(tmp_path / "areas.gpkg")) as database, database:
        for trigger in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{trigger[0]}"')
        blob = bytearray(database.execute("SELECT geom FROM areas WHERE fid = 2").fetchone()[0])
        blob[4:8] = (3857).to_bytes(4, "little")
        database.execute("UPDATE areas SET geom = ? WHERE fid = 2", (bytes(blob),))
    assert "several coordinate reference systems" in refusal((tmp_path / "areas.gpkg").read_bytes())
