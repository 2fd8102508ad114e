"""What a department's store is on the pages of an officer: a register that is open, keys by name, audit lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from anonlib.filing.department.department import Department
from anonlib.filing.department.person import Person
from anonlib.filing.department.requests import Requests
from anonlib.filing.register import facts_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim
from tests.helpers.app import REGISTER, RELEASE, REPORT, App, seeded
from tests.helpers.downloads import Offered
from tests.helpers.evidence import ROLES, as_bytes, visits
from tests.helpers.requests import ANN, BEN, CASE, LITTLE, REASON, opened_case
from ui.files import department, projects

FILE = as_bytes(visits(60))
pytestmark = pytest.mark.usefixtures("without_searches")


@pytest.fixture
def here(requests: Requests, signed_in: Callable[[Person], None]) -> Department:
    """A department in which a release to the same recipient is entered, looked at by another officer."""
    opened = department.department()
    assert opened is not None
    release = opened_case()
    opened.register.by(ANN).enter(facts_of(release, {"CSV": "cd" * 32}), opened.register.people_of(release))
    signed_in(BEN)
    return opened


def case(page: str, **fields) -> App:
    """Another release of the same file to the same recipient."""
    aim = replace(Aim.for_recipient("contract"), leaves_anyway=REASON)
    fields = {"roles": ROLES, "recipe": Recipe.of(LITTLE[:2]), "aim": aim, "case": CASE} | fields
    return seeded(FILE, page=page, **fields)


def links(app: App) -> str:
    return "\n".join(element.proto.label for element in app.at.get("page_link"))


def test_the_register_is_open_without_a_button_and_earlier_releases_are_named_unasked(here: Department) -> None:
    app = case(REGISTER)
    assert not app.has_button("Open the register") and not app.has_button("Close the register")
    assert app.metric("Releases") == "1" and "No. 1 of" in app.text and "It went to the same recipient" in app.text
    assert "1 earlier release in the register could be held beside this one" in links(app.open(RELEASE))


def test_a_change_in_the_register_is_noted_with_who_made_it(here: Department) -> None:
    app = case(REGISTER).tab("register-tabs", "One release")
    app.press("The data were returned or deleted today")
    (line, *_) = here.lines()
    assert (line.name, line.act, line.facts["change"]) == ("Ben Frei", "register changed", "closed")


def test_a_file_that_is_opened_and_a_report_that_is_taken_home_are_audit_lines(
    here: Department, offered: dict[str, Offered]
) -> None:
    App().upload(FILE, "visits.csv")
    case(REPORT)
    made = offered["download-evidence"].make()
    reported, opened_line = here.lines()[:2]
    assert made and (reported.name, reported.act, reported.facts["form"]) == ("Ben Frei", "reported", "assessment")
    assert (opened_line.act, len(opened_line.facts["sha256"])) == ("file opened", 64)
    assert "visits.csv" not in "".join(here.exported())


def test_an_officer_takes_the_departments_key_by_its_name(here: Department) -> None:
    roles = ROLES | {"name": "person_id"}
    app = case(RELEASE, roles=roles)
    assert "The department has no key of pseudonyms yet" in app.text
    here.keys.make("cardiology")
    first = here.keys.make()
    second = here.keys.rotate()
    app.run()
    assert "Key file" not in [each.proto.label for each in app.at.get("file_uploader")]
    app.choose("selectbox", "Key of the department", "pseudonyms, version 1")
    app.press("Use these pseudonyms")
    assert app.session.pseudonyms.key_id == first.id != second.id
    assert "In use: recipient “University of Basel”" in app.text and "which is not here" not in app.text
    secret = here.keys.key("pseudonyms", 1).secret
    assert secret.hex() not in app.session.project.to_json()


def test_a_label_of_a_key_that_the_department_lacks_names_it(here: Department) -> None:
    from anonlib.release.pseudonyms import Pseudonyms

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(department, "department", lambda: here)
        made = here.keys.make()
        assert projects.at_hand(Pseudonyms("Basel", "Sepsis", made.id)) == here.keys.key("pseudonyms", 1)
        assert projects.at_hand(Pseudonyms("Basel", "Sepsis", "0" * 16)) is None and projects.at_hand(None) is None
