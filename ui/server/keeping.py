"""What of a file the server holds: where, and how long."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import pyarrow
import streamlit as st
from starlette.datastructures import FormData, Headers
from starlette.formparsers import MultiPartParser
from streamlit import config, runtime
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state import SessionState

from ui.server.refusal import refuse

_SAVE = MemorySessionStorage.save
_SWEEPS = (1.0, 4.0)  # seconds after something was dropped: what shows it is gone by then
OWN = "anonscope"  # how the keys of what is to stay begin
when_dropped: list[Callable[[str], None]] = []
"""What else is to be done when a session is dropped, given its id."""
_emptied: set[str] = set()
"""The sessions in which a file was dropped that Streamlit still holds."""
_PROBE = 1_100_000  # bytes: more than Starlette keeps in memory by itself


def keep_uploads_in_memory() -> None:
    """Starlette moves an upload of more than 1 MB to a temporary file; from now on it never does.

    How much is taken at all is bounded by ``server.maxUploadSize``, which Streamlit checks while the upload arrives.
    """
    before = MultiPartParser.spool_max_size
    if before == sys.maxsize:
        return  # and it was seen to help: every run of a page comes here
    MultiPartParser.spool_max_size = sys.maxsize
    if not _stays_in_memory():
        MultiPartParser.spool_max_size = before
        refuse("MultiPartParser.spool_max_size", "uploads would be written to disk")


def _stays_in_memory() -> bool:
    """Let Starlette take an upload: where it writes to a file, it waits for that to be done."""
    head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'

    async def arriving() -> AsyncGenerator[bytes, None]:
        yield head + bytes(_PROBE) + b"\r\n--b--\r\n"

    taken: list[FormData] = []

    async def take() -> None:
        headers = Headers({"Content-Type": "multipart/form-data; boundary=b"})
        taken.append(await MultiPartParser(headers, arriving()).parse())

    taking = take()
    with suppress(Exception):  # to write to a file it needs a thread
        taking.send(None)
    taking.close()
    return bool(taken) and not getattr(taken[0]["f"].file, "_rolled", True)  # type: ignore[union-attr]


def drop_closed_sessions_in_time() -> None:
    """Streamlit drops a closed tab's data once its time is over, but only when another tab is opened or closed.

    From now on it is dropped then.
    """
    for kind, name in _NEEDED:
        if name not in vars(kind):
            refuse(f"{kind.__name__}.{name}", "the data of a closed tab would not be dropped")
    for name in ("session_id", "session_state", "uploaded_file_mgr"):
        if name not in ScriptRunContext.__dataclass_fields__:
            refuse(f"ScriptRunContext.{name}", "an uploaded file would stay in memory when it is forgotten")
    if not _can_be_emptied():
        refuse("SessionState", "what widgets were given of a forgotten file would stay in memory")
    MemorySessionStorage.save = _save_and_later_drop  # type: ignore[method-assign, assignment]
    if not _can_be_dropped():
        refuse("MemorySessionStorage", "the data of a closed tab would not be dropped")


_NEEDED = (
    (MemorySessionStorage, "save"),
    (MemorySessionStorage, "get"),
    (MemorySessionStorage, "delete"),
    (AppSession, "shutdown"),
    (AppSession, "session_state"),
    (SessionState, "set_widgets_from_proto"),
    (SessionState, "get_widget_states"),
    (SessionState, "get_widget_id_from_key"),
    (runtime.Runtime, "is_active_session"),
    (runtime.Runtime, "get_app_session"),
    (MemoryUploadedFileManager, "remove_session_files"),
)


def _can_be_dropped() -> bool:
    """Whether a session that is stored can be taken out of the store."""
    storage, probe = MemorySessionStorage(), SimpleNamespace(session=SimpleNamespace(id="probe"))
    try:
        _SAVE(storage, probe)  # type: ignore[arg-type]
        stored = storage.get("probe") is probe
        storage.delete("probe")
    except Exception:
        return False
    return stored and storage.get("probe") is None


def _can_be_emptied() -> bool:
    """Whether beginning anew leaves nothing of a session's entries and of what its widgets were given."""
    state = SessionState()
    try:
        parts = [getattr(state, part.name) for part in fields(state)]
        begin_anew(state, {})
        anew = [getattr(state, part.name) for part in fields(state)]
    except Exception:
        return False
    plain = (type(None), bool, int, str)
    return all(isinstance(old, plain) or old is not new for old, new in zip(parts, anew, strict=True))


def forget_uploads() -> None:
    """Drop the bytes of every file uploaded in this browser session, which Streamlit keeps until the session ends.

    What else was dropped in this run is cleared from memory soon after it.
    """
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)
        _emptied.add(context.session_id)


def finish_forgetting() -> None:
    """At the start of a run, empty what Streamlit holds of this session where the callbacks before it dropped a file.

    Streamlit keeps what every widget ever shown was given, functions and their arguments too, and so the data.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and context.session_id in _emptied:
        _emptied.discard(context.session_id)
        session = runtime.get_instance().get_app_session(context.session_id)
        if session is not None:
            own = {key: st.session_state[key] for key in st.session_state if str(key).startswith(OWN)}
            begin_anew(session.session_state, own, session.session_state.get_widget_states())
        _sweep_soon()


def begin_anew(state: SessionState, entries: Mapping[str, Any], widgets: Sequence[WidgetState] = ()) -> None:
    """Empty what Streamlit holds of a session but for these entries and what the browser last said of its widgets."""
    state.__init__()  # type: ignore[misc]  # clear() leaves what the widgets were given
    state.set_widgets_from_proto(WidgetStates(widgets=widgets))
    for key, value in entries.items():
        state[key] = value


def _save_and_later_drop(storage: MemorySessionStorage, info: SessionInfo) -> None:
    """Keep a session whose browser tab is gone in case it comes back, and drop it when its time is over."""
    _SAVE(storage, info)
    with suppress(RuntimeError):  # without an event loop there is no server that sessions could come back to
        wait = config.get_option("server.disconnectedSessionTTL") + 1
        asyncio.get_running_loop().call_later(wait, _drop_if_gone, storage, info.session)


def overwrite_freed_memory() -> None:
    """Let no copy of a file stay in memory that is free: the C library overwrites it, in Arrow's place too."""
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    library = _gnu_library()
    if library is not None:
        library.mallopt(_PERTURB, 1)


_PERTURB = -6  # M_PERTURB of malloc.h


def _gnu_library() -> ctypes.CDLL | None:
    """The GNU C library of this process; others give memory back by themselves."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def _drop_if_gone(storage: MemorySessionStorage, session: AppSession) -> None:
    if storage.get(session.id) is not None or runtime.get_instance().is_active_session(session.id):
        return  # it came back
    with suppress(KeyError):  # what an expired entry answers when it is removed
        storage.delete(session.id)
    session.shutdown()
    begin_anew(session.session_state, {})  # Streamlit's loop holds the session that it looked at last
    _emptied.discard(session.id)
    for forget in when_dropped:
        forget(session.id)
    _sweep_soon()


def _sweep_soon() -> None:
    for seconds in _SWEEPS:
        timer = threading.Timer(seconds, _sweep)
        timer.daemon = True
        timer.start()


def _sweep() -> None:
    """Free what nothing refers to any more, and hand its memory back to the system, so that no copy stays in it."""
    gc.collect()  # a session's parts refer to one another
    library = _gnu_library()
    if library is not None:
        library.malloc_trim(0)
