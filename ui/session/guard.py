"""The one way a page reports an error: a sentence, never a traceback, and what is loaded stays."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

import streamlit as st

from anonlib.basics import exhausted
from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from ui.server import callbacks, keeping, lost, tabs
from ui.server.quiet import describe_without_text, place_of
from ui.server.workers.jobs import Failed
from ui.session import cache, history, limits, state
from ui.text import plain

_GONE = (
    "The session of this page is gone: Anonscope was started again, or the page was cut off from it for more than two "
    "minutes. What was loaded was in its memory alone. Open the file again; a project that you saved brings back what "
    "you decided."
)
_LOG = logging.getLogger("anonscope")


@contextmanager
def sentences() -> Iterator[None]:
    """Show an InputError as its sentence, and anything else as a fault of ours with its place, not its text."""
    try:
        yield
    except Exception as error:  # whatever it is, an officer reads a sentence
        st.error(plain(_sentence(error)), icon=":material/error:")


def show_fault(error: Exception) -> bool:
    """What Streamlit calls where an exception got past all else: a sentence on the page, and nothing of Streamlit's."""
    st.error(plain(_sentence(error)), icon=":material/error:")
    return True


def action(callback: Callable[..., None]) -> Callable[..., None]:
    """A widget's callback whose error becomes a sentence at the top of the page, and whose change can be undone."""

    @wraps(callback)
    def run(*args, **kwargs) -> None:
        with callbacks.to_the_end(), callbacks.turn(), history.recorded():
            try:
                callback(*args, **kwargs)
            except Exception as error:
                show_next(error)

    return run


def show_next(error: Exception) -> None:
    """Let the next run of the page show this error, at its top."""
    state.session().problem = _sentence(error)


def wait_for_actions() -> None:
    """Let a callback of the previous run come to its end, so that the page shows what it did, and clear up after it."""
    keeping.collect_soon()
    with callbacks.turn() as turn:
        memory = cache.memory()  # looking at the session lets Streamlit stop the run: the newer one clears up
        limits.use(memory.versions, memory.answers)
        if not turn.is_waited_for:
            keeping.finish_forgetting()
        if tabs.arrive():
            state.session().problem = _GONE
        if names := lost.names_of_lost():
            state.session().problem = (
                f"The page was changing while {listed(names)} was given to it, and it was not taken. Give it again."
            )


def _sentence(error: Exception) -> str:
    if isinstance(error, InputError):
        return str(error)
    if why := exhausted.sentence(error):
        return f"{why} Your data and settings are still here."
    _LOG.error("fault in a page\n%s", describe_without_text(error))
    place = error.place if isinstance(error, Failed) else place_of(error)
    return (
        "Something went wrong in Anonscope itself. Your data and settings are still here: change the last setting or "
        f"choose another page. (For a report: {place}.)"
    )
