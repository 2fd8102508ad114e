"""What every request to a department's server passes before Streamlit sees it: without sign-in nobody reaches anything.

A page without sign-in leads to the provider, all else is refused. A connection is refused before it is accepted, and
cut when its sign-in ends. Uploads go into sessions of the same sign-in alone, and downloads come from these.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import TeamRole
from anonlib.filing.department.settings import Team
from ui.server.gate import HEALTH
from ui.server.private import is_of_a_person
from ui.server.sign_in import notices, owners
from ui.server.sign_in.provider import GOODBYE, RETURN, Provider, SignInFailed
from ui.server.sign_in.sign_ins import HEADER, SignIn, SignIns, key_of

SIGN_IN, SIGN_OUT, ENDED = "/anonscope/sign-in", "/anonscope/sign-out", "/anonscope/ended"
ASKED = "/anonscope/is-signed-in"
# A browser takes these of https and of this host alone, and sends them for no other path or host. Lax, not Strict: the
# provider sends the browser back here, which is a way from another site.
COOKIE, UNDER_WAY = "__Host-anonscope", "__Host-anonscope-under-way"
_MOST_MINUTES_UNDER_WAY = 10
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+")
_NO_PAGES = ("/_stcore/", "/media/", "/component/", "/static/", "/app/", "/anonscope/")
_CLOSED = ("/_stcore/agent/", "/auth/", "/oauth2callback")
"""Addresses of Streamlit's that no page asks for: its own sign-in, and a way in for programs."""
_PAGE = re.compile(r"/[a-z0-9_/-]{0,100}")
_LOG = logging.getLogger("anonscope")
_BETWEEN = 1.0  # seconds between two looks at whether the sign-in of an open connection lasts


class Entrance:
    """ASGI middleware of a department's server.

    Parameters
    ----------
    app : ASGI application
        What is behind it.
    team : Team
        The settings.
    sign_ins : SignIns
        Who is signed in.
    """

    def __init__(self, app: ASGIApp, team: Team, sign_ins: SignIns) -> None:
        self.app = app
        self._team = team
        self._sign_ins = sign_ins
        self._provider = Provider(team)
        self._signing_in = SessionMiddleware(
            self._answer_sign_in, team.sign_in.cookie_secret.decode(), UNDER_WAY, _MOST_MINUTES_UNDER_WAY * 60,
            same_site="lax", https_only=True,
        )  # fmt: skip

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        send = _for_one_person(send)
        sign_in = self._sign_ins.of(_key_in(scope))
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send, sign_in)
        elif (_only_asks(scope) and scope["path"] in (SIGN_IN, RETURN)) or (sign_in is None and _is_page(scope)):
            await self._signing_in(scope, receive, send)
        elif _only_asks(scope) and (answer := await self._own_answer(scope, sign_in)) is not None:
            await answer(scope, receive, send)
        elif sign_in is None:
            await PlainTextResponse("Sign in first.", 401)(scope, receive, send)
        elif not _may(sign_in, scope):
            await PlainTextResponse("Not for this sign-in.", 403)(scope, receive, send)
        else:
            if _is_activity(scope):
                self._sign_ins.note_activity(sign_in)
            await self.app(_known(scope, sign_in), receive, send)

    async def _own_answer(self, scope: Scope, sign_in: SignIn | None) -> Response | None:
        """What is answered here, with or without a sign-in; None for what is not."""
        path = scope["path"]
        if path == HEALTH and sign_in is None:
            return PlainTextResponse("ok")
        if path == ASKED:
            return PlainTextResponse("no" if sign_in is None else "yes", headers={"Cache-Control": "no-store"})
        if path == SIGN_OUT and sign_in is not None:
            return await self._sign_out(Request(scope), sign_in)
        if path in (ENDED, GOODBYE) and sign_in is not None:  # by another tab, meanwhile
            return RedirectResponse("/", 302)
        if path == ENDED:
            return await self._after_the_end(scope)
        return notices.signed_out() if path in (GOODBYE, SIGN_OUT) else None

    # ---- signing in and out ---------------------------------------------------------------------------------------

    async def _answer_sign_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            answer = await (self._come_back(request) if scope["path"] == RETURN else self._lead_away(request))
        except SignInFailed:
            answer = notices.failed()
        await answer(scope, receive, send)

    async def _lead_away(self, request: Request) -> Response:
        """To the provider; the page that was asked for is kept for the way back."""
        page = request.url.path
        request.session["page"] = page if page != SIGN_IN and _PAGE.fullmatch(page) else "/"
        return RedirectResponse(await self._provider.where_to_sign_in(request), 302, {"Cache-Control": "no-store"})

    async def _come_back(self, request: Request) -> Response:
        previous = _key_in(request.scope)
        page = request.session.get("page", "/")
        try:
            entered = await self._provider.who_comes_back(request)
        except SignInFailed:
            if self._sign_ins.of(previous) is None:
                raise
            return RedirectResponse(f"{self._team.address}/", 302)  # by another tab, meanwhile
        request.session.clear()
        try:
            if not entered.person.roles:
                await run_in_threadpool(self._sign_ins.note, entered.person, Act.REFUSED, why="in no group that enters")
                return notices.not_allowed_in(entered.person.name)
            secret = await run_in_threadpool(self._sign_ins.begin, entered.person, entered.id_token)
        except InputError as error:
            _LOG.error("the audit log is not written: %s", error.code)
            raise SignInFailed from None
        self._sign_ins.end(previous)
        answer = RedirectResponse(f"{self._team.address}{page}", 302, {"Cache-Control": "no-store"})
        answer.set_cookie(COOKIE, secret, secure=True, httponly=True, samesite="lax")
        return answer

    async def _sign_out(self, request: Request, sign_in: SignIn) -> Response:
        """Only with a word that this sign-in's own pages know, so that no link elsewhere signs anybody out."""
        word = self._word(sign_in)
        if not hmac.compare_digest(request.query_params.get("word", "").encode(), word.encode()):
            here = f"{SIGN_OUT}?word={word}"
            return notices.asks_whether_to_sign_out(here, f"{here}&everywhere=yes")
        everywhere = request.query_params.get("everywhere") == "yes"
        await run_in_threadpool(self._sign_ins.sign_out, sign_in.key, everywhere)
        return await self._after_the_end(request.scope)

    def _word(self, sign_in: SignIn) -> str:
        return hmac.digest(self._team.sign_in.cookie_secret, f"sign out {sign_in.key}".encode(), "sha256").hex()

    async def _after_the_end(self, scope: Scope) -> Response:
        """Where a browser goes whose sign-in has ended: to the provider, where its person signed out."""
        id_token = self._sign_ins.take_leave(_key_in(scope))
        if id_token is None:
            page = Request(scope).query_params.get("page", "/")
            return notices.ended(page if _PAGE.fullmatch(page) and not page.startswith("//") else "/")
        away = await self._provider.where_to_sign_out(id_token)
        answer = RedirectResponse(away or GOODBYE, 302, {"Cache-Control": "no-store"})
        answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="lax")
        return answer

    # ---- connections ----------------------------------------------------------------------------------------------

    async def _connect(self, scope: Scope, receive: Receive, send: Send, sign_in: SignIn | None) -> None:
        if sign_in is None:
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: answered with 403
            return
        connection = _Connection(self._sign_ins, sign_in, receive, send)
        await self.app(_known(_with_own_session(scope, sign_in), sign_in), connection.receive, connection.send)


class _Connection:
    """An open connection, cut when its sign-in ends."""

    def __init__(self, sign_ins: SignIns, sign_in: SignIn, receive: Receive, send: Send) -> None:
        self._sign_ins, self._sign_in = sign_ins, sign_in
        self._receive, self._send = receive, send
        self._is_cut = False

    async def receive(self) -> Message:
        arriving = asyncio.ensure_future(self._receive())
        try:
            while True:
                await asyncio.wait({arriving}, timeout=_BETWEEN)
                if self._sign_ins.of(self._sign_in.key) is None:
                    return await self._cut()
                if arriving.done():
                    break
        finally:
            arriving.cancel()
        message = arriving.result()
        if message["type"] == "websocket.receive" and is_of_a_person(message.get("bytes") or b""):
            self._sign_ins.note_activity(self._sign_in)
        return message

    async def send(self, message: Message) -> None:
        if not self._is_cut:
            await self._send(message)

    async def _cut(self) -> Message:
        self._is_cut = True
        with suppress(RuntimeError, OSError):  # the browser has gone, meanwhile
            await self._send({"type": "websocket.close", "code": 1008, "reason": "The sign-in has ended."})
        return {"type": "websocket.disconnect", "code": 1008}


# ---- what a request is, and may ------------------------------------------------------------------------------------


def _key_in(scope: Scope) -> str:
    """The key of the sign-in whose secret the request's cookie holds."""
    return key_of(HTTPConnection(scope).cookies.get(COOKIE, ""))


def _only_asks(scope: Scope) -> bool:
    return scope["method"] in ("GET", "HEAD")


def _is_page(scope: Scope) -> bool:
    """Whether a browser asks for a page, to show it."""
    headers, path = Headers(scope=scope), f"{scope['path']}/"
    shows = headers.get("sec-fetch-dest", "document") == "document" and "text/html" in headers.get("accept", "")
    return scope["method"] == "GET" and shows and not path.startswith((*_NO_PAGES, *_CLOSED))


def _may(sign_in: SignIn, scope: Scope) -> bool:
    """Whether a sign-in may ask for this: a file of its own, an upload into a session of its own, or what all share."""
    path = scope["path"]
    if path.startswith(_CLOSED):
        return False
    if path.startswith("/media/"):
        return owners.has_file(sign_in, owners.file_at(path))
    if scope["method"] in ("GET", "HEAD", "OPTIONS"):
        return True
    upload = _UPLOAD.fullmatch(path)
    is_officer = TeamRole.OFFICER in sign_in.person.roles
    return upload is not None and is_officer and owners.has_session(sign_in, upload[1])


def _is_activity(scope: Scope) -> bool:
    """Whether a person asks, and not a page by itself, as one does that looks whether the server is there."""
    return _is_page(scope) or scope["path"].startswith("/media/") or scope["method"] in ("PUT", "DELETE")


def _known(scope: Scope, sign_in: SignIn) -> Scope:
    """The request with our own word on whose it is, in the place of any from outside."""
    scope = {**scope, "headers": list(scope["headers"])}
    headers = MutableHeaders(scope=scope)
    if HEADER in headers:
        del headers[HEADER]
    headers[HEADER] = sign_in.key
    return scope


def _with_own_session(scope: Scope, sign_in: SignIn) -> Scope:
    """The request for a connection, without the session that it names where that is not of the same person."""
    words = [word.strip() for word in Headers(scope=scope).get("sec-websocket-protocol", "").split(",")]
    if len(words) < 3 or owners.may_come_back(words[2], sign_in):
        return scope
    scope = {**scope, "headers": list(scope["headers"]), "subprotocols": words[:2]}
    MutableHeaders(scope=scope)["sec-websocket-protocol"] = ", ".join(words[:2])
    return scope


def _for_one_person(send: Send) -> Send:
    """Send an answer that nothing on the way keeps for others, whose cookies a browser gives to https alone."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [_secured(*header) for header in message.get("headers", ())]}
            headers = MutableHeaders(scope=message)
            headers.setdefault("Cache-Control", "private, no-store")
            headers["Strict-Transport-Security"] = "max-age=31536000"
        await send(message)

    return send_on


def _secured(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    is_open = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
    return name, value + b"; Secure" if is_open else value
