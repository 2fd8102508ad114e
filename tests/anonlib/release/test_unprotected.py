"""Columns that leave as they are and tell what the recipe protects, against a slow, obvious reference."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.counting.privacy_models import ALL, ONE, VALUES
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import find_revealing_columns, revealing_columns
from anonlib.release.steps import AggregatePlaces, DropColumns, LeaveOut, Recode
from anonlib.release.unprotected import not_counted
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, PERSON, QI, SENSITIVE, WEIGHT

STARS = Mask(0)
SCHOOL = Recode("school", STARS)


def school(n: int = 60, **roles) -> Dataset:
    """Schooling in words, in years, nearly in years, by an id and by a column that says nothing."""
    words = ["none", "some", "college"]
    frame = pd.DataFrame(
        {
            "school": [words[i % 3] for i in range(n)],
            "years": [str(6 * (i % 3)) for i in range(n)],
            "nearly": [str(6 * (i % 3)) if i else "12" for i in range(n)],
            "roughly": [str(6 * (i % 3)) if i % 9 else "12" for i in range(n)],
            "id": [f"r{i}" for i in range(n)],
            "side": ["left" if i % 2 else "right" for i in range(n)],
        }
    )
    return Dataset.from_frame(frame, roles={"school": QI, "years": OTHER, "nearly": SENSITIVE, "id": OTHER} | roles)


def reports(data: Dataset, *steps) -> list[tuple[str, str, int, int]]:
    recipe = Recipe.of(steps)
    found = revealing_columns(recipe.apply(data), recipe)
    return [(one.column, one.tells, one.known, one.n_records) for one in found]


@pytest.mark.parametrize("step", [SCHOOL, DropColumns(("school",))])
def test_a_copy_that_leaves_tells_what_is_recoded_or_dropped(step):
    assert reports(school(), step) == [("years", "school", 60, 60), ("nearly", "school", 59, 60)]
    assert reports(school(), step, LeaveOut(2), DropColumns(("nearly",))) == [("years", "school", 60, 60)]


def test_what_does_not_leave_as_it_is_or_is_counted_by_k_is_not_reported():
    data = school(nearly=QI)
    assert reports(data) == reports(data, DropColumns(("years",)), SCHOOL) == [], (
        "nothing is hidden, or nothing tells it"
    )
    assert reports(data, SCHOOL, Recode("years", Intervals(100))) == []
    assert reports(data, Recode("school", Intervals(5))) == [], "a step that does not fit hides nothing"
    unfit = Recode("years", ValueMap.of({"nowhere": "x"}))
    assert reports(data, SCHOOL, unfit) == [("years", "school", 60, 60)], "nor does it recode what tells"
    assert reports(school(nearly=QI, years="identifier"), SCHOOL) == []
    assert reports(data, SCHOOL, LeaveOut(100)) == [], "nothing leaves"


def test_a_place_in_a_region_is_reported_too():
    data = school(school="place", nearly=QI)
    assert reports(data, AggregatePlaces("school", (("all", ("none", "some", "college")),))) == [
        ("years", "school", 60, 60)
    ]


@pytest.mark.parametrize(("others", "expected"), [(0, 1), (1, 1), (2, 0)])
def test_a_nearly_constant_quasi_identifier_is_not_recognised_by_every_column(others, expected):
    """95 of 100 are of one country: a column that keeps them apart tells it, one that says nothing does not."""
    country = ["here"] * 95 + ["there"] * 5
    flag = ["0"] * (95 + others) + ["1"] * (5 - others)
    frame = pd.DataFrame({"country": country, "flag": flag, "coin": ["a", "b"] * 50})
    data = Dataset.from_frame(frame, roles={"country": QI})
    assert len(reports(data, Recode("country", STARS))) == expected


def test_a_constant_quasi_identifier_is_recognised_by_nothing():
    frame = pd.DataFrame({"country": ["here"] * 40, "flag": ["0"] * 40})
    assert reports(Dataset.from_frame(frame, roles={"country": QI}), DropColumns(("country",))) == []


CELLS = st.sampled_from(["a", "a", "b", "c", None])


@st.composite
def files(draw) -> tuple[list[tuple], str]:
    """Rows of two quasi-identifiers, a copy of the first with slips, a free column and a weight or a person."""
    rows = []
    for i in range(draw(st.integers(1, 30))):
        a, b, other = draw(CELLS), draw(CELLS), draw(CELLS)
        slip = draw(st.integers(0, 12)) == 0
        rows.append((a, b, other if slip else a, other, str(draw(st.integers(0, 3))), i))
    return rows, draw(st.sampled_from(["records", "weights", "persons"]))


@given(files())
def test_what_is_reported_is_what_a_long_count_says(case):
    rows, unit = case
    columns = ["a", "b", "copy", "free", "n"]
    frame = pd.DataFrame([row[:5] for row in rows], columns=columns, dtype=object)
    roles = {"a": QI, "b": QI} | {"records": {}, "weights": {"n": WEIGHT}, "persons": {"n": PERSON}}[unit]
    data = Dataset.from_frame(frame, roles=roles)
    people = everyone(rows, unit)
    left = ("copy", "free", *(["n"] if unit == "records" else []))
    places = [(columns.index(column), columns.index(tells)) for column in left for tells in ("a", "b")]
    expected = [
        (columns[j], columns[i], known, len(people)) for j, i in places if (known := linked_by(people, (j,), i))
    ]
    assert reports(data, DropColumns(("a",)), Recode("b", STARS)) == expected


def linked_by(people: list[tuple], by: tuple[int, ...], tells: int) -> int:
    """Of how many the columns ``by`` tell another, 0 where too few."""
    known = 0
    for me, person in enumerate(people):
        others = [other for at, other in enumerate(people) if at != me and all(other[j] == person[j] for j in by)]
        known += 2 * sum(other[tells] == person[tells] for other in others) > len(others)
    values = [person[tells] for person in people]
    wrong = len(people) - max((values.count(value) for value in values), default=0)
    enough = wrong and 100 * known >= 95 * len(people) and 10 * (len(people) - known) <= 2 * wrong
    return known if enough else 0


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.sampled_from("xxy")] * 3, st.integers(0, 20)), min_size=8, max_size=30))
def test_two_columns_that_tell_together_are_those_that_a_long_count_finds(rows):
    """One quasi-identifier is made of two columns that leave, with a slip here and there; a third says nothing."""
    people = [("1" if (p == q) != (not slip) else "2", p, q, free) for p, q, free, slip in rows]
    names = ["a", "p", "q", "free"]
    data = Dataset.from_frame(pd.DataFrame(people, columns=names), roles={"a": QI, "p": OTHER, "q": SENSITIVE})
    recipe = Recipe.of([DropColumns(("a",))])
    found = find_revealing_columns(recipe.apply(data), recipe)
    alone = {j: linked_by(people, (j,), 0) for j in (1, 2, 3)}
    assert [(each.column, each.known) for each in found.alone] == [(names[j], alone[j]) for j in alone if alone[j]]
    expected = [
        (names[j], names[k], known)
        for j, k in ((1, 2), (1, 3), (2, 3))
        if not alone[j] and not alone[k] and (known := linked_by(people, (j, k), 0))
    ]
    assert [(each.column, each.beside, each.known) for each in found.pairs] == expected


def test_pairs_are_not_looked_at_where_they_are_too_many(monkeypatch):
    monkeypatch.setattr("anonlib.release.revealing_columns._MOST_CELLS", 100)
    recipe = Recipe.of([SCHOOL])
    found = find_revealing_columns(recipe.apply(school()), recipe)
    assert found.pairs is None and [each.column for each in found.alone] == ["years", "nearly"]


def everyone(rows: list[tuple], unit: str) -> list[tuple]:
    """One item a person: its cells, or the sets of those of its rows."""
    if unit == "records":
        return rows
    if unit == "weights":
        return [row for row in rows for _ in range(int(row[4]))]
    sets = []
    for who in {row[4] for row in rows}:
        own = [row for row in rows if row[4] == who]
        sets.append(tuple(frozenset({row[j] for row in own} - {None}) for j in range(4)))
    return sets


OF_FOUR = st.lists(st.tuples(*[st.sampled_from([None, "a", "b", "c"])] * 4), min_size=1, max_size=30)


@given(OF_FOUR, st.integers(2, 6))
def test_what_is_not_counted_by_brute_force(rows, k):
    frame = pd.DataFrame(rows, columns=["age", "other", "none", "ill"], dtype=object)
    data = Dataset.from_frame(frame, roles={"age": QI, "other": OTHER, "ill": SENSITIVE})

    def below(places: tuple[int, ...], least: int) -> int:
        sizes = Counter(tuple(row[j] for j in places) for row in rows)
        return sum(sizes[tuple(row[j] for j in places)] < least for row in rows)

    found = {each.column: each for each in not_counted(data, k)}
    expected = {name: max(below((j,), k), below((0, j), k) - below((0,), k)) for j, name in ((1, "other"), (2, "none"))}
    assert {name: each.below for name, each in found.items()} == expected, "sensitive columns are not looked at"
    assert all(each.n_records == len(rows) for each in found.values())
    assert {name for name, each in found.items() if each.breaks_k} == {
        name for name, n in expected.items() if n > 0.03 * len(rows)
    }
    assert [each.below for each in not_counted(data, k)] == sorted(expected.values(), reverse=True)
    assert {each.column for each in not_counted(data, k, unknowable=["none"])} == {"other"}


def test_a_place_with_several_rows_a_value_is_named_although_few_values_are_distinct():
    """100 places of 20 people each: 5% distinct values, and nobody is alone, but with the age everyone is."""
    frame = pd.DataFrame({"age": [str(i % 20) for i in range(2000)], "block": [f"b{i // 20}" for i in range(2000)]})
    (block,) = not_counted(Dataset.from_frame(frame, roles={"age": QI, "block": OTHER}), 5)
    assert (block.column, block.below, block.breaks_k) == ("block", 2000, True)


def test_persons_and_weights_are_what_is_alone():
    frame = pd.DataFrame({"chol": ["1", "2", "2", "3", None], "who": list("aabbc"), "w": ["2", "1", "1", "0", "1"]})
    persons = Dataset.from_frame(frame[["chol", "who"]], roles={"who": PERSON})
    of_rows = {rows: not_counted(persons, 2, (rows,))[0].below for rows in (ONE, VALUES, ALL)}
    assert of_rows == {ONE: 3, VALUES: 3, ALL: 3}, "a is alone with 1, b with 3, c with nothing"
    weighted = not_counted(Dataset.from_frame(frame[["chol", "w"]], roles={"w": WEIGHT}), 2)
    assert (weighted[0].below, weighted[0].n_records) == (1, 5), "two people share the one row"


def test_a_column_that_tells_beside_a_known_one_that_leaves_as_it_is():
    """Of an age that is dropped, k counts the decade that is known and leaves, but not the last digit beside it."""
    ages = [20 + 7 * i % 60 for i in range(300)]
    frame = pd.DataFrame(
        {
            "age": [str(age) for age in ages],
            "decade": [f"d{age // 10}" for age in ages],
            "last": [f"u{age % 10}" for age in ages],
            "coin": ["a", "b"] * 150,
        }
    )
    data = Dataset.from_frame(frame, roles={"age": QI, "decade": QI, "last": OTHER, "coin": OTHER})
    recipe = Recipe.of((DropColumns(("age",)),))
    found = find_revealing_columns(recipe.apply(data), recipe)
    assert [(each.column, each.beside, each.tells, each.known) for each in found.pairs or ()] == [
        ("last", "decade", "age", 300)
    ]
    assert found.alone == ()

    copy = Dataset.from_frame(frame.assign(decade=frame["age"] + "."), roles=data.roles)
    pairs = find_revealing_columns(recipe.apply(copy), recipe).pairs
    assert pairs == (), "what a known column tells by itself is not another's fault"
