"""What is to be scheduled, and a schedule: how many people of each quasi-identifier value go to each slot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse

from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.counting.classes import AnonymityVector, anonymity_vector

Counts = Sequence[int] | np.ndarray


@dataclass(frozen=True)
class Schedule:
    """How many people of each group go to each slot, and how anonymous that leaves them.

    A group is a quasi-identifier value, or a part of one where its people differ in what a rule looks at.

    Attributes
    ----------
    method : str
        How it was made.
    assignment : sparse.csr_array
        (Q, R) people of each quasi-identifier value in each slot; each positive cell is one equivalence class of the
        quasi-identifier extended by the slot.
    groups : sparse.csr_array
        (G, R) the same for each group; rows of ``assignment`` are sums of rows of it.
    vector : AnonymityVector
        The anonymity vector of the cells.
    seconds : float
        How long it took to make.
    proven : bool, default False
        No schedule has a smaller vector.
    certified_prefix : int, optional
        For class sizes up to this one, no schedule that is as good on all smaller sizes has fewer classes (None:
        nothing was proven, as for the heuristics; the largest class size when ``proven``).
    bound : AnonymityVector, optional
        No schedule's vector is smaller than this one.
    ended_early : bool, default False
        A clock ended the search before its work was done: another machine may find another schedule.
    """

    method: str
    assignment: sparse.csr_array
    groups: sparse.csr_array
    vector: AnonymityVector
    seconds: float
    proven: bool = False
    certified_prefix: int | None = None
    bound: AnonymityVector | None = None
    ended_early: bool = False

    @property
    def k(self) -> int:
        """The smallest class size; 0 without people."""
        return self.vector.k


def checked_counts(values: Counts, what: str, unit: str, least: int = 0) -> np.ndarray:
    """The values as a fresh int64 array, each a whole number of at least ``least``.

    ``what`` and ``unit`` name them in sentences ("capacities", "slot"). Raises InputError naming the position.
    """
    try:
        array = np.asarray(values)
        exact = array.astype(float)
    except (TypeError, ValueError):
        raise InputError(
            f"The {what} must be whole numbers, one for each {unit}.", code="list-of-other-length"
        ) from None
    if array.ndim != 1:
        raise InputError(
            f"The {what} must be one list of whole numbers, one for each {unit}.", code="list-of-other-length"
        )
    for wrong, sentence in (
        (~np.isfinite(exact), "is missing"),
        (exact != np.floor(exact), "is not a whole number"),
        (exact < least, "is negative" if least == 0 else f"is below {least}"),
        (exact > 2**40, "is too large"),
    ):
        if wrong.any():
            raise InputError(
                f"The {what}: that of {unit} {int(np.flatnonzero(wrong)[0]) + 1} {sentence}.",
                code="number-out-of-range",
            )
    return array.astype(np.int64)


def checked_programme(frequencies: Counts, capacities: Counts) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (each at least 1) and capacities (0: the slot is closed) that have room for everyone."""
    people = checked_counts(frequencies, "frequencies", "quasi-identifier value", least=1)
    seats = checked_counts(capacities, "capacities", "slot")
    if people.sum() > seats.sum():
        raise InputError(
            f"{count(int(people.sum()), 'people')} are to be invited to {count(int(seats.sum()), 'places')}: "
            f"{count(int(people.sum() - seats.sum()), 'places')} too few. Add slots or raise capacities.",
            code="slots-too-few",
        )
    return people, seats


def schedule_of(
    method: str, groups: sparse.sparray, seconds: float, *, quasi_ids: np.ndarray | None = None, **certificate: object
) -> Schedule:
    """A schedule from the people of each group in each slot; ``quasi_ids`` (G,) says which value a group has."""
    cells = sparse.csr_array(groups, dtype=np.int64)
    cells.sum_duplicates()
    cells.eliminate_zeros()
    assignment = cells if quasi_ids is None else summed(cells, quasi_ids, int(quasi_ids.max(initial=-1)) + 1)
    return Schedule(method, assignment, cells, anonymity_vector(assignment.data), seconds, **certificate)  # type: ignore[arg-type]


def summed(groups: sparse.csr_array, of: np.ndarray, n: int) -> sparse.csr_array:
    """(n, R) rows of ``groups`` summed by what they are ``of``."""
    which = sparse.csr_array((np.ones(len(of), np.int64), (of, np.arange(len(of)))), shape=(n, len(of)))
    cells = sparse.csr_array(which @ groups)
    cells.sum_duplicates()
    cells.eliminate_zeros()
    return cells


def dealt(cells: sparse.csr_array, people: np.ndarray, of: np.ndarray) -> sparse.csr_array:
    """(G, R) rows of ``cells`` dealt out in turn to the groups of ``people`` (G,) that they are ``of`` (G,).

    Summed again they are what they were.
    """
    group, slot, n = seats_of(people, of, cells)
    return sparse.csr_array(sparse.coo_array((n, (group, slot)), shape=(len(people), cells.shape[1])))


def seats_of(
    people: np.ndarray, values: np.ndarray, cells: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The people (n,) of these values (n,) put into the cells (V, R) of their value: which of them, slot, how many."""
    order = np.argsort(values, kind="stable")
    member, cell, n = along(people[order], cells.data)
    return order[member], cells.indices[cell], n


def along(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two lists of lengths laid end to end along one line: which of the one meets which of the other, and how far.

    Both have one sum. At most as many meet as there are entries in both together.
    """
    ends, other_ends = np.cumsum(left), np.cumsum(right)
    cuts = np.unique(np.concatenate([[0], ends, other_ends]))
    starts = cuts[:-1]
    return (
        np.searchsorted(ends, starts, side="right"),
        np.searchsorted(other_ends, starts, side="right"),
        np.diff(cuts).astype(np.int64),
    )


def with_groups(schedule: Schedule, frequencies: np.ndarray, quasi_ids: np.ndarray) -> Schedule:
    """A schedule of quasi-identifier values with the people of each dealt out to its groups.

    Parameters
    ----------
    schedule : Schedule
        The schedule of values.
    frequencies : np.ndarray
        (G,) people of each group.
    quasi_ids : np.ndarray
        (G,) the value of each group.

    Returns
    -------
    Schedule
    """
    return replace(schedule, groups=dealt(schedule.assignment, frequencies, quasi_ids))


def with_values(schedule: Schedule, quasi_ids: np.ndarray) -> Schedule:
    """A schedule of groups, with the cells and the vector of the quasi-identifier values they are of.

    Parameters
    ----------
    schedule : Schedule
        The schedule of groups.
    quasi_ids : np.ndarray
        (G,) the value of each group.

    Returns
    -------
    Schedule
    """
    return schedule_of(schedule.method, schedule.groups, schedule.seconds, quasi_ids=quasi_ids)


def slot_of_each(
    schedule: Schedule, people: Counts, rng: np.random.Generator, now: np.ndarray | None = None
) -> np.ndarray:
    """The slot that each person is invited to, drawn at random within each group.

    Parameters
    ----------
    schedule : Schedule
        People of each group in each slot.
    people : Counts
        (N,) the group of each person, as a row of ``schedule.groups``.
    rng : np.random.Generator
        Draws who of a group goes to which of its slots.
    now : np.ndarray, optional
        (N,) the slot that each person has already: as many as can be stay there.

    Returns
    -------
    np.ndarray
        (N,) positions of slots.

    Raises
    ------
    InputError
        If people are not those of the schedule.
    """
    groups = checked_counts(people, "people", "person")
    n_groups, n_slots = schedule.groups.shape
    scheduled = np.asarray(schedule.groups.sum(axis=1)).ravel()
    if not np.array_equal(np.bincount(groups, minlength=n_groups), scheduled):
        raise InputError(
            "The people are not those of the schedule: make the schedule again from them.", code="saved-for-others"
        )
    shuffled = rng.permutation(len(groups))
    slot = np.full(len(groups), -1)
    cells, rest = schedule.groups, shuffled
    if now is not None:
        order = shuffled[np.argsort(groups[shuffled] * n_slots + now[shuffled], kind="stable")]
        cell = groups[order] * n_slots + now[order]
        begin = np.concatenate([[True], cell[1:] != cell[:-1]])
        turn = np.arange(len(cell)) - np.flatnonzero(begin)[np.cumsum(begin) - 1] if len(cell) else cell
        stays = turn < np.asarray(cells[groups[order], now[order]]).ravel()
        slot[order[stays]] = now[order[stays]]
        staying = sparse.coo_array(
            (np.ones(int(stays.sum()), np.int64), (groups[order[stays]], now[order[stays]])), shape=cells.shape
        )
        cells, rest = sparse.csr_array(cells - sparse.csr_array(staying)), shuffled[slot[shuffled] < 0]
    by_group = rest[np.argsort(groups[rest], kind="stable")]
    slot[by_group] = np.repeat(cells.indices, cells.data)
    return slot


def assign_people(schedule: Schedule, people: Counts, slots: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The slot that each person is invited to, as a row of the table of slots.

    Parameters
    ----------
    schedule : Schedule
        People of each group in each slot.
    people : Counts
        (N,) the group of each person, as a row of ``schedule.groups``.
    slots : pd.DataFrame
        R rows.
    rng : np.random.Generator
        Draws who of a group goes to which of its slots.

    Returns
    -------
    DataFrame
        One row a person, in their order, with the columns of ``slots``.

    Raises
    ------
    InputError
        If people or slots are not those of the schedule.
    """
    n_slots = schedule.groups.shape[1]
    if len(slots) != n_slots:
        raise InputError(
            f"The schedule is of {n_slots:,} slots, the table of {len(slots):,}: use the one it was made of.",
            code="saved-for-others",
        )
    return slots.iloc[slot_of_each(schedule, people, rng)].reset_index(drop=True)
