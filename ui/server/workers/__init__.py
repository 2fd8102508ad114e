"""Work in processes of its own, so that pages stay quick and nobody waits for the search of another.

A *zygote* (:mod:`ui.server.workers.zygote`) has imported all that work needs and has one thread. Each job is a fork of
it, which begins in a moment, gets its function as a pickle, and ends: nothing is left of it. Whose turn it is, is for
the :class:`~ui.server.workers.pool.WorkerPool`. There are such processes on Linux, while the app is served, once set-up
has kept all compiled code: elsewhere a page does its work itself.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anonlib.basics import machine_code
from ui.server import keeping, who
from ui.server.workers.jobs import Function, Job
from ui.server.workers.pool import PoolState, WorkerPool

_pool: WorkerPool | None = None


@asynccontextmanager
async def while_serving(_app: object) -> AsyncIterator[None]:
    """While the app is served, jobs of sessions are done in processes of their own."""
    global _pool
    if sys.platform.startswith("linux"):
        team = who.team()
        _pool = WorkerPool() if team is None else WorkerPool(team.limits.workers, team.limits.session)
        _start(_pool)
        keeping.when_dropped.append(drop)
    try:
        yield
    finally:
        pool, _pool = _pool, None
        if pool is not None:
            keeping.when_dropped.remove(drop)
            pool.close()


def begin(session: str, function: Function, first: bool) -> Job | None:
    """Begin a job of a session; None where there are no processes for it.

    Parameters
    ----------
    session : str
        The id of Streamlit's session.
    function : Function
        What it does. It moves as a pickle.
    first : bool
        Whether a page waits for it with nothing to show.

    Raises
    ------
    Stays
        Where records in an engine are in it.
    TypeError, AttributeError, pickle.PicklingError
        Where something in it belongs to this process alone.
    """
    pool = _pool
    if pool is None or not _start(pool):
        return None
    return pool.begin(session, function, first)


def drop(session: str) -> None:
    """End all jobs of a session at once."""
    if _pool is not None:
        _pool.drop(session)


def state() -> PoolState | None:
    """What jobs do now; None where there are no processes for them."""
    return None if _pool is None else _pool.state()


def _start(pool: WorkerPool) -> bool:
    """Start the zygote, where all compiled code is kept that its forks would else make again and again.

    Returns
    -------
    bool
        Whether there is one; what is asked of it waits until it is ready.
    """
    with pool.lock:
        if pool.zygote.pid is None and not pool.zygote.is_broken and machine_code.is_kept():
            pool.zygote.start()
        pool.zygote.look()
        return pool.zygote.pid is not None
