"""Processes for work, in tests: started, and looked at until what is waited for is so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil

from ui.server.workers.pool import WorkerPool

TIMEOUT = 60.0  # seconds: many processes share a machine


def waited_until(is_so: Callable[[], bool]) -> None:
    """Raises TimeoutError where it never is."""
    deadline = time.monotonic() + TIMEOUT
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)


@contextmanager
def started(pool: WorkerPool) -> Iterator[WorkerPool]:
    """A pool whose zygote is ready; nothing of it is left afterwards."""
    with pool.lock:
        pool.zygote.start()
    try:
        waited_until(lambda: _is_ready(pool))
        yield pool
    finally:
        pid = pool.zygote.pid
        pool.close()
        assert pid is None or not psutil.pid_exists(pid)


def _is_ready(pool: WorkerPool) -> bool:
    with pool.lock:
        pool.zygote.look()
        return pool.zygote.is_ready


def nothing_left_of(pool: WorkerPool) -> None:
    """Raises TimeoutError where a job or a process of one is left."""
    assert pool.zygote.pid is not None
    zygote = psutil.Process(pool.zygote.pid)
    waited_until(lambda: not pool.state().by_session and not zygote.children())
