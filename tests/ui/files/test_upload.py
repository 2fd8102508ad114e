"""A large file is read where it can be watched and stopped, and what was loaded stays until it is in."""

from __future__ import annotations

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from anonlib.reading.sources import open_source
from tests.helpers.app import HOME, SMALL, App, loaded, visits
from ui.files import data_file, upload
from ui.session import away

RAGGED = SMALL + b"1,2\n"


@pytest.fixture
def large(monkeypatch):
    """From here on every file is a large one; those of the sessions that tests begin with are not."""
    return lambda: monkeypatch.setattr(data_file, "LARGE", 1)


@pytest.fixture
def app(large):
    """A session with a file of four columns and its roles, where what is opened next is large."""
    app = loaded(SMALL, "small.csv")
    large()
    return app


@pytest.fixture
def half(monkeypatch):
    """The reading is seen when half is done: the run ends there, as it does where a click asks for another."""

    def read(data, name, options, progress):
        def seen(share: float) -> None:
            if share >= 0.5:
                progress(0.5)
                raise StopException

        return open_source(data, name, options, progress=seen)

    monkeypatch.setattr(upload, "_EVERY", 0)
    monkeypatch.setattr(upload, "open_source", read)


def message(app: App) -> str:
    return app.text.replace("\\", "")


def test_a_large_file_is_loaded_as_a_small_one_is(app):
    app.upload(visits(40), "visits.csv")
    assert app.session.arriving is None and app.session.loaded.source.name == "visits.csv"
    assert "visits.csv is loaded" in message(app) and not app.has_button("Stop reading")


def test_reading_shows_how_far_it_is_and_what_is_still_loaded(app, half):
    app.upload(visits(40), "visits.csv")
    assert app.has_button("Stop reading") and "small.csv stays loaded until this file is read" in message(app)
    assert [bar.proto.text.endswith("kB): 50%") for bar in app.at.get("progress")] == [True]
    assert app.session.loaded.source.name == "small.csv"


def test_reading_that_is_stopped_leaves_what_was_loaded(app, half):
    roles = dict(app.session.roles)
    app.upload(visits(40), "visits.csv").press("Stop reading")
    assert app.session.arriving is None and app.session.loaded.source.name == "small.csv"
    assert dict(app.session.roles) == roles
    assert "visits.csv was not read: you stopped it" in message(app) and not app.has_button("Stop reading")


def test_another_page_goes_on_with_the_reading(app, half, monkeypatch):
    app.upload(visits(40), "visits.csv").open(HOME)
    assert app.has_button("Stop reading") and app.session.loaded.source.name == "small.csv"
    monkeypatch.setattr(upload, "open_source", open_source)
    assert app.run().session.loaded.source.name == "visits.csv"


def test_a_large_file_that_cannot_be_read_is_refused_in_its_sentence(app):
    app.upload(RAGGED, "ragged.csv")
    assert "has fewer cells than the 4 columns" in app.session.refused.message
    assert app.session.loaded.source.name == "small.csv"
    app.at.checkbox[0].set_value(True)  # of the form of the refused file
    app.press("Read again")
    assert app.session.loaded.source.name == "ragged.csv" and app.session.refused is None


def test_a_large_file_is_read_again_in_another_way_and_that_is_undone(app, half, monkeypatch):
    app.set("selectbox", "Delimiter", ";").press("Read again")
    assert app.session.arriving.again
    app.press("Stop reading")
    assert len(app.session.loaded.source.frame.columns) == 4
    monkeypatch.setattr(upload, "open_source", open_source)
    app.set("selectbox", "Delimiter", ";").press("Read again")
    assert len(app.session.loaded.source.frame.columns) == 1 and "read again" in message(app)
    app.press("undo")
    assert len(app.session.loaded.source.frame.columns) == 4 and app.session.arriving is None


def test_a_fault_of_ours_is_not_run_into_again(app, monkeypatch):
    def fails(*_, **__):
        raise RuntimeError("a cell")

    monkeypatch.setattr(away, "begin_job", lambda *_: None)  # in tests a job says it all
    monkeypatch.setattr(upload, "open_source", fails)
    app.widget("file_uploader", "Load a file").set_value(("visits.csv", visits(40), "text/csv"))
    app.at.run()
    assert any("Something went wrong" in error for error in app.errors) and "a cell" not in message(app)
    assert app.session.arriving is None and app.session.loaded.source.name == "small.csv"
