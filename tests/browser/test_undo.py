"""What is undone with the keyboard and the mouse, what is forgotten only when it is meant, and what stays in focus."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Server, forget, go, open_page, press, step, upload, wait_until_idle
from tests.browser.look import PAGES, press_sample, settled
from tests.helpers.app import visits

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


def undo_button(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("button", name=re.compile("Undo"))


def test_cleared_roles_are_undone_by_keyboard_and_a_double_click_undoes_once(page: Page, server: Server) -> None:
    open_page(page, server, "data")
    press(page, "Try with the admissions sample")
    press(page, "Clear roles")
    expect(page.get_by_text("12 columns without a role")).to_be_visible()
    undo = undo_button(page)
    expect(undo).to_have_text(re.compile("Undo: clear roles"))
    undo.focus()
    undo.press("Enter")
    wait_until_idle(page)
    expect(page.get_by_text("Every column has a role. An attacker is taken to know age, sex, zip")).to_be_visible()
    go(page, "Release")
    press(page, "Start with these steps")
    step(page, "Remove step 1").click()
    wait_until_idle(page)
    undo_button(page).dblclick()
    wait_until_idle(page)
    expect(undo_button(page)).to_have_text(re.compile("Undo: start with"))


def test_data_are_forgotten_only_when_that_is_confirmed(page: Page, server: Server) -> None:
    open_page(page, server, "data")
    upload(page, "visits.csv", visits())
    page.get_by_role("button", name="Forget this data", exact=True).click()
    expect(page.get_by_text("This cannot be undone.")).to_be_visible()
    page.keyboard.press("Escape")
    wait_until_idle(page)
    expect(page.get_by_test_id("stSidebar").get_by_text("visits.csv")).to_be_visible()
    forget(page)
    expect(page.get_by_text("No data loaded")).to_be_visible()
    expect(undo_button(page)).to_have_count(0)


def test_roles_are_set_one_after_another_by_keyboard(page: Page, server: Server) -> None:
    """The focus stays in the table, and the table where it is."""
    open_page(page, server, "data")
    upload(page, "visits.csv", visits())
    table = page.get_by_test_id("stDataFrame").last
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    cell = table.locator("canvas").first.bounding_box()
    assert cell is not None
    page.mouse.click(cell["x"] + 245, cell["y"] + 2.5 * cell["height"] / 9)  # a header and 8 columns
    for _ in range(2):
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        page.keyboard.type("Quasi")
        page.wait_for_timeout(300)
        page.keyboard.press("Enter")  # chosen, and on to the next row
        wait_until_idle(page)
        page.wait_for_timeout(300)
    expect(page.get_by_text("6 columns without a role")).to_be_attached()
    assert str(page.evaluate("document.activeElement.id")).startswith("glide-cell")


def test_nothing_is_cut_on_a_tablet_or_a_laptop_at_150_percent(page: Page, server: Server) -> None:
    open_page(page, server, "data")
    press_sample(page, "data")
    for name in list(PAGES)[1:]:
        go(page, name)
        if name == "Release":
            press(page, "Start with these steps")
        for width, height in ((820, 1100), (960, 600)):
            page.set_viewport_size({"width": width, "height": height})
            assert settled(page, lambda: page.evaluate(CUT)) == [], (name, width)
        page.set_viewport_size({"width": 1440, "height": 900})
