"""Whom to leave out so that privacy models hold.

First whole records or persons (:func:`left_after`): everyone who violates a model that allows none, the fewest of the
others. Then single rows of persons (:func:`rows_left`): of each those that give the person away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np

from anonlib.counting.privacy_models.coded import Coded, CodedPersons
from anonlib.counting.privacy_models.models import ONE, AttributeDisclosure, AverageRiskLimit, KAnonymity, PrivacyModel
from anonlib.counting.privacy_models.violations import average_risk, sure_values, violators

# ---- records and whole persons ----


def least_to_go(violating_records: int, n_records: int, share: float) -> int:
    """The fewest of those who violate that must be left out so that at most a share of those left violate.

    Leaving out x of v of n leaves (v - x) / (n - x) <= share: x = (v - share n) / (1 - share), rounded up. Where floats
    round that to another number, the comparison decides that tells whether a guarantee is met.

    Parameters
    ----------
    violating_records : int
        How many violate now.
    n_records : int
        All of them.
    share : float
        Of those left that may violate, in [0, 1].

    Returns
    -------
    int
        0 to ``violating_records``.

    Examples
    --------
    Of 100 records 7 violate and 5% may: of the 98 left after two 5 would violate, which is more; of 97 it is 4.

    >>> least_to_go(7, 100, 0.05)
    3
    """
    if share >= 1:
        return 0

    def is_enough(out: int) -> bool:
        return out >= violating_records or (violating_records - out) / (n_records - out) <= share

    out = min(violating_records, max(0, math.ceil((violating_records - share * n_records) / (1 - share))))
    while not is_enough(out):
        out += 1
    while out and is_enough(out - 1):
        out -= 1
    return out


def too_many_classes(sizes: np.ndarray, limit: float) -> int:
    """The fewest records to leave out, smallest classes first, so that classes / records is at most ``limit``.

    Parameters
    ----------
    sizes : np.ndarray
        int64, the records of each class; 0 for a number without a class.
    limit : float
        In [0, 1].
    """
    ordered = np.sort(sizes[sizes > 0])
    return int(ordered[: _smallest_to_go(ordered, limit)].sum())


def _smallest_to_go(ordered: np.ndarray, limit: float) -> int:
    """How many of the classes, in ascending order of size, must go."""
    classes_left = len(ordered) - np.arange(len(ordered) + 1)
    records_left = int(ordered.sum()) - np.concatenate([[0], np.cumsum(ordered)])
    return int(np.argmax(classes_left / np.maximum(1, records_left) <= limit))  # with nobody left it holds


def left_after(
    rows: Coded,
    guarantees: Sequence[PrivacyModel],
    worth: np.ndarray | None = None,
    *,
    most: int | None = None,
    divisible: bool = True,
) -> np.ndarray | None:
    """The records of each row that are left when all guarantees hold.

    Everyone who violates a guarantee that allows no share is left out, until nobody does. Of the others the fewest that
    bring it below its share: first those who violate most of them, then those whose cells are worth least, then in the
    order of the rows; and the smallest classes first for an average. Where all guarantees allow no share and
    :attr:`PrivacyModel.stays`, nothing smaller is possible; else it is a good choice, and what is left always holds.

    Parameters
    ----------
    rows : CodedRows or CodedPersons
        In an order that depends on their values alone, where the same release must come out again. Of persons each
        profile is a row here, and who is left out is left out with all of their rows.
    guarantees : Sequence[PrivacyModel]
        What must hold; the rows have their columns.
    worth : np.ndarray, optional
        float, per row what one of its records keeps; all alike when left out.
    most : int, optional
        The records that may be left out at most.
    divisible : bool, default True
        Whether some of a row's records can be left out without the others.

    Returns
    -------
    ndarray of int64, an item a row; or None where more than ``most`` would have to go
    """
    left = rows.counts.copy()
    place = np.flatnonzero(left)  # of the rows that are left
    worth = np.zeros(len(left)) if worth is None else np.round(worth, 9)  # sums of floats in any order
    n_records = int(left.sum())
    now = rows.left(rows.counts)
    while True:
        if most is not None and n_records - int(now.counts.sum()) > most:
            return None
        going = _going(now, guarantees, worth[place], divisible)
        if not going.any():
            left[:] = 0
            left[place] = now.counts
            return left
        counts = now.counts - going
        place = place[counts > 0]
        now = now.left(counts)


def _going(rows: Coded, guarantees: Sequence[PrivacyModel], worth: np.ndarray, divisible: bool) -> np.ndarray:
    """Per row, how many records have to go next; 0 everywhere where all guarantees hold."""
    nobody = np.zeros(len(rows.counts), dtype=np.int64)
    strict = nobody.astype(bool)
    of_records = [guarantee for guarantee in guarantees if not isinstance(guarantee, AverageRiskLimit)]
    violating = [violated.marked for violated in violators(rows, of_records)]
    for model, mask in zip(of_records, violating, strict=True):
        if model.share == 0:
            strict |= mask
    if strict.any():
        return np.where(strict, rows.counts, 0)
    n_records = rows.n_records
    lenient = [guarantee for guarantee in of_records if guarantee.share > 0]
    masks = [mask for guarantee, mask in zip(of_records, violating, strict=True) if guarantee.share > 0]
    for model, mask in zip(lenient, masks, strict=True):
        number = least_to_go(int(rows.counts[mask].sum()), n_records, model.share)
        if number:
            order = np.lexsort((worth, -np.sum(masks, axis=0), ~mask))[: int(mask.sum())]
            return _first(nobody, order, rows.counts, number, divisible)
    for guarantee in guarantees:
        if not isinstance(guarantee, AverageRiskLimit):
            continue
        if isinstance(rows, CodedPersons):
            if average_risk(rows, guarantee.columns, guarantee.rows) > guarantee.limit:
                sizes = rows.peers(guarantee.columns, guarantee.rows).least_sizes()
                return np.where(sizes == sizes.min(), rows.counts, 0)
        else:
            ids, sizes = rows.groups(guarantee.columns)
            gone = _smallest_classes(ids, sizes, guarantee.limit, (-np.sum(masks, axis=0) + nobody, worth))
            if gone.any():
                return np.where(gone, rows.counts, 0)
    return nobody


def _smallest_classes(
    ids: np.ndarray, sizes: np.ndarray, limit: float, preferred: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """bool, a row each: its class goes, smallest first, of equal ones that with the most preferred row."""
    used = np.flatnonzero(sizes)
    first_row = np.full(len(sizes), len(ids))
    np.minimum.at(first_row, ids, np.arange(len(ids)))
    least = []
    for figures in preferred:
        of_class = np.full(len(sizes), np.inf)
        np.minimum.at(of_class, ids, figures)
        least.append(of_class[used])
    ordered = used[np.lexsort((first_row[used], *reversed(least), sizes[used]))]
    gone = np.zeros(len(sizes), dtype=bool)
    gone[ordered[: _smallest_to_go(sizes[ordered], limit)]] = True
    return gone[ids]


def _first(nobody: np.ndarray, order: np.ndarray, counts: np.ndarray, number: int, divisible: bool) -> np.ndarray:
    """So many records of the rows in this order: of the last one as many as are needed, or all."""
    before = np.cumsum(counts[order]) - counts[order]
    wanted = np.clip(number - before, 0, counts[order])
    going = nobody.copy()
    going[order] = wanted if divisible else np.where(wanted > 0, counts[order], 0)
    return going


# ---- single rows of persons ----

_AT_ONCE = 16  # of somebody's rows one goes at a time, or this part of them where they are many


def rows_left(
    persons: CodedPersons,
    guarantees: Sequence[PrivacyModel],
    worth: np.ndarray | None = None,
    *,
    needed: Sequence[str] = (),
    most_rows: int | None = None,
    most_persons: int | None = None,
    check_stop: Callable[[], None] = lambda: None,
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
    check_stop : Callable[[], None], default lambda: None
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
            going = _rows_going(now, guarantees, worth, check_stop)
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


def _rows_going(
    now: CodedPersons, guarantees: Sequence[PrivacyModel], worth: np.ndarray, check_stop: Callable[[], None]
) -> np.ndarray:
    """intp per row of a profile, how many of it go next; 0 everywhere where all guarantees hold."""
    if not len(now.counts):
        return np.zeros(0, dtype=np.intp)
    of_records = [guarantee for guarantee in guarantees if not isinstance(guarantee, AverageRiskLimit)]
    strict = [guarantee for guarantee in of_records if guarantee.share == 0]
    alone = [
        _too_few_have_it(now, guarantee)
        for guarantee in strict
        if isinstance(guarantee, KAnonymity) and guarantee.rows == ONE
    ]
    if alone and (of_row := np.logical_or.reduce(alone)).any():
        return np.where(of_row, now.times, 0)
    going = np.zeros(len(now.times), dtype=np.intp)
    for violated in violators(now, of_records, lambda *_: check_stop()):
        violate = (
            violated.marked if violated.guarantee.share == 0 else _fewest(now, violated.guarantee, violated.marked)
        )
        if violate.any():
            by = {columns for columns, records in violated.by_set.items() if records}
            going = np.maximum(going, _given_up(now, violated.guarantee, violate, worth, by))
            check_stop()
    if going.any():
        return going
    for average in guarantees:
        if isinstance(average, AverageRiskLimit) and (violate := _most_at_risk(now, average)).any():
            return _given_up(now, average, violate, worth, ())
    return going


def _too_few_have_it(now: CodedPersons, guarantee: KAnonymity) -> np.ndarray:
    """bool per row of a profile: fewer persons than must have a row like it in some columns that may be known."""
    too_few = np.zeros(len(now.row), dtype=bool)
    for columns in guarantee.sets():
        too_few |= now.sharing_a_row(columns) < guarantee.least
    return too_few


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
