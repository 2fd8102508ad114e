"""The widgets with which an officer makes one step of a recipe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.recoding import DateUnit, Intervals, Mask, Recoding, ValueMap
from anonlib.release.generalized import GeneralizeLocally, SuppressViolating
from anonlib.release.places import AggregatePlaces
from anonlib.release.steps import DropColumns, Recode, Step, Suppress
from anonlib.release.suggestions import suggested_recoding
from anonlib.values import to_dates, to_numbers
from ui import page, state
from ui.text import printable

WAYS: dict[str, type] = {
    "Intervals": Intervals,
    "First or last characters": Mask,
    "Date part": DateUnit,
    "Group values": ValueMap,
}
MOST_GROUPED = 500
UNITS: tuple[Literal["year", "quarter", "month"], ...] = ("year", "quarter", "month")


def choose_step(current: Dataset, edited: Step | None, key: str) -> Step | None:
    """A step for the data as it stands at this point of the recipe, or None while it is incomplete.

    ``edited`` is the step to begin from, if there is one; ``key`` keeps the widgets of one edit apart from others.
    Raises InputError.
    """
    if edited is not None:
        return _builders()[edited.kind](current, edited, key)
    kinds = {"Recode": Recode.kind, "Drop columns": DropColumns.kind, "Suppress": Suppress.kind}
    kind = st.segmented_control("Kind of step", list(kinds), default="Recode", required=True, key=f"{key}-kind")
    return _builders()[kinds[kind]](current, None, key)


def _builders() -> dict[str, Callable[[Dataset, Step | None, str], Step | None]]:
    return {
        Recode.kind: _recode,
        DropColumns.kind: _drop,
        Suppress.kind: _suppress,
        SuppressViolating.kind: _found,
        GeneralizeLocally.kind: _found,
        AggregatePlaces.kind: _found,
    }


def _found(current: Dataset, edited: Step | None, key: str) -> Step | None:
    """A step that a search made: only its reason is changed here."""
    st.markdown("This step comes from a search. Search again with other settings, and it gives way to what is found.")
    if not isinstance(edited, AggregatePlaces):
        st.page_link(page.GENERALIZE, label="To Generalize", icon=":material/account_tree:")
    if isinstance(edited, AggregatePlaces | SuppressViolating):
        st.page_link(page.REGIONS, label="To Regions", icon=":material/map:")
    return edited


def _drop(current: Dataset, edited: Step | None, key: str) -> Step | None:
    chosen = [c for c in edited.columns if c in current.columns] if isinstance(edited, DropColumns) else []
    columns = st.multiselect("Columns to drop", current.columns, chosen, format_func=printable, key=f"{key}-drop")
    return DropColumns(tuple(columns)) if columns else None


def _suppress(current: Dataset, edited: Step | None, key: str) -> Step:
    k = st.number_input(
        "Suppress records in classes smaller than",
        2,
        1_000,
        max(2, edited.k) if isinstance(edited, Suppress) else state.session().k,
        key=f"{key}-k-{state.session().k}",
        help="Records that share their quasi-identifiers with too few others are left out.",
    )
    return Suppress(int(k))


def _recode(current: Dataset, edited: Step | None, key: str) -> Step | None:
    ordered = current.quasi_identifiers + [c for c in current.columns if c not in current.quasi_identifiers]
    if not ordered:
        raise InputError("No column is left to recode.")
    begin = edited.column if isinstance(edited, Recode) and edited.column in ordered else ordered[0]
    column = st.selectbox("Column", ordered, ordered.index(begin), format_func=printable, key=f"{key}-column")
    start = edited.recoding if isinstance(edited, Recode) and edited.column == column else _start(current, column)
    first = next(name for name, way in WAYS.items() if isinstance(start, way))
    key = f"{key}-{column}"
    way = st.segmented_control("Way", list(WAYS), default=first, required=True, key=f"{key}-way")
    build = {"Intervals": _intervals, "First or last characters": _mask, "Date part": _date, "Group values": _groups}[
        way
    ]
    recoding = build(start, current.records[column], key)
    if recoding is None:
        return None
    step = Recode(column, recoding)
    _show_values(step, current)
    return step


def _start(current: Dataset, column: str) -> Recoding:
    return suggested_recoding(current.records[column]) or _default(current.records[column].cat.categories)


def _default(values: pd.Index) -> Recoding:
    """The way that fits the values when nothing is suggested: few numbers, few dates, or words."""
    if len(values) and not np.isnan(to_numbers(values)).any():
        return Intervals(1)
    if len(values) and not np.isnat(to_dates(values)).any():
        return DateUnit()
    return ValueMap(())


def _intervals(start: Recoding, column: pd.Series, key: str) -> Recoding:
    begin = start if isinstance(start, Intervals) else Intervals(10.0)
    ways = ["of equal width", "between cuts"]
    if st.radio("Intervals", ways, int(bool(begin.cuts)), horizontal=True, key=f"{key}-by") == "between cuts":
        written = " ".join(f"{cut:g}" for cut in begin.cuts)
        text = st.text_input("Cuts, ascending, with blanks between", written, key=f"{key}-cuts", placeholder="18 35 65")
        cuts = to_numbers(text.replace(";", " ").split())
        if not len(cuts) or np.isnan(cuts).any():
            raise InputError("Give the cuts as numbers with blanks between, such as 18 35 65.")
        return Intervals(cuts=tuple(cuts.tolist()))
    width, first, bottom, top = st.columns(4)
    with width:
        chosen_width = _number("Width", begin.width or 10.0, f"{key}-width")
    with first:
        chosen_start = _number("Counted from", begin.start, f"{key}-start")
    with bottom:
        chosen_bottom = _number("Below together", begin.bottom, f"{key}-bottom", "Lower values become one group.")
    with top:
        chosen_top = _number("From here on", begin.top, f"{key}-top", "This and higher values become one group.")
    return Intervals(chosen_width, chosen_start or 0.0, chosen_bottom, chosen_top)


def _number(label: str, value: float | None, key: str, help: str | None = None) -> float | None:
    start = None if value is None else float(value)
    return st.number_input(label, value=start, key=key, format="%g", placeholder="none", help=help)


def _mask(start: Recoding, column: pd.Series, key: str) -> Recoding:
    begin = start if isinstance(start, Mask) else Mask(3)
    longest = max((len(value) for value in column.cat.categories), default=1)
    keep, side, fill = st.columns(3)
    kept = keep.slider("Characters kept", 0, max(1, longest), min(begin.keep, longest), key=f"{key}-keep")
    which = side.radio("Which", ["the first", "the last"], int(begin.side == "end"), key=f"{key}-side")
    others = fill.radio("The others become", ["stars", "nothing"], int(not begin.fill), key=f"{key}-fill")
    return Mask(kept, "start" if which == "the first" else "end", "*" if others == "stars" else "")


def _date(start: Recoding, column: pd.Series, key: str) -> Recoding:
    unit = start.unit if isinstance(start, DateUnit) else "year"
    return DateUnit(st.segmented_control("Keep", UNITS, default=unit, required=True, key=f"{key}-date"))


def _groups(start: Recoding, column: pd.Series, key: str) -> Recoding | None:
    """Values with an editable label each; the same label puts values into one group."""
    values = list(column.cat.categories)
    if len(values) > MOST_GROUPED:
        raise InputError(
            f"{len(values):,} values are too many to group by hand. Choose another way, or drop the column."
        )
    given = start if isinstance(start, ValueMap) else ValueMap(())
    table = pd.DataFrame(
        {
            "Value": [printable(value) for value in values],
            "Label": given.labels(values),
            "Records": np.bincount(column.cat.codes[column.cat.codes >= 0], minlength=len(values)),
        }
    )
    edited = st.data_editor(
        table,
        hide_index=True,
        disabled=["Value", "Records"],
        height=page.table_height(len(table), 290),
        key=f"{key}-groups-{hash(tuple(values))}",
        alt="Values with the label each is released as; the labels can be edited.",
        column_config={
            "Label": st.column_config.TextColumn(
                help="One label for several values groups them; clear it for missing."
            ),
            "Records": st.column_config.NumberColumn(format="localized"),
        },
    )
    labels = [None if pd.isna(label) or not str(label).strip() else str(label) for label in edited["Label"]]
    changed = {value: label for value, label in zip(values, labels, strict=True) if label != value}
    if not changed:
        st.caption("Give several values the same label to put them into one group.")
        return None
    return ValueMap.of(changed)


def _show_values(step: Recode, current: Dataset) -> None:
    table = step.value_table(current)
    with st.expander(f"{table['value'].nunique():,} values become {table['released as'].nunique():,}"):
        shown = table.head(1_000).rename(columns={"value": "Value", "released as": "Released as", "records": "Records"})
        page.table(shown, "Each value and what it is released as", height=220)
