"""The server's end of the process that jobs are forks of (:mod:`ui.server.workers.zygote`)."""

from __future__ import annotations

import logging
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from ui.server import who

ROOT = Path(__file__).resolve().parents[3]
FORK, END, STAND_STILL, GO_ON = b"f", b"k", b"s", b"c"
"""What is asked of it, each with the number of a job: to fork, with the socket of the job, which it answers with the id
of the process; and to send that a signal."""
SIGNALS = {END: signal.SIGKILL, STAND_STILL: signal.SIGSTOP, GO_ON: signal.SIGCONT} if os.name == "posix" else {}
NUMBER = struct.Struct("<q")
READY, NONE = 0, -1
"""In the place of the id of a process: that all is imported, and that the system let no process begin."""
_SETTINGS = {"JE_ARROW_MALLOC_CONF": "background_thread:false", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""The environment in which no library begins a thread, which a fork would not have."""
_INHERITED = ("ANONSCOPE_", "LC_", "NUMBA_", "PYTHON")
_INHERITED_NAMES = ("HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "TEMP", "TMP", "TMPDIR", "TZ", "VIRTUAL_ENV")
"""Of the environment, what jobs need; passwords may stand in the rest."""
_MOST_DEATHS, _WITHIN = 3, 120.0  # in so many seconds: it can not be kept alive
_LOG = logging.getLogger("anonscope")
Begun = Callable[["psutil.Process | None"], None]


class Zygote:
    """The process, which is started again where it has died. All of it is called by one thread at a time.

    Attributes
    ----------
    is_ready : whether it has ever forked, or could.
    is_broken : whether it died again and again, and is not started any more.
    """

    def __init__(self) -> None:
        self.is_ready = self.is_broken = False
        self._process: subprocess.Popen[bytes] | None = None
        self._end: socket.socket | None = None
        self._number = 0
        self._asked: deque[Begun] = deque()
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it; it takes some seconds until it is ready, and what is asked of it waits."""
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ui.server.workers.zygote", str(there.fileno())],
                cwd=ROOT, env=_environment(), stdin=subprocess.DEVNULL, pass_fds=[there.fileno()],
                start_new_session=True,  # Ctrl+C is for the server, with which it ends
            )  # fmt: skip
        self._end = here

    def look(self) -> None:
        """Take note of what it answered, and start it again where it has died."""
        while self._end is not None:
            try:
                answer = self._end.recv(NUMBER.size, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError:
                answer = b""
            if not answer:
                self._start_again()
                return
            (number,) = NUMBER.unpack(answer)
            if number == READY:
                self.is_ready = True
            else:
                self._asked.popleft()(_process(number))

    def fork(self, end: socket.socket, begun: Begun) -> int:
        """Ask for a process that has this socket; the number of its job.

        ``begun`` gets the process once it is there, or None where there is none.
        """
        self.look()  # one that has died is started again first
        self._asked.append(begun)
        self._number += 1
        with suppress(OSError):  # where it has died since, that shows at the next look
            assert self._end is not None
            socket.send_fds(self._end, [FORK + NUMBER.pack(self._number)], [end.fileno()])
        return self._number

    def signal(self, number: int, what: bytes) -> None:
        """Ask for one of SIGNALS to a job: one that has ended gets none, and END lets nothing be left of it."""
        if self._end is not None:
            with suppress(OSError):
                self._end.send(what + NUMBER.pack(number))

    def close(self) -> None:
        """End it, and with it all of its forks."""
        end, self._end = self._end, None
        if end is not None:
            end.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _start_again(self) -> None:
        self.close()
        asked, self._asked = self._asked, deque()
        for begun in asked:
            begun(None)
        self._deaths.append(time.monotonic())
        if len(self._deaths) == _MOST_DEATHS and self._deaths[-1] - self._deaths[0] < _WITHIN:
            self.is_broken = True
            _LOG.error("Processes for work end again and again: from now on the server does it itself.")
        else:
            self.start()


def _process(number: int) -> psutil.Process | None:
    with suppress(psutil.Error):
        return None if number == NONE else psutil.Process(number)
    return None


def _environment() -> dict[str, str]:
    names = [name for name in os.environ if name in _INHERITED_NAMES or name.startswith(_INHERITED)]
    return {name: os.environ[name] for name in names if name != who.SETTINGS} | _SETTINGS
