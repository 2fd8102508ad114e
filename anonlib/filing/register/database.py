"""The file of a desk's register: an SQLite database that says what it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anonlib.basics import disk
from anonlib.basics.errors import InputError
from anonlib.filing.register.entry import Change, RegisterEntry
from anonlib.filing.register.folder import called

DATABASE_NAME = "anonscope-register.sqlite3"
"""The name of the file."""
APPLICATION = 0x416E5352
"""By which SQLite's own tools, too, know that it is a register: “AnSR”."""
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE register (key_id TEXT NOT NULL, made TEXT NOT NULL)",
        """
        CREATE TABLE entry (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            entered TEXT NOT NULL,
            latest TEXT NOT NULL,
            return_by TEXT NOT NULL,
            reassess TEXT NOT NULL,
            closed TEXT NOT NULL,
            closing_note TEXT NOT NULL,
            kind TEXT NOT NULL,
            kind_name TEXT NOT NULL,
            file TEXT NOT NULL,
            original TEXT NOT NULL,
            original_columns TEXT NOT NULL,
            columns TEXT NOT NULL,
            records INTEGER NOT NULL,
            persons INTEGER,
            unit TEXT NOT NULL,
            recipe TEXT NOT NULL,
            project TEXT NOT NULL,
            verdict TEXT NOT NULL,
            may_leave INTEGER NOT NULL,
            leaves_anyway TEXT NOT NULL,
            decided_for TEXT NOT NULL,
            not_found_by TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE released_file (
            entry INTEGER NOT NULL REFERENCES entry (number),
            format TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            entered TEXT NOT NULL,
            latest TEXT NOT NULL,
            PRIMARY KEY (entry, format)
        )
        """,
        """
        CREATE TABLE people (
            entry INTEGER NOT NULL REFERENCES entry (number),
            id_column TEXT NOT NULL,
            role TEXT NOT NULL,
            of_release INTEGER NOT NULL,
            counts_up INTEGER NOT NULL,
            persons INTEGER NOT NULL,
            digests BLOB NOT NULL,
            PRIMARY KEY (entry, id_column)
        )
        """,
    ),
    ("ALTER TABLE entry ADD COLUMN pseudonyms TEXT NOT NULL DEFAULT ''",),
    ("ALTER TABLE entry ADD COLUMN decided TEXT NOT NULL DEFAULT ''",),
    ("ALTER TABLE entry ADD COLUMN released_by TEXT NOT NULL DEFAULT ''",),
)
"""What makes each version of the file of the one before; the first makes it."""
_TABLES = {"register", "entry", "released_file", "people"}
_SECONDS_TO_WAIT = 10.0


def is_in(folder: Path) -> bool:
    """Whether there is a register in a folder."""
    with suppress(OSError):
        return (folder / DATABASE_NAME).is_file()
    return False


def check_is_in(folder: Path) -> None:
    """Raises InputError where there is no register in a folder."""
    if not is_in(folder):
        name = called(folder)
        raise InputError(
            f"There is no register in “{name}”. Make one there, or name the folder that it is in.",
            code="register-missing",
        )


def make(folder: Path, key_id: str) -> None:
    """Make the file, whole or not at all. Raises InputError where there is one, or it cannot be written."""
    place, name = folder / DATABASE_NAME, called(folder)
    part = disk.beside(place)
    try:
        disk.fill(part, b"", 0o600)
        with _connected(part, name) as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            _upgrade(database)
            moment = datetime.now(UTC).isoformat(timespec="seconds")
            database.execute("INSERT INTO register VALUES (?, ?)", (key_id, moment))
            database.execute("COMMIT")
        disk.put(part, place)
    except FileExistsError:
        raise InputError(f"There is a register in “{name}” already. Open it.", code="register-exists") from None
    except OSError:
        raise InputError(
            f"The register could not be written into “{name}”. Check that you may write there, and that there is room.",
            code="register-not-writable",
        ) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@dataclass(frozen=True)
class FileRows:
    """The tables of a file (:class:`anonlib.filing.register.rows.Rows`)."""

    database: sqlite3.Connection
    name: str

    def run(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self.database.execute(statement, values).fetchall()

    def damaged(self) -> InputError:
        return damaged(self.name)

    def note(self, entry: RegisterEntry, change: Change) -> None:
        pass  # a desk keeps no audit lines


@contextmanager
def reading(folder: Path, key_id: str) -> Iterator[FileRows]:
    """The register in one state, to be read.

    Raises
    ------
    InputError
        Where there is none, or none that this version can read with this key.
    """
    with _opened(folder, key_id) as database:
        database.execute("BEGIN")
        yield FileRows(database, called(folder))


@contextmanager
def writing(folder: Path, key_id: str) -> Iterator[FileRows]:
    """The same to be changed: all that is done becomes so in the end, or nothing where anything fails."""
    with _opened(folder, key_id) as database:
        database.execute("BEGIN IMMEDIATE")
        yield FileRows(database, called(folder))
        database.execute("COMMIT")


@contextmanager
def _opened(folder: Path, key_id: str) -> Iterator[sqlite3.Connection]:
    name = called(folder)
    check_is_in(folder)
    with _connected(folder / DATABASE_NAME, name) as database:
        _check_version(database, name)
        _check_tables(database, name)
        if database.execute("SELECT key_id FROM register").fetchall() != [(key_id,)]:
            raise InputError(
                f"The key beside the register in “{name}” is not the one that it was made with. Put the right one in "
                "its place: no other key recognises the persons in it.",
                code="register-key-wrong",
            )
        yield database


@contextmanager
def _connected(path: Path, name: str) -> Iterator[sqlite3.Connection]:
    """A connection on which each transaction is begun by hand; what is not committed is as if it had not been."""
    try:
        with closing(sqlite3.connect(path, timeout=_SECONDS_TO_WAIT, isolation_level=None)) as database:
            database.text_factory = bytes.decode  # whose error is one of a damaged file
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("PRAGMA trusted_schema = OFF")
            yield database
    except sqlite3.OperationalError:
        raise InputError(
            f"The register in “{name}” cannot be read or changed now. Another program may be using it, you may not be "
            "allowed to write there, or the disk takes no more. Look at these, and try again; if it stays so, put a "
            f"copy of its file {DATABASE_NAME} in its place.",
            code="register-not-readable",
        ) from None
    except (sqlite3.Error, UnicodeDecodeError):
        raise damaged(name) from None


def damaged(name: str) -> InputError:
    """The error of a register whose content is not as it was written; ``name`` is what its folder is called."""
    return InputError(
        f"The register in “{name}” is damaged. Put a copy of its file {DATABASE_NAME} in its place.",
        code="register-damaged",
    )


def _check_version(database: sqlite3.Connection, name: str) -> None:
    """Bring an older file to this version. Raises InputError for a newer one, and for what is no register."""
    if _pragma(database, "application_id") != APPLICATION:
        raise InputError(
            f"The file {DATABASE_NAME} in “{name}” is no register of Anonscope. Name another folder.",
            code="register-damaged",
        )
    version = _pragma(database, "user_version")
    if version > len(MIGRATIONS):
        raise InputError(
            f"The register in “{name}” was made by a newer version of Anonscope. Install that one.",
            code="version-unknown",
        )
    if version < len(MIGRATIONS):
        database.execute("BEGIN IMMEDIATE")
        _upgrade(database)
        database.execute("COMMIT")


def _upgrade(database: sqlite3.Connection) -> None:
    for statements in MIGRATIONS[_pragma(database, "user_version") :]:
        for statement in statements:
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _check_tables(database: sqlite3.Connection, name: str) -> None:
    """Raises InputError where a table is missing, or where triggers or views would do what nobody asked for."""
    objects = database.execute("SELECT type, name FROM sqlite_master").fetchall()
    if not {("table", table) for table in _TABLES} <= set(objects) or any(t in ("trigger", "view") for t, _ in objects):
        raise damaged(name)


def _pragma(database: sqlite3.Connection, name: str) -> int:
    return int(database.execute(f"PRAGMA {name}").fetchone()[0])
