"""The states of a request: what becomes of a submitted case, who may do what with it, and when its file leaves.

The table :data:`TRANSITIONS` has every way from one state to another. Nobody claims, returns or approves what they
submitted themselves: people are the same whose subject is, under whatever name and role they act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.submission import CommentPlace, Submission


class RequestState(StrEnum):
    """What has become of a request; before it is submitted, it is a draft in the officer's session and project."""

    SUBMITTED = "submitted"
    IN_REVIEW = "in review"
    RETURNED = "returned"
    APPROVED = "approved"
    RELEASED = "released"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Actor(StrEnum):
    """Who may do something with a request."""

    OFFICER = "the officer whose request it is"
    ANOTHER = "a reviewer who is not that officer"
    REVIEWER = "the reviewer who claimed it, who is not that officer"
    TIME = "nobody: time"


@dataclass(frozen=True)
class Transition:
    """A way from some states to another.

    Attributes
    ----------
    act : Act
        What is noted in the audit lines.
    actor : Actor
        Who goes it.
    before : tuple[RequestState, ...]
        From where; empty of a new request.
    after : RequestState
        To where.
    """

    act: Act
    actor: Actor
    before: tuple[RequestState, ...]
    after: RequestState


OPEN = (RequestState.SUBMITTED, RequestState.IN_REVIEW, RequestState.RETURNED, RequestState.APPROVED)
TRANSITIONS: Mapping[Act, Transition] = {
    transition.act: transition
    for transition in (
        Transition(Act.SUBMITTED, Actor.OFFICER, (), RequestState.SUBMITTED),
        Transition(Act.CLAIMED, Actor.ANOTHER, (RequestState.SUBMITTED,), RequestState.IN_REVIEW),
        Transition(Act.GIVEN_BACK, Actor.REVIEWER, (RequestState.IN_REVIEW,), RequestState.SUBMITTED),
        Transition(
            Act.RETURNED, Actor.REVIEWER, (RequestState.IN_REVIEW, RequestState.APPROVED), RequestState.RETURNED
        ),
        Transition(Act.APPROVED, Actor.REVIEWER, (RequestState.IN_REVIEW,), RequestState.APPROVED),
        Transition(Act.WITHDRAWN, Actor.OFFICER, OPEN, RequestState.WITHDRAWN),
        Transition(
            Act.RELEASED, Actor.OFFICER, (RequestState.APPROVED, RequestState.RELEASED), RequestState.RELEASED
        ),
        Transition(Act.EXPIRED, Actor.TIME, OPEN, RequestState.EXPIRED),
    )
}  # fmt: skip
"""Every way there is."""
_DONE = {
    Act.CLAIMED: "claimed",
    Act.GIVEN_BACK: "given back",
    Act.RETURNED: "returned",
    Act.APPROVED: "approved",
    Act.WITHDRAWN: "withdrawn",
    Act.RELEASED: "taken out",
}


@dataclass(frozen=True)
class ReleasedFile:
    """A file that left by a request.

    Attributes
    ----------
    kind : str
        A name of :data:`anonlib.release.files.FORMATS`.
    sha256 : str
        Of its bytes.
    moment : str
        When it left last, UTC.
    """

    kind: str
    sha256: str
    moment: str


@dataclass(frozen=True)
class RequestEvent:
    """Something that was done with a request.

    Attributes
    ----------
    moment : str
        UTC, as ``2026-12-01T10:15:00+00:00``.
    act : str
        As in the audit lines.
    name : str
        Who did it; "" of time.
    note : str
        What was written with it; "".
    """

    moment: str
    act: str
    name: str
    note: str


@dataclass(frozen=True)
class Comment:
    """What somebody wrote about a request.

    Attributes
    ----------
    number, request : int
        Its own, and that of the request.
    place : CommentPlace
        What it is about.
    text : str
        As typed.
    by : Person
        Who wrote it.
    moment : str
        When, UTC.
    is_open : bool
        Whether a reviewer asks for something by it and nobody settled it.
    settled_by : str
        Who settled it; "".
    """

    number: int
    request: int
    place: CommentPlace
    text: str
    by: Person
    moment: str
    is_open: bool
    settled_by: str


@dataclass(frozen=True)
class Request:
    """A case that was submitted, and what became of it.

    Attributes
    ----------
    number : int
        Counts from 1; none is given twice.
    officer : Person
        Who submitted it; with the role alone by which that was done.
    submitted : str
        When, UTC.
    asks : Submission
        What is asked for, frozen.
    replaces, replaced_by : int | None
        The request in whose place it was submitted, and the one in its own.
    state : RequestState
        What became of it.
    since : str
        Since when it is so, UTC.
    reviewer : Person | None
        Who claimed it last, and did not give it back; with the role alone by which that was done.
    reason : str
        Why it was returned or withdrawn; "".
    expires : str
        The day from which it is expired unless a file left by it, as ``2027-03-01``.
    reassess : str
        The day by which it is assessed again once it is approved; "" before.
    released : tuple[ReleasedFile, ...]
        What left by it.
    """

    number: int
    officer: Person
    submitted: str
    asks: Submission
    replaces: int | None
    replaced_by: int | None
    state: RequestState
    since: str
    reviewer: Person | None
    reason: str
    expires: str
    reassess: str
    released: tuple[ReleasedFile, ...]

    @property
    def is_open(self) -> bool:
        """Whether somebody has still to do something with it before its file has left."""
        return self.state in OPEN and self.replaced_by is None

    @property
    def in_a_line(self) -> str:
        """Which one it is, as one line."""
        return f"No. {self.number}: {self.asks.in_a_line}"


# ---- who may, and when ----


def why_not_out(request: Request, who: Person, file: str, decided: str, today: date, kind: str = "") -> str:
    """Why nothing may leave by a request now, in a sentence; "" where its file may.

    Parameters
    ----------
    request : Request
        The one by which it is to leave.
    who : Person
        Who takes it out.
    file, decided : str
        Digests of the original and of what is decided on it now.
    today : date
        The day.
    kind : str
        The format in which it is to leave; "" for any that was reviewed.
    """
    name = f"Request No. {request.number}"
    if request.officer.subject != who.subject or TeamRole.OFFICER not in who.roles:
        return f"{name} is {request.officer.name}’s: who submitted it takes its file out."
    if request.asks.file != file:
        return f"{name} is about another file. Submit this one for review."
    match request.state:
        case RequestState.SUBMITTED:
            return f"{name} waits for a reviewer."
        case RequestState.IN_REVIEW:
            by = "" if request.reviewer is None else f" by {request.reviewer.name}"
            return f"{name} is in review{by}."
        case RequestState.RETURNED:
            return f"{name} was returned: {request.reason.removesuffix('.')}. Change it, and submit it again."
        case RequestState.WITHDRAWN:
            return f"{name} was withdrawn. Submit it again."
        case RequestState.EXPIRED:
            return f"{name} is expired, since nothing left by it until {request.expires}. Submit it again."
    if request.asks.decided != decided:
        return (
            f"What is decided now is not what was approved as request No. {request.number}. Submit it again, or undo "
            "what was changed since."
        )
    if kind and kind not in dict(request.asks.files):
        return (
            f"{name} is not about the {kind}: its report has no digest of that file, so nobody reviewed it. There is "
            f"one of the {words.listed([name for name, _ in request.asks.files])}."
        )
    if request.reassess <= today.isoformat():
        return f"The release of request No. {request.number} was to be assessed again by {request.reassess}. Submit it."
    return ""


def check_may(transition: Transition, request: Request, who: Person) -> None:
    """Raises InputError where this person may not go a transition, or not in this state."""
    match transition.actor:
        case Actor.OFFICER:
            check_role(who, TeamRole.OFFICER)
            if request.officer.subject != who.subject:
                raise InputError(
                    f"Request No. {request.number} is {request.officer.name}’s, who alone may do this.",
                    code="request-of-another",
                )
        case Actor.ANOTHER | Actor.REVIEWER:
            check_another(request, who)
        case Actor.TIME:
            raise InputError("A request expires by time alone.", code="role-lacking")
    done = _DONE[transition.act]
    if request.state not in transition.before:
        raise InputError(
            f"Request No. {request.number} is {request.state} and cannot be {done}. Look at it again.",
            code="request-in-other-state",
        )
    claimed_by = "" if request.reviewer is None else request.reviewer.subject
    if transition.actor is Actor.REVIEWER and claimed_by != who.subject:
        raise InputError(
            f"Request No. {request.number} was claimed by somebody else, who alone can have it {done}.",
            code="request-claimed",
        )


def check_another(request: Request, who: Person) -> None:
    """Raises InputError where somebody is no reviewer, or it is their own request, under whatever name."""
    check_role(who, TeamRole.REVIEWER)
    if request.officer.subject == who.subject:
        raise InputError(
            f"Request No. {request.number} is your own. Somebody else has to review it.", code="request-of-oneself"
        )


def check_role(who: Person, role: TeamRole) -> None:
    """Raises InputError where somebody has not this role."""
    if role not in who.roles:
        raise InputError(f"Only somebody with the role {role.value} may do this.", code="role-lacking")


def check_reads(request: Request, who: Person) -> None:
    """Raises InputError where somebody is neither its officer nor a reviewer."""
    if request.officer.subject != who.subject:
        check_role(who, TeamRole.REVIEWER)


def as_of(request: Request, today: date) -> Request:
    """The request as it is on a day: one that nobody wrote to since it expired is expired all the same."""
    is_over = request.state in OPEN and request.expires <= today.isoformat()
    return replace(request, state=RequestState.EXPIRED) if is_over else request
