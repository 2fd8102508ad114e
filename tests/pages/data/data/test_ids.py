"""Whose row it is, on Data: what is doubtful is said and asked, done only when asked for, and said beside k."""

from __future__ import annotations

from tests.helpers.app import DATA, RISK, App, loaded
from tests.helpers.persons import once, spelled, two_sites, visits


def persons(app: App) -> int:
    loaded_file = app.session.loaded
    column = "nhs_number" if "nhs_number" in loaded_file.columns else loaded_file.columns[0]
    return loaded_file.records().persons_of_several_rows(column)[1]


def test_ids_are_filled_down_by_a_switch_and_back():
    app = loaded(once())
    assert "stand in the first row of each person alone" in app.text and persons(app) == 48
    switch = next(toggle.label for toggle in app.at.toggle if toggle.label.startswith("Fill down"))
    app.choose("toggle", switch, True)
    assert not app.errors and persons(app) == 16
    assert "stand in the first row of each person alone" not in app.text
    assert persons(app.choose("toggle", switch, False)) == 48 and not app.errors


def test_spellings_are_one_id_by_a_switch():
    app = loaded(spelled())
    switch = next(toggle.label for toggle in app.at.toggle if toggle.label.startswith("Spellings of one number"))
    assert persons(app.choose("toggle", switch, True)) == 16 and not app.errors


def test_numbers_of_two_hospitals_are_counted_by_both_by_a_switch():
    app = loaded(two_sites())
    switch = next(toggle.label for toggle in app.at.toggle if toggle.label.startswith("Each value of"))
    assert persons(app.choose("toggle", switch, True)) == 40 and not app.errors


def test_placeholders_are_marked_as_no_id():
    app = loaded(visits(placeholders=["0000000000"]))
    assert persons(app) == 31
    app.choose("multiselect", "In nhs_number these mean “no id”", ["0000000000"])
    assert persons(app) == 40 and not app.errors


def test_the_sidebar_says_so_beside_k_and_an_ordinary_file_is_not_doubted():
    assert any("in doubt" in line for line in loaded(spelled(), page=RISK).sidebar_lines)
    app = loaded(visits(), page=RISK)
    assert not any("in doubt" in line for line in app.sidebar_lines)
    assert "Whose row it is**" not in app.open(DATA).text
