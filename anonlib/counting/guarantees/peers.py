"""Who shares what is known: each thing that can be known, with those of whom it is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.counting.classes.coding import tally_keys


@dataclass(frozen=True, eq=False)
class Peers:
    """Things that can be known of those who are counted: records, or persons by their profile.

    Attributes
    ----------
    holder : np.ndarray | None
        Intp, an item each: of whom a thing is true, in ascending order; None where each is true of one alone, in their
        order.
    thing : np.ndarray
        Intp, as many items: the number of the thing; no pair of holder and thing occurs twice.
    sizes : np.ndarray
        int64, per thing of how many records (persons) it is true; 0 for a number that no thing has.
    n_holders : int
        How many are counted.
    asked : np.ndarray, optional
        bool, an item each: whether the holder has to be safe from who knows the thing, and does not only hide others;
        None: always.
    """

    holder: np.ndarray | None
    thing: np.ndarray
    sizes: np.ndarray
    n_holders: int
    asked: np.ndarray | None = None

    @classmethod
    def of(cls, holder: np.ndarray, thing: np.ndarray, counts: np.ndarray, asked: np.ndarray | None = None) -> Peers:
        """The things of holders who count so much; ``thing`` are numbers from 0."""
        thing, sizes = tally_keys(thing, int(thing.max(initial=-1)) + 1, counts[holder])
        return cls(holder, thing, sizes, len(counts), asked)

    @classmethod
    def joined(cls, parts: Sequence[Peers]) -> Peers:
        """The things of all parts together."""
        ends = np.cumsum([len(part.sizes) for part in parts])
        holder = np.concatenate([part.of_item for part in parts])
        thing = np.concatenate([part.thing + end - len(part.sizes) for part, end in zip(parts, ends, strict=True)])
        asked = np.concatenate([np.ones(len(part.thing), bool) if part.asked is None else part.asked for part in parts])
        order = np.argsort(holder, kind="stable")
        sizes = np.concatenate([part.sizes for part in parts])
        return cls(holder[order], thing[order], sizes, parts[0].n_holders, asked[order])

    @property
    def of_item(self) -> np.ndarray:
        """intp, an item each: of whom it is."""
        return np.arange(self.n_holders) if self.holder is None else self.holder

    def any_of(self, of_item: np.ndarray) -> np.ndarray:
        """bool, a holder each: some thing that is asked of them has this (bool, an item each)."""
        if self.asked is not None:
            of_item = of_item & self.asked
        if self.holder is None:
            return of_item
        found = np.zeros(self.n_holders, dtype=bool)
        found[self.holder[of_item]] = True
        return found

    def fewer_than(self, least: int) -> np.ndarray:
        """bool, a holder each: somebody may know a thing that is true of fewer than ``least``."""
        return self.any_of((self.sizes < least)[self.thing])

    def least_sizes(self) -> np.ndarray:
        """int64, a holder each: of how few the rarest thing is true that somebody may know of them."""
        sizes = self.sizes[self.thing]
        if self.holder is None and self.asked is None:
            return sizes
        found = np.full(self.n_holders, np.iinfo(np.int64).max)
        chosen = slice(None) if self.asked is None else self.asked
        np.minimum.at(found, self.of_item[chosen], sizes[chosen])
        return found


@dataclass(frozen=True, eq=False)
class HeldValues:
    """The values that each holder has in one column, each once; missing ones are none.

    Attributes
    ----------
    start : np.ndarray
        int64, holders + 1: where the values of each begin in ``value``, and the end.
    value : np.ndarray
        Intp, codes of labels.
    span : int
        Codes are below it.
    """

    start: np.ndarray
    value: np.ndarray
    span: int


@dataclass(frozen=True, eq=False)
class CertainValues:
    """Values that somebody is sure of.

    Attributes
    ----------
    item : np.ndarray
        Intp, ascending: the item of :class:`Peers` by which it is known, each as often as it tells a value.
    value : np.ndarray
        Intp, as many: the code of the value.
    """

    item: np.ndarray
    value: np.ndarray

    def holders(self, peers: Peers) -> np.ndarray:
        """bool, a holder each: somebody is sure of a value of theirs."""
        of_item = np.zeros(len(peers.thing), dtype=bool)
        of_item[self.item] = True
        return peers.any_of(of_item)


def sure(peers: Peers, counts: np.ndarray, held: HeldValues, harms: np.ndarray, p: float) -> CertainValues:
    """Of what somebody is sure: a value that nearly all have of whom a thing that they know is true.

    Parameters
    ----------
    peers : Peers
        What may be known.
    counts : np.ndarray
        What each holder counts.
    held : HeldValues
        The values of the column.
    harms : np.ndarray
        Per code, whether to be sure of it does harm.
    p : float
        In [0, 1): the share of the peers that may lack the value.
    """
    holder = peers.of_item
    n_values = np.diff(held.start)[holder]
    item = np.repeat(np.arange(len(holder)), n_values)
    ends = np.cumsum(n_values)
    value = held.value[np.repeat(held.start[:-1][holder] - (ends - n_values), n_values) + np.arange(len(item))]
    thing, span = peers.thing[item], max(1, held.span)
    key, having = tally_keys(thing * span + value, len(peers.sizes) * span, counts[holder[item]])
    certain = harms[value] & nearly_all(having[key], peers.sizes[thing], p)
    return CertainValues(item[certain], value[certain])


def nearly_all(having: np.ndarray, peers: np.ndarray, p: float) -> np.ndarray:
    """bool each: at most a share ``p`` of the peers are not among those who have it."""
    return having == peers if p == 0 else (peers - having) / np.maximum(1, peers) <= p
