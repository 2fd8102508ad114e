"""Joins of records with small tables that were made here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from anonlib.reading.records.engines import as_key, beside, cell_text, comparable, number_of
from anonlib.reading.records.labels import RECORDS_ALONE, CountedBy, Groups
from anonlib.reading.records.names import unused_name

if TYPE_CHECKING:
    import ibis.expr.types as ir

_TEXTS = pa.list_(pa.string())


def texts_of(columns: Mapping[str, Sequence[str | None] | np.ndarray]) -> pa.Table:
    """A small table of texts; missing ones are blank in it, for not every engine takes a NULL as one."""
    return pa.table({name: pa.array([text or "" for text in texts], pa.string()) for name, texts in columns.items()})


def looked_up(table: ir.Table, keys: Sequence[ir.Column], small: pa.Table) -> ir.Table:
    """The rows of a table whose keys are in a small one, with what that says of them.

    Parameters
    ----------
    table : ir.Table
        No column of it has the name of one of ``small``.
    keys : Sequence[ir.Column]
        One at least, computed from the table.
    small : pa.Table
        As many columns of keys, each combination once and none of them NULL, and then the columns to add, blank texts
        for missing ones.
    """
    # Spark works a computed key out again for each comparison of a sort, so keys are columns before they are compared.
    key_names = [unused_name(f"compared {i}", [*table.columns, *small.column_names]) for i in range(len(keys))]
    keyed = table.mutate(**dict(zip(key_names, keys, strict=True)))
    sent = beside(table, small)
    pairs = zip(key_names, sent.columns, strict=False)
    same = [keyed[key] == comparable(sent[name], keyed[key]) for key, name in pairs]
    added = sent.columns[len(keys) :]
    both = keyed.join(sent, same)
    return both.select(*(keyed[name] for name in table.columns), **{name: _missing(sent[name]) for name in added})


def _missing(column: ir.Column) -> ir.Column:
    return column.nullif("") if column.type().is_string() else column


def in_classes(
    table: ir.Table, groups: Groups, kept: np.ndarray, class_numbers: Mapping[str, np.ndarray], counted_by: CountedBy
) -> ir.Table:
    """The rows of a table that are in some of its classes, with what is given of each class.

    Parameters
    ----------
    table : ir.Table
        The records.
    groups : Groups
        Their classes.
    kept : np.ndarray
        bool per class: whether it is one of them.
    class_numbers : Mapping[str, np.ndarray]
        By a name that no column has, int per class.
    counted_by : CountedBy
        What the classes were counted by.
    """
    import ibis

    if counted_by.weight is not None:  # a row that stands for nobody is in no class
        table = table.filter(number_of(table[counted_by.weight]) > 0)
    numbers = {name: of_classes[kept].astype(np.int64) for name, of_classes in class_numbers.items()}
    if not groups.attributes:
        everyone = {
            name: ibis.literal(int(of_classes[0]) if len(of_classes) else 0, "int64")
            for name, of_classes in numbers.items()
        }
        return table.mutate(**everyone).filter(ibis.literal(bool(kept.any())))
    keys: dict[str, pa.Array] = {}
    for j in range(len(groups.attributes)):
        values = groups.categories[j][groups.codes[kept, j]]
        texts = [list(_members(value)) for value in values] if counted_by.person else [v or "" for v in values]
        unused = unused_name(f"key {j}", [*table.columns, *class_numbers])
        keys[unused] = pa.array(texts, _TEXTS if counted_by.person else pa.string())
    small = pa.table({**keys, **{name: pa.array(of_classes) for name, of_classes in numbers.items()}})
    if counted_by.person is None:
        return looked_up(table, [as_key(cell_text(table[name])) for name in groups.attributes], small)
    return _in_classes_of_persons(table, groups.attributes, small, counted_by.person)


def _members(value: str | None) -> tuple[str, ...]:
    """The texts of a value or set of values, in the order in which engines sort them."""
    return () if value is None else tuple(sorted(getattr(value, "members", (value,))))


def _in_classes_of_persons(table: ir.Table, attributes: Sequence[str], small: pa.Table, person: str) -> ir.Table:
    import ibis

    number_names = small.column_names[len(attributes) :]
    by, same = unused_name("person", [*table.columns, *small.column_names]), unused_name("same", table.columns)
    columns = [*table.columns, *number_names]
    table = table.mutate(**{by: cell_text(table[person])})
    known, alone = table.filter(table[by].notnull()), table.filter(table[by].isnull())
    sets = sets_of_persons(known, attributes, by).rename({same: by})
    numbered = looked_up(sets, [sets[name] for name in attributes], small).select(same, *number_names)
    rows = known.join(numbered, known[by] == numbered[same])
    of_known = rows.select(*(known[name] for name in table.columns), *(numbered[name] for name in number_names))
    of_alone = looked_up(alone, [set_of_one(alone[name]) for name in attributes], small)
    return ibis.union(of_known.select(*columns), of_alone.select(*columns))


def sets_of_persons(table: ir.Table, names: Sequence[str], by: str) -> ir.Table:
    """One row a person, known by ``by``: the texts of each attribute that their rows hold, sorted; missing ones not."""
    several = {name: cell_text(table[name]).collect(distinct=True).sort().coalesce(_nothing()) for name in names}
    return table.group_by(by).aggregate(**several)


def rows_of_persons(table: ir.Table, rows: Groups, person: str, name: str) -> ir.Table:
    """One row a person: a column of that name with the list of their rows, by the positions of these in ``rows``.

    The lists are sorted. A row without a person id is a person of its own.
    """
    import ibis

    row = unused_name("row", table.columns)
    table = with_row_numbers(table, rows, row)
    by = unused_name("person", table.columns)
    table = table.mutate(**{by: cell_text(table[person])})
    known, alone = table.filter(table[by].notnull()), table.filter(table[by].isnull())
    of_known = rows_listed(known, by, row, name).select(name)
    return ibis.union(of_known, alone.select(**{name: ibis.array([alone[row]])}))


def rows_listed(table: ir.Table, by: str, row: str, name: str) -> ir.Table:
    """One row a person, known by a column: the sorted list of the numbers of their rows."""
    return table.group_by(by).aggregate(**{name: table[row].collect().sort()})


def with_row_numbers(table: ir.Table, rows: Groups, name: str) -> ir.Table:
    """The records with a new column: the position of what they hold among some distinct rows of them."""
    everyone = np.ones(len(rows.counts), dtype=bool)
    return in_classes(table, rows, everyone, {name: np.arange(len(rows.counts))}, RECORDS_ALONE)


def set_of_one(column: ir.Column) -> ir.ArrayColumn:
    """The text of each cell as a set of its own; the empty set where it is missing."""
    import ibis

    text = cell_text(column)
    return text.notnull().ifelse(ibis.array([text]), _nothing())


def _nothing() -> ir.ArrayValue:
    import ibis

    return ibis.array([""]).remove("")  # an empty array, of which each engine knows that it is one of texts


def known_of_person(table: ir.Table, column: str, person: str | None) -> ir.BooleanColumn:
    """Whether a row, or another one of its person, has a value."""
    known = cell_text(table[column]).notnull()
    if person is None:
        return known
    of_person = cell_text(table[person])
    return known | (of_person.notnull() & known.any().over(group_by=of_person))


def without_adding(table: ir.Table, column: str, new: str, person: str | None) -> ir.Table:
    """Labels of missing cells only where they say no more of a person than their other rows do."""
    if person is None:
        return table
    known, of_person = cell_text(table[column]).notnull(), cell_text(table[person])
    of_missing = unused_name("label of missing", table.columns)
    table = table.mutate(**{of_missing: known.ifelse(None, table[new]).max().over(group_by=of_person)})
    known, of_person = cell_text(table[column]).notnull(), cell_text(table[person])
    others = of_person.notnull() & known.any().over(group_by=of_person)
    has_label_of_missing = (known & (table[new] == table[of_missing])).any().over(group_by=of_person).coalesce(False)
    return table.mutate(**{new: (~known & others & ~has_label_of_missing).ifelse(None, table[new])})
