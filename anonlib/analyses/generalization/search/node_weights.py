"""What nodes lose at least: counted from the rows of a node nearby, by whole numbers alone.

First the compiled loop, one pass over the rows; then the weights of nodes that it counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anonlib.analyses.generalization.search.lattice import Node
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.machine_code import compiled
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, PrivacyModel

# ---- the compiled loop ----

FREE = -1  # the size of a slot with no class


class ClassSlots(NamedTuple):
    """Room for the classes of a node: a table by number, of a power of two of slots.

    Attributes
    ----------
    key : np.ndarray
        uint64, the number of the class in a slot.
    used : np.ndarray
        int64, per class the slot it is in, in the order they are met.
    size : np.ndarray
        int64, per slot the records of its class; below 0 where it is free.
    worth : np.ndarray
        float64, what the cells of these are worth.
    value : np.ndarray
        int32, per sensitive column and slot, the value that is met first in the class.
    mixed : np.ndarray
        bool, likewise: the class has another one too.
    """

    key: np.ndarray
    used: np.ndarray
    size: np.ndarray
    worth: np.ndarray
    value: np.ndarray
    mixed: np.ndarray


class ClassLimits(NamedTuple):
    """What every class must have.

    Attributes
    ----------
    least : int
        records.
    sensitive : np.ndarray
        int32, sensitive columns x rows, the codes of the values that may not be certain.
    harms : np.ndarray
        bool, all their values one column after the other: to be sure of it does harm.
    start : np.ndarray
        int64, per column where its values begin there.
    """

    least: int
    sensitive: np.ndarray
    harms: np.ndarray
    start: np.ndarray


@compiled
def must_go(
    keys: np.ndarray,
    worth: np.ndarray,
    counts: np.ndarray,
    codes: np.ndarray,
    changed: np.ndarray,
    start: np.ndarray,
    more_key: np.ndarray,
    more_worth: np.ndarray,
    limits: ClassLimits,
    slots: ClassSlots,
) -> tuple[int, float]:
    """How many records are in classes that lack something, and what their cells are worth.

    ``keys`` (uint64) and ``worth`` are those of the rows at a node, ``codes`` (int32, columns x rows) the values of
    all columns, ``changed`` the columns whose levels differ from it. What that adds to the key and the worth of each
    value of theirs stands in ``more_key`` and ``more_worth``, of each column from ``start`` on.
    """
    mask, half = np.uint64(len(slots.key) - 1), np.uint64(32)
    n_used = 0
    for row in range(len(keys)):
        if counts[row] == 0:
            continue
        key, of_cells = keys[row], worth[row]
        for i in range(len(changed)):
            place_of_value = start[i] + codes[changed[i], row]
            key += more_key[place_of_value]
            of_cells += more_worth[place_of_value]
        place = (key ^ (key >> half)) & mask
        while slots.size[place] != FREE and slots.key[place] != key:
            place = (place + np.uint64(1)) & mask
        if slots.size[place] == FREE:
            slots.key[place] = key
            slots.size[place] = 0
            slots.worth[place] = 0.0
            slots.used[n_used] = place
            n_used += 1
            for s in range(len(limits.sensitive)):
                slots.value[s, place] = limits.sensitive[s, row]
                slots.mixed[s, place] = False
        slots.size[place] += counts[row]
        slots.worth[place] += counts[row] * of_cells
        for s in range(len(limits.sensitive)):
            if slots.value[s, place] != limits.sensitive[s, row]:
                slots.mixed[s, place] = True
    records, lost = 0, 0.0
    for i in range(n_used):
        place = np.uint64(slots.used[i])
        lacks = slots.size[place] < limits.least
        for s in range(len(limits.sensitive)):
            lacks |= not slots.mixed[s, place] and limits.harms[limits.start[s] + slots.value[s, place]]
        if lacks:
            records += slots.size[place]
            lost += slots.worth[place]
        slots.size[place] = FREE
    return records, lost


# ---- weights of nodes ----

_SEED = 20261124
_A_WEIGHT = 3  # sets of columns that take as long as weighing a node
Weight = tuple[int, float]
"""How many records more than may be left out must be, and what is lost at least: the smaller the better."""


class NodeWeights:
    """Weighs the nodes near one: who must be left out of them whatever else is, and what is lost with these.

    Of every guarantee that is for everybody and against who knows all of its columns, those of most columns are
    counted. Each label has a number of 64 bits, drawn once, and a class the sum of its labels': so a level that
    changes adds a difference to each row. Two classes have the same number once in 2^64 pairs; what a search takes is
    counted again without such numbers (:meth:`Problem.settle`).

    Attributes
    ----------
    problem : Problem
        What is searched.
    is_exact : whether weights are what nodes lose in truth; else no node loses less than its weight says.
    node : Node | None
        The node that others are counted from; the highest where none is named.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.counted = _counted(problem)
        self.is_exact = bool(self.counted) and len(self.counted) == len(problem.guarantees)
        self.is_exact = self.is_exact and not (problem.values_refuse and problem.sensitive)  # who may refuse a node
        self.n_columns = len(problem.columns)
        self.node: Node | None = None
        self._numbers: dict[tuple[int, int], np.ndarray] = {}
        self._worths: dict[tuple[int, int], np.ndarray] = {}
        self._changes: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    def move(self, node: Node) -> None:
        """Count from this node from now on."""
        if not self.counted:
            return
        if self.node is None:
            self._make_room()
        self.node = node
        self._changes.clear()
        self.keys = self._of_others.copy()
        self.worth = np.full(len(self.keys), self.problem.fixed_worth)
        for j, level in enumerate(node):
            self.keys += self._number(j, level)[self.codes[j]]
            self.worth += self._worth(j, level)[self.codes[j]]

    def _make_room(self) -> None:
        """The arrays that the compiled loop reads, made where a node is weighed at all."""
        problem, rows = self.problem, self.problem.rows
        self.known = set(self.counted[0].columns)
        self.codes = np.array(rows.columns, dtype=np.int32).reshape(self.n_columns, len(problem.counts))
        self.asked, self.slots = _asked(problem, self.counted), _slots(len(problem.counts), len(self.counted))
        self._of_others = np.zeros(len(problem.counts), dtype=np.uint64)
        for place, name in enumerate(rows.others):
            if name in self.known:
                drawn = np.random.default_rng([_SEED, self.n_columns + place])
                self._of_others += _drawn(drawn, max(1, len(rows.labels[name])))[rows.others[name]]

    def weigh(self, node: Node) -> Weight:
        """How many records too many must be left out at a node, and what it loses at least; less is better."""
        problem = self.problem
        if not problem.adds_up:
            return 0, -math.inf
        cost = problem.cost(node)
        if not self.counted:
            return 0, problem.share(cost)
        problem.spending.spend(_A_WEIGHT * len(problem.counts))
        if self.node is None:
            self.move(problem.highest)
        assert self.node is not None
        changed = [j for j in range(self.n_columns) if node[j] != self.node[j]]
        changes = [self._change(j, node[j]) for j in changed]
        ends = np.cumsum([0, *(len(keys) for keys, _ in changes)])
        nothing = (np.zeros(0, dtype=np.uint64), np.zeros(0))
        more_key, more_worth = (np.concatenate(pieces) for pieces in zip(nothing, *changes, strict=True))
        gone, lost = must_go(
            self.keys, self.worth, problem.counts, self.codes, np.array(changed, dtype=np.int64), ends[:-1], more_key,
            more_worth, self.asked, self.slots,
        )  # fmt: skip
        return max(0, gone - problem.suppression_limit), problem.share(cost + lost)

    def least_cost(self, node: Node) -> float:
        """What the levels of a node lose alone, at once."""
        return self.problem.share(self.problem.cost(node)) if self.problem.adds_up else -math.inf

    def _change(self, j: int, level: int) -> tuple[np.ndarray, np.ndarray]:
        """Per value of column j, what its number and its worth on a level are more than at the node counted from."""
        if (j, level) not in self._changes:
            assert self.node is not None
            before = self.node[j]
            more_worth = self._worth(j, level) - self._worth(j, before)
            self._changes[j, level] = self._number(j, level) - self._number(j, before), more_worth
        return self._changes[j, level]

    def _number(self, j: int, level: int) -> np.ndarray:
        """uint64, per value of column j the number of its label on a level; 0 where nobody knows the column."""
        if (j, level) not in self._numbers:
            levels = self.problem.ladders.levels[j]
            if self.problem.columns[j] in self.known:
                of_label = _drawn(np.random.default_rng([_SEED, j, level]), len(levels.labels[level]))
                self._numbers[j, level] = of_label[levels.group[level]]
            else:
                self._numbers[j, level] = np.zeros(levels.n_values, dtype=np.uint64)
        return self._numbers[j, level]

    def _worth(self, j: int, level: int) -> np.ndarray:
        """float64, per value of column j what one record's cell is still worth on a level."""
        if (j, level) not in self._worths:
            losses = self.problem.losses
            self._worths[j, level] = losses.of_left_out(j) - losses.of_values(j, level)
        return self._worths[j, level]


def _counted(problem: Problem) -> list[KAnonymity | AttributeDisclosure]:
    """The guarantees whose violators must go in any case and are in classes of the same columns, of most columns."""
    if isinstance(problem, PersonProblem) or not problem.adds_up:
        return []
    open_columns = {name for name, highest in zip(problem.columns, problem.highest, strict=True) if highest}
    strict = [guarantee for guarantee in problem.guarantees if _is_strict(guarantee, open_columns)]
    by_columns: dict[frozenset[str], list[Any]] = {}
    for model in strict:
        by_columns.setdefault(frozenset(model.columns), []).append(model)
    return max(by_columns.values(), key=lambda alike: len(alike[0].columns), default=[])


def _is_strict(guarantee: PrivacyModel, open_columns: set[str]) -> bool:
    """Whether it is for everybody, against who knows all columns, and its sensitive column stays as it is."""
    return (
        isinstance(guarantee, KAnonymity | AttributeDisclosure)
        and guarantee.stays
        and not guarantee.share
        and guarantee.most_known == len(guarantee.columns)
        and not (isinstance(guarantee, AttributeDisclosure) and guarantee.sensitive in open_columns)
    )


def _asked(problem: Problem, guarantees: Sequence[KAnonymity | AttributeDisclosure]) -> ClassLimits:
    """What is asked as arrays."""
    least = max((guarantee.least for guarantee in guarantees if isinstance(guarantee, KAnonymity)), default=1)
    not_certain = [guarantee for guarantee in guarantees if isinstance(guarantee, AttributeDisclosure)]
    names = [guarantee.sensitive for guarantee in not_certain]
    coded = problem.rows.coded(names, {}).as_read(names)
    sensitive = np.zeros((len(not_certain), len(problem.counts)), dtype=np.int32)
    for s, disclosure in enumerate(not_certain):
        sensitive[s] = coded.codes[disclosure.sensitive]
    harms = [coded.harms(guarantee.sensitive, guarantee.harmless) for guarantee in not_certain]
    start = np.cumsum([0, *map(len, harms)])[:-1]
    return ClassLimits(least, sensitive, np.concatenate([np.zeros(0, dtype=bool), *harms]), start.astype(np.int64))


def _slots(n_rows: int, n_sensitive: int) -> ClassSlots:
    n_slots = 1 << max(4, (2 * n_rows).bit_length())
    return ClassSlots(
        np.zeros(n_slots, dtype=np.uint64),
        np.zeros(n_rows, dtype=np.int64),
        np.full(n_slots, FREE, dtype=np.int64),
        np.zeros(n_slots),
        np.zeros((n_sensitive, n_slots), dtype=np.int32),
        np.zeros((n_sensitive, n_slots), dtype=bool),
    )


def _drawn(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.integers(0, 2**64, size=n, dtype=np.uint64)
