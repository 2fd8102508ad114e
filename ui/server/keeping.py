"""What of a file the server holds: where, and how long."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import pyarrow
import streamlit as st

from ui.server.private import (
    AppSession,
    MemorySessionStorage,
    MultiPartParser,
    SessionInfo,
    begin_again,
    get_script_run_ctx,
    runtime,
)

_SAVE = MemorySessionStorage.save
_SWEEPS = (1.0, 4.0)  # seconds after something was dropped: what shows it is gone by then
OWN = "anonscope"  # how the keys of what is to stay begin
when_dropped: list[Callable[[str], None]] = []
"""What else is to be done when a session is dropped, given its id."""
_emptied: set[str] = set()
"""The sessions in which a file was dropped that Streamlit still holds."""
_COLLECTED_AFTER = 20.0  # seconds after a run, once for all that ran until then
_collection = threading.Lock()
"""Held while a collection is to come."""


def keep_uploads_in_memory() -> None:
    """Starlette moves an upload of more than 1 MB to a temporary file; from now on it never does.

    How much is taken at all is bounded by ``server.maxUploadSize``, which Streamlit checks while the upload arrives.
    """
    MultiPartParser.spool_max_size = sys.maxsize


def drop_closed_sessions_in_time() -> None:
    """Streamlit drops a closed tab's data once its time is over, but only when another tab is opened or closed.

    From now on it is dropped then.
    """
    MemorySessionStorage.save = _save_and_later_drop  # type: ignore[method-assign, assignment]


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
            begin_again(session.session_state, own, session.session_state.get_widget_states())
        _sweep_soon()


def _save_and_later_drop(storage: MemorySessionStorage, info: SessionInfo) -> None:
    """Keep a session whose browser tab is gone in case it comes back, and drop it when its time is over."""
    _SAVE(storage, info)
    with suppress(RuntimeError):  # without an event loop there is no server that sessions could come back to
        wait = st.get_option("server.disconnectedSessionTTL") + 1
        asyncio.get_running_loop().call_later(wait, _drop_if_gone, storage, info.session)


def overwrite_freed_memory() -> None:
    """Let no copy of a file stay in memory that is free, and little of it be kept.

    The C library overwrites it, in Arrow's place too.
    """
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    library = _gnu_library()
    if library is not None:
        library.mallopt(_PERTURB, 1)
        library.mallopt(_ARENA_MAX, _ARENAS)


_PERTURB, _ARENA_MAX = -6, -8  # M_PERTURB and M_ARENA_MAX of malloc.h
_ARENAS = 2  # of memory: each run of a page is a thread, and more of them would each keep what the last run left free


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
    begin_again(session.session_state, {})  # Streamlit's loop holds the session that it looked at last
    _emptied.discard(session.id)
    for forget in when_dropped:
        forget(session.id)
    _sweep_soon()


def collect_soon() -> None:
    """At the start of a run: garbage is collected some time later, once for the runs of all sessions until then.

    Streamlit would do so after each run (``runner.postScriptGC``), and every session waits meanwhile.
    """
    if _collection.acquire(blocking=False):
        _later(_COLLECTED_AFTER, _collect)


def _collect() -> None:
    _collection.release()
    gc.collect()


def _sweep_soon() -> None:
    for seconds in _SWEEPS:
        _later(seconds, _sweep)


def _later(seconds: float, act: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


def _sweep() -> None:
    """Free what nothing refers to any more, and hand its memory back to the system, so that no copy stays in it."""
    gc.collect()  # a session's parts refer to one another
    library = _gnu_library()
    if library is not None:
        library.malloc_trim(0)
