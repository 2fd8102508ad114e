"""Words that have an order of their own."""

from __future__ import annotations

import random

import pytest

from anonlib.values.cells import natural_order, text_categorical
from anonlib.values.scales import places_on_a_scale

IN_ORDER = [
    ["None", "Mild", "Moderate", "Severe"],
    ["Minor", "Moderate", "Major", "Extreme"],
    ["Monday", "Tuesday", "Friday", "Sunday"],
    ["Jan", "Feb", "Mar", "Dec"],
    ["März", "Juni", "Dezember"],
    ["never", "sometimes", "often", "always"],
    ["poor", "average", "excellent"],
    ["Stage I", "Stage IIa", "Stage IIb", "Stage IV"],
    [
        "Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
        "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate",
    ],
]  # fmt: skip


@pytest.mark.parametrize("words", IN_ORDER, ids=lambda words: words[0])
def test_words_of_a_scale_stand_in_its_order_however_they_come(words):
    mixed = random.Random(5).sample(words, len(words))
    assert [mixed[i] for i in natural_order(mixed)] == words
    assert text_categorical(mixed).categories.tolist() == words


def test_one_stray_word_stands_last():
    values = ["Unknown", "Major", "Minor", "Moderate"]
    assert [values[i] for i in natural_order(values)] == ["Minor", "Moderate", "Major", "Unknown"]


@pytest.mark.parametrize(
    "words",
    [
        ["mild", "severe"],
        ["mild", "red", "blue", "severe", "moderate"],
        ["high", "street", "road"],
        ["M", "F", "X"],
        [],
    ],
    ids=["two", "strays", "one", "letters", "nothing"],
)
def test_other_words_are_on_no_scale_and_stand_as_texts(words):
    assert places_on_a_scale(words) is None
    assert [words[i] for i in natural_order(words)] == sorted(words)


def test_words_at_one_place_are_in_the_order_of_their_text():
    values = ["thu", "Thursday", "Monday", "Friday"]
    assert [values[i] for i in natural_order(values)] == ["Monday", "Thursday", "thu", "Friday"]
