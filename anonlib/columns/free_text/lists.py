"""The words that names are known by, each with what it is; `docs/text.md` has the sources of the lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources

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
    found = table.get(folded(word))
    if found is None and not word.isalpha():
        parts = [table.get(folded(part), 0) for part in word.replace("’", "-").replace("'", "-").split("-")]
        names = [part for part in parts if part & (GIVEN | SURNAME) and not part & ALSO_WORD]
        of_a_disease = any(part & EPONYM and not part & GIVEN for part in parts)
        found = names[0] & (GIVEN | SURNAME) if names and not of_a_disease else 0
        found = found or table.get(folded(word.replace("’", "").replace("'", "")), 0)  # O'Brien
    return found or 0
