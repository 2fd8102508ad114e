"""What of a file the server holds, and how long."""

from __future__ import annotations

import threading
import weakref
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.state import SessionState

from tests.helpers import loops
from ui import server
from ui.server import keeping


def uploaded(size: int) -> UploadFile:
    """A file of this size as the server's parser holds it once it has arrived."""
    boundary = "boundary"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'.encode()
    body = head + b"x" * size + f"\r\n--{boundary}--\r\n".encode()

    async def chunks() -> AsyncIterator[bytes]:
        for begin in range(0, len(body), 65536):
            yield body[begin : begin + 65536]

    headers = Headers({"Content-Type": f"multipart/form-data; boundary={boundary}"})
    form = loops.run(MultiPartParser(headers, chunks()).parse())  # type: ignore[arg-type]
    file = form["file"]
    assert isinstance(file, UploadFile)
    assert file.size == size
    return file


def on_disk(file: UploadFile) -> bool:
    return file.file._rolled  # type: ignore[attr-defined, no-any-return]


def test_a_large_upload_stays_in_memory() -> None:
    server.prepare_server()
    assert not on_disk(uploaded(3_000_000))


def test_without_preparation_a_large_upload_goes_to_disk() -> None:
    assert on_disk(uploaded(3_000_000)), "else the test above could not fail"


@pytest.mark.parametrize(
    ("stored", "active", "dropped"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_only_a_session_that_did_not_come_back_is_dropped(
    stored: bool, active: bool, dropped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored: its tab was closed again, a later timer is running. Active: its tab is open again."""
    running = SimpleNamespace(is_active_session=lambda _: active)
    monkeypatch.setattr(keeping.runtime, "get_instance", lambda: running)
    session = SimpleNamespace(id="session", shut_down=False, session_state=SessionState())
    session.session_state["held"] = "a person"
    session.shutdown = lambda: setattr(session, "shut_down", True)
    storage = MemorySessionStorage(ttl_seconds=1000 if stored else 0)
    storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type]
    keeping._drop_if_gone(storage, session)  # type: ignore[arg-type]
    assert session.shut_down is dropped
    assert ("held" in session.session_state) is not dropped
    assert (storage.get("session") is not None) is stored


def test_a_session_that_begins_again_holds_nothing_but_its_entries() -> None:
    class Data:
        pass

    state, data = SessionState(), Data()
    state["file"], state["anonscope"] = data, "kept"
    gone = weakref.ref(data)
    del data
    keeping.begin_again(state, {"anonscope": state["anonscope"]})
    assert state.filtered_state == {"anonscope": "kept"}
    assert gone() is None


def test_garbage_of_many_runs_is_collected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_COLLECTED_AFTER", 0.1)
    monkeypatch.setattr(keeping, "_collection", threading.Lock())
    collected = threading.Semaphore(0)
    monkeypatch.setattr(keeping.gc, "collect", collected.release)
    for _ in range(3):
        keeping.collect_soon()
    assert collected.acquire(timeout=60)
    assert not collected.acquire(timeout=0.3), "once for all of them"
    keeping.collect_soon()
    assert collected.acquire(timeout=60), "and again for a later run"


def test_streamlit_does_not_collect_after_every_run() -> None:
    assert config.get_option("runner.postScriptGC") is False
