"""What is never translated comes out as it went in, wherever it stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anonlib.filing.languages.translator import Translator
from tests.helpers.examples import settings

HOSTILE = [
    "Release", "Step", "and", "or", "to", "1,234", "2026-11-22", "12.5%", "a, b and c", "“x”", "x ” y", "“", "{0}",
    "{0:dative}", "\ue000" + "0" + "\ue001", "\ue002a", "\ue001\ue000", "a.*b", "(?P<a>", "[a-z]+\\", "Records", "met",
    "not met", "Public release", "records", "values of age", "the original", "A: b; c", "Of 5 rows. None", "%", "ß",
    " x",
]  # fmt: skip
"""Names that are messages, numbers, lists, marks of quotation or of places, and patterns."""
NAMES = st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=12).filter(str.strip)
QUOTING = (
    "Taken to be known outside: “{}”.",
    "“{}” certain from 2 quasi-identifiers",
    "Nobody outside can know “{}”, as was stated.",
    "There is no column “{}” here: an earlier step dropped it, or this file has none.",
    "Mean of “{}” by “age”",
)
"""Sentences that quote a name."""
NAMING = ("Recode {}: intervals of 20", "Drop {}", "Leave without {}, so that rows are not linked to persons")
"""Sentences in which a name stands as it is."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_text_that_is_a_name_stays(name: str) -> None:
    assert Translator("de", {name}).text(name) == name


@pytest.mark.parametrize("sentence", QUOTING)
@settings(60)
@given(name=NAMES)
def test_a_sentence_keeps_a_name_that_it_quotes(sentence: str, name: str) -> None:
    translator = Translator("de", {name.strip(), "age"})
    found = translator.text(sentence.format(name))
    assert f"„{name}“" in found
    assert not translator.missing


@pytest.mark.parametrize("sentence", NAMING)
@settings(60)
@given(name=st.sampled_from([each for each in HOSTILE if re.search(r"\w", each)]).map(str.strip))
def test_a_sentence_keeps_a_name_that_stands_in_it(sentence: str, name: str) -> None:
    assert name in Translator("de", {name}).text(sentence.format(name))


@settings(100)
@given(st.lists(NAMES.map(str.strip), min_size=1, max_size=4, unique=True))
def test_a_list_keeps_all_of_its_names(names: list[str]) -> None:
    assume(not {f"“{name}”" for name in names} & {*names})  # a quotation of one would be another as it is
    found = Translator("de", names).text(f"Not released at all: {', '.join(f'“{name}”' for name in names)}.")
    assert [found.count(f"„{name}“") >= 1 for name in names] == [True] * len(names)


@settings(100)
@given(st.text(max_size=80), st.sets(st.text(max_size=20), max_size=3))
def test_any_text_with_any_names_can_be_looked_for(text: str, names: set[str]) -> None:
    found = Translator("de", names).text(text)
    assert found == text or text.strip() not in {name.strip() for name in names}


@settings(100)
@given(st.lists(st.sampled_from(["Of", "the", "records", "5", "1,234", "and", "are", "met", ":", ".", "age", "(", ")",
                                 "“age”", "to", "100%", "at most", "columns", ";", ","]), max_size=25))  # fmt: skip
def test_whatever_is_made_of_words_of_sentences_comes_to_an_end_with_its_quotations(words: list[str]) -> None:
    text = " ".join(words)
    assert Translator("de", {"age"}).text(text).count("„age“") == text.count("“age”")


def test_a_label_of_several_words_is_not_read_as_a_part_of_the_sentence() -> None:
    translator = Translator("de", {"public and private", "age"})
    assert translator.text("Recode age: values to public and private").count("public and private") == 1


def test_a_kind_of_column_is_translated_although_a_column_is_called_so() -> None:
    found = Translator("de", {"insurance"}).text("The name points to insurance, which someone outside may know.")
    assert "Versicherung" in found
