"""The Individuals page in the browser: ranges drawn, cells and points clicked, sliders and tabs by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import (
    TIMEOUT,
    Server,
    click_link,
    click_picture,
    metric,
    open_page,
    open_tab,
    press,
    wait_until_idle,
)


def open_sample(page: Page, server: Server) -> None:
    """The admissions of persons, on the Individuals page."""
    open_page(page, server, "individuals")
    press(page, "Try with the admissions sample")
    heatmap(page)


def open_few(page: Page, server: Server) -> None:
    """A sample of so few records that each cell can be clicked."""
    open_page(page, server)
    page.locator(".st-key-open-weight_loss button:visible").first.click()
    wait_until_idle(page)
    click_link(page, "Individuals")
    expect(page.get_by_role("heading", level=1)).to_have_text("Individuals", timeout=TIMEOUT)
    wait_until_idle(page)
    heatmap(page)


def heatmap(page: Page) -> Locator:
    """The first figure, once it is drawn."""
    chart = page.get_by_test_id("stPlotlyChart").first
    expect(chart.locator(".heatmaplayer image").first).to_be_attached(timeout=TIMEOUT)
    wait_until_idle(page)
    return chart


def shown(page: Page) -> list[int]:
    """The first and the last individual that the slider under the picture shows."""
    thumbs = page.get_by_test_id("stSlider").filter(has_text="shown, in this order").get_by_role("slider")
    return [int(str(thumbs.nth(i).input_value())) for i in range(2)]


def expect_shown(page: Page, first: int, last: int) -> None:
    thumbs = page.get_by_test_id("stSlider").filter(has_text="shown, in this order").get_by_role("slider")
    for thumb, value in ((thumbs.nth(0), first), (thumbs.nth(1), last)):
        expect(thumb).to_have_value(str(value), timeout=TIMEOUT)


def draw(page: Page, start: float, end: float) -> None:
    """Draw a range over the picture, from one share of its width to another."""
    area = heatmap(page).locator(".nsewdrag").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * start, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * start + 4, y + 3, steps=4)
    page.mouse.move(box["x"] + box["width"] * end, y + 12, steps=8)
    page.mouse.up()
    page.wait_for_timeout(300)
    wait_until_idle(page)


def test_ranges_are_drawn_and_show_all_goes_back_and_every_control_is_reached_by_keyboard(
    page: Page, server: Server
) -> None:
    """And the first key after a notice leaves the slider focused: nothing is made anew below it when it goes."""
    open_sample(page, server)
    expect(page.get_by_text("is loaded, with its roles accepted")).to_be_visible()
    slider = page.get_by_role("slider", name="Red up to")
    slider.focus()
    page.keyboard.press("ArrowRight")
    wait_until_idle(page)
    expect(page.get_by_text("is loaded, with its roles accepted")).to_have_count(0, timeout=TIMEOUT)
    expect(slider).to_be_focused()

    first, everyone = shown(page)
    assert first == 1 and everyone > 4_000
    figure = metric(page, "Certain in").inner_text()

    draw(page, 0.5, 0.75)
    expect(page.get_by_role("button", name="Show all")).to_be_visible(timeout=TIMEOUT)
    closer = shown(page)
    assert abs(closer[0] - 0.5 * everyone) < 0.02 * everyone and abs(closer[1] - 0.75 * everyone) < 0.02 * everyone
    expect(page.get_by_text(f"Shown: {closer[0]:,} to {closer[1]:,}")).to_be_visible()
    expect(heatmap(page)).to_contain_text(f"{closer[0]:,} to {closer[1]:,}", timeout=TIMEOUT)

    draw(page, 0.2, 0.4)
    expect(page.get_by_text(f"Shown: {closer[0]:,} to")).to_have_count(0, timeout=TIMEOUT)
    within = shown(page)
    assert closer[0] < within[0] < within[1] < closer[1], "a range of the range"

    press(page, "Show all")
    expect_shown(page, 1, everyone)
    expect(page.get_by_role("button", name="Show all")).to_have_count(0)
    expect(metric(page, "Certain in")).to_have_text(figure), "what is shown changes nothing of what is measured"
    the_threshold_by_keyboard(page)
    every_control_by_keyboard(page)
    expect(page.get_by_test_id("stAlert").filter(has_text="went wrong")).to_have_count(0)


def the_threshold_by_keyboard(page: Page) -> None:
    figure = metric(page, "Certain in")
    before = figure.inner_text()
    slider = page.get_by_role("slider", name="Red up to")
    start = int(str(slider.input_value()))
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
        page.wait_for_timeout(80)  # keys that no hand can press are lost in the browser's own slider
    wait_until_idle(page)
    expect(slider).to_have_value(f"{start + 8}", timeout=TIMEOUT)
    expect(slider).to_be_focused()
    expect(page.get_by_text(f"PPP at or below {start + 8}%").first).to_be_visible(timeout=TIMEOUT)
    share = [float(text.strip(">%")) for text in (before, figure.inner_text())]
    assert share[1] >= share[0]


def every_control_by_keyboard(page: Page) -> None:
    page.get_by_role("radio", name="Certain").first.focus()
    reached = set()
    for _ in range(40):
        reached.add(
            page.evaluate(
                """() => {
                    const e = document.activeElement;
                    const named = e.closest('[aria-label]') || e;
                    return [named.getAttribute('aria-label'), e.getAttribute('role'), e.innerText].join(' | ');
                }"""
            )
        )
        page.keyboard.press("Tab")
    for control in ("Red up to", "attacker knows", "More", "Sensitive column", "shown, in this order", "tab | Columns"):
        assert any(control in one for one in reached), (control, reached)
    tab = page.get_by_role("tab", name="Columns")
    tab.focus()
    tab.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="What each column adds")).to_have_attribute(
        "aria-selected", "true", timeout=TIMEOUT
    )


@pytest.mark.repeats
def test_a_click_on_a_cell_tells_its_story_and_one_on_a_point_goes_into_the_recipe(page: Page, server: Server) -> None:
    """And the figures show what the step of the recipe does."""
    page.set_viewport_size({"width": 1440, "height": 1400})
    open_few(page, server)
    before = metric(page, "Certain in").inner_text()
    area = heatmap(page).locator(".nsewdrag").first
    seen = set()
    for share in (0.1, 0.9):
        area.scroll_into_view_if_needed()
        box = area.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] * share, box["y"] + box["height"] * 0.5
        others = "|".join(seen) or "none"
        heading = page.get_by_role("heading", name=re.compile(rf"^Record (?!({others}):)\d+: "))
        click_picture(page, x, y, heading)
        wait_until_idle(page)
        expect(page.get_by_role("tab", name="One individual")).to_have_attribute("aria-selected", "true")
        number = page.get_by_role("spinbutton", name="Record")
        for old in seen:
            expect(number).not_to_have_value(old)
        record = number.input_value()
        expect(heading).to_have_text(re.compile(rf"^Record {record}: "))
        seen.add(record)
    assert len(seen) == 2, "the first record and the last are not the same"

    open_tab(page, "Make a column coarser")
    points = page.get_by_test_id("stPlotlyChart").nth(1).locator(".scatterlayer .trace").nth(1).locator(".point")
    expect(points.first).to_be_attached(timeout=TIMEOUT)
    points.first.scroll_into_view_if_needed()
    box = points.first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    clicked = page.get_by_text(re.compile("^Clicked: "))
    click_picture(page, x, y, clicked)
    wait_until_idle(page)

    page.get_by_role("button", name="Add to recipe").first.click()
    wait_until_idle(page)
    expect(page.get_by_text(re.compile("^In the recipe: "))).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_role("radio", name="Release")).to_be_checked()
    certain = metric(page, "Certain in").inner_text()
    any_column = page.get_by_test_id("stMetric").filter(has_text="Certain in any")
    assert certain.startswith(before) or certain == before
    expect(any_column.get_by_test_id("stMetricValue")).to_be_visible()
    click_link(page, "Release")
    wait_until_idle(page)
    expect(page.get_by_text(re.compile(r"^1\. Recode ")).first).to_be_visible(timeout=TIMEOUT)
