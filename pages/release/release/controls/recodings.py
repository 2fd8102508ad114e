"""The controls in which a way to recode one column is chosen and set."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import merged
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Recoding, Redaction, Rounding, ValueMap
from anonlib.coarsening.recoding.dates import Unit
from anonlib.columns.codes import CodeSystem, offered
from anonlib.columns.free_text import KINDS, is_text
from anonlib.columns.roles import numbers_are_dates
from anonlib.reading.records import Records, ValueCounts
from anonlib.release.suggestions import suggested_recoding
from anonlib.values.cells import ranges_or_none, to_numbers
from anonlib.values.dates import First, read_dates, to_dates
from ui.kit import page
from ui.kit.shared_controls import ask_system, show_strangers
from ui.session import keep
from ui.text import printable

REDACT = "Redact text"
WAYS: dict[str, type] = {
    "Intervals": Intervals,
    "Rounding": Rounding,
    "First or last characters": Mask,
    "Date part": DateUnit,
    "Codes": CodeGroup,
    "Group values": ValueMap,
    REDACT: Redaction,
}
MOST_GROUPED = 500
UNITS: dict[Unit, str] = {
    "20 years": "20 years", "10 years": "10 years", "5 years": "5 years", "year": "year", "half": "half year",
    "quarter": "quarter", "month": "month", "day": "day",
}  # fmt: skip


def begin_of(held: Records, name: str) -> Recoding:
    """The way to begin with: as suggested, or one that fits the values."""
    if is_text(held, name):
        return Redaction()
    column = held.counts_of(name)
    return suggested_recoding(column.values, column.records, name, dated=numbers_are_dates(held, name)) or _default(
        column.values
    )


def ask(start: Recoding, held: Records, name: str, key: str) -> Recoding | None:
    """The controls for a column of this name: what they make, None while it changes nothing."""
    column = held.counts_of(name)
    systems = offered(column.values, name)
    first = next(way for way, kind in WAYS.items() if isinstance(start, kind))
    fits = {"Codes": bool(systems), REDACT: is_text(held, name)}
    ways = [way for way in WAYS if fits.get(way, True) or way == first]
    way = keep.segments(f"{key}-way", "Way", ways, first)
    if way == "Codes":
        return _codes(systems, start, column, key)
    return BUILD[way](start, column, key)


def _default(values: np.ndarray) -> Recoding:
    """The way that fits the values when nothing is suggested: few numbers, dates or ranges, or words."""
    if len(values) and not np.isnan(to_numbers(values)).any():
        return Intervals(1)
    if len(values) and not np.isnat(to_dates(values)).any():
        return DateUnit()
    ranges = ranges_or_none(values)
    return ValueMap(()) if ranges is None else next(iter(merged(ranges)), ValueMap(()))


def _intervals(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    begin = start if isinstance(start, Intervals) else Intervals(10.0)
    ways = ["of equal width", "between cuts"]
    by = keep.radio(f"{key}-by", "Intervals", ways, ways[int(bool(begin.cuts))], horizontal=True)
    if by == "between cuts":
        written = " ".join(f"{cut:g}" for cut in begin.cuts)
        text = keep.text(f"{key}-cuts", "Cuts, ascending, with blanks between", written, placeholder="18 35 65")
        cuts = to_numbers(text.replace(";", " ").split())
        if not len(cuts) or np.isnan(cuts).any():
            raise InputError("Give the cuts as numbers with blanks between, such as 18 35 65.", code="cuts-not-numbers")
        return Intervals(cuts=tuple(cuts.tolist()))
    width, first, bottom, top = st.columns(4)
    with width:
        chosen_width = _number("Width", begin.width, f"{key}-width", "None leaves what is between the limits as it is.")
    with first:
        chosen_start = _number("Counted from", begin.start, f"{key}-start")
    with bottom:
        chosen_bottom = _number("Below together", begin.bottom, f"{key}-bottom", "Lower values become one group.")
    with top:
        chosen_top = _number("From here on", begin.top, f"{key}-top", "This and higher values become one group.")
    return Intervals(chosen_width, chosen_start or 0.0, chosen_bottom, chosen_top)


def _number(label: str, value: float | None, key: str, help: str | None = None) -> float | None:
    start = None if value is None else float(value)
    return keep.number(key, label, None, None, start, format="%g", placeholder="none", help=help)


def _rounding(start: Recoding, column: ValueCounts, key: str) -> Recoding | None:
    begin = start if isinstance(start, Rounding) else Rounding(10.0)
    to = _number("To the nearest", begin.to, f"{key}-to", "Numbers become the nearest multiple of this, halves up.")
    return None if to is None else Rounding(to, tuple(finer for finer in begin.first if finer < to))


def _mask(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    begin = start if isinstance(start, Mask) else Mask(3)
    longest = max((len(value) for value in column.values), default=1)
    length_place, side_place, fill_place = st.columns(3)
    n_kept = keep.slider(
        f"{key}-keep", "Characters kept", 0, max(1, longest), min(begin.keep, longest), place=length_place
    )  # fmt: skip
    sides, fills = ["the first", "the last"], ["stars", "nothing"]
    which = keep.radio(f"{key}-side", "Which", sides, sides[int(begin.side == "end")], place=side_place)
    others = keep.radio(f"{key}-fill", "The others become", fills, fills[int(not begin.fill)], place=fill_place)
    # One length for all, kept with the step: neither this file's values nor next year's tell theirs.
    length = start.length if isinstance(start, Mask) else longest
    return Mask(n_kept, "start" if which == "the first" else "end", "*" if others == "stars" else "", length)


def _date(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    unit = start.unit if isinstance(start, DateUnit) else "year"
    chosen_unit = keep.segments(f"{key}-date", "Keep", list(UNITS), unit, format_func=UNITS.__getitem__)
    read = read_dates(column.values, numbers=True)
    if notes := read.notes():
        st.caption(notes)
    first: First = start.first if isinstance(start, DateUnit) else "day"
    if read.order_is_open:
        first = keep.segments(f"{key}-first", "Stands first", list(get_args(First)), first)
    return DateUnit(chosen_unit, first)


def _groups(start: Recoding, column: ValueCounts, key: str) -> Recoding | None:
    """Values with an editable label each; the same label puts values into one group."""
    values = column.values.tolist()
    if len(values) > MOST_GROUPED:
        raise InputError(
            f"{len(values):,} values are too many to group by hand. Choose another way, or drop the column.",
            code="too-many-values",
        )
    given = start if isinstance(start, ValueMap) else ValueMap(())
    table = pd.DataFrame(
        {
            "Value": [printable(value) for value in values],
            "Label": given.labels(values),
            "Records": column.records,
        }
    )
    edited = st.data_editor(
        table,
        hide_index=True,
        disabled=["Value", "Records"],
        height=page.table_height(len(table), 290),
        key=keep.key(keep.per(f"{key}-groups", values)),
        alt="Values with the label each is released as; the labels can be edited.",
        column_config={
            "Label": st.column_config.TextColumn(
                help="One label for several values groups them; clear it for missing."
            ),
            "Records": st.column_config.NumberColumn(format="localized"),
        },
    )
    labels = [None if pd.isna(label) or not str(label).strip() else str(label) for label in edited["Label"]]
    if labels == values:
        st.caption("Give several values the same label to put them into one group.")
        return None
    # All are named, those that stay too: what is not named is then what this file does not have.
    return ValueMap.of(dict(zip(values, labels, strict=True)))


def _redaction(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    """Which kinds of identifiers become marks."""
    begin = start if isinstance(start, Redaction) else Redaction()
    kinds = keep.several(
        f"{key}-kinds", "What is replaced by marks", list(KINDS), list(begin.kinds),
        format_func=lambda kind: KINDS[kind].label,
    )  # fmt: skip
    return Redaction(tuple(kinds))


def _codes(systems: list[CodeSystem], start: Recoding, column: ValueCounts, key: str) -> Recoding:
    """The system and the level; below, what is no code of it."""
    begin = start if isinstance(start, CodeGroup) else CodeGroup(systems[0].key, systems[0].levels[-1])
    offered_keys = list(dict.fromkeys([begin.system, *(system.key for system in systems)]))
    system = ask_system(f"{key}-system", offered_keys, begin.system)
    first = begin.level if begin.system == system.key else system.levels[-1]
    level = keep.segments(
        f"{key}-level-{system.key}", "To", list(system.levels), first, format_func=str.capitalize
    )  # fmt: skip
    show_strangers(system, column.values, column.records)
    return CodeGroup(system.key, level)


BUILD: dict[str, Callable[[Recoding, ValueCounts, str], Recoding | None]] = {
    "Intervals": _intervals,
    "Rounding": _rounding,
    "First or last characters": _mask,
    "Date part": _date,
    "Group values": _groups,
    REDACT: _redaction,
}
"""By way, the controls that make a recoding, from the one to begin with; codes ask which systems fit too."""
