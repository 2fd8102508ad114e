"""The Generalize page’s tabs: original and result, methods side by side, search tree, and their downloads."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from anonlib.basics import words
from anonlib.counting.privacy_models import KAnonymity
from anonlib.plots import generalization as plots
from pages.protect.generalize import results
from pages.protect.generalize.question import METHODS
from pages.protect.generalize.tabs.searches import _trace_csv
from tests.helpers.app import GENERALIZE, dataset_of, seeded, visits
from tests.helpers.generalize import QUASI, TABS, alt_texts, expected


def test_the_original_beside_the_result(app):
    app.set("selectbox", "Method", "optimal").tab(TABS, "Original and result")
    found = expected(app, method="optimal")
    original = results.unchanged(found.problem)
    shown = app.table("Version").set_index("Version")
    for name, version in (("Original", original), (METHODS[found.method], found)):
        assert shown.loc[name, "k"] == version.k[0]
        assert shown.loc[name, "Classes"] == version.utility.classes
        assert shown.loc[name, "Distinct rows"] == version.utility.rows
        assert shown.loc[name, "Discernibility"] == version.utility.discernibility
        assert shown.loc[name, "Classes that violate"] == version.violations.groups
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
        assert shown.loc[name, "Distinct rows"] == found.utility.rows and shown.loc[name, "k"] == found.k[0]
        assert shown.loc[name, "Cell loss"] == words.percent(found.utility.cell_loss)
        assert shown.loc[name, "Tables made"] == found.tables
        assert shown.loc[name, "Proven"] == ("yes" if found.proven else "no")
    assert not app.has_button("Start")
    check_differences(app)
    app.choose("slider", "May be left out", 0.0)
    assert app.has_button("Start"), "another question is another comparison"


def check_differences(app) -> None:
    """Each method by its name in the paper, and what it keeps beside what IAB keeps."""
    iab, shown = expected(app, method="iab"), app.table("Tables made").set_index("Method")
    for method, name in METHODS.items():
        found = expected(app, method=method)
        paper = {"exhaustive": "Method 1", "greedy": "Method 2", "iab": "“Ours”"}.get(method, "")
        assert shown.loc[name, "In the paper"] == paper
        levels = ", ".join(f"{column} {level}" for column, level in (found.levels or {}).items() if level)
        assert shown.loc[name, "Levels"] == ("by part" if found.levels is None else levels)
        line = next(
            one for one in app.text.splitlines() if one.startswith(f"- **{name}** ({paper or 'not'} in the paper)")
        )
        if method == "iab":
            assert f"after {found.tables:,} of {found.problem.n_nodes - 1:,} tables" in line
        elif found.score == iab.score:
            assert "It keeps as much as IAB" in line
        else:
            lost = [words.percent(one.utility.cell_loss) for one in (found, iab)]
            assert f"than IAB: {lost[0]} lost against {lost[1]}" in line
            assert ("keeps more" in line) == (found.utility.cell_loss < iab.utility.cell_loss)


def test_the_search_tree_is_of_the_method_or_of_iab(app):
    app.set("multiselect", "Columns that someone may know", ["zip", "sex"]).set("number_input", "k", 40)
    app.tab(TABS, "Search tree")
    trace = expected(app, KAnonymity(columns=("zip", "sex"), least=40), method="iab").trace
    assert len(trace) > 1
    assert f"Search tree of IAB: {words.count(len(trace), 'tables')}" in alt_texts(app)
    app.choose("selectbox", "Method", "exhaustive")
    trace = expected(app, KAnonymity(columns=("zip", "sex"), least=40), method="exhaustive").trace
    assert f"Search tree of Exhaustive: {words.count(len(trace), 'tables')}" in alt_texts(app)
    app.choose("multiselect", "Columns that someone may know", list(dataset_of(app).quasi_identifiers))
    assert "too many for one picture" in app.text and "Search tree of Exhaustive" in alt_texts(app)


def test_the_search_tree_says_whose_it_is_and_no_more_than_is_drawn(monkeypatch):
    app = seeded(visits(), page=GENERALIZE, roles={"zip": QUASI, "sex": QUASI})
    app.set("number_input", "k", 40).set("selectbox", "Method", "optimal")
    app.set("slider", "May be left out", 5.0).tab(TABS, "Search tree")
    assert "**Same coarseness for everyone** goes straight to its answer. This is the search of **IAB**" in app.text
    assert "blue dots satisfy within what may be left out. Hollow: pruned" in app.text
    assert "is its turn to be generalized further" in app.text
    app.set("selectbox", "Method", "iab").choose("slider", "May be left out", 0.0)
    assert "goes straight to its answer" not in app.text and "blue dots satisfy. Hollow" in app.text
    monkeypatch.setattr(plots, "_WIDTH", 30)
    assert "there is no room for the order" in app.run().text


def test_the_tables_of_a_search_go_home(app):
    app.set("multiselect", "Columns that someone may know", ["zip", "sex"]).set("number_input", "k", 40)
    app.set("selectbox", "Method", "greedy").tab(TABS, "Search tree")
    found = expected(app, KAnonymity(columns=("zip", "sex"), least=40), method="greedy")
    table = pd.read_csv(io.BytesIO(_trace_csv(found)))
    assert len(table) == len(found.trace)
    assert table["rows"].tolist() == [node.evaluation.n_rows for node in found.trace]
    assert table[[f"level of {name}" for name in found.attributes]].to_numpy().tolist() == [
        list(node.evaluation.node) for node in found.trace
    ]
    assert table["gone on from as number"].notna().tolist() == table["why not"].isna().tolist()
    assert app.download("Tables as CSV")


def test_tables_go_home_as_numbers(app, monkeypatch):
    made: dict[str, bytes] = {}
    monkeypatch.setattr(
        "ui.kit.page.download", lambda label, make, file_name, key, **how: made.update({file_name: make()})
    )
    found = expected(app)
    app.tab(TABS, "Original and result")
    columns = pd.read_csv(io.BytesIO(made["generalization-columns.csv"]))
    assert columns["loss"].tolist() == pytest.approx(found.level_frame()["loss"].tolist())
    assert all(pd.api.types.is_numeric_dtype(columns[name]) for name in columns if name != "column")
    app.tab(TABS, "Methods side by side").press("Start")
    methods = pd.read_csv(io.BytesIO(made["generalization-methods.csv"])).set_index("Method")
    assert methods.loc["Mixed coarseness", "Cell loss"] == pytest.approx(found.utility.cell_loss)
    words_in = ("Proven", "In the paper", "Levels")
    assert all(pd.api.types.is_numeric_dtype(methods[name]) for name in methods if name not in words_in)
