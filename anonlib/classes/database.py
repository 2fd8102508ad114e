"""Counting in a database: weights checked, persons made one row each, text brought home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from anonlib.classes.coding import LIMIT, unused_name
from anonlib.classes.persons import coded_sets
from anonlib.errors import InputError
from anonlib.values import text_categorical

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa


def checked_weights_ibis(table: ir.Table, weights: str) -> ir.IntegerColumn:
    """The same check in the database, where the records have no numbers to name."""
    exact = table[weights].type().is_integer()
    number = table[weights] if exact else table[weights].try_cast("float64")
    usable = number.notnull() & (number >= 0)
    if not exact:
        usable &= ~number.isnan() & ~number.isinf() & (number % 1 == 0)
    whole = usable.ifelse(number, None)
    totals = table.aggregate(wrong=(~usable).sum(), total=whole.cast("float64").sum()).to_pyarrow().to_pylist()[0]
    if totals["wrong"]:
        raise InputError(
            f"The weight column “{weights}” must hold whole numbers of persons, 0 or more: {totals['wrong']:,} records "
            "do not. Correct them, or give the column another role."
        )
    if (totals["total"] or 0) >= LIMIT:
        raise InputError(f"The weight column “{weights}” adds up to more than can be counted. Check its unit.")
    return whole.cast("int64")


def sets_of_persons(table: ir.Table, names: list[str], person: str) -> ir.Table:
    """The same rule in the database: one row a person, an array of the distinct present values of each attribute."""
    import ibis

    by = unused_name("person", names)
    table = table.select(**{name: as_text(table[name]) for name in names}, **{by: as_text(table[person])})
    alone = table.filter(table[by].isnull())
    known = table.filter(table[by].notnull())
    sets_of_one = {name: alone[name].notnull().ifelse(ibis.array([alone[name]]), None) for name in names}
    several = {name: known[name].collect(distinct=True).sort() for name in names}
    kept = names or [by]
    return ibis.union(
        alone.select(**sets_of_one, **{by: alone[by]})[kept], known.group_by(by).aggregate(**several)[kept]
    )


def as_text(column: ir.Column) -> ir.StringColumn:
    """A column as text, NaN being missing."""
    present = column.isnan().ifelse(None, column) if column.type().is_floating() else column
    return present.cast("string")


def categorical_of_text(column: pa.ChunkedArray) -> pd.Categorical:
    """A column of texts as a categorical in natural order."""
    encoded = column.combine_chunks().dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return text_categorical(pd.Categorical.from_codes(codes, encoded.dictionary.to_numpy(zero_copy_only=False)))


def categorical_of_sets(column: pa.ChunkedArray) -> pd.Categorical:
    """A column of arrays of values as a categorical of values and sets of values."""
    rows = [row or [] for row in column.to_pylist()]
    values = text_categorical([text for row in rows for text in row]).categories.to_numpy(dtype=object)
    code = {text: i for i, text in enumerate(values)}
    codes, merged = coded_sets([tuple(sorted(code[text] for text in row)) for row in rows], values)
    return pd.Categorical.from_codes(codes, pd.Index(merged, dtype=object))
