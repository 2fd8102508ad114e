"""What the server does now, what waits, and whether the chain of audit lines holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import psutil

from anonlib.filing.department.acts import Act
from anonlib.filing.department.transitions import RequestState
from anonlib.filing.register import Due
from ui.files import department
from ui.server import who, workers
from ui.server.workers.pool import PoolState
from ui.session import limits, state

if TYPE_CHECKING:  # which need the department's database
    from anonlib.filing.department.audit import Line
    from anonlib.filing.department.department import Department

UNDECIDED = (RequestState.SUBMITTED, RequestState.IN_REVIEW)
MOST_LINES = 500
"""Audit lines that are shown."""


@dataclass(frozen=True)
class Server:
    """How the server does at a moment.

    Attributes
    ----------
    people : names of those who are signed in, each once, with how many browsers.
    sessions : bytes that each session with data or answers holds, the largest first.
    memory : bytes that the server's process has taken, without its jobs.
    allowed : bytes that all sessions may take together.
    jobs : what work away from the pages does; None where there is none.
    """

    people: tuple[tuple[str, int], ...]
    sessions: tuple[int, ...]
    memory: int
    allowed: int
    jobs: PoolState | None


def server() -> Server:
    """How it does now."""
    browsers: dict[tuple[str, str], int] = {}
    for sign_in in who.sign_ins().lasting():
        person = sign_in.person.name, sign_in.person.subject
        browsers[person] = browsers.get(person, 0) + 1
    return Server(
        people=tuple((name, browsers[name, subject]) for name, subject in sorted(browsers)),
        sessions=tuple(sorted(filter(None, limits.bytes_by_session().values()), reverse=True)),
        memory=psutil.Process().memory_info().rss,
        allowed=limits.limits().all,
        jobs=workers.state(),
    )


@dataclass(frozen=True)
class Waiting:
    """Requests that are open, without what they are about.

    Attributes
    ----------
    by_state : how many are in each state.
    longest : days since the first was submitted that no reviewer has decided; None where none waits.
    """

    by_state: dict[RequestState, int]
    longest: int | None


def waiting() -> Waiting:
    """The requests of the department by their state."""
    standing = department.requests().standing()
    by_state: dict[RequestState, int] = {}
    for request_state, _ in standing:
        by_state[request_state] = by_state.get(request_state, 0) + 1
    undecided = [submitted for request_state, submitted in standing if request_state in UNDECIDED]
    longest = (datetime.now(UTC) - datetime.fromisoformat(min(undecided))).days if undecided else None
    return Waiting(by_state, longest)


def due(days: int) -> tuple[Due, ...]:
    """What is due of releases until so many days from today, what waits longest first."""
    return _department().register.due(date.today(), days)


def lines(words: str, act: Act | None) -> Sequence[Line]:
    """The newest audit lines in which all words occur, of one act where one is named."""
    return _department().lines(words, act, MOST_LINES)


# ---- the chain ----


@dataclass(frozen=True)
class Verified:
    """What was answered when the chain was verified last in this session; "" before.

    It is of no file: it stays when another one is opened.
    """

    OF_NO_FILE = True
    says: str = ""
    holds: bool = False
    dropped: str = ""


def verify() -> None:
    """Verify the chain. Raises InputError where the store cannot be read."""
    chain = _department().verify()
    state.change_part(Verified, says=chain.in_words, holds=chain.holds)


def verified() -> Verified:
    """What was answered last."""
    return state.part(Verified)


def exported() -> bytes:
    """Every audit line as JSON. Raises InputError where one is damaged."""
    return "".join(f"{line}\n" for line in _department().exported()).encode()


def _department() -> Department:
    here = department.department()
    assert here is not None  # the page is a department's alone
    return here
