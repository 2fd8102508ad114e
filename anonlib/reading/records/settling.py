"""Records of several tables after a change to them: what tables cannot have is put right."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.reading.records.cells import cell_text
from anonlib.reading.records.layout import NO_CELL, Layout, TablePlace

if TYPE_CHECKING:
    import ibis.expr.types as ir


# ---- in memory ----


def in_their_tables(frame: pd.DataFrame, layout: Layout) -> np.ndarray:
    """bool per record: no row that it hangs below was left out."""
    stays = np.ones(len(frame), dtype=bool)
    for place in layout.tables:
        if place.row:
            stays &= (_row_codes(frame, place) < 0) | (record_of(frame, layout, place) >= 0)
    return stays


def settled_columns(frame: pd.DataFrame, layout: Layout, recoded: str | None = None) -> dict[str, pd.Categorical]:
    """By column that has to change: a record has the cells of the rows that it hangs below, and of its person.

    Parameters
    ----------
    frame : pd.DataFrame
        One row a record, of which none hangs below a row that was left out.
    layout : Layout
        Where the tables lie.
    recoded : str, optional
        The column whose values were recoded, each alike, where that is all that was changed ("" for nothing); None
        where anything may have changed.
    """
    changed = {}
    for place in layout.tables:
        for of_person in (False, True):
            columns = [
                name for name in _looked_at(place, frame.columns, recoded) if of_person == (name in place.of_person)
            ]
            record = record_of(frame, layout, place, of_person) if columns else np.array([], dtype=np.int64)
            for name in columns:
                codes = np.asarray(frame[name].array.codes)
                settled = np.append(codes, -1)[record]
                if not np.array_equal(settled, codes):
                    changed[name] = pd.Categorical.from_codes(settled, dtype=frame[name].array.dtype)
    return changed


def without_cells_apart(frame: pd.DataFrame, layout: Layout, columns: Collection[str]) -> pd.DataFrame:
    """The frame with :data:`NO_CELL` in some columns where a record cannot have a cell, apart from missing ones."""
    changed = {}
    for place in layout.tables:
        for name in _looked_at(place, columns, None):
            held = frame[name].array
            has_none = record_of(frame, layout, place, name in place.of_person) < 0
            codes = np.where(has_none, len(held.categories), held.codes)
            changed[name] = pd.Categorical.from_codes(
                codes, categories=held.categories.append(pd.Index([NO_CELL], dtype=object))
            )
    return frame.assign(**changed)


def record_of(frame: pd.DataFrame, layout: Layout, place: TablePlace, of_person: bool = False) -> np.ndarray:
    """int64, per record the one that is its row of a table: itself, one that it hangs below, or -1 for none.

    ``of_person``: where it has none, the first of its person that is there.
    """
    of_table = frame[layout.table].array
    own = np.asarray(of_table.codes) == of_table.categories.get_indexer([place.name])[0]
    record = np.where(own, np.arange(len(frame)), -1)
    if place.row:
        row = _row_codes(frame, place)
        of_row = np.full(len(frame[place.row].array.categories) + 1, -1, dtype=np.int64)  # the last one: of no row
        of_row[row[own]] = np.flatnonzero(own)
        of_row[-1] = -1
        record = of_row[row]
    if not of_person:
        return record
    person = np.asarray(frame[layout.person].array.codes)
    first = np.full(len(frame[layout.person].array.categories) + 1, -1, dtype=np.int64)
    rows = np.flatnonzero(own)[::-1]  # the first one is written last
    first[person[rows]] = rows
    first[-1] = -1
    return np.where(record >= 0, record, first[person])


def _looked_at(place: TablePlace, held: Collection[str], recoded: str | None) -> list[str]:
    """The columns of a table whose cells may not be as they must."""
    return [name for _, name in place.columns if name in held and recoded in (None, name)]


def _row_codes(frame: pd.DataFrame, place: TablePlace) -> np.ndarray:
    """Per record a number of its row of a table, -1 where it has none."""
    return np.asarray(frame[place.row].array.codes)


# ---- in an engine ----


def settled_table(table: ir.Table, layout: Layout, recoded: str | None = None) -> ir.Table:
    """The same of records in an engine, where cells are not changed row by row: all have those of the rows above."""
    stays = []
    for place in layout.tables:
        if place.row and recoded is None:
            own = table.filter(cell_text(table[layout.table]) == place.name).view()
            stays.append(table[place.row].isnull() | table[place.row].isin(own[place.row]))
    if stays:
        table = table.filter(stays)
    blank = {}
    for place in layout.tables:
        for name in _looked_at(place, table.columns, recoded):
            blank[name] = has_cells(table, layout, place, name in place.of_person).ifelse(table[name], None)
    return table.mutate(**blank) if blank else table


def has_cells(table: ir.Table, layout: Layout, place: TablePlace, of_person: bool = False) -> ir.BooleanColumn:
    """Whether a record is a row of a table or hangs below one; or, where asked, whether its person has such a row."""
    own = cell_text(table[layout.table]) == place.name
    found = own | table[place.row].notnull() if place.row else own
    if of_person:
        found = found | (table[layout.person].notnull() & own.any().over(group_by=table[layout.person]))
    return found


def spread_over_persons(table: ir.Table, layout: Layout) -> ir.Table:
    """What a table says of the person in all of the person's records: where rows differ, the last value in order."""
    spread = {}
    for place in layout.tables:
        for name in place.of_person:
            own = cell_text(table[layout.table]) == place.name
            of_person = own.ifelse(table[name], None).max().over(group_by=table[layout.person])
            known = table[layout.person].notnull() & ~has_cells(table, layout, place)
            spread[name] = known.ifelse(of_person, table[name])
    return table.mutate(**spread) if spread else table
