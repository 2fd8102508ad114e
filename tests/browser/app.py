"""Small steps that browser tests take."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.helpers.app import visits

RESULTS = Path(__file__).resolve().parents[2] / "test-results"
IDLE_TIMEOUT = 240_000  # milliseconds: two cores, and Spark beside
IDLE_MOMENT = 250
HEARD = """(() => {
    const send = WebSocket.prototype.send
    WebSocket.prototype.send = function (data) {
        if (!this.heard) {
            this.heard = true
            this.addEventListener("message", () => { window.heardAt = performance.now() })
        }
        window.askedAt = performance.now()
        return send.call(this, data)
    }
})()"""
"""Notes when the page last asked the server and when it last heard of it: a busy server answers late."""
IDLE = """moment => {
    const app = document.querySelector("[data-testid='stApp']"), now = performance.now()
    const answered = !window.askedAt || window.heardAt > window.askedAt || now - window.askedAt > 5000
    const idle = answered && app?.dataset.testConnectionState === "CONNECTED"
        && app.dataset.testScriptState === "notRunning"
        && !document.querySelector("[data-stale='true'], [data-testid='stSkeleton']")
    window.idleSince = idle ? window.idleSince ?? now : null
    return idle && now - window.idleSince >= moment
}"""


@dataclass(frozen=True)
class Server:
    """A running Anonscope: its address and process id, where it would leave files, what it printed, and what it did."""

    url: str
    pid: int
    home: Path
    temporary_directory: Path
    log: Path
    audit: Path
    alive: Path

    def notes(self) -> list[str]:
        """What it did so far that it must not: files written, hosts called, programs started."""
        return self.audit.read_text(encoding="utf-8").splitlines()

    def uploaded_bytes(self) -> int:
        """How many bytes of uploads it holds."""
        return self._counted()["bytes"]

    def listening_addresses(self) -> list[str]:
        """The addresses on which something listens on its port, as Linux writes them (in hexadecimal)."""
        port = f"{urlsplit(self.url).port:04X}"
        listening = []
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]] if Path(table).exists() else []
            listening += [row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[1].endswith(f":{port}")]
        return listening

    def alive_of_a_file(self) -> dict[str, int]:
        """How many objects it holds that have to do with a file, by their kind."""
        counted = self._counted()
        del counted["bytes"]
        return counted

    def jobs(self) -> list[psutil.Process]:
        """The processes of work that it has begun."""
        zygotes = [
            child for child in psutil.Process(self.pid).children() if "ui.server.workers.zygote" in child.cmdline()
        ]
        return [job for zygote in zygotes for job in zygote.children()]

    def wait_for_jobs(self, are_so: Callable[[list[psutil.Process]], bool]) -> list[psutil.Process]:
        """These processes, once they are as they are waited for."""
        deadline = time.monotonic() + IDLE_TIMEOUT / 1000
        while not are_so(jobs := self.jobs()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"these processes are there: {jobs}")
            time.sleep(0.1)
        return jobs

    def _counted(self) -> dict[str, int]:
        self.alive.write_text("", encoding="utf-8")
        os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + IDLE_TIMEOUT / 1000
        while time.monotonic() < deadline:
            *lines, end = self.alive.read_text(encoding="utf-8").splitlines() or [""]
            if end == ".":
                return {kind: int(number) for kind, number in map(str.split, lines)}
            time.sleep(0.1)
        raise TimeoutError("the server did not count what it holds")


def open_page(page: Page, server: Server, path: str = "/") -> None:
    """Go to a page's own address, as a new visit, and wait until it is drawn."""
    page.goto(f"{server.url}/{path.lstrip('/')}")
    wait_until_idle(page)


def wait_until_idle(page: Page, timeout: float = IDLE_TIMEOUT) -> None:
    """Wait until no script runs and everything that was drawn is on the page, and that for a moment.

    The app's own attributes say so. They also say so in the moment before a click has reached the server, and between
    two runs.
    """
    page.evaluate("window.idleSince = null")
    page.wait_for_function(IDLE, arg=IDLE_MOMENT, timeout=timeout, polling=50)


def upload(page: Page, name: str, data: bytes, *, label: str | None = None) -> None:
    """Give a file to the file uploader (the first one of the page, or the one with this label)."""
    uploaders = page.get_by_test_id("stFileUploader")
    uploader = uploaders.first if label is None else uploaders.filter(has_text=label)
    files = [{"name": name, "mimeType": "application/octet-stream", "buffer": data}]
    with page.expect_response(lambda response: response.request.method == "PUT", timeout=IDLE_TIMEOUT):
        uploader.locator("input[type='file']").set_input_files(files)  # type: ignore[arg-type]
    wait_until_idle(page)


def forget(page: Page) -> None:
    """On the Data page: forget the data, and say that it is meant."""
    page.get_by_role("button", name="Forget this data", exact=True).click()
    page.get_by_role("button", name="Forget this data for good").click()
    wait_until_idle(page)


VISITS = visits(2000)
SECTION_OF = {
    "Risk": "Look deeper", "Individuals": "Look deeper", "Leakage": "Look deeper",
    "Attack": "Look deeper",
    "Generalize": "Protect by hand", "Regions": "Protect by hand", "Frontier": "Protect by hand",
    "Release": "Release", "Case": "Release", "Report": "Release", "Register": "Release",
    "Forecast": "Not collected yet", "Schedules": "Not collected yet",
}  # fmt: skip
"""By page, the menu above that its link is in; the others' links stand there themselves."""


def click_link(page: Page, name: str) -> None:
    """Click the link of a page above, in the menu of its section where it has one."""
    menu = SECTION_OF.get(name, "")
    if menu:
        page.get_by_test_id("stTopNavSection").filter(has_text=menu).click()
    page.get_by_test_id("stTopNavDropdownLink" if menu else "stTopNavLink").filter(has_text=name).click()


def go(page: Page, name: str) -> None:
    """To another page by the links above, as one does."""
    click_link(page, name)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    wait_until_idle(page)


def click_picture(page: Page, x: float, y: float, seen: Locator) -> None:
    """Click what a picture shows at a place of the page, and again where that is lost, until something is seen.

    A picture looks for what is under the mouse as that rests, and takes a press that is let go late for a drag: on a
    busy machine a person clicks again too.
    """
    for _ in range(4):
        page.mouse.move(x - 6, y)
        page.mouse.move(x, y, steps=3)
        page.wait_for_timeout(400)
        page.mouse.click(x, y)
        with suppress(AssertionError):
            return expect(seen).to_be_visible(timeout=TIMEOUT / 2)
    expect(seen).to_be_visible()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()
    wait_until_idle(page)


def metric(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text=label).first.get_by_test_id("stMetricValue")


def below(page: Page, k: int) -> Locator:
    """The number of records in classes below k."""
    label = page.get_by_text(re.compile(rf"below (k = )?{k}(, values known)?$"))
    return page.get_by_test_id("stMetric").filter(has=label).first.get_by_test_id("stMetricValue")


def step(page: Page, what: str) -> Locator:
    """A button of a step of the recipe, such as "Remove step 1", by its key."""
    return page.locator(f"[class*='st-key-{what.replace(' ', '-')}'] button:visible")


def pick(page: Page, label: str, option: str) -> None:
    """An option of a selectbox, once more where the page was drawn anew between its list and the click."""
    for _ in range(3):
        with suppress(PlaywrightTimeout):
            option_of(page, label, option).click(timeout=5_000)
            break
    else:
        option_of(page, label, option).click()
    wait_until_idle(page)


def option_of(page: Page, label: str, name: str | re.Pattern[str]) -> Locator:
    """An option of a selectbox, whose list is opened; once more if the page was drawn anew and closed it."""
    options = page.get_by_role("option", name=name, exact=isinstance(name, str))
    for _ in range(3):
        page.get_by_role("combobox", name=label, exact=True).click()
        with suppress(PlaywrightTimeout):
            options.first.wait_for(timeout=5_000)
            break
    return options.first


def choose(page: Page, group: str, option: str) -> None:
    """An option of a segmented control."""
    page.get_by_role("radiogroup", name=group).get_by_role("radio", name=option, exact=True).click()
    wait_until_idle(page)


def open_builder(page: Page) -> None:
    """Open “Add a step”; the first step of a recipe replaces an open one by one that is closed."""
    group = page.get_by_role("radiogroup", name="Kind of step")
    for _ in range(20):
        page.wait_for_timeout(500)
        wait_until_idle(page)
        if not group.is_visible():
            page.get_by_test_id("stExpander").filter(has_text="Add a step").locator("summary").first.click()
            continue
        page.wait_for_timeout(500)
        if group.is_visible():
            return
    expect(group).to_be_visible()


def load_and_accept(page: Page, server: Server, name: str, data: bytes) -> None:
    open_page(page, server, "data")
    upload(page, name, data)
    accept_all(page)


def accept_all(page: Page) -> None:
    """All suggested roles, also where the officer is asked; what nothing tells of is neither, in blocks sensitive."""
    asked = page.get_by_role("button", name=re.compile("^Answer .* as suggested"))
    expect(page.get_by_role("button", name="Accept suggestions")).to_be_visible(timeout=TIMEOUT)
    wait_until_idle(page)  # only now is all drawn that the same run draws
    some_are_asked = asked.count() > 0
    press(page, "Accept suggestions")
    if some_are_asked:
        asked.click()
        expect(asked).to_have_count(0, timeout=TIMEOUT)  # idle is also a page that the click has not reached
        wait_until_idle(page)
    _answer_open_questions(page)


def _answer_open_questions(page: Page) -> None:
    """Answer what is left, question by question."""
    questions = page.get_by_role("radiogroup", name=re.compile("^Could somebody outside know"))
    while (left := questions.count()) > 0:
        for i in range(left):
            question = questions.nth(i)
            if question.get_by_role("radio", name="Undecided").is_checked():
                neither = question.get_by_text("Neither, I am sure", exact=True)
                harmful = question.get_by_text("No, and it would harm if learned", exact=True)
                (neither if neither.count() else harmful).click()
                wait_until_idle(page)
                break
        else:
            return


TIMEOUT = 20_000  # milliseconds; a slow machine draws late


def open_tab(page: Page, name: str) -> None:
    tab = page.get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true", timeout=TIMEOUT)
    wait_until_idle(page)


def leave_anyway(page: Page) -> None:
    """Write on the Release page why the file leaves although the verdict is against it; fails where it is not."""
    box = page.get_by_label("It leaves all the same, because", exact=True)
    expect(box).to_be_visible(timeout=TIMEOUT)
    box.fill("Agreed with the recipient in writing.")
    box.press("Enter")
    wait_until_idle(page)


def saved(page: Page, label: str, path: Path) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label).click()
    waiting.value.save_as(path / waiting.value.suggested_filename)
    return (path / waiting.value.suggested_filename).read_bytes()
