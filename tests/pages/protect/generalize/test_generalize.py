"""The Generalize page without a browser: its figures are the library's, and what it adds to the recipe holds."""

from __future__ import annotations

import io
from contextlib import suppress
from dataclasses import replace
from itertools import cycle

import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import StopException

from anonlib import words
from anonlib.errors import InputError
from anonlib.generalization import (
    Generalization,
    LDiversity,
    Problem,
    Requirement,
    TCloseness,
    better_of,
    solve,
)
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, Recode, Suppress, SuppressViolating
from pages.protect.generalize import results
from pages.protect.generalize.settings import METHODS, OBJECTIVES
from pages.protect.generalize.tabs import _trace_csv
from tests.anonlib.release.test_from_generalization import asked
from tests.helpers.app import DATA, GENERALIZE, GENERALIZE_TABS, RELEASE, RISK, TRY, App, dataset_of, loaded
from ui.text import plain

TABS = f"generalize-tabs-{len(GENERALIZE_TABS)}"
MENDING = "generalize-tabs-3"  # without a result there is nothing to compare or draw
QUASI, SENSITIVE = "Quasi-identifier", "Sensitive"


def expected(app: App, requirements=None, *, method="better", **how) -> Generalization:
    """What the library finds for the question that the page asks at first, or another."""
    data = dataset_of(app)
    requirements = requirements or Requirement(tuple(data.quasi_identifiers), app.session.k)
    problem = asked(data, requirements, **how).of(data)
    return solve(problem, method) if method != "better" else better_solved(problem)


def better_solved(problem: Problem) -> Generalization:
    """The better of whole columns and part by part; the one that finds something where the other does not."""
    found = []
    for method in ("optimal", "mondrian"):
        with suppress(InputError):
            found.append(solve(problem, method))
    return better_of(*found) if len(found) > 1 else found[0]


def check_figures(app: App, found: Generalization) -> None:
    original = results.unchanged(found.problem)
    k, before = (" / ".join(f"{value:,}" for value in version.k) for version in (found, original))
    assert not app.errors
    assert app.metric("k") == words.change(before, k)
    assert app.metric("Cell loss") == words.percent(found.utility.cell_loss)
    assert app.metric("Classes") == words.change(f"{original.utility.classes:,}", f"{found.utility.classes:,}")
    assert next(m.value for m in app.at.metric if m.label.endswith("left out")) == f"{found.suppressed:,}"
    for name, level in (found.levels or {}).items():
        said = next(line for line in app.text.splitlines() if line.replace("\\", "").startswith(f"- **{name}**"))
        assert said.endswith("as it is") if not level else f"(level {level} of " in said


def every_tab(app: App) -> App:
    for tab in GENERALIZE_TABS:
        app.tab(TABS, tab)
        assert not app.errors, (tab, app.errors)
    return app.tab(TABS, GENERALIZE_TABS[0])


def released_k(app: App) -> int:
    return int(app.session.recipe.apply(dataset_of(app)).released.classes().counts.min())


@pytest.fixture
def app(file) -> App:
    return loaded(file, page=GENERALIZE)


# ---- the way in ------------------------------------------------------------------------------------------------------


def test_without_a_file_the_page_says_what_it_does_and_the_sample_shows_a_result_at_once():
    app = App(GENERALIZE)
    assert "Nothing is loaded yet" in app.text and "how coarse each column must be" in app.text and not app.at.metric
    app.press(TRY)
    assert app.at.title[0].value == "Generalize"
    found = expected(app)
    check_figures(app, found)
    assert found.method == "mondrian" and "**Part by part keeps more detail of cells than whole columns**" in app.text
    assert "persons" in next(m.label for m in app.at.metric if m.label.endswith("left out")).lower()
    every_tab(app)
    check_figures(app.press("See whole columns"), expected(app, method="optimal"))
    assert "**Proven: no other combination of levels keeps more detail of cells.**" in app.text


def test_without_quasi_identifiers_there_is_a_way_to_them(file):
    app = App(DATA, file).open(GENERALIZE)
    assert "No quasi-identifiers are chosen" in app.text and not app.at.metric
    app.press("Accept all suggested roles")
    check_figures(app, expected(app))


# ---- controls --------------------------------------------------------------------------------------------------------


def test_every_method_objective_and_limit_is_the_librarys(app):
    chosen = list(zip(METHODS, cycle(reversed(OBJECTIVES)), cycle([0.0, 20.0, 2.5])))  # fmt: skip
    for method, objective, limit in chosen:
        app.choose("slider", "May be left out", limit)
        if app.widget("selectbox", "Keep most").disabled:
            app.choose("selectbox", "Method", "better")
        app.choose("selectbox", "Keep most", objective)
        app.choose("selectbox", "Method", method)
        found = expected(app, method=method, objective=objective, limit=limit / 100)
        check_figures(app, found)
        assert app.widget("selectbox", "Keep most").disabled == (method == "mondrian")
        assert METHODS[method] in app.text
    app.open(RISK).open(GENERALIZE)
    method, objective, limit = chosen[-1]
    check_figures(app, expected(app, method=method, objective=objective, limit=limit / 100))


def test_k_begins_with_that_of_the_risk_page_and_columns_are_chosen(app):
    app.open(RISK).choose("slider", "k", 12).open(GENERALIZE)
    check_figures(app, expected(app))
    assert app.widget("number_input", "k").value == 12
    app.choose("number_input", "k", 3)
    check_figures(app, expected(app, Requirement(tuple(dataset_of(app).quasi_identifiers), 3)))
    app.choose("multiselect", "Columns that someone may know", ["zip", "sex"])
    check_figures(app, expected(app, Requirement(("zip", "sex"), 3)))


def test_requirements_are_added_emptied_and_removed(app):
    app.press("Add another")
    check_figures(app, expected(app))
    assert app.widget("multiselect", "2: columns").value == [], "one without columns does not count"
    app.choose("multiselect", "1: columns", ["age", "sex"])
    app.widget("multiselect", "2: columns").set_value(["zip", "visit_date"])
    app.choose("number_input", "2: k", 9)
    two = [Requirement(("age", "sex"), 5), Requirement(("zip", "visit_date"), 9)]
    check_figures(app, expected(app, two))
    assert " / " in app.metric("k of each requirement")
    app.press("Add to recipe").tab(TABS, "Original and result")
    released = app.session.recipe.apply(dataset_of(app)).released
    for requirement, k in zip(two, expected(app, two).k, strict=True):
        assert released.classes(list(requirement.attributes)).counts.min() == k >= requirement.k
    app.choose("multiselect", "1: columns", [])
    check_figures(app, expected(app, two[1]))
    app.choose("multiselect", "2: columns", [])
    assert app.errors == ["No requirement names a column\\. Choose at least one column that someone may know\\."]
    assert not app.at.metric
    app.choose("multiselect", "1: columns", ["age"]).press("Remove")
    check_figures(app, expected(app, Requirement(("age",), 5)))
    app.press("Add another")
    assert app.widget("number_input", "2: k").value == 5, "a new one begins anew"
    app.press("Remove").choose("multiselect", "Columns that someone may know", [])
    assert len(app.errors) == 1 and "No requirement names a column" in app.errors[0]


@pytest.mark.parametrize(("kind", "distance"), [("distinct", "off"), ("entropy", "equal"), ("off", "ordered")])
def test_rules_of_a_sensitive_column(kind, distance, app):
    app.choose("multiselect", "Columns that someone may know", ["age", "sex"])
    rules: list[LDiversity | TCloseness] = []
    if kind != "off":
        app.choose("segmented_control", "l-diversity", kind).choose("number_input", "l", 3)
        rules.append(LDiversity("diagnosis", 3, kind))
    if distance != "off":
        app.choose("segmented_control", "t-closeness", distance).choose("slider", "t", 0.25)
        rules.append(TCloseness("diagnosis", 0.25, distance))
    assert dataset_of(app).sensitive[0] == "diagnosis"
    found = expected(app, Requirement(("age", "sex"), 5), rules=rules, others=dataset_of(app).sensitive)
    check_figures(app, found)
    app.press("Add to recipe")
    every_tab(app)
    released = app.session.recipe.apply(dataset_of(app)).released
    problem = asked(released, Requirement(("age", "sex"), 5), rules=rules).of(released)
    if distance == "off":  # closeness is to the original
        assert not problem.violating(problem.full, problem.bottom)[1]


def test_a_sensitive_column_inside_a_requirement_takes_no_rules(app):
    quasi = dataset_of(app).quasi_identifiers
    app.choose("multiselect", "Columns that someone may know", [*quasi, *dataset_of(app).sensitive])
    assert app.widget("selectbox", "Sensitive column").disabled and not app.errors
    assert app.widget("segmented_control", "l-diversity").disabled


def test_rows_are_counted_of_other_columns_too(app):
    app.tab(TABS, "Original and result")
    app.choose("multiselect", "Other columns that make a row", ["notes"])
    found = expected(app, others=["notes"])
    check_figures(app, found)
    assert app.table("Version")["Rows"].tolist()[1] == found.utility.rows


# ---- tabs ------------------------------------------------------------------------------------------------------------


def test_the_original_beside_the_result(app):
    app.choose("selectbox", "Method", "optimal").tab(TABS, "Original and result")
    found = expected(app, method="optimal")
    original = results.unchanged(found.problem)
    shown = app.table("Version").set_index("Version")
    for name, version in (("Original", original), (METHODS[found.method], found)):
        assert shown.loc[name, "k"] == version.k[0]
        assert shown.loc[name, "Classes"] == version.utility.classes
        assert shown.loc[name, "Rows"] == version.utility.rows
        assert shown.loc[name, "Discernibility"] == version.utility.discernibility
        assert shown.loc[name, "Violating groups"] == version.violations.groups
    columns = app.table("Level")
    assert columns["Column"].tolist() == list(found.attributes)
    assert [level.split(" ")[0] for level in columns["Level"]] == [
        str(level) for level in (found.levels or {}).values()
    ]
    assert not app.download("Table as CSV").disabled


def test_methods_side_by_side_are_each_the_librarys(app):
    app.tab(TABS, "Methods side by side").press("Start")
    shown = app.table("Tables made").set_index("Method")
    assert list(shown.index) == ["Original", *METHODS.values()]
    for method, name in METHODS.items():
        found = expected(app, method=method)
        assert shown.loc[name, "Rows"] == found.utility.rows and shown.loc[name, "k"] == found.k[0]
        assert shown.loc[name, "Cell loss"] == words.percent(found.utility.cell_loss)
        assert shown.loc[name, "Tables made"] == found.tables
        assert shown.loc[name, "Proven"] == ("yes" if found.proven else "no")
    assert not app.has_button("Start")
    app.choose("slider", "May be left out", 0.0)
    assert app.has_button("Start"), "another question is another comparison"


def test_the_search_tree_is_of_the_method_or_of_iab(app):
    app.choose("multiselect", "Columns that someone may know", ["zip", "sex"]).choose("number_input", "k", 40)
    app.tab(TABS, "Search tree")
    trace = expected(app, Requirement(("zip", "sex"), 40), method="iab").trace
    assert len(trace) > 1
    assert f"Search tree of IAB: {words.count(len(trace), 'tables')}" in alt_texts(app)
    app.choose("selectbox", "Method", "exhaustive")
    trace = expected(app, Requirement(("zip", "sex"), 40), method="exhaustive").trace
    assert f"Search tree of Exhaustive: {words.count(len(trace), 'tables')}" in alt_texts(app)
    app.choose("multiselect", "Columns that someone may know", list(dataset_of(app).quasi_identifiers))
    assert "too many to draw as a tree" in app.text


def alt_texts(app: App) -> str:
    return "\n".join(element.proto.alt for element in app.at.get("plotly_chart"))


def test_the_page_begins_with_the_better_of_both_and_keeps_what_is_chosen(app):
    assert app.widget("selectbox", "Method").value == "better"
    app.choose("selectbox", "Method", "greedy")
    assert app.open(RISK).open(GENERALIZE).widget("selectbox", "Method").value == "greedy"
    check_figures(app, expected(app, method="greedy"))


def test_part_by_part_is_shown_while_whole_columns_wait_for_a_button(app, monkeypatch):
    parts = expected(app, method="mondrian")
    seconds = results.seconds
    monkeypatch.setattr(
        results, "seconds", lambda problem, method: 30 if method == "optimal" else seconds(problem, method)
    )
    app.choose("number_input", "k", 6).choose("number_input", "k", 5)
    check_figures(app, parts)
    assert "Shown is **Part by part**, without **Whole columns** beside it" in app.text and app.has_button("Start")
    app.choose("slider", "May be left out", 4.0).press("Start")
    check_figures(app, expected(app, limit=0.04))
    assert "keeps more detail of cells than" in app.text and not app.has_button("Start")


def test_where_only_one_of_both_finds_something_the_other_says_why(app, monkeypatch):
    def refuse(problem):
        raise InputError("Too many to prove.")

    monkeypatch.setattr(results, "refuse_too_many", refuse)
    check_figures(app.run(), expected(app, method="mondrian"))
    assert "without **Whole columns** beside it. Too many to prove" in app.text


def test_heart_begins_with_what_keeps_more(shared_data):
    """The trial: one level a column lost 50.4% of the detail and 15 records, part by part 34.9% and nobody."""
    app = loaded(shared_data("heart_cleveland.csv").read_bytes(), "heart_cleveland.csv", GENERALIZE)
    app.choose("number_input", "k", 11)
    assert app.metric("Cell loss") == "34.9%" and app.metric("Records left out") == "0"
    assert "34.9% lost against 50.4%" in app.text
    app.press("Add to recipe")
    assert [type(step) for step in app.session.recipe.enabled] == [GeneralizeLocally] and released_k(app) >= 11


# ---- weights ---------------------------------------------------------------------------------------------------------


def test_columns_that_matter_are_weighed(app):
    names = [
        name for name, _ in asked(dataset_of(app), Requirement(tuple(dataset_of(app).quasi_identifiers), 5)).hierarchies
    ]
    assert all(app.widget("slider", plain(name)).value == 1 for name in names)
    app.choose("slider", "zip", 3).choose("slider", "age", 0)
    weights = {"zip": 3, "age": 0}
    for method in ("better", "optimal", "mondrian"):
        app.choose("selectbox", "Method", method)
        found = expected(app, method=method, weights=weights)
        assert found.problem.is_weighted
        check_figures(app, found)
    assert app.metric("Cell loss, weighted") and "Weights: **age** 0, **zip** 3; the others 1." in app.text
    app.press("Add to recipe")
    assert dict(app.session.recipe.enabled[0].column_weights) == dict.fromkeys(names, 1.0) | weights
    assert released_k(app) == found.k[0]
    every_tab(app)
    app.tab(TABS, "Original and result")
    assert app.table("Version")["Cell loss, weighted"].iloc[1] == words.percent(found.utility.cell_loss)
    for name in names:
        app.choose("slider", plain(name), 2)
    assert not [m for m in app.at.metric if "weighted" in m.label] and "Weights:" not in app.text, "all matter alike"
    check_figures(app, expected(app, method="mondrian"))


def test_what_counts_whole_records_takes_no_weights(app):
    app.choose("slider", "zip", 3).choose("selectbox", "Keep most", "rows")
    slider = app.widget("slider", "zip")
    assert slider.disabled and "no column counts more than another" in app.text
    check_figures(app, expected(app, objective="rows"))
    assert "distinct rows than" in app.text or "as much distinct rows" in app.text


def test_where_no_column_matters_the_way_out_is_said(app):
    for name in dataset_of(app).quasi_identifiers:
        app.choose("slider", plain(name), 0)
    assert len(app.errors) == 1 and "has the weight 0" in app.errors[0] and not app.at.metric
    app.choose("slider", "zip", 2)
    assert not app.errors and app.metric("Cell loss, weighted")


def test_columns_without_a_level_between_are_named():
    app = App().press("open-weight_loss").open(GENERALIZE)
    assert "can only stay or go" not in app.text
    app.choose("selectbox", "Method", "optimal")
    assert "**weight** and **race** can only stay or go" in app.text
    app.choose("selectbox", "Method", "mondrian")
    assert "can only stay or go" not in app.text


# ---- into the recipe -------------------------------------------------------------------------------------------------


def test_what_is_added_to_the_recipe_is_released(app):
    found = expected(app, method="optimal")
    app.choose("selectbox", "Method", "optimal").press("Add to recipe")
    assert "In the recipe\\: Recode age" in app.text
    kinds = [type(step) for step in app.session.recipe.enabled]
    assert kinds == [Recode] * sum(bool(level) for level in (found.levels or {}).values()) + [SuppressViolating]
    assert released_k(app) == found.k[0]
    app.open(RELEASE)
    assert app.metric("k, the smallest class") == f"1 → {found.k[0]}" and not app.errors
    assert "reaches k \\= 5 on 4 columns" in app.text
    assert all(app.session.recipe.apply(dataset_of(app)).effects)
    app.open(GENERALIZE).choose("selectbox", "Method", "mondrian").press("Add to recipe")
    local = expected(app, method="mondrian")
    assert f"{len(kinds)} earlier steps gave way" in app.text
    assert [type(step) for step in app.session.recipe.enabled] == [GeneralizeLocally]
    assert released_k(app) == local.k[0]
    app.open(RELEASE)
    assert app.metric("k, the smallest class") == f"1 → {local.k[0]}"
    assert app.metric("Records kept") == words.percent(1 - local.suppressed / local.n_records)


def test_a_step_from_a_search_is_looked_at_and_its_reason_changed(app):
    app.choose("selectbox", "Method", "mondrian").press("Add to recipe").open(RELEASE)
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
    others = (DropColumns(("notes",)), Suppress(2))
    app.session.recipe = Recipe.of([others[0], Recode("age", asked_levels(app)), others[1]])
    app.choose("selectbox", "Method", "optimal").press("Add to recipe")
    steps = app.session.recipe.enabled
    assert steps[0] == others[0] and steps[-1] == others[1] and len(steps) > 3
    assert "1 earlier step gave way" in app.text
    n = len(steps)
    app.press("Add to recipe")
    assert app.session.recipe.enabled == steps and f"{n - 2} earlier steps gave way" in app.text


def asked_levels(app: App):
    return dict(expected(app).problem.hierarchies)["age"].recodings[0]


def test_what_is_satisfied_already_is_said_and_the_button_says_why(app):
    app.choose("multiselect", "Columns that someone may know", ["sex"])
    assert "**Satisfied already: nothing has to change.**" in app.text
    button = app.button("Add to recipe")
    assert button.disabled and button.help == "Nothing has to change."
    check_figures(app, expected(app, Requirement(("sex",), 5)))
    every_tab(app)


def test_dropped_columns_are_not_generalized(app):
    app.session.recipe = Recipe.of([DropColumns(("age", "visit_date"))])
    app.run()
    data = dataset_of(app).without_columns(["age", "visit_date"])
    check_figures(app, better_solved(asked(data, Requirement(("sex", "zip"), 5)).of(data)))
    assert app.widget("multiselect", "Columns that someone may know").value == ["sex", "zip"]
    app.press("Add to recipe") if not app.button("Add to recipe").disabled else None
    assert released_k(app) >= 5
    app.session.recipe = app.session.recipe.switch(0, False)
    check_figures(app.run(), expected(app))
    app.session.recipe = Recipe.of([DropColumns(tuple(dataset_of(app).quasi_identifiers))])
    app.run()
    assert "The recipe drops every quasi-identifier" in app.text and not app.at.metric and not app.errors


# ---- hierarchies -----------------------------------------------------------------------------------------------------


def test_a_hierarchy_of_the_officer_is_searched_with(app):
    before = app.metric("Cell loss")
    app.choose("selectbox", "Column", "age")
    way = app.widget("segmented_control", "Levels made by")
    assert way.value is not None
    app.choose("number_input", "From here on", 60)
    given = app.session.hierarchies
    assert list(given) == ["age"]
    check_figures(app, expected(app, hierarchies=given))
    app.press("As suggested")
    assert app.metric("Cell loss") == before


def test_where_there_is_no_solution_the_sentence_says_so_and_the_hierarchies_can_be_mended(app):
    app.choose("number_input", "k", 1000)
    assert len(app.errors) == 1 and "fewer than k \\= 1\\,000" in app.errors[0]
    assert not app.at.metric and not app.has_button("Add to recipe")
    for tab in ("Hierarchies", "Fake records", "How it works"):
        app.tab(MENDING, tab)
        assert len(app.errors) == 1
    app.tab(MENDING, "Hierarchies").choose("selectbox", "Column", "zip")
    assert app.widget("segmented_control", "Levels made by").value is not None
    app.choose("number_input", "k", 5)
    check_figures(app, expected(app))


# ---- long work -------------------------------------------------------------------------------------------------------


@pytest.fixture
def long(monkeypatch) -> None:
    monkeypatch.setattr(results, "AT_ONCE", -1.0)


def test_what_takes_long_waits_for_the_button(long, app):
    assert app.has_button("Start") and "takes about" in app.text and "300 combinations of levels" in app.text
    assert not app.at.metric and not app.has_button("Add to recipe") and not app.errors
    app.press("Start")
    check_figures(app, expected(app, method="mondrian"))
    app.press("Start")
    check_figures(app, expected(app))
    assert not any(app.has_button(label) for label in ("Start", "Stop", "Go on")) and app.session.running is None
    app.choose("slider", "May be left out", 0.0)
    assert app.has_button("Start"), "another question"
    app.choose("slider", "May be left out", 5.0)
    check_figures(app, expected(app))


def test_stopping_keeps_the_best_so_far_and_going_on_finishes(long, app, monkeypatch):
    app.choose("selectbox", "Method", "exhaustive")
    whole = expected(app, method="exhaustive")
    steps: list[float] = []

    def stopped(problem, method, time_limit=None, progress=None):
        def tell(share, best):
            progress(share, best)
            steps.append(share)
            if best is not None:
                raise StopException

        return solve(problem, method, time_limit, tell)

    monkeypatch.setattr(results, "solve", stopped)
    app.press("Start")
    assert app.session.running and app.has_button("Stop") and 0 < steps[-1] < 1
    monkeypatch.setattr(results, "solve", solve)
    app.press("Stop")
    assert app.session.running is None and "Shown is how far it got" in app.text
    assert "**The best so far.**" in app.text
    assert app.metric("k") == "1 → " + app.metric("k").split(" ")[-1] and int(app.metric("k").split(" ")[-1]) >= 5
    loss = float(app.metric("Cell loss").rstrip("%"))
    assert loss >= 100 * whole.utility.cell_loss - 0.1
    every_tab(app)
    app.press("Add to recipe")
    assert released_k(app) >= 5
    app.press("Go on")
    check_figures(app, whole)
    assert "**Proven" in app.text and not app.has_button("Go on")


def test_long_work_without_a_solution_is_a_sentence_and_does_not_start_again(long, app):
    app.choose("number_input", "k", 1000).press("Start")
    assert len(app.errors) == 1 and "fewer than k" in app.errors[0] and app.session.running is None
    app.run()
    assert app.has_button("Start") and not app.errors
    app.choose("number_input", "k", 5).press("Start").press("Start")
    check_figures(app, expected(app))


# ---- downloads -------------------------------------------------------------------------------------------------------


def test_the_tables_of_a_search_go_home(app):
    app.choose("multiselect", "Columns that someone may know", ["zip", "sex"]).choose("number_input", "k", 40)
    app.choose("selectbox", "Method", "greedy").tab(TABS, "Search tree")
    found = expected(app, Requirement(("zip", "sex"), 40), method="greedy")
    table = pd.read_csv(io.BytesIO(_trace_csv(found)))
    assert len(table) == len(found.trace)
    assert table["rows"].tolist() == [node.evaluation.n_rows for node in found.trace]
    assert table[[f"level of {name}" for name in found.attributes]].to_numpy().tolist() == [
        list(node.evaluation.state) for node in found.trace
    ]
    assert app.download("Tables as CSV")


def test_tables_go_home_as_numbers(app, monkeypatch):
    made: dict[str, bytes] = {}
    monkeypatch.setattr("ui.page.download", lambda label, make, file_name, key, **how: made.update({file_name: make()}))
    found = expected(app)
    app.tab(TABS, "Original and result")
    columns = pd.read_csv(io.BytesIO(made["generalization-columns.csv"]))
    assert columns["loss"].tolist() == pytest.approx(found.level_frame()["loss"].tolist())
    assert all(pd.api.types.is_numeric_dtype(columns[name]) for name in columns if name != "column")
    app.tab(TABS, "Methods side by side").press("Start")
    methods = pd.read_csv(io.BytesIO(made["generalization-methods.csv"])).set_index("Method")
    assert methods.loc["Part by part", "Cell loss"] == pytest.approx(found.utility.cell_loss)
    assert all(pd.api.types.is_numeric_dtype(methods[name]) for name in methods if name != "Proven")


def test_values_are_counted_without_missing_ones(app):
    """As the Data page counts them; the clinic's file has records without an age."""
    column = dataset_of(app).records["age"]
    assert column.isna().any()
    frame = expected(app, method="optimal").level_frame().set_index("attribute")
    assert frame.loc["age", "values_before"] == column.nunique()


def test_regions_of_the_recipe_are_what_is_generalized(file):
    app = loaded(file, page=GENERALIZE)
    ids = dataset_of(app).records["zip"].cat.categories.tolist()
    regions = AggregatePlaces("zip", (("north", tuple(ids[::2])), ("south", tuple(ids[1::2]))))
    app.session.recipe = Recipe.of([regions])
    app.run()
    data = app.session.recipe.apply(dataset_of(app)).released
    question = asked(data, Requirement(tuple(data.quasi_identifiers), app.session.k))
    check_figures(app, better_solved(question.of(data)))
    app.press("Add to recipe")
    assert app.session.recipe.entries[0].step is regions and released_k(app) >= app.session.k
