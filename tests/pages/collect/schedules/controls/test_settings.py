"""Who is invited on the Schedules page: made-up people, those of a file, and odd files."""

from __future__ import annotations

import numpy as np
import pytest

from anonlib.analyses.schedules import made_up_people, made_up_slots, program_programme, text_programme
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from pages.collect.schedules import results
from tests.helpers.app import DATA, EXPLAINED, RISK, SCHEDULES, SCHEDULES_TABS, App, sampled, seeded
from tests.helpers.hostile import HOSTILE, check_text, hostile_file
from tests.helpers.schedules import (
    HOURS,
    LONG,
    QUASI,
    RULES,
    TABS,
    at_random,
    check_figures,
    county_of,
    every_tab,
    of_file,
    optimum,
    places_stated,
)
from tools.samples.screening import N_PEOPLE


def test_without_a_file_the_people_and_slots_of_the_experiments_are_shown_at_once():
    app = App(SCHEDULES)
    assert "Nothing is loaded" in app.text and "made up" in app.text
    programme = program_programme(250, np.random.default_rng(1))
    people, slots = made_up_people(programme.frequencies), made_up_slots(programme.capacities)
    check_figures(app, at_random(people, slots), optimum(people, slots))
    assert app.widget("segmented_control", "Who is invited").disabled
    assert all(toggle.disabled and "Made-up people live nowhere" in toggle.help for toggle in app.at.toggle)
    every_tab(app, but=())
    assert not app.tab(TABS, EXPLAINED).errors


@pytest.mark.parametrize(("n", "generator"), [(10, "text"), (1_000, "many"), (100_000, "program")])
def test_people_are_made_up_in_each_way_and_number(n, generator):
    app = App(SCHEDULES)
    app.set("number_input", "People", n).set("selectbox", "As in", generator).choose("number_input", "Draw", 3)
    rng = np.random.default_rng(3)
    programme = (
        program_programme(n, rng)
        if generator == "program"
        else text_programme(n, rng, q=n // 10 + 5 if generator == "many" else None)
    )
    people, slots = made_up_people(programme.frequencies), made_up_slots(programme.capacities)
    check_figures(app, at_random(people, slots), optimum(people, slots))
    assert places_stated(app) == (
        f"{words.count(len(slots.capacities), 'slots')} with {slots.capacities.sum():,} places: "
        f"{slots.capacities.sum() - n:,} to spare."
    )
    every_tab(app)


def test_the_county_comes_with_its_slots():
    county = sampled("screening_county", SCHEDULES)
    people, slots = county_of(county)
    check_figures(county, at_random(people, slots), optimum(people, slots))
    assert f"{N_PEOPLE:,} people of 100 combinations" in county.text
    assert places_stated(county) == "52 slots with 1,336 places: 156 to spare."
    assert "**Proven:**" in county.text
    assert any("All of them are so before any appointment" in element.value for element in county.at.warning)


def test_what_is_known_can_be_other_columns(county, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", LONG)
    county.choose("multiselect", "Known about them", ["birth_year"])
    people, slots = county_of(county, known=["birth_year"])
    check_figures(county, at_random(people, slots), optimum(people, slots))
    county.choose("multiselect", "Known about them", [])
    assert len(county.errors) == 1 and "Choose at least one column" in county.errors[0] and not county.at.metric
    assert "Nothing to show yet" in county.tab(TABS, "Grid").text


def test_settings_stay_when_other_pages_are_opened(county, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", 0.1 * A_SECOND)
    county.choose("toggle", "Own region only", True).set("selectbox", "Schedule to take", "Greedy")
    county.set("multiselect", "Known about them", ["birth_year"]).choose("number_input", "Random draw", 7)
    before = [(metric.label, metric.value) for metric in county.at.metric], county.text
    county.open(RISK).open(DATA).open(SCHEDULES)
    assert ([(metric.label, metric.value) for metric in county.at.metric], county.text) == before
    assert county.widget("selectbox", "Schedule to take").value == "Greedy"


def test_people_who_lack_a_value_are_left_out_and_counted_when_the_data_page_says_so():
    app = of_file(b"age,sex\n" + b"30,F\n31,\n" * 6, {"age": QUASI, "sex": QUASI}, missing="drop")
    assert "6 people of 1 combination; the smallest has 6." in app.text
    (warning,) = [element.value for element in app.at.warning if "no invitation" in element.value]
    assert warning.startswith("**50% (6 of 12 people) get no invitation:** they lack a value")
    app.tab(TABS, "Invitations")
    assert len(app.table("slot")) == 6


def test_a_file_that_counts_several_people_in_a_row_is_a_sentence_and_others_can_be_made_up():
    app = of_file(b"age,people\n30,3\n31,2\n", {"age": QUASI, "people": "weight"})
    assert len(app.errors) == 1 and "“people” counts several people" in app.errors[0] and not app.at.metric
    app.choose("segmented_control", "Who is invited", "Made up")
    assert not app.errors and app.metric("k, the smallest")


@pytest.mark.parametrize(
    ("data", "roles", "k", "tabs"),  # two besides the first, which take turns
    [
        (b"age,sex\n30,F\n", {"age": QUASI}, "1", ("Grid", "Invitations")),
        (b"age,sex\n,\n,\n,\n,F\n", {"age": QUASI}, "4", ("Slots", "Change slots")),
        (b"age,sex\n" + b"30,F\n,M\n" * 5, {"age": QUASI, "sex": QUASI}, "5", ("Grid", "Slots")),
        (
            b"age,who\n" + b"30,a\n31,a\n30,b\n31,b\n" * 3,
            {"age": QUASI, "who": "person_id"},
            "2",
            ("Invitations", "Change slots"),
        ),
    ],
    ids=["one record", "all missing", "gaps", "persons"],
)
def test_odd_files_are_invited(data, roles, k, tabs):
    app = of_file(data, roles)
    assert app.metric("k, the smallest").split(" ")[-1] == k and not app.errors
    for tab in tabs:
        assert not app.tab(TABS, tab).errors
    app.choose("toggle", "Mixed origins", True)
    assert all("Below are the schedules without rules" in message for message in app.errors) and app.at.metric


def test_a_file_of_nothing_but_a_person_id_has_nothing_to_know():
    app = of_file(b"who\na\nb\n", {"who": "person_id"})
    assert len(app.errors) == 1 and "Choose at least one column" in app.errors[0]
    app.choose("segmented_control", "Where there is room", "A table")
    app.upload(HOURS, "hours.csv", "Load a table of slots")
    assert all(toggle.disabled for toggle in app.at.toggle) and len(app.errors) == 1


def test_the_text_of_files_is_text_everywhere():
    roles = [QUASI, QUASI, "sensitive", QUASI, "identifier", "place", "person_id"]
    app = seeded(
        hostile_file(), "![ZQX](http:h.example.png).csv", SCHEDULES, roles=dict(zip(HOSTILE, roles, strict=True))
    )
    app.choose("segmented_control", "Where there is room", "A table")
    app.upload(hostile_file(), "**ZQX** <img src=x>.csv", "Load a table of slots")
    assert app.at.metric and not app.errors
    assert app.widget("selectbox", "People a slot takes").value == "age"
    for _ in app.each_tab(TABS, SCHEDULES_TABS[:5]):
        check_text(app)
    for name in RULES:
        check_text(app.choose("toggle", name, True))
    assert any("ZQX" in message for message in app.errors)
    for column in app.widget("selectbox", "People a slot takes").options[:3]:
        check_text(app.choose("selectbox", "People a slot takes", column))
        assert len(app.errors) == 1
