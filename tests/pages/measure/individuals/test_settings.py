"""Settings of the Individuals page stay, and begin anew with another file."""

from __future__ import annotations

import pytest

from anonlib.basics import words
from anonlib.verdict.criteria import Aim
from tests.helpers.app import (
    DATA,
    INDIVIDUALS,
    LEAKAGE,
    RELEASE,
    RISK,
    SMALL,
    TAKE_ASKED,
    App,
    dataset_of,
    loaded,
    sampled,
)
from tests.helpers.individuals import SCAN, TABS, Asked, ask_by_hand, expected, first_figure, opened, wide

SETTINGS = Asked("poac", 35, 15, attacker=3, empty=True)


def settings_of(app: App) -> dict[str, object]:
    kinds = ("segmented_control", "selectbox", "slider", "multiselect", "toggle")
    return {widget.label: widget.value for kind in kinds for widget in getattr(app.at, kind)}


def test_settings_are_still_there_after_another_page(file):
    app = ask_by_hand(loaded(file, page=INDIVIDUALS), SETTINGS)
    app.choose("multiselect", "Columns", ["age", "sex", "zip", "diagnosis"])
    app.set("selectbox", "Sensitive column", "zip").set("selectbox", "The attacker knows", 2)
    app.choose("slider", "Records shown", (10, 60))
    before = settings_of(app)
    figure = first_figure(app)
    for other in (DATA, RISK, RELEASE):
        app.open(other).open(INDIVIDUALS)
        assert settings_of(app) == before and first_figure(app) == figure


@pytest.mark.parametrize(
    "asked", [Asked("npp", 7, attacker="chance", chance=20), Asked(threshold=5, near={"age": 4.0})]
)
def test_settings_of_every_kind_stay(asked, file):
    app = ask_by_hand(loaded(file, page=INDIVIDUALS), asked)
    before, distances = settings_of(app), [box.value for box in app.at.number_input]
    app.open(RISK).open(INDIVIDUALS)
    assert settings_of(app) == before and [box.value for box in app.at.number_input] == distances
    found = expected(dataset_of(app), asked)
    assert first_figure(app) == words.percent(found.of("diagnosis").mean())


def test_a_tab_keeps_what_was_set_in_it(file):
    app = loaded(file, page=INDIVIDUALS, tab=(TABS, "One individual")).choose("number_input", "Record", 123)
    app.tab(TABS, SCAN).choose("slider", "Widest category", 17.0).tab(TABS, "Columns")
    assert app.tab(TABS, "One individual").widget("number_input", "Record").value == 123
    assert app.tab(TABS, SCAN).widget("slider", "Widest category").value == 17.0


def test_another_file_begins_again(file):
    app = ask_by_hand(loaded(file, page=INDIVIDUALS), SETTINGS).tab(TABS, "One individual")
    app.set("number_input", "Record", 222).choose("toggle", "Show sensitive values", True)
    fresh = settings_of(loaded(SMALL, page=INDIVIDUALS))
    app.open(DATA).upload(SMALL, "other.csv").press("Accept suggestions")
    app.open(INDIVIDUALS, (TABS, "One individual"))
    now = settings_of(app)
    assert now.pop("Show sensitive values") is False and now == fresh
    assert app.widget("number_input", "Record").value <= 4
    again = app.open(DATA).upload(file, "visits.csv").press("Accept suggestions").press(TAKE_ASKED)
    assert settings_of(again.open(INDIVIDUALS, (TABS, "Columns"))) == settings_of(loaded(file, page=INDIVIDUALS))


ATTACKER, COLUMNS = "The attacker knows", "Columns: each"


def test_the_attacker_stays_as_set_when_columns_are_taken_away_and_come_back():
    frame, roles = wide(6, 1)
    app = opened(frame, roles)
    names = list(roles)
    for attacker in (2, "all", "chance"):
        app.choose("selectbox", ATTACKER, attacker)
        for left in (names[1:], names[2:], names):
            app.choose("multiselect", COLUMNS, left)
            assert app.widget("selectbox", ATTACKER).value == attacker
        app.open(LEAKAGE).open(INDIVIDUALS)
        assert app.widget("selectbox", ATTACKER).value == attacker, "another page was looked at"
    app.choose("selectbox", ATTACKER, 4)
    app.choose("multiselect", COLUMNS, names[4:])
    assert app.widget("selectbox", ATTACKER).value == 2, "any of the two that are left"
    app.choose("multiselect", COLUMNS, names)
    assert app.widget("selectbox", ATTACKER).value == 4
    app.choose("selectbox", ATTACKER, 6)  # any of the others
    app.choose("multiselect", COLUMNS, names[3:])
    app.choose("multiselect", COLUMNS, names)
    assert app.widget("selectbox", ATTACKER).value == 6


def test_the_attacker_the_page_began_with_stays_too(monkeypatch):
    """Looking at fewer columns is quicker, so that a larger attacker could be looked at without waiting."""
    frame, roles = wide(6, 1)
    monkeypatch.setattr("pages.measure.individuals.results.affordable", lambda classes, *_: 9 - len(classes.attributes))
    app = opened(frame, roles)
    assert app.widget("selectbox", ATTACKER).value == 2
    app.choose("multiselect", COLUMNS, list(roles)[1:])
    assert app.widget("selectbox", ATTACKER).value == 2


def test_the_page_begins_with_the_papers_attacker_and_says_where_the_verdicts_is_another():
    app = sampled("admissions", INDIVIDUALS)
    others = len(app.widget("multiselect", COLUMNS).value) - 1
    assert app.widget("selectbox", ATTACKER).value == others
    assert "The verdict looks at somebody who knows at most 2 facts; this is another" in app.text
    assert f"The least over every set of the {others} other columns: Kroes et al. 2021, Figure 2." in app.text
    app.session.aim = Aim.for_recipient("within", app.session.aim)
    assert app.run().widget("selectbox", ATTACKER).value == others
    app.choose("selectbox", ATTACKER, 1)
    assert "this is another" not in app.text
    assert "The least over every set of at most 1 of the" in app.text and "Figure 2, takes every set." in app.text
    app.session.aim = Aim.for_recipient("contract", app.session.aim)
    assert app.run().widget("selectbox", ATTACKER).value == 1
