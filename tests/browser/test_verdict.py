"""From a file of one's own to a taken proposal and the file that leaves, by the verdict."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from anonlib.release.detail import detail_lost
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import BY_KEY
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from tests.browser.app import (
    Server,
    accept_all,
    forget,
    go,
    load_and_accept,
    metric,
    open_page,
    option_of,
    press,
    saved,
    upload,
    wait_until_idle,
)
from tests.helpers.ways import part_by_part

ROOT = Path(__file__).resolve().parents[2]
ADMISSIONS = ROOT / "data" / "samples" / "admissions.csv"
ADULT = ROOT.parent / "shared" / "data" / "adult.csv"


def dataset(data: bytes, name: str, roles: dict) -> Dataset:
    source = open_source(data, name)
    return Dataset(name, source.digest, FrameRecords(apply_missing_marks(source.frame, DEFAULT_MARKS)), roles=roles)


def some_visits(n: int) -> bytes:
    """The first visits of the sample: no search of them takes long."""
    return b"".join(ADMISSIONS.read_bytes().splitlines(keepends=True)[: n + 1])


def ask_for_a_public_release(page: Page, server: Server) -> None:
    """From an upload to the proposals."""
    open_page(page, server)
    upload(page, "visits.csv", some_visits(1500))
    go(page, "Data")
    accept_all(page)
    page.get_by_test_id("stTopNavLink").filter(has_text="Verdict").click()
    expect(page.get_by_text(re.compile("Not yet for a release under contract"))).to_be_visible()
    option_of(page, "Recipient", "Public release").click()
    wait_until_idle(page)
    expect(page.get_by_text(re.compile("Not yet for a public release"))).to_be_visible()
    expect(page.get_by_text(re.compile("^(Best proposal|Not enough): ")).first).to_be_visible()
    wait_until_idle(page)


def test_from_an_upload_to_a_taken_proposal_and_the_file(page: Page, server: Server, tmp_path: Path) -> None:
    """Ten clicks and keys at most, the file dialog aside."""
    best = page.get_by_text(re.compile("^Best proposal: "))
    for _ in range(3):  # the coins of a file are drawn when it is opened, and may refuse too much
        ask_for_a_public_release(page, server)
        if best.count():
            break
        go(page, "Data")
        forget(page)
    expect(best).to_be_visible()
    page.get_by_role("button", name="Take this").first.click()
    expect(page.get_by_text("In the recipe:").first).to_be_visible()
    wait_until_idle(page)
    open_line = page.locator("summary").filter(has_text="Not met")
    may_leave = page.get_by_text("May leave for a public release")
    for _ in range(3):  # columns that tell what was recoded, or that nobody has counted
        expect(open_line.or_(may_leave).first).to_be_visible()
        if not may_leave.is_visible():
            open_line.first.click()
            page.get_by_role("button", name="Mend").first.click()
            wait_until_idle(page)
    expect(may_leave).to_be_visible()
    expect(page.get_by_role("link", name="May leave · Public release")).to_be_visible()
    go(page, "Release")
    released = saved(page, "Released CSV", tmp_path)
    assert b"Everett" not in released and released.count(b"\n") > 1200


# tests/pages/verdict/verdict/test_verdict.py: a look opens the tab and the number that a criterion asks.
@pytest.mark.repeats
def test_a_look_at_another_page_opens_on_what_the_criterion_asks(page: Page, server: Server) -> None:
    open_page(page, server)
    page.locator(".st-key-open-weight_loss button:visible").first.click()
    wait_until_idle(page)
    go(page, "Verdict")
    page.get_by_text("Nobody's value is learned").first.click()  # else it is measured, and no criterion
    wait_until_idle(page)
    page.locator("summary").filter(has_text="Inference").first.click()
    page.get_by_role("button", name="Individuals").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Individuals")
    wait_until_idle(page)
    expect(page.get_by_role("combobox", name="The attacker knows")).to_have_value(re.compile("any 2 of the others"))


@pytest.mark.repeats
@pytest.mark.skipif(not ADULT.exists(), reason="the Adult data are not beside the repository")
def test_adult_is_proposed_what_the_library_finds(page: Page, server: Server) -> None:
    open_page(page, server)
    upload(page, "adult.csv", ADULT.read_bytes())
    go(page, "Data")
    press(page, "Accept suggestions")
    wait_until_idle(page)
    # What is found first is on the page while other ways are searched for, for half a minute.
    page.get_by_test_id("stTopNavLink").filter(has_text="Verdict").click()
    known = ["age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"]
    roles = dict.fromkeys(known, "quasi_identifier") | {"salary": "sensitive"}
    data = dataset(ADULT.read_bytes(), "adult.csv", roles)
    found = part_by_part(Adviser(Asked(data, BY_KEY["contract"].criteria)))
    assert isinstance(found, Proposal)
    expect(page.get_by_text(re.compile("^Best proposal: mixed coarseness"))).to_be_visible(timeout=60_000)
    recipe = found.taken(Recipe(), data)
    applied = recipe.apply(data)
    lost = detail_lost(applied, levels_of(applied, recipe))
    assert lost is not None
    expect(metric(page, "Detail lost").first).to_contain_text(words.percent(lost.share))
    expect(metric(page, "Rows kept").first).to_contain_text(words.percent(found.kept))


@pytest.mark.repeats
def test_the_sentence_and_what_the_best_proposal_costs_stand_above_the_fold(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    load_and_accept(page, server, "weight_loss.csv", (ADMISSIONS.parent / "weight_loss.csv").read_bytes())
    go(page, "Verdict")
    option_of(page, "Recipient", "Public release").click()
    wait_until_idle(page)
    best = page.get_by_text(re.compile("^Best proposal: "))
    for seen in (page.get_by_text(re.compile("Not yet for a public release")), best, metric(page, "Detail lost")):
        expect(seen).to_be_visible()  # proposals are searched while the page stands
        box = seen.bounding_box()
        assert box is not None and box["y"] + box["height"] <= 900
