"""The Leakage page in the browser: a bar clicked, a limit by keyboard, and a recipe."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Server, click_picture, go, metric, open_page, open_tab, press, wait_until_idle
from tests.browser.look import nameless, overflowing

TIMEOUT = 20_000  # milliseconds; a slow machine draws late


def bars(page: Page) -> Locator:
    """The bars of the average loss, from the last column to the leakiest."""
    points = page.get_by_test_id("stPlotlyChart").first.locator(".barlayer .trace").first.locator(".point path")
    expect(points.first).to_be_attached(timeout=TIMEOUT)
    wait_until_idle(page)
    return points


# tests/pages/measure/leakage has its figures; pictures and sliders are used in test_regions.py and test_individuals.py.
@pytest.mark.repeats
def test_a_bar_a_limit_and_a_recipe(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "leakage")
    press(page, "Try with the admissions sample")
    expect(page.get_by_text("On average admission_date")).to_be_visible(timeout=TIMEOUT)
    expect(metric(page, "Leakiest: admission_date")).to_have_text("72.9%")

    box = bars(page).nth(5).bounding_box()  # diagnosis is the third of eight
    assert box is not None
    reports = page.get_by_text("On average diagnosis")
    click_picture(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, reports)
    wait_until_idle(page)

    alerts = metric(page, "Alerts")
    before = alerts.inner_text()
    slider = page.get_by_role("slider", name="Classes below")
    slider.focus()
    slider.press("ArrowLeft")
    wait_until_idle(page)
    expect(slider).to_have_value("4")
    expect(slider).to_be_focused()
    expect(page.get_by_text("a class below 4")).to_be_visible(timeout=TIMEOUT)
    assert int(alerts.inner_text()) <= int(before), "a lower limit is passed by fewer"

    go(page, "Release")
    press(page, "Start with these steps")
    go(page, "Leakage")
    expect(metric(page, "Leakiest: diagnosis")).to_have_text("41.6% → 41.9%", timeout=TIMEOUT)
    expect(page.get_by_role("radio", name="Release")).to_be_checked()
    expect(page.get_by_text("Utility gone").first).to_be_visible(timeout=TIMEOUT)
    open_tab(page, "Original and release")
    expect(page.get_by_test_id("stPlotlyChart").nth(1)).to_contain_text("utility gone", timeout=TIMEOUT)
    assert overflowing(page) == [] and nameless(page) == []
    expect(page.get_by_test_id("stAlert").filter(has_text="went wrong")).to_have_count(0)
