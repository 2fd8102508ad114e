"""Random acts by random people against a slow and obvious reference, which is written down by hand state by state."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from anonlib.basics.errors import InputError
from anonlib.filing.department import audit
from anonlib.filing.department.database import Database
from anonlib.filing.department.person import Person
from anonlib.filing.department.requests import DOCUMENTS, REQUESTS, Requests
from anonlib.filing.department.settings import StoreSettings
from anonlib.filing.department.submission import evidence_in
from anonlib.filing.department.transitions import TRANSITIONS, Actor
from tests.helpers.department import in_postgresql
from tests.helpers.engines import Engine
from tests.helpers.examples import settings
from tests.helpers.requests import ANN, BEN, CAT, DAN, EVE, OFFICER, REVIEWER, asks, submitted

BEGIN = datetime(2026, 12, 1, 9, tzinfo=UTC)
ANN_AGAIN = Person(ANN.subject, "A. Meier-Roth", OFFICER | REVIEWER)
PEOPLE = st.sampled_from([ANN, ANN_AGAIN, BEN, CAT, DAN, EVE])
DECISIONS = st.integers(0, 3)
NUMBERS = st.integers(1, 6)
SHA = evidence_in(submitted()[1]).released.sha256


@dataclass
class Known:
    """What is to be known of a request."""

    officer: str
    decision: int
    day: int
    state: str = "submitted"
    reviewer: str = ""
    replaced: bool = False
    replaces: int | None = None
    left: bool = False
    comments: dict[int, bool] = field(default_factory=dict)


def is_officer(who: Person) -> bool:
    return who in (ANN, ANN_AGAIN, BEN)


def is_reviewer(who: Person) -> bool:
    return who in (ANN_AGAIN, BEN, CAT, DAN)


class Department(RuleBasedStateMachine):
    """Requests of a department, and beside them what they must be."""

    store: StoreSettings

    @initialize()
    def begin(self) -> None:
        self.database = Database.open(self.new_store())
        self.requests = Requests(self.database, days=10)
        self.known: dict[int, Known] = {}
        self.day = 0
        self.frozen: dict[int, tuple] = {}
        self.n_comments = 0

    def new_store(self) -> StoreSettings:
        self.folder = Path(tempfile.mkdtemp())
        return StoreSettings(self.folder)

    def teardown(self) -> None:
        if hasattr(self, "database"):
            assert audit.verify(self.database).holds
            self.database.close()
            shutil.rmtree(self.folder)

    @property
    def now(self) -> datetime:
        return BEGIN + timedelta(days=self.day)

    def happens(self, is_allowed: bool, act, *given, **named):
        """Do it, and see that it is done where it is allowed, and refused where it is not."""
        try:
            answer = act(*given, **named)
        except InputError as error:
            assert not is_allowed, error
            return None
        assert is_allowed, "it was not refused"
        return answer

    # ---- acts ----

    @rule(who=PEOPLE, decision=DECISIONS, replaces=st.none() | NUMBERS)
    def submit(self, who: Person, decision: int, replaces: int | None) -> None:
        may = is_officer(who)
        for number, each in self.known.items():
            is_open = each.state in ("submitted", "in review", "returned", "approved") and not each.replaced
            may &= not (is_open and each.decision == decision and number != replaces)
        if replaces is not None:
            other = self.known.get(replaces)
            may &= other is not None and other.officer == who.subject and not other.replaced
        made = self.happens(may, self.requests.submit, who, *asks(decision), replaces=replaces, now=self.now)
        if made is None:
            return
        if replaces is not None:
            other = self.known[replaces]
            other.replaced = True
            if other.state in ("submitted", "in review", "approved"):
                other.state = "withdrawn"
        assert made.number == len(self.known) + 1
        self.known[made.number] = Known(who.subject, decision, self.day, replaces=replaces)

    @rule(who=PEOPLE, number=NUMBERS)
    def claim(self, who: Person, number: int) -> None:
        each = self.known.get(number)
        may = is_reviewer(who) and each is not None and each.officer != who.subject and each.state == "submitted"
        if self.happens(may, self.requests.claim, number, who, self.now):
            each.state, each.reviewer = "in review", who.subject

    @rule(who=PEOPLE, number=NUMBERS)
    def give_back(self, who: Person, number: int) -> None:
        each = self.known.get(number)
        may = each is not None and each.state == "in review" and self.has_claimed(who, each)
        if self.happens(may, self.requests.give_back, number, who, self.now):
            each.state, each.reviewer = "submitted", ""

    @rule(who=PEOPLE, number=NUMBERS)
    def send_back(self, who: Person, number: int) -> None:
        each = self.known.get(number)
        may = each is not None and each.state in ("in review", "approved") and self.has_claimed(who, each)
        if self.happens(may, self.requests.send_back, number, who, "Not so.", self.now):
            each.state = "returned"

    @rule(who=PEOPLE, number=NUMBERS)
    def approve(self, who: Person, number: int) -> None:
        each = self.known.get(number)
        may = each is not None and each.state == "in review" and self.has_claimed(who, each)
        line = each
        while may and line is not None:
            may &= not any(line.comments.values())
            line = self.known[line.replaces] if line.replaces is not None else None
        if self.happens(may, self.requests.approve, number, who, now=self.now):
            each.state = "approved"

    @rule(who=PEOPLE, number=NUMBERS)
    def withdraw(self, who: Person, number: int) -> None:
        each = self.known.get(number)
        may = each is not None and is_officer(who) and each.officer == who.subject
        may = may and each.state in ("submitted", "in review", "returned", "approved")
        if self.happens(may, self.requests.withdraw, number, who, self.now):
            each.state = "withdrawn"

    @rule(who=PEOPLE, number=NUMBERS, decision=DECISIONS)
    def release(self, who: Person, number: int, decision: int) -> None:
        each, given = self.known.get(number), asks(decision)[0]
        may = each is not None and is_officer(who) and each.officer == who.subject
        may = may and each.state in ("approved", "released") and each.decision == decision
        digests = {"file": given.file, "decided": given.decided, "sha256": SHA}
        if self.happens(may, self.requests.release, number, who, kind="CSV", now=self.now, **digests):
            each.state, each.left = "released", True

    @rule(who=PEOPLE, number=NUMBERS)
    def comment(self, who: Person, number: int) -> None:
        each = self.known.get(number)
        may = each is not None and (is_reviewer(who) or each.officer == who.subject)
        made = self.happens(may, self.requests.comment, number, who, "Why?", now=self.now)
        if made:
            self.n_comments += 1
            assert made.number == self.n_comments
            each.comments[made.number] = who.subject != each.officer

    @precondition(lambda self: self.n_comments)
    @rule(who=PEOPLE, comment=st.integers(1, 8))
    def settle(self, who: Person, comment: int) -> None:
        each = next((known for known in self.known.values() if comment in known.comments), None)
        may = each is not None and is_reviewer(who) and each.officer != who.subject
        if self.happens(may, self.requests.settle, comment, who, self.now):
            each.comments[comment] = False

    @rule(days=st.sampled_from([1, 4]))
    def days_pass(self, days: int) -> None:
        self.day += days
        for each in self.known.values():
            if each.state in ("submitted", "in review", "returned", "approved") and self.day >= each.day + 10:
                each.state = "expired"

    @staticmethod
    def has_claimed(who: Person, each: Known) -> bool:
        return is_reviewer(who) and each.officer != who.subject and each.reviewer == who.subject

    # ---- what always holds ----

    @invariant()
    def states_are_as_known(self) -> None:
        if not hasattr(self, "requests"):
            return
        every = {r.number: r for r in (*self.requests.queue(CAT, self.now), *self.requests.reviewed(CAT, self.now))}
        assert {number: request.state.value for number, request in every.items()} == {
            number: each.state for number, each in self.known.items()
        }
        for number, request in every.items():
            each = self.known[number]
            assert bool(request.released) == each.left and (request.replaced_by is not None) == each.replaced
            if request.state in ("approved", "released"):
                assert request.reviewer is not None and request.reviewer.subject != request.officer.subject

    @invariant()
    def what_was_submitted_is_frozen(self) -> None:
        if not hasattr(self, "database"):
            return
        with self.database.reading() as connection:
            rows = {row.number: tuple(row) for row in connection.execute(select(REQUESTS))}
            texts = {row.request: row.document for row in connection.execute(select(DOCUMENTS))}
        for number, row in self.frozen.items():
            assert rows[number] == row and texts[number] == submitted()[1]
        self.frozen = rows


def test_random_acts_are_allowed_or_refused_as_the_reference_has_it() -> None:
    run_state_machine_as_test(Department, settings=settings(100, stateful_step_count=30, deadline=None))


@pytest.mark.engines
def test_the_same_in_postgresql(server: Engine) -> None:
    class InPostgreSQL(Department):
        def new_store(self) -> StoreSettings:
            self.folder = Path(tempfile.mkdtemp())
            return in_postgresql(server, self.folder)

    run_state_machine_as_test(InPostgreSQL, settings=settings(4, stateful_step_count=25, deadline=None))


def test_the_table_of_transitions_lets_nobody_review_their_own() -> None:
    for transition in TRANSITIONS.values():
        assert (transition.actor in (Actor.ANOTHER, Actor.REVIEWER)) == (
            transition.after in ("in review", "returned", "approved") or transition.act is audit.Act.GIVEN_BACK
        )
    approving = [transition for transition in TRANSITIONS.values() if transition.after == "approved"]
    assert [transition.before for transition in approving] == [("in review",)]
    assert replace(ANN_AGAIN, name=ANN.name, roles=ANN.roles) == ANN
