"""Lists in cells, such as diagnoses with a mark between them: their items as a table that hangs below the rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.reading.records import FrameRecords, ValueCounts
from anonlib.reading.records.names import unused_name
from anonlib.reading.tables.model import Key, Linked, NamedTable
from anonlib.values.cells import text_categorical

MARKS = (";", "|", ",")
"""What may stand between the items of a list, the likeliest first."""
ROW = "row of the file"
"""The column that names rows, where no key of the file does; it is not released."""
_MOST_ITEMS = 50_000_000  # of all cells of a column
_MOST_VALUES = 200_000  # different cells of a column that are looked at
_OFTEN = 0.05  # share of the filled cells that must hold several items
_AGAIN = 3.0  # how often an item occurs, on average, in what is a list
_LONGEST = 20  # characters of an item: longer ones are sentences
_CODE = re.compile(r"[^\s]+(?: [^\s]+){0,2}")


@dataclass(frozen=True)
class ListColumn:
    """A column whose cells hold lists.

    Attributes
    ----------
    table, column : str
        Where it is.
    mark : str
        What stands between the items; blanks around it are no part of them.
    """

    table: str
    column: str
    mark: str


@dataclass(frozen=True, eq=False)
class Parted:
    """The tables of a case with the items of lists in tables of their own.

    Attributes
    ----------
    tables : tuple[NamedTable, ...]
        Those of the case, and one more for each list.
    linked : Linked
        How they hang together, each list's below the row of its cell.
    file_columns : Mapping[str, tuple[str, ...]]
        By table of the case the columns of its file, lists among them.
    marks : Mapping[str, str]
        By table of items, what stands between them in a cell of the table that it hangs below.
    """

    tables: tuple[NamedTable, ...]
    linked: Linked
    file_columns: Mapping[str, tuple[str, ...]]
    marks: Mapping[str, str]


def mark_of(counts: ValueCounts) -> str:
    """The mark between items, where the cells of a column look like lists; "" where they do not.

    Lists are where one cell in twenty or more holds several short items, none of them empty, that come again and again.

    Parameters
    ----------
    counts : ValueCounts
        How often each value of the column occurs.
    """
    if len(counts.values) > _MOST_VALUES:
        return ""
    occurring = counts.records > 0
    values, records = counts.values[occurring], counts.records[occurring]
    filled = int(records.sum())
    for mark in MARKS:
        several = np.array([mark in value for value in values], dtype=bool)
        if not filled or records[several].sum() < _OFTEN * filled:
            continue
        items = [[item.strip() for item in value.split(mark)] for value in values]
        flat = [item for cell_items in items for item in cell_items]
        if not all(item and len(item) <= _LONGEST and _CODE.fullmatch(item) for item in flat):
            continue
        total = int(sum(len(cell_items) * int(n) for cell_items, n in zip(items, records, strict=True)))
        if total >= _AGAIN * len({*flat}) and len({*flat}) < len(values):
            return mark
    return ""


def items_of(cell: str, mark: str) -> list[str]:
    """The items of a list in a cell, without those that are blank."""
    return [item for part in cell.split(mark) if (item := part.strip())]


def parted(tables: Sequence[NamedTable], linked: Linked, lists: Sequence[ListColumn]) -> Parted:
    """The tables of a case with the items of lists in tables of their own, each below the row of its cell.

    Where nothing else says which rows are of one person, each row of a table with lists is a person.

    Parameters
    ----------
    tables : Sequence[NamedTable]
        Those of the case.
    linked : Linked
        How they hang together.
    lists : Sequence[ListColumn]
        The columns whose cells are lists.

    Raises
    ------
    InputError
        When a list is in no column of a table, the table stays in an engine, or there are too many items.
    """
    held = {table.name: table for table in tables}
    file_columns = {table.name: tuple(table.columns) for table in tables}
    item_tables, marks = list[NamedTable](), dict[str, str]()
    for table in {list_column.table: None for list_column in lists}:
        _check(table, held, lists)
        own = [list_column for list_column in lists if list_column.table == table]
        held[table], key, linked = _with_key(held[table], linked)
        for own_list in own:
            name = unused_name(f"{own_list.column} of {table}" if len(held) > 1 else own_list.column, [*held, *marks])
            items = _items(held[table], key, own_list)
            marks[name] = own_list.mark
            item_tables.append(NamedTable(name, None, items, items.digest))
            linked = replace(linked, keys=(*linked.keys, Key(name, key, table, key, 1.0)))
        records = held[table].records
        held[table] = replace(held[table], records=records.drop([list_column.column for list_column in own]))
    return Parted((*held.values(), *item_tables), linked, file_columns, marks)


def _check(table: str, held: Mapping[str, NamedTable], lists: Sequence[ListColumn]) -> None:
    for list_column in lists:
        if list_column.table == table and (table not in held or list_column.column not in held[table].columns):
            raise InputError(
                f"There is no column “{list_column.column}” in “{table}” that could hold lists.", code="column-unknown"
            )
    if held[table].stays:
        raise InputError(
            f"Lists in cells are looked at in memory alone, and “{table}” stays in a database. Open it as a file, or "
            "leave its lists as they are.",
            code="records-in-a-database",
        )


def _with_key(table: NamedTable, linked: Linked) -> tuple[NamedTable, str, Linked]:
    """The table with a column that names its rows, and how the tables hang together then."""
    records = table.records
    assert isinstance(records, FrameRecords)
    key = unused_name(ROW, table.columns)
    numbers = pd.Index([str(number) for number in range(1, records.n_records + 1)], dtype=object)
    named = pd.Categorical.from_codes(np.arange(records.n_records), categories=numbers)
    table = replace(table, records=replace(records, frame=records.frame.assign(**{key: named})))
    if not linked.person_columns:
        linked = replace(linked, person_table=table.name, person_columns={table.name: key})
    return table, key, linked


def _items(table: NamedTable, key: str, of: ListColumn) -> FrameRecords:
    """A row an item, with the key of the row that it is in a cell of."""
    records = table.records
    assert isinstance(records, FrameRecords)
    cells, keys = records.frame[of.column].array, records.frame[key].array
    lists = [items_of(value, of.mark) for value in cells.categories]
    codes = np.asarray(cells.codes)
    lengths = np.append([len(cell_items) for cell_items in lists], 0).astype(np.int64)[codes]
    if int(lengths.sum()) > _MOST_ITEMS:
        raise InputError(
            f"The lists in “{of.column}” have more than {_MOST_ITEMS:,} items. Leave some records out.",
            code="lists-too-long",
            column=of.column,
        )
    row = np.repeat(np.arange(len(codes)), lengths)
    texts = [item for code in codes[codes >= 0].tolist() for item in lists[code]]
    named = pd.Categorical.from_codes(np.asarray(keys.codes)[row], dtype=keys.dtype)
    return FrameRecords(pd.DataFrame({key: named, of.column: text_categorical(texts)}))
