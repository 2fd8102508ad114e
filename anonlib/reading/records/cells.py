"""Cells of an engine as text: the one place where values of a table become what a CSV file of it would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from anonlib.reading.records import engines
from anonlib.reading.records.refusals import refusal
from anonlib.reading.records.turns import turn

if TYPE_CHECKING:
    import ibis.expr.types as ir

# Characters 9 to 13 as a range: Spark would take the eleventh, written as an escape, for the letter v.
_BLANK = "\t-\r" + "".join(map(chr, (*range(28, 33), 133, 160, 5760, *range(8192, 8203), 8232, 8233, 8239, 8287)))
_INK = f"[^{_BLANK}{chr(12288)}]"  # a character that Python takes for no blank
_NUMBER = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})? *$"  # which no engine refuses to read


def cell_text(column: ir.Column) -> ir.StringColumn:
    """A column as text; NULL, not-a-number and texts of only blanks are NULL.

    Blanks around other characters stay, as does each Unicode form: what looks alike is merged only by choice, and not
    by the collation of a column. Numbers are written as Python writes them: ``1.0``, ``1e+16``, ``1.50`` for a decimal.
    """
    kind = column.type()
    if kind.is_string():
        text = engines.without_collation(column)
        return text.re_search(_INK).ifelse(text, None)
    if kind.is_floating():
        return engines.float_text(column.isnan().ifelse(None, column))
    if kind.is_timestamp():
        return engines.moment_text(column)
    if kind.is_date():
        return engines.date_text(column)
    text = engines.without_collation(column.cast("string"))
    if kind.is_time() and engines.engine_of(column) == engines.PLAIN:
        return text.re_replace("[+]00$", "")  # of times in UTC: files do not say that they are
    return text.nullif("NaN") if kind.is_decimal() else text


def countable(column: ir.Column) -> ir.Column:
    """A column as it can be grouped by before its values become text, which is quicker and gives the same values.

    It cannot where equal values have different texts: zero and minus zero, decimals that keep the zeros at their end
    each for itself, texts of a collation.
    """
    kind = column.type()
    several = kind.is_floating() or (kind.is_decimal() and kind.scale is None)
    return cell_text(column) if several or engines.may_merge(column) else column


def can_go_by_value(column: ir.Column) -> bool:
    """Whether :func:`text_of_value` says what DuckDB says: of whole numbers and of texts.

    It gives values sooner than their texts. Other engines compare texts otherwise, or give whole numbers as floats
    where some are missing.
    """
    kind = column.type()
    return engines.engine_of(column) == engines.PLAIN and (kind.is_integer() or kind.is_string())


def text_of_value(value: str | int | None) -> str | None:
    """The text of a fetched value, as :func:`cell_text` has it; None where it is missing."""
    text = None if value is None else str(value)
    return text if text and not text.isspace() else None


def number_of(column: ir.Column) -> ir.Column:
    """The numbers of a column, NULL where a text is none."""
    if column.type().is_numeric() and not column.type().is_boolean():
        return column if column.type().is_integer() else column.cast("float64")
    text = cell_text(column)
    return text.re_search(_NUMBER).ifelse(text, None).cast("float64")


def as_key(text: ir.StringColumn) -> ir.StringColumn:
    """A cell's text to join by: missing ones, which equal nothing, are blank; no other cell is."""
    return text.coalesce("")


def fetched(expression: ir.Table) -> pa.Table:
    """The rows of a small result.

    Raises
    ------
    InputError
        When the engine gives none: what it says that it cannot do, as :func:`refusal` has it.
    """
    try:
        with turn(expression):
            return engines.rows_of(expression)
    except Exception as error:
        raise refusal(error) from None
