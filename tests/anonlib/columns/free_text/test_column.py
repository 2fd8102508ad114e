"""Counting a column of texts, and telling one from columns of other things."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.coarsening.recoding import Redaction
from anonlib.columns.free_text import column as counting
from anonlib.columns.free_text import find, holds_sentences, look_inside, texts_in
from anonlib.columns.roles import suggest_roles
from anonlib.dataset import Dataset
from tests.helpers.marked_texts import lines, parsed

NOTES = ["pt called Mr Smith, will return", "no change since the last visit", "wound dry, dressing was changed",
         "seen by Dr. Garcia on 03/04/2021", "slept well and took all of it", "call back by 0176 55512345"]  # fmt: skip


def test_counts_by_hand():
    found = look_inside(NOTES, np.array([5, 1, 0, 2, 1, 3]))
    assert (found.texts, found.looked_at, found.records) == (5, 5, 12), "a text that no record has is none"
    assert (found.hold, found.records_that_hold, found.share) == (3, 10, 0.6)
    assert [(each.kind.key, each.texts, each.records, each.occurrences) for each in found.kinds] == [
        ("name", 2, 7, 2), ("date", 1, 2, 1), ("phone", 1, 3, 1),
    ]  # fmt: skip
    assert found.describe() == "2 of 5 texts hold names, 1 a date, 1 a telephone number."
    assert found.describe(most=1) == "2 of 5 texts hold names; and 2 more kinds."


def test_counts_are_those_of_the_finder():
    texts = sorted({parsed(line)[0] for line in lines("making")})
    found = look_inside(texts)
    assert sum(each.occurrences for each in found.kinds) == sum(len(find(text)) for text in texts)
    assert found.hold == sum(bool(find(text)) for text in texts)


def test_of_many_texts_some_are_looked_at(monkeypatch):
    monkeypatch.setattr(counting, "MOST_TEXTS", 10)
    found = look_inside([f"seen by Dr. Garcia, visit {i}" for i in range(100)])
    assert (found.texts, found.looked_at, found.hold) == (100, 10, 10)
    assert found.describe() == "10 of 10 texts looked at hold names."
    monkeypatch.setattr(counting, "MOST_CHARACTERS", 90)
    assert look_inside(["x" * 30] * 100).looked_at == 3


def test_an_empty_column():
    found = look_inside([])
    assert (found.texts, found.share, found.kinds) == (0, 0.0, ())
    assert not holds_sentences([])


@pytest.mark.parametrize(
    ("values", "is_text"),
    [
        (NOTES, True),
        (["wound dry, dressing was changed", "slept well and took all of it"], False),  # short, and nothing inside
        ([f"a sentence of more than forty characters, number {i}" for i in range(9)], True),
        (["Type 2 diabetes mellitus", "Essential hypertension", "Asthma"], False),
        (["Smith, John", "Anna Schmidt", "Maria Garcia"], False),
        (["2021-03-04", "12.5", "yes"], False),
    ],
)
def test_what_is_a_column_of_texts(values, is_text):
    assert holds_sentences(values) is is_text


def test_a_text_column_is_looked_into_once_and_no_other(monkeypatch):
    held = Dataset.from_frame(pd.DataFrame({"note": NOTES * 4, "age": ["31", "32", "33"] * 8})).held
    assert texts_in(held, "age") is None
    first = texts_in(held, "note")
    assert first is not None and first.records == 24
    assert texts_in(held, "note") is first


def test_the_reasons_say_what_was_found_and_no_value():
    frame = pd.DataFrame({"free": [f"{note} ({i})" for i in range(8) for note in NOTES], "n": range(48)})
    (found, _) = suggest_roles(frame)
    message = " ".join(found.reasons)
    assert found.role == "identifier"
    assert "16 of 48 texts hold names, 8 dates, 8 telephone numbers." in message
    assert "give it the role Sensitive and redact it" in message
    assert not any(value in message for value in ("Smith", "Garcia", "0176"))


def test_nothing_is_found_after_redaction():
    texts = [parsed(line)[0] for line in lines("making")]
    assert look_inside(Redaction().labels(texts)).describe().startswith("No identifier was found in")
