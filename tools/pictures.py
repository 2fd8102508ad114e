"""The pictures of pages in docs/screenshots: ``python -m tools.pictures`` makes all of them, or those that it is given.

Each is of a window of 1440 x 900 in which somebody began with a sample, in a session of its own, as the tests in the
browser do. Every page is watched as there: a request to another host or an error in the console ends it.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Server, choose, click_link, go, option_of, wait_until_idle
from tests.browser.conftest import running_server, started_chromium, watched_page
from tests.browser.look import PAGES, open_sample

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
SEARCHED = 600_000  # milliseconds that a search may take, beside other programs too


def verdict(page: Page, server: Server) -> None:
    """The best proposal for a public release, and what it costs."""
    _judged(page, server)
    option_of(page, "Recipient", "Public release").click()
    _wait_for(page.get_by_text("Not yet for a public release"))
    _proposed(page)


def report(page: Page, server: Server) -> None:
    """What is filed with a release under contract that a proposal was taken for."""
    _protected(page, server)
    go(page, "Report")
    _wait_for(page.frame_locator("iframe").get_by_role("heading", level=1))


def risk(page: Page, server: Server) -> None:
    """Original and release side by side."""
    _protected(page, server)
    go(page, "Risk")
    choose(page, "Look at", "Release")


def individuals(page: Page, server: Server) -> None:
    """Everybody and every column of a release."""
    _protected(page, server)
    go(page, "Individuals")
    choose(page, "Look at", "Release")


def leakage(page: Page, server: Server) -> None:
    """What each column gives away."""
    _of_the_sample(page, server, "Leakage")


def generalize(page: Page, server: Server) -> None:
    """The level of each column that reaches k."""
    _of_the_sample(page, server, "Generalize")


def regions(page: Page, server: Server) -> None:
    """A province in regions."""
    _of_the_sample(page, server, "Regions")


def frontier(page: Page, server: Server) -> None:
    """What ten seconds of search find beside Safe Harbor."""
    _of_the_sample(page, server, "Frontier")
    search = page.get_by_role("button", name="Search for about")
    search.first.click()
    _wait_for(search)
    wait_until_idle(page)


def schedules(page: Page, server: Server) -> None:
    """Random invitations beside the proven optimum with a rule."""
    _of_the_sample(page, server, "Schedules")
    page.get_by_test_id("stCheckbox").filter(has_text="Own region only").locator("label").first.click()
    _wait_for(page.get_by_text("What the rules cost:"))
    wait_until_idle(page)


PICTURES: dict[str, Callable[[Page, Server], None]] = {
    way.__name__: way for way in (verdict, report, risk, individuals, leakage, generalize, regions, frontier, schedules)
}
"""By the name of the file, what is done before the picture is taken."""


def _of_the_sample(page: Page, server: Server, name: str) -> None:
    """A page with its sample, come back to, so that no notice of loading stands above."""
    open_sample(page, server, PAGES[name])
    go(page, "Data")
    go(page, name)


def _judged(page: Page, server: Server) -> None:
    """The admissions sample on the page Verdict."""
    open_sample(page, server, "data")
    click_link(page, "Verdict")
    _wait_for(page.get_by_text("Not yet for a release under contract"))


def _proposed(page: Page) -> None:
    """Wait until every search that begins by itself has ended."""
    _wait_for(page.get_by_text(re.compile("^Best proposal: ")))
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=SEARCHED)
    wait_until_idle(page, SEARCHED)


def _protected(page: Page, server: Server) -> None:
    """The admissions sample with the best proposal for a release under contract in its recipe."""
    _judged(page, server)
    _proposed(page)
    page.get_by_role("button", name="Take this").first.click()
    _wait_for(page.get_by_role("link", name=re.compile("^May leave")))
    wait_until_idle(page, SEARCHED)


def _wait_for(found: Locator) -> None:
    found.first.wait_for(timeout=SEARCHED)


def taken(page: Page) -> bytes:
    """The page from its top, without what the mouse or a click left on it, as PNG."""
    page.mouse.move(0, 0)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.evaluate("document.activeElement?.blur()")
    wait_until_idle(page)
    page.wait_for_timeout(500)
    return page.screenshot()


def make(names: Sequence[str], folder: Path = FOLDER) -> None:
    """Take these pictures and write each into the folder.

    Raises
    ------
    RuntimeError
        If a page asked another host for something or reported an error.
    """
    with (
        tempfile.TemporaryDirectory() as place,
        running_server(Path(place)) as server,
        started_chromium() as chromium,
    ):
        for name in names:
            with watched_page(chromium, server) as (page, watch):
                PICTURES[name](page, server)
                (folder / f"{name}.png").write_bytes(taken(page))
            if watch.problems:
                raise RuntimeError(f"{name}: {'; '.join(watch.problems)}")
            print(f"{name}.png", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that are named, or all."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.pictures", description="Take the pictures of docs/screenshots."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}; all without any")
    parser.add_argument("--into", type=Path, default=FOLDER, help="the folder that they are written to")
    chosen = parser.parse_args(arguments)
    if unknown := [name for name in chosen.names if name not in PICTURES]:
        parser.error(f"there is no picture {unknown[0]!r}")
    make(chosen.names or list(PICTURES), chosen.into)
    return 0


if __name__ == "__main__":
    sys.exit(main())
