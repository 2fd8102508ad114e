"""The Generalize page’s controls: its figures are the library’s for what is asked, and what is asked stays."""

from __future__ import annotations

from collections import Counter
from itertools import cycle, product

from anonlib.basics import words
from anonlib.counting.privacy_models import KAnonymity, LDiversity, PrivacyModel, TCloseness
from pages.protect.generalize.controls import Guarantees
from pages.protect.generalize.question import METHODS, OBJECTIVES, OF_CELLS
from tests.helpers.app import DATA, EXPLAINED, GENERALIZE, RISK, TRY, App, dataset_of, loaded, seeded, visits
from tests.helpers.generalize import (
    MENDING,
    QUASI,
    SENSITIVE,
    TABS,
    asked,
    check_figures,
    every_tab,
    expected,
    released_k,
)
from ui.text import plain


def test_the_sample_shows_a_result_at_once():
    app = App(GENERALIZE).press(TRY)
    found = expected(app)
    check_figures(app, found)
    keeps_more = "**Mixed coarseness keeps more detail of cells than same coarseness for everyone**"
    assert found.method == "parts" and keeps_more in app.text
    assert "persons" in next(m.label for m in app.at.metric if m.label.endswith("left out")).lower()
    every_tab(app)
    assert not app.tab(TABS, EXPLAINED).errors
    check_figures(app.press("See same coarseness for everyone"), expected(app, method="optimal"))
    assert "**Proven: no other combination of levels keeps more detail of cells.**" in app.text


def test_without_quasi_identifiers_there_is_a_way_to_them(file):
    app = App(GENERALIZE, file)
    assert "No quasi-identifiers are chosen" in app.text and not app.at.metric
    app.press("Accept suggested roles")
    check_figures(app, expected(app))


def test_every_method_objective_and_limit_is_the_librarys(app):
    assert app.widget("selectbox", "Method").value == "better", "to begin with"
    chosen = list(zip(METHODS, cycle(reversed(OBJECTIVES)), cycle([0.0, 20.0, 2.5])))  # fmt: skip
    for method, objective, limit in chosen:
        if app.widget("selectbox", "Keep most").disabled:
            app.choose("selectbox", "Method", "better")
        app.set("slider", "May be left out", limit).set("selectbox", "Keep most", objective)
        app.choose("selectbox", "Method", method)
        if app.has_button("Start"):  # what takes longer waits to be asked for
            app.press("Start")
        found = expected(app, method=method, objective=objective, limit=limit / 100)
        check_figures(app, found)
        assert app.widget("selectbox", "Keep most").disabled == (method in OF_CELLS)
        assert METHODS[method] in app.text
    app.open(RISK).open(GENERALIZE)
    method, objective, limit = chosen[-1]
    assert app.widget("selectbox", "Method").value == method
    check_figures(app, expected(app, method=method, objective=objective, limit=limit / 100))


def test_what_is_set_stays_while_another_page_is_open(app):
    kept = [
        ("number_input", "k", 7), ("multiselect", "Columns that someone may know", ["zip", "sex"]),
        ("slider", "zip", 3), ("segmented_control", "Diversity", "distinct"), ("number_input", "l", 3),
        ("segmented_control", "Closeness", "ordered"), ("slider", "t", 0.5),
        ("multiselect", "Other columns that make a row", ["notes"]),
    ]  # fmt: skip
    for kind, label, value in kept:
        if label in ("l", "t"):  # which show once their kind is chosen
            app.run()
        app.set(kind, label, value)
    app.run().open(RISK).open(GENERALIZE)
    for kind, label, value in kept:
        assert app.widget(kind, label).value == value, label


def test_k_begins_with_that_of_the_risk_page_and_columns_are_chosen(app):
    app.open(RISK).choose("slider", "k", 12).open(GENERALIZE)
    check_figures(app, expected(app))
    assert app.widget("number_input", "k").value == 12
    app.choose("number_input", "k", 3)
    check_figures(app, expected(app, KAnonymity(columns=tuple(dataset_of(app).quasi_identifiers), least=3)))
    app.choose("multiselect", "Columns that someone may know", ["zip", "sex"])
    check_figures(app, expected(app, KAnonymity(columns=("zip", "sex"), least=3)))


def test_guarantees_are_added_emptied_and_removed(app):
    app.press("Add a criterion")
    check_figures(app, expected(app))
    assert app.widget("multiselect", "2: columns").value == [], "one without columns does not count"
    app.choose("multiselect", "1: columns", ["age", "sex"])
    app.set("multiselect", "2: columns", ["zip", "visit_date"]).choose("number_input", "2: k", 9)
    two = [KAnonymity(columns=("age", "sex"), least=5), KAnonymity(columns=("zip", "visit_date"), least=9)]
    check_figures(app, expected(app, two))
    assert " / " in app.metric("k of each criterion")
    app.press("Add to recipe").tab(TABS, "Original and result")
    released = app.session.recipe.apply(dataset_of(app)).released
    for guarantee, k in zip(two, expected(app, two).k, strict=True):
        assert released.classes(list(guarantee.columns)).counts.min() == k >= guarantee.least
    app.choose("multiselect", "1: columns", [])
    check_figures(app, expected(app, two[1]))
    app.choose("multiselect", "2: columns", [])
    assert app.errors == ["No criterion names a column. Choose at least one column that someone may know."]
    assert not app.at.metric
    app.choose("multiselect", "1: columns", ["age"]).press("Remove")
    check_figures(app, expected(app, KAnonymity(columns=("age",), least=5)))
    app.press("Add a criterion")
    assert app.widget("number_input", "2: k").value == 5, "a new one begins anew"
    app.press("Remove").choose("multiselect", "Columns that someone may know", [])
    assert len(app.errors) == 1 and "No criterion names a column" in app.errors[0]


def test_a_new_file_has_nothing_of_the_last():
    app = loaded(visits(80), "other.csv", GENERALIZE).press("Add a criterion").set("selectbox", "Method", "parts")
    app.choose("slider", "May be left out", 12.0)
    app.open(DATA).upload(visits(), "visits.csv").press("Accept suggestions").open(GENERALIZE)
    check_figures(app, expected(app))
    assert Guarantees not in app.session.parts


def test_rules_of_a_sensitive_column(app):
    app.choose("multiselect", "Columns that someone may know", ["age", "sex"])
    data, guarantee = dataset_of(app), KAnonymity(columns=("age", "sex"), least=5)
    assert data.sensitive[0] == "diagnosis"
    for kind, distance in (("distinct", "off"), ("entropy", "equal"), ("off", "ordered")):
        asked_of_values: list[PrivacyModel] = []
        app.set("segmented_control", "Diversity", kind).choose("segmented_control", "Closeness", distance)
        if kind != "off":
            app.set("number_input", "l", 3)
            asked_of_values.append(LDiversity(columns=("age", "sex"), sensitive="diagnosis", l=3, by=kind))
        if distance != "off":
            app.set("slider", "t", 0.25)
            asked_of_values.append(TCloseness(columns=("age", "sex"), sensitive="diagnosis", t=0.25, distance=distance))
        app.run()
        check_figures(app, expected(app, [guarantee, *asked_of_values]))
        app.press("Add to recipe")
        released = app.session.recipe.apply(data).released
        problem = asked(released, [guarantee, *asked_of_values]).on(released)
        if distance == "off":  # closeness is to the original
            assert not problem.violating_groups(problem.bottom)[1]
    every_tab(app)


def test_a_sensitive_column_inside_a_guarantee_takes_no_rules(app):
    quasi = dataset_of(app).quasi_identifiers
    app.choose("multiselect", "Columns that someone may know", [*quasi, *dataset_of(app).sensitive])
    assert app.widget("selectbox", "Sensitive column").disabled and not app.errors
    assert app.widget("segmented_control", "Diversity").disabled


def test_rows_are_counted_of_other_columns_too(app):
    app.set("multiselect", "Other columns that make a row", ["notes"]).tab(TABS, "Original and result")
    found = expected(app, others=["notes"])
    check_figures(app, found)
    assert app.table("Version")["Distinct rows"].tolist()[1] == found.utility.rows


def test_proven_holds_of_rows_over_all_that_leaves_or_names_the_columns():
    """A column of neither role makes rows too. What is kept of them is counted here row by row."""
    rows = [
        ("here", "M", "flu", "a"), ("here", "M", "flu", "b"), ("there", "M", "flu", "c"), ("here", "F", "flu", "a"),
        ("there", "F", "cold", "a"), ("there", "F", "cold", "b"), ("there", "F", "cold", "a"),
    ]  # fmt: skip
    csv = "town,sex,diagnosis,note\n" + "\n".join(map(",".join, rows))
    roles = {"town": QUASI, "sex": QUASI, "diagnosis": SENSITIVE, "note": "other"}
    app = seeded(csv.encode(), page=GENERALIZE, roles=roles, k=2)
    app.set("slider", "May be left out", 0.0).set("selectbox", "Keep most", "rows").choose("selectbox", "Method", "iab")
    assert app.widget("multiselect", "Other columns that make a row").value == ["diagnosis", "note"]
    proven = "**Proven: no other combination of levels keeps more distinct rows.** Rows are counted over"
    assert f"{proven} all 4 columns that leave." in app.text
    app.tab(TABS, "Original and result")
    assert app.table("Version")["Distinct rows"].tolist()[1] == most_rows(rows, [0, 1, 2, 3])
    app.choose("multiselect", "Other columns that make a row", ["diagnosis"])
    assert app.table("Version")["Distinct rows"].tolist()[1] == most_rows(rows, [0, 1, 2])
    aside = "and not over **note**, which leaves too: with it another combination may keep more."
    assert f"{proven} **town**, **sex** and **diagnosis**, {aside}" in app.text


def most_rows(rows: list[tuple[str, ...]], counted: list[int]) -> int:
    """The most distinct rows with two of everybody by the first two columns, each as it is or all alike."""
    most = 0
    for town, sex in product([False, True], repeat=2):
        coarse = [("*" if town else row[0], "*" if sex else row[1], *row[2:]) for row in rows]
        if min(Counter(row[:2] for row in coarse).values()) >= 2:
            most = max(most, len({tuple(row[i] for i in counted) for row in coarse}))
    return most


def test_columns_that_matter_are_weighed(app):
    guarantee = KAnonymity(columns=tuple(dataset_of(app).quasi_identifiers), least=5)
    names = [name for name, _ in asked(dataset_of(app), guarantee).hierarchies]
    assert all(app.widget("slider", plain(name)).value == 1 for name in names)
    app.set("slider", "zip", 3).set("slider", "age", 0)
    weights = {"zip": 3, "age": 0}
    for method in ("better", "optimal", "parts"):
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
        app.set("slider", plain(name), 2)
    app.run()
    assert not [m for m in app.at.metric if "weighted" in m.label] and "Weights:" not in app.text, "all matter alike"
    check_figures(app, expected(app, method="parts"))


def test_what_counts_whole_records_takes_no_weights(app):
    app.set("slider", "zip", 3).choose("selectbox", "Keep most", "rows")
    slider = app.widget("slider", "zip")
    assert slider.disabled and "no column counts more than another" in app.text
    check_figures(app, expected(app, objective="rows"))
    assert "distinct rows than" in app.text or "as much distinct rows" in app.text


def test_where_no_column_matters_the_way_out_is_stated(app):
    for name in dataset_of(app).quasi_identifiers:
        app.set("slider", plain(name), 0)
    assert len(app.run().errors) == 1 and "has the weight 0" in app.errors[0] and not app.at.metric
    app.choose("slider", "zip", 2)
    assert not app.errors and app.metric("Cell loss, weighted")


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
    assert len(app.errors) == 1 and "fewer than k = 1,000" in app.errors[0]
    assert not app.at.metric and not app.has_button("Add to recipe")
    for tab in ("Hierarchies", "Fake records"):
        app.tab(MENDING, tab)
        assert len(app.errors) == 1
    app.tab(MENDING, "Hierarchies").choose("selectbox", "Column", "zip")
    assert app.widget("segmented_control", "Levels made by").value is not None
    app.choose("number_input", "k", 5)
    check_figures(app, expected(app))
