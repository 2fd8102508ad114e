"""What a session computed, held in memory only, and what a job has of it that computes for the session.

A job is in a process of its own (:mod:`ui.session.away`), where no session is. Its memory asks the session for what is
held there, and what it computes goes to the session with its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from anonlib.basics.progress import Progress
from anonlib.basics.stores import Store
from ui.server import workers
from ui.server.private import get_script_run_ctx
from ui.session import limits

VERSIONS = 1 << 30  # bytes of versions of the data: few and large
ANSWERS = 1 << 29  # bytes of answers: many and small
_BROUGHT = 1 << 28  # bytes of each that a job brings at once
_KEY = "anonscope-memory"
T = TypeVar("T")


@dataclass
class Memory:
    """What a session computed: dropped as a whole with the data it was computed from."""

    versions: Store = field(default_factory=lambda: limits.new_store(VERSIONS, 1 / 3))
    answers: Store = field(default_factory=lambda: limits.new_store(ANSWERS, 1 / 6))
    view: Any = None  # the latest view of the session (ui/session/view.py)
    work: Any = None  # how far long work is (ui/session/long_work.py)
    stopped: set[str] = field(default_factory=set)  # verdicts that are not counted before they are asked for again
    takes_long: set[str] = field(default_factory=set)  # searches for which a page does not wait


def memory() -> Memory:
    """What this session computed so far; in a job, what that computed."""
    own = _of_a_job.get()
    if own is not None:
        return own
    if get_script_run_ctx(suppress_warning=True) is None:
        # Streamlit makes a download outside all sessions, where it would hand out one state for everybody.
        raise RuntimeError("There is no session here: what is downloaded is made of what it was given.")
    held = st.session_state.get(_KEY)  # looked up hundreds of times in a run, once each
    if held is None:
        held = st.session_state[_KEY] = Memory()
    return held


@dataclass(frozen=True)
class Call(Generic[T]):
    """Work whose answer the session holds: done once.

    Attributes
    ----------
    compute : the work.
    of, key : where the answer is held.
    inputs : what it is computed of.
    """

    compute: Callable[[Progress], T]
    of: str
    key: Hashable
    inputs: tuple[Any, ...]

    def __call__(self, progress: Progress, /) -> T:
        return self.once(partial(self.compute, progress))

    def once(self, compute: Callable[[], T]) -> T:
        """The answer, computed where it is not held."""
        return getattr(memory(), self.of).get(self.key, compute, self.inputs)

    def held(self) -> T | None:
        """The answer where it is held; else None."""
        return held(self.of, self.key)


def forget() -> None:
    """Drop everything this session computed, and end what it computes."""
    st.session_state[_KEY] = Memory()
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        workers.drop(context.session_id)


# ---- of a job ----


class Value(NamedTuple):
    """One of what is remembered: where, under which key, and of which inputs."""

    of: str
    key: Hashable
    value: Any
    inputs: tuple[Any, ...] = ()


class Borrowing(Store[Any]):
    """What a job remembers: what it computed, and what it asked the session for.

    Parameters
    ----------
    limit : int
        As of every store, in bytes.
    ask : Callable[[Hashable], Any]
        What the session holds of a key; None where it does not.
    """

    def __init__(self, limit: int, ask: Callable[[Hashable], Any]) -> None:
        super().__init__(limit)
        self._ask = ask
        self._asked: set[Hashable] = set()
        self._computed: dict[Hashable, tuple[Any, ...]] = {}

    def held(self, key: Hashable) -> Any:
        value = super().held(key)
        if value is None and key not in self._asked:
            self._asked.add(key)
            value = self._ask(key)
            if value is not None:
                self.put(key, value)
        return value

    def get(self, key: Hashable, compute: Callable[[], Any], known: tuple[object, ...] = ()) -> Any:
        value = self.held(key)
        if value is not None:
            return value
        value = super().get(key, compute, known)
        self._computed[key] = known  # now: what was computed is asked for while this is
        return value

    def computed(self, of: str, limit: int) -> list[Value]:
        """What was computed since this was asked last, the newest first, as far as ``limit`` bytes go."""
        values = []
        for key, inputs in reversed(self._computed.items()):
            value, size = self._values.get(key, (None, 0))
            limit -= size
            if value is not None and limit >= 0:
                values.append(Value(of, key, value, inputs))
        self._computed.clear()
        return values


_of_a_job: ContextVar[Memory | None] = ContextVar("memory of a job", default=None)


@contextmanager
def of_a_job(ask: Callable[[str, Hashable], Any]) -> Iterator[Callable[[], list[Value]]]:
    """Within it :func:`memory` is a job's own, which asks the session for what it does not hold.

    ``ask`` is given the name of a store and a key. Yields a function that gives what was computed since it was called
    last, for the session to hold (:func:`take_in`).
    """
    stores = {of: Borrowing(limit, partial(ask, of)) for of, limit in (("versions", VERSIONS), ("answers", ANSWERS))}
    before = _of_a_job.set(Memory(stores["versions"], stores["answers"]))
    try:
        yield lambda: [value for of, store in stores.items() for value in store.computed(of, _BROUGHT)]
    finally:
        _of_a_job.reset(before)


def is_of_a_job() -> bool:
    """Whether this is work that was moved out of the session's page: nothing is drawn there."""
    return _of_a_job.get() is not None


def held(of: str, key: Hashable) -> Any:
    """What this session holds; None where it does not."""
    return getattr(memory(), of).held(key)


def take_in(values: Iterable[Value]) -> None:
    """Hold what a job computed for this session."""
    for value in values:
        store: Store[Any] = getattr(memory(), value.of)
        if store.held(value.key) is None:
            store.put(value.key, value.value, value.inputs)
