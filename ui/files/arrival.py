"""A large file or table that is being read: how far it is, and the way to stop it; what was loaded stays until then.

It is read in a run of the page and not in the callback that took it, since a callback comes to its end whatever is
clicked. A click that is not the one to stop begins the reading again.
"""

from __future__ import annotations

import time

import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.filing.project import Loaded
from ui.files import data_file, projects
from ui.session import guard, long_work
from ui.session.state import Arriving, ArrivingTable, session
from ui.text import plain

_EVERY = 0.2  # seconds between two looks at the screen
_PLACES = 40  # more than any page has one below the other


def take_in() -> None:
    """Read the file that arrives, if one does, as the first thing of a page; the page comes once it is read."""
    arriving = session().arriving
    if arriving is None:
        return
    what = "table" if isinstance(arriving, ArrivingTable) else "file"
    st.title(f"Reading a {what}", anchor=False)
    st.markdown(f"The page comes once the {what} is read.")
    with st.container(border=True):
        name = f"**{plain(arriving.name, 80)}** ({plain(arriving.size)})"
        bar = st.progress(0.0, f"Reading {name}")
        loaded = session().loaded
        if loaded is not None and not arriving.again:
            st.caption(f"{plain(loaded.name, 80)} stays loaded until this {what} is read.")
        st.button("Stop reading", key="stop-reading", icon=":material/stop:", on_click=guard.action(_stop))
    for _ in range(_PLACES):  # what the page showed before would stay until the end of the run, and be clicked
        st.empty()
    drawn = time.monotonic()

    def tell(share: float) -> None:
        nonlocal drawn
        long_work.let_go(share)
        if time.monotonic() - drawn > _EVERY:
            drawn = time.monotonic()
            bar.progress(min(share, 1.0), f"Reading {name}: {share:.0%}")

    try:
        read: Loaded | InputError = arriving.read(tell)
    except InputError as error:
        read = error
    except Exception:
        session().arriving = None  # it would fail again
        raise
    guard.action(_use)(arriving, read)
    st.rerun()


def _use(arriving: Arriving | ArrivingTable, read: Loaded | InputError) -> None:
    """Make the file that was read the session's, unless it was stopped or another was opened meanwhile."""
    if session().arriving is arriving:
        data_file.arrive(arriving, read)
        if not arriving.again:
            projects.use_waiting()


def _stop() -> None:
    arriving = session().arriving
    if arriving is not None:
        data_file.leave()
        session().notice = f"{arriving.name} was not read: you stopped it."
