"""The Report page: what is filed agrees with the verdict, and is what the library makes of the same project."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import evidence_of, gather, released_file
from anonlib.filing.evidence.report import ADDITIONS, ORDERS, additions
from anonlib.filing.project import Project, open_project
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, attack
from tests.helpers.app import ATTACK, REPORT, seeded, visits, within
from ui.files import projects

RECIPE = Recipe.of([Recode("age", Intervals(20)), Recode("zip", Mask(2)), LeaveOut(2)])
DOWNLOADS = ("Report (PDF)", "Report (HTML)", "Evidence (JSON)", "Script (Python)")
Made = Callable[[str], bytes]


def test_what_is_filed_is_what_the_library_makes_of_the_same_project(made: Made) -> None:
    app = seeded(visits(120), recipe=RECIPE, page=REPORT)
    app.session.case = ReleaseCase(title="Stays", reference="EC 1/26", author="A. Officer")
    assert not app.run().errors
    evidence = evidence_of(made("Evidence (JSON)"))
    project = Project.from_json(app.session.project.to_json())
    opened = open_project(project, app.session.loaded)
    again = gather(opened)
    assert again.released == evidence.released and again.criteria == evidence.criteria
    assert again.before == evidence.before and again.after == evidence.after and again.who == evidence.who
    assert evidence.verdict in app.text.replace("\\", "")
    assert evidence.released is not None and len(released_file(opened)) == evidence.released.bytes
    saved = within(app.session, lambda: projects.text(projects.current()))
    assert evidence.project == sha256(saved).hexdigest(), "the project that “Save project” saves"
    for label, start in zip(DOWNLOADS, (b"%PDF", b"<!", b"{", b'"""'), strict=True):
        assert made(label).startswith(start), label


@pytest.mark.parametrize("seconds", [1.0, -1.0], ids=["a moment", "longer"])
def test_attacks_that_were_tried_on_their_page_are_not_tried_again(
    made: Made, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Neither those of a moment nor those that show how far they are; those of other settings are."""
    monkeypatch.setattr("pages.measure.attack.results.AT_ONCE", seconds)
    tried: list[AttackSettings] = []

    def noted(applied: Applied, recipe: Recipe, attacker: AttackSettings, **settings: Any) -> Attacks:
        tried.append(attacker)
        return attack(applied, recipe, attacker, **settings)

    monkeypatch.setattr("anonlib.filing.evidence.measures.attack", noted)
    app = seeded(visits(120), recipe=RECIPE, page=ATTACK)
    app.open(REPORT)
    assert not app.errors and not tried
    found = evidence_of(made("Evidence (JSON)")).attacks
    alone = gather(open_project(app.session.project, app.session.loaded), parts=("attacks",)).attacks
    assert len(tried) == 1 and found == alone, "the same as without the page"
    app.session.recipe = Recipe.of([LeaveOut(3)])
    assert not app.run().errors and len(tried) == 2, "another release is attacked anew"


@pytest.mark.parametrize("order", ORDERS.values())
def test_every_order_is_shown(order: str, made: Made) -> None:
    app = seeded(visits(60), recipe=RECIPE, page=REPORT)
    app.choose("selectbox", "Form of the report", order)
    assert not app.errors and made("Report (HTML)").startswith(b"<!")


def test_a_report_for_anybody_says_what_was_left_out_and_of_the_original_only_what_is_added(made: Made) -> None:
    app = seeded(visits(120), recipe=RECIPE, page=REPORT)
    app.set("button_group", "Who reads it", "Anybody").choose("toggle", "What combinations give away", False)
    assert not app.errors
    html = made("Report (HTML)").decode()
    assert "left out of this assessment by choice" in html.lower()
    evidence = evidence_of(made("Evidence (JSON)"))
    assert evidence.left_out == ("leakage",)
    (sentence,) = additions(evidence)["rows"]
    assert sentence in app.text and sentence not in html, "it is read before it is added"
    app.choose("toggle", ADDITIONS["rows"], True)
    assert sentence in made("Report (HTML)").decode()
    app.set("button_group", "Who reads it", "Those who review it").run()
    assert ADDITIONS["rows"] not in {toggle.label for toggle in app.at.toggle}


def test_values_of_the_original_are_listed_where_that_is_switched_on_and_the_page_warns(made: Made) -> None:
    app = seeded(visits(120), recipe=RECIPE, page=REPORT)
    switch, warning = "List values of the original and what they became", "as confidential as the data"
    assert "Annex: Value tables" not in made("Report (HTML)").decode() and warning not in app.text
    assert not evidence_of(made("Evidence (JSON)")).recoding
    app.choose("toggle", switch, True)
    assert not app.errors and warning in app.text
    assert "Annex: Value tables" in made("Report (HTML)").decode() and evidence_of(made("Evidence (JSON)")).recoding
    app.set("button_group", "Who reads it", "Anybody").run()
    assert not app.errors and warning not in app.text, "nor does a report for anybody, or its evidence, hold any"
    assert not evidence_of(made("Evidence (JSON)")).recoding


def test_a_script_that_cannot_be_made_says_why_and_the_rest_can_be_filed(made: Made) -> None:
    naming = Recode("diagnosis", ValueMap.of({"J45 Asthma": "lung"}, "other"))
    app = seeded(visits(60), recipe=Recipe.of([naming]), page=REPORT)
    script = app.download("Script (Python)").proto
    assert script.disabled and "values of “diagnosis”" in script.help
    assert made("Report (PDF)").startswith(b"%PDF")
    app.tab("report-tabs", "Script")
    assert not app.errors and "values of" in app.text


def test_an_empty_release_and_one_without_known_columns_can_be_filed(made: Made) -> None:
    app = seeded(visits(60), recipe=Recipe.of([LeaveOut(1000)]), page=REPORT)
    assert not app.errors and "No file can be made" in app.text
    assert app.download("Script (Python)").proto.disabled
    assert made("Report (PDF)").startswith(b"%PDF")
    app = seeded(visits(60), roles={"diagnosis": "sensitive"}, page=REPORT)
    assert not app.errors and made("Report (HTML)").startswith(b"<!")


def test_a_file_that_came_back_is_compared_with_what_the_recipe_makes(made: Made) -> None:
    app = seeded(visits(120), recipe=RECIPE, page=REPORT)
    opened = open_project(Project.from_json(app.session.project.to_json()), app.session.loaded)
    file = released_file(opened)
    app.tab("report-tabs", "A file that came back").upload(file, "back.csv", "A released file")
    assert (
        not app.errors and "very file that was released" in app.text and app.session.loaded.source.name == "visits.csv"
    )
    app.upload(file.replace(b"Male", b"Female", 1), "changed.csv", "A released file")
    assert not app.errors and "not what was released" in app.text
    app.upload(b"\x00\x01", "broken.csv", "A released file")
    assert any("no records" in error for error in app.errors), "a sentence, and what was found before stays"
    assert "not what was released" in app.text
    app.session.recipe = Recipe.of([LeaveOut(1000)])
    assert "nothing to compare with" in app.run().text and "not what was released" not in app.text


def test_what_would_take_long_waits_for_a_button(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.release.report.results.AT_ONCE", 0.0)
    monkeypatch.setattr("pages.release.report.results.BY_ITSELF", 0.0)
    app = seeded(visits(60), recipe=RECIPE, page=REPORT)
    assert not app.errors and app.has_button("Start")
    app.press("Start")
    assert not app.errors and made("Report (PDF)").startswith(b"%PDF")
