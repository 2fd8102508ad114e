"""The way of an officer through the app: load, say what columns are, see the risk, protect, take home, check."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from anonlib.analyses.risk import assess
from anonlib.basics import words
from anonlib.columns.roles import suggest_roles
from anonlib.dataset import Dataset
from anonlib.filing.evidence import evidence_of
from anonlib.reading.records import FrameRecords
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from tests.browser.app import (
    TIMEOUT,
    VISITS,
    Server,
    accept_all,
    below,
    choose,
    click_link,
    click_picture,
    forget,
    go,
    leave_anyway,
    load_and_accept,
    metric,
    open_builder,
    open_page,
    option_of,
    pick,
    press,
    saved,
    step,
    upload,
    wait_until_idle,
)
from tests.browser.conftest import watched_page
from tests.browser.look import nameless, overflowing
from tests.helpers.app import visits


def accepted(data: bytes, name: str) -> Dataset:
    """The data set of a file with its suggested roles, made by the library."""
    source = open_source(data, name)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    return Dataset(name, source.digest, FrameRecords(frame), roles={s.column: s.role for s in suggest_roles(frame)})


def press_fast(page: Page, key: str, times: int) -> None:
    """Keys of the slider of k, while the page is still computing: an answer to an earlier one does not move it back."""
    slider = page.get_by_role("slider", name=re.compile("^k"))
    slider.focus()
    for _ in range(times):
        slider.press(key)
        page.wait_for_timeout(70)  # keys that no hand can press are lost in the browser's own slider
    wait_until_idle(page)


def take_out_a_step_and_load_the_recipe_again(page: Page, path: Path) -> None:
    """A double click takes out one step; the recipe that was saved before has it."""
    steps = step(page, "Remove step").count()
    assert steps >= 2
    recipe = saved(page, "Save recipe", path)
    step(page, "Remove step 1").dblclick()
    expect(step(page, "Remove step")).to_have_count(steps - 1)
    wait_until_idle(page)
    expect(step(page, "Remove step")).to_have_count(steps - 1)
    press(page, "Load recipe")
    upload(page, "recipe.json", recipe, label="A recipe saved here")
    page.keyboard.press("Escape")
    wait_until_idle(page)
    expect(page.get_by_text(re.compile("recipe.json is loaded"))).to_be_visible()
    expect(step(page, "Remove step")).to_have_count(steps)


def what_is_filed_is_of_this_release(page: Page, folder: Path, released: bytes, records: int) -> None:
    """The report on screen, as PDF and as JSON name the very file that was taken home, and none of its names."""
    go(page, "Report")
    wait_until_idle(page)
    shown = page.frame_locator("iframe").get_by_role("heading", level=1)
    expect(shown).to_have_text(re.compile("^Re-identification risk assessment"), timeout=TIMEOUT)
    evidence = evidence_of(saved(page, "Evidence (JSON)", folder))
    assert evidence.released is not None and evidence.released.records == records
    assert evidence.released.sha256 == sha256(released).hexdigest()
    pdf = saved(page, "Report (PDF)", folder)
    text = "".join(part.extract_text() for part in PdfReader(io.BytesIO(pdf)).pages)
    assert evidence.released.sha256 in re.sub(r"\s", "", text) and "Person 1 Example" not in text
    assert overflowing(page) == [] and nameless(page) == []


def test_from_a_file_to_a_release_that_has_the_k_it_stated(page: Page, server: Server, tmp_path: Path) -> None:
    load_and_accept(page, server, "visits 2024.csv", VISITS)
    data = accepted(VISITS, "visits 2024.csv")
    assert {"age", "sex", "zip", "visit_date"} <= set(data.quasi_identifiers)

    go(page, "Risk")
    expected = assess(data.classes(), k=5)
    expect(metric(page, "k, the smallest class")).to_have_text(str(expected.k))
    expect(metric(page, "Average risk")).to_have_text(words.percent(expected.prosecutor.average))
    expect(below(page, 5)).to_have_text(f"{expected.below_k:,}")
    press_fast(page, "ArrowRight", 12)
    slider = page.get_by_role("slider", name=re.compile("^k"))
    expect(slider).to_have_value("17")
    expect(below(page, 17)).to_be_visible()
    press_fast(page, "ArrowLeft", 9)
    eight = assess(data.classes(), k=8)
    expect(below(page, 8)).to_have_text(f"{eight.below_k:,}")
    expect(slider).to_be_focused()

    go(page, "Release")
    for column, way in (("age", "Intervals"), ("zip", "First or last characters"), ("visit_date", "Date part")):
        open_builder(page)
        choose(page, "Kind of step", "Recode")
        pick(page, "Column", column)
        choose(page, "Way", way)
        press(page, "Add to recipe")
    open_builder(page)
    choose(page, "Kind of step", "Leave out")
    press(page, "Add to recipe")
    expect(page.get_by_text("Leave out records in classes below 8")).to_be_visible()
    shown = metric(page, "k, the smallest class")
    expect(shown).to_have_text(re.compile(rf"^{expected.k} → ([89]|\d\d+)$"))
    message = shown.inner_text()
    before, after = (int(number.replace(",", "")) for number in re.findall(r"[\d,]+", message))
    assert before == expected.k and after >= 8

    mapping = saved(page, "Value mapping", tmp_path)
    assert mapping.splitlines()[0] == b"step,column,value,released as,records"
    take_out_a_step_and_load_the_recipe_again(page, tmp_path)
    expect(shown).to_have_text(message)

    leave_anyway(page)

    released = saved(page, "Released CSV", tmp_path)
    assert [path.name for path in tmp_path.glob("*-released.csv")] == ["visits 2024-released.csv"]
    header, *rows = csv.reader(io.StringIO(released.decode(), newline=""))
    assert not {"full_name"} & set(header), "identifiers are gone"
    assert b"Person 1 Example" not in released and not re.search(rb"R\d{7}", released)
    places = [header.index(name) for name in ("age", "sex", "zip", "visit_date")]
    assert min(Counter(tuple(row[place] for place in places) for row in rows).values()) == after
    what_is_filed_is_of_this_release(page, tmp_path, released, len(rows))

    go(page, "Data")
    upload(page, "released.csv", released)
    accept_all(page)
    go(page, "Risk")
    expect(metric(page, "k, the smallest class")).to_have_text(str(after))
    expect(below(page, 8)).to_have_text("0")  # the k of before: it is the officer's, not the file's


def test_two_browsers_never_see_each_others_data(page: Page, chromium: Browser, server: Server) -> None:
    mine = page
    with watched_page(chromium, server) as (theirs, their_watch):
        load_and_accept(mine, server, "mine.csv", VISITS)
        open_page(theirs, server, "risk")
        expect(theirs.get_by_text("Nothing is loaded yet")).to_be_visible()
        go(theirs, "Data")
        upload(theirs, "theirs.csv", visits(500, seed=9))
        accept_all(theirs)
        go(theirs, "Risk")
        go(mine, "Risk")
        for tab, own, other, data in (
            (mine, "mine.csv", "theirs.csv", VISITS),
            (theirs, "theirs.csv", "mine.csv", visits(500, seed=9)),
        ):
            expect(tab.get_by_test_id("stSidebar").get_by_text(own)).to_be_visible()
            expect(tab.get_by_text(other)).to_have_count(0)
            expected = assess(accepted(data, own).classes(), k=5)
            expect(below(tab, 5)).to_have_text(f"{expected.below_k:,}")
        go(theirs, "Data")
        forget(theirs)
        go(mine, "Release")
        expect(mine.get_by_test_id("stSidebar").get_by_text("mine.csv")).to_be_visible()
        assert not their_watch.problems


@pytest.mark.repeats
def test_who_clicks_on_at_once_loses_nothing_and_a_clicked_bar_says_what_is_in_it(page: Page, server: Server) -> None:
    """A file that is being opened is there although the next page was asked for meanwhile; so it is with a preset."""
    open_page(page, server)
    for pause, sample, k in ((20, "admissions", 20), (120, "weight_loss", 11)):
        if sample != "admissions":
            click_link(page, "Home")
            expect(page.get_by_role("heading", level=1)).to_have_text("Anonscope")
            wait_until_idle(page)
        page.locator(f".st-key-open-{sample} button:visible").first.click()
        page.wait_for_timeout(pause)
        click_link(page, "Risk")
        expect(page.get_by_role("heading", level=1)).to_have_text("Risk")
        wait_until_idle(page)
        expect(page.get_by_test_id("stSidebar").get_by_text(f"{sample}.csv", exact=True)).to_be_visible()
        if sample == "admissions":
            bar = page.locator(".js-plotly-plot .bars .point path").first.bounding_box()
            assert bar is not None  # below the axis a bar of a logarithmic one is not seen
            in_words = page.get_by_role("heading", name=re.compile("Classes of 1 person"))
            click_picture(page, bar["x"] + 20, bar["y"] + 40, in_words)
            expect(page.get_by_text("picks the right record with probability 100%")).to_be_visible()
        option = option_of(page, "Threshold", re.compile(f"k = {k}"))
        option.click()
        expect(option).to_have_count(0)  # the list lies over the tab until it has closed
        page.get_by_role("tab", name="Quasi-identifiers", exact=True).click()
        expect(below(page, k)).to_be_visible()
        wait_until_idle(page)
        expect(page.get_by_role("slider", name=re.compile("^k"))).to_have_value(str(k))
        expect(page.get_by_role("tab", name="Quasi-identifiers")).to_have_attribute("aria-selected", "true")
