"""The ways to make a hierarchy, in the order in which they are offered."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import (
    OTHER,
    Hierarchy,
    builders,
    codes,
    rare,
    suggested_hierarchy,
    without_every_other_end,
)
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Recoding, Rounding
from anonlib.columns.codes import SYSTEMS, CodeSystem, offered
from anonlib.columns.roles import numbers_are_dates
from anonlib.dataset import Dataset
from anonlib.values.cells import is_code, ranges_or_none, to_numbers, to_ranges
from anonlib.values.dates import read_dates, to_dates
from ui.kit.shared_controls import ask_system, show_strangers
from ui.session import keep

Settings = dict[str, Any]
"""The settings of a way, by what they are called here."""
Named = Callable[[str], str]
"""From what a setting is called here to its name in the session."""


@dataclass(frozen=True, eq=False)
class ColumnOfFile:
    """A column of the file: its values (None = missing, last), the records of each, and whose codes they may be."""

    name: str
    values: tuple[str | None, ...]
    records: np.ndarray
    suggested: Hierarchy
    systems: tuple[CodeSystem, ...] = ()

    @classmethod
    def of(cls, data: Dataset, name: str) -> ColumnOfFile:
        counts = data.held.counts_of(name)
        values, records = counts.values.tolist(), counts.records
        if counts.missing and data.missing == "category":
            values, records = [*values, None], np.append(records, counts.missing)
        suggested = suggested_hierarchy(
            counts.values, counts.records, name, dated=numbers_are_dates(data.held, name),
            described=data.described.get(name),
        )  # fmt: skip
        return cls(name, tuple(values), records, suggested, tuple(offered(counts.values, name)))

    @property
    def texts(self) -> list[str]:
        return [value for value in self.values if value is not None]

    @property
    def longest(self) -> int:
        return max((len(value) for value in self.texts), default=1)


@dataclass(frozen=True)
class HierarchyWay:
    """One way: what it is called, whether it fits a column, and its settings on screen.

    Attributes
    ----------
    start : the hierarchy to begin from when the way is chosen.
    settings : its settings as they are in a hierarchy.
    show : draws them, as they are at first, with what their widgets do when changed.
    read : the hierarchy that settings ask for. Raises InputError.
    """

    label: str
    fits: Callable[[ColumnOfFile], bool]
    start: Callable[[ColumnOfFile], Hierarchy]
    settings: Callable[[ColumnOfFile, Hierarchy], Settings]
    show: Callable[[ColumnOfFile, Settings, Named, dict[str, Any]], None]
    read: Callable[[ColumnOfFile, Settings], Hierarchy]


def between(hierarchy: Hierarchy) -> tuple[Recoding, ...]:
    """The levels between the values and everything together."""
    return hierarchy.recodings[:-1] if hierarchy.has_top else hierarchy.recodings


AGE_CUTS = (5, 18, 65, 90)  # infants and small children, minors, adults, the old, and the oldest


def _has_numbers(column: ColumnOfFile) -> bool:
    if is_code(column.texts):
        return False  # a postcode's digits measure nothing
    numbers = to_numbers(column.texts)
    return len(np.unique(numbers[~np.isnan(numbers)])) > 1


def _has_numbers_or_ranges(column: ColumnOfFile) -> bool:
    return _has_numbers(column) or has_ranges(column, "numbers")


def has_ranges(column: ColumnOfFile, of: str) -> bool:
    ranges = ranges_or_none(column.texts)
    return ranges is not None and ranges.of == of


def _listed(numbers) -> str:
    return " ".join(f"{number:.15g}" for number in numbers)


def numbers_of(text: str, example: str) -> list[float]:
    numbers = to_numbers([part for part in re.split(r"[;\s]+|,\s+", text) if part])
    if not len(numbers) or np.isnan(numbers).any():
        raise InputError(f"Give numbers with blanks between, such as {example}.", code="levels-missing")
    return numbers.tolist()


# --- equal widths --------------------------------------------------------------------------------------------------


def _start_widths(column: ColumnOfFile) -> Hierarchy:
    first = next(iter(between(column.suggested)), None)
    if isinstance(first, Intervals) and first.width:
        return column.suggested
    ranges = to_ranges(column.texts)
    numbers = np.concatenate([ranges.low, ranges.high])
    numbers = np.unique(numbers[np.isfinite(numbers)])
    if len(numbers) < 2:
        return builders.intervals()
    if widths := builders.widths_that_merge(numbers):
        return builders.intervals(widths)
    width = 10.0 ** math.floor(math.log10(float(numbers.max()) / 2 - float(numbers.min()) / 2))
    return builders.intervals((float(f"{width:.0e}"), float(f"{2 * width:.0e}")))


def _widths_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    levels = [r for r in between(hierarchy) if isinstance(r, Intervals) and r.width]
    first = levels[0] if levels else Intervals(5.0)
    widths = _listed(r.width for r in levels) or "5 10 20"
    return {"widths": widths, "start": first.start, "below": first.bottom, "above": first.top}


def _show_widths(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    widths, start, below, above = st.columns([2, 1, 1, 1])
    keep.text(
        named("widths"), "Widths, one a level", begin["widths"], place=widths, **changed,
        help="From fine to coarse, with blanks between; each a multiple of the one before.",
    )  # fmt: skip
    for place, label, name, meaning in (
        (start, "Counted from", "start", "Where an interval begins; the others follow from it."),
        (below, "Below together", "below", "Lower values are one group on every level."),
        (above, "From here on", "above", "This and higher values are one group on every level, as in 90+."),
    ):
        keep.number(
            named(name), label, None, None, begin[name], place=place, format="%g", placeholder="none", help=meaning,
            **changed,
        )  # fmt: skip


def _read_widths(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    return builders.intervals(
        numbers_of(settings["widths"], "5 10 20"), start=settings["start"] or 0.0, bottom_group=settings["below"],
        top_group=settings["above"],
    )  # fmt: skip


# --- equal frequency -----------------------------------------------------------------------------------------------


def _start_counts(column: ColumnOfFile, groups: int = 8) -> Hierarchy:
    present = np.array([value is not None for value in column.values], dtype=bool)
    return builders.equal_frequency(column.texts, column.records[present], groups=groups)


def _counts_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    return {"groups": 8}


def _show_counts(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([1, 3])
    keep.number(
        named("groups"), "Intervals on level 1", 2, 200, begin["groups"], place=place, **changed,
        help="About equally many records in each; every further level has half as many intervals.",
    )  # fmt: skip


def _read_counts(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    return _start_counts(column, settings["groups"])


# --- given cuts ----------------------------------------------------------------------------------------------------


def _start_cuts(column: ColumnOfFile) -> Hierarchy:
    if has_ranges(column, "numbers"):
        ranges = to_ranges(column.texts)
        return builders.cuts([level.cuts for level in without_every_other_end(ranges)])
    if _are_ages(column):
        return builders.cuts([AGE_CUTS])
    return _start_counts(column, 4)


def _are_ages(column: ColumnOfFile) -> bool:
    """Whether the suggested levels are those of ages."""
    first = next(iter(between(column.suggested)), None)
    return isinstance(first, Intervals) and (first.width, first.top) == (5.0, 90.0)


def _cuts_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    levels = [r.cuts for r in between(hierarchy) if isinstance(r, Intervals) and r.cuts]
    return {"cuts": "\n".join(map(_listed, levels))}


def _show_cuts(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([3, 2])
    lines, widget = keep.widget(named("cuts"), begin["cuts"])
    place.text_area(
        "Cuts, one line a level", lines, height=96, **widget, **changed,
        help="From fine to coarse, with blanks between. An interval begins at its cut; a coarser level keeps some of "
        "the cuts of the line above.",
    )  # fmt: skip


def _read_cuts(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    lines = [line for line in settings["cuts"].splitlines() if line.strip()]
    return builders.cuts([numbers_of(line, "18 35 65") for line in lines])


# --- rounding ------------------------------------------------------------------------------------------------------


def _start_rounding(column: ColumnOfFile) -> Hierarchy:
    numbers = to_numbers(column.texts)
    numbers = np.unique(numbers[~np.isnan(numbers)])
    first = 10.0 ** math.floor(math.log10((numbers[-1] - numbers[0]) / 10))
    return builders.rounding((first, 10 * first))


def _rounding_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    return {"to": _listed(r.to for r in between(hierarchy) if isinstance(r, Rounding)) or "10 100"}


def _show_rounding(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([2, 3])
    keep.text(
        named("to"), "To the nearest, one a level", begin["to"], place=place, **changed,
        help="From fine to coarse, with blanks between. Each level rounds what the one before made, halves up.",
    )  # fmt: skip


def _read_rounding(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    return builders.rounding(numbers_of(settings["to"], "10 100"))


WIDTHS = HierarchyWay("Equal widths", _has_numbers_or_ranges, _start_widths, _widths_of, _show_widths, _read_widths)
COUNTS = HierarchyWay("Equal frequency", _has_numbers, _start_counts, _counts_of, _show_counts, _read_counts)
CUTS = HierarchyWay("Given cuts", _has_numbers_or_ranges, _start_cuts, _cuts_of, _show_cuts, _read_cuts)
ROUNDING = HierarchyWay("Rounding", _has_numbers, _start_rounding, _rounding_of, _show_rounding, _read_rounding)


_MOST_MASKS = 20  # levels
LAST, FIRST = "the last", "the first"  # characters masked first


def _has_dates(column: ColumnOfFile) -> bool:
    return bool((~np.isnat(to_dates(column.texts, numbers=True))).any()) or has_ranges(column, "months")


def _is_regular(column: ColumnOfFile) -> bool:
    """Values of one length, or mostly with digits: the first characters of words say little."""
    texts = column.texts
    with_digits = sum(any(char.isdigit() for char in text) for text in texts)
    return column.longest > 1 and (2 * with_digits >= len(texts) or len({len(text) for text in texts}) == 1)


def _or_suggested(column: ColumnOfFile, kind: type, other: Callable[[], Hierarchy]) -> Hierarchy:
    """The suggested hierarchy where it is of this kind."""
    levels = between(column.suggested)
    return column.suggested if levels and isinstance(levels[0], kind) else other()


# --- characters ----------------------------------------------------------------------------------------------------


def _start_masks(column: ColumnOfFile) -> Hierarchy:
    step = -(-column.longest // 6)
    return _or_suggested(column, Mask, lambda: builders.masking(column.longest, step=step))


def _masks_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    levels = [r for r in between(hierarchy) if isinstance(r, Mask)]
    n_kept = levels[0].keep if levels else column.longest - 1
    step = min(max(1, column.longest - n_kept), max(1, column.longest))
    return {"step": step, "side": FIRST if levels and levels[0].side == "end" else LAST}


def _show_masks(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    step, side, _ = st.columns([1, 1.4, 2])
    keep.number(
        named("step"), "Characters a level", 1, max(1, column.longest), begin["step"], place=step, **changed,
        help="So many more are masked with * on each level.",
    )  # fmt: skip
    keep.segments(named("side"), "Masked first", [LAST, FIRST], begin["side"], place=side, **changed)


def _read_masks(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    step = settings["step"]
    if column.longest / step > _MOST_MASKS + 1:
        least = -(-column.longest // (_MOST_MASKS + 1))
        raise InputError(
            f"That would be more than {_MOST_MASKS} levels. Mask at least {least} characters a level.",
            code="too-many-levels",
        )
    return builders.masking(column.longest, step=step, side="start" if settings["side"] == LAST else "end")


# --- dates ---------------------------------------------------------------------------------------------------------


def _start_dates(column: ColumnOfFile) -> Hierarchy:
    return _or_suggested(column, DateUnit, builders.dates)


def _dates_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    levels = [r for r in between(hierarchy) if isinstance(r, DateUnit)]
    return {"units": [r.unit for r in levels], "first": levels[0].first if levels else "day"}


def _show_dates(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
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


def _read_dates(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    chosen = [unit for unit in builders.UNITS if unit in settings["units"]]
    return builders.dates(chosen, first=settings["first"])


# --- the rare ------------------------------------------------------------------------------------------------------


def _has_rare(column: ColumnOfFile) -> bool:
    return len(column.texts) > 2


def _start_rare(column: ColumnOfFile, least: tuple[int, ...] = (5,), label: str = OTHER) -> Hierarchy:
    return rare(column.values, column.records, least, other=label)


def _rare_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    return {"least": "5", "label": OTHER}


def _show_rare(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    least, label, _ = st.columns([1.6, 1.2, 1.6])
    keep.text(
        named("least"), "Fewer records than, one a level", begin["least"], place=least, **changed,
        help="Ascending, with blanks between. Values of fewer records have one label; the rarest of the others joins "
        "them where they are fewer together.",
    )  # fmt: skip
    keep.text(named("label"), "Label", begin["label"], place=label, help="Of the values put together.", **changed)


def _read_rare(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    least = numbers_of(settings["least"], "5 20")
    if any(number != int(number) for number in least):
        raise InputError("Give whole numbers of records with blanks between, such as 5 20.", code="levels-missing")
    return _start_rare(column, tuple(map(int, least)), settings["label"])


DATES = HierarchyWay("Dates", _has_dates, _start_dates, _dates_of, _show_dates, _read_dates)
MASKS = HierarchyWay("Characters", _is_regular, _start_masks, _masks_of, _show_masks, _read_masks)
RARE = HierarchyWay("Rare values", _has_rare, _start_rare, _rare_of, _show_rare, _read_rare)


def _has_systems(column: ColumnOfFile) -> bool:
    return bool(column.systems)


def _start(column: ColumnOfFile) -> Hierarchy:
    if any(isinstance(level, CodeGroup) for level in between(column.suggested)):
        return column.suggested
    return codes(column.systems[0], _levels(column, column.systems[0]))


def _levels(column: ColumnOfFile, system: CodeSystem) -> list[str]:
    """The levels to begin with: those that merge values, all where none does."""
    return list(system.merging(column.texts) or system.levels)


def _settings_of(column: ColumnOfFile, hierarchy: Hierarchy) -> Settings:
    """The system, and its levels under its key: each system keeps its own while another is looked at."""
    groups = [level for level in between(hierarchy) if isinstance(level, CodeGroup)]
    system = groups[0].of if groups else column.systems[0]
    levels = {code_system.key: _levels(column, code_system) for code_system in column.systems}
    if groups:
        levels[system.key] = [group.level for group in groups]
    return {"system": system.key} | levels


def _show(column: ColumnOfFile, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
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


def _read(column: ColumnOfFile, settings: Settings) -> Hierarchy:
    system = SYSTEMS[settings["system"]]
    if not settings[system.key]:
        raise InputError(
            f"Choose at least one of {words.listed(list(system.levels), last='or')}.", code="choice-missing"
        )
    return codes(system, settings[system.key])


CODES = HierarchyWay("Codes", _has_systems, _start, _settings_of, _show, _read)


WAYS: dict[str, HierarchyWay] = {
    "widths": WIDTHS,
    "counts": COUNTS,
    "cuts": CUTS,
    "rounding": ROUNDING,
    "dates": DATES,
    "codes": CODES,
    "masks": MASKS,
    "rare": RARE,
}
HAND = "hand"
HAND_LABEL = "By hand"


def way_of(hierarchy: Hierarchy) -> str:
    """The way whose settings a hierarchy has; by hand where it has none of them."""
    levels = between(hierarchy)
    kinds = {type(recoding) for recoding in levels}
    if kinds == {Intervals}:
        return "cuts" if isinstance(levels[0], Intervals) and levels[0].cuts else "widths"
    names = {
        frozenset({Mask}): "masks",
        frozenset({DateUnit}): "dates",
        frozenset({Rounding}): "rounding",
        frozenset({CodeGroup}): "codes",
    }
    return names.get(frozenset(kinds), HAND)
