"""Grouping values by hand: several under one label, or label by label in a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, Levels, from_labels, relabelled
from anonlib.values.cells import MISSING_LABEL
from pages.protect.generalize.hierarchies.column import Column, between
from ui.kit import page
from ui.session import guard, keep
from ui.text import printable

MOST = 500  # values that can be edited by hand
_SHOWN = 1_000  # rows of a table that is only read
Labels = list[list[str | None]]


def too_many(column: Column) -> str:
    return (
        f"{len(column.values):,} values are too many to group by hand: {MOST} are the most. Choose another way, or "
        "import a file with their labels."
    )


def of_levels(column: Column, hierarchy: Hierarchy, levels: Levels) -> Hierarchy:
    """The same labels written out value by value, to be changed by hand. Raises InputError for too many values."""
    if len(column.values) > MOST:
        raise InputError(too_many(column), code="too-many-values")
    return _of_labels(column, hierarchy, labels_of(hierarchy, levels))


def labels_of(hierarchy: Hierarchy, levels: Levels) -> Labels:
    """Per level between the values and everything together, the label of each value."""
    return [levels.label(level).tolist() for level in range(1, len(between(hierarchy)) + 1)]


def with_changes(
    column: Column, hierarchy: Hierarchy, levels: Levels, changes: dict[tuple[int, int], str | None]
) -> Hierarchy:
    """The hierarchy after labels are changed; a change on the level after the last makes a new one."""
    labels = labels_of(hierarchy, levels)
    if any(level > len(labels) for _, level in changes):
        labels = _with_draft(column, labels)
    return _of_labels(column, hierarchy, relabelled(labels, changes))


def _with_draft(column: Column, labels: Labels) -> Labels:
    """The labels with one more level, as yet the same as the one below."""
    return [*labels, list(labels[-1] if labels else column.values)]


def _of_labels(column: Column, hierarchy: Hierarchy, labels: Labels) -> Hierarchy:
    # A level that is the same as the one below says nothing new.
    kept = [level for below, level in zip([list(column.values), *labels], labels, strict=False) if level != below]
    of_labels = from_labels(column.values, kept)
    named_top = hierarchy.has_top and len(of_labels.recodings) == len(kept) + 1
    return Hierarchy((*of_labels.recodings[:-1], hierarchy.recodings[-1])) if named_top else of_labels


def show_grouping(column: Column, hierarchy: Hierarchy, levels: Levels, name: str, apply: Callable[..., None]) -> None:
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


def _groups(column: Column, labels: Labels, level: int) -> list[tuple[str, int]]:
    """What can be put together on a level: the groups of the level below, each with the position of one value in it."""
    below: Sequence[str | None] = labels[level - 2] if level > 1 else column.values
    first: dict[str | None, int] = {}
    for position, name in enumerate(below):
        first.setdefault(name, position)
    return [(_shown(name), position) for name, position in first.items()]


def show_editor(
    column: Column, hierarchy: Hierarchy, levels: Levels, key: str, apply: Callable[[str], None], height: int
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


def _table(column: Column) -> dict[str, list]:
    return {"Value": [_shown(value) for value in column.values], "Records": column.records.tolist()}


def show_table(column: Column, levels: Levels) -> None:
    """Every value, its records and its label on each level, to read."""
    names = level_names(levels.n_levels - 1)
    labels = {name: [_shown(label) for label in levels.label(i)] for i, name in enumerate(names, start=1)}
    frame = pd.DataFrame(_table(column) | labels)
    if len(frame) > _SHOWN:
        st.caption(f"The first {_SHOWN:,} of {len(frame):,} values; the download holds all.")
    page.table(frame.head(_SHOWN), "Values with their records and their label on each level", height=300)


def _shown(label: str | None) -> str:
    return MISSING_LABEL if label is None else printable(label)
