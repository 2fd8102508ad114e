"""Schedules that do not keep a rule, leave people below k or leave some uninvited say so wherever they are shown."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from anonlib.hierarchies import EVERYTHING
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode, Suppress
from anonlib.schedules import improvement, not_invited, people_of
from pages.protect.schedules import results
from tests.helpers.app import SCHEDULES, TRY_COUNTY, App, dataset_of
from tests.pages.protect.schedules.test_schedules import QUASI, TABS, at_random, county_of, of_file, optimum

ANYWAY = "Take these invitations although they break the rules"
THIRTEEN = b"name,age,sex\n" + b"".join(b"p%d,%d,%s\n" % (i, 30 + i, b"FM"[i % 2 :][:1]) for i in range(12))
THIRTEEN += b"p12,42,X\n"


@pytest.fixture
def county() -> App:
    return App(SCHEDULES).press(TRY_COUNTY)


@pytest.fixture
def infeasible(county: App) -> App:
    county.choose("toggle", "Not too far", True).choose("slider", "At most, km", 1)
    assert len(county.errors) == 1
    return county


def warnings(app: App) -> list[str]:
    return [element.value for element in app.at.warning]


def test_schedules_beside_a_rule_that_cannot_be_kept_are_marked_everywhere(infeasible):
    options = infeasible.widget("selectbox", "Schedule to take").options
    assert options and all(title.endswith("without the rules") for title in options)
    compared = infeasible.table("Schedule").set_index("Schedule").iloc[1:]
    assert set(compared["Rules kept"]) == {"no"} and (compared["People against the rules"] > 0).all()
    for tab in ("Grid", "Invitations", "Slots"):
        infeasible.tab(TABS, tab)
        assert any("does not look at the rules" in warning for warning in warnings(infeasible)), tab


def test_invitations_against_the_rules_are_taken_only_when_that_is_said(infeasible):
    infeasible.tab(TABS, "Invitations")
    button = infeasible.download("Invitations (CSV)")
    assert button.disabled and "break the rules" in button.help
    box = infeasible.widget("checkbox", ANYWAY)
    box.set_value(True)
    infeasible.run()
    button = infeasible.download("Invitations (CSV)")
    assert not button.disabled
    infeasible.choose("toggle", "Not too far", False).tab(TABS, "Invitations")
    assert not infeasible.download("Invitations (CSV)").disabled
    assert not [box for box in infeasible.at.checkbox if box.label == ANYWAY]


def test_a_schedule_beside_the_one_that_keeps_the_rules_is_marked_too(county, monkeypatch):
    monkeypatch.setattr(results, "AT_ONCE", 0.3)
    county.choose("toggle", "Own region only", True).tab(TABS, "Invitations")
    assert not county.download("Invitations (CSV)").disabled
    county.choose("selectbox", "Schedule to take", results.GREEDY)
    assert county.download("Invitations (CSV)").disabled
    assert any(warning.startswith("**Greedy, without the rules:**") for warning in warnings(county))


def test_the_gain_is_said_in_people_and_the_paper_s_measure_with_its_meaning(county):
    people, slots = county_of(county)
    random, taken = at_random(people, slots).vector, optimum(people, slots).vector
    alone = random.people_below(2) - taken.people_below(2)
    said = county.text
    assert f"{alone:,} people fewer alone" in said
    said += " ".join(caption.value for caption in county.at.caption)
    assert f"The paper’s improvement is {results.signed(improvement(taken, random, people.base))}" in said
    assert "no share of people" in said
    assert county.metric("People alone") == f"{random.people_below(2):,} → {taken.people_below(2):,}"


def test_invitations_below_k_are_a_warning_that_says_whose_k_it_is(county):
    people, slots = county_of(county)
    below = optimum(people, slots).vector.people_below(5)
    (warning,) = [one for one in warnings(county) if "do not reach k = 5" in one]
    assert f"({below:,} of {people.n_people:,} people)" in warning and "sidebar" in warning
    labels = [metric.label for metric in county.at.metric]
    alone = optimum(people, slots).vector.people_below(2) > 0
    assert sum(":red[" in label for label in labels) == 2 + alone
    county.session.k = 1
    county.run()
    assert not [one for one in warnings(county) if "do not reach" in one]


def test_the_table_of_schedules_holds_numbers(county):
    compared = county.table("Schedule")
    for name in compared.columns.difference(["Schedule", "Proven"]):
        assert pd.api.types.is_numeric_dtype(compared[name]), name


def test_who_is_not_invited_is_a_warning_and_a_list():
    app = of_file(THIRTEEN, name="Identifier", age=QUASI, sex=QUASI)
    app.session.recipe = Recipe.of([Recode("age", EVERYTHING), Suppress(2)])
    app.run()
    (warning,) = [one for one in warnings(app) if "no invitation" in one]
    assert warning.startswith("**7.69% (1 of 13 people) get no invitation:** the recipe leaves them out")
    app.tab(TABS, "Invitations")
    assert app.download("Not invited: 1 person (CSV)")
    app.choose("segmented_control", "Look at", "Original")
    assert not [one for one in warnings(app) if "no invitation" in one]


def test_the_list_of_who_is_not_invited_has_each_person_once():
    data = b"who,age\n" + b"a,30\na,31\nb,\nb,\n,\n,\nc,40\n"
    app = of_file(data, who="Person id", age=QUASI)
    dataset = dataset_of(app).with_missing("drop")
    people = people_of(dataset, ["age"])
    rest = not_invited(dataset, people)
    n_people = 3 + 2  # without an id each record is a person
    assert len(rest) + people.n_people == n_people and people.left_out == len(rest)
    assert rest["who"].dropna().tolist() == ["b"] and rest["who"].isna().sum() == 2
    assert list(pd.read_csv(io.StringIO(rest.to_csv(index=False))).columns) == ["who", "age"]
