"""How person ids leave, on the Release page: as random numbers unless a label and a key are given."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.register import FolderRegister
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import SamePseudonyms
from tests.helpers.app import DATA, RELEASE, REPORT, VERDICT, App, seeded, within
from ui.files import projects, registers

SECRET = bytes(range(190, 222))
KEY = KeyOfPseudonyms(SECRET)
CASE = ReleaseCase(title="Sepsis", recipient="University of Example")
LABEL = Pseudonyms("University of Example", "Sepsis", KEY.id)
ROLES = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
pytestmark = pytest.mark.usefixtures("without_searches")
TENS = Recipe.of([Recode("age", Intervals(10))])


def month(first: int) -> bytes:
    rows = [f"MRN {i},{30 + i % 3},{'flu' if i % 2 else 'asthma'}" for i in range(first, first + 40)]
    return "\n".join(["patient,age,illness", *rows]).encode()


def app_of(data: bytes = month(0), roles: dict[str, Role] = ROLES) -> App:
    app = seeded(data, page=RELEASE, roles=roles, recipe=TENS)
    app.session.case = CASE
    return app.run()


def with_key(app: App, content: bytes = SECRET) -> App:
    return app.upload(content, "pseudonyms.key", "Key file")


def names(data: bytes) -> set[str]:
    return {row["patient"] for row in csv.DictReader(io.StringIO(data.decode(), newline=""))}


def control(app: App) -> Any:
    """The control that opens, as the browser is given it."""
    blocks = [each.proto for each in app.at.main if hasattr(each.proto, "popover")]
    return next(each.popover for each in blocks if each.popover.label.startswith("Person ids"))


def test_random_numbers_are_usual_and_nothing_is_used_before_label_and_key_are_there(made) -> None:
    app = app_of()
    assert "replaced by numbers in random order" in app.text and app.session.pseudonyms is None
    assert app.widget("text_input", "For recipient").value == CASE.recipient
    assert app.widget("text_input", "For project").value == CASE.title
    assert app.button("Use these pseudonyms").disabled and "key file" in app.button("Use these pseudonyms").help
    assert names(made("Released CSV")) == {str(n) for n in range(1, 41)}
    files = [made("Make a key file") for _ in range(3)]
    assert len({*files}) == 3 and all(KeyOfPseudonyms.of(each).secret == each for each in files), "another each time"
    assert not app.download("Make a key file").proto.disabled
    with_key(app)
    assert KEY.id in app.text and not app.button("Use these pseudonyms").disabled
    app.choose("text_input", "For project", " ")
    assert (
        app.button("Use these pseudonyms").disabled and "Type the recipient" in app.button("Use these pseudonyms").help
    )


def test_two_months_are_taken_home_with_the_same_pseudonyms(made) -> None:
    files = []
    for first in (0, 20):
        app = with_key(app_of(month(first))).press("Use these pseudonyms")
        assert app.session.pseudonyms == LABEL and "replaced by pseudonyms by key" in app.text
        assert app.download("Released CSV").proto.disabled, "until somebody accepts that releases add up"
        app.leave_anyway()
        files.append(names(made("Released CSV")))
    assert [len(each) for each in files] == [40, 40] and len(files[0] & files[1]) == 20
    assert app.button("In use").disabled
    app.choose("number_input", "Version of the pseudonyms", 2).press("Use these pseudonyms")
    assert app.session.pseudonyms.version == 2 and not names(made("Released CSV")) & files[1]


def test_it_is_undone_and_taken_back(made) -> None:
    app = with_key(app_of()).press("Use these pseudonyms")
    app.press("Undo: use pseudonyms by key")
    assert app.session.pseudonyms is None and KEY.id in app.text, "the key is at hand still, as no decision is it"
    app.press("Use these pseudonyms").press("Use random numbers")
    assert app.session.pseudonyms is None and app.has_button("Undo: use random numbers for persons")


def test_the_verdict_asks_that_and_it_is_accepted_there() -> None:
    app = with_key(app_of()).press("Use these pseudonyms").open(VERDICT)
    assert "Cannot be checked · Same pseudonyms" in app.text and "1 cannot be checked" in app.text
    (stays,) = [each for each in app.at.button if each.label == "Remove this criterion" and each.disabled]
    assert "pseudonyms by key" in stays.help
    app.choose("text_input", "Reason to accept it", "They follow patients.").press("Accept with this reason")
    assert app.session.aim.accepted[0].criterion == SamePseudonyms()
    assert "Accepted · Same pseudonyms" in app.text
    assert not app.open(RELEASE).download("Released CSV").proto.disabled


def test_a_project_without_its_key_takes_nothing_home_and_says_which_one_it_needs(made) -> None:
    app = with_key(app_of()).press("Use these pseudonyms")
    project = app.session.project
    other = app_of()
    other.session.project = project
    other.run().leave_anyway()
    assert other.download("Released CSV").proto.disabled and KEY.id in other.download("Released CSV").proto.help
    assert any(KEY.id in each.value and "which is not here" in each.value for each in other.at.warning)
    with_key(other, bytes(range(130, 162)))
    assert any("the key that was given is" in each.value for each in other.at.warning)
    with_key(other)
    assert not other.download("Released CSV").proto.disabled


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"correct horse battery staple 123"])
def test_what_is_no_key_is_a_sentence(content: bytes) -> None:
    app = with_key(app_of(), content)
    assert len(app.errors) == 1 and "key" in app.errors[0] and app.button("Use these pseudonyms").disabled


def test_the_registers_key_serves(tmp_path: Path, made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registers, "why_not_here", lambda: "")
    register = FolderRegister.create(tmp_path)
    app = app_of()
    app.session.parts = {**app.session.parts, registers.Chosen: registers.Chosen(register)}
    app.run().press("Use these pseudonyms").leave_anyway()
    assert app.session.pseudonyms.key_id == register.key_of_pseudonyms.id
    made("Released CSV")
    (entry,) = register.entries()
    assert entry.pseudonyms == app.session.pseudonyms


def test_without_a_person_id_that_leaves_there_is_nothing_to_choose() -> None:
    app = app_of(roles={**ROLES, "patient": Role.IDENTIFIER})
    assert control(app).disabled and "No person id leaves" in control(app).help and "replaced by" not in app.text
    assert not control(app_of()).disabled and control(app_of()).label == "Person ids: random numbers"


def test_the_key_is_in_nothing_that_the_session_saves(made) -> None:
    app = with_key(app_of()).press("Use these pseudonyms").leave_anyway()
    saved = [made(label) for label in ("Save recipe", "Codebook", "Value mapping", "All of these (zip)")]
    saved.append(app.session.project.to_json().encode())
    app.open(REPORT)
    saved += [made(label) for label in ("Report (HTML)", "Evidence (JSON)", "Script (Python)")]
    assert KEY.id.encode() in b"".join(saved)
    assert not [i for i, each in enumerate(saved) if SECRET in each or SECRET.hex().encode() in each]


def test_a_key_stays_at_hand_for_other_files_until_the_data_are_forgotten() -> None:
    app = with_key(app_of())
    assert f"The key {KEY.id} is at hand until you forget the data" in app.text
    app.open(DATA).choose("selectbox", "Or a sample", "admissions").press("Open sample")
    assert within(app.session, projects.given) == KEY
    app.press("undo").press("redo")
    assert within(app.session, projects.given) == KEY
    app.press("Forget this data for good")
    assert within(app.session, projects.given) is None
    assert f"The key {KEY.id} is at hand no more" in app.text
