"""The Regions page in the browser: a province on a map that is hovered, clicked and zoomed, and is taken home."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect

from anonlib.analyses.regions import AreaClasses, aggregate, areas_of, open_areas, regions_for_target, suggest_columns
from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.dataset import Dataset
from anonlib.reading.samples import SAMPLES
from tests.browser.app import (
    TIMEOUT,
    Server,
    accept_all,
    click_picture,
    go,
    metric,
    open_page,
    open_tab,
    pick,
    press,
    saved,
    upload,
    wait_until_idle,
)
from tests.browser.look import nameless, overflowing

K = 5
HOSTILE = "<img src=http://h.example/x.png>"


@lru_cache
def province() -> Aggregation:
    """The regions that the page shows first of its sample, by the library."""
    sample = next(sample for sample in SAMPLES if sample.key == "province")
    assert sample.areas is not None
    file = open_areas(sample.path.with_name(sample.areas).read_bytes(), sample.areas)
    records = pd.read_csv(io.BytesIO(sample.read_bytes()), dtype=str)
    data = Dataset.from_frame(records, roles=dict(sample.roles))
    place = next(name for name, role in sample.roles.items() if role == "place")
    counted = AreaClasses.from_records(areas_of(file, suggest_columns(file)), data, place)
    return aggregate(counted, K, number=regions_for_target(counted, K, 0.05).asked)


def the_map(page: Page) -> Locator:
    """The map, once it is drawn."""
    shown = page.get_by_test_id("stDeckGlJsonChart")
    expect(shown.locator("canvas").first).to_be_visible(timeout=TIMEOUT)
    page.wait_for_timeout(700)
    return shown


def hovered(page: Page, shown: Locator, across: float, down: float) -> list[str]:
    """The lines that the map says of what is at a place of it, in shares of its width and height."""
    box = shown.bounding_box()
    assert box is not None
    x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    message = page.locator(".deck-tooltip")
    expect(message).to_be_visible(timeout=TIMEOUT)
    return message.inner_text().splitlines()


def picture(page: Page, shown: Locator) -> bytes:
    """What the map shows, the mouse elsewhere."""
    page.mouse.move(400, 60)
    page.wait_for_timeout(700)
    return shown.screenshot()


def test_a_province_is_looked_at_clicked_and_zoomed(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "regions")
    expect(page.get_by_text("Nothing is loaded yet")).to_be_visible()
    press(page, "Try with the province sample")
    found = province()
    expect(metric(page, "Regions")).to_have_text(f"{found.area_classes.n_areas:,} → {found.n_regions:,}")
    shown = the_map(page)
    assert overflowing(page) == [] and nameless(page) == []

    table = found.to_frame().set_index("region")
    name, areas, people, records, *_ = hovered(page, shown, 0.5, 0.5)
    row = table.loc[name]
    assert (areas, people, records) == (
        f"{row['areas']} areas", f"{row['people']:,} people", f"{row['records']:,} records",
    )  # fmt: skip
    box = shown.bounding_box()
    assert box is not None
    reports = page.get_by_text(f"Its smallest class has {row['smallest class']:,}")
    click_picture(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, reports)
    wait_until_idle(page)
    expect(page.get_by_text(f"{row['areas']} areas with {row['people']:,} people")).to_be_visible()

    before = picture(page, shown)
    hovered(page, shown, 0.5, 0.5)
    page.mouse.wheel(0, -500)
    assert picture(page, shown) != before, "a wheel zooms the map"
    press(page, "Fit")
    pick(page, "Look at", "the whole")
    expect(page.get_by_text(re.compile("^By region"))).to_be_visible()
    hovered(page, shown, 0.5, 0.5)
    open_tab(page, "Number of regions")
    point = page.locator(".js-plotly-plot:visible .scatterlayer .point").nth(8)
    point.scroll_into_view_if_needed()
    point.click(force=True)
    wait_until_idle(page)
    expect(page.get_by_role("slider", name="Regions")).to_be_visible(timeout=TIMEOUT)


@pytest.mark.repeats
def test_areas_as_they_are_and_exchanged_regions_are_shown(page: Page, server: Server) -> None:
    """As ``tests/pages/protect/regions`` has it without a browser."""
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "regions")
    press(page, "Try with the province sample")
    the_map(page)
    for look in ("Areas as they are", "Regions"):
        page.get_by_role("radio", name=look, exact=True).click()
        wait_until_idle(page)
        the_map(page)
        assert overflowing(page) == []
    page.get_by_role("radio", name="Exchanged", exact=True).click()
    message = page.get_by_text("Better than as many balanced regions on all four measures.")
    expect(message).to_be_visible(timeout=6 * TIMEOUT)  # the first time it is compiled
    wait_until_idle(page)
    open_tab(page, "Compare")
    assert overflowing(page) == [] and nameless(page) == []


@pytest.mark.repeats
def test_a_province_is_taken_home_and_its_release_has_the_k_it_stated(
    page: Page, server: Server, tmp_path: Path
) -> None:
    open_page(page, server, "regions")
    press(page, "Try with the province sample")
    found = province()
    place = found.area_classes.column
    names = [place, *found.area_classes.classes.attributes]
    kept = found.measures.n_records - found.measures.left_out

    region_of = dict(csv.reader(io.StringIO(saved(page, "Area to region", tmp_path).decode(), newline="")))
    assert region_of.pop("area") == "region"
    assert region_of == dict(zip(found.area_table()["area"], found.area_table()["region"], strict=True))
    outlines = json.loads(saved(page, "Regions (GeoJSON)", tmp_path))
    assert len(outlines["features"]) == found.n_regions
    again = open_areas(saved(page, "Regions (GeoPackage)", tmp_path), "regions.gpkg")
    assert len(again.table) == found.n_regions

    def check(content: bytes) -> None:
        rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
        classes = Counter(tuple(row[name] for name in names) for row in rows)
        assert len(rows) == kept and min(classes.values()) >= K
        assert {row[place] for row in rows} <= set(found.names.tolist())

    expect(page.get_by_role("button", name="Protected records")).to_be_disabled()
    press(page, "Add to recipe")
    expect(page.get_by_text(f"In the recipe: Aggregate the places in {place}")).to_be_visible(timeout=TIMEOUT)
    go(page, "Release")
    expect(page.get_by_text(f"1. Aggregate the places in {place} to {found.n_regions} regions")).to_be_visible()
    expect(page.get_by_role("button", name="Released CSV")).to_be_enabled()
    check(saved(page, "Released CSV", tmp_path))
    assert b"aggregate_places" in saved(page, "Save recipe", tmp_path)
    go(page, "Regions")
    check(saved(page, "Protected records", tmp_path))


@pytest.mark.repeats
def test_areas_of_a_file_are_points_on_the_map_and_their_text_does_nothing(page: Page, server: Server) -> None:
    ids = ["a0", "a1", "a2", "a3", HOSTILE, "=HYPERLINK(1)", "a6", "a7", "a8"]
    areas = "".join(f"{name},{8.9 + i % 3 / 10},{58.95 + i // 3 / 20}\n" for i, name in enumerate(ids))
    records = "".join(f"{30 + i % 3},{name}\n" for i, name in enumerate(ids * 25))
    open_page(page, server, "data")
    upload(page, "visits.csv", f"age,area\n{records}".encode())
    accept_all(page)
    go(page, "Regions")
    upload(page, "areas.csv", f"area,lon,lat\n{areas}".encode(), label="Load areas")
    expect(page.get_by_text("The areas of areas.csv are loaded")).to_be_visible(timeout=TIMEOUT)
    expect(page.get_by_text("225 records in 9 areas")).to_be_visible()
    page.get_by_role("radio", name="Areas as they are", exact=True).click()
    wait_until_idle(page)
    assert hovered(page, the_map(page), 0.5, 0.5)[0] == f"Area {HOSTILE}", "in the middle"
    named = []
    for region in ("R4", "R5", "R6"):  # the middle row
        pick(page, "Look at", region)
        named.append(page.get_by_text(re.compile("^Areas: ")).inner_text())
    assert any(text.startswith("Areas: <img src=http:") for text in named)
