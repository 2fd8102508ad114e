"""A tab and its session: reloading, typed addresses, copied and closed tabs, and what is forgotten when."""

from __future__ import annotations

import json
import mmap
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.app import (
    VISITS,
    Server,
    below,
    choose,
    forget,
    go,
    load_and_accept,
    open_builder,
    open_page,
    press,
    wait_until_idle,
)
from tests.browser.conftest import Watch, running_server, watched_page

LINUX = sys.platform.startswith("linux")  # whose /proc shows what a process holds
SECRET = "sessionStorage.getItem('anonscope-tab')"
PAGES = ("Risk", "Individuals", "Leakage", "Generalize", "Regions", "Frontier", "Schedules", "Release", "Data")


def sidebar_says(page: Page, text: str) -> None:
    expect(page.get_by_test_id("stSidebar").get_by_text(text)).to_be_visible()


def with_a_recipe(page: Page) -> None:
    go(page, "Release")
    open_builder(page)
    choose(page, "Kind of step", "Leave out")
    press(page, "Add to recipe")
    sidebar_says(page, "Recipe: 1 step")


def test_a_tab_keeps_what_was_loaded_when_it_is_reloaded_and_no_other_tab_has_it(page: Page, server: Server) -> None:
    """By a reload and by a typed address: file, roles, settings and recipe, until they are forgotten.

    The browser asks before a recipe is closed and not otherwise; the secret of the tab is new with each page. What was
    loaded is not waiting for whoever sits down next.
    """
    asked: list[str] = []
    addresses: list[str] = []
    secrets: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.on("request", lambda request: addresses.append(request.url))
    page.on("websocket", lambda websocket: addresses.append(websocket.url))
    load_and_accept(page, server, "visits.csv", VISITS)
    secrets.append(page.evaluate(SECRET))
    page.reload()
    wait_until_idle(page)
    assert not asked
    secrets.append(page.evaluate(SECRET))
    with_a_recipe(page)
    go(page, "Risk")
    slider = page.get_by_role("slider", name="k", exact=False).first
    slider.focus()
    slider.press("ArrowRight")
    wait_until_idle(page)
    shown = below(page, 6).inner_text()
    for times, visit in enumerate(("reload", "address"), start=1):
        page.reload() if visit == "reload" else open_page(page, server, "risk")
        wait_until_idle(page)
        assert asked == ["beforeunload"] * times
        secrets.append(page.evaluate(SECRET))
        assert page.url == f"{server.url}/risk"
        expect(page.get_by_role("heading", level=1)).to_have_text("Risk")
        expect(page.get_by_role("slider", name="k", exact=False).first).to_have_value("6")
        expect(below(page, 6)).to_have_text(shown)
        sidebar_says(page, "visits.csv")
        sidebar_says(page, "Recipe: 1 step")
    open_page(page, server, "release")
    expect(page.get_by_role("heading", level=1)).to_have_text("Release")
    sidebar_says(page, "Recipe: 1 step")

    assert len(set(secrets)) == 4
    for secret in secrets:
        assert len(bytes.fromhex(secret)) == 32
        assert addresses and not any(secret in address for address in addresses)
        assert secret not in server.log.read_text() + json.dumps(server.notes()) + page.content()
    assert not page.context.cookies() or not any(c["value"] in secrets for c in page.context.cookies())

    go(page, "Data")
    another_and_a_copied_tab_begin_empty(page, server)
    forget(page)
    page.reload()
    wait_until_idle(page)
    sidebar_says(page, "No data loaded")


def another_and_a_copied_tab_begin_empty(page: Page, server: Server) -> None:
    """A browser that duplicates a tab copies what the tab keeps, the secret too; the first tab has its data still."""
    kept = page.evaluate("JSON.stringify(sessionStorage)")
    another = page.context.new_page()
    open_page(another, server, "data")
    sidebar_says(another, "No data loaded")
    assert another.evaluate(SECRET) not in kept
    another.add_init_script(f"if (!window.name) {{ window.name = 'copy'; Object.assign(sessionStorage, {kept}) }}")
    for _ in range(2):  # as a copy of the first, and once more
        another.reload()
        wait_until_idle(another)
        sidebar_says(another, "No data loaded")
        page.reload()
        wait_until_idle(page)
        sidebar_says(page, "visits.csv")


ROW = b" Example,R"  # in each row of the file


def test_a_server_just_started_opens_any_page_and_nothing_of_a_file_forgotten_or_closed_is_alive(
    chromium: Browser, tmp_path: Path
) -> None:
    """The first visit after the start may be to a page's own address.

    The file is forgotten with every page seen; soon no row of it is held (in ten seconds, unless the machine is busy),
    with no other tab that does anything. Nor is it where the tab is closed instead and its time is over. Whatever the
    environment says, only this machine can connect.
    """
    environment = {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}
    with running_server(tmp_path, **environment) as fresh:
        with watched_page(chromium, fresh) as (page, watch):
            _open_and_forget(page, watch, fresh)
            load_and_accept(page, fresh, "visits.csv", VISITS)
            go(page, "Verdict")
            if LINUX:
                assert {"DataFrame", "Dataset", "LoadedFile"} <= fresh.alive_of_a_file().keys()
        if LINUX:
            _wait_until_nothing_is_held(fresh, seconds=60)


def _open_and_forget(page: Page, watch: Watch, fresh: Server) -> None:
    open_page(page, fresh, "risk")
    expect(page.get_by_test_id("stTopNav")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert urlsplit(page.url).path == "/risk"
    if LINUX:
        assert fresh.listening_addresses() == ["0100007F"]
    load_and_accept(page, fresh, "visits.csv", VISITS)
    for name in PAGES:
        go(page, name)
    if LINUX:
        assert {"DataFrame", "Dataset", "LoadedFile"} <= fresh.alive_of_a_file().keys()
        assert strings_in_memory(fresh, b"Person 1999 Example")
    forget(page)
    expect(page.get_by_text("visits.csv")).to_have_count(0)
    assert fresh.uploaded_bytes() == 0, "the uploaded bytes are dropped"
    if LINUX:
        _wait_until_nothing_is_held(fresh, seconds=60)
    assert not watch.problems and fresh.notes() == []
    assert fresh.log.read_text().splitlines() == [
        f"Anonscope is at {fresh.url} (nothing leaves this machine; stop with Ctrl+C)"
    ], "the address is printed and nothing else"


def _wait_until_nothing_is_held(server: Server, seconds: float) -> None:
    """To look through all its memory is work: it is done once the objects are gone, and the processes of its work."""
    deadline = time.monotonic() + seconds
    server.wait_for_jobs(lambda jobs: not jobs)
    while (alive := server.alive_of_a_file()) or (rows := len(strings_in_memory(server, ROW))):
        assert time.monotonic() < deadline, (
            f"objects: {alive}, rows of the file: {rows if not alive else 'not looked for'}"
        )
        time.sleep(2)


def strings_in_memory(server: Server, wanted: bytes) -> list[int]:
    """The places in the server's memory at which these bytes stand."""
    found = []
    with Path(f"/proc/{server.pid}/mem").open("rb", 0) as memory:
        for begin, end in _held_memory(server.pid):
            try:
                memory.seek(begin)
                held = memory.read(end - begin)
            except OSError:
                continue  # not the process's own memory
            at = held.find(wanted)
            while at >= 0:
                found.append(begin + at)
                at = held.find(wanted, at + 1)
    return found


def _held_memory(pid: int) -> Iterator[tuple[int, int]]:
    """Where a process can write and has: the most of what it may use it never touched."""
    size = mmap.PAGESIZE
    with Path(f"/proc/{pid}/pagemap").open("rb", 0) as pages:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, rights = line.split()[:2]
            if rights.startswith("rw"):
                begin, end = (int(address, 16) for address in place.split("-"))
                pages.seek(begin // size * 8)
                entries = np.frombuffer(pages.read((end - begin) // size * 8), np.uint64)
                touched = np.pad(entries >> np.uint64(62) > 0, 1)  # in memory or swapped out
                for first, after in np.flatnonzero(np.diff(touched)).reshape(-1, 2).tolist():
                    yield begin + first * size, begin + after * size
