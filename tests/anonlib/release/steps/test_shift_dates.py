"""The step that moves the dates of each person: by how many days, what stays exact, and what is said of it."""

from __future__ import annotations

import hmac
from collections import Counter
from datetime import date, timedelta

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import DateUnit
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records import table as of_tables
from anonlib.release.analysing import EMPTY_MAY_BE_BLANK
from anonlib.release.codebook import DONE, codebook
from anonlib.release.export import released_in, value_mapping
from anonlib.release.levels import levels_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode, Scope, ShiftDates
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.records import rows_of
from tests.helpers.small_release import column
from tests.helpers.three_tables import dataset_of, rows_of_persons, unzipped

SECRET = "00112233445566778899aabbccddeeff"
ROLES = {"id": Role.PERSON_ID, "seen": Role.QUASI_IDENTIFIER}
FIRST_DAY = date(2020, 1, 1)


def data_of(columns: dict[str, list[str | None]], engine: bool = False) -> Dataset:
    frame = pd.DataFrame(columns, dtype="string" if engine else object)
    roles = {name: role for name, role in ROLES.items() if name in columns}
    return Dataset.from_ibis(ibis.memtable(frame), roles=roles) if engine else Dataset.from_frame(frame, roles=roles)


def plain_offset(person: str, most: int = 183, weeks: bool = False) -> int:
    """As the documents say it: HKDF (RFC 5869) of the secret, HMAC-SHA-256 of the id, scaled."""
    extracted = hmac.digest(b"anonscope dates of persons", bytes.fromhex(SECRET), "sha256")
    key = hmac.digest(extracted, b"\x01", "sha256")
    number = int.from_bytes(hmac.digest(key, b"p" + person.lower().encode(), "sha256"), "big")
    most = most // 7 if weeks else most
    return (number % (2 * most + 1) - most) * (7 if weeks else 1)


def day(text: str) -> date:
    return date.fromisoformat(text[:10])


# ---- by how many days ----


@pytest.mark.parametrize(
    ("how", "most", "weeks"),
    [
        ({}, 183, False), ({"most": 10}, 10, False), ({"keep_weekday": True}, 183, True),
        ({"keep_season": True}, 45, False), ({"keep_season": True, "keep_weekday": True, "most": 400}, 45, True),
    ],
)  # fmt: skip
def test_every_number_of_days_is_as_likely_and_none_is_beyond(how, most, weeks):
    step, n = ShiftDates(("seen",), **how, secret=SECRET), 20_000
    found = np.array([step.offset(f"pperson {i}") for i in range(n)])
    assert found[:50].tolist() == [plain_offset(f"person {i}", most, weeks) for i in range(50)]
    furthest = most - most % 7 if weeks else most
    assert step.reach == furthest == found.max() == -found.min() and (not weeks or (found % 7 == 0).all())
    counts = np.unique(found, return_counts=True)[1]
    expected = n / len(counts)
    assert len(counts) == 2 * (most // 7 if weeks else most) + 1
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert statistic < len(counts) + 5 * np.sqrt(2 * len(counts)), "chi squared of the uniform distribution"


def test_ids_that_differ_in_their_writing_alone_are_one_person_and_another_secret_moves_them_otherwise():
    step = ShiftDates(("seen",), secret=SECRET)
    assert len({step.offset(key) for key in ("p12", "p12.0", "p 12 ")}) == 1
    assert step.offset("p12") not in {step.offset("p13"), ShiftDates(("seen",), secret=f"{7:032x}").offset("p12")}


# ---- what stays exact ----


@st.composite
def visits(draw: st.DrawFn) -> dict[str, list[str | None]]:
    n = draw(st.integers(1, 12))
    days = st.none() | st.integers(0, 3_000).map(lambda i: (FIRST_DAY + timedelta(i)).isoformat())
    times = st.sampled_from(["", " 10:15", "T23:59:59.5+01:00"])
    moments = st.none() | st.tuples(st.integers(0, 900), times).map(
        lambda pair: (FIRST_DAY + timedelta(pair[0])).strftime("%d.%m.%Y") + pair[1]
    )

    def drawn(of: st.SearchStrategy) -> list:
        return draw(st.lists(of, min_size=n, max_size=n))

    return {
        "id": drawn(st.sampled_from([None, "a", "b", "c"])), "seen": drawn(days), "left": drawn(moments),
        "x": drawn(st.sampled_from([None, "u", "v"])),
    }  # fmt: skip


@settings(60, deadline=None)
@given(visits(), st.booleans(), st.booleans())
def test_dates_of_a_person_move_by_one_number_of_days_in_memory_and_in_an_engine(columns, weeks, season):
    step = ShiftDates(("seen", "left"), keep_weekday=weeks, keep_season=season, secret=SECRET)
    here, there = (step.apply(data_of(columns, engine)) for engine in (False, True))
    assert rows_of(here.held) == rows_of(there.held)
    moved: dict[object, set[int]] = {}
    for i, (person, seen, left) in enumerate(zip(columns["id"], columns["seen"], columns["left"], strict=True)):
        new_seen, new_left = column(here, "seen")[i], column(here, "left")[i]
        assert (seen is None, left is None) == (new_seen is None, new_left is None)
        who = person or i
        if seen and new_seen:
            moved.setdefault(who, set()).add((day(new_seen) - day(seen)).days)
        if left and new_left:
            before, after = (date(int(t[6:10]), int(t[3:5]), int(t[:2])) for t in (left, new_left))
            moved.setdefault(who, set()).add((after - before).days)
            assert new_left[10:] == left[10:], "the time of the day stays"
    assert all(len(days) == 1 for days in moved.values())
    for who, (days,) in moved.items():
        assert abs(days) <= step.reach and (not weeks or days % 7 == 0)
        assert not isinstance(who, str) or days == plain_offset(who, 45 if season else 183, weeks)


@settings(100, deadline=None)
@given(visits())
def test_days_since_the_first_date_are_those_of_plain_code(columns):
    step = ShiftDates(("seen", "left"), "since_first")
    here, there = (step.apply(data_of(columns, engine)) for engine in (False, True))
    assert rows_of(here.held) == rows_of(there.held)
    dates = [
        [
            None if seen is None else day(seen),
            None if left is None else date(int(left[6:10]), int(left[3:5]), int(left[:2])),
        ]
        for seen, left in zip(columns["seen"], columns["left"], strict=True)
    ]
    for i, person in enumerate(columns["id"]):
        mine = [
            each for j, each in enumerate(columns["id"]) if (each == person and person) or j == i for each in dates[j]
        ]
        first = min((each for each in mine if each), default=None)
        expected = [None if each is None else str((each - first).days) for each in dates[i]]
        assert [column(here, "seen")[i], column(here, "left")[i]] == expected


def test_two_tables_share_the_days_where_they_share_the_secret():
    ids = [f"p{i}" for i in range(30)]
    one = ShiftDates(("seen",), secret=SECRET).apply(data_of({"id": ids, "seen": ["2021-06-15"] * 30}))
    other = ShiftDates(("taken",), secret=SECRET, most=183).apply(
        data_of({"x": ["lab"] * 30, "taken": ["2021-06-15"] * 30, "id": ids[::-1]})
    )
    assert dict(zip(ids, column(one, "seen"), strict=True)) == dict(zip(ids[::-1], column(other, "taken"), strict=True))
    by_another = ShiftDates(("seen",), secret=f"{7:032x}").apply(data_of({"id": ids, "seen": ["2021-06-15"] * 30}))
    assert sum(a == b for a, b in zip(column(one, "seen"), column(by_another, "seen"), strict=True)) < 5


def test_dates_in_the_tables_of_a_case_move_alike():
    """Two patients, of whom the second was there twice; each value was taken some days after the visit began."""
    frames = {
        "patients": pd.DataFrame({"patient": ["P1", "P2"], "born": ["1960-01-01", "1970-01-01"]}),
        "visits": pd.DataFrame({
            "visit": ["V1", "V2", "V3"], "patient": ["P1", "P2", "P2"],
            "began": ["2021-01-01", "2021-02-01", "2021-03-01"],
        }),
        "values": pd.DataFrame({
            "visit": ["V1", "V2", "V3", "V3"], "taken": ["2021-01-03", "2021-02-01", "2021-03-11", "2021-03-12"]
        }),
    }  # fmt: skip
    data = dataset_of(frames, roles={"patient": "person_id", "began": "quasi_identifier"})
    recipe = Recipe.of([ShiftDates(("born", "began", "taken"), secret=SECRET)])
    applied = recipe.apply(data)
    assert not applied.problems
    rows = rows_of_persons(unzipped(released_in("CSV", applied.released, np.random.default_rng(1))))
    found = Counter(
        (day(row["born"]) - date(1960 + 10 * (len(mine) > 3), 1, 1), *((day(row[name]) - day(row["born"])).days
         for name in ("began", "taken") if row.get(name)))
        for mine in rows.values() for row in mine
    )  # fmt: skip
    one, two = (timedelta(plain_offset(person)) for person in ("P1", "P2"))
    ages = [(day(text) - date(1970, 1, 1)).days for text in ("2021-02-01", "2021-03-01", "2021-03-11", "2021-03-12")]
    age = (date(2021, 1, 1) - date(1960, 1, 1)).days
    assert found == Counter([
        (one,), (one, age), (one, age, age + 2), (two,), (two, ages[0]), (two, ages[1]), (two, ages[0], ages[0]),
        (two, ages[1], ages[2]), (two, ages[1], ages[3]),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("values", "pattern"),
    [
        (["12MAR2021", "1APR2020"], r"\d{1,2}[A-Z]{3}20\d\d"), (["3/12/21", "12/31/20"], r"\d{1,2}/\d{1,2}/\d\d"),
        (["44267", "44100.5"], r"4\d{4}(\.5)?"), (["20210312101500", "20210313101500"], r"20\d{6}101500"),
        (["March 1st, 2021", "March 22nd, 2021"], r"[A-Z][a-z]+ \d{1,2}(st|nd|rd|th), 20\d\d"),
    ],
)  # fmt: skip
def test_dates_keep_the_form_that_they_are_written_in(values, pattern):
    released = ShiftDates(("seen",), secret=SECRET).apply(data_of({"id": ["a", "a"], "seen": values}))
    series = pd.Series(column(released, "seen"))
    assert series.str.fullmatch(pattern).all() and not set(series) & set(values)


# ---- what is refused ----


@pytest.mark.parametrize("as_", ["offset", "since_first"])
def test_what_is_no_date_is_counted_and_not_shown(as_):
    columns = {"id": ["a", "b", "b", None], "seen": ["2021-01-01", "secret word", "2021-01-02", "secret word"]}
    step = ShiftDates(("seen",), as_, secret=SECRET)
    with refused("cells-not-values", "seen") as error:
        step.apply(data_of(columns))
    assert str(error.value) == (
        "2 rows of “seen” hold something that is not a date, the first of them row 2. Correct, blank or leave out "
        "these rows, or leave the column out of the step."
    )
    with pytest.raises(InputError, match=r"2 rows of “seen” hold something that is not a date\. Correct") as error:
        step.apply(data_of(columns, engine=True))
    assert "secret word" not in str(error.value)


def test_the_row_is_that_of_the_file():
    data = data_of({"id": ["a", "b", "b"], "seen": ["2021-01-01", "2021-01-01", "word"]})
    with pytest.raises(InputError, match="1 row of “seen” holds something that is not a date, the first of them row 3"):
        ShiftDates(("seen",), secret=SECRET).apply(data.with_records(np.array([False, True, True]), "less"))


def test_too_much_for_an_engine_has_a_way_out(monkeypatch):
    monkeypatch.setattr(of_tables, "MOST_VALUES", 3)
    few = {"id": ["a", "b"], "seen": ["2021-01-01", "2021-01-02"]}
    assert ShiftDates(("seen",), secret=SECRET).apply(data_of(few, engine=True)).n_records == 2
    for many in (
        {"id": list("abcde"), "seen": ["2021-01-01"] * 5},
        {"id": ["a"] * 5, "seen": [f"2021-01-0{i}" for i in range(1, 6)]},
    ):
        with refused("too-many-values"):
            ShiftDates(("seen",), secret=SECRET).apply(data_of(many, engine=True))


WRONG = [
    {"columns": []}, {"columns": "seen"}, {"as": "month"}, {"most": 0}, {"most": 3_654}, {"most": 1.5},
    {"secret": "00"}, {"secret": ""}, {"keep_weekday": 1}, {"keep_season": "yes"}, {"keep_weekday": True, "most": 6},
    {"dates_begin_with": "year"},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_it_cannot_be_is_refused(wrong):
    with pytest.raises(InputError):
        ShiftDates.from_dict({"columns": ["seen"], "secret": SECRET, **wrong})


def test_columns_that_it_cannot_move_are_refused():
    data = data_of({"id": ["a"], "seen": ["0001-01-05"]})
    with refused("column-unknown", "left"):
        ShiftDates(("left",), secret=SECRET).apply(data)
    with refused("column-counts-persons", "id"):
        ShiftDates(("id",), secret=SECRET).apply(data)
    early = f"{next(i for i in range(99) if ShiftDates(('seen',), secret=f'{i:032x}').offset('pa') < -9):032x}"
    with pytest.raises(InputError, match="would leave the years 1 to 9999"):
        ShiftDates(("seen",), secret=early).apply(data)


# ---- where it stands, and as a value ----


def test_it_comes_before_what_is_made_of_dates_and_searches_see_it():
    year, step = Recode("seen", DateUnit("year")), ShiftDates(("seen", "left"), secret=SECRET)
    recipe = Recipe.of([year, LeaveOut(2)]).take([step])
    assert recipe.enabled == (step, year, LeaveOut(2))
    assert recipe.take([Recode("left", DateUnit("year"))], replacing=["left"], scope=Scope.SEARCH).enabled[0] == step
    assert step.without({"left"}) == ShiftDates(("seen",), secret=SECRET) and step.without({"left", "seen"}) is None
    data = data_of({"id": ["a", "a"], "seen": ["2021-01-01"] * 2, "left": ["2021-01-02"] * 2})
    assert rows_of(recipe.to_protect(data).held) == rows_of(step.apply(data).held)


def test_it_is_kept_and_read_as_it_is():
    for step in (
        ShiftDates(("seen",), secret=SECRET),
        ShiftDates(("seen", "left"), "offset", 30, True, False, "month", SECRET, "visits"),
        ShiftDates(("seen",), "since_first", reason="x"),
    ):
        recipe = Recipe.of([step])
        again = Recipe.from_json(recipe.to_json())
        assert again == recipe and again.enabled[0].digest == step.digest
        assert step.without_named(lambda name: False) is step and step.n_named == 0 == len(step.emptied)
        assert SECRET not in repr(step) + step.describe() + " ".join(step.for_recipient)
    assert ShiftDates(("seen",), "since_first", secret=SECRET).secret == "", "it needs none"


def test_a_population_table_with_such_dates_cannot_be_compared():
    step = ShiftDates(("seen",), secret=SECRET)
    assert step.apply_to_population(people := data_of({"x": ["u"]})) is people
    with refused("population-not-recodable"):
        step.apply_to_population(data_of({"seen": ["2021-01-01"]}))


# ---- what is said of it ----


def many(n: int = 400) -> Dataset:
    rng = np.random.default_rng(5)
    days = [(FIRST_DAY + timedelta(int(i))).isoformat() for i in rng.integers(0, 3_650, n)]
    return data_of({"id": [str(i) for i in rng.integers(0, n // 3, n)], "seen": [None, *days[1:]], "x": ["u"] * n})


def test_the_codebook_says_what_dates_still_tell():
    data = many()

    def recoded(**how) -> str:
        recipe = Recipe.of([ShiftDates(("seen",), secret=SECRET, **how)])
        row = codebook(recipe.apply(data).released, recipe).columns.set_index("column").loc["seen"]
        assert (row["type"], row["empty cells"], row["levels"]) == (
            "number" if how.get("as_") else "date", EMPTY_MAY_BE_BLANK, "not listed: dates that were moved"
        )  # fmt: skip
        return row[DONE]

    assert recoded() == (
        "Move the dates of each person in seen by one number of days, at most 183. All dates of a person are moved by "
        "one number of days, at most 183 earlier or later, the same in all of these columns: days between dates are "
        "exact, and times of the day are as they were. Weekdays are not known. Seasons are not known. Who knows "
        "one date of a person knows all of them."
    )
    assert "Weekdays are those of the original. Seasons are known to about 42 days." in recoded(
        keep_weekday=True, keep_season=True
    )
    assert "since the first date of the person, which is 0" in recoded(as_="since_first")


def test_a_moved_column_has_lost_as_much_as_an_interval_of_its_reach():
    """Ten years of days, moved by half a year either way, are about as fine as years: ten of 3,650 values."""
    data = data_of(
        {"id": [str(i) for i in range(3_650)], "seen": [(FIRST_DAY + timedelta(i)).isoformat() for i in range(3_650)]}
    )
    recipe = Recipe.of([ShiftDates(("seen",), secret=SECRET)])
    (found,) = levels_of(recipe.apply(data), recipe)
    (part,) = found.parts
    assert (part.name, part.kind, part.share) == ("moved by at most 183 days", "coarser", 1.0)
    assert part.detail == pytest.approx(1 - 366 / 3_649, abs=0.01)
    weeks = Recipe.of([ShiftDates(("seen",), keep_weekday=True, secret=SECRET)])
    assert levels_of(weeks.apply(data), weeks)[0].parts[0].detail == pytest.approx(1 - 52 / 3_649, abs=0.01)


@settings(100)
@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=20, unique=True),
    st.lists(st.integers(-30, 90), min_size=1, max_size=9), st.integers(7, 30), st.booleans(),
)  # fmt: skip
def test_the_values_that_a_moved_date_can_be_of_are_those_of_plain_code(days, labels, most, weeks):
    step = ShiftDates(("seen",), most=most, keep_weekday=weeks, secret=SECRET)
    texts = [np.array([(FIRST_DAY + timedelta(i)).isoformat() for i in each], dtype=object) for each in (days, labels)]
    expected = [
        sum(abs(each - label) <= step.reach and (not weeks or (each - label) % 7 == 0) for each in days)
        for label in labels
    ]
    assert step.values_within(*texts).tolist() == expected


def test_dates_that_are_coarsened_then_are_at_that_level_and_none_is_as_it_was():
    data = many()
    recipe = Recipe.of([ShiftDates(("seen",), secret=SECRET), Recode("seen", DateUnit("year"))])
    found = next(each for each in levels_of(recipe.apply(data), recipe) if each.column == "seen")
    assert [(part.name, part.kind) for part in found.parts] == [
        ("dates to year", "coarser"), ("missing already", "missing already")
    ]  # fmt: skip
    values = len(set(column(data, "seen")) - {None})  # of which a year has a tenth, and half as many on both sides
    assert found.parts[0].detail == pytest.approx(1 - (values / 5 - 1) / (values - 1), abs=0.08)


def test_days_since_the_first_can_be_of_every_date_that_is_so_late():
    data, recipe = many(), Recipe.of([ShiftDates(("seen",), "since_first")])
    dates = np.array(["2020-01-01", "2020-01-03", "2020-02-01"], dtype=object)
    assert recipe.enabled[0].values_within(dates, np.array(["0", "2", "3"], dtype=object)).tolist() == [3, 2, 1]
    found = next(each for each in levels_of(recipe.apply(data), recipe) if each.column == "seen")
    assert found.parts[0].name == "days since the first date" and 0 < found.parts[0].detail < 0.5


def test_the_value_mapping_has_what_became_of_each_date():
    data, recipe = many(60), Recipe.of([ShiftDates(("seen",), secret=SECRET)])
    applied = recipe.apply(data)
    table = value_mapping(applied, recipe)
    known = [value for value in column(data, "seen") if value]
    assert int(table[table["value"].notna()]["records"].sum()) == len(known)
    days = {(a, b) for a, b in zip(column(data, "seen"), column(applied.released, "seen"), strict=True) if a}
    table = table[table["value"].notna()]
    assert set(zip(table["value"], table["released as"], strict=True)) == days
    (effect,) = applied.effects
    assert effect.values_changed <= len(set(known)) and effect.records_removed == 0
