"""Every way to recode against an obvious reference, at its boundaries, and as a function of the value."""

from __future__ import annotations

import unicodedata
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import dates, rounding
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Rounding, ValueMap, untouched
from tests.helpers.errors import refused


def labels(recoding, *values: str) -> list[str | None]:
    result = recoding.labels(list(values))
    assert result.dtype == object and len(result) == len(values)
    return result.tolist()


# --- intervals -----------------------------------------------------------------------------------------------------


def test_ages_by_five_years():
    by_five = Intervals(width=5, bottom=20, top=90)
    assert labels(by_five, "0", "19", "20", "24", "25", "89", "90", "104") == [
        "<20", "<20", "20-24", "20-24", "25-29", "85-89", "90+", "90+",
    ]  # fmt: skip


def test_limits_cut_the_intervals_they_fall_in():
    assert labels(Intervals(width=10, bottom=18, top=85), "17", "18", "19", "20", "80", "84", "85") == [
        "<18", "18-19", "18-19", "20-29", "80-84", "80-84", "85+",
    ]  # fmt: skip
    assert labels(Intervals(width=10, bottom=17.5), "17", "18", "20") == ["<17.5", "[17.5, 20)", "20-29"]


@pytest.mark.parametrize(
    ("width", "value", "label"),
    [
        (0.1, "0.3", "[0.3, 0.4)"), (0.1, "0.29", "[0.2, 0.3)"), (0.1, "0.7", "[0.7, 0.8)"),
        (0.1, "-0.3", "[-0.3, -0.2)"), (0.1, "1.1", "[1.1, 1.2)"), (0.7, "2.1", "[2.1, 2.8)"),
        (0.5, "2", "[2, 2.5)"), (2.5, "7.5", "[7.5, 10)"),
        (0.1, "0.29999999999999", "[0.2, 0.3)"), (0.001, "1000000000.001", "[1000000000.001, 1000000000.002)"),
    ],
)  # fmt: skip
def test_decimal_widths_hold_their_boundaries(width, value, label):
    assert labels(Intervals(width=width), value, "0.5")[0] == label


def test_big_whole_numbers_hold_their_boundaries():
    assert labels(Intervals(width=10), "123456789019", "123456789020") == [
        "123456789010-123456789019",
        "123456789020-123456789029",
    ]


def interval_reference(value: str, width: str, start: str) -> tuple[Decimal, Decimal]:
    """[low, high) in decimals, walked to and not divided."""
    low, step, number = Decimal(start), Decimal(width), Decimal(value)
    while number < low:
        low -= step
    while number >= low + step:
        low += step
    return low, low + step


@given(
    st.lists(st.decimals(-50, 50, places=2).map(lambda d: str(d + 0)), min_size=1, max_size=20, unique=True),
    st.sampled_from(["0.1", "0.25", "0.3", "0.7", "1.1", "2.5"]),
    st.sampled_from(["0", "-1", "0.05", "3"]),
)
def test_intervals_by_walking(values, width, start):
    result = labels(Intervals(width=float(width), start=float(start)), *values)
    for value, label in zip(values, result, strict=True):
        low, high = interval_reference(value, width, start)
        a, b = (Decimal(end) for end in label[1:-1].split(", "))
        assert (label[0], label[-1], a, b) == ("[", ")", low, high)


@given(st.lists(st.integers(-300, 300), min_size=1, unique=True), st.integers(1, 60), st.integers(-20, 20))
def test_whole_intervals_by_walking(numbers, width, start):
    result = labels(Intervals(width=width, start=start), *map(str, numbers))
    for number, label in zip(numbers, result, strict=True):
        low = next(low for low in range(number - width + 1, number + 1) if (low - start) % width == 0)
        high = low + width - 1
        assert label == (str(low) if low == high else f"{low} to {high}" if low < 0 else f"{low}-{high}")


@given(st.lists(st.integers(-60, 60), min_size=1), st.sets(st.integers(-50, 50), min_size=1, max_size=6))
def test_cuts_by_counting(numbers, cuts):
    ordered = sorted(cuts)
    for number, label in zip(numbers, labels(Intervals(cuts=tuple(ordered)), *map(str, numbers)), strict=True):
        below = sum(cut <= number for cut in ordered)
        if below == 0:
            assert label == f"<{ordered[0]}"
        elif below == len(ordered):
            assert label == f"{ordered[-1]}+"
        else:
            low, high = ordered[below - 1], ordered[below] - 1
            assert label == (str(low) if low == high else f"{low} to {high}" if low < 0 else f"{low}-{high}")


def test_decimal_cuts():
    assert labels(Intervals(cuts=(18.5, 25, 30)), "18.4", "18.5", "24.9", "25", "30") == [
        "<18.5", "[18.5, 25)", "[18.5, 25)", "[25, 30)", "30+",
    ]  # fmt: skip


def test_thousands_and_decimal_marks_are_read():
    assert labels(Intervals(width=1000), "1,500", "12,000", "999") == ["1000-1999", "12000-12999", "0-999"]
    assert labels(Intervals(width=1000), "1.500,0", "12.000,5", "999,0")[0] == "[1000, 2000)"
    assert labels(Intervals(width=0.5), "1,5", "2,25", "0,1") == ["[1.5, 2)", "[2, 2.5)", "[0, 0.5)"]


def test_text_stays_and_is_reported():
    values = ["35", "unknown", "", "n/a", "inf", "036"]
    assert labels(Intervals(width=10), *values) == ["30-39", "unknown", "", "n/a", "inf", "30-39"]
    assert untouched(Intervals(width=10), values).tolist() == [False, True, True, True, True, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "width"), ({"width": 0}, "above 0"), ({"width": -1}, "above 0"),
        ({"width": float("nan")}, "must be a number"),
        ({"width": 5, "top": float("inf")}, "must be a number"),
        ({"cuts": (1, 1)}, "ascending"), ({"cuts": (2, 1)}, "ascending"),
        ({"cuts": (1, 2), "width": 5}, "alone"), ({"cuts": (1, 2), "top": 5}, "alone"),
        ({"width": 5, "bottom": 10, "top": 10}, "below"), ({"cuts": (float("nan"),)}, "must be a number"),
    ],
)  # fmt: skip
def test_intervals_that_cannot_be(arguments, message):
    with pytest.raises(InputError, match=message):
        Intervals(**arguments)


# --- masks ---------------------------------------------------------------------------------------------------------


def test_masks_of_postcodes():
    assert labels(Mask(3), "02138", "021", "02", "021381234") == ["021**", "021**", "02**", "021**"]
    assert labels(Mask(2, side="end"), "02138", "38", "8") == ["***38", "***38", "***8"]
    assert labels(Mask(0), "02138", "M5V") == ["*****", "*****"]
    assert labels(Mask(3, fill=""), "K1A 0B1", "02138") == ["K1A", "021"]
    assert labels(Mask(0, fill=""), "02138") == [None]
    assert labels(Mask(0, side="end"), "021") == ["*****"]
    assert labels(Mask(0, side="end", fill=""), "021") == [None]
    assert labels(Mask(2, length=3), "K1A 0B1", "K1", "K") == ["K1*", "K1*", "K*"]
    assert labels(Mask(5), "02138", "021381234") == ["02138*", "02138*"], "a star at least, or what is whole is told"


@given(
    st.lists(st.text(max_size=8)),
    st.integers(0, 9),
    st.sampled_from(["start", "end"]),
    st.sampled_from(["*", "", "■"]),
    st.integers(0, 9),
)
def test_masks_character_by_character(values, keep, side, fill, length):
    for value, label in zip(values, labels(Mask(keep, side, fill, length), *values), strict=True):
        shown = [i < keep if side == "start" else i >= len(value) - keep for i in range(len(value))]
        kept = "".join(c for c, show in zip(value, shown, strict=True) if show)
        stars = fill * (length - keep if length > keep else 1)
        assert label == ((kept + stars if side == "start" else stars + kept) or None)


@given(st.text("70", max_size=9), st.text("70", max_size=9), st.integers(0, 5))
def test_a_mask_tells_nothing_of_what_it_hides(one, other, keep):
    """Neither by its length: values that begin alike have one label, however long they are."""
    first, second = labels(Mask(keep), one, other)
    assert (first == second) == (one[:keep] == other[:keep])


def test_masks_count_characters_and_not_bytes():
    assert labels(Mask(2), "Zürich", "東京都港区", "🙂🙃🙂") == ["Zü***", "東京***", "🙂🙃***"]
    decomposed = unicodedata.normalize("NFD", "Zürich")
    assert labels(Mask(1), decomposed) == ["Z" + "*" * 4]


@pytest.mark.parametrize(
    "arguments", [{"keep": -1}, {"keep": 1, "fill": "**"}, {"keep": 1, "side": "middle"}, {"keep": 1, "length": -1}]
)
def test_masks_that_cannot_be(arguments):
    with pytest.raises(InputError):
        Mask(**arguments)


# --- maps ----------------------------------------------------------------------------------------------------------


def test_maps_name_values():
    mapped = ValueMap.of({"High": "Yes", "Med": "Yes", "secret": None})
    assert labels(mapped, "High", "Low", "secret", "high") == ["Yes", "Low", None, "high"]
    assert untouched(mapped, ["High", "Low", "secret", "high"]).tolist() == [False, True, False, True]
    others = ValueMap.of({"High": "Yes"}, otherwise="Other")
    assert labels(others, "High", "Low", "") == ["Yes", "Other", "Other"]
    assert not untouched(others, ["High", "Low"]).any()
    assert "all others together" in others.describe() and "all others" not in mapped.describe()
    assert "all others together" in ValueMap.of({}, otherwise="").describe()


def test_a_value_is_mapped_once():
    with refused("value-named-twice"):
        ValueMap((("1", "a"), ("1", "b")))


# --- dates ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.dates(date(1850, 1, 1), date(2199, 12, 31)), min_size=1, max_size=20))
def test_dates_to_their_units(days):
    values = [day.isoformat() for day in days]
    assert labels(DateUnit("year"), *values) == [value[:4] for value in values]
    assert labels(DateUnit("month"), *values) == [value[:7] for value in values]
    assert labels(DateUnit("quarter"), *values) == [f"{day.year}-Q{'111222333444'[day.month - 1]}" for day in days]
    for n in (5, 10, 20):
        first = [day.year - day.year % n for day in days]
        together = labels(DateUnit(f"{n} years"), *values)
        assert together == [f"{year}-{year + n - 1}" for year in first]
        of_known_years = [i for i, day in enumerate(days) if day.year < 2080]  # 21xx in a label may be no year
        nested = labels(DateUnit("20 years"), *(together[i] for i in of_known_years))
        assert nested == labels(DateUnit("20 years"), *(values[i] for i in of_known_years)), "nested"


def test_dates_as_people_write_them():
    values = [
        "2024-03-17",
        "17.03.2024",
        "3/17/2024",
        "2024-03-17T08:30:00",
        "2024-3-7 08:30",
        "17.03.24",
        "March",
        "2024-13-01",
    ]
    result = labels(DateUnit("month"), *values)
    assert result[:6] == ["2024-03"] * 6
    assert result[6:] == values[6:]
    assert untouched(DateUnit(), values).tolist()[6:] == [True, True]
    assert labels(DateUnit("month"), "17/03/2024", "01/02/2024") == ["2024-03", "2024-02"], "day first, as 17 says"
    assert labels(DateUnit("month"), "03/17/2024", "01/02/2024") == ["2024-03", "2024-01"], "month first, as 17 says"
    assert labels(DateUnit("year"), "29.02.2023", "29.02.2024") == ["29.02.2023", "2024"]


@given(st.lists(st.datetimes(datetime(1850, 1, 1), datetime(2199, 12, 31)), min_size=1, max_size=20))
def test_moments_to_their_days(moments):
    values = [moment.isoformat(" ", "minutes") for moment in moments]
    assert labels(DateUnit("day"), *values) == [value[:10] for value in values]
    assert labels(DateUnit("day"), *[value[:10] for value in values]) == [value[:10] for value in values]


def test_days_however_they_are_written():
    values = ["2024-02-28T09:30", "28.02.2024 23:59", "28/02/2024", "2024-02", "Q1 2024", "30.02.2024"]
    assert labels(DateUnit("day"), *values) == ["2024-02-28"] * 3 + values[3:]
    assert untouched(DateUnit("day"), values).tolist() == [False] * 3 + [True] * 3
    levels = dates(("day", "month", "year")).on(values)
    assert levels.label(2).tolist() == ["2024-02"] * 4 + values[4:]


def test_dates_have_no_other_units():
    for unit in ("week", "7 years"):
        with refused("choice-unknown"):
            DateUnit(unit)


# --- all -----------------------------------------------------------------------------------------------------------

WAYS = st.sampled_from(
    [
        Intervals(width=5), Intervals(width=0.1), Intervals(width=10, bottom=3, top=7), Intervals(cuts=(1, 2.5)),
        Mask(1), Mask(0, "end", ""), ValueMap.of({"1": "x"}), ValueMap.of({"a": None}, "rest"),
        DateUnit(), DateUnit("quarter"), DateUnit("month"), DateUnit("day"), DateUnit("10 years"),
    ]
)  # fmt: skip
CELLS = st.one_of(
    st.text(max_size=3),
    st.integers(-9, 9).map(str),
    st.floats(-9, 9, allow_nan=False).map(lambda x: f"{x:.2f}"),
    st.dates(date(2020, 1, 1), date(2022, 1, 1)).map(str),
)


@given(WAYS, st.lists(CELLS, max_size=15), st.randoms(use_true_random=False))
def test_a_label_is_a_function_of_the_value(way, values, random):
    """Equal values share a label wherever they stand, so that recoding only ever merges classes."""
    first = labels(way, *values)
    array = np.array(values, dtype=object)
    assert way.labels(array).tolist() == first
    assert array.tolist() == values, "the values themselves are left alone"
    of_value = dict(zip(values, first, strict=True))
    assert first == [of_value[value] for value in values]
    shuffled = list(values)
    random.shuffle(shuffled)
    assert labels(way, *shuffled) == [of_value[value] for value in shuffled]
    assert all(label is None or type(label) is str for label in first)
    left = untouched(way, values)
    assert left.dtype == bool and len(left) == len(values)
    assert all(of_value[value] == value for value, kept in zip(values, left, strict=True) if kept)
    assert way.describe()


# --- rounding ------------------------------------------------------------------------------------------------------


@given(st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=20, unique=True),
       st.sampled_from(["0.5", "1", "2.5", "10", "100"]))  # fmt: skip
def test_rounding_is_to_the_nearest_multiple_halves_up(numbers, to):
    values = [str(number) for number in numbers]
    for number, label in zip(numbers, Rounding(float(to)).labels(values), strict=True):
        step = Decimal(to)
        assert Decimal(label) == ((number + step / 2) // step - ((number + step / 2) % step < 0)) * step
        assert abs(Decimal(label) - number) <= step / 2


@given(st.lists(st.integers(-2000, 2000), min_size=1, max_size=30, unique=True))
def test_rounding_level_by_level_is_nested(numbers):
    values = [str(number) for number in numbers]
    levels = rounding((10, 100, 500)).on(values)
    assert levels.n_levels == 5
    for value, ten, hundred in zip(values, levels.label(1), levels.label(2), strict=True):
        assert int(ten) == (int(value) + 5) // 10 * 10 and int(hundred) == (int(ten) + 50) // 100 * 100


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (Mask(3), "first 3 characters kept"),
        (Mask(1), "first character kept"),
        (Mask(0, side="end"), "last 0 characters kept"),
        (Mask(1, side="end"), "last character kept"),
    ],
)
def test_a_mask_says_which_characters_stay(way, words):
    assert way.describe() == words


def test_rounding_leaves_what_is_no_number():
    assert labels(Rounding(10), "14", "15", "x", "20-24", "1e300") == ["10", "20", "x", "20-24", str(int(1e300))]
    assert untouched(Rounding(10), ["14", "x"]).tolist() == [False, True]
    assert Rounding(0.5).describe() == "rounded to the nearest 0.5"
    for wrong in ((0,), (-1,), (10, (10,)), (10, (20,)), (10, "5")):
        with pytest.raises(InputError):
            Rounding(*wrong)
