"""The Individuals page on a release: of dropped columns, columns of one value, and nobody."""

from __future__ import annotations

import pytest

from anonlib import words
from anonlib.recoding import Intervals, Mask
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Suppress
from tests.helpers.app import DATA, INDIVIDUALS, RELEASE, App, dataset_of, loaded
from tests.helpers.individuals import TABS, VISITS, Asked, ask, every_tab, expected

QUASI, SENSITIVE = "Quasi-identifier", "Sensitive"


@pytest.mark.parametrize(
    "steps",
    [[DropColumns(("age",))], [DropColumns(("diagnosis",))], [DropColumns(("age", "sex", "zip"))], [Suppress(1_000)],
     [Recode("age", Intervals(30)), DropColumns(("visit_date",)), Suppress(5)],
     [DropColumns(("no such column",))], [DropColumns(("age", "sex", "zip", "visit_date", "diagnosis"))],
     [DropColumns(("age", "sex", "zip", "visit_date"))], [Recode("age", Intervals(500))]],
    ids=["one dropped", "the sensitive one dropped", "three dropped", "nobody left", "some left", "does not fit",
         "all dropped", "one left", "one value left"],
)  # fmt: skip
def test_a_release_of_whatever_is_left_opens(steps, file):
    app = loaded(file, page=RELEASE)
    app.session.recipe = Recipe.of(steps)
    app.open(INDIVIDUALS).choose("segmented_control", "Measure", "poac" if len(steps) == 1 else "ppp")
    for look in ("Release", "Original"):
        app.choose("segmented_control", "Look at", look)
        released = app.session.recipe.apply(dataset_of(app)).released
        left = [name for name in ("age", "sex", "zip", "visit_date", "diagnosis") if name in released.columns]
        if look == "Release" and (len(left) < 2 or not released.n_records):
            assert any("nothing is left to infer" in info.value for info in app.at.info) and not app.errors
            continue
        every_tab(app)


def test_a_release_is_asked_only_what_it_still_has(file):
    app = loaded(file, page=RELEASE)
    app.session.recipe = Recipe.of([DropColumns(("zip",)), Recode("age", Intervals(10))])
    app.open(INDIVIDUALS)
    ask(app, Asked(near={"age": 3.0}))
    assert not app.errors and app.widget("segmented_control", "Look at").value == "Release"
    released = app.session.recipe.apply(dataset_of(app)).released
    found = expected(released, Asked(attacker=3))
    assert app.metric("Exposed in diagnosis").split("→ ")[-1] == words.percent(found.of("diagnosis").mean())


def test_a_column_that_the_recipe_made_one_value_has_no_row_and_is_no_exposure(file):
    """Nobody is told from others by it; what is sensitive and the same for all is still news of everyone."""
    app = loaded(file, page=RELEASE)
    app.session.recipe = Recipe.of([Recode("visit_date", Mask(0)), DropColumns(("zip",))])
    app.open(INDIVIDUALS).tab(TABS, "Columns")
    data = dataset_of(app)
    released = app.session.recipe.apply(data).released
    found = expected(released, Asked(attacker=3))
    assert found.of("visit_date").all(), "by definition its PPP is 0"
    table = app.table("Exposed").set_index("Column")
    assert sorted(table.index) == ["age", "diagnosis", "sex"]
    assert {name: table.loc[name, "Exposed"] for name in table.index} == {
        name: found.of(name).sum() for name in table.index
    }
    assert "No row: **visit\\_date** has one value, so nobody is told from others by it." in app.text
    assert "visit_date" not in app.widget("selectbox", "Sensitive column").options
    assert "visit_date" not in app.tab(TABS, "One individual").table("Takes")["Column"].tolist()
    app.choose("segmented_control", "Look at", "Original").choose("selectbox", "Sensitive column", "visit_date")
    assert app.metric("Exposed in visit\\_date").endswith("→ one value") and "No row" not in app.text
    for attacker in ("all", "chance"):
        app.choose("segmented_control", "Look at", "Release").choose("selectbox", "The attacker knows", attacker)
        assert "No row: **visit\\_date**" in app.text and not app.errors


@pytest.mark.parametrize("left", [Recode("sex", Mask(0)), DropColumns(("sex",))], ids=["one value", "dropped"])
def test_nothing_but_columns_of_one_value_is_nothing_to_infer(left, file):
    app = App(DATA, VISITS).give_roles(age=QUASI, sex=QUASI)
    app.session.recipe = Recipe.of([Recode("age", Intervals(500)), left])
    app.open(INDIVIDUALS)
    assert any("nothing is left to infer" in info.value for info in app.at.info) and not app.errors
    app.choose("segmented_control", "Look at", "Original")
    assert app.metric("Exposed in age") and not app.errors
    same = App(DATA, b"age,sex\n" + b"30,F\n" * 9).give_roles(age=QUASI, sex=QUASI).open(INDIVIDUALS)
    assert "Each of these columns has one value" in same.text and not same.errors
