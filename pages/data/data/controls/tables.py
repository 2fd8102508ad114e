"""The tables of a case: how they hang together, other keys, one more or one less; lists in cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.project import Loaded, LoadedFile, LoadedTables
from anonlib.plots import tables as plots
from anonlib.reading.samples import SAMPLES, Sample
from anonlib.reading.tables import Linked, ListColumn, NamedTable, key_between, link, named_apart, open_tables
from anonlib.reading.tables.lists import mark_of
from ui.files import data_file
from ui.kit import glossary, page
from ui.session import cache, guard, keep
from ui.session.state import session
from ui.text import plain, printable, stem

_NOTHING = ""


def show() -> None:
    """The picture of several tables and their keys; beside one file the way to bring more."""
    loaded = session().loaded
    if isinstance(loaded, LoadedTables) and loaded.file is None:
        _show_tables(loaded)
    elif isinstance(loaded, LoadedFile):
        _offer_more(loaded)
    _ask_lists()


def _show_tables(loaded: LoadedTables) -> None:
    n_tables = words.count(len(loaded.tables), "tables")
    with st.container(border=True):
        st.markdown(
            f"**{n_tables} are looked at as one**: a row of each with what it hangs below. Somebody is taken to know a "
            "person and rows of any table; all tables leave, with new keys that fit together."
            if len(loaded.tables) > 1
            else "**One table is left** of the case."
        )
        page.figure(
            partial(plots.tables, loaded.tables, loaded.linked), plots.in_words(loaded.tables, loaded.linked), "tables"
        )
        with st.expander("Other keys", icon=":material/key:"):
            _ask_keys(loaded)
        with st.container(horizontal=True):
            with st.popover("Add a table", icon=":material/add:"):
                _ask_more()
            with st.popover("Take a table out", icon=":material/remove:"):
                for table in loaded.tables:
                    st.button(
                        f"Take out {printable(table.name)}", key=f"tables-out-{table.name}", width="stretch",
                        on_click=guard.action(without), args=(table.name,), disabled=len(loaded.tables) == 1,
                    )  # fmt: skip


def _offer_more(loaded: LoadedFile) -> None:
    """More tables beside one file: those of its sample by one click."""
    sample = _sample()
    with st.container(horizontal=True, vertical_alignment="center"):
        if sample is not None and sample.tables:
            st.button(
                f"Add its {words.listed([table.title.lower() for table in sample.further], 3)}", key="tables-of-sample",
                icon=":material/add:", on_click=guard.action(_add_of_sample), args=(sample,),
                help="A second table of the same persons. Both are then looked at as one, and leave together.",
            )  # fmt: skip
        if len(loaded.source.reading.sheets) > 1:
            st.button(
                f"Open its {words.count(len(loaded.source.reading.sheets), 'sheets')} as tables",
                key="tables-of-sheets", icon=":material/account_tree:", on_click=guard.action(data_file.load_tables),
                args=([(loaded.name, loaded.data)],), help="Each sheet that holds a table, with keys between them.",
            )  # fmt: skip
        with st.popover("Add a table", icon=":material/table_rows:", help="Of the same persons, such as their visits."):
            _ask_more()


def _sample() -> Sample | None:
    """The sample that is loaded, if one is."""
    loaded = session().loaded
    assert isinstance(loaded, LoadedFile)
    return next((sample for sample in SAMPLES if sample.filename == loaded.name), None)


def _add_of_sample(sample: Sample) -> None:
    add([(table.filename, table.read_bytes()) for table in sample.further])
    loaded, roles = session().loaded, dict(session().roles)
    assert loaded is not None
    for further_table in sample.further:
        roles |= {
            name: Role(role)
            for name, role in further_table.roles.items()
            if name in loaded.columns and name not in roles
        }
    session().roles = roles


def _ask_lists() -> None:
    """Which columns hold lists, where some look so."""
    loaded, held = session().loaded, of_session()
    chosen = (
        {(list_column.table, list_column.column): list_column.mark for list_column in loaded.lists}
        if isinstance(loaded, LoadedTables)
        else {}
    )
    marks_seen = {(table.name, name): mark for table in held for name, mark in _marks(table)}
    marks = marks_seen | chosen
    if marks:
        keep.several(
            "lists", "Lists in cells, to be looked at item by item", list(marks), list(chosen), width=620,
            format_func=lambda pair: f"{printable(pair[1])}, parted by “{marks[pair]}”",
            take=partial(_take_lists, marks),
            placeholder="Choose columns; else a whole list counts as one value",
            help=glossary.linked(
                "Somebody is then taken to know single items of a person, as many as the criteria say; items are "
                "coarsened and left out one by one, and leave as a list again, in the order of their labels.",
                "left out",
            ),
        )  # fmt: skip


def _take_lists(marks: Mapping[tuple[str, str], str], chosen: list[tuple[str, str]]) -> None:
    with_lists([ListColumn(table, column, marks[table, column]) for table, column in chosen])


@cache.remembered
def _marks(table: NamedTable) -> tuple[tuple[str, str], ...]:
    """The columns of a table that look like lists, each with what stands between the items."""
    pairs = ((name, mark_of(table.records.counts_of(name))) for name in table.columns if not table.stays)
    return tuple((name, mark) for name, mark in pairs if mark)


def _ask_more() -> None:
    key = keep.key("more-tables")
    st.file_uploader(
        "More tables of the same persons (CSV, Excel, Parquet, SPSS, Stata, SAS, FHIR)", key=key,
        accept_multiple_files=True, on_change=guard.action(_add), args=(key,),
        help="Each needs a column that names the person, or a row of another table, such as a visit.",
    )  # fmt: skip


def _add(key: str) -> None:
    uploads = keep.all_uploaded(key)
    if uploads:
        keep.renew("more-tables")
        add([(upload.name, upload.getvalue()) for upload in uploads])


# ---- keys ----


def _ask_keys(loaded: LoadedTables) -> None:
    """Of each table: whose row it is, and below which table it hangs by which of its columns."""
    for table in loaded.tables:
        key = loaded.linked.key_of(table.name)
        st.markdown(f"**{plain(table.name, 40)}**")
        persons, parent, column = page.beside(1, 1, 1, gap="small")
        keep.select(
            f"tables-person-{table.name}", "Person id", [_NOTHING, *table.columns],
            loaded.linked.person_columns.get(table.name, _NOTHING), place=persons, format_func=_or_none,
            take=partial(_take_person, loaded, table),
        )  # fmt: skip
        others = [other.name for other in loaded.tables if other is not table]
        keep.select(
            f"tables-parent-{table.name}", "Hangs below", [_NOTHING, *others],
            _NOTHING if key is None else key.parent, place=parent, format_func=_or_none,
            take=partial(_take_parent, loaded, table),
        )  # fmt: skip
        keep.select(
            f"tables-key-{table.name}", "By its column", [_NOTHING, *table.columns],
            _NOTHING if key is None else key.column, place=column, format_func=_or_none,
            take=partial(_take_column, loaded, table), disabled=key is None,
            help=None if key is not None else "Choose what it hangs below first.",
        )  # fmt: skip


def _or_none(name: str) -> str:
    return printable(name) if name else "none"


def _take_person(loaded: LoadedTables, table: NamedTable, column: str) -> None:
    persons = {name: own for name, own in loaded.linked.person_columns.items() if name != table.name}
    person_table = loaded.linked.person_table
    if person_table == table.name and not (column and _names_rows(table, column)):
        person_table = None  # such as where the number of a household says whose rows these are
    linking(
        replace(
            loaded.linked,
            person_table=person_table,
            person_columns=persons | ({table.name: column} if column else {}),
        )
    )


def _names_rows(table: NamedTable, column: str) -> bool:
    """Whether each value of a column is that of one row."""
    return int(table.records.counts_of(column).records.max(initial=0)) < 2


def _take_parent(loaded: LoadedTables, table: NamedTable, parent: str) -> None:
    keys = tuple(key for key in loaded.linked.keys if key.table != table.name)
    if parent:
        above = next(other for other in loaded.tables if other.name == parent)
        keys = (*keys, key_between(table, above))
    linking(replace(loaded.linked, keys=keys))


def _take_column(loaded: LoadedTables, table: NamedTable, column: str) -> None:
    keys = tuple(replace(key, column=column) if key.table == table.name else key for key in loaded.linked.keys)
    linking(replace(loaded.linked, keys=tuple(key for key in keys if key.column)))


# ---- what is done to the tables of the session ----


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
    lists = tuple(list_column for list_column in _lists() if list_column.table != name)
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
    roles = {name: role for name, role in now.roles.items() if name in loaded.columns}
    if loaded.roles:  # the tables say whose rows these are
        roles = {name: role for name, role in roles.items() if role not in (Role.PERSON_ID, Role.WEIGHT)}
    now.loaded = replace(loaded, marks=before.marks, described=before.described, with_labels=before.with_labels)
    now.project = replace(now.project.on(loaded.columns), roles={**roles, **loaded.roles})
    now.settings, now.shown = {}, {}
    now.generation += 1
