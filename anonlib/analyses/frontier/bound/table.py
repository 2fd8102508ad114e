"""What the bound is counted from: records and people before each edge, for the outer and the inner attribute."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.frontier.bound.costs import Table
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.interval_programs.cells import CellTable
from anonlib.analyses.frontier.measures import ENTROPY, KL_OBSERVED, SQUARE, VOLUME, WIDTH

MOST_NUMBERS = 6_000_000
"""Combinations of values: two or three arrays of float64 have so many numbers."""
MOST_INTERVALS = 5_000_000
"""Intervals of the longest attribute."""


@dataclass(frozen=True)
class Axis:
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


class Counted:
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
        self.table = Table(
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


def _axes(plane: Plane, cells: CellTable) -> list[Axis]:
    order = sorted((j for j, size in enumerate(cells.sizes) if size > 1), key=lambda j: -cells.sizes[j])
    axes = [Axis(j, cells.sizes[j], bool((cells.places[:, j] % 2).any()), _widths(plane, j)) for j in order]
    return axes + [Axis(None, 1, False, np.zeros(1))] * (2 - len(axes))


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


def _positions(places: np.ndarray, axis: Axis) -> np.ndarray:
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
