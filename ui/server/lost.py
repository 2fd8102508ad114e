"""Files that were given to a control while the page was changing, and that no page took: the page says so.

A browser asks for an address, sends the file there and then says which control has it. Where the page is exchanged in
between, the last never comes, or names the control that is gone, and nobody would hear of the file.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

from starlette.types import ASGIApp, Receive, Scope, Send

from ui.server import keeping
from ui.server.private import (
    MemoryUploadedFileManager,
    UploadedFileRec,
    UploadFileUrlInfo,
    get_script_run_ctx,
    runtime,
)

_GIVE_ADDRESSES = MemoryUploadedFileManager.get_upload_urls
_GIVE_FILES = MemoryUploadedFileManager.get_files
_LOOKS = 3  # times that no page took a file which is not arriving either, until it is lost
_BETWEEN = 1.5  # seconds
_arriving: set[str] = set()
"""The addresses to which files are being sent."""
_had: defaultdict[str, set[str]] = defaultdict(set)
"""By id of a session the files that a control of it asked for: the one they were given to, or one that is gone."""
_taken: defaultdict[str, set[str]] = defaultdict(set)
"""By id of a session the files that the page took from their control."""
_lost: dict[str, list[str]] = {}
"""By id of a session the names of files that its page has yet to speak of."""


class Arrivals:
    """ASGI middleware: knows which files are on their way."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = scope.get("path", "") if scope.get("method") == "PUT" else ""
        _arriving.add(address)
        try:
            await self.app(scope, receive, send)
        finally:
            _arriving.discard(address)


def watch_for_lost_files() -> None:
    """From now on look for files that are given and arrive in no control."""
    MemoryUploadedFileManager.get_files = _give_files  # type: ignore[method-assign, assignment]
    MemoryUploadedFileManager.get_upload_urls = _give_addresses  # type: ignore[method-assign, assignment]


def names_of_lost() -> list[str]:
    """The names of the files that this session lost since it was asked before."""
    context = get_script_run_ctx(suppress_warning=True)
    return [] if context is None else _lost.pop(context.session_id, [])


def take(file_id: str) -> None:
    """Note that the page has taken a file from its control: a control that is gone may have asked for it too."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        _taken[context.session_id].add(file_id)


def _give_addresses(
    manager: MemoryUploadedFileManager, session_id: str, file_names: Sequence[str]
) -> list[UploadFileUrlInfo]:
    given = _GIVE_ADDRESSES(manager, session_id, file_names)
    with suppress(RuntimeError):  # without an event loop there is no server
        loop = asyncio.get_running_loop()
        for name, place in zip(file_names, given, strict=True):
            loop.call_later(_BETWEEN, _look, manager, session_id, name, place, _LOOKS)
    return given


def _look(manager: MemoryUploadedFileManager, session_id: str, name: str, place: UploadFileUrlInfo, looks: int) -> None:
    """Look whether the page took the file by now; where it has not for some time, drop it and let the page say so."""
    session = runtime.get_instance().get_app_session(session_id)
    if session is None or place.file_id in _taken[session_id]:
        return
    if place.file_id in _had[session_id] or any(address.endswith(place.upload_url) for address in _arriving):
        looks = _LOOKS  # its turn may come
        _had[session_id].discard(place.file_id)
    if looks > 0:
        asyncio.get_running_loop().call_later(_BETWEEN, _look, manager, session_id, name, place, looks - 1)
        return
    manager.remove_file(session_id, place.file_id)
    _lost.setdefault(session_id, []).append(name)
    session.request_rerun(None)


def _give_files(manager: MemoryUploadedFileManager, session_id: str, file_ids: Sequence[str]) -> list[UploadedFileRec]:
    _had[session_id] |= {*file_ids}
    return _GIVE_FILES(manager, session_id, file_ids)


def _forget(session_id: str) -> None:
    _lost.pop(session_id, None)
    _had.pop(session_id, None)
    _taken.pop(session_id, None)


keeping.when_dropped.append(_forget)
