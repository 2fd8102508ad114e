"""What is doubtful about whose row it is, and how ids are read: nothing of it is done unless the officer says so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from anonlib.columns.person_ids import IdDoubts, in_words, placeholders_of, without_settings
from anonlib.dataset import Dataset
from anonlib.filing.project import Loaded, LoadedTables
from anonlib.reading.ids import IdsRead
from ui.files import data_file
from ui.kit import page
from ui.session import cache, decide, keep, view
from ui.session.names import titled
from ui.text import plain, printable


def show(data: Dataset) -> None:
    """The sentences, and a switch for each; nothing where nothing is doubtful and nothing was chosen."""
    loaded, doubts = view.now().loaded, view.now().doubts
    assert loaded is not None
    chosen = loaded.ids if loaded.ids is not None and loaded.ids.changes else None
    if not doubts and chosen is None:
        return
    with st.container(border=True):
        st.markdown("**Whose row it is**")
        for sentence in in_words(doubts):
            st.markdown(f":material/help: {plain(without_settings(sentence))}")
        column = chosen.column if chosen is not None else doubts.column if doubts is not None else ""
        _ask(loaded, data, doubts, chosen or IdsRead(column))


def _ask(loaded: Loaded, data: Dataset, doubts: IdDoubts | None, ids: IdsRead) -> None:
    """A switch for each way in which the ids could be read otherwise."""
    of_column = doubts if doubts is not None and doubts.column == ids.column else None
    several = isinstance(loaded, LoadedTables)
    if not several and (ids.fill_down or (of_column is not None and of_column.fill and of_column.in_order)):
        fill = ids.fill_down or (of_column.fill if of_column is not None else ())
        keep.toggle(
            "ids-fill", f"Fill down {page.listed(fill, 4)}: rows below are of the person above",
            bool(ids.fill_down), take=partial(_fill, ids, fill),
            help="A blank cell in a row without an id gets the value of the last row above that has one.",
        )  # fmt: skip
    if ids.one_spelling or (of_column is not None and of_column.spellings):
        keep.toggle(
            "ids-spelling", f"Spellings of one number in {plain(titled(ids.column))} are one id", ids.one_spelling,
            take=partial(_one_spelling, ids), help="They have the most frequent spelling.",
        )  # fmt: skip
    if not several and (ids.within or (of_column is not None and of_column.site)):
        site = ids.within or (of_column.site if of_column is not None else "")
        keep.toggle(
            "ids-within", f"Each value of {plain(titled(site))} gives its own numbers: count by both", bool(ids.within),
            take=partial(_within, ids, site), help="A row without either is a person of its own.",
        )  # fmt: skip
    _ask_placeholders(loaded, data, ids.column)


def _ask_placeholders(loaded: Loaded, data: Dataset, column: str) -> None:
    marks = _placeholders(data.with_roles({}), column=column) if column in data.held.columns else ()
    marked = tuple(mark for of, mark in loaded.column_marks if of == column)
    if marks or marked:
        keep.several(
            "ids-placeholders", f"In {plain(titled(column))} these mean “no id”",
            list(dict.fromkeys([*marked, *marks])), marked, take=partial(_marks, loaded, column), format_func=printable,
            placeholder="Choose those that name nobody",
            help="Each row without an id counts as a person of its own.",
        )  # fmt: skip


@cache.remembered
def _placeholders(data: Dataset, *, column: str) -> tuple[str, ...]:
    return placeholders_of(data.held, column)


def _read(ids: IdsRead) -> None:
    """Read the ids so; what is read otherwise since it is of one person says whose row it is."""
    data_file.prepare(ids=ids)
    data = view.now().data
    if ids.changes and data is not None and data.person_id is None and data.weight is None:
        decide.set_person_id(ids.column)


def _fill(ids: IdsRead, fill: tuple[str, ...], wanted: bool) -> None:
    _read(replace(ids, fill_down=fill if wanted else ()))


def _one_spelling(ids: IdsRead, wanted: bool) -> None:
    _read(replace(ids, one_spelling=wanted))


def _within(ids: IdsRead, site: str, wanted: bool) -> None:
    _read(replace(ids, within=site if wanted else ""))


def _marks(loaded: Loaded, column: str, chosen: list[str]) -> None:
    others = tuple(pair for pair in loaded.column_marks if pair[0] != column)
    data_file.prepare(column_marks=(*others, *((column, mark) for mark in chosen)))
