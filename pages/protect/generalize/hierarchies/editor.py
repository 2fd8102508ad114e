"""The hierarchy editor: a column, the way its levels are made, the tree they make, and every label of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, Levels, from_csv, from_labels, relabelled, to_csv
from anonlib.dataset import Dataset
from anonlib.plots import hierarchies as plots
from anonlib.values.cells import MISSING_LABEL
from pages.protect.generalize.hierarchies.ways import HAND, HAND_LABEL, WAYS, ColumnOfFile, between, way_of
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.server.keeping import forget_uploads
from ui.session import cache, decide, guard, keep, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain, printable


def chosen(data: Dataset, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """The hierarchy of each column: the officer's, or else the suggested one."""
    given = session().hierarchies
    return {name: given[name] if name in given else _column(data, name).suggested for name in columns}


def edit(data: Dataset, columns: Sequence[str]) -> None:
    """Show the editor for some columns of the original file."""
    if not columns:
        return
    which, how = st.columns([1, 2.6])
    name = keep.select("hierarchy-column", "Column", columns, format_func=titled, place=which)
    column = _column(data, name)
    hierarchy = chosen(data, [name])[name]
    levels = _levels_or_problem(data, name, hierarchy)
    way = _ask_way(data, column, hierarchy, how)
    if way != HAND:
        changed = {"on_change": guard.action(_apply), "args": (data, name, way)}
        WAYS[way].show(column, WAYS[way].settings(column, hierarchy), partial(_setting, name, way), changed)
    elif isinstance(levels, Levels) and len(column.values) <= MOST:
        apply = partial(_relabel, data, name)
        show_grouping(column, hierarchy, levels, _setting(name, GROUP), apply)
    with st.container():  # always there, or what comes below would be made again and lose the keyboard's focus
        if not _show_refusal(name) and way == HAND and len(column.values) > MOST:
            st.caption(too_many(column))
    if isinstance(levels, Levels):
        _show_tree(column, hierarchy, levels)
        _show_labels(data, column, hierarchy, levels, way)
    else:
        st.error(plain(levels), icon=":material/error:")
    _show_files(data, column, hierarchy, isinstance(levels, Levels))


# --- what is known of a column -------------------------------------------------------------------------------------


def _column(data: Dataset, name: str) -> ColumnOfFile:
    return _column_of(data, name=name)


@cache.remembered
def _column_of(data: Dataset, *, name: str) -> ColumnOfFile:
    return ColumnOfFile.of(data, name)


def _levels(data: Dataset, name: str, hierarchy: Hierarchy) -> Levels:
    """The labels of the column's values. Raises InputError where the hierarchy does not fit them."""
    return _levels_on(data, hierarchy, name=name)


@cache.remembered
def _levels_on(data: Dataset, hierarchy: Hierarchy, *, name: str) -> Levels:
    return hierarchy.on(_column(data, name).values, name)


def _levels_or_problem(data: Dataset, name: str, hierarchy: Hierarchy) -> Levels | str:
    """The labels, or in a sentence why a hierarchy chosen earlier no longer fits the column."""
    try:
        return _levels(data, name, hierarchy)
    except InputError as error:
        return f"{error} Or go back to the hierarchy as suggested."


# --- what is kept in the session -----------------------------------------------------------------------------------

LABELS, GROUP, REFUSED, BY_HAND, WAY = "labels", "group", "refused", "by-hand", "way"


def _setting(column: str, *parts: str) -> str:
    """The name of a setting of a column's editor; after an undo all of them begin from the hierarchy as it is."""
    return "-".join([keep.per("hierarchy", column, session().generation), *parts])


def _key(column: str, widget: str) -> str:
    """The key of a widget that is made again when the hierarchy's labels change otherwise than through it."""
    return f"{keep.key(_setting(column, LABELS))}-{widget}"


def _reset_widgets(column: str) -> None:
    """Let everything of the editor begin from the hierarchy as it is."""
    keep.forget(_setting(column))
    keep.renew(_setting(column, LABELS))


def _ask_way(data: Dataset, column: ColumnOfFile, hierarchy: Hierarchy, place: Any) -> str:
    offered = [*(name for name, way in WAYS.items() if way.fits(column)), HAND]
    usual = way_of(hierarchy)
    now = keep.value(_setting(column.name, WAY), usual if usual in offered else HAND, offered.__contains__)
    return keep.segments(
        _setting(column.name, "levels"), "Levels made by", offered, now, place=place,
        take=partial(_take_way, data, column.name),
        format_func=lambda way: HAND_LABEL if way == HAND else WAYS[way].label,
        help="The ways that fit the values: intervals need numbers or ranges of them, dates need dates.",
    )  # fmt: skip


# --- changes -------------------------------------------------------------------------------------------------------


def _try(data: Dataset, name: str, make: Callable[[], Hierarchy]) -> bool:
    """Choose the hierarchy that is made, if it can be made and fits the column; otherwise keep the sentence why not."""
    try:
        hierarchy = make()
        _levels(data, name, hierarchy)
    except InputError as error:
        keep.put(_setting(name, REFUSED), str(error))
        return False
    keep.forget(_setting(name, REFUSED))
    decide.set_hierarchy(name, None if hierarchy == _column(data, name).suggested else hierarchy)
    return True


def _apply(data: Dataset, name: str, way: str) -> None:
    """Make the hierarchy that the settings of a way ask for, and keep them all, as they are to come back."""
    column, hierarchy = _column(data, name), chosen(data, [name])[name]
    begin = WAYS[way].settings(column, hierarchy)
    settings = {part: keep.value(_setting(name, way, part), value) for part, value in begin.items()}
    for part, value in settings.items():
        keep.put(_setting(name, way, part), value)
    _try(data, name, lambda: WAYS[way].read(column, settings))


def _take_way(data: Dataset, name: str, way: str) -> None:
    """Another way: with its settings as they were left, or else as they begin."""
    column, hierarchy = _column(data, name), chosen(data, [name])[name]
    keep.put(_setting(name, WAY), way)
    if way == HAND:
        left = keep.value(_setting(name, BY_HAND), None)
        _try(data, name, lambda: left or of_levels(column, hierarchy, _levels(data, name, hierarchy)))
        keep.renew(_setting(name, LABELS))
        return
    if way_of(hierarchy) == HAND:
        keep.put(_setting(name, BY_HAND), hierarchy)
    if keep.is_set(_setting(name, way, "")):
        _apply(data, name, way)
    else:
        _try(data, name, lambda: WAYS[way].start(column))


def _relabel(data: Dataset, name: str, changes: dict[tuple[int, int], str | None]) -> None:
    column, hierarchy = _column(data, name), chosen(data, [name])[name]
    _try(data, name, lambda: with_changes(column, hierarchy, _levels(data, name, hierarchy), changes))
    keep.forget(_setting(name, GROUP))
    keep.renew(_setting(name, LABELS))


def _edit_labels(data: Dataset, name: str, key: str) -> None:
    _relabel(data, name, edited(key))


def _import(data: Dataset, name: str, key: str) -> None:
    upload = keep.uploaded(key)
    if upload is not None and _try(data, name, lambda: from_csv(upload.getvalue())):
        _reset_widgets(name)
        forget_uploads()


def _reset(name: str) -> None:
    decide.set_hierarchy(name, None)
    _reset_widgets(name)


# --- what is shown -------------------------------------------------------------------------------------------------


def _show_refusal(name: str) -> bool:
    refused = keep.value(_setting(name, REFUSED), "")
    if refused:
        st.error(f"{plain(refused)} The hierarchy stays as it was.", icon=":material/error:")
    return bool(refused)


def _show_tree(column: ColumnOfFile, hierarchy: Hierarchy, levels: Levels) -> None:
    k = view.now().k
    groups = ", ".join(f"{len(labels):,}" for labels in levels.labels)
    page.figure(
        partial(plots.tree, hierarchy, levels, column.records, k=k, unit="records"),
        f"The hierarchy of {printable(column.name)}: {words.count(levels.n_levels, 'levels')} with {groups} groups.",
        _key(column.name, f"tree-{way_of(hierarchy)}"),
    )
    page.counts(
        "Each box is one label, as tall as the values under it, with its number of records. Red edge: fewer than "
        f"k = {k} records of the file have it."
    )


def _show_labels(data: Dataset, column: ColumnOfFile, hierarchy: Hierarchy, levels: Levels, way: str) -> None:
    if way == HAND and len(column.values) <= MOST:
        apply = partial(_edit_labels, data, column.name)
        show_editor(column, hierarchy, levels, _key(column.name, "table"), apply, height=330)
        return
    with st.expander(f"Every value and its labels ({len(column.values):,})"):
        show_table(column, levels)


def _show_files(data: Dataset, column: ColumnOfFile, hierarchy: Hierarchy, fits: bool) -> None:
    name = column.name
    with st.container(horizontal=True):
        as_suggested = name not in session().hierarchies
        st.button(
            "As suggested",
            key=_setting(name, "reset"),
            on_click=guard.action(_reset),
            args=(name,),
            icon=":material/restart_alt:",
            disabled=as_suggested,
            help="This is the suggested hierarchy." if as_suggested else "Back to the hierarchy suggested at first.",
        )
        with st.popover("Import", icon=":material/upload_file:"):
            key = _key(name, "file")
            st.file_uploader(
                f"Hierarchy of {plain(printable(name), 40)} (CSV)",
                key=key,
                type=["csv", "txt"],
                on_change=guard.action(_import),
                args=(data, name, key),
                help=glossary.linked(
                    "As ARX writes it: one row a value, without header; the value, then its label on each level.",
                    "hierarchy",
                ),
            )
        why_not = "" if fits else "The hierarchy does not fit the column."
        if "" in column.values:
            why_not = "One value is an empty text, which the file could not tell from a missing one."
        page.download(
            "Download",
            lambda: to_csv(hierarchy, column.values).encode("utf-8", "replace"),
            f"hierarchy_{re.sub(r'[^0-9A-Za-z]+', '_', name).strip('_') or 'column'}.csv",
            _setting(name, "download"),
            holds=Holds.INSIDE,
            help="As ARX reads it: one row a value, one column a level.",
            why_not=why_not,
        )


# ---- by hand: several values under one label, or label by label in a table ----


MOST = 500  # values that can be edited by hand
_SHOWN = 1_000  # rows of a table that is only read
Labels = list[list[str | None]]


def too_many(column: ColumnOfFile) -> str:
    return (
        f"{len(column.values):,} values are too many to group by hand: {MOST} are the most. Choose another way, or "
        "import a file with their labels."
    )


def of_levels(column: ColumnOfFile, hierarchy: Hierarchy, levels: Levels) -> Hierarchy:
    """The same labels written out value by value, to be changed by hand. Raises InputError for too many values."""
    if len(column.values) > MOST:
        raise InputError(too_many(column), code="too-many-values")
    return _of_labels(column, hierarchy, labels_of(hierarchy, levels))


def labels_of(hierarchy: Hierarchy, levels: Levels) -> Labels:
    """Per level between the values and everything together, the label of each value."""
    return [levels.label(level).tolist() for level in range(1, len(between(hierarchy)) + 1)]


def with_changes(
    column: ColumnOfFile, hierarchy: Hierarchy, levels: Levels, changes: dict[tuple[int, int], str | None]
) -> Hierarchy:
    """The hierarchy after labels are changed; a change on the level after the last makes a new one."""
    labels = labels_of(hierarchy, levels)
    if any(level > len(labels) for _, level in changes):
        labels = _with_draft(column, labels)
    return _of_labels(column, hierarchy, relabelled(labels, changes))


def _with_draft(column: ColumnOfFile, labels: Labels) -> Labels:
    """The labels with one more level, as yet the same as the one below."""
    return [*labels, list(labels[-1] if labels else column.values)]


def _of_labels(column: ColumnOfFile, hierarchy: Hierarchy, labels: Labels) -> Hierarchy:
    # A level that is the same as the one below says nothing new.
    telling_levels = [
        level for below, level in zip([list(column.values), *labels], labels, strict=False) if level != below
    ]
    of_labels = from_labels(column.values, telling_levels)
    named_top = hierarchy.has_top and len(of_labels.recodings) == len(telling_levels) + 1
    return Hierarchy((*of_labels.recodings[:-1], hierarchy.recodings[-1])) if named_top else of_labels


def show_grouping(
    column: ColumnOfFile, hierarchy: Hierarchy, levels: Levels, name: str, apply: Callable[..., None]
) -> None:
    """Several values at once: which, their label, and on which level; ``name`` is that of the settings."""
    last = len(between(hierarchy)) + 1
    on, which, label, go = st.columns([1.1, 3.4, 1.8, 0.9], vertical_alignment="bottom")
    level = keep.select(
        f"{name}-level", "On level", range(1, last + 1), max(1, last - 1), place=on,
        format_func=lambda number: f"{number}" if number < last or last == 1 else f"{number} (new)",
    )  # fmt: skip
    groups = _groups(column, _with_draft(column, labels_of(hierarchy, levels)), level)
    chosen = keep.several(
        f"{name}-which-{level}",
        "Values to put together" if level == 1 else f"Groups of level {level - 1} to put together",
        range(len(groups)), place=which, format_func=[text for text, _ in groups].__getitem__,
    )  # fmt: skip
    typed = keep.text(f"{name}-label-{level}", "Label", place=label, placeholder="name of the group")
    go.button(
        "Group",
        key=f"{name}-button",
        on_click=guard.action(apply),
        args=({(groups[place][1], level): typed for place in chosen},),
        disabled=not chosen or not typed.strip(),
        help=None if chosen and typed.strip() else "Choose values and give them a label.",
        width="stretch",
    )


def _groups(column: ColumnOfFile, labels: Labels, level: int) -> list[tuple[str, int]]:
    """What can be put together on a level: the groups of the level below, each with the position of one value in it."""
    below: Sequence[str | None] = labels[level - 2] if level > 1 else column.values
    first: dict[str | None, int] = {}
    for position, name in enumerate(below):
        first.setdefault(name, position)
    return [(_shown(name), position) for name, position in first.items()]


def show_editor(
    column: ColumnOfFile, hierarchy: Hierarchy, levels: Levels, key: str, apply: Callable[[str], None], height: int
) -> None:
    """Every value with a label a level to change; the last column makes a new level."""
    labels = _with_draft(column, labels_of(hierarchy, levels))
    names = level_names(len(labels))
    table = _table(column) | dict(zip(names, labels, strict=True))
    frame = pd.DataFrame(table)
    frame[names] = frame[names].astype(object)
    st.data_editor(
        frame,
        hide_index=True,
        disabled=["Value", "Records"],
        height=page.table_height(len(frame), height),
        key=key,
        alt="Values with their label on each level; the labels can be edited.",
        placeholder="",
        column_config={
            "Value": st.column_config.TextColumn(pinned=True, width=220),
            "Records": st.column_config.NumberColumn(format="localized", width=90),
            **{name: st.column_config.TextColumn(help=_HELP) for name in names[:-1]},
            names[-1]: st.column_config.TextColumn(f"{names[-1]} (new)", help=f"{_HELP} A change here adds the level."),
        },
        on_change=guard.action(apply),
        args=(key,),
    )


_HELP = "Equal labels are one group. What is one group on a level changes together on the next. Clear it for missing."


def edited(key: str) -> dict[tuple[int, int], str | None]:
    """The labels changed in the table of this key: position of the value and level -> label."""
    changed = keep.reported(key)["edited_rows"]
    return {
        (int(row), int(name.rsplit(" ", 1)[1])): label
        for row, cells in changed.items()
        for name, label in cells.items()
        if name.startswith("Level ")
    }


def level_names(n: int) -> list[str]:
    return [f"Level {level}" for level in range(1, n + 1)]


def _table(column: ColumnOfFile) -> dict[str, list]:
    return {"Value": [_shown(value) for value in column.values], "Records": column.records.tolist()}


def show_table(column: ColumnOfFile, levels: Levels) -> None:
    """Every value, its records and its label on each level, to read."""
    names = level_names(levels.n_levels - 1)
    labels = {name: [_shown(label) for label in levels.label(i)] for i, name in enumerate(names, start=1)}
    frame = pd.DataFrame(_table(column) | labels)
    if len(frame) > _SHOWN:
        st.caption(f"The first {_SHOWN:,} of {len(frame):,} values; the download holds all.")
    page.table(frame.head(_SHOWN), "Values with their records and their label on each level", height=300)


def _shown(label: str | None) -> str:
    return MISSING_LABEL if label is None else printable(label)
