"""Identifiers inside short cells: of categories, codes and answers, where a capital letter alone says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from anonlib.columns.free_text import names as around
from anonlib.columns.free_text.names import (
    ALSO_WORD,
    CAPITALISED,
    EPONYM,
    GIVEN,
    NO_NAME,
    SURNAME,
    TITLE,
    UPPER,
    folded,
    kind_of_word,
)
from anonlib.columns.free_text.patterns import (
    address_spans,
    called_number_spans,
    date_spans,
    holds_an_address_of_the_web,
    holds_called_phone,
    number_spans,
    phone_spans,
    plate_spans,
)
from anonlib.values.dates import MONTH_WORDS
from anonlib.values.person_numbers import person_number_spans

_APART = ALSO_WORD | EPONYM
_LISTED = GIVEN | SURNAME
_TITLES = frozenset(
    "mr mrs ms miss dr prof herr herrn frau mme mlle monsieur madame mademoiselle señor señora señorita sra srta "
    "senhor senhora dona doña dña dhr mevr mevrouw meneer mijnheer signor signora signorina dott dottor dottoressa "
    "drs dra dras sig.ra sig.na dott.ssa dr.ssa prof.ssa fru fröken".split()
)
_CIVIL = frozenset(
    "herr herrn frau mr mrs miss mme mlle sra señora fru".split()
)  # no disease is called so behind these
_MAY_BE_TITLES = frozenset(
    "doctor professor sir nurse sister schwester pfleger sr pr hr fr mw don sig pan pani pana panem herra bay bayan "
    "hrn m rev lek gp consultant surgeon midwife hausarzt hausärztin arzt ärztin huisarts médecin medico lekarz".split()
)  # and something else: behind these a name is one of the lists
_TITLES_WITH_A_DOT = frozenset(("Hr.", "Fr.", "Mw.", "mw.", "Mevr.", "mevr."))  # but "24 Hr. urine"
_TIMES = frozenset("vormittag nachmittag mittag abend morgen früh nacht visite termin woche".split())  # Fr. Vormittag
_KIN_IN_GERMAN = frozenset(
    "ehemann ehefrau sohn tochter mutter vater bruder schwester enkel enkelin nachbar nachbarin betreuer betreuerin "
    "lebensgefährte lebensgefährtin partner partnerin freund freundin oma opa tante onkel".split()
)
_DEGREES = frozenset("med phil rer nat dent habil h c".split())
_A_PLACE = re.compile(r"[\s-](?:ward|unit|wing|suite|block|theatre|clinic|hall|house|building|room)\b", re.IGNORECASE)
_WARDS = frozenset(("ward", "wing"))
_PLACES = _WARDS | frozenset(
    "island springs beach valley heights hills school house hall clinic unit court park square bridge".split()
)
_OF_RULERS = frozenset("king queen prince princess lady lord duke".split())
_CALLED_SO = frozenset(
    (
        "alice springs", "john hancock", "jack daniels", "jim beam", "carl zeiss", "harley davidson",
        "robert bosch", "martin luther", "gene therapy", "ella one", "mary poppins", "ann arbor", "karl storz",
    )
)  # fmt: skip
"""Brands, towns and things that are called by a given name and another word."""
_BESIDE = re.compile(rf"[ \u00a0]{{1,2}}(?:[^\W\d_]\.? ){{0,2}}(?:(?:{around.PARTICLE}) +|[dl]['’]){{0,3}}")
_COMMA = re.compile(r",\s?")
_WORD = re.compile(r"[^\W\d_]+")
_HAS_LETTERS = re.compile(r"[^\W\d_]")
_LONG_NUMBER = 9  # digits from which a number is one of a person beside any letter: C3 9434765919
_OF_A_PERSON = re.compile(
    r"(?<![\w-])(?:(?:19|20)?\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-+]\d{4}"  # Sweden, Denmark, Finland
    r"|\d{3}\.\d{3}\.\d{3}-\d\d"  # Brazil
    r"|[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z])(?![\w-])"  # Italy
)
_INITIAL_BEFORE = re.compile(rf"(?<![\w.])(?!M\.)[{UPPER}]\.\s?$")
_INITIAL_BEHIND = re.compile(r",\s?[^\W\d_]\.(?!\w)")
_INITIAL_AT_END = re.compile(r"\s[^\W\d_]\.$")
_OF_A_CODE = re.compile(
    r"\b(?:snomed(?:[ -]?ct)?|sctid|rxnorm|rxcui|o?mim|pmid|pmcid|ndc|loinc|atc|cpt|hcpcs|icd(?:-?\d+)?|drg|ops|pzn|cas"
    r"|umls|cui|mesh|meddra|ean|gtin|lot|batch|charge|ch\.?-?b\.?|orpha(?:code)?|hgnc|taxid|din|gmdn|cvx|hpo|go|upc|isbn)\W{0,3}$",
    re.IGNORECASE,
)
"""Before the number of a thing: of a disease, a medicine, a batch."""
_SAYS_SOMETHING = re.compile(r"[^\W\d_]{3,}")  # a word beside a number: the cell is no number or code
_DIGITS = re.compile(r"\d")

_INSTITUTION = re.compile(
    r"hospital|h[oô]pital|hospice|clini|klini|krankenh|kranken|spital|centre|center|zentrum|centro|school|schule|college"
    r"|universit|institut|foundation|stiftung|trust|church|kirche|sanato|praxis|pharmac|apotheke|pharmacie|street|stra[sß]"
    r"|\brue\b|avenue|\broad\b|county|disease|syndrom|morbus|maladie|enfermedad|krankheit|ziekte|sjukdom|choroba|malattia"
    r"|doença|disorder|lymphom|tumou?r|sarcom|szpital|ospedale|ziekenhuis|sjukhus|museum|memorial|haus\b|heim\b|house\b"
    r"|gmbh|\binc\b|\bltd\b|\bllc\b|\bplc\b|\bag\b|\bcorp",
    re.IGNORECASE,
)
"""Words of what is often called by somebody's name."""

_OF_BIRTH = re.compile(
    r"\b(?:d\.?\s?o\.?\s?b\b|born|birth\w*|geb\b|geboren\w*|geburts\w*|n[ée]e?\s?(?:\(e\))?\s(?:le\b|en\b)|naissance|nacid[oa]"
    r"|nacimiento|nat[oa]\b|nascit[ao]|nascid[oa]|nascimento|geboorte\w*|ur\b|urodz\w*|född|födelse\w*|f\.\s)|\*\s?(?=\d)",
    re.IGNORECASE,
)
_OF_TIMES = frozenset("utc gmt cet cest est edt pst pdt bst mon tue wed thu fri sat sun uhr".split())
_FEWEST_DIGITS = 4  # of a number that is called one of a person
_SHORTEST = 4  # letters of a surname of no list
_SOME = 0.3  # share of the values that hold an identifier, from which a column is one of persons
_FEWEST_OTHERS, _FEW_CAPITALS = 3, 0.2  # words behind the first of other cells, and their share with a capital letter
_LOOKED_AT, _LAST_LATIN = 1000, "\u024f"
_MOSTLY = 0.5  # share of the values with a date or a number from which the column is one of them


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    kind: int


def hold_identifiers(texts: Sequence[str], *, of_places: bool = False) -> np.ndarray:
    """Which of the distinct cells of a column hold an identifier among other words.

    A name counts with a title, as a given name of the lists and a surname, as a surname before a comma and a given
    name of the lists, as a surname of the lists beside an initial, and behind a word for kin; not where a disease,
    a hospital or a street is called so. Dates of birth and numbers of a person count where they are called so;
    other dates to the day and numbers of six digits and more beside words, where most cells of the column hold
    none.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values.
    of_places : bool, default False
        Whether the cells name towns, regions or hospitals, which are called by names of persons: there a name that is
        the whole cell counts with a title alone.

    Returns
    -------
    ndarray of bool, an item a value
    """
    holds, may_be, may_be_named = (np.zeros(len(texts), dtype=bool) for _ in range(3))
    for i, text in enumerate(texts):
        has_digits = _DIGITS.search(text) is not None
        if not _HAS_LETTERS.search(text):
            holds[i] = has_digits and (_holds_number_of_person(text) or _holds_a_birth(text))
            continue
        holds[i] = _holds_a_name(text, of_places=of_places) or holds_an_address_of_the_web(text)
        may_be_named[i] = not (holds[i] or of_places) and _may_hold_a_name(text)
        if has_digits and not holds[i]:
            holds[i] = _holds_figures_of_a_person(text)
            may_be[i] = not holds[i] and _holds_other_figures(text)
    if may_be_named.any() and (holds.mean() >= _SOME or _capitals_say_something(texts, holds | may_be_named)):
        holds |= may_be_named
    return holds | may_be if may_be.sum() <= _MOSTLY * len(texts) else holds


def _holds_figures_of_a_person(text: str) -> bool:
    """Whether it holds a telephone number, an address, a number that is called one of a person, or a birth."""
    if _holds_number_of_person(text) or holds_called_phone(text):
        return True
    if any(_is_beside_words(text, span) and not _OF_A_CODE.search(text, 0, span[0]) for span in phone_spans(text)):
        return True
    if any(len(re.findall(r"\d", text[slice(*span)])) >= _FEWEST_DIGITS for span in called_number_spans(text)):
        return True  # MRN 48291, and not NHS 111
    if _OF_A_PERSON.search(text) or next(address_spans(text, postcodes=False), None) is not None:
        return True
    return _holds_a_birth(text)


def _holds_number_of_person(text: str) -> bool:
    spans = (*person_number_spans(text), *plate_spans(text))
    return any(not _OF_A_CODE.search(text, 0, start) for start, _ in spans)


def _holds_a_birth(text: str) -> bool:
    return _OF_BIRTH.search(text) is not None and any(_is_a_day(text[slice(*span)]) for span in date_spans(text))


def _holds_other_figures(text: str) -> bool:
    days = (span for span in date_spans(text) if _is_a_day(text[slice(*span)]))
    numbers = (
        span for span in number_spans(text) if text[span[0]].isdigit() and not _OF_A_CODE.search(text, 0, span[0])
    )
    return any(
        _is_beside_words(text, span) or len(re.findall(r"\d", text[slice(*span)])) >= _LONG_NUMBER
        for spans in (days, numbers)
        for span in spans
    )


def _is_a_day(text: str) -> bool:
    """Whether a date has a day, a month and a year."""
    return len(re.findall(r"\d+|[^\W\d_]{3,}", text)) >= 3


def _is_beside_words(text: str, span: tuple[int, int]) -> bool:
    """Whether other words than those of a date or a time stand beside it."""
    beside = _SAYS_SOMETHING.findall(text[: span[0]] + " " + text[span[1] :])
    return any((plain := folded(word)) not in MONTH_WORDS and plain not in _OF_TIMES for word in beside)


# ---- names ----


def _may_hold_a_name(text: str) -> bool:
    """Whether a given name that is a surname too stands before a word of no list, as things are called as well."""
    words = _words_of(text)
    is_named = any(
        word.kind & GIVEN
        and not (word.kind & ALSO_WORD or other.kind or other.text.isupper() or len(other.text) < _SHORTEST)
        and _BESIDE.fullmatch(text, word.end, other.start) is not None
        and not _is_a_thing(text, other)
        and other.text.lower() not in _PLACES
        and f"{word.text} {other.text}".lower() not in _CALLED_SO
        and not around.names_a_thing(around.words_before(text, word.start))
        for word, other in pairwise(words)
    )
    return is_named and _INSTITUTION.search(text) is None


def _capitals_say_something(texts: Sequence[str], with_a_name: np.ndarray) -> bool:
    """Whether words of other cells, but for the first one of a cell, hardly ever begin with a capital letter."""
    others = [
        word
        for text, named in zip(texts, with_a_name.tolist(), strict=True)
        if not named
        for i, word in enumerate(_SAYS_SOMETHING.findall(text))
        if i or word.islower()  # a first word in capitals says nothing
    ]
    return len(others) >= _FEWEST_OTHERS and sum(word[0].isupper() for word in others) <= _FEW_CAPITALS * len(others)


def are_of_another_script(texts: Sequence[str]) -> bool:
    """Whether most letters of the cells are none of Latin, in which alone names are looked for.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values.

    Returns
    -------
    bool
    """
    letters = [letter for text in texts[:_LOOKED_AT] for letter in text if letter.isalpha()]
    return sum(letter > _LAST_LATIN and not "\u1e00" <= letter <= "\u1eff" for letter in letters) > _MOSTLY * len(
        letters
    )


def _words_of(text: str) -> list[_Word]:
    return [
        _Word(match.start(), match.end(), match.group(), kind_of_word(match.group()))
        for match in CAPITALISED.finditer(text)
    ]


def _holds_a_name(text: str, *, of_places: bool) -> bool:
    letters = "".join(_WORD.findall(text))
    one_case = letters.isupper() or letters.islower()
    cased = _WORD.sub(lambda word: word.group().title(), text) if one_case else text
    words = _words_of(cased)
    if not any(word.kind & _LISTED or not word.kind for word in words):
        return False
    if any(_is_titled(cased, word, one_case=one_case) for word in words):
        return True
    whole = [
        span for span in _untitled(cased, words, one_case=one_case)
        if not (of_places and _is_the_cell(cased, span))
    ]  # fmt: skip
    return bool(whole) and _INSTITUTION.search(cased) is None


def _is_titled(text: str, word: _Word, *, one_case: bool) -> bool:
    """Whether a title stands before a word that can be a name."""
    if (word.kind & (NO_NAME | TITLE) and not word.kind & _LISTED) or around.A_THING.match(text, word.end):
        return False
    before = re.split(r"[\s/(\[,;:]+", text[: word.start].rstrip())[-4:]
    while before and before[-1] != "M." and (folded(before[-1]).strip(".") in _DEGREES or _is_small(before[-1])):
        before.pop()
    if not before or not before[-1]:
        return False
    written = before[-1].strip("\"'“„")
    if written in _TITLES_WITH_A_DOT and not (len(before) > 1 and before[-2].isdigit()):
        return word.text.lower() not in _TIMES and (not word.kind & _APART or bool(word.kind & _LISTED))
    title = written.strip(".").lower()
    if title == "m" and written != "M.":  # Monsieur: behind it a surname, and no disease
        return False
    if title in _TITLES:
        if one_case and not word.kind & _LISTED and not text.islower() and title in ("ms", "dr"):
            return False  # MS CLINIC, DR VISIT
        return title in _CIVIL or not (word.kind & EPONYM and not word.kind & _LISTED)
    return title in _MAY_BE_TITLES and bool(word.kind & _LISTED) and not word.kind & _APART


def _is_small(word: str) -> bool:
    """Whether a word stands between a title and a name: ``van``, an initial, a given name."""
    return word.lower() in around.PARTICLE_WORDS or re.fullmatch(r"[^\W\d_]\.?", word) is not None


def _untitled(text: str, words: list[_Word], *, one_case: bool) -> Iterator[tuple[int, int]]:
    """Names known by lists alone, and behind words for kin."""
    for i, word in enumerate(words):
        before = around.words_before(text, word.start)
        following = words[i + 1] if i + 1 < len(words) else None
        if before and before[-1].rstrip(",:") in around.KIN and _may_be_of_kin(word, following, one_case=one_case):
            yield word.start, word.end
        if before and before[-1].lower() in _KIN_IN_GERMAN and word.kind & GIVEN and not word.kind & _APART:
            yield word.start, word.end
        has_initial = (
            _INITIAL_BEFORE.search(text, 0, word.start)
            or _INITIAL_BEHIND.match(text, word.end)
            or (word.kind == SURNAME and _INITIAL_AT_END.match(text, word.end))
        )
        if has_initial and word.kind & SURNAME and not word.kind & ALSO_WORD and not _is_a_thing(text, word):
            yield word.start, word.end
    for word, other in pairwise(words):
        before = around.words_before(text, word.start)
        if around.names_a_thing(before) or _is_a_thing(text, other) or other.text.lower() in _WARDS:
            continue
        if (before and before[-1].lower() in _OF_RULERS) or text[word.start : other.end].lower() in _CALLED_SO:
            continue
        if _COMMA.fullmatch(text, word.end, other.start):
            if _is_surname_first(text, word, other, one_case=one_case):
                yield word.start, other.end
        elif _BESIDE.fullmatch(text, word.end, other.start) and _are_a_name(word, other, one_case=one_case):
            yield word.start, other.end


def _may_be_of_kin(word: _Word, following: _Word | None, *, one_case: bool) -> bool:
    """Whether a word behind one for kin is a given name, or of no list before a surname: not “mother Asthma”."""
    if word.kind & GIVEN:
        return not word.kind & _APART
    surname = following is not None and following.kind & SURNAME and not following.kind & _APART
    return bool(surname) and not (word.kind or one_case)


def _is_a_thing(text: str, word: _Word) -> bool:
    """Whether a disease, a hospital or a part of one is called by the name that ends here."""
    return around.A_THING.match(text, word.end) is not None or _A_PLACE.match(text, word.end) is not None


def _are_a_name(word: _Word, other: _Word, *, one_case: bool) -> bool:
    """A given name and a surname of the lists, of which one is nothing else; a given name and a word of no list."""
    if not other.kind:
        return bool(word.kind & GIVEN) and not (word.kind & (_APART | SURNAME) or one_case or len(other.text) < 3)
    if _is_reversed(word, other) or _are_given_names(word, other, one_case=one_case):
        return True
    if not (word.kind & GIVEN and other.kind & SURNAME):
        return False
    if one_case:
        return not (word.kind & ALSO_WORD or other.kind & ALSO_WORD)
    return not word.kind & _APART or not other.kind & _APART


def _are_given_names(word: _Word, other: _Word, *, one_case: bool) -> bool:
    """``Sarah Connor``: two given names that are nothing else."""
    return word.kind == other.kind == GIVEN and not one_case


def _is_reversed(word: _Word, other: _Word) -> bool:
    """``Kowalski Jan``: a surname that is nothing else, and a given name that is no word."""
    return word.kind == SURNAME and bool(other.kind & GIVEN) and not other.kind & (ALSO_WORD | NO_NAME)


def _is_surname_first(text: str, word: _Word, other: _Word, *, one_case: bool) -> bool:
    """``Miller, William``; a surname of no list where nothing follows the given name but a bracket."""
    if not other.kind & GIVEN or other.kind & ALSO_WORD:
        return False
    if word.kind & SURNAME:
        return not (one_case and word.kind & ALSO_WORD)
    if other.kind & EPONYM:
        return False
    ends = not _WORD.search(text[other.end :])
    return not word.kind and not one_case and ends


def _is_the_cell(text: str, span: tuple[int, int]) -> bool:
    return not _WORD.search(text[: span[0]]) and not re.search(r"\w", text[span[1] :])
