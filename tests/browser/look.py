"""What every page is held to in a browser, and the pages with their samples."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.app import Server, open_page, press, wait_until_idle

PAGES = {
    "Home": "",
    "Data": "data",
    "Risk": "risk",
    "Individuals": "individuals",
    "Leakage": "leakage",
    "Generalize": "generalize",
    "Regions": "regions",
    "Frontier": "frontier",
    "Schedules": "schedules",
    "Release": "release",
}
NAMED_ROLES = "button|link|combobox|textbox|slider|spinbutton|checkbox|switch|radio|radiogroup|tab|figure|region|grid"
WIDER = """() => {
    const wide = [];
    if (document.documentElement.scrollWidth > window.innerWidth) wide.push('document');
    const main = document.querySelector('[data-testid="stMain"]');
    if (main.scrollWidth > main.clientWidth + 1) wide.push('main');
    for (const e of main.querySelectorAll('[data-testid="stVerticalBlock"] > *, [data-testid="stMetric"]')) {
        if (e.getBoundingClientRect().right > window.innerWidth + 1) wide.push(e.outerHTML.slice(0, 120));
    }
    return wide;
}"""


def open_sample(page: Page, server: Server, path: str) -> None:
    open_page(page, server, path)
    press_sample(page, path)


def press_sample(page: Page, path: str) -> None:
    """The button of an empty page that loads its sample."""
    if path == "":
        page.get_by_role("button", name="Open", exact=True).first.click()
        wait_until_idle(page)
        return
    ways = {"regions": "Try with the province sample", "schedules": "Try with a county to invite"}
    press(page, ways.get(path, "Try with the admissions sample"))


def settled(page: Page, look: Callable[[], list]) -> list:
    """What is found, once nothing is or five seconds have gone by: what is still being laid out is no finding."""
    end = time.monotonic() + 5
    while (found := look()) and time.monotonic() < end:
        page.wait_for_timeout(200)
    return found


def overflowing(page: Page) -> list[str]:
    """What is wider than its place on the screen, of the document and its main section."""
    return settled(page, lambda: page.evaluate(WIDER))


def nameless(page: Page) -> list[str]:
    """Lines of the accessibility tree, of a role that must have a name, without one (or named by an icon's code)."""
    return settled(page, lambda: _nameless(page))


def _nameless(page: Page) -> list[str]:
    lines = page.locator("body").aria_snapshot().splitlines()
    bad = [line.strip() for line in lines if re.fullmatch(rf"\s*- ({NAMED_ROLES})( \[[^\]]*\])*:?", line)]
    # A material icon is drawn from a word; a name that is only such a word says nothing to who hears it.
    return bad + [line.strip() for line in lines if re.match(r'\s*- (button|link) "[a-z_]+ icon"', line)]


def unnamed(page: Page) -> list[str]:
    """Charts, tables and maps without a name that says something, and what :func:`nameless` finds."""
    found = nameless(page)
    for kind, letters in (("stPlotlyChart", 30), ("stDataFrame", 10), ("stDeckGlJsonChart", 30)):
        for chart in page.get_by_test_id(kind).all():
            named = chart.locator("[aria-label]").or_(chart.locator("xpath=self::*[@aria-label]"))
            if not any(len(str(element.get_attribute("aria-label"))) > letters for element in named.all()):
                found.append(kind)
    return found
