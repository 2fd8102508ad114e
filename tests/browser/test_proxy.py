"""A department's server behind Caddy as deploy/Caddyfile has it: websockets, a large upload, and what Caddy logs."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.app import open_page, upload
from tests.helpers import team as helpers
from tests.helpers.team import TeamServer, running_team, signed_in

CADDYFILE = Path(__file__).resolve().parents[2] / "deploy" / "Caddyfile"
LARGE = 45_000_000  # bytes; a browser of tests takes no more than 50 million from memory

pytestmark = pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed")


@contextmanager
def running_caddy(port: int, to: int, key: Path, certificate: Path) -> Iterator[None]:
    """Caddy with the file of deploy/, on this machine's own address alone; its log lies beside the key."""
    environment = {
        **os.environ, "XDG_CONFIG_HOME": str(key.parent), "XDG_DATA_HOME": str(key.parent),
        "ANONSCOPE_HOST": f"127.0.0.1:{port}", "ANONSCOPE_UPSTREAM": f"127.0.0.1:{to}",
        "ANONSCOPE_CERTIFICATE": str(certificate), "ANONSCOPE_CERTIFICATE_KEY": str(key),
    }  # fmt: skip
    adapted = subprocess.run(
        ["caddy", "adapt", "--adapter", "caddyfile", "--config", str(CADDYFILE)],
        env=environment, capture_output=True, check=True,
    )  # fmt: skip
    settings = json.loads(adapted.stdout)
    (server,) = settings["apps"]["http"]["servers"].values()
    server |= {"listen": [f"127.0.0.1:{port}"], "automatic_https": {"disable_redirects": True}}
    file = key.with_name("caddy.json")
    file.write_text(json.dumps(settings), encoding="utf-8")
    with key.with_name("caddy.log").open("wb") as log:
        caddy = subprocess.Popen(["caddy", "run", "--config", str(file)], env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            assert caddy.poll() is None and time.monotonic() < deadline, key.with_name("caddy.log").read_text()
            time.sleep(0.1)
        yield
    finally:
        caddy.terminate()
        caddy.wait(timeout=30)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helpers, "_running_proxy", running_caddy)
        with running_team(tmp_path_factory.mktemp("department")) as running:
            yield running


def asked(team: TeamServer, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """What is answered through the proxy, and its body."""
    context = ssl.create_default_context(cafile=str(team.certificate))
    connection = http.client.HTTPSConnection(urlsplit(team.url).netloc, context=context, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_people_sign_in_and_load_large_files_through_it(team: TeamServer, chromium: Browser) -> None:
    row = b"1985,77123,female,asthma," + b"." * 1_000 + b"\n"  # large by its bytes, not by what is counted
    data = b"born,zip,sex,diagnosis,note\n" + row * (LARGE // len(row))
    with signed_in(chromium, team, "olga", "/data") as page:
        upload(page, "large.csv", data)
        expect(page.get_by_text(f"{LARGE // len(row):,} rows").first).to_be_visible()
        open_page(page, team.server, "data")  # the tab's session is found again by its websocket
        expect(page.get_by_text(f"{LARGE // len(row):,} rows").first).to_be_visible()


def test_it_adds_no_name_of_its_own_and_asks_browsers_for_tls_alone(team: TeamServer) -> None:
    answer, body = asked(team, "/anonscope/alive")
    assert body == b"alive"
    assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]
    assert answer.headers["Server"] is None


def test_another_host_or_a_word_of_ours_gets_nobody_in(team: TeamServer) -> None:
    """Caddy answers for no other host, with nothing."""
    assert asked(team, "/anonscope/alive", Host="elsewhere.example")[1] == b""
    assert asked(team, "/_stcore/host-config", **{"X-Anonscope-Sign-In": "0" * 64})[0].status == 401


def test_its_log_has_no_query_and_no_header(team: TeamServer) -> None:
    """What it logs is what it could not pass on: here a request that is sent to nobody."""
    log = team.settings.with_name("caddy.log")
    before = log.read_bytes()
    with running_elsewhere(team) as port:
        context = ssl.create_default_context(cafile=str(team.certificate))
        connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=60)
        connection.request(
            "GET", "/anonscope/signed-in?code=zqxcode&state=zqxstate", headers={"Cookie": "__Host-anonscope=zqxcookie"}
        )
        assert connection.getresponse().status == 502
        connection.close()
        logged = (team.settings.parent / "elsewhere" / "caddy.log").read_bytes()
    assert b"/anonscope/signed-in" in logged
    assert b"zqx" not in logged + before.lower()


@contextmanager
def running_elsewhere(team: TeamServer) -> Iterator[int]:
    """Caddy in front of a port on which nobody listens."""
    folder = team.settings.parent / "elsewhere"
    folder.mkdir()
    for name in ("key.pem", "certificate.pem"):
        shutil.copy(team.settings.with_name(name), folder / name)
    port, nobody = helpers._free_ports(2)
    with running_caddy(port, nobody, folder / "key.pem", folder / "certificate.pem"):
        yield port
