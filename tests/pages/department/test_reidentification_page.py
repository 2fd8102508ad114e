"""The Reidentification page: an officer asks, another person decides, and the officer's session shows the id once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from anonlib.filing.department.department import Department
from anonlib.filing.department.person import Person
from anonlib.filing.department.requests import Requests
from anonlib.release.pseudonyms import Pseudonyms
from tests.helpers.app import App, seeded
from tests.helpers.evidence import ROLES, as_bytes, visits
from tests.helpers.requests import ANN, CASE, CAT, EVE
from ui.files import department
from ui.kit import navigation
from ui.kit.page import REIDENTIFICATION

FILE = as_bytes(visits(60))
SignIn = Callable[[Person], None]


@pytest.fixture
def here(requests: Requests, signed_in: SignIn) -> Department:
    opened = department.department()
    assert opened is not None
    opened.keys.make()
    signed_in(ANN)
    return opened


@pytest.fixture
def pseudonym(here: Department) -> str:
    """Of a person of the file, as the recipient has it."""
    key = here.keys.key("pseudonyms", 1)
    label = Pseudonyms(CASE.recipient, CASE.title, key.id)
    return key.under(label).of(["person 7"], "name")[0]


def officer() -> App:
    return seeded(FILE, page=REIDENTIFICATION, roles=ROLES | {"name": "person_id"}, case=CASE)


def test_two_persons_find_out_and_the_id_is_shown_once(here: Department, signed_in: SignIn, pseudonym: str) -> None:
    app = officer()
    assert app.button("Ask who it is").disabled
    app.choose("text_input", "Pseudonym", pseudonym)
    app.choose("text_area", "Reason", "A reaction that the patient must know of.")
    app.press("Ask who it is")
    assert "No. 1 is asked" in app.text and not app.has_button("show-1")

    signed_in(CAT)
    reviewer = App(REIDENTIFICATION)
    assert "A reaction that the patient must know of." in reviewer.text and pseudonym not in reviewer.text
    reviewer.press("approve-1")
    assert "No. 1 is approved" in reviewer.text and "person 7" not in reviewer.text

    signed_in(ANN)
    app.run()
    app.press("show-1")
    assert "No. 1 is “person 7”. This is shown once." in app.text
    app.run()
    assert "person 7" not in app.text and not app.has_button("show-1")
    assert [line.act for line in here.lines("", None, 3)] == [
        "re-identified", "re-identification approved", "re-identification asked",
    ]  # fmt: skip


def test_nobody_decides_on_their_own(here: Department, signed_in: SignIn, pseudonym: str) -> None:
    from tests.helpers.requests import BEN

    label = Pseudonyms(CASE.recipient, CASE.title, here.keys.key("pseudonyms", 1).id)
    here.reidentifications.ask(BEN, pseudonym, label, "Why not.")
    signed_in(BEN)
    app = officer()
    assert "Nobody else asks who somebody is." in app.text and not app.has_button("approve-1")


def test_it_is_for_officers_and_reviewers(here: Department, signed_in: SignIn) -> None:
    for person, sees in ((ANN, True), (CAT, True), (EVE, False)):
        signed_in(person)
        assert navigation._is_for_this_run("department/reidentification") is sees
