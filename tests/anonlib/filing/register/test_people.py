"""Who is in a release: the same persons are found in other files and spellings, and nobody else is."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project import Opened, Project
from anonlib.filing.register import PersonsOfRelease, RegisterKey, people
from anonlib.filing.register.people import found_again, people_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.anonlib.filing.register.conftest import PATIENTS, patients, release

KEY, OTHER_KEY = RegisterKey(bytes(range(32))), RegisterKey(bytes(32))
IDS = [f"P-{i:03d}" for i in range(40)]
NO_PERSON_ID = {"age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}


def expected(ids: Sequence[str], key: RegisterKey = KEY) -> set[int]:
    """The digests by their definition."""
    found = [hmac.new(key.secret, f"person{each}".encode(), hashlib.sha256).digest()[:8] for each in ids]
    return {int.from_bytes(each, "little") for each in found}


def digests(found: PersonsOfRelease) -> list[set[int]]:
    return [set(each.digests.tolist()) for each in found.sets]


def test_digests_are_hmac_sha_256_of_person_and_the_id() -> None:
    (other,), (found,) = (people_of(release(patients(IDS)), key).sets for key in (OTHER_KEY, KEY))
    ids = [each.lower() for each in IDS]
    assert set(found.digests.tolist()) == expected(ids) and KEY.id != OTHER_KEY.id
    assert set(other.digests.tolist()) == expected(ids, OTHER_KEY) != expected(ids)
    assert found.digests.dtype == np.dtype("<u8") and (np.diff(found.digests) > 0).all()
    assert found.found_by.column == "patient_id" and found.found_by.role == "person_id"
    assert found.found_by.of_release and found.found_by.persons == len(IDS)


def test_ids_in_another_spelling_are_the_same_persons() -> None:
    numbers = [str(1000 + i) for i in range(30)]
    spelled = [[f" {each}" for each in numbers], [f"{each}.0" for each in numbers], [f"{each}  " for each in numbers]]
    plain = digests(people_of(release(patients(numbers)), KEY))
    assert all(digests(people_of(release(patients(each)), KEY)) == plain for each in spelled)
    low, high = (digests(people_of(release(patients([f"{ab}{i}" for i in numbers])), KEY)) for ab in ("ab", "AB"))
    assert low == high != plain
    with_zeros = [f"00{each}" for each in numbers]
    assert not digests(people_of(release(patients(with_zeros)), KEY))[0] & plain[0]


@given(st.lists(st.integers(0, 12), min_size=1, max_size=40), st.integers(0, 3))
def test_only_who_is_in_the_release_is_in_it(persons: list[int], least: int) -> None:
    """Beside a plain walk over rows: with the classes that are too small left out, as the recipe leaves them out."""
    ages = [30 + 10 * (i % 3) for i in range(len(persons))]
    frame = pd.DataFrame({"patient_id": [f"P{each}" for each in persons], "age": [str(age) for age in ages]})
    steps = [LeaveOut(least)] if least else []
    opened = release(frame, *steps, roles={"patient_id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER})
    left = opened.applied.released.records["patient_id"].astype(object)
    found = digests(people_of(opened, KEY))
    assert found == ([expected([each.lower() for each in set(left)])] if len(left) else [])


def test_where_it_is_not_known_who_is_left_all_of_the_original_are_kept() -> None:
    opened = release(patients(IDS), Recode("age", Intervals(10)))
    other = Dataset.from_frame(patients(IDS[:30]), roles=PATIENTS)
    applied = type(opened.applied)(opened.data, other, opened.applied.effects, 0)
    (found,) = people_of(Opened(opened.project, opened.data, applied), KEY).sets
    assert not found.found_by.of_release and found.found_by.persons == len(IDS)
    assert "all of the original" in found_again([found.found_by])


def test_without_a_person_id_nearly_unique_identifiers_say_who_is_who() -> None:
    n = 100
    frame = patients([str(i) for i in range(n)], column="mrn").assign(
        name=[f"name {max(i, 4)}" for i in range(n)],  # 96 different ones of 100
        ward=[f"ward {i % 50}" for i in range(n)],
        card=[f"card {max(i, 6)}" for i in range(n)],  # 94 of 100
        some=[f"e{i}@a.example" if i % 2 else "" for i in range(n)],  # unique where there is one
        nothing=[""] * n,
    )
    identifiers = dict.fromkeys(("mrn", "name", "ward", "card", "some", "nothing"), Role.IDENTIFIER)
    found = people_of(release(frame, roles=NO_PERSON_ID | identifiers), KEY)
    assert [(each.found_by.column, each.found_by.persons) for each in found.sets] == [
        ("mrn", 100), ("name", 96), ("some", 50),
    ]  # fmt: skip
    assert all(each.found_by.role == "identifier" for each in found.sets) and not found.not_by


def test_beside_a_person_id_an_identifier_counts_that_names_the_same_persons() -> None:
    frame = patients([f"P{i // 2}" for i in range(40)])
    frame = frame.assign(mrn="M" + frame["patient_id"], visit=range(40), ward=[f"W{i // 20}" for i in range(40)])
    identifiers = dict.fromkeys(("mrn", "visit", "ward"), Role.IDENTIFIER)
    found = people_of(release(frame, roles=PATIENTS | identifiers), KEY)
    assert [each.found_by.column for each in found.sets] == ["patient_id", "mrn"]


def test_a_person_id_in_one_file_is_an_identifier_in_another() -> None:
    as_person = people_of(release(patients(IDS)), KEY).sets[0]
    roles = NO_PERSON_ID | {"mrn": Role.IDENTIFIER}
    as_identifier = people_of(release(patients(IDS[10:], column="mrn"), roles=roles), KEY).sets[0]
    assert as_identifier.shared_with(as_person.digests) == len(IDS) - 10


def test_without_any_nobody_is_kept_and_it_says_so() -> None:
    found = people_of(release(patients(IDS).drop(columns="patient_id"), roles=NO_PERSON_ID), KEY)
    assert not found.sets and "by its file alone" in found_again([])


@pytest.mark.parametrize(
    "ids, count_up",
    [
        ([str(i) for i in range(1, 41)], True),
        ([f"{i:05d}" for i in range(1, 41)], True),
        ([str(i) for i in range(5, 400, 10)], True),
        ([str(7_000_000 + i) for i in range(40)], False),
        (IDS, False),
        (["９" * 30, "1"], False),
    ],
)
def test_ids_that_count_up_are_known_as_such(ids: list[str], count_up: bool) -> None:
    found = people_of(release(patients(ids)), KEY).sets[0].found_by
    assert found.counts_up is count_up
    assert ("count up" in found_again([found])) is count_up


def test_too_many_ids_are_not_looked_at_and_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_IDS", 10)
    found = people_of(release(patients(IDS)), KEY)
    assert not found.sets and "“patient_id” has more different values" in found.not_by[0]
    assert found.not_by[0] in found_again([], found.not_by)


def test_records_in_an_engine_have_the_same_persons() -> None:
    frame = pd.DataFrame({"patient_id": IDS, "age": [str(20 + i // 3) for i in range(40)]})
    roles = {"patient_id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER}
    recipe = Recipe.of([LeaveOut(3)])
    held = Dataset.from_ibis(ibis.duckdb.connect().create_table("patients", frame), roles=roles)
    in_memory, in_engine = (
        people_of(Opened(Project(roles=roles, recipe=recipe), data, recipe.apply(data)), KEY)
        for data in (Dataset.from_frame(frame, roles=roles), held)
    )
    assert digests(in_memory) == digests(in_engine) and in_engine.sets[0].found_by.persons == 39
    assert in_engine.sets[0].found_by.of_release
