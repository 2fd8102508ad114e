"""Requests: a case is submitted, somebody else reviews it, and its file leaves only once it is approved.

What a request asks for is frozen when it is submitted (:mod:`anonlib.filing.department.submission`); what becomes of it
is a state, which changes by the table :data:`TRANSITIONS` and by nothing else. Each change is looked at, written and
noted in the audit lines in one transaction, so that two who do the same at once do not both succeed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, CursorResult, Integer, Row, Table, Text, select

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.filing.case import MOST_CHARACTERS, ReleaseCase
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.database import TABLES, Database
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.settings import REQUEST_DAYS
from anonlib.filing.department.submission import (
    WHOLE,
    CommentPlace,
    Submission,
    digest_of,
    evidence_in,
    places_of,
)
from anonlib.filing.department.transitions import (
    OPEN,
    TRANSITIONS,
    Comment,
    ReleasedFile,
    Request,
    RequestEvent,
    RequestState,
    as_of,
    check_another,
    check_may,
    check_reads,
    check_role,
    why_not_out,
)
from anonlib.filing.evidence import Evidence
from anonlib.filing.register.entry import a_year_after, plain_name

# ---- tables ----

REQUESTS = Table(
    "request",
    TABLES,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("replaces", BigInteger),
    Column("may_leave_by_reason", Integer),
    *(
        Column(name, Text)
        for name in (
            "submitted", "officer", "officer_name", "decided_for", "kind", "kind_name", "verdict", "file", "recipe",
            "decided", "evidence", "files", "seal",
        )
    ),
)  # fmt: skip
DOCUMENTS = Table("request_document", TABLES, Column("request", BigInteger, primary_key=True), Column("document", Text))
STATES = Table(
    "request_state",
    TABLES,
    Column("request", BigInteger, primary_key=True),
    *(
        Column(name, Text)
        for name in ("state", "since", "reviewer", "reviewer_name", "reason", "expires", "reassess")
    ),
)  # fmt: skip
COMMENTS = Table(
    "request_comment",
    TABLES,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("request", BigInteger),
    Column("is_open", Integer),
    *(Column(name, Text) for name in ("place", "place_name", "written", "author", "author_name", "moment")),
    Column("settled_by", Text),
)
FILES = Table(
    "request_file",
    TABLES,
    Column("request", BigInteger, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("sha256", Text),
    Column("moment", Text),
)
EVENTS = Table(
    "request_event",
    TABLES,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("request", BigInteger),
    *(Column(name, Text) for name in ("moment", "act", "name", "note")),
)
# ---- what is done with them ----


@dataclass(frozen=True)
class Requests:
    """All requests of a department.

    Attributes
    ----------
    database : Database
        Where they are kept.
    days : int, default REQUEST_DAYS
        After how many days one that released nothing expires.
    """

    database: Database
    days: int = REQUEST_DAYS

    # ---- by an officer ----

    def submit(
        self,
        who: Person,
        asks: Submission,
        document: str,
        replaces: int | None = None,
        now: datetime | None = None,
    ) -> Request:
        """Submit a case for review.

        Parameters
        ----------
        who : Person
            An officer.
        asks, document : Submission and str
            What :func:`anonlib.filing.department.submission.submission_of` makes.
        replaces : int, optional
            The officer's own request in whose place it comes; one that is not decided yet is withdrawn by it.
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        Request

        Raises
        ------
        InputError
            Where somebody may not, the same is submitted already, or the one that it replaces is another's or was
            replaced before.
        """
        check_role(who, TeamRole.OFFICER)
        if digest_of(document) != asks.evidence:
            raise InputError("The document is not the one that is submitted. Submit it again.", code="digest-wrong")
        moment = _moment(now)
        with self._writing(moment) as connection:
            for request in self._requests(connection, moment, file=asks.file):
                if request.is_open and request.asks.decided == asks.decided and request.number != replaces:
                    raise InputError(
                        f"Exactly this is submitted already, as request No. {request.number} by "
                        f"{request.officer.name}, and is {request.state}.",
                        code="request-exists",
                    )
            if replaces is not None:
                self._withdraw_replaced(connection, replaces, who, moment)
            number = _insert(connection, who, asks, replaces, moment)
            connection.execute(DOCUMENTS.insert().values(request=number, document=document))
            expires = (moment.date() + timedelta(days=self.days)).isoformat()
            connection.execute(
                STATES.insert().values(
                    request=number, state=RequestState.SUBMITTED.value, since=_text(moment), reviewer="",
                    reviewer_name="", reason="", expires=expires, reassess="",
                )
            )  # fmt: skip
            facts = {"seal": asks.seal, "file": asks.file, "decided": asks.decided, "evidence": asks.evidence}
            facts |= {"title": asks.case.title, "recipient": asks.case.recipient}
            facts |= {} if replaces is None else {"replaces": f"{replaces}"}
            _note(connection, who, Act.SUBMITTED, number, moment, **facts)
            return self._request(connection, number, moment)

    def _withdraw_replaced(self, connection: Connection, number: int, who: Person, moment: datetime) -> None:
        replaced = self._request(connection, number, moment)
        if replaced.officer.subject != who.subject:
            raise InputError(
                f"Request No. {number} is another officer's. Submit this one without naming it.",
                code="request-of-another",
            )
        if replaced.replaced_by is not None:
            raise InputError(
                f"Request No. {number} was replaced by No. {replaced.replaced_by} already. Name that one.",
                code="request-replaced",
            )
        if replaced.state in (RequestState.SUBMITTED, RequestState.IN_REVIEW, RequestState.APPROVED):
            self._go(connection, Act.WITHDRAWN, replaced, who, moment, "Another request was submitted in its place.")

    def withdraw(self, number: int, who: Person, now: datetime | None = None) -> Request:
        """Take a request back. Raises InputError where it is another's, or its file has left."""
        return self._act(Act.WITHDRAWN, number, who, now)

    def release(
        self,
        number: int,
        who: Person,
        *,
        file: str,
        decided: str,
        kind: str,
        sha256: str | None,
        now: datetime | None = None,
    ) -> Request:
        """Note that a file leaves by a request, just before it does.

        Parameters
        ----------
        number : int
            Of the request.
        who : Person
            The officer who submitted it.
        file, decided : str
            Digests of the original and of what is decided on it now.
        kind : str
            The format, a name of :data:`anonlib.release.files.FORMATS`.
        sha256 : str | None
            Of the file's bytes; None of a release that a database wrote itself.
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        Request

        Raises
        ------
        InputError
            Where the request is another's or not approved, something else was approved, or the file is not the one
            that the evidence names.
        """
        moment = _moment(now)
        with self._writing(moment) as connection:
            return self.release_within(
                connection, number, who, file=file, decided=decided, kind=kind, sha256=sha256, now=moment
            )

    def release_within(
        self,
        connection: Connection,
        number: int,
        who: Person,
        *,
        file: str,
        decided: str,
        kind: str,
        sha256: str | None,
        now: datetime | None = None,
    ) -> Request:
        """The same as :meth:`release` in a transaction of the caller's, of :meth:`Database.writing`."""
        moment = _moment(now)
        request = self._request(connection, number, moment)
        if why_not := why_not_out(request, who, file, decided, moment.date(), "" if sha256 is None else kind):
            raise InputError(why_not, code="request-not-approved")
        if sha256 is not None:
            if dict(request.asks.files)[kind] != sha256:
                raise InputError(
                    f"The {kind} is not the file that was reviewed as request No. {number}: its digest is another one. "
                    "Submit it again.",
                    code="file-not-reviewed",
                )
            left = {"sha256": sha256, "moment": _text(moment)}
            same = (FILES.c.request == number) & (FILES.c.kind == kind)
            if connection.execute(FILES.update().where(same).values(**left)).rowcount == 0:
                connection.execute(FILES.insert().values(request=number, kind=kind, **left))
        facts = {"kind": kind, **({} if sha256 is None else {"sha256": sha256}), "recipe": request.asks.recipe}
        self._go(connection, Act.RELEASED, request, who, moment, f"as {kind}", **facts)
        return self._request(connection, number, moment)

    # ---- by a reviewer ----

    def claim(self, number: int, who: Person, now: datetime | None = None) -> Request:
        """Take a request to review it. Raises InputError where somebody may not, or another one was quicker."""
        return self._act(Act.CLAIMED, number, who, now)

    def give_back(self, number: int, who: Person, now: datetime | None = None) -> Request:
        """Let another reviewer take a request. Raises InputError where it is not claimed by this one."""
        return self._act(Act.GIVEN_BACK, number, who, now)

    def send_back(self, number: int, who: Person, reason: str, now: datetime | None = None) -> Request:
        """Return a request, or take an approval back.

        Parameters
        ----------
        number : int
            Of the request.
        who : Person
            The reviewer who claimed it.
        reason : str
            Why, as typed.
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        Request

        Raises
        ------
        InputError
            Where the reviewer may not, or gives no reason.
        """
        text = _typed(reason, "The reason")
        if not text:
            raise InputError("Say why it is returned: the officer must know what to change.", code="reason-missing")
        return self._act(Act.RETURNED, number, who, now, text)

    def approve(self, number: int, who: Person, reassess: date | None = None, now: datetime | None = None) -> Request:
        """Approve a request.

        Parameters
        ----------
        number : int
            Of the request.
        who : Person
            The reviewer who claimed it.
        reassess : date, optional
            By when the release is assessed again, after today; a year from now when left out.
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        Request

        Raises
        ------
        InputError
            Where the reviewer may not, a comment is open, or the day is not in the future.
        """
        moment = _moment(now)
        day = a_year_after(moment.date()) if reassess is None else reassess
        if day <= moment.date():
            raise InputError("The release must be assessed again on a day to come. Choose one.", code="not-a-day")
        with self._writing(moment) as connection:
            request = self._request(connection, number, moment)
            check_may(TRANSITIONS[Act.APPROVED], request, who)
            if n_open := sum(comment.is_open for comment in self._comments(connection, self._line(connection, number))):
                raise InputError(
                    f"{words.count(n_open, 'comments')} on it {'is' if n_open == 1 else 'are'} open. Settle them "
                    "first, or return the request.",
                    code="comments-open",
                )
            self._go(
                connection, Act.APPROVED, request, who, moment, seal=request.asks.seal, reassess=day.isoformat()
            )  # fmt: skip
            connection.execute(STATES.update().where(STATES.c.request == number).values(reassess=day.isoformat()))
            return self._request(connection, number, moment)

    # ---- comments ----

    def comment(
        self, number: int, who: Person, text: str, place: CommentPlace | None = None, now: datetime | None = None
    ) -> Comment:
        """Write about a request; what a reviewer writes is open until a reviewer settles it.

        Parameters
        ----------
        number : int
            Of the request.
        who : Person
            Its officer, or a reviewer.
        text : str
            As typed.
        place : CommentPlace, optional
            What it is about, one of those of its evidence; the whole when left out.
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        Comment

        Raises
        ------
        InputError
            Where somebody may not, nothing is written, or there is no such place.
        """
        written, at = _typed(text, "The comment"), CommentPlace() if place is None else place
        if not written:
            raise InputError("Write the comment first.", code="text-missing")
        moment = _moment(now)
        with self._writing(moment) as connection:
            request = self._request(connection, number, moment)
            check_reads(request, who)
            if at.kind != WHOLE and at not in places_of(self._evidence(connection, request)):
                raise InputError("What the comment is about is not in this request. Choose it again.",
                                 code="choice-unknown")  # fmt: skip
            inserted = connection.execute(
                COMMENTS.insert().values(
                    request=number, place=at.kind, place_name=at.name, written=written, author=who.subject,
                    author_name=who.name, moment=_text(moment), is_open=int(who.subject != request.officer.subject),
                    settled_by="",
                )
            )  # fmt: skip
            own = _number_of(inserted)
            audit.note(connection, who, Act.COMMENTED, request=f"{number}", comment=f"{own}", about=at.kind)
            return next(comment for comment in self._comments(connection, [number]) if comment.number == own)

    def settle(self, comment: int, who: Person, now: datetime | None = None) -> Comment:
        """Note that nothing more is asked by a comment.

        Raises
        ------
        InputError
            Where the person is no reviewer, or the request is their own.
        """
        moment = _moment(now)
        with self._writing(moment) as connection:
            row = connection.execute(select(COMMENTS.c.request).where(COMMENTS.c.number == comment)).first()
            if row is None:
                raise InputError("There is no such comment. Look at the request again.", code="entry-unknown")
            request = self._request(connection, row.request, moment)
            check_another(request, who)
            values = {"is_open": 0, "settled_by": who.name}
            connection.execute(COMMENTS.update().where(COMMENTS.c.number == comment).values(**values))
            audit.note(connection, who, Act.SETTLED, request=f"{request.number}", comment=f"{comment}")
            return next(other for other in self._comments(connection, [request.number]) if other.number == comment)

    # ---- looked up ----

    def request(self, number: int, who: Person, now: datetime | None = None) -> Request:
        """The request of a number. Raises InputError where there is none, or this person may not see it."""
        moment = _moment(now)
        with self.database.reading() as connection:
            request = self._request(connection, number, moment)
            check_reads(request, who)
            return request

    def evidence(self, number: int, who: Person) -> Evidence:
        """What was frozen with a request, without a cell. Raises InputError as :meth:`request`."""
        with self.database.reading() as connection:
            request = self._request(connection, number, _moment(None))
            check_reads(request, who)
            return self._evidence(connection, request)

    def comments(self, number: int, who: Person) -> tuple[Comment, ...]:
        """Comments on a request and on those in whose place it came, the oldest first; errors as :meth:`request`."""
        with self.database.reading() as connection:
            check_reads(self._request(connection, number, _moment(None)), who)
            return self._comments(connection, self._line(connection, number))

    def events(self, number: int, who: Person) -> tuple[RequestEvent, ...]:
        """What was done with a request, in order. Raises InputError as :meth:`request`."""
        with self.database.reading() as connection:
            check_reads(self._request(connection, number, _moment(None)), who)
            rows = connection.execute(select(EVENTS).where(EVENTS.c.request == number).order_by(EVENTS.c.number))
            return tuple(RequestEvent(row.moment, row.act, row.name, row.note) for row in rows)

    def own(self, who: Person, now: datetime | None = None) -> tuple[Request, ...]:
        """The requests that somebody submitted, the newest first."""
        moment = _moment(now)
        with self.database.reading() as connection:
            return tuple(self._requests(connection, moment, officer=who.subject))[::-1]

    def queue(self, who: Person, now: datetime | None = None) -> tuple[Request, ...]:
        """What waits for a reviewer, what waits longest first; their own requests are among them, for others.

        Raises
        ------
        InputError
            Where the person is no reviewer.
        """
        check_role(who, TeamRole.REVIEWER)
        moment = _moment(now)
        with self.database.reading() as connection:
            waiting = (RequestState.SUBMITTED, RequestState.IN_REVIEW)
            return tuple(other for other in self._requests(connection, moment) if other.state in waiting)

    def reviewed(self, who: Person, now: datetime | None = None) -> tuple[Request, ...]:
        """What was decided of requests of others, the newest first. Raises InputError as :meth:`queue`."""
        check_role(who, TeamRole.REVIEWER)
        moment = _moment(now)
        waiting = (RequestState.SUBMITTED, RequestState.IN_REVIEW)
        with self.database.reading() as connection:
            return tuple(other for other in self._requests(connection, moment) if other.state not in waiting)[::-1]

    def standing(self, now: datetime | None = None) -> tuple[tuple[RequestState, str], ...]:
        """Of each open request its state and the moment of its submission, the oldest first: not what it is about."""
        moment = _moment(now)
        with self.database.reading() as connection:
            return tuple(
                (other.state, other.submitted) for other in self._requests(connection, moment) if other.is_open
            )

    def of_file(self, who: Person, file: str, now: datetime | None = None) -> tuple[Request, ...]:
        """The requests that somebody submitted about a file, by its digest, the newest first."""
        moment = _moment(now)
        with self.database.reading() as connection:
            return tuple(self._requests(connection, moment, officer=who.subject, file=file))[::-1]

    def leaving_by(
        self, who: Person, file: str, decided: str, kind: str = "", now: datetime | None = None
    ) -> tuple[Request | None, str]:
        """The request by which something leaves, and why it may not yet.

        Parameters
        ----------
        who : Person
            Who is to take it out.
        file, decided : str
            Digests of the original and of what is decided on it now.
        kind : str
            The format, a name of :data:`anonlib.release.files.FORMATS`; any that was reviewed when left out.
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        tuple of Request or None, and str
            The person's own request about exactly this, else the latest about the file; None where there is none. A
            sentence; "" where it may leave.
        """
        moment = _moment(now)
        requests = self.of_file(who, file, moment)
        if not requests:
            return None, "Nobody else has reviewed it yet: records leave by an approved request alone. Submit it."
        exactly = [request for request in requests if request.asks.decided == decided]
        day = moment.date()
        why_not = {other.number: why_not_out(other, who, file, decided, day, kind) for other in (*exactly, requests[0])}
        request = next((other for other in exactly if not why_not[other.number]), (*exactly, *requests)[0])
        return request, why_not[request.number]

    def last_release(self, request: Request, who: Person) -> tuple[Request, Evidence] | None:
        """The latest release to the recipient of a request before it, with its evidence; None where there is none.

        Recipients are the same whose kind is, and whose names differ only in capitals, punctuation and blanks. One that
        it replaces is none of them unless a file left by it. Raises InputError as :meth:`request`.
        """
        check_reads(request, who)
        recipient = plain_name(request.asks.case.recipient)
        with self.database.reading() as connection:
            earlier = [
                other
                for other in self._requests(connection, _moment(None), kind=request.asks.kind)
                if other.number < request.number
                and other.released
                and plain_name(other.asks.case.recipient) == recipient
            ]
            last = max(earlier, key=lambda other: (other.since, other.number), default=None)
            return None if last is None else (last, self._evidence(connection, last))

    # ---- within a transaction ----

    @contextmanager
    def _writing(self, moment: datetime) -> Iterator[Connection]:
        """A transaction that writes, in which those are expired first that time has made so."""
        with self.database.writing() as connection:
            over = (STATES.c.expires <= moment.date().isoformat()) & STATES.c.state.in_([state.value for state in OPEN])
            for (number,) in connection.execute(select(STATES.c.request).where(over)).all():
                values = {"state": RequestState.EXPIRED.value, "since": _text(moment)}
                connection.execute(STATES.update().where(STATES.c.request == number).values(**values))
                _note(connection, None, Act.EXPIRED, number, moment)
            yield connection

    def _act(self, act: Act, number: int, who: Person, now: datetime | None, reason: str = "") -> Request:
        moment = _moment(now)
        with self._writing(moment) as connection:
            self._go(connection, act, self._request(connection, number, moment), who, moment, reason)
            return self._request(connection, number, moment)

    def _go(
        self,
        connection: Connection,
        act: Act,
        request: Request,
        who: Person,
        moment: datetime,
        reason: str = "",
        **facts: str,
    ) -> None:
        """Go one of :data:`TRANSITIONS`, and note it. Raises InputError where it is none for this person and state."""
        transition = TRANSITIONS[act]
        check_may(transition, request, who)
        values = {"state": transition.after.value, "since": _text(moment)}
        if act in (Act.CLAIMED, Act.GIVEN_BACK):
            claimed = act is Act.CLAIMED
            values |= {"reviewer": who.subject if claimed else "", "reviewer_name": who.name if claimed else ""}
        if act in (Act.RETURNED, Act.WITHDRAWN):
            values["reason"] = reason
        connection.execute(STATES.update().where(STATES.c.request == request.number).values(**values))
        _note(connection, who, act, request.number, moment, note=reason, **facts)

    def _request(self, connection: Connection, number: int, moment: datetime) -> Request:
        wanted = checks.whole(number, "The number of a request", 0)
        requests = list(self._requests(connection, moment, number=min(wanted, 2**62)))
        if not requests:
            raise InputError(f"There is no request No. {number}. Choose one that is listed.", code="entry-unknown")
        return requests[0]

    def _requests(self, connection: Connection, moment: datetime, **equal: Any) -> Iterator[Request]:
        """The requests whose columns have these values, the oldest first; expired where time has made them so."""
        wanted = select(REQUESTS, STATES).join(STATES, STATES.c.request == REQUESTS.c.number)
        for name, value in equal.items():
            wanted = wanted.where(REQUESTS.c[name] == value)
        rows = connection.execute(wanted.order_by(REQUESTS.c.number)).all()
        numbers = [row.number for row in rows]
        files = connection.execute(
            select(FILES).where(FILES.c.request.in_(numbers)).order_by(FILES.c.moment, FILES.c.kind)
        ).all()
        later = connection.execute(
            select(REQUESTS.c.replaces, REQUESTS.c.number).where(REQUESTS.c.replaces.in_(numbers))
        )
        replaced_by = {row.replaces: row.number for row in later}
        for row in rows:
            released = tuple(ReleasedFile(f.kind, f.sha256, f.moment) for f in files if f.request == row.number)
            request = _request_of(row, replaced_by.get(row.number), released)
            yield as_of(request, moment.date())

    def _evidence(self, connection: Connection, request: Request) -> Evidence:
        wanted = select(DOCUMENTS.c.document).where(DOCUMENTS.c.request == request.number)
        document = connection.execute(wanted).scalar_one()
        if digest_of(document) != request.asks.evidence:
            raise _changed(request.number)
        return evidence_in(document)

    def _line(self, connection: Connection, number: int) -> list[int]:
        """A request and all those in whose place it came."""
        numbers, replaced = [], number
        while replaced is not None:
            numbers.append(replaced)
            replaced = connection.execute(
                select(REQUESTS.c.replaces).where(REQUESTS.c.number == replaced)
            ).scalar_one()  # fmt: skip
        return numbers

    def _comments(self, connection: Connection, numbers: list[int]) -> tuple[Comment, ...]:
        rows = connection.execute(
            select(COMMENTS).where(COMMENTS.c.request.in_(numbers)).order_by(COMMENTS.c.number)
        )  # fmt: skip
        return tuple(
            Comment(
                row.number, row.request, CommentPlace(row.place, row.place_name), row.written,
                Person(row.author, row.author_name, frozenset()), row.moment, bool(row.is_open), row.settled_by,
            )
            for row in rows
        )  # fmt: skip


# ---- rows ----


def _insert(connection: Connection, who: Person, asks: Submission, replaces: int | None, moment: datetime) -> int:
    row = {name: getattr(asks, name) for name in _AS_THEY_ARE} | {
        "replaces": replaces, "submitted": _text(moment), "officer": who.subject, "officer_name": who.name,
        "decided_for": json.dumps(asks.case.to_dict(), ensure_ascii=False),
        "files": json.dumps(asks.files), "may_leave_by_reason": int(asks.is_by_reason),
        "seal": _sealed(asks, who.subject),
    }  # fmt: skip
    return _number_of(connection.execute(REQUESTS.insert().values(**row)))


def _number_of(inserted: CursorResult[Any]) -> int:
    """The number that a new row was given."""
    assert inserted.inserted_primary_key is not None
    return int(inserted.inserted_primary_key[0])


def _sealed(asks: Submission, officer: str) -> str:
    """SHA-256 of what is asked for and by whom."""
    return hashlib.sha256(f"{asks.seal} {officer}".encode()).hexdigest()


_AS_THEY_ARE = ("kind", "kind_name", "verdict", "file", "recipe", "decided", "evidence")


def _request_of(row: Row[Any], replaced_by: int | None, released: tuple[ReleasedFile, ...]) -> Request:
    """Raises InputError where what was frozen is not as it was."""
    try:
        case = ReleaseCase.from_dict(json.loads(row.decided_for))
        state = RequestState(row.state)
        files = tuple((kind, digest) for kind, digest in json.loads(row.files))
    except (ValueError, TypeError, InputError):
        raise _changed(row.number) from None
    frozen = {name: getattr(row, name) for name in _AS_THEY_ARE}
    asks = Submission(case=case, is_by_reason=bool(row.may_leave_by_reason), files=files, **frozen)
    if row.seal != _sealed(asks, row.officer):
        raise _changed(row.number)
    reviewer = Person(row.reviewer, row.reviewer_name, frozenset({TeamRole.REVIEWER})) if row.reviewer else None
    return Request(
        number=row.number, officer=Person(row.officer, row.officer_name, frozenset({TeamRole.OFFICER})),
        submitted=row.submitted, asks=asks, replaces=row.replaces, replaced_by=replaced_by, state=state,
        since=row.since, reviewer=reviewer, reason=row.reason, expires=row.expires, reassess=row.reassess,
        released=released,
    )  # fmt: skip


def _note(
    connection: Connection, who: Person | None, act: Act, number: int, moment: datetime, note: str = "", **facts: str
) -> None:
    """A line in the history of a request, and one among the audit lines, which has none of what was typed in it."""
    name = "" if who is None else who.name
    values = {"request": number, "moment": _text(moment), "act": act.value, "name": name, "note": note}
    connection.execute(EVENTS.insert().values(**values))
    audit.note(connection, who, act, request=f"{number}", **facts)


def _changed(number: int) -> InputError:
    return InputError(
        f"What was submitted as request No. {number} is not as it was: the store was changed from outside. Ask the "
        "administrator to verify the audit lines.",
        code="store-damaged",
    )


def _moment(now: datetime | None) -> datetime:
    return (now or datetime.now(UTC)).astimezone(UTC)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _typed(text: str, what: str) -> str:
    typed = checks.text(text, what).strip()
    if len(typed) > MOST_CHARACTERS:
        raise InputError(f"{what} is longer than {MOST_CHARACTERS:,} characters. Shorten it.", code="text-too-long")
    return typed
