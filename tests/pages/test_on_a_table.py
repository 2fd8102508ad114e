"""Pages on a table in a database say what they say of the same records in memory, by class where they show rows."""

from __future__ import annotations

import pytest

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.app import (
    ATTACK,
    ATTACK_FOLDS,
    GENERALIZE,
    INDIVIDUALS,
    RELEASE,
    RISK,
    SCHEDULES,
    TABS_OF,
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


OPENED = [(page, tab) for page in (RISK, INDIVIDUALS, RELEASE) for tab in TABS_OF[page][1][:-1]]


@pytest.mark.parametrize(("page", "tab"), OPENED)
def test_a_page_shows_the_figures_of_memory_in_every_tab(page, tab):
    fields = {} if page == INDIVIDUALS else {"recipe": RECIPE}
    there, here = (make(FILE, page=page, tab=(TABS_OF[page][0], tab), **fields) for make in (connected, seeded))
    assert [metric.value for metric in there.at.metric] == [metric.value for metric in here.at.metric]


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


@pytest.mark.parametrize("look_at", ["Original", "Release"])
def test_people_of_a_table_are_invited(look_at):
    """By what they share, since their names stay in the database."""
    apps = [make(FILE, page=SCHEDULES, recipe=RECIPE, k=2) for make in (connected, seeded)]
    for app in apps:
        app.choose("segmented_control", "Look at", look_at).tab("schedules-tabs", "Invitations")
    here, there = (app.table("person" if app is apps[0] else "full_name") for app in apps)
    assert len(here) == len(there) and "full_name" not in here
    assert sorted(here["sex"]) == sorted(there["sex"].astype(object).fillna("(missing)"))


def test_a_recipe_is_made_for_a_table(without_searches):
    """Suggested steps, a step by hand, one by a search, and values that harm nobody.

    Of few columns: each takes queries in each run of the page.
    """
    lines = [line.split(",") for line in FILE.decode().splitlines()]
    names = ("full_name", "age", "sex", "zip", "diagnosis")
    file = "\n".join(",".join(line[lines[0].index(name)] for name in names) for line in lines).encode()
    there, here = (make(file, page=RELEASE) for make in (connected, seeded))
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
    for fold in app.each_fold("attack", ATTACK_FOLDS):
        assert not app.errors, (fold, app.errors)
