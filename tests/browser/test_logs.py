"""What a department's server prints and keeps while an officer works holds no cell, and its log no name either."""

from __future__ import annotations

import http.client
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app import accept_all, click_link, go, open_page, press, upload, wait_until_idle
from tests.helpers.team import COOKIE_SECRET, PEOPLE, SECRET, TeamServer, running_team, signed_in

N_ROWS = 600
CELLS = ("Zqxsurname", "ZQX-ID-", "ZQ-771", "Zqxdiagnosis", "zqxnote")
"""What each cell of text of the file has in it, by column, and nothing else in the world."""
NAMES = ("zqxfile", "zqxcolumn", "zqxbroken", "zqxquery", *(str(person["name"]) for person in PEOPLE.values()))
"""Of files, of a column, of what addresses are asked with, and of people."""
SECRETS = (SECRET, COOKIE_SECRET)


def file_of_people() -> bytes:
    rng = random.Random(1)
    lines = ["surname,record_id,zip,diagnosis,note,zqxcolumn age"]
    for i in range(N_ROWS):
        lines.append(
            f"Zqxsurname{i},ZQX-ID-{i:05},ZQ-771{rng.randrange(40):02},Zqxdiagnosis {rng.randrange(9)},"
            f"zqxnote of somebody {i},{rng.randrange(20, 90)}"
        )
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def worked_on(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TeamServer, Path]]:
    """A server on which an officer worked, well and badly, with the folder of all that it may have written."""
    folder = tmp_path_factory.mktemp("department")
    with running_team(folder) as team:
        _ask_badly(team)
        with signed_in(chromium, team, "olga", "/data") as page:
            _upload_what_cannot_be_read(page, team)
            upload(page, "zqxfile.csv", file_of_people())
            accept_all(page)
            _work(page, team)
        yield team, folder


def _ask_badly(team: TeamServer) -> None:
    """What is refused, each with something where a log would have it that writes down requests."""
    for host in (urlsplit(team.url).netloc, "zqxquery.example"):
        for method, path, headers in (
            ("GET", "/anonscope/signed-in?code=zqxquery&state=zqxquery", {}),
            ("GET", "/media/zqxquery.csv?zqxquery=1", {}),
            ("GET", "/%zz/zqxquery", {"Cookie": "__Host-anonscope=zqxquery"}),
            ("PUT", "/_stcore/upload_file/zqxquery/zqxquery", {}),
            ("POST", "/zqxquery", {"Content-Type": "zqxquery"}),
            ("ZQXQUERY", "/", {}),
        ):
            _ask(urlsplit(team.behind).netloc, host, method, path, headers)


def _ask(netloc: str, host: str, method: str, path: str, headers: Mapping[str, str]) -> None:
    connection = http.client.HTTPConnection(netloc, timeout=30)
    with suppress(http.client.HTTPException, ConnectionError):
        connection.request(method, path, None if method == "GET" else b"zqxnote", {"Host": host, **headers})
        assert connection.getresponse().status >= 300
    connection.close()


def _upload_what_cannot_be_read(page: Page, team: TeamServer) -> None:
    for name, data in (
        ("zqxbroken.xlsx", b"PK\x03\x04" + file_of_people()),
        ("zqxbroken.parquet", b"PAR1" + file_of_people() + b"PAR1"),
        ("zqxbroken.sav", b"$FL2" + file_of_people()),
        ("zqxbroken.csv", file_of_people() + b'\n"Zqxsurname,\xff\xfeZQX-ID-1\n' + b"ZQ-771,Zqxdiagnosis," * 9),
    ):
        upload(page, name, data)
        open_page(page, team.server, "data")


def _work(page: Page, team: TeamServer) -> None:
    """See the risk, search while the processes that search are killed, load a recipe that is none, see the report."""
    go(page, "Risk")
    click_link(page, "Verdict")
    expect(page.get_by_role("heading", level=1)).to_have_text("Verdict")
    for process in psutil.Process(team.server.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            process.kill()
    wait_until_idle(page)
    open_page(page, team.server, "verdict")
    page.get_by_role("button", name="Take this").first.click()
    go(page, "Attack")
    go(page, "Release")
    press(page, "Load recipe")
    upload(page, "zqxbroken.json", b'{"steps": [{"column": "Zqxdiagnosis 1', label="A recipe saved here")
    page.keyboard.press("Escape")
    go(page, "Report")
    expect(page.get_by_role("heading", level=1)).to_have_text("Report")
    wait_until_idle(page)


def holding(data: bytes, canaries: tuple[str, ...]) -> list[str]:
    """Which of the texts stand in the bytes, as UTF-8 or UTF-16, in whatever capitals."""
    data = data.lower()
    return [text for text in canaries if any(text.lower().encode(coding) in data for coding in ("utf-8", "utf-16-le"))]


def test_a_text_that_is_there_is_found() -> None:
    assert holding(b"...ZQXSURNAME7...", CELLS) == ["Zqxsurname"]
    assert holding("a zqxnote".encode("utf-16"), CELLS) == ["zqxnote"]
    assert all(cell.encode() in file_of_people() for cell in CELLS)


def test_the_log_holds_no_cell_no_name_and_no_secret(worked_on: tuple[TeamServer, Path]) -> None:
    team, _ = worked_on
    log = team.server.log.read_bytes()
    assert b"Anonscope is at" in log
    assert holding(log, CELLS + NAMES + SECRETS) == []


def test_nothing_that_is_kept_holds_a_cell(worked_on: tuple[TeamServer, Path]) -> None:
    _, folder = worked_on
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(path.name == "anonscope.sqlite3" for path in written)
    assert {path.name: cells for path, data in written.items() if (cells := holding(data, CELLS))} == {}
