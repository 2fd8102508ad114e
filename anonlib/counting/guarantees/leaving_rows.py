"""Which rows of persons to leave out so that guarantees hold: of each person those that give them away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from anonlib.counting.guarantees.coded_persons import CodedPersons
from anonlib.counting.guarantees.kinds import AttributeDisclosure, AverageRiskLimit, KAnonymity, PrivacyModel
from anonlib.counting.guarantees.knowing import ONE
from anonlib.counting.guarantees.leaving_out import least_to_go
from anonlib.counting.guarantees.violating import average_risk, sure_values, violators

_AT_ONCE = 16  # of somebody's rows one goes at a time, or this part of them where they are many


def rows_left(
    persons: CodedPersons,
    guarantees: Sequence[PrivacyModel],
    worth: np.ndarray | None = None,
    *,
    needed: Sequence[str] = (),
    most_rows: int | None = None,
    most_persons: int | None = None,
    pause: Callable[[], None] = lambda: None,
) -> np.ndarray | None:
    """How many of each row of a profile are left when all guarantees hold. Who is left with none is left out.

    A row that too few have goes, since somebody who saw it would know the person however many others go. Of those who
    violate by more than one row the rarest row goes first, of those who have most rows, so that others come to be like
    them or they like others; where a value is certain, the rows that hold it, or those by which it is known, whichever
    are fewer. Everything is counted again after that, since leaving out a row can make it worse for others. Where all
    guarantees are of one row and of how many share it, and for everybody, nothing smaller is possible; else it is a
    good choice, and what is left always holds.

    Parameters
    ----------
    persons : CodedPersons
        In an order that depends on their rows alone, where the same release must come out again. All persons of a
        profile lose the same rows.
    guarantees : Sequence[PrivacyModel]
        On columns that the rows have.
    worth : np.ndarray, optional
        Per distinct row, what its cells are worth; all alike when left out.
    needed : Sequence[str], default ()
        Columns of which a person has to have a value in some row that is left, or is left out: so it is
        where one who lacks a known value does not leave.
    most_rows, most_persons : int, optional
        The rows, and the persons, that may be left out at most.
    pause : Callable[[], None], default lambda: None
        Called again and again; may raise to stop.

    Returns
    -------
    ndarray of intp, as long as ``persons.row``; or None where more would have to go than may
    """
    times = persons.times.copy()
    place = np.arange(len(times))  # of the rows that are left
    worth = np.zeros(len(persons.rows.counts)) if worth is None else np.round(worth, 9)
    now = persons
    while True:
        if _too_many(persons, now, most_rows, most_persons):
            return None
        going = _lacking(now, needed)
        if not going.any():
            going = _going(now, guarantees, worth, pause)
        if not going.any():
            return times
        times[place] -= going
        now, _, stays = now.with_times(now.times - going)
        place = place[stays]


def _too_many(before: CodedPersons, now: CodedPersons, most_rows: int | None, most_persons: int | None) -> bool:
    rows = int((before.counts * before.n_rows).sum()) - int((now.counts * now.n_rows).sum())
    persons = before.n_records - now.n_records
    return (most_rows is not None and rows > most_rows) or (most_persons is not None and persons > most_persons)


def _lacking(now: CodedPersons, needed: Sequence[str]) -> np.ndarray:
    """intp per row of a profile: all rows of who has no value of a column that is needed."""
    lacks = np.zeros(len(now.counts), dtype=bool)
    for name in needed:
        lacks |= np.diff(now.held(name).start) == 0
    return np.where(lacks[now.profile], now.times, 0)


def _going(
    now: CodedPersons, guarantees: Sequence[PrivacyModel], worth: np.ndarray, pause: Callable[[], None]
) -> np.ndarray:
    """intp per row of a profile, how many of it go next; 0 everywhere where all guarantees hold."""
    if not len(now.counts):
        return np.zeros(0, dtype=np.intp)
    asked = [each for each in guarantees if not isinstance(each, AverageRiskLimit)]
    strict = [each for each in asked if each.share == 0]
    alone = [_too_few_have_it(now, each) for each in strict if isinstance(each, KAnonymity) and each.rows == ONE]
    if alone and (of_row := np.logical_or.reduce(alone)).any():
        return np.where(of_row, now.times, 0)
    going = np.zeros(len(now.times), dtype=np.intp)
    for found in violators(now, asked, lambda *_: pause()):
        violate = found.marked if found.guarantee.share == 0 else _fewest(now, found.guarantee, found.marked)
        if violate.any():
            by = {columns for columns, records in found.by_set.items() if records}
            going = np.maximum(going, _given_up(now, found.guarantee, violate, worth, by))
            pause()
    if going.any():
        return going
    for average in guarantees:
        if isinstance(average, AverageRiskLimit) and (violate := _most_at_risk(now, average)).any():
            return _given_up(now, average, violate, worth, ())
    return going


def _too_few_have_it(now: CodedPersons, guarantee: KAnonymity) -> np.ndarray:
    """bool per row of a profile: fewer persons than must have a row like it in some columns that may be known."""
    found = np.zeros(len(now.row), dtype=bool)
    for columns in guarantee.sets():
        found |= now.sharing_a_row(columns) < guarantee.least
    return found


def _fewest(now: CodedPersons, guarantee: PrivacyModel, violate: np.ndarray) -> np.ndarray:
    """bool per profile: so many of those who violate that no more are left than may, those with fewest rows first."""
    number = least_to_go(int(now.counts[violate].sum()), now.n_records, guarantee.share)
    order = np.lexsort((now.n_rows, ~violate))[: int(violate.sum())]
    before = np.cumsum(now.counts[order]) - now.counts[order]
    chosen = np.zeros(len(violate), dtype=bool)
    chosen[order[before < number]] = True
    return chosen


def _most_at_risk(now: CodedPersons, guarantee: AverageRiskLimit) -> np.ndarray:
    """bool per profile: those with the fewest peers, where the average is too high."""
    if average_risk(now, guarantee.columns, guarantee.rows) <= guarantee.limit:
        return np.zeros(len(now.counts), dtype=bool)
    sizes = now.peers(guarantee.columns, guarantee.rows).least_sizes()
    return sizes == sizes.min()


def _given_up(
    now: CodedPersons,
    guarantee: PrivacyModel,
    violate: np.ndarray,
    worth: np.ndarray,
    by: Collection[tuple[str, ...]],
) -> np.ndarray:
    """intp per row of a profile, how many of it go next of those who violate (bool per profile) by some columns."""
    if isinstance(guarantee, AttributeDisclosure):
        return _telling(now, guarantee, violate, by)
    most = now.n_rows[violate].max()
    chosen = violate & (now.n_rows == most)
    number = max(1, int(most) // _AT_ONCE)
    having = now.sharing_a_row(guarantee.columns)
    items = np.flatnonzero(chosen[now.profile])
    order = items[np.lexsort((worth[now.row[items]], having[items], now.profile[items]))]
    owner, times = now.profile[order], now.times[order]
    before = np.cumsum(times) - times
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    before -= np.repeat(before[first], np.diff(np.append(first, len(owner))))
    going = np.zeros(len(now.times), dtype=np.intp)
    going[order] = np.clip(number - before, 0, times)
    return going


def _telling(
    now: CodedPersons, guarantee: AttributeDisclosure, violate: np.ndarray, by: Collection[tuple[str, ...]]
) -> np.ndarray:
    """The rows that hold a value that is certain, or those by which it is: whichever are fewer of a person."""
    holder, value, by_row = sure_values(now, guarantee, by)
    now = now.as_read([guarantee.sensitive])
    span = now.held(guarantee.sensitive).span
    codes = now.rows.codes[guarantee.sensitive][now.row]
    holds = np.isin(now.profile * span + codes, holder * span + value) & violate[now.profile]
    if by_row is None:
        return np.where(holds, now.times, 0)
    tells = by_row & violate[now.profile]
    n_holds, n_tells = (np.bincount(now.profile, weights=now.times * mask) for mask in (holds, tells))
    return np.where(np.where((n_tells < n_holds)[now.profile], tells, holds), now.times, 0)
