"""Which spellings a person reads as one value: “HIV” and “hiv”, “gout” and “gout ”, 1 and 1.0."""

from __future__ import annotations

import re
import unicodedata
import weakref
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from anonlib.values.cells import to_numbers
from anonlib.values.text_order import arrow_texts

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_AS_TYPED = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’‛´", "'") | dict.fromkeys("“”„", '"'))
_MEANS_MORE = ("<super>", "<sub>", "<fraction>")  # 10² is not 102, though compatible characters are
_PLAIN = "^[\t-\r -~]*$"  # what Arrow reads as quickly as it must of a million texts
_BLANKS = "[\t-\r ]{2,}|[\t-\r]"
# Blanks between a number or sign and what is no digit; 1, 2 are two numbers.
_AT_A_SIGN = ("([0-9+<>=%]) ([^0-9])", "([^0-9.,]|[^0-9][.,]) ([0-9+<>=%])")
_NO_LETTER_OR_DIGIT = "[ .,/&;:()\"'-]"
_AT_A_MARK = " ?([/&;:()\"']) ?"
_AT_A_POINT = ("([^0-9]) ([.,-])", "([.,-]) ([^0-9])")
_AT_THE_END = "([^.,;:])[.,;:]+$"
# A number in a text: nothing of a code stands in front of it.
_FREE = "(^|[^0-9a-z.,'])"
_WITH_THOUSANDS = _FREE + "([0-9]{1,3}(?:[0-9]{3})*)[ ,']([0-9]{3})($|[^0-9])"
_WITH_ZEROS = (
    (_FREE + "([0-9]+)(?:[.]0+|,00?)($|[^0-9.,])", r"\1\2\3"),
    (_FREE + "([0-9]+)([.][0-9]*[1-9]|,[1-9])0+($|[^0-9.,])", r"\1\2\3\4"),
)
# Lower case, as looks are. A letter e without a sign behind it may be part of a code.
_MAY_BE_A_NUMBER = "^[+-]?[.,]?[0-9][0-9.,']*(e[+-][0-9]{1,3})?$"
_NOT_A_NUMBER = "^[+-]?0[0-9]|([0-9][.,']?){16}"  # a code with a zero in front; more digits than floats tell apart
_WRITTEN_PLAINLY = "^(0|-?[1-9][0-9]*)$"

_found: dict[int, tuple[weakref.ref[np.ndarray], np.ndarray | None]] = {}  # by the id of labels that are still there


def read_as_one(labels: np.ndarray) -> np.ndarray | None:
    """Per label of a column, the place of the first one that a person reads as the same value.

    One value are spellings that differ only by case, blanks around words, between them or beside a number, sign or mark
    (5 mg, HIV / AIDS), a point at the end, invisible characters, how accents are composed, the kind of dash or
    quotation mark, or compatible characters (full-width, ligatures, the numeral Ⅳ), but for raised and lowered ones and
    fractions; and ways to write one number: 1, 1.0, +1 and, beside 1.5, 1,5; zeros behind a decimal mark and marks
    between thousands in a text too (5.0 mg, 1,000 mg), but in a code, which has a letter in front (J45.0).
    Digits with a zero in front are a code, 01 is not 1; so are more than 15 digits. Sets of values are one if their
    values are. What is found is remembered for as long as the labels are there.

    Parameters
    ----------
    labels : np.ndarray
        Object array of distinct texts, or None for a missing value. It is not changed afterwards.

    Returns
    -------
    intp array, or None where no two labels are read as one

    Examples
    --------
    >>> read_as_one(np.array(["HIV", "flu", "hiv ", "1", "1.0", "01", None], dtype=object)).tolist()
    [0, 1, 0, 3, 3, 5, 6]
    """
    known = _found.get(id(labels))
    if known is not None and known[0]() is labels:
        return known[1]
    first = _first_read_alike(labels)
    _found[id(labels)] = weakref.ref(labels, _forget(id(labels))), first
    return first


def _forget(of_labels: int):  # type: ignore[no-untyped-def]  # a callback of a weak reference
    def forget(gone: weakref.ref[np.ndarray]) -> None:
        if of_labels in _found and _found[of_labels][0] is gone:
            del _found[of_labels]

    return forget


def groups_read_as_one(values: np.ndarray) -> list[list[int]]:
    """Places of values that a person reads as one, only groups of two and more, by their first.

    Parameters
    ----------
    values : np.ndarray
        Distinct values, as for :func:`read_as_one`.

    Returns
    -------
    list of lists of int
    """
    first = _first_read_alike(values)
    if first is None:
        return []
    members: dict[int, list[int]] = {}
    for i in np.flatnonzero(np.bincount(first, minlength=len(first))[first] > 1).tolist():
        members.setdefault(int(first[i]), []).append(i)
    return list(members.values())


def _first_read_alike(labels: np.ndarray) -> np.ndarray | None:
    kinds = set(map(type, labels))
    places = np.array(
        [i for i, label in enumerate(labels) if label is not None] if type(None) in kinds else range(len(labels)),
        dtype=np.intp,
    )
    texts = labels if len(places) == len(labels) else labels[places]
    read = _codes(texts) if kinds <= {str, type(None)} else _codes_of_sets(texts)
    n_read = int(read.max(initial=-1)) + 1
    if n_read == len(places):
        return None
    first = np.full(n_read, len(places))
    np.minimum.at(first, read, np.arange(len(places)))
    first_alike = np.arange(len(labels))
    first_alike[places] = places[first[read]]
    return first_alike


def _codes_of_sets(labels: np.ndarray) -> np.ndarray:
    """As :func:`_codes`, where some labels are no texts, or of several values, which they have as ``members``."""
    members = [getattr(label, "members", (str(label),)) for label in labels]
    texts = list(dict.fromkeys(text for of_label in members for text in of_label))
    codes = dict(zip(texts, _codes(texts).tolist(), strict=True))
    number: dict[tuple[int, ...], int] = {}
    sets = (tuple(sorted({codes[text] for text in of_label})) for of_label in members)
    return np.array([number.setdefault(code_set, len(number)) for code_set in sets], dtype=np.intp)


def _codes(texts: Sequence[str] | np.ndarray) -> np.ndarray:
    """intp, per text a number of what it is read as, from 0, each used."""
    looks = _looks(texts)
    codes = pc.dictionary_encode(looks).indices.to_numpy().astype(np.intp)
    may_be = pc.match_substring_regex(looks, _MAY_BE_A_NUMBER)
    candidates = looks.filter(may_be)
    if not len(candidates) or pc.all(pc.match_substring_regex(candidates, _WRITTEN_PLAINLY)).as_py():
        return codes
    places = np.flatnonzero(may_be.to_numpy(zero_copy_only=False))
    is_number = pc.invert(pc.match_substring_regex(candidates, _NOT_A_NUMBER)).to_numpy(zero_copy_only=False)
    numbers = _numbers(candidates.filter(pa.array(is_number)).to_pylist())
    places = places[is_number][~np.isnan(numbers)]
    codes[places] = len(texts) + pd.factorize(numbers[~np.isnan(numbers)])[0]
    return pd.factorize(codes)[0].astype(np.intp)


def _numbers(texts: list[str]) -> np.ndarray:
    """float64, the numbers by the decimal mark that fits most; of others each by its own; NaN where there is none."""
    numbers = to_numbers(texts)
    for i in np.flatnonzero(np.isnan(numbers)).tolist():
        numbers[i] = to_numbers([texts[i]])[0]
    return numbers + 0.0  # so that minus zero is zero


def _looks(texts: Sequence[str] | np.ndarray) -> pa.Array:
    """What is read of each text, but for numbers."""
    arrow = arrow_texts(texts)
    if arrow is None:  # with a lone surrogate
        return pa.array(_slowly(text.encode("utf-8", "backslashreplace").decode() for text in texts), pa.large_string())
    plain = pc.match_substring_regex(arrow, _PLAIN)
    looks = pc.ascii_trim_whitespace(pc.ascii_lower(arrow))
    if pc.any(pc.match_substring_regex(looks, _BLANKS)).as_py():
        looks = pc.replace_substring_regex(looks, _BLANKS, " ")
    if not pc.all(plain).as_py():
        others = pc.invert(plain)
        slow = pa.array(_slowly(arrow.filter(others).to_pylist()), pa.large_string())
        looks = pc.replace_with_mask(looks, others, slow)
    return _without_what_says_nothing(looks)


def _without_what_says_nothing(looks: pa.Array) -> pa.Array:
    """Texts without zeros, marks and blanks that only say how something is written; whole numbers stay as they are."""
    may_say_nothing = pc.match_substring_regex(looks, _NO_LETTER_OR_DIGIT)
    is_text = pc.and_(may_say_nothing, pc.invert(pc.match_substring_regex(looks, _MAY_BE_A_NUMBER)))
    texts = looks.filter(is_text)
    if not len(texts):
        return looks
    for _ in range(2):  # what one replacement has taken may be what another one needs
        texts = _replaced(texts, _WITH_THOUSANDS, r"\1\2\3\4")
        for zeros, without in _WITH_ZEROS:
            texts = _replaced(texts, zeros, without)
    texts = _replaced(texts, _AT_A_MARK, r"\1")
    for _ in range(2):
        for blank in (*_AT_A_POINT, *_AT_A_SIGN):
            texts = _replaced(texts, blank, r"\1\2")
    texts = _replaced(texts, _AT_THE_END, r"\1")
    return pc.replace_with_mask(looks, is_text, texts)


def _replaced(texts: pa.Array, what: str, by: str) -> pa.Array:
    is_there = pc.any(pc.match_substring_regex(texts, what)).as_py()
    return pc.replace_substring_regex(texts, what, by) if is_there else texts


def _slowly(texts: Iterable[str]) -> list[str]:
    typed = (_INVISIBLE.sub("", text).translate(_AS_TYPED) for text in texts)  # a mark that stands alone is no accent
    looks = ("".join(map(_compatible, text)).translate(_AS_TYPED) for text in typed)
    return [unicodedata.normalize("NFC", " ".join(text.split()).casefold()) for text in looks]


def _compatible(character: str) -> str:
    if character.isascii() or unicodedata.decomposition(character).startswith(_MEANS_MORE):
        return character
    return unicodedata.normalize("NFKC", character)
