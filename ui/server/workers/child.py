"""A job, from its own side: a process that does one function and ends."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, NoReturn

from anonlib.basics import exhausted
from anonlib.basics.errors import InputError
from ui.server.quiet import describe_without_text, place_of
from ui.server.workers.channel import Channel, MessageKind
from ui.server.workers.jobs import Function
from ui.server.workers.moving import KnownToBoth, packed, unpacked

_EVERY = 0.1  # seconds between two messages of progress
_NICE = 5  # below the server, whose pages are to be quick
_KILLED_FIRST = 500  # of 1,000, how much sooner than others the system ends it for lack of memory
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl.h
_LOG = logging.getLogger("anonscope")


def run(end: socket.socket, parent: int) -> NoReturn:
    """Do what comes over the socket, and end; with the process ``parent`` too, however that ends."""
    try:
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() == parent:
            _give_way()
            _do(Channel(end))
    finally:
        os._exit(0)


def _give_way() -> None:
    os.nice(_NICE)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write(str(_KILLED_FIRST))


def _do(channel: Channel) -> None:
    home = _Home(channel)
    try:
        function: Function = home.receive(MessageKind.FUNCTION)
        function(home)
    except EOFError:
        return  # nobody waits for it
    except InputError as error:
        home.send(MessageKind.RAISED, error)
    except BaseException as error:
        if why := exhausted.sentence(error):
            home.send(MessageKind.RAISED, InputError(why, code="machine-exhausted"))
        else:
            _LOG.error("fault in a job\n%s", describe_without_text(error))
            home.send(MessageKind.FAILED, place_of(error))


class _Home:
    """As :class:`ui.server.workers.jobs.Home`."""

    def __init__(self, channel: Channel) -> None:
        self._channel, self._known = channel, KnownToBoth()
        self._orders: deque[Any] = deque()
        self._sending = threading.Lock()
        self._newest: tuple[float, Any] | None = None
        self._is_new = threading.Event()
        self._thread: threading.Thread | None = None

    def progress(self, share: float, so_far: Any = None, /) -> None:
        self._newest = share, so_far if so_far is not None or self._newest is None else self._newest[1]
        self._is_new.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._send_progress, daemon=True)
            self._thread.start()

    def ask(self, of: str, key: Hashable) -> Any:
        self.send(MessageKind.ASK, (of, key))
        return self.receive(MessageKind.ANSWER)

    def order(self) -> Any:
        return self._orders.popleft() if self._orders else self.receive(MessageKind.ORDER)

    def newer_order(self, order: Any) -> Any:
        while self._channel.is_ready():
            self._orders.append(self.receive(MessageKind.ORDER))
        if self._orders:
            order = self._orders.pop()
            self._orders.clear()
        return order

    def report(self, value: Any) -> None:
        self._newest = None
        self.send(MessageKind.REPORT, value)

    def send(self, kind: MessageKind, value: Any) -> None:
        """Send a message home."""
        with self._sending:
            self._channel.send(kind, packed(value, self._known, adds=False))

    def receive(self, kind: MessageKind) -> Any:
        """What a message of this kind holds, waited for; orders that come before it wait."""
        while True:
            came, whole = self._channel.receive()
            value = unpacked(whole, self._known, adds=True, copies=False)
            if came == kind:
                return value
            self._orders.append(value)

    def _send_progress(self) -> None:
        """Send what is newest, not too often: beside the work, which may not say more for a long time."""
        while True:
            self._is_new.wait()
            self._is_new.clear()
            with self._sending:
                newest, self._newest = self._newest, None
                if newest is None:
                    continue
                try:
                    parcel = packed(newest, self._known, adds=False)
                except Exception:  # the work goes on with it meanwhile
                    parcel = packed((newest[0], None), self._known, adds=False)
                try:
                    self._channel.send(MessageKind.PROGRESS, parcel)
                except OSError:
                    os._exit(0)  # nobody waits for it
            time.sleep(_EVERY)
