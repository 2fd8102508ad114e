"""What a department keeps together, opened once by its server."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.filing.department.database import Database
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import Team


@dataclass(frozen=True)
class Department:
    """A department's store.

    Attributes
    ----------
    database : Database
        Where everything is but the keys; :mod:`anonlib.filing.department.audit` notes there what was done.
    requests : Requests
        What officers ask to release, and what reviewers decide.
    """

    database: Database
    requests: Requests

    @classmethod
    def open(cls, team: Team) -> Department:
        """The store of a department, made where there is none. Raises InputError as :meth:`Database.open` does."""
        database = Database.open(team.store)
        return cls(database, Requests(database, team.request_days))
