"""A department's server in the browser: signing in and out at a real OpenID provider, and what nobody else gets.

Every address of the server is tried without a sign-in, with that of somebody else, and with one that has ended.
"""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from anonlib.filing.department.department import Department
from anonlib.filing.department.settings import read_team
from tests.browser.app import VISITS, upload, wait_until_idle
from tests.helpers.team import TeamServer, running_team, sign_in, signed_in, window_of

ROOT = Path(__file__).resolve().parents[2]
COOKIE = "__Host-anonscope"
SOON = 15_000  # milliseconds in which an open page follows the end of its sign-in


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    with running_team(tmp_path_factory.mktemp("team")) as running:
        yield running
        own = f"{running.settings.parent}/store/"
        assert [note for note in running.server.notes() if own not in note] == [], "it writes in its own folder alone"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    """A server whose sign-ins end after twenty seconds without a sign of the person."""
    with running_team(tmp_path_factory.mktemp("impatient"), idle_minutes=20 / 60, groups_in_userinfo=False) as running:
        yield running


def cookie_of(window: BrowserContext) -> str:
    return next(cookie["value"] for cookie in window.cookies() if cookie["name"] == COOKIE)


def show_who(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_test_id("stPopover").first.locator("button").first.click()


# ---- in and out -----------------------------------------------------------------------------------------------------


def test_a_page_leads_to_the_provider_and_back_to_itself(chromium: Browser, team: TeamServer) -> None:
    with window_of(chromium, team) as window:
        page = window.new_page()
        page.goto(f"{team.url}/data")
        expect(page.get_by_role("heading", name="Hospital sign-in")).to_be_visible()
        assert [cookie["name"] for cookie in window.cookies(team.url)] == [f"{COOKIE}-under-way"]
        sign_in(page, team, "olga", "/data")
        wait_until_idle(page)
        assert page.url == f"{team.url}/data"
        show_who(page)
        expect(page.get_by_text("Signed in as Olga Officer: officer.")).to_be_visible()
        first = cookie_of(window)
        for cookie in window.cookies(team.url):
            assert cookie["secure"] and cookie["sameSite"] in ("Lax", "Strict"), cookie["name"]
            assert cookie["httpOnly"] or cookie["name"] == "_streamlit_xsrf", cookie["name"]
        page.goto(f"{team.url}/anonscope/sign-in")
        wait_until_idle(page)
        assert cookie_of(window) != first, "each sign-in has a secret of its own"
        assert get(team, "/anonscope/is-signed-in", first) == (200, "no"), "and the previous one has ended"


def test_signing_out_ends_it_here_and_at_the_provider(chromium: Browser, team: TeamServer) -> None:
    with signed_in(chromium, team, "olga") as page:
        secret = cookie_of(page.context)
        show_who(page)
        page.get_by_role("button", name="Sign out", exact=True).click()
        expect(page.get_by_role("heading", name="Sign out here too?")).to_be_visible(timeout=SOON)
        assert get(team, "/anonscope/is-signed-in", secret) == (200, "no")
        page.get_by_role("button", name="Yes").click()
        expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
        assert not [cookie for cookie in page.context.cookies() if cookie["name"] == COOKIE]
        page.get_by_role("link", name="Sign in").click()
        expect(page.get_by_role("heading", name="Hospital sign-in")).to_be_visible()
    lines = Department.open(read_team(team.settings)).lines()
    noted = [(line.act, line.facts) for line in lines if line.name == "Olga Officer"][:2]
    assert noted == [("signed out", {"where": "in one browser"}), ("signed in", {"roles": "officer"})]


def test_signing_out_everywhere_closes_the_pages_of_other_browsers(chromium: Browser, team: TeamServer) -> None:
    with (
        signed_in(chromium, team, "olga") as here,
        signed_in(chromium, team, "olga") as there,
        signed_in(chromium, team, "otto") as another,
    ):
        show_who(here)
        here.get_by_role("button", name="Sign out everywhere").click()
        for page in (here, there):
            expect(page.get_by_role("heading", name="Sign out here too?")).to_be_visible(timeout=SOON)
        another.reload()
        wait_until_idle(another)
        expect(another.get_by_role("heading", name="Anonscope", level=1)).to_be_visible()


def test_no_link_elsewhere_signs_anybody_out(chromium: Browser, team: TeamServer) -> None:
    with signed_in(chromium, team, "olga") as page:
        page.goto(f"{team.url}/anonscope/sign-out?word=guessed")
        expect(page.get_by_role("heading", name="Sign out?")).to_be_visible()
        page.get_by_role("link", name="Stay signed in").click()
        wait_until_idle(page)
        page.goto(f"{team.url}/anonscope/sign-out")
        page.get_by_role("link", name="Sign out here").click()
        expect(page.get_by_role("heading", name="Sign out here too?")).to_be_visible()


def test_who_is_in_no_group_of_the_department_gets_a_sentence_and_no_session(
    chromium: Browser, team: TeamServer
) -> None:
    with window_of(chromium, team) as window:
        page = window.new_page()
        sign_in(page, team, "nina")
        expect(page.get_by_role("heading", name="You are not allowed in")).to_be_visible()
        expect(page.get_by_text("You are known as Nina <b>Nurse</b>")).to_be_visible()
        assert not [cookie for cookie in window.cookies() if cookie["name"] == COOKIE]
        team.has_groups("nina", "privacy-officers")
        page.get_by_role("link", name="Sign in again").click()
        wait_until_idle(page)
        show_who(page)
        expect(page.get_by_text("Signed in as Nina <b>Nurse</b>: officer.")).to_be_visible()
        team.has_groups("nina", "staff")


def test_a_refusal_of_the_provider_is_a_sentence_without_its_words(chromium: Browser, team: TeamServer) -> None:
    with window_of(chromium, team) as window:
        page = window.new_page()
        sign_in(page, team, "nobody")
        expect(page.get_by_role("heading", name="The sign-in failed")).to_be_visible()
        assert "secret" not in page.content()
        for forged in ("?code=a&state=b", "?state=b", "?error=x&error_description=secret", ""):
            page.goto(f"{team.url}/anonscope/signed-in{forged}")
            expect(page.get_by_role("heading", name="The sign-in failed")).to_be_visible()
        log = team.server.log.read_text(errors="replace")
        assert "secret" not in log and "nobody of that name" not in log


def test_who_is_no_officer_sees_no_data_and_sends_none(chromium: Browser, team: TeamServer) -> None:
    for login in ("rafael", "ada"):
        with signed_in(chromium, team, login) as page:
            expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
            for path in ("/data", "/release", "/"):
                page.goto(f"{team.url}{path}")
                wait_until_idle(page)
                expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
                expect(page.get_by_test_id("stSidebar").get_by_text("No data loaded")).to_have_count(0)


# ---- the end of a sign-in -------------------------------------------------------------------------------------------


def test_a_page_without_a_sign_of_its_person_is_left_and_nothing_of_it_stays(
    chromium: Browser, impatient: TeamServer
) -> None:
    with signed_in(chromium, impatient, "olga", "/data") as page:
        upload(page, "visits.csv", VISITS)
        secret = cookie_of(page.context)
        expect(page.get_by_role("heading", name="Your sign-in has ended")).to_be_visible(timeout=60_000)
        assert "visits.csv" not in page.content()
        assert get(impatient, "/anonscope/is-signed-in", secret) == (200, "no")
        assert get(impatient, "/data", secret)[0] == 302
        assert get(impatient, "/static/index.html", secret)[0] == 401
        page.get_by_role("link", name="Sign in again").click()
        wait_until_idle(page)
        expect(page.get_by_test_id("stSidebar").get_by_text("visits.csv")).to_be_visible()  # held for two minutes


# ---- every address --------------------------------------------------------------------------------------------------


def get(team: TeamServer, path: str, secret: str = "", method: str = "GET", **headers: str) -> tuple[int, str]:
    """Status and text of an answer, asked for through the proxy as a browser's page would."""
    headers = {"accept": "text/html,*/*", **({"cookie": f"{COOKIE}={secret}"} if secret else {}), **headers}
    with httpx.Client(verify=False, trust_env=False) as client:
        answer = client.request(method, f"{team.url}{path}", headers=headers)
    return answer.status_code, answer.text


ROUTES = """
import json
from starlette.routing import Mount, WebSocketRoute
import streamlit as st
from ui import server
built = st.App("app.py", routes=server.routes(), middleware=server.middleware())._build_starlette_app()
def kind(route):
    return "mount" if isinstance(route, Mount) else "websocket" if isinstance(route, WebSocketRoute) else "route"
print(json.dumps([[kind(route), route.path, sorted(getattr(route, "methods", None) or ())] for route in built.routes]))
"""


def addresses(team: TeamServer) -> list[tuple[str, str, list[str]]]:
    """What the server serves, read off the application itself: kind, path, methods."""
    done = subprocess.run(
        [sys.executable, "-c", ROUTES], cwd=ROOT, env={"ANONSCOPE_TEAM": str(team.settings), "PATH": ""},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [(kind, path, methods) for kind, path, methods in json.loads(done.stdout.splitlines()[-1])]


OWN = ("/anonscope/sign-in", "/anonscope/signed-in", "/anonscope/sign-out", "/anonscope/signed-out", "/anonscope/ended")
WITHOUT_SIGN_IN = {"/anonscope/alive": "alive", "/_stcore/health": "ok", "/anonscope/is-signed-in": "no"}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def connects(team: TeamServer, secret: str, session: str = "", **headers: str) -> bool:
    """Whether a connection is taken."""
    named = {"cookie": f"{COOKIE}={secret}", **headers}
    address, words = f"wss{team.url.removeprefix('https')}/_stcore/stream", ["streamlit", "x"]
    certified = ssl.create_default_context(cafile=team.certificate)
    with_session = [Subprotocol(word) for word in ([*words, session] if session else words)]
    try:
        with connect(
            address, additional_headers=named, subprotocols=with_session, origin=Origin(team.url), ssl=certified,
            proxy=None,
        ):  # fmt: skip
            return True
    except InvalidStatus as refused:
        assert refused.response.status_code == 403
        return False


def test_no_address_answers_without_a_sign_in_or_with_one_that_has_ended_and_no_one_gets_anothers(
    chromium: Browser, team: TeamServer
) -> None:
    asked: dict[str, str] = {}

    def note(request) -> None:
        path = urlsplit(request.url).path
        for kind in ("/media/", "/_stcore/upload_file/"):
            if path.startswith(kind):
                asked[kind] = path

    with signed_in(chromium, team, "otto") as other, signed_in(chromium, team, "rafael") as reviewer:
        foreign, reviewers = cookie_of(other.context), cookie_of(reviewer.context)
        with signed_in(chromium, team, "olga", "/data") as page:
            page.on("request", note)
            upload(page, "visits.csv", VISITS)
            page.get_by_test_id("stSidebar").get_by_text("Project").last.click()
            with page.expect_download():
                page.get_by_role("button", name="Save project").click()
            own = cookie_of(page.context)
            session = asked["/_stcore/upload_file/"].split("/")[3]
            every = every_address(team, asked)

            assert get(team, asked["/media/"], own)[0] == 200, "what is tried below is there"
            for secret in ("", "guessed"):
                check_that_nothing_answers(team, every, secret)
                assert not connects(team, secret) and not connects(team, secret, session)
            for secret in (foreign, reviewers):
                assert get(team, asked["/media/"], secret)[0] == 403
                for method in ("PUT", "DELETE"):
                    assert get(team, asked["/_stcore/upload_file/"], secret, method)[0] == 403
                    assert get(team, f"/_stcore/upload_file/{session}/new", secret, method)[0] == 403
            for path in ("/_stcore/agent/interact", "/_stcore/agent/mcp", "/anything"):
                assert get(team, path, own, "POST")[0] == 403
            assert get(team, "/_stcore/metrics", own)[0] == 403
            assert get(team, "/auth/login", own)[0] == get(team, "/oauth2callback", own)[0] == 403
            assert connects(team, foreign, session), "it is given a session of its own"
            wait_until_idle(page)
            expect(page.get_by_test_id("stSidebar").get_by_text("visits.csv")).to_be_visible()
            show_who(page)
            page.get_by_role("button", name="Sign out", exact=True).click()
            expect(page.get_by_role("heading", name="Sign out here too?")).to_be_visible(timeout=SOON)
        check_that_nothing_answers(team, every, own)
        assert not connects(team, own) and not connects(team, own, session)


def every_address(team: TeamServer, asked: dict[str, str]) -> list[str]:
    """Every path of the server, with what stands in Olga's session in the place of what a path leaves open."""
    _, _, _, session, file = asked["/_stcore/upload_file/"].split("/")
    paths = ["/", "/data", "/index.html", "/favicon.png", "/static/index.html", asked["/media/"]]
    for kind, path, _ in addresses(team):
        if kind != "websocket":
            path = path.replace("{session_id}", session).replace("{file_id}", file)
            paths.append(path.replace("{file_id:path}", "x").replace("{path:path}", "x") or "/")
    assert {"/_stcore/metrics", "/anonscope/tab", f"/_stcore/upload_file/{session}/{file}", "/component/x"} < {*paths}
    assert not [path for path in paths if "{" in path]
    return list(dict.fromkeys([*paths, *WITHOUT_SIGN_IN, *OWN]))


def check_that_nothing_answers(team: TeamServer, paths: list[str], secret: str) -> None:
    for path in paths:
        for method in METHODS:
            status, text = get(team, path, secret, method)
            if path in WITHOUT_SIGN_IN and method in ("GET", "HEAD"):
                assert (status, text) == (200, WITHOUT_SIGN_IN[path] if method == "GET" else ""), path
            elif path in OWN and method in ("GET", "HEAD"):
                assert "visits" not in text and status in (200, 302, 400), (method, path)
            elif status == 302:
                assert method == "GET", (method, path)
            else:
                assert status in (401, 403), (method, path)
                assert text in ("Sign in first.", "Not from here.", ""), (method, path)


@pytest.mark.parametrize("headers", [
    {"host": "127.0.0.1:1"}, {"host": "elsewhere.example"}, {"origin": "https://elsewhere.example"},
    {"host": "elsewhere.example", "x-forwarded-host": "127.0.0.1", "x-forwarded-proto": "https"},
])  # fmt: skip
def test_no_other_host_and_no_word_of_a_proxy_is_believed(team: TeamServer, headers: dict[str, str]) -> None:
    assert get(team, "/", **headers) == (403, "Not from here.")
    assert get(team, "/anonscope/alive", **headers) == (200, "alive"), "which says nothing"


def test_a_header_from_outside_makes_nobody_of_anybody(chromium: Browser, team: TeamServer) -> None:
    with signed_in(chromium, team, "olga") as page:
        secret = cookie_of(page.context)
        for forged in ({"x-anonscope-sign-in": secret}, {"x-anonscope-person": "olga"}):
            assert get(team, "/static/index.html", **forged)[0] == 401
            assert not connects(team, "", **forged)
