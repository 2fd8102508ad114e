"""The hierarchy each column has before anyone chooses one: it fits the column, whatever the column holds."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.hierarchies import EVERYTHING, Hierarchy, suggested_hierarchy
from anonlib.values import is_code, text_categorical


def column(*values: str | None) -> pd.Index:
    """The distinct values of a column."""
    return text_categorical(list(values)).categories


def in_words(hierarchy: Hierarchy) -> list[str]:
    return [hierarchy.describe(level) for level in range(1, hierarchy.n_levels)]


def numbers(low: float, high: float, step: float = 1) -> pd.Index:
    return column(*(f"{value:g}" for value in np.arange(low, high + step / 2, step)))


TO_90 = ", 90 and above together"


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (numbers(0, 104), [f"intervals of 5{TO_90}", f"intervals of 10{TO_90}", f"intervals of 20{TO_90}"]),
        (numbers(18, 80), ["intervals of 5", "intervals of 10", "intervals of 20"]),
        (numbers(126, 564, 3), ["intervals of 50", "intervals of 100", "intervals of 200"]),
        (numbers(1, 16), ["intervals of 2", "intervals of 4", "intervals of 8"]),
        (numbers(0, 1, 0.01), ["intervals of 0.1", "intervals of 0.2", "intervals of 0.4"]),
        (numbers(0.5, 99.5, 0.25), ["intervals of 10", "intervals of 20", "intervals of 40"]),
        (numbers(-40, 40), ["intervals of 5", "intervals of 10", "intervals of 20"]),
        (numbers(0, 7), []),
        (column("02138", "02139", None), [f"first {n} characters kept" for n in (4, 3, 2)] + ["first character kept"]),
        (column("00000001", "12345678"), [f"first {n} characters kept" for n in (6, 4, 2)]),
        (column("2024-03-17", "17.03.2023", None), ["dates to month", "dates to quarter", "dates to year"]),
        (column("Female", "Male", "Other"), []),
        (column("0", "1"), []),
        (column("1"), []),
        (column(None, None), []),
        (column(), []),
    ],
)  # fmt: skip
def test_levels_follow_from_the_values(values, levels):
    assert in_words(suggested_hierarchy(values)) == [*levels, "all together"]


def test_a_few_words_among_numbers_and_codes_stay_until_the_top():
    ages = [str(age) for age in range(20, 80)]
    hierarchy = suggested_hierarchy(column(*ages, "unknown", None))
    levels = hierarchy.on([*ages, "unknown", None])
    assert [levels.label(i)[-2] for i in range(5)] == ["unknown"] * 4 + ["*"]
    assert [levels.label(i)[-1] for i in range(5)] == [None] * 4 + ["*"]
    zips = [f"02{n:03d}" for n in range(30)]
    assert in_words(suggested_hierarchy(column(*zips, "none")))[0] == "first 4 characters kept"


def test_a_text_that_looks_like_a_label_costs_a_level():
    """“20-24” among ages is one with 22 on the level of five years, and would part from it on the next."""
    ages = [str(age) for age in range(20, 80)]
    hierarchy = suggested_hierarchy(column(*ages, "20-24"))
    assert in_words(hierarchy) == ["intervals of 5", "all together"]
    hierarchy.on([*ages, "20-24"])


ODD = st.one_of(
    st.none(),
    st.text(max_size=4),
    st.integers(-10, 200).map(str),
    st.integers(0, 99_999).map("{:05d}".format),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.dates(date(1900, 1, 1), date(2030, 1, 1)).map(str),
    st.sampled_from(["", " ", "20-24", "90+", "2024-01", "2024-Q1", "2024", "0213*", "1e308", "-1e308", "5e-324", "²"]),
)
KINDS = st.sampled_from(
    [
        [str(age) for age in range(0, 99)],
        [f"{n:05d}" for n in range(60)],
        [str(date(2023, 1, 1) + timedelta(days=9 * i)) for i in range(60)],
        ["1e300", "-1e300", *(str(10**n) for n in range(20))],
        [repr(n * 5e-324) for n in range(1, 20)],
        [repr(1e15 + n / 8) for n in range(20)],
        [repr(1e9 + n * 1e-7) for n in range(30)],
        [],
    ]
)


@given(KINDS, st.lists(ODD, max_size=12))
def test_every_column_gets_a_hierarchy_that_fits(kind, odd):
    values = column(*kind, *odd)
    hierarchy = suggested_hierarchy(values)
    leaves = [*values, None]
    levels = hierarchy.on(leaves)
    assert hierarchy.recodings[-1] == EVERYTHING
    assert set(levels.label(levels.n_levels - 1)) == {"*"}
    assert suggested_hierarchy(values) == hierarchy


def test_codes_are_digits_of_one_length():
    assert is_code(["02138", "02139"]) and is_code(["12345"]) and is_code(["0123", "4567"])
    for values in (["1234", "4567"], ["012", "345"], ["02138", "2139"], ["0213a"], [], ["²²²²²"]):
        assert not is_code(values)
