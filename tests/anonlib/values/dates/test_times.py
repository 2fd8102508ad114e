"""The time of the day behind a date, and dates that are moved in several ways."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.values.dates import DatesAsWritten, seconds_of_day, shifted

MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2029, 12, 31))
FORMS = [
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%SZ",
    "%d.%m.%Y %H:%M",
    "%m/%d/%Y %I:%M %p",
    "%d%b%Y:%H:%M:%S",
    "%Y%m%d%H%M",
]


@pytest.mark.parametrize("form", FORMS)
@given(moments=st.lists(MOMENTS, min_size=1, max_size=5))
def test_seconds_are_those_that_are_written(form, moments):
    texts = [moment.strftime(form) for moment in moments]
    again = [datetime.strptime(text, form) for text in texts]
    expected = [3600 * each.hour + 60 * each.minute + each.second for each in again]
    assert seconds_of_day(texts).tolist() == expected


def test_what_has_no_time_is_at_midnight():
    texts = ["2021-03-12", "12MAR2021", "20210312", "44267", "soon", "2021-03-12 00:00", "2021-03-12+01:00"]
    assert seconds_of_day(texts).tolist() == [0.0] * 7
    assert seconds_of_day(["2021-03-12T10:15:00.250+01:00"]).tolist() == [36_900.25]


@given(
    st.lists(st.dates(date(1960, 1, 1), date(2020, 1, 1)), min_size=1, max_size=6, unique=True),
    st.lists(st.tuples(st.integers(0, 5), st.integers(-900, 900)), max_size=9),
)
def test_each_date_is_moved_as_often_as_wished(days, moves):
    texts = [f"{each.day}.{each.month}.{each:%Y}" for each in days]
    moves = [(place % len(days), offset) for place, offset in moves]
    written = DatesAsWritten(texts)
    found = written.moved(
        np.array([p for p, _ in moves], dtype=int), np.array([d for _, d in moves], dtype=int)
    ).tolist()
    padded_day, padded_month = all(each.day > 9 for each in days), all(each.month > 9 for each in days)
    for text, (place, offset) in zip(found, moves, strict=True):
        new = days[place] + timedelta(offset)
        day = f"{new:%d}" if padded_day else f"{new.day}"
        assert text == f"{day}.{f'{new:%m}' if padded_month else new.month}.{new:%Y}"
    assert shifted(texts, 0).tolist() == texts
