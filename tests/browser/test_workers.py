"""A search in a process of its own: the page stays quick beside it, and it ends with what it is about."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app import TIMEOUT, VISITS, Server, forget, go, load_and_accept, press, wait_until_idle
from tests.browser.conftest import running_server, watched_page

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are such processes on Linux")


def searching(page: Page, server: Server) -> psutil.Process:
    """The process of a search that was started on the Frontier page."""
    page.get_by_role("button", name="Search").first.click()
    expect(page.get_by_role("button", name="Stop").first).to_be_visible(timeout=TIMEOUT)
    (job,) = server.wait_for_jobs(
        lambda jobs: [job.status() for job in jobs] != [psutil.STATUS_STOPPED] and len(jobs) == 1
    )
    return job


def test_a_search_is_stopped_killed_forgotten_and_closed_and_nothing_is_left_of_it(
    chromium: Browser, tmp_path: Path
) -> None:
    with running_server(tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="1") as server:
        with watched_page(chromium, server) as (page, watch):
            load_and_accept(page, server, "visits.csv", VISITS)
            go(page, "Frontier")
            job = searching(page, server)
            go(page, "Risk")
            server.wait_for_jobs(lambda jobs: [job.status() for job in jobs] == [psutil.STATUS_STOPPED])
            go(page, "Frontier")
            press(page, "Stop")
            assert searching(page, server) == job, "it goes on where it was"
            job.kill()
            expect(page.get_by_text("The search was ended from outside")).to_be_visible(timeout=TIMEOUT)
            wait_until_idle(page)
            searching(page, server)
            go(page, "Data")
            forget(page)
            server.wait_for_jobs(lambda jobs: not jobs)
            load_and_accept(page, server, "visits.csv", VISITS)
            go(page, "Frontier")
            searching(page, server)
            assert not watch.problems and server.notes() == []
        server.wait_for_jobs(lambda jobs: not jobs)
