"""The Regions page with odd files of areas and of records: each is a sentence with a way out, or is said to be odd."""

from __future__ import annotations

import json

import pytest
from shapely.geometry import box, mapping

from anonlib import words
from anonlib.regions import AreaClasses, aggregate, areas_of, open_areas, regions_for_target, suggest_columns
from tests.helpers.app import DATA, REGIONS, REGIONS_TABS, RELEASE, App, dataset_of
from tests.pages.protect.regions.test_regions import (
    BY_HAND,
    N_AREAS,
    PLACE,
    QUASI,
    TABS,
    areas_csv,
    at_first,
    check_figures,
    counted,
    every_tab,
    of_files,
    records_csv,
    with_roles,
)
from tests.pages.release.release.test_release import check_text, hostile_file

LINES = areas_csv().decode().splitlines()


def file_of(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def changed(row: int, line: str) -> bytes:
    """The file of areas with another line in the place of one."""
    return file_of(*LINES[:row], line, *LINES[row + 1 :])


@pytest.fixture
def app() -> App:
    return of_files()


# ---- files of areas that cannot be used ------------------------------------------------------------------------------


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
    return of_files()


@pytest.mark.parametrize("case", BAD)
def test_areas_that_cannot_be_used_are_a_sentence_and_those_that_were_loaded_stay(case, kept):
    data, said = BAD[case]
    kept.tab(TABS, "Areas").upload(data, "other.csv", "Load other areas")
    (sentence,) = {message.replace("\\", "") for message in kept.errors}
    assert said in sentence and sentence.endswith("."), sentence
    check_figures(kept.run(), at_first(counted(kept)))


@pytest.mark.parametrize("case", ["ids twice", "empty", "topology"])
def test_a_bad_file_is_refused_where_there_are_no_areas_yet(case):
    app = App(DATA, records_csv())
    with_roles(app, age=QUASI, area=PLACE).open(REGIONS).upload(BAD[case][0], "first.csv", "Load areas")
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
    app.choose("selectbox", "Longitude or x", "longitude").choose("selectbox", "People who live there", "population")
    check_figures(app, at_first(counted(app)))


# ---- areas that are odd, but can be used -----------------------------------------------------------------------------


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
    assert "All areas lie on one line" in app.tab(TABS, "Areas").text
    every_tab(app)


def test_areas_without_records_are_said():
    areas = file_of(*LINES, *(f"x{i},{11 + i / 20},60,500" for i in range(7)))
    app = of_files(b"", areas)
    of = check_odd(app, areas)
    assert f"{(of.records == 0).sum()} of them without records" in app.text
    every_tab(app)


def test_two_areas_and_a_k_that_nobody_reaches():
    areas = file_of(*LINES[:3])
    app = of_files(b"age,sex,area\n30,F,4700\n30,F,4701\n31,M,4701\n" * 2, areas, age=QUASI, sex=QUASI, area=PLACE)
    check_odd(app, areas)
    assert app.metric("Records left out").endswith("100%")
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


def test_more_regions_than_areas_are_never_asked_for(app):
    app.choose("selectbox", "Number of regions", "max_combinations")
    app.choose("selectbox", "Cutoff fitted in", "Own model").choose("number_input", "Factor", 1.0)
    app.choose("number_input", "Exponent", 0.0)
    check_figures(app, aggregate(counted(app), 5, number=N_AREAS))
    app.choose("selectbox", "Number of regions", BY_HAND)
    assert app.widget("slider", "Regions").max == N_AREAS
    app.choose("slider", "Regions", N_AREAS).tab(TABS, "Areas")
    app.upload(file_of(*LINES[:20]), "fewer.csv", "Load other areas")
    assert app.widget("slider", "Regions").max == 19 and not app.errors


def test_a_number_that_cannot_be_found_is_a_sentence_with_the_settings_still_there():
    rows = (f"{i % 2 and i},{4_700 + i % N_AREAS}" for i in range(100))
    app = of_files(file_of("age,area", *rows), age=QUASI, area=PLACE)
    of = counted(app, ("age",))
    check_figures(app, aggregate(of, 5, number=1))
    one = aggregate(of, 5, number=1).measures
    (warning,) = (element.value for element in app.at.warning)
    assert "At most 5% cannot be kept to" in warning and one.suppression > 0.05
    assert f"even one region for all areas leaves out {words.percent(one.suppression)}" in warning
    every_tab(app).choose("slider", "Left out", 50.0)
    check_figures(
        app, aggregate(counted(app, ("age",)), 5, number=regions_for_target(counted(app, ("age",)), 5, 0.5).asked)
    )
    same = of_files(b"age,area\n" + b"".join(b"30,%d\n" % (4_700 + i) for i in range(N_AREAS)), age=QUASI, area=PLACE)
    same.choose("selectbox", "Number of regions", "entropy")
    assert len(same.errors) == 1 and "entropy" in same.errors[0].lower() and not same.at.metric
    same.choose("selectbox", "Number of regions", BY_HAND)
    assert not same.errors and same.at.metric


# ---- records that are odd --------------------------------------------------------------------------------------------


def test_persons_with_rows_in_several_areas_are_said_and_the_release_holds_for_them():
    rows = [f"p{i % 400},{30 + 10 * (i % 3)},{4_700 + (i % 400 + (i > 700)) % 50}" for i in range(800)]
    app = of_files(file_of("who,age,area", *rows), who="Person id", age=QUASI, area=PLACE)
    of = counted(app, ("age",))
    assert of.several and of.unit == "persons"
    check_figures(app, at_first(of))
    assert f"{of.several} people have rows in several areas" in app.text
    app.press("Add to recipe")
    applied = app.session.recipe.apply(dataset_of(app))
    assert not applied.problems and applied.released.classes(["area", "age"]).counts.min() >= 5


def test_records_without_a_value_are_left_out_when_the_data_page_says_so():
    lines = records_csv().decode().splitlines()
    app = of_files(
        file_of(lines[0], *(line.replace(",F,", ",,") if i % 9 == 0 else line for i, line in enumerate(lines[1:])))
    )
    app.session.missing = "drop"
    app.run()
    released = app.session.recipe.apply(dataset_of(app)).released
    found = at_first(counted(app, data=released))
    check_figures(app, found)
    app.press("Add to recipe")
    kept = app.session.recipe.apply(dataset_of(app)).released.n_records
    assert kept == found.measures.n_records - found.measures.suppressed


@pytest.mark.parametrize(
    ("records", "roles"),
    [
        (b"age,area\n30,4700\n", {"age": QUASI, "area": PLACE}),
        (b"age,area\n" + b"30,4700\n31,4701\n" * 4, {"age": QUASI}),
        (b"age,area,n\n30,4700,6\n31,4701,0\n30,4702,3\n", {"age": QUASI, "area": PLACE, "n": "Weight"}),
        (b"age,area\n,4700\n,4701\n30,4702\n", {"age": QUASI, "area": PLACE}),
        (
            b"region,area,records,left out\n" + b"1,4700,2,3\n2,4701,3,4\n" * 6,
            {"region": QUASI, "records": QUASI, "left out": QUASI},
        ),
        (b"count,area,persons\n" + b"1,4700,2\n2,4701,3\n" * 6, {"count": QUASI, "persons": "Person id"}),
    ],
    ids=["one record", "area without a role", "weights", "gaps", "our headings", "our words"],
)  # fmt: skip
def test_odd_records_are_counted(records, roles):
    app = of_files(records, **roles)
    if app.errors:
        assert "one combination of values only" in app.errors[0].replace("\\", "") and not app.at.metric
        app.choose("selectbox", "Number of regions", BY_HAND)
    assert not app.errors and app.at.metric
    every_tab(app)
    worst = app.widget("selectbox", "Look at").options[1]
    app.choose("selectbox", "Look at", worst)
    assert not app.errors
    app.press("Add to recipe")
    assert not app.errors and app.session.recipe.apply(dataset_of(app)).problems == ()


def test_records_that_name_none_of_the_areas_say_so():
    app = of_files(b"age,area\n" + b"30,north\n31,south\n" * 4, age=QUASI, area=PLACE)
    assert len(app.errors) == 1 and "None of the areas is named in" in app.errors[0] and not app.at.metric
    app = of_files(b"age,area\n" + b"30,4700\n31,4701\n" * 4, age=QUASI, area="Identifier")
    assert len(app.errors) == 1 and "Identifier" in app.errors[0], "the way out is on the Data page"


def test_the_text_of_files_is_text_everywhere():
    app = App(DATA, hostile_file(), "![ZQX](http:h.example.png).csv")
    columns = list(app.session.loaded.source.frame.columns)
    place = columns[1]
    roles = [QUASI, PLACE, "Sensitive", QUASI, "Identifier", QUASI, "Person id"]
    app.edit("Role", {i: {"Role": role} for i, role in enumerate(roles)}).open(REGIONS)
    names = sorted(set(dataset_of(app).records[place].cat.categories))
    header = ",".join(f'"{name}"' for name in (columns[0], "longitude", "latitude", columns[3]))
    rows = (f'"{name}",{10 + i / 50},{59 + i % 7 / 50},5' for i, name in enumerate(names))
    app.upload(file_of(header, *rows), "**ZQX** <img src=x>.csv", "Load areas")
    check_text(app)
    assert app.at.metric and not app.errors
    for tab in REGIONS_TABS:
        check_text(app.tab(TABS, tab))
    for region in app.widget("selectbox", "Look at").options[:3]:
        check_text(app.choose("selectbox", "Look at", region))
    check_text(app.press("Add to recipe"))
    app.tab(TABS, "Areas").choose("selectbox", "Area id", columns[3])
    check_text(app)
    assert app.errors
