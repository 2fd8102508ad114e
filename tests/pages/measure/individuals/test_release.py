"""The Individuals page on a release: of dropped columns, columns of one value, and nobody."""

from __future__ import annotations

import pytest

from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.app import INDIVIDUALS, INDIVIDUALS_TABS, dataset_of, seeded
from tests.helpers.individuals import QI, TABS, VISITS, Asked, ask, expected

LEFT = (
    [DropColumns(("age",))], [DropColumns(("diagnosis",))], [DropColumns(("age", "sex", "zip"))], [LeaveOut(1_000)],
    [Recode("age", Intervals(30)), DropColumns(("visit_date",)), LeaveOut(5)],
    [DropColumns(("no such column",))], [DropColumns(("age", "sex", "zip", "visit_date", "diagnosis"))],
    [DropColumns(("age", "sex", "zip", "visit_date"))], [Recode("age", Intervals(500))],
)  # fmt: skip
NAMES = [
    "one dropped", "the sensitive one dropped", "three dropped", "nobody left", "some left", "does not fit",
    "all dropped", "one left", "one value left",
]  # fmt: skip


@pytest.mark.parametrize("steps", LEFT, ids=NAMES)
def test_a_release_of_whatever_is_left_opens(steps, file):
    settings = {"individuals-measure": "poac" if len(steps) == 1 else "ppp"}
    turn, others = LEFT.index(steps), INDIVIDUALS_TABS[1:-1]
    app = seeded(file, page=INDIVIDUALS, recipe=Recipe.of(steps), settings=settings)
    assert app.widget("segmented_control", "Look at").value == "Release"
    released = app.session.recipe.apply(dataset_of(app)).released
    left = [name for name in ("age", "sex", "zip", "visit_date", "diagnosis") if name in released.columns]
    if len(left) < 2 or not released.n_records:
        assert any("nothing is left to infer" in info.value for info in app.at.info) and not app.errors
    else:
        assert app.at.metric and not app.errors
        for tab in others[turn % 4], others[(turn + 1) % 4]:
            app.tab(TABS, tab)
            assert app.at.metric and not app.errors, (tab, app.errors)
    app.set("segmented_control", "Look at", "Original").tab(TABS, INDIVIDUALS_TABS[turn % 5])
    assert app.at.metric and not app.errors


def test_a_release_is_asked_only_what_it_still_has(file):
    recipe = Recipe.of([DropColumns(("zip",)), Recode("age", Intervals(10))])
    app = seeded(file, page=INDIVIDUALS, recipe=recipe)
    ask(app, Asked(near={"age": 3.0}))
    assert not app.errors and app.widget("segmented_control", "Look at").value == "Release"
    released = app.session.recipe.apply(dataset_of(app)).released
    found = expected(released, Asked(attacker=3))
    assert app.metric("Certain in diagnosis").split("→ ")[-1] == words.percent(found.of("diagnosis").mean())


def test_a_column_that_the_recipe_made_one_value_has_no_row_and_is_not_certain(file):
    """Nobody is told from others by it; what is sensitive and the same for all is still news of everyone."""
    recipe = Recipe.of([Recode("visit_date", Mask(0)), DropColumns(("zip",))])
    app = seeded(file, page=INDIVIDUALS, recipe=recipe)
    data = dataset_of(app)
    released = app.session.recipe.apply(data).released
    found = expected(released, Asked(attacker=3))
    assert found.of("visit_date").all(), "by definition its PPP is 0"
    table = app.table("Certain").set_index("Column")
    assert sorted(table.index) == ["age", "diagnosis", "sex"]
    assert {name: table.loc[name, "Certain"] for name in table.index} == {
        name: found.of(name).sum() for name in table.index
    }
    assert "No row: **visit_date** has one value, so nobody is distinguished from others by it." in app.text
    assert "visit_date" not in app.widget("selectbox", "Sensitive column").options
    assert "visit_date" not in app.tab(TABS, "One individual").table("Takes")["Column"].tolist()
    app.choose("segmented_control", "Look at", "Original").choose("selectbox", "Sensitive column", "visit_date")
    assert app.metric("Certain in visit_date").endswith("→ one value") and "No row" not in app.text
    for attacker in ("all", "chance"):
        app.set("segmented_control", "Look at", "Release").choose("selectbox", "The attacker knows", attacker)
        assert "No row: **visit_date**" in app.text and not app.errors


@pytest.mark.parametrize("left", [Recode("sex", Mask(0)), DropColumns(("sex",))], ids=["one value", "dropped"])
def test_nothing_but_columns_of_one_value_is_nothing_to_infer(left, file):
    roles, recipe = {"age": QI, "sex": QI}, Recipe.of([Recode("age", Intervals(500)), left])
    app = seeded(VISITS, page=INDIVIDUALS, roles=roles, recipe=recipe)
    assert any("nothing is left to infer" in info.value for info in app.at.info) and not app.errors
    app.choose("segmented_control", "Look at", "Original")
    assert app.metric("Certain in age") and not app.errors
    same = seeded(b"age,sex\n" + b"30,F\n" * 9, page=INDIVIDUALS, roles=roles)
    assert "Each of these columns has one value" in same.text and not same.errors
