"""Whom to leave out so that guarantees hold: everyone who violates one that allows none, the fewest of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anonlib.counting.guarantees.coded_persons import Coded, CodedPersons
from anonlib.counting.guarantees.kinds import AverageRiskLimit, PrivacyModel
from anonlib.counting.guarantees.violating import average_risk, violators


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
    asked = [each for each in guarantees if not isinstance(each, AverageRiskLimit)]
    found = [each.marked for each in violators(rows, asked)]
    for each, mask in zip(asked, found, strict=True):
        if each.share == 0:
            strict |= mask
    if strict.any():
        return np.where(strict, rows.counts, 0)
    n_records = rows.n_records
    lenient = [each for each in asked if each.share > 0]
    masks = [mask for each, mask in zip(asked, found, strict=True) if each.share > 0]
    for each, mask in zip(lenient, masks, strict=True):
        number = least_to_go(int(rows.counts[mask].sum()), n_records, each.share)
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
