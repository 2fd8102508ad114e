"""What released labels tell: of columns that are recoded a little, and beside the label of what they tell."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Rounding
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import RevealingColumns, find_revealing_columns
from anonlib.release.steps import DropColumns, LeaveOut, MergeRare, Recode, Step
from tests.helpers.engines import Engine
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, QI, column
from tests.reference.readings import plain_readings

N = 400
BANDS = Recode("age", Intervals(10))


def people(seed: int = 1) -> pd.DataFrame:
    """Ages of which some are rare, and columns that hold them with a little of something else."""
    draw = random.Random(seed)
    ages = [draw.randrange(20, 60) for _ in range(N - 3)] + [71, 82, 93]
    numbers = draw.sample(range(100, 1000), N)
    frame = pd.DataFrame({"age": ages, "no": numbers})
    frame["code"] = [f"C{age}" for age in ages]
    frame["id"] = [f"{age}-{no}{i % 7}" for i, (age, no) in enumerate(zip(ages, numbers, strict=True))]
    frame["last"] = [f"u{age % 10}" for age in ages]
    frame["test"] = [f"{no}{age % 10}" for age, no in zip(ages, numbers, strict=True)]
    frame["rest"] = [str(age - age // 10 * 10) for age in ages]
    return frame.astype(str)


def data_of(frame: pd.DataFrame, *names: str, **roles: str) -> Dataset:
    frame = frame[["age", *names]]
    return Dataset.from_frame(frame, roles=dict.fromkeys(names, OTHER) | {"age": QI} | roles)


def found_in(data: Dataset, *steps: Step) -> RevealingColumns:
    recipe = Recipe.of(steps)
    applied = recipe.apply(data)
    assert not applied.problems
    return find_revealing_columns(applied, recipe)


def says(found: RevealingColumns) -> list[tuple[str, str, str, int, int]]:
    assert found.pairs is not None
    return [(each.column, each.beside, each.by, each.known, each.n_records) for each in (*found.alone, *found.pairs)]


@pytest.mark.parametrize("step", [BANDS, DropColumns(("age",))])
def test_a_column_that_is_recoded_a_little_tells_by_its_labels(step):
    frame = people()
    rare = {age for age, n in Counter(frame["age"]).items() if n < 3}
    n_known = sum(age not in rare for age in frame["age"])
    assert 0 < N - n_known < 0.05 * N, "of the others the label is “other”"
    assert says(found_in(data_of(frame, "code"), step, MergeRare("code", 3))) == [("code", "", "", n_known, N)]
    by_mask = says(found_in(data_of(frame, "id"), step, Recode("id", Mask(5))))
    assert [(column, by) for column, _, by, _, _ in by_mask] == [("id", "part 1")]
    assert not says(found_in(data_of(frame, "code"), step, Recode("code", Mask(2)))), "C4 tells no more than the band"


@pytest.mark.parametrize(
    ("name", "steps", "by"),
    [
        ("last", (), ""),
        ("last", (MergeRare("last", 3),), ""),
        ("test", (), "last character"),
        ("test", (LeaveOut(3),), "last character"),
    ],
)
def test_the_last_digit_of_an_age_beside_its_band_tells_it(name, steps, by):
    found = found_in(data_of(people(), name), BANDS, *steps)
    ((column, beside, read, known, n),) = says(found)
    assert (column, beside, read) == (name, "age", by) and known >= n - 3, "of whom alone is nothing to be seen"
    assert n == (N if LeaveOut not in map(type, steps) else N - 3)
    assert not says(found_in(data_of(people(), name), DropColumns(("age",)), *steps)), "the band does not leave"


def test_what_a_label_lacks_tells_a_value_that_hardly_two_share():
    """Of a pay its rounded sum and the rest of it, of a day of birth its year and the day in the year."""
    draw = random.Random(4)
    pay = draw.sample(range(20_000, 90_000), N)
    step = Recode("age", Rounding(1000))
    frame = pd.DataFrame({"age": pay, "rest": [each - (each + 500) // 1000 * 1000 for each in pay]}).astype(str)
    assert says(found_in(data_of(frame, "rest"), step)) == [("rest", "age", "sum", N, N)]
    days = [f"{draw.randrange(1930, 2010)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}" for _ in range(N)]
    frame = pd.DataFrame({"age": days, "birthday": [f"{day[5:7]}/{day[8:]}" for day in days]})
    assert says(found_in(data_of(frame, "birthday"), Recode("age", DateUnit("year")))) == [
        ("birthday", "age", "digits", N, N)
    ]
    assert not says(found_in(data_of(frame, "birthday"), DropColumns(("age",)))), "the year does not leave"


@pytest.mark.parametrize("unit", ["month", "quarter", "year"])
@pytest.mark.parametrize("written", ["{m:02}-{d:02}", "{d:02}.{m:02}."])
def test_a_birthday_beside_the_year_in_its_label_tells_the_day_of_birth(unit, written):
    draw = random.Random(6)
    days = [date(1930, 1, 1) + timedelta(days=day) for day in draw.sample(range(25_000), N)]
    frame = pd.DataFrame({"age": map(str, days), "when": [written.format(m=day.month, d=day.day) for day in days]})
    assert says(found_in(data_of(frame, "when"), Recode("age", DateUnit(unit)))) == [("when", "age", "digits", N, N)]


def test_the_digits_that_a_code_lacks_tell_it_also_without_the_zero_in_front():
    codes = random.Random(7).sample(range(10_000, 100_000), N)
    frame = pd.DataFrame({"age": map(str, codes), "rest": [str(code % 100) for code in codes]})
    found = found_in(data_of(frame, "rest"), Recode("age", Mask(3)))
    assert says(found) == [("rest", "age", "digits", N, N)]


def test_a_difference_tells_a_day_also_where_the_first_day_counts():
    """A stay of one day ends on the day that it began."""
    draw = random.Random(5)
    began = [date(1990, 1, 1) + timedelta(days=day) for day in draw.sample(range(12_000), N)]
    stays = [draw.randrange(1, 30) for _ in began]
    ended = [day + timedelta(days=stay - 1) for day, stay in zip(began, stays, strict=True)]
    frame = pd.DataFrame({"age": began, "ended": ended, "stay": stays}).astype(str)
    found = found_in(data_of(frame, "ended", "stay"), Recode("age", DateUnit("month")))
    assert says(found) == [("ended", "stay", "difference", N, N)]
    frame["stay"] = [str(draw.randrange(1, 30)) for _ in began]
    assert not says(found_in(data_of(frame, "ended", "stay"), Recode("age", DateUnit("month"))))


def test_what_its_own_label_tells_is_nobody_elses_fault():
    """Both merge the same rare ages: who has the release knows of nobody more than by the age that leaves."""
    frame = people()
    assert not says(found_in(data_of(frame, "code"), MergeRare("age", 3), MergeRare("code", 3)))
    few = MergeRare("age", 12)
    ((column, beside, _, known, n),) = says(found_in(data_of(frame, "code"), few, MergeRare("code", 3)))
    assert (column, beside) == ("code", "") and known / n >= 0.95
    noise = frame.assign(coin=["ab"[i % 2] for i in range(N)], side=[str(i % 9) for i in range(N)])
    for step in (few, BANDS, MergeRare("age", 3)):
        assert not says(found_in(data_of(noise, "coin", "side"), step, MergeRare("side", 3)))


@pytest.mark.parametrize(("n_rare", "n_found"), [(12, 0), (40, 1)])
def test_two_rare_values_that_differ_in_something_are_little_beside_a_label_that_tells_nearly_all(n_rare, n_found):
    ages = ["40"] * n_rare + ["50"] * n_rare + ["20", "30"] * ((400 - 2 * n_rare) // 2)
    frame = pd.DataFrame({"age": ages, "ward": ["a"] * n_rare + ["b"] * (400 - n_rare)})
    assert len(says(found_in(data_of(frame, "ward"), MergeRare("age", 50)))) == n_found


def test_labels_of_two_columns_tell_together():
    frame = people()
    frame["tens"] = [f"t{int(age) // 10}" for age in frame["age"]]
    steps = DropColumns(("age",)), MergeRare("tens", 3), MergeRare("last", 3)
    (found,) = says(found_in(data_of(frame, "tens", "last"), *steps))
    assert found[:3] == ("tens", "last", "")
    (found,) = says(found_in(data_of(frame, "tens", "last", tens=QI), *steps))
    assert found[:3] == ("last", "tens", "")
    assert not says(found_in(data_of(frame, "tens", "last", tens=QI, last=QI), *steps)), "k counts both"


def test_in_an_engine_the_same_is_found(engine: Engine):
    frame = people()[["age", "code", "last", "test", "id"]]
    roles = {"age": QI, "code": OTHER, "last": OTHER, "test": OTHER, "id": OTHER}
    here, there = (
        Dataset.from_frame(frame, roles=roles),
        Dataset.from_ibis(engine.table({name: frame[name].tolist() for name in frame}), roles=roles),
    )
    steps = BANDS, MergeRare("code", 3), Recode("id", Mask(5)), LeaveOut(3)
    found = found_in(here, *steps)
    assert found == found_in(there, *steps)
    assert {(column, beside) for column, beside, *_ in says(found)} >= {("code", ""), ("id", ""), ("last", "age")}


# ---- plain code ----


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from([Intervals(10), Intervals(20), None]), st.sampled_from([0, 2, 6]))
def test_what_labels_tell_is_what_a_long_count_says(seed, bands, slips):
    """Of an age that is dropped or leaves in bands, a number tells the last digit, and a code it or the decade."""
    draw = random.Random(seed)
    coarse, rare = draw.choice([1, 10, 20]), draw.choice([[42], [21, 31, 32]])
    ages = [str(draw.choice([21, 22, 22, 25, 31, 32, 35, 41, *rare])) for _ in range(60)]
    numbers = [f"{draw.choice('345')}{age[1]}{draw.randrange(10)}" for age in ages]
    codes = [f"C{int(age) // coarse}" if coarse > 1 else f"C{age}" for age in ages]
    for _ in range(draw.randint(0, slips)):
        numbers[draw.randrange(60)] = f"3{draw.randrange(10)}0"
        codes[draw.randrange(60)] = f"D{draw.randrange(4)}"
    data = data_of(pd.DataFrame({"age": ages, "no": numbers, "code": codes}), "no", "code")
    recipe = Recipe.of([DropColumns(("age",)) if bands is None else Recode("age", bands), MergeRare("code", 3)])
    applied = recipe.apply(data)
    own = [""] * len(ages) if bands is None else column(applied.released, "age")

    columns = {name: column(applied.released, name) for name in ("no", "code")}
    expected: dict[tuple[str, str], int] = {}
    for name, labels in columns.items():
        is_recoded = name == "code"
        equal = long_count(ages, own, labels, beyond=is_recoded, is_read=False)
        n_alone = equal or max(long_count(ages, own, read, is_recoded, True) for read in ways_to_read(labels))
        expected[name, ""] = n_alone
        if not n_alone and len(set(own)) > 1:
            equal = beside_label(ages, own, labels)
            expected[name, "age"] = equal or max(beside_label(ages, own, read) for read in ways_to_read(labels))
    if not any(expected.values()):
        both = [f"{one} {other}" for one, other in zip(*columns.values(), strict=True)]
        expected["no", "code"] = long_count(ages, own, both, beyond=True, is_read=False)
    found = find_revealing_columns(applied, recipe)
    assert {(name, beside): n for name, beside, _, n, _ in says(found)} == {at: n for at, n in expected.items() if n}


def ways_to_read(labels: list[str]) -> list[list[str]]:
    digits = ["".join(filter(str.isdigit, label)) for label in labels]
    return [read for texts in (labels, digits) for _, read in plain_readings(texts)]


def long_count(hidden: list[str], own: list[str], read: list[str], beyond: bool, is_read: bool) -> int:
    """Of how many more than half of the others with the same reading have the same value; 0 where too few."""
    n, groups = len(hidden), Counter(read)
    if sum(size for size in groups.values() if size > 1) < 0.95 * n:
        return 0
    known = [majority(i, hidden, read) for i in range(n)]
    return enough(known, hidden, own if beyond else [""] * n, beyond, evidence=beyond or is_read)


def beside_label(hidden: list[str], own: list[str], read: list[str]) -> int:
    both = [f"{label} {each}" for label, each in zip(own, read, strict=True)]
    sizes = Counter(both)
    known = [majority(i, hidden, both if sizes[both[i]] > 1 else own) for i in range(len(hidden))]
    return enough(known, hidden, own, beyond=True, evidence=True)


def majority(i: int, hidden: list[str], alike: list[str]) -> bool:
    others = [hidden[j] for j in range(len(hidden)) if j != i and alike[j] == alike[i]]
    return 2 * others.count(hidden[i]) > len(others)


def enough(known: list[bool], hidden: list[str], own: list[str], beyond: bool, evidence: bool) -> int:
    """How many are known, if that is more than the labels say by themselves; 0 where it is not."""
    n = len(hidden)
    commonest: dict[str, str] = {}
    for label in set(own):
        times = Counter(value for value, each in zip(hidden, own, strict=True) if each == label)
        commonest[label] = min(value for value, count in times.items() if count == max(times.values()))
    is_common = [commonest[label] == value for value, label in zip(hidden, own, strict=True)]
    n_known, wrong = sum(known), n - sum(is_common)
    rare = sum(each and not common for each, common in zip(known, is_common, strict=True))
    if beyond and len(set(own)) > 1 and 20 * wrong <= n:
        return 0
    is_enough = wrong and 100 * n_known >= 95 * n and 5 * (n - n_known) <= wrong
    return n_known if is_enough and (rare >= 10 or not evidence) else 0
