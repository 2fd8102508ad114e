"""Files whose names, columns and cells want to be markup: shown as text everywhere, nothing fetched, nothing run.

The page fixture fails on any request to another host and on any error in the console.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import (
    Server,
    accept_all,
    choose,
    click_link,
    go,
    load_and_accept,
    open_builder,
    open_page,
    open_tab,
    option_of,
    press,
    upload,
    wait_until_idle,
)
from tests.browser.look import PAGES, overflowing
from tests.helpers.corpus import SECRETS, Refused, cases

MARK = "ZQX"
RUN = "window.hit=1"
COLUMNS = (  # the first words make them suggested quasi-identifiers and one sensitive column
    f"sex ![{MARK}0](http://h.invalid/0.png)",
    f"race <img src=http://h.invalid/1.png onerror={RUN}>{MARK}1",
    f"ethnicity <script>{RUN}</script>{MARK}2",
    f"diagnosis :red[{MARK}3] $\\frac{{{MARK}}}{{2}}$",
    f"marital status :material/delete: :smile: {MARK}4 a@h.invalid",
    f"education [{MARK}5](http://h.invalid/5) <b>bold</b> www.h.invalid",
    f"<a href='javascript:{RUN}'>{MARK}6</a>",
)
LONG = "a_very_long_column_name_" * 6
FILE_NAME = f"![{MARK}](h.invalid) <img src=x onerror={RUN}> :red[x] $x^2${'n' * 180}.csv"


def hostile_file(columns: tuple[str, ...] = COLUMNS, n_measurements: int = 60) -> bytes:
    """42 records: each cell is its column's name with a number behind it, so that every value is hostile too.

    With a long name, values without a blank to break at, and more columns than fit beside each other.
    """
    lines = [",".join(["age", *columns, LONG, *(f"measurement_{i}" for i in range(n_measurements))])]
    measured = ["123456"] * n_measurements
    for i in range(40):
        cells = [f"{name} {i % (3 + j)}" for j, name in enumerate(columns)]
        lines.append(",".join([str(30 + i), *cells, "w" * 200 + str(i % 3), *measured]))
    lines.append(",".join(["71", *(f"{name.upper()} 1" for name in columns), "w", *measured]))
    lines.append(",".join(["72", *["-"] * len(columns), "w", *measured]))
    return ("\n".join(lines) + "\n").encode()


def check(page: Page) -> None:
    """Nothing ran, and no element came of any text of the file."""
    assert page.evaluate("window.hit") is None, "a script of the file ran"
    made = page.evaluate(
        """() => [
            ...document.querySelectorAll('img, script, iframe, object, embed, a, link, source, use'),
        ].filter(e => ['src', 'href', 'data', 'srcset', 'xlink:href'].some(name =>
            /h\\.invalid|mailto|window\\.hit|javascript:/.test(e.getAttribute(name) || ''))
            || (e.tagName == 'SCRIPT' && /window\\.hit/.test(e.textContent))).map(e => e.outerHTML.slice(0, 200))"""
    )
    assert made == []
    formatted = page.evaluate(
        """() => [...document.querySelectorAll('.katex, b, em, s, [data-testid="stIconMaterial"]')]
            .filter(e => e.textContent.includes('ZQX') || e.textContent == 'bold'
                || e.querySelector(':scope annotation')?.textContent.trim() == 'x^2')  // the file name's formula
            .map(e => e.outerHTML.slice(0, 200))"""
    )
    assert formatted == []


def shown(page: Page, part: str, text: str) -> None:
    """The text is there, character by character, but for characters without width."""
    there = """([part, text]) => {
        const seen = document.querySelector(`[data-testid='${part}']`).innerText
        return seen.replaceAll('\\u2060', '').includes(text)
    }"""
    page.wait_for_function(there, arg=[part, text], timeout=20_000)


def hover_bars(page: Page) -> None:
    """Bring up the text behind the first bars of each figure, which is where it names columns in full."""
    for chart in page.locator(".js-plotly-plot").all():
        chart.scroll_into_view_if_needed()
        for bar in chart.locator(".bars .point path").all()[:4]:
            box = bar.bounding_box()
            if box is not None:
                page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                page.wait_for_timeout(100)
    check(page)


@pytest.fixture
def loaded(page: Page, server: Server) -> Iterator[Page]:
    open_page(page, server, "data")
    upload(page, FILE_NAME, hostile_file())
    accept_all(page)
    yield page
    check(page)


NOT_OF_THE_FILE = (
    "How it works", "Class sizes", "Methods side by side", "Searches", "Slots", "Change slots",
    "The paper’s experiments",
)  # fmt: skip
"""Tabs that show no name of a column and no value."""


TOURS = (
    ["Data", "Risk"],
    pytest.param(["Home", "Individuals"], marks=pytest.mark.repeats),
    pytest.param(list(PAGES)[5:], marks=pytest.mark.repeats),
)
"""The first has tables, lists and pictures; others show names by the same means."""


@pytest.mark.parametrize("names", TOURS, ids=str)
def test_names_and_cells_are_text_on_every_page_and_none_scrolls_sideways(loaded: Page, names: list[str]) -> None:
    """On a small laptop; the tables of the Data page scroll by themselves."""
    page = loaded
    page.set_viewport_size({"width": 1280, "height": 800})
    found: list[tuple[str, str, str]] = []
    for name in names:
        if name == "Home":
            click_link(page, "Home")
            wait_until_idle(page)
            shown(page, "stMain", f"![{MARK}](h.invalid)")
        elif name != "Data":
            go(page, name)
        if name == "Data":
            look_into_tables_and_lists(page)
        if name == "Release":
            press(page, "Start with these steps")
            open_builder(page)
        check(page)
        found += [(name, "first", what) for what in overflowing(page)]
        for tab in page.get_by_role("tab").all_inner_texts()[1:]:
            if tab not in NOT_OF_THE_FILE:
                open_tab(page, tab)
                check(page)
                found += [(name, tab, what) for what in overflowing(page)]
            if name == "Risk":
                assert MARK in page.get_by_test_id("stMain").inner_text(), "names are shown in words"
                hover_bars(page)
    assert found == []


# tests/pages/protect/generalize/test_awkward_files.py looks at the text of every page; two pages are looked at below.
@pytest.mark.repeats
def test_names_and_cells_are_text_on_the_verdict(page: Page, server: Server) -> None:
    """Of fewer columns, for which it finds proposals while one waits."""
    page.set_viewport_size({"width": 1280, "height": 800})
    load_and_accept(page, server, FILE_NAME, hostile_file((COLUMNS[0], COLUMNS[3]), 0))
    go(page, "Verdict")
    expect(page.get_by_role("button", name="Take this").first).to_be_visible()
    wait_until_idle(page)  # a better proposal brings another picture
    hover_bars(page)
    for tab in page.get_by_role("tab").all_inner_texts():
        if tab not in NOT_OF_THE_FILE:
            open_tab(page, tab)
            check(page)
            assert overflowing(page) == [], tab


def look_into_tables_and_lists(page: Page) -> None:
    """On the Data page: what is folded, what the lists of columns offer, and what the tables say of a cell."""
    shown(page, "stSidebar", f"![{MARK}](h.invalid)")
    shown(page, "stMain", f"<img src=x onerror={RUN}>")
    for part in ("Preview", "Not read right"):
        page.locator("summary", has_text=part).click()
        wait_until_idle(page)
    for select in page.get_by_test_id("stMultiSelect").all():
        select.get_by_role("combobox").click()
        page.wait_for_timeout(200)
        check(page)
        page.keyboard.press("Escape")
    for table in page.get_by_test_id("stDataFrame").all():
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 120, box["y"] + 60)
        page.wait_for_timeout(200)
        check(page)


@pytest.mark.repeats
def test_steps_their_reasons_and_a_refused_recipe_are_text(loaded: Page) -> None:
    page = loaded
    go(page, "Release")
    press(page, "Start with these steps")
    open_builder(page)
    first = option_of(page, "Column", re.compile(f"{MARK}0"))
    texts = page.get_by_role("option").all_inner_texts()
    assert sum(MARK in text for text in texts) >= 3 and any(f"![{MARK}0](http://h.invalid" in text for text in texts)
    check(page)
    first.click()
    wait_until_idle(page)
    for way in ("First or last characters", "Group values"):
        choose(page, "Way", way)
        check(page)
    choose(page, "Way", "First or last characters")
    page.get_by_role("textbox", name="Reason").fill(f"![{MARK}](http://h.invalid/r.png) <b>x</b> $x$")
    page.keyboard.press("Tab")
    wait_until_idle(page)
    press(page, "Add to recipe")
    shown(page, "stMain", f"![{MARK}](http://h.invalid/r.png)")
    check(page)
    open_builder(page)
    choose(page, "Kind of step", "Drop columns")
    second = option_of(page, "Columns to drop", re.compile(f"{MARK}1"))
    check(page)
    second.click()
    wait_until_idle(page)
    check(page)
    page.keyboard.press("Escape")
    press(page, "Add to recipe")
    shown(page, "stMain", COLUMNS[1][:40])
    open_tab(page, "What it is still good for")
    check(page)
    hover_bars(page)
    page.mouse.wheel(0, -9000)
    for tip in page.get_by_test_id("stTooltipHoverTarget").all()[:8]:
        box = tip.bounding_box()
        if box is not None:
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(150)
    check(page)
    press(page, "Load recipe")
    upload(page, f"![{MARK}](h.invalid).json", b"{}", label="A recipe saved here")
    check(page)
    expect(page.get_by_text("This JSON is not a recipe").first).to_be_visible()
    page.keyboard.press("Escape")


ODD = (
    ("short row", "damaged UTF-8", "Parquet nested"),
    pytest.param(("unclosed quote", "long row after a cell of two lines", "SQLite named csv", "HTML named xls",
                  "pickle named csv"), marks=pytest.mark.repeats),
)  # fmt: skip
"""Of text, of bytes and of tables; ``tests/pages/test_bad_input.py`` goes through all."""


@pytest.mark.parametrize("names", ODD, ids=" and ".join)
def test_odd_and_refused_files_are_named_as_text_and_leave_no_cell_in_the_log(
    page: Page, server: Server, names: tuple[str, ...]
) -> None:
    """Nor a traceback. Nothing of a file's name is shown that is a path or turns the direction of what follows."""
    open_page(page, server, "data")
    odd = {case.name: case for case in cases() if any(secret.encode() in case.data for secret in SECRETS)}
    for name in names:
        case = odd[name]
        assert isinstance(case.outcome, Refused)
        upload(page, case.filename, case.data)
        expect(page.get_by_text("was not read")).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert not any(secret in page.get_by_test_id("stMain").inner_text() for secret in SECRETS)
        press(page, "Leave it")
    upload(page, FILE_NAME, b"a,b\n1,2\n3\n4,5,6\n")
    shown(page, "stMain", f"![{MARK}](h.invalid)")
    expect(page.get_by_text("was not read")).to_be_visible()
    check(page)
    upload(page, "report\u202egpj.exe.csv", b"age,sex\n34,F\n35,M\n")
    expect(page.get_by_test_id("stSidebar").get_by_text("reportgpj.exe.csv")).to_be_visible()
    assert "\u202e" not in page.get_by_test_id("stMain").inner_text()
    log = server.log.read_text(errors="replace")
    assert "Traceback" not in log and "Error" not in log
    assert not any(secret in log for secret in SECRETS)
