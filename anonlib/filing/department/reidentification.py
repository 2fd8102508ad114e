"""Who is behind a pseudonym: two persons together, and each step is an audit line.

An officer asks with a pseudonym, its label and a reason; somebody else who reviews approves; then the officer sees the
id once, looked up in the loaded file with the department's key. The store holds who, when, the label, the reason and a
keyed digest of the pseudonym: neither it nor the id.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import BigInteger, Column, Connection, Row, Table, Text, desc, select

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.database import TABLES, Database
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.transitions import check_role
from anonlib.filing.register import RegisterKey
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms

MOST_CHARACTERS = 2_000
"""Of a reason."""
_PSEUDONYM = re.compile(r"p[a-z2-7]{16}")
_PURPOSE = b"pseudonym that is asked for\x00"
_NO_NUMBER = 2**62

REIDENTIFICATIONS = Table(
    "reidentification",
    TABLES,
    Column("number", BigInteger, primary_key=True),
    *(
        Column(name, Text)
        for name in (
            "asked", "officer", "officer_name", "label", "pseudonym", "reason", "state", "decided", "reviewer",
            "reviewer_name", "shown",
        )
    ),
)  # fmt: skip


class Reidentified(StrEnum):
    """What has become of a question who somebody is."""

    ASKED = "asked"
    APPROVED = "approved"
    REFUSED = "refused"
    SHOWN = "shown"


@dataclass(frozen=True)
class Reidentification:
    """A question who is behind a pseudonym.

    Attributes
    ----------
    number : int
        Counts from 1.
    asked, decided, shown : str
        Moments, UTC, as ``2026-12-01T10:15:00+00:00``; "" before.
    officer, officer_name : str
        Subject and name of who asks.
    label : Pseudonyms
        Under which the pseudonym was given.
    reason : str
        Why the person must be known, as typed.
    state : Reidentified
        What has become of it.
    reviewer, reviewer_name : str
        Subject and name of who decided; "" before.
    digest : str
        Of the pseudonym, under the register's key.
    """

    number: int
    asked: str
    officer: str
    officer_name: str
    label: Pseudonyms
    reason: str
    state: Reidentified
    decided: str
    reviewer: str
    reviewer_name: str
    shown: str
    digest: str = field(repr=False)


@dataclass(frozen=True)
class Reidentifications:
    """The questions of a department who is behind a pseudonym.

    Attributes
    ----------
    database : Database
        The department's.
    """

    database: Database
    _key: RegisterKey = field(repr=False)

    def ask(self, who: Person, pseudonym: str, label: Pseudonyms, reason: str) -> Reidentification:
        """Ask who is behind a pseudonym.

        Raises
        ------
        InputError
            When the person is no officer, the text is no pseudonym, or there is no reason.
        """
        check_role(who, TeamRole.OFFICER)
        text = checks.text(reason, "The reason").strip()
        if not text:
            raise InputError("Write why this person must be known: another one decides by it.", code="reason-missing")
        if len(text) > MOST_CHARACTERS:
            raise InputError(
                f"The reason is longer than {MOST_CHARACTERS:,} characters. Shorten it.", code="text-too-long"
            )
        digest = self._digest(pseudonym)
        if pseudonym.strip().lower() in text.lower():
            raise InputError(
                "The reason names the pseudonym, which is kept nowhere. Write the reason without it.",
                code="values-not-saved",
            )
        values = {
            "asked": _now(), "officer": who.subject, "officer_name": who.name,
            "label": json.dumps(label.to_dict(), ensure_ascii=False), "pseudonym": digest,
            "reason": text, "state": Reidentified.ASKED, "decided": "", "reviewer": "", "reviewer_name": "",
            "shown": "",
        }  # fmt: skip
        with self.database.writing() as connection:
            number = connection.execute(REIDENTIFICATIONS.insert().values(values)).inserted_primary_key
            assert number is not None
            asked = self._one(connection, int(number[0]))
            self._note(connection, who, Act.REIDENTIFICATION_ASKED, asked, reason=text)
            return asked

    def approve(self, number: int, who: Person) -> Reidentification:
        """Let the officer see the id. Raises InputError where the person may not, or it is decided already."""
        return self._decide(number, who, Reidentified.APPROVED, Act.REIDENTIFICATION_APPROVED)

    def refuse(self, number: int, who: Person) -> Reidentification:
        """Let nobody see it. Raises InputError as :meth:`approve`."""
        return self._decide(number, who, Reidentified.REFUSED, Act.REIDENTIFICATION_REFUSED)

    def show(self, number: int, who: Person, pseudonym: str, data: Dataset, key: KeyOfPseudonyms | None) -> str:
        """The id behind an approved pseudonym, once.

        Parameters
        ----------
        number : int
            Of the question.
        who : Person
            Who asked it.
        pseudonym : str
            The one that it is about, which the store does not hold.
        data : Dataset
            In whose person id it is looked for.
        key : KeyOfPseudonyms, optional
            The department's key of the label.

        Returns
        -------
        str
            As a cell has it.

        Raises
        ------
        InputError
            When it is not approved, is another one's or was shown, when the pseudonym is another one or is of nobody in
            the data, or when the key is not there.
        """
        with self.database.reading() as connection:
            question = self._one(connection, number)
        self._check_shown(question, who, pseudonym)
        person_id = _id_behind(pseudonym, question.label, data, key)  # which takes seconds in a large file
        with self.database.writing() as connection:
            question = self._one(connection, number)
            self._check_shown(question, who, pseudonym)
            self._change(connection, number, state=Reidentified.SHOWN, shown=_now())
            approved_by = question.reviewer_name
            self._note(connection, who, Act.REIDENTIFIED, question, file=data.digest, approved_by=approved_by)
        return person_id

    def _check_shown(self, question: Reidentification, who: Person, pseudonym: str) -> None:
        """Raises InputError where the id is not shown, or not to this person, or not of this pseudonym."""
        if question.officer != who.subject:
            raise InputError(
                "Only the officer who asked sees the id. Ask yourself, with a reason.", code="request-of-another"
            )
        if question.state is not Reidentified.APPROVED:
            raise InputError(
                f"No. {question.number} was {question.state}, and an id is shown once, after it was approved. Ask "
                "again if it is needed.",
                code="request-not-approved",
            )
        if not hmac.compare_digest(question.digest, self._digest(pseudonym)):
            raise InputError(
                "This is not the pseudonym that was asked for. Type that one, or ask for this one.",
                code="value-unknown",
            )

    def own(self, who: Person) -> tuple[Reidentification, ...]:
        """What somebody asked, the newest first."""
        with self.database.reading() as connection:
            return tuple(question for question in self._all(connection) if question.officer == who.subject)

    def waiting(self, who: Person) -> tuple[Reidentification, ...]:
        """What a reviewer can decide, the newest first. Raises InputError where the person is no reviewer."""
        check_role(who, TeamRole.REVIEWER)
        with self.database.reading() as connection:
            asked = [question for question in self._all(connection) if question.state is Reidentified.ASKED]
        return tuple(question for question in asked if question.officer != who.subject)

    def _decide(self, number: int, who: Person, state: Reidentified, act: Act) -> Reidentification:
        check_role(who, TeamRole.REVIEWER)
        with self.database.writing() as connection:
            question = self._one(connection, number)
            if question.officer == who.subject:
                raise InputError(
                    "You asked this yourself: two persons find out together who somebody is. Another reviewer decides.",
                    code="request-of-oneself",
                )
            if question.state is not Reidentified.ASKED:
                raise InputError(f"This is decided already: it was {question.state}.", code="request-in-other-state")
            self._change(connection, number, state=state, decided=_now(), reviewer=who.subject, reviewer_name=who.name)
            self._note(connection, who, act, question, asked_by=question.officer_name)
            return self._one(connection, number)

    def _digest(self, pseudonym: str) -> str:
        text = checks.text(pseudonym, "The pseudonym").strip().lower()
        if not _PSEUDONYM.fullmatch(text):
            raise InputError(
                "A pseudonym is a “p” and 16 letters and digits, as it stands in the release.", code="value-unknown"
            )
        return hmac.digest(self._key.secret, _PURPOSE + text.encode("ascii"), "sha256").hex()

    def _one(self, connection: Connection, number: int) -> Reidentification:
        wanted = min(checks.whole(number, "The number", 0), _NO_NUMBER)
        row = connection.execute(select(REIDENTIFICATIONS).where(REIDENTIFICATIONS.c.number == wanted)).first()
        if row is None:
            raise InputError(f"Nobody asked No. {number}. Choose one that is listed.", code="entry-unknown")
        return _of(row)

    def _all(self, connection: Connection) -> Iterator[Reidentification]:
        rows = connection.execute(select(REIDENTIFICATIONS).order_by(desc(REIDENTIFICATIONS.c.number)))
        return map(_of, rows.all())

    def _change(self, connection: Connection, number: int, **values: str) -> None:
        connection.execute(REIDENTIFICATIONS.update().where(REIDENTIFICATIONS.c.number == number).values(values))

    def _note(self, connection: Connection, who: Person, act: Act, question: Reidentification, **facts: str) -> None:
        label = question.label
        audit.note(
            connection, who, act, question=str(question.number), recipient=label.recipient, project=label.project,
            version=str(label.version), key=label.key_id, **facts,
        )  # fmt: skip


def _id_behind(pseudonym: str, label: Pseudonyms, data: Dataset, key: KeyOfPseudonyms | None) -> str:
    if key is None:
        raise InputError(
            f"The department has no key {label.key_id} any more, with which this pseudonym was made. The administrator "
            "puts its file back.",
            code="key-not-found",
        )
    if data.person_id is None:
        raise InputError(
            "No column of this file is the person id. Open the file that the release was made of, or choose the column "
            "on Data.",
            code="no-person-id",
        )
    counts = data.held.counts_of(data.person_id)
    ids = [str(text) for text in counts.values[counts.records > 0]]
    wanted = pseudonym.strip().lower()
    behind = [i for i, name in enumerate(key.under(label).of(ids, data.person_id)) if name == wanted]
    if not behind:
        raise InputError(
            "Nobody in this file has this pseudonym under this label. Open the file that the release was made of, and "
            "look at recipient, project and version.",
            code="person-not-found",
        )
    return ids[behind[0]]


def _of(row: Row) -> Reidentification:  # type: ignore[type-arg]  # of all columns
    values = dict(row._mapping)
    label, digest = Pseudonyms.from_dict(json.loads(values.pop("label"))), values.pop("pseudonym")
    return Reidentification(**{**values, "label": label, "state": Reidentified(values["state"]), "digest": digest})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
