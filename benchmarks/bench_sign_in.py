"""What the sign-in of a department's server adds to a page.

A browser opens a page once, behind a real sign-in, which says what a page asks for: its files, its connection, and that
a slider is moved. Then the same requests go through the gate alone and through the gate and the entrance, in turn,
before an application that answers at once, so that the difference is what the entrance does.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.settings import Team, read_team
from benchmarks.measuring import Row
from tests.browser.app import wait_until_idle
from tests.browser.conftest import started_chromium
from tests.helpers import loops
from tests.helpers.team import running_team, sign_in, window_of
from ui.server.gate import Gate
from ui.server.private import BackMsg
from ui.server.sign_in.entrance import COOKIE, Entrance
from ui.server.sign_in.sign_ins import SignIns

ROUNDS = 200
MESSAGES = 10  # that a page sends over its connection until it is drawn and a slider was moved
TARGET = 0.020  # seconds


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, running_team(Path(folder)) as team, started_chromium() as browser:
        with window_of(browser, team) as window:
            page, asked = window.new_page(), list[str]()
            sign_in(page, team, "olga")
            wait_until_idle(page)
            page.on("request", lambda request: asked.append(request.url))
            page.reload()
            wait_until_idle(page)
        paths = [urlsplit(address).path for address in asked if address.startswith(team.url)]
        without, signed_in = loops.run(_measured(read_team(team.settings), paths))
    added = signed_in - without
    requests = f"{len(paths)} requests, a connection and {MESSAGES} messages of a page"
    return [
        Row(f"{requests} through the gate", _milliseconds(without)),
        Row("the same through gate and entrance, signed in", _milliseconds(signed_in)),
        Row("what sign-in adds to a page", _milliseconds(added), "under 20 ms", added < TARGET),
    ]


async def _measured(team: Team, paths: list[str]) -> tuple[float, float]:
    """Median seconds of a page without and with the entrance, which take turns."""
    sign_ins = SignIns(team.sign_in.idle, team.sign_in.longest)
    person = Person("https://login.example olga", "Olga", frozenset({TeamRole.OFFICER}))
    for other in range(50):
        sign_ins.begin(Person(f"https://login.example {other}", "Somebody", frozenset({TeamRole.OFFICER})))
    cookie = f"_streamlit_xsrf=2|abc|def|123; {COOKIE}={sign_ins.begin(person)}"
    entrance = Entrance(_answer_at_once, team, sign_ins)
    ways: list[ASGIApp] = [Gate(_answer_at_once, team.address), Gate(entrance, team.address)]
    times: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for way, taken in zip(ways, times, strict=True):
            start = time.perf_counter()
            await _ask(way, team.host, cookie, paths)
            taken.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])


async def _ask(app: ASGIApp, host: str, cookie: str, paths: list[str]) -> None:
    headers = [(b"host", host.encode()), (b"cookie", cookie.encode()), (b"accept", b"*/*")]
    for path in paths:
        await app(_scope("http", path, headers), _request, _nowhere)
    words = (b"sec-websocket-protocol", b"streamlit, x")
    await app(_scope("websocket", "/_stcore/stream", [*headers, words]), _sending(), _nowhere)


def _scope(kind: str, path: str, headers: list[tuple[bytes, bytes]]) -> Scope:
    own = {"type": kind, "scheme": "http" if kind == "http" else "ws", "path": path, "headers": headers}
    return own | {"method": "GET", "query_string": b"", "server": ("127.0.0.1", 8501)}


def _sending() -> Receive:
    moved = BackMsg()
    moved.rerun_script.query_string = "x" * 2_000
    messages: list[Message] = [{"type": "websocket.receive", "bytes": moved.SerializeToString()}] * MESSAGES
    left = iter([*messages, {"type": "websocket.disconnect", "code": 1001}])

    async def receive() -> Message:
        return next(left)

    return receive


async def _request() -> Message:
    return {"type": "http.request"}


async def _nowhere(_: Message) -> None:
    pass


async def _answer_at_once(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b""})


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
