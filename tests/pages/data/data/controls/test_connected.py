"""Connected data on the Data page: offered, opened where it is, and prepared as a file is."""

from __future__ import annotations

import ibis
import pandas as pd
import pytest

from anonlib.filing.project import LoadedTable
from tests.helpers.app import DATA, RELEASE, RISK, App, visits, within
from ui.files import connected
from ui.session import view


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(connected.FOLDER, str(tmp_path))
    frame = pd.read_csv(pd.io.common.BytesIO(visits(120)), dtype=str, keep_default_na=False)
    frame.to_parquet(tmp_path / "visits.parquet")
    return tmp_path


@pytest.fixture
def app(folder) -> App:
    return opened(App(DATA))


def opened(app: App) -> App:
    app.widget("selectbox", "Or connected data").select_index(0)
    return app.run().press("Open table")


def test_without_a_folder_nothing_is_offered():
    app = App(DATA)
    assert not app.has_button("Open table") and "connected data" not in app.text


def test_an_empty_folder_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv(connected.FOLDER, str(tmp_path))
    box = App(DATA).widget("selectbox", "Or connected data")
    assert box.disabled and "no CSV or Parquet file" in box.placeholder


def test_links_that_are_not_followed_are_named(folder):
    (folder / "round.csv").symlink_to("round.csv")
    app = App(DATA)
    (label,) = app.widget("selectbox", "Or connected data").options
    assert label.startswith("visits.parquet ")
    assert "are not followed: round.csv" in app.text.replace("\\", "") and not app.errors


def test_a_table_is_opened_prepared_and_given_roles(app):
    assert isinstance(app.session.loaded, LoadedTable)
    assert "visits.parquet is loaded" in app.text.replace("\\", "") and "stays where it is" in app.text
    assert "some 200" not in app.text and not app.has_button("Read again")
    app.press("Accept suggestions")
    assert app.session.roles
    app.choose("multiselect", "Marks that mean", [])
    assert app.session.loaded.marks == ("",)
    app.press("undo")
    assert app.session.loaded.marks != ("",)
    assert not app.open(RISK).errors


def test_a_table_that_went_is_stated_and_what_is_loaded_stays(app, folder):
    (folder / "visits.parquet").unlink()
    app.press("Open table")
    assert any("not there any more" in error for error in app.errors)
    assert app.session.loaded.name == "visits.parquet" and app.session.arriving is None


def test_a_table_that_changed_is_pointed_out(app, folder):
    pd.DataFrame({"age": ["1"]}).to_parquet(folder / "visits.parquet")
    app.run()
    assert any("has changed since it was opened" in warning.value for warning in app.at.warning)


def test_many_records_are_stated_to_be_counted(app, monkeypatch):
    shown, spinner = [], connected.st.spinner
    monkeypatch.setattr(connected.st, "spinner", lambda text, **given: (shown.append(text), spinner(text, **given))[1])
    app.run()
    assert not [text for text in shown if "records" in text]
    monkeypatch.setattr(connected, "_MANY", 120)
    app.run()
    assert [text for text in shown if "records" in text] == ["Counting 120 records"]


def test_a_file_that_is_no_table_is_stated(folder):
    (folder / "visits.parquet").write_bytes(b"nothing")
    app = opened(App(DATA))
    assert any("no Parquet" in error for error in app.errors) and app.session.loaded is None


def test_a_release_is_written_into_the_folder_for_releases(app, tmp_path, monkeypatch):
    releases = tmp_path / "releases"
    releases.mkdir()
    app.press("Accept suggestions").open(RELEASE)
    assert "folder for releases" not in app.text
    monkeypatch.setenv(connected.RELEASES, str(releases))
    app.press("Start with these steps")
    app.leave_anyway()
    app.press("Start").run()
    assert "visits-released.csv is in the folder" in app.text.replace("\\", "").replace("*", "")
    (file,) = releases.iterdir()
    assert file.name == "visits-released.csv"
    kept = within(app.session, lambda: view.now().applied.released.n_records)
    assert len(pd.read_csv(file)) == kept > 0


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """A database that the administrator connects, with a schema for releases; and a connection of its own to it."""
    settings = {"backend": "duckdb", "connection": {"database": str(tmp_path / "clinic.duckdb")}, "table": "visits"}
    monkeypatch.setattr(connected, "_defined", lambda: {"Visits of 2024": {**settings, "releases": "keep"}})
    database = ibis.duckdb.connect(tmp_path / "clinic.duckdb")
    frame = pd.read_csv(pd.io.common.BytesIO(visits(120)), dtype=str, keep_default_na=False)
    database.create_table("visits", frame)
    database.raw_sql("create schema keep")
    yield database
    database.disconnect()


def test_a_release_is_written_beside_a_table_of_a_database(registry, tmp_path, monkeypatch):
    monkeypatch.setenv(connected.RELEASES, str(tmp_path))
    app = opened(App(DATA)).press("Accept suggestions").open(RELEASE)
    app.press("Start with these steps")
    assert "Writing the release in DuckDB" not in app.text, "the verdict is against it"
    app.leave_anyway()
    assert "into the folder for releases takes" in app.text and "Writing the release in DuckDB takes" in app.text
    beside = next(button for button in app.at.button if str(button.key).endswith(" there"))
    beside.click()
    app.run().run()
    assert "**visits_of_2024_released** is in keep of DuckDB" in app.text
    assert "digest in the report is that of the released CSV" in app.text and not app.errors
    (name,) = registry.list_tables(database="keep")
    n_records = within(app.session, lambda: view.now().applied.released.n_records)
    assert registry.table(name, database="keep").count().execute() == n_records > 0
    assert "full_name" not in registry.table(name, database="keep").columns


def test_a_schema_that_is_not_there_is_a_sentence(registry):
    app = opened(App(DATA)).press("Accept suggestions").open(RELEASE)
    app.press("Start with these steps").leave_anyway()
    registry.raw_sql("drop schema keep")
    app.press("Start")
    assert any("place for releases is not there" in error for error in app.errors)
    assert app.session.loaded is not None and app.run().has_button("Start")
