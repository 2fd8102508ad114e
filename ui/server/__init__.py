"""What Streamlit's server must do, and must not, for Anonscope to be as private as docs/security.md says.

Most of it goes through Streamlit's public ``st.App`` (``app.py``): the :class:`~ui.server.gate.Gate` that every request
passes and the script that every page loads. The rest replaces private names of Streamlit and Starlette, all listed in
:mod:`ui.server.private`; :func:`prepare_server` checks that each is there and does what it is for, and refuses to serve
if not.
"""

from __future__ import annotations

import gc
from functools import cache

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from ui.server import keeping, lost, private, quiet, tabs
from ui.server.gate import Gate
from ui.server.private import PagesManager, runtime

ROUTES = (Route(tabs.SCRIPT_ADDRESS, tabs.script),)
MIDDLEWARE = (Middleware(Gate), Middleware(lost.Arrivals))


_check = cache(private.check)  # once a process: every run of a page comes here


def prepare_server() -> None:
    """Keep uploads in memory and cell values out of logs, and let every page's address open as it should.

    Safe to call any number of times. Raises :class:`SystemExit` with a sentence where Streamlit is not as it must be.
    """
    _check()
    keeping.keep_uploads_in_memory()
    keeping.overwrite_freed_memory()
    keeping.drop_closed_sessions_in_time()
    quiet.keep_cells_out_of_logs()
    lost.watch_for_lost_files()
    PagesManager.uses_pages_directory = False
    if st.get_option("client.allowedOrigins"):
        raise SystemExit(
            "Anonscope does not start: client.allowedOrigins names web sites that a page would take orders from. "
            "Let it be empty, as in .streamlit/config.toml."
        )


def leave_program_out_of_collection() -> None:
    """Streamlit collects garbage after every run of a page; what is imported by now is not looked through each time.

    It stays anyway and is most of what there is. To be called before anything is served: no data are among it.
    """
    gc.collect()
    gc.freeze()


def stop_unless_guarded() -> None:
    """End the run of a page, with a sentence, where the server does not serve through the gate."""
    served = runtime.exists() and type(runtime.get_instance()) is runtime.Runtime  # and no test's
    if served and not Gate.stands:
        st.error("Anonscope was started in a way that does not protect it. Start it with `anonscope serve`.")
        st.stop()
