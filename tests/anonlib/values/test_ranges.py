"""Texts that are ranges, against what they were written from, and what must not be taken for one."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.recoding import DateUnit, Intervals, untouched
from anonlib.values.cells import are_ranges, natural_order, to_ranges
from anonlib.values.ranges import notation_of
from tests.helpers.examples import settings

INF = math.inf


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("[70-80)", "[70", "80)"), ("(70,80]", "(70", "80]"), ("[70, 80[", "[70", "80)"), ("70-79", "[70", "79]"),
        ("70–79", "[70", "79]"), ("70 to 79", "[70", "79]"), ("70 - 79 years", "[70", "79]"), ("<5", "(-inf", "5)"),
        ("≤5", "(-inf", "5]"), ("under 5", "(-inf", "5)"), ("Under 5 years", "(-inf", "5)"), ("90+", "[90", "inf)"),
        ("≥90", "[90", "inf)"), (">89", "(89", "inf)"), ("90 and over", "[90", "inf)"), (">= 90", "[90", "inf)"),
        ("85 years and older", "[85", "inf)"), ("18.5-24.9", "[18.5", "24.9]"), ("-5 to -1", "[-5", "-1]"),
        ("-10--6", "[-10", "-6]"), ("[-1.5, 0)", "[-1.5", "0)"), ("05-09", "[5", "9]"), ("100-199", "[100", "199]"),
        ("1,000-1,999", "[1000", "1999]"), ("$10,000 - $19,999", "[10000", "19999]"), ("Age: 40-44", "[40", "44]"),
        ("0%-10%", "[0", "10]"), ("18.5–24.9 kg/m²", "[18.5", "24.9]"),
    ],
)  # fmt: skip
def test_forms_of_ranges(text, low, high):
    found = to_ranges([text])
    ends = (found.low[0], found.high[0], found.holds_low[0], found.holds_high[0])
    assert found.of == "numbers"
    assert ends == (float(low[1:]), float(high[:-1]), low[0] == "[", high[-1] == "]")


@pytest.mark.parametrize(
    ("text", "first", "months"),
    [
        ("2019Q3", (2019, 7), 3), ("2019-Q3", (2019, 7), 3), ("Q3 2019", (2019, 7), 3), ("2019-05", (2019, 5), 1),
        ("Jan-Mar 2020", (2020, 1), 3), ("Dec 2019 - Feb 2020", (2019, 12), 3), ("May 2020", (2020, 5), 1),
        ("2019-H2", (2019, 7), 6), ("05/2019", (2019, 5), 1), ("2019-01 to 2019-03", (2019, 1), 3),
    ],
)  # fmt: skip
def test_forms_of_months(text, first, months):
    found = to_ranges([text])
    begin = 12 * first[0] + first[1] - 1
    assert (found.of, found.low[0], found.high[0]) == ("months", begin, begin + months)


def test_years_stand_beside_months_and_alone_are_numbers():
    assert to_ranges(["2019", "2020-Q1"]).of == "months"
    assert to_ranges(["2019-2020", "2021-2022"]).of == "numbers"
    assert to_ranges(["2019", "2020"]).is_range.sum() == 0


@pytest.mark.parametrize(
    "text",
    [
        "A00-A09", "I10", "E11.9", "555-1234", "615-555-1234", "(615) 555-1234", "2019-05-03", "123-456", "37203-1234",
        "01234-5678", "3-1", "1-1", "5-471", "2019-13", "2020 - 2019", "unknown", "", "-", "+", "<", "5 years", "[5-3]",
        "(5,5)", "AB0123", "ab0000123", "over9000x", "12-34-56", "1/2", "10:30-11:30", "2-3 b", "5th", "0123-0456",
    ],
)  # fmt: skip
def test_what_is_no_range(text):
    assert not to_ranges([text]).is_range.any()


def test_ids_are_no_ranges_and_cuts_of_a_scale_are():
    """Large spans that are not round are believed where they lie side by side, or are narrow and apart."""
    assert not to_ranges(["123-456", "234-567", "345-678"]).is_range.any()
    assert to_ranges(["119-125", "126-132"]).is_range.all()
    assert to_ranges(["<1234", "1234-5677", "5678-9999"]).is_range.all()


def test_units_are_not_mixed():
    found = to_ranges(["0-11 months", "1-4 years", "5-9 years", "10+"])
    assert found.fits.tolist() == [False, True, True, True]


@pytest.mark.parametrize(
    ("texts", "edges"),
    [
        (["70-79", "80-89", ">89"], [(70, 80), (80, 90), (90, INF)]),
        (["70-80", "80-90", ">90"], [(70, 80), (80, 90), (90, INF)]),
        (["[70-80)", "[80-90)", ">90"], [(70, 80), (80, 90), (90, INF)]),
        (["(70,80]", "(80,90]", "≤70"], [(70, 80), (80, 90), (-INF, 70)]),
        (["7.0-7.9", "8.0-8.9", "<7"], [(7, 8), (8, 9), (-INF, 7)]),
    ],
)
def test_where_ranges_begin_and_end(texts, edges):
    found = to_ranges(texts)
    if texts[-1] == "≤70":
        texts = texts[:-1]
        edges = edges[:-1]
    assert [(found.begin[i], found.end[i]) for i in range(len(texts))] == edges


BANDS = st.lists(st.integers(0, 120), min_size=4, max_size=25, unique=True).map(sorted)
FORMS = st.sampled_from(["[{}-{})", "[{}, {})", "({}, {}]", "{} to {}", "{} - {} years"])


@settings(max_examples=200)
@given(BANDS, FORMS, st.randoms(use_true_random=False))
def test_ranges_stand_in_their_order(cuts, form, random):
    texts = [f"<{cuts[0]}", *(form.format(a, b) for a, b in pairwise(cuts)), f"{cuts[-1]}+"]
    shuffled = list(texts)
    random.shuffle(shuffled)
    assert [shuffled[i] for i in natural_order(shuffled)] == texts


def test_overlapping_ranges_stand_by_lower_then_upper_end_and_texts_last():
    texts = ["0-9", "0-19", "10-14", "10-19", ">10", "5", "7-8", "20-29", "30-39", "40-49", "b"]
    assert [texts[i] for i in natural_order(texts)] == [
        "0-9", "0-19", "5", "7-8", "10-14", "10-19", ">10", "20-29", "30-39", "40-49", "b",
    ]  # fmt: skip
    assert are_ranges(to_ranges(texts)) and to_ranges(texts).overlap
    assert not are_ranges(to_ranges(["1", "2", "x"])) and not are_ranges(to_ranges(["1-2", "x"]))


@settings(max_examples=200)
@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=15, unique=True), st.sampled_from([1, 2, 5]),
    st.sampled_from(["[{}-{})", "{} to {}", "{}-{}"]), st.sampled_from([5.0, 10.0, 7.0]), st.booleans(),
)  # fmt: skip
def test_intervals_hold_the_ranges_that_lie_within_them(places, width, form, wide, topped):
    """Against every whole number of the range, recoded one by one."""
    less = form == "{}-{}" and width > 1
    if form == "{}-{}" and width == 1:
        return
    texts = [form.format(place * width, (place + 1) * width - less) for place in sorted(places)]
    recoding = Intervals(wide, top=100.0 if topped else None)
    found = to_ranges(texts)
    labels = recoding.labels(texts)
    notation = notation_of(texts, found)
    stay = untouched(recoding, texts)
    for i, text in enumerate(texts):
        numbers = [str(x) for x in range(int(found.begin[i]), int(found.end[i]))]
        of_numbers = set(recoding.labels(numbers))
        if stay[i]:
            assert len(of_numbers) > 1 and labels[i] == text
        else:
            assert len(of_numbers) == 1
            low, high = recoding._bounds(found.begin[i])
            assert labels[i] == notation.written(low, high)


def test_limits_alone_leave_the_rest_as_it_is():
    values = ["70-79", "80-89", "90-94", "95+", "85-95", "85", "91", "1.0"]
    assert Intervals(top=90).labels(values).tolist() == ["70-79", "80-89", "90+", "90+", "85-95", "85", "90+", "1.0"]
    assert untouched(Intervals(top=90), values).tolist() == [text == "85-95" for text in values]
    assert Intervals(bottom=18, top=90).describe() == "below 18 together, 90 and above together"


@pytest.mark.parametrize(
    ("recoding", "values", "labels"),
    [
        (Intervals(20, top=80), ["[70-80)", "[80-90)", "90+", "85", "x"], ["[60-80)", "80+", "80+", "80+", "x"]),
        (Intervals(20), ["(60,70]", "(70,80]", "80", ">90"], ["(60,80]", "(60,80]", "(60,80]", ">90"]),
        (Intervals(20, bottom=20), ["<5 years", "5-9 years", "20-24 years"], ["<20 years"] * 2 + ["20-39 years"]),
        (Intervals(10), ["-5 to -1", "-10 to -6"], ["-10 to -1"] * 2),
        (Intervals(1), ["7.0-7.4", "7.5-7.9"], ["7.0-7.9"] * 2),
        (DateUnit("half"), ["Q3 2019", "2019-05", "2019"], ["H2 2019", "H1 2019", "2019"]),
        (DateUnit("year"), ["2019Q3", "Jan-Mar 2020", "2019-05-03", "Dec 2019 - Feb 2020"], ["2019", "2020", "2019",
         "Dec 2019 - Feb 2020"]),
        (DateUnit("quarter"), ["2019Q3", "2019-05"], ["2019Q3", "2019Q2"]),
    ],
)  # fmt: skip
def test_labels_are_written_as_the_column_writes_its_ranges(recoding, values, labels):
    assert recoding.labels(values).tolist() == labels


def test_an_order_is_one_of_the_text_where_few_are_ranges():
    texts = np.array(["5-9", "10-14", "one", "two", "three"])
    assert [texts[i] for i in natural_order(texts)] == sorted(texts)
