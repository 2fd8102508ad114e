"""Start Anonscope on this machine: ``python -m ui.start [--port N]``.

:func:`prepare_server` closes the places where Streamlit's server, as it comes, would put uploaded data on disk,
a cell value in a log, or keep data longer than it says. The start command calls it before the server starts and
``app.py`` calls it again, so that a plain ``streamlit run app.py`` is as safe.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from starlette.formparsers import MultiPartParser
from streamlit import config, runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionInfo

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "127.0.0.1"
PORT = 8501
PORTS_TRIED = 50


def prepare_server() -> None:
    """Keep uploads in memory and cell values out of logs, and let every page's address open as it should.

    Safe to call any number of times.

    * Starlette moves an upload of more than 1 MB to a temporary file. Here it never does; how much is taken
      at all is bounded by ``server.maxUploadSize``, which Streamlit checks while the upload arrives.
    * Streamlit drops the data of a closed browser tab ``server.disconnectedSessionTTL`` seconds later, but only
      once another tab is opened or closed. Here it is dropped then.
    * Python's logging writes the text of an exception, which may quote a cell. Here a log line has the
      exception's type and where it happened, never its text.
    * Because there is a folder ``pages/``, Streamlit takes the app for one without navigation until ``app.py``
      has run once, and the first visit to a page's own address is told that there is no such page.
    """
    MultiPartParser.spool_max_size = sys.maxsize
    MemorySessionStorage.save = _save_and_later_drop  # type: ignore[method-assign, assignment]
    if logging.getLogRecordFactory() is not _RECORD_FACTORY:
        logging.setLogRecordFactory(_RECORD_FACTORY)
    sys.excepthook = _print_without_text
    threading.excepthook = _print_thread_without_text
    PagesManager.uses_pages_directory = False


def forget_uploads() -> None:
    """Drop the bytes of every file uploaded in this browser session, which Streamlit keeps until the session ends."""
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)


_SAVE = MemorySessionStorage.save


def _save_and_later_drop(storage: MemorySessionStorage, info: SessionInfo) -> None:
    """Keep a session whose browser tab is gone in case it comes back, and drop it when its time is over."""
    _SAVE(storage, info)
    with suppress(RuntimeError):  # without an event loop there is no server that sessions could come back to
        wait = config.get_option("server.disconnectedSessionTTL") + 1
        asyncio.get_running_loop().call_later(wait, _drop_if_gone, storage, info.session)


def _drop_if_gone(storage: MemorySessionStorage, session: AppSession) -> None:
    if storage.get(session.id) is not None or runtime.get_instance().is_active_session(session.id):
        return  # it came back
    with suppress(KeyError):  # what an expired entry answers when it is removed
        storage.delete(session.id)
    session.shutdown()
    gc.collect()  # a session's parts refer to one another


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


def _print_without_text(kind: type[BaseException], exception: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    print(describe_without_text(exception, trace), file=sys.stderr)


def _print_thread_without_text(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and failed.exc_type is not SystemExit:
        _print_without_text(failed.exc_type, failed.exc_value, failed.exc_traceback)


def free_port(wanted: int, tries: int = PORTS_TRIED) -> int:
    """The first port from ``wanted`` on that nothing on this machine listens on.

    Raises :class:`SystemExit` with a sentence when none of ``tries`` ports is free.
    """
    for port in range(wanted, min(wanted + tries, 65536)):
        if _is_free(port):
            return port
    raise SystemExit(f"No free port from {wanted} on. Close another program, or choose one with --port.")


def _is_free(port: int) -> bool:
    if _answers(port):
        return False
    with socket.socket() as probe:
        if os.name != "nt":  # there the option would let two programs share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return False
    return True


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((ADDRESS, port)) == 0


def _say_when_ready(port: int) -> None:
    """Print the address once the server answers, so that following it never finds nothing there."""
    while not _answers(port):
        time.sleep(0.1)
    print(
        f"Anonscope is at http://{ADDRESS}:{port} (nothing leaves this machine; stop with Ctrl+C)",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> None:
    """Serve ``app.py`` on the loopback address until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m ui.start", description="Start Anonscope on this machine.")
    parser.add_argument("--port", type=int, default=PORT, help=f"port to listen on (default {PORT})")
    wanted = parser.parse_args(arguments).port
    if not 1 <= wanted <= 65535:
        parser.error("a port is a number from 1 to 65535")
    port = free_port(wanted)
    if port != wanted:
        print(f"Port {wanted} is in use by another program; using {port}.", flush=True)

    from streamlit.web import cli

    os.chdir(ROOT)  # Streamlit reads .streamlit/config.toml from here
    prepare_server()
    threading.Thread(target=_say_when_ready, args=(port,), daemon=True).start()
    # Given here as well as in the configuration file, because these win over the environment's STREAMLIT_ variables.
    options = {"server.address": ADDRESS, "server.port": port, "browser.gatherUsageStats": "false"}
    cli.main(["run", "app.py", *(f"--{name}={value}" for name, value in options.items())])


if __name__ == "__main__":
    from ui.start import main as start  # the module that app.py imports too, and not a second copy of it

    start()
