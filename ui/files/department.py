"""The department that this server is for, in a run of a page: its store, and the request by which something leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person
from anonlib.filing.department.transitions import Request
from anonlib.filing.project import Opened
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from ui.server import who

if TYPE_CHECKING:  # which need the department's database
    from anonlib.filing.department.department import Department
    from anonlib.filing.department.keys import KeyName
    from anonlib.filing.department.requests import Requests


def department() -> Department | None:
    """The department's store (:func:`ui.server.who.department`)."""
    return who.department()


def names_of_keys() -> tuple[KeyName, ...]:
    """The department's keys of pseudonyms by what names them; none at a desk."""
    here = department()
    return () if here is None else here.keys.of_pseudonyms()


def key_of(pseudonyms: Pseudonyms) -> KeyOfPseudonyms | None:
    """The department's key that a label is of; None where it has none, and at a desk."""
    here = department()
    named = next((key for key in names_of_keys() if key.id == pseudonyms.key_id), None)
    return None if here is None or named is None else here.keys.key(named.name, named.version)


def requests() -> Requests:
    """The department's requests, which a desk has none of."""
    here = department()
    assert here is not None
    return here.requests


def person() -> Person:
    """Who this run is for, at a department's server. Raises InputError where the sign-in has ended meanwhile."""
    signed_in = who.person()
    if signed_in is None:
        raise InputError("Your sign-in has ended. Load this page again to sign in.", code="sign-in-ended")
    return signed_in


def note(act: Act, **facts: str) -> None:
    """Append an audit line of what the person of this run did; nothing at a desk.

    Raises InputError where it cannot be noted: then it is not to be done.
    """
    here = department()
    if here is not None:
        here.note(person(), act, **facts)


def noting(act: Act, make: Callable[[], bytes], **facts: str) -> Callable[[], bytes]:
    """What makes a file and appends an audit line of it, with its digest; at a desk the same."""
    here = department()
    if here is None:
        return make
    taken_by = person()

    def make_and_note() -> bytes:
        file = make()
        here.note(taken_by, act, sha256=sha256(file).hexdigest(), **facts)
        return file

    return make_and_note


def request_of(opened: Opened, kind: str = "") -> tuple[Request | None, str]:
    """The request by which what is decided leaves, and why it may not yet (:meth:`Requests.leaving_by`)."""
    return requests().leaving_by(person(), opened.data.digest, opened.decided, kind)


def why_it_stays(opened: Opened, kind: str = "") -> str:
    """Why nothing may leave before somebody else approved it, in a sentence; "" where it may, and at a desk."""
    return "" if department() is None else request_of(opened, kind)[1]


@dataclass(frozen=True)
class WayOut:
    """What is decided, on its way out by a request; it is made where there is a session, and used where there is none.

    Attributes
    ----------
    requests : where it is looked up and noted.
    person : who takes it out.
    file, decided : digests of the original and of what is decided on it.
    """

    requests: Requests
    person: Person
    file: str
    decided: str

    def check(self) -> Request:
        """The request by which it may leave now. Raises InputError where there is none, or no longer."""
        request, why_not = self.requests.leaving_by(self.person, self.file, self.decided)
        if request is None or why_not:
            raise InputError(why_not, code="request-not-approved")
        return request

    def note(self, formats: Mapping[str, str]) -> None:
        """Note that files leave, by format their digests; none of a release that a database wrote itself.

        Raises InputError where one may not, and then none is noted.
        """
        number = self.check().number
        leaving: Mapping[str, str | None] = formats or {"a table in the database": None}
        for kind, digest in leaving.items():
            self.requests.release(
                number, self.person, file=self.file, decided=self.decided, kind=kind, sha256=digest
            )  # fmt: skip


def leaving(opened: Opened) -> WayOut | None:
    """What the session has decided, on its way out; None at a desk, where no request is asked for."""
    if department() is None:
        return None
    return WayOut(requests(), person(), opened.data.digest, opened.decided)


def taking_out(opened: Opened, kind: str, make: Callable[[], bytes]) -> Callable[[], bytes]:
    """What makes a file that leaves by a request, and notes it before it is handed out; at a desk the same."""
    out = leaving(opened)
    if out is None:
        return make

    def make_and_note() -> bytes:
        out.check()
        file = make()
        out.note({kind: sha256(file).hexdigest()})
        return file

    return make_and_note
