"""Names of persons inside texts: by lists of names, by titles, and by what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from anonlib.columns.free_text import words_around as around
from anonlib.columns.free_text.lists import ALSO_WORD, EPONYM, GIVEN, NO_NAME, SURNAME, TITLE, kind_of_word

UPPER = "".join(c for c in map(chr, range(0x41, 0x250)) if c.isupper())
"""Capital letters of the languages written in Latin letters, for a class of a regular expression."""

_LISTED = GIVEN | SURNAME
_APART = ALSO_WORD | EPONYM  # words that are no names by themselves
CAPITALISED = re.compile(
    rf"[{UPPER}](?<!\w.)(?:['’][{UPPER}])?[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*(?!\w)"  # not T12, not the s of Garcia's
)
"""A word that begins with a capital letter."""

_INITIALS = rf"(?:[{UPPER}]\.? ?){{1,2}}"
_BETWEEN = re.compile(rf"[ \t\u00a0]{{1,2}}(?:{_INITIALS} ?)?(?:(?:{around.PARTICLE}) +|[dl]['’]){{0,3}}")
_INITIAL = re.compile(rf"(?<![\w.])(?:[{UPPER}]\.\s?){{1,2}}$")
_MOST_WORDS = 4  # of one name


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    kind: int


def name_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where names of persons stand in a text, from left to right; titles are no part of them.

    A word that is a name and something else too, such as ``May`` or ``Brown``, and one that diseases are called by,
    such as ``Wilson``, counts beside another name or a title, and before what only persons do; a given name of that
    kind also where it begins with a capital letter in mid-sentence, but in German, which writes all nouns so. A word
    in capital letters throughout counts behind a title, and where a given name and a surname stand side by side.
    """
    words = [
        _Word(found.start(), found.end(), found.group(), kind_of_word(found.group()))
        for found in CAPITALISED.finditer(text)
    ]
    reader = _Reader(text, words)
    i = 0
    while i < len(words):
        found = reader.name_at(i)
        if found is None:
            i += 1
        else:
            start, last = found
            yield start, words[last].end
            i = last + 1


class _Reader:
    """The capitalised words of one text, and which of them are names."""

    def __init__(self, text: str, words: list[_Word]) -> None:
        self.text, self.words = text, words
        self._german: bool | None = None

    @property
    def german(self) -> bool:
        """Whether the text has small words of German, where a capital letter says nothing."""
        if self._german is None:
            self._german = around.GERMAN.search(self.text) is not None
        return self._german

    def name_at(self, i: int) -> tuple[int, int] | None:
        """Where a name begins that has this word first, and the place of its last word; None if there is none."""
        word = self.words[i]
        listed = word.kind & _LISTED
        if word.kind & (TITLE | NO_NAME) and not listed:
            return None
        if not listed and not around.is_introduced(self.text, word.start):
            return None
        before = around.words_before(self.text, word.start)
        if before and around.may_introduce(before[-1]):
            titled = self._titled(word, before)
            if titled is not None:
                return titled, self._last(i)
            if before[-1] in around.KIN and not (word.kind & NO_NAME or word.text.isupper()):
                return word.start, self._last(i)
        if not listed:
            return None
        if word.text.isupper():
            return self._in_capitals(i)
        return self._by_lists(i, before)

    def _titled(self, word: _Word, before: list[str]) -> int | None:
        """Where a name behind a title begins."""
        title, n_words = around.title_among(before)
        if not title:
            return None
        if title == "M." and (self.german or word.kind & EPONYM):  # "M. Crohn": Morbus, not Monsieur
            return None
        if word.text.isupper():
            if len(word.text) < 3 or (title.strip(".") in ("M", "MR", "MS") and not word.kind & _LISTED):
                return None
        elif title.isupper() and title != "M." and not word.kind & _LISTED:
            return None
        start = word.start
        for part in reversed(before[len(before) - n_words :] if n_words else []):
            start = self.text.rindex(part, 0, start)
        return start

    def _in_capitals(self, i: int) -> tuple[int, int] | None:
        """A given name and a surname side by side, both of the lists and one of them nothing else."""
        if i + 1 == len(self.words):
            return None
        word, other = self.words[i], self.words[i + 1]
        comma = self._comma_between(word, other)
        given, surname = (other, word) if comma else (word, other)
        beside = comma or _BETWEEN.fullmatch(self.text, word.end, other.start) is not None
        if not (beside and other.text.isupper() and given.kind & GIVEN and surname.kind & SURNAME):
            return None
        if given.kind & ALSO_WORD and surname.kind & _APART:
            return None
        return None if self._is_a_thing(other) else (word.start, i + 1)

    def _by_lists(self, i: int, before: list[str]) -> tuple[int, int] | None:
        word = self.words[i]
        if around.names_a_thing(before):
            return None
        if word.kind & SURNAME and not word.kind & EPONYM and before and before[-1].endswith("."):
            initial = _INITIAL.search(self.text, max(0, word.start - 8), word.start)
            if initial is not None:
                return initial.start(), self._last(i)
        if self._surname_first(i):
            return word.start, i + 1
        if self._is_a_thing(word):
            return None
        last = self._last(i)
        if (word.kind & GIVEN and not word.kind & ALSO_WORD) or (last > i and self._is_whole(i)):
            return word.start, last
        if word.kind & GIVEN:
            return (word.start, i) if self._stands_as_a_name(word, before) else None
        if word.kind & _APART:
            return (word.start, i) if self._speaks(word) else None
        return self._given_before(i), i

    def _given_before(self, i: int) -> int:
        """Where a surname begins, with a given name of no list before it; in German that may be any noun."""
        word, before = self.words[i], self.words[i - 1]
        unknown = i > 0 and not before.kind and not before.text.isupper()
        return before.start if unknown and not self.german and self._are_beside(before, word) else word.start

    def _comma_between(self, word: _Word, other: _Word) -> bool:
        return self.text[word.end : other.start] in (", ", ",")

    def _surname_first(self, i: int) -> bool:
        """``Miller, William``: a comma between a surname and a given name that is nothing else."""
        if i + 1 == len(self.words):
            return False
        word, other = self.words[i], self.words[i + 1]
        if not (word.kind & SURNAME and other.kind & GIVEN) or other.kind & ALSO_WORD or other.text.isupper():
            return False
        return self._comma_between(word, other)

    def _is_whole(self, i: int) -> bool:
        """Whether a word that may be none, and the name behind it, are one: ``Will Turner``, not ``Klein Jung``."""
        word, other = self.words[i], self.words[i + 1]
        if not (word.kind & GIVEN and other.kind & _LISTED):
            return False
        return not (self.german and other.kind & ALSO_WORD) and not self._is_a_thing(other)

    def _stands_as_a_name(self, word: _Word, before: list[str]) -> bool:
        """Whether a given name that is also a word is meant as a name."""
        if word.text.lower() in around.MONTHS or self.german:
            return False
        if not before or before[-1][-1] in around.SENTENCE_ENDS:
            return self._speaks(word)
        return before[-1].lower() not in around.OF_PLACES

    def _speaks(self, word: _Word) -> bool:
        """Whether what only persons do stands behind a word that is no month."""
        if word.text.lower() in around.MONTHS or self.german:
            return False
        return around.SPEAKS.match(self.text, word.end) is not None

    def _is_a_thing(self, word: _Word) -> bool:
        """Whether a disease, a sign, a hospital or a street is called by the word."""
        return around.A_THING.match(self.text, word.end) is not None

    def _last(self, i: int) -> int:
        """The last word of the name that begins here: what stands beside it and may be a part of it."""
        first = self.words[i]
        for j in range(i + 1, min(i + _MOST_WORDS, len(self.words))):
            word, previous = self.words[j], self.words[j - 1]
            listed = word.kind & _LISTED
            if not self._are_beside(previous, word) or (word.kind & (NO_NAME | TITLE) and not listed):
                return j - 1
            # An unknown word is the surname of a given name that is nothing else.
            if not listed and (first.text.isupper() or not previous.kind & GIVEN or previous.kind & ALSO_WORD):
                return j - 1
            if listed and word.kind & ALSO_WORD and not first.kind & GIVEN and (self.german or first.kind & ALSO_WORD):
                return j - 1
        return min(i + _MOST_WORDS, len(self.words)) - 1

    def _are_beside(self, word: _Word, other: _Word) -> bool:
        if other.start - word.end > 24 or word.text.isupper() != other.text.isupper():
            return False
        return _BETWEEN.fullmatch(self.text, word.end, other.start) is not None
