"""Where a release stands among policies: against a count of the file that leaves, its labels read as texts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.frontier import LOSSES, RISKS, Plane, PolicySpace, one_value_a_person, with_records
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.counting.privacy_models import ONE, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.from_analyses import steps_of_policy
from anonlib.release.on_plane import place_release
from anonlib.release.recipe import Recipe
from anonlib.release.steps import (
    AtMostRows,
    BlankCells,
    DropColumns,
    GeneralizeLocally,
    LeaveOut,
    MergeRare,
    Recode,
    Step,
)
from tests.helpers.errors import refused
from tests.reference.frontier import Case
from tests.reference.placement import K, shares, slow

NAMES = ("age", "zip", "sex")
KNOWN = (KAnonymity(columns=NAMES, least=K),)
AGES = Hierarchy((Intervals(5), Intervals(20), EVERYTHING))
ZIPS = Hierarchy((Mask(3), EVERYTHING))
SEX = Hierarchy((EVERYTHING,))


def drawn(rng: np.random.Generator, n: int, ages: range) -> list[tuple[str | None, ...]]:
    rows = zip(
        rng.choice(ages, n).astype(str),
        rng.choice(["37010", "37020", "38110"], n),
        rng.choice(["1", "2"], n),
        strict=True,
    )
    return [(age if rng.random() > 0.05 else None, place, sex) for age, place, sex in rows]


def a_case(seed: int, n: int = 40, people: bool = True) -> Case:
    rng = np.random.default_rng(seed)
    rows = drawn(rng, n, range(30, 50, 3))
    return Case(rows, rows + drawn(rng, 2 * n, range(27, 52)) if people else None)


def dataset(rows: list) -> Dataset:
    frame = pd.DataFrame(rows, columns=list(NAMES), dtype=object).assign(note=[f"x{i}" for i in range(len(rows))])
    return Dataset.from_frame(frame, roles=dict.fromkeys(NAMES, "quasi_identifier"))


def reads(text: str | None, value: str | None, blanks: bool) -> bool:
    """Whether somebody who reads the label takes it to stand for the value."""
    if text is None:
        return blanks or value is None
    if text.startswith("*") or text == "other":
        return True
    if value is None:
        return text.endswith("missing")
    text = text.removesuffix(" or missing")
    if text.endswith("*"):
        return value.startswith(text.rstrip("*"))
    if text.startswith("<"):
        return int(value) < int(text[1:])
    if text.endswith("+"):
        return int(value) >= int(text[:-1])
    low, _, high = text.partition("-")
    return low <= value <= high if high else any(value == one for one in text.split(" or "))


def check(case: Case, recipe: Recipe, **settings) -> None:
    """The release stands where a count of its file puts it, by every measure."""
    data = dataset(case.rows)
    applied = recipe.apply(data)
    leaving = applied.released.records
    blanks = any(step.kind == "blank_cells" for step in recipe.enabled)
    by_note = leaving.set_index("note")
    texts: list[tuple | None] = []
    for i in range(len(case.rows)):
        if f"x{i}" not in by_note.index:
            texts.append(None)
            continue
        row = by_note.loc[f"x{i}"]
        texts.append(
            tuple("*" if name not in row.index else row[name] if pd.notna(row[name]) else None for name in NAMES)
        )
    domains = case.domains()
    release = [
        None if labels is None
        else tuple(
            frozenset(value for value in domain if reads(label, value, blanks))
            for label, domain in zip(labels, domains, strict=True)
        )
        for labels in texts
    ]  # fmt: skip
    risks, losses = slow(case, release, texts)[0], shares(case, release, texts)
    table = None if case.people is None else dataset(case.people).classes(list(NAMES))
    space = PolicySpace(data.classes(list(NAMES)), table)
    for risk in RISKS:
        if risk in risks:
            assert place_release(Plane(space, risk, "ncp", K), applied, recipe, Recipe()).risk == pytest.approx(
                risks[risk], abs=1e-9
            ), risk
    for loss in LOSSES:
        if losses[loss] > 1 + 1e-6:
            with refused("release-not-on-plane"):
                place_release(Plane(space, "average", loss, K), applied, recipe, Recipe())
            continue
        placement = place_release(Plane(space, "average", loss, K), applied, recipe, Recipe())
        assert placement.loss == pytest.approx(max(0.0, losses[loss]), abs=1e-7), loss
        assert placement.left_out == texts.count(None)
        assert placement.groups == len({*texts} - {None})


RECIPES: dict[str, Callable[[], list[Step]]] = {
    "rules": lambda: [Recode("age", Intervals(10)), Recode("zip", Mask(3))],
    "left out": lambda: [Recode("age", Intervals(5)), LeaveOut(guarantees=KNOWN)],
    "mixed": lambda: [GeneralizeLocally((("age", AGES), ("zip", ZIPS), ("sex", SEX)), KNOWN, 0.1)],
    "mixed after a rule": lambda: [
        Recode("age", Intervals(5)),
        GeneralizeLocally((("zip", ZIPS), ("sex", SEX)), KNOWN, 0.3),
    ],
    "blank": lambda: [Recode("age", Intervals(5)), BlankCells(("age", "zip", "sex"), KNOWN)],
    "dropped": lambda: [DropColumns(("sex",)), Recode("age", Intervals(20))],
    "as it is": lambda: [],
}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("people", [True, False])
def test_a_release_stands_where_its_file_puts_it(name, people):
    check(a_case(3, people=people), Recipe.of(RECIPES[name]()))


def test_a_policy_that_is_taken_stands_where_it_was():
    case = a_case(4)
    data, population = dataset(case.rows), dataset(case.people or [])
    space = PolicySpace(data.classes(list(NAMES)), population.classes(list(NAMES)))
    plane, rng = Plane(space), np.random.default_rng(0)
    for policy in (space.top, space.bottom, *(rng.random((6, space.n_bits)) < 0.4)):
        recipe = Recipe.of(steps_of_policy(space, policy))
        placement = place_release(plane, recipe.apply(data), recipe, Recipe())
        assert placement.policy is not None and np.array_equal(placement.policy, policy)
        assert (placement.risk, placement.loss) == tuple(map(float, plane.finish(*plane.sums(policy))))


def test_rare_values_together_cover_what_became_them():
    case = a_case(5, n=80)
    rows = [(age, place, "34567"[i] if i < 5 else sex) for i, (age, place, sex) in enumerate(case.rows)]
    data = dataset(rows)
    space = PolicySpace(data.classes(list(NAMES)))
    recipe = Recipe.of([MergeRare("sex", 5, "other")])
    placement = place_release(Plane(space), recipe.apply(data), recipe, Recipe())
    assert placement.labels["sex"] == 3 and placement.policy is not None
    assert space.describe(placement.policy)["sex"] == "[1][2][3-7]"


def test_who_is_not_on_the_plane_does_not_count():
    """Records that match nobody may be left out of the search; they leave all the same."""
    case = a_case(6)
    data = dataset(case.rows)
    some = data.classes(list(NAMES)).keep(data.classes(list(NAMES)).counts > 1)
    plane = Plane(PolicySpace(some, with_records(some, some)))
    recipe = Recipe.of([Recode("age", Intervals(20))])
    placement = place_release(plane, recipe.apply(data), recipe, Recipe())
    assert placement.left_out == 0 and placement.risk < 1


def persons(rows: list[str]) -> Dataset:
    frame = pd.DataFrame([row.split(",") for row in rows], columns=["who", "age", "zip"], dtype=object)
    roles = {"who": "person_id", "age": "quasi_identifier", "zip": "quasi_identifier"}
    return Dataset.from_frame(frame, roles=roles)


def test_persons_are_counted_once_and_those_whose_rows_differ_not_at_all():
    data = persons(["a,30,1", "a,30,1", "b,31,1", "c,40,2", "d,41,2", "d,55,2"])
    plane = Plane(PolicySpace(one_value_a_person(data.classes(["age", "zip"]))))
    recipe = Recipe.of([Recode("age", Intervals(10))])
    placement = place_release(plane, recipe.apply(data), recipe, Recipe())
    assert (placement.k, placement.groups, placement.left_out) == (1, 2, 0)
    assert placement.risk == pytest.approx(2 / 3)


def test_a_person_whose_rows_agree_only_once_some_are_left_out_is_not_counted_either():
    """Rows of 55 are left out, so that d leaves with one age; the policies never counted d."""
    data = persons(["a,30,1", "a,30,1", "b,31,1", "c,40,2", "e,41,2", "d,41,2", "d,55,2"])
    plane = Plane(PolicySpace(one_value_a_person(data.classes(["age", "zip"]))))
    recipe = Recipe.of([LeaveOut(guarantees=(KAnonymity(columns=("age", "zip"), least=2, rows=ONE),), what="rows")])
    applied = recipe.apply(data)
    assert not applied.problems and 0 < applied.released.n_records < 7
    placement = place_release(plane, applied, recipe, Recipe())
    assert placement.left_out < 4 and placement.risk <= 1


def test_what_cannot_be_compared_says_why():
    case = a_case(7)
    data = dataset(case.rows)
    plane = Plane(PolicySpace(data.classes(["age", "zip"])))
    with refused("release-not-on-plane"):  # which the plane knows nothing of
        place_release(plane, Recipe().apply(data), Recipe(), Recipe.of([DropColumns(("sex",))]))
    everybody = Recipe.of([LeaveOut(len(case.rows) + 1)])
    with refused("release-not-on-plane"):
        place_release(plane, everybody.apply(data), everybody, Recipe())
    wrong = Recipe.of([Recode("income", Intervals(5))])
    with refused("release-stays"):
        place_release(plane, wrong.apply(data), wrong, Recipe())
    rows = Recipe.of([AtMostRows(1, secret="0" * 32)])
    visits = persons(["a,30,1", "a,30,1", "b,31,1", "c,40,2"])
    with refused("release-not-on-plane"):
        place_release(Plane(PolicySpace(visits.classes(["age"]))), rows.apply(visits), rows, Recipe())
