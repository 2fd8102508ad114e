"""The tables of a case in a session: one more, one less, other keys between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.project import Loaded, LoadedFile, LoadedTables
from anonlib.reading.tables import Linked, ListColumn, NamedTable, link, named_apart, open_tables
from ui.session.state import session
from ui.text import stem


def of_session() -> tuple[NamedTable, ...]:
    """The tables that are loaded; of one file that is in memory that one."""
    loaded = session().loaded
    if isinstance(loaded, LoadedTables):
        return loaded.tables
    if isinstance(loaded, LoadedFile):
        return (NamedTable.of_source(stem(loaded.name), loaded.source),)
    return ()


def add(files: Sequence[tuple[str, bytes]]) -> None:
    """Put the tables of some files beside those that are loaded. Raises InputError, and then nothing changes."""
    before = of_session()
    new = open_tables(files)
    held = {table.digest for table in before}
    if all(table.digest in held for table in new):
        raise InputError("These tables are in the case already. Choose others.", code="tables-of-one-name")
    together = named_apart([*before, *(table for table in new if table.digest not in held)])
    _become(LoadedTables.linking(together, lists=_lists()))


def without(name: str) -> None:
    """Take a table out of the case. Raises InputError where none would be left that names persons."""
    lists = tuple(each for each in _lists() if each.table != name)
    _become(LoadedTables.linking([table for table in of_session() if table.name != name], lists=lists))


def linking(linked: Linked) -> None:
    """Let the tables hang together in another way. Raises InputError where they cannot."""
    tables = of_session()
    _become(LoadedTables.linking(tables, link(tables, linked), _lists()))


def with_lists(lists: Sequence[ListColumn]) -> None:
    """Look at the lists in these columns item by item, and at those of no other. Raises InputError where one cannot."""
    loaded, tables = session().loaded, of_session()
    if isinstance(loaded, LoadedTables):
        if not lists and loaded.file is not None:
            _become(loaded.file)
        else:
            _become(LoadedTables.linking(tables, loaded.linked, tuple(lists), loaded.file))
    elif isinstance(loaded, LoadedFile):
        person = next((name for name, role in session().roles.items() if role == Role.PERSON_ID), None)
        linked = Linked(None, {} if person is None else {tables[0].name: person})
        _become(LoadedTables.linking(tables, linked, tuple(lists), loaded))


def _lists() -> tuple[ListColumn, ...]:
    loaded = session().loaded
    return loaded.lists if isinstance(loaded, LoadedTables) else ()


def _become(loaded: Loaded) -> None:
    """Make them the session's, with what is decided on columns that are still there."""
    now, before = session(), session().loaded
    assert before is not None
    kept = {name: role for name, role in now.roles.items() if name in loaded.columns}
    if loaded.roles:  # the tables say whose rows these are
        kept = {name: role for name, role in kept.items() if role not in (Role.PERSON_ID, Role.WEIGHT)}
    now.loaded = replace(loaded, marks=before.marks, described=before.described, with_labels=before.with_labels)
    now.project = replace(now.project.on(loaded.columns), roles={**kept, **loaded.roles})
    now.settings, now.shown = {}, {}
    now.generation += 1
