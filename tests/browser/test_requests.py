"""Two people at a department's server: what one submits the other reviews, and what leaves is what they saw."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from anonlib.filing.department import audit
from anonlib.filing.department.database import Database
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import StoreSettings
from anonlib.filing.department.transitions import Request, RequestState
from tests.browser.app import (
    accept_all,
    click_link,
    go,
    leave_anyway,
    open_page,
    press,
    saved,
    upload,
    wait_until_idle,
)
from tests.browser.conftest import running_server
from tests.helpers.evidence import as_bytes, visits
from tests.helpers.team import TeamServer, running_team, signed_in

FILE = as_bytes(visits(120))
CASE = {
    "Title": "Sepsis cohort", "Reference": "EK-12", "Purpose": "Whether early antibiotics help.",
    "Recipient": "University of Basel", "Legal basis": "Art. 9(2)(j) GDPR",
}  # fmt: skip
SOMEBODY = Person("a test", "A test", frozenset({TeamRole.REVIEWER}))
SENT = """(() => {
    const send = WebSocket.prototype.send
    WebSocket.prototype.send = function (data) {
        window.lastSocket = this
        window.lastSent = data
        return send.call(this, data)
    }
})()"""
AGAIN = """async ([then, now]) => {
    const sent = new Uint8Array(await new Response(window.claimed).arrayBuffer())
    const text = Array.from(sent, byte => String.fromCharCode(byte)).join("").replaceAll(then, now)
    window.lastSocket.send(Uint8Array.from(text, each => each.charCodeAt(0)))
}"""


@pytest.fixture
def team(tmp_path: Path) -> Iterator[TeamServer]:
    with running_team(tmp_path) as running:
        yield running


def stored(team: TeamServer) -> Requests:
    """The requests of its store, looked up beside the server."""
    return Requests(Database.open(StoreSettings(team.settings.parent / "store")))


def request(team: TeamServer, number: int) -> Request:
    return stored(team).request(number, SOMEBODY)


def say_what_for(page: Page) -> None:
    """Fill in what a case must say."""
    go(page, "Case")
    for label, text in CASE.items():
        page.get_by_label(label, exact=True).first.fill(text)
        page.keyboard.press("Tab")
        wait_until_idle(page)


def submit(page: Page) -> None:
    go(page, "Report")
    expect(page.get_by_role("button", name="Submit for review")).to_be_enabled(timeout=240_000)
    press(page, "Submit for review")
    expect(page.get_by_text("Submitted as request No.")).to_be_visible()


def write(page: Page, label: str, text: str) -> None:
    page.get_by_label(label, exact=True).fill(text)
    page.keyboard.press("Tab")
    wait_until_idle(page)


def to_requests(page: Page) -> None:
    click_link(page, "Requests")
    expect(page.get_by_role("heading", level=1)).to_have_text("Requests")
    wait_until_idle(page)


def _listens(port: int | None) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def killed_and_started_again(team: TeamServer, directory: Path) -> Iterator[None]:
    """The server of a department, killed at once and started again with the same store."""
    os.kill(team.server.pid, signal.SIGKILL)
    start = (sys.executable, "-m", "ui.start", "--team", str(team.settings))
    variables = {"SSL_CERT_FILE": str(team.certificate), "NO_PROXY": "localhost,127.0.0.1"}
    port = urlsplit(team.behind).port
    directory.mkdir()
    deadline = time.monotonic() + 30
    while _listens(port) and time.monotonic() < deadline:
        time.sleep(0.1)
    with running_server(directory, command=start, port=port, is_port_given=False, **variables):
        yield


def test_two_people_the_whole_way_and_a_server_killed_on_it(
    chromium: Browser, team: TeamServer, tmp_path: Path
) -> None:
    with signed_in(chromium, team, "olga") as olga, signed_in(chromium, team, "rafael") as rafael:
        go(olga, "Data")
        upload(olga, "visits.csv", FILE)
        accept_all(olga)
        say_what_for(olga)
        go(olga, "Release")
        leave_anyway(olga)
        assert olga.get_by_role("button", name="Released CSV").is_disabled(), "nobody has reviewed it"
        submit(olga)

        expect(rafael.get_by_test_id("stTopNavLink").first).to_have_text(re.compile("Requests$"))
        assert not rafael.get_by_text(re.compile("^(Data|Release|Report)$")).count(), "no page with data is theirs"
        assert not rafael.get_by_test_id("stFileUploader").count()
        rafael.goto(f"{team.url}/data")
        wait_until_idle(rafael)
        assert not rafael.get_by_test_id("stFileUploader").count(), "there is no such page for a reviewer"
        open_page(rafael, team.server, "requests")  # the address that it has for an officer
        press(rafael, "Claim")
        write(rafael, "Comment", "Why is anybody alone?")
        press(rafael, re.compile("^Comment$"))
        expect(rafael.get_by_text("Why is anybody alone?")).to_be_visible()
        press(rafael, "Return")
        write(rafael, "Why it is returned", "Nobody may be alone.")
        press(rafael, "Yes, return it")
        assert request(team, 1).state is RequestState.RETURNED

        go(olga, "Release")
        press(olga, "Start with these steps")
        submit(olga)
        assert (request(team, 2).state, request(team, 2).replaces) == (RequestState.SUBMITTED, 1)
        go(olga, "Data")
        press(olga, "Project")
        project = saved(olga, "Save project", tmp_path)

    with killed_and_started_again(team, tmp_path / "again"):
        assert request(team, 2).state is RequestState.SUBMITTED
        with signed_in(chromium, team, "rafael") as rafael:
            press(rafael, "Claim")
            expect(rafael.get_by_text("Why is anybody alone?")).to_be_visible()
            press(rafael, "Settled")
            press(rafael, "Approve")
            expect(rafael.get_by_text("Approve No. 2?")).to_be_visible()
            press(rafael, "Yes, approve")
            rafael.get_by_role("tab", name="Report").click()
            wait_until_idle(rafael)
            report = saved(rafael, "Report (HTML)", tmp_path).decode()
        with signed_in(chromium, team, "olga") as olga:
            go(olga, "Data")
            upload(olga, "visits.csv", FILE)
            press(olga, "Project")
            upload(olga, "project.json", project, label="A project saved here")
            olga.keyboard.press("Escape")
            go(olga, "Release")
            expect(olga.get_by_role("button", name="Released CSV")).to_be_enabled()
            data = saved(olga, "Released CSV", tmp_path)
    digest = sha256(data).hexdigest()
    assert digest in report.replace("<wbr>", "") and data.count(b"\n") > 50
    released = request(team, 2)
    assert [(file.kind, file.sha256) for file in released.released] == [("CSV", digest)]
    store = stored(team)
    assert audit.verify(store.database).holds
    acts = [line.act for line in audit.lines(store.database)][::-1]
    assert [act for act in acts if act.startswith("request ") or act == "released"] == [
        "request submitted", "request claimed", "request commented", "request returned", "request submitted",
        "request claimed", "request approved", "released",
    ]  # fmt: skip


def test_ones_own_request_is_not_approved_by_a_second_tab_or_a_message(chromium: Browser, team: TeamServer) -> None:
    """Of somebody who is officer and reviewer: no tab offers it, and the message by which another one was claimed does
    nothing, as it was and with the number of their own."""
    team.has_groups("otto", "privacy-officers", "privacy-reviewers")
    with signed_in(chromium, team, "otto") as otto, signed_in(chromium, team, "olga") as olga:
        for page in (otto, olga):
            go(page, "Data")
            upload(page, "visits.csv", FILE)
            accept_all(page)
            say_what_for(page)
            go(page, "Release")
            leave_anyway(page)
        submit(olga)
        submit(otto)
        assert [request(team, number).officer.name for number in (1, 2)] == ["Olga Officer", "Otto Officer"]
        second = otto.context.new_page()
        second.add_init_script(SENT)
        open_page(second, team.server, "requests")
        assert second.get_by_role("button", name="Claim").count() == 1, "that of the other one"
        press(second, "Claim")
        second.evaluate("window.claimed = window.lastSent")
        assert request(team, 1).state is RequestState.IN_REVIEW
        press(second, "All requests")
        for then, now in (("claim-1", "claim-2"), ("claim-1", "claim-1")):
            second.evaluate(AGAIN, [then, now])
            wait_until_idle(second)
        assert request(team, 2).state is RequestState.SUBMITTED and request(team, 2).reviewer is None
        to_requests(otto)
        assert not otto.get_by_role("button", name="Claim").count()
        otto.get_by_role("button", name="Look at it").last.click()
        wait_until_idle(otto)
        expect(otto.get_by_text("It is yours, and waits for a reviewer.")).to_be_visible()
        for name in ("Claim it", "Approve", "Return"):
            assert not otto.get_by_role("button", name=name).count()
