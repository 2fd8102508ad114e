"""What the figures and maps of regions say: the numbers of the results, red only below k or past the target."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.regions.aggregation import Aggregation, areas_as_they_are
from anonlib.analyses.regions.geometry import for_map, ground, outlines
from anonlib.analyses.regions.measures import Measures
from anonlib.analyses.regions.spatial import SpatialAnonymity
from anonlib.plots import maps, regions
from anonlib.plots.maps import rgb
from anonlib.plots.theme import DARK_INK, LIGHT_INK, Palette, hatching, palette
from tests.helpers.examples import settings
from tests.helpers.figures import FETCHING, HOSTILE, THEMES, check_names_are_text, sent, texts_of
from tests.helpers.regions import aggregated, areas_at, classes_of, polygons_of, scattered

NOBODY, SOME, MORE, MOST, EMPTY = range(5)
# f and m of five areas, k = 5: nobody, 4 of 100, 4 of 20, all, no record
COUNTS = [[10, 10], [4, 96], [4, 16], [1, 2], [0, 0]]


def five(k: int = 5, **changes) -> Aggregation:
    return replace(aggregated(areas_at(scattered(5)), range(5), k, COUNTS), **changes)


def drawn(aggregation: Aggregation, **options) -> dict:
    return json.loads(maps.region_map(for_map(outlines(aggregation)), aggregation, **options).to_json())


def layer(chart: dict, name: str) -> dict:
    (found,) = [one for one in chart["layers"] if one["id"].startswith(name)]
    return found


def rows_of(chart: dict) -> list[dict]:
    return layer(chart, maps.REGIONS)["data"]


def measured(left_out: int = 12, n_records: int = 200, **changes: Any) -> Measures:
    values = {
        "regions": 30, "left_out": left_out, "n_records": n_records, "compactness": 1_234_567.0,
        "discernibility": 5_678_901, "entropy": 4_321.5, "anonymity": 2, "seconds": 0.1,
    }  # fmt: skip
    return Measures(**(values | changes))


# ---- maps ----------------------------------------------------------------------------------------------------------


@THEMES
def test_red_is_where_records_are_left_out_in_steps(dark: bool, colours: Palette):
    found = maps.levels(five(), dark=dark)
    assert found.of_region.tolist() == [NOBODY, SOME, MORE, MOST, EMPTY]
    assert found.words == ("nobody", "up to 5%", "up to 20%", "more than 20%", "no records")
    assert found.colours[MOST] == colours.risky and found.colours[NOBODY] == colours.little
    page = rgb(DARK_INK if dark else LIGHT_INK)
    far = [np.abs(np.subtract(rgb(one), page)).sum() for one in found.colours[SOME : MOST + 1]]
    assert far == sorted(far) and far[0] > 60, "the more are left out, the stronger"
    fills = {row["region"]: row["fill"] for row in rows_of(drawn(five(), dark=dark))}
    assert [fills[i] for i in range(5)] == [rgb(found.colours[level]) for level in found.of_region]


@pytest.mark.parametrize(("left", "level"), [(0, 0), (1, 1), (5, 1), (6, 2), (20, 2), (21, 3), (49, 3)])
def test_steps_of_the_share_left_out_include_their_end(left: int, level: int):
    found = maps.levels(aggregated(areas_at([(0, 0)]), [0], 50, [[left, 100 - left]]))
    assert found.of_region.tolist() == [level]


@THEMES
def test_smallest_class_is_red_below_k_and_bluer_the_larger(dark: bool, colours: Palette):
    counts = [[4, 99], [5, 99], [9, 99], [10, 99], [24, 99], [25, 99], [0, 0]]
    aggregation = aggregated(areas_at(scattered(7)), range(7), 5, counts)
    found = maps.levels(aggregation, "smallest class", dark=dark)
    assert found.of_region.tolist() == [0, 1, 1, 2, 2, 3, 4]
    assert found.words == ("below 5", "5 to 9", "10 to 24", "25 or more", "no records")
    assert found.colours[0] == colours.risky and colours.risky not in found.colours[1:]


@THEMES
@pytest.mark.parametrize("colour", ["left out", "smallest class"])
def test_a_grey_print_tells_the_levels_apart(dark: bool, colours: Palette, colour):
    """By their lightness or by the lines across them, on the map and in its legend."""
    found = maps.levels(five(), colour, dark=dark)
    grey = [float(np.dot(rgb(one), (0.299, 0.587, 0.114))) for one in found.colours]
    for i, j in combinations(range(len(found.words) - 1), 2):
        assert abs(grey[i] - grey[j]) > 20 or found.hatched[i] != found.hatched[j], (found.words[i], found.words[j])
    legend = {trace.name.split(":")[0]: trace.marker.pattern for trace in maps.map_legend(five(), colour).data}
    for word, lines in zip(found.words, found.hatched, strict=True):
        assert word == "no records" or (legend[word].shape == "/") == (lines > 0)
    across = layer(drawn(five(), colour=colour, dark=dark), "hatching")["data"]
    assert bool(across) == any(found.hatched[i] for i in found.of_region)


def test_hatching_is_within_the_shapes_and_evenly_apart():
    shapes = np.array([shapely.box(0, 0, 10, 4), shapely.box(20, 0, 30, 9).buffer(0), shapely.Polygon()], dtype=object)
    lines = hatching(shapes, 2.0)
    assert len(lines)
    for (x0, y0), (x1, y1) in lines:
        assert x1 - x0 == pytest.approx(y1 - y0) and (x0 - y0) / 2.0 == pytest.approx(round((x0 - y0) / 2.0))
        assert shapely.union_all(shapes).buffer(1e-9).covers(shapely.LineString([(x0, y0), (x1, y1)]))
    assert {round((x - y) / 2.0) for (x, y), _ in lines} >= {-1, 0, 4, 6, 14}, "every one that crosses"
    assert hatching(shapes[2:], 2.0).shape == (0, 2, 2)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 999))
def test_neighbours_differ_in_colour_and_none_is_red(seed: int):
    areas = areas_at(scattered(60, seed))
    labels = np.unique(np.random.default_rng(seed).integers(0, 20, 60), return_inverse=True)[1]
    labels = np.arange(60) if seed % 2 else labels
    aggregation = aggregated(areas, labels)
    shapes = outlines(aggregation)
    tints = maps.fills(shapes, aggregation, "region", dark=False)
    assert rgb(palette().risky) not in tints and len({tuple(one) for one in tints}) <= 6
    if seed % 2:  # cells of points have few enough neighbours
        for i, j in zip(*shapes.sindex.query(shapes.geometry, predicate="touches"), strict=True):
            assert tints[i] != tints[j]


def test_what_a_region_says_in_words():
    counts = np.array([[2, 1_500], [0, 0]])
    aggregation = aggregated(areas_at(scattered(2)), [0, 1], 5, counts)
    message = {row["region"]: row["hover"].split("\n") for row in rows_of(drawn(aggregation))}
    assert message[0] == [
        aggregation.names[0], "1 area", "500 people", "1,502 records", "smallest class: 2 records",
        "left out: 0.133% (2 of 1,502 records)",
    ]  # fmt: skip
    assert message[1] == [aggregation.names[1], "1 area", "500 people", "no records"]
    nobody = rows_of(drawn(aggregated(areas_at([(0, 0)]), [0], 3)))[0]["hover"]
    assert nobody.endswith("left out: nobody")
    unknown = replace(aggregation.area_classes, areas=replace(aggregation.area_classes.areas, population=None))
    assert not any("people" in row["hover"] for row in rows_of(drawn(replace(aggregation, area_classes=unknown))))


def test_persons_are_called_persons():
    aggregation = five()
    persons = replace(aggregation, area_classes=replace(aggregation.area_classes, unit="persons"))
    assert "4 of 100 persons" in rows_of(drawn(persons))[1]["hover"]


def test_the_chosen_region_has_a_strong_outline_of_all_its_parts():
    areas = areas_at([(i * 1_000.0, 0.0) for i in range(5)])
    aggregation = aggregated(areas, [0, 1, 0, 1, 1])
    chart = drawn(aggregation, selected=0)
    outline = layer(chart, "selected")
    assert [row["p"] for row in outline["data"]] == [row["p"] for row in rows_of(chart) if row["region"] == 0]
    assert len(outline["data"]) == 2 and outline["getLineColor"] == rgb(palette().ink) and not outline["filled"]
    assert not [one for one in drawn(aggregation)["layers"] if one["id"] == "selected"]


def test_what_is_drawn_is_where_the_regions_are():
    aggregation = aggregated(areas_at(scattered(80)), np.arange(80) // 10)
    shapes = outlines(aggregation)
    points = aggregation.area_classes.areas.points
    unit = np.ptp(points, axis=0).max() / 1_000_000
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    for row in rows_of(json.loads(maps.region_map(shapes, aggregation).to_json())):
        shape = shapely.Polygon(row["p"][0], row["p"][1:])
        back = shapely.transform(shape, lambda xy: xy * unit + middle)
        part = max(shapely.get_parts(shapes.geometry.iloc[row["region"]]), key=lambda one: one.intersection(back).area)
        assert back.symmetric_difference(part).area <= unit * part.length


def test_every_border_is_drawn_once():
    rows = [{"p": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}, {"p": [[[1, 0], [2, 0], [2, 1], [1, 1], [1, 0]]]}]
    edges = {frozenset((tuple(e["a"]), tuple(e["b"]))) for e in maps._borders(rows)}
    assert len(maps._borders(rows)) == len(edges) == 7 and frozenset(((1, 0), (1, 1))) in edges
    assert maps._borders([]) == []


def test_holes_are_drawn_as_holes():
    rng = np.random.default_rng(5)
    angle, radius = rng.random(400) * 2 * np.pi, 35_000 + rng.random(400) * 15_000
    shore = np.column_stack((np.cos(angle), np.sin(angle))) * radius[:, None]
    (row,) = rows_of(drawn(aggregated(areas_at(shore), [0] * 400)))
    assert len(row["p"]) == 2, "the shore and the lake"


def test_the_view_is_that_of_the_areas_whatever_the_regions():
    areas = areas_at(scattered(40))
    views = [
        drawn(aggregated(areas, labels, k), selected=0, colour=colour)["initialViewState"]
        for labels, k, colour in [(np.arange(40) // 8, 3, "left out"), (np.arange(40), 9, "region")]
    ]
    own = json.loads(maps.area_map(None, areas_as_they_are(classes_of(areas), 5)).to_json())
    assert views[0] == views[1] == own["initialViewState"]
    flat = drawn(aggregated(areas_at([(3, 4)]), [0]))["initialViewState"]
    assert np.isfinite(flat["zoom"]) and flat["target"] == [0, 0, 0]


def test_a_click_is_kept_with_another_k_and_not_with_other_regions():
    areas = areas_at(scattered(40))

    def clicked(labels, k: int, **options) -> str:
        return layer(drawn(aggregated(areas, labels, k), **options), maps.REGIONS)["id"]

    labels = np.arange(40) // 8
    assert clicked(labels, 3) == clicked(labels, 9, colour="smallest class", dark=True, selected=2)
    assert clicked(labels, 3) != clicked(np.arange(40) // 4, 3)
    assert clicked(labels, 3) != clicked(labels[::-1], 3)


@pytest.mark.parametrize(
    ("event", "region"),
    [
        (None, None),
        ({}, None),
        ({"selection": {"indices": {}, "objects": {}}}, None),
        ({"selection": {"objects": {"regions a": [{"region": 7, "hover": "R8"}]}}}, 7),
        ({"selection": {"objects": {"regions a": [{"region": 0}]}}}, 0),
        ({"selection": {"objects": {"regions a": [{"region": "7"}]}}}, None),
        ({"selection": {"objects": {"regions a": [{"region": True}, {"region": -1}]}}}, None),
    ],
)
def test_which_region_was_chosen(event, region):
    assert maps.chosen(event) == region


@THEMES
def test_areas_before_are_dots_or_their_polygons_in_the_same_colours(dark: bool, colours: Palette):
    points = areas_at(scattered(5))
    own = areas_as_they_are(classes_of(points, COUNTS), 5)
    dots = json.loads(maps.area_map(None, own, dark=dark).to_json())
    rows = rows_of(dots)
    assert [row["region"] for row in rows] == [0, 4, 1, 2, 3], "those with records below k over the others"
    assert {tuple(row["fill"]) for row in rows if row["region"] == 3} == {tuple(rgb(colours.risky))}
    assert rows[-1]["hover"].startswith("Area a3\n500 people\n3 records")
    shapes = for_map(ground(polygons_of(points)).to_frame())
    drawn_shapes = rows_of(json.loads(maps.area_map(shapes, own, dark=dark).to_json()))
    fills = {row["region"]: row["fill"] for row in rows}
    assert all(row["fill"] == fills[row["region"]] for row in drawn_shapes)
    assert all(isinstance(row["p"][0][0], list) for row in drawn_shapes), "rings"


def test_too_many_polygons_are_dots(monkeypatch):
    areas = polygons_of(areas_at(scattered(5)))
    own, shapes = areas_as_they_are(classes_of(areas), 5), ground(areas).to_frame()
    kinds = []
    for most in (5, 4):
        monkeypatch.setattr(maps, "MOST_SHAPES", most)
        chart = json.loads(maps.area_map(shapes, own).to_json())
        kinds.append(layer(chart, maps.REGIONS)["@@type"])
        assert len(rows_of(chart)) == 5
    assert kinds == ["PolygonLayer", "ScatterplotLayer"]


@pytest.mark.parametrize("name", [HOSTILE, "@@=alert(1)", "@@#GL.ONE", "{hover}{people}", "x" * 500, " \n "])
def test_names_of_areas_are_text(name: str):
    areas = areas_at(scattered(3))
    areas.ids[0] = name
    chart = json.loads(maps.area_map(None, areas_as_they_are(classes_of(areas), 5)).to_json())
    assert not [text for text in texts_of(rows_of(chart)) if text.startswith("@@") or len(text) > 200]
    tip = maps.area_map(None, areas_as_they_are(classes_of(areas), 5))._tooltip
    assert set(tip) == {"text", "style"}, "never HTML"


@THEMES
@pytest.mark.parametrize("colour", ["left out", "smallest class", "region"])
def test_a_map_asks_nothing_of_another_host(dark: bool, colours: Palette, colour):
    chart = maps.region_map(for_map(outlines(five())), five(), selected=1, colour=colour, dots="areas", dark=dark)
    text = chart.to_json()
    assert "http" not in text and "//" not in text and "\n" not in text
    found = json.loads(text)
    assert [view["@@type"] for view in found["views"]] == ["OrthographicView"], "a view without a ground map"
    assert not found.get("mapStyle") and not found.get("mapProvider")
    assert {one["@@type"] for one in found["layers"]} == {"PolygonLayer", "LineLayer", "ScatterplotLayer"}
    assert len(layer(found, "areas")["data"]) == 5
    with_sites = maps.region_map(for_map(outlines(five())), five(), dots="sites", dark=dark)
    assert len(layer(json.loads(with_sites.to_json()), "sites")["data"]) == five().n_regions
    legend = maps.map_legend(five(), colour, dark=dark)
    assert FETCHING.isdisjoint(trace.type for trace in legend.data) and "http" not in json.dumps(sent(legend)["data"])


def test_the_legend_counts_regions_of_each_level():
    names = [trace.name for trace in maps.map_legend(five()).data]
    assert names == ["nobody: 1", "up to 5%: 1", "up to 20%: 1", "more than 20%: 1", "no records: 1"]
    full = aggregated(areas_at(scattered(4)), range(4), 2)
    names = [trace.name for trace in maps.map_legend(full).data]
    assert names[0] == "nobody: 4" and not any("no records" in name for name in names)


# ---- measures side by side -----------------------------------------------------------------------------------------


def run(way: str = "Balanced", placement: str = "balanced", k: int = 5, spatial=(9_383, 0.0145), **changes: Any):
    return regions.ComparedRun(way, placement, k, measured(**changes), SpatialAnonymity(*spatial))


ALL_PLACED = [("Balanced", "balanced"), ("Clustered", "clustering"), ("Exchanged", "exchange"), ("town", "given")]


@THEMES
@pytest.mark.parametrize("n", [0, 1, 15])
def test_every_run_is_drawn_among_those_of_as_many_regions(dark: bool, colours: Palette, n: int):
    runs = [run(*placed, left_out=7 * i % 60, regions=30 + i, compactness=1e3 * i)
            for i in range(n) for placed in ALL_PLACED]  # fmt: skip
    found = sent(regions.measures_bars(runs, dark=dark))
    bars, numbers = found["data"][:4], found["data"][4:]
    assert (
        len(numbers) == 2 and {one["type"] for one in bars} == {"bar"} and {one["mode"] for one in numbers} == {"text"}
    )
    assert len({one.get("xaxis", "x") for one in found["data"]}) == 6
    assert len({json.dumps([one["y"], one.get("marker")]) for one in bars}) == 1, "the same order and colours in each"
    rows = dict(zip(found["layout"]["yaxis"]["tickvals"], found["layout"]["yaxis"]["ticktext"], strict=True))
    assert len(rows) == 5 * n, "each with its name, each group with its number"
    ordered = [rows[y].strip() for y in sorted(rows)]
    group = ["town", "Balanced", "Clustered", "Exchanged"]
    assert ordered == [text for i in range(n) for text in (f"<b>{30 + i} regions, k = 5</b>", *group)]
    hue = dict(zip([rows[y].strip() for y in bars[0]["y"]], bars[0]["marker"]["color"], strict=True))
    assert len(set(hue.values())) == len(hue) and colours.risky not in hue.values(), "one colour a placement"
    assert len(set(bars[0]["marker"]["color"])) == len(hue), "in whatever group"
    assert found["layout"]["yaxis"]["range"][0] > found["layout"]["yaxis"]["range"][1]
    assert found["layout"]["height"] < 100 + 130 * n, "many are still read"


def test_the_least_of_a_group_is_bold_and_none_of_another():
    runs = [run(left_out=4), run("Exchanged", "exchange", left_out=2), run("town", "given", left_out=2),
            run(left_out=1, regions=7), run(left_out=1, k=9)]  # fmt: skip
    chart = regions.measures_bars(runs)
    assert list(chart.data[0].text) == ["0.5%", "<b>1%</b>", "2%", "<b>1%</b>", "0.5%"]
    assert not any("<b>" in text for text in chart.data[1].text), "equal in all of a group"
    assert not any("<b>" in text for one in chart.data[4:] for text in one.text), "what is hidden is no loss"


def test_numbers_are_short_on_bars_and_exact_in_the_hover():
    chart = regions.measures_bars([run()])
    assert [one.text[0] for one in chart.data] == ["6%", "1.23k", "5.68M", "4.32k", "9,383", "1.45%"]
    (hover,) = chart.data[2].hovertext
    for message in ("30 regions", "6% (12 of 200 records)", "1,235 km", "5,678,901 records²", "4,322 bits",
                    "fewest people in a region: 9,383", "area guessed: 1.45%"):  # fmt: skip
        assert message in hover
    assert "left out whole" not in hover
    (hover,) = regions.measures_bars([run(withheld=15)]).data[0].hovertext
    assert "30 regions, 15 of them left out whole" in hover
    nothing = regions.measures_bars([run(spatial=(None, None))])
    assert [one.text[0] for one in nothing.data[4:]] == ["—", "—"]
    persons = regions.measures_bars([run()], unit="persons")
    assert "12 of 200 persons" in persons.data[2].hovertext[0]
    assert "records" not in json.dumps(sent(persons)["layout"]["annotations"]) + persons.data[2].hovertext[0]


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (999.6, "1k"), (1_240, "1.24k"), (999_900, "1M"), (3.5e9, "3.5bn"), (2e13, "20tn")],
)
def test_short_numbers(number: float, text: str):
    assert regions._short(number) == text


def test_names_of_configurations_are_text():
    chart = regions.measures_bars([run(HOSTILE, "given"), run("x" * 200, "given")])
    check_names_are_text(chart)
    assert max(map(len, chart.layout.yaxis.ticktext)) <= 61


# ---- suppression against the number of regions ---------------------------------------------------------------------


@THEMES
def test_the_curve_is_red_past_the_target_and_marks_the_current_number(dark: bool, colours: Palette):
    points = [(100, measured(30)), (10, measured(2, regions=9)), (30, measured(10)), (50, measured(20))]
    chart = regions.left_out_curve(points, current=30, target=0.05, dark=dark)
    line, dots = chart.data
    assert list(dots.x) == [10, 30, 50, 100] and np.allclose(dots.y, [1, 5, 10, 15]) and list(line.x) == list(dots.x)
    assert list(dots.marker.color) == [colours.safe, colours.safe, colours.risky, colours.risky], "5% is at most 5%"
    assert int(np.argmax(dots.marker.size)) == 1
    assert dots.hovertext[0].startswith("9 regions (10 asked for)") and "1% (2 of 200 records)" in dots.hovertext[0]
    assert dots.hovertext[1].startswith("30 regions<br>")
    message = {one.text: one for one in chart.layout.annotations}
    assert message["30 regions"].x == pytest.approx(np.log10(30)) and "at most 5%" in message
    assert {shape.y0 for shape in chart.layout.shapes} >= {5.0} and {shape.x0 for shape in chart.layout.shapes} >= {30}
    assert chart.layout.xaxis.type == "log" and chart.layout.xaxis.title.text and chart.layout.yaxis.title.text


def test_regions_that_were_searched_for_are_a_line_of_their_own_with_the_current_number():
    points, searched = (
        [(10, measured(2)), (30, measured(12))],
        [(40, measured(14)), (30, measured(6)), (35, measured(9))],
    )
    chart = regions.left_out_curve(
        points, current=30, target=0.05, searched=searched, names=("balanced", "exchanged")
    )  # fmt: skip
    line, dots, other_line, other_dots = chart.data
    assert (line.name, other_line.name) == ("balanced", "exchanged") and line.line.dash != other_line.line.dash
    assert [trace.showlegend for trace in chart.data] == [None, False, None, False] and chart.layout.showlegend
    assert list(dots.y) == [1, 6] and list(other_dots.x) == [30, 35, 40] and np.allclose(other_dots.y, [3, 4.5, 7])
    assert list(other_dots.marker.symbol) == ["circle", "circle", "diamond"], "past the target"
    assert len(set(dots.marker.size)) == 1 and int(np.argmax(other_dots.marker.size)) == 0
    assert chart.layout.yaxis.range[1] > 7


@pytest.mark.parametrize("points", [[], [(1, measured(0, 0))]])
def test_a_curve_of_little(points):
    chart = regions.left_out_curve(points)
    assert palette().risky not in json.dumps(sent(chart)) and not chart.layout.shapes
