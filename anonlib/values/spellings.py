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
    "[\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_AS_TYPED = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’‛", "'") | dict.fromkeys("“”„", '"'))
_MEANS_MORE = ("<super>", "<sub>", "<fraction>")  # 10² is not 102, though compatible characters are
_PLAIN = "^[\t-\r -~]*$"  # what Arrow reads as quickly as it must of a million texts
_BLANKS = "[\t-\r ]{2,}|[\t-\r]"
_AT_A_SIGN = ("([0-9+<>=%]) ([^0-9])", "([^0-9]) ([0-9+<>=%])")  # blanks between a number or sign and what is no digit
# Lower case, as looks are. A letter e without a sign behind it may be part of a code.
_MAY_BE_A_NUMBER = "^[+-]?[.,]?[0-9][0-9.,']*(e[+-][0-9]{1,3})?$"
_NOT_A_NUMBER = "^[+-]?0[0-9]|([0-9][.,']?){16}"  # a code with a zero in front; more digits than floats tell apart
_WRITTEN_PLAINLY = "^(0|-?[1-9][0-9]*)$"

_found: dict[int, tuple[weakref.ref[np.ndarray], np.ndarray | None]] = {}  # by the id of labels that are still there


def read_as_one(labels: np.ndarray) -> np.ndarray | None:
    """Per label of a column, the place of the first one that a person reads as the same value.

    One value are spellings that differ only by case, blanks around words, between them or beside a number or sign (5
    mg), invisible characters, how accents are composed, the kind of dash or quotation mark, or compatible characters
    (full-width, ligatures, the numeral Ⅳ), but for raised and lowered ones and fractions; and ways to write one number:
    1, 1.0, +1 and, beside 1.5, 1,5.
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
    found = np.arange(len(labels))
    found[places] = places[first[read]]
    return found


def _codes_of_sets(labels: np.ndarray) -> np.ndarray:
    """As :func:`_codes`, where some labels are no texts, or of several values, which they have as ``members``."""
    members = [getattr(label, "members", (str(label),)) for label in labels]
    texts = list(dict.fromkeys(text for of_label in members for text in of_label))
    codes = dict(zip(texts, _codes(texts).tolist(), strict=True))
    number: dict[tuple[int, ...], int] = {}
    sets = (tuple(sorted({codes[text] for text in of_label})) for of_label in members)
    return np.array([number.setdefault(each, len(number)) for each in sets], dtype=np.intp)


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
    for blank in _AT_A_SIGN:
        if pc.any(pc.match_substring_regex(looks, blank)).as_py():
            looks = pc.replace_substring_regex(looks, blank, r"\1\2")
    return looks


def _slowly(texts: Iterable[str]) -> list[str]:
    looks = ("".join(map(_compatible, _INVISIBLE.sub("", text))).translate(_AS_TYPED) for text in texts)
    return [unicodedata.normalize("NFC", " ".join(look.split()).casefold()) for look in looks]


def _compatible(character: str) -> str:
    if character.isascii() or unicodedata.decomposition(character).startswith(_MEANS_MORE):
        return character
    return unicodedata.normalize("NFKC", character)
