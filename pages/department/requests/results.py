"""The requests that somebody may see, and all that there is to see of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from anonlib.filing.department.changes import ReleaseChange, changes, changes_since_entry
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.submission import CommentPlace
from anonlib.filing.department.transitions import Comment, Request, RequestEvent, RequestState
from anonlib.filing.evidence import Evidence
from anonlib.filing.register import RegisterEntry
from anonlib.filing.register.entry import plain_name
from ui.files import department
from ui.session import state

SOON = timedelta(days=30)


@dataclass(frozen=True)
class ChosenRequest:
    """Which request is looked at, and what about it waits for a second press; the number is 0 for none.

    It is of no file: it stays when another one is opened.
    """

    OF_NO_FILE = True
    number: int = 0
    confirms: str = ""
    dropped: str = ""


@dataclass(frozen=True)
class RequestInView:
    """A request with all that there is to see of it.

    Attributes
    ----------
    request : the one.
    person : who looks at it.
    evidence : what was frozen with it.
    comments : those on it, and on those in whose place it came.
    events : what was done with it.
    last : the last release to the same recipient, with its evidence; None without one.
    entry : where there is none, the last one that the department's register has; None without one.
    """

    request: Request
    person: Person
    evidence: Evidence
    comments: tuple[Comment, ...]
    events: tuple[RequestEvent, ...]
    last: tuple[Request, Evidence] | None
    entry: RegisterEntry | None

    @property
    def is_own(self) -> bool:
        """Whether who looks at it submitted it."""
        return self.request.officer.subject == self.person.subject

    @property
    def is_claimed(self) -> bool:
        """Whether who looks at it has claimed it."""
        reviewer = self.request.reviewer
        return reviewer is not None and reviewer.subject == self.person.subject and not self.is_own

    @property
    def may_claim(self) -> bool:
        """Whether who looks at it can claim it."""
        return (
            self.request.state is RequestState.SUBMITTED and not self.is_own and TeamRole.REVIEWER in self.person.roles
        )

    @property
    def n_open(self) -> int:
        """Comments that ask for something and are not settled."""
        return sum(comment.is_open for comment in self.comments)

    def comments_at(self, kind: str, name: str) -> list[Comment]:
        """The comments that stand at one place."""
        return [comment for comment in self.comments if comment.place == CommentPlace(kind, name)]

    @property
    def changes(self) -> tuple[ReleaseChange, ...]:
        """What is otherwise than in the last release to the same recipient; () without one."""
        if self.last is not None:
            return changes(self.last[1], self.evidence)
        return () if self.entry is None else changes_since_entry(self.entry, self.evidence)


def in_view() -> RequestInView | None:
    """The request that is looked at; None where the list is. Raises InputError where it may not be seen."""
    number, person = state.part(ChosenRequest).number, department.person()
    if not number:
        return None
    requests = department.requests()
    request = requests.request(number, person)
    last = requests.last_release(request, person)
    return RequestInView(
        request, person, requests.evidence(number, person), requests.comments(number, person),
        requests.events(number, person), last, None if last is not None else _last_entry(request),
    )  # fmt: skip


def _last_entry(request: Request) -> RegisterEntry | None:
    """The last release to the recipient of a request that was entered before it, such as from a desk's register."""
    here, recipient = department.department(), plain_name(request.asks.case.recipient)
    assert here is not None
    earlier = (
        entry
        for entry in here.register.entries()
        if entry.kind == request.asks.kind
        and plain_name(entry.case.recipient) == recipient
        and entry.latest < request.submitted
    )
    return max(earlier, key=lambda entry: entry.latest, default=None)


def waiting(person: Person) -> tuple[list[Request], list[Request]]:
    """Of the requests of others, those that a reviewer has claimed, and all others that are not decided, what waits
    longest first."""
    queue = [request for request in department.requests().queue(person) if request.officer.subject != person.subject]
    claimed = [
        request for request in queue if request.reviewer is not None and request.reviewer.subject == person.subject
    ]
    return claimed, [request for request in queue if request not in claimed]


def decided(person: Person) -> list[Request]:
    """The requests of others that wait for no reviewer, the newest first."""
    return [request for request in department.requests().reviewed(person) if request.officer.subject != person.subject]


def days_since(moment: str) -> int:
    """Whole days since a moment of a request."""
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).days


def due_in_words(request: Request, today: date) -> str:
    """What is due of a request by its officer, as text; "" for nothing within 30 days."""
    soon = (today + SOON).isoformat()
    if request.state is RequestState.APPROVED:
        return f"take its file out by {request.expires}"
    if request.state is RequestState.RETURNED and request.replaced_by is None:
        return "change it and submit it again"
    if request.state is RequestState.RELEASED and request.replaced_by is None and request.reassess <= soon:
        over = " (over)" if request.reassess <= today.isoformat() else ""
        return f"assess it again by {request.reassess}{over}"
    return ""
