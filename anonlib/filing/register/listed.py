"""Entries chosen by words, and as a table to take away."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

import pandas as pd

from anonlib.filing.case import ITEMS
from anonlib.filing.register.entry import Entry
from anonlib.release.export import table_csv

_SEARCHED = ("title", "reference", "recipient", "requester", "purpose", "contract", "author")


def has_words(entry: Entry, text: str) -> bool:
    """Whether all words of a text occur in what an entry says, in capitals or small letters.

    Looked at are title, reference, recipient, requester, purpose, contract and author of its case, the kind of
    recipient, the name of the file, and the columns.
    """
    parts = [getattr(entry.case, name) for name in _SEARCHED]
    whole = _folded("\n".join([*parts, entry.kind_name, entry.file, *entry.columns, *entry.original_columns]))
    return all(word in whole for word in _folded(text).split())


def to_csv(entries: Iterable[Entry]) -> bytes:
    """Entries as CSV in UTF-8, a row each under a header in plain words; what would be a formula is plain text.

    Parameters
    ----------
    entries : Iterable[Entry]
        In the order in which they are to stand.
    """
    listed = list(entries)
    columns = {name: pd.Series([of(entry) for entry in listed], dtype=object) for name, of in _columns().items()}
    return table_csv(pd.DataFrame(columns))


def _columns() -> dict[str, Callable[[Entry], object]]:
    """By header, what stands below it."""
    return {
        "Number": lambda entry: entry.number,
        "First released (UTC)": lambda entry: entry.entered,
        "Last released (UTC)": lambda entry: entry.latest,
        **{item.label: _of_case(item.name) for item in ITEMS},
        "Kind of recipient": lambda entry: entry.kind_name,
        "Public": lambda entry: _yes(entry.is_public),
        "Returned or deleted": lambda entry: entry.closed,
        "Note on that": lambda entry: entry.closing_note,
        "Assess again by": lambda entry: entry.reassess,
        "File": lambda entry: entry.file,
        "SHA-256 of the file": lambda entry: entry.original,
        "Columns of the file": lambda entry: ", ".join(entry.original_columns),
        "Columns released": lambda entry: ", ".join(entry.columns),
        "Records released": lambda entry: entry.records,
        "Persons released": lambda entry: entry.persons,
        "SHA-256 of what was released": lambda entry: ", ".join(f"{kind} {sha}" for kind, sha in entry.formats.items()),
        "Digest of the recipe": lambda entry: entry.recipe,
        "Digest of the project": lambda entry: entry.project,
        "Verdict": lambda entry: entry.verdict,
        "Met all criteria": lambda entry: _yes(entry.may_leave),
        "Left anyway, because": lambda entry: entry.leaves_anyway,
        "Pseudonyms by key": lambda entry: "" if entry.pseudonyms is None else entry.pseudonyms.in_words,
        "Persons found again by": lambda entry: ", ".join(each.column for each in entry.found_by),
    }


def _of_case(name: str) -> Callable[[Entry], object]:
    if name == "until":  # as it is in the register, where it may have been changed
        return lambda entry: entry.until
    return lambda entry: getattr(entry.case, name)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
