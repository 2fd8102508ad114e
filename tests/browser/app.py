"""Small steps that browser tests take."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

RESULTS = Path(__file__).resolve().parents[2] / "test-results"
IDLE_TIMEOUT = 30_000  # milliseconds


@dataclass(frozen=True)
class Server:
    """A running Anonscope: its address and process id, where it would leave files, what it printed, and what it did."""

    url: str
    pid: int
    home: Path
    temporary_directory: Path
    log: Path
    audit: Path

    def notes(self) -> list[str]:
        """What it did so far that it must not: files written, hosts called, programs started."""
        return self.audit.read_text(encoding="utf-8").splitlines()


def open_page(page: Page, server: Server, path: str = "/") -> None:
    """Go to a page's own address, as a new visit, and wait until it is drawn."""
    page.goto(f"{server.url}/{path.lstrip('/')}")
    wait_until_idle(page)


def wait_until_idle(page: Page, timeout: float = IDLE_TIMEOUT) -> None:
    """Wait until the script has run and everything it drew is on the page.

    The app's own attribute says whether a script runs. It also says "not running" in the moment before
    a click has reached the server, hence the short pause first.
    """
    page.wait_for_timeout(150)
    app = page.locator("[data-testid='stApp']")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=timeout)
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=timeout)
    expect(page.locator("[data-stale='true']")).to_have_count(0, timeout=timeout)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=timeout)


def upload(page: Page, name: str, data: bytes, *, label: str | None = None) -> None:
    """Give a file to the file uploader (the only one of the page, or the one with this label)."""
    uploader = page.get_by_test_id("stFileUploader")
    if label is not None:
        uploader = uploader.filter(has_text=label)
    files = [{"name": name, "mimeType": "application/octet-stream", "buffer": data}]
    uploader.locator("input[type='file']").set_input_files(files)  # type: ignore[arg-type]
    wait_until_idle(page)


def screenshot(page: Page, name: str) -> Path:
    """Save what the page shows as ``test-results/<name>.png``."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
