"""The gate that every request passes before Streamlit sees it.

Streamlit decides by itself which origins it believes: every port of this machine, whatever ``client.allowedOrigins``
names, and, to find out what else, this machine's own addresses, for which it asks hosts outside. Here no origin but the
server's own gets past, so that none of this is ever asked.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from typing import ClassVar
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server import tabs

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # maps are drawn with WebAssembly; JavaScript from text stays off
    "style-src": "'self' 'unsafe-inline'",  # Streamlit's elements carry their style
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
_HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=()",
}
_HOSTS = {"localhost", "127.0.0.1", "::1"}
"""By what names this machine is asked for, whatever an environment variable or a configuration says."""
_CLOSED = "/_stcore/metrics"
"""An address of Streamlit's that no page asks for: how many sessions there are, and what they hold, stays inside."""
ALIVE, HEALTH = "/anonscope/alive", "/_stcore/health"
"""Where a department's server answers that it is alive, and nothing else, whatever host is named: what looks after it
asks by an address of its own."""
_OF_A_STORED_COPY = {"accept-encoding", "if-none-match", "if-modified-since", "range"}
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_HEAD = b"<head>"


class Gate:
    """ASGI middleware: refuses other hosts and origins, and guards each answer.

    Parameters
    ----------
    app : ASGI application
        What is behind the gate.
    address : str, optional
        Under which browsers reach a department's server, as ``https://anonscope.example``: it believes no other host
        and origin, and no header of a proxy. Without it the server is a desk's, reached as this machine.
    """

    stands: ClassVar[bool] = False
    """Whether the server of this process serves through a gate."""

    def __init__(self, app: ASGIApp, address: str | None = None) -> None:
        self.app = app
        self._address = address
        Gate.stands = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        enters = may_enter(scope, self._address)
        if self._address is not None and _asks_whether_alive(scope, enters):
            await PlainTextResponse("alive")(scope, receive, _guarded(send))
        elif not enters or scope["path"].rstrip("/").endswith(_CLOSED):
            await _turn_away(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(await tabs.with_its_session(scope), receive, send)
        elif "text/html" in Headers(scope=scope).get("accept", ""):
            await self.app(_without_stored_copy(scope), receive, _guarded_page(send))
        else:
            await self.app(scope, receive, _guarded(send))


def may_enter(scope: Scope, address: str | None = None) -> bool:
    """Whether a request names this server as its host and comes from its own pages, or from the address bar.

    Pages of other ports of this machine are of another origin too, and so are pages in a frame without an origin.
    ``address`` is that of a department's server, which has no other host and origin.
    """
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if address is None:
        is_own = _is_own_host(host)
        own = f"{'https' if scope['scheme'] in ('https', 'wss') else 'http'}://{host}"
    else:
        is_own, own = host.lower().removesuffix(":443") == urlsplit(address).netloc, address
    if not is_own or headers.get("origin", own) != own:
        return False
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return True
    # A link on a page elsewhere opens Anonscope in a tab, and nothing else.
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _is_own_host(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    return name is not None and name in _HOSTS


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})  # before it is accepted: answered with 403
    else:
        await PlainTextResponse("Not from here.", 403)(scope, receive, _guarded(send))


def _asks_whether_alive(scope: Scope, enters: bool) -> bool:
    """Whether something asks if the server is alive; the pages of the server ask at Streamlit's address too."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    return scope["path"] == ALIVE or (scope["path"] == HEALTH and not enters)


def _without_stored_copy(scope: Scope) -> Scope:
    """The request for a page, asked so that it is answered whole and as plain bytes."""
    headers = [(name, value) for name, value in scope["headers"] if name.decode("latin-1") not in _OF_A_STORED_COPY]
    return {**scope, "headers": headers}


def _guard(start: Message, inline: tuple[bytes, ...] = ()) -> None:
    policy = dict(_POLICY)
    for script in inline:
        policy["script-src"] += f" 'sha256-{b64encode(hashlib.sha256(script).digest()).decode()}'"
    headers = MutableHeaders(scope=start)
    for name, value in _HEADERS.items():
        headers[name] = value
    headers["Content-Security-Policy"] = "; ".join(f"{what} {where}" for what, where in policy.items())


def _guarded(send: Send) -> Send:
    """Send an answer with the headers that guard it."""

    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            _guard(message)
        await send(message)

    return send_guarded


def _guarded_page(send: Send) -> Send:
    """Send an answer guarded and, where it is a page, with the script of :mod:`ui.server.tabs` before all others."""
    begun: list[Message] = []
    parts: list[bytes] = []

    async def send_page(message: Message) -> None:
        if message["type"] == "http.response.start":
            if Headers(raw=message["headers"]).get("content-type", "").startswith("text/html"):
                begun.append(message)
                return
            _guard(message)
        elif begun and message["type"] == "http.response.body":
            parts.append(message.get("body", b""))
            if message.get("more_body", False):
                return
            start, page = begun.pop(), b"".join(parts)
            _guard(start, tuple(_INLINE_SCRIPT.findall(page)))
            page = page.replace(_HEAD, _HEAD + tabs.SCRIPT_TAG, 1)
            headers = MutableHeaders(scope=start)
            headers["Content-Length"] = str(len(page))
            headers["Cache-Control"] = "no-store"
            for name in ("ETag", "Last-Modified"):
                if name in headers:
                    del headers[name]
            await send(start)
            message = {"type": "http.response.body", "body": page}
        await send(message)

    return send_page
