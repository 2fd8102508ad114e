"""Who a run of a page is for: somebody who is signed in at a department's server, or nobody in particular at a desk."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.settings import Team, read_team
from ui.server.private import get_script_run_ctx
from ui.server.sign_in import owners
from ui.server.sign_in.sign_ins import HEADER, SignIn, SignIns

if TYPE_CHECKING:
    from anonlib.filing.department.department import Department

SETTINGS = "ANONSCOPE_TEAM"
"""The environment variable with the path of the settings, set at the start."""


@cache
def team() -> Team | None:
    """The department whose server this is, its settings read once a process; None at a desk."""
    path = os.environ.get(SETTINGS)
    return read_team(Path(path)) if path else None


@cache
def sign_ins() -> SignIns:
    """All who are signed in at this server."""
    settings = team()
    assert settings is not None
    return SignIns(settings.sign_in.idle, settings.sign_in.longest, note=_note)


def _note(person: Person, act: Act, **facts: str) -> None:
    here = department()
    assert here is not None
    here.note(person, act, **facts)


@cache
def department() -> Department | None:
    """The department's store, opened once a process; None at a desk. Raises InputError where it cannot be opened."""
    settings = team()
    if settings is None:
        return None
    from anonlib.filing.department.department import Department  # which needs a database

    opened = Department.open(settings)
    opened.note_start(settings)
    return opened


def person() -> Person | None:
    """Who this run of a page is for; None at a desk, and where the sign-in has ended meanwhile."""
    sign_in = _sign_in()
    return None if sign_in is None else sign_in.person


def is_officer() -> bool:
    """Whether this run may handle data: at a desk always, in a department for its officers."""
    if team() is None:
        return True
    signed_in = person()
    return signed_in is not None and TeamRole.OFFICER in signed_in.roles


def sign_out(everywhere: bool = False) -> None:
    """End the sign-in that this run is of, or all of its person; their pages are cut off within seconds."""
    sign_in = _sign_in()
    if sign_in is not None:
        sign_ins().sign_out(sign_in.key, everywhere)


def stop_unless_signed_in() -> None:
    """End the run of a page, with a sentence, where its sign-in has ended or its session is of somebody else."""
    if team() is None:
        return
    sign_in, context = _sign_in(), get_script_run_ctx(suppress_warning=True)
    if sign_in is None or context is None or not owners.take_session(context.session_id, sign_in):
        st.error("Your sign-in has ended. Load this page again to sign in.")
        st.stop()


def _sign_in() -> SignIn | None:
    if team() is None:
        return None
    return sign_ins().of(st.context.headers.get(HEADER) or "")
