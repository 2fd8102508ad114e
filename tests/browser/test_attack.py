"""A release is attacked, a copy made elsewhere is found out, and a sheet for an intruder is scored."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import IDLE_TIMEOUT, Server, open_page, press, upload, wait_until_idle
from tests.helpers.app import visits


def open_fold(page: Page, name: str) -> None:
    page.get_by_test_id("stExpander").filter(has_text=name).locator("summary").click()
    wait_until_idle(page)


# tests/pages/measure/attack makes the same gestures without a browser.
@pytest.mark.repeats
def test_a_release_is_attacked_as_it_is_and_a_sheet_is_scored(page: Page, server: Server) -> None:
    """Nothing waits for a button; no request goes to another host, as the page of these tests sees to."""
    open_page(page, server, "data")
    upload(page, "visits.csv", visits())
    press(page, "Accept suggestions")
    page.get_by_test_id("stTopNavSection").filter(has_text="Look deeper").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Attack").click()
    for kind in ("Found", "Linked", "Guessed"):
        expect(page.get_by_text(re.compile(rf"{kind} \("))).to_be_visible(timeout=IDLE_TIMEOUT)
    expect(page.get_by_text(re.compile("conditions on three columns"))).to_be_visible()
    page.get_by_role("slider", name="Columns of a condition").press("ArrowLeft")
    wait_until_idle(page)
    expect(page.get_by_text(re.compile("conditions on two columns"))).to_be_visible()
    open_fold(page, "Another file")
    upload(page, "copy.csv", visits(), label="made of the original elsewhere")
    expect(page.get_by_text(re.compile(r"are a record of the original in all \d+ columns"))).to_be_visible()
    open_fold(page, "Intruder")
    with page.expect_download() as sent:
        page.get_by_role("button", name="Sheet for the intruder").click()
    sheet = pd.read_excel(BytesIO(Path(sent.value.path()).read_bytes()), dtype=str, engine="openpyxl")
    assert len(sheet) == 20 and sheet["record"].isna().all()
    filled = sheet.assign(record="1").to_csv(index=False).encode()
    upload(page, "filled.csv", filled, label="as it was filled in")
    expect(page.get_by_text(re.compile("Of 20 targets .* were claimed rightly"))).to_be_visible()
