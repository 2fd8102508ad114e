"""Which spellings a person reads as one value."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.values import spellings
from anonlib.values.spellings import groups_read_as_one, read_as_one
from tests.helpers.examples import settings


def texts(*values: object) -> np.ndarray:
    return np.array([*values, None], dtype=object)[:-1]


@pytest.mark.parametrize(
    "one, other",
    [
        ("HIV", "hiv"), ("gout", "gout "), (" gout", "gout"), ("heart  failure", "Heart failure"), ("a\tb", "a b"),
        ("Straße", "STRASSE"), ("Köln", "Ko\u0308ln"), ("x\u200by", "xy"), ("COVID\u201119", "covid-19"),
        ("Crohn’s", "Crohn's"), ("a\u00a0b", "a b"), ("\ufeffflu", "flu"), ("fl\x07u", "flu"),
        ("1", "1.0"), ("1", "1."), ("1", "+1"), ("0.5", ".5"), ("0", "-0"), ("1.50", "1.5"), ("1,5", "1.5"),
        ("−1", "-1.0"), ("1000", "1,000"), ("1e+05", "100000"), ("1E-2", "0.01"), ("7 ", "7.0"),
        ("ＨＩＶ", "hiv"), ("１", "1.0"), ("－１", "-1"), ("stage Ⅳ", "Stage IV"), ("ﬁbrosis", "fibrosis"),
        ("5 µg", "5 μg"), ("a\u3000b", "a b"), ("5 mg", "5mg"), ("< 5", "<5"), ("HIV +", "hiv+"), ("7 %", "7%"),
        ("5 µg", "5μg"), ("type 2 ", "Type2"),
        ("5 mg", "5.0 mg"), ("1%", "1.0%"), ("<0.5", "< 0.50"), ("1.5 EUR", "1.50 EUR"), ("1,5 EUR", "1,50 EUR"),
        ("1000", "1 000"), ("1000", "1\u202f000"), ("1,000 mg", "1000 mg"), ("$1,000", "$1000"), ("1'000 mg", "1000mg"),
        ("1,000,000 IU", "1000000 IU"), ("5.0/6.0/7.0 mg", "5/6/7 mg"), ("stage 2.0", "Stage 2"),
        ("HIV / AIDS", "HIV/AIDS"), ("E. coli", "E.coli"), ("HIV (pos.)", "HIV(pos.)"), ("gout", "gout."),
        ("Alzheimer\u00b4s", "Alzheimer's"), ("a\u034fb", "ab"), ("a\u3164", "a"), ("a - b", "a-b"),
    ],
)  # fmt: skip
def test_one_value(one, other):
    assert read_as_one(texts(one, "something else", other)).tolist() == [0, 1, 0]
    assert groups_read_as_one(texts("something else", other, one)) == [[1, 2]]


@pytest.mark.parametrize(
    "one, other",
    [
        ("1", "01"), ("01.50", "1.5"), ("007", "7"), ("E10", "E100"), ("1e5", "100000"), ("é", "e"), ("ß", "β"),
        ("non-smoker", "non smoker"), ("12345678901234567", "12345678901234568"), ("0.1", "0.1000000000000001"),
        ("1", "-1"), ("1-2", "1–3"), ("<5", "5"), ("", "-"), ("1", "1%"), ("١", "1"), ("nan", "NaN1"),
        ("J45", "J45.0"), ("E11.5", "E11.50"), ("1.2.0", "1.2"), ("1, 2", "1.2"), ("10.0.0.1", "10.0.0.10"),
        ("HIV-1", "HIV 1"), (".", ","), ("12 34", "1234"), ("10²", "102"), ("1 2", "12"), ("1½", "11/2"),
        ("CO₂", "CO2"),
        ("\ud800", "\udbff"),
    ],
)  # fmt: skip
def test_two_values(one, other):
    assert read_as_one(texts(one, other)) is None


def test_the_decimal_mark_is_that_of_most_numbers_of_a_column():
    assert read_as_one(texts("1,250", "1250", "2.5")).tolist() == [0, 0, 2]
    assert read_as_one(texts("1,250", "1250", "2,5", "3,75")) is None
    assert read_as_one(texts("1,250", "1,25", "2,5", "3,75")).tolist() == [0, 0, 2, 3]


def test_missing_values_and_sets_of_values():
    one, other, third = (ValueSet.of(members, " | ") for members in (("HIV", "flu"), ("flu", "hiv"), ("hiv", "HIV ")))
    assert read_as_one(texts("hiv", one, other, third, "flu", None)).tolist() == [0, 1, 1, 0, 4, 5]
    assert read_as_one(texts(None)) is None
    assert read_as_one(texts()) is None


def canonical(text: str) -> str:
    """Of ASCII text without digits, by hand."""
    words = "".join(c if c.isprintable() else " " if c in "\t\n\v\f\r" else "" for c in text).lower().split()
    return " ".join(words).replace(" -", "-").replace("- ", "-")


@settings(max_examples=300)
@given(st.lists(st.text("aB \t\n\x00-", max_size=4), unique=True, max_size=8))
def test_texts_by_hand(values):
    first = read_as_one(texts(*values))
    looks = [canonical(value) for value in values]
    expected = [looks.index(look) for look in looks]
    assert (list(range(len(values))) if first is None else first.tolist()) == expected


@settings(max_examples=300)
@given(st.lists(st.text("aÄä\u0308ß \u200b’'", max_size=4), unique=True, max_size=6), st.text("aé", min_size=1))
def test_other_letters_change_nothing_for_ascii(values, other):
    """The quick way and the slow way of ASCII text say the same."""
    ascii_alone = [value for value in values if value.isascii()]
    pairs = groups_read_as_one(texts(*ascii_alone))
    together = groups_read_as_one(texts(*dict.fromkeys([*ascii_alone, "\u00e9" + other])))
    assert [group for group in together if len(ascii_alone) not in group] == pairs


def test_what_is_found_goes_with_the_labels():
    labels = texts("HIV", "hiv")
    assert read_as_one(labels) is read_as_one(labels)
    place = id(labels)
    assert place in spellings._found
    del labels
    gc.collect()
    assert place not in spellings._found
