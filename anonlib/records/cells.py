"""Cells of an engine as text: the one place where values of a table become what a CSV file of it would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from anonlib.errors import InputError
from anonlib.records.turns import turn

if TYPE_CHECKING:
    import ibis.expr.types as ir

_BLANK = "".join(map(chr, (*range(9, 14), *range(28, 33), 133, 160, 5760, *range(8192, 8203), 8232, 8233, 8239, 8287)))
_INK = f"[^{_BLANK}{chr(12288)}]"  # a character that Python takes for no blank


def cell_text(column: ir.Column) -> ir.StringColumn:
    """A column as text; NULL, not-a-number and texts of only blanks are NULL.

    Blanks around other characters stay, as does each Unicode form: what looks alike is merged only by choice.
    Floats are written as the engine writes them: in DuckDB ``1.0`` and ``1e+16``.
    """
    kind = column.type()
    if kind.is_string():
        return column.re_search(_INK).ifelse(column, None)
    present = column.isnan().ifelse(None, column) if kind.is_floating() else column
    return present.cast("string")


def countable(column: ir.Column) -> ir.Column:
    """A column as it can be grouped by before its values become text, which is quicker and gives the same values.

    Zero and minus zero are one float but two texts.
    """
    return cell_text(column) if column.type().is_floating() else column


def as_key(text: ir.StringColumn) -> ir.StringColumn:
    """A cell's text to join by: missing ones, which equal nothing, are blank; no other cell is."""
    return text.coalesce("")


def fetched(expression: ir.Table) -> pa.Table:
    """The rows of a small result.

    Raises
    ------
    InputError
        When the engine gives none; its own words, which may quote cells or credentials, are not passed on.
    """
    try:
        with turn(expression):
            return expression.to_pyarrow()
    except Exception:
        raise InputError(
            "The database could not answer. Check that the table is still there as it was, and that there is memory "
            "enough; fewer columns need less."
        ) from None
