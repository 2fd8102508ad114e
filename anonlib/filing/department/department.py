"""What a department keeps together, opened once by its server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.basics.version import VERSION
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.audit import Chain, Line
from anonlib.filing.department.database import Database
from anonlib.filing.department.keys import Keys
from anonlib.filing.department.person import Person
from anonlib.filing.department.register import DepartmentRegister
from anonlib.filing.department.reidentification import Reidentifications
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import REQUEST_DAYS, StoreSettings, Team


@dataclass(frozen=True)
class Department:
    """A department's store.

    Attributes
    ----------
    database : Database
        Where everything is but the keys; :mod:`anonlib.filing.department.audit` notes there what was done.
    keys : Keys
        The keys, in files beside it.
    register : DepartmentRegister
        What was released; :meth:`DepartmentRegister.by` says who uses it.
    requests : Requests
        What officers ask to release, and what reviewers decide.
    reidentifications : Reidentifications
        Who asked who is behind a pseudonym, and what became of it.
    """

    database: Database
    keys: Keys
    register: DepartmentRegister
    requests: Requests
    reidentifications: Reidentifications

    @classmethod
    def open(cls, team: Team) -> Department:
        """The store of a department, made where there is none.

        Raises
        ------
        InputError
            As :meth:`Database.open` and :meth:`DepartmentRegister.open` do.
        """
        return cls.of_store(team.store, team.request_days)

    @classmethod
    def of_store(cls, store: StoreSettings, request_days: int = REQUEST_DAYS) -> Department:
        """The same by where it is, and after how many days a request expires by which nothing left."""
        database, keys = Database.open(store), Keys(store.folder)
        register = DepartmentRegister.open(database, keys)
        reidentifications = Reidentifications(database, register.key)
        return cls(database, keys, register, Requests(database, request_days), reidentifications)

    def note(self, who: Person | None, act: Act, **facts: str) -> None:
        """Append an audit line of what changes nothing in the store (:func:`anonlib.filing.department.audit.note`).

        Raises InputError where the store cannot be changed: what cannot be noted is then not to be done.
        """
        with self.database.writing() as connection:
            audit.note(connection, who, act, **facts)

    def lines(self, text: str = "", act: Act | None = None, most: int = 500) -> tuple[Line, ...]:
        """Audit lines, the newest first (:func:`anonlib.filing.department.audit.lines`)."""
        return audit.lines(self.database, text, act, most)

    def verify(self) -> Chain:
        """Whether the chain of audit lines holds (:func:`anonlib.filing.department.audit.verify`)."""
        return audit.verify(self.database)

    def exported(self) -> Iterator[str]:
        """Audit lines as JSON (:func:`anonlib.filing.department.audit.exported`)."""
        return audit.exported(self.database)

    def note_start(self, team: Team) -> None:
        """Note that the server starts, and with which settings; none of them is a secret."""
        groups = {f"groups of {role}": words.listed(sorted(named), 20) for role, named in team.roles.items()}
        self.note(
            None, Act.STARTED, version=VERSION, address=team.address, provider=team.sign_in.provider,
            client=team.sign_in.client, idle_minutes=f"{team.sign_in.idle / 60:g}",
            longest_hours=f"{team.sign_in.longest / 3600:g}",
            database="SQLite" if team.store.database is None else "PostgreSQL",
            memory_of_a_session=words.size(team.limits.session), memory_of_all=words.size(team.limits.all),
            workers=str(team.limits.workers), **groups,
        )  # fmt: skip
