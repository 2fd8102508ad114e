"""Which columns of the file say the appointments that people have, and what of these stays as it is."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from anonlib.analyses.schedules import (
    AppointmentColumns,
    AppointmentPart,
    part_named,
    suggest_appointment_columns,
)
from anonlib.dataset import Dataset
from ui.kit import glossary
from ui.server.private import DeltaGenerator
from ui.session import cache, keep, state
from ui.session.companions import SlotTable
from ui.text import printable

_PARTS: tuple[AppointmentPart, ...] = ("centre", "date", "hour")
_NONE, _ANY = "", "centre"


def ask_appointments(data: Dataset, offered: list[str], place: DeltaGenerator) -> AppointmentColumns:
    """The columns of centre, date and hour: suggested by name and content, chosen by the officer."""
    suggested = _suggested(data, offered=tuple(offered), slots=_columns_of_slots()).named
    names: dict[str, str] = {}
    settings = {part: keep.per(f"schedules-{part}", offered, suggested.get(part)) for part in _PARTS}
    options = [_NONE, *offered]
    with place.popover(
        "Appointments", icon=":material/event:", help="Which columns say the appointments that are there."
    ):
        st.markdown(
            "Columns that say **the appointment that people have already**. They are compared with better schedules, "
            "and do not count as known about people."
        )
        for part in _PARTS:
            name = keep.select(
                settings[part], part.capitalize(), options, suggested.get(part, _NONE),
                format_func=lambda name: printable(name) if name else "none",
            )  # fmt: skip
            if name and name not in names.values():
                names[part] = name
    return AppointmentColumns(**names)


def _columns_of_slots() -> tuple[str, ...]:
    table = state.part(SlotTable).table
    return () if table is None else tuple(str(name) for name in table.columns)


@cache.remembered
def _suggested(data: Dataset, *, offered: tuple[str, ...], slots: tuple[str, ...]) -> AppointmentColumns:
    """The likeliest columns; a date alone only where the slots have one of that name."""
    likely = [name for name in offered if part_named(name) is not None]
    values = {name: data.classes([name]).labels()[name].tolist() for name in likely}
    suggested = suggest_appointment_columns(values)
    if suggested.named:
        return suggested
    both = {name: cells for name, cells in values.items() if name in slots}
    beside = suggest_appointment_columns({**both, _ANY: ["A", "B"]})  # as if there were a centre beside them
    return replace(beside, centre=None) if beside.centre == _ANY else beside


def ask_stays(
    offered: list[AppointmentPart], of_slots: AppointmentColumns, place: DeltaGenerator | None = None
) -> tuple[AppointmentPart, ...]:
    """The parts of the appointment that nobody is asked to change; at first the date, where slots have more."""
    if not offered or place is None:
        return ()
    begin: list[AppointmentPart] = ["date"] if "date" in offered and len(of_slots.named) > 1 else []
    return tuple(
        keep.several(
            keep.per("schedules-stays", offered, list(of_slots.named)), "Stays as it is", offered, begin, place=place,
            placeholder="Nothing: all may change",
            help=glossary.linked(
                "Parts of their appointment that people keep. If the date stays, each date is a programme of its own, "
                "in which only centre and hour are chosen.",
                "slot",
            ),
        )
    )  # fmt: skip
