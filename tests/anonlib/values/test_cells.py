"""Text as numbers, dates and in natural order, against slow obvious references."""

from __future__ import annotations

import math
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.values.cells import natural_order, text_categorical, to_numbers
from anonlib.values.dates import to_dates

NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers().map(str)
TEXTS = st.text(max_size=6) | st.sampled_from(["1", "01", "1.0", "10", "9", "2020-01-02", "a", "B", "é", "a\x00", "a "])


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1", "02138", "-3", "+4", "5.", ".5", "1e3", "1E-2", " 7 "], [1, 2138, -3, 4, 5, 0.5, 1000, 0.01, 7]),
        (["1,250.00", "12,000", "1,250,000"], [1250, 12000, 1250000]),
        (["70,5", "1,80", "12"], [70.5, 1.8, 12]),
        (["1.250,5", "1 250,5", "1'250,5"], [1250.5, 1250.5, 1250.5]),
        (["1.5", "2,5", "x"], [1.5, None, None]),
        (["1,5", "2.5", "3,5"], [1.5, None, 3.5]),
        (["1'250.50", "12'000", "80"], [1250.5, 12000, 80]),
        (["$1,234.50", "$80", "-$5", "$-6", "+$.5"], [1234.5, 80, -5, -6, 0.5]),
        (["1.234,50 €", "80 €", "-3,5€"], [1234.5, 80, -3.5]),
        (["USD 500", "USD1,000"], [500, 1000]),
        (["500 kr", "1 200 kr."], [500, 1200]),
        (["CHF 1'250.50", "CHF 20"], [1250.5, 20]),
        (["R$ 3,50", "R$ 1.000,25"], [3.5, 1000.25]),
        (["$5"] * 9 + ["n/a"], [5] * 9 + [None]),
        (["$5"] * 9 + ["7"], [5] * 9 + [7]),
        (["$5", "n/a"], [None, None]),  # too few to be amounts
        (["$5", "5 €"], [None, None]),  # amounts of two currencies do not compare
        (["£40k", "£50k"], [None, None]),
        (["INR 2.5", "INR 3.1"], [None, None]),  # of a laboratory
        (["$", "USD", "5$0"], [None] * 3),
        (["A12", "B13"], [None, None]),
        (["nan", "inf", "-Infinity", "1_000", "1e999", "", "0x10", "1 2"], [None] * 8),
        (["nan", "3"], [None, 3]),
        ([], []),
    ],
)
def test_to_numbers(texts: list[str], numbers: list[float | None]):
    expected = [math.nan if number is None else number for number in numbers]
    np.testing.assert_array_equal(to_numbers(texts), expected)


WRITTEN = ["{}", "${}", "{} €", "CHF {}", "{}kr", "£ {}"]


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1), st.sampled_from(WRITTEN))
def test_thousands_separators_and_a_currency_beside_every_number_change_nothing(whole, written):
    plain = [str(value) for value in whole]
    marked = [written.format(f"{value:,}") for value in whole]
    np.testing.assert_array_equal(to_numbers(marked), to_numbers(plain))
    assert [marked[i] for i in natural_order(marked)] == [written.format(f"{value:,}") for value in sorted(whole)]


@given(st.lists(NUMBERS))
def test_numbers_that_python_writes_are_read_exactly(texts):
    read = to_numbers(texts)
    for text, number in zip(texts, read, strict=True):
        if abs(float(text)) < 1.7e308:
            assert number == float(text)


@given(st.lists(TEXTS, min_size=1))
def test_a_value_is_a_number_or_not_whatever_stands_beside_it_when_it_is_plain(texts):
    """The quick way for columns of plain numbers gives what the long way gives."""
    plain = [text for text in texts if not math.isnan(to_numbers([text, "x"])[0]) and "," not in text]
    if plain:
        np.testing.assert_array_equal(to_numbers(plain), to_numbers([*plain, "x"])[:-1])


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["2020-01-02", "1999-12-31 10:11", "2020-01-02T03:04:05Z"], ["2020-01-02", "1999-12-31", "2020-01-02"]),
        (["31/12/2020", "01/02/2020"], ["2020-12-31", "2020-02-01"]),
        (["12/31/2020", "01/02/2020"], ["2020-12-31", "2020-01-02"]),
        (["01/02/2020"], ["2020-02-01"]),
        (["1.2.2020", "2020/03/04"], ["2020-02-01", "2020-03-04"]),
        (["2020-02-30", "text", "", "2020"], ["NaT"] * 4),
    ],
)
def test_to_dates(texts: list[str], days: list[str]):
    np.testing.assert_array_equal(to_dates(texts), np.array(days, dtype="datetime64[D]"))


def reference_order(texts: list[str]) -> list[int]:
    numbers, dates = to_numbers(texts), to_dates(texts)
    if not np.isnan(numbers).any():
        return sorted(range(len(texts)), key=lambda i: (numbers[i], texts[i]))
    if not np.isnat(dates).any():
        return sorted(range(len(texts)), key=lambda i: (dates[i], texts[i]))
    return sorted(range(len(texts)), key=lambda i: texts[i])


@given(st.lists(TEXTS, unique=True) | st.lists(NUMBERS, unique=True) | st.lists(st.dates().map(str), unique=True))
def test_natural_order(texts):
    assert natural_order(texts).tolist() == reference_order(texts)


@given(st.integers(0, 200), st.sampled_from(["", "x", "2020-01-01", "1.5", "1,5"]))
def test_natural_order_of_many_values_of_which_the_last_is_odd(count, odd):
    """More values than the look at the first few takes in."""
    for first in ([str(i) for i in range(count)], [str(date(2000, 1, 1) + timedelta(i)) for i in range(count)]):
        texts = list(dict.fromkeys([*first, odd]))
        assert natural_order(texts).tolist() == reference_order(texts)


def test_natural_order_by_example():
    assert [["10", "9", "1.0", "1"][i] for i in natural_order(["10", "9", "1.0", "1"])] == ["1", "1.0", "9", "10"]
    assert natural_order(["b", "\ud800", "a"]).tolist() == [2, 0, 1]  # a lone surrogate, which UTF-8 cannot hold
    assert natural_order([]).tolist() == []


@given(st.lists(st.none() | TEXTS, max_size=40))
def test_text_categorical_keeps_every_cell(values):
    column = text_categorical(values)
    assert [None if code < 0 else column.categories[code] for code in column.codes] == values
    assert column.categories.dtype == object
    assert sorted(column.categories) == sorted({value for value in values if value is not None})
    assert natural_order(list(column.categories)).tolist() == list(range(len(column.categories)))


@given(st.lists(st.none() | TEXTS, max_size=40))
def test_text_categorical_of_a_categorical_is_the_same(values):
    column = text_categorical(values)
    shuffled = pd.Categorical(
        pd.Series(values, dtype=object), categories=pd.Index([*reversed(column.categories), "never seen"], dtype=object)
    )
    for form in (column, shuffled, pd.Series(shuffled), pd.Series(values, dtype=object)):
        again = text_categorical(form)
        assert list(again.codes) == list(column.codes)
        assert list(again.categories) == list(column.categories)


def test_text_categorical_of_other_types():
    column = text_categorical(pd.Series([2.0, 250.0, None, float("nan"), pd.NaT, "2.0"], dtype=object))
    assert list(column.categories) == ["2.0", "250.0"]
    assert list(column.codes) == [0, 1, -1, -1, -1, 0]
    assert list(text_categorical([10, 9, 1]).categories) == ["1", "9", "10"]
