"""The start command and what it makes safe before the server starts."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
import tomllib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager

from anonlib.sources import ibis_table
from ui import start

ROOT = Path(__file__).resolve().parents[1]
SECRET = "SECRET-CELL-7731"


@pytest.fixture(autouse=True)
def as_it_comes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins, and leaves, the process as if nothing had been prepared."""
    factory = logging.getLogRecordFactory()
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    monkeypatch.setattr(MemorySessionStorage, "save", start._SAVE)
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
    form = asyncio.run(MultiPartParser(headers, chunks()).parse())  # type: ignore[arg-type]
    file = form["file"]
    assert isinstance(file, UploadFile)
    assert file.size == size
    return file


def on_disk(file: UploadFile) -> bool:
    return file.file._rolled  # type: ignore[attr-defined, no-any-return]


def test_a_large_upload_stays_in_memory() -> None:
    start.prepare_server()
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
    start.prepare_server()
    factory = logging.getLogRecordFactory()
    start.prepare_server()
    assert logging.getLogRecordFactory() is factory
    assert PagesManager.uses_pages_directory is False


@pytest.mark.parametrize(
    ("stored", "active", "dropped"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_only_a_session_that_did_not_come_back_is_dropped(
    stored: bool, active: bool, dropped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored: its tab was closed again, a later timer is running. Active: its tab is open again."""
    server = SimpleNamespace(is_active_session=lambda _: active)
    monkeypatch.setattr(start.runtime, "get_instance", lambda: server)
    session = SimpleNamespace(id="session", shut_down=False)
    session.shutdown = lambda: setattr(session, "shut_down", True)
    storage = MemorySessionStorage(ttl_seconds=1000 if stored else 0)
    storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type]
    start._drop_if_gone(storage, session)  # type: ignore[arg-type]
    assert session.shut_down is dropped
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
    start.prepare_server()
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
    start.prepare_server()
    logger.error("plain")
    logger.error("%s of %d", "one", 2)
    logger.error("%(rows)d rows", {"rows": 3})
    logger.error("outside any exception", exc_info=True)
    assert handler.lines[:3] == ["plain", "one of 2", "3 rows"]
    assert handler.lines[3].startswith("outside any exception")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_failure_in_a_thread_or_at_the_top_is_printed_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    start.prepare_server()

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


def test_the_next_free_port_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < start.free_port(port) <= port + start.PORTS_TRIED
        with pytest.raises(SystemExit, match="No free port"):
            start.free_port(port, tries=1)
    assert start.free_port(port) == port


@pytest.mark.parametrize("arguments", [["--port", "0"], ["--port", "70000"], ["--port", "x"]])
def test_a_port_that_is_none_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        start.main(arguments)


def test_every_option_of_the_configuration_is_one_streamlit_knows() -> None:
    from streamlit import config

    known = set(config.get_config_options())
    unknown = set(_options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text()))) - known
    assert not unknown


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("server.address", "127.0.0.1"),
        ("server.headless", True),
        ("server.enableXsrfProtection", True),
        ("server.enableCORS", True),
        ("server.enableStaticServing", False),
        ("server.enableAgentApi", False),
        ("server.allowedHosts", ["localhost", "127.0.0.1", "::1"]),
        ("browser.gatherUsageStats", False),
        ("client.showErrorDetails", "none"),
        ("client.showErrorLinks", False),
        ("client.disableDataExport", True),
        ("logger.level", "error"),
        ("logger.enableRich", False),
        ("runner.magicEnabled", False),
    ],
)
def test_the_configuration_is_the_private_one(option: str, value: object) -> None:
    assert _options(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text()))[option] == value


def _options(table: dict, prefix: str = "") -> dict[str, object]:
    options: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            options |= _options(value, f"{prefix}{name}.")
        else:
            options[f"{prefix}{name}"] = value
    return options
