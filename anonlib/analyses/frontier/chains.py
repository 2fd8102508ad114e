"""Chains of the lattice (Xia et al. 2013, Definition 3.5): their policies, and their risk and loss.

The risk and loss of every policy along a chain come from what each step changes. At the end is what the compiled loop
reads, made from the space and a chain.
"""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.chain_loops import ChainRoom, Start, Steps, Terms, spans, walk
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.measures import ONE_OF_PEOPLE, PEOPLE
from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import LIMIT


def evaluate_chain(plane: Plane, start: np.ndarray, removed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Risk and loss along a chain of policies, each with one boundary less than the one before.

    For several chains of a plane, :class:`anonlib.analyses.frontier.chains.Chains` is quicker.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    start : np.ndarray
        bool, ``n_bits`` long: the first policy, which need not be the bottom of the lattice.
    removed : np.ndarray
        Positions of bits of ``start`` that are 1, each once, in the order in which they go.

    Returns
    -------
    risk, loss : float64 arrays in [0, 1], ``len(removed)`` + 1 long
        What :func:`anonlib.analyses.frontier.evaluation.evaluate` says of the same policies, up to rounding.

    Raises
    ------
    InputError
        For another start, or other positions.
    """

    return Chains(plane).evaluate(start, removed)


def along(start: np.ndarray, removed: np.ndarray) -> np.ndarray:
    """The policies of a chain, the first one included.

    Parameters
    ----------
    start : np.ndarray
        bool, ``n_bits`` long: the first policy, which need not be the bottom of the lattice.
    removed : np.ndarray
        Positions of bits of ``start`` that are 1, each once, in the order in which they go.

    Returns
    -------
    bool array, ``len(removed)`` + 1 x bits
    """
    last = np.where(start, len(removed), -1)  # the last step at which the boundary is there
    last[removed] = np.arange(len(removed))
    return np.arange(len(removed) + 1)[:, None] <= last


# Work: of an evaluation; of a place of a cell, of one policy and of a chain; of a policy and of each of its boundaries.
_A_CALL, _ONE_POLICY, _A_CHAIN, _A_POLICY, _A_BIT = 50_000, 0.7, 4.5, 100, 0.3
DIRECT_SLOTS = 8  # a cell: up to so many, each key has a slot of its own


class Chains:
    """Evaluates chains of a plane, one after the other; not to be shared by threads."""

    def __init__(self, plane: Plane) -> None:
        self.plane = plane
        space, cells = plane.space, plane.space.cells
        places, self._records, self._people = cells.places, cells.records, cells.people
        if plane.risk.term not in (PEOPLE, ONE_OF_PEOPLE):  # people without records are of no account
            some = cells.occupied
            places, self._records, self._people = places[some], self._records[some], self._people[some]
        self._places = np.ascontiguousarray(places, dtype=np.int32)
        self._terms = Terms(plane.risk.term, plane.loss.term, plane.k, plane.risk.combined == "max")
        self._gap = np.array([bool(values) for domain in space.domains for values in domain.between], dtype=bool)
        self._attribute = np.repeat(np.arange(len(space.domains), dtype=np.int32), np.diff(space.starts))
        n, n_attributes = self._places.shape
        self._log_slots = (4 * n).bit_length()  # where keys are scattered
        self._room = ChainRoom(
            np.empty((n, 4), dtype=np.int64), np.empty(n, dtype=np.int32), np.empty((n_attributes, 0), dtype=np.int32),
            np.empty(max(DIRECT_SLOTS * n, 1 << self._log_slots), dtype=np.int32),
            np.empty((n_attributes, n), dtype=np.int32),
        )  # fmt: skip

    def evaluate(self, start: np.ndarray, removed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As :func:`anonlib.analyses.frontier.chains.evaluate_chain`; without ``removed``, one policy."""
        policy = self.plane.space.checked(start)
        order = np.ascontiguousarray(removed, dtype=np.int64)
        within = (order >= 0) & (order < len(policy))
        if not within.all() or not policy[order].all() or np.bincount(order, minlength=1).max() > 1:
            raise InputError("A chain takes away boundaries that its first policy has, each once.", code="chain-wrong")
        gap = np.zeros_like(policy)
        gap[order] = self._gap[order]  # what lies at other boundaries is in an interval already, or never will be
        label_of, first_label, left = self._labels(policy, gap)
        cells = self._start(label_of, first_label)
        steps = self._steps(left, gap, order)
        risk, loss = walk(cells, steps, self._terms, self._room, len(order))
        # Along the chain the largest term never rises, so it is of a group that a later step ends, or that remains.
        risk = np.maximum.accumulate(risk[::-1])[::-1] if self._terms.largest else np.cumsum(risk)
        return self.plane.finish(risk, np.cumsum(loss) + self._interval_sums(policy, order))

    def work(self, n_policies: int) -> float:
        """What it is to evaluate a chain of so many policies and to look at each."""
        a_place = _ONE_POLICY if n_policies == 1 else _A_CHAIN
        looked_at = n_policies * (_A_POLICY + _A_BIT * self.plane.space.n_bits)
        return _A_CALL + a_place * self._places.size + looked_at

    def _interval_sums(self, policy: np.ndarray, removed: np.ndarray) -> np.ndarray | float:
        """The loss terms of all intervals after 0, 1, ... steps."""
        plane, starts = self.plane, self.plane.space.starts
        if not plane.loss.per_interval:
            return 0.0
        first, middle, end = spans(policy, starts, removed).T
        change = np.zeros(len(removed) + 1)
        change[0] = plane.interval_sum(policy)
        for j in range(len(starts) - 1):
            own = np.flatnonzero(self._attribute[removed] == j)
            a, b, c = first[own], middle[own], end[own]
            parts = plane.interval_costs(j, a, b) + plane.interval_costs(j, b, c)
            change[1 + own] = plane.interval_costs(j, a, c) - parts
        return np.cumsum(change)

    def _labels(self, policy: np.ndarray, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The label of each place, where each attribute's labels begin, and the label left of each boundary.

        Intervals have one, and so has what lies at each boundary of ``gap``.
        """
        space = self.plane.space
        widest = max(len(domain) for domain in space.domains)
        label_of = np.full((len(space.domains), 2 * widest - 1), -1, dtype=np.int32)
        first_label = np.zeros(len(space.domains) + 1, dtype=np.int64)
        left = np.empty(space.n_bits, dtype=np.int32)
        for j in range(len(space.domains)):
            bits, gaps = space.bits_of(policy, j), space.bits_of(gap, j)
            begins = np.ones(2 * len(bits) + 1, dtype=bool)  # a place that has another label than the one before
            begins[1::2], begins[2::2] = gaps, bits
            label = first_label[j] + np.cumsum(begins) - 1
            left[space.starts[j] : space.starts[j + 1]] = label[:-1:2]
            first_label[j + 1] = label[-1] + 1
            label[1::2][bits & ~gaps] = -1
            label_of[j, : len(label)] = label
        return label_of, first_label, left

    def _steps(self, left: np.ndarray, gap: np.ndarray, removed: np.ndarray) -> Steps:
        """Two labels become one at a boundary; at one with people between, the three become one."""
        joins = 1 + gap[removed]
        bit = np.repeat(removed, joins)
        step = np.repeat(np.arange(1, len(removed) + 1, dtype=np.int32), joins)
        second = np.concatenate([[False], step[1:] == step[:-1]])[: len(step)]
        return Steps(self._attribute[bit], left[bit] + second.astype(np.int32), step)

    def _start(self, label_of: np.ndarray, first_label: np.ndarray) -> Start:
        n, n_attributes = self._places.shape
        units, span = [], 1
        for labels in reversed(np.diff(first_label).tolist()):
            units.append(span)
            span *= labels
        wide = span > LIMIT
        if wide:
            units = wide_units(n_attributes)
            if not self._room.labels.size:
                self._room = self._room._replace(labels=np.empty((n_attributes, n), dtype=np.int32))
        direct = not wide and span <= DIRECT_SLOTS * n
        return Start(
            self._places, self._records, self._people, label_of, first_label, np.array(units[::-1], dtype=np.int64),
            wide, direct, span if direct else 1 << self._log_slots, 64 - self._log_slots,
        )  # fmt: skip


def wide_units(n: int) -> list[int]:
    """Odd numbers at random, so that keys coincide next to never although they run over."""
    return (np.random.default_rng(0).integers(2**62, size=n) | 1).tolist()
