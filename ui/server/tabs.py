"""A reloaded page finds its session again, by a secret that only its browser tab holds.

Streamlit keeps the session of a closed tab for a while, and its page, as long as it is open, comes back to it by naming
its id. A page that is loaded again does not know the id. Here each page draws a secret (``tab.js``), keeps it in the
storage of its tab, and names it beside Streamlit's own words when it connects: in a header, never in an address. The
page that is loaded next in the tab names it as the previous one. A page that was connected before says so: where the
server does not know it, its session is gone.

A copied tab copies the secret. A session that another page still holds is therefore not given away.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from ui.server import keeping
from ui.server.private import begin_again, get_script_run_ctx, runtime

SCRIPT_ADDRESS = "/anonscope/tab.js"
ASKED_ADDRESS = "/anonscope/tab"
SCRIPT_TAG = f'<script src="{SCRIPT_ADDRESS}"></script>'.encode()
_SCRIPT = Path(__file__).with_name("tab.js")
_OF_A_DEPARTMENT = Path(__file__).parent / "sign_in" / "ended.js"
_PROTOCOLS, _HEADER, _AGAIN = "sec-websocket-protocol", "x-anonscope-tab", "x-anonscope-again"
_WORD = re.compile(r"anonscope\.(?P<secret>[0-9a-f]{64})\.(?P<before>[0-9a-f]{64})?(?P<again>\.again)?")
_CLOSING = 2.0  # seconds that the previous page may take to be gone
_LOOK = 0.05  # seconds

_sessions: dict[str, str] = {}
"""The session of each page, by its secret."""


async def script(_: Request) -> Response:
    """The script that every page loads first."""
    return _answer(_SCRIPT.read_bytes())


async def script_of_a_department(_: Request) -> Response:
    """The same at a department's server, where a sign-in can end."""
    return _answer(_SCRIPT.read_bytes() + _OF_A_DEPARTMENT.read_bytes())


def _answer(text: bytes) -> Response:
    return Response(text, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def is_known(request: Request) -> Response:
    """Whether a page that connects again has a session here: ``known`` or ``gone``."""
    known = request.headers.get(_HEADER, "") in _sessions
    return PlainTextResponse("known" if known else "gone", headers={"Cache-Control": "no-store"})


async def with_its_session(scope: Scope) -> Scope:
    """The request for a connection, naming to Streamlit the session that the page's tab had, if it is free."""
    words = [word.strip() for word in Headers(scope=scope).get(_PROTOCOLS, "").split(",")]
    secrets = [match for match in map(_WORD.fullmatch, words) if match is not None]
    words = [word for word in words if not word.startswith("anonscope.")]
    scope = {**scope, "headers": list(scope["headers"]), "subprotocols": words}
    headers = MutableHeaders(scope=scope)
    for name in (_HEADER, _AGAIN):
        if name in headers:
            del headers[name]
    if len(secrets) == 1:
        headers[_HEADER] = secrets[0]["secret"]
        if secrets[0]["again"]:
            headers[_AGAIN] = "yes"
        session = _sessions.get(secrets[0]["before"])
        if session is not None and len(words) == 2 and await _is_free(session):  # Streamlit names none itself
            words.append(session)
    headers[_PROTOCOLS] = ", ".join(words)
    return scope


async def _is_free(session: str) -> bool:
    """Whether no page holds a session, once a page that is being left had the time to close."""
    for _ in range(round(_CLOSING / _LOOK)):
        if not runtime.get_instance().is_active_session(session):
            return True
        await asyncio.sleep(_LOOK)
    return False


def arrive() -> bool:
    """Note which page shows this session, at the start of each run; a page that is loaded again gets new widgets.

    The session still has what the widgets of the previous page reported, and the new page's begin as they are drawn.

    Returns
    -------
    bool
        Whether the page was open before and its session is gone: the server was started again, or the page was cut off
        for longer than a session is held.
    """
    context = get_script_run_ctx(suppress_warning=True)
    secret = st.context.headers.get(_HEADER)
    if context is None or secret is None or secret in _sessions:
        return False
    is_back = context.session_id in _sessions.values()
    _sessions[secret] = context.session_id
    if is_back:
        _begin_widgets_again(context.session_id)
    return not is_back and st.context.headers.get(_AGAIN) is not None


def _begin_widgets_again(session_id: str) -> None:
    session = runtime.get_instance().get_app_session(session_id)
    if session is not None:  # else the page is gone again
        held = session.session_state
        plain = {key: held[key] for key in st.session_state if held.get_widget_id_from_key(str(key)) is None}
        begin_again(held, plain)


def _forget(session_id: str) -> None:
    """Drop the secrets of a session that is no more."""
    for secret in [secret for secret, session in _sessions.items() if session == session_id]:
        del _sessions[secret]


keeping.when_dropped.append(_forget)
