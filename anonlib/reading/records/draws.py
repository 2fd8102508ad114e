"""Draws in an engine, which keeps no order: by a hash of what the rows hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonlib.reading.records.cells import as_key, cell_text
from anonlib.reading.records.engines import in_order, sha256
from anonlib.reading.records.names import unused_name
from anonlib.reading.records.secret_order import BETWEEN, keyed

if TYPE_CHECKING:
    import ibis.expr.types as ir


def hash_of(text: ir.StringValue, secret: bytes = b"") -> ir.StringValue:
    """SHA-256 of the secret and a text, as :func:`anonlib.reading.records.secret_order.places` has it."""
    import ibis

    return sha256(ibis.literal(keyed(secret)) + text)


def content(table: ir.Table, columns: Sequence[str]) -> ir.StringValue:
    """The cells of a row as one text, which is no cell's. Rows that are equal have the same."""
    import ibis

    between = ibis.literal(BETWEEN)
    return between + between.join([as_key(cell_text(table[name])) for name in columns])


def first_of_classes(
    table: ir.Table, columns: Sequence[str], beside: Sequence[str], number: str, most: str, person: str | None
) -> ir.Table:
    """Of each class the first rows (persons), in the order of a hash of what they hold.

    Parameters
    ----------
    table : ir.Table
        Records with the number of their class and how many of it stay.
    columns : Sequence[str]
        Those of the records themselves.
    beside : Sequence[str]
        Those that only decide between rows that are equal.
    number : str
        The column with the number of the class.
    most : str
        The column with how many of the class stay.
    person : str | None
        The column of person ids; None where rows stay, not persons.
    """
    import ibis

    drawn, twin, place = (unused_name(name, table.columns) for name in ("drawn", "twin", "place"))
    alone = hash_of(content(table, columns))
    of_person = None if person is None else cell_text(table[person])
    table = table.mutate(**{drawn: alone if of_person is None else hash_of(of_person).coalesce(alone)})
    order_keys = [cell_text(table[name]) for name in beside] or [table[drawn]]
    one_by_one = ibis.row_number().over(group_by=table[drawn], order_by=order_keys)  # equal rows are as many records
    if person is not None:
        one_by_one = cell_text(table[person]).notnull().ifelse(0, one_by_one)
    table = table.mutate(**{twin: one_by_one})
    ranks = ibis.dense_rank().over(group_by=table[number], order_by=[in_order(table[drawn]), table[twin]])
    table = table.mutate(**{place: ranks})
    return table.filter(table[place] < table[most])


def with_row_keys(table: ir.Table, columns: Sequence[str], name: str) -> ir.Table:
    """The table with a new column: a hash of what a row holds, and its number among those that are equal."""
    import ibis

    drawn = unused_name("drawn", [*table.columns, name])
    table = table.mutate(**{drawn: hash_of(content(table, columns))})
    number = ibis.row_number().over(group_by=table[drawn], order_by=table[drawn]).cast("string")
    return table.mutate(**{name: table[drawn] + "-" + number}).select(*columns, name)


def numbered(table: ir.Table, person: str, secret: bytes) -> tuple[ir.Table, str]:
    """The table with a number from 1 as text for each person, by a hash of their id, and the new column's name."""
    import ibis

    new, by, same = (unused_name(name, table.columns) for name in ("number", "id", "same"))
    known = table.mutate(**{by: cell_text(table[person])})
    ids = known.filter(known[by].notnull()).select(**{same: by}).distinct()
    ranks = ibis.row_number().over(order_by=in_order(hash_of(ids[same], secret))) + 1
    ids = ids.mutate(**{new: ranks.cast("string")}).view()  # of the same table: distinguished by name
    both = known.left_join(ids, known[by] == ids[same])
    return both.select(*(known[name] for name in table.columns), ids[new]), new
