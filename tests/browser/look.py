"""What every page is held to in a browser, and the pages with their samples."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page

from anonlib.plots.theme import DARK_INK, LIGHT_INK, Palette, rgb
from tests.browser.app import Server, open_page, press, wait_until_idle

PAGES = {
    "Home": "",
    "Data": "data",
    "Verdict": "verdict",
    "Risk": "risk",
    "Individuals": "individuals",
    "Leakage": "leakage",
    "Attack": "attack",
    "Generalize": "generalize",
    "Regions": "regions",
    "Frontier": "frontier",
    "Forecast": "forecast",
    "Schedules": "schedules",
    "Release": "release",
    "Case": "case",
    "Register": "register",
    "Report": "report",
}
INKS_OF_CELLS = (DARK_INK, LIGHT_INK)  # on a colour, whatever the theme
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
PALE = """() => {
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
CUT = """() => {
    const cut = [];
    const texts = '[data-testid="stMetricValue"] *, [data-testid="stMetricLabel"] *, button p, label p';
    for (const e of document.querySelectorAll(texts)) {
        if (e.getClientRects().length && getComputedStyle(e).overflowX !== 'visible'
            && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1) cut.push(e.textContent.trim());
    }
    for (const e of document.querySelectorAll('button')) {
        const outer = e.getBoundingClientRect();
        for (const p of e.querySelectorAll('p')) {
            if (p.getClientRects().length && p.getBoundingClientRect().right > outer.right + 1) cut.push(p.textContent);
        }
    }
    return cut;
}"""
INKS = """() => [...document.querySelectorAll('.js-plotly-plot text, .js-plotly-plot tspan')]
    .filter(e => e.textContent.trim() && e.getClientRects().length)
    .map(e => [getComputedStyle(e).fill, e.textContent.trim().slice(0, 60)])"""


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
    """What is found, once nothing is or twenty seconds have gone by: what is still being laid out is no finding."""
    end = time.monotonic() + 20
    while (found := look()) and time.monotonic() < end:
        page.wait_for_timeout(200)
    return found


def overflowing(page: Page) -> list[str]:
    """What is wider than its place on the screen, of the document and its main section."""
    return settled(page, lambda: page.evaluate(WIDER))


def pale(page: Page) -> list[list]:
    """Texts whose contrast with the page is below 3 to 1 (WCAG 2.1, large text), from the computed colours."""
    return settled(page, lambda: page.evaluate(PALE))


def cut_off(page: Page) -> list[str]:
    """Figures, labels and buttons of which a part is not seen."""
    return settled(page, lambda: page.evaluate(CUT))


def of_another_colour(page: Page, colours: Palette) -> list[list[str]]:
    """Texts of figures that are of none of a theme's colours: those of the other theme would not be legible."""
    known = {f"rgb({r}, {g}, {b})" for r, g, b in map(rgb, (*INKS_OF_CELLS, *_all_of(colours)))}
    return settled(page, lambda: [[ink, text] for ink, text in page.evaluate(INKS) if ink not in known])


def _all_of(colours: Palette) -> tuple[str, ...]:
    single = (colours.ink, colours.faint, colours.risky, colours.safe, colours.original)
    return (*single, *colours.sequence)


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
