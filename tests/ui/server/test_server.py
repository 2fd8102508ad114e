"""What Streamlit's server is made to do before it serves, and that Anonscope refuses to serve where it cannot be."""

from __future__ import annotations

import gc
import logging
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from anonlib.reading.sources import ibis_table
from tests.helpers import loops
from ui import server
from ui.server import keeping

SECRET = "SECRET-CELL-7731"


@pytest.fixture(autouse=True)
def as_it_comes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins, and leaves, the process as if nothing had been prepared."""
    factory = logging.getLogRecordFactory()
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    monkeypatch.setattr(MemorySessionStorage, "save", keeping._SAVE)
    server._check.cache_clear()
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    logging.setLogRecordFactory(logging.LogRecord)
    yield
    logging.setLogRecordFactory(factory)


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


def test_a_table_in_duckdb_has_no_folder_to_spill_to(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("age,sex\n44,F\n")
    connection = ibis_table(path).get_backend()
    ((folder,),) = connection.raw_sql("SELECT current_setting('temp_directory')").fetchall()
    assert not folder


def test_preparing_twice_is_preparing_once() -> None:
    server.prepare_server()
    factory = logging.getLogRecordFactory()
    server.prepare_server()
    assert logging.getLogRecordFactory() is factory
    assert PagesManager.uses_pages_directory is False


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


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, Lines]]:
    logger, handler = logging.getLogger("anonscope-test"), Lines()
    logger.addHandler(handler)
    yield logger, handler
    logger.removeHandler(handler)


def log_a_failure(logger: logging.Logger) -> None:
    try:
        try:
            raise ValueError(f"could not convert {SECRET}")
        except ValueError as cause:
            raise KeyError(SECRET) from cause
    except KeyError as failure:
        logger.exception("Uncaught: %s", failure)
        logger.error("Uncaught", exc_info=failure)
        logger.error("No exception at hand", exc_info=True)


def test_a_logged_exception_loses_its_text_and_keeps_its_place(log: tuple[logging.Logger, Lines]) -> None:
    logger, handler = log
    server.prepare_server()
    log_a_failure(logger)
    text = "\n".join(handler.lines)
    assert SECRET not in text
    assert "Uncaught: KeyError" in text
    assert "in log_a_failure\nKeyError" in text


def test_without_preparation_the_text_is_logged(log: tuple[logging.Logger, Lines]) -> None:
    logger, handler = log
    log_a_failure(logger)
    assert SECRET in "\n".join(handler.lines), "else the test above could not fail"


def test_other_log_lines_are_left_alone(log: tuple[logging.Logger, Lines]) -> None:
    logger, handler = log
    server.prepare_server()
    logger.error("plain")
    logger.error("%s of %d", "one", 2)
    logger.error("%(rows)d rows", {"rows": 3})
    logger.error("outside any exception", exc_info=True)
    assert handler.lines[:3] == ["plain", "one of 2", "3 rows"]
    assert handler.lines[3].startswith("outside any exception")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_failure_in_a_thread_or_at_the_top_is_printed_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    server.prepare_server()

    def fail() -> None:
        raise ValueError(SECRET)

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    try:
        fail()
    except ValueError as failure:
        sys.excepthook(ValueError, failure, failure.__traceback__)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    printed = capsys.readouterr().err
    assert SECRET not in printed
    assert printed.count("in fail\nValueError") == 2


def test_what_got_past_all_else_is_a_sentence_without_its_text(log: tuple[logging.Logger, Lines]) -> None:
    def page() -> None:
        from ui.session import guard

        assert guard.show_fault(ValueError("SECRET-CELL-7731")), "Streamlit shows nothing of its own then"

    at = AppTest.from_function(page, default_timeout=60).run()
    (shown,) = at.error
    assert "Something went wrong" in shown.value and SECRET not in shown.value


def test_where_web_sites_would_be_believed_it_refuses_to_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    option = st.get_option
    named = {"client.allowedOrigins": ["https://elsewhere.example"]}
    monkeypatch.setattr(st, "get_option", lambda name: named.get(name) or option(name))
    with pytest.raises(SystemExit, match="allowedOrigins names web sites"):
        server.prepare_server()


def test_a_session_that_begins_anew_holds_nothing_but_its_entries() -> None:
    class Data:
        pass

    state, data = SessionState(), Data()
    state["file"], state["anonscope"] = data, "kept"
    gone = weakref.ref(data)
    del data
    keeping.begin_anew(state, {"anonscope": state["anonscope"]})
    assert state.filtered_state == {"anonscope": "kept"}
    assert gone() is None


def test_the_program_is_left_out_of_garbage_collection_and_what_comes_later_is_not() -> None:
    server.leave_program_out_of_collection()
    assert gc.get_freeze_count() > 10_000 > len(gc.get_objects())

    class Later:
        pass

    later = Later()
    later.itself = later  # type: ignore[attr-defined]
    alive = weakref.ref(later)
    del later
    gc.collect()
    assert alive() is None
