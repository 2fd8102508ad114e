"""A case of several tables through the pages: opened at once or one after the other, decided on, taken home."""

from __future__ import annotations

import io
from collections.abc import Callable

import pandas as pd
import pytest
import streamlit as st

from anonlib.columns.roles import Role
from anonlib.filing.project import LoadedFile, LoadedTables
from anonlib.reading.tables import ListColumn
from tests.helpers.app import DATA, HOME, PAGES, RELEASE, VERDICT, App
from tests.helpers.three_tables import files, unzipped
from ui.session.state import Session

ROLES = {
    "age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER, "month": Role.QUASI_IDENTIFIER,
    "ward": Role.QUASI_IDENTIFIER, "medicines": Role.SENSITIVE, "test": Role.QUASI_IDENTIFIER, "result": Role.SENSITIVE,
}  # fmt: skip


def session(*lists: ListColumn) -> Session:
    loaded = LoadedTables.linking(LoadedTables.of([(name, data) for name, data, _ in files()]).tables, lists=lists)
    opened = Session(loaded=loaded)
    opened.roles = {**ROLES, **loaded.roles}
    return opened


def test_several_files_at_once_are_one_case():
    app = App(DATA)
    app.choose("file_uploader", "Load a file", files())
    loaded = app.session.loaded
    assert isinstance(loaded, LoadedTables) and len(loaded.tables) == 3
    assert "3 tables are looked at as one" in app.text and app.metric("Missing cells") == "0%"
    assert dict(app.session.roles) == {"patient_id": Role.PERSON_ID}
    assert app.widget("radio", "A record with a missing").disabled and app.widget("selectbox", "Whose row").disabled
    app.press("Accept suggestions")
    assert app.session.roles["age"] == Role.QUASI_IDENTIFIER


def test_a_file_gets_a_second_table_and_keeps_its_roles():
    patients, visits, _ = files()
    app = App(DATA, patients[1], "patients.csv")
    app.give_roles(age="Quasi-identifier")
    app.choose("file_uploader", "More tables", [visits])
    assert isinstance(app.session.loaded, LoadedTables) and app.session.roles["age"] == Role.QUASI_IDENTIFIER
    app.press("Take out visits")
    assert [table.name for table in app.session.loaded.tables] == ["patients"]


def test_a_workbook_of_several_sheets_can_be_opened_as_tables():
    book = io.BytesIO()
    with pd.ExcelWriter(book, engine="openpyxl") as writer:
        for name, data, _ in files(20):
            pd.read_csv(io.BytesIO(data)).to_excel(writer, sheet_name=name.removesuffix(".csv"), index=False)
    app = App(DATA, book.getvalue(), "case.xlsx")
    assert isinstance(app.session.loaded, LoadedFile)
    app.press("tables-of-sheets")
    assert {table.name for table in app.session.loaded.tables} == {"patients", "visits", "values"}
    assert len(app.session.loaded.linked.keys) == 2


def test_the_sample_offers_its_second_table():
    app = App(HOME).press("open-admissions").open(DATA).press("tables-of-sample")
    loaded = app.session.loaded
    assert [table.name for table in loaded.tables] == ["admissions", "admissions_laboratory"]
    assert set(app.session.roles) == set(loaded.columns) and app.session.population is not None


def test_other_keys_are_chosen_and_what_does_not_fit_is_a_sentence():
    app = App(DATA, session=session())
    [each for each in app.at.selectbox if each.label == "Hangs below"][-1].set_value("")
    assert app.run().session.loaded.linked.key_of("values") is None
    again = [each for each in app.at.selectbox if each.label == "Hangs below"][-1]
    again.set_value("patients")
    assert "names rows of “patients”" in app.run().errors[0] and app.session.loaded.linked.key_of("values") is None


@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_a_case_of_several_tables(page):
    App(page, session=session(ListColumn("visits", "medicines", ";")))


def test_rows_of_one_of_the_tables_are_limited_by_hand():
    app = App(RELEASE, session=session()).choose("segmented_control", "Kind of step", "Limit rows")
    assert app.widget("selectbox", "Rows of").options == ["visits", "values"]
    app.choose("selectbox", "Rows of", "visits").press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert (step.table, step.n) == ("visits", 1) and "drawn at random, in “visits”" in app.text


def test_households_above_persons_are_counted_and_named():
    homes = [f"H{i // 2:02d}" for i in range(60)]
    frames = {
        "households": pd.DataFrame({"household_id": sorted(set(homes)), "region": ["a", "b"] * 15}),
        "persons": pd.DataFrame({"person_id": [f"P{i}" for i in range(60)], "household_id": homes, "age": "30"}),
    }
    opened = [(f"{name}.csv", frame.to_csv(index=False).encode(), "text/csv") for name, frame in frames.items()]
    app = App(DATA)
    app.choose("file_uploader", "Load a file", opened)
    assert "“households” has a row a household" in app.text and "Each is a household" in app.text
    app.give_roles(region="Quasi-identifier", age="Quasi-identifier")
    assert "what counts as a person here is a household" in app.open(VERDICT).text
    app.open(DATA)
    [each for each in app.at.selectbox if each.label == "Person id"][-1].set_value("person_id")
    app.run()
    app.press("Take out households")
    assert app.session.loaded.linked.person_columns == {"persons": "person_id"}
    next(each for each in app.at.selectbox if each.label == "Person id").set_value("household_id")
    app.run()
    linked = app.session.loaded.linked
    assert linked.person_table is None and linked.person_columns == {"persons": "household_id"}
    assert "100% (30 of 30 persons) have several rows" in app.text


def test_lists_are_looked_at_item_by_item_and_as_a_whole_again():
    app = App(DATA, files()[1][1], "visits.csv").give_roles(ward="Quasi-identifier", medicines="Sensitive")
    rows = app.metric("Rows")
    app.choose("multiselect", "Lists in cells", [("visits", "medicines")])
    loaded = app.session.loaded
    assert isinstance(loaded, LoadedTables) and loaded.name == "visits.csv"
    assert app.session.roles["medicines"] == Role.SENSITIVE and app.metric("Rows") == rows
    app.choose("multiselect", "Lists in cells", [])
    assert isinstance(app.session.loaded, LoadedFile) and "row of the file" not in app.session.roles


def test_what_is_taken_home_is_a_zip_with_a_file_a_table(monkeypatch: pytest.MonkeyPatch):
    makers, download = {}, st.download_button

    def noted(label: str, data: Callable[[], bytes], **settings) -> bool:
        makers[label] = settings["file_name"], data
        return download(label, data, **settings)

    monkeypatch.setattr(st, "download_button", noted)
    App(RELEASE, session=session()).leave_anyway()
    name, make = makers["Released CSV"]
    tables = unzipped(make())
    assert name == "patients + visits + values-released.csv.zip"
    assert list(tables) == ["patients", "visits", "values"] and len(tables["patients"]) == 60
    assert {row["visit_id"] for row in tables["values"]} <= {row["visit_id"] for row in tables["visits"]}
