"""Identifiers inside texts: where they are, how many texts of a column hold them, and the text without them.

What is looked for are the identifiers of the HIPAA Safe Harbor that stand in notes: names, dates, telephone and other
numbers, addresses, e-mail and web addresses, ages over 89. `docs/text.md` says how each is found, how many
are found in texts that were not used to make the finder, and what it cannot promise.
"""

from anonlib.columns.free_text.cells import are_of_another_script, hold_identifiers
from anonlib.columns.free_text.column import FreeText, KindInTexts, holds_sentences, look_inside
from anonlib.columns.free_text.finder import KINDS, MARK, Span, TextKind, find, redacted
from anonlib.columns.free_text.held import is_text, texts_in

__all__ = [
    "KINDS",
    "MARK",
    "FreeText",
    "KindInTexts",
    "Span",
    "TextKind",
    "are_of_another_script",
    "find",
    "hold_identifiers",
    "holds_sentences",
    "is_text",
    "look_inside",
    "redacted",
    "texts_in",
]  # fmt: skip
