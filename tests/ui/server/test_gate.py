"""Who may enter, what answers carry, and how a reloaded page finds its session: without a browser."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tests.helpers import loops
from ui.server import tabs
from ui.server.gate import Gate, may_enter

OWN = "http://127.0.0.1:8501"
PAGE = b"<!DOCTYPE html><html><head><title>S</title><script>a = 1</script></head><body></body></html>"
FIRST, SECOND, THIRD = (digit * 64 for digit in "abc")


def request(kind: str = "http", path: str = "/", **headers: str) -> dict[str, Any]:
    named = {"host": "127.0.0.1:8501"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return {
        "type": kind,
        "scheme": "http" if kind == "http" else "ws",
        "method": "GET",
        "path": path,
        "headers": [(name.encode(), value.encode()) for name, value in named.items() if value],
    }


@pytest.mark.parametrize(
    ("headers", "enters"),
    [
        ({}, True),
        ({"origin": OWN}, True),
        ({"host": "localhost:8501", "origin": "http://localhost:8501"}, True),
        ({"host": "[::1]:8501", "origin": "http://[::1]:8501"}, True),
        ({"sec_fetch_site": "same-origin", "sec_fetch_mode": "cors", "sec_fetch_dest": "empty"}, True),
        ({"sec_fetch_site": "none", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}, True),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}, True),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"}, False),
        ({"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "script"}, False),
        ({"host": ""}, False),
        ({"host": "rebound.example:8501"}, False),
        ({"host": "127.0.0.1.rebound.example:8501"}, False),
        ({"host": "[half"}, False),
        ({"origin": "null"}, False),
        ({"origin": "https://127.0.0.1:8501"}, False),
        ({"origin": "http://127.0.0.1:8502"}, False),
        ({"origin": "http://localhost:8501"}, False),
        ({"origin": "http://localhost"}, False),
        ({"origin": "https://anything.streamlit.app"}, False),
        ({"origin": "http://elsewhere.example"}, False),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_nothing_enters_but_from_the_own_pages_and_the_address_bar(
    kind: str, headers: dict[str, str], enters: bool
) -> None:
    assert may_enter(request(kind, **headers)) is enters


def test_no_option_lets_another_host_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", lambda _: ["rebound.example", "*"])
    assert not may_enter(request(host="rebound.example:8501"))


class Behind:
    """What is behind the gate: answers a page or, at any other address, plain text; notes what reached it."""

    def __init__(self) -> None:
        self.reached: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(scope)
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        body, kind = (PAGE, b"text/html; charset=utf-8") if scope["path"] == "/" else (b"plain", b"text/plain")
        headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), (b"etag", b"old")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:20], "more_body": True})
        await send({"type": "http.response.body", "body": body[20:]})


def through(scope: Scope, behind: Behind) -> tuple[Message, dict[str, str], bytes]:
    """The first message of the answer, its headers and its body."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    loops.run(Gate(behind)(scope, receive, send))
    headers = {name.decode().lower(): value.decode() for name, value in sent[0].get("headers", [])}
    return sent[0], headers, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize(
    "scope",
    [
        request(accept="text/html"),
        request(),
        request(path="/static/x.js"),
        request(path="/static/x.js", accept="text/html"),
        request(origin="http://elsewhere.example"),
    ],
)
def test_every_answer_forbids_frames_and_what_is_not_from_here(scope: Scope) -> None:
    _, headers, body = through(scope, Behind())
    assert headers["x-frame-options"] == "DENY"
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy["frame-ancestors"] == policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["connect-src"] == "'self'"
    for source in ("http", "*", "'unsafe-eval'", "data:", "'unsafe-inline'"):
        assert source not in policy["script-src"]
    assert not any("http" in where or "*" in where for where in policy.values())
    assert int(headers["content-length"]) == len(body)


def test_a_page_loads_our_script_first_and_may_run_its_own_inline_one() -> None:
    behind = Behind()
    asked = request(accept="text/html,*/*", accept_encoding="gzip", if_none_match="old")
    _, headers, body = through(asked, behind)
    assert body == PAGE.replace(b"<head>", b"<head>" + tabs.SCRIPT_TAG)
    inline = b64encode(hashlib.sha256(b"a = 1").digest()).decode()
    assert f"'sha256-{inline}'" in headers["content-security-policy"]
    assert "etag" not in headers, "a copy that the browser has of before is not this page"
    names = {name for name, _ in behind.reached[0]["headers"]}
    assert not names & {b"accept-encoding", b"if-none-match"}, "else it could be packed, or not sent"


def test_what_is_turned_away_is_not_seen_by_what_is_behind() -> None:
    behind = Behind()
    first, _, _ = through(request("websocket", origin="http://elsewhere.example"), behind)
    assert first == {"type": "websocket.close", "code": 1008}
    for asked in (
        request(origin="http://127.0.0.1:9"),
        request(path="/_stcore/metrics"),
        request(path="/_stcore/metrics/"),
    ):
        first, _, _ = through(asked, behind)
        assert first["status"] == 403
    assert not behind.reached


@pytest.fixture
def active(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The sessions that a page shows; three are known, by the secrets of their pages."""
    active: set[str] = set()
    server = SimpleNamespace(is_active_session=lambda session: session in active)
    monkeypatch.setattr(tabs.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(tabs, "_CLOSING", 0.2)
    monkeypatch.setattr(tabs, "_sessions", {FIRST: "session-1", SECOND: "session-2"})
    yield active


def asked(protocols: str, **headers: str) -> tuple[list[str], str | None]:
    """What a connection with these words says to Streamlit, and the secret that it passes on."""
    behind = Behind()
    through(request("websocket", origin=OWN, sec_websocket_protocol=protocols, **headers), behind)
    (scope,) = behind.reached
    shown_text = {name.decode(): value.decode() for name, value in scope["headers"]}
    words = shown_text["sec-websocket-protocol"].split(", ")
    assert scope["subprotocols"] == words
    return words, shown_text.get("x-anonscope-tab")


def test_a_reloaded_page_is_given_its_session(active: set[str]) -> None:
    assert asked(f"streamlit, xsrf, anonscope.{THIRD}.{FIRST}") == (["streamlit", "xsrf", "session-1"], THIRD)


@pytest.mark.parametrize(("secret", "again", "gone"), [
    (THIRD, "yes", True),  # which nobody here knows
    (THIRD, None, False),  # a page that is loaded for the first time
    (FIRST, "yes", False),  # cut off for a moment
])  # fmt: skip
def test_a_page_that_was_connected_before_and_is_not_known_has_lost_its_session(
    active: set[str], monkeypatch: pytest.MonkeyPatch, secret: str, again: str | None, gone: bool
) -> None:
    headers = {"x-anonscope-tab": secret, "x-anonscope-again": again}
    monkeypatch.setattr(tabs, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="session-9"))
    monkeypatch.setattr(tabs, "st", SimpleNamespace(context=SimpleNamespace(headers=headers)))
    assert tabs.arrive() is gone
    assert tabs.arrive() is False, "it is stated once"


def test_that_a_page_was_connected_before_is_its_own_word_and_no_header(active: set[str]) -> None:
    def again(protocols: str, **headers: str) -> str | None:
        behind = Behind()
        through(request("websocket", origin=OWN, sec_websocket_protocol=protocols, **headers), behind)
        return {name.decode(): value.decode() for name, value in behind.reached[0]["headers"]}.get("x-anonscope-again")

    assert again(f"streamlit, xsrf, anonscope.{THIRD}..again") == "yes"
    assert again(f"streamlit, xsrf, anonscope.{THIRD}.", x_anonscope_again="yes") is None


def test_a_page_that_connects_again_can_ask_whether_its_session_is_there(active: set[str]) -> None:
    app = Starlette(routes=[Route(tabs.ASKED_ADDRESS, tabs.is_known)])
    for secret, answer in ((FIRST, b"known"), (THIRD, b"gone"), ("", b"gone")):
        assert through(request(path=tabs.ASKED_ADDRESS, x_anonscope_tab=secret), app)[2] == answer


def test_the_page_that_is_being_left_is_waited_for(active: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    active.add("session-1")

    async def wait(_: float) -> None:
        active.clear()

    monkeypatch.setattr(tabs, "asyncio", SimpleNamespace(sleep=wait))
    assert asked(f"streamlit, xsrf, anonscope.{THIRD}.{FIRST}")[0] == ["streamlit", "xsrf", "session-1"]


@pytest.mark.parametrize(
    "protocols",
    [
        f"streamlit, xsrf, anonscope.{THIRD}.",
        f"streamlit, xsrf, anonscope.{THIRD}.{THIRD}",
        f"streamlit, xsrf, anonscope.{THIRD}.{SECOND}",  # of a page that is still there: a copied tab
        f"streamlit, xsrf, anonscope.{THIRD}.{FIRST[:-1]}",
        f"streamlit, xsrf, anonscope.{THIRD}.{FIRST}, anonscope.{THIRD}.{FIRST}",
        "streamlit, xsrf, anonscope.session-1",
        "streamlit, xsrf",
    ],
)
def test_no_other_page_is_given_a_session(active: set[str], protocols: str) -> None:
    active.add("session-2")
    assert asked(protocols)[0] == ["streamlit", "xsrf"]


def test_what_streamlit_names_itself_stays(active: set[str]) -> None:
    assert asked(f"streamlit, xsrf, session-9, anonscope.{THIRD}.{FIRST}")[0] == ["streamlit", "xsrf", "session-9"]


def test_a_secret_is_not_taken_from_a_header(active: set[str]) -> None:
    assert asked("streamlit, xsrf", x_anonscope_tab=FIRST) == (["streamlit", "xsrf"], None)


def test_a_dropped_session_has_no_secret_left(active: set[str]) -> None:
    tabs._forget("session-1")
    assert tabs._sessions == {SECOND: "session-2"}
