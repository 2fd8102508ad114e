"""What passes the entrance of a department's server, and how an open connection ends: without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.settings import SignInSettings, StoreSettings, Team, TeamLimits
from tests.helpers import loops
from ui.server.gate import Gate, may_enter
from ui.server.private import BackMsg
from ui.server.sign_in import entrance, owners
from ui.server.sign_in.entrance import COOKIE, Entrance
from ui.server.sign_in.provider import Entered
from ui.server.sign_in.sign_ins import HEADER, SignIn, SignIns, key_of

ADDRESS, HOST = "https://anonscope.example", "anonscope.example"
TEAM = Team(
    ADDRESS, ("127.0.0.1", 8501),
    SignInSettings("https://login.example", "anonscope", "s" * 32, b"c" * 32, "groups", 30, 100),
    MappingProxyType({TeamRole.OFFICER: frozenset({"officers"})}), StoreSettings(Path("store")), TeamLimits(1, 1, 1),
)  # fmt: skip
OLGA = Person("https://login.example olga", "Olga", frozenset({TeamRole.OFFICER}))
OTTO = Person("https://login.example otto", "Otto", frozenset({TeamRole.OFFICER}))
RAFAEL = Person("https://login.example rafael", "Rafael", frozenset({TeamRole.REVIEWER}))
SESSION, FILE = "session-1", "8e4edb59"
UPLOAD, MEDIA = f"/_stcore/upload_file/{SESSION}/file-1", f"/media/{FILE}.csv"


class Clock:
    time = 0.0

    def __call__(self) -> float:
        return self.time


class Department:
    """A server of which Olga's session is known, and what reached what is behind its entrance."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.noted: list[tuple[str, Act, dict[str, str]]] = []
        self.sign_ins = SignIns(30, 100, self.clock, self._note)
        self.olga, self.otto = self.sign_ins.begin(OLGA), self.sign_ins.begin(OTTO)
        self.rafael = self.sign_ins.begin(RAFAEL)
        assert owners.take_session(SESSION, self.of(self.olga))
        owners._note(SESSION, MEDIA)
        self.reached: list[Scope] = []
        self.noted.clear()
        self.entrance = Entrance(self._behind, TEAM, self.sign_ins)

    def _note(self, person: Person, act: Act, **facts: str) -> None:
        self.noted.append((person.name, act, facts))

    async def _behind(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(scope)
        headers = [(b"set-cookie", b"_streamlit_xsrf=1; Path=/; SameSite=Strict"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"behind"})

    def of(self, secret: str) -> SignIn:
        """The sign-in whose secret this is."""
        sign_in = self.sign_ins.of(key_of(secret))
        assert sign_in is not None
        return sign_in

    def asks(
        self, path: str, secret: str = "", method: str = "GET", query: str = "", **headers: str
    ) -> tuple[int, dict[str, str]]:
        """Status and headers of the answer."""
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.request"}

        self.reached.clear()
        loops.run(self.entrance(request("http", path, secret, method, query, **headers), receive, send))
        return sent[0]["status"], {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}


def request(
    kind: str, path: str, secret: str = "", method: str = "GET", query: str = "", **headers: str
) -> dict[str, Any]:
    named = {"host": HOST, "cookie": f"other=1; {COOKIE}={secret}" if secret else ""} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return {
        "type": kind, "scheme": "http" if kind == "http" else "ws", "method": method, "path": path,
        "query_string": query.encode(),
        "server": ("127.0.0.1", 8501), "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }  # fmt: skip


@pytest.fixture
def department(monkeypatch: pytest.MonkeyPatch) -> Iterator[Department]:
    yield Department()
    owners._forget(SESSION)
    owners._forget("session-2")


def test_who_is_signed_in_gets_through_with_our_own_word_on_it(department: Department) -> None:
    status, headers = department.asks("/static/x.js", department.olga, x_anonscope_sign_in="forged")
    assert status == 200
    named = [value for name, value in department.reached[0]["headers"] if name.decode() == HEADER]
    assert named == [key_of(department.olga).encode()]
    assert headers["set-cookie"].endswith("; Secure") and headers["cache-control"] == "private, no-store"
    assert "strict-transport-security" in headers


@pytest.mark.parametrize("path", ["/static/x.js", "/", MEDIA, UPLOAD, "/_stcore/host-config", "/anonscope/tab"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
def test_without_a_sign_in_or_after_its_end_nothing_gets_through(
    department: Department, path: str, method: str
) -> None:
    for secret in ("", "guessed"):
        assert department.asks(path, secret, method)[0] == 401 and not department.reached
    assert department.asks("/static/x.js", department.olga)[0] == 200
    department.clock.time = 30
    assert department.asks(path, department.olga, method)[0] == 401 and not department.reached


@pytest.mark.parametrize(("path", "method", "olga", "otto", "rafael"), [
    (MEDIA, "GET", 200, 403, 403),
    ("/media/another.csv", "GET", 403, 403, 403),
    (UPLOAD, "PUT", 200, 403, 403),
    (UPLOAD, "DELETE", 200, 403, 403),
    ("/_stcore/upload_file/session-2/x", "PUT", 403, 200, 403),
    ("/_stcore/upload_file/session-9/x", "PUT", 403, 403, 403),
    ("/_stcore/upload_file/x", "PUT", 403, 403, 403),
    ("/anything", "POST", 403, 403, 403),
    ("/_stcore/agent/mcp", "GET", 403, 403, 403),
    ("/auth/login", "GET", 403, 403, 403),
    ("/static/x.js", "GET", 200, 200, 200),
])  # fmt: skip
def test_nobody_gets_or_changes_what_is_of_another_and_officers_alone_send_files(
    department: Department, path: str, method: str, olga: int, otto: int, rafael: int
) -> None:
    assert owners.take_session("session-2", department.of(department.otto))
    secrets = (department.olga, department.otto, department.rafael)
    assert [department.asks(path, secret, method)[0] for secret in secrets] == [olga, otto, rafael]


def test_a_reviewer_sends_no_file_into_a_session_of_their_own(department: Department) -> None:
    assert owners.take_session("session-2", department.of(department.rafael))
    assert department.asks("/_stcore/upload_file/session-2/x", department.rafael, "PUT")[0] == 403


def test_a_session_is_of_one_subject_and_follows_its_sign_ins(department: Department) -> None:
    again = department.of(department.sign_ins.begin(OLGA))
    first, other = department.of(department.olga), department.of(department.otto)
    assert not owners.take_session(SESSION, other) and owners.has_session(first, SESSION)
    assert owners.may_come_back(SESSION, again) and not owners.may_come_back(SESSION, other)
    assert not owners.may_come_back("unknown", first)
    assert owners.take_session(SESSION, again)
    assert owners.has_session(again, SESSION) and not owners.has_session(first, SESSION)


def test_what_a_page_asks_by_itself_is_no_sign_of_its_person(department: Department) -> None:
    department.clock.time = 29
    for path in (
        "/_stcore/health",
        "/_stcore/host-config",
        "/static/x.js",
        "/anonscope/is-signed-in",
        "/anonscope/tab",
    ):
        assert department.asks(path, department.olga)[0] == 200
    department.clock.time = 30
    assert department.asks("/static/x.js", department.olga)[0] == 401


@pytest.mark.parametrize(("path", "method", "headers"), [
    ("/data", "GET", {"accept": "text/html"}), (MEDIA, "GET", {}), (UPLOAD, "PUT", {}),
])  # fmt: skip
def test_what_a_person_asks_for_keeps_the_sign_in(
    department: Department, path: str, method: str, headers: dict[str, str]
) -> None:
    department.clock.time = 29
    assert department.asks(path, department.olga, method, **headers)[0] == 200
    department.clock.time = 58
    assert department.asks("/static/x.js", department.olga)[0] == 200


# ---- signing in and out ----------------------------------------------------------------------------------------------


class Comes:
    """A provider from which somebody comes back."""

    def __init__(self, person: Person) -> None:
        self.person = person

    async def who_comes_back(self, _: Request) -> Entered:
        return Entered(self.person, "stated")

    async def where_to_sign_out(self, id_token: str) -> str:
        return f"https://login.example/out?{id_token}"


def test_signing_in_is_noted_and_has_a_secret_of_its_own(department: Department) -> None:
    department.entrance._provider = Comes(OLGA)  # type: ignore[assignment]
    status, headers = department.asks("/anonscope/signed-in", department.olga)
    assert (status, headers["location"]) == (302, f"{ADDRESS}/")
    cookie = headers["set-cookie"]
    secret = cookie.removeprefix(f"{COOKIE}=").split(";")[0]
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {"httponly", "path=/", "samesite=lax", "secure"}
    assert department.asks("/static/x.js", secret)[0] == 200
    assert department.asks("/static/x.js", department.olga)[0] == 401, "the previous one has ended"
    assert department.noted == [("Olga", Act.SIGNED_IN, {"roles": "officer"})]


def test_somebody_of_no_group_is_noted_and_has_no_sign_in(department: Department) -> None:
    department.entrance._provider = Comes(replace(OLGA, name="Nina", roles=frozenset()))  # type: ignore[assignment]
    status, headers = department.asks("/anonscope/signed-in")
    assert status == 403 and COOKIE not in headers.get("set-cookie", "")
    assert [(name, act) for name, act, _ in department.noted] == [("Nina", Act.REFUSED)]


def test_nobody_is_signed_in_without_an_audit_line(department: Department) -> None:
    def fails(*_: object, **__: str) -> None:
        raise InputError("The store is full.", code="database-out-of-space")

    department.sign_ins.note = fails
    department.entrance._provider = Comes(OTTO)  # type: ignore[assignment]
    status, headers = department.asks("/anonscope/signed-in")
    assert status == 400 and COOKIE not in headers.get("set-cookie", "")
    word = department.entrance._word(department.of(department.olga))
    assert department.asks("/anonscope/sign-out", department.olga, query=f"word={word}")[0] == 302
    assert department.asks("/static/x.js", department.olga)[0] == 401, "but a sign-in ends all the same"


@pytest.mark.parametrize("everywhere", [False, True])
def test_signing_out_takes_a_word_of_this_sign_in_and_is_noted(department: Department, everywhere: bool) -> None:
    there = department.sign_ins.begin(OLGA)
    department.noted.clear()
    department.entrance._provider = Comes(OLGA)  # type: ignore[assignment]
    others = department.entrance._word(department.of(department.otto))
    for query in ("", "word=guessed", f"word={others}", "everywhere=yes"):
        assert department.asks("/anonscope/sign-out", department.olga, query=query)[0] == 200
        assert department.asks("/static/x.js", department.olga)[0] == 200
    word = department.entrance._word(department.of(department.olga))
    query = f"word={word}" + "&everywhere=yes" * everywhere
    status, headers = department.asks("/anonscope/sign-out", department.olga, query=query)
    assert (status, headers["location"]) == (302, "https://login.example/out?")
    assert f'{COOKIE}=""' in headers["set-cookie"]
    assert department.asks("/static/x.js", department.olga)[0] == 401
    assert department.asks("/static/x.js", there)[0] == (401 if everywhere else 200)
    assert department.noted == [("Olga", Act.SIGNED_OUT, {"where": "everywhere" if everywhere else "in one browser"})]


@pytest.mark.parametrize(("page", "link"), [
    ("/data", "/data"), ("//elsewhere.example", "/"), ("https://elsewhere.example", "/"), ("/a?b", "/"), ("", "/"),
])  # fmt: skip
def test_the_way_back_is_a_page_of_this_server(department: Department, page: str, link: str) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    loops.run(department.entrance(request("http", "/anonscope/ended", query=f"page={quote(page)}"), receive, send))
    assert f'href="{link}"' in sent[1]["body"].decode()


# ---- connections ----------------------------------------------------------------------------------------------------


class Connection:
    """A browser's end of a connection, and what is behind the entrance reads until it is closed."""

    def __init__(self, department: Department, protocols: str = "streamlit, x") -> None:
        self.department, self.protocols = department, protocols
        self.sent: list[Message] = []
        self.scopes: list[Scope] = []
        self.read: list[Message] = []

    async def run(self, secret: str, *messages: bytes, then: float | None = None) -> None:
        """Send messages one after another; then let the clock go on to ``then``, or close."""
        waiting: asyncio.Queue[Message] = asyncio.Queue()
        waiting.put_nowait({"type": "websocket.connect"})
        for message in messages:
            waiting.put_nowait({"type": "websocket.receive", "bytes": message})
        if then is None:
            waiting.put_nowait({"type": "websocket.disconnect", "code": 1001})

        async def send(message: Message) -> None:
            self.sent.append(message)

        async def receive() -> Message:
            if waiting.empty() and then is not None:
                self.department.clock.time = then
            return await waiting.get()

        async def behind(scope: Scope, receive: Receive, send: Send) -> None:
            self.scopes.append(scope)
            while True:
                message = await receive()
                self.read.append(message)
                if message["type"] == "websocket.disconnect":
                    await send({"type": "websocket.send", "text": "too late"})
                    return
                if message["type"] == "websocket.connect":
                    await send({"type": "websocket.accept"})

        self.department.entrance.app = behind
        scope = request("websocket", "/_stcore/stream", secret, sec_websocket_protocol=self.protocols)
        await asyncio.wait_for(self.department.entrance(scope, receive, send), 10)


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "_BETWEEN", 0.01)


def test_a_connection_without_a_sign_in_is_refused_before_it_is_accepted(department: Department) -> None:
    for secret in ("", "guessed"):
        connection = Connection(department)
        loops.run(connection.run(secret))
        assert connection.sent == [{"type": "websocket.close", "code": 1008}] and not connection.scopes


def test_an_open_connection_is_cut_when_its_sign_in_ends(department: Department) -> None:
    connection = Connection(department)
    loops.run(connection.run(department.olga, then=30))
    assert [message["type"] for message in connection.sent] == ["websocket.accept", "websocket.close"]
    assert connection.sent[-1]["code"] == 1008, "and nothing is sent after it"
    assert connection.read[-1]["type"] == "websocket.disconnect"


def test_an_open_connection_is_cut_when_its_person_signs_out(department: Department) -> None:
    connection = Connection(department)

    async def sign_out() -> None:
        running = asyncio.create_task(connection.run(department.olga, then=1))
        await asyncio.sleep(0.1)
        department.sign_ins.sign_out(key_of(department.olga))
        await running

    loops.run(sign_out())
    assert connection.sent[-1]["code"] == 1008


def test_what_a_person_sends_keeps_the_sign_in_and_what_a_page_sends_by_itself_does_not(
    department: Department,
) -> None:
    by_hand, by_itself = BackMsg(), BackMsg()
    by_hand.rerun_script.query_string = ""
    by_itself.rerun_script.is_auto_rerun = True
    for message, lasts in ((by_itself, False), (by_hand, True)):
        department.clock.time = 0
        secret = department.sign_ins.begin(OLGA)
        department.clock.time = 29
        connection = Connection(department)
        loops.run(connection.run(secret, message.SerializeToString()))
        department.clock.time = 31
        assert (department.sign_ins.of(key_of(secret)) is not None) is lasts


@pytest.mark.parametrize(("who", "session", "comes_back"), [
    ("olga", SESSION, True), ("otto", SESSION, False), ("olga", "unknown", False),
])  # fmt: skip
def test_a_session_comes_back_to_its_own_subject_alone(
    department: Department, who: str, session: str, comes_back: bool
) -> None:
    connection = Connection(department, f"streamlit, x, {session}")
    loops.run(connection.run(getattr(department, who)))
    (scope,) = connection.scopes
    named = dict(scope["headers"])[b"sec-websocket-protocol"].decode()
    assert named == ("streamlit, x, session-1" if comes_back else "streamlit, x")


# ---- the gate before it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("headers", "enters"), [
    ({}, True),
    ({"host": "Anonscope.Example:443", "origin": ADDRESS}, True),
    ({"origin": ADDRESS, "sec_fetch_site": "same-origin"}, True),
    ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}, True),
    ({"host": "127.0.0.1:8501"}, False),
    ({"host": "localhost"}, False),
    ({"host": "anonscope.example:8501"}, False),
    ({"host": ""}, False),
    ({"origin": "http://anonscope.example"}, False),
    ({"origin": "https://elsewhere.example"}, False),
    ({"origin": "null"}, False),
    ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "cors"}, False),
    ({"host": "127.0.0.1:8501", "x_forwarded_host": HOST, "x_forwarded_proto": "https"}, False),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_department_is_asked_under_its_own_address_alone(kind: str, headers: dict[str, str], enters: bool) -> None:
    assert may_enter(request(kind, "/", **headers), ADDRESS) is enters


@pytest.mark.parametrize(("path", "host", "answer"), [
    ("/anonscope/alive", "127.0.0.1:8501", 200), ("/anonscope/alive", HOST, 200),
    ("/_stcore/health", "127.0.0.1:8501", 200), ("/_stcore/health", HOST, None),  # which the entrance answers
    ("/anonscope/alive/", "127.0.0.1:8501", 403), ("/", "127.0.0.1:8501", 403),
])  # fmt: skip
def test_whether_it_is_alive_is_answered_under_any_name_and_nothing_else(
    path: str, host: str, answer: int | None
) -> None:
    passed: list[Scope] = []
    sent: list[Message] = []

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope)

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    loops.run(Gate(behind, ADDRESS)(request("http", path, host=host), receive, send))
    assert (sent[0]["status"] if sent else None) == answer and bool(passed) is (answer is None)
    if answer == 200:
        assert sent[1]["body"] == b"alive"
