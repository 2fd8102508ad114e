"""A file that is given while the page changes is taken, or the page says that it was not."""

from __future__ import annotations

import os
import signal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import VISITS, Server, go, open_page, upload, wait_until_idle

NOT_TAKEN = "The page was changing while visits.csv was given to it"


def test_a_file_given_while_the_page_changes_is_not_lost_without_a_word(page: Page, server: Server) -> None:
    open_page(page, server, "risk")
    os.kill(server.pid, signal.SIGSTOP)  # a server that is busy with others: the page stays as it is for a while
    try:
        page.get_by_test_id("stTopNavLink").filter(has_text="Data").click(no_wait_after=True)
        file = {"name": "visits.csv", "mimeType": "text/csv", "buffer": VISITS}
        page.get_by_test_id("stFileUploader").first.locator("input[type='file']").set_input_files([file])  # type: ignore[list-item]
        page.wait_for_timeout(200)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    refused = page.get_by_test_id("stAlert").filter(has_text=NOT_TAKEN)
    taken = page.get_by_test_id("stSidebar").get_by_text("visits.csv")
    expect(refused.or_(taken).first).to_be_visible(timeout=30_000)  # which of both, the machine's pace decides
    wait_until_idle(page)
    if not taken.is_visible():
        upload(page, "visits.csv", VISITS)
    page.wait_for_timeout(7_000)  # longer than a file is looked for
    wait_until_idle(page)
    expect(page.get_by_text("2,000 rows").first).to_be_visible()
    expect(page.get_by_text(NOT_TAKEN)).to_have_count(0)
    assert server.uploaded_bytes() == 0


GIVE = """(input, [name, text]) => {
    const files = new DataTransfer()
    files.items.add(new File([text], name))
    input.files = files.files
    input.dispatchEvent(new Event("change", { bubbles: true }))
}"""
"""As the browser does once a file is chosen, whether or not the control is still on the page."""


@pytest.mark.repeats
def test_a_file_chosen_for_a_control_that_is_gone_goes_to_the_one_in_its_place_or_the_page_says_so(
    page: Page, server: Server
) -> None:
    open_page(page, server, "risk")
    control = page.get_by_test_id("stFileUploader").first.locator("input[type='file']").element_handle()
    go(page, "Schedules")  # which asks for other files
    control.evaluate(GIVE, ["visits.csv", VISITS.decode()])
    expect(page.get_by_role("alert").filter(has_text=NOT_TAKEN)).to_be_visible()
    page.get_by_role("alert").filter(has_text=NOT_TAKEN).click()
    go(page, "Data")
    control.evaluate(GIVE, ["visits.csv", VISITS.decode()])
    expect(page.get_by_test_id("stSidebar").get_by_text("visits.csv")).to_be_visible()
    expect(page.get_by_text(NOT_TAKEN)).to_have_count(0)
