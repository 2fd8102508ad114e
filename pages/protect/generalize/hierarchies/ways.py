"""The ways to make a hierarchy, each with the few settings it takes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import Hierarchy, builders, suggested_hierarchy
from anonlib.recoding import DateUnit, Intervals, Mask, Recoding
from anonlib.values import is_code, to_dates, to_numbers
from ui import state

_MOST_MASKS = 20  # levels

Named = Callable[[str], str]
"""From what a setting is called here to its name in the session."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the file: its values (None = missing, last) and the records of each."""

    name: str
    values: tuple[str | None, ...]
    records: np.ndarray
    suggested: Hierarchy

    @classmethod
    def of(cls, data: Dataset, name: str) -> Column:
        column = data.records[name]
        values: list[str | None] = list(column.cat.categories)
        codes = column.cat.codes.to_numpy()
        records = np.bincount(codes[codes >= 0], minlength=len(values))
        absent = int((codes < 0).sum())
        if absent and data.missing == "category":
            values, records = [*values, None], np.append(records, absent)
        return cls(name, tuple(values), records, suggested_hierarchy(column))

    @property
    def texts(self) -> list[str]:
        return [value for value in self.values if value is not None]

    @property
    def longest(self) -> int:
        return max((len(value) for value in self.texts), default=1)


@dataclass(frozen=True)
class Way:
    """One way: what it is called, whether it fits a column, and its settings on screen.

    Attributes
    ----------
    start : the hierarchy to begin from when the way is chosen.
    show : draws the settings as they are in a hierarchy, with what their widgets do when changed.
    read : the hierarchy that the settings on screen ask for. Raises InputError.
    """

    label: str
    fits: Callable[[Column], bool]
    start: Callable[[Column], Hierarchy]
    show: Callable[[Column, Hierarchy, Named, dict[str, Any]], None]
    read: Callable[[Column, Named], Hierarchy]


def between(hierarchy: Hierarchy) -> tuple[Recoding, ...]:
    """The levels between the values and everything together."""
    return hierarchy.recodings[:-1] if hierarchy.has_top else hierarchy.recodings


def _has_numbers(column: Column) -> bool:
    if is_code(column.texts):
        return False  # a postcode's digits measure nothing
    numbers = to_numbers(column.texts)
    return len(np.unique(numbers[~np.isnan(numbers)])) > 1


def _has_dates(column: Column) -> bool:
    return bool((~np.isnat(to_dates(column.texts))).any())


def _has_codes(column: Column) -> bool:
    """Values of one length, or mostly with digits: the first characters of words say little."""
    texts = column.texts
    with_digits = sum(any(char.isdigit() for char in text) for text in texts)
    return column.longest > 1 and (2 * with_digits >= len(texts) or len({len(text) for text in texts}) == 1)


def _or_suggested(column: Column, kind: type, other: Callable[[], Hierarchy]) -> Hierarchy:
    """The suggested hierarchy where it is of this kind."""
    made = between(column.suggested)
    return column.suggested if made and isinstance(made[0], kind) else other()


def _listed(numbers) -> str:
    return " ".join(f"{number:.15g}" for number in numbers)


def _numbers(text: str, example: str) -> list[float]:
    numbers = to_numbers([part for part in re.split(r"[;\s]+|,\s+", text) if part])
    if not len(numbers) or np.isnan(numbers).any():
        raise InputError(f"Give numbers with blanks between, such as {example}.")
    return numbers.tolist()


# --- equal widths --------------------------------------------------------------------------------------------------


def _start_widths(column: Column) -> Hierarchy:
    def about_ten() -> Hierarchy:
        numbers = to_numbers(column.texts)
        numbers = numbers[~np.isnan(numbers)]
        width = 10.0 ** math.floor(math.log10(float(numbers.max()) / 2 - float(numbers.min()) / 2))
        return builders.intervals((float(f"{width:.0e}"), float(f"{2 * width:.0e}")))

    return _or_suggested(column, Intervals, about_ten)


def _show_widths(column: Column, hierarchy: Hierarchy, named: Named, changed: dict[str, Any]) -> None:
    made = [r for r in between(hierarchy) if isinstance(r, Intervals) and r.width]
    first = made[0] if made else Intervals(5.0)
    widths, start, below, above = st.columns([2, 1, 1, 1])
    widths.text_input(
        "Widths, one a level",
        state.setting(named("widths"), _listed(r.width for r in made) or "5 10 20"),
        key=state.kept(named("widths")),
        help="From fine to coarse, with blanks between; each a multiple of the one before.",
        **changed,
    )
    for place, label, value, name, meaning in (
        (start, "Counted from", first.start, "start", "Where an interval begins; the others follow from it."),
        (below, "Below together", first.bottom, "below", "Lower values are one group on every level."),
        (above, "From here on", first.top, "above", "This and higher values are one group on every level, as in 90+."),
    ):
        place.number_input(
            label, value=state.setting(named(name), value), key=state.kept(named(name)), format="%g",
            placeholder="none", help=meaning, **changed,
        )  # fmt: skip


def _read_widths(column: Column, named: Named) -> Hierarchy:
    start, below, above = (state.setting(named(name), None) for name in ("start", "below", "above"))
    widths = _numbers(state.setting(named("widths"), ""), "5 10 20")
    return builders.intervals(widths, start=start or 0.0, bottom_group=below, top_group=above)


# --- equal frequency -----------------------------------------------------------------------------------------------


def _start_counts(column: Column, groups: int = 8) -> Hierarchy:
    present = np.array([value is not None for value in column.values], dtype=bool)
    return builders.equal_frequency(column.texts, column.records[present], groups=groups)


def _show_counts(column: Column, hierarchy: Hierarchy, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([1, 3])
    place.number_input(
        "Intervals on level 1", 2, 200, state.setting(named("groups"), 8), key=state.kept(named("groups")), **changed,
        help="About equally many records in each; every further level has half as many intervals.",
    )  # fmt: skip


def _read_counts(column: Column, named: Named) -> Hierarchy:
    return _start_counts(column, state.setting(named("groups"), 8))


# --- given cuts ----------------------------------------------------------------------------------------------------


def _start_cuts(column: Column) -> Hierarchy:
    return _start_counts(column, 4)


def _show_cuts(column: Column, hierarchy: Hierarchy, named: Named, changed: dict[str, Any]) -> None:
    made = [r.cuts for r in between(hierarchy) if isinstance(r, Intervals) and r.cuts]
    place, _ = st.columns([3, 2])
    place.text_area(
        "Cuts, one line a level", state.setting(named("cuts"), "\n".join(map(_listed, made))),
        key=state.kept(named("cuts")), height=96, **changed,
        help="From fine to coarse, with blanks between. An interval begins at its cut; a coarser level keeps some of "
        "the cuts of the line above.",
    )  # fmt: skip


def _read_cuts(column: Column, named: Named) -> Hierarchy:
    lines = [line for line in state.setting(named("cuts"), "").splitlines() if line.strip()]
    return builders.cuts([_numbers(line, "18 35 65") for line in lines])


# --- characters ----------------------------------------------------------------------------------------------------


def _start_masks(column: Column) -> Hierarchy:
    step = -(-column.longest // 6)
    return _or_suggested(column, Mask, lambda: builders.masking(column.longest, step=step))


def _show_masks(column: Column, hierarchy: Hierarchy, named: Named, changed: dict[str, Any]) -> None:
    made = [r for r in between(hierarchy) if isinstance(r, Mask)]
    step, side, _ = st.columns([1, 1.4, 2])
    kept = made[0].keep if made else column.longest - 1
    longest = max(1, column.longest)
    usual = min(max(1, column.longest - kept), longest)
    step.number_input(
        "Characters a level", 1, longest, state.setting(named("step"), usual, range(1, longest + 1)),
        key=state.kept(named("step")), **changed,
        help="So many more are masked with * on each level.",
    )  # fmt: skip
    side.segmented_control(
        "Masked first", ["the last", "the first"], required=True, key=state.kept(named("side")), **changed,
        default=state.setting(named("side"), "the first" if made and made[0].side == "end" else "the last"),
    )  # fmt: skip


def _read_masks(column: Column, named: Named) -> Hierarchy:
    step = int(state.setting(named("step"), 1))
    if column.longest / step > _MOST_MASKS + 1:
        least = -(-column.longest // (_MOST_MASKS + 1))
        raise InputError(f"That would be more than {_MOST_MASKS} levels. Mask at least {least} characters a level.")
    return builders.masking(
        column.longest, step=step, side="start" if state.setting(named("side"), "") == "the last" else "end"
    )


# --- dates ---------------------------------------------------------------------------------------------------------


def _start_dates(column: Column) -> Hierarchy:
    return builders.dates()


def _show_dates(column: Column, hierarchy: Hierarchy, named: Named, changed: dict[str, Any]) -> None:
    made = [r.unit for r in between(hierarchy) if isinstance(r, DateUnit)]
    st.pills(
        "Levels", builders.UNITS, selection_mode="multi", default=state.setting(named("units"), made),
        format_func=str.capitalize, key=state.kept(named("units")), **changed,
    )  # fmt: skip


def _read_dates(column: Column, named: Named) -> Hierarchy:
    asked = state.setting(named("units"), [])
    return builders.dates([unit for unit in builders.UNITS if unit in asked])


WAYS: dict[str, Way] = {
    "widths": Way("Equal widths", _has_numbers, _start_widths, _show_widths, _read_widths),
    "counts": Way("Equal frequency", _has_numbers, _start_counts, _show_counts, _read_counts),
    "cuts": Way("Given cuts", _has_numbers, _start_cuts, _show_cuts, _read_cuts),
    "dates": Way("Dates", _has_dates, _start_dates, _show_dates, _read_dates),
    "masks": Way("Characters", _has_codes, _start_masks, _show_masks, _read_masks),
}
HAND = "hand"
HAND_LABEL = "By hand"


def way_of(hierarchy: Hierarchy) -> str:
    """The way whose settings a hierarchy has; by hand where it has none of them."""
    made = between(hierarchy)
    kinds = {type(recoding) for recoding in made}
    if kinds == {Intervals}:
        return "cuts" if isinstance(made[0], Intervals) and made[0].cuts else "widths"
    return {frozenset({Mask}): "masks", frozenset({DateUnit}): "dates"}.get(frozenset(kinds), HAND)
