"""Data dictionaries: what a document beside a file says of its columns, whatever it is written in."""

from anonlib.columns.dictionaries.dictionary import Dictionary
from anonlib.columns.dictionaries.opening import FORMS, MOST_COLUMNS, MOST_LABELS, read_dictionary

__all__ = ["FORMS", "MOST_COLUMNS", "MOST_LABELS", "Dictionary", "read_dictionary"]
