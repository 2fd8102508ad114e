"""Messages between the server and a job, over a pair of sockets: a kind, and a value as what moves."""

from __future__ import annotations

import mmap
import os
import select
import socket
from enum import IntEnum
from typing import Any

from ui.server.workers.moving import Parcel

_AT_ONCE = 1 << 15  # bytes that go through the socket itself; more goes as memory that both map
_MOST = _AT_ONCE + 1


class MessageKind(IntEnum):
    """What a message is."""

    FUNCTION = 1  # to the job: what it does
    ORDER = 2  # to the job
    ANSWER = 3  # to the job: what the session holds
    PROGRESS = 4  # from the job
    ASK = 5  # from the job: what the session holds
    REPORT = 6  # from the job: what an order came to
    RAISED = 7  # from the job: an error of ours
    FAILED = 8  # from the job: the place of a fault


class Channel:
    """One end of a pair of sockets."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)

    def send(self, kind: MessageKind, parcel: Parcel) -> None:
        """Raises OSError where the other end is gone, or the system gives no memory."""
        if parcel.size <= _AT_ONCE:
            self._end.send(bytes((kind,)) + parcel.in_one())
            return
        memory = os.memfd_create("anonscope-job", os.MFD_CLOEXEC)
        try:
            os.ftruncate(memory, parcel.size)
            for begin, part in parcel.parts():
                _write(memory, memoryview(part), begin)
            socket.send_fds(self._end, [bytes((kind,))], [memory])
        finally:
            os.close(memory)

    def receive(self) -> tuple[MessageKind, memoryview]:
        """The next message, waited for; what it holds can be changed. Raises EOFError where the other end is gone."""
        try:
            message, memories, *_ = self._receive()
        except ConnectionResetError:  # once, where the other end left something unread: what it sent before is here
            message, memories, *_ = self._receive()
        if not message:
            raise EOFError
        if not memories:
            return MessageKind(message[0]), memoryview(bytearray(message))[1:]
        (memory,) = memories
        try:
            mapped = mmap.mmap(memory, 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        finally:
            os.close(memory)
        return MessageKind(message[0]), memoryview(mapped)

    def _receive(self) -> tuple[bytes, list[int], int, Any]:
        return socket.recv_fds(self._end, _MOST, 1, socket.MSG_CMSG_CLOEXEC)

    def is_ready(self, seconds: float = 0.0) -> bool:
        """Whether a message is there, or the other end is gone, at the latest after so many seconds."""
        return bool(self._poll.poll(seconds * 1_000))

    def close(self) -> None:
        """Safe to call again."""
        self._end.close()


def _write(file: int, part: memoryview, at: int) -> None:
    part = part.cast("B") if part.nbytes else part
    while part.nbytes:
        n = os.pwrite(file, part, at)
        part, at = part[n:], at + n
