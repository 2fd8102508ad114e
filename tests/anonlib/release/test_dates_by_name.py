"""Columns that are dates, births or parts of them by their names alone: none leaves finer than a year as “met”."""

from __future__ import annotations

import re

import pytest

from anonlib.release.listed import years_of
from anonlib.verdict.criteria import State
from tests.helpers.safe_harbor import SEX, data_of, finding, released

MONTHS = [str(month) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("birth_m", MONTHS), ("birth_d", ["3", "17", "28", "31"]), ("mes_internamento", MONTHS),
        ("dia_internamento", ["3", "17", "28"]), ("doy", ["3", "74", "231"]), ("epi_week", ["3", "17", "51"]),
        ("season_of_admission", ["winter", "spring", "summer"]), ("admission_ym", ["1304", "1512", "1601"]),
        ("year_of_surgery", ["2013", "2014", "Easter 2014"]), ("diagnosis_year", ["2013", "2014", "15-Mar", "201503"]),
        ("KW", ["3", "17", "51"]), ("week_number", ["3", "17", "51"]), ("jday", ["3", "74", "231"]),
        ("Operationsjahr", ["2013", "2014", "KW 12"]), ("data_internamento", ["jul/15", "ago/15", "set/16"]),
    ],
)  # fmt: skip
def test_a_part_of_a_date_by_its_name_does_not_leave(name: str, values: list[str]) -> None:
    data = data_of({name: values, "sex": SEX})
    assert finding(data).state is not State.MET
    assert all(re.fullmatch(r"20\d\d|\*", label) for label in released(data, name))


@pytest.mark.parametrize("name", ["birth_cohort", "decade_of_birth"])
@pytest.mark.parametrize(("oldest", "state"), [(1920, State.NOT_MET), (1950, State.MET)])
def test_births_of_some_years_together_show_an_age_over_89(name: str, oldest: int, state: State) -> None:
    spans = [f"{first}-{first + 9}" for first in (oldest, 1960, 1980)]
    data = data_of({name: spans, "year": ["2014", "2015"]})
    assert finding(data).state is state


@pytest.mark.parametrize("name", ["born", "born_in", "year_born", "mother_yob"])
def test_years_in_which_somebody_was_born(name: str) -> None:
    data = data_of({name: ["1921", "1950", "1980"], "year": ["2014", "2015"]})
    assert finding(data).state is State.NOT_MET
    assert released(data, name) == {"<1926", "1950", "1980"}


def test_where_somebody_was_born_is_a_place() -> None:
    data = data_of({"born_in": ["Salem", "Kent", "Lyon"], "year": ["2014", "2015"]})
    assert "born_in (B)" in finding(data).says


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("week", [str(week) for week in range(1, 53)]), ("day", [f"{day:02}" for day in range(1, 32)]),
        ("x", ["15.10.", "1.3.", "24.12."]), ("x", ["1. Quartal", "2. Quartal"]), ("x", ["KW 3", "KW 17", "KW 50"]),
    ],
)  # fmt: skip
def test_what_may_be_a_part_of_a_date_is_asked_about(name: str, values: list[str]) -> None:
    assert finding(data_of({name: values, "year": ["2014", "2015"]})).state is State.UNKNOWN


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("week", ["0", "4", "8", "12"]), ("day", ["1", "8", "15"]), ("death_date_known", ["yes", "no"]),
        ("birth_weight", ["2500", "3100"]), ("surgery_type", ["open", "closed"]), ("x", ["1.1.1", "1.2.", "2.1.4"]),
    ],
)  # fmt: skip
def test_what_is_counted_from_the_first_day_of_a_study_is_not(name: str, values: list[str]) -> None:
    assert finding(data_of({name: values, "sex": SEX})).state is State.MET


def test_quarters_and_months_in_roman_figures() -> None:
    assert released(data_of({"q12": ["2014 I", "2014 II", "2015 IV"], "sex": SEX}), "q12") == {"2014", "2015"}


def test_days_with_a_zero_in_front_are_no_day_numbers_of_a_spreadsheet() -> None:
    births = ["120328", "010455", "311262", "030415", "050579"]
    data = data_of({"GEBDAT": births, "year": ["2015"] * 2})
    assert finding(data).state is not State.MET
    assert released(data, "GEBDAT") == {"*"}


def test_years_of_what_happened_may_stay() -> None:
    data = data_of({"year_of_surgery": ["2013", "2014"], "diagnosis_year": ["2012", "2013"], "sex": SEX})
    assert finding(data).state is State.MET


@pytest.mark.parametrize(
    ("values", "years"),
    [
        (["201510", "201511", "201601"], [2015, 2015, 2016]), (["042016", "122016", "012017"], [2016, 2016, 2017]),
        (["42016", "122016", "12017"], [2016, 2016, 2017]), (["20161", "20162", "20163", "20164"], [2016] * 4),
        (["2016074", "2016231", "2017003"], [2016, 2016, 2017]),
        ([f"15{day:03}" for day in range(100, 120)], [2015] * 20),
        (["42016", "41390", "41561"], [2015, 2013, 2013]), (["120103", "110412", "090630"], [None] * 3),
    ],
    ids=["YYYYMM", "MMYYYY", "a zero lost", "YYYYQ", "YYYYDDD", "YYDDD", "days of a spreadsheet", "YYMMDD"],
)  # fmt: skip
def test_the_year_of_months_quarters_and_days_in_digits(values: list[str], years: list[int | None]) -> None:
    assert [span and span[0] for span in years_of(values)] == years


def test_periods_of_different_length_in_one_column() -> None:
    periods = ["201505", "2015W9", "2015BiW5", "2015Q1", "201505B", "2015SunW7", "2015S1", "20150311"]
    data = data_of({"Period": periods, "sex": SEX})
    assert finding(data).state is State.NOT_MET
    assert released(data, "Period") <= {"2015", "*"}
