"""Days among words, behind words and in columns of one value: Safe Harbor lets none leave, and no bytes hold one."""

from __future__ import annotations

import csv
import re
from datetime import date, timedelta

import ibis
import pandas as pd
import pytest

from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.export import draws_for, released_csv
from anonlib.release.listed import listed
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import safe_harbor_steps
from anonlib.values.dates import hold_days, may_be_parts_of_dates, shifted, to_dates
from anonlib.verdict.criteria import Case, SafeHarbor, State
from tests.helpers.dates import FORMS

DAYS = [date(2019, 1, 3) + timedelta(days=29 * i) for i in range(40)]
WORDS = ["alive", "lost", "moved", "unknown"]


def state(values: list, name: str = "x1", recipe: Recipe | None = None) -> State:
    data = data_of(values, name)
    recipe = Recipe() if recipe is None else recipe
    return SafeHarbor().check(Case(recipe.apply(data), recipe)).state


def data_of(values: list, name: str = "x1") -> Dataset:
    frame = pd.DataFrame({name: values, "ward": [("a", "b")[i % 2] for i in range(len(values))]}, dtype=object)
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame, Role.QUASI_IDENTIFIER))


CLEAR = [form for form in FORMS if not form.is_number and form.name != "12032021"]


@pytest.mark.parametrize("form", CLEAR, ids=[form.name for form in CLEAR])
def test_a_few_days_among_words_are_found(form):
    values = [*WORDS, *map(form.write, DAYS[3:7])]
    assert hold_days(values).tolist() == [False] * 4 + [True] * 4


@pytest.mark.parametrize(
    "texts",
    [
        ["alive"] * 50 + ["2021-03-12"],
        [f"died {day}" for day in DAYS] * 3,
        [f"{day} - {day + timedelta(days=3)}" for day in DAYS] * 3,
        [f"{day}/{day + timedelta(days=3)}" for day in DAYS] * 3,
        [f"{day:%d.%m.%Y}-{day:%d.%m.%Y}" for day in DAYS] * 3,
        ["2021-03-12"] * 40,
    ],
    ids=["one among words", "behind a word", "spans", "ISO intervals", "German spans", "one day for all"],
)
def test_no_day_leaves_for_safe_harbor_wherever_it_stands(texts):
    data = data_of(texts)
    assert state(texts) is State.NOT_MET
    recipe = Recipe.of(safe_harbor_steps(data))
    applied = recipe.apply(data)
    assert SafeHarbor().check(Case(applied, recipe)).state is State.MET
    file = released_csv(applied.released, draws_for(applied.released, (1,))).decode("utf-8-sig")
    cells = {row["x1"] for row in csv.DictReader(file.splitlines())}
    assert all(re.fullmatch(r"alive|20\d\d(-20\d\d)?", cell) for cell in cells), cells


@pytest.mark.parametrize(
    "texts",
    [
        [f"{i}-{i + 3}-{2 * i}" for i in range(10, 49)],  # part numbers
        [f"1.{i % 9}.{i}" for i in range(40)],
        [f"{i}/{i % 9 + 1}/{i % 11}" for i in range(10)],  # scores, a few like 3/4/10
        [f"{20000000 + 7919 * i}" for i in range(40)],
        [f"{i:02}/{i + 40}" for i in range(40)],
        [f"{1800 + i}-{i + 9:02}-{i + 17:02}" for i in range(40)],  # numbers of a register
        ["10:15", "10:15:30", "2021", "MARCH1", "2-Mar", "May 12", "A12.3", "+49 30 1234567"],
    ],
    ids=["parts", "versions", "scores", "ids", "ratios", "registers", "others"],
)
def test_what_looks_alike_holds_no_day(texts):
    assert not hold_days(texts).any()
    assert state(texts * 9) is State.MET


@pytest.mark.parametrize(
    ("name", "value", "met"),
    [
        ("zip", "02138", State.NOT_MET), ("zip", "000**", State.MET), ("city", "Boston", State.NOT_MET),
        ("state", "MA", State.MET), ("visit_date", "44267", State.NOT_MET), ("visit_date", "2021", State.MET),
        ("age", "93", State.NOT_MET), ("age", "89", State.MET), ("age", "90+", State.MET), ("x1", "*", State.MET),
    ],
)  # fmt: skip
def test_a_column_of_one_value_is_held_against_the_rule(name, value, met):
    data = data_of([value] * 40, name)
    assert state([value] * 40, name) is met
    recipe = Recipe.of(safe_harbor_steps(data))
    assert SafeHarbor().check(Case(recipe.apply(data), recipe)).state in (State.MET, State.UNKNOWN)


def test_numbers_that_may_be_dates_are_asked_about_beside_a_few_words():
    sheet = [str((day - date(1899, 12, 30)).days) for day in DAYS] * 3
    assert state([*sheet, "unknown", "n/a"] * 2) is State.UNKNOWN
    assert state([f"{number},4375" for number in sheet]) is State.UNKNOWN


@pytest.mark.parametrize(
    "write",
    [
        lambda day: f"{day:%b-%y}", lambda day: f"{day:%Y%m}", lambda day: f"{day:%d-%b}", lambda day: f"{day:%B}",
        lambda day: f"{day:%d %m %Y}", lambda day: f"{day:%a %b %d 10:15:00 %Y}",
    ],
    ids=["Mar-21", "202103", "12-Mar", "March", "12 03 2021", "a year behind the time"],
)  # fmt: skip
def test_parts_of_dates_are_asked_about_where_the_name_says_nothing(write):
    texts = list(map(write, DAYS)) * 3
    assert state(texts) is State.UNKNOWN
    assert state([*texts, "unknown"]) is State.UNKNOWN
    assert state(texts, "dose") is State.MET, "the name says what it is"


@pytest.mark.parametrize(
    "texts",
    [
        ["Mar", "Sep", "Div", "Single"], ["may", "set"], [f"{i}/{i % 9 + 1}" for i in range(12)],
        [str(200_000 + 37 * i) for i in range(40)], [f"Ward {i}" for i in range(12)], ["2021", "2022", "2023"],
        [f"MAR{i}" for i in range(12)], ["April", "June", "Anna", "Maria", "Eva"],
    ],
    ids=["marital", "words", "ratios", "numbers", "wards", "years", "rooms", "names"],
)  # fmt: skip
def test_what_looks_like_parts_of_dates_is_not_asked_about(texts):
    assert not may_be_parts_of_dates(texts)


def test_day_numbers_with_a_decimal_comma_are_moved_in_their_form():
    values = ["44267,4375", "44268,5", "44269"]
    assert to_dates(values, numbers=True).astype(str).tolist() == ["2021-03-12", "2021-03-13", "2021-03-14"]
    assert shifted(values, 3, numbers=True).tolist() == ["44270,4375", "44271,5", "44272"]


def test_of_too_many_values_in_an_engine_those_drawn_tell(monkeypatch):
    monkeypatch.setattr("anonlib.reading.records.table.MOST_VALUES", 20)
    roles = dict.fromkeys(("x1", "ward"), Role.QUASI_IDENTIFIER)

    def in_an_engine(cells: list[str]) -> Dataset:
        return Dataset.from_ibis(ibis.memtable({"x1": cells, "ward": ["a", "b"] * (len(cells) // 2)}), roles=roles)

    assert [(each.column, each.what) for each in listed(in_an_engine([f"died {day}" for day in DAYS]))] == [
        ("x1", "identifier")
    ]
    assert not listed(in_an_engine([f"v{i}" for i in range(len(DAYS))]))
    data = in_an_engine([f"died {day}" for day in DAYS])
    finding = SafeHarbor().check(Case(Recipe().apply(data), Recipe()))
    assert finding.state is State.NOT_MET and finding.persons == len(DAYS)
