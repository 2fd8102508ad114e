"""Entries of a register as rows of its tables, and back: at a desk and in a department's store alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any, Protocol

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME, ReleaseCase
from anonlib.filing.register.entry import Change, EntryFacts, RegisterEntry
from anonlib.filing.register.people import FoundBy, PersonsOfRelease
from anonlib.release.pseudonyms import Pseudonyms


class Rows(Protocol):
    """The tables of a register in a transaction, whichever database they are in.

    They are ``entry``, ``released_file`` and ``people``, each with a column of every name that is used here.
    """

    def run(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """What a statement of SQL gives, in which ``:name`` stands for a value."""

    def damaged(self) -> InputError:
        """The error of tables whose content is not as it was written."""

    def note(self, entry: RegisterEntry, change: Change) -> None:
        """Note what became of an entry, where that is noted."""


_AS_THEY_ARE = (
    "kind", "kind_name", "file", "original", "records", "persons", "unit", "recipe", "project", "verdict",
    "leaves_anyway", "decided", "released_by",
)  # fmt: skip
_LISTS = ("original_columns", "columns")
_FACTS = (*_AS_THEY_ARE, *_LISTS, "may_leave", "decided_for", "pseudonyms")
_DATES = ("entered", "latest", "return_by", "reassess", "closed")
_ENTRY = ("number", *_DATES, "closing_note", "not_found_by", *_FACTS)
_FOUND_BY = ("id_column", "role", "of_release", "counts_up", "persons")
_FILE = ("format", "sha256", "entered", "latest")


# ---- written ----


def insert(rows: Rows, facts: EntryFacts, people: PersonsOfRelease, moment: str, reassess: str) -> int:
    """A new entry, without the files that left. Gives its number."""
    row = _row_of(facts) | {
        "entered": moment, "latest": moment, "return_by": facts.case.until, "reassess": reassess, "closed": "",
        "closing_note": "", "not_found_by": json.dumps(people.not_by, ensure_ascii=False),
    }  # fmt: skip
    number = _insert_entry(rows, row)
    for person_set in people.sets:
        by = person_set.found_by
        _insert(rows, "people", {
            "entry": number, "id_column": by.column, "role": by.role, "of_release": int(by.of_release),
            "counts_up": int(by.counts_up), "persons": by.persons,
            "digests": np.ascontiguousarray(person_set.digests, dtype="<u8").tobytes(),
        })  # fmt: skip
    return number


def update(rows: Rows, number: int, **values: str) -> None:
    """Other texts in some columns of an entry."""
    _update(rows, number, values)


def replace_facts(rows: Rows, number: int, facts: EntryFacts) -> None:
    """The facts of an entry as they are now."""
    _update(rows, number, _row_of(facts))


def add_files(rows: Rows, number: int, formats: Mapping[str, str], moment: str) -> None:
    """Files that left now; of one that left before it is kept when it left last."""
    for kind, sha256 in formats.items():
        rows.run(
            "INSERT INTO released_file (entry, format, sha256, entered, latest) "
            "VALUES (:entry, :format, :sha256, :moment, :moment) "
            "ON CONFLICT (entry, format) DO UPDATE SET latest = :moment",
            {"entry": number, "format": kind, "sha256": sha256, "moment": moment},
        )


def copy(source: Rows, number: int, target: Rows, not_compared: str = "") -> int:
    """Copy an entry to another register. Gives its number there.

    Parameters
    ----------
    source : Rows
        Where it is.
    number : int
        Its number there.
    target : Rows
        Where it goes.
    not_compared : str
        Why its persons cannot be compared there, in a sentence: their digests then stay behind. "" where they can.
    """
    (row,) = _selected(source, "entry", _ENTRY[1:], "number = :number", number)
    if not_compared:
        row["not_found_by"] = json.dumps([*json.loads(row["not_found_by"]), not_compared], ensure_ascii=False)
    copied = _insert_entry(target, row)
    for file in _selected(source, "released_file", _FILE, "entry = :number", number):
        _insert(target, "released_file", {**file, "entry": copied})
    if not not_compared:
        for people in _selected(source, "people", (*_FOUND_BY, "digests"), "entry = :number", number):
            _insert(target, "people", {**people, "entry": copied})
    return copied


def _selected(rows: Rows, table: str, columns: tuple[str, ...], where: str, number: int) -> list[dict[str, Any]]:
    selected = rows.run(f"SELECT {', '.join(columns)} FROM {table} WHERE {where}", {"number": number})
    return [dict(zip(columns, row, strict=True)) for row in selected]


def _insert_entry(rows: Rows, row: Mapping[str, Any]) -> int:
    ((number,),) = _insert(rows, "entry", row, " RETURNING number")
    return int(number)


def _insert(rows: Rows, table: str, row: Mapping[str, Any], returning: str = "") -> list[tuple[Any, ...]]:
    places = ", ".join(f":{name}" for name in row)
    return rows.run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places}){returning}", row)


def _update(rows: Rows, number: int, values: Mapping[str, Any]) -> None:
    changes = ", ".join(f"{name} = :{name}" for name in values)
    rows.run(f"UPDATE entry SET {changes} WHERE number = :number", {**values, "number": number})


def _row_of(facts: EntryFacts) -> dict[str, Any]:
    row = {name: getattr(facts, name) for name in _AS_THEY_ARE}
    lists = {name: json.dumps(getattr(facts, name), ensure_ascii=False) for name in _LISTS}
    decided_for = json.dumps(facts.case.to_dict(), ensure_ascii=False)
    label = "" if facts.pseudonyms is None else json.dumps(facts.pseudonyms.to_dict(), ensure_ascii=False)
    return row | lists | {"may_leave": int(facts.may_leave), "decided_for": decided_for, "pseudonyms": label}


# ---- read ----


def entries_of(rows: Rows, where: str = "", **given: object) -> list[RegisterEntry]:
    """The entries for which a condition on their table holds, the newest first.

    Raises
    ------
    InputError
        Where what is kept is no entry.
    """
    condition = f"WHERE {where}" if where else ""
    selected = rows.run(f"SELECT {', '.join(_ENTRY)} FROM entry {condition} ORDER BY number DESC", given)
    entries = [dict(zip(_ENTRY, row, strict=True)) for row in selected]
    formats = _by_entry(rows.run("SELECT entry, format, sha256 FROM released_file ORDER BY entered, format", {}))
    found_by = _by_entry(rows.run(f"SELECT entry, {', '.join(_FOUND_BY)} FROM people", {}))
    try:
        return [_entry(row, dict(formats.get(row["number"], ())), found_by.get(row["number"], [])) for row in entries]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise rows.damaged() from None


def digests_of(rows: Rows, number: int) -> Iterable[tuple[str, np.ndarray]]:
    """By column, the persons of an entry, one after the other: all at once may be large."""
    for (column,) in rows.run("SELECT id_column FROM people WHERE entry = :number", {"number": number}):
        ((blob,),) = rows.run(
            "SELECT digests FROM people WHERE entry = :number AND id_column = :column",
            {"number": number, "column": column},
        )
        if not isinstance(blob, bytes) or len(blob) % 8:
            raise rows.damaged()
        digests = np.frombuffer(blob, dtype="<u8")
        if (digests[1:] <= digests[:-1]).any():
            raise rows.damaged()
        yield column, digests


def _by_entry(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    by_entry: dict[int, list[tuple[Any, ...]]] = {}
    for number, *values in rows:
        by_entry.setdefault(number, []).append(tuple(values))
    return by_entry


def _entry(row: Mapping[str, Any], formats: dict[str, str], found_by: list[tuple[Any, ...]]) -> RegisterEntry:
    _check_dates(row)
    columns = _texts(row["original_columns"])
    decided_for = json.loads(row["decided_for"])
    case = ReleaseCase(**{name: text for name, text in decided_for.items() if name in BY_NAME})
    return RegisterEntry(
        number=row["number"], entered=row["entered"], latest=row["latest"], until=row["return_by"],
        reassess=row["reassess"], closed=row["closed"], closing_note=checks.text(row["closing_note"], "The note"),
        original_columns=columns, columns=_texts(row["columns"]), formats=formats,
        may_leave=bool(row["may_leave"]), case=case, not_found_by=_texts(row["not_found_by"]),
        found_by=tuple(sorted((_found_by(*values) for values in found_by), key=partial(_place, columns))),
        pseudonyms=Pseudonyms.from_dict(json.loads(row["pseudonyms"])) if row["pseudonyms"] else None,
        **{name: row[name] for name in _AS_THEY_ARE},
    )  # fmt: skip


def _found_by(column: object, role: object, of_release: object, counts_up: object, persons: object) -> FoundBy:
    column, role = checks.text(column, "A column"), checks.text(role, "A role")
    return FoundBy(column, role, bool(of_release), bool(counts_up), checks.whole(persons, "The number of persons", 0))


def _place(columns: tuple[str, ...], by: FoundBy) -> tuple[bool, int]:
    """The person id first, and then as in the file."""
    return by.role != Role.PERSON_ID, columns.index(by.column) if by.column in columns else len(columns)


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
