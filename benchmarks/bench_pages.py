"""How long an officer waits on every page, with Adult and with 100,000 records of 20 columns, in the browser.

``python -m benchmarks.bench_pages [FOLDER [Adult]]`` measures the app of another checkout, to compare two versions, and
one file alone. Of a step it says as well what the server computes, which depends less on what else the machine does.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.bench_browser import WATCH_RUN
from benchmarks.measuring import REPOSITORY, Row, adult_bytes, spoken
from tests.browser.app import Server, click_link, open_page, upload, wait_until_idle
from tests.browser.conftest import CHROMIUM_ARGUMENTS, running_server
from tools.chromium import HOW_TO_GET_ONE, find

STEPS = 7
SLIDERS = {  # of each page, the name of the slider that is moved
    "Risk": "k: smallest class you accept",
    "Individuals": "Red up to",
    "Leakage": "Average above",
    "Attack": "Columns of a condition",
    "Generalize": "May be left out",
    "Frontier": "Policy: from",
    "Forecast": "",
    "Schedules": "To spare",
    "Release": "",
}


IS_AT_END = "slider => Number(slider.ariaValueNow ?? slider.value) >= Number(slider.ariaValueMax ?? slider.max)"


@dataclass(frozen=True)
class Waits:
    """Seconds from the click on a page's link until all is drawn, and of a step of its slider.

    ``computed`` are those that the server computes in a step, on all cores together; none where that is not known.
    """

    page: str
    first: float
    again: float
    steps: tuple[float, ...]
    computed: tuple[float, ...] = ()


def large_file(n: int = 100_000, seed: int = 1) -> bytes:
    """People with eight quasi-identifiers, four sensitive columns and eight others."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(47, 20, n), 0, 95).astype(int)
    frame = pd.DataFrame({"age": age, "sex": rng.choice(["F", "M"], n)})
    for name, values in {"zip": 400, "ethnicity": 6, "education": 16, "marital_status": 5, "occupation": 14}.items():
        shares = rng.dirichlet(np.full(values, 0.7))
        begin = 10_000 if name == "zip" else 0
        frame[name] = rng.choice(np.arange(begin, begin + values), n, p=shares)
        frame[name] = frame[name].astype(str) if name == "zip" else name + " " + frame[name].astype(str)
    frame["admission_month"] = [f"2025-{month:02d}" for month in rng.integers(1, 13, n)]
    for name, values in {"diagnosis": 60, "treatment": 25, "outcome": 4, "income": 12}.items():
        frame[name] = [f"{name} {value}" for value in rng.choice(values, n, p=rng.dirichlet(np.full(values, 0.5)))]
    for i in range(8):
        frame[f"measurement_{i}"] = rng.integers(0, 10 + 5 * i, n)
    return frame.to_csv(index=False).encode()


def rows() -> list[Row]:
    """The waits as lines of docs/benchmarks.md."""
    found = []
    for name, waits in measure(REPOSITORY).items():
        for wait in waits:
            step = f"; a step of its slider {spoken(statistics.median(wait.steps))}" if wait.steps else ""
            worst = f" (worst {spoken(max(wait.steps))})" if wait.steps else ""
            found.append(
                Row(f"{wait.page}, {name}: first view until all is drawn", f"{spoken(wait.first)}{step}{worst}")
            )
    return found


def measure(root: Path, only: str = "") -> dict[str, list[Waits]]:
    """The waits on each page of the app in ``root``, by the name of the file; of one file alone where it is named."""
    path = find()
    if path is None:
        raise SystemExit(HOW_TO_GET_ONE)
    files = {"Adult": ("adult.csv", adult_bytes()), "100,000 x 20": ("large.csv", large_file())}
    found: dict[str, list[Waits]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        for name, (file_name, data) in files.items():
            if only not in ("", name):
                continue
            plainly = {"PYTHONPATH": str(root)}  # without what tests watch the server with
            with tempfile.TemporaryDirectory() as directory, running_server(Path(directory), root, **plainly) as server:
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                open_page(page, server, "data")
                upload(page, file_name, data)
                page.get_by_role("button", name="Accept suggestions").click()
                wait_until_idle(page)
                found[name] = [_waits(page, server.pid, title, slider) for title, slider in SLIDERS.items()]
                page.close()
                found[name].append(_regions(browser, server))
        browser.close()
    return found


def _waits(page: Page, pid: int, title: str, slider: str) -> Waits:
    first = _open(page, title)
    steps, computed = _steps(page, pid, slider)
    _open(page, "Data")
    return Waits(title, first, _open(page, title), steps, computed)


def _regions(browser: Browser, server: Server) -> Waits:
    """Regions of the province sample, 1,500 areas and 60,000 records, by a number chosen by hand."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})  # a visit of its own, with nothing loaded
    open_page(page, server, "regions")
    start = time.perf_counter()
    page.get_by_role("button", name="Try with the province sample").click()
    wait_until_idle(page)
    first = time.perf_counter() - start
    page.get_by_role("combobox", name="Number of regions").click()
    page.get_by_role("option", name="By hand").click()
    wait_until_idle(page)
    waits = Waits("Regions, of the province", first, first, *_steps(page, server.pid, "Regions"))
    page.close()
    return waits


def _steps(page: Page, pid: int, slider: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Of each step how long it took, and how much of that the server computed."""
    steps, computed = [], []
    if slider and page.get_by_role("slider", name=slider).count():
        moved = page.get_by_role("slider", name=slider).first
        for _ in range(STEPS):
            if moved.evaluate(IS_AT_END):
                break
            before = _computed_by(pid)
            steps.append(_step(page, slider))
            computed.append(_computed_by(pid) - before)
    return tuple(steps), tuple(computed)


def _computed_by(pid: int) -> float:
    """Seconds that a process has computed so far, all threads together; 0 where that cannot be read."""
    about = Path(f"/proc/{pid}/stat")
    if not about.exists():
        return 0.0
    ticks = about.read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def _open(page: Page, title: str) -> float:
    start = time.perf_counter()
    click_link(page, title)
    page.get_by_role("heading", name=title, exact=True, level=1).wait_for()
    wait_until_idle(page)
    return time.perf_counter() - start


def _step(page: Page, name: str) -> float:
    slider = page.get_by_role("slider", name=name).first
    slider.focus()
    page.evaluate("() => { window.taken = undefined; (" + WATCH_RUN + ")().then(taken => window.taken = taken) }")
    slider.press("ArrowRight")
    page.wait_for_function("() => window.taken !== undefined", timeout=120_000)
    taken = float(page.evaluate("window.taken"))
    wait_until_idle(page)
    return taken


if __name__ == "__main__":
    folder, only = [*sys.argv[1:], "", ""][:2]
    for file, waits in measure(Path(folder).resolve() if folder else REPOSITORY, only).items():
        print(file)
        for wait in waits:
            step = f"step {statistics.median(wait.steps):.2f} (worst {max(wait.steps):.2f})" if wait.steps else ""
            step += f", the server {statistics.median(wait.computed):.2f}" if wait.computed else ""
            print(f"  {wait.page:12} first {wait.first:.2f}  again {wait.again:.2f}  {step}")
