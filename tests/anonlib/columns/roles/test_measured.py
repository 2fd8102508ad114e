"""How far suggested roles agree with public data dictionaries: the table of docs/roles.md, and bounds below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonlib.columns.identifiers import KINDS
from anonlib.columns.identifiers.word_lists import is_medicine
from anonlib.columns.roles import Role
from anonlib.columns.roles.known_outside import RECORD
from tests.helpers import dictionaries, names_of_columns
from tests.helpers.dictionaries import (
    HELD_OUT,
    KEPT_BACK,
    MADE_WITH,
    SET_APART,
    Score,
    judged,
    rates,
    rows,
    rows_of_surveys,
)
from tests.helpers.names_of_columns import LANGUAGES, SURVEYS, Agreement, agreement

DOCUMENT = (Path(__file__).parents[4] / "docs" / "roles.md").read_text(encoding="utf-8")


def test_the_table_of_the_document_is_what_is_measured():
    assert [row for row in [*rows(), *names_of_columns.rows(), *rows_of_surveys()] if row not in DOCUMENT] == []


def test_what_is_known_outside_is_found_where_its_words_are_known():
    score = Score.of([each for name in MADE_WITH for each in judged(name)])
    assert score.precision["Q"] >= 0.99
    assert score.recall["Q"] >= 0.97
    assert score.recall["I"] == 1


def test_nearly_all_is_found_in_dictionaries_that_no_word_was_taken_from():
    score = Score.of([each for name in HELD_OUT for each in judged(name)])
    assert score.precision["Q"] >= 0.99
    assert score.recall["Q"] > 0.9


@pytest.mark.parametrize(("names", "least"), [(SET_APART, 0.98), (KEPT_BACK, 0.85)], ids=["set apart", "kept back"])
def test_what_is_known_outside_is_found_in_surveys_and_hospital_extracts_with_a_dictionary(names, least):
    known, harmful, _ = rates(names)
    assert known[0] >= least * known[1] and harmful[0] >= least * harmful[1]


@pytest.mark.parametrize("name", [*SET_APART, *KEPT_BACK])
@pytest.mark.parametrize("with_titles", [True, False], ids=["with titles", "by name"])
def test_nothing_known_or_harmful_of_a_survey_becomes_neither_without_an_answer_of_its_own(name, with_titles):
    columns = judged(name, dictionaries.SURVEYS, with_titles=with_titles)
    taken = [each for each in columns if each.letter == "O" and not each.suggestion.is_open]
    assert [each.suggestion.column for each in taken if "O" not in each.right] == []


@pytest.mark.parametrize(("names", "least"), [(LANGUAGES, 0.75), (SURVEYS, 0.85)], ids=["languages", "surveys"])
def test_names_that_no_word_was_taken_from_are_found_in_most_cases(names, least):
    by_name, with_titles = (
        sum((agreement(name, with_titles=titles) for name in names), Agreement()) for titles in (False, True)
    )
    assert by_name.precision > 0.9 and by_name.recall > least
    assert with_titles.precision > 0.9 and with_titles.recall > 0.9


@pytest.mark.parametrize("name", [*MADE_WITH, *HELD_OUT])
def test_nothing_that_is_known_outside_is_taken_for_other_unasked(name):
    assert [each.suggestion.column for each in judged(name) if _understates(each)] == []


def _understates(each) -> bool:
    return each.suggestion.role is Role.OTHER and not each.suggestion.asked and "O" not in each.right


def test_each_kind_of_the_record_is_one_and_has_its_study_in_the_document():
    assert {*RECORD} <= {*KINDS}
    for known in RECORD.values():
        assert known.sentence in DOCUMENT
        for study in filter(None, known.study.split(", ")):
            assert f"**{study}**" in DOCUMENT


@pytest.mark.parametrize("word", ["glipizide", "rosiglitazone", "lisinopril", "atorvastatin", "rituximab", "cefazolin"])
def test_medicines_are_recognised_by_the_stems_of_their_names(word):
    assert is_medicine(word)


@pytest.mark.parametrize("word", ["april", "outside", "examine", "vitamine", "spirit", "margin", "routine", "medicine"])
def test_other_words_are_no_medicines(word):
    assert not is_medicine(word)
