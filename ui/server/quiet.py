"""Logs and error output without the text of exceptions, which may quote a cell."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from anonlib.basics.quiet import silence


def keep_cells_out_of_logs() -> None:
    """From now on a log line has an exception's type and where it happened, never its text, and no cell is quoted."""
    for library in ("openpyxl", "pyogrio"):
        silence(library)
    if logging.getLogRecordFactory() is not _RECORD_FACTORY:
        logging.setLogRecordFactory(_RECORD_FACTORY)
    sys.excepthook = _print_without_text
    threading.excepthook = _print_thread_without_text


def _without_text(make_record: Callable[..., logging.LogRecord]) -> Callable[..., logging.LogRecord]:
    """A record factory whose records name an exception's type and place and hold nothing else of it."""

    def make(*args: object, **kwargs: object) -> logging.LogRecord:
        record = make_record(*args, **kwargs)
        if isinstance(record.args, tuple):
            record.args = tuple(type(arg).__name__ if isinstance(arg, BaseException) else arg for arg in record.args)
        if record.exc_info:
            _, exception, trace = record.exc_info
            record.exc_info = None
            record.exc_text = "" if exception is None else describe_without_text(exception, trace)
        return record

    return make


_RECORD_FACTORY = _without_text(logging.LogRecord)


def describe_without_text(exception: BaseException, trace: TracebackType | None = None) -> str:
    """Where an exception happened, innermost call last, and its type; not its text, which may quote a cell."""
    frames = traceback.extract_tb(trace or exception.__traceback__)
    places = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join([*places, type(exception).__name__])


def place_of(exception: BaseException) -> str:
    """In a few words, the type of an exception and where it happened."""
    trace, name, line = exception.__traceback__, "unknown", 0
    while trace is not None:
        name, line = trace.tb_frame.f_globals.get("__name__", "unknown"), trace.tb_lineno
        trace = trace.tb_next
    return f"{type(exception).__name__} in {name}, line {line}"


def _print_without_text(kind: type[BaseException], exception: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    print(describe_without_text(exception, trace), file=sys.stderr)


def _print_thread_without_text(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and failed.exc_type is not SystemExit:
        _print_without_text(failed.exc_type, failed.exc_value, failed.exc_traceback)
