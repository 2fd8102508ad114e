"""The words by which columns are named in languages beside those of the vocabulary, by kind.

Each text has a line a kind: its key, a colon, and names as in :mod:`anonlib.columns.identifiers.vocabulary`.
"""

from anonlib.columns.identifiers.languages.dutch import DUTCH
from anonlib.columns.identifiers.languages.english import ENGLISH
from anonlib.columns.identifiers.languages.french import FRENCH
from anonlib.columns.identifiers.languages.german import GERMAN
from anonlib.columns.identifiers.languages.italian import ITALIAN
from anonlib.columns.identifiers.languages.polish import POLISH
from anonlib.columns.identifiers.languages.portuguese import PORTUGUESE
from anonlib.columns.identifiers.languages.spanish import SPANISH
from anonlib.columns.identifiers.languages.swedish import SWEDISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, POLISH, SWEDISH)
"""Every text, in the order in which a name that two have is taken."""

__all__ = ["LANGUAGES"]
