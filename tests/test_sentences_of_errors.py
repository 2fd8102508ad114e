"""Every error has a code, by which programs and tests go; its sentence stands in one file, to be read as a whole."""

from __future__ import annotations

import re

from tests.helpers.sentences import SNAPSHOT, code_of, errors, listed, sentence_of


def test_every_error_has_a_code_of_plain_words() -> None:
    without = [place for place, call in errors() if code_of(call) is None]
    assert not without
    codes = {code_of(call) for _, call in errors()} - {""}
    assert len(codes) > 200
    assert [code for code in sorted(codes) if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)] == []


def test_every_sentence_ends() -> None:
    sentences = {place: sentence_of(call) for place, call in errors()}
    assert [place for place, sentence in sentences.items() if sentence and not re.search(r"[.}]$", sentence)] == []


def test_the_sentences_are_those_of_the_file() -> None:
    """After a change: ``python -m tests.helpers.sentences``, and read what it changes."""
    assert listed() == SNAPSHOT.read_text(encoding="utf-8")
