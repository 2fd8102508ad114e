"""Connected data in the browser: opened where they are, protected, and taken home."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.app import Server, accept_all, go, open_page, option_of, press
from tests.browser.conftest import running_server, watched_page
from tests.browser.look import nameless, overflowing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("extracts")
    n = 6_000
    ages, zips, ill = (["31", "42", "55", "67"], ["02138", "02139", "02141"], ["asthma", "flu", "gout", "none"])
    columns = {"age": ages, "zip": zips, "diagnosis": ill}
    frame = pd.DataFrame({name: [values[i // k % len(values)] for i in range(n)] for k, (name, values) in
                          zip((1, 4, 12), columns.items(), strict=True)})  # fmt: skip
    frame["visit_date"] = pd.date_range("2024-01-01", periods=n, freq="h").date.astype(str)
    (place / "visits").mkdir()
    for part in range(2):
        frame.iloc[part::2].to_parquet(place / "visits" / f"part-{part}.parquet")
    return place


@pytest.fixture(scope="module")
def connected(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server"), ANONSCOPE_DATA=str(folder)) as server:
        yield server


# tests/pages/data/data/controls/test_connected.py goes the same way without a browser.
@pytest.mark.repeats
def test_a_table_goes_from_its_folder_to_a_release(chromium: Browser, connected: Server) -> None:
    with watched_page(chromium, connected) as (page, watch):
        open_page(page, connected, "data")
        option_of(page, "Or connected data, which stays where it is", re.compile("^visits.*2 files")).click()
        press(page, "Open table")
        expect(page.get_by_text("and stays where it is")).to_be_visible()
        assert overflowing(page) == [] and nameless(page) == []
        accept_all(page)
        assert "LoadedFile" not in connected.alive_of_a_file()
        _to_a_release(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Released CSV").click()
        released = pd.read_csv(download.value.path(), dtype=str)
        assert 0 < len(released) <= 6_000
        known = released[["age", "zip", "visit_date"]].fillna("")
        assert known.groupby(list(known.columns)).size().min() >= 5
        assert not watch.problems and connected.notes() == []


def _to_a_release(page: Page) -> None:
    go(page, "Release")
    press(page, "Start with these steps")
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile("Recipe: [1-9]"))).to_be_visible()
    expect(page.get_by_role("button", name="Released CSV")).to_be_enabled()
