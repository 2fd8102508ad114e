"""What Streamlit's server must do, and must not, for Anonscope to be as private as docs/security.md says.

Most of it goes through Streamlit's public ``st.App`` (``app.py``): the :class:`~ui.server.gate.Gate` that every request
passes and the script that every page loads. The rest replaces private names of Streamlit and Starlette, all listed in
:mod:`ui.server.private`; :func:`prepare_server` checks that each is there and does what it is for, and refuses to serve
if not.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from anonlib.filing.department.settings import Team
from ui.server import keeping, lost, private, quiet, tabs, who
from ui.server.gate import Gate
from ui.server.private import PagesManager, runtime
from ui.server.sign_in import owners

MUST_BE: dict[str, Any] = {
    "server.allowedHosts": ["localhost", "127.0.0.1", "::1"],
    "server.enableCORS": True,
    "server.enableXsrfProtection": True,
    "server.enableStaticServing": False,
    "server.enableAgentApi": False,
    "browser.gatherUsageStats": False,
    "client.allowedOrigins": [],
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.disableDataExport": True,
    "runner.magicEnabled": False,
    "logger.level": "error",
    "logger.enableRich": False,
}
"""Streamlit's options on which privacy rests, as ``.streamlit/config.toml`` has them. An environment variable, or a
parameter of ``streamlit run``, would win over that file."""


def must_be(team: Team | None) -> Mapping[str, Any]:
    """The options on which privacy rests: those of a desk, but that a department's server has a host of its own."""
    return MUST_BE if team is None else MUST_BE | {"server.allowedHosts": [urlsplit(team.address).hostname]}


def routes() -> list[Route]:
    """What is served beside Streamlit's own."""
    script = tabs.script if who.team() is None else tabs.script_of_a_department
    return [Route(tabs.SCRIPT_ADDRESS, script), Route(tabs.ASKED_ADDRESS, tabs.is_known)]


def middleware() -> list[Middleware]:
    """What every request passes, in this order: at a department's server nothing but the gate is before the sign-in."""
    team, arrivals = who.team(), Middleware(lost.Arrivals)
    if team is None:
        return [Middleware(Gate), arrivals]
    from ui.server.sign_in.entrance import Entrance  # which needs what a desk lacks

    sign_in = Middleware(Entrance, team=team, sign_ins=who.sign_ins())
    return [Middleware(Gate, address=team.address), sign_in, arrivals]


def variable_of(option: str) -> str:
    """The environment variable of an option: ``STREAMLIT_SERVER_ALLOWED_HOSTS`` of ``server.allowedHosts``."""
    section, name = option.split(".")
    return f"STREAMLIT_{section}_{re.sub('(?<=[a-z])(?=[A-Z])', '_', name)}".upper()


_check = cache(private.check)  # once a process: every run of a page comes here


def prepare_server() -> None:
    """Keep uploads in memory and cell values out of logs, and let every page's address open as it should.

    Safe to call any number of times. Raises :class:`SystemExit` with a sentence where Streamlit, or one of its options,
    is not as it must be.
    """
    _check()
    keeping.keep_uploads_in_memory()
    keeping.overwrite_freed_memory()
    keeping.drop_closed_sessions_in_time()
    quiet.keep_cells_out_of_logs()
    lost.watch_for_lost_files()
    PagesManager.uses_pages_directory = False
    team = who.team()
    if team is not None:
        owners.note_files()
    for option, value in must_be(team).items():
        set_to = st.get_option(option)
        if (list(set_to) if isinstance(set_to, tuple) else set_to) != value:  # a list from the command line is a tuple
            raise SystemExit(
                f"Anonscope does not start: Streamlit's option {option} is not as it must be for data to stay private. "
                f"Let it be as in .streamlit/config.toml, without {variable_of(option)} in the environment."
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
