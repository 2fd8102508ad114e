"""The register of releases that the session uses: in a folder that the officer named, and nothing before that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from typing import ClassVar

import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import Opened
from anonlib.filing.register import Earlier, Register, facts_of
from anonlib.verdict.criteria import Verdict
from ui.session import cache, state

_SHARED = (
    "This Anonscope is served to other machines. A register is for one officer on one machine: start Anonscope there."
)

_ENTERED = (
    "Releases of every file that you take home are entered in it, until you close it, forget the data or close this tab."
)


@dataclass(frozen=True)
class Chosen:
    """The register in use; None before one is opened, and once it is closed."""

    OF_NO_FILE: ClassVar = True
    register: Register | None = None

    @property
    def dropped(self) -> str:
        """What is to be known of it where the session drops it, in a sentence; "" for nothing."""
        return "" if self.register is None else "The register is closed: releases are entered no more."


def current() -> Register | None:
    """The register in use."""
    return state.part(Chosen).register


def folder() -> str:
    """Where it is, as the officer named it; "" without one."""
    register = current()
    return "" if register is None else str(register.folder)


def why_not_here() -> str:
    """Why no register can be used, in a sentence; "" where one can."""
    address = str(st.get_option("server.address") or "")
    try:
        is_local = ip_address(address).is_loopback
    except ValueError:
        is_local = address == "localhost"
    return "" if is_local else _SHARED


def make_in(named: str) -> None:
    """Make a register in a folder and use it. Raises InputError where that cannot be."""
    _use(Register.create(_given(named)))
    state.session().notice = f"The register is made. {_ENTERED}"


def open_in(named: str) -> None:
    """Use the register in a folder. Raises InputError where there is none that can be used."""
    _use(Register.open(_given(named)))
    state.session().notice = f"The register is open. {_ENTERED}"


def let_go() -> None:
    """Use no register from now on; its folder stays as it is."""
    _use(None)


def _use(register: Register | None) -> None:
    if register is not None and (why_not := why_not_here()):
        raise InputError(why_not, code="register-not-readable")
    state.change_part(Chosen, register=register)


def _given(named: str) -> str:
    if not named.strip():
        raise InputError(
            "Name a folder that is there, such as the one in which you file releases.", code="folder-missing"
        )
    return named.strip()


# ---- what leaves ----


def entering(opened: Opened, kind: str, make: Callable[[], bytes], verdict: Verdict | None) -> Callable[[], bytes]:
    """What makes a file that leaves, and enters it in the register that is in use now; without one the same."""
    register = current()

    def made() -> bytes:
        file = make()
        if register is not None:
            enter(register, opened, {kind: sha256(file).hexdigest()}, verdict)
        return file

    return make if register is None else made


def enter(register: Register, opened: Opened, formats: Mapping[str, str], verdict: Verdict | None) -> None:
    """Enter a release with the digests of its files. Raises InputError where the register cannot be written."""
    register.enter(facts_of(opened, formats, verdict=verdict), register.people_of(opened))


def entered_from(opened: Opened, verdict: Verdict | None) -> Callable[[Mapping[str, str]], None]:
    """What enters a release that is written elsewhere, by the digests of its files; nothing without a register."""
    register = current()

    def entered(formats: Mapping[str, str]) -> None:
        if register is not None:
            enter(register, opened, formats, verdict)

    return entered


def earlier(opened: Opened) -> tuple[Earlier, ...]:
    """Earlier releases that matter for what the session releases. Raises InputError where the register is gone."""
    register = current()
    if register is None:
        return ()
    entries = register.entries()
    version = sha256(repr([(each.number, each.latest, each.closed) for each in entries]).encode()).hexdigest()
    return cache.remember(_earlier, opened, case=opened.project.case, folder=folder(), version=version)


def _earlier(opened: Opened, *, case: ReleaseCase, folder: str, version: str) -> tuple[Earlier, ...]:
    return Register.open(folder).earlier(opened, case)
