"""Files of areas on the Regions page: each is a map, or a sentence with a way out."""

from __future__ import annotations

import json

import pytest
from shapely.geometry import box, mapping

from anonlib.analyses.regions import AreaClasses, areas_of, open_areas, suggest_columns
from tests.helpers.app import DATA, REGIONS, REGIONS_TABS, RELEASE, TRY_PROVINCE, App, dataset_of, sampled, seeded
from tests.helpers.hostile import HOSTILE, check_text, hostile_file
from tests.helpers.regions import (
    LINES,
    N_AREAS,
    PLACE,
    QUASI,
    TABS,
    areas_csv,
    at_first,
    check_figures,
    counted,
    every_tab,
    file_of,
    of_files,
    records_csv,
)
from ui.session.companions import AreaTable

INSTEAD = "Open the province sample instead of your file"


def test_the_province_shows_regions_at_once():
    app = App(REGIONS).press(TRY_PROVINCE)
    before, after = (int(number.replace(",", "")) for number in app.metric("Regions").split(" → "))
    assert before > 1_000 > after > 50
    assert "**By area**" in app.text and "**By region**" in app.text
    assert app.widget("selectbox", "Number of regions").value == "target"
    left_out = float(app.metric("Records below k").split(" → ")[1].removesuffix("%"))
    assert 4 < left_out <= 5, "close to what may be left out"
    every_tab(app)


def test_own_records_ask_for_areas_and_own_areas_are_taken():
    assert "No quasi-identifiers are chosen" in App(REGIONS, records_csv()).text
    app = seeded(records_csv(), page=REGIONS, roles={"name": "identifier", "age": QUASI, "sex": QUASI, "area": PLACE})
    assert "No areas are loaded" in app.text and not app.at.metric and app.has_button(INSTEAD)
    app.upload(areas_csv(), "areas.csv", "Load areas")
    assert "The areas of areas.csv are loaded" in app.text.replace("\\", "")
    of = counted(app)
    check_figures(app, at_first(of))
    assert of.unknown and of.without
    assert f"{of.n_records:,} records in {N_AREAS} areas" in app.text
    assert f"{of.unknown} records name an area that is not in the file" in app.text
    assert f"{of.without} records name no area" in app.text
    assert app.widget("selectbox", "Records name their area in").value == "area"
    every_tab(app)
    app.open(DATA).press("Forget this data").open(REGIONS)
    assert "Nothing is loaded yet" in app.text and AreaTable not in app.session.parts


def test_every_sample_with_its_own_areas_or_none_is_a_sentence_or_a_map():
    app = sampled("admissions", REGIONS)
    assert "No areas are loaded" in app.text and not app.errors
    app.press(INSTEAD)
    assert app.at.metric and not app.errors and "province" in app.session.loaded.source.name


def test_areas_are_forgotten(app):
    app.tab(TABS, "Areas").press("Forget these areas")
    assert "No areas are loaded" in app.text and not app.at.metric and not app.errors
    assert app.session.parts[AreaTable] == AreaTable()
    check_figures(app.upload(areas_csv(), "areas.csv", "Load areas"), at_first(counted(app)))


def changed(row: int, line: str) -> bytes:
    """The file of areas with another line in the place of one."""
    return file_of(*LINES[:row], line, *LINES[row + 1 :])


BAD = {
    "no areas": (file_of(LINES[0]), "no records"),
    "empty": (b"", "empty"),
    "one area": (file_of(*LINES[:2]), "one area only"),
    "ids twice": (changed(5, LINES[4].split(",", 1)[0] + ",11,59,400"), "more than once"),
    "points twice": (changed(5, "x," + LINES[4].split(",", 1)[1]), "share their point"),
    "no coordinates": (file_of("area,people", "a,5", "b,6"), "Choose the two columns that hold the areas’ coordinates"),
    "a blank coordinate": (changed(5, "x,,59,400"), "“longitude” is blank in row 5"),
    "a coordinate in words": (changed(5, "x,east,59,400"), "“longitude” is no number in row 5"),
    "swapped": (file_of("area,x,y", *(f"{i},{59 + i / 100},{110 + i / 90}" for i in range(9))), "are swapped"),
    "beyond degrees": (changed(5, "x,1000,59,400"), "beyond the range of degrees in row 5"),
    "an id is missing": (changed(5, ",10,59,400"), "“area” is blank in row 5"),
    "topology": (b'{"type": "Topology", "objects": {}}', "TopoJSON"),
    "other JSON": (b'{"a": 1}', "no GeoJSON FeatureCollection"),
    "half a zip": (b"PK\x03\x04" + b"x" * 40, ""),
    "half a GeoPackage": (b"SQLite format 3\x00" + b"\x00" * 80, ""),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\x00" * 80, ""),
}


@pytest.fixture(scope="module")
def kept() -> App:
    """A session with good areas, to which every bad file is given in turn."""
    return of_files(tab="Areas")


@pytest.mark.parametrize("case", BAD)
def test_areas_that_cannot_be_used_are_a_sentence_and_those_that_were_loaded_stay(case, kept):
    data, shown_text = BAD[case]
    kept.upload(data, "other.csv", "Load other areas")
    (sentence,) = {message.replace("\\", "") for message in kept.errors}
    assert shown_text in sentence and sentence.endswith("."), sentence
    check_figures(kept.run(), at_first(counted(kept)))


@pytest.mark.parametrize("case", ["ids twice", "empty", "topology"])
def test_a_bad_file_is_refused_where_there_are_no_areas_yet(case):
    app = seeded(records_csv(), page=REGIONS, roles={"age": QUASI, "area": PLACE})
    app.upload(BAD[case][0], "first.csv", "Load areas")
    assert app.errors and BAD[case][1] in app.errors[0].replace("\\", "") and not app.at.metric
    app.upload(areas_csv(), "areas.csv", "Load")
    check_figures(app, at_first(counted(app, ("age",))))


def test_another_column_of_the_areas_is_a_sentence_or_counts(app):
    app.tab(TABS, "Areas").choose("selectbox", "Area id", "population")
    assert len(app.errors) == 1 and "“population” names" in app.errors[0].replace("\\", "") and not app.at.metric
    app.choose("selectbox", "Area id", "area")
    check_figures(app, at_first(counted(app)))
    app.choose("selectbox", "People who live there", "area")
    assert not app.errors and app.at.metric, "ids that are numbers may be a number of people"
    app.choose("selectbox", "People who live there", "(none)")
    assert not app.errors and "names no number of people: each area counts as many as it has records" in app.text
    app.choose("selectbox", "Longitude or x", "latitude")
    assert len(app.errors) == 1 and not app.at.metric
    app.set("selectbox", "Longitude or x", "longitude").choose("selectbox", "People who live there", "population")
    check_figures(app, at_first(counted(app)))


def check_odd(app: App, areas: bytes, names=("age", "sex"), k: int = 5) -> AreaClasses:
    """The page shows what the library finds in these areas."""
    file = open_areas(areas, "areas.csv")
    of = AreaClasses.from_records(areas_of(file, suggest_columns(file)), dataset_of(app), "area", list(names))
    check_figures(app, at_first(of, k))
    return of


def test_areas_on_a_line_are_stretches_of_it():
    areas = file_of(LINES[0], *(f"{4_700 + i},9,{59 + i / 100},500" for i in range(N_AREAS)))
    app = of_files(b"", areas)
    check_odd(app, areas)
    assert "All areas lie on one line" in app.tab(TABS, "Areas").text and not app.errors
    assert not app.tab(TABS, "Compare").errors


def test_areas_without_records_are_stated():
    areas = file_of(*LINES, *(f"x{i},{11 + i / 20},60,500" for i in range(7)))
    app = of_files(b"", areas)
    of = check_odd(app, areas)
    assert f"{(of.records == 0).sum()} of them without records" in app.text
    for tab in ("Number of regions", "Areas"):
        assert not app.tab(TABS, tab).errors


def test_two_areas_and_a_k_that_nobody_reaches():
    areas = file_of(*LINES[:3])
    app = of_files(
        b"age,sex,area\n30,F,4700\n30,F,4701\n31,M,4701\n" * 2, areas, roles={"age": QUASI, "sex": QUASI, "area": PLACE}
    )
    check_odd(app, areas)
    assert app.metric("Records below k").endswith("100%")
    every_tab(app)
    app.press("Add to recipe").open(RELEASE)
    assert not app.errors and "No record is left" in app.download("Released CSV").proto.help
    app.open(REGIONS).choose("number_input", "k", 2)
    check_odd(app, areas, k=2)


def test_outlines_are_drawn_as_they_are():
    features = [
        {
            "type": "Feature",
            "properties": {"area": str(4_700 + i), "population": 500},
            "geometry": mapping(box(10 + i % 8 / 10, 59 + i // 8 / 10, 10.1 + i % 8 / 10, 59.1 + i // 8 / 10)),
        }
        for i in range(N_AREAS)
    ]
    areas = json.dumps({"type": "FeatureCollection", "features": features}).encode()
    app = of_files(b"", areas)
    check_odd(app, areas)
    every_tab(app)
    assert not [one for one in app.tab(TABS, "Areas").at.selectbox if one.label.startswith("Longitude")]


def test_the_text_of_files_is_text_everywhere():
    columns = [*HOSTILE, "age"]
    place = columns[1]
    roles = [QUASI, PLACE, "sensitive", QUASI, "identifier", QUASI, "person_id"]
    app = seeded(
        hostile_file(), "![ZQX](http:h.example.png).csv", REGIONS, roles=dict(zip(columns, roles, strict=False))
    )
    names = sorted(set(dataset_of(app).records[place].cat.categories))
    header = ",".join(f'"{name}"' for name in (columns[0], "longitude", "latitude", columns[3]))
    rows = (f'"{name}",{10 + i / 50},{59 + i % 7 / 50},5' for i, name in enumerate(names))
    app.upload(file_of(header, *rows), "**ZQX** <img src=x>.csv", "Load areas")
    check_text(app)
    assert app.at.metric and not app.errors
    for _ in app.each_tab(TABS, REGIONS_TABS):
        check_text(app)
    for region in app.widget("selectbox", "Look at").options[:3]:
        check_text(app.choose("selectbox", "Look at", region))
    check_text(app.press("Add to recipe"))
    app.tab(TABS, "Areas").choose("selectbox", "Area id", columns[3])
    check_text(app)
    assert app.errors
