"""Logs and error output name where a failure was, and quote nothing."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator

import pytest

from ui import server

SECRET = "SECRET-CELL-7731"


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
