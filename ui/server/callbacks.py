"""A widget's callback comes to its end, and in each session one run at a time is in one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from ui.server import keeping
from ui.server.private import get_script_run_ctx, unstopped


class Turn:
    """Whose turn it is in a session: one run at a time holds it, and can see whether others wait for it."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._waiting: deque[None] = deque()

    def __enter__(self) -> Turn:
        self._waiting.append(None)
        self._lock.acquire()
        self._waiting.pop()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @property
    def is_waited_for(self) -> bool:
        """Whether another run waits, whose callback has yet to look at what the browser reported."""
        return bool(self._waiting)


_turns: dict[str, Turn] = {}
"""By the id of the session."""


def turn() -> Turn:
    """Held by the run that is in a callback, and by one that begins until those before it are out of theirs."""
    context = get_script_run_ctx(suppress_warning=True)
    return _turns.setdefault("" if context is None else context.session_id, Turn())


@contextmanager
def to_the_end() -> Iterator[None]:
    """Let a callback finish although another click already asks for a newer run.

    Streamlit stops the previous run wherever it next looks at the session's state, in the midst of a callback too,
    and does not call that again: a file that was opened would be lost.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    with unstopped(context.session_state):
        yield


def _forget(session_id: str) -> None:
    _turns.pop(session_id, None)


keeping.when_dropped.append(_forget)
