"""Counting in a database: weights checked, persons made one row each, values brought home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import LIMIT
from anonlib.counting.classes.rows_of_persons import coded_sets
from anonlib.reading.records.engines import (
    PLAIN,
    can_go_by_value,
    cell_text,
    countable,
    engine_of,
    fetched,
    number_of,
    text_of_value,
)
from anonlib.reading.records.joins import rows_of_persons, set_of_one, sets_of_persons
from anonlib.reading.records.labels import Groups
from anonlib.reading.records.names import unused_name
from anonlib.values.cells import order_of

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa


MOST_CLASSES = 10_000_000
"""Most combinations of values that are fetched; more would be nearly the rows."""
Stated = Sequence[str] | np.ndarray
"""Texts in an order."""
CodedColumn = tuple[np.ndarray, np.ndarray]
"""Codes (int32, -1 = missing) and the values they are positions in (object array)."""


class TooManyClasses(InputError):
    """There are more combinations of values than are fetched."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"{words.listed([f'“{name}”' for name in names])} have more than {MOST_CLASSES:,} combinations of values, "
            "too many to be counted here. Coarsen or drop some of these columns, here or where the records are.",
            code="too-many-combinations",
        )


def counted_in_database(
    table: ir.Table, names: list[str], weights: str | None, person: str | None, order: Callable[[str], Stated]
) -> tuple[list[CodedColumn], np.ndarray]:
    """Combinations of values with their counts (int64), each once or, where a part is missing, a few times.

    Parameters
    ----------
    table : ir.Table
        The records.
    names : list[str]
        The columns whose combinations are counted, checked.
    weights : str | None
        The column that says how many persons each row stands for; None where each is one.
    person : str | None
        The column of person ids, where persons are counted; None where rows are.
    order : Callable[[str], Stated]
        By the name of a column, the order of its values; of those that it does not name, the natural one.

    Raises
    ------
    TooManyClasses
        Where there are more than :data:`MOST_CLASSES`.
    """
    size = unused_name("size", table.columns)
    if person is not None:
        table = persons_as_rows(table, names, person)
    else:
        if weights is not None:
            table = table.mutate(**{weights: checked_weights_ibis(table, weights)})
        table = table.mutate(**{name: countable(table[name]) for name in names})
        if _about(table, names) > 2 * MOST_CLASSES:  # not even counted: each would take memory of the engine's
            raise TooManyClasses(names)
    total = {size: (table.count() if weights is None else table[weights].sum()).coalesce(0)}
    counted = table.group_by(names).aggregate(**total) if names else table.aggregate(**total)
    of_value = {name for name in names if person is not None or can_go_by_value(counted[name])}
    cells = {name: counted[name] if name in of_value else cell_text(counted[name]) for name in names}
    small = fetched(counted.select(**cells, **{size: counted[size].cast("int64")}).limit(MOST_CLASSES + 1))
    if len(small) > MOST_CLASSES:
        raise TooManyClasses(names)
    code = coded_texts if person is None else coded_sets_of_texts
    return [code(small[name], order(name)) for name in names], small[size].to_numpy()


def _about(table: ir.Table, names: list[str]) -> int:
    """About how many combinations there are, within a few in a hundred; 0 where the engine has no quick way to tell."""
    import ibis

    if not names or engine_of(table) != PLAIN:
        return 0
    combined = ibis.struct({name: table[name] for name in names})
    return int(fetched(table.aggregate(n=combined.approx_nunique()))["n"][0].as_py())


def checked_weights_ibis(table: ir.Table, weights: str) -> ir.IntegerColumn:
    """As `checked_weights` of `coding.py`, in the database, where the records have no numbers to name."""
    exact = table[weights].type().is_integer()
    number = number_of(table[weights])
    usable = number.notnull() & (number >= 0)
    if not exact:
        usable &= ~number.isnan() & ~number.isinf() & (number % 1 == 0)
    whole = usable.ifelse(number, None)
    totals = fetched(table.aggregate(wrong=(~usable).sum(), total=whole.cast("float64").sum())).to_pylist()[0]
    if totals["wrong"]:
        raise InputError(
            f"The weight column “{weights}” must hold whole numbers of persons, 0 or more: {totals['wrong']:,} records "
            "do not. Correct them, or give the column another role.",
            code="people-not-numbers",
            column=weights,
        )
    if (totals["total"] or 0) >= LIMIT:
        raise InputError(
            f"The weight column “{weights}” adds up to more than can be counted. Check its unit.",
            code="people-too-many",
            column=weights,
        )
    return whole.cast("int64")


def persons_as_rows(table: ir.Table, names: list[str], person: str) -> ir.Table:
    """As `one_row_a_person`, in the database: one row a person, an array of an attribute's distinct present values."""
    import ibis

    by = unused_name("person", names)
    table = table.select(*names, **{by: cell_text(table[person])})
    alone, known = table.filter(table[by].isnull()), table.filter(table[by].notnull())
    selected = names or [by]
    of_alone = alone.select(**{name: set_of_one(alone[name]) for name in names}, **{by: alone[by]})
    return ibis.union(of_alone.select(*selected), sets_of_persons(known, names, by).select(*selected))


def profiles_in_database(table: ir.Table, rows: Groups, person: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The lists of rows that persons have, each once, with how many persons have just these.

    Parameters
    ----------
    table : ir.Table
        The records.
    rows : Groups
        Their distinct rows.
    person : str
        The column of ids; a row without one is a person of its own.

    Returns
    -------
    tuple of three int64 arrays: where each list begins, and the end; the lists one after the other, positions in
    ``rows``, ascending in each list; persons of each list.

    Raises
    ------
    TooManyClasses
        When more than :data:`MOST_CLASSES` lists are different.
    """
    listed, persons = "rows", "persons"
    lists = rows_of_persons(table, rows, person, listed)
    counted = lists.group_by(listed).aggregate(**{persons: lists.count()})
    small = fetched(counted.select(listed, **{persons: counted[persons].cast("int64")}).limit(MOST_CLASSES + 1))
    if len(small) > MOST_CLASSES:
        raise TooManyClasses(rows.attributes)
    column = small[listed].combine_chunks()
    lengths = column.value_lengths().to_numpy(zero_copy_only=False).astype(np.int64)
    codes = column.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
    return np.append(0, np.cumsum(lengths)).astype(np.int64), codes, small[persons].to_numpy()


def coded_texts(column: pa.ChunkedArray, stated: Stated) -> CodedColumn:
    """A column of texts, or of values that have one, in the order stated, else in natural order."""
    encoded = column.combine_chunks().dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    texts = np.array([*map(text_of_value, encoded.dictionary.to_pylist()), None], dtype=object)
    present = np.flatnonzero([text is not None for text in texts])
    order = present[order_of(texts[present], stated)]
    rank = np.full(len(texts), -1, dtype=np.int32)
    rank[order] = np.arange(len(order))
    return rank[codes], texts[order]


def coded_sets_of_texts(column: pa.ChunkedArray, stated: Stated) -> CodedColumn:
    """A column of arrays of texts as values and sets of values."""
    rows = column.to_pylist()
    texts = np.array([*dict.fromkeys(text for row in rows for text in row), None], dtype=object)[:-1]
    values = texts[order_of(texts, stated)]
    code = {text: i for i, text in enumerate(values)}
    return coded_sets([tuple(sorted(code[text] for text in row)) for row in rows], values)
