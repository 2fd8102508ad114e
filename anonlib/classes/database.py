"""Counting in a database: weights checked, persons made one row each, text brought home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib import words
from anonlib.classes.coding import LIMIT
from anonlib.classes.persons import coded_sets
from anonlib.errors import InputError
from anonlib.records.cells import cell_text, countable, fetched, number_of
from anonlib.records.joins import set_of_one, sets_of_persons
from anonlib.records.names import unused_name
from anonlib.records.order import order_of

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa


MOST_CLASSES = 10_000_000
"""Most combinations of values that are fetched; more would be nearly the rows."""
Stated = Sequence[str] | np.ndarray
"""Texts in an order."""


def counted_in_database(
    table: ir.Table, names: list[str], weights: str | None, person: str | None, order: Callable[[str], Stated]
) -> tuple[pd.DataFrame, np.ndarray]:
    """Combinations of values with their counts (int64), each once or, where a part is missing, a few times.

    Raises InputError where there are more than :data:`MOST_CLASSES`.

    Parameters
    ----------
    table, names, weights, person
        As :meth:`ClassTable.from_ibis` has them, checked.
    order
        By the name of a column, the order of its values; of those that it does not name, the natural one.
    """
    size = unused_name("size", table.columns)
    if person is not None:
        table = persons_as_rows(table, names, person)
    else:
        if weights is not None:
            table = table.mutate(**{weights: checked_weights_ibis(table, weights)})
        table = table.mutate(**{name: countable(table[name]) for name in names})
    total = {size: (table.count() if weights is None else table[weights].sum()).coalesce(0)}
    counted = table.group_by(names).aggregate(**total) if names else table.aggregate(**total)
    cells = {name: counted[name] if person is not None else cell_text(counted[name]) for name in names}
    small = fetched(counted.select(**cells, **{size: counted[size].cast("int64")}).limit(MOST_CLASSES + 1))
    if len(small) > MOST_CLASSES:
        raise InputError(
            f"{words.listed([f'“{name}”' for name in names])} have more than {MOST_CLASSES:,} combinations of values, "
            "too many to be counted here. Coarsen or drop some of these columns where the records are."
        )
    encode = categorical_of_text if person is None else categorical_of_sets
    columns = {name: encode(small[name], order(name)) for name in names}
    return pd.DataFrame(columns, index=range(len(small))), small[size].to_numpy()


def checked_weights_ibis(table: ir.Table, weights: str) -> ir.IntegerColumn:
    """The same check in the database, where the records have no numbers to name."""
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
            "do not. Correct them, or give the column another role."
        )
    if (totals["total"] or 0) >= LIMIT:
        raise InputError(f"The weight column “{weights}” adds up to more than can be counted. Check its unit.")
    return whole.cast("int64")


def persons_as_rows(table: ir.Table, names: list[str], person: str) -> ir.Table:
    """The same rule in the database: one row a person, an array of the distinct present values of each attribute."""
    import ibis

    by = unused_name("person", names)
    table = table.select(*names, **{by: cell_text(table[person])})
    alone, known = table.filter(table[by].isnull()), table.filter(table[by].notnull())
    kept = names or [by]
    of_alone = alone.select(**{name: set_of_one(alone[name]) for name in names}, **{by: alone[by]})
    return ibis.union(of_alone.select(*kept), sets_of_persons(known, names, by).select(*kept))


def categorical_of_text(column: pa.ChunkedArray, stated: Stated) -> pd.Categorical:
    """A column of texts as a categorical in the order stated, else in natural order."""
    encoded = column.combine_chunks().dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    values = encoded.dictionary.to_numpy(zero_copy_only=False)
    order = order_of(values, stated)
    rank = np.full(len(values) + 1, -1)
    rank[order] = np.arange(len(order))
    return pd.Categorical.from_codes(rank[codes], categories=pd.Index(values[order], dtype=object))


def categorical_of_sets(column: pa.ChunkedArray, stated: Stated) -> pd.Categorical:
    """A column of arrays of values as a categorical of values and sets of values."""
    rows = column.to_pylist()
    texts = np.array([*dict.fromkeys(text for row in rows for text in row), None], dtype=object)[:-1]
    values = texts[order_of(texts, stated)]
    code = {text: i for i, text in enumerate(values)}
    codes, merged = coded_sets([tuple(sorted(code[text] for text in row)) for row in rows], values)
    return pd.Categorical.from_codes(codes, pd.Index(merged, dtype=object))
