"""Persons with several rows as they leave: verdicts and proposals, recomputed from the bytes of the file by plain code.

Each of these releases "may leave" while a person counted with the set of their values in each column. The plain code
shares nothing with the library: rows of a CSV, grouped by the person's number.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from anonlib.basics.budget import about_seconds
from anonlib.coarsening.recoding import Mask
from anonlib.counting.privacy_models import ALL, ONE, VALUES, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Step, Unlink
from anonlib.verdict.criteria import Aim, Case, Combinations, Finding, Inference, RecordsKept, SmallestClass, State
from anonlib.verdict.proposals import Adviser, Asked, Proposal, why_none
from benchmarks.hospital import visits
from tests.helpers.small_release import OTHER, PERSON, QI, SENSITIVE

Row = dict[str, str]
KNOWN = ("race", "gender", "age", "admission_type", "time_in_hospital")
N_HOSPITAL, N_PATIENTS = 8_000, 5_650


# ---- plain code ----


def persons_of(released: bytes, person: str) -> list[list[Row]]:
    rows = defaultdict(list)
    for row in csv.DictReader(io.StringIO(released.decode("utf-8-sig"))):
        rows[row[person]].append(row)
    return list(rows.values())


def sizes(persons: list[list[Row]], columns: Sequence[str]) -> dict[str, list[int]]:
    """Of how few the rarest is that somebody knows of each person: one row, all rows, or the values of each column."""

    def cells(row: Row) -> tuple[str, ...]:
        return tuple(row[name] for name in columns)

    def as_a_whole(key: Callable[[list[Row]], Hashable]) -> list[int]:
        keys = [key(person) for person in persons]
        counted = Counter(keys)
        return [counted[each] for each in keys]

    having = Counter(each for person in persons for each in {cells(row) for row in person})
    return {
        "one": [min(having[cells(row)] for row in person) for person in persons],
        "all": as_a_whole(lambda person: tuple(sorted(map(cells, person)))),
        "values": as_a_whole(lambda person: tuple(frozenset(row[name] for row in person) for name in columns)),
    }


def below(persons: list[list[Row]], columns: Sequence[str], k: int) -> dict[str, int]:
    return {name: sum(size < k for size in each) for name, each in sizes(persons, columns).items()}


def certain_by_all_rows(persons: list[list[Row]], columns: Sequence[str], sensitive: str) -> int:
    """For how many a value is among those of everybody with the same rows."""
    peers = defaultdict(list)
    for person in persons:
        key = tuple(sorted(tuple(row[name] for name in columns) for row in person))
        peers[key].append({row[sensitive] for row in person} - {""})
    return sum(len(each) for each in peers.values() if set.intersection(*each))


# ---- files ----


@lru_cache
def hospital() -> Dataset:
    columns = [*KNOWN, "A1Cresult", "patient_nbr"]
    roles = dict.fromkeys(KNOWN, QI) | {"A1Cresult": SENSITIVE, "patient_nbr": PERSON}
    return Dataset.from_frame(visits(N_HOSPITAL, N_PATIENTS)[columns], roles=roles)


@lru_cache
def admissions() -> Dataset:
    frame = pd.read_csv("data/samples/admissions.csv", dtype=str, keep_default_na=False).replace("", None)
    known = ("age", "sex", "zip", "department")
    roles = dict.fromkeys(known, QI) | {"diagnosis": SENSITIVE, "medical_record_number": PERSON}
    return Dataset.from_frame(frame[[*known, "diagnosis", "medical_record_number"]], roles=roles)


@lru_cache
def wards() -> Dataset:
    """40 persons who were in the same six wards, one a month, each in an order of their own."""
    rng = np.random.default_rng(3)
    rows = [
        (str(person), f"2024-0{month}", f"ward {ward}")
        for person in range(40)
        for month, ward in enumerate(rng.permutation(6), start=1)
    ]
    frame = pd.DataFrame(rows, columns=["person", "month", "ward"])
    return Dataset.from_frame(frame, roles={"person": PERSON, "month": QI, "ward": QI})


def was_met(data: Dataset, k: int, *before: Step) -> tuple[Recipe, Dataset]:
    """The release that counting the values of each column lets leave."""
    known = tuple(data.quasi_identifiers)
    dropped = {name for step in before if isinstance(step, DropColumns) for name in step.columns}
    asked = KAnonymity(columns=tuple(name for name in known if name not in dropped), least=k, rows=VALUES)
    recipe = Recipe.of([*before, LeaveOut(guarantees=(asked,))])
    return recipe, recipe.apply(data).released


def findings_of(data: Dataset, recipe: Recipe, aim: Aim) -> dict[type, Finding]:
    applied = recipe.apply(data)
    case = Case(applied, recipe, harmless=aim.harmless_by_column, k=aim.k, rows_known=aim.of.rows)
    return {type(each): each.check(case) for each in aim.criteria}


# ---- the verdicts that were wrong ----

FEWER_WAYS = (DropColumns(("admission_type", "time_in_hospital")),)
ADMITTED = (Recode("zip", Mask(1)), DropColumns(("age",)))


@pytest.mark.parametrize(
    ("data", "recipient", "k", "before"),
    [
        (hospital, "public", 11, ()),
        (hospital, "public", 11, FEWER_WAYS),
        (admissions, "public", 11, ADMITTED),
        (wards, "public", 11, ()),
        (wards, "contract", 5, ()),
    ],
)
def test_a_release_that_was_stated_to_do_is_not_met_and_says_how_many(data, recipient, k, before):
    recipe, released = was_met(data(), k, *before)
    persons = persons_of(released_csv(released), data().person_id)
    columns = [name for name in data().quasi_identifiers if name in released.columns]
    counted = below(persons, columns, k)
    assert counted["values"] == 0, "as it was counted, all is fine"
    finding = findings_of(data(), recipe, Aim.for_recipient(recipient))[SmallestClass]
    asked = ("all",) if recipient == "public" else ("one", "values")
    assert finding.state is State.NOT_MET
    assert finding.persons == max(counted[rows] for rows in asked) > 0
    names = {"one": ONE, "all": ALL, "values": VALUES}
    assert dict(finding.by_rows) == {names[rows]: counted[rows] for rows in asked}


def test_under_contract_size_is_met_and_who_is_below_by_all_rows_is_stated():
    data, aim = admissions(), Aim.for_recipient("contract")
    known = tuple(name for name in data.quasi_identifiers if name != "age")
    leaves = tuple(KAnonymity(columns=known, least=5, rows=rows) for rows in (VALUES, ONE))
    recipe = Recipe.of([*ADMITTED, LeaveOut(guarantees=leaves)])
    persons = persons_of(released_csv(recipe.apply(data).released), "medical_record_number")
    counted = below(persons, known, 5)
    assert counted["one"] == counted["values"] == 0 < counted["all"]
    found = findings_of(data, recipe, aim)
    assert found[SmallestClass].state is State.MET
    assert (found[Combinations].persons, found[Combinations].n_persons) == (counted["all"], len(persons))
    assert f"{counted['all']:,} of {len(persons):,} persons" in found[Combinations].says


# ---- what is proposed ----


@pytest.mark.parametrize(("data", "recipient", "k"), [(hospital, "public", 11), (admissions, "public", 11)])
def test_a_proposal_holds_on_the_bytes_that_leave(data, recipient, k):
    aim = Aim.for_recipient(recipient)
    for name, value in {"A1Cresult": "None"}.items():
        aim = aim.with_harmless(name, (value,))
    proposal = Adviser(Asked.of(data(), aim, {})).most_detail(about_seconds(1))
    assert isinstance(proposal, Proposal)
    recipe = proposal.taken(Recipe(), data())
    released = recipe.apply(data()).released
    persons = persons_of(released_csv(released), data().person_id)
    columns = [name for name in data().quasi_identifiers if name in released.columns]
    assert below(persons, columns, k) == {"one": 0, "all": 0, "values": 0}
    sensitive = data().sensitive[0]
    harmless = set(aim.harmless_by_column.get(sensitive, ()))
    apart = [[{**row, sensitive: "" if row[sensitive] in harmless else row[sensitive]} for row in p] for p in persons]
    assert certain_by_all_rows(apart, columns, sensitive) == 0
    n_rows, n_persons = sum(map(len, persons)), len(persons)
    assert (proposal.rows_out, proposal.left_out) == (N_HOSPITAL - n_rows if data is hospital else 5_000 - n_rows,
                                                      proposal.n_records - n_persons)  # fmt: skip
    least = next(each.least for each in aim.criteria if isinstance(each, RecordsKept))
    assert n_rows >= least * proposal.n_rows and n_persons >= least * proposal.n_records
    found = findings_of(data(), recipe, aim)
    assert found[SmallestClass].state is found[Inference].state is found[RecordsKept].state is State.MET


def test_what_cannot_be_had_says_which_number_of_rows_is_in_the_way():
    """Everybody has two rows but one person, who has five: no level of a column makes others like them."""
    rows = [(f"p{i}", "x") for i in range(30) for _ in range(2)] + [("p30", "x")] * 5
    frame = pd.DataFrame(rows, columns=["who", "a"])
    data = Dataset.from_frame(frame, roles={"who": PERSON, "a": QI})
    aim = Aim.for_recipient("public")
    criteria = tuple(RecordsKept(1.0) if isinstance(each, RecordsKept) else each for each in aim.criteria)
    adviser = Adviser(Asked.of(data, aim, {}, criteria))
    nothing = adviser.most_detail()
    assert "1 of 31 persons (1 by their number of rows alone, which is 5)" in why_none(adviser, nothing)


def test_without_the_person_id_a_proposal_holds_where_columns_that_stay_link_rows():
    """Four persons share a card, which nobody outside knows and which leaves: who saw one row can find the others."""
    rng = np.random.default_rng(4)
    rows = [
        (str(i), str(i // 4), "abc"[rng.integers(3)], "xyz"[rng.integers(3)])
        for i in range(160)
        for _ in range(rng.integers(1, 4))
    ]
    frame = pd.DataFrame(rows, columns=["who", "card", "ward", "day"])
    data = Dataset.from_frame(frame, roles={"who": PERSON, "card": OTHER, "ward": QI, "day": QI})
    unlink, aim = Recipe.of([Unlink("who")]), Aim.for_recipient("public")
    proposal = Adviser(Asked.of(unlink.apply(data).released, aim, {}, unknowable=("card",))).most_detail(
        about_seconds(1)
    )
    assert isinstance(proposal, Proposal)
    recipe = proposal.taken(unlink, data)
    found = findings_of(data, recipe, aim)
    assert found[SmallestClass].state is State.MET, found[SmallestClass].says
    assert "by card, which does not change for a person" in found[SmallestClass].says
    with_ids = Recipe(tuple(each for each in recipe.entries if not isinstance(each.step, Unlink)))
    persons = persons_of(released_csv(with_ids.apply(data).released), "who")
    assert below(persons, [name for name in ("ward", "day") if name in persons[0][0]], 11)["all"] == 0
