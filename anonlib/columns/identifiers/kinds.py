"""The kinds of content that a column can have, and the identifier classes of the HIPAA Safe Harbor."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from anonlib.columns.identifiers.date_names import names_of_births, names_of_events
from anonlib.columns.identifiers.languages import LANGUAGES
from anonlib.columns.identifiers.vocabulary import VOCABULARY

HIPAA_CLASSES: dict[str, str] = {
    "A": "names",
    "B": "geographic subdivisions smaller than a state",
    "C": "dates except the year, and ages over 89",
    "D": "telephone numbers",
    "E": "fax numbers",
    "F": "e-mail addresses",
    "G": "social security numbers",
    "H": "medical record numbers",
    "I": "health plan beneficiary numbers",
    "J": "account numbers",
    "K": "certificate and license numbers",
    "L": "vehicle identifiers, serial numbers and license plates",
    "M": "device identifiers and serial numbers",
    "N": "web addresses (URLs)",
    "O": "IP addresses",
    "P": "biometric identifiers",
    "Q": "full-face photographs and comparable images",
    "R": "any other unique identifying number, characteristic or code",
}
"""The identifier classes of 45 CFR 164.514(b)(2)(i), in short."""


def hipaa_class(letter: str | None) -> str | None:
    """A HIPAA class as shown to an officer.

    Parameters
    ----------
    letter : str | None
        ``"A"`` to ``"R"``, or None.

    Returns
    -------
    str or None

    References
    ----------
    45 CFR 164.514(b)(2)(i).

    Examples
    --------
    >>> hipaa_class("A")
    '(A) names'
    """
    return None if letter is None else f"({letter}) {HIPAA_CLASSES[letter]}"


_NOMINAL = frozenset(
    "sex race nationality marital occupation workclass language religion region facility department visit_type injury "
    "insurance disposition".split()
)


@dataclass(frozen=True)
class Kind:
    """One kind of content.

    Attributes
    ----------
    key : str
        Its short name, such as ``birth_date``.
    label : str
        What a sentence calls such contents, such as ``birth dates``.
    group : str
        ``identifier``, ``person`` (a number for a person), ``code`` (an id or number of anything), ``date``,
        ``demographic``, ``stay`` (what others see of a visit), ``place``, ``sensitive``, ``text``, ``count``,
        ``weight`` or ``fieldwork`` (how a survey was carried out, which is about no person).
    hipaa : str | None
        The letter of its HIPAA class, or None.
    names : tuple[str, ...]
        The names of columns of this kind, as in :mod:`anonlib.columns.identifiers.vocabulary`.
    """

    key: str
    label: str
    group: str
    hipaa: str | None
    names: tuple[str, ...] = field(repr=False)

    @property
    def is_nominal(self) -> bool:
        """Whether numbers under such a name are codes of a list, and measure nothing."""
        return self.key in _NOMINAL


_SHORT = 3  # letters of one word that names a kind in some language only where it is the whole name


def _parse(vocabulary: str) -> dict[str, Kind]:
    entries: list[tuple[str, list[str]]] = []
    for line in vocabulary.strip().split("\n"):
        if line.startswith(" "):
            entries[-1][1].extend(name.strip() for name in line.strip(" ,").split(","))
        else:
            entries.append((line, []))
    more = _in_languages()
    kinds = {}
    for head, names in entries:
        key, label, group, *hipaa = (part.strip() for part in head.split(";"))
        kinds[key] = Kind(key, label, group, hipaa[0] if hipaa else None, (*names, *more.pop(key, ())))
    if more:
        raise ValueError(f"the languages have kinds that the vocabulary has not: {', '.join(more)}")
    return kinds


def _in_languages() -> dict[str, list[str]]:
    """By key of a kind, its names in all languages; a very short word must be the whole name."""
    names_by_kind: dict[str, list[str]] = {}
    for language in LANGUAGES:
        for line in re.sub(r"\n +", " ", language.strip()).split("\n"):
            key, _, names = line.partition(":")
            for name in (name.strip() for name in names.split(",")):
                names_by_kind.setdefault(key, []).append(f"={name}" if len(name) <= _SHORT else name)
    names_by_kind["birth_date"] += names_of_births()
    names_by_kind["event_date"] += names_of_events()
    return names_by_kind


KINDS = _parse(VOCABULARY)
"""Every kind that a name can say, by key; demographic kinds in the order in which they are suggested."""
