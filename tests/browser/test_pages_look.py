"""How pages sit on the screen: nothing wider than a small laptop, a name for everything, both themes legible."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Server, go, open_builder, open_page, press, screenshot, step, upload, wait_until_idle
from tests.browser.look import PAGES, open_sample, overflowing, press_sample, settled, unnamed
from tests.helpers.app import visits

MANY = 60  # columns: more than fit beside each other


def open_wide_file(page: Page, server: Server) -> None:
    """On the Data page: many columns, some of long names, and values without a blank to break at."""
    names = ["age", "sex", "a_very_long_column_name_" * 6, *(f"measurement_{i}" for i in range(MANY))]
    rows = [",".join([str(30 + i), "FM"[i % 2], "w" * 200 + str(i % 3), *["123456"] * MANY]) for i in range(60)]
    open_page(page, server, "data")
    upload(page, "n" * 180 + ".csv", "\n".join([",".join(names), *rows]).encode())
    press(page, "Accept all suggestions")


def every_tab(page: Page, check: Callable[[], None]) -> None:
    check()
    for tab in page.get_by_role("tab").all():
        tab.click()
        wait_until_idle(page)
        check()


def test_steps_of_a_recipe_are_worked_by_keyboard(page: Page, server: Server) -> None:
    open_sample(page, server, "release")
    press(page, "Start with these steps")
    first = page.get_by_text(re.compile(r"^1\. ")).first.inner_text().splitlines()[0]
    later = step(page, "Step 1 later")
    later.focus()
    later.press("Enter")
    wait_until_idle(page)
    expect(page.get_by_text(first.replace("1. ", "2. ", 1))).to_be_visible()


def contrast_of_text(page: Page) -> list[tuple[float, str]]:
    """Texts whose contrast with the page is below 3 to 1 (WCAG 2.1, large text), from the computed colours."""
    return page.evaluate(
        """() => {
            const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
            const lum = ([r, g, b]) => [r, g, b].map(v => v / 255)
                .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const ground = e => {
                for (; e; e = e.parentElement) {
                    const c = parse(getComputedStyle(e).backgroundColor);
                    if (c.length && (c.length < 4 || c[3] > 0.9)) return c;
                }
                return [255, 255, 255];
            };
            const low = [];
            for (const e of document.querySelectorAll(
                'h1, h2, h3, h4, h5, p, li, [data-testid="stMetricValue"], text')) {
                const style = getComputedStyle(e);
                if (!e.textContent.trim() || !e.getClientRects().length) continue;
                // what is drawn on something else than its element's ground, or is no text to read now
                if (e.closest('[disabled], [data-testid="stSlider"], .bars, .heatmaplayer')) continue;
                if (e.closest('.annotation, .textpoint')
                    && e.closest('.js-plotly-plot').querySelector('.heatmaplayer .hm'))
                    continue;
                const ink = parse(e.tagName == 'text' ? style.fill : style.color);
                if (ink.length < 3 || (ink.length > 3 && ink[3] < 0.5)) continue;
                const [a, b] = [lum(ink), lum(ground(e))];
                const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (ratio < 3) low.push([ratio, e.textContent.trim().slice(0, 60)]);
            }
            return low;
        }"""
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_at_its_address_and_with_its_sample_fits_is_named_and_legible(
    page: Page, server: Server, name: str
) -> None:
    """On a small laptop, in every tab: nothing is wider than its place, everything has a name, both themes are read."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.on("dialog", lambda dialog: dialog.accept())  # that a recipe would be lost
    path = PAGES[name]
    open_page(page, server, path)
    assert urlsplit(page.url).path == f"/{path}" and ("Anonscope" in page.title() or name in page.title())
    expect(page.get_by_role("heading", level=1)).to_have_text("Anonscope" if name == "Home" else name)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(len(PAGES))
    for nothing in (page.get_by_role("dialog"), page.get_by_test_id("stException")):
        expect(nothing).to_have_count(0)
    found = [("empty", low) for low in contrast_of_text(page)]
    press_sample(page, path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile(r"\w+\.csv"))).to_be_visible()
    if name == "Release":
        press(page, "Start with these steps")
        open_builder(page)

    def look() -> None:
        for what, findings in (("wide", overflowing(page)), ("unnamed", unnamed(page)), ("pale", pale(page))):
            found.extend((what, finding) for finding in findings)

    every_tab(page, look)
    more = page.get_by_role("button", name="More", exact=True)
    if more.count():
        more.click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
        wait_until_idle(page)
        look()
        page.keyboard.press("Escape")
    screenshot(page, f"{name.lower()}-light")
    page.emulate_media(color_scheme="dark")
    page.reload()
    wait_until_idle(page)
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile(r"\w+\.csv"))).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor") != "rgb(255, 255, 255)"
    every_tab(page, lambda: found.extend(("pale in the dark", finding) for finding in pale(page)))
    screenshot(page, f"{name.lower()}-dark")
    assert found == []


def pale(page: Page) -> list:
    return settled(page, lambda: contrast_of_text(page))


@pytest.mark.parametrize("pages", [["Data", "Home", "Risk", "Individuals", "Leakage"], list(PAGES)[5:]], ids=str)
def test_a_wide_file_makes_no_page_scroll_sideways(page: Page, server: Server, pages: list[str]) -> None:
    """And the tables of the Data page scroll by themselves."""
    page.set_viewport_size({"width": 1280, "height": 800})
    open_wide_file(page, server)
    found: dict[str, list[str]] = {}
    for name in pages:
        if name == "Home":
            page.get_by_test_id("stSidebarNavLink").first.click()
            wait_until_idle(page)
        elif name != "Data":
            go(page, name)
        if name == "Data":
            page.locator("summary", has_text="Preview").click()
            wait_until_idle(page)
        if name == "Release":
            press(page, "Start with these steps")
            open_builder(page)
        every_tab(page, lambda name=name: found.setdefault(name, []).extend(overflowing(page)))
    assert found == {name: [] for name in pages}


def test_a_public_data_set_is_shown(page: Page, server: Server, shared_data: Callable[[str], Path]) -> None:
    data = shared_data("adult.csv").read_bytes()
    open_page(page, server, "data")
    upload(page, "adult.csv", data)
    press(page, "Accept all suggestions")
    for name in ("Risk", "Release"):
        go(page, name)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_test_id("stMetric").first).to_be_visible()


def test_a_table_is_read_on_a_narrow_window_too(page: Page, server: Server) -> None:
    """A tablet: the sidebar folds, the columns stack, nothing is cut off."""
    page.set_viewport_size({"width": 820, "height": 1100})
    open_page(page, server, "data")
    upload(page, "visits.csv", visits())
    expect(page.get_by_text("visits.csv").first).to_be_attached()
    assert overflowing(page) == []
