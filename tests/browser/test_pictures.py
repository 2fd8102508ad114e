"""The pictures of pages are taken of what the window shows."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page

from tests.browser.app import Server
from tools.pictures import leakage, taken


@pytest.mark.repeats
def test_a_picture_is_of_the_window_from_the_top_of_the_page(page: Page, server: Server) -> None:
    leakage(page, server)
    first = taken(page)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 500)")
    pictures = [Image.open(io.BytesIO(picture)) for picture in (first, taken(page))]
    assert {picture.size for picture in pictures} == {(1440, 900)}
    # A browser draws the edge of a letter a shade otherwise after scrolling.
    difference = ImageChops.difference(*(picture.convert("RGB") for picture in pictures))
    assert max(most for _, most in difference.getextrema()) < 16
