"""The ways to make a hierarchy of texts: characters, dates, and the values that few have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import OTHER, Hierarchy, builders, rare
from anonlib.coarsening.recoding import DateUnit, Mask
from anonlib.values.dates import read_dates, to_dates
from pages.protect.generalize.hierarchies.column import Column, Named, Settings, Way, between
from pages.protect.generalize.hierarchies.of_numbers import has_ranges, numbers_of
from ui.session import keep

_MOST_MASKS = 20  # levels
LAST, FIRST = "the last", "the first"  # characters masked first


def _has_dates(column: Column) -> bool:
    return bool((~np.isnat(to_dates(column.texts, numbers=True))).any()) or has_ranges(column, "months")


def _is_regular(column: Column) -> bool:
    """Values of one length, or mostly with digits: the first characters of words say little."""
    texts = column.texts
    with_digits = sum(any(char.isdigit() for char in text) for text in texts)
    return column.longest > 1 and (2 * with_digits >= len(texts) or len({len(text) for text in texts}) == 1)


def _or_suggested(column: Column, kind: type, other: Callable[[], Hierarchy]) -> Hierarchy:
    """The suggested hierarchy where it is of this kind."""
    levels = between(column.suggested)
    return column.suggested if levels and isinstance(levels[0], kind) else other()


# --- characters ----------------------------------------------------------------------------------------------------


def _start_masks(column: Column) -> Hierarchy:
    step = -(-column.longest // 6)
    return _or_suggested(column, Mask, lambda: builders.masking(column.longest, step=step))


def _masks_of(column: Column, hierarchy: Hierarchy) -> Settings:
    levels = [r for r in between(hierarchy) if isinstance(r, Mask)]
    kept = levels[0].keep if levels else column.longest - 1
    step = min(max(1, column.longest - kept), max(1, column.longest))
    return {"step": step, "side": FIRST if levels and levels[0].side == "end" else LAST}


def _show_masks(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    step, side, _ = st.columns([1, 1.4, 2])
    keep.number(
        named("step"), "Characters a level", 1, max(1, column.longest), begin["step"], place=step, **changed,
        help="So many more are masked with * on each level.",
    )  # fmt: skip
    keep.segments(named("side"), "Masked first", [LAST, FIRST], begin["side"], place=side, **changed)


def _read_masks(column: Column, settings: Settings) -> Hierarchy:
    step = settings["step"]
    if column.longest / step > _MOST_MASKS + 1:
        least = -(-column.longest // (_MOST_MASKS + 1))
        raise InputError(
            f"That would be more than {_MOST_MASKS} levels. Mask at least {least} characters a level.",
            code="too-many-levels",
        )
    return builders.masking(column.longest, step=step, side="start" if settings["side"] == LAST else "end")


# --- dates ---------------------------------------------------------------------------------------------------------


def _start_dates(column: Column) -> Hierarchy:
    return _or_suggested(column, DateUnit, builders.dates)


def _dates_of(column: Column, hierarchy: Hierarchy) -> Settings:
    levels = [r for r in between(hierarchy) if isinstance(r, DateUnit)]
    return {"units": [r.unit for r in levels], "first": levels[0].first if levels else "day"}


def _show_dates(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    units, widget = keep.widget(named("units"), begin["units"])
    st.pills(
        "Levels", builders.UNITS, selection_mode="multi", default=units, **widget, **changed,
        format_func=lambda unit: "Half year" if unit == "half" else unit.capitalize(),
    )  # fmt: skip
    read = read_dates(column.texts, numbers=True)
    if notes := read.notes():
        st.caption(notes)
    if read.order_is_open:
        keep.segments(named("first"), "Stands first", ["day", "month"], begin["first"], **changed)


def _read_dates(column: Column, settings: Settings) -> Hierarchy:
    chosen = [unit for unit in builders.UNITS if unit in settings["units"]]
    return builders.dates(chosen, first=settings["first"])


# --- the rare ------------------------------------------------------------------------------------------------------


def _has_rare(column: Column) -> bool:
    return len(column.texts) > 2


def _start_rare(column: Column, least: tuple[int, ...] = (5,), label: str = OTHER) -> Hierarchy:
    return rare(column.values, column.records, least, other=label)


def _rare_of(column: Column, hierarchy: Hierarchy) -> Settings:
    return {"least": "5", "label": OTHER}


def _show_rare(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    least, label, _ = st.columns([1.6, 1.2, 1.6])
    keep.text(
        named("least"), "Fewer records than, one a level", begin["least"], place=least, **changed,
        help="Ascending, with blanks between. Values of fewer records have one label; the rarest of the others joins "
        "them where they are fewer together.",
    )  # fmt: skip
    keep.text(named("label"), "Label", begin["label"], place=label, help="Of the values put together.", **changed)


def _read_rare(column: Column, settings: Settings) -> Hierarchy:
    least = numbers_of(settings["least"], "5 20")
    if any(number != int(number) for number in least):
        raise InputError("Give whole numbers of records with blanks between, such as 5 20.", code="levels-missing")
    return _start_rare(column, tuple(map(int, least)), settings["label"])


DATES = Way("Dates", _has_dates, _start_dates, _dates_of, _show_dates, _read_dates)
MASKS = Way("Characters", _is_regular, _start_masks, _masks_of, _show_masks, _read_masks)
RARE = Way("Rare values", _has_rare, _start_rare, _rare_of, _show_rare, _read_rare)
