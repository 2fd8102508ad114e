"""Messages between the server and a job arrive whole, however the other end goes."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import numpy as np
import pytest

from ui.server.workers.channel import Channel, MessageKind
from ui.server.workers.moving import KnownToBoth, Parcel, packed, unpacked


@pytest.fixture
def ends() -> Iterator[tuple[Channel, Channel]]:
    here, there = (Channel(end) for end in socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
    yield here, there
    here.close()
    there.close()


def parcel(value: object) -> Parcel:
    return packed(value, KnownToBoth(), adds=False)


@pytest.mark.parametrize("value", ["small", np.arange(100_000)], ids=["in the message", "as memory"])
@pytest.mark.parametrize("unread", [0, 3])
def test_the_last_report_arrives_although_its_job_is_gone_and_left_orders_unread(
    ends: tuple[Channel, Channel], value: object, unread: int
) -> None:
    here, there = ends
    for _ in range(unread):
        here.send(MessageKind.ORDER, parcel(None))
    there.send(MessageKind.PROGRESS, parcel(0.5))
    there.send(MessageKind.REPORT, parcel(value))
    there.close()
    kinds, whole = [], memoryview(b"")
    for _ in range(2):
        assert here.is_ready()
        kind, whole = here.receive()
        kinds.append(kind)
    assert kinds == [MessageKind.PROGRESS, MessageKind.REPORT]
    assert np.array_equal(unpacked(whole, KnownToBoth(), adds=False, copies=True), value)
    with pytest.raises(EOFError):
        here.receive()
