"""Names of persons inside texts: by lists of names, by titles, and by what stands beside them.

First come the words that names are known by, each with what it is; `docs/text.md` has the sources of the lists. Next is
what the words beside a capitalised word say of it: a title, kin, a place, a disease, how a sentence begins. At the end
names are found in a text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

GIVEN, SURNAME, ALSO_WORD, EPONYM, NO_NAME, TITLE = (1 << i for i in range(6))

_FILES = {
    "given_names": GIVEN, "surnames": SURNAME, "also_words": ALSO_WORD, "eponyms": EPONYM, "not_names": NO_NAME,
}  # fmt: skip
# As words of their own, with a capital letter or without; what stands behind one is a name.
TITLES = (
    "mr mrs ms miss mx dr prof professor doctor sir nurse herr herrn hr frau fräulein schwester pfleger mme mlle "
    "monsieur madame mademoiselle mrs pr señor señora señorita senhor senhora dona don doña sr sra srta dña dhr mevr "
    "mevrouw mw meneer mijnheer sig signor signora signorina dott dottor dottoressa pan pani panem fru fröken herra "
    "rouva bay bayan"
)
PARTICLES = (
    "van von de der den del della di da do dos das du la le el al ten ter te zu zum zur bin ben ibn abu af av mac o"
)
_LETTERS = str.maketrans({"ß": "ss", "ł": "l", "ı": "i", "ø": "o", "æ": "ae", "đ": "d", "œ": "oe"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def folded(word: str) -> str:
    """A word in lower case and without accents: ``Yılmaz`` -> ``yilmaz``."""
    lower = word.lower()
    if lower.isascii():
        return lower
    plain = unicodedata.normalize("NFKD", lower.translate(_LETTERS))
    return "".join(c for c in plain if not unicodedata.combining(c))


@cache
def words() -> dict[str, int]:
    """What each word of the lists is, by its folded form; German umlauts also as ``ae``, ``oe`` and ``ue``."""
    table: dict[str, int] = {}
    for name, is_a in _FILES.items():
        lines = (resources.files(__package__) / "words" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        _add(table, (word for line in lines if not line.startswith("#") for word in line.split()), is_a)
    _add(table, TITLES.split(), TITLE)
    return table


def _add(table: dict[str, int], entries: Iterable[str], is_a: int) -> None:
    for word in entries:
        for form in {folded(word), folded(word.lower().translate(_UMLAUTS))}:
            table[form] = table.get(form, 0) | is_a


def kind_of_word(word: str) -> int:
    """What a word is, as a sum of the kinds above; 0 for a word of no list. A double name is what its parts are."""
    table = words()
    kind = table.get(folded(word))
    if kind is None and not word.isalpha():
        parts = [table.get(folded(part), 0) for part in word.replace("’", "-").replace("'", "-").split("-")]
        names = [part for part in parts if part & (GIVEN | SURNAME) and not part & ALSO_WORD]
        of_a_disease = any(part & EPONYM and not part & GIVEN for part in parts)
        kind = names[0] & (GIVEN | SURNAME) if names and not of_a_disease else 0
        kind = kind or table.get(folded(word.replace("’", "").replace("'", "")), 0)  # O'Brien
    return kind or 0


PARTICLE_WORDS = frozenset(PARTICLES.split())
"""Small words inside names, such as ``van``."""
PARTICLE = "|".join(PARTICLES.split())
"""The same for a regular expression."""
_TITLES = frozenset(
    form + dot for title in TITLES.split() for form in (title, title.title(), title.upper()) for dot in ("", ".")
) | frozenset("M. Sig.ra sig.ra Sig.na Dott.ssa dott.ssa Dr.ssa Prof.ssa Dra. dra. Dra lek.".split())
_DEGREES = frozenset("med. phil. rer. nat. dent. h.c. h. c.".split())
_BEFORE = 40  # characters in which a title before a name is looked for
_WORDS_BEFORE = 5

KIN = frozenset(
    "mother father son daughter grandmother grandfather grandson granddaughter stepmother stepfather stepson mom dad "
    "wife husband brother sister spouse aunt uncle niece nephew cousin friend neighbor neighbour caregiver fiancé "
    "fiancée girlfriend boyfriend fille fils mari épouse époux frère sœur voisin voisine ami amie hija hijo hermana "
    "hermano esposa esposo marido mujer madre padre vecina vecino filha filho irmã irmão mãe zoon dochter echtgenoot "
    "echtgenote moeder vader broer zus buurvrouw buurman figlia figlio marito moglie fratello sorella córka syn mąż "
    "żona matka ojciec brat siostra kızı oğlu eşi kardeşi konen mannen datteren sønnen søn datter".split()
)
"""Behind these words of languages that write nouns small stands a name, if it begins with a capital letter."""

MONTHS = frozenset(("may", "april", "june", "august", "mai", "juni", "juli", "july"))
OF_PLACES = frozenset("in to from at of near de à en nach naar le la el the a an".split())
SENTENCE_ENDS = frozenset('.!?:;•*-–("“”„)/|>')
GERMAN = re.compile(r"\b(?:und|wurde|wird|mit|seit|bei|für|der|ist|nicht|im|zur|zum|vom|keine?|auf|nach|über|hat)\b")
SPEAKS = re.compile(
    r"\s(?:says|said|reports|reported|states|stated|denies|denied|called|phoned|rang|asked|asks|agrees|agreed|wants|wanted"
    r"|came|complains|complained|feels|felt|lives|thinks|told|declined|declines|arrived|brought|visited|attended)\b"
)
"""What only a person does: a word before it that begins a sentence is meant as a name."""

A_THING = re.compile(
    r"(?:['’]s?|s)?[\s-](?:disease|syndrome|sign|score|scale|test|index|criteria|criterion|classification|catheter|palsy"
    r"|lymphoma|reflex|man(?:oeuv|euv)er|procedure|fracture|law|contracture|anaemia|anemia|tube|Krankheit|Syndrom|Zeichen"
    r"|Index|Score|Skala|Reflex|Katheter|Hospital|Clinic|Clinique|Klinik|General|Medical|Memorial|County|Center|Centre"
    r"|University|Unit|Ward|Pavilion|Foundation|Street|Road|Avenue|Coma|sequence|tumou?r|sarcoma|disorder|phenomenon"
    r"|formula|equation|node|body|bodies|cell|cells|stain|line|drain|bag|wire)\b"
)
"""What is called by somebody's name."""

_CALLED_AFTER = frozenset("St. St Saint Sainte San Santa Sankt São Morbus M. Mb. Mb Syndrom".split())
_CALLED_AFTER_OF = frozenset("syndrome maladie enfermedad signe score ziekte signo".split())


def words_before(text: str, start: int) -> list[str]:
    """The last words of a line before a place, as they stand between blanks; none if no blank is before it."""
    if start == 0 or not text[start - 1].isspace():
        return []
    line = text[max(0, start - _BEFORE) : start]
    if "\n" in line:
        line = line[line.rindex("\n") :]
    return line.split()[-_WORDS_BEFORE:]


def is_introduced(text: str, start: int) -> bool:
    """Whether the word before a place may introduce a name, which spares most words a longer look."""
    end = start - 1
    if end <= 0 or not text[end].isspace():
        return False
    word = text[text.rfind(" ", 0, end) + 1 : end].split()
    return not word or may_introduce(word[-1])


def may_introduce(word: str) -> bool:
    """Whether a word can stand before a name that is known by it alone: a title, kin, or what stands between."""
    return word in KIN or _is_title(word) or _stands_between(word)


def title_among(before: list[str]) -> tuple[str, int]:
    """The title before a name, with how many words such as ``van`` and initials stand between; "" if there is none."""
    for n in range(len(before)):
        word = before[-1 - n]
        if _is_title(word):
            between = [token for token in before[len(before) - n :] if token.lower() not in _DEGREES] if n else []
            return word, len(between)
        if not _stands_between(word):
            return "", 0
    return "", 0


def names_a_thing(before: list[str]) -> bool:
    """Whether the words before say that a saint, a town or a disease is called so."""
    if not before:
        return False
    if before[-1] in _CALLED_AFTER:
        return True
    return len(before) > 1 and before[-2].lower() in _CALLED_AFTER_OF and before[-1].lower() in PARTICLE_WORDS


def _is_title(word: str) -> bool:
    return word in _TITLES or (word[0] in '("“„‘' and word[1:] in _TITLES)


def _stands_between(word: str) -> bool:
    return (
        word.lower() in PARTICLE_WORDS
        or word.lower() in _DEGREES
        or (len(word) == 2 and word[0].isupper() and word[1] == ".")
    )


UPPER = "".join(c for c in map(chr, range(0x41, 0x250)) if c.isupper())
"""Capital letters of the languages written in Latin letters, for a class of a regular expression."""

_LISTED = GIVEN | SURNAME
_APART = ALSO_WORD | EPONYM  # words that are no names by themselves
CAPITALISED = re.compile(
    rf"[{UPPER}](?<!\w.)(?:['’][{UPPER}])?[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*(?!\w)"  # not T12, not the s of Garcia's
)
"""A word that begins with a capital letter."""

_INITIALS = rf"(?:[{UPPER}]\.? ?){{1,2}}"
_BETWEEN = re.compile(rf"[ \t\u00a0]{{1,2}}(?:{_INITIALS} ?)?(?:(?:{PARTICLE}) +|[dl]['’]){{0,3}}")
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
        _Word(match.start(), match.end(), match.group(), kind_of_word(match.group()))
        for match in CAPITALISED.finditer(text)
    ]
    reader = _Reader(text, words)
    i = 0
    while i < len(words):
        name = reader.name_at(i)
        if name is None:
            i += 1
        else:
            start, last = name
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
            self._german = GERMAN.search(self.text) is not None
        return self._german

    def name_at(self, i: int) -> tuple[int, int] | None:
        """Where a name begins that has this word first, and the place of its last word; None if there is none."""
        word = self.words[i]
        listed = word.kind & _LISTED
        if word.kind & (TITLE | NO_NAME) and not listed:
            return None
        if not listed and not is_introduced(self.text, word.start):
            return None
        before = words_before(self.text, word.start)
        if before and may_introduce(before[-1]):
            titled = self._titled(word, before)
            if titled is not None:
                return titled, self._last(i)
            if before[-1] in KIN and not (word.kind & NO_NAME or word.text.isupper()):
                return word.start, self._last(i)
        if not listed:
            return None
        if word.text.isupper():
            return self._in_capitals(i)
        return self._by_lists(i, before)

    def _titled(self, word: _Word, before: list[str]) -> int | None:
        """Where a name behind a title begins."""
        title, n_words = title_among(before)
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
        if names_a_thing(before):
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
        if word.text.lower() in MONTHS or self.german:
            return False
        if not before or before[-1][-1] in SENTENCE_ENDS:
            return self._speaks(word)
        return before[-1].lower() not in OF_PLACES

    def _speaks(self, word: _Word) -> bool:
        """Whether what only persons do stands behind a word that is no month."""
        if word.text.lower() in MONTHS or self.german:
            return False
        return SPEAKS.match(self.text, word.end) is not None

    def _is_a_thing(self, word: _Word) -> bool:
        """Whether a disease, a sign, a hospital or a street is called by the word."""
        return A_THING.match(self.text, word.end) is not None

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
