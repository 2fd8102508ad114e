"""The hierarchy each column has before anyone chooses one: it fits the column, whatever the column holds."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, suggested_hierarchy
from anonlib.coarsening.hierarchies.builders import cuts_by_power, limits, wider
from anonlib.reading.sources import Described
from anonlib.values.cells import is_code, text_categorical


def column(*values: str | None) -> pd.Index:
    """The distinct values of a column."""
    return text_categorical(list(values)).categories


def in_words(hierarchy: Hierarchy) -> list[str]:
    return [hierarchy.describe(level) for level in range(1, hierarchy.n_levels)]


def numbers(low: float, high: float, step: float = 1) -> pd.Index:
    return column(*(f"{value:g}" for value in np.arange(low, high + step / 2, step)))


TO_YEARS = ["dates to month", "dates to quarter", "dates to year"]
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
        (column("2024-03-17", "17.03.2023", None), TO_YEARS),
        (column("1936-03-17", "1948-01-02", None), [*TO_YEARS, "dates to 5 years"]),
        (column("1936-03-17", "2001-01-02"), [*TO_YEARS, "dates to 5 years", "dates to 10 years", "dates to 20 years"]),
        (column("Female", "Male", "Other"), []),
        (column("0", "1"), []),
        (column("1"), []),
        (column(None, None), []),
        (column(), []),
    ],
)  # fmt: skip
def test_levels_follow_from_the_values(values, levels):
    assert in_words(suggested_hierarchy(values)) == [*levels, "removed"]


@pytest.mark.parametrize(
    ("values", "name", "levels"),
    [
        ("122 143 166 180 190", "weight", ["intervals of 20", "intervals of 40"]),  # Arca and Hewett 2021, Table 1
        ("0 1 2 3 4 5 6 7", "household_size", ["intervals of 2", "intervals of 4"]),
        ("0 1 2", "n_children", ["intervals of 2"]),
        ("0 1 2 3", "STDs: Number of diagnosis", ["intervals of 2"]),
        ("0 0.5 1 1.5 2", "x", ["intervals of 1", "intervals of 2"]),
        ("0 1", "n_children", []),  # between one and all there is nothing
        ("1 2 3 4 5", "age_group", []),
        ("1 2 3 4 5", "answer", []),
        ("1 2 3 4 5", "income_level", []),
        ("1 2 3 4 5", "admission_type_id", []),
        ("1 2 3 4 5", "ward_number", []),
        ("1 2 3 4 5", "race", []),
        ("122 143 166 180 190", "x", []),
    ],
)
def test_few_numbers_become_intervals_where_something_says_that_they_count_or_measure(values, name, levels):
    assert in_words(suggested_hierarchy(values.split(), None, name)) == [*levels, "removed"]


def test_a_dictionary_says_whether_numbers_measure_or_stand_for_entries_of_a_list():
    def made(values: pd.Index, **says: str) -> list[str]:
        return in_words(suggested_hierarchy(values, described=Described("x", **says)))[:-1]

    assert made(numbers(1, 5)) == made(numbers(1, 5), measure="ordinal") == made(numbers(1, 5), measure="nominal") == []
    assert (
        made(numbers(1, 5), unit="mg") == made(numbers(1, 5), measure="scale") == ["intervals of 2", "intervals of 4"]
    )
    assert made(numbers(1, 40), measure="nominal") == [] and made(numbers(1, 40), measure="ordinal") != []


@given(st.sets(st.integers(-60, 400), min_size=3, max_size=8), st.sampled_from([1, 10, 100]), st.booleans())
def test_each_level_of_few_numbers_puts_neighbours_together_that_the_one_before_parted(drawn, divisor, many):
    values = [f"{number / divisor:g}" for number in sorted(drawn)]
    records = np.full(len(values), 60) if many else None
    hierarchy = suggested_hierarchy(values, records, "dose_mg")
    levels = hierarchy.on(values)
    groups = [
        [levels.label(level).tolist().index(label) for label in levels.label(level)] for level in range(levels.n_levels)
    ]
    assert all(one == sorted(one) for one in groups), "only neighbours are merged"
    sizes = [len(set(one)) for one in groups]
    assert sizes[0] == len(values) and sizes[-1] == 1 and all(b < a for a, b in pairwise(sizes))


def test_a_few_words_among_numbers_and_codes_stay_until_the_top():
    ages = [str(age) for age in range(20, 80)]
    hierarchy = suggested_hierarchy(column(*ages, "unknown", None))
    levels = hierarchy.on([*ages, "unknown", None])
    assert [levels.label(i)[-2] for i in range(5)] == ["unknown"] * 4 + ["*"]
    assert [levels.label(i)[-1] for i in range(5)] == [None] * 4 + ["*"]
    zips = [f"02{n:03d}" for n in range(30)]
    assert in_words(suggested_hierarchy(column(*zips, "none")))[0] == "first 4 characters kept"


def test_a_range_among_numbers_is_in_their_intervals():
    """“20-24” among ages is one with 22 on the level of five years, and on every other."""
    ages = [str(age) for age in range(20, 80)]
    hierarchy = suggested_hierarchy(column(*ages, "20-24"))
    levels = hierarchy.on([*ages, "20-24"])
    assert in_words(hierarchy)[:-1] == ["intervals of 5", "intervals of 10", "intervals of 20"]
    for level in (1, 2, 3):
        assert levels.label(level)[-1] == levels.label(level)[ages.index("22")]


def ends(width: int, low: int, high: int, form: str) -> list[str]:
    return [form.format(a, a + width) for a in range(low, high, width)]


OPEN = ["<5", *(f"{age}-{age + 4}" for age in range(5, 90, 5)), "90+"]


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (ends(10, 0, 100, "[{}-{})"), [["[0-20)", "[80-100)"], ["[0-40)", "80+"], ["[0-80)", "80+"]]),
        (ends(25, 0, 100, "({},{}]"), [["(0,50]", "(50,100]"]]),
        ([*ends(25, 0, 200, "({}, {}]"), ">200"], [["(0, 50]", ">200"], ["(0, 100]", ">200"]]),
        (OPEN, [["<10", "90+"], ["<20", "80+"], ["<40", "80+"]]),
        (["0-4", "5-17", "18-44", "45-64", "65 and over"], [["<18", "65+"], ["<65", "65+"]]),
        (ends(5, 20, 60, "{} to under {}"), []),
        ([f"{a} - {a + 9} years" for a in range(20, 80, 10)],
         [["20 - 39 years", "60 - 79 years"], ["<40 years", "40 - 79 years"]]),
        ([f"{year}Q{q}" for year in (2019, 2020) for q in (1, 2, 3, 4)], [["2019H1", "2020H2"], ["2019", "2020"]]),
        (["0-10", "5-15", "10-20", "20-30"], []),
        (["unknown", "none", *ends(10, 0, 50, "[{}-{})")], []),
    ],
)  # fmt: skip
def test_neighbouring_ranges_are_merged(values, levels):
    """The labels of the first and the last value, by level."""
    found = suggested_hierarchy(column(*values)).on(values)
    assert [[found.label(i)[0], found.label(i)[-1]] for i in range(1, found.n_levels - 1)] == levels


@given(
    st.sampled_from([1, 2, 5, 10, 25, 0.5, 15]), st.integers(-3, 40), st.integers(3, 30), st.booleans(), st.booleans(),
    st.sampled_from(["[{}-{})", "[{}, {})", "({}, {}]", "{} to {}"]), st.sets(st.integers(0, 29), max_size=12),
)  # fmt: skip
def test_no_level_splits_a_range_and_each_joins_neighbours(width, first, n, below, above, form, absent):
    """Of ranges of one width, some of which no record has; a shared end is where the next begins."""
    kept = [i for i in range(n) if i not in absent]
    ranges = [(width * (first + i), width * (first + i + 1)) for i in kept]
    texts = [form.format(f"{low:g}", f"{high:g}") for low, high in ranges]
    low, high = width * first, width * (first + n)
    texts = [*([f"<{low:g}"] if below else []), *texts, *([f"{high:g}+"] if above else [])]
    levels = suggested_hierarchy(column(*texts)).on(texts)
    for level in range(1, levels.n_levels - 1):
        groups = [levels.group[level][i] for i in range(len(texts))]
        assert groups == sorted(groups), "only neighbours are merged"
        assert len(set(groups)) > 1
        assert len(set(levels.label(level))) == len(set(groups))


def with_records(records: dict[float, int]) -> Hierarchy:
    return suggested_hierarchy([f"{number:g}" for number in records], np.array([*records.values()]))


def test_thin_ends_are_one_group_at_a_round_number():
    many = dict.fromkeys(range(20, 81), 50)
    hierarchy = with_records({11: 1, 12: 1, **many, 84: 2, 88: 1})
    assert in_words(hierarchy)[0] == "intervals of 5, below 25 together, 80 and above together"
    assert in_words(with_records(many))[0] == "intervals of 5", "no end is thin"
    assert in_words(with_records(dict.fromkeys(range(1, 41), 2)))[0] == "intervals of 5", "all of a small file"


@given(
    st.dictionaries(st.integers(0, 400), st.integers(1, 40), min_size=9, max_size=60), st.sampled_from([1.0, 5.0, 20.0])
)
def test_limits_leave_no_end_below_the_least(records, width):
    """Against counting every interval: limits stand only where an end is thin, and then at the first multiple."""
    numbers = np.array(sorted(records), dtype=float)
    each = np.array([records[number] for number in numbers])
    bottom, top = limits(numbers, each, width)
    if each.sum() < 200:
        assert (bottom, top) == (None, None)
    if bottom is not None:
        assert each[numbers < bottom].sum() >= 5 > each[numbers < bottom - width].sum()
        assert each[numbers < (numbers[0] // width + 1) * width].sum() < 5
    if top is not None:
        assert each[numbers >= top].sum() >= 5 > each[numbers >= top + width].sum()
        assert each[numbers >= numbers[-1] // width * width].sum() < 5


def test_heavy_tails_are_cut_at_powers_of_ten():
    charges = {float(10 ** (i / 10)): 30 for i in range(5, 45)} | {3e5: 1, 9e5: 1}
    levels = with_records({round(charge, 2): n for charge, n in charges.items()}).recodings
    assert [cut for cut in levels[0].cuts if cut < 100] == [5, 10, 20, 50] and levels[0].cuts[-1] == 2e4
    assert levels[1].cuts == (10, 100, 1000, 1e4) and levels[2].cuts == (10, 1000)
    assert in_words(suggested_hierarchy(numbers(1, 3000)))[0] == "intervals of 200", "even, not heavy"


@given(st.lists(st.floats(1e-3, 1e12), min_size=9, max_size=60, unique=True))
def test_cuts_by_power_are_nested(found):
    levels = cuts_by_power(np.unique(found), None)
    for finer, coarser in pairwise(levels):
        assert set(coarser) < set(finer)
    assert all(min(found) < cut <= max(found) for cut in (levels[0] if levels else ()))


@pytest.mark.parametrize(("width", "next_one"), [(5, 10), (10, 20), (20, 100), (2, 10), (25, 50), (0.1, 0.2), (15, 30)])
def test_usual_widths(width, next_one):
    assert wider(width, 1000 * width) == next_one
    assert wider(width, 7 * width) == 2 * width, "or too few would be left"


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


def test_of_words_the_rare_are_one_level_by_level():
    records = {"White": 850, "Black": 95, "Asian": 32, "Eskimo": 12, "Other": 11}
    levels = suggested_hierarchy([*records], np.array([*records.values()])).on([*records])
    assert levels.label(1).tolist() == ["White", "Black", "Asian", "other", "other"]
    assert levels.label(2).tolist() == ["White", *["other"] * 4]
    assert levels.label(3).tolist() == ["*"] * 5


@pytest.mark.parametrize("records", [[100, 60, 4], [500, 480, 470], [9900, 100]], ids=["a small file", "even", "two"])
def test_words_of_which_none_can_be_reported_to_be_rare_are_left(records):
    words = ["Berlin", "Paris", "Rome"][: len(records)]
    assert suggested_hierarchy(words, np.array(records)).recodings == (EVERYTHING,)


def test_a_rare_value_alone_takes_the_next_with_it():
    records = {"Berlin": 600, "Paris": 390, "Rome": 10}
    levels = suggested_hierarchy([*records], np.array([*records.values()])).on([*records])
    assert levels.label(1).tolist() == ["Berlin", "other", "other"]


def test_numbers_that_stand_for_something_are_no_amounts():
    records = {str(code): 400 - 15 * code for code in range(1, 26)}
    values, counts = [*records], np.array([*records.values()])
    assert in_words(suggested_hierarchy(values, counts, "time_in_hospital"))[0] == "intervals of 2"
    (level, top) = suggested_hierarchy(values, counts, "admission_source_id").recodings
    assert top == EVERYTHING
    assert level.labels(["1", "21", "25"]).tolist() == ["1", "other", "other"]


def test_ages_with_units_are_put_into_bands_of_years():
    values = ["1", "6 mo", "10 days", "34", "89", "95 years", ">89", *map(str, range(40, 46)), "adult"]
    recodings = suggested_hierarchy(values, name="age").recodings
    by_value = dict(
        zip(values, zip(*(each.labels(values).tolist() for each in recodings[:-1]), strict=True), strict=True)
    )
    assert by_value["6 mo"] == by_value["10 days"] == by_value["1"] == ("0-4", "0-9", "0-19")
    assert by_value["95 years"] == by_value[">89"] == ("90+", "90+", "90+")
    assert by_value["89"] == ("85-89", "80-89", "80-89")
    assert by_value["adult"] == ("adult", "adult", "adult")
