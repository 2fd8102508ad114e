"""Slots on the Schedules page: made up, loaded from a table, changed by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.schedules import Slots, made_up_slots, people_of
from anonlib.release.export import table_csv
from pages.collect.schedules.controls.slots import changed, made_up
from tests.helpers.app import ACCEPT, DATA, SCHEDULES, App, dataset_of, loaded
from tests.helpers.schedules import (
    HOURS,
    QUASI,
    TABS,
    TWELVE,
    at_random,
    check_figures,
    every_tab,
    of_file,
    optimum,
    places_stated,
)
from ui.session.companions import SlotTable
from ui.session.state import Session


@pytest.mark.parametrize("mean", [2, 10, 60])
@pytest.mark.parametrize("spare", [0, 0.05, 0.5])
@pytest.mark.parametrize("people", [1, 12, 1_180])
def test_made_up_capacities_are_enough_and_little_more(people, mean, spare):
    capacities = made_up(people, mean, spare, 1)
    assert (capacities >= 1).all() and -1e-6 < capacities.sum() - people * (1 + spare) < 1
    assert capacities.tolist() == made_up(people, mean, spare, 1).tolist()


def test_made_up_slots_have_as_many_places_as_is_stated(twelve):
    twelve.set("slider", "Places a slot", 4).choose("slider", "To spare", 50)
    assert places_stated(twelve).endswith("with 18 places: 6 to spare.")
    people = people_of(dataset_of(twelve), ["age", "sex"])
    slots = made_up_slots(made_up(12, 4, 0.5, 1))
    check_figures(twelve, at_random(people, slots), optimum(people, slots))
    twelve.choose("number_input", "Random draw", 2)
    check_figures(twelve, at_random(people, slots, 2), optimum(people, slots))


def test_slots_are_loaded_from_a_table_and_dropped_with_the_file(twelve):
    assert twelve.choose("segmented_control", "Where there is room", "A table").errors == [
        "No slots are loaded yet. Load a table of them under Slots, or have them made up."
    ]
    twelve.upload(HOURS, "hours.csv", "Load a table of slots")
    people = people_of(dataset_of(twelve), ["age", "sex"])
    slots = Slots(pd.DataFrame({"centre": ["Lia", "Lia", "Nes"], "hour": ["9", "10", "9"]}), np.array([5, 4, 4]))
    check_figures(twelve, at_random(people, slots), optimum(people, slots))
    assert "The slots of hours.csv are loaded" in twelve.text
    assert places_stated(twelve) == "3 slots with 13 places: 1 to spare."
    every_tab(twelve)
    twelve.open(DATA).upload(TWELVE + b"40,M\n", "others.csv").press(ACCEPT).open(SCHEDULES)
    assert SlotTable not in twelve.session.parts
    assert twelve.widget("segmented_control", "Where there is room").value == "Made up" and not twelve.errors


def test_slots_come_with_a_sample_and_not_with_a_file_of_its_name(county):
    file = county.session.loaded
    assert len(county.session.parts[SlotTable].table) == 52
    county.open(DATA).upload(file.data, file.source.name).open(SCHEDULES)
    assert county.session.loaded.source.name == file.source.name and SlotTable not in county.session.parts
    county.press("Accept suggested roles")
    assert county.widget("segmented_control", "Where there is room").value == "Made up" and not county.errors


def test_slots_are_saved_as_a_table_that_is_loaded_again(county):
    county.tab(TABS, "Change slots")
    table = county.session.parts[SlotTable].table
    assert not county.download("Save slots (CSV)").proto.disabled
    county.upload(table_csv(table), "slots.csv", "Load a table of slots")
    again = county.session.parts[SlotTable].table
    assert again is not table and again.equals(table) and not county.errors


def test_a_table_loaded_for_made_up_people_is_looked_at():
    app = App(SCHEDULES).set("number_input", "People", 10).choose("segmented_control", "Where there is", "A table")
    assert app.errors
    app.upload(HOURS, "hours.csv", "Load a table of slots")
    assert app.widget("segmented_control", "Where there is room").value == "A table" and not app.errors
    assert places_stated(app) == "3 slots with 13 places: 3 to spare."


@pytest.fixture(scope="module")
def of_a_table() -> Session:
    """Twelve people whose slots are to be those of a table."""
    app = of_file(TWELVE, {"age": QUASI, "sex": QUASI})
    return app.choose("segmented_control", "Where there is room", "A table").session


@pytest.mark.parametrize(
    ("data", "shown_text", "tab"),
    [
        (b"centre,places\n", "no records", "Grid"),
        (b"", "empty", "Invitations"),
        (b"centre,places\nLia,many\nNes,3\n", "“centre” is not a number", "Slots"),
        (b"centre,places\nLia,9\nNes,2\n", "1 place too few", "Change slots"),
        (b"centre,places\nLia,9\nNes,2.5\n", "slot 2 is not a whole number", "Compare"),
    ],
)
def test_slots_that_cannot_be_used_are_a_sentence(data, shown_text, tab, of_a_table):
    twelve = App(SCHEDULES, session=of_a_table)
    twelve.upload(data, "slots.csv", "Load a table of slots")
    assert any(shown_text in message.replace("\\", "") for message in twelve.errors), twelve.errors
    assert not twelve.at.metric
    assert not twelve.tab(TABS, tab).at.metric
    twelve.upload(HOURS, "hours.csv", "Load a table of slots")
    assert not twelve.errors and twelve.at.metric, "and another table is a way out"


def test_another_column_of_capacities_is_a_sentence_or_counts(county):
    county.choose("selectbox", "People a slot takes", "centre")
    assert county.errors == ["Slots, row 1\\: “centre” is not a number. Say how many people the slot takes; "
                             "0 closes it."]  # fmt: skip
    county.choose("selectbox", "People a slot takes", "latitude")
    assert len(county.errors) == 1 and "not a whole number" in county.errors[0]
    assert not county.choose("selectbox", "People a slot takes", "places").errors


def test_columns_named_as_the_tables_of_the_page_are():
    header = "Places,Invited,Smallest class,slot,person,people_here,value\n"
    app = loaded((header + "1,2,3,4,5,6,7\n" * 8).encode(), page=SCHEDULES)
    assert not app.choose("multiselect", "Known about them", ["slot", "value"]).errors
    every_tab(app)
    app.choose("segmented_control", "Where there is room", "A table")
    assert not app.upload((header + "1,2,3,4,5,6,7\n" * 8).encode(), "slots.csv", "Load a table of slots").errors
    every_tab(app)
    own = ["slot Invited", "slot Smallest class", "slot", "person", "people_here", "value"]
    shown = app.tab(TABS, "Slots").table("Invited")
    assert shown.columns.tolist() == [*own, "Places", "Invited", "Smallest class"]
    assert shown["slot Invited"].tolist() == ["2"] * 8 and shown["Invited"].sum() == 8


def edit_rows(app: App, column: str, edits: dict[str, object]) -> App:
    """Change the table of slots as a browser would report it: cells, rows added, rows removed."""
    editor = next(table for table in app.at.data_editor if column in table.value.columns)
    states = app.at._tree.get_widget_states()
    state = states.widgets.add()
    state.id = editor.proto.id
    state.string_value = json.dumps({"edited_rows": {}, "added_rows": [], "deleted_rows": []} | edits)
    app.at._run(states)
    return app.check()


def test_slots_are_changed_by_hand_and_what_cannot_be_is_mended_there(county):
    county.tab(TABS, "Change slots").edit("places", {0: {"places": "0"}})
    assert places_stated(county) == "51 slots with 1,302 places: 122 to spare."
    county.edit("places", {0: {"places": "0"}, 1: {"places": "oops"}})
    assert len(county.errors) == 1 and "Slots, row 2" in county.errors[0] and not county.at.metric
    assert county.at.data_editor, "the table is still there to be mended"
    county.edit("places", {0: {"places": "0"}, 1: {"places": "30"}})
    assert places_stated(county) == "51 slots with 1,298 places: 118 to spare."
    county.tab(TABS, "Compare").tab(TABS, "Change slots")
    county.edit("places", {2: {"places": "40"}})
    assert places_stated(county) == "51 slots with 1,304 places: 124 to spare.", "what was changed before stays"
    before = {"edited_rows": {"2": {"places": "40"}}}
    edit_rows(county, "places", before | {"deleted_rows": list(range(12))})
    assert "Add slots or raise capacities" in county.errors[0]
    edit_rows(county, "places", before | {"deleted_rows": [0], "added_rows": [{"centre": "New", "places": "500"}]})
    assert places_stated(county) == "52 slots with 1,804 places: 624 to spare."
    assert county.session.parts[SlotTable].table.iloc[-1].tolist() == ["New", None, None, None, None, None, "500"]


def test_made_up_slots_are_taken_over_and_changed(county):
    county.choose("segmented_control", "Where there is room", "Made up").tab(TABS, "Change slots")
    assert not county.at.data_editor and "The table that is loaded gives way to it" in county.text
    shown_text = places_stated(county)
    county.press("Take them over")
    assert county.widget("segmented_control", "Where there is room").value == "A table"
    assert places_stated(county) == shown_text and not county.errors
    editor = county.at.data_editor[0].value
    county.edit("places", {0: {"places": str(int(editor["places"][0]) + 100)}})
    assert places_stated(county) != shown_text


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
