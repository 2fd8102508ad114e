"""Releases are entered once, found again, closed; the files hold no cell."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.register import EntryFacts, FolderRegister, PersonsOfRelease, Register, facts_of
from anonlib.release.steps import LeaveOut
from anonlib.verdict.criteria import Aim
from tests.anonlib.filing.register.conftest import BASEL, TENS, digest, patients, release
from tests.helpers.errors import refused

IDS = [f"P-{i:03d}" for i in range(40)]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entered(register: Register, kind: str = "CSV", left: str = "a", now: datetime = NOON, **decided):
    opened = release(patients(decided.pop("ids", IDS)), *decided.pop("steps", TENS), **decided)
    return register.enter(facts_of(opened, {kind: digest(left)}), register.people_of(opened), now)


def test_an_entry_says_what_was_decided_and_what_left(register: Register) -> None:
    case = replace(BASEL, until="2027-11-25", purpose="Which\nof both?", contract="DTA 7")
    opened = release(patients(IDS), *TENS, case=case)
    entry = entered(register, case=case)
    assert (entry.number, entry.entered, entry.latest) == (1, "2026-03-01T12:00:00+00:00", "2026-03-01T12:00:00+00:00")
    assert entry.case == case and entry.until == "2027-11-25" and entry.who == "A. Meier"
    assert (entry.kind, entry.kind_name, entry.is_public) == ("contract", "Under contract", False)
    assert (entry.file, entry.original) == ("patients.csv", opened.data.digest)
    assert entry.original_columns == entry.columns == ("patient_id", "age", "illness")
    assert (entry.records, entry.persons, entry.unit) == (40, 40, "persons")
    assert dict(entry.formats) == {"CSV": digest("a")} and entry.recipe == opened.project.recipe.digest
    assert entry.verdict == opened.verdict.decision and entry.may_leave == opened.verdict.may_leave
    assert entry.closed == entry.closing_note == "" and entry.reassess == "2027-03-01"
    assert "“patient_id” (40)" in entry.found_again
    assert register.entries() == (entry,) == (register.entry(1),)


def test_what_leaves_without_persons_says_how_many_records(register: Register) -> None:
    frame = patients(IDS).drop(columns="patient_id")
    opened = release(frame, LeaveOut(2), roles={"age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE})
    entry = register.enter(facts_of(opened, {}), register.people_of(opened))
    assert entry.persons is None and entry.records == opened.applied.released.n_records == 40
    assert not entry.formats and "by its file alone" in entry.found_again


def test_another_format_of_the_same_release_is_the_same_entry(register: Register) -> None:
    first = entered(register)
    later = NOON + timedelta(days=1)
    assert entered(register, now=later) == replace(first, latest="2026-03-02T12:00:00+00:00"), "the same bytes again"
    both = entered(register, "Excel", "b", now=later)
    assert dict(both.formats) == {"CSV": digest("a"), "Excel": digest("b")} and both.number == 1
    respelled = replace(BASEL, recipient="UNIVERSITY HOSPITAL Basel", contract="DTA 8")
    assert entered(register, case=respelled).case.contract == "DTA 8", "the case as it is now"
    assert len(register.entries()) == 1


@pytest.mark.parametrize(
    "otherwise",
    [
        {"left": "b"},
        {"steps": (*TENS, LeaveOut(2))},
        {"to": "public"},
        {"case": replace(BASEL, recipient="Somebody else")},
        {"case": replace(BASEL, title="Another study")},
        {"case": replace(BASEL, reference="EK-13")},
        {"ids": IDS[1:]},
    ],
    ids=["another file of the format", "recipe", "kind of recipient", "recipient", "title", "reference", "original"],
)
def test_another_release_is_another_entry(register: Register, otherwise: dict) -> None:
    assert [entered(register, **each).number for each in ({}, otherwise, otherwise)] == [1, 2, 2]


def test_what_left_again_after_it_was_returned_is_another_entry(register: Register) -> None:
    register.close(entered(register).number, "2026-04-01")
    assert entered(register).number == 2


def test_a_day_that_was_changed_in_the_register_stays_until_the_case_says_another(register: Register) -> None:
    case = replace(BASEL, until="2027-01-01")
    entered(register, case=case)
    register.change_until(1, "2028-01-01")
    assert entered(register, case=case).until == "2028-01-01"
    assert entered(register, case=replace(case, until="2029-01-01")).until == "2029-01-01"


def test_what_left_once_against_its_verdict_stays_so(register: Register) -> None:
    """With each reason, whatever is decided before the next format is taken home."""
    facts = facts_of(release(patients(IDS), *TENS), {"CSV": digest("a")})
    met = replace(facts, may_leave=True, verdict="May leave.", leaves_anyway="")
    unmet = replace(facts, may_leave=False, verdict="Not yet.", leaves_anyway="The board agreed.")
    assert register.enter(met).may_leave
    assert not register.enter(unmet).may_leave
    now = register.enter(replace(met, formats={"Excel": digest("b")}))
    assert (now.may_leave, now.verdict, now.leaves_anyway) == (False, "Not yet.", "The board agreed.")
    again = register.enter(replace(unmet, leaves_anyway="Urgent."))
    assert again.leaves_anyway == "The board agreed.\nUrgent." == register.enter(unmet).leaves_anyway
    assert len(register.entries()) == 1


def test_the_moment_is_kept_in_utc(register: Register) -> None:
    two_hours_ahead = datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert entered(register, now=two_hours_ahead).entered == "2026-02-28T23:00:00+00:00"


def test_persons_of_another_key_are_refused(register: Register, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    opened = release(patients(IDS), *TENS)
    people = FolderRegister.create(tmp_path / "other").people_of(opened)
    with refused("register-key-wrong"):
        register.enter(facts_of(opened, {"CSV": digest("a")}), people)
    assert register.entries() == ()


@pytest.mark.parametrize("given", [{"CSV": "a"}, {"CSV": digest("a").upper()}, {"CSV": ""}])
def test_what_is_no_digest_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match="CSV must be 64 hexadecimal digits"):
        facts_of(release(patients(IDS)), given)


def test_the_newest_is_first_and_all_words_must_occur(register: Register) -> None:
    entered(register, case=replace(BASEL, purpose="Readmission after ＳＥＰＳＩＳ", contract="DTA 7"))
    entered(register, left="b", case=ReleaseCase(title="Straße", requester="Dr. Roe", author="Zoe"), to="public")

    def numbers(text: str) -> list[int]:
        return [entry.number for entry in register.entries(text)]

    assert numbers("") == [2, 1] == numbers("patients.csv") == numbers("ILLNESS age")
    assert numbers("readmission BASEL") == numbers("dta ek-12") == numbers("sepsis") == [1]
    assert numbers("STRASSE zoe") == numbers("roe") == numbers("public") == [2]
    assert numbers("basel zoe") == numbers("elsewhere") == []


def test_entries_by_what_is_open_and_by_when(register: Register) -> None:
    for i, until in enumerate(["2026-05-01", "2026-06-01", ""]):
        entered(register, case=replace(BASEL, title=f"Study {i}", until=until))
    assert [each.number for each in register.entries(due_by=date(2026, 5, 31))] == [1]
    assert [each.number for each in register.entries(due_by=date(2026, 6, 1))] == [2, 1]
    register.close(1, "2026-04-30")
    assert [each.number for each in register.entries(due_by=date(2026, 6, 1))] == [2]
    assert [each.number for each in register.entries(open_only=True)] == [3, 2]


def test_an_entry_is_closed_and_opened_again(register: Register) -> None:
    entered(register)
    closed = register.close(1, date(2026, 4, 1), " Confirmed by e-mail. ")
    assert (closed.closed, closed.closing_note) == ("2026-04-01", "Confirmed by e-mail.")
    assert register.close(1, "2026-04-02").closed == "2026-04-02"
    assert register.reopen(1).closed == "" and register.entry(1).closing_note == ""


def test_days_are_changed(register: Register) -> None:
    entered(register)
    assert register.change_until(1, date(2027, 1, 2)).until == "2027-01-02"
    assert register.change_until(1, "").until == ""
    assert register.change_reassessment(1, datetime(2027, 5, 6, 12, tzinfo=UTC)).reassess == "2027-05-06"


@pytest.mark.parametrize("number", [0, 7, 2**80])
def test_an_unknown_number_is_refused(register: Register, number: int) -> None:
    entered(register)
    for change in (register.entry, register.reopen, lambda number: register.close(number, "2026-01-01")):
        with pytest.raises(InputError, match=f"no entry {number}"):
            change(number)


@pytest.mark.parametrize("number", [-1, "1", None, True])
def test_what_is_no_number_is_refused(register: Register, number: object) -> None:
    with refused("number-out-of-range"):
        register.entry(number)  # type: ignore[arg-type]


@pytest.mark.parametrize("day", ["tomorrow", "2026-02-30", "1.4.2026", None, 3])
def test_what_is_no_day_is_refused_and_nothing_changes(register: Register, day: object) -> None:
    entry = entered(register)
    for change in (register.close, register.change_until, register.change_reassessment):
        with refused("not-a-day"):
            change(1, day)  # type: ignore[operator]
    with refused("text-too-long"):
        register.close(1, "2026-04-01", "x" * 4_001)
    assert register.entry(1) == entry


CANARIES = ("quokka", "wombat", "numbat", "bilby")


def test_no_cell_is_in_the_register_nor_in_its_table(desk: FolderRegister) -> None:
    rows = [(f"quokka-{i // 2}", f"wombat {i // 2}", str(30 + i // 2 % 10), f"numbat {i % 3}", f"bilby {i}")
            for i in range(60)]  # fmt: skip
    roles = {
        "patient_id": Role.PERSON_ID, "name": Role.IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE,
        "note": Role.OTHER,
    }  # fmt: skip
    opened = release(pd.DataFrame(rows, columns=list(roles)), *TENS, roles=roles)
    people = desk.people_of(opened)
    assert [each.found_by.persons for each in people.sets] == [30, 30]
    entry = desk.enter(facts_of(opened, {"CSV": digest("a")}), people)
    written = b"".join(path.read_bytes() for path in sorted(desk.folder.iterdir())) + desk.to_csv([entry])
    texts = written.lower(), written.decode("utf-16-le", "ignore").lower().encode()
    assert not [canary for canary in CANARIES if any(canary.encode() in text for text in texts)]
    assert b"patient_id" in written and people.sets[0].digests.tobytes() in written, "what it does hold"


def test_the_key_is_in_no_database_no_table_and_no_text(desk: FolderRegister) -> None:
    entry = entered(desk)
    secret = (desk.folder / "anonscope-register.key").read_bytes()
    written = (desk.folder / "anonscope-register.sqlite3").read_bytes() + desk.to_csv([entry])
    assert secret not in written and secret.hex().encode() not in written
    assert repr(secret) not in repr(desk) and repr(secret)[2:-1] not in repr(desk)


def test_facts_are_what_the_release_and_its_verdict_say() -> None:
    opened = release(patients(IDS), *TENS, aim=replace(Aim(), leaves_anyway="urgent"))
    facts = facts_of(opened, {"CSV": digest("a")}, case=ReleaseCase(recipient=" Public. "))
    assert isinstance(facts, EntryFacts) and facts.is_public and facts.kind == "contract"
    assert facts.leaves_anyway == ("" if opened.verdict.may_leave else "urgent")
    another = replace(opened.verdict, undecided=(), findings=())
    assert facts_of(opened, {}, verdict=another).verdict == another.decision


def test_people_of_nobody_are_entered_too(register: Register) -> None:
    opened = release(patients(IDS), *TENS)
    entry = register.enter(facts_of(opened, {"CSV": digest("a")}), PersonsOfRelease(not_by=("“x” has too many.",)))
    assert entry.not_found_by == ("“x” has too many.",) and "“x” has too many." in entry.found_again
