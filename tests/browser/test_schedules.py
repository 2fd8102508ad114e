"""The Schedules page in the browser: a county is invited, by a rule, to slots changed by hand or from a file."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from anonlib.counting.classes import anonymity_vector
from tests.browser.app import Server, choose, metric, open_page, pick, press, upload, wait_until_idle
from tests.browser.look import nameless, overflowing
from tools.samples.screening import N_PEOPLE, screening_county, screening_county_slots

TIMEOUT = 20_000  # milliseconds; a slow machine draws late
K, BELOW = "k, the smallest", "People below k"
FORMULA = "=HYPERLINK(1)"


def open_tab(page: Page, name: str) -> None:
    tab = page.get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true", timeout=TIMEOUT)
    wait_until_idle(page)
    assert overflowing(page) == [] and nameless(page) == [], name


def downloaded(page: Page, path: Path, name: str = "invitations.csv") -> list[dict[str, str]]:
    """The invitations that are taken home, in a file of this name."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Invitations (CSV)").click()
    assert waiting.value.suggested_filename == name
    waiting.value.save_as(path)
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def check(page: Page, rows: list[dict[str, str]], slot: tuple[str, ...]) -> None:
    """Everyone is invited once, and the classes are those that the page counts."""
    assert [row["person"] for row in rows] == screening_county()["person"].tolist()
    classes = Counter((row["birth_year"], row["municipality"], *(row[name] for name in slot)) for row in rows)
    vector = anonymity_vector(list(classes.values()))
    assert metric(page, K).inner_text().split(" ")[-1] == f"{vector.k:,}"
    assert metric(page, BELOW).inner_text().split(" ")[-1] == f"{vector.people_below(5):,}"


# tests/pages/collect/schedules invites by rules, changes slots and takes invitations home.
@pytest.mark.repeats
def test_a_county_is_invited_by_a_rule_to_slots_that_are_changed(page: Page, server: Server, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "schedules")
    expect(page.get_by_text("Nothing is loaded:")).to_be_visible()
    press(page, "Try with a county to invite")
    expect(metric(page, BELOW)).to_have_text("1,180 → 38", timeout=TIMEOUT)
    expect(page.get_by_text("Proven: no schedule of these people and slots has")).to_be_visible()
    assert overflowing(page) == [] and nameless(page) == []

    page.get_by_test_id("stCheckbox").filter(has_text="Own region only").locator("label").first.click()
    wait_until_idle(page)
    expect(page.get_by_text("What the rules cost:")).to_be_visible(timeout=TIMEOUT)
    open_tab(page, "Grid")
    expect(page.get_by_role("button", name="Whole grid (CSV)")).to_be_visible()
    open_tab(page, "Invitations")
    rows = downloaded(page, tmp_path / "first.csv")
    assert len(rows) == N_PEOPLE and all(row["municipality"] == row["slot municipality"] for row in rows)
    check(page, rows, ("centre", "date", "hour"))

    open_tab(page, "Change slots")
    expect(page.get_by_text("52 slots with 1,336 places: 156 to spare.")).to_be_visible()
    change_first(page, "none")
    expect(page.get_by_text("Slots, row 1: “places” is not a number.")).to_be_visible(timeout=TIMEOUT)
    change_first(page, "0")
    expect(page.get_by_text("51 slots with 1,302 places: 122 to spare.")).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_text("6 places are missing").first).to_be_visible(timeout=TIMEOUT)
    open_tab(page, "Invitations")
    expect(page.get_by_role("button", name="Invitations (CSV)")).to_be_disabled()
    page.get_by_text("Take these invitations although they break the rules").click()
    wait_until_idle(page)
    rows = downloaded(page, tmp_path / "second.csv", "invitations_rules_not_kept.csv")
    closed = tuple(screening_county_slots().iloc[0][["centre", "date", "hour"]])
    assert len(rows) == N_PEOPLE and closed not in {(row["centre"], row["date"], row["hour"]) for row in rows}
    check(page, rows, ("centre", "date", "hour"))


def change_first(page: Page, places: str) -> None:
    """The places of the first slot, by a double click; waits between, as a hand would need."""
    table = page.get_by_test_id("stDataFrame").last
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    box = table.locator("canvas").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 60, box["y"] + 50)
    page.wait_for_timeout(500)
    page.mouse.dblclick(box["x"] + box["width"] - 60, box["y"] + 50)
    page.wait_for_timeout(500)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(places, delay=50)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    wait_until_idle(page)


@pytest.mark.repeats
def test_slots_of_a_file_are_loaded_and_its_formulas_do_nothing(page: Page, server: Server, tmp_path: Path) -> None:
    open_page(page, server, "schedules")
    press(page, "Try with a county to invite")
    page.get_by_role("button", name="Load", exact=True).click()
    slots = f"room,seats\n{FORMULA},700\n@home,400\n<b>bold</b>,300\n"
    upload(page, "rooms.csv", slots.encode(), label="Load a table of slots")
    page.keyboard.press("Escape")
    expect(page.get_by_text("The slots of rooms.csv are loaded.")).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_text("3 slots with 1,400 places: 220 to spare.")).to_be_visible()
    pick(page, "Schedule to take", "Random")
    open_tab(page, "Invitations")
    rows = downloaded(page, tmp_path / "rooms.csv")
    check(page, rows, ("room",))
    assert {row["room"] for row in rows} == {"'" + FORMULA, "'@home", "<b>bold</b>"}
    shown = page.get_by_test_id("stDataFrame").last.locator("tbody tr")
    first = [row.locator("td").all_inner_texts() for row in shown.all()[:8]]
    assert [cells[-1] for cells in first] == [row["room"].removeprefix("'") for row in rows[:8]], "as the page shows"
    choose(page, "Where there is room", "Made up")
    open_tab(page, "Change slots")
    press(page, "Take them over")
    expect(page.get_by_text("1,239 places: 59 to spare.")).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_role("radio", name="A table")).to_be_checked()
