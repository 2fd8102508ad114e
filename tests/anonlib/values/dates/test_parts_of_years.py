"""Months, quarters, halves and weeks with their year, anywhere in a value."""

from __future__ import annotations

import pytest

from anonlib.values.dates import hold_days, hold_parts

PARTS = (
    "KW 01/2013|33. KW 2014|2013-W05|2013w5|week 33 of 2014|semaine 12 2019|vecka 7 2020|2013h1|H2 2013|2013q3|Q3 2013|"
    "1. Quartal 2013|T1 2013|2013-04|04/2013|died 04/2013|April 2013|Apr-2013|2013 Apr|marzo de 2019|UN-APR-2013|"
    "2013-06-00|2013-04-UN|00/04/2013|99.04.2013"
).split("|")
NO_PARTS = "2013|1999-2004|2013/2014|ISO 9001-2008|H1N1 2009|Covid-2019|ICD-10 2019|SF-36 2000|1.2013|born 1950|2020-13"


@pytest.mark.parametrize("text", PARTS)
def test_parts_of_a_year(text: str) -> None:
    assert hold_parts([text, "alive", "lost", "moved", "other"])[0]


@pytest.mark.parametrize("text", NO_PARTS.split("|"))
def test_what_is_none(text: str) -> None:
    assert not hold_parts([text, "alive", "lost", "moved", "other"])[0]


def test_numbers_of_weeks_and_months_need_a_column_of_them() -> None:
    assert hold_parts(["33/2014", "07/2013", "52/2013"]).all()
    assert hold_parts(["04.2013", "11.2014"]).all()
    assert not hold_parts(["4.2013", "1.25", "3.5"]).any()
    assert not hold_parts(["33/2014", "room 3", "ward 2"]).any()


def test_days_that_are_not_known_do_not_hide_those_that_are() -> None:
    texts = ["2013-01-02", "2013-06-00", "2014-05-00", "2015-02-00"]
    assert hold_days(texts).tolist() == [True, False, False, False]
    assert (hold_days(texts) | hold_parts(texts)).all()
