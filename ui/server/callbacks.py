"""A widget's callback comes to its end, and in each session one run at a time is in one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState, SessionState

from ui.server import keeping
from ui.server.refusal import refuse

_STOPS = "_yield_callback"
_turns: dict[str, RLock] = {}
"""Whose turn it is, by the id of the session."""


def let_callbacks_finish() -> None:
    """Make sure that :func:`to_the_end` does what it says, or refuse to serve."""
    asked: list[bool] = []
    held = SafeSessionState(SessionState(), lambda: asked.append(True))
    try:
        _ = "probe" in held
        stops = len(asked) == 1
        with _unstopped(held):
            _ = "probe" in held
        finishes = len(asked) == 1
        _ = "probe" in held
    except Exception:
        stops = finishes = False
    if not (stops and finishes and len(asked) == 2):
        refuse(f"SafeSessionState.{_STOPS}", "a file that is being opened could be lost by the next click")


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
    with _unstopped(context.session_state):
        yield


@contextmanager
def _unstopped(held: SafeSessionState) -> Iterator[None]:
    stops = getattr(held, _STOPS)
    object.__setattr__(held, _STOPS, lambda: None)
    try:
        yield
    finally:
        object.__setattr__(held, _STOPS, stops)


def _forget(session_id: str) -> None:
    _turns.pop(session_id, None)


keeping.when_dropped.append(_forget)
