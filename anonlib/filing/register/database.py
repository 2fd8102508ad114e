"""The file of a register: an SQLite database that says what it is, and entries as rows of its tables, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from anonlib.basics import checks, disk
from anonlib.basics.errors import InputError
from anonlib.filing.case import BY_NAME, ReleaseCase
from anonlib.filing.register.entry import EntryFacts, RegisterEntry
from anonlib.filing.register.folder import called
from anonlib.filing.register.people import FoundBy, PersonsOfRelease
from anonlib.release.pseudonyms import Pseudonyms

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


@contextmanager
def reading(folder: Path, key_id: str) -> Iterator[sqlite3.Connection]:
    """The register in one state, to be read.

    Raises
    ------
    InputError
        Where there is none, or none that this version can read with this key.
    """
    with _opened(folder, key_id) as database:
        database.execute("BEGIN")
        yield database


@contextmanager
def writing(folder: Path, key_id: str) -> Iterator[sqlite3.Connection]:
    """The same to be changed: all that is done becomes so in the end, or nothing where anything fails."""
    with _opened(folder, key_id) as database:
        database.execute("BEGIN IMMEDIATE")
        yield database
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


_AS_THEY_ARE = (
    "kind", "kind_name", "file", "original", "records", "persons", "unit", "recipe", "project", "verdict",
    "leaves_anyway", "decided",
)  # fmt: skip
_LISTS = ("original_columns", "columns")
_FACTS = (*_AS_THEY_ARE, *_LISTS, "may_leave", "decided_for", "pseudonyms")
_DATES = ("entered", "latest", "return_by", "reassess", "closed")
_ENTRY = ("number", *_DATES, "closing_note", "not_found_by", *_FACTS)
_FOUND_BY = ("id_column", "role", "of_release", "counts_up", "persons")


# ---- written ----


def insert(
    database: sqlite3.Connection, facts: EntryFacts, people: PersonsOfRelease, moment: str, reassess: str
) -> int:
    """A new entry, without the files that left. Gives its number."""
    row = _row_of(facts) | {
        "entered": moment, "latest": moment, "return_by": facts.case.until, "reassess": reassess, "closed": "",
        "closing_note": "", "not_found_by": json.dumps(people.not_by, ensure_ascii=False),
    }  # fmt: skip
    places = ", ".join(f":{name}" for name in row)
    written = database.execute(f"INSERT INTO entry ({', '.join(row)}) VALUES ({places})", row)
    number = int(written.lastrowid or 0)
    for person_set in people.sets:
        by = person_set.found_by
        digests = np.ascontiguousarray(person_set.digests, dtype="<u8").tobytes()
        database.execute(
            "INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, by.column, by.role, by.of_release, by.counts_up, by.persons, digests),
        )
    return number


def update(database: sqlite3.Connection, number: int, **values: str) -> None:
    """Other texts in some columns of an entry."""
    changes = ", ".join(f"{name} = :{name}" for name in values)
    database.execute(f"UPDATE entry SET {changes} WHERE number = :number", {**values, "number": number})


def replace_facts(database: sqlite3.Connection, number: int, facts: EntryFacts) -> None:
    """The facts of an entry as they are now."""
    row = _row_of(facts)
    changes = ", ".join(f"{name} = :{name}" for name in row)
    database.execute(f"UPDATE entry SET {changes} WHERE number = :number", {**row, "number": number})


def add_files(database: sqlite3.Connection, number: int, formats: Mapping[str, str], moment: str) -> None:
    """Files that left now; of one that left before it is kept when it left last."""
    for kind, sha256 in formats.items():
        database.execute(
            "INSERT INTO released_file VALUES (:entry, :format, :sha256, :moment, :moment) "
            "ON CONFLICT (entry, format) DO UPDATE SET latest = :moment",
            {"entry": number, "format": kind, "sha256": sha256, "moment": moment},
        )


def _row_of(facts: EntryFacts) -> dict[str, Any]:
    row = {name: getattr(facts, name) for name in _AS_THEY_ARE}
    lists = {name: json.dumps(getattr(facts, name), ensure_ascii=False) for name in _LISTS}
    decided_for = json.dumps(facts.case.to_dict(), ensure_ascii=False)
    label = "" if facts.pseudonyms is None else json.dumps(facts.pseudonyms.to_dict(), ensure_ascii=False)
    return row | lists | {"may_leave": facts.may_leave, "decided_for": decided_for, "pseudonyms": label}


# ---- read ----


def entries_of(
    database: sqlite3.Connection, name: str, where: str = "", given: tuple[Any, ...] = ()
) -> list[RegisterEntry]:
    """The entries for which a condition on their table holds, the newest first.

    Raises
    ------
    InputError
        Where what is kept is no entry; ``name`` is what the folder is called.
    """
    condition = f"WHERE {where}" if where else ""
    selected = database.execute(f"SELECT {', '.join(_ENTRY)} FROM entry {condition} ORDER BY number DESC", given)
    rows = [dict(zip(_ENTRY, row, strict=True)) for row in selected]
    formats = _by_entry(database.execute("SELECT entry, format, sha256 FROM released_file ORDER BY rowid"))
    found_by = _by_entry(database.execute(f"SELECT entry, {', '.join(_FOUND_BY)} FROM people ORDER BY rowid"))
    try:
        return [_entry(row, dict(formats.get(row["number"], ())), found_by.get(row["number"], [])) for row in rows]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise damaged(name) from None


def digests_of(database: sqlite3.Connection, name: str, number: int) -> Iterable[tuple[str, np.ndarray]]:
    """By column, the persons of an entry, one after the other: all at once may be large."""
    columns = [column for (column,) in database.execute("SELECT id_column FROM people WHERE entry = ?", (number,))]
    for column in columns:
        chosen = database.execute("SELECT digests FROM people WHERE entry = ? AND id_column = ?", (number, column))
        (blob,) = chosen.fetchone()
        if not isinstance(blob, bytes) or len(blob) % 8:
            raise damaged(name)
        digests = np.frombuffer(blob, dtype="<u8")
        if (digests[1:] <= digests[:-1]).any():
            raise damaged(name)
        yield column, digests


def _by_entry(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    by_entry: dict[int, list[tuple[Any, ...]]] = {}
    for number, *values in rows:
        by_entry.setdefault(number, []).append(tuple(values))
    return by_entry


def _entry(row: Mapping[str, Any], formats: dict[str, str], found_by: list[tuple[Any, ...]]) -> RegisterEntry:
    _check_dates(row)
    decided_for = json.loads(row["decided_for"])
    case = ReleaseCase(**{name: text for name, text in decided_for.items() if name in BY_NAME})
    return RegisterEntry(
        number=row["number"], entered=row["entered"], latest=row["latest"], until=row["return_by"],
        reassess=row["reassess"], closed=row["closed"], closing_note=checks.text(row["closing_note"], "The note"),
        original_columns=_texts(row["original_columns"]), columns=_texts(row["columns"]), formats=formats,
        may_leave=bool(row["may_leave"]), case=case, not_found_by=_texts(row["not_found_by"]),
        found_by=tuple(_found_by(*values) for values in found_by),
        pseudonyms=Pseudonyms.from_dict(json.loads(row["pseudonyms"])) if row["pseudonyms"] else None,
        **{name: row[name] for name in _AS_THEY_ARE},
    )  # fmt: skip


def _found_by(column: object, role: object, of_release: object, counts_up: object, persons: object) -> FoundBy:
    column, role = checks.text(column, "A column"), checks.text(role, "A role")
    return FoundBy(column, role, bool(of_release), bool(counts_up), checks.whole(persons, "The number of persons", 0))


def _check_dates(row: Mapping[str, Any]) -> None:
    """Raises ValueError or TypeError where a day or a moment is none."""
    for moment in (row["entered"], row["latest"]):
        datetime.fromisoformat(moment)
    for day in (row["return_by"] or row["reassess"], row["reassess"], row["closed"] or row["reassess"]):
        date.fromisoformat(day)


def _texts(text: str) -> tuple[str, ...]:
    values = json.loads(text)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError
    return tuple(values)
