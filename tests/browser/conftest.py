"""A running Anonscope and a browser page that fails the test when anything leaves the machine or goes wrong."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    WebError,
    WebSocket,
    expect,
    sync_playwright,
)

from tests.browser.app import HEARD, RESULTS, Server
from tools.chromium import HOW_TO_GET_ONE, find

ROOT = Path(__file__).resolve().parents[2]
AUDITED = Path(__file__).resolve().parent / "audited"
START = (sys.executable, "-m", "ui.start", "--port")
STREAMLIT_RUN = (sys.executable, "-m", "streamlit", "run", "app.py", "--server.port")
START_TIMEOUT = 90  # seconds
STREAMLIT_PROBE = re.compile(r"/[\w-]+/_stcore/(health|host-config)")
FAILED = pytest.StashKey[bool]()
expect.set_options(timeout=40_000)  # milliseconds: two busy cores, and Spark beside
LOCAL_SCHEMES = {"data", "blob", "about"}
# Of this switch the last one counts: Playwright's own, and the two address bars that a window draws beforehand, each in
# a process of its own, which is most of what a new window costs.
FEATURES_OFF = (
    "AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,"
    "HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,"
    "PreconnectToSearch,ThirdPartyStoragePartitioning,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup"
)
# A browser has errands of its own (updates, safe browsing). They are switched off, so that what the
# test sees is what the page does.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--ignore-certificate-errors",  # of a department's server in a test; as an option of a window it ends downloads
    "--process-per-site",  # see the fixture `window`
    f"--disable-features={FEATURES_OFF}",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@contextmanager
def running_server(
    directory: Path, root: Path = ROOT, command: tuple[str, ...] = START, port: int = 0, *, is_port_given: bool = True,
    **variables: str,
) -> Iterator[Server]:  # fmt: skip
    """Anonscope in a process of its own; its home, its temporary files and its log are kept in ``directory``.

    ``command`` gets the port as its last argument, a free one where none is given, and runs in ``root``, with these
    environment variables; where it knows the port itself, it ``is_port_given`` not.
    """
    home, temporary = directory / "home", directory / "tmp"
    home.mkdir()
    temporary.mkdir()
    log, audit, alive = directory / "server.log", directory / "audit.log", directory / "alive.log"
    port = port or _free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    environment |= {"HOME": str(home), "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"PYTHONPATH": os.pathsep.join([str(AUDITED), str(ROOT)]), "ANONSCOPE_AUDIT": str(audit)}
    environment["ANONSCOPE_ALIVE"] = str(alive)
    environment |= variables
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, str(port)] if is_port_given else command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", process, log)
            yield Server(f"http://127.0.0.1:{port}", process.pid, home, temporary, log, audit, alive)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(address: str, process: subprocess.Popen, log: Path) -> None:
    opener = build_opener(ProxyHandler({}))  # a proxy of the environment is not asked for this machine
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with opener.open(address, timeout=2) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"Anonscope did not start within {START_TIMEOUT} s; it said:\n{log.read_text(errors='replace')}")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The Anonscope that the tests of this session share; every test has a browser session of its own."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@contextmanager
def started_chromium() -> Iterator[Browser]:
    """The Chromium that is found, without errands of its own."""
    path = find()
    if path is None:
        pytest.fail(HOW_TO_GET_ONE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=CHROMIUM_ARGUMENTS, proxy=None, env=_without_proxies(), timeout=120_000
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with started_chromium() as browser:
        yield browser


def _without_proxies() -> dict[str, str | float | bool]:
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


class Watch:
    """What happened in a browser context that must not: requests to other hosts, console errors, page errors."""

    def __init__(self, *hosts: str) -> None:
        self.hosts = hosts
        self.problems: list[str] = []

    @contextmanager
    def on(self, context: BrowserContext) -> Iterator[None]:
        """Watch what happens in a context until the end of the block."""
        events: dict[Any, Callable] = {
            "request": self._saw_request,
            "console": self._saw_console,
            "weberror": self._saw_error,
            "page": self._saw_page,
        }
        for event, saw in events.items():
            context.on(event, saw)
        try:
            yield
        finally:
            for event, saw in events.items():
                context.remove_listener(event, saw)

    def _saw_page(self, page: Page) -> None:
        page.on("websocket", self._saw_websocket)

    def _saw_error(self, error: WebError) -> None:
        self.problems.append(f"page error: {error.error}")

    def _saw_request(self, request: Request) -> None:
        self._saw_address("request", request.url)

    def _saw_websocket(self, websocket: WebSocket) -> None:
        self._saw_address("websocket", websocket.url)

    def _saw_address(self, what: str, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in LOCAL_SCHEMES and parts.netloc not in self.hosts:
            self.problems.append(f"{what} to another host: {address[:300]}")

    def _saw_console(self, message: ConsoleMessage) -> None:
        address = message.location.get("url", "")
        if message.type == "error" and not self._is_streamlit_looking_for_itself(message.text, address):
            self.problems.append(f"console error: {message.text[:500]} {address[:300]}")

    def _is_streamlit_looking_for_itself(self, text: str, address: str) -> bool:
        """Opened at ``/risk``, Streamlit first asks whether it is served below ``/risk/``: a 404 is the answer."""
        parts = urlsplit(address)
        return "404" in text and parts.netloc in self.hosts and bool(STREAMLIT_PROBE.fullmatch(parts.path))


def _open_window(browser: Browser, *, bypass_csp: bool = False) -> BrowserContext:
    window = browser.new_context(
        viewport={"width": 1440, "height": 900}, accept_downloads=True, bypass_csp=bypass_csp, reduced_motion="reduce"
    )
    window.set_default_timeout(60_000)
    window.add_init_script(HEARD)
    return window


@contextmanager
def watched_page(browser: Browser, server: Server, *, bypass_csp: bool = False) -> Iterator[tuple[Page, Watch]]:
    """A page in a window of its own, which shares nothing with others, with the record of what went wrong in it.

    With ``bypass_csp`` the browser lets through what the Content-Security-Policy forbids, so that the record is tried.
    """
    window = _open_window(browser, bypass_csp=bypass_csp)
    watch = Watch(urlsplit(server.url).netloc)
    try:
        with watch.on(window):
            yield window.new_page(), watch
    finally:
        window.close()


@pytest.fixture(scope="session")
def window(chromium: Browser, server: Server) -> Iterator[BrowserContext]:
    """A browser window whose tabs run in one process, so that the app's scripts are compiled once and not by each test.

    One tab stays open: the process lives as long.
    """
    window = _open_window(chromium)
    window.new_page().goto(f"{server.url}/_stcore/health")
    yield window
    window.close()


@pytest.fixture
def page(window: BrowserContext, server: Server, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab that nothing was done in; the test fails if anything left the machine, was written to disk or went wrong.

    That is: a request of the page to another host, an error in its console, and a file written, a host called or a
    program started by the server.
    """
    noted_before = server.notes()
    watch = Watch(urlsplit(server.url).netloc)
    already_open = window.pages
    with watch.on(window):
        page = window.new_page()
        yield page
        if request.node.stash.get(FAILED, False):
            _keep_picture(page, request.node.name)
        with suppress(Error):
            page.evaluate("localStorage.clear()")
        for opened in window.pages:
            if opened not in already_open:
                opened.close()
        window.clear_cookies()
    problems = watch.problems + [f"the server {note}" for note in server.notes()[len(noted_before) :]]
    if problems:
        pytest.fail("In the browser:\n" + "\n".join(problems))


def _keep_picture(page: Page, name: str) -> None:
    RESULTS.mkdir(exist_ok=True)
    with suppress(Error):  # the page itself may be gone; the test's own failure says so
        page.screenshot(path=RESULTS / f"failed-{name}.png", full_page=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report
