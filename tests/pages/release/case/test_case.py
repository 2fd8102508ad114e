"""The Case page: what is typed is kept in the project, can be undone, and changes nothing that is counted."""

from __future__ import annotations

from datetime import date

import pytest

from anonlib.filing.case import ITEMS, ReleaseCase
from anonlib.filing.project import Project
from tests.helpers.app import CASE, REPORT, VERDICT, App, sampled, within
from ui.files import projects

pytestmark = pytest.mark.usefixtures("without_searches")
KINDS = {"line": "text_input", "text": "text_area", "date": "date_input"}


@pytest.fixture
def app() -> App:
    return sampled("admissions", CASE)


def test_all_that_a_case_may_say_can_be_typed_and_is_kept_in_the_project(app: App) -> None:
    expected = {}
    for item in ITEMS:
        typed = date(2028, 12, 31) if item.kind == "date" else f"typed: {item.name}"
        app.choose(KINDS[item.kind], item.label, typed)
        expected[item.name] = str(typed)
    assert not app.errors and app.session.case.to_dict() == expected
    assert Project.from_json(app.session.project.to_json()).case == ReleaseCase(**expected)
    assert f"{len(ITEMS)} of {len(ITEMS)}" in [metric.value for metric in app.at.metric]
    assert "Not stated:" not in app.text


def test_a_change_of_the_case_is_undone_and_made_again(app: App) -> None:
    app.choose("text_input", "Title", "Length of stay")
    assert app.button("undo").label == "Undo: change the case"
    app.press("undo")
    assert app.session.case == ReleaseCase() and app.widget("text_input", "Title").value == ""
    app.press("redo")
    assert app.session.case.title == "Length of stay" and app.widget("text_input", "Title").value == "Length of stay"


def test_what_an_order_asks_for_is_listed_until_it_is_given(app: App) -> None:
    assert "Ethics board" in app.text and "qualifications" in app.text
    app.choose("text_area", "Qualifications", "Statistician, 20 determinations.")
    assert "qualifications" not in app.text


def test_a_text_with_marks_of_markdown_is_shown_as_it_is(app: App) -> None:
    app.choose("text_input", "Title", "**bold** ![x](http://other.example/x.png)")
    assert not app.errors and "\\*\\*bold" in app.text
    assert "![x](" not in app.text


def test_verdict_shows_one_line_of_it(app: App) -> None:
    assert "Case: who asks" in links(app.open(VERDICT))
    app.session.case = ReleaseCase(
        title="Length of stay", reference="EC 1/26", recipient="University", until="2028-01-31"
    )
    app.run()
    assert "Case: EC 1/26 Length of stay · for University · until 2028-01-31" in links(app)


def test_typing_a_case_gathers_no_evidence_again(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    key = within(app.session, lambda: projects.opened().key)
    assert not app.open(REPORT).errors
    monkeypatch.setattr("pages.release.report.results.gather", lambda *_, **__: pytest.fail("gathered again"))
    app.session.case = ReleaseCase(title="Length of stay")
    assert not app.run().errors and "Length of stay" in links(app)
    assert within(app.session, lambda: projects.opened().key) == key


def links(app: App) -> str:
    return " ".join(link.proto.label for link in app.at.get("page_link"))
