"""Texts that a spreadsheet would run as a formula, made plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from anonlib.values.cells import to_numbers

# Characters that take no room, which a spreadsheet may drop as it imports: of control and of format, and fillers,
# joiners of marks and selectors of variants.
_UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Spreadsheets take the full-width signs for the plain ones.
_FORMULA = re.compile(rf"[\t\r\n]|[\s{_UNSEEN}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]")
MAY_NEED_IT = "[;\t\r\n=+@\\-\uff1d\uff0b\uff0d\uff20]"
"""What is found in every text that :func:`neutralise` changes, among others, for an engine to search for."""
_SEPARATOR = re.compile(r"(;|(?<=[\s\S])[\t\r\n])")  # a tab or line end in front has its apostrophe already


def neutralise(texts: Iterable[str]) -> list[str]:
    """Texts that a spreadsheet would run as a formula get an apostrophe in front; numbers stay numbers.

    So do parts of a text behind a semicolon, a tab or a line end: a spreadsheet whose lists are separated by semicolons
    begins a cell there.
    """
    listed = [str(text) for text in texts]
    numeric = ~np.isnan(to_numbers(listed)) if listed else []
    return [text if number else _harmless(text) for text, number in zip(listed, numeric, strict=True)]


def _harmless(text: str) -> str:
    first = "'" if _FORMULA.match(text) else ""
    if not _SEPARATOR.search(text):
        return first + text
    parts = _SEPARATOR.split(text)  # a text, then a separator and a text each time
    for i in range(2, len(parts), 2):
        if _FORMULA.match(parts[i]) and np.isnan(to_numbers([parts[i]])[0]):
            parts[i] = "'" + parts[i]
    return first + "".join(parts)
