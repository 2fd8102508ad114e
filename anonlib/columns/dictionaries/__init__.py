"""Data dictionaries: what a document beside a file says of its columns, whatever it is written in."""

from anonlib.columns.dictionaries.dictionary import Dictionary
from anonlib.columns.dictionaries.opening import FORMS, read_dictionary

__all__ = ["FORMS", "Dictionary", "read_dictionary"]
