"""Imported by Python when the server under test starts: notes each file it opens for writing and each host it calls.

The notes are lines in the file that ``ANONSCOPE_AUDIT`` names; there are none when all is well. Asked by a signal, it
counts what is alive of a file, in the file that ``ANONSCOPE_ALIVE`` names: a line for each kind of object, one for the
bytes of uploads, and a dot.
"""

import gc
import os
import signal
import sys

_NOTES = os.open(os.environ["ANONSCOPE_AUDIT"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_WRITING = os.O_WRONLY | os.O_RDWR
_NOWHERE = (os.devnull, "/proc/self/oom_score_adj")  # the second: which process the system ends first
_OF_JOBS = ["-m", "ui.server.workers.zygote"]  # the one program that the server starts, audited as it is
_THIS_MACHINE = (None, "", "127.0.0.1", "::1", "localhost", b"localhost")


def _watch(event: str, arguments: tuple) -> None:
    if event == "open":
        path, _, flags = arguments
        if not isinstance(path, int) and flags & _WRITING and path not in _NOWHERE:
            _note(f"wrote to a file: {os.fspath(path)!r}")
    elif event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and address[0] not in _THIS_MACHINE:
            _note(f"called another host: {address!r}")
    elif event == "socket.getaddrinfo" and arguments[0] not in _THIS_MACHINE:
        _note(f"looked up another host: {arguments[0]!r}")
    elif event == "subprocess.Popen" and arguments[0] == sys.executable and arguments[1][1:3] == _OF_JOBS:
        pass
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        _note(f"started another program: {arguments[0]!r}")


def _note(what: str) -> None:
    os.write(_NOTES, f"{what}\n".encode())


_ALIVE = os.open(os.environ["ANONSCOPE_ALIVE"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
_OF_A_FILE = {
    "ClassTable",
    "DataFrame",
    "Dataset",
    "Index",
    "LoadedFile",
    "LoadedTable",
    "Refused",
    "Series",
    "Source",
    "UploadedFileRec",
}


def _count(*_: object) -> None:
    things = gc.get_objects()
    kinds = [type(thing).__name__ for thing in things if type(thing).__name__ in _OF_A_FILE]
    lines = [f"{kind} {kinds.count(kind)}" for kind in sorted(set(kinds))]
    uploads = [thing.file_storage for thing in things if type(thing).__name__ == "MemoryUploadedFileManager"]
    held = sum(len(file.data) for sessions in uploads for files in sessions.values() for file in files.values())
    lines.append(f"bytes {held}")
    os.write(_ALIVE, ("\n".join([*lines, "."]) + "\n").encode())


if hasattr(signal, "SIGUSR1"):
    signal.signal(signal.SIGUSR1, _count)
sys.addaudithook(_watch)
