"""What is read off columns that hardly two records share a value of, against plain code and planted secrets."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import suggest_roles
from anonlib.dataset import Dataset
from anonlib.release.readings import CellsOfValues, is_plural, readings
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import RevealingColumns, find_revealing_columns
from anonlib.release.steps import DropColumns, Recode, ShiftDates
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, PERSON, QI
from tests.reference.readings import plain_readings

ROOT = Path(__file__).resolve().parents[3]
N = 400
BORN = dt.date(1930, 1, 1)


def people(seed: int = 1) -> pd.DataFrame:
    """Ages, places, years and stays, of which nothing tells another."""
    draw = random.Random(seed)
    rows = []
    for _ in range(N):
        admitted = dt.date(2015, 1, 1) + dt.timedelta(days=draw.randrange(1500))
        rows.append((draw.randrange(20, 45), f"{draw.randrange(500, 520)}", admitted, draw.randrange(1, 12)))
    return pd.DataFrame(rows, columns=["age", "zip", "admitted", "stay"])


def released(frame: pd.DataFrame, *hidden: str, **roles) -> RevealingColumns:
    """What is readable of columns that a recipe drops; all others leave as they are."""
    frame = frame.astype(str)
    data = Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, OTHER) | dict.fromkeys(hidden, QI) | roles)
    recipe = Recipe.of([DropColumns(hidden)])
    return find_revealing_columns(recipe.apply(data), recipe)


def says(found: RevealingColumns) -> list[tuple]:
    return [
        (each.column, each.beside, each.by, each.tells, each.known) for each in [*found.alone, *(found.pairs or ())]
    ]


def numbered(frame: pd.DataFrame, number: Callable[[int, pd.Series], str]) -> pd.DataFrame:
    draw = random.Random(5)
    order = draw.sample(range(10_000, 90_000), N)
    return frame[["age", "zip"]].assign(no=[number(order[i], row) for i, row in frame.iterrows()])


PLANTED = {
    "the last two digits are the age": (lambda i, row: f"{i}{row.age}", "age", "last 2 characters"),
    "the first three are the zip": (lambda i, row: f"{row.zip}{i}", "zip", "first 3 characters"),
    "digits within": (lambda i, row: f"{i}{row.age}{i % 89:02}", "age", "characters 6 to 7"),
    "digits among letters": (
        lambda i, row: f"{'LAB' if i % 2 else 'X'}{i}{row.age}{'Q' * (i % 5)}",
        "age",
        "last 2 digits",
    ),
    "a part between marks": (lambda i, row: f"{i * i}-{row.age * 7}-F", "age", "part 2"),
    "decimals": (lambda i, row: f"{i % 1000}.{row.age}0", "age", "decimals"),
    "a whole part": (lambda i, row: f"{row.age}.{i}", "age", "whole part"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_value_that_stands_in_a_nearly_unique_number_is_found(name):
    number, hidden, by = PLANTED[name]
    frame = numbered(people(), number)
    assert frame["no"].nunique() >= 0.95 * N, "equal values tell nothing"
    found = released(frame.drop(columns=[each for each in ("age", "zip") if each != hidden]), hidden)
    assert says(found) == [("no", "", by, hidden, N)] and not found.nearly_unique


def test_a_record_number_of_the_year_and_a_sequence_tells_the_year():
    frame = people()
    frame["year"] = [each.year for each in frame["admitted"]]
    frame["no"] = [f"{row.year}{i:05}" for i, row in frame.iterrows()]
    assert says(released(frame[["year", "no"]], "year")) == [("no", "", "first 4 characters", "year", N)]


DATES = {
    "difference in days": (lambda row: row.admitted + dt.timedelta(days=row.stay), "stay"),
    "difference in whole years": (
        lambda row: row.admitted - dt.timedelta(days=int(365.25 * row.age) + 30 * (row.Index % 11) + 9),
        "age",
    ),
}


@pytest.mark.parametrize("by", DATES)
def test_days_and_years_between_two_dates_tell_a_stay_and_an_age(by):
    other, hidden = DATES[by]
    frame = people()
    frame["other"] = [other(row) for row in frame.itertuples()]
    assert says(released(frame[["admitted", "other", hidden]], hidden)) == [("admitted", "other", by, hidden, N)]


def test_days_between_dates_that_are_moved_together_are_as_they_were():
    frame = people()
    frame["left"] = [row.admitted + dt.timedelta(days=row.stay) for row in frame.itertuples()]
    data = Dataset.from_frame(
        frame[["admitted", "left", "stay"]].astype(str), roles={"admitted": OTHER, "left": OTHER, "stay": QI}
    )
    moved = ShiftDates(("admitted", "left"), secret="ab" * 16)
    for steps, readable in (
        ([moved], [("admitted", "left", "difference in days", "stay", N)]),
        ([ShiftDates(("admitted",), secret="ab" * 16), ShiftDates(("left",), secret="cd" * 16)], []),
    ):
        recipe = Recipe.of([*steps, Recode("stay", Intervals(5))])
        assert says(find_revealing_columns(recipe.apply(data), recipe)) == readable


def test_the_difference_of_a_year_and_a_year_of_birth_tells_the_age_also_where_one_is_known():
    frame = people()
    draw = random.Random(2)
    frame["year"] = [draw.randrange(1970, 2020) for _ in range(N)]
    frame["born"] = frame["year"] - frame["age"]
    frame = frame[["age", "year", "born"]]
    readable = [("year", "born", "difference", "age", N)]
    assert says(released(frame, "age")) == readable
    assert says(released(frame, "age", year=QI)) == readable
    data = Dataset.from_frame(frame.astype(str), roles=dict.fromkeys(frame.columns, QI))
    recipe = Recipe.of([DropColumns(("age",))])
    assert not says(find_revealing_columns(recipe.apply(data), recipe)), "k counts both"


def test_the_sum_of_two_columns_tells_a_third():
    draw = random.Random(3)
    score = [draw.randrange(40) for _ in range(N)]
    part = [round(draw.uniform(-50, 50), 2) for _ in range(N)]
    frame = pd.DataFrame(
        {"score": score, "part": part, "rest": [round(s - p, 2) for s, p in zip(score, part, strict=True)]}
    )
    assert says(released(frame, "score")) == [("part", "rest", "sum", "score", N)]


def test_of_persons_with_several_rows_differences_are_counted_by_rows():
    frame = people()
    frame["other"] = [row.admitted + dt.timedelta(days=row.stay) for row in frame.itertuples()]
    frame["who"] = [f"p{i // 3}" for i in range(N)]
    (found,) = released(frame[["admitted", "other", "stay", "who"]], "stay", who=PERSON).pairs
    assert (found.by, found.known, found.n_records, found.of_rows) == ("difference in days", N, N, True)


def test_of_persons_with_several_rows_numbers_of_rows_tell_their_set_of_values():
    frame = numbered(people(), PLANTED["the last two digits are the age"][0])
    frame["who"] = [f"p{i // 2}" for i in range(N)]
    frame["age"] = [frame["age"][2 * (i // 2)] for i in range(N)]
    frame["no"] = [f"{no[:-2]}{age}" for no, age in zip(frame["no"], frame["age"], strict=True)]
    (found,) = released(frame[["age", "no", "who"]], "age", who=PERSON).alone
    assert (found.by, found.known, found.n_records) == ("last 2 characters", N // 2, N // 2)


@pytest.mark.parametrize("marks", ["", "-"])
def test_a_date_that_stands_whole_in_a_number_is_found_although_hardly_two_share_it(marks):
    draw = random.Random(7)
    born = [BORN + dt.timedelta(days=day) for day in draw.sample(range(20_000), N)]
    frame = pd.DataFrame(
        {"born": born, "no": [f"{i % 97:02}{each:%Y{marks}%m{marks}%d}{i % 7}" for i, each in enumerate(born)]}
    )
    (found,) = released(frame, "born").alone
    assert (found.tells, found.known) == ("born", N) and " from the end" in found.by


def test_a_date_that_two_columns_come_to_is_found_although_hardly_two_share_it():
    draw = random.Random(7)
    left = [BORN + dt.timedelta(days=day) for day in draw.sample(range(20_000), N)]
    stay = [draw.randrange(1, 400) for _ in range(N)]
    frame = pd.DataFrame({"left": left, "stay": stay})
    frame["admitted"] = [day - dt.timedelta(days=n) for day, n in zip(left, stay, strict=True)]
    assert says(released(frame, "left")) == [("stay", "admitted", "sum", "left", N)]


# ---- nothing planted ----


def test_a_nearly_unique_column_of_which_nothing_is_found_is_named_and_an_ordinary_measurement_is_not():
    frame = people()[["age", "zip"]]
    draw = np.random.default_rng(4)
    frame["no"] = draw.permutation(10_000_000)[:N]
    frame["text"] = [f"{draw.integers(10**9):x}" for _ in range(N)]
    frame["pressure"] = draw.normal(120, 12, N).round().astype(int)
    frame["weight"] = draw.normal(70, 12, N).round(0)
    found = released(frame, "age", "zip")
    assert not says(found) and found.nearly_unique == ("no", "text")


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([60, 120, 300]), st.sampled_from([0.05, 0.3, 0.5]))
def test_nothing_is_found_where_nothing_is_planted(seed, n, rare):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "sex": np.where(draw.random(n) < rare, "M", "F"),
            "age": draw.integers(0, 90, n),
            "zip": draw.choice(["501", "502", "503"], n, p=[0.9, 0.06, 0.04]),
            "no": draw.permutation(10**6)[:n],
            "value": draw.lognormal(3, 1, n).round(3),
            "day": [str(BORN + dt.timedelta(days=int(day))) for day in draw.integers(0, 30_000, n)],
            "code": [f"{'ABC'[i]}{j}-{k:03}" for i, j, k in draw.integers(0, [3, 10, 1000], (n, 3))],
        }
    )
    assert not [each for each in says(released(frame, "sex", "age", "zip")) if each[2]]


@pytest.mark.parametrize("name", ["data/samples/admissions.csv", "data/samples/screening_county.csv"])
def test_in_a_sample_nothing_is_found_and_nothing_is_asked(name):
    frame = pd.read_csv(ROOT / name, dtype=str)
    roles = {each.column: each.role for each in suggest_roles(frame)}
    data = Dataset.from_frame(frame, roles=roles)
    recipe = Recipe.of([DropColumns(tuple(data.quasi_identifiers))])
    found = find_revealing_columns(recipe.apply(data), recipe)
    assert not says(found) and not found.nearly_unique


# ---- plain code ----

LETTERS = st.text("0123456789", min_size=5, max_size=7)


@settings(max_examples=60)
@given(st.lists(LETTERS, min_size=60, max_size=60, unique=True), st.integers(0, 4), st.integers(1, 2), st.data())
def test_what_is_read_and_of_how_many_is_what_a_long_count_says(numbers, place, length, data):
    """The hidden column is some characters of a number, but for a slip now and then."""
    slips = data.draw(st.lists(st.integers(0, 30), min_size=60, max_size=60))
    hidden = [f"h{no[place : place + length]}" if slip else "other" for no, slip in zip(numbers, slips, strict=True)]
    found = released(pd.DataFrame({"hidden": hidden, "no": numbers}), "hidden")
    readable = {by: known for by, read in plain_readings(numbers) if (known := plain_known(read, hidden))}
    best = max(readable.values(), default=0)
    assert [each.known for each in found.alone] == ([best] if best else [])
    assert all(readable[each.by] == each.known for each in found.alone)
    assert found.nearly_unique == (() if best or not could_tell(numbers, hidden) else ("no",))


def plain_known(read: list[str], hidden: list[str]) -> int:
    """Of how many the hidden value is known by what is read; 0 where too few, or by too little."""
    n, common = len(read), Counter(hidden).most_common(1)[0]
    together = Counter(read)
    if sum(size for size in together.values() if size > 1) < 0.95 * n:
        return 0
    known = []
    for i, value in enumerate(read):
        others = [hidden[j] for j in range(n) if j != i and read[j] == value]
        if others and 2 * others.count(hidden[i]) > len(others):
            known.append(hidden[i])
    wrong = n - common[1]
    enough = len(known) >= 0.95 * n and wrong and (n - len(known)) <= 0.2 * wrong + 1e-9
    # of two values that are equally common the first by name counts as the commonest
    commonest = min(value for value, times in Counter(hidden).items() if times == common[1])
    return len(known) if enough and len(known) - known.count(commonest) >= 10 else 0


def could_tell(texts: list[str], hidden: list[str]) -> bool:
    n = len(texts)
    right = sum(
        max(Counter(h for t, h in zip(texts, hidden, strict=True) if t == text).values()) for text in set(texts)
    )
    wrong = n - max(Counter(hidden).values())
    return bool(wrong and right >= 0.95 * n and n - right <= 0.2 * wrong and len(set(texts)) > 0.05 * n)


def test_each_chain_tells_more_values_apart_and_a_set_of_cells_is_read_as_a_set():
    values = np.array(["A1-7", "B12-7", "A1-9", None], dtype=object)
    for chain in readings(CellsOfValues(values)):
        steps = list(chain)
        sizes = [len(set(each.codes.tolist())) for each in steps]
        assert sizes == sorted(sizes) and all(each.codes.max() < each.n for each in steps)
    assert is_plural("last 2 digits") and is_plural("characters 3 to 4 from the end") and is_plural("decimals")
    assert not is_plural("last character") and not is_plural("part 2")
