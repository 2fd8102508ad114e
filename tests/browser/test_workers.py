"""A search in a process of its own: the page stays quick beside it, and it ends with what it is about."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app import TIMEOUT, VISITS, Server, click_link, forget, go, load_and_accept, pick, wait_until_idle
from tests.browser.conftest import running_server, watched_page

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are such processes on Linux")


def searching(page: Page, server: Server) -> psutil.Process:
    """The process of a search that was started on the Frontier page."""
    pick(page, "Effort", "300")
    page.get_by_role("button", name=re.compile("^Search for")).click()
    expect(page.get_by_role("button", name="Stop").first).to_be_visible(timeout=TIMEOUT)
    return running(server)


def running(server: Server) -> psutil.Process:
    return next(job for job in server.wait_for_jobs(lambda jobs: not stand_still(jobs)) if not stand_still([job]))


def stand_still(jobs: list[psutil.Process]) -> bool:
    """Whether none of them runs."""
    return all(job.status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE) for job in jobs if job.is_running())


def test_a_search_is_stopped_killed_forgotten_and_closed_and_nothing_is_left_of_it(
    chromium: Browser, tmp_path: Path
) -> None:
    with running_server(tmp_path, STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="1") as server:
        with watched_page(chromium, server) as (page, watch):
            load_and_accept(page, server, "visits.csv", VISITS)
            go(page, "Frontier")
            job = searching(page, server)
            go(page, "Risk")
            server.wait_for_jobs(lambda jobs: job in jobs and stand_still(jobs))
            click_link(page, "Frontier")
            assert running(server) == job, "it goes on where it was"
            job.kill()
            server.wait_for_jobs(lambda jobs: job not in jobs)
            running(server).kill()  # where it had stood still, it began again by itself
            expect(page.get_by_text("The search was ended from outside").first).to_be_visible(timeout=TIMEOUT)
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
