"""When the rows of a person are: which columns say it, and the order that they give."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.individuals.history import in_time_order, rows_of_person, time_columns, visit_times
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from tests.helpers.errors import refused

QI, OTHER = Role.QUASI_IDENTIFIER, Role.OTHER


def people(**columns: list) -> Dataset:
    """Two persons of two rows each, and one of one, whose columns are these, all quasi-identifiers."""
    frame = pd.DataFrame({"id": ["a", "b", "a", "b", "c"], **columns})
    return Dataset.from_frame(frame).with_roles({"id": Role.PERSON_ID, **dict.fromkeys(columns, QI)})


def order(data: Dataset, column: str, records=(0, 1, 2, 3, 4)) -> list[int]:
    return in_time_order(records, visit_times(data, column)).tolist()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["2024-03-01", "2024-01-05", "2023-12-31", "2024-02-01", "2024-01-06"], "dates"),
        (["01.03.2024", "05.01.2024", "31.12.2023", "01.02.2024", "06.01.2024"], "dates"),
        (["2024-04", "2024-02", "2024-01", "2024-03", "2024-02"], "months"),
        (["2024-Q4", "2024-Q2", "2024-Q1", "2024-Q3", "2024-Q2"], "months"),
        (["400", "20", "-1", "365", "21"], "numbers"),
    ],
)
def test_dates_months_and_numbers_are_times(values, kind):
    data = people(when=values)
    times = visit_times(data, "when")
    assert times.kind == kind and times.are_days == (kind != "numbers")
    assert order(data, "when")[:2] == [2, 1] and order(data, "when")[-1] == 0
    assert [order(data, "when", places) for places in ([0, 2], [1, 3])] == [[2, 0], [1, 3]]


def test_days_are_counted_from_1970():
    times = visit_times(people(when=["1970-01-02", "1969-12-31", None, "1970-01-01", "1970-02-01"]), "when")
    np.testing.assert_array_equal(times.of_record, [1, -1, np.nan, 0, 31])


def test_words_and_codes_are_no_times():
    data = people(ward=["ear", "eye", "ear", "eye", "skin"], zip=["02138", "02139", "01840", "02141", "02140"])
    assert visit_times(data, "ward") is None and visit_times(data, "zip") is None


def test_moments_of_one_day_are_in_order():
    data = people(when=[f"2024-03-01 {hour}" for hour in ("11:30", "09:00", "10:15", "08:00", "23:00")])
    assert order(data, "when") == [3, 1, 2, 0, 4]
    assert len(set(visit_times(data, "when").of_record.tolist())) == 1


def test_equal_times_stay_in_the_order_of_the_file_and_none_come_last():
    data = people(when=["2024-01-01", None, "2024-01-01", "2023-01-01", None])
    assert order(data, "when") == [3, 0, 2, 1, 4] and order(data, "when", [4, 2, 0]) == [0, 2, 4]
    assert in_time_order([3, 1], None).tolist() == [1, 3], "without times all are in the order of the file"


def test_columns_of_dates_come_first_and_only_those_that_change_and_may_be_shown():
    data = people(
        day=["3", "1", "9", "8", "4"],
        born=["1950-01-01", "1960-01-01", "1950-01-01", "1960-01-01", "1970-01-01"],
        left=["2024-03-09", "2024-01-05", "2024-03-09", "2024-02-01", "2024-01-06"],
        came=["2024-03-01", "2024-01-05", "2023-12-31", "2024-02-01", "2024-01-06"],
        tested=["2024-03-01", "2024-01-05", "2023-12-31", "2024-02-01", "2024-01-06"],
    )
    data = data.with_roles({**data.roles, "tested": Role.SENSITIVE, "left": OTHER})
    assert time_columns(data) == ("came", "left", "day"), "those that change for most first; a birth date does not"
    assert time_columns(data.with_roles({"came": QI})) == (), "no persons are counted"
    assert time_columns(data.with_roles({"id": Role.PERSON_ID, "day": QI})) == ("day",), "undecided ones are left aside"


def test_the_rows_of_a_person_are_those_of_their_id():
    data = Dataset.from_frame(pd.DataFrame({"id": ["a", None, "b", "a", None], "x": list("vwxyz")}, dtype=object))
    data = data.with_roles({"id": Role.PERSON_ID})
    assert [rows_of_person(data, row).tolist() for row in range(5)] == [[0, 3], [1], [2], [0, 3], [4]]
    for record in (-1, 5):
        with pytest.raises(InputError, match="5 rows"):
            rows_of_person(data, record)
    with refused("no-person-id"):
        rows_of_person(data.with_roles({}), 0)
