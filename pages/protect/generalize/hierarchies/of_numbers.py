"""The ways to make a hierarchy of numbers, and of ranges of them: widths, frequency, cuts, rounding."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, builders, without_every_other_end
from anonlib.coarsening.recoding import Intervals, Rounding
from anonlib.values.cells import is_code, ranges_or_none, to_numbers, to_ranges
from pages.protect.generalize.hierarchies.column import Column, Named, Settings, Way, between
from ui.session import keep

AGE_CUTS = (5, 18, 65, 90)  # infants and small children, minors, adults, the old, and the oldest


def _has_numbers(column: Column) -> bool:
    if is_code(column.texts):
        return False  # a postcode's digits measure nothing
    numbers = to_numbers(column.texts)
    return len(np.unique(numbers[~np.isnan(numbers)])) > 1


def _has_numbers_or_ranges(column: Column) -> bool:
    return _has_numbers(column) or has_ranges(column, "numbers")


def has_ranges(column: Column, of: str) -> bool:
    found = ranges_or_none(column.texts)
    return found is not None and found.of == of


def _listed(numbers) -> str:
    return " ".join(f"{number:.15g}" for number in numbers)


def numbers_of(text: str, example: str) -> list[float]:
    numbers = to_numbers([part for part in re.split(r"[;\s]+|,\s+", text) if part])
    if not len(numbers) or np.isnan(numbers).any():
        raise InputError(f"Give numbers with blanks between, such as {example}.", code="levels-missing")
    return numbers.tolist()


# --- equal widths --------------------------------------------------------------------------------------------------


def _start_widths(column: Column) -> Hierarchy:
    first = next(iter(between(column.suggested)), None)
    if isinstance(first, Intervals) and first.width:
        return column.suggested
    found = to_ranges(column.texts)
    numbers = np.concatenate([found.low, found.high])
    numbers = numbers[np.isfinite(numbers)]
    width = 10.0 ** math.floor(math.log10(float(numbers.max()) / 2 - float(numbers.min()) / 2))
    return builders.intervals((float(f"{width:.0e}"), float(f"{2 * width:.0e}")))


def _widths_of(column: Column, hierarchy: Hierarchy) -> Settings:
    levels = [r for r in between(hierarchy) if isinstance(r, Intervals) and r.width]
    first = levels[0] if levels else Intervals(5.0)
    widths = _listed(r.width for r in levels) or "5 10 20"
    return {"widths": widths, "start": first.start, "below": first.bottom, "above": first.top}


def _show_widths(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
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


def _read_widths(column: Column, settings: Settings) -> Hierarchy:
    return builders.intervals(
        numbers_of(settings["widths"], "5 10 20"), start=settings["start"] or 0.0, bottom_group=settings["below"],
        top_group=settings["above"],
    )  # fmt: skip


# --- equal frequency -----------------------------------------------------------------------------------------------


def _start_counts(column: Column, groups: int = 8) -> Hierarchy:
    present = np.array([value is not None for value in column.values], dtype=bool)
    return builders.equal_frequency(column.texts, column.records[present], groups=groups)


def _counts_of(column: Column, hierarchy: Hierarchy) -> Settings:
    return {"groups": 8}


def _show_counts(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([1, 3])
    keep.number(
        named("groups"), "Intervals on level 1", 2, 200, begin["groups"], place=place, **changed,
        help="About equally many records in each; every further level has half as many intervals.",
    )  # fmt: skip


def _read_counts(column: Column, settings: Settings) -> Hierarchy:
    return _start_counts(column, settings["groups"])


# --- given cuts ----------------------------------------------------------------------------------------------------


def _start_cuts(column: Column) -> Hierarchy:
    if has_ranges(column, "numbers"):
        found = to_ranges(column.texts)
        return builders.cuts([level.cuts for level in without_every_other_end(found)])
    if _are_ages(column):
        return builders.cuts([AGE_CUTS])
    return _start_counts(column, 4)


def _are_ages(column: Column) -> bool:
    """Whether the suggested levels are those of ages."""
    first = next(iter(between(column.suggested)), None)
    return isinstance(first, Intervals) and (first.width, first.top) == (5.0, 90.0)


def _cuts_of(column: Column, hierarchy: Hierarchy) -> Settings:
    levels = [r.cuts for r in between(hierarchy) if isinstance(r, Intervals) and r.cuts]
    return {"cuts": "\n".join(map(_listed, levels))}


def _show_cuts(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([3, 2])
    lines, widget = keep.widget(named("cuts"), begin["cuts"])
    place.text_area(
        "Cuts, one line a level", lines, height=96, **widget, **changed,
        help="From fine to coarse, with blanks between. An interval begins at its cut; a coarser level keeps some of "
        "the cuts of the line above.",
    )  # fmt: skip


def _read_cuts(column: Column, settings: Settings) -> Hierarchy:
    lines = [line for line in settings["cuts"].splitlines() if line.strip()]
    return builders.cuts([numbers_of(line, "18 35 65") for line in lines])


# --- rounding ------------------------------------------------------------------------------------------------------


def _start_rounding(column: Column) -> Hierarchy:
    numbers = to_numbers(column.texts)
    numbers = np.unique(numbers[~np.isnan(numbers)])
    first = 10.0 ** math.floor(math.log10((numbers[-1] - numbers[0]) / 10))
    return builders.rounding((first, 10 * first))


def _rounding_of(column: Column, hierarchy: Hierarchy) -> Settings:
    return {"to": _listed(r.to for r in between(hierarchy) if isinstance(r, Rounding)) or "10 100"}


def _show_rounding(column: Column, begin: Settings, named: Named, changed: dict[str, Any]) -> None:
    place, _ = st.columns([2, 3])
    keep.text(
        named("to"), "To the nearest, one a level", begin["to"], place=place, **changed,
        help="From fine to coarse, with blanks between. Each level rounds what the one before made, halves up.",
    )  # fmt: skip


def _read_rounding(column: Column, settings: Settings) -> Hierarchy:
    return builders.rounding(numbers_of(settings["to"], "10 100"))


WIDTHS = Way("Equal widths", _has_numbers_or_ranges, _start_widths, _widths_of, _show_widths, _read_widths)
COUNTS = Way("Equal frequency", _has_numbers, _start_counts, _counts_of, _show_counts, _read_counts)
CUTS = Way("Given cuts", _has_numbers_or_ranges, _start_cuts, _cuts_of, _show_cuts, _read_cuts)
ROUNDING = Way("Rounding", _has_numbers, _start_rounding, _rounding_of, _show_rounding, _read_rounding)
