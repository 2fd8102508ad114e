"""A project saved, the data forgotten, and everything decided brought back from the project's file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Server, forget, go, open_page, press, saved, upload, wait_until_idle


def sidebar(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar")


def open_project_control(page: Page) -> None:
    sidebar(page).get_by_role("button", name="Project", exact=True).click()
    expect(page.get_by_text("is as confidential as the file")).to_be_visible()


def verdict(page: Page) -> str:
    """What the sidebar says of it."""
    return sidebar(page).get_by_role("link", name=re.compile("Not yet|May leave")).inner_text()


def limit_of_smallest_class(page: Page) -> Locator:
    """The control of the criterion's limit, in its own “Limits”, opened where its line is closed."""
    row = page.get_by_test_id("stExpander").filter(has=page.locator("summary", has_text="Smallest class"))
    limits, control = (
        row.get_by_role("button", name="Limits", exact=True),
        page.get_by_role("spinbutton", name="Smallest class"),
    )
    row.locator("summary").wait_for()
    if row.locator("details[open]").count() == 0:
        row.locator("summary").click()
    limits.click()
    expect(control).to_be_visible()
    return control


def open_weight_loss(page: Page, server: Server) -> None:
    """A sample of so few records that no search takes long."""
    open_page(page, server)
    page.locator(".st-key-open-weight_loss button:visible").first.click()
    wait_until_idle(page)


@pytest.mark.repeats
def test_a_saved_project_brings_back_verdict_recipe_and_roles(page: Page, server: Server, tmp_path: Path) -> None:
    open_weight_loss(page, server)
    go(page, "Release")
    press(page, "Start with these steps")
    go(page, "Verdict")
    limit = limit_of_smallest_class(page)
    limit.fill("9")
    limit.press("Enter")
    wait_until_idle(page)
    page.keyboard.press("Escape")
    wait_until_idle(page)
    expect(page.get_by_text("Smallest class · changed")).to_be_visible()
    message = verdict(page)
    recipe = sidebar(page).get_by_text(re.compile("^Recipe: ")).inner_text()

    open_project_control(page)
    project = saved(page, "Save project", tmp_path)
    page.keyboard.press("Escape")
    assert json.loads(project)["format"] == "anonscope-project"

    go(page, "Data")
    forget(page)
    expect(sidebar(page).get_by_text("No data loaded")).to_be_visible()
    open_weight_loss(page, server)
    go(page, "Data")
    press(page, "Clear roles")
    expect(sidebar(page).get_by_text("Say on the page Data what each column is")).to_be_visible()

    open_project_control(page)
    upload(page, "mine.json", project, label="A project saved here")
    expect(page.get_by_text("The project mine.json is open.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text(re.compile("Every column is decided"))).to_be_visible()
    assert verdict(page) == message and sidebar(page).get_by_text(re.compile("^Recipe: ")).inner_text() == recipe
    go(page, "Verdict")
    expect(page.get_by_text("Smallest class · changed")).to_be_visible()

    sidebar(page).get_by_role("button", name=re.compile("Undo: open the project mine.json")).click()
    wait_until_idle(page)
    expect(sidebar(page).get_by_text("Say on the page Data what each column is")).to_be_visible()
