"""Who is signed in: kept by the server alone, and ended without a sign of the person, in time, or by signing out.

A browser holds a random secret, the server its SHA-256 only, with which nobody can enter.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person

HEADER = "x-anonscope-sign-in"
"""By which a page knows its sign-in: set by the entrance, and taken off what comes from outside."""
_SECRET = 32  # random bytes
_LEAVING = 600.0  # seconds that the server can still lead a person who has signed out on to the provider


def now() -> float:
    """Seconds since this machine was started, those that it slept among them where the system counts these."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@dataclass
class SignIn:
    """A person in a browser.

    Attributes
    ----------
    key : str
        SHA-256 of the secret that the browser holds, in hexadecimal digits.
    person : Person
        Who it is.
    id_token : str
        What the provider stated about the person, by which it knows later whose sign-in there is to end.
    begun, seen : float
        When the person signed in, and last did something, by the clock of :class:`SignIns`.
    """

    key: str
    person: Person
    id_token: str = field(repr=False)
    begun: float
    seen: float


class SignIns:
    """All sign-ins of a server. Pages ask from threads of their own, so that it is locked.

    Parameters
    ----------
    idle, longest : float
        Seconds without a sign of the person, and seconds in all, until a sign-in ends.
    clock : callable, optional
        Gives the time in seconds.
    note : callable, optional
        Appends an audit line: who, what, and facts of it. Raises InputError where it cannot. It may take its time, so
        that what notes is to be called in a thread.
    """

    def __init__(
        self,
        idle: float,
        longest: float,
        clock: Callable[[], float] = now,
        note: Callable[..., None] = lambda person, act, **facts: None,
    ) -> None:
        self._idle, self._longest, self._clock, self.note = idle, longest, clock, note
        self._lock = Lock()
        self._live: dict[str, SignIn] = {}
        self._leaving: dict[str, tuple[str, float]] = {}

    def begin(self, person: Person, id_token: str = "") -> str:
        """Sign a person in; returns the secret that the browser is to hold, which no other sign-in has.

        Raises InputError where that cannot be noted: then nobody is signed in.
        """
        self.note(person, Act.SIGNED_IN, roles=", ".join(sorted(person.roles)))
        secret, time = secrets.token_urlsafe(_SECRET), self._clock()
        key = key_of(secret)
        with self._lock:
            self._drop_ended()
            self._live[key] = SignIn(key, person, id_token, time, time)
        return secret

    def of(self, key: str) -> SignIn | None:
        """The sign-in of a key, if it has not ended."""
        with self._lock:
            sign_in = self._live.get(key)
            return sign_in if sign_in is not None and self._lasts(sign_in) else None

    def lasting(self) -> tuple[SignIn, ...]:
        """All sign-ins that have not ended."""
        with self._lock:
            return tuple(sign_in for sign_in in self._live.values() if self._lasts(sign_in))

    def note_activity(self, sign_in: SignIn) -> None:
        """The person did something: what ends without a sign of the person begins to count again."""
        sign_in.seen = self._clock()

    def end(self, key: str) -> None:
        """End a sign-in without the provider's, because another one takes its place."""
        with self._lock:
            self._live.pop(key, None)

    def sign_out(self, key: str, everywhere: bool = False) -> None:
        """End a sign-in because its person asks for it, or all that the person has."""
        with self._lock:
            sign_in = self._live.get(key)
            if sign_in is None:
                return
            subject, until = sign_in.person.subject, self._clock() + _LEAVING
            for other in list(self._live.values()):
                if other is sign_in or (everywhere and other.person.subject == subject):
                    del self._live[other.key]
                    self._leaving[other.key] = other.id_token, until
        with suppress(InputError):  # who goes is not held back
            self.note(sign_in.person, Act.SIGNED_OUT, where="everywhere" if everywhere else "in one browser")

    def take_leave(self, key: str) -> str | None:
        """Once, of a sign-in whose person signed out within ten minutes: what the provider stated; None of others."""
        with self._lock:
            self._drop_ended()
            leaving = self._leaving.pop(key, None)
        return None if leaving is None else leaving[0]

    def _lasts(self, sign_in: SignIn) -> bool:
        time = self._clock()
        return time - sign_in.seen < self._idle and time - sign_in.begun < self._longest

    def _drop_ended(self) -> None:
        time = self._clock()
        self._live = {key: sign_in for key, sign_in in self._live.items() if self._lasts(sign_in)}
        self._leaving = {key: (token, until) for key, (token, until) in self._leaving.items() if time < until}


def key_of(secret: str) -> str:
    """The key of the sign-in whose secret a browser holds."""
    return hashlib.sha256(secret.encode()).hexdigest()
