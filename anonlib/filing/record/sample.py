"""A mock-up sample of a release: rows of values that enough share, each drawn by itself, and no row of it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonlib.counting.classes import ClassTable, counts_in
from anonlib.dataset import Dataset
from anonlib.filing.project import Opened
from anonlib.filing.record.dictionary import csv_of
from anonlib.filing.record.listed import ListedColumn
from anonlib.reading.records import TableRecords

ROWS = 20
"""Rows of a sample, at most."""
TRIES = 100
"""How often a row that the release has is drawn again before it is given up."""
TEXT = "text"
"""What stands for a free text."""
_SEED = 2025_327  # no secret: what is drawn is as public as what it is drawn from

Row = tuple[str | None, ...]
"""The values of a row, without the numbers of persons; None where a cell is empty."""


def mock_up(opened: Opened, columns: Sequence[ListedColumn]) -> tuple[Row, ...]:
    """Different rows of which none is in the release.

    Whether the original has one of them is not looked at: that it is not here would tell of a row that did not leave.

    Parameters
    ----------
    opened : Opened
        The project on its files. Only what leaves is looked at.
    columns : Sequence[ListedColumn]
        Those that leave, with the values that enough share.

    Returns
    -------
    tuple of Row
        At most :data:`ROWS`; fewer, or none, where nothing else could be drawn. As a row says that nobody has it, none
        says of those who share what may be known of them that none has some sensitive value.
    """
    drawn_of = [column for column in columns if column.kind != "person"]
    choices = [_choices(column) for column in drawn_of]
    if not any(column.labels for column in drawn_of):
        return ()
    lot = random.Random(_SEED)
    tried = [[_draw(choices, lot) for _ in range(TRIES + 1)] for _ in range(ROWS)]
    different = list(dict.fromkeys(row for rows in tried for row in rows))
    may_be_shown = _may_be_shown(opened.applied.released.in_codes(), [column.name for column in drawn_of], different)
    found: dict[Row, None] = {}
    for rows in tried:
        row = next((row for row in rows if row in may_be_shown and row not in found), None)
        if row is not None:
            found[row] = None
    return tuple(found)


def as_csv(columns: Sequence[ListedColumn], rows: Sequence[Row]) -> bytes:
    """The sample as the CSV of the release would have it, with persons numbered from 1."""
    texts = [
        {**dict(zip(column.labels, column.texts, strict=True)), None: "", TEXT: TEXT}
        for column in columns
        if column.kind != "person"
    ]
    written = []
    for number, row in enumerate(rows, start=1):
        cells = iter([text_of[value] for text_of, value in zip(texts, row, strict=True)])
        written.append([str(number) if column.kind == "person" else next(cells) for column in columns])
    return csv_of([[column.header for column in columns], *written])


def _choices(column: ListedColumn) -> Sequence[str | None]:
    if column.kind == "text":
        return (TEXT,)
    return column.labels or (None,)


def _draw(choices: Sequence[Sequence[str | None]], lot: random.Random) -> Row:
    """One value of each, uniformly; only :meth:`random.Random.random` is the same in every version of Python."""
    return tuple(values[int(lot.random() * len(values))] for values in choices)


def _may_be_shown(released: Dataset, names: Sequence[str], rows: Sequence[Row]) -> set[Row]:
    """The rows that the release has not, and that tell of nobody in it that a sensitive value is not theirs."""
    drawn = pd.DataFrame(rows, columns=list(names), dtype=object)
    hidden = _occur(released, drawn, names)
    known = [name for name in names if name in released.quasi_identifiers]
    sensitive = [name for name in names if name in released.sensitive]
    if known and sensitive:
        people = _occur(released, drawn, known)
        for name in sensitive:
            hidden |= people & ~_occur(released, drawn, [*known, name])
    return {row for row, is_hidden in zip(rows, hidden, strict=True) if not is_hidden}


def _occur(data: Dataset, drawn: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    """bool per drawn row: a record of the data has its values in these columns."""
    rows, held = ClassTable.from_frame(drawn, names), data.held
    if isinstance(held, TableRecords):  # only those are fetched that are asked about
        held = held.label(rows, np.ones(rows.n_classes, dtype=bool))
    found = counts_in(rows, ClassTable.from_records(held, names)) > 0
    assert rows.class_of_record is not None
    return found[rows.class_of_record]
