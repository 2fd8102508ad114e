"""What a sheet does not show, and cells that it shows over several rows: read like the others, and named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.basics.words import count, listed, quoted

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_COLUMN = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*\bref\s*=\s*[\"']([A-Z]+)(\d+):([A-Z]+)(\d+)[\"']")
_ATTRIBUTE = re.compile(rb"\b(r|min|max|hidden|width|ht)\s*=\s*[\"']([^\"']*)[\"']")
_MOST_COLUMNS = 16_384


@dataclass(frozen=True)
class Hidden:
    """What a sheet does not show as cells of their own.

    Attributes
    ----------
    rows : frozenset[int], default frozenset()
        The hidden rows, counted from 1.
    columns : frozenset[int], default frozenset()
        The hidden columns, counted from 1.
    merged : tuple[tuple[int, int], ...], default ()
        Cells that reach over several rows: the first column of each, counted from 1, and over how many rows.
    """

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    merged: tuple[tuple[int, int], ...] = ()

    def notes(self, records: Sequence[int], names: Sequence[str]) -> list[str]:
        """Sentences on what is hidden or merged among the records of a table.

        Parameters
        ----------
        records : Sequence[int]
            The rows of the sheet that the records stand in, counted from 1.
        names : Sequence[str]
            The names of the columns.
        """
        notes = []
        rows = [row for row in records if row in self.rows]
        if rows:
            notes.append(
                f"Hidden in the workbook and read like the others: {count(len(rows), 'rows')}, {listed(rows)}. If they "
                "are not to be used, delete them from the sheet and load it again."
            )
        columns = [names[column - 1] for column in sorted(self.columns) if column <= len(names)]
        if columns:
            notes.append(
                f"Hidden in the workbook and read like the others: column {quoted(columns)}. It leaves unless it is "
                "dropped."
                if len(columns) == 1
                else f"Hidden in the workbook and read like the others: columns {quoted(columns)}. They leave unless "
                "they are dropped."
            )
        merged = Counter(column for column, _ in self.merged if column <= len(names))
        if merged and records:
            which = quoted([names[column - 1] for column in sorted(merged)])
            notes.append(
                f"In {which}, {count(sum(merged.values()), 'cells')} of the workbook reach over several rows; each "
                "gives its value to the first of them, and the others are blank."
            )
        return notes


NOTHING = Hidden()
"""Nothing is hidden or merged."""


def hidden_in_xml(xml: bytes) -> Hidden:
    """What is hidden or merged in a sheet of an Excel workbook, by its XML."""
    rows, columns = set[int](), set[int]()
    for number, found in enumerate(_ROW.finditer(xml), start=1):
        about: dict[bytes, bytes] = dict(_ATTRIBUTE.findall(found[1]))
        if _is_hidden(about, b"ht"):
            rows.add(int(about.get(b"r", str(number).encode())))
    for found in _COLUMN.finditer(xml):
        about = dict(_ATTRIBUTE.findall(found[1]))
        if _is_hidden(about, b"width") and b"min" in about:
            first, last = int(about[b"min"]), int(about.get(b"max", about[b"min"]))
            columns.update(range(first, min(last, _MOST_COLUMNS) + 1))
    merged = [
        (_column(begin), int(last) - int(first) + 1) for begin, first, _, last in _MERGED.findall(xml) if first != last
    ]
    return Hidden(frozenset(rows), frozenset(columns), tuple(merged))


def _is_hidden(about: dict[bytes, bytes], size: bytes) -> bool:
    if about.get(b"hidden", b"0") in (b"1", b"true"):
        return True
    return size in about and about[size].strip(b"0.") == b""


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
