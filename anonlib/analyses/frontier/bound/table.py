"""What the bound is counted from: records and people before each edge, for the outer and the inner attribute.

Then come the few choices in the other attributes that are gone through one by one, and what each leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from anonlib.analyses.frontier.bound.costs import AllowedIntervals, BoundTable, crude_sums
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs import CellTable
from anonlib.analyses.frontier.measures import ENTROPY, KL_OBSERVED, SQUARE, VOLUME, WIDTH

MOST_NUMBERS = 6_000_000
"""Combinations of values: two or three arrays of float64 have so many numbers."""
MOST_INTERVALS = 5_000_000
"""Intervals of the longest attribute."""


@dataclass(frozen=True)
class BoundAttribute:
    """An attribute as the bound reads it.

    Attributes
    ----------
    attribute : int | None
        Its position in the space; None for one that is only there so that there are two.
    size : int
        Its values.
    between : bool
        People have values between those of the domain, which have positions of their own then.
    width : np.ndarray
        float64, per interval ([0, 1), [0, 2), ..., [1, 2), ...) what a record in it loses by it.
    """

    attribute: int | None
    size: int
    between: bool
    width: np.ndarray

    @property
    def n_positions(self) -> int:
        return 2 * self.size - 1 if self.between else self.size

    @property
    def first(self) -> np.ndarray:
        """int64, per value the edge before it."""
        return np.arange(self.size) * (2 if self.between else 1)

    @property
    def end(self) -> np.ndarray:
        """int64, per value the edge after it."""
        return self.first + 1


class BoundCounts:
    """The cells of a plane by outer and inner attribute and the rest.

    Attributes
    ----------
    axes : the attributes of more than one value, the longest first: the outer, the inner, the rest.
    table : what the loops read.
    entries, starts : what has records, by outer value.
    scales : float64, what one unit of the sums of risk and of loss is in the plane.
    constant : how much more than its loss the boxes of any policy cost.
    magnitude : no sum of amounts is larger, were they all positive; for the error of rounding.
    """

    def __init__(self, plane: Plane) -> None:
        cells = CellTable(plane)
        self.plane, self.scales = plane, cells.scales.copy()
        (_, least), (worst, most) = plane.ends
        if plane.finish(worst, most)[1] == 0:
            self.scales[1] = 0.0  # no policy loses anything
        self.axes = _axes(plane, cells)
        outer, inner, *_ = self.axes
        shape = [axis.n_positions for axis in self.axes]
        positions = np.column_stack([_positions(cells.places, axis) for axis in self.axes])
        place = np.zeros(len(positions), dtype=np.int64)
        for column, n in zip(positions[:, 2:].T, shape[2:], strict=True):
            place = place * n + column
        self.rest_shape = tuple(shape[2:])
        n_places = math.prod(self.rest_shape)
        dense = (*shape[:2], n_places)
        places = np.column_stack([positions[:, :2], place])
        records, people = (_before(places, counts, dense) for counts in (cells.records, cells.people))
        # Otherwise nobody asks how many cells there are.
        some = _before(places, cells.records > 0, dense) if plane.loss.term == KL_OBSERVED else records
        self.table = BoundTable(
            records, people, some, outer.first, outer.end, inner.first, inner.end, outer.width, inner.width,
            cells.terms, plane.k, cells.xlogx,
        )  # fmt: skip
        rows = np.flatnonzero(cells.records > 0)
        rows = rows[np.argsort(positions[rows, 0], kind="stable")]
        values = [positions[rows, i] // (2 if axis.between else 1) for i, axis in enumerate((outer, inner))]
        self.starts = np.searchsorted(values[0], np.arange(outer.size + 1))
        self.entries = values[1], place[rows], cells.records[rows], np.ones(len(rows))
        self.constant = float(self.scales[1]) * (least + self._of_values())
        self.magnitude = float(self.scales[1]) * self._largest_sum() + abs(self.constant)

    def _of_values(self) -> float:
        """What the entropy of intervals is less than the sum over their records of ln of an interval's records."""
        if self.plane.loss.per_interval != ENTROPY:
            return 0.0
        return sum(
            float(self.plane.prefixes[axis.attribute][1][-1]) for axis in self.axes if axis.attribute is not None
        )

    def _largest_sum(self) -> float:
        n = float(self.plane.space.n_records)
        by_record = 2 * math.log(n + 1) + sum(float(axis.width.max(initial=0.0)) for axis in self.axes)
        return n * (n if self.plane.loss.term == SQUARE else by_record)


def why_not(plane: Plane) -> str:
    """Why there is no bound for a plane, as a sentence with the way out; empty if there is.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.

    Returns
    -------
    str
    """
    for measure in (plane.risk, plane.loss):
        if not measure.additive:
            return f"A bound needs measures that add up over classes, and “{measure.name}” does not. Choose another."
    longest = max(plane.space.domains, key=len)
    if len(longest) * (len(longest) + 1) // 2 > MOST_INTERVALS:
        return (
            f"“{longest.attribute}” has {len(longest):,} values, which is too many for a bound. Recode it first, or "
            "leave it out."
        )
    places = plane.space.cells.places
    positions = [
        2 * len(domain) - 1 if (places[:, j] % 2).any() else len(domain) for j, domain in enumerate(plane.space.domains)
    ]
    if math.prod(positions) > MOST_NUMBERS:
        return (
            f"These columns have {math.prod(positions):,} combinations of values, which is too many for a bound: at "
            f"most {MOST_NUMBERS:,}. Choose fewer columns, or recode some first."
        )
    return ""


def _axes(plane: Plane, cells: CellTable) -> list[BoundAttribute]:
    order = sorted((j for j, size in enumerate(cells.sizes) if size > 1), key=lambda j: -cells.sizes[j])
    axes = [BoundAttribute(j, cells.sizes[j], bool((cells.places[:, j] % 2).any()), _widths(plane, j)) for j in order]
    return axes + [BoundAttribute(None, 1, False, np.zeros(1))] * (2 - len(axes))


def _widths(plane: Plane, j: int) -> np.ndarray:
    """float64, per interval of attribute j what a record in it loses by it, but for what its value itself does."""
    size = len(plane.space.domains[j])
    first, last = np.triu_indices(size)
    records, _ = plane.prefixes[j]
    if plane.loss.per_interval == VOLUME:
        return np.log(last - first + 1)
    if plane.loss.per_interval == ENTROPY:
        return np.log(np.maximum(records[last + 1] - records[first], 1))
    if plane.loss.per_interval == WIDTH:
        return (last - first) / max(1, size - 1)
    return np.zeros(len(first))


def _positions(places: np.ndarray, axis: BoundAttribute) -> np.ndarray:
    """int64, per cell its position on an axis."""
    if axis.attribute is None:
        return np.zeros(len(places), dtype=np.int64)
    column = places[:, axis.attribute].astype(np.int64)
    return column if axis.between else column // 2


def _before(positions: np.ndarray, weights: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """float64, outer edges x inner edges x places: what is before both edges."""
    key = np.ravel_multi_index(tuple(positions.T), shape)
    dense = np.bincount(key, weights=weights, minlength=math.prod(shape)).reshape(shape)
    sums = np.zeros((shape[0] + 1, shape[1] + 1, shape[2]))
    np.cumsum(np.cumsum(dense, axis=0), axis=1, out=sums[1:, 1:])
    return sums


MOST_BOXES = 1_000
"""Of the other attributes: with more, the least over all of them is not looked for, and the bound is weaker."""
Choice = tuple[int, int]
"""One of the other attributes, and one of its boundaries."""


@dataclass(frozen=True, eq=False)
class BoundCase:
    """Some boundaries of the other attributes kept, some not, the rest open.

    Attributes
    ----------
    kept : dict[Choice, bool]
        By the boundary whether it is kept.
    rest : AllowedIntervals
        What the loops read of it.
    sums : np.ndarray
        float64, 2 x outer intervals: the least sums of risk and of loss, whatever else is cut.
    """

    kept: dict[Choice, bool]
    rest: AllowedIntervals
    sums: np.ndarray


def choices_of(counted: BoundCounts) -> list[Choice]:
    """The boundaries of the other attributes, those first that have most records on both sides."""
    parted: dict[Choice, int] = {}
    for number, axis in enumerate(counted.axes[2:]):
        assert axis.attribute is not None
        before = counted.plane.prefixes[axis.attribute][0][1:-1]
        parted |= {(number, v): min(n, counted.plane.space.n_records - n) for v, n in enumerate(before.tolist())}
    return sorted(parted, key=lambda choice: (-parted[choice], choice))


def case_of(counted: BoundCounts, decisions: dict[Choice, bool]) -> BoundCase:
    """The case that keeps some boundaries, and does not keep others."""
    axes, shape = counted.axes[2:], counted.rest_shape
    coarse_bits, fine_bits = (
        [
            np.array([decisions.get((number, v), else_) for v in range(axis.size - 1)])
            for number, axis in enumerate(axes)
        ]
        for else_ in (False, True)
    )
    coarse, n_coarse, _ = _groups(axes, coarse_bits)
    fine, n_fine, width = _groups(axes, fine_bits)
    boxes = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(0)
    exact = math.prod(axis.size * (axis.size + 1) // 2 for axis in axes) <= MOST_BOXES
    if exact:
        boxes = _boxes(axes, shape, coarse_bits, fine_bits)
    sizes = np.array([axis.size for axis in axes], dtype=np.int64)
    rest = AllowedIntervals(coarse, fine, width, n_coarse, n_fine, *boxes, sizes, exact)
    sums = np.empty((2, len(counted.axes[0].width)))
    crude_sums(counted.table, rest, counted.entries, counted.starts, sums)
    return BoundCase(decisions, rest, sums)


def _groups(axes: list[BoundAttribute], bits: list[np.ndarray]) -> tuple[np.ndarray, int, np.ndarray]:
    """int64, per place of the rest its group under a policy, -1 for none; the groups; and what a record in each loses
    by its intervals."""
    group, n, width = np.zeros(1, dtype=np.int64), 1, np.zeros(1)
    for axis, axis_bits in zip(axes, bits, strict=True):
        edges = np.concatenate([[0], np.flatnonzero(axis_bits) + 1, [axis.size]])
        own = np.full(axis.n_positions, -1, dtype=np.int64)
        for number, (first, end) in enumerate(pairwise(edges.tolist())):
            own[axis.first[first] : axis.end[end - 1]] = number
        n_own = len(edges) - 1
        at = _place(edges[:-1], edges[1:], axis.size)
        joined = group[:, None] * n_own + own
        group = np.where((group[:, None] < 0) | (own < 0), -1, joined).ravel()
        width = (width[:, None] + axis.width[at]).ravel()
        n *= n_own
    return group, n, width


def _boxes(
    axes: list[BoundAttribute], shape: tuple[int, ...], coarse_bits: list[np.ndarray], fine_bits: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The places of each box, where each begins, and what a record in it loses; infinite where the case forbids it."""
    inside: list[list[np.ndarray]] = []
    widths = np.zeros(1)
    for axis, coarse, fine in zip(axes, coarse_bits, fine_bits, strict=True):
        first, last = np.triu_indices(axis.size)
        inside.append([np.arange(axis.first[a], axis.end[b]) for a, b in zip(first, last, strict=True)])
        # Not over a boundary that is kept, nor up to one that is not.
        over = np.concatenate([[0], np.cumsum(coarse)])
        open_at = np.concatenate([[True], fine, [True]])
        allowed = (over[first] == over[last]) & open_at[first] & open_at[last + 1]
        widths = (widths[:, None] + np.where(allowed, axis.width, np.inf)).ravel()
    members = []
    for parts in product(*inside):
        places = np.zeros(1, dtype=np.int64)
        for part, n in zip(parts, shape, strict=True):
            places = (places[:, None] * n + part).ravel()
        members.append(places)
    return np.concatenate(members), np.cumsum([0, *map(len, members)]), widths


def _place(first: np.ndarray, end: np.ndarray, size: int) -> np.ndarray:
    """Where the intervals [first, end) of an attribute of so many values are."""
    return first * size - first * (first - 1) // 2 + end - first - 1
