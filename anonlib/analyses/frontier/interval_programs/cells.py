"""The cells as the loops read them: those with records first, and by place for each attribute."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs.kernel import number_groups
from anonlib.analyses.frontier.measures import PEOPLE
from anonlib.counting.classes.coding import LIMIT, group

_LARGEST_TABLE = 2**16  # of n ln n
_LARGEST_DIRECT = 2**18  # keys of groups that are looked up without hashing


class Rest:
    """The combinations of all attributes but some.

    Attributes
    ----------
    of_cell : int32, the combination of each cell.
    places : np.ndarray
        int32, combinations x attributes; those with records first.
    n_occupied : int
        Combinations with records.
    """

    def __init__(self, places: np.ndarray, sizes: list[int], n_occupied: int, without: list[int]) -> None:
        remaining = [j for j in range(len(sizes)) if j not in without]
        # `group` numbers combinations in their order; records come first.
        ids, first = group(places[:, remaining], [2 * sizes[j] - 1 for j in remaining])
        order = np.argsort(first >= n_occupied, kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order))
        self.of_cell = rank[ids]
        self.places = np.ascontiguousarray(places[first[order]])
        self.n_occupied = int((first < n_occupied).sum())


class ByPlace:
    """The cells in the order of one attribute's places, those with records first.

    Attributes
    ----------
    rest : int32, the combination of the other attributes of each cell; their places are in ``combinations``.
    records, people : float64, of each cell.
    bounds : int64, 2 x (places + 1): where the cells of each place begin, with records and without.
    """

    def __init__(self, table: CellTable, j: int) -> None:
        n_places, n = 2 * table.sizes[j] - 1, table.n_occupied
        places = table.places[:, j]
        small = places.astype(np.uint16) if n_places < 2**16 else places  # sorted by radix, which is quicker
        order = np.concatenate([np.argsort(small[:n], kind="stable"), n + np.argsort(small[n:], kind="stable")])
        self.combinations = Rest(table.places, table.sizes, n, [j])
        self.rest = self.combinations.of_cell[order]
        self.records, self.people = table.records[order], table.people[order]
        self.bounds = np.zeros((2, n_places + 1), dtype=np.int64)
        for bounds, part in zip(self.bounds, (places[:n], places[n:]), strict=True):
            np.cumsum(np.bincount(part, minlength=n_places), out=bounds[1:])
        self.bounds[1] += n


class CellTable:
    """What a search reads of a plane again and again.

    Attributes
    ----------
    places : int32, cells x attributes, those with records first. People without records are left out unless the risk
        counts people.
    records, people : float64, of each cell.
    n_occupied : cells with records.
    sizes : values of each attribute's domain.
    scales : float64, what one unit of the sums of risk and of loss is in the plane.
    terms : int64, numbers of the terms of risk and of loss.
    """

    def __init__(self, plane: Plane) -> None:
        self.plane, self.space = plane, plane.space
        cells = self.space.cells
        occupied = np.flatnonzero(cells.occupied)
        others = np.flatnonzero(~cells.occupied) if plane.risk.term == PEOPLE else occupied[:0]
        rows = np.concatenate([occupied, others])
        self.places = np.ascontiguousarray(cells.places[rows], dtype=np.int32)
        self.records, self.people = cells.records[rows].astype(np.float64), cells.people[rows].astype(np.float64)
        self.n_occupied = len(occupied)
        self.sizes = [len(domain) for domain in self.space.domains]
        self.terms = np.array([plane.risk.term, plane.loss.term], dtype=np.int64)
        self.scales = _scales(plane)
        n = np.arange(min(int(self.space.n_records), _LARGEST_TABLE) + 1, dtype=np.float64)
        self.xlogx = xlogy(n, n)
        self._by_place: dict[int, ByPlace] = {}
        n_cells = len(rows)
        # Scratch of one expansion at a time: a group, its records, people and cells at a place.
        self.entries = np.empty(n_cells, dtype=np.int32), np.empty(n_cells), np.empty(n_cells), np.empty(n_cells)

    def by_place(self, j: int) -> ByPlace:
        if j not in self._by_place:
            self._by_place[j] = ByPlace(self, j)
        return self._by_place[j]

    def groups(self, rest: Rest, policy: np.ndarray, without: list[int]) -> tuple[np.ndarray, int]:
        """int32, per combination its group under a policy, -1 in a group that has no records; and how many groups."""
        numbers, n_groups = np.zeros(len(rest.places), dtype=np.int32), 1
        taken: dict[int, np.ndarray] = {}
        span = 1
        for j in range(len(self.sizes)):
            if j in without:
                continue
            intervals = self.space.interval_of_place(policy, j)
            size = int(intervals[-1]) + 1
            if span * size * n_groups > LIMIT:
                numbers, n_groups = self._numbered(rest, taken, span, numbers, n_groups)
                taken, span = {}, 1
            taken[j] = np.where(intervals < 0, -1, intervals * span)
            span *= size
        return self._numbered(rest, taken, span, numbers, n_groups)

    def _numbered(
        self, rest: Rest, taken: dict[int, np.ndarray], span: int, prior: np.ndarray, n_prior: int
    ) -> tuple[np.ndarray, int]:
        offsets = np.zeros((len(self.sizes), 2 * max(self.sizes) - 1), dtype=np.int64)
        for j, part in taken.items():
            offsets[j, : len(part)] = part
        n_keys = n_prior * span
        if n_keys <= _LARGEST_DIRECT:
            slots, keys = np.full(n_keys, -1, dtype=np.int32), np.empty(0, dtype=np.int64)
        else:
            length = 1 << int(2 * rest.n_occupied).bit_length()
            slots, keys = np.full(length, -1, dtype=np.int32), np.full(length, -1, dtype=np.int64)
        numbers = np.empty(len(rest.places), dtype=np.int32)
        return numbers, int(number_groups(rest.places, offsets, rest.n_occupied, prior, span, slots, keys, numbers))

    def interval_sum(self, policy: np.ndarray, without: list[int]) -> float:
        """The loss terms of the intervals of all attributes but some."""
        if not self.plane.loss.per_interval:
            return 0.0
        total = 0.0
        for j in range(len(self.sizes)):
            if j not in without:
                total += float(self.plane.interval_costs(j, *ends_of(self.space.bits_of(policy, j))).sum())
        return total


def ends_of(bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int64, where the intervals of an attribute begin and end, from its bits."""
    cuts = np.flatnonzero(bits) + 1
    return np.concatenate([[0], cuts]), np.concatenate([cuts, [len(bits) + 1]])


def _scales(plane: Plane) -> np.ndarray:
    """Both measures are sums; a measure that is the same for all policies has any unit."""
    (worst, least), (_, most) = plane.ends
    risk, _ = plane.finish(worst, least)
    return np.array([float(risk) / worst if worst > 0 else 1.0, 1 / (most - least) if most > least else 1.0])
