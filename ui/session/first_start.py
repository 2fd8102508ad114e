"""The first start: what is not compiled yet is waited for, with a word on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from anonlib.basics import machine_code
from ui.server.private import get_script_run_ctx
from ui.session import cache


def wait_in_words() -> None:
    """From now on a page waits for what set-up has not compiled yet, and says so. Safe to call any number of times."""
    machine_code.wait_for_set_up(_in_words, _let_go)


def show() -> None:
    """While set-up goes on, that it does; last of the sidebar, so that nothing moves when it has ended."""
    if machine_code.is_set_up_going_on():
        st.caption("First start: searches are still being compiled. A page that needs one waits for it, once.")


@contextmanager
def _in_words() -> Iterator[None]:
    if not _is_of_a_page():
        yield
        return
    with st.spinner("First start: waiting until this search is compiled (once)", show_time=True):
        yield


def _let_go() -> None:
    if _is_of_a_page():
        cache.memory()  # looking at the session lets Streamlit stop the run


def _is_of_a_page() -> bool:
    """Whether this is the thread of a page, and not one that a page has beside it."""
    return get_script_run_ctx(suppress_warning=True) is not None
