"""All policies of the short attributes at once, with the intervals of the others as they are."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from anonlib.analyses.frontier.interval_programs.cells import CellTable, Rest
from anonlib.analyses.frontier.interval_programs.expansion import Found
from anonlib.analyses.frontier.interval_programs.kernel import term_sums

MOST_BITS = 10
_MOST_BOXES = 400  # where other attributes are fixed
_MOST_SUMS = 50_000_000  # boxes x cells with records: a quarter of a second
_A_BOX, _A_BIT = 1.0, 0.5  # work of a cell in a box, and of a boundary of a policy
_MOST_NUMBERS = 2**20  # of a tensor at a time


def short_attributes(sizes: list[int], n_occupied: int) -> list[int]:
    """The shortest attributes with more than one value whose policies are few enough to look at all of them.

    ``sizes`` are the values of each attribute, ``n_occupied`` the cells with records. In the order of attributes.
    """
    if sum(size - 1 for size in sizes) <= MOST_BITS:
        return [j for j, size in enumerate(sizes) if size > 1]
    chosen: list[int] = []
    bits, boxes = 0, 1
    for j in sorted((j for j, size in enumerate(sizes) if size > 1), key=lambda j: sizes[j]):
        bits, boxes = bits + sizes[j] - 1, boxes * sizes[j] * (sizes[j] + 1) // 2
        if bits > MOST_BITS or boxes > min(_MOST_BOXES, _MOST_SUMS // n_occupied):
            break
        chosen.append(j)
    return sorted(chosen)


class Boxes:
    """What the enumeration of some attributes reads again and again."""

    def __init__(self, table: CellTable, attributes: list[int]) -> None:
        self.table, self.attributes = table, attributes
        sizes = [table.sizes[j] for j in attributes]
        self._ends = [np.triu_indices(size) for size in sizes]
        self._bits = [_all_bits(size - 1) for size in sizes]
        self._members = [
            _members(bits, ends, size) for bits, ends, size in zip(self._bits, self._ends, sizes, strict=True)
        ]
        self._place = np.zeros(len(table.places), dtype=np.int64)
        for j, size in zip(attributes, sizes, strict=True):
            self._place = self._place * (2 * size - 1) + table.places[:, j]
        self._rest = Rest(table.places, table.sizes, table.n_occupied, attributes)
        self._shape = tuple(2 * size - 1 for size in sizes)

    def enumerate(self, policy: np.ndarray) -> Found:
        """All policies that differ from ``policy`` in these attributes only."""
        table, space = self.table, self.table.space
        group, n_groups = table.groups(self._rest, policy, self.attributes)
        sums = self._box_sums(group[self._rest.of_cell], n_groups)
        for axis, members in enumerate(self._members, start=1):
            sums = np.moveaxis(np.tensordot(members, sums, (1, axis)), 0, axis)
        which = np.indices(sums.shape[1:]).reshape(len(self.attributes), -1)
        n_policies = which.shape[1]
        policies = np.repeat(policy[None], n_policies, axis=0)
        intervals = np.full(n_policies, table.interval_sum(policy, self.attributes))
        for j, bits, members, ends, row in zip(
            self.attributes, self._bits, self._members, self._ends, which, strict=True
        ):
            policies[:, space.starts[j] : space.starts[j + 1]] = bits[row]
            if table.plane.loss.per_interval:
                intervals += (members @ table.plane.interval_costs(j, ends[0], ends[1] + 1))[row]
        boxes = _A_BOX * math.prod(len(first) for first, _ in self._ends) * table.n_occupied
        work = boxes + _A_BIT * policies.size
        return Found(policies, *table.plane.finish(sums[0].ravel(), sums[1].ravel() + intervals), work)

    def _box_sums(self, group: np.ndarray, n_groups: int) -> np.ndarray:
        """float64, 2 x an axis an attribute: the sums of the terms of risk and of loss within each box of intervals."""
        table, size = self.table, math.prod(self._shape)
        sums = np.zeros((2, math.prod(len(first) for first, _ in self._ends)))
        step = max(1, _MOST_NUMBERS // size)
        for begin in range(0, n_groups, step):
            n_here = min(step, n_groups - begin)
            rows = np.flatnonzero((group >= begin) & (group < begin + n_here))
            key = self._place[rows] * n_here + (group[rows] - begin)
            counts = table.records[rows], table.people[rows], (rows < table.n_occupied).astype(np.float64)
            tensor = np.stack([np.bincount(key, weights=w, minlength=size * n_here) for w in counts])
            self._add_boxes(tensor.reshape(3, *self._shape, n_here), 0, sums)
        return sums.reshape(2, *(len(first) for first, _ in self._ends))

    def _add_boxes(self, tensor: np.ndarray, box: int, sums: np.ndarray) -> int:
        """Add to ``sums`` what the groups of ``tensor`` (records, people, cells x places of attributes x groups) have
        in each box, the first of which has the number ``box``. Returns the number after the last."""
        if tensor.ndim == 2:
            table = self.table
            sums[:, box] += term_sums(*tensor, table.terms, table.plane.k, table.xlogx)
            return box + 1
        for first in range(0, tensor.shape[1], 2):
            within = tensor[:, first].copy()
            box = self._add_boxes(within, box, sums)
            for last in range(first + 2, tensor.shape[1], 2):
                within += tensor[:, last - 1]
                within += tensor[:, last]
                box = self._add_boxes(within, box, sums)
        return box


def _all_bits(n: int) -> np.ndarray:
    """bool, 2^n x n."""
    return (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)


def _members(bits: np.ndarray, ends: tuple[np.ndarray, np.ndarray], size: int) -> np.ndarray:
    """float64, policies x intervals: 1 for the intervals of each policy of one attribute."""
    number = np.zeros((size, size), dtype=np.int64)
    number[ends] = np.arange(len(ends[0]))
    members = np.zeros((len(bits), len(ends[0])))
    for row, row_bits in enumerate(bits):
        for first, end in pairwise([0, *(np.flatnonzero(row_bits) + 1).tolist(), size]):
            members[row, number[first, end - 1]] = 1.0
    return members
