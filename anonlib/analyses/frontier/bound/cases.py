"""The few choices in the other attributes that are gone through one by one, and what each leaves open."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from anonlib.analyses.frontier.bound.costs import Rest, crude_sums
from anonlib.analyses.frontier.bound.table import Axis, Counted

MOST_BOXES = 1_000
"""Of the other attributes: with more, the least over all of them is not looked for, and the bound is weaker."""
Choice = tuple[int, int]
"""One of the other attributes, and one of its boundaries."""


@dataclass(frozen=True, eq=False)
class Case:
    """Some boundaries of the other attributes kept, some not, the rest open.

    Attributes
    ----------
    kept : dict[Choice, bool]
        By the boundary whether it is kept.
    rest : Rest
        What the loops read of it.
    sums : np.ndarray
        float64, 2 x outer intervals: the least sums of risk and of loss, whatever else is cut.
    """

    kept: dict[Choice, bool]
    rest: Rest
    sums: np.ndarray


def choices_of(counted: Counted) -> list[Choice]:
    """The boundaries of the other attributes, those first that have most records on both sides."""
    parted: dict[Choice, int] = {}
    for number, axis in enumerate(counted.axes[2:]):
        assert axis.attribute is not None
        before = counted.plane.prefixes[axis.attribute][0][1:-1]
        parted |= {(number, v): min(n, counted.plane.space.n_records - n) for v, n in enumerate(before.tolist())}
    return sorted(parted, key=lambda choice: (-parted[choice], choice))


def case_of(counted: Counted, kept: dict[Choice, bool]) -> Case:
    """The case that keeps some boundaries, and does not keep others."""
    axes, shape = counted.axes[2:], counted.rest_shape
    coarse_bits, fine_bits = (
        [np.array([kept.get((number, v), else_) for v in range(axis.size - 1)]) for number, axis in enumerate(axes)]
        for else_ in (False, True)
    )
    coarse, n_coarse, _ = _groups(axes, coarse_bits)
    fine, n_fine, width = _groups(axes, fine_bits)
    boxes = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(0)
    exact = math.prod(axis.size * (axis.size + 1) // 2 for axis in axes) <= MOST_BOXES
    if exact:
        boxes = _boxes(axes, shape, coarse_bits, fine_bits)
    sizes = np.array([axis.size for axis in axes], dtype=np.int64)
    rest = Rest(coarse, fine, width, n_coarse, n_fine, *boxes, sizes, exact)
    sums = np.empty((2, len(counted.axes[0].width)))
    crude_sums(counted.table, rest, counted.entries, counted.starts, sums)
    return Case(kept, rest, sums)


def _groups(axes: list[Axis], bits: list[np.ndarray]) -> tuple[np.ndarray, int, np.ndarray]:
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
    axes: list[Axis], shape: tuple[int, ...], coarse_bits: list[np.ndarray], fine_bits: list[np.ndarray]
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
