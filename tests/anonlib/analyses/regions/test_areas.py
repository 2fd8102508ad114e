"""From a file of areas to areas: ids as written, points in metres wherever on earth, and a sentence for every fault."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod
from shapely.geometry import LineString, MultiPoint, MultiPolygon, Point, Polygon, box

from anonlib.analyses.regions.areas import Areas
from anonlib.analyses.regions.reading import (
    AreaColumns,
    AreaFile,
    areas_from_geodataframe,
    areas_of,
    open_areas,
    suggest_area_column,
    suggest_columns,
)
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from tests.helpers.errors import refused

XY = AreaColumns("area", "x", "y")
SQUARES = [box(x, y, x + 0.1, y + 0.1) for x in (-60.0, -59.9) for y in (47.0, 47.1)]


def table(**columns) -> AreaFile:
    """A table with coordinates; ids a, b, c ... unless given."""
    n = len(next(iter(columns.values())))
    whole = {"area": list("abcdefghij"[:n]), **columns}
    return open_areas(pd.DataFrame(whole).to_csv(index=False, sep=";").encode(), "areas.csv")


def outlines(shapes, crs: str | int | None = 4326, **columns) -> AreaFile:
    cells = {"area": list("abcdefghij"[: len(shapes)]), **columns}
    return AreaFile("areas", "0" * 64, pd.DataFrame(cells, dtype=object), gpd.GeoSeries(list(shapes), crs=crs))


def points(*xy, crs: str | int | None = 4326) -> AreaFile:
    return outlines([Point(*place) for place in xy], crs)


def refusal(file: AreaFile, columns: AreaColumns = AreaColumns("area"), crs: str | None = None) -> str:  # noqa: B008
    with pytest.raises(InputError) as caught:
        areas_of(file, columns, crs)
    assert caught.value.__cause__ is None
    return str(caught.value)


def message(areas: Areas) -> str:
    return " ".join(areas.notes)


def distances(xy: np.ndarray) -> np.ndarray:
    return np.linalg.norm(xy[:, None] - xy[None], axis=2)


# Metres


@pytest.mark.parametrize(
    ("lon", "lat", "kind"),
    [
        ([-60, -59.5, -58], [47, 47.3, 46], "UTM zone 21N"),
        ([178.5, 179.9, -179.6, -179], [-17, -18, -16.5, -17.5], "UTM zone 60S"),
        ([178.5, 179.9, 180.4, -179], [-17, -18, -16.5, -17.5], "UTM zone 60S"),
        ([10, 10, 10.5], [59, 60, 61], "UTM zone 32N"),
        ([170, 179, -175], [52, 51, 53], "equal-area"),
        ([-1, 1, 0], [85, 86, 87], "equal-area"),
        ([0.1, 0.2, 0.15], [-81, -82, -83], "equal-area"),
        ([-10, 0, 12], [40, 50, 45], "equal-area"),
    ],
)
def test_distances_are_those_on_the_ground(lon, lat, kind):
    areas = areas_of(points(*zip(lon, lat, strict=True)), AreaColumns("area"))
    assert kind in message(areas)
    assert areas.crs is not None
    first, second = (i.ravel() for i in np.meshgrid(range(len(lon)), range(len(lon))))
    on_the_ground = Geod(ellps="WGS84").inv(*(np.array(v)[i] for i in (first, second) for v in (lon, lat)))[2]
    measured = distances(areas.points).T.ravel()
    assert measured == pytest.approx(on_the_ground, rel=0.02)


def test_an_area_across_the_date_line_has_its_point_there():
    split = MultiPolygon([box(179.5, -17, 180, -16), box(-180, -17, -179.5, -16)])
    whole = Polygon([(179.5, -15), (-179.5, -15), (-179.5, -14), (179.5, -14)])
    areas = areas_of(outlines([split, whole, box(178, -17, 179, -16)]), AreaColumns("area"))
    back = gpd.GeoSeries(shapely.points(areas.points), crs=areas.crs).to_crs(4326).get_coordinates().to_numpy()
    assert np.abs(back[:2, 0]) == pytest.approx(180, abs=0.01)
    assert back[:2, 1] == pytest.approx([-16.5, -14.5], abs=0.01)
    assert areas.places.geometry.iloc[0].equals(split)


def test_a_projection_in_metres_is_kept_and_others_are_not():
    shapes = gpd.GeoSeries([box(-74 + x, 40.7, -73.95 + x, 40.75) for x in (0, 0.1, 0.3)], crs=4326)
    kept = areas_of(outlines(shapes.to_crs(32618), 32618), AreaColumns("area"))
    assert kept.crs == "EPSG:32618"
    assert not kept.notes
    for crs in (4326, 2263, 3857, 4269):  # degrees, feet, Web Mercator, other degrees
        areas = areas_of(outlines(shapes.to_crs(crs), crs), AreaColumns("area"))
        assert areas.crs == "EPSG:32618"
        assert areas.places.crs.to_epsg() == crs
        assert areas.points == pytest.approx(kept.points, abs=1)


@given(st.lists(st.tuples(st.integers(-1800, 1800), st.integers(-890, 890)), min_size=2, max_size=6, unique=True))
def test_every_place_on_earth_gets_finite_metres(places):
    degrees = [(x / 10, y / 10) for x, y in places]
    try:
        areas = areas_of(points(*degrees), AreaColumns("area"))
    except InputError as error:
        assert "share their point" in str(error) or "cannot be projected" in str(error)
        return
    assert np.isfinite(areas.points).all()
    assert areas.points.dtype == np.float64


def test_coordinates_beyond_their_projection_are_refused():
    assert "row 2 cannot be projected" in refusal(points((1, 2), (1e30, 2), crs="+proj=laea +lon_0=-74 +units=us-ft"))


def test_the_point_is_the_centroid_unless_that_is_outside():
    crescent = Polygon([(0, 0), (9, 0), (9, 9), (0, 9), (0, 8), (8, 8), (8, 1), (0, 1)])
    areas = areas_of(outlines([box(20, 20, 30, 24), crescent], 32621), AreaColumns("area"))
    assert areas.points[0].tolist() == [25, 22]
    assert not crescent.contains(crescent.centroid)
    assert crescent.contains(Point(areas.points[1]))


# Coordinates of tables


def test_degrees_may_have_a_decimal_comma():
    comma = areas_of(table(x=["-60,125", "-59,5"], y=["47,250", "47,125"]), XY)
    point = areas_of(table(x=["-60.125", "-59.5"], y=["47.250", "47.125"]), XY)
    assert np.array_equal(comma.points, point.points)
    thousands = areas_of(table(x=["500,250", "501,000"], y=["900,100", "900,200"]), XY)
    assert thousands.points.tolist() == [[500_250, 900_100], [501_000, 900_200]]
    metres = areas_of(table(x=["1,000.5", "2,000"], y=["5,000,000", "5,100,000.5"]), XY)
    assert metres.points.tolist() == [[1000.5, 5_000_000], [2000, 5_100_000.5]]


def test_coordinates_that_are_no_degrees_are_metres_or_what_is_stated():
    file = table(x=["500000", "501000"], y=["5200000", "5201000"])
    unnamed = areas_of(file, XY)
    assert unnamed.crs is None and unnamed.places.crs is None
    assert "metres" in message(unnamed)
    named = areas_of(file, XY, "epsg:32621")
    assert named.crs == named.places.crs == "EPSG:32621"
    assert np.array_equal(named.points, unnamed.points)
    small = table(x=["50", "60"], y=["70", "80"])
    assert areas_of(small, XY).places.crs == "EPSG:4326"
    assert areas_of(small, XY, "EPSG:4269").places.crs == "EPSG:4269"
    assert areas_of(small, XY, "32621").points.tolist() == [[50, 70], [60, 80]]
    for unknown in ("nowhere", "EPSG:0", "EPSG:5773", "+init=epsg:32621"):  # 5773 is of heights
        assert "Give its code" in refusal(file, XY, unknown)


@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        (["1", "", "3"], ["1", "2", "3"], "“x” is blank in row 2"),
        (["1", "2", "3"], ["a", "b°", "3"], "“y” is no number in rows 1 and 2"),
        (["47", "47.1", "48"], ["-100", "-101", "-99"], "“x” and “y” are swapped: latitudes go beyond 90"),
        (["-60", "-61", "999"], ["47", "48", "48"], "beyond the range of degrees in row 3"),
        (["-60", "-60", "-59"], ["47", "47", "48"], "such as “a” and “b” (rows 1 and 2)"),
        (["-60", "-60.000000001", "-59"], ["47", "47", "48"], "2 areas share their point"),
    ],
)
def test_faults_of_coordinates_are_named_with_their_rows(x, y, sentence):
    assert sentence in refusal(table(x=x, y=y), XY)


def test_names_tell_that_columns_are_swapped_and_that_they_are_degrees():
    file = table(lon=["11", "12"], lat=["47", "48"])
    assert areas_of(file, AreaColumns("area", "lon", "lat")).crs == "EPSG:32632"
    assert "“lat” and “lon” are swapped" in refusal(file, AreaColumns("area", "lat", "lon"))
    assert "range of degrees in rows 1 and 2" in refusal(
        table(lon=["1100", "1200"], lat=["47", "48"]), AreaColumns("area", "lon", "lat")
    )


def test_places_at_zero_are_pointed_out():
    assert "often stands for a missing place" in message(areas_of(table(x=["0", "1", "2"], y=["0", "7", "8"]), XY))


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (AreaColumns("area"), "Choose the two columns"),
        (AreaColumns("area", "x"), "Choose the two columns"),
        (AreaColumns("area", "x", "x"), "Choose the two columns"),
        (AreaColumns("z", "x", "y"), "“z”"),
        (AreaColumns("area", "z", "y"), "“z”"),
        (AreaColumns("area", "x", "y", "z"), "“z”"),
    ],
)
def test_a_table_needs_two_columns_of_coordinates_and_all_that_are_named(columns, sentence):
    assert sentence in refusal(table(x=["1", "2"], y=["3", "4"]), columns)


# Outlines


@pytest.mark.parametrize(
    ("shapes", "sentence"),
    [
        ([SQUARES[0], None, SQUARES[1]], "Row 2 has no geometry"),
        ([SQUARES[0], Polygon(), MultiPolygon()], "Rows 2 and 3 have no geometry"),
        ([SQUARES[0], SQUARES[1], LineString([(0, 0), (1, 1)])], "Row 3 has a line"),
        ([SQUARES[0], SQUARES[1], Point(0, 0)], "mixes kinds of geometry: row 3"),
        ([Point(1, 1), Point(2, 2), SQUARES[1]], "mixes kinds of geometry: row 3"),
        ([Point(1, 1), MultiPoint([(2, 2), (3, 3)])], "Row 2 has several points"),
        ([SQUARES[0], SQUARES[1], Polygon([(0, 0), (1, 1), (2, 2)])], "Row 3 has an outline without area"),
        ([SQUARES[0], SQUARES[1], SQUARES[0]], "such as “a” and “c” (rows 1 and 3)"),
        ([SQUARES[0], box(300, 80, 301, 95)], "beyond the range of degrees in row 2"),
        ([box(47, -101, 48, -100), box(46, -99, 47, -98)], "Longitude and latitude are swapped"),
        ([Point(1, np.inf), Point(1, 1)], "Row 1 has coordinates that are no numbers"),
        ([SQUARES[0]], "at least two are needed"),
    ],
)
def test_faults_of_outlines_are_named_with_their_rows(shapes, sentence):
    assert sentence in refusal(outlines(shapes))


def test_outlines_that_cross_themselves_are_repaired():
    bow = Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    spike = Polygon([(5, 0), (7, 0), (7, 2), (7, 5), (7, 2), (5, 2)])
    areas = areas_of(outlines([bow, spike, box(10, 0, 12, 2)], 32621), AreaColumns("area"))
    assert "rows 1 and 2 crossed or touched themselves" in message(areas)
    assert areas.places.geometry.is_valid.all()
    assert areas.places.geometry.area.tolist() == [2, 4, 4]
    assert areas.have_outlines


def test_heights_and_single_points_in_collections_are_taken_off():
    areas = areas_of(outlines([MultiPoint([(1, 2, 9)]), Point(3, 4, 9)], 32621), AreaColumns("area"))
    assert areas.points.tolist() == [[1, 2], [3, 4]]
    assert not areas.places.has_z.any()
    assert "Heights" in message(areas)


def test_outlines_without_a_crs_are_degrees_where_they_can_be():
    assert areas_of(outlines(SQUARES, None), AreaColumns("area")).places.crs == "EPSG:4326"
    metres = areas_of(outlines([box(x, 0, x + 500, 500) for x in (0, 600, 1200)], None), AreaColumns("area"))
    assert metres.crs is None and metres.places.crs is None
    assert "taken as metres" in message(metres)
    local = areas_of(outlines(SQUARES, 'LOCAL_CS["site",UNIT["metre",1]]'), AreaColumns("area"))
    assert local.crs is None and "local" in message(local)
    assert areas_of(outlines(SQUARES), AreaColumns("area"), "EPSG:3347").crs == "EPSG:3347"


def test_all_areas_may_lie_on_one_line():
    assert "one line" in message(areas_of(points((1, 1), (2, 2), (3, 3), crs=32621), AreaColumns("area")))
    assert "one line" not in message(areas_of(points((1, 1), (2, 2), (3, 4), crs=32621), AreaColumns("area")))


# Ids and population


@pytest.mark.parametrize(
    ("column", "cells", "sentence"),
    [
        ("area", ["a", None, "c", None], "“area” is blank in rows 2 and 4"),
        ("area", ["a", "b", "a", "b"], "names 2 areas more than once, such as “a” in rows 1 and 3"),
        ("area", ["a", "b", "c", "d" * 201], "more than 200 characters"),
        ("people", ["1", None, "3", "4"], "missing in row 2"),
        ("people", ["1", "x", "3", "4"], "no number in row 2"),
        ("people", ["1", "-2", "3", "-4"], "below 0 in rows 2 and 4"),
        ("people", ["0", "0", "0.4", "0"], "0 in every area"),
        ("people", ["1", "2", "3", "1e30"], "too large in row 4"),
    ],
)
def test_faults_of_ids_and_of_the_population_are_named_with_their_rows(column, cells, sentence):
    columns = AreaColumns("area", population="people" if column == "people" else None)
    assert sentence in refusal(outlines(SQUARES, **{column: cells}), columns)


def test_a_population_may_have_separators_and_is_rounded_half_up():
    people = ["1,200", "0", "2.5", "3.4"]
    areas = areas_of(outlines(SQUARES, people=people), AreaColumns("area", population="people"))
    assert areas.population.tolist() == [1200, 0, 3, 3]
    assert areas.population.dtype == np.int64
    assert "rounded to whole people in rows 3 and 4" in message(areas)


def test_the_key_names_the_content():
    one = areas_of(outlines(SQUARES), AreaColumns("area"))
    same = areas_of(outlines(SQUARES), AreaColumns("area"))
    assert one.key == same.key
    others = [outlines(SQUARES, area=list("abce")), outlines([*SQUARES[:3], box(0, 0, 1, 1)]), outlines(SQUARES, 32621)]
    assert len({one.key, *(areas_of(other, AreaColumns("area")).key for other in others)}) == 4


# Suggestions


@pytest.mark.parametrize(
    ("columns", "suggested"),
    [
        ({"lat": ["47", "48"], "lon": ["9", "9"], "name": ["u", "v"]}, AreaColumns("name", "lon", "lat")),
        ({"GEOID20": ["01", "02"], "INTPTLAT": ["1", "2"]}, AreaColumns("GEOID20")),
        ({"X": ["1", "2"], "POP_2016": ["5", "6"], "Y": ["1", "1"], "POP_2021": ["7", "8"], "id": ["8", "9"]},
         AreaColumns("id", "X", "Y", "POP_2021")),
        ({"fid": ["1", "2"], "name": ["u", "v"], "PLZ": ["01067", "01069"], "Einwohner": ["5", "6"],
          "Länge": ["1", "2"], "Breite": ["50", "51"]}, AreaColumns("PLZ", "Länge", "Breite", "Einwohner")),
        ({"y": ["1", "2"], "x": ["1", "2"], "longitude": ["1", "2"], "da": ["1", "2"], "latitude": ["1", "2"]},
         AreaColumns("da", "longitude", "latitude")),
        ({"area": ["1.5", "2.25"], "code": ["u", "v"], "lon": ["a", "b"], "lat": ["1", "2"]}, AreaColumns("code")),
        ({"region": ["n", "n"], "tract": ["1", "2"], "pop_density": ["1", "2"], "pop": ["3", ""]},
         AreaColumns("tract")),
        ({"zip": ["1", "2"], "population": ["-1", "2"]}, AreaColumns("zip")),
        ({"fid": ["1", "2"], "letter": ["a", "b"], "pop": ["x", "2"]}, AreaColumns("letter")),
        ({"x": ["n", "n"]}, AreaColumns("x")),
    ],
)  # fmt: skip
def test_columns_are_suggested_from_names_and_content(columns, suggested):
    file = open_areas(pd.DataFrame(columns).to_csv(index=False).encode(), "x")
    assert suggest_columns(file) == suggested


def test_the_column_of_the_records_is_the_one_that_names_the_areas():
    areas = areas_of(outlines(SQUARES, area=["1", "2", "3", "4"]), AreaColumns("area"))
    frame = pd.DataFrame(
        {
            "severity": ["1", "2"] * 4,
            "place": ["1", "2", "3", "4", None, "1", "9", "4"],
            "serial": list("12345678"),
            "other": ["1", "x", "y", "z", "z", "z", "z", "z"],
        }
    )
    assert suggest_area_column(areas, Dataset.from_frame(frame)) == "place"
    roles = {"severity": "place"}
    assert suggest_area_column(areas, Dataset.from_frame(frame, roles=roles)) == "severity"
    assert suggest_area_column(areas, Dataset.from_frame(frame[["other"]])) is None
    assert suggest_area_column(areas, Dataset.from_frame(frame.iloc[:0])) is None


def test_the_column_is_found_in_a_database_too():
    ibis = pytest.importorskip("ibis")
    areas = areas_of(outlines(SQUARES, area=["1", "2", "3", "4"]), AreaColumns("area"))
    records = ibis.memtable(pd.DataFrame({"who": ["1", "1", "1", "1"], "place": ["1", "2", "9", None]}))
    data = Dataset.from_ibis(records, roles={"place": "place"})
    assert suggest_area_column(areas, data) == "place"


def test_a_geodataframe_is_read_as_a_file_of_it_is():
    frame = gpd.GeoDataFrame(
        {"code": [7, 12, 9], "people": [100, 0, 30]},
        geometry=gpd.points_from_xy([10.0, 10.1, 10.2], [50.0, 50.1, 50.05]), crs=4326, index=[4, 2, 9],
    )  # fmt: skip
    areas = areas_from_geodataframe(frame, "code", "people")
    assert areas.ids.tolist() == ["7", "12", "9"] and areas.population.tolist() == [100, 0, 30]
    assert areas.places.crs == frame.crs and areas.crs.axis_info[0].unit_name == "metre"
    apart = np.hypot(*(areas.points[1] - areas.points[0]))
    assert apart == pytest.approx(Geod(ellps="WGS84").inv(10.0, 50.0, 10.1, 50.1)[2], rel=0.001), "metres, by UTM"
    assert areas_from_geodataframe(frame, "code").population is None
    with refused("column-unknown", "id"):
        areas_from_geodataframe(frame, "id")
    with refused("people-not-numbers", "people"):
        areas_from_geodataframe(frame.assign(people=[1, -1, 2]), "code", "people")
