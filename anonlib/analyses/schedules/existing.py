"""Appointments that people of a file have already: which columns say them, and the schedule that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

import numpy as np
import pandas as pd
from scipy import sparse

from anonlib.analyses.schedules.invitations import Invitees, Slots
from anonlib.analyses.schedules.schedule import Schedule, schedule_of, summed
from anonlib.columns.identifiers import kind_of_name, name_tokens
from anonlib.counting.classes.coding import group
from anonlib.values.cells import MISSING_LABEL, to_numbers
from anonlib.values.dates import read_dates, seconds_of_day

AppointmentPart = Literal["centre", "date", "hour"]
_KINDS: Mapping[str, AppointmentPart] = {"facility": "centre", "event_date": "date", "event_time": "hour"}
_WORDS: Mapping[AppointmentPart, frozenset[str]] = {
    "centre": frozenset("centre center clinic site senter zentrum centro hospital clinique klinik".split()),
    "date": frozenset("date day dato datum fecha".split()),
    "hour": frozenset("hour time uhrzeit heure hora klokkeslett tid".split()),
}


@dataclass(frozen=True)
class AppointmentColumns:
    """The columns that say where and when somebody is invited.

    Attributes
    ----------
    centre : str, optional
        The place; None where no column says it.
    date : str, optional
        The day; None where no column says it.
    hour : str, optional
        The time of the day; None where no column says it.
    """

    centre: str | None = None
    date: str | None = None
    hour: str | None = None

    @property
    def named(self) -> dict[AppointmentPart, str]:
        """The column of each part that has one."""
        parts: list[AppointmentPart] = ["centre", "date", "hour"]
        return {part: name for part in parts if (name := getattr(self, part)) is not None}


def suggest_appointment_columns(table: Mapping[str, Sequence[str]]) -> AppointmentColumns:
    """The columns that most likely say a centre, a date and an hour, by their names and by what is in them.

    A date must be read as a day, an hour as a time of the day, and a centre must occur more than once. A date alone may
    be that of anything: without a centre or an hour beside it there is no appointment.

    Parameters
    ----------
    table : Mapping[str, Sequence[str]]
        By column, its distinct values as text.

    Returns
    -------
    AppointmentColumns

    Examples
    --------
    >>> suggest_appointment_columns({"age": ["50-54", "55-59"], "centre": ["A", "B"], "hour": ["9", "13"]})
    AppointmentColumns(centre='centre', date=None, hour='hour')
    """
    suggested: dict[AppointmentPart, str] = {}
    for name, values in table.items():
        part = part_named(name)
        if part is not None and part not in suggested and _fits(part, list(values)):
            suggested[part] = name
    if set(suggested) <= {"date"} or set(suggested) == {"hour"}:
        return AppointmentColumns()
    return AppointmentColumns(**suggested)


def part_named(name: str) -> AppointmentPart | None:
    """What part of an appointment a column says by its name; None for none.

    Parameters
    ----------
    name : str
        The column's name.

    Returns
    -------
    AppointmentPart or None
    """
    kind = kind_of_name(name)
    if kind is not None and kind.key in _KINDS:
        return _KINDS[kind.key]
    words = set(name_tokens(name))
    return next((part for part, of_part in _WORDS.items() if words & of_part), None)


def _fits(part: AppointmentPart, values: Sequence[str]) -> bool:
    present = [str(value) for value in values if str(value) not in ("", MISSING_LABEL)]
    if not present:
        return False
    if part == "centre":
        return True
    if part == "date":
        return read_dates(present).are_dates
    return not np.isnan(_times(present)).any()


_CLOCK = re.compile(r"\d{1,2}[:.h]\d\d(?:[:.]\d\d)?\s*(?:[ap]\.?m\.?)?", re.ASCII | re.IGNORECASE)


def _times(values: Sequence[str]) -> np.ndarray:
    """Seconds since midnight of times of the day and of hours in whole numbers, NaN where one is neither."""
    hours = to_numbers(list(values))
    seconds = np.where((hours >= 0) & (hours <= 24) & (hours == np.floor(hours)), 3600 * hours, np.nan)
    clock = [i for i, value in enumerate(values) if _CLOCK.fullmatch(str(value).strip())]
    if clock:
        written = [re.sub(r"[.h]", ":", str(values[i]).strip(), count=1) for i in clock]
        seconds[clock] = seconds_of_day([f"2000-01-01 {text}" for text in written])
    return seconds


@dataclass(frozen=True, eq=False)
class Appointed:
    """What appointments people have.

    Attributes
    ----------
    table : pd.DataFrame
        (A, parts) the different appointments, as text, a column a part.
    of_person : np.ndarray
        (N,) the row of ``table`` of each person.
    of_group : sparse.csr_array
        (G, A) people of each group with each appointment.
    """

    table: pd.DataFrame
    of_person: np.ndarray
    of_group: sparse.csr_array

    @property
    def seated(self) -> np.ndarray:
        """(A,) people with each appointment."""
        return np.asarray(self.of_group.sum(axis=0)).ravel()


def appointed(people: Invitees, columns: AppointmentColumns, kept: Sequence[str]) -> tuple[Invitees, Appointed]:
    """People who are grouped by their appointment too, parted into people and their appointments.

    Parameters
    ----------
    people : Invitees
        With the appointment's columns among those of ``groups``.
    columns : AppointmentColumns
        Which they are.
    kept : Sequence[str]
        The columns of ``groups`` that stay in it.

    Returns
    -------
    people : Invitees
        Without those who lack a part of their appointment: these are counted as left out.
    appointments : Appointed
    """
    names = list(columns.named.values())
    complete = ~(people.groups[names] == MISSING_LABEL).any(axis=1).to_numpy()
    fine = np.flatnonzero(complete)
    stays = complete[people.group_of_person]
    coarse, first = _numbered(people.groups[list(kept)].iloc[fine])
    slot, slot_first = _numbered(people.groups[names].iloc[fine])
    value, value_first = group(people.quasi_ids[fine].reshape(-1, 1), [len(people.values)])
    frequencies = people.frequencies[fine]
    place = np.full(len(complete), -1)
    place[fine] = np.arange(len(fine))
    of_person = place[people.group_of_person[stays]]
    counted = sparse.csr_array((frequencies, (coarse, slot)), shape=(len(first), len(slot_first)), dtype=np.int64)
    parted = Invitees(
        values=people.values.iloc[people.quasi_ids[fine][value_first]].reset_index(drop=True),
        groups=people.groups[list(kept)].iloc[fine[first]].reset_index(drop=True),
        frequencies=np.bincount(coarse, frequencies, len(first)).astype(np.int64),
        quasi_ids=value[first],
        group_of_person=coarse[of_person],
        record_of_person=None if people.record_of_person is None else people.record_of_person[stays],
        left_out=people.left_out + int((~stays).sum()),
    )
    table = people.groups[names].iloc[fine[slot_first]].reset_index(drop=True)
    return parted, Appointed(table, slot[of_person], counted)


def _numbered(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Per row the number of its combination of cells, and per combination its first row."""
    columns = [pd.factorize(table[name])[0] for name in table.columns]
    if not columns:
        return np.zeros(len(table), np.int64), np.arange(min(1, len(table)))
    return group(np.column_stack(columns), [int(codes.max(initial=0)) + 1 for codes in columns])


def slots_as_they_are(appointments: Appointed, spare: float = 0.0) -> Slots:
    """The slots that people have now, with as many places as people and some to spare.

    Parameters
    ----------
    appointments : Appointed
        Who has which.
    spare : float, default 0.0
        Places beyond, as a share of the people in each slot, rounded up.

    Returns
    -------
    Slots
    """
    seated = appointments.seated
    return Slots(appointments.table, seated + np.ceil(np.round(seated * spare, 6)).astype(np.int64))


def part_columns(columns: AppointmentColumns, slots: pd.DataFrame) -> AppointmentColumns:
    """Which columns of slots say the same as those of people: of the same name, or else the likeliest.

    Parameters
    ----------
    columns : AppointmentColumns
        Those of people.
    slots : pd.DataFrame
        One row a slot, as text.

    Returns
    -------
    AppointmentColumns
        Of the slots.
    """
    table = {str(name): slots[name].dropna().astype(str).unique().tolist() for name in slots.columns}
    of_name = {name.casefold(): name for name in table}
    suggested = suggest_appointment_columns(table)
    matched: dict[str, str] = {}
    for part in fields(AppointmentColumns):
        own = getattr(columns, part.name)
        same = None if own is None else of_name.get(own.casefold())
        likely = same or getattr(suggested, part.name)
        if likely is not None and likely not in matched.values():
            matched[part.name] = likely
    return AppointmentColumns(**matched)


@dataclass(frozen=True, eq=False)
class Existing:
    """The schedule as it is, in slots that hold it.

    Attributes
    ----------
    slots : Slots
        Those given, each with at least as many places as people there now; behind them those that are not among them.
    slot_of_person : np.ndarray
        (N,) where each person is invited now.
    groups : sparse.csr_array
        (G, R) people of each group in each slot.
    raised : int
        Slots whose places were fewer than the people there.
    added : int
        Slots that were not among those given.
    """

    slots: Slots
    slot_of_person: np.ndarray
    groups: sparse.csr_array
    raised: int = 0
    added: int = 0

    def schedule(self, quasi_ids: np.ndarray) -> Schedule:
        """The schedule of it.

        Parameters
        ----------
        quasi_ids : np.ndarray
            (G,) the value of each group.

        Returns
        -------
        Schedule
        """
        return schedule_of("existing", self.groups, 0.0, quasi_ids=quasi_ids)


def existing_in(
    appointments: Appointed, columns: AppointmentColumns, slots: Slots, theirs: AppointmentColumns
) -> Existing | None:
    """Find people's appointments among slots.

    Cells are compared as text, dates as the days that they are. A slot that is missing is added, and none has fewer
    places than people have been invited to it.

    Parameters
    ----------
    appointments : Appointed
        Who has which.
    columns : AppointmentColumns
        What its columns are.
    slots : Slots
        Where there is room.
    theirs : AppointmentColumns
        What the columns of these are.

    Returns
    -------
    Existing or None
        None where the appointments do not say which slot it is: a part is missing, or several slots have the same.
    """
    named = theirs.named
    if set(columns.named) != set(named):
        return None
    own_cells, slot_cells = [], []
    for part, name in columns.named.items():
        own, their = same_text(part, appointments.table[name], slots.table[named[part]])
        own_cells.append(own)
        slot_cells.append(their)
    of_cells: dict[tuple[str, ...], int] = {}
    for position, cells in enumerate(zip(*slot_cells, strict=True)):
        if of_cells.setdefault(cells, position) != position:
            return None
    n_slots = len(slots.table)
    rows: list[dict[str, str]] = []
    slot = np.empty(len(appointments.table), np.int64)
    for row, cells in enumerate(zip(*own_cells, strict=True)):
        if cells not in of_cells:
            of_cells[cells] = n_slots + len(rows)
            rows.append({named[part]: appointments.table[name].iloc[row] for part, name in columns.named.items()})
        slot[row] = of_cells[cells]
    table = slots.table
    if rows:
        table = pd.concat([table, pd.DataFrame(rows, dtype=object)], ignore_index=True).fillna("")
    seated = np.bincount(slot, appointments.seated, len(table)).astype(np.int64)
    given = np.concatenate([slots.capacities, np.zeros(len(rows), np.int64)])
    raised = int((given[:n_slots] < seated[:n_slots]).sum())
    groups = sparse.csr_array(summed(sparse.csr_array(appointments.of_group.T), slot, len(table)).T)
    grown = replace(slots, table=table, capacities=np.maximum(given, seated))
    return Existing(grown, slot[appointments.of_person], groups, raised, len(rows))


def same_text(part: AppointmentPart, own: pd.Series, theirs: pd.Series) -> tuple[list[str], list[str]]:
    """Two columns as text that is the same for the same day, hour or name.

    Parameters
    ----------
    part : AppointmentPart
        What they say: days and hours are compared as such where each cell is one, names as they are written.
    own, theirs : pd.Series
        Cells as text.

    Returns
    -------
    own : list of str
    theirs : list of str
    """
    both = pd.unique(pd.concat([own, theirs], ignore_index=True).astype(str))
    texts = [str(text).strip() for text in both]
    if part == "date" and not np.isnat(days := read_dates(texts).days).any():
        texts = days.astype(str).tolist()
    if part == "hour" and not np.isnan(seconds := _times(texts)).any():
        texts = [str(second) for second in seconds.tolist()]
    of = dict(zip(both.tolist(), texts, strict=True))
    return [of[str(cell)] for cell in own], [of[str(cell)] for cell in theirs]


def people_moved(before: sparse.sparray, after: sparse.sparray) -> int:
    """How many people have to change their slot from one schedule to another, those of a group being alike.

    Parameters
    ----------
    before, after : sparse.sparray
        (G, R) people of each group in each slot, of the same people.

    Returns
    -------
    int
    """
    change = sparse.csr_array(before) - sparse.csr_array(after)
    return int(change.data[change.data > 0].sum())
