"""All that Anonscope uses of Streamlit and Starlette beside what they document, and how the start checks it.

Both may change these names at any time. So nothing else of Anonscope imports one (``tests/test_architecture.py`` holds
that), the ranges of ``requirements.txt`` let no other minor version of Streamlit in, and :func:`check` goes through
:data:`NAMES` before anything is served: where a name is gone, or no longer does what it is for, it refuses to serve.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from importlib.metadata import version
from threading import Thread
from types import SimpleNamespace
from typing import Any, NoReturn

import streamlit as st
from starlette.datastructures import FormData, Headers


def refuse(name: str, otherwise: str) -> NoReturn:
    """End with a sentence: Streamlit's ``name`` is gone or does something else, and without it, so and so."""
    raise SystemExit(
        f"Anonscope does not start: Streamlit {version('streamlit')} has changed ({name}), and {otherwise}. "
        "Install the versions of requirements.lock."
    )


try:
    from starlette.formparsers import MultiPartParser
    from streamlit import runtime
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.Common_pb2 import FileURLs
    from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
    from streamlit.runtime import scriptrunner
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.media_file_manager import MediaFileManager
    from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
    from streamlit.runtime.memory_session_storage import MemorySessionStorage
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
    from streamlit.runtime.session_manager import SessionInfo
    from streamlit.runtime.state import SafeSessionState, SessionState
    from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec, UploadFileUrlInfo
    from streamlit.web import cli
except ImportError:
    refuse("the place of a name", "Anonscope could not find what it must make private")


# ---- what takes more than the name --------------------------------------------------------------------------------


@contextmanager
def unstopped(held: SafeSessionState) -> Iterator[None]:
    """Let nothing stop a run meanwhile where it looks at the session's state."""
    stops = held._yield_callback
    object.__setattr__(held, "_yield_callback", lambda: None)
    try:
        yield
    finally:
        object.__setattr__(held, "_yield_callback", stops)


def begin_again(state: SessionState, entries: Mapping[str, Any], widgets: Sequence[WidgetState] = ()) -> None:
    """Empty what Streamlit holds of a session but these entries and what the browser last reported of its widgets."""
    state.__init__()  # type: ignore[misc]  # clear() leaves what the widgets were given
    state.set_widgets_from_proto(WidgetStates(widgets=widgets))
    for key, value in entries.items():
        state[key] = value


def session_of_deferred(manager: MediaFileManager, file_id: str) -> str | None:
    """The session whose page offers a download that is made when it is asked for."""
    deferred = manager._deferred_callables.get(file_id)
    return None if deferred is None else deferred["session_id"]


def is_of_a_person(message: bytes) -> bool:
    """Whether a browser's message comes of what a person does, and not of a page that looks again by itself."""
    sent = BackMsg()
    try:
        sent.ParseFromString(message)
    except Exception:  # which Streamlit refuses
        return False
    return sent.WhichOneof("type") != "app_heartbeat" and not sent.rerun_script.is_auto_rerun


# ---- probes -------------------------------------------------------------------------------------------------------

_PROBE = 1_100_000  # bytes: more than Starlette keeps in memory by itself


def _uploads_can_stay_in_memory() -> bool:
    """Let Starlette take an upload: where it writes to a file, it waits for that to be done."""
    head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'

    async def arriving() -> AsyncGenerator[bytes, None]:
        yield head + bytes(_PROBE) + b"\r\n--b--\r\n"

    taken: list[FormData] = []

    async def take() -> None:
        headers = Headers({"Content-Type": "multipart/form-data; boundary=b"})
        taken.append(await MultiPartParser(headers, arriving()).parse())

    before, MultiPartParser.spool_max_size = MultiPartParser.spool_max_size, sys.maxsize
    try:
        taking = take()
        with suppress(Exception):  # to write to a file it needs a thread
            taking.send(None)
        taking.close()
    finally:
        MultiPartParser.spool_max_size = before
    return bool(taken) and not getattr(taken[0]["f"].file, "_rolled", True)  # type: ignore[union-attr]


def _a_session_can_be_dropped() -> bool:
    """Whether a session that is stored can be taken out of the store."""
    storage, probe = MemorySessionStorage(), SimpleNamespace(session=SimpleNamespace(id="probe"))
    storage.save(probe)  # type: ignore[arg-type]
    stored = storage.get("probe") is probe
    storage.delete("probe")
    return stored and storage.get("probe") is None


def _a_session_can_be_emptied() -> bool:
    """Whether beginning again leaves nothing of a session's entries and of what its widgets were given."""
    state = SessionState()
    parts = [getattr(state, part.name) for part in fields(state)]
    begin_again(state, {})
    fresh = [getattr(state, part.name) for part in fields(state)]
    plain = (type(None), bool, int, str)
    return all(isinstance(old, plain) or old is not new for old, new in zip(parts, fresh, strict=True))


def _a_run_is_known() -> bool:
    """Whether the session of a run can be asked for, and a thread of none has none."""
    sessions: list[object] = []
    thread = Thread(target=lambda: sessions.append(get_script_run_ctx(suppress_warning=True)))
    thread.start()
    thread.join()
    return sessions == [None]


def _a_callback_can_finish() -> bool:
    """Whether looking at a session's state stops a run, but not while that is switched off."""
    calls: list[bool] = []
    held = SafeSessionState(SessionState(), lambda: calls.append(True))
    _ = "probe" in held
    stops = len(calls) == 1
    with unstopped(held):
        _ = "probe" in held
    finishes = len(calls) == 1
    _ = "probe" in held
    return stops and finishes and len(calls) == 2


def _an_upload_has_an_id() -> bool:
    return UploadedFile(UploadedFileRec("id", "name", "type", b""), FileURLs()).file_id == "id"


def _places_are_known() -> bool:
    return isinstance(st.sidebar, DeltaGenerator)


def _a_widget_is_named() -> bool:
    return WidgetStates(widgets=[WidgetState(id="id")]).widgets[0].id == "id"


def _a_file_has_its_session() -> bool:
    """Whether the id of a file stands in its address, and a download that is made when asked for names its session."""
    manager = MediaFileManager(MemoryMediaFileStorage("/media"))
    address = manager.add(b"probe", "text/plain", "0")
    deferred = manager.add_deferred(lambda: b"probe", "text/plain", "1")
    is_known = isinstance(session_of_deferred(manager, deferred), str)
    return is_known and address == manager.execute_deferred(deferred) and address.startswith("/media/")


def _a_message_of_a_person_is_known() -> bool:
    by_itself, by_hand = BackMsg(), BackMsg()
    by_itself.rerun_script.is_auto_rerun = True
    by_hand.rerun_script.query_string = ""
    sent = [message.SerializeToString() for message in (by_itself, by_hand, BackMsg(app_heartbeat=True))]
    return [is_of_a_person(message) for message in sent] == [False, True, False]


# ---- the table ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Name:
    """A name that is Streamlit's or Starlette's to change.

    Attributes
    ----------
    holder, name : a class or module, and what is used of it.
    use : what for.
    otherwise : what would be so without it, as the end of a sentence.
    works : whether it does what it is for; without it, that it is there is all that is checked.
    """

    holder: Any
    name: str
    use: str
    otherwise: str
    works: Callable[[], bool] | None = None

    @property
    def label(self) -> str:
        """The name with that of its holder, as ``SessionState.get_widget_states``."""
        return f"{self.holder.__name__}.{self.name}"

    def stands(self) -> bool:
        """Whether it is there and does what it is for."""
        if self.works is None:
            return self.name in {*vars(self.holder), *getattr(self.holder, "__dataclass_fields__", ())}
        try:
            return self.works()
        except Exception:
            return False


_WEB_SITES = "pages of other web sites could reach the server"
_DISK = "uploads would be written to disk"
_CLOSED = "the data of a closed tab would not be dropped"
_FORGOTTEN = "what widgets were given of a forgotten file would stay in memory"
_UPLOADED = "an uploaded file would stay in memory when it is forgotten"
_CALLBACK = "a file that is being opened could be lost by the next click"
_LOST = "a file given while a page changes would be lost without a word"
_ADDRESS = "a page could not be opened by its address"
_SHARED = "the data of one browser tab could be shown in another"
_DRAWN = "pages could not be drawn"
_OTHERS = "a download could be taken by somebody else of the department"
_STAYS = "a sign-in would not end without a sign of its person"

NAMES: tuple[Name, ...] = (
    Name(st, "App", "serves through the gate, and loads the script of tabs first", _WEB_SITES),
    Name(
        MultiPartParser, "spool_max_size", "how much of an upload is held in memory: all", _DISK,
        _uploads_can_stay_in_memory,
    ),
    Name(MemorySessionStorage, "save", "a tab is closed: its session is dropped in time", _CLOSED),
    Name(MemorySessionStorage, "get", "whether a closed tab came back", _CLOSED, _a_session_can_be_dropped),
    Name(MemorySessionStorage, "delete", "drops the session of a closed tab", _CLOSED, _a_session_can_be_dropped),
    Name(SessionInfo, "session", "the session of a closed tab", _CLOSED),
    Name(AppSession, "shutdown", "ends the session of a closed tab", _CLOSED),
    Name(AppSession, "session_state", "what Streamlit holds of a session, to be emptied", _FORGOTTEN),
    Name(AppSession, "request_rerun", "a page says that a file was lost", _LOST),
    Name(runtime, "exists", "whether a server serves", _WEB_SITES),
    Name(runtime, "get_instance", "finds sessions by their ids", _CLOSED),
    Name(runtime.Runtime, "is_active_session", "whether a tab shows a session", _CLOSED),
    Name(runtime.Runtime, "get_app_session", "the session of an id", _FORGOTTEN),
    Name(SessionState, "set_widgets_from_proto", "what the browser last reported of widgets stays", _FORGOTTEN),
    Name(SessionState, "get_widget_states", "what the browser last reported of widgets", _FORGOTTEN),
    Name(SessionState, "get_widget_id_from_key", "which entries are of widgets, renewed on reload", _FORGOTTEN),
    Name(WidgetStates, "widgets", "what the browser last reported of widgets stays", _FORGOTTEN, _a_widget_is_named),
    Name(
        SessionState, "__init__", "empties a session, also of what its widgets were given", _FORGOTTEN,
        _a_session_can_be_emptied,
    ),
    Name(
        scriptrunner, "get_script_run_ctx", "which session a run is of; that a download is of none", _SHARED,
        _a_run_is_known,
    ),
    Name(ScriptRunContext, "session_id", "whose files are forgotten, whose turn it is", _UPLOADED),
    Name(ScriptRunContext, "session_state", "a callback comes to its end", _UPLOADED),
    Name(ScriptRunContext, "uploaded_file_mgr", "forgets uploads", _UPLOADED),
    Name(MemoryUploadedFileManager, "remove_session_files", "forgets uploads", _UPLOADED),
    Name(MemoryUploadedFileManager, "remove_file", "drops a file that no page took", _LOST),
    Name(MemoryUploadedFileManager, "get_files", "notes which files a control asks for", _LOST),
    Name(MemoryUploadedFileManager, "get_upload_urls", "notes which files are about to be given", _LOST),
    Name(UploadFileUrlInfo, "file_id", "which file is about to be given", _LOST),
    Name(UploadFileUrlInfo, "upload_url", "whether it is on its way", _LOST),
    Name(UploadedFile, "file_id", "which file a page took", _LOST, _an_upload_has_an_id),
    Name(DeletedFile, "file_id", "that the bytes in an uploader are gone", _LOST),
    Name(
        SafeSessionState, "_yield_callback", "stops a run; switched off in callbacks", _CALLBACK,
        _a_callback_can_finish,
    ),
    Name(MediaFileManager, "add", "notes which session made a file", _OTHERS, _a_file_has_its_session),
    Name(MediaFileManager, "execute_deferred", "notes which session made a download", _OTHERS, _a_file_has_its_session),
    Name(MediaFileManager, "add_deferred", "whose a download is", _OTHERS, _a_file_has_its_session),
    Name(BackMsg, "ParseFromString", "whether a person did something", _STAYS, _a_message_of_a_person_is_known),
    # Because there is a folder ``pages/``, Streamlit takes the app for one without navigation until ``app.py`` has run
    # once, and the first visit to a page's own address would find no such page.
    Name(PagesManager, "uses_pages_directory", "switched off: pages are those of the navigation", _ADDRESS),
    Name(DeltaGenerator, "container", "a place on a page, named in signatures", _DRAWN, _places_are_known),
    Name(cli, "main", "starts the server", "the server could not be started"),
    Name(type(st.secrets), "load_if_toml_exists", "whether there are secrets, without an error if not", _DRAWN),
)  # fmt: skip


def check() -> None:
    """Raises SystemExit with a sentence at the first name that is gone or does something else."""
    for name in NAMES:
        if not name.stands():
            refuse(name.label, name.otherwise)
