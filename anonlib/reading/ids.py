"""How ids of persons are read: filled down, spellings of one number as one, and beside a column such as a hospital."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.reading.records import FrameRecords, Labels, Records, TableRecords
from anonlib.reading.sources.marks import with_categories
from anonlib.values.cells import natural_order
from anonlib.values.ids import written_alike


@dataclass(frozen=True)
class IdsRead:
    """How the ids of persons are read, as the officer says.

    Attributes
    ----------
    column : str
        The column of the ids.
    fill_down : tuple[str, ...], default ()
        Columns whose blank cells have the value of the row above, where that row or one above it has an id and those
        between have none.
    one_spelling : bool, default False
        Whether ids that are one number written in several ways are one id
        (:func:`anonlib.values.ids.written_alike`).
    within : str, default ""
        A column, such as a hospital, each value of which has ids of its own; "" for none.
    """

    column: str
    fill_down: tuple[str, ...] = ()
    one_spelling: bool = False
    within: str = ""

    @property
    def changes(self) -> bool:
        """Whether anything is read otherwise than it stands there."""
        return bool(self.fill_down or self.one_spelling or self.within)

    def on(self, columns: Sequence[str]) -> IdsRead | None:
        """What of it holds for a file of these columns; None where the ids are not among them."""
        if self.column not in columns:
            return None
        fill = tuple(name for name in self.fill_down if name in columns)
        return IdsRead(self.column, fill, self.one_spelling, self.within if self.within in columns else "")


def filled_down(frame: pd.DataFrame, ids: IdsRead | None) -> pd.DataFrame:
    """A frame with blank cells of rows without an id filled from the last row above that has one.

    Rows above the first id stay as they are, and so does a blank cell where that row has none either.

    Parameters
    ----------
    frame : pd.DataFrame
        Categoricals of text in the order of the file, in which blank cells are missing.
    ids : IdsRead, optional
        How ids are read; None changes nothing.
    """
    if ids is None or not ids.fill_down:
        return frame
    has_id = np.asarray(frame[ids.column].array.codes) >= 0
    first = np.maximum.accumulate(np.where(has_id, np.arange(len(frame)), -1))
    changed = {}
    for name in ids.fill_down:
        column = frame[name].array
        codes = np.asarray(column.codes)
        fill = ~has_id & (first >= 0) & (codes < 0)
        changed[name] = pd.Categorical.from_codes(
            np.where(fill, codes[first], codes), categories=column.categories, ordered=column.ordered
        )
    return frame.assign(**changed)


def with_ids_read(records: Records, ids: IdsRead | None) -> Records:
    """The records with one id for spellings of one number, and beside another column, as the officer says.

    Parameters
    ----------
    records : Records
        The records, filled down already where they are in memory.
    ids : IdsRead, optional
        How ids are read; None changes nothing.

    Raises
    ------
    InputError
        Where ids are to be filled down in an engine, whose rows have no order.
    """
    if ids is None:
        return records
    if ids.fill_down and isinstance(records, TableRecords):
        raise InputError(
            "Rows in a database have no order in which ids could be filled down. Fill them down before it is opened.",
            code="rows-without-order",
            column=ids.column,
        )
    if ids.one_spelling:
        records = _with_one_spelling(records, ids.column)
    return records.paired(ids.column, ids.within) if ids.within else records


def _with_one_spelling(records: Records, column: str) -> Records:
    counts = records.counts_of(column)
    target = np.arange(len(counts.values))
    for group in written_alike(counts.values):
        target[group] = max(group, key=lambda i: (counts.records[i], -i))
    if (target == np.arange(len(target))).all():
        return records
    if isinstance(records, FrameRecords):
        column_before = records.frame[column].array
        place = dict(zip(counts.values.tolist(), counts.values[target].tolist(), strict=True))
        names = pd.Index([place.get(value, value) for value in column_before.categories])
        spellings = names.unique()
        after = with_categories(column_before, spellings.get_indexer(names), spellings)
        return records.with_frame(records.frame.assign(**{column: after}))
    labels = counts.values[target]
    different = pd.unique(labels)
    return records.recode(column, Labels(counts.values, labels, different[natural_order(different)]))
