"""Who is behind a pseudonym: two persons together, shown once, and neither it nor the id is anywhere in the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest
from sqlalchemy import inspect, text

from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.department import audit
from anonlib.filing.department.database import Database
from anonlib.filing.department.keys import Keys
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.register import DepartmentRegister
from anonlib.filing.department.reidentification import Reidentifications
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from tests.helpers.errors import refused
from tests.helpers.evidence import opened
from tests.helpers.requests import ANN, BEN, CAT, EVE

IDS = [f"QUOKKA {i:04d}" for i in range(40)]
REASON = "A reaction that the patient must know of."


@pytest.fixture
def keys(database: Database) -> Keys:
    made = Keys(database.folder)
    made.make()
    return made


@pytest.fixture
def key(keys: Keys) -> KeyOfPseudonyms:
    return keys.key("pseudonyms", 1)


@pytest.fixture
def questions(database: Database, keys: Keys) -> Reidentifications:
    return Reidentifications(database, DepartmentRegister.open(database, keys).key)


@pytest.fixture(scope="module")
def data() -> Dataset:
    roles = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER}
    frame = pd.DataFrame({"patient": IDS, "age": [str(30 + i % 9) for i in range(len(IDS))]})
    return opened(frame, roles=roles).data


@pytest.fixture
def label(key: KeyOfPseudonyms) -> Pseudonyms:
    return Pseudonyms("University of Basel", "Sepsis cohort", key.id)


@pytest.fixture
def pseudonym(key: KeyOfPseudonyms, label: Pseudonyms) -> str:
    return key.under(label).of(IDS, "patient")[7]


def test_two_persons_find_out_who_it_is_and_it_is_shown_once(
    questions: Reidentifications, label: Pseudonyms, pseudonym: str, data: Dataset, key: KeyOfPseudonyms
) -> None:
    asked = questions.ask(ANN, pseudonym, label, REASON)
    assert questions.own(ANN) == (asked,) == questions.waiting(CAT) and asked.label == label and asked.state == "asked"
    with refused("request-not-approved"):
        questions.show(1, ANN, pseudonym, data, key)
    approved = questions.approve(1, CAT)
    assert (approved.state, approved.reviewer_name) == ("approved", "Cat Wild") and questions.waiting(CAT) == ()
    assert questions.show(1, ANN, f" {pseudonym.upper()} ", data, key) == IDS[7]
    with refused("request-not-approved"):
        questions.show(1, ANN, pseudonym, data, key)
    acts = [(line.name, line.act) for line in audit.lines(questions.database, "Basel")]
    assert acts == [
        ("Ann Meier", "re-identified"), ("Cat Wild", "re-identification approved"),
        ("Ann Meier", "re-identification asked"),
    ]  # fmt: skip


def test_nobody_decides_on_their_own_question(questions: Reidentifications, label: Pseudonyms, pseudonym: str) -> None:
    questions.ask(BEN, pseudonym, label, REASON)  # an officer who reviews, too
    renamed = replace(BEN, name="Somebody else", roles=frozenset(TeamRole))
    for who in (BEN, renamed):
        for decide in (questions.approve, questions.refuse):
            with refused("request-of-oneself"):
                decide(1, who)
        assert questions.waiting(who) == ()
    for who in (ANN, EVE):
        with refused("role-lacking"):
            questions.approve(1, who)
    assert questions.own(BEN)[0].state == "asked"


def test_only_who_asked_sees_it_and_only_of_that_pseudonym(
    questions: Reidentifications, label: Pseudonyms, pseudonym: str, data: Dataset, key: KeyOfPseudonyms
) -> None:
    questions.ask(ANN, pseudonym, label, REASON)
    questions.approve(1, CAT)
    with refused("request-of-another"):
        questions.show(1, CAT, pseudonym, data, key)
    with refused("value-unknown"):
        questions.show(1, ANN, key.under(label).of(IDS, "patient")[8], data, key)
    with refused("key-not-found"):
        questions.show(1, ANN, pseudonym, data, None)
    assert questions.show(1, ANN, pseudonym, data, key) == IDS[7]


def test_a_person_who_is_not_in_the_file_is_not_shown_and_can_be_looked_for_in_another(
    questions: Reidentifications, label: Pseudonyms, data: Dataset, key: KeyOfPseudonyms
) -> None:
    elsewhere = key.under(label).of(["QUOKKA 9999"], "patient")[0]
    questions.ask(ANN, elsewhere, label, REASON)
    questions.approve(1, CAT)
    with refused("person-not-found"):
        questions.show(1, ANN, elsewhere, data, key)
    assert questions.own(ANN)[0].state == "approved"


def test_what_was_decided_is_decided(questions: Reidentifications, label: Pseudonyms, pseudonym: str) -> None:
    questions.ask(ANN, pseudonym, label, REASON)
    assert questions.refuse(1, CAT).state == "refused"
    for decide in (questions.approve, questions.refuse):
        with refused("request-in-other-state"):
            decide(1, CAT)
    with refused("entry-unknown"):
        questions.approve(2, CAT)


@pytest.mark.parametrize(
    "change, code",
    [
        (lambda ask: ask(who=CAT), "role-lacking"),
        (lambda ask: ask(reason=" "), "reason-missing"),
        (lambda ask: ask(reason="x" * 2_001), "text-too-long"),
        (lambda ask: ask(pseudonym="QUOKKA 0007"), "value-unknown"),
        (lambda ask: ask(reason="It is " + "p" + "a" * 16, pseudonym="P" + "a" * 16), "values-not-saved"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    questions: Reidentifications, label: Pseudonyms, pseudonym: str, change: Callable, code: str
) -> None:
    def ask(who: Person = ANN, pseudonym: str = pseudonym, reason: str = REASON) -> None:
        questions.ask(who, pseudonym, label, reason)

    with refused(code):
        change(ask)
    assert questions.own(ANN) == ()


def test_neither_the_id_nor_the_pseudonym_is_in_the_store(
    questions: Reidentifications, label: Pseudonyms, pseudonym: str, data: Dataset, key: KeyOfPseudonyms
) -> None:
    questions.ask(ANN, pseudonym, label, REASON)
    questions.approve(1, CAT)
    assert questions.show(1, ANN, pseudonym, data, key) == IDS[7]
    with questions.database.reading() as connection:
        names = inspect(connection).get_table_names()
        written = [repr(connection.execute(text(f"SELECT * FROM {name}")).all()) for name in names]
    written += [repr(path.read_bytes()) for path in questions.database.folder.rglob("*") if path.is_file()]
    assert not [part for part in written if "quokka" in part.lower() or pseudonym in part]
    assert any(REASON in part for part in written), "what it does hold"
