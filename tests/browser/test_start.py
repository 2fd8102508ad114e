"""The running server: what it lets in, what it writes down, and that the harness itself would notice."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.app import Server, open_page, upload, wait_until_idle
from tests.browser.conftest import ROOT, STREAMLIT_RUN, running_server, watched_page

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc, which only Linux has")
SECRET = "SECRET-CELL-7731"
FAULTY_APP = f"""
import logging
import streamlit as st
from ui.server import prepare_server

prepare_server()
if st.button("Fail"):
    logging.getLogger("anything").error("While reading: %s", ValueError("{SECRET}"))
    raise KeyError("{SECRET}")
st.file_uploader("A file")
"""


CARELESS_APP = """
import pathlib, socket, subprocess, sys
import streamlit as st

st.file_uploader("A file")
pathlib.Path.home().joinpath("cells.csv").write_text("44,F")
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
    try:
        outside.connect(("192.0.2.1", 9))
    except OSError:
        pass
try:
    socket.getaddrinfo("elsewhere.invalid", 80)
except OSError:
    pass
subprocess.run([sys.executable, "-c", ""])
"""
UNGATED_APP = """
import streamlit as st
from ui.server import prepare_server, stop_unless_guarded

prepare_server()
stop_unless_guarded()
st.file_uploader("A file")
"""


def test_the_harness_notices_requests_to_other_hosts_and_ports_and_errors(chromium: Browser, server: Server) -> None:
    with watched_page(chromium, server, bypass_csp=True) as (page, watch):
        open_page(page, server)
        assert not watch.problems
        with pytest.raises(Error):
            page.evaluate("fetch('http://elsewhere.invalid/pixel.png')")
        assert any("request to another host: http://elsewhere.invalid/pixel.png" in what for what in watch.problems)
        page.evaluate("new WebSocket('ws://127.0.0.1:9/')")
        page.evaluate("console.error('something is wrong')")
        page.evaluate("setTimeout(() => { throw new Error('thrown') })")
        page.wait_for_timeout(300)
        for what in ("websocket to another host", "console error: something is wrong", "page error"):
            assert any(problem.startswith(what) for problem in watch.problems), what


def test_the_harness_notices_what_the_server_does(chromium: Browser, tmp_path: Path) -> None:
    root = tmp_path / "app"
    shutil.copytree(ROOT / ".streamlit", root / ".streamlit")
    (root / "app.py").write_text(CARELESS_APP)
    with running_server(tmp_path, root, STREAMLIT_RUN) as careless, watched_page(chromium, careless) as (page, _):
        open_page(page, careless)
        upload(page, "large.csv", b"x" * 2_000_000)
        notes = careless.notes()
    for what in (
        f"wrote to a file: '{careless.home / 'cells.csv'}'",
        f"wrote to a file: '{careless.temporary_directory}",  # the upload, with nothing prepared
        "called another host: ('192.0.2.1', 9)",
        "looked up another host: 'elsewhere.invalid'",
        "started another program",
    ):
        assert any(note.startswith(what) for note in notes), what


def test_an_exception_reaches_neither_the_screen_nor_the_log_and_a_closed_tab_is_forgotten(
    chromium: Browser, tmp_path: Path
) -> None:
    """Also that a plain ``streamlit run app.py`` is prepared as the start command is.

    A file that the tab had when it was closed is held until the tab's time is over.
    """
    root = tmp_path / "app"
    shutil.copytree(ROOT / ".streamlit", root / ".streamlit")
    (root / "app.py").write_text(FAULTY_APP)
    brief = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}
    with running_server(tmp_path, root, STREAMLIT_RUN, **brief) as faulty:
        with watched_page(chromium, faulty) as (page, _):
            open_page(page, faulty)
            upload(page, "visits.csv", b"age,sex\n" + b"44,F\n" * 1000)
            assert faulty.uploaded_bytes() > 5000
            page.get_by_role("button", name="Fail").click()
            wait_until_idle(page)
            expect(page.get_by_test_id("stException")).to_be_visible()
            shown = page.content()
        printed = faulty.log.read_text()
        deadline = time.monotonic() + 30
        while faulty.uploaded_bytes() and time.monotonic() < deadline:
            time.sleep(0.2)
        assert faulty.uploaded_bytes() == 0
    for text in (shown, printed):
        assert SECRET not in text
    assert "Traceback" not in shown and "app.py" not in page_text(shown)
    assert "KeyError" in printed and "While reading: ValueError" in printed, "the log still says what happened, where"


def page_text(html: str) -> str:
    """The part of a page's HTML that was drawn, without its head."""
    return html.partition("<body")[2]


@LINUX
def test_an_upload_is_never_written_to_disk(page: Page, server: Server) -> None:
    """Looks at the server's open files and at its directories while 3 MB arrive slowly."""
    before = _files_below(ROOT)
    open_page(page, server, "data")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 1_500_000},
    )
    rows = "".join(f"{i},{i % 90},{'FM'[i % 2]},{i % 7:05d}\n" for i in range(200_000))
    data = b"id,age,sex,zip\n" + rows.encode()
    assert len(data) > 3_000_000
    with _written_files(server) as seen:
        with page.expect_request_finished(lambda request: request.method == "PUT") as put:
            upload(page, "large.csv", data)
        assert put.value.timing["responseEnd"] > 1000, "milliseconds: slow enough for the watch to look many times"
        expect(page.get_by_text("large.csv").first).to_be_visible()
        wait_until_idle(page)
    assert not seen, "the server had these files open, or left them, during the upload"
    assert _files_below(ROOT) == before


class _written_files:
    """The set of new files that a server has open for itself or leaves behind, sampled until the end of the block."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.seen: set[str] = set()
        self._there_before = self._left_behind()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> set[str]:
        self._thread.start()
        return self.seen

    def __exit__(self, *failure: object) -> None:
        self._end.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._end.wait(0.02):
            self.seen.update(self._left_behind() - self._there_before)
            self.seen.update(_temporary_files_open(self.server.pid))

    def _left_behind(self) -> set[str]:
        directories = (self.server.temporary_directory, self.server.home)
        return {str(path) for directory in directories for path in directory.rglob("*") if path.is_file()}


def _temporary_files_open(pid: int) -> set[str]:
    """Open files of a process that have no name any more (as unnamed temporary files), memory excepted."""
    targets = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            targets.add(os.readlink(descriptor))
        except OSError:
            continue  # closed between listing and looking
    in_memory = ("/dev/shm", "/memfd:")
    return {target for target in targets if target.endswith("(deleted)") and not target.startswith(in_memory)}


def _files_below(root: Path) -> set[str]:
    """The project's files, without what running tests leave (caches, results) and without the environment."""
    ignored = {"__pycache__", "test-results"}
    return {
        str(path)
        for top in root.iterdir()
        if top.name not in ignored and not (top.name.startswith(".") and top.name != ".tmp")
        for path in ([top] if top.is_file() else top.rglob("*"))
        if path.is_file() and not ignored.intersection(path.parts)
    }


@LINUX
def test_the_watch_for_written_files_notices_an_unnamed_temporary_file(tmp_path: Path) -> None:
    import tempfile

    with tempfile.TemporaryFile() as unnamed:
        unnamed.write(b"uploaded bytes")
        assert _temporary_files_open(os.getpid())


@LINUX
def test_only_this_machine_can_connect(server: Server) -> None:
    assert server.listening_addresses() == ["0100007F"], "the loopback address 127.0.0.1 and no other"


ASKED_FROM = [
    ("127.0.0.1:{port}", "http://127.0.0.1:{port}", 101),
    ("localhost:{port}", "http://localhost:{port}", 101),
    ("[::1]:{port}", "http://[::1]:{port}", 101),
    ("rebound.example:{port}", "http://rebound.example:{port}", 403),
    ("127.0.0.1.rebound.example:{port}", "http://127.0.0.1.rebound.example:{port}", 403),
    ("127.0.0.1:{port}", "http://elsewhere.example", 403),
    ("127.0.0.1:{port}", "https://anything.streamlit.app", 403),
    ("127.0.0.1:{port}", "http://127.0.0.1:9", 403),
    ("127.0.0.1:{port}", "http://localhost:{port}", 403),
    ("127.0.0.1:{port}", "null", 403),
]
"""Host, origin and the answer."""


@pytest.mark.parametrize("started", ["server", "server_of_streamlit_run"])
def test_a_web_site_that_names_this_machine_as_its_own_gets_no_session(
    started: str, request: pytest.FixtureRequest
) -> None:
    """And the server asks nobody outside who it may be. All at one server, which takes long to start."""
    server: Server = request.getfixturevalue(started)
    noted_before = server.notes()
    for host, origin, answer in ASKED_FROM:
        assert _websocket_status(server, host, origin) == answer, (host, origin)
        assert server.notes() == noted_before, (host, origin)


@pytest.fixture
def server_of_streamlit_run(tmp_path: Path) -> Iterator[Server]:
    with running_server(tmp_path, ROOT, STREAMLIT_RUN) as running:
        yield running


def test_a_page_of_another_port_can_not_show_anonscope_in_a_frame(chromium: Browser, server: Server) -> None:
    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<iframe src='{server.url}/data'></iframe>".encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere, watched_page(chromium, server) as (page, _):
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{elsewhere.server_address[1]}/")
        end = time.monotonic() + 10
        while not any(frame.url.startswith("chrome-error:") for frame in page.frames[1:]) and time.monotonic() < end:
            page.wait_for_timeout(100)
        (frame,) = page.frames[1:]
        assert frame.url.startswith("chrome-error:")
        elsewhere.shutdown()


def test_an_app_that_is_not_served_through_the_gate_shows_no_page(chromium: Browser, tmp_path: Path) -> None:
    """And a web site has its server look outside: else the tests of who gets a session could not fail."""
    root = tmp_path / "app"
    shutil.copytree(ROOT / ".streamlit", root / ".streamlit")
    (root / "app.py").write_text(UNGATED_APP)
    with running_server(tmp_path, root, STREAMLIT_RUN) as ungated, watched_page(chromium, ungated) as (page, _):
        open_page(page, ungated)
        expect(page.get_by_text("started in a way that does not protect it")).to_be_visible()
        expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
        with suppress(TimeoutError):
            _websocket_status(ungated, "127.0.0.1:{port}", "http://elsewhere.example")
        assert any(note.startswith("called another host: ('8.8.8.8'") for note in ungated.notes())


def _websocket_status(server: Server, host: str, origin: str) -> int:
    port = urlsplit(server.url).port
    assert port is not None
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host.format(port=port)}",
        f"Origin: {origin.format(port=port)}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Protocol: streamlit",
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return int(connection.recv(1024).split()[1])
