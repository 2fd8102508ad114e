"""Small steps that browser tests take."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

RESULTS = Path(__file__).resolve().parents[2] / "test-results"
IDLE_TIMEOUT = 120_000  # milliseconds
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

    def alive_of_a_file(self) -> dict[str, int]:
        """How many objects it holds that have to do with a file, by their kind."""
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
    page.wait_for_function(IDLE, arg=IDLE_MOMENT, timeout=timeout)


def upload(page: Page, name: str, data: bytes, *, label: str | None = None) -> None:
    """Give a file to the file uploader (the only one of the page, or the one with this label)."""
    uploader = page.get_by_test_id("stFileUploader")
    if label is not None:
        uploader = uploader.filter(has_text=label)
    files = [{"name": name, "mimeType": "application/octet-stream", "buffer": data}]
    with page.expect_response(lambda response: response.request.method == "PUT", timeout=IDLE_TIMEOUT):
        uploader.locator("input[type='file']").set_input_files(files)  # type: ignore[arg-type]
    wait_until_idle(page)


def forget(page: Page) -> None:
    """On the Data page: forget the data, and say that it is meant."""
    page.get_by_role("button", name="Forget this data", exact=True).click()
    page.get_by_role("button", name="Forget this data for good").click()
    wait_until_idle(page)


def screenshot(page: Page, name: str) -> Path:
    """Save what the page shows as ``test-results/<name>.png``."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
