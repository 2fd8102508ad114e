"""From the Generalize page into the recipe: what is added holds, and what was there stays or gives way."""

from __future__ import annotations

from dataclasses import replace

from anonlib.basics import words
from anonlib.counting.privacy_models import KAnonymity
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, LeaveOut, Recode
from tests.helpers.app import GENERALIZE, RELEASE, dataset_of, seeded
from tests.helpers.generalize import asked, better_solved, check_figures, expected, released_k


def test_what_is_added_to_the_recipe_is_released(app):
    found = expected(app, method="optimal")
    app.choose("selectbox", "Method", "optimal").press("Add to recipe")
    assert "In the recipe\\: Recode age" in app.text
    kinds = [type(step) for step in app.session.recipe.enabled]
    assert kinds == [Recode] * sum(bool(level) for level in (found.levels or {}).values()) + [LeaveOut]
    assert released_k(app) == found.k[0]
    app.open(RELEASE)
    assert app.metric("k, the smallest class") == f"1 → {found.k[0]}" and not app.errors
    assert "reaches k = 5 on 4 columns" in app.text
    assert all(app.session.recipe.apply(dataset_of(app)).effects)
    app.open(GENERALIZE).choose("selectbox", "Method", "parts").press("Add to recipe")
    local = expected(app, method="parts")
    assert f"{len(kinds)} earlier steps gave way" in app.text
    assert [type(step) for step in app.session.recipe.enabled] == [GeneralizeLocally]
    assert released_k(app) == local.k[0]
    app.open(RELEASE)
    assert app.metric("k, the smallest class") == f"1 → {local.k[0]}"
    assert app.metric("Rows kept") == words.percent(1 - local.left_out / local.n_records)


def test_a_step_from_a_search_is_looked_at_and_its_reason_changed(app):
    app.choose("selectbox", "Method", "parts").press("Add to recipe").open(RELEASE)
    step = app.session.recipe.enabled[0]
    app.press("Change step 1")
    assert "This step comes from a search" in app.text and not app.errors
    app.choose("text_input", "Reason", "because").press("Keep the change")
    assert app.session.recipe.enabled == (replace(step, reason="because"),)
    saved = app.session.recipe.to_json()
    assert Recipe.from_json(saved).enabled == app.session.recipe.enabled
    app.press("Remove step 1")
    assert not app.session.recipe


def test_a_recipe_that_was_there_keeps_its_other_steps_and_its_order(app):
    others = (DropColumns(("notes",)), LeaveOut(2))
    level = dict(expected(app).problem.hierarchies)["age"].recodings[0]
    app.session.recipe = Recipe.of([others[0], Recode("age", level), others[1]])
    app.choose("selectbox", "Method", "optimal").press("Add to recipe")
    steps = app.session.recipe.enabled
    assert steps[0] == others[0] and steps[-1] == others[1] and len(steps) > 3
    assert "1 earlier step gave way" in app.text
    n = len(steps)
    app.press("Add to recipe")
    assert app.session.recipe.enabled == steps and f"{n - 2} earlier steps gave way" in app.text


def test_dropped_columns_are_not_generalized(app):
    app.session.recipe = Recipe.of([DropColumns(("age", "visit_date"))])
    app.run()
    data = dataset_of(app).without_columns(["age", "visit_date"])
    check_figures(app, better_solved(asked(data, KAnonymity(columns=("sex", "zip"), least=5)).on(data)))
    assert app.widget("multiselect", "Columns that someone may know").value == ["sex", "zip"]
    app.press("Add to recipe") if not app.button("Add to recipe").disabled else None
    assert released_k(app) >= 5
    app.session.recipe = app.session.recipe.switch(0, False)
    check_figures(app.run(), expected(app))
    app.session.recipe = Recipe.of([DropColumns(tuple(dataset_of(app).quasi_identifiers))])
    assert "The recipe drops every quasi-identifier" in app.run().text and not app.at.metric and not app.errors


def test_regions_of_the_recipe_are_what_is_generalized(file):
    ids = sorted({line.split(",")[4] for line in file.decode().splitlines()[1:]})
    regions = AggregatePlaces("zip", (("north", tuple(ids[::2])), ("south", tuple(ids[1::2]))))
    app = seeded(file, page=GENERALIZE, recipe=Recipe.of([regions]))
    data = app.session.recipe.apply(dataset_of(app)).released
    question = asked(data, KAnonymity(columns=tuple(data.quasi_identifiers), least=app.session.k))
    check_figures(app, better_solved(question.on(data)))
    app.press("Add to recipe")
    assert app.session.recipe.entries[0].step is regions and released_k(app) >= app.session.k
