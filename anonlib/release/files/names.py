"""Names of columns as Stata and SPSS allow them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

STATA_LONGEST, SPSS_LONGEST = 32, 64  # Stata counts characters, SPSS bytes
_STATA_RESERVED = {
    "_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n", "_N", "_pi", "_pred",
    "_rc", "_skip", "strL", "using", "with", "str",
}  # fmt: skip
_SPSS_RESERVED = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}


def stata_names(names: Sequence[str]) -> list[str]:
    """Names for Stata: letters, digits and ``_``, at most 32 characters, no word of its own, all different.

    Examples
    --------
    >>> stata_names(["age", "2nd visit", "2nd-visit", "if"])
    ['age', 'v2nd_visit', 'v2nd_visit_2', 'if_']
    """
    return _distinct([_plain(name, _STATA_RESERVED) for name in names], STATA_LONGEST, by_bytes=False)


def spss_names(names: Sequence[str]) -> list[str]:
    """Names for SPSS: letters, digits and ``_``, at most 64 bytes, no word of its own, different but for their case.

    Examples
    --------
    >>> spss_names(["Age", "AGE", "income (EUR)"])
    ['Age', 'AGE_2', 'income__EUR_']
    """
    return _distinct([_plain(name, _SPSS_RESERVED) for name in names], SPSS_LONGEST, by_bytes=True)


def _plain(name: str, reserved: set[str]) -> str:
    composed = unicodedata.normalize("NFC", name)
    text = "".join(letter if _allowed(letter) else "_" for letter in composed)
    if not text or not text[0].isalpha():
        text = f"v{text}"
    own = text in reserved or text.lower() in reserved or (text[:3] == "str" and text[3:].isdigit())
    return f"{text}_" if own else text


def _allowed(letter: str) -> bool:
    """A letter of any script, a digit of ours, or the line that both programs allow."""
    if letter.isascii():
        return letter.isalnum() or letter == "_"
    return unicodedata.category(letter) in ("Lu", "Ll", "Lo") and ord(letter) >= 192


def _distinct(names: list[str], longest: int, *, by_bytes: bool) -> list[str]:
    taken: set[str] = set()
    distinct = []
    for name in names:
        number, new = 1, _cut(name, longest, by_bytes)
        while (new.casefold() if by_bytes else new) in taken:
            number += 1
            new = f"{_cut(name, longest - len(f'_{number}'), by_bytes)}_{number}"
        taken.add(new.casefold() if by_bytes else new)
        distinct.append(new)
    return distinct


def _cut(name: str, longest: int, by_bytes: bool) -> str:
    return name.encode()[:longest].decode(errors="ignore") if by_bytes else name[:longest]
