"""Who is signed in: a person of the department, and what each may do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TeamRole(StrEnum):
    """What somebody does in the department."""

    OFFICER = "officer"
    """Opens files, protects them and asks for their release."""
    REVIEWER = "reviewer"
    """Looks at what an officer asks to release, and approves or returns it."""
    ADMINISTRATOR = "administrator"
    """Sees how the server does and what is in the audit log; no data."""


@dataclass(frozen=True)
class Person:
    """Somebody who is signed in.

    Attributes
    ----------
    subject : str
        Who it is, the same at every sign-in and nobody else's: the provider's address, a blank, and the id that the
        provider has for the person.
    name : str
        What the person is called on screen and in the audit log, in one line.
    roles : frozenset of TeamRole
        What the person may do; at least one.
    """

    subject: str
    name: str
    roles: frozenset[TeamRole]
