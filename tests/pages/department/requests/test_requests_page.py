"""The pages of requests, each run by a person: what an officer submits, what a reviewer sees, and what leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from anonlib.filing.case import ReleaseCase
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.transitions import RequestState
from anonlib.filing.register import facts_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut
from anonlib.verdict.criteria import Aim
from pages.department.requests import controls
from pages.department.requests.results import ChosenRequest
from tests.helpers.app import CASE as CASE_PAGE
from tests.helpers.app import RELEASE, REPORT, App, seeded
from tests.helpers.errors import refused
from tests.helpers.evidence import ROLES, as_bytes, visits
from tests.helpers.requests import ANN, BEN, CASE, CAT, DAN, LITTLE, REASON, asks, opened_case
from ui.files import department

PAGE = "pages/department/requests/page.py"
FILE = as_bytes(visits(60))
SignIn = Callable[[Person], None]

pytestmark = pytest.mark.usefixtures("without_searches")


@pytest.fixture
def officer(requests: Requests, signed_in: SignIn) -> App:
    """An officer's session with a case that can be submitted, on the Report page."""
    signed_in(ANN)
    return case()


def case(page: str = REPORT, **fields) -> App:
    """A session with a file whose release may leave, by its verdict or a written reason."""
    aim = replace(Aim.for_recipient("contract"), leaves_anyway=REASON)
    return seeded(FILE, page=page, **{"roles": ROLES, "recipe": Recipe.of(LITTLE), "aim": aim, "case": CASE} | fields)


def reviewer() -> App:
    return App(PAGE)


def links(app: App) -> str:
    return "\n".join(element.proto.label for element in app.at.get("page_link"))


# ---- the whole way ----


def test_the_whole_way_of_two_people(officer: App, requests: Requests, signed_in: SignIn) -> None:
    assert "Review: not submitted" in links(officer)
    officer.open(RELEASE)
    assert "Nobody else has reviewed it yet" in officer.download("Released CSV").help
    assert all(officer.download(label).disabled for label in ("Released CSV", "Codebook", "All of these"))
    officer.open(REPORT).press("Submit for review")
    assert "Submitted as request No. 1" in officer.text and "Review: No. 1 submitted" in links(officer)
    assert not officer.has_button("Submit for review"), "the same is submitted once"
    assert "waits for a reviewer" in officer.open(RELEASE).download("Released CSV").help

    signed_in(CAT)
    app = reviewer()
    assert app.metric("Waiting") == "1" and "To review: 1 request" in links(app)
    app.press("Claim")
    assert requests.request(1, CAT).state is RequestState.IN_REVIEW
    assert "May leave" in app.text and "University of Basel" in app.text
    app.set("selectbox", "About", app.widget("selectbox", "About").options[1])
    app.choose("text_area", "Comment", "Why not 11?").press("Comment")
    assert "Why not 11?" in app.text and app.button("Approve").disabled
    app.press("Return").choose("text_area", "Why it is returned", "Take 11.").press("Yes, return it")
    assert requests.request(1, CAT).reason == "Take 11."

    signed_in(ANN)
    assert "Take 11. Change it" in officer.open(RELEASE).download("Released CSV").help
    officer.session.recipe = Recipe.of([*LITTLE[:-1], LeaveOut(7)])
    officer.open(REPORT).press("Submit for review")
    assert requests.request(2, ANN).replaces == 1, "the officer need not choose it"

    signed_in(CAT)
    app.press("All requests").press("Claim")
    assert "Why not 11?" in app.text and "on No. 1" in app.text
    app.press("Settled").press("Approve")
    assert "Approve No. 2?" in app.text and requests.request(2, CAT).state is RequestState.IN_REVIEW
    app.press("Yes, approve")
    assert requests.request(2, CAT).state is RequestState.APPROVED

    signed_in(ANN)
    assert not officer.open(RELEASE).download("Released CSV").disabled
    assert "Request No. 2 is approved" in officer.text and "Review: No. 2 approved" in links(officer)
    assert audit.verify(requests.database).holds


def test_what_is_taken_home_is_what_was_reviewed(
    officer: App, requests: Requests, signed_in: SignIn, offered: dict
) -> None:
    officer.press("Submit for review")
    requests.claim(1, CAT)
    requests.approve(1, CAT)
    officer.open(RELEASE)
    data = offered["download-csv"].make()
    assert requests.evidence(1, CAT).released.sha256 == sha256(data).hexdigest()
    assert requests.request(1, CAT).state is RequestState.RELEASED
    for kind in ("Parquet", "Excel"):
        officer.choose("selectbox", "Format of the release", kind)
        assert sha256(offered[f"download-{'xlsx' if kind == 'Excel' else kind.lower()}"].make()).hexdigest()
    assert {file.kind for file in requests.request(1, CAT).released} == {"CSV", "Parquet", "Excel"}
    assert offered["download-both"].make(), "its folders are noted too"
    assert len(audit.lines(requests.database, act=Act.RELEASED)) == 4


def test_a_changed_project_a_second_tab_or_an_old_page_lets_nothing_out(
    officer: App, requests: Requests, signed_in: SignIn, offered: dict
) -> None:
    officer.press("Submit for review")
    requests.claim(1, CAT)
    requests.approve(1, CAT)
    officer.open(RELEASE)
    old = offered["download-csv"]
    officer.session.recipe = Recipe.of(LITTLE[:-1])
    officer.run()
    assert offered["download-csv"].disabled and "not what was approved" in offered["download-csv"].help
    assert "changed since" in links(officer)
    requests.send_back(1, CAT, "The contract has ended.")
    with refused("request-not-approved"):
        old.make()
    assert not requests.request(1, CAT).released
    officer.session.recipe = Recipe.of(LITTLE)
    signed_in(BEN)  # who loaded the same and decided the same, in a session of their own
    assert "Nobody else has reviewed it yet" in officer.run().download("Released CSV").help


# ---- nobody reviews their own ----


@pytest.mark.parametrize("who", ["the same person", "with another name", "as reviewer too"])
def test_no_page_offers_ones_own_approval_and_none_takes_it(
    officer: App, requests: Requests, signed_in: SignIn, who: str
) -> None:
    officer.press("Submit for review")
    signed_in(Person(ANN.subject, "Somebody Else" if who == "with another name" else ANN.name, BEN.roles))
    app = reviewer()
    assert not app.has_button("Claim"), "in the list"
    app.press("Look at it")
    for label in ("Claim", "Approve", "Return", "Settled"):
        assert not app.has_button(label)
    for act in (controls._claim, lambda number: controls._approve(number, None), lambda n: controls._return(n, "No.")):
        app.session.problem = ""
        with refused("request-of-oneself"):
            act(1)
    assert requests.request(1, CAT).state is RequestState.SUBMITTED


def test_a_press_of_a_page_that_is_old_is_refused_in_a_sentence(requests: Requests, signed_in: SignIn) -> None:
    """As a message that is sent again over the websocket: the button was there, and somebody else was quicker."""
    requests.submit(ANN, *asks())
    signed_in(CAT)
    app = reviewer()
    requests.claim(1, DAN)
    app.press("Claim")
    assert "cannot be claimed" in app.errors[0]
    assert requests.request(1, CAT).reviewer.name == "Dan Kern"


def test_roles_that_are_taken_away_meanwhile_count_at_once(requests: Requests, signed_in: SignIn) -> None:
    requests.submit(ANN, *asks())
    signed_in(CAT)
    app = reviewer().press("Claim").press("Approve")
    signed_in(Person(CAT.subject, CAT.name, ANN.roles))
    app.press("Yes, approve")
    assert app.errors and requests.request(1, DAN).state is RequestState.IN_REVIEW


# ---- what there is to see ----


def test_a_reviewer_sees_what_to_decide_by_and_no_data(requests: Requests, signed_in: SignIn) -> None:
    requests.submit(ANN, *asks())
    signed_in(CAT)
    app = reviewer().press("Claim")
    for tab in ("Verdict", "Attacks", "Steps and columns", "Since the last release", "Case", "Report", "History"):
        app.tab("request-tabs", tab)
        assert not app.errors, tab
        if tab == "Steps and columns":
            assert "Leave out records in classes below 5" in app.text and "zip" in app.table("Role")["Column"].tolist()
        if tab == "Since the last release":
            assert any("is known before this one" in each.value for each in app.at.info)
        if tab == "Case":
            assert "Whether early antibiotics help." in app.text and "Not stated" in app.text
        if tab == "Report":
            assert [button.label for button in app.at.download_button] == ["Report (PDF)", "Report (HTML)"]
        if tab == "History":
            assert app.table("Who")["Who"].tolist() == ["Ann Meier", "Cat Wild"]
    assert not app.at.file_uploader and app.session.loaded is None
    known = {page["script_path"].rpartition("/pages/")[2] for page in app.at._registered_pages.values()}
    assert all(page.startswith("department/") or page == "data/glossary/page.py" for page in known), "no data"


def test_the_last_release_stands_beside_it(officer: App, requests: Requests, signed_in: SignIn) -> None:
    officer.press("Submit for review")
    requests.claim(1, CAT)
    requests.approve(1, CAT)
    frozen = requests.request(1, ANN).asks
    digest = dict(frozen.files)["CSV"]
    requests.release(1, ANN, file=frozen.file, decided=frozen.decided, kind="CSV", sha256=digest)
    officer.session.recipe = Recipe.of(LITTLE[1:])
    officer.open(REPORT).press("Submit for review")
    signed_in(CAT)
    app = reviewer().press("Claim").tab("request-tabs", "Since the last release")
    shown = app.table("What")
    assert {"column", "step"} <= set(shown["What"]) and "No. 1" in app.text
    assert "Records that leave" in app.table("Figure")["Figure"].tolist()


def test_a_release_that_the_register_alone_has_stands_beside_it(
    requests: Requests, signed_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that was taken over from a desk's register."""
    project = opened_case(case=replace(CASE, recipient="university of BASEL", contract="DTA 6"))
    here = department.department()
    here.register.enter(facts_of(project, {"CSV": "a" * 64}), now=datetime(2026, 1, 1, tzinfo=UTC))
    requests.submit(ANN, *asks())
    signed_in(CAT)
    app = reviewer().press("Claim").tab("request-tabs", "Since the last release")
    assert "Beside what the register has of 2026-01-01" in app.text
    shown = app.table("What")
    assert shown["Which"].tolist() == ["Recipient", "Contract"] and shown["Then"].tolist()[1] == "DTA 6"


def test_an_officer_sees_why_it_cannot_be_submitted(requests: Requests, signed_in: SignIn) -> None:
    signed_in(ANN)
    app = case(case=ReleaseCase())
    button = app.button("Submit for review")
    assert button.disabled and "does not state yet" in app.text and "legal basis" in app.text
    assert "To the case" in links(app) and "Nobody else has reviewed it yet" in app.open(CASE_PAGE).text


def test_an_officers_list_has_what_is_due_first(officer: App, requests: Requests, signed_in: SignIn) -> None:
    officer.press("Submit for review")
    requests.submit(ANN, *asks(3))
    requests.claim(1, CAT)
    requests.send_back(1, CAT, "Take 11.")
    officer.open(PAGE)
    assert officer.metric("Yours, open") == "2" and officer.metric("Due from you") == "1"
    assert officer.text.index("No. 1") < officer.text.index("No. 2") and "change it and submit it again" in officer.text
    officer.press("look-1")
    assert "Returned: Take 11." in officer.text
    officer.press("All requests").press("look-2").press("Withdraw").press("Yes, withdraw it")
    assert requests.request(2, ANN).state is RequestState.WITHDRAWN


def test_what_is_written_is_shown_as_text(requests: Requests, signed_in: SignIn) -> None:
    requests.submit(ANN, *asks())
    requests.claim(1, CAT)
    requests.comment(1, CAT, "**bold** [link](http://x) <b>tag</b> :red[x]")
    requests.send_back(1, CAT, "# Heading")
    signed_in(CAT)
    app = reviewer()
    app.session.parts = {**app.session.parts, ChosenRequest: ChosenRequest(1)}
    for text in app.run().rendered_text():
        assert "**bold**" not in text and "[link](http://x)" not in text and "<b>" not in text
        assert ":red[x]" not in text and "\n# Heading" not in text


def test_at_a_desk_there_are_no_requests() -> None:
    app = case()
    assert not app.has_button("Submit for review") and "Review" not in links(app)
    app.open(RELEASE)
    assert not app.download("Released CSV").disabled
