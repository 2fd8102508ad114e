"""The hierarchy editor: a column, the way its levels are made, the tree they make, and every label of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import Hierarchy, Levels, from_csv, to_csv
from anonlib.plots import hierarchies as plots
from pages.protect.generalize.hierarchies import hand
from pages.protect.generalize.hierarchies.ways import HAND, HAND_LABEL, WAYS, Column, way_of
from ui import cache, guard, page, state
from ui.server.keeping import forget_uploads
from ui.text import plain, printable


def chosen(data: Dataset, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """The hierarchy of each column: the officer's, or else the suggested one."""
    given = state.session().hierarchies
    return {name: given[name] if name in given else _column(data, name).suggested for name in columns}


def edit(data: Dataset, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """Show the editor for some columns of the original file; returns the hierarchy of each as it now is."""
    if not columns:
        return {}
    which, how = st.columns([1, 2.6])
    with which:
        setting = f"hierarchy-column-{hash(tuple(columns))}"
        name = st.selectbox(
            "Column", list(columns), list(columns).index(state.setting(setting, columns[0])), format_func=printable,
            key=state.kept(setting),
        )  # fmt: skip
    column = _column(data, name)
    hierarchy = chosen(data, [name])[name]
    levels = _levels_or_problem(data, name, hierarchy)
    with how:
        way = _choose_way(data, column, hierarchy)
    if way != HAND:
        changed = {"on_change": guard.action(_apply), "args": (data, name, way)}
        WAYS[way].show(column, hierarchy, partial(_setting, name, way), changed)
    elif isinstance(levels, Levels) and len(column.values) <= hand.MOST:
        apply = guard.action(partial(_relabel, data, name))
        hand.show_grouping(column, hierarchy, levels, _key("group", name), apply)
    with st.container():  # always there, or what comes below would be made anew and lose the keyboard's focus
        if not _show_refusal(name) and way == HAND and len(column.values) > hand.MOST:
            st.caption(hand.too_many(column))
    if isinstance(levels, Levels):
        _show_tree(column, hierarchy, levels)
        _show_labels(data, column, hierarchy, levels, way)
    else:
        st.error(plain(levels), icon=":material/error:")
    _show_files(data, column, hierarchy, isinstance(levels, Levels))
    return chosen(data, columns)


# --- what is known of a column -------------------------------------------------------------------------------------


def _column(data: Dataset, name: str) -> Column:
    return cache.remember(_column_of, data, name=name)


def _column_of(data: Dataset, *, name: str) -> Column:
    return Column.of(data, name)


def _levels(data: Dataset, name: str, hierarchy: Hierarchy) -> Levels:
    """The labels of the column's values. Raises InputError where the hierarchy does not fit them."""
    return cache.remember(_levels_on, data, hierarchy, name=name)


def _levels_on(data: Dataset, hierarchy: Hierarchy, *, name: str) -> Levels:
    return hierarchy.on(_column(data, name).values, name)


def _levels_or_problem(data: Dataset, name: str, hierarchy: Hierarchy) -> Levels | str:
    """The labels, or in a sentence why a hierarchy chosen earlier no longer fits the column."""
    try:
        return _levels(data, name, hierarchy)
    except InputError as error:
        return f"{error} Or go back to the hierarchy as suggested."


# --- what is kept in the session -----------------------------------------------------------------------------------


def _name(part: str, column: str) -> str:
    return f"hierarchy-{part}-{state.session().generation}-{column}"


def _times(part: str, column: str) -> int:
    return st.session_state.get(_name(part, column), 0)


def _begun(column: str) -> str:
    """How often settings had to begin from the hierarchy as it is: also when something was undone."""
    return f"{state.session().restored}-{_times('settings', column)}"


def _renew(part: str, column: str) -> None:
    """Widgets of this part get new keys, and so begin from the hierarchy as it is."""
    st.session_state[_name(part, column)] = _times(part, column) + 1


def _key(part: str, column: str) -> str:
    """The key of a widget that is made anew when the hierarchy's labels change otherwise than through it."""
    return f"{_name(part, column)}-{_begun(column)}-{_times('labels', column)}"


def _setting(column: str, way: str, part: str) -> str:
    """The name of a setting that begins anew when the hierarchy changes otherwise than through it."""
    return f"hierarchy-{column}-{_begun(column)}-{way}-{part}"


def _choose_way(data: Dataset, column: Column, hierarchy: Hierarchy) -> str:
    offered = [*(name for name, way in WAYS.items() if way.fits(column)), HAND]
    setting = _setting(column.name, "way", "")
    now = way_of(hierarchy)
    return st.segmented_control(
        "Levels made by",
        offered,
        default=state.setting(setting, now if now in offered else HAND, offered),
        required=True,
        format_func=lambda way: HAND_LABEL if way == HAND else WAYS[way].label,
        key=state.kept(setting),
        on_change=guard.action(_take_way),
        args=(data, column.name, state.kept(setting)),
        help="The ways that fit the values: intervals need numbers, dates need dates.",
    )


# --- changes -------------------------------------------------------------------------------------------------------


def _try(data: Dataset, name: str, make: Callable[[], Hierarchy]) -> bool:
    """Choose the hierarchy that is made, if it can be made and fits the column; otherwise keep the sentence why not."""
    refused = _name("refused", name)
    try:
        made = make()
        _levels(data, name, made)
    except InputError as error:
        st.session_state[refused] = str(error)
        return False
    st.session_state.pop(refused, None)
    state.set_hierarchy(name, None if made == _column(data, name).suggested else made)
    return True


def _apply(data: Dataset, name: str, way: str) -> None:
    column = _column(data, name)
    _try(data, name, lambda: WAYS[way].read(column, partial(_setting, name, way)))


def _take_way(data: Dataset, name: str, key: str) -> None:
    """Another way: with its settings as they were left, or else as they begin."""
    way, column = st.session_state[key], _column(data, name)
    hierarchy = chosen(data, [name])[name]
    if way == HAND:
        left = st.session_state.get(_name("hand", name))
        _try(data, name, lambda: left or hand.of_levels(column, hierarchy, _levels(data, name, hierarchy)))
        _renew("labels", name)
        return
    if way_of(hierarchy) == HAND:
        st.session_state[_name("hand", name)] = hierarchy
    if state.has_settings(_setting(name, way, "")):
        _apply(data, name, way)
    else:
        _try(data, name, lambda: WAYS[way].start(column))


def _relabel(data: Dataset, name: str, changes: dict[tuple[int, int], str | None]) -> None:
    column, hierarchy = _column(data, name), chosen(data, [name])[name]
    _try(data, name, lambda: hand.with_changes(column, hierarchy, _levels(data, name, hierarchy), changes))
    _renew("labels", name)


def _edit_labels(data: Dataset, name: str, key: str) -> None:
    _relabel(data, name, hand.edited(key))


def _import(data: Dataset, name: str, key: str) -> None:
    upload = state.uploaded(key)
    if upload is None:
        return
    if _try(data, name, lambda: from_csv(upload.getvalue())):
        st.session_state.pop(_name("hand", name), None)
        _renew("settings", name)
        forget_uploads()


def _reset(name: str) -> None:
    state.set_hierarchy(name, None)
    for part in ("hand", "refused"):
        st.session_state.pop(_name(part, name), None)
    _renew("settings", name)


# --- what is shown -------------------------------------------------------------------------------------------------


def _show_refusal(name: str) -> bool:
    refused = st.session_state.get(_name("refused", name))
    if refused:
        st.error(f"{plain(refused)} The hierarchy stays as it was.", icon=":material/error:")
    return bool(refused)


def _show_tree(column: Column, hierarchy: Hierarchy, levels: Levels) -> None:
    k = state.session().k
    chart = plots.tree(hierarchy, levels, column.records, k=k, unit="records", dark=page.dark())
    groups = ", ".join(f"{len(labels):,}" for labels in levels.labels)
    page.figure(
        chart,
        f"The hierarchy of {printable(column.name)}: {words.count(levels.n_levels, 'levels')} with {groups} groups.",
        f"{_key('tree', column.name)}-{way_of(hierarchy)}",
    )
    page.counts(
        "Each box is one label, as tall as the values under it, with its number of records. Red edge: fewer than "
        f"k = {k} records of the file have it."
    )


def _show_labels(data: Dataset, column: Column, hierarchy: Hierarchy, levels: Levels, way: str) -> None:
    if way == HAND and len(column.values) <= hand.MOST:
        apply = guard.action(partial(_edit_labels, data, column.name))
        hand.show_editor(column, hierarchy, levels, _key("table", column.name), apply, height=330)
        return
    with st.expander(f"Every value and its labels ({len(column.values):,})"):
        hand.show_table(column, levels)


def _show_files(data: Dataset, column: Column, hierarchy: Hierarchy, fits: bool) -> None:
    name = column.name
    with st.container(horizontal=True):
        as_suggested = name not in state.session().hierarchies
        st.button(
            "As suggested",
            key=_name("reset", name),
            on_click=guard.action(_reset),
            args=(name,),
            icon=":material/restart_alt:",
            disabled=as_suggested,
            help="This is the suggested hierarchy." if as_suggested else "Back to the hierarchy suggested at first.",
        )
        with st.popover("Import", icon=":material/upload_file:"):
            key = _key("file", name)
            st.file_uploader(
                f"Hierarchy of {plain(printable(name), 40)} (CSV)",
                key=key,
                type=["csv", "txt"],
                on_change=guard.action(_import),
                args=(data, name, key),
                help="As ARX writes it: one row a value, without header; the value, then its label on each level.",
            )
        why_not = "" if fits else "The hierarchy does not fit the column."
        if "" in column.values:
            why_not = "One value is an empty text, which the file could not tell from a missing one."
        page.download(
            "Download",
            lambda: to_csv(hierarchy, column.values).encode("utf-8", "replace"),
            f"hierarchy_{re.sub(r'[^0-9A-Za-z]+', '_', name).strip('_') or 'column'}.csv",
            _name("download", name),
            help="As ARX reads it: one row a value, one column a level.",
            why_not=why_not,
        )
