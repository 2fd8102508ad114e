"""From a file of people and a table of slots to what is scheduled, and from a schedule to an invitation a person."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.schedules.schedule import Schedule, assign_people, checked_counts, checked_programme
from anonlib.basics.errors import InputError
from anonlib.counting.classes import AnonymityVector, anonymity_vector
from anonlib.dataset import Dataset
from anonlib.values.cells import to_numbers

_CAPACITY_WORDS = ("capacity", "places", "seats", "people", "capac", "plazas", "kapasitet", "kapazit", "n")


@dataclass(frozen=True, eq=False)
class Invitees:
    """Who is to be invited, counted.

    Attributes
    ----------
    values : pd.DataFrame
        Q rows: the values, as text, of the quasi-identifiers alone.
    groups : pd.DataFrame
        G rows: the values, as text, of the quasi-identifiers and of what rules look at, of each group.
    frequencies : np.ndarray
        (G,) people of each group.
    quasi_ids : np.ndarray
        (G,) the row of ``values`` of each group.
    group_of_person : np.ndarray
        (N,) each person's group.
    record_of_person : np.ndarray | None
        (N,) the first record of each; None for people who were made up or whose records stay in a database.
    left_out : int, default 0
        People without a value that is needed.
    """

    values: pd.DataFrame
    groups: pd.DataFrame
    frequencies: np.ndarray
    quasi_ids: np.ndarray
    group_of_person: np.ndarray
    record_of_person: np.ndarray | None
    left_out: int = 0

    @property
    def n_people(self) -> int:
        """People of all values."""
        return len(self.group_of_person)

    @cached_property
    def sizes(self) -> np.ndarray:
        """(Q,) people of each quasi-identifier value."""
        return np.bincount(self.quasi_ids, weights=self.frequencies).astype(np.int64)

    @cached_property
    def base(self) -> AnonymityVector:
        """The anonymity vector without appointments."""
        return anonymity_vector(self.sizes)

    @cached_property
    def key(self) -> str:
        """A name for the people, equal for equal ones."""
        return _digest(self.frequencies, self.quasi_ids, self.groups)


@dataclass(frozen=True, eq=False)
class Slots:
    """Where and when there is room.

    Attributes
    ----------
    table : pd.DataFrame
        R rows of text: the place, the day and what else names a slot.
    capacities : np.ndarray
        (R,) places of each slot.
    """

    table: pd.DataFrame
    capacities: np.ndarray

    @cached_property
    def labels(self) -> list[str]:
        """What each slot is called."""
        if not len(self.table.columns):
            return [f"Slot {position}" for position in range(1, len(self.table) + 1)]
        return [", ".join(cell for cell in row if cell) for row in self.table.itertuples(index=False)]

    @cached_property
    def short_labels(self) -> list[str]:
        """The labels without what goes with an earlier column, as the coordinates of a centre do."""
        kept: list[str] = []
        for name in self.table.columns:
            follows = (len(self.table[[other, name]].drop_duplicates()) == self.table[other].nunique() for other in kept
                       if self.table[other].nunique() < len(self.table))  # fmt: skip
            if not any(follows):
                kept.append(name)
        return replace(self, table=self.table[kept]).labels

    @cached_property
    def key(self) -> str:
        """A name for the slots, equal for equal ones."""
        return _digest(self.capacities, self.table)


def people_of(data: Dataset, known: Sequence[str], also: Sequence[str] = ()) -> Invitees:
    """The people of a data set.

    Parameters
    ----------
    data : Dataset
        The records.
    known : Sequence[str]
        Columns that an attacker knows.
    also : Sequence[str], default ()
        Columns that rules look at.

    Returns
    -------
    Invitees

    Raises
    ------
    InputError
        If no column is known, if the file has weights, or if it has nobody.
    """
    if not known:
        raise InputError("Choose at least one column that someone may know about the people.", code="no-column-known")
    if data.weight is not None:
        raise InputError(
            f"“{data.weight}” counts several people in a row. Invitations need a row for each person: change its "
            "role on the Data page, or load such a file.",
            code="people-not-one-a-row",
            column=data.weight,
        )
    columns = [*known, *(name for name in dict.fromkeys(also) if name not in known)]
    table = data.classes(columns)
    if table.class_of_record is None:
        record, group = None, np.repeat(np.arange(table.n_classes), table.counts)
        left_out = data.with_missing("category").classes([]).n_records - len(group)
    else:
        record = _first_records(data)
        group = table.class_of_record[record]
        counted = group >= 0
        record, group, left_out = record[counted], group[counted], int((~counted).sum())
    if not len(group):
        raise InputError("Nobody is left to invite: every record lacks one of these values.", code="no-records")
    return Invitees(
        values=table.project(known).labels(),
        groups=table.labels(),
        frequencies=table.counts,
        quasi_ids=table.membership(known),
        group_of_person=group,
        record_of_person=record,
        left_out=left_out,
    )


def not_invited(data: Dataset, people: Invitees) -> pd.DataFrame:
    """The people of a data set whom :func:`people_of` or a recipe left out.

    Parameters
    ----------
    data : Dataset
        The records, in memory.
    people : Invitees
        Those invited, their ``record_of_person`` rows of ``data``.

    Returns
    -------
    DataFrame
        The first record of each who is left out, all columns.
    """
    assert people.record_of_person is not None
    person = np.arange(data.n_records)
    if data.person_id is not None:
        codes = data.records[data.person_id].cat.codes.to_numpy()
        person = np.where(codes >= 0, codes, data.n_records + person)  # without an id each record is a person
    first = _first_records(data)
    invited = np.isin(person[first], person[people.record_of_person])
    return data.records.iloc[first[~invited]].reset_index(drop=True)


def _first_records(data: Dataset) -> np.ndarray:
    """The first record of each person: those of one person share the class."""
    if data.person_id is None:
        return np.arange(data.n_records)
    person = pd.Series(data.records[data.person_id].cat.codes.to_numpy())
    return np.flatnonzero(~person.duplicated() | (person < 0))


def made_up_people(frequencies: np.ndarray) -> Invitees:
    """People of made-up quasi-identifier values.

    Parameters
    ----------
    frequencies : np.ndarray
        People of each value.

    Returns
    -------
    Invitees
    """
    values = pd.DataFrame({"value": [str(position) for position in range(1, len(frequencies) + 1)]})
    positions = np.arange(len(frequencies))
    return Invitees(values, values, frequencies, positions, np.repeat(positions, frequencies), None)


def made_up_slots(capacities: np.ndarray) -> Slots:
    """Slots that have nothing but a number.

    Parameters
    ----------
    capacities : np.ndarray
        Places of each slot.

    Returns
    -------
    Slots
    """
    return Slots(pd.DataFrame({"slot": [str(position) for position in range(1, len(capacities) + 1)]}), capacities)


def capacity_column(table: pd.DataFrame) -> str | None:
    """The column that most likely says how many people a slot takes: numbers throughout, and named so if any is.

    Parameters
    ----------
    table : pd.DataFrame
        One row a slot.

    Returns
    -------
    str or None
    """
    numeric = [
        str(name)
        for name in table.columns
        if len(table) and not np.isnan(to_numbers([str(cell) for cell in table[name]])).any()
    ]
    for word in _CAPACITY_WORDS:
        for name in numeric:
            if word in name.casefold() if len(word) > 1 else word == name.casefold():
                return name
    return numeric[-1] if numeric else None


def slots_of(table: pd.DataFrame, capacity: str) -> Slots:
    """The slots of a table.

    Parameters
    ----------
    table : pd.DataFrame
        One row a slot.
    capacity : str
        The column of how many people each takes.

    Returns
    -------
    Slots

    Raises
    ------
    InputError
        Names the row of a capacity that is missing, no number, fractional or negative.
    """
    if not len(table):
        raise InputError("There are no slots. Add a row for each, or load a table of them.", code="slots-missing")
    if capacity not in table.columns:
        raise InputError(
            f"The slots have no column “{capacity}”. Choose the column that says how many people each takes.",
            code="column-unknown",
            column=capacity,
        )
    text = table.astype(object).where(table.notna(), "").astype(str)
    numbers = to_numbers(text[capacity].to_numpy())
    unreadable = np.flatnonzero(np.isnan(numbers))
    if len(unreadable):
        missing = not text[capacity].iloc[unreadable[0]].strip()
        raise InputError(
            f"Slots, row {unreadable[0] + 1}: “{capacity}” is {'empty' if missing else 'not a number'}. "
            "Say how many people the slot takes; 0 closes it.",
            code="slots-wrong",
            column=capacity,
        )
    return Slots(text.drop(columns=capacity).reset_index(drop=True), checked_counts(numbers, "capacities", "slot"))


def check_room(people: Invitees, slots: Slots) -> None:
    """Check that there are as many places as people.

    Parameters
    ----------
    people : Invitees
        Those who are invited.
    slots : Slots
        Where and when there is room for them.

    Raises
    ------
    InputError
        If there are more people than places.
    """
    checked_programme(people.sizes, slots.capacities)


def appointments(
    schedule: Schedule, people: Invitees, slots: Slots, rng: np.random.Generator, records: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Who is invited where.

    Parameters
    ----------
    schedule : Schedule
        People of each group in each slot.
    people : Invitees
        Those whom the schedule invites, whose groups are its rows.
    slots : Slots
        Those that it invites them to, in the order of its columns.
    rng : np.random.Generator
        Draws who of a group goes to which of its slots.
    records : pd.DataFrame, optional
        The file's rows.

    Returns
    -------
    DataFrame
        One row a person: in the file's order with their cells, or else with their quasi-identifier value, and their
        slot. A column of slots named like one of the people's is called "slot …".
    """
    return invited_to(assign_people(schedule, people.group_of_person, slots.table, rng), people, records)


def invited_to(slot: pd.DataFrame, people: Invitees, records: pd.DataFrame | None = None) -> pd.DataFrame:
    """People with the slots that they are invited to.

    Parameters
    ----------
    slot : pd.DataFrame
        The row of the table of slots of each person.
    people : Invitees
        Those who are invited.
    records : pd.DataFrame, optional
        The file's rows.

    Returns
    -------
    DataFrame
        As :func:`appointments` gives it.
    """
    if records is None or people.record_of_person is None:
        own = people.values.iloc[people.quasi_ids[people.group_of_person]]
        own = own.reset_index(drop=True)
        own.insert(0, "person", np.arange(1, people.n_people + 1))
    else:
        own = records.iloc[people.record_of_person].reset_index(drop=True)
    return pd.concat([own, with_distinct_names(slot, own.columns)], axis=1)


def with_distinct_names(slots: pd.DataFrame, others: Iterable[str]) -> pd.DataFrame:
    """Columns of slots under names that the people's columns do not have.

    Parameters
    ----------
    slots : pd.DataFrame
        The table of slots.
    others : Iterable[str]
        Names of the people's columns.

    Returns
    -------
    DataFrame
        The table with each column that is named like one of ``others`` called "slot …".
    """
    others = set(others)
    taken, names = {*others, *slots.columns}, {}
    for column in slots.columns:
        if column in others:
            name = f"slot {column}"
            while name in taken:
                name = f"slot {name}"
            names[column] = name
            taken.add(name)
    return slots.rename(columns=names)


def _digest(*parts: np.ndarray | pd.DataFrame) -> str:
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, pd.DataFrame):
            digest.update(part.to_json(orient="split").encode("utf-8", "surrogatepass"))
        else:
            digest.update(part.tobytes())
    return digest.hexdigest()
