"""Settings of every kind stay when other pages are opened: as they are shown, and in what the pages say.

Every setting goes through ``ui/session/keep.py`` (``tests/ui/session/test_keep.py``); here is what
the browser does with its widgets.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import TIMEOUT, Server, choose, go, open_page, open_tab, pick, press, wait_until_idle

COLUMNS = "Columns: each is inferred"


def slide(page: Page, label: str, keys: int) -> None:
    """Press the right arrow so often on a slider, without a wait for what the page makes of it."""
    slider = page.get_by_role("slider", name=label)
    before = int(slider.input_value())
    slider.focus()
    for _ in range(keys):
        slider.press("ArrowRight")
        page.wait_for_timeout(80)  # keys that no hand can press are lost in the browser's own slider
    wait_until_idle(page)
    expect(slider).to_have_value(str(before + keys), timeout=TIMEOUT)
    expect(slider).to_be_focused()


def open_more(page: Page) -> None:
    page.get_by_test_id("stMain").get_by_test_id("stPopoverButton").filter(has_text="More").click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible(timeout=TIMEOUT)
    wait_until_idle(page)


def close_more(page: Page) -> None:
    page.get_by_test_id("stMain").get_by_test_id("stPopoverButton").filter(has_text="More").click()
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0, timeout=TIMEOUT)
    wait_until_idle(page)


def take_out(page: Page, label: str, option: str) -> None:
    """Take one out of a multiselect."""
    chosen(page, label).get_by_role("button", name=f"Remove {option}").click()
    wait_until_idle(page)


def chosen(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stMultiSelect").filter(has_text=label)


def expect_taken_out(page: Page, label: str, option: str, others: int) -> None:
    expect(chosen(page, label).locator("[data-tag]")).to_have_count(others, timeout=TIMEOUT)
    expect(chosen(page, label).get_by_role("button", name=f"Remove {option}")).to_have_count(0)


def expect_picked(page: Page, label: str, option: str) -> None:
    """An option of a selectbox or, by the name of the group, of a segmented control."""
    group = page.get_by_role("radiogroup", name=label)
    expect(group.or_(page.get_by_role("combobox", name=label, exact=True)).first).to_be_visible(timeout=TIMEOUT)
    if group.count():
        expect(group.get_by_role("radio", name=option, exact=True)).to_be_checked(timeout=TIMEOUT)
    else:
        expect(page.get_by_role("combobox", name=label, exact=True)).to_have_value(option, timeout=TIMEOUT)


def figures(page: Page) -> list[str]:
    """The figures at the top of the page, once they are drawn."""
    page.wait_for_timeout(500)
    wait_until_idle(page)
    return page.get_by_test_id("stMetric").all_inner_texts()


def expect_figures(page: Page, noted: list[str]) -> None:
    figures(page)
    expect(page.get_by_test_id("stMetric")).to_have_text(noted, use_inner_text=True, timeout=TIMEOUT)


def set_all(page: Page) -> int:
    """One setting of each kind; returns how many columns are left of those that are looked at."""
    open_more(page)
    columns = chosen(page, COLUMNS).locator("[data-tag]").count()
    take_out(page, COLUMNS, "race")
    page.get_by_text("An attacker may know nothing").click()
    wait_until_idle(page)
    close_more(page)
    choose(page, "Measure", "Peers")
    slide(page, "Red up to", 3)
    pick(page, "The attacker knows", "any 2 of the others")
    return columns - 1


def check(page: Page) -> None:
    expect_picked(page, "Measure", "Peers")
    expect(page.get_by_role("slider", name="Red up to")).to_have_value("3", timeout=TIMEOUT)
    expect_picked(page, "The attacker knows", "any 2 of the others")


def check_more(page: Page, columns: int) -> None:
    expect_taken_out(page, COLUMNS, "race", columns)
    expect(page.get_by_role("switch", name="An attacker may know nothing")).to_be_checked(timeout=TIMEOUT)


@pytest.mark.repeats
def test_settings_of_every_kind_stay_when_other_pages_are_opened(page: Page, server: Server) -> None:
    open_page(page, server, "individuals")
    press(page, "Try with the admissions sample")
    before = figures(page)
    columns = set_all(page)
    check(page)
    noted = figures(page)
    assert noted != before, "nothing that is said depends on what was set"
    go(page, "Risk")
    go(page, "Individuals")
    check(page)
    expect_figures(page, noted)
    open_tab(page, "How it works")  # the browser sends what its widgets hold
    check(page)
    expect_figures(page, noted)
    open_more(page)  # now there are those in there as well
    check_more(page, columns)
    close_more(page)
    expect(page.get_by_test_id("stAlert").filter(has_text="went wrong")).to_have_count(0)
