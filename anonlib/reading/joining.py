"""The tables of a case as one: each row with what it hangs below, as who looks at the rows of a person sees it.

A join of all tables would hold each visit's laboratory values beside each of its diagnoses. This holds each of them
once, beside its visit and its person, and is as long as the tables are together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.reading.records import FrameRecords, Records, TableRecords, engines
from anonlib.reading.records.engines import cell_text, fetched
from anonlib.reading.records.layout import (
    TablePlace,
    TablesLayout,
    has_cells,
    names_of_columns,
    record_of,
    settled_columns,
    spread_over_persons,
)
from anonlib.reading.records.names import unused_name
from anonlib.reading.tables import Linked, ListColumn, NamedTable
from anonlib.reading.tables.lists import Parted, parted
from anonlib.values.cells import text_categorical

if TYPE_CHECKING:
    import ibis.expr.types as ir


_SELDOM = 0.1  # of the persons with several rows in a table, for whom a column that is of persons may change


@dataclass(frozen=True, eq=False)
class Joined:
    """The tables of a case as one.

    Attributes
    ----------
    records : Records
        A record a row of any table; hidden columns are among theirs.
    layout : TablesLayout
        Where each table lies in them.
    """

    records: Records
    layout: TablesLayout


def join(tables: Sequence[NamedTable], linked: Linked, lists: Sequence[ListColumn] = ()) -> Joined:
    """The tables of a case as one: every row of each, with the cells of the rows that it hangs below.

    A row whose key is in no row above hangs below its person, where it names one. A row without a person is a person
    of its own.

    Parameters
    ----------
    tables : Sequence[NamedTable]
        All in memory, or all in one engine.
    linked : Linked
        How they hang together.
    lists : Sequence[ListColumn], default ()
        The columns whose cells hold lists: each item is then a row below the row of its cell.

    Raises
    ------
    InputError
        Where no table names persons, or some tables are in memory and others are not.
    """
    split = parted(tables, linked, lists)
    tables, layout = split.tables, _with_columns_of_persons(split, layout_of(split))
    by_name = {table.name: table.records for table in tables}
    in_memory = {name: held for name, held in by_name.items() if isinstance(held, FrameRecords)}
    in_engine = {name: held for name, held in by_name.items() if isinstance(held, TableRecords)}
    if len(in_memory) == len(by_name):
        return Joined(FrameRecords(_frame({name: held.frame for name, held in in_memory.items()}, layout)), layout)
    if len(in_engine) == len(by_name):
        table = _table({name: held.table for name, held in in_engine.items()}, layout)
        return Joined(TableRecords(engines.named(table, kept=True)), layout)  # or each count would join again
    raise InputError(
        "Some of these tables are in memory and others in a database. Open all of them from one place.",
        code="tables-in-two-places",
    )


@dataclass(frozen=True)
class RowsOfTable:
    """How many rows of a table there are, and how many of them name no row of the table that they hang below."""

    rows: int
    names_none: int


def rows_of_tables(records: Records, layout: TablesLayout) -> dict[str, RowsOfTable]:
    """By table its rows among joined records, wherever these are."""
    if isinstance(records, FrameRecords):
        by_table = {}
        of_table = np.asarray(records.frame[layout.table].astype(object))
        for place in layout.tables:
            own = of_table == place.name
            above = layout.by_name[place.parent].row if place.parent else ""
            stray = own & records.frame[above].isna().to_numpy() if above else np.zeros(len(own), dtype=bool)
            by_table[place.name] = RowsOfTable(int(own.sum()), int(stray.sum()))
        return by_table
    assert isinstance(records, TableRecords)
    of_table, counts = records.cell(layout.table), {}
    for i, place in enumerate(layout.tables):
        own = of_table == place.name
        counts[f"rows {i}"] = own.sum()
        if place.parent:
            counts[f"stray {i}"] = (own & records.table[layout.by_name[place.parent].row].isnull()).sum()
    (held,) = fetched(records.table.aggregate(**counts)).to_pylist()
    return {
        place.name: RowsOfTable(int(held[f"rows {i}"] or 0), int(held.get(f"stray {i}") or 0))
        for i, place in enumerate(layout.tables)
    }


def records_without(records: Records, layout: TablesLayout) -> dict[str, int]:
    """By column of a table, how many records have no cell in it since they are not of that table, nor below it."""
    places = {
        (place.name, is_of_person): place
        for place in layout.tables
        for is_of_person in (False, True)[: 1 + bool(place.of_person)]
    }
    if isinstance(records, FrameRecords):
        without = {
            key: int((record_of(records.frame, layout, place, key[1]) < 0).sum()) for key, place in places.items()
        }
    else:
        assert isinstance(records, TableRecords)
        table = records.table
        marked = table.select(
            **{f"{i}": has_cells(table, layout, place, key[1]) for i, (key, place) in enumerate(places.items())}
        )
        counts = {name: (~marked[name].fill_null(False)).sum() for name in marked.columns}
        (held,) = fetched(marked.aggregate(**counts)).to_pylist()
        without = {key: int(held[f"{i}"] or 0) for i, key in enumerate(places)}
    return {
        column: without[place.name, column in place.of_person] for place in layout.tables for _, column in place.columns
    }


def _with_columns_of_persons(split: Parted, layout: TablesLayout) -> TablesLayout:
    """The layout with the columns that say something of persons although no table has a row a person.

    Such as the sex that each visit repeats: who knows a person and a laboratory value knows it. They change for few of
    those who have several rows there.
    """
    if split.linked.person_table is not None:
        return layout
    held = {table.name: table.records for table in split.tables}
    places = []
    for place in layout.tables:
        is_root = place.person and not place.parent
        if is_root and any(place not in (other, *layout.above(other)) for other in layout.tables):
            several, _ = held[place.name].persons_of_several_rows(place.person)
            changing = held[place.name].changing_within(place.person, list(place.named))
            stay = [column for name, column in place.columns if several and changing[name] <= _SELDOM * several]
            place = replace(place, of_person=tuple(stay))
        places.append(place)
    return replace(layout, tables=tuple(places))


def layout_of(split: Parted) -> TablesLayout:
    """Where each table will lie among the joined records. Raises InputError where no table names persons."""
    tables, linked = split.tables, split.linked
    if not linked.person_columns:
        raise InputError(
            "No column of these tables says which rows are of one person. Say which one does, or open a single table.",
            code="no-person-id",
        )
    parents = {key.table: key for key in linked.keys}
    named_by: dict[str, dict[str, None]] = {}  # by table the columns that name its rows, each once
    for key in linked.keys:
        named_by.setdefault(key.parent, {})[key.parent_column] = None
    columns = {table.name: table.records.columns for table in tables}
    digests = {table.name: table.digest for table in tables}
    ordered = [*_parents_first(list(columns), {name: key.parent for name, key in parents.items()})]
    of_persons = linked.person_table or next(name for name in ordered if name in linked.person_columns)
    person = linked.person_columns[of_persons]
    keys = {
        name: {
            linked.person_columns.get(name),
            parents[name].column if name in parents else None,
            *named_by.get(name, ()),
        }
        for name in ordered
    }
    own = {name: [column for column in columns[name] if column not in keys[name]] for name in ordered}
    named = names_of_columns(own, person)
    taken = [person, *(column for of_table in named.values() for column in of_table.values())]
    hidden = dict[str, str]()
    for name in ["", *(name for name in ordered if name in named_by)]:
        hidden[name] = unused_name(f"row of {name}" if name else "table", [*taken, *hidden.values()])
    numbers = dict[str, str]()
    for name in (name for name in ordered if name in named_by and name != linked.person_table):
        numbers[name] = unused_name(f"number of {name}", [*taken, *hidden.values(), *numbers.values()])
    places = [
        TablePlace(
            name,
            split.file_columns.get(name, ()),
            tuple(named[name].items()),
            person=linked.person_columns.get(name, ""),
            keys=tuple(
                column
                for column in named_by.get(name, ())
                if name != linked.person_table or column != linked.person_columns[name]
            ),
            parent=parents[name].parent if name in parents else "",
            parent_column=parents[name].column if name in parents else "",
            parent_key=parents[name].parent_column if name in parents else "",
            row=hidden.get(name, ""),
            number=numbers.get(name, ""),
            mark=split.marks.get(name, ""),
            digest=digests[name],
        )
        for name in ordered
    ]
    return TablesLayout(tuple(places), person, hidden[""], linked.person_table or "")


def _parents_first(names: Sequence[str], parents: Mapping[str, str]) -> Iterator[str]:
    """The tables in their order, each after what it hangs below."""
    given = set[str]()
    for name in names:
        above = [name]
        while (parent := parents.get(above[-1])) is not None and parent not in above:
            above.append(parent)
        for table_name in reversed(above):
            if table_name not in given:
                given.add(table_name)
                yield table_name


# ---- in memory ----


def _frame(frames: Mapping[str, pd.DataFrame], layout: TablesLayout) -> pd.DataFrame:
    rows, persons = dict[str, dict[str, np.ndarray]](), dict[str, np.ndarray]()
    for place in layout.tables:
        rows[place.name], persons[place.name] = _above(place, frames, rows, persons, layout)
    lengths = [len(frames[place.name]) for place in layout.tables]
    names = [place.name for place in layout.tables]
    columns: dict[str, pd.Categorical] = {
        layout.person: text_categorical(np.concatenate([persons[name] for name in names]).tolist()),
    }
    for place in layout.tables:
        row = np.concatenate(
            [rows[name].get(place.name, np.full(n, -1)) for name, n in zip(names, lengths, strict=True)]
        )
        for file_column, column in place.columns:
            held = frames[place.name][file_column].array
            columns[column] = pd.Categorical.from_codes(np.append(held.codes, -1)[row], dtype=held.dtype)
        if place.row:
            texts = pd.Index([str(number) for number in range(len(frames[place.name]))], dtype=object)
            columns[place.row] = pd.Categorical.from_codes(row, categories=texts)
        if place.number:
            number = _numbers(persons[place.name], frames[place.name][min(place.keys)])
            texts = pd.Index([str(n) for n in range(int(number.max(initial=-1)) + 1)], dtype=object)
            columns[place.number] = pd.Categorical.from_codes(np.append(number, -1)[row], categories=texts)
    of_table = np.repeat(np.arange(len(names)), lengths)
    columns[layout.table] = pd.Categorical.from_codes(of_table, categories=pd.Index(names, dtype=object))
    hidden = [*layout.hidden[1:], layout.table]  # in an engine's order, since rows are drawn by what they hold in order
    columns |= {name: columns.pop(name) for name in hidden}
    frame = pd.DataFrame(columns)
    return frame.assign(**settled_columns(frame, layout))


def _numbers(persons: np.ndarray, keys: pd.Series) -> np.ndarray:
    """Per row of a table its number among those of its person, from 0, by the text of its key; -1 without either."""
    person = pd.factorize(persons)[0]
    key = pd.factorize(keys.astype(object), sort=True)[0]
    order = np.lexsort((key, key < 0, person))  # those without a key come last
    begins = np.flatnonzero(np.diff(person[order], prepend=-2))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    return np.where((person < 0) | (key < 0), -1, number)


def _above(
    place: TablePlace,
    frames: Mapping[str, pd.DataFrame],
    rows: Mapping[str, Mapping[str, np.ndarray]],
    persons: Mapping[str, np.ndarray],
    layout: TablesLayout,
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Per row of a table its row of each table that it hangs below, itself among them, -1 for none; and its person."""
    frame = frames[place.name]
    rows_above = {place.name: np.arange(len(frame))}
    own = np.full(len(frame), None, dtype=object)
    if place.person:
        own = np.asarray(frame[place.person].astype(object).where(frame[place.person].notna(), None), dtype=object)
    if not place.parent:
        return rows_above, own
    parent = layout.by_name[place.parent]
    key = frames[parent.name][place.parent_key].astype(object)
    named = frame[place.parent_column].astype(object)
    row = pd.Index(key).get_indexer(named)
    row[named.isna()] = -1
    for name, of_parent in rows[parent.name].items():
        rows_above[name] = np.append(of_parent, -1)[row]
    person = np.append(persons[parent.name], np.array([None], dtype=object))[row]
    return rows_above, np.where(pd.isna(person), own, person)


# ---- in an engine ----


def _table(tables: Mapping[str, ir.Table], layout: TablesLayout) -> ir.Table:
    import ibis

    joined: dict[str, ir.Table] = {}
    order = [layout.person, *(column for place in layout.tables for _, column in place.columns), *layout.hidden[1:]]
    named = {(place.parent, place.parent_key) for place in layout.tables if place.parent}
    keys = {key: unused_name(f"key {i}", order) for i, key in enumerate(sorted(named))}
    for place in layout.tables:
        table = tables[place.name]
        cells = {column: table[file_column] for file_column, column in place.columns}
        cells[layout.person] = cell_text(table[place.person]) if place.person else ibis.null().cast("string")
        own = {name: cell_text(table[column]) for (of, column), name in keys.items() if of == place.name}
        if place.row:
            cells[place.row] = next(iter(own.values()))
        if place.parent:
            names = unused_name("names", order)
            table = table.select(**cells, **own, **{names: cell_text(table[place.parent_column])})
            parent = joined[place.parent].view()
            table = _below(table, names, parent, keys[place.parent, place.parent_key], layout.person)
        else:
            table = table.select(**cells, **own)
        if place.number:
            key, person = table[next(iter(own))], table[layout.person]
            number = ibis.row_number().over(group_by=person, order_by=ibis.asc(key)).cast("string")
            table = table.mutate(**{place.number: (person.notnull() & key.notnull()).ifelse(number, None)})
        joined[place.name] = table
    types = {name: table[name].type() for table in joined.values() for name in table.columns}
    parts = [
        table.select(
            **{
                column: table[column] if column in table.columns else ibis.null().cast(types[column])
                for column in order
            },
            **{layout.table: ibis.literal(name)},
        )
        for name, table in joined.items()
    ]
    return spread_over_persons(ibis.union(*parts) if len(parts) > 1 else parts[0], layout)


def _below(table: ir.Table, names: str, parent: ir.Table, key: str, person: str) -> ir.Table:
    """The rows of a table with the cells of the parent's row whose key each names, and with its person where it has."""
    import ibis

    theirs = unused_name("person of the row above", [*table.columns, *parent.columns])
    parent = parent.rename({theirs: person})
    both = table.left_join(parent, table[names] == parent[key])
    cells = {name: table[name] for name in table.columns if name not in (names, person)}
    above = {name: parent[name] for name in parent.columns if name != theirs and name not in cells}
    return both.select(**cells, **above, **{person: ibis.coalesce(parent[theirs], table[person])})
