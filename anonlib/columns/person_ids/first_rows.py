"""Ids that stand in the first row of a person alone, as where cells were merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.persons.partly import with_missing_flags
from anonlib.reading.records import FrameRecords, Records, TableRecords

_ALONE = 0.8  # share of the ids that stand in one row each
_FEWEST = 2  # rows without an id
_SAME_ROWS = 0.95  # share of the rows without an id that lack the value of another column too
_FILLED = 0.9  # share of the rows with an id that have it
_AGREE, _MORE = 0.9, 0.2  # share of rows that are as the row above, and how much more than of rows with an id


@dataclass(frozen=True)
class Blanks:
    """Rows without an id.

    Attributes
    ----------
    rows, without : int
        Rows, and those without an id.
    fill : tuple[str, ...], default ()
        The columns that have a value in the first row of a person alone, the ids first.
    in_order : bool, default True
        Whether rows have an order.
    """

    rows: int
    without: int
    fill: tuple[str, ...] = ()
    in_order: bool = True


def blanks_of(records: Records, column: str) -> Blanks:
    """The rows without an id, and whether ids stand in the first row of a person alone."""
    sizes = records.sizes_of(column)
    without, n_rows = sizes.missing, records.n_records
    alone = int(sizes.values[sizes.records == 1].sum()) - (1 if without == 1 else 0)
    n_ids = int(sizes.values.sum()) - (1 if without else 0)
    blanks = Blanks(n_rows, without, in_order=isinstance(records, FrameRecords))
    if without < _FEWEST or n_ids < 1 or alone < _ALONE * n_ids:
        return blanks
    if isinstance(records, FrameRecords):
        return Blanks(n_rows, without, _filled_once(records, column))
    assert isinstance(records, TableRecords)
    others = [name for name in records.columns if name != column and _lacks_the_same(records, column, name, without)]
    fill = (column, *others) if others or 2 * without >= n_rows else ()
    return Blanks(n_rows, without, fill, in_order=False)


def _filled_once(records: FrameRecords, column: str) -> tuple[str, ...]:
    frame = records.frame
    blank = np.asarray(frame[column].array.codes) < 0
    if blank[0]:
        return ()
    others, agrees = [], False
    for name in frame.columns:
        if name == column:
            continue
        codes = np.asarray(frame[name].array.codes)
        lacks = codes < 0
        if lacks[blank].mean() >= _SAME_ROWS and (~lacks[~blank]).mean() >= _FILLED:
            others.append(str(name))
        elif not agrees:
            same = np.append(False, codes[1:] == codes[:-1]) & ~lacks
            begins = ~blank
            begins[0] = False
            of_first = same[begins].mean() if begins.any() else 0.0
            agrees = bool(same[blank].mean() >= max(_AGREE, of_first + _MORE))
    return (column, *others) if others or agrees else ()


def _lacks_the_same(records: TableRecords, column: str, name: str, without: int) -> bool:
    """Whether another column lacks a value in nearly all rows without an id, and in few others."""
    counts = records.counts_if_few(name)
    if counts is None or counts.missing < _SAME_ROWS * without or records.counts_if_few(column) is None:
        return False
    flagged, (id_is_there, value_is_there) = with_missing_flags(records, [column, name])
    classes = ClassTable.from_records(flagged, [id_is_there, value_is_there])
    has_id, has_value = (np.array([value == "yes" for value in classes.column(flag)]) for flag in classes.attributes)
    lacks = int(classes.counts[~has_id & ~has_value].sum())
    filled = int(classes.counts[has_id & has_value].sum())
    return lacks >= _SAME_ROWS * without and filled >= _FILLED * int(classes.counts[has_id].sum())
