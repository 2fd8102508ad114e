"""The register of releases in use: at a desk in the folder that was named at the start, and in no other.

A department's server has one for all who are signed in, which needs no button. The server acts with the rights of who
started it, for everybody who reaches it. So no path is typed in the browser.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import ClassVar

import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import Opened
from anonlib.filing.register import Earlier, FolderRegister, Register, facts_of
from anonlib.verdict.criteria import Verdict
from ui.files import department
from ui.session import cache, state

FOLDER = "ANONSCOPE_REGISTER"
"""Environment variable: the folder in which a register may be made and opened."""

_SHARED = (
    "This Anonscope is served to other machines. A register is for one officer on one machine: start Anonscope there."
)
_NOT_ALLOWED = (
    "Anonscope was started without a folder for a register. Stop it, and start it with one that is there: `make run "
    "REGISTER=folder` or `anonscope serve --register folder`."
)

_ENTERED = (
    "Releases of every file that you take home are entered in it, until you close it, forget the data or close this "
    "tab."
)


@dataclass(frozen=True)
class Chosen:
    """The register in use; None before it is opened, and once it is closed."""

    OF_NO_FILE: ClassVar = True
    register: FolderRegister | None = None

    @property
    def dropped(self) -> str:
        """What is to be known of it where the session drops it, in a sentence; "" for nothing."""
        return "" if self.register is None else "The register is closed: releases are entered no more."


def current() -> Register | None:
    """The register in use: the department's, as the person of this run uses it, or the one opened at a desk."""
    here = department.department()
    return state.part(Chosen).register if here is None else here.register.by(department.person())


def folder() -> str:
    """Where it is at a desk; "" without one, and at a department's server."""
    register = current()
    return str(register.folder) if isinstance(register, FolderRegister) else ""


def allowed() -> Path | None:
    """The folder that was named at the start; None without one."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


def why_not_here() -> str:
    """Why no register can be used, in a sentence; "" where one can."""
    address = str(st.get_option("server.address") or "")
    try:
        is_local = ip_address(address).is_loopback
    except ValueError:
        is_local = address == "localhost"
    if not is_local:
        return _SHARED
    return "" if allowed() else _NOT_ALLOWED


def make() -> None:
    """Make a register in the folder and use it. Raises InputError where that cannot be."""
    _use(FolderRegister.create(_folder()))
    state.session().notice = f"The register is made. {_ENTERED}"


def open_it() -> None:
    """Use the register in the folder. Raises InputError where there is none that can be used."""
    _use(FolderRegister.open(_folder()))
    state.session().notice = f"The register is open. {_ENTERED}"


def let_go() -> None:
    """Use no register from now on; its folder stays as it is."""
    _use(None)


def _use(register: FolderRegister | None) -> None:
    state.change_part(Chosen, register=register)


def _folder() -> Path:
    folder, why_not = allowed(), why_not_here()
    if folder is None or why_not:
        raise InputError(why_not, code="register-not-readable")
    return folder


# ---- what leaves ----


def entering(opened: Opened, kind: str, make: Callable[[], bytes], verdict: Verdict | None) -> Callable[[], bytes]:
    """What makes a file that leaves, and enters it in the register that is in use now; without one the same.

    At a department's server the file leaves by a request that was approved.
    """
    register, make = current(), department.taking_out(opened, kind, make)

    def make_and_enter() -> bytes:
        file = make()
        if register is not None:
            enter(register, opened, {kind: sha256(file).hexdigest()}, verdict)
        return file

    return make if register is None else make_and_enter


def enter(register: Register, opened: Opened, formats: Mapping[str, str], verdict: Verdict | None) -> None:
    """Enter a release with the digests of its files. Raises InputError where the register cannot be written."""
    register.enter(facts_of(opened, formats, verdict=verdict), register.people_of(opened))


def entered_from(opened: Opened, verdict: Verdict | None) -> Callable[[Mapping[str, str]], None]:
    """What enters a release that is written elsewhere, by the digests of its files; nothing without a register.

    At a department's server it raises InputError where no request was approved by which the file may leave.
    """
    register, leaving = current(), department.leaving(opened)

    def entered(formats: Mapping[str, str]) -> None:
        if leaving is not None:
            leaving.note(formats)
        if register is not None:
            enter(register, opened, formats, verdict)

    return entered


def earlier(opened: Opened) -> tuple[Earlier, ...]:
    """Earlier releases that matter for what the session releases. Raises InputError where the register is gone."""
    register = current()
    if register is None:
        return ()
    entries = register.entries()
    version = sha256(repr([(entry.number, entry.latest, entry.closed) for entry in entries]).encode()).hexdigest()
    return _earlier(opened, case=opened.project.case, folder=folder(), version=version)


@cache.remembered
def _earlier(opened: Opened, *, case: ReleaseCase, folder: str, version: str) -> tuple[Earlier, ...]:
    here = department.department()
    register = FolderRegister.open(folder) if here is None else here.register
    return register.earlier(opened, case)
