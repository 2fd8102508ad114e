"""The language of what is filed and handed over: one choice, for reports and for the codebook."""

from __future__ import annotations

from anonlib.filing.languages import ENGLISH, languages
from ui.server.private import DeltaGenerator
from ui.session import keep

_NAME = "report-language"


def ask(place: DeltaGenerator) -> str:
    """The choice of a language, as its code."""
    return keep.select(
        _NAME, "Language", list(languages()), ENGLISH, place=place, format_func=languages().__getitem__,
        help="Of the report, and of the codebook on the Release page. What the file, its columns and the case are "
        "called is not translated.",
    )  # fmt: skip


def chosen() -> str:
    """The code of the language that was chosen, English until one was."""
    return keep.value(_NAME, ENGLISH, languages().__contains__)


def beside_a_name(language: str) -> str:
    """What a download in a language has beside its name, such as `` (Deutsch)``; nothing in English."""
    return "" if language == ENGLISH else f" ({languages()[language]})"


def in_a_file_name(language: str) -> str:
    """What the name of a file in a language ends with, such as ``-de``; nothing in English."""
    return "" if language == ENGLISH else f"-{language}"
