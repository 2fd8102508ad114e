"""A widget's callback comes to its end, and in each session one run at a time is in one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from ui.server import keeping
from ui.server.private import get_script_run_ctx, unstopped

_turns: dict[str, RLock] = {}
"""Whose turn it is, by the id of the session."""


def turn() -> RLock:
    """Held by the run that is in a callback, and by one that begins until those before it are out of theirs."""
    context = get_script_run_ctx(suppress_warning=True)
    return _turns.setdefault("" if context is None else context.session_id, RLock())


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
