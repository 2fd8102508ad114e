"""What regions look like on the ground: every area covered once, borders shared, files that can be read again."""

from __future__ import annotations

import io
import json

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import CRS

from anonlib.analyses.regions import geometry
from anonlib.analyses.regions.aggregation import Aggregation, areas_as_they_are, nearest_site, voronoi_regions
from anonlib.analyses.regions.choices import aggregate
from anonlib.analyses.regions.geometry import for_map, ground, outlines, to_geojson, to_geopackage
from anonlib.analyses.regions.reading import areas_from_geodataframe
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.regions import UTM, aggregated, areas_at, classes_of, polygons_of, scattered

WORLD = CRS.from_epsg(4326)
POINTS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)) | st.tuples(st.integers(0, 90), st.integers(0, 90)),
    min_size=1, max_size=25, unique=True,
)  # fmt: skip


# ---- the ground of areas -------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(points=POINTS, scale=st.sampled_from([1.0, 1_000.0, 54_321.7]))
def test_cells_hold_their_own_point_and_cover_the_hull_once(points, scale):
    xy = np.array(points, dtype=float) * scale + [400_000, 5_000_000]
    land = ground(areas_at(xy))
    assert shapely.contains_properly(land.hull, shapely.multipoints(xy)), "every point is inside, not at the edge"
    assert shapely.covers(land.cells, shapely.points(xy)).all() and land.is_coverage
    assert shapely.area(land.cells).sum() == pytest.approx(land.hull.area, rel=1e-9)


def test_coast_and_empty_land_stay_visible():
    rng = np.random.default_rng(5)
    angle, radius = rng.random(400) * 2 * np.pi, 35_000 + rng.random(400) * 15_000
    shore = np.column_stack((np.cos(angle), np.sin(angle))) * radius[:, None] + 600_000
    hull = ground(areas_at(shore)).hull
    assert len(hull.interiors) == 1, "a lake"
    assert not hull.contains(shapely.Point(600_000, 600_000)), "no area's land"
    assert hull.area < 0.8 * shapely.MultiPoint(shore).convex_hull.area


def test_areas_with_polygons_keep_them():
    land = ground(areas_at(scattered(30)))
    for crs in (None, WORLD):
        again = ground(polygons_of(land.areas, crs))
        assert again.to_frame().crs == UTM and again.to_frame()["area"].tolist() == land.areas.ids.tolist()
        apart = shapely.area(shapely.symmetric_difference(again.cells, land.cells))
        assert (apart < 1e-6 * shapely.area(land.cells)).all()


def test_a_broken_polygon_is_mended():
    bow = shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    places = gpd.GeoDataFrame(geometry=[bow, shapely.box(10, 0, 20, 10)], crs=UTM)
    land = ground(areas_at([(5, 5), (15, 5)], UTM, places))
    assert shapely.is_valid(land.cells).all() and shapely.area(land.cells).tolist() == [50, 100]


def test_overlapping_polygons_are_no_coverage_and_still_dissolve():
    places = gpd.GeoDataFrame(geometry=[shapely.box(0, 0, 10, 10), shapely.box(8, 0, 20, 10)], crs=UTM)
    areas = areas_at([(5, 5), (15, 5)], UTM, places)
    assert not ground(areas).is_coverage
    assert outlines(aggregated(areas, [0, 0])).geometry.area.tolist() == [200]


# ---- outlines ------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(points=POINTS, data=st.data())
def test_dissolved_regions_cover_every_area_exactly_once(points, data):
    areas = areas_at(np.array(points, dtype=float) * 1_000)
    wanted = data.draw(st.lists(st.integers(0, 4), min_size=len(points), max_size=len(points)))
    labels = np.unique(wanted, return_inverse=True)[1]
    land = ground(areas)
    found = outlines(aggregated(areas, labels), on=land).geometry.to_numpy()
    for region, shape in enumerate(found):
        own = shapely.area(land.cells[labels == region]).sum()
        assert shape.area == pytest.approx(own, rel=1e-9)
        assert shapely.covers(shapely.buffer(shape, 1e-3), land.cells[labels == region]).all()
    assert shapely.coverage_is_valid(found), "no overlap, and neighbours share their borders"
    assert shapely.area(found).sum() == pytest.approx(land.hull.area, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(points=POINTS, seed=st.integers(0, 99), n=st.integers(1, 6))
def test_voronoi_cells_hold_exactly_the_areas_nearest_to_their_site(points, seed, n):
    xy = np.array(points, dtype=float) * 1_000
    sites = np.random.default_rng(seed).random((n, 2)) * np.ptp(xy, axis=0) + xy.min(axis=0)
    aggregation = voronoi_regions(classes_of(areas_at(xy)), sites, 5)
    land = ground(aggregation.area_classes.areas)
    cells = outlines(aggregation, "voronoi", land).geometry.to_numpy()
    nearest = nearest_site(xy, aggregation.sites)
    far = np.hypot(*(xy[:, None, :] - aggregation.sites[None, :, :]).transpose(2, 0, 1))
    for i, point in enumerate(shapely.points(xy)):
        assert shapely.distance(cells[nearest[i]], point) < 0.01, "to a centimetre"
        others = np.flatnonzero(shapely.contains_properly(cells, point))
        assert (far[i, others] <= far[i, nearest[i]] + 0.01).all()
    assert shapely.area(cells).sum() == pytest.approx(land.hull.area, rel=1e-6), "infinite cells end at the hull"
    assert shapely.coverage_is_valid(cells)


def test_one_site_has_all_and_of_two_alike_the_first():
    areas = areas_at(scattered(12))
    land = ground(areas)
    assert outlines(aggregated(areas, [0] * 12), "voronoi", land).geometry.iloc[0].equals(land.hull)
    alike = Aggregation(classes_of(areas), 5, np.tile(areas.points.mean(axis=0), (2, 1)), np.arange(12) % 2)
    first, second = outlines(alike, "voronoi", land).geometry
    assert first.equals(land.hull) and second.is_empty


@pytest.mark.parametrize("kind", ["dissolved", "voronoi"])
@pytest.mark.parametrize("step", [(1_000, 0), (0, 250), (300, 700)], ids=["row", "column", "slanted"])
def test_areas_in_a_line(kind, step):
    areas = areas_at([(i * step[0], i * step[1]) for i in range(6)])
    found = outlines(aggregated(areas, [0, 0, 1, 1, 2, 2]), kind).geometry
    assert (found.area > 0).all() and found.area.sum() == pytest.approx(ground(areas).hull.area)
    assert shapely.covers(found.iloc[1], shapely.points(areas.points[2:4])).all()


def test_one_area_alone_has_a_place_to_be_clicked():
    found = outlines(aggregated(areas_at([(5, 7)]), [0])).geometry.iloc[0]
    assert found.area > 0 and found.contains(shapely.Point(5, 7))


def test_outlines_say_what_is_in_each_region_and_no_site():
    areas = areas_at(scattered(9))
    counts = np.array([[2, 8]] * 3 + [[0, 0]] * 3 + [[6, 6]] * 3)
    aggregation = aggregated(areas, [0] * 3 + [1] * 3 + [2] * 3, k=7, counts=counts)
    found = outlines(aggregation)
    assert found.columns.tolist() == [
        "region", "areas", "people", "records", "smallest class", "left out", "geometry"
    ]  # fmt: skip
    assert found["region"].tolist() == aggregation.names.tolist() and found.crs == UTM
    assert found["records"].tolist() == [30, 0, 36] and found["smallest class"].tolist() == [6, 0, 18]
    assert found["left out"].tolist() == [6, 0, 0] and found["areas"].tolist() == [3, 3, 3]
    written = to_geojson(found)
    assert b"Point" not in written


# ---- for the map ---------------------------------------------------------------------------------------------------


def test_fewer_vertices_leave_no_gap_between_neighbours(monkeypatch):
    areas = areas_at(scattered(1_200, seed=3))
    land = ground(areas)
    labels = nearest_site(areas.points, scattered(60, seed=4))
    labels = np.unique(labels, return_inverse=True)[1]
    full = outlines(aggregated(areas, labels), on=land)
    before = shapely.get_num_coordinates(full.geometry).sum()
    assert for_map(full) is full, "already small enough"
    monkeypatch.setattr(geometry, "_MOST_VERTICES", 0.6 * before)
    small = for_map(full)
    assert shapely.get_num_coordinates(small.geometry).sum() <= 0.6 * before
    assert shapely.coverage_is_valid(small.geometry.to_numpy()), "neighbours share what is left of their borders"
    assert small.crs == UTM and small["region"].tolist() == full["region"].tolist()
    assert small.area.sum() == pytest.approx(full.area.sum(), rel=0.01)
    moved = shapely.area(shapely.symmetric_difference(small.geometry.to_numpy(), full.geometry.to_numpy()))
    assert (moved < 0.25 * full.area).all()


def test_shapes_that_overlap_are_made_simple_one_by_one(monkeypatch):
    discs = shapely.buffer(shapely.points([(0, 0), (8, 0)]), 5, quad_segs=40)
    areas = areas_at([(0, 0), (8, 0)], UTM, gpd.GeoDataFrame(geometry=discs, crs=UTM))
    monkeypatch.setattr(geometry, "_MOST_VERTICES", 100)
    small = for_map(ground(areas).to_frame())
    assert shapely.get_num_coordinates(small.geometry).sum() <= 100 and (small.area > 70).all()


# ---- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_polygons", [False, True])
def test_geojson_round_trip(as_polygons):
    areas = areas_at(scattered(40))
    areas = polygons_of(areas, WORLD) if as_polygons else areas
    found = outlines(aggregated(areas, np.arange(40) // 8))
    text = to_geojson(found)
    message = json.loads(text)
    assert message["type"] == "FeatureCollection" and "crs" not in message and b" " not in text.split(b'"features"')[0]
    digits = [len(str(x).partition(".")[2]) for x in np.ravel(shapely_coordinates(message))]
    assert max(digits) <= 6
    again = gpd.read_file(io.BytesIO(text))
    assert again.crs == WORLD and again["left out"].tolist() == found["left out"].tolist()
    assert shapely.is_ccw(again.geometry.explode().exterior).all(), "outer rings run anticlockwise (RFC 7946)"
    back = again.to_crs(UTM)
    moved = shapely.area(shapely.symmetric_difference(back.geometry.to_numpy(), found.geometry.to_numpy()))
    assert (moved < 1e-4 * found.area).all()


def shapely_coordinates(message: dict) -> list[float]:
    def flat(value):
        return [x for item in value for x in flat(item)] if isinstance(value, list) else [value]

    return [x for feature in message["features"] for x in flat(feature["geometry"]["coordinates"])]


def test_geopackage_round_trip_in_the_files_own_crs_and_in_memory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = outlines(aggregated(areas_at(scattered(20)), np.arange(20) // 5))
    for crs in (None, WORLD, CRS.from_epsg(3347)):
        again = gpd.read_file(io.BytesIO(to_geopackage(found, crs)))
        assert again.crs == (crs or UTM) and again["region"].tolist() == found["region"].tolist()
        assert again["smallest class"].tolist() == found["smallest class"].tolist()
        back = again.to_crs(UTM).area.to_numpy()
        assert back == pytest.approx(found.area.to_numpy(), rel=1e-6)
    assert list(tmp_path.iterdir()) == []


def test_without_a_crs_there_is_a_geopackage_and_a_reason_for_no_geojson():
    found = outlines(aggregated(areas_at([(0, 0), (3, 1), (1, 4)], None), [0, 1, 1]))
    assert found.crs is None
    with refused("coordinate-system-missing"):
        to_geojson(found)
    again = gpd.read_file(io.BytesIO(to_geopackage(found, None)))
    assert again.area.sum() == pytest.approx(found.area.sum())


def test_regions_across_the_antimeridian_are_cut_there():
    crs = CRS.from_dict({"proj": "laea", "lat_0": -17, "lon_0": 180, "datum": "WGS84"})
    areas = areas_at([(x * 40_000, y * 40_000) for x in (-2, -1, 1, 2) for y in (0, 1)], crs)
    found = outlines(aggregated(areas, [0, 1] * 4))
    message = gpd.read_file(io.BytesIO(to_geojson(found)))
    parts = message.geometry.explode()
    assert (parts.bounds["maxx"] - parts.bounds["minx"] < 10).all() and len(parts) == 4
    assert parts.bounds["minx"].min() == -180 and parts.bounds["maxx"].max() == 180
    assert message.to_crs(crs).area.to_numpy() == pytest.approx(found.area.to_numpy(), rel=1e-3)
    package = gpd.read_file(io.BytesIO(to_geopackage(found, WORLD)))
    assert package.geometry.explode().bounds.eval("maxx - minx").max() < 10
    untouched = gpd.read_file(io.BytesIO(to_geopackage(found)))
    assert untouched.geom_type.tolist() == ["Polygon", "Polygon"]


def test_areas_as_they_are_have_their_own_ground():
    areas = areas_at(scattered(15))
    land = ground(areas)
    own = outlines(areas_as_they_are(classes_of(areas), 5), on=land)
    assert shapely.equals(own.geometry.to_numpy(), land.cells).all()


@pytest.mark.parametrize("seed", range(4))
def test_areas_all_around_the_world_can_be_exported(seed):
    """The hull around them reaches beyond what one projection has of the world."""
    rng = np.random.default_rng(seed)
    lon, lat = rng.uniform(-180, 180, 150), np.degrees(np.arcsin(rng.uniform(-1, 1, 150)))
    points = gpd.GeoDataFrame({"id": range(150)}, geometry=gpd.points_from_xy(lon, lat), crs=4326)
    areas = areas_from_geodataframe(points, "id")
    found = aggregate(classes_of(areas), 5, number=8)
    shapes = outlines(found)
    assert len(json.loads(to_geojson(shapes))["features"]) == found.n_regions
    assert to_geopackage(shapes, points.crs).startswith(b"SQLite")
