"""The Schedules page with slots of one's own, changed by hand, and with odd files of people and of slots."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from anonlib.schedules import Slots, made_up_people, people_of
from pages.protect.schedules.results import Result
from pages.protect.schedules.settings import Asked
from pages.protect.schedules.slots import changed, made_up
from pages.protect.schedules.tabs import _grid_table
from tests.helpers.app import DATA, SCHEDULES, SCHEDULES_TABS, TRY_COUNTY, App, dataset_of, loaded
from tests.pages.protect.schedules.test_schedules import (
    QUASI,
    RULES,
    TABS,
    TWELVE,
    at_random,
    check_figures,
    every_tab,
    of_file,
    optimum,
    places_said,
)
from tests.pages.release.release.test_release import check_text, hostile_file

HOURS = b"centre,hour,seats\nLia,9,5\nLia,10,4\nNes,9,4\n"


@pytest.fixture
def county() -> App:
    return App(SCHEDULES).press(TRY_COUNTY)


@pytest.fixture
def twelve() -> App:
    return of_file(TWELVE, age=QUASI, sex=QUASI)


def edit_rows(app: App, column: str, edits: dict[str, object]) -> App:
    """Change the table of slots as a browser would report it: cells, rows added, rows removed."""
    editor = next(table for table in app.at.data_editor if column in table.value.columns)
    states = app.at._tree.get_widget_states()
    state = states.widgets.add()
    state.id = editor.proto.id
    state.string_value = json.dumps({"edited_rows": {}, "added_rows": [], "deleted_rows": []} | edits)
    app.at._run(states)
    return app.check()


@pytest.mark.parametrize("mean", [2, 10, 60])
@pytest.mark.parametrize("spare", [0, 0.05, 0.5])
@pytest.mark.parametrize("people", [1, 12, 1_180])
def test_made_up_capacities_are_enough_and_little_more(people, mean, spare):
    capacities = made_up(people, mean, spare, 1)
    assert (capacities >= 1).all() and -1e-6 < capacities.sum() - people * (1 + spare) < 1
    assert capacities.tolist() == made_up(people, mean, spare, 1).tolist()


# ---- slots -----------------------------------------------------------------------------------------------------------


def test_slots_are_loaded_from_a_table_and_dropped_with_the_file(twelve):
    assert twelve.choose("segmented_control", "Where there is room", "A table").errors == [
        "No slots are loaded yet\\. Load a table of them under Slots\\, or have them made up\\."
    ]
    twelve.upload(HOURS, "hours.csv", "Load a table of slots")
    people = people_of(dataset_of(twelve), ["age", "sex"])
    slots = Slots(pd.DataFrame({"centre": ["Lia", "Lia", "Nes"], "hour": ["9", "10", "9"]}), np.array([5, 4, 4]))
    check_figures(twelve, at_random(people, slots), optimum(people, slots))
    assert "The slots of hours\\.csv are loaded" in twelve.text
    assert places_said(twelve) == "3 slots with 13 places: 1 to spare."
    every_tab(twelve)
    twelve.open(DATA).upload(TWELVE + b"40,M\n", "others.csv").give_roles(age=QUASI).open(SCHEDULES)
    assert twelve.session.slots is None
    assert twelve.widget("segmented_control", "Where there is room").value == "Made up" and not twelve.errors


def test_slots_come_with_a_sample_and_not_with_a_file_of_its_name(county):
    file = county.session.loaded
    assert len(county.session.slots) == 52
    county.open(DATA).upload(file.data, file.source.name).open(SCHEDULES)
    assert county.session.loaded.source.name == file.source.name and county.session.slots is None
    county.press("Accept all suggested roles")
    assert county.widget("segmented_control", "Where there is room").value == "Made up" and not county.errors


def test_a_table_loaded_for_made_up_people_is_looked_at():
    app = App(SCHEDULES).choose("number_input", "People", 10).choose("segmented_control", "Where there is", "A table")
    assert app.errors
    app.upload(HOURS, "hours.csv", "Load a table of slots")
    assert app.widget("segmented_control", "Where there is room").value == "A table" and not app.errors
    assert places_said(app) == "3 slots with 13 places: 3 to spare."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"centre,places\n", "no records"),
        (b"", "empty"),
        (b"centre,places\nLia,many\nNes,3\n", "“centre” is not a number"),
        (b"centre,places\nLia,9\nNes,2\n", "1 place too few"),
        (b"centre,places\nLia,9\nNes,2.5\n", "slot 2 is not a whole number"),
    ],
)
def test_slots_that_cannot_be_used_are_a_sentence(data, said, twelve):
    twelve.choose("segmented_control", "Where there is room", "A table")
    twelve.upload(data, "slots.csv", "Load a table of slots")
    assert any(said in message.replace("\\", "") for message in twelve.errors), twelve.errors
    assert not twelve.at.metric
    for tab in SCHEDULES_TABS:
        twelve.tab(TABS, tab)
    twelve.upload(HOURS, "hours.csv", "Load a table of slots")
    assert not twelve.errors and twelve.at.metric, "and another table is a way out"


def test_another_column_of_capacities_is_a_sentence_or_counts(county):
    county.choose("selectbox", "People a slot takes", "centre")
    assert county.errors == ["Slots\\, row 1\\: “centre” is not a number\\. Say how many people the slot takes\\; "
                             "0 closes it\\."]  # fmt: skip
    county.choose("selectbox", "People a slot takes", "latitude")
    assert len(county.errors) == 1 and "not a whole number" in county.errors[0]
    county.choose("selectbox", "People a slot takes", "places")
    assert not county.errors


def test_slots_are_changed_by_hand_and_what_cannot_be_is_mended_there(county):
    county.tab(TABS, "Change slots").edit("places", {0: {"places": "0"}})
    assert places_said(county) == "51 slots with 1,302 places: 122 to spare."
    county.edit("places", {0: {"places": "0"}, 1: {"places": "oops"}})
    assert len(county.errors) == 1 and "Slots\\, row 2" in county.errors[0] and not county.at.metric
    assert county.at.data_editor, "the table is still there to be mended"
    county.edit("places", {0: {"places": "0"}, 1: {"places": "30"}})
    assert places_said(county) == "51 slots with 1,298 places: 118 to spare."
    county.tab(TABS, "Compare").tab(TABS, "Change slots")
    county.edit("places", {2: {"places": "40"}})
    assert places_said(county) == "51 slots with 1,304 places: 124 to spare.", "what was changed before stays"
    before = {"edited_rows": {"2": {"places": "40"}}}
    edit_rows(county, "places", before | {"deleted_rows": list(range(12))})
    assert "Add slots or raise capacities" in county.errors[0]
    edit_rows(county, "places", before | {"deleted_rows": [0], "added_rows": [{"centre": "New", "places": "500"}]})
    assert places_said(county) == "52 slots with 1,804 places: 624 to spare."
    assert county.session.slots.iloc[-1].tolist() == ["New", None, None, None, None, None, "500"]


def test_made_up_slots_are_taken_over_and_changed(county):
    county.choose("segmented_control", "Where there is room", "Made up").tab(TABS, "Change slots")
    assert not county.at.data_editor and "The table that is loaded gives way to it" in county.text
    said = places_said(county)
    county.press("Take them over")
    assert county.widget("segmented_control", "Where there is room").value == "A table"
    assert places_said(county) == said and not county.errors
    editor = county.at.data_editor[0].value
    county.edit("places", {0: {"places": str(int(editor["places"][0]) + 100)}})
    assert places_said(county) != said


TABLE = pd.DataFrame({"centre": ["a", "b", "c"], "places": ["1", None, "3"]}, dtype=object)


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ({}, [("a", "1"), ("b", None), ("c", "3")]),
        ({"edited_rows": {"1": {"places": "2"}}}, [("a", "1"), ("b", "2"), ("c", "3")]),
        ({"edited_rows": {1: {"places": 2, "centre": None}}}, [("a", "1"), (None, "2"), ("c", "3")]),
        ({"edited_rows": {"0": {"centre": ""}}}, [(None, "1"), ("b", None), ("c", "3")]),
        ({"deleted_rows": [0, 2]}, [("b", None)]),
        ({"deleted_rows": [0], "edited_rows": {"2": {"places": "9"}}}, [("b", None), ("c", "9")]),
        ({"added_rows": [{"centre": "d"}]}, [("a", "1"), ("b", None), ("c", "3"), ("d", None)]),
        ({"added_rows": [{}, {"_index": 7}]}, [("a", "1"), ("b", None), ("c", "3")]),
        ({"deleted_rows": [0, 1, 2]}, []),
        ({"deleted_rows": [0, 1, 2], "added_rows": [{"places": "4"}]}, [(None, "4")]),
    ],
)
def test_edits_by_hand_give_the_table_as_it_is_seen(edits, expected):
    before = TABLE.copy()
    found = changed(TABLE, edits)
    assert list(found.itertuples(index=False, name=None)) == expected
    assert found.index.tolist() == list(range(len(expected))) and found.columns.tolist() == ["centre", "places"]
    pd.testing.assert_frame_equal(TABLE, before)


# ---- odd files -------------------------------------------------------------------------------------------------------


def test_a_file_that_counts_several_people_in_a_row_is_a_sentence_and_others_can_be_made_up():
    app = of_file(b"age,people\n30,3\n31,2\n", age=QUASI, people="Weight")
    assert len(app.errors) == 1 and "“people” counts several people" in app.errors[0] and not app.at.metric
    app.choose("segmented_control", "Who is invited", "Made up")
    assert not app.errors and app.metric("k, the smallest")


@pytest.mark.parametrize(
    ("data", "roles", "k"),
    [
        (b"age,sex\n30,F\n", {"age": QUASI}, "1"),
        (b"age,sex\n,\n,\n,\n,F\n", {"age": QUASI}, "4"),
        (b"age,sex\n" + b"30,F\n,M\n" * 5, {"age": QUASI, "sex": QUASI}, "5"),
        (b"age,who\n" + b"30,a\n31,a\n30,b\n31,b\n" * 3, {"age": QUASI, "who": "Person id"}, "2"),
    ],
    ids=["one record", "all missing", "gaps", "persons"],
)
def test_odd_files_are_invited(data, roles, k):
    app = of_file(data, **roles)
    assert app.metric("k, the smallest").split(" ")[-1] == k and not app.errors
    every_tab(app)
    app.choose("toggle", "Mixed origins", True)
    assert all("Below are the schedules without rules" in message for message in app.errors) and app.at.metric


def test_a_file_of_nothing_but_a_person_id_has_nothing_to_know():
    app = of_file(b"who\na\nb\n", who="Person id")
    assert len(app.errors) == 1 and "Choose at least one column" in app.errors[0]
    app.choose("segmented_control", "Where there is room", "A table")
    app.upload(HOURS, "hours.csv", "Load a table of slots")
    assert all(toggle.disabled for toggle in app.at.toggle) and len(app.errors) == 1


def test_people_who_lack_a_value_are_left_out_and_counted_when_the_data_page_says_so():
    app = of_file(b"age,sex\n" + b"30,F\n31,\n" * 6, age=QUASI, sex=QUASI)
    app.session.missing = "drop"
    app.run()
    assert "6 people of 1 combination; the smallest has 6." in app.text
    (warning,) = [element.value for element in app.at.warning if "no invitation" in element.value]
    assert warning.startswith("**50% (6 of 12 people) get no invitation:** they lack a value")
    app.tab(TABS, "Invitations")
    assert len(app.table("slot")) == 6


def test_the_text_of_files_is_text_everywhere(county):
    app = App(DATA, hostile_file(), "![ZQX](http:h.example.png).csv")
    roles = [QUASI, QUASI, "Sensitive", QUASI, "Identifier", "Place", "Person id"]
    app.edit("Role", {i: {"Role": role} for i, role in enumerate(roles)}).open(SCHEDULES)
    app.choose("segmented_control", "Where there is room", "A table")
    app.upload(hostile_file(), "**ZQX** <img src=x>.csv", "Load a table of slots")
    assert app.at.metric and not app.errors
    assert app.widget("selectbox", "People a slot takes").value == "age"
    for tab in SCHEDULES_TABS:
        check_text(app.tab(TABS, tab))
    for name in RULES:
        check_text(app.choose("toggle", name, True))
    assert any("ZQX" in message for message in app.errors)
    for column in app.widget("selectbox", "People a slot takes").options[:3]:
        check_text(app.choose("selectbox", "People a slot takes", column))
        assert len(app.errors) == 1


def test_columns_named_as_the_tables_of_the_page_are():
    header = "Places,Invited,Smallest class,slot,person,people_here,value\n"
    app = loaded((header + "1,2,3,4,5,6,7\n" * 8).encode(), page=SCHEDULES)
    app.choose("multiselect", "Known about them", ["slot", "value"])
    assert not app.errors
    every_tab(app)
    app.choose("segmented_control", "Where there is room", "A table")
    app.upload((header + "1,2,3,4,5,6,7\n" * 8).encode(), "slots.csv", "Load a table of slots")
    assert not app.errors
    every_tab(app)
    own = ["slot Invited", "slot Smallest class", "slot", "person", "people_here", "value"]
    shown = app.tab(TABS, "Slots").table("Invited")
    assert shown.columns.tolist() == [*own, "Places", "Invited", "Smallest class"]
    assert shown["slot Invited"].tolist() == ["2"] * 8 and shown["Invited"].sum() == 8


@pytest.mark.parametrize(
    ("known", "named"),
    [
        ("people_here", ["slot", "people_here", "slot people_here", "slot slot", "slot slot people_here"]),
        ("age", ["slot", "age", "slot people_here", "slot slot", "people_here"]),
    ],
)
def test_the_columns_of_the_grid_are_told_apart(known, named):
    values = pd.DataFrame({"slot": ["a", "b"], known: ["c", "d"]})
    people = replace(made_up_people(np.array([2, 3])), values=values, groups=values)
    slots = Slots(pd.DataFrame({"people_here": ["x", "y"], "slot": ["9", "10"]}), np.array([2, 3]))
    result = Result(Asked(people, slots, (), None, True), people.base, {"Optimal": optimum(people, slots)})
    grid = _grid_table(result, "Optimal")
    assert grid.columns.tolist() == named
    assert grid.values.tolist() == [["a", "c", "x", "9", 2], ["b", "d", "y", "10", 3]]
