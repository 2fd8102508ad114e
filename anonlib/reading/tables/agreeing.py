"""Whether two ways to a row's person end at the same one: its own column, and the row that its key names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.reading.records import FrameRecords, TableRecords
from anonlib.reading.records.cells import fetched
from anonlib.reading.tables.candidates import Candidate
from anonlib.reading.tables.comparing import same_kind, share_an_engine
from anonlib.reading.tables.model import Key, NamedTable

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class Agreement:
    """How often the two ways end at the same person.

    Attributes
    ----------
    both : int
        Rows of which both are known.
    differing : int
        Rows of which the two persons differ.
    """

    both: int
    differing: int

    @property
    def share(self) -> float:
        """Share of the rows that agree, 0 to 1; 1 where nothing can be compared."""
        return 1 - self.differing / self.both if self.both else 1.0


def agreement(
    tables: Mapping[str, NamedTable], key: Key | Candidate, columns: Mapping[str, str], keys: Mapping[str, Key]
) -> Agreement | None:
    """How a table's column of person ids agrees with the persons of the rows that a key names.

    Parameters
    ----------
    tables : Mapping[str, NamedTable]
        By name.
    key : Key | Candidate
        Of a table that has a column of person ids.
    columns : Mapping[str, str]
        By table, its column of person ids; all are ids of one kind.
    keys : Mapping[str, Key]
        By table, the keys that are settled: those of the parent, and of all above it.

    Returns
    -------
    None where the two cannot be compared: the parent knows no persons, or is elsewhere.
    """
    way = _way_up(key, columns, keys)
    held = [tables[name].records for name in (key.table, *(each.parent for each in way))]
    if not way or way[-1].parent not in columns:
        return None
    if all(isinstance(each, FrameRecords) for each in held):
        return _in_memory(_frames(tables), way, columns)
    if all(share_an_engine(held[0], each) for each in held):
        return _in_engine({name: tables[name].records for name in tables}, way, columns)  # type: ignore[misc]
    return None


def _way_up(key: Key | Candidate, columns: Mapping[str, str], keys: Mapping[str, Key]) -> list[Key | Candidate]:
    """The keys from a table to the first one above it that has a column of person ids."""
    way = [key]
    while way[-1].parent not in columns and way[-1].parent in keys:
        way.append(keys[way[-1].parent])
    return way


def _frames(tables: Mapping[str, NamedTable]) -> dict[str, pd.DataFrame]:
    return {name: each.records.frame for name, each in tables.items() if isinstance(each.records, FrameRecords)}


def _in_memory(frames: Mapping[str, pd.DataFrame], way: list[Key | Candidate], columns: Mapping[str, str]) -> Agreement:
    row = np.arange(len(frames[way[0].table]))
    for key in way:
        above = rows_named(frames[key.table][key.column].array, frames[key.parent][key.parent_column].array)
        row = np.where(row < 0, -1, above[row])
    own = frames[way[0].table][columns[way[0].table]].array
    theirs = frames[way[-1].parent][columns[way[-1].parent]].array
    place = np.append(pd.Index(theirs.categories).get_indexer(own.categories), -2)[np.asarray(own.codes)]
    other = np.where(row < 0, -1, np.append(np.asarray(theirs.codes), -1)[row])
    both = (np.asarray(own.codes) >= 0) & (other >= 0)
    return Agreement(int(both.sum()), int((both & (place != other)).sum()))


def rows_named(column: pd.Categorical, parent_column: pd.Categorical) -> np.ndarray:
    """Per row the row of the parent whose value it has, of values that are all different; -1 where there is none."""
    codes = np.asarray(parent_column.codes)
    row_of_value = np.full(len(parent_column.categories) + 1, -1, dtype=np.int64)
    row_of_value[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
    place = pd.Index(parent_column.categories).get_indexer(column.categories)
    return np.append(row_of_value[place], -1)[np.asarray(column.codes)]


def _in_engine(
    records: Mapping[str, TableRecords], way: list[Key | Candidate], columns: Mapping[str, str]
) -> Agreement:
    first, last = way[0], way[-1]
    known: ir.Table = _selected(records[last.parent], last.parent_column, columns[last.parent])
    for key in reversed(way[1:]):
        below = _selected(records[key.table], _own_id(way, key.table), key.column)
        known = _joined(below, known)
    rows = _selected(records[first.table], columns[first.table], first.column)
    both = _joined(rows, known)
    one, other = same_kind(both["key"], both["person"])
    filled = both.filter(one.notnull() & other.notnull())
    one, other = same_kind(filled["key"], filled["person"])
    found = fetched(filled.aggregate(n=filled.count(), differing=(one != other).sum())).to_pylist()[0]
    return Agreement(int(found["n"]), int(found["differing"] or 0))


def _own_id(way: list[Key | Candidate], table: str) -> str:
    return next(key.parent_column for key in way if key.parent == table)


def _selected(records: TableRecords, key: str, value: str) -> ir.Table:
    return records.table.select(key=records.table[key], person=records.table[value]).view()


def _joined(below: ir.Table, above: ir.Table) -> ir.Table:
    """Of each row below its key, and the person of the row above that its ``person`` column names."""
    one, other = same_kind(below["person"], above["key"])
    return below.join(above, one == other).select(key=below["key"], person=above["person"])
