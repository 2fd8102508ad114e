"""The verdict while it is counted: how far that is, the way to stop it, and that nothing leaves without it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from tests.helpers.app import DATA, RELEASE, VERDICT, App, computing_again, sampled, seeded, visits
from ui.session import long_work

NOT_CHECKED = "The criteria are not checked"


@pytest.fixture
def app(monkeypatch) -> Iterator[App]:
    """A session whose run was ended by a click while its verdict was counted."""

    def click(share: float) -> None:
        if share > 0.3:
            raise StopException

    monkeypatch.setattr(long_work, "_SHOWN", 0.0)
    monkeypatch.setattr(long_work, "_EVERY", 0.0)
    with computing_again():
        with monkeypatch.context() as during:
            during.setattr(long_work, "let_go", click)
            app = seeded(visits(), page=DATA)
        yield app


def test_it_says_how_far_it_is_and_a_click_begins_it_again(app):
    assert app.has_button("Stop checking")
    assert "Every column is decided" in app.text and app.has_button("Clear roles"), "roles are shown before"
    assert not app.run().has_button("Stop checking") and "Not yet" in links(app)


@pytest.mark.usefixtures("without_searches")
def test_stopped_it_waits_and_no_file_leaves(app):
    app.press("Stop checking")
    assert NOT_CHECKED in app.text and "Not yet" not in links(app)
    assert NOT_CHECKED in app.open(VERDICT).text and not app.at.error
    app.open(RELEASE)
    assert app.download("Codebook").disabled, "nothing can be taken home"
    app.press("Check the criteria").open(VERDICT)
    assert NOT_CHECKED not in app.text and "Not yet" in app.text


def test_a_run_counts_a_verdict_once(monkeypatch):
    from ui.session import view

    counted: list[str] = []
    judge = view.verdict_of

    def count(*given):
        counted.append("verdict")
        return judge(*given)

    monkeypatch.setattr(view, "verdict_of", count)
    with computing_again():
        app = sampled("admissions", DATA)
        assert counted == ["verdict"]
        app.run().open(RELEASE).open(DATA)
    assert counted == ["verdict"], "what changes nothing counts nothing"


def links(app: App) -> str:
    return "\n".join(element.proto.label for element in app.at.get("page_link"))
