"""Ids of persons: one normalisation, by which the same id is the same however it is written."""

from __future__ import annotations

import re
import unicodedata

_SPREADSHEET_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))\.0")


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
