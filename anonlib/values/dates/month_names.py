"""Names of the months in six languages, with and without accents, in full and short."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

_FULL = {
    "English": "January February March April May June July August September October November December",
    "German": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "French": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "Spanish": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "Italian": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "Dutch": "januari februari maart april mei juni juli augustus september oktober november december",
}
# The commonest way first; later lines of a language write some months in another way.
_SHORT = {
    "English": ("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
    "German": (
        "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez", "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Jan Feb März Apr Mai Juni Juli Aug Sept Okt Nov Dez",
    ),
    "French": (
        "janv févr mars avr mai juin juil août sept oct nov déc", "jan fév mar avr mai juin juil aoû sep oct nov déc",
    ),
    "Spanish": ("ene feb mar abr may jun jul ago sep oct nov dic", "ene feb mar abr may jun jul ago sept oct nov dic"),
    "Italian": ("gen feb mar apr mag giu lug ago set ott nov dic",),
    "Dutch": (
        "jan feb mrt apr mei jun jul aug sep okt nov dec", "jan feb maart apr mei juni juli aug sept okt nov dec",
    ),
}  # fmt: skip
_ALSO = {"jänner": 1, "jaenner": 1, "feber": 2, "maerz": 3, "setiembre": 9}
_NAMES = tuple(
    tuple(names.split()) for names in (*_FULL.values(), *(names for short in _SHORT.values() for names in short))
)


def _plain(word: str) -> str:
    """In lower case and without accents: ``Février`` -> ``fevrier``."""
    lower = word.lower()
    if lower.isascii():
        return lower
    return "".join(char for char in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(char))


_MONTH_OF = {_plain(name): month for names in _NAMES for month, name in enumerate(names, start=1)} | {
    _plain(name): month for name, month in _ALSO.items()
}
MONTH_WORDS = frozenset(_plain(name) for names in _FULL.values() for name in names.split()) | frozenset(
    _plain(name)
    for language, several in _SHORT.items() if language != "Italian"  # "gen", "mag" and "set" are words beside numbers
    for names in several for name in names.split()
) | frozenset(map(_plain, _ALSO))  # fmt: skip
"""Names that mean a month inside a text too, in lower case and without accents."""


def month_of(name: str) -> int:
    """The month of a name, 1 to 12, with or without accents and in any case; 0 where it is none.

    Parameters
    ----------
    name : str
        One word, without a full stop.

    Returns
    -------
    int

    Examples
    --------
    >>> month_of("MAR"), month_of("décembre"), month_of("Agosto"), month_of("north")
    (3, 12, 8, 0)
    """
    return _MONTH_OF.get(_plain(name), 0)


def months_in(language: str) -> tuple[tuple[str, ...], ...]:
    """By month, from January on, its names in a language: in full first, then in short, each once.

    Parameters
    ----------
    language : str
        ``English``, ``German``, ``French``, ``Spanish``, ``Italian`` or ``Dutch``.

    Returns
    -------
    tuple of tuple of str

    Examples
    --------
    >>> months_in("English")[8], months_in("German")[2]
    (('September', 'Sep', 'Sept'), ('März', 'Mär', 'Mrz'))
    """
    ways = [_FULL[language].split(), *(names.split() for names in _SHORT[language])]
    return tuple(tuple(dict.fromkeys(names)) for names in zip(*ways, strict=True))


@dataclass(frozen=True)
class MonthNames:
    """How a column writes its months.

    Attributes
    ----------
    names : tuple[str, ...]
        Twelve names, from January on.
    case : str, default ""
        "upper", "lower" or "title", or "" as the language has it.
    """

    names: tuple[str, ...]
    case: str = ""

    def name(self, month: int) -> str:
        """The name of a month, 1 to 12."""
        name = self.names[month - 1]
        return getattr(name, self.case)() if self.case else name


def names_of(words: Collection[str]) -> MonthNames:
    """The way of writing months that fits most of these names; of several the first, English before the others.

    Parameters
    ----------
    words : Collection[str]
        Names of months, as :func:`month_of` reads them.
    """
    ways = [way for names in _NAMES for way in dict.fromkeys((names, tuple(map(_without_accents, names))))]
    lower = [word.lower() for word in words]
    best = max(ways, key=lambda names: sum(name in {month.lower() for month in names} for name in lower))
    case = next((case for case in ("upper", "lower", "title") if all(getattr(w, case)() == w for w in words)), "")
    return MonthNames(best, case)


def _without_accents(name: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
