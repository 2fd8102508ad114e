"""The forms in which an officer makes one step of a recipe, or changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.free_text import KINDS, is_text, texts_in
from anonlib.hierarchies import OTHER, merged, suggested_hierarchy
from anonlib.recoding import DateUnit, Intervals, Mask, Recoding, Redaction, Rounding, ValueMap
from anonlib.recoding.redaction import CANNOT_PROMISE
from anonlib.records import ValueCounts
from anonlib.release.steps import (
    OTHERS,
    AggregatePlaces,
    DropColumns,
    GeneralizeLocally,
    LeaveOutExposed,
    MergeRare,
    Others,
    Recode,
    Step,
    Suppress,
    SuppressViolating,
)
from anonlib.release.suggestions import suggested_recoding
from anonlib.values import ranges_or_none, to_dates, to_numbers
from ui import keep, page, view
from ui.state import session
from ui.text import printable

REDACT = "Redact text"
WAYS: dict[str, type] = {
    "Intervals": Intervals,
    "Rounding": Rounding,
    "First or last characters": Mask,
    "Date part": DateUnit,
    "Group values": ValueMap,
    REDACT: Redaction,
}
MOST_GROUPED = 500
INTO_ONE, ALONG = "one label", "the nearest level of the column’s hierarchy"
OTHER_VALUES: dict[Others, str] = {
    "ask": "Ask me then, and download nothing before",
    "nearest": "Take the label of the nearest value",
    "star": "Become *",
    "leave_out": "Leave out their records",
}
UNITS: dict[Literal["year", "half", "quarter", "month"], str] = {
    "year": "year", "half": "half year", "quarter": "quarter", "month": "month"
}  # fmt: skip


def choose_step(current: Dataset, edited: Step | None, key: str, before: Callable[[str], Dataset]) -> Step | None:
    """A step for the data as it stands at this point of the recipe, or None while it is incomplete.

    ``edited`` is the step to begin from, if there is one; ``key`` keeps the widgets of one edit apart from others.
    ``before`` gives the data that a recoding of a column will find where the recipe puts it. Raises InputError.
    """
    if edited is not None:
        return FORMS[edited.kind](current, edited, key, before)
    kinds = {
        "Recode": Recode.kind,
        "Merge the rare": MergeRare.kind,
        "Drop columns": DropColumns.kind,
        "Suppress": Suppress.kind,
    }
    kind = keep.segments(f"{key}-kind", "Kind of step", list(kinds))
    return FORMS[kinds[kind]](current, None, key, before)


def _found(current: Dataset, edited: Step, key: str, before: object, *, of: tuple[str, ...]) -> Step:
    """A step that a search made: only its reason is changed here. ``of`` are the pages that make such steps."""
    st.markdown("This step comes from a search. Search again with other settings, and it gives way to what is found.")
    if page.GENERALIZE in of:
        st.page_link(page.GENERALIZE, label="To Generalize", icon=":material/account_tree:")
    if page.VERDICT in of:
        st.page_link(page.VERDICT, label="To the verdict", icon=":material/gavel:")
    if page.REGIONS in of:
        st.page_link(page.REGIONS, label="To Regions", icon=":material/map:")
    return edited


def _drop(current: Dataset, edited: DropColumns | None, key: str, before: object) -> Step | None:
    chosen = [] if edited is None else [c for c in edited.columns if c in current.columns]
    columns = keep.several(f"{key}-drop", "Columns to drop", current.columns, chosen, format_func=printable)
    return DropColumns(tuple(columns)) if columns else None


def _suppress(current: Dataset, edited: Suppress | None, key: str, before: object) -> Step:
    k = keep.number(
        f"{key}-k", "Suppress records in classes smaller than", 2, 1_000,
        view.now().k if edited is None else max(2, edited.k),
        help="Records that share their quasi-identifiers with too few others are left out.",
    )  # fmt: skip
    return Suppress(int(k))


def _merge(current: Dataset, edited: MergeRare | None, key: str, before: Callable[[str], Dataset]) -> Step:
    """Values that few have: into one, or along the column's hierarchy."""
    column = _column(current, edited.column if edited is not None else None, key)
    found = before(column)
    same = edited if edited is not None and edited.column == column else None
    key = f"{key}-{column}"
    k_place, label_place = st.columns(2)
    k = keep.number(
        f"{key}-rare-k", "Merge values of fewer than", 2, 100_000, view.now().k if same is None else same.k,
        place=k_place, help="Records, or persons where rows are counted by person.",
    )  # fmt: skip
    ways = [INTO_ONE, ALONG]
    way = keep.radio(f"{key}-rare-way", "Into", ways, ways[int(same is not None and same.hierarchy is not None)])
    label = keep.text(
        f"{key}-rare-label", "Label", OTHER if same is None else same.other, place=label_place,
        disabled=way == ALONG,
        help="The labels are those of the hierarchy." if way == ALONG else "What the values merged are released as.",
    )  # fmt: skip
    if way == ALONG:
        counts = found.held.counts_of(column)
        chosen = session().hierarchies.get(column) or suggested_hierarchy(counts.values, counts.records, column)
        step = MergeRare(column, int(k), hierarchy=same.hierarchy if same and same.hierarchy else chosen)
    else:
        step = MergeRare(column, int(k), label)
    _show_table(step.value_tables(found, found)[0][1])
    return step


def _column(current: Dataset, begin: str | None, key: str) -> str:
    """The column that a step is about: quasi-identifiers first."""
    ordered = current.quasi_identifiers + [c for c in current.columns if c not in current.quasi_identifiers]
    if not ordered:
        raise InputError("No column is left to recode.")
    first = begin if begin is not None and begin in ordered else ordered[0]
    return keep.select(f"{key}-column", "Column", ordered, first, format_func=printable)


def _recode(current: Dataset, edited: Recode | None, key: str, before: Callable[[str], Dataset]) -> Step | None:
    column = _column(current, edited.column if edited is not None else None, key)
    found = before(column)
    same = edited if edited is not None and edited.column == column else None
    start = _start(found, column) if same is None else same.recoding
    first = next(name for name, way in WAYS.items() if isinstance(start, way))
    key = f"{key}-{column}"
    ways = [way for way in WAYS if way != REDACT or way == first or is_text(found.held, column)]
    way = keep.segments(f"{key}-way", "Way", ways, first)
    recoding = BUILD[way](start, found.held.counts_of(column), key)
    if recoding is None:
        return None
    step = Recode(column, recoding, others=_others(same, recoding, key))
    # Of a step made earlier, only what it knew then is known: what is new in this file is asked about.
    step = replace(step, kept=same.kept) if same is not None and way == first else step.knowing(found)
    _show_values(step, found)
    return step


def _others(edited: Recode | None, recoding: Recoding, key: str) -> Others:
    """What becomes of values that the recoding will not cover, as next year's file may have them."""
    if isinstance(recoding, Mask | Redaction) or (isinstance(recoding, ValueMap) and recoding.otherwise is not None):
        return "ask"  # there are none
    offered = [way for way in OTHERS if way != "nearest" or isinstance(recoding, ValueMap)]
    begin = edited.others if edited is not None and edited.others in offered else "ask"
    return keep.select(
        f"{key}-others", "Other values, such as next year’s", offered, begin, format_func=OTHER_VALUES.__getitem__,
        help="What becomes of values that this step does not cover and that are not in this file. Until you decide, a "
        "file with such values cannot be downloaded.",
    )  # fmt: skip


def _start(current: Dataset, column: str) -> Recoding:
    counts = current.held.counts_of(column)
    if is_text(current.held, column):
        return Redaction()
    return suggested_recoding(counts.values, counts.records) or _default(counts.values)


def _default(values: np.ndarray) -> Recoding:
    """The way that fits the values when nothing is suggested: few numbers, dates or ranges, or words."""
    if len(values) and not np.isnan(to_numbers(values)).any():
        return Intervals(1)
    if len(values) and not np.isnat(to_dates(values)).any():
        return DateUnit()
    found = ranges_or_none(values)
    return ValueMap(()) if found is None else next(iter(merged(found)), ValueMap(()))


def _intervals(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    begin = start if isinstance(start, Intervals) else Intervals(10.0)
    ways = ["of equal width", "between cuts"]
    by = keep.radio(f"{key}-by", "Intervals", ways, ways[int(bool(begin.cuts))], horizontal=True)
    if by == "between cuts":
        written = " ".join(f"{cut:g}" for cut in begin.cuts)
        text = keep.text(f"{key}-cuts", "Cuts, ascending, with blanks between", written, placeholder="18 35 65")
        cuts = to_numbers(text.replace(";", " ").split())
        if not len(cuts) or np.isnan(cuts).any():
            raise InputError("Give the cuts as numbers with blanks between, such as 18 35 65.")
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
    return None if to is None else Rounding(to, tuple(each for each in begin.first if each < to))


def _mask(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    begin = start if isinstance(start, Mask) else Mask(3)
    longest = max((len(value) for value in column.values), default=1)
    length_place, side_place, fill_place = st.columns(3)
    kept = keep.slider(
        f"{key}-keep", "Characters kept", 0, max(1, longest), min(begin.keep, longest), place=length_place
    )  # fmt: skip
    sides, fills = ["the first", "the last"], ["stars", "nothing"]
    which = keep.radio(f"{key}-side", "Which", sides, sides[int(begin.side == "end")], place=side_place)
    others = keep.radio(f"{key}-fill", "The others become", fills, fills[int(not begin.fill)], place=fill_place)
    # One length for all, kept with the step: neither this file's values nor next year's tell theirs.
    length = start.length if isinstance(start, Mask) else longest
    return Mask(kept, "start" if which == "the first" else "end", "*" if others == "stars" else "", length)


def _date(start: Recoding, column: ValueCounts, key: str) -> Recoding:
    unit = start.unit if isinstance(start, DateUnit) else "year"
    return DateUnit(keep.segments(f"{key}-date", "Keep", list(UNITS), unit, format_func=UNITS.__getitem__))


def _groups(start: Recoding, column: ValueCounts, key: str) -> Recoding | None:
    """Values with an editable label each; the same label puts values into one group."""
    values = column.values.tolist()
    if len(values) > MOST_GROUPED:
        raise InputError(
            f"{len(values):,} values are too many to group by hand. Choose another way, or drop the column."
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


def _show_values(step: Recode, current: Dataset) -> None:
    if isinstance(step.recoding, Redaction):
        _show_found(step.column, current)
        _show_table(step.value_table(current), ("Released as", "Records", "Value"))
    else:
        _show_table(step.value_table(current))


def _show_found(column: str, current: Dataset) -> None:
    """What was found in the texts, in numbers, and what redaction cannot promise."""
    inside = texts_in(current.held, column)
    found = f"{inside.describe()} " if inside is not None else ""
    st.markdown(f"{found}{CANNOT_PROMISE} Read a sample before release.")


def _show_table(table: pd.DataFrame, order: tuple[str, ...] = ("Value", "Released as", "Records")) -> None:
    """What values become; of long texts first what they become, which else is out of sight."""
    with st.expander(f"{table['value'].nunique():,} values become {table['released as'].nunique():,}"):
        shown = table.head(1_000).rename(columns={"value": "Value", "released as": "Released as", "records": "Records"})
        page.table(shown[list(order)], "Each value and what it is released as", height=220)


BUILD: dict[str, Callable[[Recoding, ValueCounts, str], Recoding | None]] = {
    "Intervals": _intervals,
    "Rounding": _rounding,
    "First or last characters": _mask,
    "Date part": _date,
    "Group values": _groups,
    REDACT: _redaction,
}
"""By way, the controls that make a recoding, from the one to begin with."""

FORMS: dict[str, Callable[..., Step | None]] = {
    Recode.kind: _recode,
    MergeRare.kind: _merge,
    DropColumns.kind: _drop,
    Suppress.kind: _suppress,
    LeaveOutExposed.kind: partial(_found, of=(page.VERDICT,)),
    SuppressViolating.kind: partial(_found, of=(page.GENERALIZE, page.REGIONS)),
    GeneralizeLocally.kind: partial(_found, of=(page.GENERALIZE,)),
    AggregatePlaces.kind: partial(_found, of=(page.REGIONS,)),
}
"""By kind of step, the form in which one is made or changed."""
