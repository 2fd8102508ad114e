"""Several tables given at once: one case, judged, and taken home as a zip of files whose keys fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import IDLE_TIMEOUT, Server, go, leave_anyway, open_page, press, saved, wait_until_idle
from tests.helpers.three_tables import files, unzipped


# tests/pages/test_tables.py gives and releases tables without a browser.
@pytest.mark.repeats
def test_three_tables_given_at_once_leave_as_a_zip(page: Page, server: Server, tmp_path: Path) -> None:
    open_page(page, server, "data")
    given = [{"name": name, "mimeType": kind, "buffer": data} for name, data, kind in files()]
    page.get_by_test_id("stFileUploader").first.locator("input[type='file']").set_input_files(given)  # type: ignore[arg-type]
    expect(page.get_by_text("3 tables are looked at as one")).to_be_visible(timeout=IDLE_TIMEOUT)
    wait_until_idle(page)
    expect(page.locator("[data-testid='stPlotlyChart']").first).to_be_visible()
    press(page, "Accept suggestions")
    go(page, "Release")
    leave_anyway(page)
    tables = unzipped(saved(page, "Released CSV", tmp_path))
    assert list(tables) == ["patients", "visits", "values"]
    assert {row["visit_id"] for row in tables["values"]} <= {row["visit_id"] for row in tables["visits"]}
    assert {row["patient_id"] for row in tables["visits"]} <= {row["patient_id"] for row in tables["patients"]}
