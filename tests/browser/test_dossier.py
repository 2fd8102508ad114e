"""From a sample to a filed dossier in the browser: the case, the release, the report in two languages, the register."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from anonlib.filing.register import FolderRegister
from tests.browser.app import (
    TIMEOUT,
    Server,
    go,
    leave_anyway,
    open_page,
    open_tab,
    pick,
    press,
    saved,
    wait_until_idle,
)
from tests.browser.conftest import running_server, watched_page
from tests.browser.look import nameless, overflowing

PURPOSE = "Which comorbidities prolong stays after hip surgery?"


def fill(page: Page, label: str, text: str) -> None:
    box = page.get_by_label(label, exact=True).first
    box.fill(text)
    box.press("Tab")
    wait_until_idle(page)


@pytest.fixture
def server_with_register(tmp_path: Path) -> Iterator[Server]:
    """A server that was started with the folder of a register, which is made already: the server writes no key."""
    (tmp_path / "register").mkdir()
    (tmp_path / "server").mkdir()
    FolderRegister.create(tmp_path / "register")
    with running_server(tmp_path / "server", ANONSCOPE_REGISTER=str(tmp_path / "register")) as server:
        yield server


# Pages of a case, a report and the register have tests of their own; test_journey.py takes a release and a report home.
@pytest.mark.repeats
def test_a_case_is_released_filed_and_entered_in_the_register(
    chromium: Browser, server_with_register: Server, tmp_path: Path
) -> None:
    with watched_page(chromium, server_with_register) as (page, watch):
        _released_filed_and_entered(page, server_with_register, tmp_path)
        assert not watch.problems


def _released_filed_and_entered(page: Page, server: Server, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "case")
    page.get_by_role("button", name="Try with the admissions sample").click()
    expect(page.get_by_label("Title", exact=True)).to_be_visible(timeout=TIMEOUT)
    wait_until_idle(page)
    for label, text in (("Title", "Length of stay"), ("Reference", "EC 1/26"), ("Recipient", "University of Example")):
        fill(page, label, text)
    fill(page, "Purpose", PURPOSE)
    assert overflowing(page) == [] and nameless(page) == []

    go(page, "Register")
    press(page, "Open the register")
    expect(page.get_by_text("No release is entered yet")).to_be_visible(timeout=TIMEOUT)
    go(page, "Release")
    leave_anyway(page)
    file = saved(page, "Released CSV", tmp_path)
    (entry,) = FolderRegister.open(tmp_path / "register").entries()
    assert dict(entry.formats) == {"CSV": hashlib.sha256(file).hexdigest()} and entry.case.purpose == PURPOSE
    go(page, "Register")
    expect(page.get_by_text("In the register: No. 1")).to_be_visible(timeout=TIMEOUT)
    open_tab(page, "One release")
    expect(page.get_by_text("University of Example").first).to_be_visible()
    assert overflowing(page) == [] and nameless(page) == []

    go(page, "Report")
    pick(page, "Form of the report", "Ethics board")
    wait_until_idle(page)
    pick(page, "Language", "Deutsch")
    wait_until_idle(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report (PDF)").click()
    name = waiting.value.suggested_filename
    assert name.startswith("EC-1-26-ethics-") and name.endswith("-de.pdf")
    document = PdfReader(io.BytesIO(Path(waiting.value.path()).read_bytes()))
    assert document.trailer["/Root"]["/Lang"] == "de" and PURPOSE in document.pages[0].extract_text()
    pick(page, "Form of the report", "EHDS data-set record")
    wait_until_idle(page)
    record = zipfile.ZipFile(io.BytesIO(saved(page, "Record (zip)", tmp_path)))
    assert {"dataset.jsonld", "dictionary.json", "sample.csv"} <= set(record.namelist())
    assert overflowing(page) == [] and nameless(page) == []
