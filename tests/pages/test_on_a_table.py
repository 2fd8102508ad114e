"""Pages on a table in a database say what they say of the same records in memory, by class where they show rows."""

from __future__ import annotations

import pytest

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.app import (
    ATTACK,
    ATTACK_TABS,
    GENERALIZE,
    INDIVIDUALS,
    INDIVIDUALS_TABS,
    RELEASE,
    RELEASE_TABS,
    RISK,
    RISK_TABS,
    SCHEDULES,
    VERDICT,
    connected,
    dataset_of,
    seeded,
    visits,
)

RECIPE = Recipe.of(
    [DropColumns(("visit_date", "notes")), Recode("age", Intervals(30)), Recode("zip", Mask(1)), LeaveOut(3)]
)
FILE = visits(120)
QI = Role.QUASI_IDENTIFIER


@pytest.mark.parametrize("tab", RISK_TABS[:-1])
def test_the_risk_page_shows_every_tab(tab):
    app = connected(FILE, page=RISK, tab=("risk-tabs", tab), recipe=RECIPE)
    assert app.below(5) == seeded(FILE, page=RISK, recipe=RECIPE).below(5)


def test_classes_below_k_stand_for_their_records():
    app = connected(FILE, page=RISK, tab=("risk-tabs", "Records below k"), roles={"sex": QI, "zip": QI}, k=30)
    data = dataset_of(seeded(FILE, roles={"sex": QI, "zip": QI}))
    shown, classes = app.table("sex"), data.classes()
    assert shown["Records"].tolist() == sorted(classes.counts[classes.counts < 30].tolist())
    assert set(shown.columns) == {"Records", "sex", "zip"} and "stay in the database" in app.text


def test_an_individual_of_a_table_is_a_class():
    roles = {"sex": QI, "zip": QI, "diagnosis": Role.SENSITIVE}
    app = connected(FILE, page=INDIVIDUALS, tab=("individuals-tabs", "One individual"), roles=roles)
    classes = dataset_of(seeded(FILE, roles=roles)).classes(["sex", "zip", "diagnosis"])
    app.choose("toggle", "Show sensitive values", True)
    shown = set()
    for number in range(1, classes.n_classes + 1):
        values = app.choose("number_input", "Class", number).table("Column").set_index("Column")["Value"]
        shown.add(tuple(values[name] for name in classes.attributes))
    assert shown == set(classes.labels().itertuples(index=False, name=None))


@pytest.mark.parametrize("tab", INDIVIDUALS_TABS[:-1])
def test_the_individuals_page_shows_every_tab(tab):
    there = connected(FILE, page=INDIVIDUALS, tab=("individuals-tabs", tab))
    here = seeded(FILE, page=INDIVIDUALS, tab=("individuals-tabs", tab))
    assert [metric.value for metric in there.at.metric] == [metric.value for metric in here.at.metric]


@pytest.mark.parametrize("tab", RELEASE_TABS[:-1])
def test_the_release_page_shows_every_tab(tab):
    app = connected(FILE, page=RELEASE, tab=("release-tabs", tab), recipe=RECIPE)
    same = seeded(FILE, page=RELEASE, tab=("release-tabs", tab), recipe=RECIPE)
    assert [metric.value for metric in app.at.metric] == [metric.value for metric in same.at.metric]


@pytest.mark.parametrize("look_at", ["Original", "Release"])
def test_people_of_a_table_are_invited(look_at):
    """By what they share, since their names stay in the database."""
    apps = [make(FILE, page=SCHEDULES, recipe=RECIPE, k=2) for make in (connected, seeded)]
    for app in apps:
        app.choose("segmented_control", "Look at", look_at).tab("schedules-tabs", "Invitations")
    here, there = (app.table("person" if app is apps[0] else "full_name") for app in apps)
    assert len(here) == len(there) and "full_name" not in here
    assert sorted(here["sex"]) == sorted(there["sex"].astype(object).fillna("(missing)"))


def test_a_recipe_is_made_for_a_table(monkeypatch):
    """Suggested steps, a step by hand, one by a search, and values that harm nobody."""
    for name in ("AT_ONCE", "FIRST_AT_ONCE"):  # proposals are not searched for
        monkeypatch.setattr(f"pages.verdict.verdict.question.{name}", -1.0)
    there, here = (make(FILE, page=RELEASE) for make in (connected, seeded))
    for app in (there, here):
        app.press("Start with these steps")
        app.choose("segmented_control", "Kind of step", "Recode").choose("selectbox", "Column", "sex")
        app.choose("segmented_control", "Way", "First or last characters").press("Add to recipe")
        app.open(GENERALIZE).choose("selectbox", "Method", "optimal").press("Add to recipe")
        app.open(VERDICT).choose("multiselect", "Harmless in diagnosis", ["J45 Asthma"])
    assert there.session.recipe == here.session.recipe and there.session.aim == here.session.aim
    assert len(there.session.recipe) > 1


def test_who_is_alone_by_what_leaves_is_counted_where_attacks_are_not_tried():
    app = connected(FILE, page=ATTACK)
    assert not app.errors and "attacks are tried on files" in app.text
    assert "Somebody who knows any 3 of the" in app.text
    for tab in app.each_tab("attack-tabs", ATTACK_TABS):
        assert not app.errors, (tab, app.errors)
