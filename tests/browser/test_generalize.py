"""The Generalize page in the browser: a limit dragged, part by part, into the recipe, and the k that was said."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Server, accept_all, go, metric, open_page, open_tab, pick, press, upload, wait_until_idle
from tests.browser.look import nameless, overflowing

TIMEOUT = 20_000  # milliseconds; a slow machine draws late
K = "k, the smallest"


def reached(page: Page) -> int:
    """The k of the result, at least what was asked for."""
    message = metric(page, K)
    expect(message).to_have_text(re.compile(r"→ "), timeout=TIMEOUT)
    k = int(message.inner_text().split("→")[1].replace(",", ""))
    assert k >= 5
    return k


# tests/pages/protect/generalize and the journeys to a release, of files and of proposals, go the same way.
@pytest.mark.repeats
def test_from_a_first_result_to_a_release_that_has_its_k(
    page: Page, server: Server, shared_data: Callable[[str], Path]
) -> None:
    columns = ["age", "workclass", "education", "marital_status", "race", "sex", "hours_per_week", "salary"]
    adult = pd.read_csv(shared_data("adult.csv"), dtype=str, usecols=columns).to_csv(index=False).encode()
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "data")
    upload(page, "adult.csv", adult)
    accept_all(page)
    go(page, "Risk")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stMetric").first).to_be_visible()
    go(page, "Generalize")
    expect(
        page.get_by_text("Mixed coarseness keeps more detail of cells than same coarseness for everyone")
    ).to_be_visible(timeout=TIMEOUT)
    wait_until_idle(page)
    press(page, "See same coarseness for everyone")
    expect(page.get_by_text("Proven: no other combination of levels")).to_be_visible(timeout=TIMEOUT)
    reached(page)
    assert overflowing(page) == [] and nameless(page) == []

    left_out, loss = metric(page, "left out"), metric(page, "Cell loss")
    before = loss.inner_text()
    slider = page.get_by_role("slider", name="May be left out")
    box, track = slider.bounding_box(), page.get_by_test_id("stSlider").first.bounding_box()
    assert box is not None and track is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(track["x"] - 20, box["y"] + box["height"] / 2, steps=12)
    page.mouse.up()
    wait_until_idle(page)
    expect(slider).to_have_value("0")
    expect(left_out).to_have_text("0", timeout=TIMEOUT)
    assert float(loss.inner_text().rstrip("%")) >= float(before.rstrip("%")), "nobody left out costs detail"

    pick(page, "Method", "Mixed coarseness")
    expect(page.get_by_text("Values of different levels stand side by side")).to_be_visible(timeout=TIMEOUT)
    wait_until_idle(page)  # words are drawn before figures
    k = reached(page)
    for tab in ("Original and result", "Search tree"):
        open_tab(page, tab)
        assert overflowing(page) == [] and nameless(page) == [], tab
    press(page, "Add to recipe")
    expect(page.get_by_text("In the recipe: Generalize")).to_be_visible(timeout=TIMEOUT)
    go(page, "Release")
    expect(metric(page, K)).to_have_text(f"1 → {k:,}", timeout=TIMEOUT)
    expect(page.get_by_text(re.compile(r"^1\. Generalize .* with mixed coarseness"))).to_be_visible()
    expect(page.get_by_test_id("stAlert").filter(has_text="went wrong")).to_have_count(0)


# tests/pages/protect/generalize/test_results.py starts, stops and goes on without a browser.
@pytest.mark.repeats
def test_work_of_more_than_a_moment_is_started_and_stopped(page: Page, server: Server) -> None:
    open_page(page, server, "generalize")
    press(page, "Try with the admissions sample")
    reached(page)
    open_tab(page, "Methods side by side")
    expect(page.get_by_text(re.compile("The comparison of all methods takes about"))).to_be_visible(timeout=TIMEOUT)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Stop").click(timeout=TIMEOUT)
    wait_until_idle(page)
    resume = page.get_by_role("button", name=re.compile("^(Go on|Start)$"))
    done = page.get_by_text("“Tables made” are generalized tables looked at")
    expect(resume.or_(done).first).to_be_visible(timeout=3 * TIMEOUT)
    wait_until_idle(page)
    if resume.count():  # it was stopped before the end
        resume.first.click()
    expect(done).to_be_visible(timeout=3 * TIMEOUT)
    wait_until_idle(page)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=3 * TIMEOUT)
    assert overflowing(page) == [] and nameless(page) == []
