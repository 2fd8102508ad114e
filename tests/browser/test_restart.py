"""Anonscope is stopped and started again while a page is open: the page says so, and asks for nothing else."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.browser.app import VISITS, click_link, go, load_and_accept, upload
from tests.browser.conftest import running_server, watched_page

GONE = "The session of this page is gone"
WAITS = 60_000  # milliseconds: Streamlit's page tries to connect less and less often


def test_an_open_page_says_that_nothing_answers_and_then_that_its_session_is_gone(
    chromium: Browser, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with running_server(tmp_path / "first") as server:
        context = watched_page(chromium, server)
        page, _ = context.__enter__()
        load_and_accept(page, server, "visits.csv", VISITS)
        loaded = page.get_by_test_id("stSidebar").get_by_text("2,000 rows, 8 columns")
        expect(loaded).to_be_visible()
    try:
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("Anonscope does not answer")).to_be_visible(timeout=WAITS)
        assert "internet" not in dialog.inner_text() and "Streamlit" not in dialog.inner_text()
        with running_server(tmp_path / "second", port=urlsplit(server.url).port or 0) as again:
            expect(page.get_by_role("alert").filter(has_text=GONE)).to_be_visible(timeout=WAITS)
            page.get_by_role("alert").filter(has_text=GONE).click()
            click_link(page, "Home")  # who has not read it sees it on the page that comes
            expect(page.get_by_test_id("stAlert").filter(has_text=GONE)).to_be_visible(timeout=WAITS)
            expect(loaded).to_have_count(0)
            go(page, "Data")
            upload(page, "visits.csv", VISITS)
            expect(loaded).to_be_visible()
            expect(page.get_by_text(GONE)).to_have_count(0)
            assert again.notes() == []
    finally:
        context.__exit__(None, None, None)
