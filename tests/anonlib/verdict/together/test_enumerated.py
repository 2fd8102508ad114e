"""All ways to give the persons of small files their values, of which each release stays the same: nobody is certain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import permutations

import pandas as pd
from hypothesis import assume, event, given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.counting.privacy_models import ALL, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, DropColumns, GeneralizeLocally, LeaveOut, Recode, Step
from anonlib.verdict.criteria import EarlierReleases, State
from anonlib.verdict.together import Release, counted_exactly, together
from tests.helpers.examples import settings
from tests.helpers.small_release import IDENTIFIER, PERSON, QI, SENSITIVE
from tests.helpers.verdicts import case_with

ROLES = {"patient": PERSON, "visit": IDENTIFIER, "ward": QI, "age": QI, "ill": SENSITIVE}
AGES, WARDS = Hierarchy((Intervals(10), ValueMap((), otherwise="*"))), Hierarchy((ValueMap((), otherwise="*"),))
ALIKE = (KAnonymity(columns=("ward", "age"), least=2),)
STEPS = st.sampled_from(
    [
        (), (DropColumns(("ward",)),), (Recode("age", Intervals(10)),), (LeaveOut(2),),
        (Recode("age", Intervals(10)), LeaveOut(2)), (DropColumns(("ward",)), LeaveOut(2)),
        (GeneralizeLocally((("ward", WARDS), ("age", AGES)), ALIKE, 1.0),), (BlankCells(("ward", "age"), ALIKE, 1.0),),
        (Recode("age", ValueMap((), otherwise="*")),), (DropColumns(("ill",)),),
    ]
)  # fmt: skip
Row = tuple[str, str, str, str, str]


def month(rows: Sequence[Row]) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(ROLES), dtype=object), roles=ROLES)


@st.composite
def months(draw: st.DrawFn, several_rows: bool) -> tuple[list[Row], list[Row]]:
    """Two months' files of up to six visits: of some in both, of others in one; a value may have changed."""
    kind = st.tuples(
        st.sampled_from("AAB"), st.sampled_from(["30", "31", "40"]),
        st.sampled_from(["both", "both", "both", "first", "second"]), st.sampled_from([None, None, None, "31", "40"]),
        st.integers(1, 3),
    )  # fmt: skip
    both: tuple[list[Row], list[Row]] = ([], [])
    kinds = draw(st.lists(kind, min_size=1, max_size=3))
    for i, (ward, age, where, later, _) in enumerate([each for each in kinds for _ in range(each[-1])][:6]):
        person = draw(st.sampled_from("abc")) if several_rows else "abcdef"[i]  # not numbers, which could be others'
        ills = draw(st.tuples(st.sampled_from(["flu", "HIV"]), st.sampled_from(["flu", "gout"])))
        first = (person, f"v{i}", ward, age, ills[0])
        if where != "second":
            both[0].append(first)
        if where != "first":
            both[1].append(first if later is None else (*first[:3], later, ills[1]))
    assume({row[0] for row in both[0]} & {row[0] for row in both[1]})
    return both


def released_rows(release: Release, rows: Sequence[Row]) -> dict[str, tuple[tuple[str, ...], str]]:
    """By visit, the known labels and the illness as they leave."""
    places = release.original.rows_of(release.released).tolist()
    frame = release.released.records.astype(object).fillna("(missing)")
    known = [name for name in ("ward", "age") if name in frame]
    return {
        rows[place][1]: (tuple(frame.iloc[i][known]), str(frame.iloc[i]["ill"]) if "ill" in frame else "(missing)")
        for i, place in enumerate(places)
    }


def worlds(releases: Sequence[dict[str, tuple[tuple[str, ...], str]]], person: dict[str, str]) -> list[dict[str, str]]:
    """All ways to give visits the unknown part of others, with which every release looks as it does."""
    visits = list(person)

    def looks(given: dict[str, str]) -> list[Hashable]:
        looks_so = []
        for release in releases:
            by_person = defaultdict[str, list[tuple[tuple[str, ...], str]]](list)
            for visit, (labels, _) in release.items():
                other = release.get(given[visit])
                by_person[person[visit]].append((labels, "nothing" if other is None else other[1]))
            looks_so.append(frozenset(Counter(tuple(sorted(rows)) for rows in by_person.values()).items()))
        return looks_so

    truth = looks({visit: visit for visit in visits})
    tried = (dict(zip(visits, others, strict=True)) for others in permutations(visits))
    return [given for given in tried if looks(given) == truth]


def check(rows: tuple[list[Row], list[Row]], steps: tuple[tuple[Step, ...], tuple[Step, ...]], k: int) -> None:
    first, second = (month(each) for each in rows)
    try:
        before = Release.of(first, Recipe.of(steps[0]))
        case = case_with(second, *steps[1], beside=(before,))
    except InputError:
        assume(False)
    assume(not before.applied.problems and not case.applied.problems)
    finding = EarlierReleases(k, 0.0, rows=(ALL,)).check(case)
    event(str(finding.state))
    both = [released_rows(release, of_month) for release, of_month in zip((before, case.as_release), rows, strict=True)]
    person = {row[1]: row[0] for of_month in rows for row in of_month if any(row[1] in release for release in both)}
    if finding.state is State.MET and person:
        signatures = defaultdict[str, list[Hashable]](list)
        for visit, of_person in person.items():
            signatures[of_person].append(tuple(release[visit][0] if visit in release else None for release in both))
        alike = Counter(tuple(sorted(map(repr, each))) for each in signatures.values())
        assert min(alike.values()) >= k, "everything else of as many can be exchanged"
        possible = defaultdict[tuple[str, int], set[tuple[str, ...]]](set)
        for given_to in worlds(both, person):
            for of_person in signatures:
                for i, release in enumerate(both):
                    ills = sorted(
                        release[given_to[visit]][1]
                        for visit in person
                        if person[visit] == of_person and visit in release and given_to[visit] in release
                    )
                    possible[of_person, i].add(tuple(ills))
        for sets_of_values in possible.values():
            certain = set.intersection(*map(set, sets_of_values)) - {"(missing)"}
            assert not certain, "a value that the person has in every world"
    rows_together = together((case.as_release, before)).matched
    assert rows_together is not None
    cells = counted_exactly(case.as_release, before, rows_together, (0, 1), k)
    if cells:
        assert finding.state is State.NOT_MET
        assert all(0 < cell.fewest < k for cell in cells)


@settings(max_examples=900, deadline=None)
@given(months(False), st.tuples(STEPS, STEPS), st.integers(2, 3))
def test_of_persons_with_one_row(
    rows: tuple[list[Row], list[Row]], steps: tuple[tuple[Step, ...], tuple[Step, ...]], k: int
) -> None:
    check(rows, steps, k)


@settings(max_examples=400, deadline=None)
@given(months(True), st.tuples(STEPS, STEPS), st.integers(2, 3))
def test_of_persons_with_several_rows(
    rows: tuple[list[Row], list[Row]], steps: tuple[tuple[Step, ...], tuple[Step, ...]], k: int
) -> None:
    check(rows, steps, k)
