"""Who is alone by a few of all columns that leave, recomputed from the released file by plain code."""

from __future__ import annotations

from itertools import combinations

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode
from anonlib.release.uniqueness_of_release import A_SET, AloneCount, alone_by_what_leaves, seconds
from tests.helpers.examples import settings

ROLES = {"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive", "ward": "other"}
AGES = Hierarchy((Intervals(5), Intervals(10), EVERYTHING))
WAYS = {"age": AGES, "sex": Hierarchy((EVERYTHING,))}
STEPS = {
    "as it is": [],
    "whole columns": [Recode("age", Intervals(10)), Recode("ill", ValueMap.of({"flu": None}, otherwise="other"))],
    "part by part": [
        GeneralizeLocally((("age", AGES),), (KAnonymity(columns=("age", "sex"), least=2),), left_out_limit=0.3)
    ],
    "two columns part by part": [
        GeneralizeLocally(tuple(WAYS.items()), (KAnonymity(columns=("age", "sex"), least=2),), left_out_limit=0.3)
    ],
    "small classes": [Recode("age", Intervals(5)), LeaveOut(2), DropColumns(("ward",))],
}


@st.composite
def files(draw: st.DrawFn, persons: bool) -> pd.DataFrame:
    n = draw(st.integers(2, 12))

    def column(*values: str | None) -> list[str | None]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    cells = {
        "age": column("30", "31", "34", "36", "41", None), "sex": column("f", "m"),
        "ill": column("flu", "cold", "gout", None), "ward": column("a", "b", "c"),
    }  # fmt: skip
    ids = [f"p{i}" for i in draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))] if persons else range(n)
    return pd.DataFrame({**cells, "id": list(map(str, ids))}, dtype=object)


def data_of(frame: pd.DataFrame, persons: bool) -> Dataset:
    return Dataset.from_frame(frame, roles={**ROLES, "id": "person_id" if persons else "identifier"})


def covers(column: str, label: str, value: str | None, steps: list) -> bool:
    """Whether a released label stands for a true value, on whatever level."""
    for step in steps:
        if column in step.recodes:
            ways = [step.recoding] if isinstance(step, Recode) else [None, *WAYS[column].recodings]
            return any(label == (value if way is None else labelled(way, value)) for way in ways)
    return label == value


def labelled(way, value: str | None) -> str | None:
    """What a value becomes; a missing one only where everything is one."""
    if value is None:
        return "*" if way is EVERYTHING else None
    return way.labels([value])[0]


def level_of(column: str, label: str | None, value: str | None, steps: list) -> int:
    """The highest level on which a value has a label; -1 for none."""
    ways = [None, *WAYS[column].recodings] if any(isinstance(step, GeneralizeLocally) for step in steps) else [None]
    if label is None:
        return -1
    found = [i for i, way in enumerate(ways) if label == (value if way is None else labelled(way, value))]
    return max(found, default=-1)


def at_level(column: str, level: int, value: str | None) -> str | None:
    """The label of a value on a level."""
    way = [None, *WAYS[column].recodings][level]
    return value if way is None else labelled(way, value)


def is_finer(mine: tuple, its: tuple, differing: set[int], steps: list, local: list[str]) -> bool:
    """Whether one part (labels, values) lies within another along some places alone."""
    (labels, values), (other_labels, other_values) = mine, its
    for i, (label, other) in enumerate(zip(labels, other_labels, strict=True)):
        if i not in differing:
            if label != other:
                return False
            continue
        ways = [None, *WAYS[local[i]].recodings]
        at, fine = (level_of(local[i], *each, steps) for each in ((other, other_values[i]), (label, values[i])))
        if at < 0 or fine < 0 or fine > at:
            return False
        if (values[i] if ways[at] is None else labelled(ways[at], values[i])) != other:
            return False
    return labels != other_labels


def slow(recipe: Recipe, data: Dataset, known: int, k: int) -> tuple[int, int, int]:
    """Persons alone, persons below k, and all, of a release: in the own region of each part."""
    applied = recipe.apply(data)
    steps = list(recipe.enabled)
    released, original = applied.released, data.records.astype(object)
    original = original.where(original.notna(), None)
    places = data.rows_of(released)
    labels = released.records.astype(object)
    labels = labels.where(labels.notna(), None)
    columns = [name for name in released.columns if name != "id"]
    local = [name for step in steps if isinstance(step, GeneralizeLocally) for name in step.recodes]
    part = [(tuple(labels[name].iloc[i] for name in local), tuple(original[name].iloc[place] for name in local))
            for i, place in enumerate(places)]  # fmt: skip
    who = original["id"].iloc[places].tolist()
    alone, below = set(), set()
    for row in range(len(labels)):
        for size in range(1, known + 1):
            for chosen in combinations(columns, size):
                condition = {name: labels[name].iloc[row] for name in chosen}
                if None in condition.values():
                    continue
                differing = {local.index(name) for name in chosen if name in local}
                finer = [each for each in part if differing and is_finer(each, part[row], differing, steps, local)]

                def is_apart(i: int, row=row, finer=finer, differing=differing) -> bool:
                    """Whether a record of another part fits a finer one along what is known."""
                    values = part[i][1]
                    return part[i][0] != part[row][0] and any(
                        all(at_level(local[j], level_of(local[j], labels_[j], values_[j], steps), values[j])
                            == labels_[j] for j in differing)
                        for labels_, values_ in finer
                    )  # fmt: skip

                fulfil = {
                    who[i] for i, place in enumerate(places)
                    if all(covers(name, label, original[name].iloc[place], steps) for name, label in condition.items())
                    and not is_apart(i)
                }  # fmt: skip
                alone |= {who[row]} if len(fulfil) < 2 else set()
                below |= {who[row]} if len(fulfil) < k else set()
    return len(alone), len(below), len(set(who))


@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("steps", STEPS)
@settings(max_examples=60)
@given(st.data())
def test_against_plain_code(steps, persons, data):
    file = data_of(data.draw(files(persons)), persons)
    known, k = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 4))
    recipe = Recipe.of(STEPS[steps]).take([], file)
    applied = recipe.apply(file)
    if applied.problems or not applied.released.n_records:
        return
    found = alone_by_what_leaves(applied, recipe, known=known, k=k)
    assert (found.alone, found.below, found.n_records) == slow(recipe, file, known, k)
    assert not found.not_counted and "id" not in found.columns


@settings(max_examples=15)
@given(st.data())
def test_in_an_engine(data):
    frame = data.draw(files(True))
    here = data_of(frame, True)
    there = Dataset.from_ibis(ibis.memtable(frame), roles=here.roles)
    recipe = Recipe.of(STEPS[data.draw(st.sampled_from([*STEPS]))])
    one, other = (alone_by_what_leaves(recipe.apply(each), recipe, known=2, k=3) for each in (here, there))
    assert (one.alone, one.below, one.n_records) == (other.alone, other.below, other.n_records)


@settings(max_examples=60)
@given(st.data())
def test_a_column_put_in_counts_as_if_it_had_been_there(data):
    """Part by part, with and without several rows: put in recoded, it is as a release that recodes it."""
    persons = data.draw(st.booleans())
    file = data_of(data.draw(files(persons)), persons)
    steps = STEPS[data.draw(st.sampled_from(["as it is", "part by part", "two columns part by part"]))]
    onto = {"flu": "ill", "cold": "ill", "gout": data.draw(st.sampled_from(["gout", None]))}
    recode = Recode("ill", ValueMap(tuple(onto.items())))
    recipe = Recipe.of(steps).take([], file)
    recoded = Recipe.of([recode, *steps]).take([], file)
    applied, other = recipe.apply(file), recoded.apply(file)
    if applied.problems or other.problems or not applied.released.n_records:
        return
    asked = {"known": data.draw(st.integers(1, 3)), "k": data.draw(st.integers(2, 4))}
    without = AloneCount.of(applied, recipe, without=("ill",), **asked)
    with_it = without.with_column("ill", onto, lambda alone, below: True)
    assert with_it is not None
    assert with_it.result() == alone_by_what_leaves(other, recoded, **asked)
    assert without.with_column("ill", onto, lambda alone, below: False) is None


def people(n: int = 60) -> Dataset:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"c{j}": rng.integers(0, 2 + j, n).astype(str) for j in range(6)}, dtype=object)
    frame["note"] = [f"She came again on a day in May, and said that it was better: {i}." for i in range(n)]
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, "other"))


def test_texts_and_what_nobody_knows_are_left_aside():
    recipe = Recipe()
    found = alone_by_what_leaves(recipe.apply(people()), recipe, unknowable=["c5"])
    assert found.aside == ("c5", "note") and found.columns == ("c0", "c1", "c2", "c3", "c4")
    assert found.n_sets == 5 + 10 + 10 and found.worst[0][2] >= found.worst[-1][2]


def test_a_weight_that_leaves_is_stated_not_to_be_looked_at():
    frame = pd.DataFrame({"sex": ["f", "m"] * 3, "weight": ["1", "2", "3", "4", "5", "6"]}, dtype=object)
    data, recipe = Dataset.from_frame(frame, roles={"sex": "quasi_identifier", "weight": "weight"}), Recipe()
    applied = recipe.apply(data)
    found = alone_by_what_leaves(applied, recipe)
    assert {*found.columns, *found.aside} == {*applied.released.columns} and found.aside == ("weight",)


def test_where_sets_are_too_many_the_largest_are_of_the_columns_with_most_labels():
    recipe, data = Recipe(), people()
    applied = recipe.apply(data)
    whole = alone_by_what_leaves(applied, recipe)
    part = alone_by_what_leaves(applied, recipe, most=(60 + A_SET) * (6 + 15 + 4))
    assert part.n_sets == 6 + 15 + 4 and "of the 4 columns with most labels" in part.not_counted
    assert part.alone <= whole.alone and part.below <= whole.below
    none = alone_by_what_leaves(applied, recipe, most=0)
    assert none.n_sets == 6 + 15 and "of the 0 columns" in none.not_counted


def test_of_a_wide_table_a_set_costs_more_than_its_rows():
    """A page waits for what is counted at once: sets of three of 200 columns are 1.3 million, however few the rows."""
    frame = pd.DataFrame({f"c{j}": ["1", "2"] for j in range(200)}, dtype=object)
    recipe, data = Recipe(), Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, "other"))
    found = alone_by_what_leaves(recipe.apply(data), recipe)
    assert found.n_sets == 200 + 19_900 + 4_060 and "of the 30 columns with most labels" in found.not_counted
    assert seconds(2, data.columns, recipe) == pytest.approx(found.n_sets * (2 + A_SET) / 1e8)


def test_columns_recoded_part_by_part_take_longer():
    ways = tuple((name, Hierarchy((EVERYTHING,))) for name in ("a", "b"))
    recipe = Recipe.of([GeneralizeLocally(ways, (KAnonymity(columns=("a", "b"), least=2),))])
    assert seconds(10, ["a", "b", "c"], Recipe()) == pytest.approx((3 + 3 + 1) * (10 + A_SET) / 1e8)
    assert seconds(10, ["a", "b", "c"], recipe) > seconds(10, ["a", "b", "c"], Recipe())


def test_progress_is_a_share_and_may_stop():
    recipe, reports = Recipe(), list[float]()
    applied = recipe.apply(people())
    alone_by_what_leaves(applied, recipe, progress=reports.append)
    assert reports == sorted(reports) and reports[-1] == 1.0

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        alone_by_what_leaves(applied, recipe, progress=stop)
