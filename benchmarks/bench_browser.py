"""How long an officer waits on the pages with Adult, and on Regions with 1,500 and 18,077 areas, in the browser."""

from __future__ import annotations

import re
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from benchmarks import regions_data
from benchmarks.measuring import Row, adult_bytes, spoken
from tests.browser.app import Server, click_link, open_page, upload, wait_until_idle
from tests.browser.conftest import CHROMIUM_ARGUMENTS, running_server
from tools.chromium import HOW_TO_GET_ONE, find

STEPS = 10
TARGET = 0.5  # seconds
UP = 3.0  # seconds until the heatmap is up
FIGURE = 0.5e6  # bytes
DRAGGED = 1.0  # seconds that nothing dragged may freeze for
MANY = 4.0  # seconds for 18,000 areas
MAP = '[data-testid="stDeckGlJsonChart"] canvas'

# From the key's event to the frame that shows the new number, by the browser's own clock. The page cannot
# show the number before it has been computed, so its label (with the k asked for) is what is waited for.
WATCH = """k => new Promise(resolve => {
    let pressed = null;
    addEventListener('keydown', () => pressed = pressed ?? performance.now(), {capture: true, once: true});
    const shown = () => [...document.querySelectorAll('[data-testid="stMetric"]')]
        .some(metric => new RegExp(`below (k = )?${k}(?!\\\\d)`).test(metric.querySelector('label, p').textContent)
            && !metric.closest('[data-stale="true"]'));
    const look = () => pressed !== null && shown()
        ? requestAnimationFrame(() => resolve((performance.now() - pressed) / 1000)) : requestAnimationFrame(look);
    look();
})"""


# The same for the heatmap: its image is drawn again, and the sentence under it names the threshold asked for.
WATCH_RED = """p => new Promise(resolve => {
    let pressed = null;
    addEventListener('keydown', () => pressed = pressed ?? performance.now(), {capture: true, once: true});
    const red = () => [...document.querySelectorAll('.js-plotly-plot .heatmaplayer image')].at(-1);
    const image = () => red()?.getAttribute('href') ?? red()?.getAttribute('xlink:href');
    const before = image();
    const shown = () => image() !== before && [...document.querySelectorAll('[data-testid="stCaptionContainer"]')]
        .some(text => text.textContent.includes(`PPP at or below ${p}%`) && !text.closest('[data-stale="true"]'));
    const look = () => pressed !== null && shown()
        ? requestAnimationFrame(() => resolve((performance.now() - pressed) / 1000)) : requestAnimationFrame(look);
    look();
})"""


# Where what is shown need not change with the setting: until the page has run through and stands still again.
WATCH_RUN = """() => new Promise(resolve => {
    let pressed = null, ran = false;
    addEventListener('keydown', () => pressed = pressed ?? performance.now(), {capture: true, once: true});
    const app = document.querySelector('[data-testid="stApp"]');
    const isRunning = () => app.dataset.testScriptState === 'running';
    const note = () => ran = ran || (pressed !== null && isRunning());
    new MutationObserver(note).observe(app, {attributes: true});  // a run may be over before the next frame
    const look = () => note() && !isRunning()
        ? resolve((performance.now() - pressed) / 1000) : requestAnimationFrame(look);
    look();
})"""


def rows() -> list[Row]:
    path = find()
    if path is None:
        raise SystemExit(HOW_TO_GET_ONE)
    with (
        tempfile.TemporaryDirectory() as directory,
        running_server(Path(directory)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        open_page(page, server, "data")
        upload(page, "adult.csv", adult_bytes())
        page.get_by_role("button", name="Accept suggestions").click()
        wait_until_idle(page)
        first = _first_view(page)
        steps = [_step(page, k) for k in range(6, 6 + STEPS)]
        individuals = _individuals(page)
        generalize = _generalize(page)
        frontier = _frontier(page)
        schedules = _schedules(page)
        regions = [*_regions(browser, server), *_many_regions(browser, server)]
        browser.close()
    typical, worst = statistics.median(steps), max(steps)
    return [
        Row(
            f"A step of the k slider on Risk, Adult, from the key to the number: median of {STEPS}",
            f"{spoken(typical)} (worst {spoken(worst)})",
            f"< {TARGET} s",
            typical < TARGET,
        ),
        Row("First view of Risk, Adult, from the click to the figures", spoken(first)),
        *individuals,
        *generalize,
        *frontier,
        *schedules,
        *regions,
    ]


def _individuals(page: Page) -> list[Row]:
    """The heatmap of nine columns: how long until it is up, what a step of its threshold takes, what is sent."""
    start = time.perf_counter()
    click_link(page, "Individuals")
    expect(page.locator(".js-plotly-plot .heatmaplayer image").first).to_be_attached(timeout=30_000)
    up = time.perf_counter() - start
    wait_until_idle(page)
    steps = [_threshold_step(page, p) for p in range(1, STEPS + 1)]
    sent = int(
        page.evaluate(
            "() => { const chart = document.querySelector('.js-plotly-plot');"
            " return JSON.stringify({data: chart.data, layout: chart.layout}).length }"
        )
    )
    typical, worst = statistics.median(steps), max(steps)
    return [
        Row(
            "Heatmap of Individuals, Adult, 9 columns, from the click to the picture",
            spoken(up),
            f"< {UP:g} s",
            up < UP,
        ),
        Row(
            f"A step of its threshold, from the key to the picture’s red: median of {STEPS}",
            f"{spoken(typical)} (worst {spoken(worst)})",
            f"< {TARGET} s",
            typical < TARGET,
        ),
        Row("Size of the heatmap sent", f"{sent / 1e6:.2f} MB", f"< {FIGURE / 1e6:g} MB", sent < FIGURE),
    ]


def _generalize(page: Page) -> list[Row]:
    """The best generalization of eight quasi-identifiers: until it is drawn, and with each step of what is left out."""
    up = _opened(page, "Generalize", page.get_by_role("button", name="Add to recipe"))
    return [
        Row("First view of Generalize, Adult, from the click to the result", spoken(up)),
        _steps(page, "May be left out", "A step of “May be left out” there", DRAGGED),
    ]


def _frontier(page: Page) -> list[Row]:
    """A frontier of Adult's quasi-identifiers, searched for three seconds: first view, a step along it."""
    up = _opened(page, "Frontier", page.locator(".js-plotly-plot .scatterlayer .point"))
    page.get_by_role("button", name="Search for").click()
    page.wait_for_timeout(3_000)
    page.get_by_role("button", name="Stop").click()
    wait_until_idle(page)
    return [
        Row("First view of Frontier, Adult, from the click to the picture", spoken(up)),
        _steps(page, "Policy: from", "A step along the frontier", DRAGGED),
    ]


def _schedules(page: Page) -> list[Row]:
    """Schedules of 32,561 people of eight quasi-identifiers to made-up slots: first view, a step of a slider."""
    up = _opened(page, "Schedules", page.locator(".js-plotly-plot .bars .point path"))
    return [
        Row("First view of Schedules, Adult, from the click to the figure", spoken(up)),
        _steps(page, "To spare", "A step of “To spare” there", DRAGGED),
    ]


def _regions(browser: Browser, server: Server) -> list[Row]:
    """The sample province: 1,500 areas with outlines, 60,000 records."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    open_page(page, server, "regions")
    page.get_by_role("button", name="Try with the province sample").click()
    expect(page.locator(MAP)).to_be_visible(timeout=60_000)
    _choose_by_hand(page)
    step = _steps(page, "Regions", "1,500 areas: a step of the number of regions", DRAGGED)
    page.close()
    return [step]


def _many_regions(browser: Browser, server: Server) -> list[Row]:
    """18,077 areas as points and 500,000 records of the generated data."""
    points, province, _ = regions_data.places("west", 18_077)
    areas = regions_data.areas_of(points)
    data = regions_data.records_of(areas, province, ["sex", "age_group"], varying=True)
    some = np.random.default_rng(1).choice(data.n_records, 500_000, replace=False)
    at = points.to_crs(4326).geometry
    table = pd.DataFrame({"area": areas.ids, "lon": at.x, "lat": at.y, "population": areas.population})
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    open_page(page, server, "data")
    upload(page, "records.csv", data.records.iloc[some].to_csv(index=False).encode())
    page.get_by_role("button", name="Accept suggestions").click()
    wait_until_idle(page)
    click_link(page, "Regions")
    wait_until_idle(page)
    upload(page, "areas.csv", table.to_csv(index=False).encode())
    expect(page.locator(MAP)).to_be_visible(timeout=120_000)
    _choose_by_hand(page)
    step = _steps(page, "Regions", "18,077 areas: a step of the number of regions", MANY)
    page.close()
    return [step]


def _choose_by_hand(page: Page) -> None:
    wait_until_idle(page)
    page.get_by_role("combobox", name="Number of regions").click()
    page.get_by_role("option", name="By hand").click()
    expect(page.get_by_role("slider", name="Regions")).to_be_visible(timeout=60_000)
    wait_until_idle(page)


def _opened(page: Page, name: str, shown: Locator) -> float:
    """Seconds from the click on a page's link until what is shown there is."""
    start = time.perf_counter()
    click_link(page, name)
    expect(shown.first).to_be_attached(timeout=60_000)
    taken = time.perf_counter() - start
    wait_until_idle(page)
    return taken


def _steps(page: Page, slider: str, what: str, target: float) -> Row:
    """How long steps of a slider take until all is drawn."""
    steps = [_slider_step(page, slider) for _ in range(STEPS)]
    return Row(
        f"{what}, from the key until all is drawn: median of {STEPS}",
        f"{spoken(statistics.median(steps))} (worst {spoken(max(steps))})",
        f"< {target:g} s",
        max(steps) < target,
    )


def _slider_step(page: Page, name: str) -> float:
    """Seconds from the key that moves a slider one step until the page stands still."""
    slider = page.get_by_role("slider", name=name)
    slider.focus()
    page.evaluate("() => { window.taken = undefined; (" + WATCH_RUN + ")().then(taken => window.taken = taken) }")
    slider.press("ArrowRight")
    page.wait_for_function("() => window.taken !== undefined", timeout=30_000)
    taken = float(page.evaluate("window.taken"))
    wait_until_idle(page)
    return taken


def _threshold_step(page: Page, p: int) -> float:
    """Seconds from the key that asks for a threshold of p percent to the words and the picture for it."""
    slider = page.get_by_role("slider", name="Red up to")
    slider.focus()
    page.evaluate("p => { window.taken = undefined; (" + WATCH_RED + ")(p).then(taken => window.taken = taken) }", p)
    slider.press("ArrowRight")
    page.wait_for_function("() => window.taken !== undefined", timeout=30_000)
    taken = float(page.evaluate("window.taken"))
    wait_until_idle(page)
    return taken


def _first_view(page: Page) -> float:
    start = time.perf_counter()
    click_link(page, "Risk")
    expect(page.get_by_role("slider", name=re.compile("^k"))).to_be_visible(timeout=30_000)
    expect(page.locator(".js-plotly-plot .bars .point path").first).to_be_attached(timeout=30_000)
    taken = time.perf_counter() - start
    wait_until_idle(page)
    return taken


def _step(page: Page, k: int) -> float:
    """Seconds from the key that asks for k to the number for k on screen."""
    slider = page.get_by_role("slider", name=re.compile("^k"))
    slider.focus()
    page.evaluate("k => { window.taken = undefined; (" + WATCH + ")(k).then(taken => window.taken = taken) }", k)
    slider.press("ArrowRight")
    page.wait_for_function("() => window.taken !== undefined", timeout=30_000)
    taken = float(page.evaluate("window.taken"))
    wait_until_idle(page)
    return taken


if __name__ == "__main__":
    print(*rows(), sep="\n")
