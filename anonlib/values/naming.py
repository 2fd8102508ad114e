"""The words that a name is written of: of a column, a table, a list."""

from __future__ import annotations

import re
import unicodedata


def words(text: str) -> frozenset[str]:
    """The words of a list written with blanks between them."""
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|IP(?=v\d)|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_LINKING = words("of the an at in on for to de du des la le les del el et und der die das van het een vom zum")
_LETTERS = str.maketrans({"ß": "ss", "Ø": "O", "ø": "o", "ł": "l", "Ł": "L", "đ": "d", "æ": "ae", "Æ": "Ae", "œ": "oe"})


def fold(text: str) -> str:
    """Text without accents: ``Größe`` -> ``Grosse``."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(c for c in plain if not unicodedata.combining(c))


def name_tokens(name: str) -> tuple[str, ...]:
    """The words of a column name, lower case and without accents, linking words left out.

    Parameters
    ----------
    name : str
        A column's name. Snake case, camel case, blanks, dots and digits all part words.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> name_tokens("dateOfBirth"), name_tokens("PatientMRN")
    (('date', 'birth'), ('patient', 'mrn'))
    """
    words = [word.lower() for word in _WORD.findall(fold(str(name)))]
    return tuple(word for word in words if word not in _LINKING) or tuple(words)
