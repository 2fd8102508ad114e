"""A department's server as browsers reach it: a real OpenID provider, a proxy with TLS, and people who sign in.

The provider is ``localhost`` and the server ``127.0.0.1``, so that they are two sites to a browser, as they are two
hosts in a hospital. Both have one certificate that is made for the test; the browser is asked to take it, the server
finds it where ``SSL_CERT_FILE`` says.
"""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.app import HEARD, Server, wait_until_idle
from tests.browser.conftest import Watch, running_server

HERE = Path(__file__).parent / "openid"
INSTALLED = Path(__file__).resolve().parents[2] / ".cache" / "openid"
GROUPS = {"officer": ["privacy-officers"], "reviewer": ["privacy-reviewers"], "administrator": ["anonscope-admins"]}
PEOPLE = {
    "olga": {"name": "Olga Officer", "groups": ["staff", "privacy-officers"]},
    "otto": {"name": "Otto Officer", "groups": ["privacy-officers"]},
    "rafael": {"name": "Rafael Reviewer", "groups": ["privacy-reviewers"]},
    "ada": {"name": "Ada Administrator", "groups": ["anonscope-admins"]},
    "nina": {"name": "Nina <b>Nurse</b>", "groups": ["staff"]},
}
"""By the name under which they sign in at the provider; Nina may not enter."""
CLIENT, SECRET, COOKIE_SECRET = "anonscope", "s" * 40, "c" * 40


@dataclass(frozen=True)
class TeamServer:
    """A running department's server.

    ``server`` is as for the tests at a desk, its address that of the proxy; ``behind`` is where the proxy leads to,
    and ``people`` the file of those who can sign in.
    """

    server: Server
    behind: str
    provider: str
    certificate: Path
    settings: Path
    people: Path

    @property
    def url(self) -> str:
        """Where browsers reach it."""
        return self.server.url

    @property
    def hosts(self) -> tuple[str, str]:
        """The two that a browser may ask: the server's proxy and the provider."""
        return urlsplit(self.url).netloc, urlsplit(self.provider).netloc

    def has_groups(self, login: str, *groups: str) -> None:
        """From the next sign-in on, somebody is in these groups."""
        people = json.loads(self.people.read_text(encoding="utf-8"))
        people[login]["groups"] = list(groups)
        self.people.write_text(json.dumps(people), encoding="utf-8")


@contextmanager
def running_team(
    directory: Path, *, idle_minutes: float = 30, longest_hours: float = 10, groups_in_userinfo: bool = True,
    more: str = "", limits: Mapping[str, object] | None = None, **variables: str,
) -> Iterator[TeamServer]:  # fmt: skip
    """A department's server, its provider and its proxy; what they keep is in ``directory``.

    ``more`` is appended to the settings, ``limits`` are those of sessions; ``variables`` are of the server's
    environment. Skips the test where there is no Node.js, or its provider cannot be installed.
    """
    program = _installed_provider()
    ports = dict(zip(("provider", "proxy", "server"), _free_ports(3), strict=True))
    address, issuer = f"https://127.0.0.1:{ports['proxy']}", f"https://localhost:{ports['provider']}"
    key, certificate = _certificate(directory)
    people = directory / "people.json"
    people.write_text(json.dumps(PEOPLE), encoding="utf-8")
    asked = {
        "issuer": issuer, "port": ports["provider"], "address": address, "client": CLIENT, "secret": SECRET,
        "people": str(people), "key": str(key), "certificate": str(certificate),
        "groups_in_userinfo": groups_in_userinfo,
    }  # fmt: skip
    settings = _settings(directory, address, issuer, ports["server"], idle_minutes, longest_hours, limits or {}, more)
    start = (sys.executable, "-m", "ui.start", "--team", str(settings))
    variables = {"SSL_CERT_FILE": str(certificate), "NO_PROXY": "localhost,127.0.0.1", **variables}
    with (
        _running_provider(program, directory, asked),
        _running_proxy(ports["proxy"], ports["server"], key, certificate),
        running_server(directory, command=start, port=ports["server"], is_port_given=False, **variables) as server,
    ):
        behind = server.url
        through = Server(
            address, server.pid, server.home, server.temporary_directory, server.log, server.audit, server.alive
        )
        yield TeamServer(through, behind, issuer, certificate, settings, people)


@contextmanager
def window_of(browser: Browser, team: TeamServer) -> Iterator[BrowserContext]:
    """A browser window of its own, which takes the certificate of the test and fails at requests to other hosts."""
    window = browser.new_context(
        viewport={"width": 1440, "height": 900}, ignore_https_errors=True, reduced_motion="reduce"
    )
    window.set_default_timeout(60_000)
    window.add_init_script(HEARD)
    watch = Watch(*team.hosts)
    try:
        with watch.on(window):
            yield window
    finally:
        window.close()
    elsewhere = [problem for problem in watch.problems if "another host" in problem]
    assert not elsewhere


@contextmanager
def signed_in(browser: Browser, team: TeamServer, login: str, path: str = "/") -> Iterator[Page]:
    """A page of somebody who has signed in, in a window of its own: ``olga``, ``rafael``, ``ada`` of :data:`PEOPLE`."""
    with window_of(browser, team) as window:
        page = window.new_page()
        sign_in(page, team, login, path)
        wait_until_idle(page)
        yield page


def sign_in(page: Page, team: TeamServer, login: str, path: str = "/") -> None:
    """Ask for a page and sign in where that leads, as somebody does whom the provider does not know yet."""
    page.goto(f"{team.url}{path}")
    page.get_by_label("Name").fill(login)
    page.get_by_role("button", name="Sign in").click()


# ---- settings and certificate ---------------------------------------------------------------------------------------


def _settings(
    directory: Path, address: str, issuer: str, port: int, idle_minutes: float, longest_hours: float,
    limits: Mapping[str, object], more: str,
) -> Path:  # fmt: skip
    store = directory / "store"
    store.mkdir(mode=0o700)
    secret, cookie = private_file(directory / "client", SECRET), private_file(directory / "cookie", COOKIE_SECRET)
    lines = [
        f'address = "{address}"', f'listen = "127.0.0.1:{port}"',
        "[sign_in]", f'provider = "{issuer}"', f'client = "{CLIENT}"', f'secret_file = "{secret}"',
        f'cookie_secret_file = "{cookie}"', f"idle_minutes = {idle_minutes}", f"longest_hours = {longest_hours}",
        "[roles]", *(f"{role} = {json.dumps(groups)}" for role, groups in GROUPS.items()),
        "[store]", f'folder = "{store}"',
        "[limits]", *(f"{name} = {json.dumps(value)}" for name, value in limits.items()),
        more,
    ]  # fmt: skip
    return private_file(directory / "team.toml", "\n".join(lines) + "\n")


def private_file(path: Path, text: str) -> Path:
    """A file that its owner alone may read."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path


def _certificate(directory: Path) -> tuple[Path, Path]:
    """A key and its certificate, signed by itself, for this machine."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    now = datetime.datetime.now(datetime.UTC)
    hosts = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(hosts, critical=False).add_extension(x509.BasicConstraints(True, None), critical=True)
        .sign(private, hashes.SHA256())
    )  # fmt: skip
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    key = private_file(
        directory / "key.pem", private.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain).decode()
    )
    certificate = directory / "certificate.pem"
    certificate.write_bytes(signed.public_bytes(pem))
    return key, certificate


def _free_ports(number: int) -> list[int]:
    with_ports = [socket.socket() for _ in range(number)]
    try:
        for probe in with_ports:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in with_ports]
    finally:
        for probe in with_ports:
            probe.close()


# ---- the provider ---------------------------------------------------------------------------------------------------


def _installed_provider() -> Path:
    """The program of the provider, beside what it needs; installed once, skipped where that is not possible."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js and npm are needed for a real OpenID provider")
    asked = (HERE / "package.json").read_bytes()
    if not (INSTALLED / "package.json").exists() or (INSTALLED / "package.json").read_bytes() != asked:
        coming = INSTALLED.with_name(f"openid-{os.getpid()}")
        shutil.rmtree(coming, ignore_errors=True)
        coming.mkdir(parents=True)
        (coming / "package.json").write_bytes(asked)
        command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
        done = subprocess.run(command, cwd=coming, capture_output=True, timeout=300, check=False)
        if done.returncode:
            shutil.rmtree(coming, ignore_errors=True)
            pytest.skip("npm could not install oidc-provider, a real OpenID provider")
        shutil.rmtree(INSTALLED, ignore_errors=True)
        with suppress(OSError):  # another test was quicker
            coming.rename(INSTALLED)
        shutil.rmtree(coming, ignore_errors=True)
    return Path(shutil.copy(HERE / "provider.mjs", INSTALLED / "provider.mjs"))


@contextmanager
def _running_provider(program: Path, directory: Path, settings: dict[str, object]) -> Iterator[None]:
    file, log = directory / "provider.json", directory / "provider.log"
    file.write_text(json.dumps(settings), encoding="utf-8")
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["node", str(program), str(file)], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        deadline = time.monotonic() + 60
        while b"ready" not in log.read_bytes():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"the OpenID provider did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)


# ---- the proxy ------------------------------------------------------------------------------------------------------


@contextmanager
def _running_proxy(port: int, to: int, key: Path, certificate: Path) -> Iterator[None]:
    """What ends TLS before the server, and hands on every byte, in a thread of its own."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    loop, is_up = asyncio.new_event_loop(), threading.Event()

    async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            behind, to_behind = await asyncio.open_connection("127.0.0.1", to)
            await asyncio.gather(_pump(reader, to_behind), _pump(behind, writer))
        writer.close()

    async def serve() -> None:
        await asyncio.start_server(hand_on, "127.0.0.1", port, ssl=context)
        is_up.set()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(serve())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert is_up.wait(10)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (OSError, ssl.SSLError):
        pass
    finally:
        with suppress(OSError, RuntimeError):
            writer.close()
