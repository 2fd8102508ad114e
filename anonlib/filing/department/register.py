"""The department's register of releases: the tables of a desk's, in the department's store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, text

from anonlib.basics.errors import InputError
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.database import Database
from anonlib.filing.department.keys import OF_REGISTER, Keys
from anonlib.filing.department.person import Person
from anonlib.filing.register import (
    Change,
    EntryFacts,
    FolderRegister,
    PersonsOfRelease,
    Register,
    RegisterEntry,
    RegisterKey,
)
from anonlib.filing.register import rows as entries
from anonlib.filing.register.register import NOBODY

_OTHER_KEY = "Its persons were entered under the key of another register, and cannot be compared here."


@dataclass(frozen=True)
class StoreRows:
    """The tables of a register in the department's store (:class:`anonlib.filing.register.rows.Rows`)."""

    connection: Connection
    who: Person | None

    def run(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        result = self.connection.execute(text(statement), values)
        return [tuple(row) for row in result] if result.returns_rows else []

    def damaged(self) -> InputError:
        return InputError(
            "The register in the department's store is damaged. Ask the administrator to put a copy of the store in "
            "its place.",
            code="register-damaged",
        )

    def note(self, entry: RegisterEntry, change: Change) -> None:
        files = {f"as {kind}": digest for kind, digest in entry.formats.items()} if change == "entered" else {}
        audit.note(
            self.connection, self.who, Act.REGISTER_CHANGED, entry=str(entry.number), change=change,
            file=entry.original, recipe=entry.recipe, recipient=entry.case.recipient or entry.kind_name,
            title=entry.case.title, **files,
        )  # fmt: skip


@dataclass(frozen=True)
class DepartmentRegister(Register):
    """The register of a department, as somebody uses it.

    Attributes
    ----------
    database : Database
        The department's.
    who : Person, optional
        Who uses it, and is noted in the audit lines; None for the system.
    """

    database: Database
    _key: RegisterKey = field(repr=False)
    who: Person | None = None

    @classmethod
    def open(cls, database: Database, keys: Keys) -> DepartmentRegister:
        """The register of a store, with its key, which is drawn where the register has none yet.

        Raises
        ------
        InputError
            When the key is missing or another one than the register was made with.
        """
        with database.writing() as connection:
            named, key = _key_id(connection), keys.key_of_register()
            if key is None and named is not None:
                raise InputError(
                    "The key of the department's register is missing. Put its file back into the folder of [store]: "
                    "no other key recognises the persons in it.",
                    code="register-key-missing",
                )
            if key is None:
                keys.make(OF_REGISTER)
                key = keys.key_of_register()
                audit.note(connection, None, Act.KEY_MADE, key=OF_REGISTER)
            assert key is not None
            if named is None:
                moment = datetime.now(UTC).isoformat(timespec="seconds")
                connection.execute(text("INSERT INTO register VALUES (:id, :made)"), {"id": key.id, "made": moment})
            elif named != key.id and _has_nobody(connection):  # an import that ended before it was whole
                connection.execute(text("UPDATE register SET key_id = :id"), {"id": key.id})
        register = cls(database, key)
        with register.reading():
            return register

    def by(self, who: Person | None) -> DepartmentRegister:
        """The same register, used by somebody."""
        return replace(self, who=who)

    @property
    def key(self) -> RegisterKey:
        return self._key

    @contextmanager
    def reading(self) -> Iterator[StoreRows]:
        with self.database.reading() as connection:
            self._check_key(connection)
            yield StoreRows(connection, self.who)

    @contextmanager
    def writing(self) -> Iterator[StoreRows]:
        with self.database.writing() as connection:
            self._check_key(connection)
            yield StoreRows(connection, self.who)

    def enter(self, facts: EntryFacts, people: PersonsOfRelease = NOBODY, now: datetime | None = None) -> RegisterEntry:
        """Enter a release with who takes it home (:meth:`Register.enter`)."""
        return super().enter(replace(facts, released_by="" if self.who is None else self.who.name), people, now)

    def import_from(self, desk: FolderRegister, keys: Keys) -> tuple[DepartmentRegister, int, int]:
        """Take over the entries of a desk's register; one that is here already is left as it is.

        Persons can only be compared under one key. Where no entry of here has any, the department takes the key of the
        desk's register. Otherwise the entries come without their persons, and say so.

        Parameters
        ----------
        desk : FolderRegister
            Which stays as it is.
        keys : Keys
            The department's.

        Returns
        -------
        DepartmentRegister
            The register with the key that it now has.
        int
            How many entries were taken over.
        int
            Of how many the persons cannot be compared.

        Raises
        ------
        InputError
            When one of both cannot be read, or this one cannot be changed.
        """
        taken = not_compared = 0
        with desk.reading() as source, self.writing() as tables:
            key = self._key_for(desk, tables, keys)
            here = {_which(entry) for entry in entries.entries_of(tables)}
            for entry in reversed(entries.entries_of(source)):
                if _which(entry) in here:
                    continue
                why_not = _OTHER_KEY if entry.found_by and key.id != desk.key.id else ""
                entries.copy(source, entry.number, tables, why_not)
                taken, not_compared = taken + 1, not_compared + bool(why_not)
            audit.note(
                tables.connection, self.who, Act.REGISTER_IMPORTED, entries=str(taken),
                without_persons=str(not_compared), key=key.id,
            )  # fmt: skip
        return replace(self, _key=key), taken, not_compared

    def _key_for(self, desk: FolderRegister, tables: StoreRows, keys: Keys) -> RegisterKey:
        """The desk's key, which becomes the department's, where nobody was entered under this one; else this one."""
        if self.key.id == desk.key.id or not _has_nobody(tables.connection):
            return self.key
        keys.take_key_of_register(desk.key)
        tables.run("UPDATE register SET key_id = :id", {"id": desk.key.id})
        return desk.key

    def _check_key(self, connection: Connection) -> None:
        if _key_id(connection) != self.key.id:
            raise InputError(
                "The key in the folder of [store] is not the one that the department's register is made with. Start "
                "Anonscope again if the register was imported meanwhile; else put the right key in its place.",
                code="register-key-wrong",
            )


def _key_id(connection: Connection) -> str | None:
    return connection.execute(text("SELECT key_id FROM register")).scalar()


def _has_nobody(connection: Connection) -> bool:
    """Whether no persons are kept under its key."""
    return connection.execute(text("SELECT entry FROM people LIMIT 1")).first() is None


def _which(entry: RegisterEntry) -> tuple[str, str, str, str]:
    return entry.entered, entry.original, entry.recipe, entry.kind
