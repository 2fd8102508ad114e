"""The way to make a hierarchy of codes: the groups of a known system."""

from __future__ import annotations

from typing import Any

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, codes
from anonlib.coarsening.recoding import CodeGroup
from anonlib.columns.codes import SYSTEMS, CodeSystem
from pages.protect.generalize.hierarchies.column import Column, Named, Settings, Way, between
from ui.kit.shared_controls import ask_system, show_strangers
from ui.session import keep


def _has_systems(column: Column) -> bool:
    return bool(column.systems)


def _start(column: Column) -> Hierarchy:
    if any(isinstance(level, CodeGroup) for level in between(column.suggested)):
        return column.suggested
    return codes(column.systems[0], _levels(column, column.systems[0]))


def _levels(column: Column, system: CodeSystem) -> list[str]:
    """The levels to begin with: those that merge values, all where none does."""
    return list(system.merging(column.texts) or system.levels)


def _settings_of(column: Column, hierarchy: Hierarchy) -> Settings:
    """The system, and its levels under its key: each system keeps its own while another is looked at."""
    groups = [level for level in between(hierarchy) if isinstance(level, CodeGroup)]
    system = groups[0].of if groups else column.systems[0]
    levels = {each.key: _levels(column, each) for each in column.systems}
    if groups:
        levels[system.key] = [group.level for group in groups]
    return {"system": system.key} | levels


def _show(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    first, second = st.columns([1.2, 2])
    offered = dict.fromkeys([*(system.key for system in column.systems), begin["system"]])
    system = ask_system(named("system"), list(offered), begin["system"], place=first, **changed)
    levels, widget = keep.widget(named(system.key), begin[system.key])
    second.pills(
        "Groups, one a level", system.levels, selection_mode="multi", default=levels, **widget, **changed,
        format_func=str.capitalize, help="From fine to coarse; the last level is everything together.",
    )  # fmt: skip
    present = [value is not None for value in column.values]
    show_strangers(system, column.texts, column.records[present])


def _read(column: Column, settings: Settings) -> Hierarchy:
    system = SYSTEMS[settings["system"]]
    if not settings[system.key]:
        raise InputError(
            f"Choose at least one of {words.listed(list(system.levels), last='or')}.", code="choice-missing"
        )
    return codes(system, settings[system.key])


CODES = Way("Codes", _has_systems, _start, _settings_of, _show, _read)
