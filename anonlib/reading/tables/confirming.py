"""Keys that an officer chose, checked and counted."""

from __future__ import annotations

from dataclasses import replace

from anonlib.basics.errors import InputError
from anonlib.reading.tables.agreeing import Agreement, agreement
from anonlib.reading.tables.comparing import Comparing
from anonlib.reading.tables.model import Key, Linked
from anonlib.reading.tables.notes import notes_of
from anonlib.reading.tables.persons import persons_of


def confirmed(comparing: Comparing, chosen: Linked) -> Linked:
    """The choice with its keys counted again, and what does not fit in sentences.

    Raises
    ------
    InputError
        When it names tables or columns that are not there, gives a table two parents, goes in a circle, or takes a
        column for a parent's whose values are not all different.
    """
    _check_names(comparing, chosen)
    _check_tree(chosen)
    if chosen.person_table is not None:
        column = chosen.person_columns.get(chosen.person_table)
        if column is None:
            raise InputError(
                f"Choose the column of “{chosen.person_table}” that says who the person of a row is.",
                code="person-column-missing",
            )
        _check_unique(comparing, chosen.person_table, column)
    for key in chosen.keys:
        _check_unique(comparing, key.parent, key.parent_column)
    keys = tuple(_counted(comparing, key) for key in chosen.keys)
    linked = Linked(chosen.person_table, dict(chosen.person_columns), keys)
    agreements = {key.table: found for key in keys if (found := _agreement(comparing, linked, key)) is not None}
    return replace(linked, notes=tuple(notes_of(comparing, linked, (), agreements)))


def _check_names(comparing: Comparing, chosen: Linked) -> None:
    asked = [
        *chosen.person_columns.items(),
        *((key.table, key.column) for key in chosen.keys),
        *((key.parent, key.parent_column) for key in chosen.keys),
    ]
    for table, column in asked:
        if table not in comparing.tables:
            raise InputError(f"The case has no table “{table}”. Choose among its tables.", code="table-unknown")
        if column not in comparing.tables[table].columns:
            raise InputError(f"“{table}” has no column “{column}”. Choose among its columns.", code="column-unknown")
    if chosen.person_table is not None and chosen.person_table not in comparing.tables:
        raise InputError(
            f"The case has no table “{chosen.person_table}”. Choose among its tables.", code="table-unknown"
        )


def _check_tree(chosen: Linked) -> None:
    below = [key.table for key in chosen.keys]
    twice = next((table for table in below if below.count(table) > 1), None)
    if twice is not None:
        raise InputError(f"“{twice}” is to hang below two tables. Choose one of them.", code="table-below-two")
    if chosen.person_table in below:
        raise InputError(
            f"“{chosen.person_table}” has a row a person, so it hangs below no other table. Choose another person "
            "table, or take its key away.",
            code="table-below-two",
        )
    for table in below:
        if table in chosen.above(table):
            raise InputError(
                f"“{table}” would hang below itself. Take one of the keys on the way away.", code="table-below-itself"
            )


def _check_unique(comparing: Comparing, table: str, column: str) -> None:
    if not comparing.cells(table, column).are_unique:
        raise InputError(
            f"The values of “{table}”.“{column}” are not all different, so no row can be named by it. Choose another "
            "column.",
            code="key-repeats",
        )


def _counted(comparing: Comparing, key: Key) -> Key:
    fit = comparing.fit(key.table, key.column, key.parent, key.parent_column)
    return key if fit is None else replace(key, inside=fit.share, rows_a_parent=fit.rows_a_value)


def _agreement(comparing: Comparing, linked: Linked, key: Key) -> Agreement | None:
    if key.table not in linked.person_columns or key.parent == linked.person_table:
        return None
    columns = persons_of(comparing, linked).comparable(key.table)
    return agreement(comparing.tables, key, columns, {each.table: each for each in linked.keys})
