"""Earlier releases that matter for a new one: beside plain sets, and rule by rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.earlier import held_beside
from anonlib.filing.project import Opened
from anonlib.filing.register import Earlier, FolderRegister, PersonsOfRelease, Register, RegisterEntry, facts_of
from anonlib.filing.register.database import DATABASE_NAME
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from anonlib.verdict.criteria.earlier import EarlierReleases
from tests.anonlib.filing.register.conftest import BASEL, PATIENTS, TENS, digest, patients, release
from tests.helpers.examples import settings

A, B, NOBODY = (ReleaseCase(title="T", recipient=name) for name in ("Basel", "Bern", ""))
IDS = [f"P-{i:03d}" for i in range(40)]
OTHERS = [f"Q-{i:03d}" for i in range(40)]
FIVES = (Recode("age", Intervals(5)),)
_left = 0


def enter(register: Register, opened: Opened) -> RegisterEntry:
    """A release entered, of which some file left that no other release has."""
    global _left
    _left += 1
    return register.enter(facts_of(opened, {"CSV": digest(str(_left))}), register.people_of(opened))


def numbers(found: tuple[Earlier, ...]) -> list[int]:
    return [each.entry.number for each in found]


PERSONS = st.frozensets(st.integers(0, 11), min_size=1, max_size=8)
CASES = st.sampled_from([A, B, NOBODY, replace(A, recipient="Public")])
RELEASES = st.lists(st.tuples(PERSONS, CASES, st.sampled_from(["contract", "public"])), min_size=1, max_size=4)


def spelled(person: int, how: int) -> str:
    return [f"p{person}", f" P{person} ", f"Ｐ{person}"][how % 3]


def expected(before: list, now: tuple) -> list[tuple[int, int, int]]:
    """Number, persons of both and persons of the new one of each earlier release, by the rules alone."""
    persons, case, kind = now
    found = []
    for number, (others, other_case, other_kind) in reversed(list(enumerate(before, start=1))):
        public = "public" in (kind, other_kind, case.recipient.lower(), other_case.recipient.lower())
        may_be_same = public or case.recipient == other_case.recipient or "" in (case.recipient, other_case.recipient)
        if may_be_same and persons & others:
            found.append((number, len(persons & others), len(persons)))
    return found


@settings(max_examples=60)
@given(RELEASES)
def test_earlier_releases_are_those_of_plain_sets(releases: list) -> None:
    """Each file has its ages, so that none is the same one, and its spelling of ids."""
    with TemporaryDirectory() as folder:
        register = FolderRegister.create(folder)
        for i, (persons, case, kind) in enumerate(releases):
            frame = patients([spelled(each, i) for each in sorted(persons)], first_age=20 + i)
            opened = release(frame, *TENS, case=case, to=kind)
            found = register.earlier(opened)
            plain = expected(releases[:i], (persons, case, kind))
            assert [(each.entry.number, each.persons, each.of) for each in found] == plain
            assert not any(each.same_file or each.same_columns for each in found)
            register.enter(facts_of(opened, {"CSV": digest(str(i))}), register.people_of(opened))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1, max_size=30))
def test_only_persons_of_the_releases_count(rows: list[tuple[int, int]]) -> None:
    """One release leaves out small classes: who is in both is counted on what left."""
    frame = pd.DataFrame({"patient_id": [f"P{p}" for p, _ in rows], "age": [str(30 + 10 * a) for _, a in rows]})
    roles = {"patient_id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER}
    one, other = (release(frame, *steps, roles=roles) for steps in ([], [LeaveOut(3)]))
    left = [set(each.applied.released.records["patient_id"].astype(object)) for each in (one, other)]
    with TemporaryDirectory() as folder:
        register = FolderRegister.create(folder)
        enter(register, other)
        (found,) = register.earlier(one)
        assert found.same_file
        assert (found.persons, found.of) == (len(left[0] & left[1]), len(left[0]) if left[1] else 0)


def test_the_same_recipient_is_known_in_another_spelling(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=BASEL))
    respelled = replace(BASEL, recipient="university  hospital — BASEL.", title="Another study")
    (found,) = register.earlier(release(patients(IDS), *FIVES, case=respelled))
    columns = ("patient_id", "patient_id")
    assert found.same_file and (found.persons, found.of, found.here, found.there) == (40, 40, *columns)
    assert found.why == (
        "It went to the same recipient. It was made of the same file. 100% (40 of 40 persons) of this release are in "
        "it, by “patient_id”. Both have the same persons."
    )
    assert register.earlier(release(patients(IDS), *FIVES, case=replace(BASEL, recipient="Bern"))) == ()


def test_a_public_release_matters_to_everybody_and_everybody_to_it(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=A, to="public"))
    enter(register, release(patients(IDS), *TENS, case=B))
    to_basel, to_bern = (register.earlier(release(patients(IDS), *FIVES, case=case)) for case in (A, B))
    assert numbers(to_basel) == [1] and numbers(to_bern) == [2, 1]
    assert to_basel[0].why.startswith("It is public,")
    for decided in ({"case": A, "to": "public"}, {"case": replace(A, recipient=" PUBLIC ")}):
        found = register.earlier(release(patients(IDS), *FIVES, **decided))
        assert numbers(found) == [2, 1] and found[0].why.startswith("This release is for the public,")


def test_a_recipient_that_is_not_named_may_be_any(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=NOBODY))
    enter(register, release(patients(IDS), *TENS, case=A))
    assert numbers(register.earlier(release(patients(IDS), *FIVES, case=B))) == [1]
    found = register.earlier(release(patients(IDS), *FIVES, case=replace(NOBODY, recipient="—")))
    assert numbers(found) == [2, 1] and "not named in its case" in found[0].why


def test_a_case_that_is_given_counts_instead_of_the_projects(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=A))
    opened = release(patients(IDS), *FIVES, case=B)
    assert register.earlier(opened) == () and numbers(register.earlier(opened, A)) == [1]


def test_the_release_itself_is_no_earlier_one(register: Register) -> None:
    opened = release(patients(IDS), *TENS, case=A)
    enter(register, opened)
    assert register.earlier(opened) == ()
    assert register.earlier(release(patients(IDS), *TENS, case=replace(A, title="Again"))) == ()
    assert numbers(register.earlier(release(patients(IDS), *TENS, case=A, to="within"))) == [1]
    assert numbers(register.earlier(release(patients(IDS[:-1]), *TENS, case=A))) == [1]


def test_the_same_file_matters_where_nobody_is_in_both(register: Register) -> None:
    facts = facts_of(release(patients(IDS), *TENS, case=A), {"CSV": digest("a")})
    register.enter(facts, register.people_of(release(patients(OTHERS))))
    (found,) = register.earlier(release(patients(IDS), *FIVES, case=A))
    assert found.same_file and (found.persons, found.of, found.here, found.there) == (0, 40, "", "")
    assert found.why.endswith("None of the 40 persons of this release is in it.")


def test_a_person_id_is_found_among_identifiers(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=A))
    frame = patients([*IDS[:10], *OTHERS], column="mrn", first_age=40)
    roles = {"mrn": Role.IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
    (found,) = register.earlier(release(frame, *TENS, case=A, roles=roles))
    assert (found.persons, found.of, found.here, found.there) == (10, 50, "mrn", "patient_id")
    assert "20% (10 of 50 persons) of this release are in it, by “mrn” here and “patient_id” there." in found.why


def test_ids_that_count_up_are_found_with_a_warning(register: Register) -> None:
    counted = [str(i + 1) for i in range(30)]
    enter(register, release(patients(counted), *TENS, case=A))
    (found,) = register.earlier(release(patients(counted, first_age=50), *TENS, case=A))
    assert found.persons == 30 and "may be those of other persons" in found.why


@pytest.mark.parametrize("without", ["then", "now", "both"])
def test_where_persons_cannot_be_compared_the_same_columns_matter(register: Register, without: str) -> None:
    roles = PATIENTS | {"patient_id": Role.OTHER}
    enter(register, release(patients(IDS), *TENS, case=A, roles=PATIENTS if without == "now" else roles))
    now = PATIENTS if without == "then" else roles
    (found,) = register.earlier(release(patients(OTHERS), *TENS, case=A, roles=now))
    assert found.same_columns and not found.same_file and (found.persons, found.of) == (0, 0)
    assert "has the same columns" in found.why
    renamed = patients(OTHERS).rename(columns={"illness": "diagnosis"})
    other = {"patient_id": now["patient_id"], "age": Role.QUASI_IDENTIFIER, "diagnosis": Role.SENSITIVE}
    assert register.earlier(release(renamed, *TENS, case=A, roles=other)) == ()


def test_one_that_was_returned_is_listed_and_says_so(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=A))
    register.close(1, "2026-04-01")
    (found,) = register.earlier(release(patients(IDS), *FIVES, case=A))
    assert "It was returned or deleted on 2026-04-01." in found.why


def test_what_the_verdict_counts_already_is_known(register: Register) -> None:
    """A recipe on record of the same file is asked about, whatever criteria there are."""
    enter(register, release(patients(IDS), *TENS, case=A))

    def counted(aim: Aim, ids: list[str] = IDS) -> list[bool]:
        opened = release(patients(ids), *FIVES, case=A, aim=aim)
        (earlier,) = register.earlier(opened)
        asked = (*opened.verdict.findings, *opened.verdict.measured)
        is_asked = any(isinstance(finding.criterion, EarlierReleases) for finding in asked)
        assert is_asked or not earlier.counted
        return [earlier.counted]

    on_record = replace(Aim(), earlier=(Recipe.of(TENS),))
    assert counted(Aim()) == [False], "nothing is on record"
    assert counted(on_record) == counted(replace(on_record, recipient="public")) == [True]
    assert counted(on_record.with_criterion(EarlierReleases())) == [True]
    assert counted(replace(Aim(), earlier=(Recipe.of(FIVES),)).with_criterion(EarlierReleases())) == [False]
    of_march = replace(on_record, earlier_of=((Recipe.of(TENS).digest, release(patients(IDS)).data.digest),))
    assert counted(of_march) == [True] and counted(of_march, IDS[1:]) == [False], "it is of another file"


def test_the_same_file_and_recipe_for_another_recipient_adds_nothing(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=A, to="public"))
    (earlier,) = register.earlier(release(patients(IDS), *TENS, case=B))
    assert earlier.counted and (earlier.new, earlier.gone) == (0, 0) and "Both have the same persons." in earlier.why
    other_roles = PATIENTS | {"illness": Role.IDENTIFIER}
    (earlier,) = register.earlier(release(patients(IDS), *TENS, case=A, to="public", roles=other_roles))
    assert not earlier.counted, "by other roles the same recipe makes another release"


def test_a_release_of_another_file_is_counted_once_it_is_opened(register: Register) -> None:
    """The same persons and recipe are not enough: cells of the other file may have changed."""
    march, april = release(patients(IDS), *TENS, case=A), release(patients(IDS, first_age=31), *TENS, case=A)
    enter(register, march)
    (earlier,) = register.earlier(april)
    assert not earlier.counted and (earlier.new, earlier.gone) == (0, 0)
    beside, (earlier,) = held_beside(april, [march], register)
    assert earlier.counted and beside.elsewhere == 0 and len(beside.beside) == 1
    _, (earlier,) = held_beside(april, [release(patients(IDS), *FIVES, case=A)], register)
    assert not earlier.counted, "another recipe"


def test_who_is_new_and_who_is_gone(register: Register) -> None:
    enter(register, release(patients(IDS), *TENS, case=A))
    (earlier,) = register.earlier(release(patients([*IDS[1:], *OTHERS[:3]]), *TENS, case=A))
    assert (earlier.persons, earlier.of, earlier.new, earlier.gone) == (39, 42, 3, 1)
    assert earlier.why.endswith("3 of this release are not in it, and 1 of it is not in this one.")


def test_who_is_new_is_not_known_where_persons_are_those_of_the_original(register: Register) -> None:
    opened = release(patients(IDS), *TENS, case=A)
    (of_release,) = register.people_of(opened).sets
    whole = replace(of_release, found_by=replace(of_release.found_by, of_release=False))
    register.enter(
        facts_of(opened, {"CSV": digest("a")}), PersonsOfRelease((whole,), (), register.people_of(opened).key_id)
    )
    (earlier,) = register.earlier(release(patients([*IDS[1:], *OTHERS[:3]]), *TENS, case=A))
    assert (earlier.persons, earlier.new, earlier.gone) == (39, None, None)
    assert earlier.why.endswith("Who is new or gone is not known.")
    no_ids = PATIENTS | {"patient_id": Role.OTHER}
    (earlier,) = register.earlier(release(patients(OTHERS), *TENS, case=A, roles=no_ids))
    assert (earlier.new, earlier.gone) == (None, None) and earlier.why.endswith("cannot be counted.")


@pytest.mark.parametrize("column", ["digests", "recipe"])
def test_the_register_keeps_keyed_digests_and_no_labels(desk: FolderRegister, column: str) -> None:
    """What it keeps says who is new and gone, and not with which labels anybody left."""
    enter(desk, release(patients(IDS), *TENS, case=A))
    kept = (desk.folder / DATABASE_NAME).read_bytes()
    assert column.encode() in kept
    assert not [text for text in (*IDS, "asthma", "30-39", "40-49") if text.encode() in kept]


def test_a_register_that_was_moved_knows_the_same_persons(desk: FolderRegister, tmp_path: Path) -> None:
    """One person is enough."""
    enter(desk, release(patients(IDS), *TENS, case=A))
    moved = desk.folder.rename(tmp_path / "moved")
    (found,) = FolderRegister.open(moved).earlier(release(patients([*OTHERS, IDS[3]]), *TENS, case=A))
    assert (found.persons, found.of) == (1, 41) and "(1 of 41 persons) of this release is in it" in found.why
    assert FolderRegister.open(moved).earlier(release(patients(OTHERS), *TENS, case=A)) == ()


def test_another_sheet_or_other_roles_are_another_release(register: Register) -> None:
    """Of one workbook by one recipe, with as many records: what left is another file."""
    enter(register, release(patients(IDS), *TENS, case=A, to="public"))
    same = release(patients(IDS), *TENS, case=A, to="within")
    (again,) = register.earlier(same)
    assert again.counted, "another recipient gets the same rows"
    read_otherwise = replace(same, data=replace(same.data, prepared="sheet 2"))
    (other,) = register.earlier(read_otherwise)
    assert not other.counted
