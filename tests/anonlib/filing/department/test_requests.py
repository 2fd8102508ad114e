"""Requests: every way to another state, who may go it, and that what was submitted stays as it was."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest
from sqlalchemy import text

from anonlib.basics.errors import InputError
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.database import Database
from anonlib.filing.department.person import Person
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import StoreSettings
from anonlib.filing.department.submission import COLUMN, CRITERION, STEP, CommentPlace, called, evidence_in
from anonlib.filing.department.transitions import RequestState, why_not_out
from tests.helpers.department import without_triggers
from tests.helpers.errors import refused
from tests.helpers.requests import ANN, BEN, CASE, CAT, DAN, EVE, OFFICER, REVIEWER, asks, submitted

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
EVIDENCE = evidence_in(submitted()[1])


@pytest.fixture
def requests(database: Database) -> Requests:
    return Requests(database)


def approved(requests: Requests, number: int = 0, who: Person = ANN, by: Person = CAT) -> int:
    """The number of a request that somebody submitted and another one approved."""
    own = requests.submit(who, *asks(number), now=NOW).number
    requests.claim(own, by, NOW)
    return requests.approve(own, by, now=NOW).number


def taken(requests: Requests, number: int, who: Person = ANN, kind: str = "CSV", now: datetime = NOW, **changes: str):
    """The file of a request, taken out as the page does."""
    frozen = requests.request(number, who, now).asks
    given = {"file": frozen.file, "decided": frozen.decided, "sha256": EVIDENCE.released.on_record[kind]} | changes
    return requests.release(number, who, kind=kind, now=now, **given)


# ---- the whole way ----


def test_the_whole_way_from_submission_to_the_file(requests: Requests) -> None:
    first = requests.submit(ANN, *asks(1), now=NOW)
    assert (first.number, first.state, first.officer.name) == (1, RequestState.SUBMITTED, "Ann Meier")
    assert first.asks.case == CASE and first.expires == "2027-03-01" and first.is_open
    assert requests.evidence(1, ANN) == EVIDENCE and not EVIDENCE.is_confidential
    assert requests.claim(1, CAT, NOW).reviewer.name == "Cat Wild"
    place = CommentPlace(CRITERION, called(EVIDENCE.criteria[0]))
    asked = requests.comment(1, CAT, "Why 5 and not 11?", place, NOW)
    answer = requests.comment(1, ANN, "As in the contract.", place, NOW)
    assert (asked.is_open, answer.is_open) == (True, False), "who submitted asks nothing"
    back = requests.send_back(1, CAT, "Take 11.", NOW)
    assert (back.state, back.reason) == (RequestState.RETURNED, "Take 11.")

    second = requests.submit(ANN, *asks(2), replaces=1, now=NOW)
    assert second.replaces == 1 and requests.request(1, ANN, NOW).replaced_by == 2
    assert [each.number for each in requests.queue(DAN, NOW)] == [2]
    assert [each.text for each in requests.comments(2, DAN)] == ["Why 5 and not 11?", "As in the contract."]
    requests.claim(2, DAN, NOW)
    with refused("comments-open"):
        requests.approve(2, DAN, now=NOW)
    assert requests.settle(asked.number, DAN, NOW).settled_by == "Dan Kern"
    done = requests.approve(2, DAN, NOW.date() + timedelta(days=200), NOW)
    assert (done.state, done.reassess) == (RequestState.APPROVED, "2027-06-19")
    released = taken(requests, 2)
    assert released.state is RequestState.RELEASED
    assert [(file.kind, file.sha256) for file in released.released] == [("CSV", EVIDENCE.released.sha256)]
    assert {each.kind for each in taken(requests, 2, kind="Parquet").released} == {"CSV", "Parquet"}, "in any format"
    assert [each.act for each in requests.events(2, ANN)] == [
        "request submitted", "request claimed", "request approved", "released", "released",
    ]  # fmt: skip
    lines = [line.act for line in audit.lines(requests.database)][::-1]
    assert lines == [
        "request submitted", "request claimed", "request commented", "request commented", "request returned",
        "request submitted", "request claimed", "comment settled", "request approved", "released", "released",
    ]  # fmt: skip
    assert audit.verify(requests.database).holds


def test_audit_lines_have_digests_and_no_word_of_a_comment_or_reason(requests: Requests) -> None:
    number = requests.submit(ANN, *asks(), now=NOW).number
    requests.claim(number, CAT, NOW)
    requests.comment(number, CAT, "quokka", CommentPlace(COLUMN, "age"), NOW)
    requests.send_back(number, CAT, "wombat", NOW)
    lines = "\n".join(audit.exported(requests.database))
    assert "quokka" not in lines and "wombat" not in lines and CASE.title in lines
    frozen = requests.request(number, ANN, NOW).asks
    assert {frozen.seal, frozen.file, frozen.decided, frozen.evidence} <= {
        fact for line in audit.lines(requests.database, act=Act.SUBMITTED) for fact in line.facts.values()
    }


# ---- nobody reviews their own ----

ALIASES = {
    "the same": ANN,
    "with both roles": replace(ANN, roles=OFFICER | REVIEWER),
    "under another name": Person(ANN.subject, "Somebody Else", REVIEWER),
}


@pytest.mark.parametrize("alias", ALIASES)
def test_nobody_reviews_their_own_under_whatever_name_and_role(requests: Requests, alias: str) -> None:
    own, who = requests.submit(ANN, *asks(), now=NOW).number, ALIASES[alias]
    wanted = "role-lacking" if alias == "the same" else "request-of-oneself"
    acts: list[Callable[[], object]] = [
        lambda: requests.claim(own, who, NOW),
        lambda: requests.approve(own, who, now=NOW),
        lambda: requests.send_back(own, who, "No.", NOW),
        lambda: requests.give_back(own, who, NOW),
    ]
    for act in acts:
        with refused(wanted):
            act()
    requests.claim(own, CAT, NOW)
    asked = requests.comment(own, CAT, "Why?", now=NOW)
    for act in (*acts, lambda: requests.settle(asked.number, who, NOW)):
        with refused(wanted):
            act()
    assert requests.request(own, ANN, NOW).state is RequestState.IN_REVIEW


def test_a_changed_submission_is_no_way_to_ones_own_approval(requests: Requests) -> None:
    """Not by a request in the place of another one, and not by what was approved for something else."""
    number = approved(requests)
    changed = requests.submit(ANN, *asks(5), replaces=number, now=NOW)
    assert changed.state is RequestState.SUBMITTED and changed.reviewer is None
    assert requests.request(number, ANN, NOW).state is RequestState.WITHDRAWN
    with refused("request-not-approved"):
        taken(requests, changed.number)
    with refused("request-not-approved"):
        taken(requests, number)


def test_who_is_officer_and_reviewer_reviews_what_others_submit(requests: Requests) -> None:
    assert requests.request(approved(requests, by=BEN), ANN, NOW).state is RequestState.APPROVED
    with refused("request-of-oneself"):
        approved(requests, 1, who=BEN, by=BEN)


@pytest.mark.parametrize("who", [ANN, CAT, EVE])
def test_each_act_takes_its_role(requests: Requests, who: Person) -> None:
    other = requests.submit(BEN, *asks(), now=NOW).number
    if who is not ANN:
        with refused("role-lacking"):
            requests.submit(who, *asks(1), now=NOW)
        with refused("role-lacking"):
            requests.withdraw(other, who, NOW)
    if who is not CAT:
        for act in (requests.claim, requests.give_back, requests.approve):
            with refused("role-lacking"):
                act(other, who)
        for look in (requests.request, requests.evidence, requests.comments, requests.events):
            with refused("role-lacking"):
                look(other, who)
        with refused("role-lacking"):
            requests.comment(other, who, "Hm.", now=NOW)
        for look in (requests.queue, requests.reviewed):
            with refused("role-lacking"):
                look(who)


# ---- what was submitted is frozen ----


def test_nothing_leaves_but_what_was_approved(requests: Requests) -> None:
    number = approved(requests)
    for changes, code in [
        ({"decided": "0" * 64}, "request-not-approved"),
        ({"file": "0" * 64}, "request-not-approved"),
        ({"sha256": "0" * 64}, "file-not-reviewed"),
        ({"sha256": EVIDENCE.released.on_record["Excel"]}, "file-not-reviewed"),
    ]:
        with refused(code):
            taken(requests, number, **changes)
    with refused("request-not-approved"):
        taken(requests, number, who=CAT)
    fakes = {"kind": "CSV with fakes", "sha256": EVIDENCE.released.sha256}
    with refused("request-not-approved"):
        requests.release(number, ANN, file=asks()[0].file, decided=asks()[0].decided, now=NOW, **fakes)
    assert requests.request(number, ANN, NOW).state is RequestState.APPROVED and not audit.lines(
        requests.database, act=Act.RELEASED
    )


def test_the_same_is_submitted_once(requests: Requests) -> None:
    first = requests.submit(ANN, *asks(), now=NOW)
    with refused("request-exists"):
        requests.submit(BEN, *asks(), now=NOW)
    requests.withdraw(first.number, ANN, NOW)
    assert requests.submit(BEN, *asks(), now=NOW).number == 2


def test_a_request_is_replaced_once_and_by_its_own_officer(requests: Requests) -> None:
    requests.submit(ANN, *asks(1), now=NOW)
    with refused("request-of-another"):
        requests.submit(BEN, *asks(2), replaces=1, now=NOW)
    requests.submit(ANN, *asks(2), replaces=1, now=NOW)
    with refused("request-replaced"):
        requests.submit(ANN, *asks(3), replaces=1, now=NOW)
    assert len(requests.own(ANN, NOW)) == 2, "what was refused left nothing"


def test_the_store_refuses_to_change_what_was_submitted(requests: Requests) -> None:
    requests.submit(ANN, *asks(), now=NOW)
    for statement in (
        "UPDATE request SET decided = 'x'", "DELETE FROM request_document", "UPDATE request_document SET document = ''",
    ):  # fmt: skip
        with refused("store-damaged"), requests.database.writing() as connection:
            connection.execute(text(statement))
    assert requests.request(1, ANN, NOW).asks == asks()[0]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE request SET officer = 'https://login.example dan'",
        "UPDATE request SET decided = '" + "0" * 64 + "'",
        "UPDATE request SET decided_for = '{}'",
        "UPDATE request_state SET state = 'agreed'",
    ],
)
def test_what_was_changed_in_the_database_itself_is_found(requests: Requests, change: str) -> None:
    requests.submit(ANN, *asks(), now=NOW)
    if requests.database._engine.dialect.name != "sqlite":
        for table in ("request", "request_document"):
            without_triggers(requests.database, f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    without_triggers(requests.database, change)
    with refused("store-damaged"):
        requests.queue(CAT, NOW)


def test_a_changed_document_is_found(requests: Requests) -> None:
    requests.submit(ANN, *asks(), now=NOW)
    if requests.database._engine.dialect.name != "sqlite":
        without_triggers(requests.database, "ALTER TABLE request_document DISABLE TRIGGER ALL")
    without_triggers(requests.database, "UPDATE request_document SET document = replace(document, 'met', 'mett')")
    with refused("store-damaged"):
        requests.evidence(1, CAT)
    with refused("digest-wrong"):
        frozen, document = asks(1)
        requests.submit(ANN, frozen, document + " ", now=NOW)


# ---- states ----


def test_one_of_two_who_claim_at_once_wins(database: Database, store: StoreSettings) -> None:
    Requests(database).submit(ANN, *asks(), now=NOW)
    reviewers = [replace(CAT, subject=f"reviewer {i}", name=f"Reviewer {i}") for i in range(4)]
    begin, won, lost = Barrier(len(reviewers)), list[Person](), list[str]()

    def claim(who: Person) -> None:
        own = Database.open(store)
        begin.wait()
        try:
            Requests(own).claim(1, who, NOW)
            won.append(who)
        except InputError as error:
            lost.append(error.code)
        own.close()

    threads = [Thread(target=claim, args=(who,)) for who in reviewers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1 and lost == ["request-in-other-state"] * 3
    assert Requests(database).request(1, ANN, NOW).reviewer.name == won[0].name
    assert len(audit.lines(database, act=Act.CLAIMED)) == 1 and audit.verify(database).holds


def test_a_claim_that_is_given_back_waits_for_another_reviewer(requests: Requests) -> None:
    requests.submit(ANN, *asks(), now=NOW)
    requests.claim(1, CAT, NOW)
    with refused("request-in-other-state"):
        requests.claim(1, DAN, NOW)
    for act in (requests.approve, requests.give_back):
        with refused("request-claimed"):
            act(1, DAN)
    assert requests.give_back(1, CAT, NOW).reviewer is None
    assert requests.claim(1, DAN, NOW).reviewer.name == "Dan Kern"


def test_an_approval_is_taken_back_by_who_gave_it(requests: Requests) -> None:
    number = approved(requests)
    with refused("request-claimed"):
        requests.send_back(number, DAN, "Wait.", NOW)
    requests.send_back(number, CAT, "The contract has ended.", NOW)
    with refused("request-not-approved"):
        taken(requests, number)
    with refused("reason-missing"):
        requests.send_back(number, CAT, " ", NOW)


def test_what_waits_longest_comes_first(requests: Requests) -> None:
    for number, officer in enumerate([ANN, BEN, ANN]):
        requests.submit(officer, *asks(number), now=NOW + timedelta(hours=number))
    requests.claim(2, CAT, NOW + timedelta(hours=5))
    assert [each.number for each in requests.queue(BEN, NOW + timedelta(hours=6))] == [1, 2, 3]
    assert [each.number for each in requests.own(ANN, NOW)] == [3, 1]
    assert [each.number for each in requests.of_file(ANN, asks()[0].file, NOW)] == [3, 1]
    assert not requests.of_file(ANN, "0" * 64, NOW)


def test_a_request_expires_by_time_unless_its_file_left(requests: Requests) -> None:
    days = [approved(requests, 0), requests.submit(ANN, *asks(1), now=NOW).number, approved(requests, 2)]
    taken(requests, days[2])
    last, over = NOW + timedelta(days=89), NOW + timedelta(days=90)
    assert [requests.request(n, ANN, last).state for n in days] == ["approved", "submitted", "released"]
    assert [requests.request(n, ANN, over).state for n in days] == ["expired", "expired", "released"]
    assert not requests.queue(CAT, over)
    with refused("request-not-approved"):
        taken(requests, days[0], now=over)
    with refused("request-in-other-state"):
        requests.claim(days[1], CAT, over)
    assert not audit.lines(requests.database, act=Act.EXPIRED), "what was refused left nothing"
    requests.submit(ANN, *asks(), replaces=days[0], now=over)
    assert len(audit.lines(requests.database, act=Act.EXPIRED)) == 2, "noted with the next change"
    assert [each.act for each in requests.events(days[1], ANN)][-1] == "request expired"
    assert taken(requests, days[2], now=over).state is RequestState.RELEASED


def test_a_release_that_is_to_be_assessed_again_leaves_no_more(requests: Requests) -> None:
    number = approved(requests)
    taken(requests, number)
    with refused("request-not-approved"):
        taken(requests, number, now=NOW + timedelta(days=365))
    with refused("not-a-day"):
        own = requests.submit(ANN, *asks(9), now=NOW).number
        requests.claim(own, CAT, NOW)
        requests.approve(own, CAT, NOW.date(), NOW)


def test_the_last_release_to_the_same_recipient(requests: Requests) -> None:
    first = approved(requests, 1)
    other = requests.submit(ANN, *asks(2, case=replace(CASE, recipient="Elsewhere")), now=NOW).number
    same = requests.submit(ANN, *asks(3, case=replace(CASE, recipient=" UNIVERSITY of  Basel ")), now=NOW)
    assert requests.last_release(same, CAT) is None, "nothing left by it"
    taken(requests, first)
    last, evidence = requests.last_release(same, CAT)
    assert last.number == first and evidence == EVIDENCE
    assert requests.last_release(requests.request(other, CAT, NOW), CAT) is None


def test_comments_stand_at_what_there_is(requests: Requests) -> None:
    requests.submit(ANN, *asks(), now=NOW)
    for place in (CommentPlace(COLUMN, "illness"), CommentPlace(STEP, "1"), CommentPlace()):
        assert requests.comment(1, CAT, "Hm.", place, NOW).place == place
    for place in (CommentPlace(COLUMN, "wage"), CommentPlace(STEP, "9"), CommentPlace("cell", "x")):
        with refused("choice-unknown"):
            requests.comment(1, CAT, "Hm.", place, NOW)
    with refused("text-missing"):
        requests.comment(1, CAT, "  ", now=NOW)
    with refused("text-too-long"):
        requests.comment(1, CAT, "x" * 4_001, now=NOW)
    with refused("entry-unknown"):
        requests.settle(99, CAT, NOW)
    with refused("entry-unknown"):
        requests.request(99, CAT, NOW)


def test_why_nothing_leaves_says_what_to_do(requests: Requests) -> None:
    request = requests.submit(ANN, *asks(), now=NOW)
    frozen, today = request.asks, NOW.date()
    for state, says in {
        RequestState.SUBMITTED: "waits for a reviewer",
        RequestState.RETURNED: "Submit",
        RequestState.WITHDRAWN: "Submit it again",
        RequestState.EXPIRED: "expired",
    }.items():
        here = replace(request, state=state, reason="Take 11.")
        assert says.casefold() in why_not_out(here, ANN, frozen.file, frozen.decided, today).casefold()


# ---- killed ----

KILLED = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from anonlib.filing.department.acts import Act
from anonlib.filing.department.database import Database
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import StoreSettings
from tests.helpers.requests import CAT
folder, address, part = sys.argv[1], sys.argv[2] or None, sys.argv[3]
requests = Requests(Database.open(StoreSettings(Path(folder), address)))
now = datetime(2026, 12, 1, 9, tzinfo=UTC)
if part == "within":
    with requests.database.writing() as connection:
        requests._go(connection, Act.APPROVED, requests._request(connection, 1, now), CAT, now)
        print("here", flush=True)
        time.sleep(600)
requests.approve(1, CAT, now=now)
print("here", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("part", ["within", "after"])
def test_what_a_killed_server_had_done_is_there_and_nothing_half(
    database: Database, store: StoreSettings, part: str
) -> None:
    requests = Requests(database)
    requests.submit(ANN, *asks(), now=NOW)
    requests.claim(1, CAT, NOW)
    command = [sys.executable, "-c", KILLED, str(store.folder), store.database or "", part]
    with subprocess.Popen(command, cwd=Path(__file__).parents[4], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "here\n"
        other.send_signal(signal.SIGKILL)
    state = requests.request(1, ANN, NOW).state
    assert state is (RequestState.IN_REVIEW if part == "within" else RequestState.APPROVED)
    assert len(audit.lines(database, act=Act.APPROVED)) == (part == "after")
    assert audit.verify(database).holds
    if part == "within":
        requests.approve(1, CAT, now=NOW)
    assert taken(requests, 1).state is RequestState.RELEASED


def test_people_are_whom_their_subject_names(requests: Requests) -> None:
    requests.submit(ANN, *asks(), now=NOW)
    again = Person(ANN.subject, "Ann Meier-Roth", OFFICER)
    assert [each.number for each in requests.own(again, NOW)] == [1] and not requests.own(
        Person("https://other.example ann", "Ann Meier", OFFICER), NOW
    )
    assert requests.withdraw(1, again, NOW).state is RequestState.WITHDRAWN
