"""The Administration page: what is due, audit lines looked up and verified, the server, keys by their names alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from anonlib.filing.department.acts import Act
from anonlib.filing.department.department import Department
from anonlib.filing.department.person import Person
from anonlib.filing.department.requests import Requests
from anonlib.filing.register import facts_of
from tests.helpers.app import App
from tests.helpers.department import without_triggers
from tests.helpers.downloads import Offered
from tests.helpers.requests import ANN, BEN, EVE, asks, opened_case
from ui.files import department
from ui.kit.page import ADMINISTRATION
from ui.server import who
from ui.server.sign_in.sign_ins import SignIns
from ui.server.workers.pool import PoolState

SignIn = Callable[[Person], None]
TABS = ("What is due", "Audit lines", "Server", "Keys", "How it works")


@pytest.fixture
def here(requests: Requests, signed_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> Department:
    """A department in which a file was opened and a release is entered, looked at by its administrator."""
    opened = department.department()
    assert opened is not None
    sign_ins = SignIns(1800, 36_000)
    for person in (ANN, ANN, EVE):
        sign_ins.begin(person)
    monkeypatch.setattr(who, "sign_ins", lambda: sign_ins)
    opened.note(ANN, Act.OPENED, sha256="ab" * 32)
    release = opened_case()
    opened.register.by(ANN).enter(facts_of(release, {"CSV": "cd" * 32}))
    opened.register.by(ANN).change_until(1, date.today() - timedelta(days=3))
    signed_in(EVE)
    return opened


def page(tab: str) -> App:
    return App(ADMINISTRATION, tab=("administration-tabs", tab))


def figures(app: App) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.at.metric}


def test_its_figures_are_what_is_there(here: Department) -> None:
    frozen, document = asks()
    here.requests.submit(ANN, frozen, document)
    shown = figures(page("What is due"))
    assert (shown["Signed in"], shown["Requests waiting"], shown["Overdue"]) == ("2", "1", "1")
    assert shown["Work waiting"] == "—" and shown["Due in 30 days"] == "0"


def test_what_is_due_says_of_which_release_and_who_released_it(here: Department) -> None:
    app = page("What is due")
    (frame,) = [element.value for element in app.at.dataframe]
    assert list(frame["State"]) == ["over"] and list(frame["Released by"]) == ["Ann Meier"]


def test_audit_lines_are_looked_up_and_say_no_more_than_they_hold(here: Department) -> None:
    app = page("Audit lines")
    frame = app.at.dataframe[0].value
    assert list(frame["Line"]) == [*range(here.verify().head.number, 0, -1)]
    assert "sha256 abababababab…" in set(frame["About"])
    app.choose("text_input", "Words", "ann opened")
    assert list(app.at.dataframe[0].value["What"]) == ["file opened"]
    app.choose("text_input", "Words", "")
    app.choose("selectbox", "Act", "register changed")
    assert set(app.at.dataframe[0].value["What"]) == {"register changed"}
    app.choose("text_input", "Words", "nobody")
    assert not app.at.dataframe and "No line says that." in [element.value for element in app.at.info]


def test_the_chain_is_verified_at_a_press(here: Department) -> None:
    app = page("Audit lines")
    assert not app.at.success and not app.at.error
    (answer,) = app.press("audit-verify").at.success
    assert f"chain of {here.verify().head.number} audit lines holds" in answer.value
    without_triggers(here.database, "UPDATE audit_line SET name = 'Eve' WHERE number = 2")
    (answer,) = app.press("audit-verify").at.error
    assert "broken at line 2" in answer.value


def test_every_line_can_be_taken_home(here: Department, offered: dict[str, Offered]) -> None:
    page("Audit lines")
    lines = offered["download-audit"].make().decode().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [*range(1, here.verify().head.number + 1)]


def test_the_server_says_who_is_there_and_what_work_waits(here: Department, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = "\n".join(element.value for element in page("Server").at.markdown)
    assert (
        "Ann Meier: 2 browsers" in shown and "Eve Roth: 1 browser" in shown and "Pages do all work themselves" in shown
    )
    monkeypatch.setattr("ui.server.workers.state", lambda: PoolState(2, 1, 4, 0, {"a": 3, "b": 4}, 5_000_000))
    app = page("Server")
    shown = "\n".join(element.value for element in app.at.markdown)
    assert "2 run, 1 gave way to others, 4 wait" in shown and figures(app)["Work waiting"] == "4"


def test_keys_are_shown_by_what_names_them(here: Department) -> None:
    made = here.keys.make("cardiology")
    frame = page("Keys").at.dataframe[0].value
    assert list(frame["Key"]) == ["cardiology", "register"] and made.id in set(frame["Id"])
    secret = here.keys.key("cardiology", 1).secret
    assert secret.hex() not in frame.to_json()


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_is_shown(here: Department, tab: str) -> None:
    assert not page(tab).at.exception


def test_it_is_for_administrators_alone(here: Department, signed_in: SignIn) -> None:
    from ui.kit import navigation

    assert navigation._is_for_this_run("department/administration")
    for person in (ANN, BEN):
        signed_in(person)
        assert not navigation._is_for_this_run("department/administration")
