"""Entries as rows of the register's tables, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import numpy as np

from anonlib.basics import checks
from anonlib.filing.case import BY_NAME, ReleaseCase
from anonlib.filing.register.database import damaged
from anonlib.filing.register.entry import Entry, EntryFacts
from anonlib.filing.register.people import FoundBy, People
from anonlib.release.pseudonyms import Pseudonyms

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


def insert(database: sqlite3.Connection, facts: EntryFacts, people: People, moment: str, reassess: str) -> int:
    """A new entry, without the files that left. Gives its number."""
    row = _row_of(facts) | {
        "entered": moment, "latest": moment, "return_by": facts.case.until, "reassess": reassess, "closed": "",
        "closing_note": "", "not_found_by": json.dumps(people.not_by, ensure_ascii=False),
    }  # fmt: skip
    places = ", ".join(f":{name}" for name in row)
    written = database.execute(f"INSERT INTO entry ({', '.join(row)}) VALUES ({places})", row)
    number = int(written.lastrowid or 0)
    for each in people.sets:
        by = each.found_by
        digests = np.ascontiguousarray(each.digests, dtype="<u8").tobytes()
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


def entries_of(database: sqlite3.Connection, name: str, where: str = "", given: tuple[Any, ...] = ()) -> list[Entry]:
    """The entries for which a condition on their table holds, the newest first.

    Raises
    ------
    InputError
        Where what is kept is no entry; ``name`` is what the folder is called.
    """
    condition = f"WHERE {where}" if where else ""
    found = database.execute(f"SELECT {', '.join(_ENTRY)} FROM entry {condition} ORDER BY number DESC", given)
    rows = [dict(zip(_ENTRY, row, strict=True)) for row in found]
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
    found: dict[int, list[tuple[Any, ...]]] = {}
    for number, *values in rows:
        found.setdefault(number, []).append(tuple(values))
    return found


def _entry(row: Mapping[str, Any], formats: dict[str, str], found_by: list[tuple[Any, ...]]) -> Entry:
    _check_dates(row)
    decided_for = json.loads(row["decided_for"])
    case = ReleaseCase(**{name: text for name, text in decided_for.items() if name in BY_NAME})
    return Entry(
        number=row["number"], entered=row["entered"], latest=row["latest"], until=row["return_by"],
        reassess=row["reassess"], closed=row["closed"], closing_note=checks.text(row["closing_note"], "The note"),
        original_columns=_texts(row["original_columns"]), columns=_texts(row["columns"]), formats=formats,
        may_leave=bool(row["may_leave"]), case=case, not_found_by=_texts(row["not_found_by"]),
        found_by=tuple(_found_by(*each) for each in found_by),
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
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError
    return tuple(found)
