"""How much memory a session may take, and all sessions together; who would take more reads what to do instead.

Half of it is for files. The other half is for what is computed, which gives way by itself: within a session what was
used longest ago, and where all sessions take too much, that of the session that was used longest ago. Work away from
the page has a limit of its own (:mod:`ui.server.workers.pool`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import psutil

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.stores import Store, size_in_bytes
from ui.server import keeping, who
from ui.server.private import get_script_run_ctx

_OF_A_DESK = 0.6, 0.8  # of the machine's memory, for a session and for all
_AS_READ = 2  # times its bytes that a file takes: as it is, and its cells


@dataclass(frozen=True)
class MemoryLimits:
    """Memory in bytes that one session may take, and all sessions together."""

    session: int
    all: int


@cache
def limits() -> MemoryLimits:
    """As the department set them; at a desk, most of the machine's memory."""
    team = who.team()
    if team is not None:
        return MemoryLimits(team.limits.session, team.limits.all)
    memory = psutil.virtual_memory().total
    session, all_sessions = (int(share * memory) for share in _OF_A_DESK)
    return MemoryLimits(session, all_sessions)


# ---- files ----


_files: dict[str, int] = {}
"""By session, about how many bytes the file takes that it holds."""


def check_file(n_bytes: int) -> None:
    """Look whether a file of so many bytes can be opened. Raises InputError where this session may not hold it."""
    _check(_AS_READ * n_bytes, "This file would take")


def take_file(loaded: Any) -> None:
    """Note which file this session holds from now on; None: no one.

    Raises
    ------
    InputError
        Where it may not hold that.
    """
    size = size_in_bytes(loaded)
    _check(size, "This file takes")
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        _files[context.session_id] = size


def _check(n_bytes: int, takes: str) -> None:
    context, most = get_script_run_ctx(suppress_warning=True), limits()
    others = sum(size for session, size in list(_files.items()) if context is None or session != context.session_id)
    if n_bytes > most.session // 2:
        raise InputError(
            f"{takes} {words.size(n_bytes)} of memory; a session may hold {words.size(most.session // 2)} here. Take a "
            "file with fewer columns or rows, or open it where it is, as connected data.",
            code="memory-limit",
        )
    if n_bytes + others > most.all // 2:
        raise InputError(
            f"{takes} {words.size(n_bytes)} of memory, and the files of others have {words.size(others)} of the "
            f"{words.size(most.all // 2)} that there are. Try again later, or take a file with fewer columns or rows.",
            code="memory-limit",
        )


# ---- what is computed ----


_computed: dict[str, tuple[Store, ...]] = {}
"""By session, what it computed; the one used last is the last."""


def new_store(most: int, part: float) -> Store:
    """A store for what a session computes: of so many bytes, but no more than a part of what a session may take."""
    return Store(min(most, int(part * limits().session)))


def use(*stores: Store) -> None:
    """Note that this session is used now, with these stores, and let others give way where all take too much."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        _computed.pop(context.session_id, None)
        _computed[context.session_id] = stores
    all_stores = [store for held in list(_computed.values()) for store in held]
    too_much = sum(store.size for store in all_stores) - limits().all // 2
    for store in all_stores:
        if too_much > 0:
            too_much -= store.give_back(too_much)


def bytes_by_session() -> dict[str, int]:
    """By session, about how many bytes it holds."""
    computed = {session: sum(store.size for store in stores) for session, stores in list(_computed.items())}
    return {session: _files.get(session, 0) + computed.get(session, 0) for session in {**_files, **computed}}


def _forget(session: str) -> None:
    _files.pop(session, None)
    _computed.pop(session, None)


keeping.when_dropped.append(_forget)
