"""The audit lines of a department: who did what and when, each line chained to the one before by its hash.

A line is appended in the transaction of the change that it records, so that neither is without the other. The database
refuses to change or remove one; who may change the database itself can take that refusal away, which the chain then
shows. What no chain shows is an end that was cut, or lines that were all written again: therefore the last hash (the
head) is written into a file beside the database too, and can be noted where the administrator of neither comes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Row, Table, Text, desc, select

from anonlib.basics import checks, disk, words
from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.database import TABLES, Database, after_commit
from anonlib.filing.department.person import Person

HEAD_NAME = "anonscope-audit-head"
"""The file in the administrator's folder that holds number and hash of the last line."""
SYSTEM = "system"
"""Who does what nobody signed in did."""
BEFORE_THE_FIRST = "0" * 64
"""What the first line has for the hash of the one before it."""
MOST_CHARACTERS = 300
"""Of a fact or a name; what is longer is cut, and ends in “…”."""
_AT_A_TIME = 1_000

LINES = Table(
    "audit_line",
    TABLES,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, Text) for name in ("moment", "subject", "name", "act", "facts", "previous", "own")),
)


@dataclass(frozen=True)
class Line:
    """An audit line.

    Attributes
    ----------
    number : int
        Counts from 1, without a gap.
    moment : str
        UTC, as ``2026-12-01T10:15:00+00:00``.
    subject, name : str
        Of the person; "" and :data:`SYSTEM` where nobody signed in did it.
    act : str
        One of :class:`Act`.
    facts : Mapping[str, str]
        Digests, numbers and what officers called it, by name; never a cell, a key or the name of a file.
    previous, own : str
        SHA-256 of the line before and of this one, 64 hexadecimal digits.
    """

    number: int
    moment: str
    subject: str
    name: str
    act: str
    facts: Mapping[str, str]
    previous: str
    own: str

    @property
    def content(self) -> dict[str, Any]:
        """All but its own hash, as plain values for JSON."""
        return {
            "number": self.number, "moment": self.moment, "subject": self.subject, "name": self.name, "act": self.act,
            "facts": dict(self.facts), "previous": self.previous,
        }  # fmt: skip

    @property
    def hash(self) -> str:
        """What its own hash must be: SHA-256 of its content as JSON in ASCII, by sorted names and without blanks."""
        return hashlib.sha256(_canonical(self.content).encode("ascii")).hexdigest()

    @property
    def head(self) -> ChainHead:
        """The chain's head while it is the last line."""
        return ChainHead(self.number, self.own)

    @property
    def as_json(self) -> str:
        """The line as JSON, with its hash."""
        return _canonical({**self.content, "own": self.own})


@dataclass(frozen=True)
class ChainHead:
    """The last line at some moment, by which a chain is known that is cut or written again.

    Attributes
    ----------
    number : int
        Of the line; 0 before there is any.
    own : str
        Its hash.
    """

    number: int
    own: str

    @classmethod
    def of(cls, text: str) -> ChainHead:
        """The head that was noted as ``number:hash``. Raises InputError where it is none."""
        number, _, own = text.strip().partition(":")
        if not (number.isascii() and number.isdigit()) or len(own) != 64 or set(own) - set("0123456789abcdef"):
            raise InputError(
                "A head is noted as the number of a line, a colon and 64 hexadecimal digits, as “anonscope audit "
                "verify” prints it.",
                code="digest-wrong",
            )
        return cls(int(number), own)

    def __str__(self) -> str:
        return f"{self.number}:{self.own}"


@dataclass(frozen=True)
class Chain:
    """What there is to know of the chain of audit lines.

    Attributes
    ----------
    head : ChainHead
        The last line that is there.
    broken_at : int, optional
        The number of the first line that is not as it was written, or missing; None while all are.
    why : str, default ""
        What is wrong there, in a sentence.
    """

    head: ChainHead
    broken_at: int | None = None
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing is known to be wrong."""
        return self.broken_at is None

    @property
    def in_words(self) -> str:
        """The answer in sentences."""
        if not self.holds:
            return f"The chain of audit lines is broken at line {self.broken_at:,}. {self.why}"
        return (
            f"The chain of {words.count(self.head.number, 'audit lines')} holds. Its head is {self.head}: note it "
            "elsewhere, since a store that was put back to an earlier copy together with its folder looks the same."
        )


def note(connection: Connection, who: Person | None, act: Act, **facts: str) -> None:
    """Append a line in the transaction of what it records.

    Parameters
    ----------
    connection : Connection
        Of :meth:`Database.writing`.
    who : Person, optional
        Who is signed in; None for the system.
    act : Act
        What was done.
    **facts : str
        Of it, by name: digests, numbers, and what officers called it.

    Raises
    ------
    InputError
        When a fact is no text.
    """
    last = connection.execute(select(LINES.c.number, LINES.c.own).order_by(desc(LINES.c.number)).limit(1)).first()
    number, previous = (0, BEFORE_THE_FIRST) if last is None else (int(last.number), last.own)
    line = Line(
        number=number + 1,
        moment=datetime.now(UTC).isoformat(timespec="seconds"),
        subject="" if who is None else _short(who.subject),
        name=SYSTEM if who is None else _short(who.name),
        act=act.value,
        facts={name: _short(fact) for name, fact in facts.items()},
        previous=previous,
        own="",
    )
    line = replace(line, own=line.hash)
    connection.execute(LINES.insert().values({**line.content, "facts": _canonical(line.facts), "own": line.own}))
    after_commit(connection, "audit head", partial(_write_head, line))


def verify(database: Database, noted: ChainHead | None = None) -> Chain:
    """Whether every line is there as it was written, in the order in which it was.

    Parameters
    ----------
    database : Database
        The department's.
    noted : ChainHead, optional
        A head that was noted elsewhere; the one in the administrator's folder is looked at in any case.

    Returns
    -------
    Chain

    Raises
    ------
    InputError
        Where the database or the file of the head cannot be read.
    """
    in_folder = _head_in(database.folder)
    heads = [head for head in (in_folder, noted) if head is not None]
    last = ChainHead(0, BEFORE_THE_FIRST)
    for row in _rows(database):
        if row.number != last.number + 1:
            return Chain(last, last.number + 1, "It was removed, or lines were put into another order.")
        line = _line_of(row)
        if line is None or line.own != line.hash:
            return Chain(last, row.number, "It was changed.")
        if line.previous != last.own:
            return Chain(last, row.number, "It does not follow the line before it.")
        last = line.head
        if any(head.number == last.number and head.own != last.own for head in heads):
            return Chain(last, last.number, "It is another line than its noted head says.")
    missing = max((head.number for head in heads), default=0) - last.number
    if missing > 0:
        return Chain(last, last.number + 1, f"{words.count(missing, 'lines')} at the end are missing.")
    if in_folder is None and last.number:
        why = f"The file {HEAD_NAME} is missing or damaged, so that lines may be missing at the end."
        return Chain(last, last.number + 1, why)
    return Chain(last)


def lines(database: Database, text: str = "", act: Act | None = None, most: int = 500) -> tuple[Line, ...]:
    """Lines, the newest first.

    Parameters
    ----------
    database : Database
        The department's.
    text : str
        Words that must all occur in name, subject, act or facts, in capitals or small letters.
    act : Act, optional
        Those of this act alone.
    most : int
        How many at most.

    Raises
    ------
    InputError
        Where the database cannot be read.
    """
    wanted, chosen = text.casefold().split(), list[Line]()
    for row in _rows(database, newest_first=True, act=act):
        line = _line_of(row)
        if line is not None and all(word in _searched(line) for word in wanted):
            chosen.append(line)
            if len(chosen) == most:
                break
    return tuple(chosen)


def exported(database: Database) -> Iterator[str]:
    """Every line as JSON, the oldest first. Raises InputError where one cannot be read: verify the chain then."""
    for row in _rows(database):
        if (line := _line_of(row)) is None:
            raise InputError(
                f"The audit line {row.number} is damaged. Verify the chain: anonscope audit verify.",
                code="store-damaged",
            )
        yield line.as_json


def _rows(database: Database, newest_first: bool = False, act: Act | None = None) -> Iterator[Row[Any]]:
    order = desc(LINES.c.number) if newest_first else LINES.c.number
    wanted = select(LINES).order_by(order)
    if act is not None:
        wanted = wanted.where(LINES.c.act == act.value)
    with database.reading() as connection:
        yield from connection.execution_options(yield_per=_AT_A_TIME).execute(wanted)


def _line_of(row: Row[Any]) -> Line | None:
    """None where what stands for its facts is not as it was written."""
    values = dict(row._mapping)
    try:
        facts = json.loads(values["facts"])
        is_as_written = isinstance(facts, dict) and _canonical(facts) == values["facts"]
    except (ValueError, TypeError, RecursionError):
        return None
    return Line(**{**values, "facts": MappingProxyType(facts)}) if is_as_written else None


def _searched(line: Line) -> str:
    return "\n".join((line.name, line.subject, line.act, *line.facts.values())).casefold()


def _canonical(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _short(text: str) -> str:
    plain = words.escaped(checks.text(text, "What is noted in an audit line"))
    return plain if len(plain) <= MOST_CHARACTERS else f"{plain[: MOST_CHARACTERS - 1]}…"


# ---- the head, in the administrator's folder ----


def _head_in(folder: Path) -> ChainHead | None:
    """The head that was written there; None where there is none. Raises InputError where it cannot be read."""
    try:
        with disk.opened_to_read(folder / HEAD_NAME) as file:
            return ChainHead.of(file.read(200).decode("ascii", "replace"))
    except FileNotFoundError:
        return None
    except OSError:
        raise InputError(
            f"The file {HEAD_NAME} in the folder of [store] cannot be read. Check that you may read it.",
            code="file-unreadable",
        ) from None
    except InputError:
        return None


def _write_head(line: Line, database: Database) -> None:
    """Note a line as the last, unless a later one is noted, or one that the chain does not lead from.

    Where the disk refuses, the next line's is noted.
    """
    place = database.folder / HEAD_NAME
    part = disk.beside(place)
    with suppress(OSError, InputError), disk.held(place.with_suffix(".lock")):
        noted = _head_in(database.folder)
        if noted is None or _leads_to(noted, line, database):
            try:
                disk.fill(part, f"{line.head}\n".encode("ascii"), 0o600)
                os.replace(part, place)
            finally:
                part.unlink(missing_ok=True)


def _leads_to(noted: ChainHead, line: Line, database: Database) -> bool:
    """Whether a head is that of an earlier line of the same chain."""
    if noted.number == line.number - 1:
        return noted.own == line.previous
    with database.reading() as connection:
        own = connection.execute(select(LINES.c.own).where(LINES.c.number == noted.number)).scalar()
    return noted.number < line.number and own == noted.own
