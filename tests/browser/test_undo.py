"""What is set and undone with the keyboard and the mouse, what stays in focus, what is forgotten only when meant."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Server, forget, go, open_page, press, step, upload, wait_until_idle
from tests.helpers.app import visits


def undo_button(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("button", name=re.compile("Undo"))


def choose_role(page: Page, letters: str) -> None:
    """In the cell that is open: by letters of an answer and Enter."""
    expect(page.locator("#portal input")).to_be_focused()
    page.wait_for_timeout(300)
    page.keyboard.type(letters)
    expect(page.locator("#portal").get_by_text(re.compile(letters)).first).to_be_visible()
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    wait_until_idle(page)


# tests/pages/test_undo.py undoes each; keys are pressed in test_individuals.py, a double click is in test_journey.py.
@pytest.mark.repeats
def test_roles_are_undone_by_keyboard_steps_moved_by_it_and_a_double_click_undoes_once(
    page: Page, server: Server
) -> None:
    open_page(page, server, "data")
    press(page, "Try with the admissions sample")
    press(page, "Clear roles")
    expect(page.get_by_text("12 columns are undecided")).to_be_visible()
    undo = undo_button(page)
    expect(undo).to_have_text(re.compile("Undo: clear roles"))
    undo.focus()
    undo.press("Enter")
    wait_until_idle(page)
    expect(page.get_by_text("Every column is decided. An attacker is taken to know age, sex, zip")).to_be_visible()
    go(page, "Release")
    press(page, "Start with these steps")
    step(page, "Remove step 1").click()
    wait_until_idle(page)
    undo_button(page).dblclick()
    wait_until_idle(page)
    expect(undo_button(page)).to_have_text(re.compile("Undo: take"))
    first = page.get_by_text(re.compile(r"^1\. ")).first.inner_text().splitlines()[0]
    later = step(page, "Step 1 later")
    later.focus()
    later.press("Enter")
    wait_until_idle(page)
    expect(page.get_by_text(first.replace("1. ", "2. ", 1))).to_be_visible()


@pytest.mark.repeats
def test_what_is_asked_is_answered_with_one_click_and_by_the_arrow_keys(page: Page, server: Server) -> None:
    open_page(page, server, "data")
    upload(page, "visits.csv", visits())
    press(page, "Accept suggestions")
    expect(page.get_by_text("2 columns are undecided")).to_be_visible()
    dates, notes = (page.get_by_role("radiogroup").filter(has_text="Neither, I am sure").nth(i) for i in range(2))
    dates.get_by_text("Yes, known or could be found out").click()
    wait_until_idle(page)
    expect(page.get_by_text("1 column is undecided")).to_be_visible()
    notes.get_by_role("radio", name="Undecided").focus()
    page.keyboard.press("ArrowRight")
    wait_until_idle(page)
    expect(page.get_by_text("Every column is decided. An attacker is taken to know age, sex, zip")).to_be_visible()
    expect(page.get_by_role("radiogroup").filter(has_text="Neither, I am sure")).to_have_count(0)
    undo_button(page).click()
    wait_until_idle(page)
    expect(dates.get_by_role("radio", name=re.compile("^Yes"))).to_be_checked()
    expect(notes.get_by_role("radio", name="Undecided")).to_be_checked()


@pytest.mark.repeats
def test_roles_are_set_in_the_table_and_data_are_forgotten_only_when_that_is_confirmed(
    page: Page, server: Server
) -> None:
    """By a double click, then one after another by keyboard: the focus stays in the table, and the table in place."""
    open_page(page, server, "data")
    upload(page, "visits.csv", visits())
    table = page.get_by_test_id("stDataFrame").last
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    cell = table.locator("canvas").first.bounding_box()
    assert cell is not None
    row = cell["height"] / 9  # a header and 8 columns
    page.mouse.dblclick(cell["x"] + 245, cell["y"] + 8.5 * row)
    choose_role(page, "harm")
    expect(page.get_by_text("7 columns are undecided")).to_be_attached()

    page.mouse.click(cell["x"] + 245, cell["y"] + 2.5 * row)
    page.wait_for_timeout(300)  # the table takes the focus for the cell; a hand is no quicker to the key
    for _ in range(2):
        page.keyboard.press("Enter")
        choose_role(page, "quasi")  # chosen, and on to the next row
        page.wait_for_timeout(300)
    expect(page.get_by_text("5 columns are undecided")).to_be_attached()
    assert str(page.evaluate("document.activeElement.id")).startswith("glide-cell")

    page.get_by_role("button", name="Forget this data", exact=True).click()
    expect(page.get_by_text("This cannot be undone.")).to_be_visible()
    page.keyboard.press("Escape")
    wait_until_idle(page)
    expect(page.get_by_test_id("stSidebar").get_by_text("visits.csv")).to_be_visible()
    forget(page)
    expect(page.get_by_text("No data loaded")).to_be_visible()
    expect(undo_button(page)).to_have_count(0)
