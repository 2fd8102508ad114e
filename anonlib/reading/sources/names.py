"""Column names: visible, distinct, not empty, not too many; every change is reported."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from anonlib.reading.sources.reading import Limits

_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")
_LONGEST_NAME = 200


def column_names(cells: Sequence[str], width: int, limits: Limits) -> tuple[list[str], list[str]]:
    """Column names that are visible, distinct and not empty, with notes on each change.

    Raises
    ------
    InputError
        When there are more columns than the limit.
    """
    check_width(width, limits)
    cleaned = [_clean(cell) for cell in cells] + [""] * (width - len(cells))
    notes = []
    changed = [i + 1 for i, cell in enumerate(cells) if cell.strip() and cleaned[i] != cell[:_LONGEST_NAME]]
    if changed:
        notes.append(f"Blanks and invisible characters were taken out of the name of column {listed(changed)}.")
    long = [i + 1 for i, name in enumerate(cleaned) if len(name) > _LONGEST_NAME]
    if long:
        notes.append(f"The name of column {listed(long)} was cut to {_LONGEST_NAME} characters.")
    cleaned = [name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…" for name in cleaned]
    empty = [i for i, name in enumerate(cleaned) if not name]
    taken = set(cleaned)
    if empty and cells:
        notes.append(f"Without a name, and so named by position: column {listed([i + 1 for i in empty])}.")
    for i in empty:
        cleaned[i] = _free(f"column {i + 1}", taken)
    renamed = _make_distinct(cleaned)
    if renamed:
        notes.append(
            f"Several columns had the same name, so column {listed([i + 1 for i in renamed])} got a number after it."
        )
    return cleaned, notes


def check_width(width: int, limits: Limits) -> None:
    """Raises InputError when a table is wider than the limit."""
    if width > limits.columns:
        raise InputError(
            f"The table has {width:,} columns; at most {limits.columns:,} are read. "
            "Keep the columns you need, or check that records stand in rows, not in columns.",
            code="too-many-columns",
        )


def _free(name: str, taken: set[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    taken.add(free)
    return free


def _make_distinct(names: list[str]) -> list[int]:
    """Gives the second and later columns of a name a number; returns their positions."""
    taken, seen, renamed = set(names), set(), []
    for i, name in enumerate(names):
        if name in seen:
            names[i] = _free(name, taken)
            renamed.append(i)
        seen.add(names[i])
    return renamed


def _clean(name: str) -> str:
    text = _OVERRIDES.sub("", name)
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs") else c for c in text)
    before = None
    while before != text:
        before, text = text, text.strip().strip(_INVISIBLE)
    return text if text == name.strip() else " ".join(text.split())
