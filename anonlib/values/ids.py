"""Ids of persons: one normalisation, by which the same id is the same however it is written, and what names nobody."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

import numpy as np
import pyarrow.compute as pc

from anonlib.values.missing_words import means_missing
from anonlib.values.text_order import arrow_texts

_SPREADSHEET_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))\.0")
_BETWEEN = re.compile(r"[\s\-‐‑‒–—−./_'’·{}]+")
_FEWEST_DIGITS = 5  # of a number that may be written in groups: in 1-12 the mark parts two numbers
_ONE_NUMBER = 8  # digits that are one number wherever marks stand between them
_LONG = 6  # characters of an id that is one character again and again, and no number among others
_NOBODY = frozenset(
    """
    test tests testpatient dummy anonym anonymous anonymus anon anonymized anonymised temp temporary tmp new newpatient
    placeholder default nobody noname nn mustermann johndoe janedoe doe tbd tba pending none nil noid ohne keine kein
    keiner sans aucun sin ninguno nessuno geen geenid bez brak ingen null unidentified unnamed notassigned unassigned
    notapplicable provisional provisorisch vorlaufig platzhalter neu neuerpatient musterpatient undefined invalid error
    """.split()
)
_OF_A_VISIT = re.compile(
    r"(.*[a-z0-9])[-_/ .]?"
    r"((?<![a-z0-9])(?:visite?|besuch|v|t|tp|wk|week|month|mo|fu|cycle|baseline|bl|day)[ _.-]?\d{0,3})",
    re.IGNORECASE,
)
_FEWEST_WITH_VISITS, _NEARLY_ALL, _REPEATED, _MOST_VISITS = 20, 0.95, 1.3, 30
_LOOKED_AT_FIRST = 100
_COUNTING_UP = 10  # numbers count up where the largest is at most so many times as large as their number
_LONGEST_NUMBER = 15  # digits
_IN_A_ROW = ("01234567890", "1234567890123456789", "98765432109876543210", "abcdefghij")


def normalised(text: str) -> str:
    """An id without what differs only in how it is written.

    Compatible characters are one (NFKC: full-width digits, ligatures), capitals are small letters, blanks at both ends
    are gone and those within are one, and a whole number that a spreadsheet wrote as 123.0 is 123. Zeros in front are
    part of an id: 00123 is not 123.

    Parameters
    ----------
    text : str
        The id as a cell has it.

    Returns
    -------
    str

    Examples
    --------
    >>> normalised(" P-７ "), normalised("123.0"), normalised("00123"), normalised("Ann  LEE")
    ('p-7', '123', '00123', 'ann lee')
    """
    if text.isascii():
        plain = " ".join(text.lower().split())
    else:
        plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        plain = " ".join(plain.split())
    number = _SPREADSHEET_NUMBER.fullmatch(plain) if plain.endswith(".0") else None
    return number[1] if number else plain


def count_up(ids: Collection[str]) -> bool:
    """Whether ids are numbers that count up, so that another file may have the same ones for others.

    Parameters
    ----------
    ids : Collection[str]
        Different ids in their normal form (:func:`normalised`).

    Returns
    -------
    bool
        All are whole numbers of at most 15 digits, the largest at most ten times as large as there are ids.

    Examples
    --------
    >>> count_up(["1", "2", "4"]), count_up(["4711", "52"]), count_up(["p1", "p2"])
    (True, False, False)
    """
    if not all(text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER for text in ids):
        return False
    return max(map(int, ids), default=0) <= _COUNTING_UP * len(ids)


def written_alike(ids: Sequence[str] | np.ndarray) -> list[list[int]]:
    """Places of ids that are one id written in several ways, only groups of two and more, by their first.

    One are those whose normal form (:func:`normalised`) is one, and numbers of five digits and more with marks or
    blanks between groups of them. With fewer than eight digits the marks must stand at the same places, so that 1-12345
    and 11-2345 stay two.

    Parameters
    ----------
    ids : Sequence[str] | np.ndarray
        Different ids.

    Returns
    -------
    list of lists of int

    Examples
    --------
    >>> written_alike(["9434765919", "943 476 5919", "943-476-5919", "1E5", "100000", "p1", "P1"])
    [[0, 1, 2], [5, 6]]
    """
    by_letters: dict[tuple[bool, str], dict[tuple[int, ...], list[int]]] = {}
    for place in _may_be_alike(ids).tolist():
        plain = normalised(ids[place])
        groups = [group for group in _BETWEEN.split(plain) if group]
        joined = "".join(groups)
        is_number = sum(map(str.isdigit, joined)) >= _FEWEST_DIGITS and not plain.startswith("-")
        of_id = by_letters.setdefault((is_number, joined if is_number else plain), {})
        of_id.setdefault(tuple(map(len, groups)) if is_number else (), []).append(place)
    alike = []
    for (_, joined), by_lengths in by_letters.items():
        without_marks = [places for lengths, places in by_lengths.items() if len(lengths) < 2]
        with_marks = [places for lengths, places in by_lengths.items() if len(lengths) > 1]
        if len(with_marks) < 2 or sum(map(str.isdigit, joined)) >= _ONE_NUMBER:
            alike.append([place for places in (*without_marks, *with_marks) for place in places])
        else:  # marks at several places part several ids
            alike += [*without_marks, *with_marks]
    return sorted((sorted(group) for group in alike if len(group) > 1), key=lambda group: group[0])


def beginnings_of_visits(ids: Sequence[str] | np.ndarray) -> int:
    """How many different beginnings ids have that end in a visit, as ``S001-V1`` and ``S001-V2`` do; 0 if they do not.

    Parameters
    ----------
    ids : Sequence[str] | np.ndarray
        Different ids.

    Returns
    -------
    int
        0 unless nearly all end so, in few different visits, and beginnings repeat.

    Examples
    --------
    >>> beginnings_of_visits([f"S{i:03}-V{visit}" for i in range(20) for visit in (1, 2)])
    20
    """
    if len(_of_visits(ids[:_LOOKED_AT_FIRST])) < _NEARLY_ALL * min(len(ids), _LOOKED_AT_FIRST):
        return 0
    matches = _of_visits(ids)
    if len(matches) < max(_FEWEST_WITH_VISITS, _NEARLY_ALL * len(ids)):
        return 0
    beginnings = {match[1].casefold() for match in matches}
    endings = {match[2].casefold() for match in matches}
    repeat = len(matches) > _REPEATED * len(beginnings) and len(endings) <= _MOST_VISITS
    return len(beginnings) if repeat and len(beginnings) > len(endings) else 0


def _of_visits(ids: Sequence[str] | np.ndarray) -> list[re.Match[str]]:
    return [match for text in ids if (match := _OF_A_VISIT.fullmatch(text.strip())) is not None]


def _may_be_alike(ids: Sequence[str] | np.ndarray) -> np.ndarray:
    """Places of ids that are as another one but for capitals, blanks and marks; all that are one are among them."""
    texts = arrow_texts(ids)
    if texts is None:  # with a lone surrogate
        return np.arange(len(ids))
    plain = pc.utf8_lower(pc.utf8_normalize(texts, "NFKC"))
    plain = pc.replace_substring_regex(plain, r"^\s*(-?[0-9]+)\.0\s*$", r"\1")
    codes = pc.dictionary_encode(pc.replace_substring_regex(plain, _BETWEEN.pattern, "")).indices.to_numpy()
    return np.flatnonzero(np.bincount(codes)[codes] > 1) if len(codes) else np.empty(0, dtype=np.intp)


def names_nobody(ids: Sequence[str] | np.ndarray, rows: Sequence[int] | np.ndarray) -> np.ndarray:
    """Which ids stand in the place of one and name nobody: 9999999999, 0000000000, UNKNOWN, TEST, -1.

    A word that means “no value” is one, so is a negative number where others are not. One digit again and again, or
    digits in their order, are one where they are long or stand in far more rows than others do, and no neighbouring
    number is an id too.

    Parameters
    ----------
    ids : Sequence[str] | np.ndarray
        Different ids.
    rows : Sequence[int] | np.ndarray
        In how many rows each stands, 1 or more.

    Returns
    -------
    ndarray of bool
        One per id.

    Examples
    --------
    >>> names_nobody(["4318595757", "9999999999", "UNKNOWN", "7", "8"], [2, 9, 3, 1, 1]).tolist()
    [False, True, True, False, False]
    """
    is_nobody = np.zeros(len(ids), dtype=bool)
    places = _may_name_nobody(ids).tolist()
    if not places:
        return is_nobody
    plain = {place: normalised(ids[place]) for place in places}
    many = 3 * float(np.median(rows))
    n_negative = sum(map(_is_negative, plain.values()))
    made_up = {place for place, text in plain.items() if _is_made_up(text)}
    others = {normalised(text) for text in ids} if made_up else set[str]()
    for place, text in plain.items():
        if place in made_up and not _has_neighbours(text, others):
            is_nobody[place] = _n_signs(text) >= _LONG or rows[place] > max(many, 4)
        negative = _is_negative(text) and 4 * n_negative <= len(ids)
        is_nobody[place] |= negative or _is_word_for_nobody(text)
    return is_nobody


def _may_name_nobody(ids: Sequence[str] | np.ndarray) -> np.ndarray:
    """Places of ids that are words, negative numbers, one figure again and again, figures in their order, or dates."""
    texts = arrow_texts(ids)
    if texts is None:
        return np.arange(len(ids))
    plain = pc.utf8_normalize(texts, "NFKC")
    may_be = pc.match_substring_regex(plain, r"^[^0-9]*$|^\s*-|^\s*(9999|1900|31|01)[-./]")
    signs = pc.replace_substring_regex(plain, _BETWEEN.pattern, "")
    again = "|".join(f"{figure}+" for figure in range(10))
    may_be = pc.or_(may_be, pc.match_substring_regex(signs, f"^({again}|0?12345[0-9]*|98765[0-9]*|0123[0-9]*)$"))
    return np.flatnonzero(may_be.to_numpy(zero_copy_only=False))


def _is_word_for_nobody(text: str) -> bool:
    letters = "".join(char for char in text if char.isalnum())
    return means_missing(text) or letters in _NOBODY or (len(set(letters)) == 1 and letters in ("xx", "xxx", "xxxx"))


def _is_negative(text: str) -> bool:
    return text.startswith("-") and text[1:].isdigit()


def _n_signs(text: str) -> int:
    return len(_BETWEEN.sub("", text))


def _is_made_up(text: str) -> bool:
    """Whether an id is one character again and again, or digits in their order."""
    signs = _BETWEEN.sub("", text)
    if len(set(signs)) == 1:
        return signs.isdigit() or len(signs) >= _LONG // 2
    return len(signs) >= _LONG and any(signs in row for row in _IN_A_ROW)


def _has_neighbours(text: str, others: set[str]) -> bool:
    """Whether a number beside an id is an id too."""
    signs = _BETWEEN.sub("", text)
    if not signs.isdigit():
        return False
    beside = [number for number in (int(signs) - 1, int(signs) + 1) if number >= 0]
    return any(form in others for number in beside for form in (str(number), str(number).zfill(len(signs))))
