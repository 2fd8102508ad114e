"""How pages sit on the screen: nothing wider than a small laptop, nothing cut, a name for everything, both themes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from anonlib.plots.theme import LIGHT
from tests.browser.app import Server, click_link, go, open_builder, open_page, open_tab, press, wait_until_idle
from tests.browser.look import (
    PAGES,
    cut_off,
    of_another_colour,
    open_sample,
    overflowing,
    pale,
    unnamed,
)

LAPTOP, TABLET, LAPTOP_AT_150_PERCENT = (1280, 800), (820, 1100), (960, 600)
GROUNDS = {"dark": "rgb(17, 22, 28)", "light": "rgb(255, 255, 255)"}
HOW = "How it works"


def size(page: Page, width_and_height: tuple[int, int]) -> None:
    width, height = width_and_height
    page.set_viewport_size({"width": width, "height": height})


def turn(page: Page, theme: str) -> None:
    """To the light or the dark theme, as when the system's changes; figures follow when they are drawn next."""
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    expect(page.locator(".stApp")).to_have_css("background-color", GROUNDS[theme])


def tabs(page: Page) -> list[str]:
    return page.get_by_role("tab").all_inner_texts()


def test_every_page_opens_without_data_and_is_legible_in_both_themes(page: Page, server: Server) -> None:
    """Whoever comes with a dark system sees a dark page."""
    size(page, LAPTOP)
    page.emulate_media(color_scheme="dark")
    open_page(page, server)
    found: list[tuple] = []
    for name, path in PAGES.items():
        if name != "Home":
            go(page, name)
        assert urlsplit(page.url).path == f"/{path}" and ("Anonscope" in page.title() or name in page.title())
        expect(page.get_by_role("heading", level=1)).to_have_text("Anonscope" if name == "Home" else name)
        for nothing in (page.get_by_role("dialog"), page.get_by_test_id("stException")):
            expect(nothing).to_have_count(0)
        found += [(name, "dark", finding) for finding in pale(page)]
        turn(page, "light")
        if page.locator(".js-plotly-plot").count():  # figures follow when they are drawn next
            page.reload()
            wait_until_idle(page)
        found += [(name, "light", finding) for finding in pale(page)]
        found += [(name, "wide", finding) for finding in overflowing(page)]
        turn(page, "dark")
    assert found == []


FIRST_TOUR = ["Risk"]
TOURS = [
    ["Home"],
    ["Generalize"],
    ["Data", "Individuals", "Leakage"],
    ["Frontier", "Release"],
    ["Regions"],
    ["Attack"],
    ["Forecast"],
    ["Schedules"],
]
"""The pages that are gone through with one sample, that of the first."""
IN_THE_DARK = {
    "Risk": ("Quasi-identifiers", "Singling out"),
    "Individuals": ("Smallest sets",),
    "Release": ("What it is still good for",),
}
"""Tabs with a figure that ``tests/anonlib/plots`` draws only in the light; of other pages the first is looked at."""


@pytest.mark.parametrize(
    "names", [FIRST_TOUR, *(pytest.param(tour, marks=pytest.mark.repeats) for tour in TOURS)], ids=" and ".join
)
def test_pages_with_a_sample_fit_are_named_and_legible(page: Page, server: Server, names: list[str]) -> None:
    """On a small laptop, in every tab: nothing is wider than its place, everything has a name, both themes are read.

    Nothing is cut or too wide on a tablet, nor on a laptop at 150 percent.
    "How it works" is the same on all pages: one is opened.
    """
    size(page, LAPTOP)
    found: list[tuple] = []
    open_sample(page, server, PAGES[names[0]])
    for name in names:
        if name == "Home":
            click_link(page, "Home")
            wait_until_idle(page)
        elif name != names[0]:
            go(page, name)
        if name == "Release":
            press(page, "Start with these steps")
            open_builder(page)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.get_by_test_id("stSidebar").get_by_text(re.compile(r"\w+\.csv"))).to_be_visible()
        found += [(name, *finding) for finding in tour(page, name)]
    assert found == []


def tour(page: Page, name: str) -> list[tuple]:
    """What is not as it should be, on a page that is open with data."""
    found: list[tuple] = []

    def look(where: str) -> None:
        for what, findings in (
            ("wide", overflowing(page)),
            ("unnamed", unnamed(page)),
            ("pale", pale(page)),
            ("not of the theme", of_another_colour(page, LIGHT)),
        ):
            found.extend((where, what, finding) for finding in findings)

    look("first")
    for window in (TABLET, LAPTOP_AT_150_PERCENT):
        size(page, window)
        found.extend((window, "cut", finding) for finding in cut_off(page))
        found.extend((window, "wide", finding) for finding in overflowing(page))
    size(page, LAPTOP)
    here = tabs(page)
    for tab in here[1:]:
        if tab != HOW or name == "Individuals":  # which has formulas of all kinds
            open_tab(page, tab)
            look(tab)
    more = page.get_by_role("button", name="More", exact=True)
    if more.count():
        more.click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
        wait_until_idle(page)
        look("More")
        page.keyboard.press("Escape")
    turn(page, "dark")
    for tab in IN_THE_DARK.get(name, here[:1]) or [""]:
        if tab:
            open_tab(page, tab)
        found.extend((tab, "pale in the dark", finding) for finding in pale(page))
    turn(page, "light")
    return found
