"""The best key between two tables, where an officer says that one hangs below the other."""

from __future__ import annotations

from anonlib.basics.errors import InputError
from anonlib.reading.tables.comparing import Comparing
from anonlib.reading.tables.model import Key, NamedTable, by_name


def key_between(table: NamedTable, parent: NamedTable) -> Key:
    """The columns by which rows of a table most likely name rows of another one.

    Parameters
    ----------
    table, parent : NamedTable
        Of one case, with names of their own.

    Returns
    -------
    Key
        Of all columns of the parent whose values are all different, and all of the table, those of which most cells are
        inside; of two alike those of one name.

    Raises
    ------
    InputError
        When no cell of the table is in such a column.
    """
    comparing = Comparing(by_name([table, parent]))
    comparing.count(parent.name, parent.columns)
    found: list[tuple[float, bool, Key]] = []
    for parent_column in parent.columns:
        if not comparing.cells(parent.name, parent_column).are_unique:
            continue
        for column in table.columns:
            fit = comparing.fit(table.name, column, parent.name, parent_column)
            if fit is not None and fit.inside:
                key = Key(table.name, column, parent.name, parent_column, fit.share, fit.rows_a_value)
                found.append((fit.share, column.casefold() == parent_column.casefold(), key))
    if not found:
        raise InputError(
            f"No column of “{table.name}” names rows of “{parent.name}”: none of its values is in a column there whose "
            "values are all different. Choose another table, or give it the person id alone.",
            code="key-not-found",
        )
    return max(found, key=lambda each: each[:2])[2]
