"""Interval programs: one attribute at a time cut into its best intervals (beyond the paper).

First come the cells as the loops read them: those with records first, and by place for each attribute. Next, one
attribute is cut again, with the intervals of the others as they are: a shortest path over its cuts. Then all policies
of the short attributes are taken at once, with the intervals of the others as they are. The search decides which
attribute is cut again next, from which policy, and for which weights of the risk; at the end is the function that runs
it, with what it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.special import xlogy

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_loops import (
    interval_sums,
    merge,
    number_groups,
    shortest_paths,
    spread,
    term_sums,
)
from anonlib.analyses.frontier.measures import NOTHING, PEOPLE
from anonlib.analyses.frontier.result import Frontier
from anonlib.analyses.frontier.searches import WORK, Pace, checked_budget
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import LIMIT, group

_LARGEST_TABLE = 2**16  # of n ln n
_LARGEST_DIRECT = 2**18  # keys of groups that are looked up without hashing


class OtherAttributes:
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
        self.combinations = OtherAttributes(table.places, table.sizes, n, [j])
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

    def groups(self, rest: OtherAttributes, policy: np.ndarray, without: list[int]) -> tuple[np.ndarray, int]:
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
        self, rest: OtherAttributes, taken: dict[int, np.ndarray], span: int, prior: np.ndarray, n_prior: int
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


_MOST_SPREAD = 3_000_000  # numbers: people by place and group
_MOST_INTERVALS = 1_000_000
_MOST_WORK = 20_000_000  # groups and cells by interval: a tenth of a second
_A_CELL, _A_TERM, _A_PATH = 1.0, 0.5, 0.3  # work of a cell, of one in an interval, of an interval for a weight


@dataclass(frozen=True, eq=False)
class ExpandedPolicies:
    """Policies (bool, policies x bits), their finished risk and loss, and the work it was to find them."""

    policies: np.ndarray
    risk: np.ndarray
    loss: np.ndarray
    work: float


@dataclass(frozen=True, eq=False)
class _Places:
    """What there is at each block of values and between two, in turn.

    Attributes
    ----------
    entry_start : np.ndarray
        int64, where the entries of each place begin in the scratch of the table.
    others : np.ndarray
        float64, places x groups, people of cells without records; empty where they are entries.
    n_groups : int
        Groups of the other attributes.
    """

    entry_start: np.ndarray
    others: np.ndarray
    n_groups: int


def expand(
    table: CellTable,
    policy: np.ndarray,
    j: int,
    weights: np.ndarray,
    cap: int | None = None,
    boundaries: np.ndarray | None = None,
) -> ExpandedPolicies:
    """The policies of least weight x risk + loss among those that differ from ``policy`` in attribute j only.

    ``weights`` are of the risk, ascending; a policy that is best for several in a row is given once. ``boundaries``
    (bool, as the attribute's bits; by default all) are those that may be kept. Intervals of more than ``cap`` values
    are left out, unless they are ``policy``'s own or at an end of the domain; so are others where there would be too
    many. If the boundaries that ``policy`` keeps are among them, no weight's policy is worse for it than ``policy``.
    """
    space, bits = table.space, table.space.bits_of(policy, j)
    candidates = np.ones(len(bits), dtype=bool) if boundaries is None else boundaries
    edges = np.concatenate([[0], np.flatnonzero(candidates) + 1, [len(bits) + 1]])
    places = _places(table, table.by_place(j), policy, j, edges)
    reach = _reach(bits, edges, cap, places)
    offset, costs, tails = _costs(table, j, edges, reach, places)
    work = _A_CELL * len(table.places) + _A_TERM * _n_terms(reach, places) + _A_PATH * len(weights) * costs.shape[1]
    scaled = np.column_stack([weights * table.scales[0], np.full(len(weights), table.scales[1])])
    cut, sums = np.zeros((len(weights), len(reach)), dtype=np.uint8), np.zeros((len(weights), 2))
    shortest_paths(costs, tails, reach, offset, scaled, cut, sums)
    new = np.concatenate([[True], (cut[1:] != cut[:-1]).any(axis=1)])
    cut, sums = cut[new], sums[new]
    policies = np.repeat(policy[None], len(cut), axis=0)
    own = policies[:, space.starts[j] : space.starts[j + 1]]
    own[:] = False
    own[:, edges[1:-1] - 1] = cut[:, 1:]
    return ExpandedPolicies(
        policies, *table.plane.finish(sums[:, 0], sums[:, 1] + table.interval_sum(policy, [j])), work
    )


def _n_terms(reach: np.ndarray, places: _Places) -> int:
    """How many groups and cells are looked at over all intervals."""
    first, n = 2 * np.arange(len(reach)), int((reach - np.arange(len(reach))).sum())
    entries = int((places.entry_start[2 * reach - 1] - places.entry_start[first]).sum())
    return entries + n * (1 + places.others.shape[1] * bool(len(places.others)))


def _places(table: CellTable, cells: ByPlace, policy: np.ndarray, j: int, edges: np.ndarray) -> _Places:
    group, n_groups = table.groups(cells.combinations, policy, [j])
    # The values of a block are at places 2 first to 2 last; 2 last + 1 is between it and the next.
    begin = np.concatenate([[0], np.repeat(2 * edges[1:-1], 2), [2 * edges[-1] - 1]])
    begin[1:-1:2] -= 1
    starts, ends = np.ascontiguousarray(cells.bounds[:, begin[:-1]]), np.ascontiguousarray(cells.bounds[:, begin[1:]])
    n_places = starts.shape[1]
    # Cells without records are many where the population is large: then they are quicker as a matrix.
    is_spread = bool((ends[1] > starts[1]).any()) and n_places * n_groups <= _MOST_SPREAD
    others = np.zeros((n_places if is_spread else 0, n_groups))
    spread(cells.rest, group, cells.people, starts[1], ends[1], others)
    parts = 1 if is_spread else 2
    stamp, at = np.full(n_groups, -1, dtype=np.int64), np.zeros(n_groups, dtype=np.int64)
    entry_start = np.empty(n_places + 1, dtype=np.int64)
    merge(
        cells.rest, group, cells.records, cells.people, starts[:parts], ends[:parts], stamp, at, table.entries,
        entry_start,
    )  # fmt: skip
    return _Places(entry_start, others, n_groups)


def _reach(bits: np.ndarray, edges: np.ndarray, cap: int | None, places: _Places) -> np.ndarray:
    """int64, per block the last edge at which an interval that begins with it may end."""
    n = len(edges) - 1
    if cap is None:
        return np.full(n, n)
    reach = np.searchsorted(edges, edges[:-1] + cap, side="right") - 1
    a_block = places.entry_start[-1] / n + places.others.shape[1] * bool(len(places.others))
    most = int(min(_MOST_INTERVALS, _MOST_WORK / max(a_block, 1.0)))
    if (reach - np.arange(n)).sum() > most:
        reach = np.minimum(reach, np.arange(n) + most // n)
    own = np.flatnonzero(np.concatenate([[True], bits, [True]])[edges])  # the edges of the policy's own intervals
    reach = np.maximum(reach, np.arange(n) + 1)
    reach[own[:-1]] = np.maximum(reach[own[:-1]], own[1:])
    reach[0] = n
    return reach


def _costs(
    table: CellTable, j: int, edges: np.ndarray, reach: np.ndarray, places: _Places
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where the intervals that begin with each block are; their sums of risk and of loss; and those up to the end."""
    n = len(reach)
    lengths = reach - np.arange(n)
    offset = np.cumsum(lengths) - lengths
    costs, tails = np.empty((2, int(lengths.sum()))), np.empty((2, n))
    # With people in a matrix, the whole sum of risk is taken from it.
    terms = np.array([NOTHING, table.terms[1]]) if len(places.others) else table.terms
    interval_sums(
        table.entries, places.entry_start, places.others, places.n_groups, terms, table.plane.k, table.xlogx, reach,
        offset, costs, tails,
    )  # fmt: skip
    if table.plane.loss.per_interval:
        first = np.repeat(np.arange(n), lengths)
        end = np.arange(len(first)) - offset[first] + first + 1
        costs[1] += table.plane.interval_costs(j, edges[first], edges[end])
        tails[1] += table.plane.interval_costs(j, edges[:-1], np.full(n, edges[-1]))
    return offset, costs, tails


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
        self._rest = OtherAttributes(table.places, table.sizes, table.n_occupied, attributes)
        self._shape = tuple(2 * size - 1 for size in sizes)

    def enumerate(self, policy: np.ndarray) -> ExpandedPolicies:
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
        return ExpandedPolicies(policies, *table.plane.finish(sums[0].ravel(), sums[1].ravel() + intervals), work)

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


_SHORT = -1  # stands for all short attributes
_GROUPS = 8, 32  # of equal records, in the attributes that are not cut again at first
_FIRST_WEIGHTS = np.logspace(-2.5, 2.5, 41)
_FIRST_CAP = 24  # values
_SWEEPS = 2
_SWEPT_WEIGHTS = np.logspace(-1.5, 2, 5)
_AROUND = np.exp(np.linspace(-1.2, 1.2, 41))  # weights looked at, as shares of the one asked for
_NEIGHBOURS = 12  # at most, on either side of a point, between which the slope is taken
_ENUMERATED = 0.06  # share of the steps
_BEST = 0.5  # share of the steps that begin at the best policy for the slope
_OF_AREA = 0.6  # how points are drawn: by their share of the area, and of the gaps
_NEAR = 2  # boundaries on either side of one that is kept that are looked at
_DRAWN = 0.1  # share of the others that are
_DRAWN_ALONE = 0.5  # where there is one attribute: its best policies are known, others are between them
_FEW = 100  # of an attribute with fewer boundaries all are looked at
_MANY = 1_000  # more are not drawn
_A_FOUND = A_SECOND / 1_000  # work to take what a step found


class IntervalSearch:
    """Steps of the search, each of which adds what it finds to the archive."""

    def __init__(self, pace: Pace, rng: np.random.Generator) -> None:
        self.pace, self.archive, self.rng = pace, pace.archive, rng
        self.plane, self.space = self.archive.plane, self.archive.plane.space
        sizes = [len(domain) for domain in self.space.domains]
        self.short = short_attributes(sizes, int(self.space.cells.occupied.sum()))
        self.long = [j for j, size in enumerate(sizes) if size > 1 and j not in self.short]
        self.alone = len(self.long) + len(self.short) == 1

    @cached_property
    def table(self) -> CellTable:
        return CellTable(self.plane)

    @cached_property
    def boxes(self) -> Boxes:
        return Boxes(self.table, self.short)

    def frontiers(self) -> Iterator[Frontier]:
        """The frontier after the first step, then now and then."""
        _ = self.archive.spending  # begins before the first step
        for number, work in enumerate(self.steps()):
            due = self.pace.due(work)
            if not self.pace.left or self.archive.risk[0] + self.archive.loss[0] == 0:
                break
            if number == 0 or due:
                yield from self.archive.show()
        yield from self.archive.show(finished=True, exact=not self.long)

    def steps(self) -> Iterator[float]:
        """The work of each: from coarse to fine, then along the whole frontier, then where most is to be gained.

        Without end, but there are none where all attributes are short: then all policies have been looked at.
        """
        work = self._add(self.boxes.enumerate(self.space.top)) if self.short else 0.0
        if not self.long:
            self.archive.given = 0 if self.short else 1  # top and bottom are among those enumerated
            self.archive.spending.spend(work)
            return
        *others, longest = sorted(self.long, key=lambda j: len(self.space.domains[j]))
        if self.alone:
            yield from self._hull(longest)
        for k in _GROUPS if others else _GROUPS[:1]:
            policy = self.space.bottom.copy()
            for j in others:
                self.space.bits_of(policy, j)[:] = self._equal_groups(j, k)
            work += self._add(expand(self.table, policy, longest, _FIRST_WEIGHTS, _FIRST_CAP, self._even(longest)))
            yield work
            work = 0.0
        swept = [*([_SHORT] if self.short else []), *others, longest]
        for j in swept * _SWEEPS:
            for weight in _SWEPT_WEIGHTS:
                yield self._change(self._best(weight), j, weight)
        while True:
            drawn, weight = self._draw()
            enumerated = bool(self.short) and self.rng.random() < _ENUMERATED
            j = _SHORT if enumerated else self.long[self.rng.integers(len(self.long))]
            yield self._change(drawn, j, weight)

    def _change(self, position: int, j: int, weight: float) -> float:
        """Better a policy of the archive in attribute j, or in the short ones; the work it was."""
        policy = self.archive.bits(np.array([position]))[0]
        if j == _SHORT:
            return self._add(self.boxes.enumerate(policy))
        bits = self.space.bits_of(policy, j)
        first, end = ends_of(bits)
        longest = int((end - first)[1:-1].max(initial=1))  # the first and the last interval may have any length
        return self._add(expand(self.table, policy, j, weight * _AROUND, 2 * longest + 4, self._looked_at(bits)))

    def _hull(self, j: int) -> Iterator[float]:
        """All policies of a lone attribute that are best for some weight: by the slopes between those known."""
        tried = set(_FIRST_WEIGHTS.tolist())
        weights = _FIRST_WEIGHTS
        while len(weights):
            yield self._add(expand(self.table, self.space.top, j, weights, self.space.n_levels, self._even(j)))
            corners = lower_hull(self.archive.risk, self.archive.loss)
            slopes = -np.diff(self.archive.loss[corners]) / np.diff(self.archive.risk[corners])
            weights = np.array(sorted(set(slopes.tolist()) - tried))
            tried.update(weights.tolist())

    def _add(self, candidates: ExpandedPolicies) -> float:
        """Take what was found into the archive; the work it was."""
        self.archive.evaluations += len(candidates.risk)
        self.archive.add(candidates.policies, candidates.risk, candidates.loss)
        return candidates.work + _A_FOUND

    def _best(self, weight: float) -> int:
        return int(np.argmin(weight * self.archive.risk + self.archive.loss))

    def _draw(self) -> tuple[int, float]:
        """A policy of the archive, and a weight of the risk: the slope of the frontier there."""
        risk, loss = self.archive.risk, self.archive.loss
        width = np.diff(risk, append=1.0)
        area, gap = width * loss, width * -np.diff(loss, append=0.0)
        shares = _OF_AREA * area / (area.sum() or 1.0) + (1 - _OF_AREA) * gap / (gap.sum() or 1.0)
        total = shares.sum()
        x = int(self.rng.choice(len(risk), p=shares / total if total > 0 else None))
        around = int(self.rng.integers(1, _NEIGHBOURS + 1))
        a, b = max(0, x - around), min(len(risk) - 1, x + around)
        run, fall = risk[b] - risk[a], loss[a] - loss[b]
        weight = float(fall / run) if run > 0 and fall > 0 else 1.0
        return (self._best(weight) if self.rng.random() < _BEST else x), weight

    def _looked_at(self, bits: np.ndarray) -> np.ndarray:
        """bool, which boundaries a step looks at: those that are kept, those near them, and some."""
        looked = bits.copy()
        for step in range(1, _NEAR + 1):
            looked[step:] |= bits[:-step]
            looked[:-step] |= bits[step:]
        share = _DRAWN_ALONE if self.alone else _DRAWN
        drawn = 1.0 if len(bits) < _FEW and not self.alone else min(share, _MANY / len(bits))
        return looked | (self.rng.random(len(bits)) < drawn)

    def _even(self, j: int) -> np.ndarray:
        """bool, boundaries of attribute j at even distances; all unless they are many."""
        n = len(self.space.domains[j]) - 1
        looked = np.zeros(n, dtype=bool)
        looked[np.linspace(0, n - 1, min(n, _MANY)).round().astype(np.int64)] = True
        return looked

    def _equal_groups(self, j: int, k: int) -> np.ndarray:
        """bool, the bits of k intervals of about equal records."""
        table = self.table
        records = np.bincount(table.places[:, j], weights=table.records, minlength=2 * table.sizes[j] - 1)[::2]
        share = (np.cumsum(records) - records / 2) / records.sum()
        return np.diff(np.floor(share * k)) > 0


def lower_hull(risk: np.ndarray, loss: np.ndarray) -> np.ndarray:
    """int64, the corners of the lower left hull of points whose risk ascends and loss descends; ties are one corner."""
    corners: list[int] = []
    for i in range(len(risk)):
        while corners and (
            risk[corners[-1]] == risk[i]
            or (
                len(corners) > 1
                and (risk[corners[-1]] - risk[corners[-2]]) * (loss[i] - loss[corners[-2]])
                <= (loss[corners[-1]] - loss[corners[-2]]) * (risk[i] - risk[corners[-2]])
            )
        ):
            corners.pop()
        corners.append(i)
    return np.array(corners)


def interval_programs(
    plane: Plane, *, work: float | None = WORK, seconds: float | None = None, seed: int = 0
) -> Iterator[Frontier]:
    """Cut one attribute after the other into the best intervals, with those of the others as they are.

    With the other attributes fixed, a risk and a loss that are sums over groups are sums over the intervals of one
    attribute. The policy of least weight x risk + loss is then a shortest path over its cuts: exact for that attribute,
    and what the intervals cost serves every weight. It is not exact across attributes. Attributes of few values are
    enumerated instead, all policies over them at once. Not in Xia et al. 2013, whose measures and frontier these are.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    work : float, default WORK
        How much the search may do (:class:`anonlib.basics.budget.Budget`); without end where it is None.
    seconds : float, optional
        After so many it is ended early, and what it found is marked so; no clock when left out.
    seed : int, default 0
        Draws where it looks next. The same seed and work give the same frontier on every machine.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one has ``finished``. If all attributes are
        enumerated, that is at once, and it is ``exact``.

    Raises
    ------
    InputError
        For a risk or a loss that is no sum over groups, and for work or a time that is not above 0.

    Notes
    -----
    Proof and limits: docs/analyses/frontier.md.
    """
    rng = np.random.default_rng(checks.whole(seed, "The seed", 0))
    for measure in (plane.risk, plane.loss):
        if not measure.additive:
            raise InputError(
                f"Interval programs need measures that add up over classes, and “{measure.name}” does not. "
                "Choose another measure, or another search.",
                code="measure-not-additive",
            )

    return IntervalSearch(Pace(plane, "interval_programs", None, checked_budget(work, seconds)), rng).frontiers()
