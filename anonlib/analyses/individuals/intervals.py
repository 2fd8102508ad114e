"""How many individuals are protected within each interval of an ordered variable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, islice

import numpy as np

from anonlib.analyses.individuals.attacker import Attacker
from anonlib.analyses.individuals.profile import privacy_profile
from anonlib.analyses.individuals.proximity import numbers_of
from anonlib.analyses.individuals.sampling import MEMORY
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets, n_subsets

MOST_STEPS = 1_000


@dataclass(frozen=True, eq=False)
class Grid:
    """The steps of an ordered variable.

    Attributes
    ----------
    j : int
        The attribute's position.
    low : float
        Its least number.
    step : float
        The width of a step, in the variable's unit.
    n : int
        How many steps there are from the least number to the greatest.
    place : np.ndarray
        int64, per code the step a value is in, -1 where it is not a number.
    """

    j: int
    low: float
    step: float
    n: int
    place: np.ndarray

    def value(self, steps: int) -> float:
        """The number so many steps from the least, as it would be written: 0.3, where 3 * 0.1 is not."""
        return float(Fraction(repr(self.low)) + steps * Fraction(repr(self.step)))

    def width(self, steps: int) -> float:
        """So many steps, as it would be written."""
        return float(steps * Fraction(repr(self.step)))

    @classmethod
    def of(cls, classes: ClassTable, j: int) -> Grid:
        """The grid of the j-th attribute. Raises InputError where it has no numbers."""
        name, numbers = classes.attributes[j], numbers_of(classes, j)
        numeric = ~np.isnan(numbers)
        if not numeric.any():
            raise InputError(
                f"“{name}” has no numbers to cut into intervals. Choose a numeric column.",
                code="column-without-numbers",
                column=name,
            )
        exact = [Fraction(repr(float(number))) for number in numbers[numeric]]
        low, high = min(exact), max(exact)
        unit = _unit(exact, low, high)
        low = low // unit * unit
        place = np.full(len(numbers), -1, dtype=np.int64)
        place[numeric] = [int((number - low) // unit) for number in exact]
        return cls(j, float(low), float(unit), int(place.max()) + 1, place)


def _unit(numbers: list[Fraction], low: Fraction, high: Fraction) -> Fraction:
    """1 for whole numbers, else the power of ten that holds the decimals; rounder where that is too many steps."""
    unit = Fraction(1)
    while any((number / unit).denominator > 1 for number in numbers):
        unit /= 10
    ladder = (unit * times * 10**power for power in count() for times in (1, 2, 5))
    return next(rounder for rounder in ladder if _steps(low, high, rounder) <= MOST_STEPS)


def _steps(low: Fraction, high: Fraction, unit: Fraction) -> int:
    return int(high // unit - low // unit) + 1


def protected_as_it_is(classes: ClassTable, s: int, p: float, missing_is_harm: bool = False) -> np.ndarray:
    """bool, per class: above ``p`` whatever is known, or nothing to infer."""
    attacker = Attacker(knows="all" if p == 0 else "any", missing_is_harm=missing_is_harm)
    profile = privacy_profile(classes, attacker, sensitive=classes.attributes[s])
    return ~(profile.values[:, 0] <= p)


def protected_by_interval(
    classes: ClassTable,
    s: int,
    grid: Grid,
    p: float,
    widest: int,
    missing_is_harm: bool = False,
    progress: Progress | None = None,
) -> np.ndarray:
    """Individuals whose value is a number, and who are above ``p`` whatever is known when an interval is one category.

    int64, steps x ``widest``: entry [a, w - 1] is of the w steps from a; 0 where they go beyond the last step.
    """
    place = grid.place[classes.codes[:, grid.j]]
    numeric = np.flatnonzero(place >= 0)
    known = [j for j in range(len(classes.attributes)) if j not in (s, grid.j)]
    table = ClassTable(
        tuple(classes.attributes[j] for j in (*known, s)),
        tuple(classes.categories[j] for j in (*known, s)),
        classes.codes[numeric][:, [*known, s]],
        classes.counts[numeric],
    )
    safe = table.is_missing(len(known)) & (not missing_is_harm)  # whatever is known
    if p == 0:
        return _at_zero(table, place[numeric], safe, grid.n, widest)
    alive = protected_without(classes, s, grid.j, p, missing_is_harm)[numeric]
    return _above(table, place[numeric], alive, safe, p, grid.n, widest, progress)


def protected_without(classes: ClassTable, s: int, j: int, p: float, missing_is_harm: bool = False) -> np.ndarray:
    """bool, per class: above ``p`` for every set of known variables without the j-th, or nothing to infer."""
    rest = [name for i, name in enumerate(classes.attributes) if i != j]
    if len(rest) == 1:
        return np.ones(classes.n_classes, dtype=bool)  # nothing else is known
    without = classes.project(rest)
    place = rest.index(classes.attributes[s])
    return protected_as_it_is(without, place, p, missing_is_harm)[classes.membership(rest)]


def _at_zero(table: ClassTable, place: np.ndarray, safe: np.ndarray, n: int, widest: int) -> np.ndarray:
    """For p = 0: a value is certain where all who share the individual's other variables have it in the interval.

    Among those who share the other variables, sorted by step, take a run of steps with one and the same sensitive
    value, between the nearest steps L and U on either side that have another. At step x of the run it is certain in
    every interval [a, b] with L < a <= x <= b < U: a rectangle, added by its four corners; of who is ``safe``, never.
    """
    walk = Subsets(table)
    alike = walk.everyone()
    for j in range(len(table.attributes) - 1):
        alike = walk.refine(alike, j)
    value = table.codes[:, -1]
    order = np.lexsort((value, place, alike.group))
    group, step, value = alike.group[order], place[order], value[order]
    counts = np.where(safe, 0, table.counts)[order]
    first = np.flatnonzero(np.diff(group, prepend=-1) | np.diff(step, prepend=-1))
    last = np.append(first[1:], len(order)) - 1
    group, step, mixed, value = group[first], step[first], value[first] != value[last], value[first]
    counts = np.add.reduceat(counts, first)
    new = np.ones(len(first), dtype=bool)
    new[1:] = (np.diff(group) != 0) | (np.diff(value) != 0) | mixed[1:] | mixed[:-1]
    run, starts = np.cumsum(new) - 1, np.flatnonzero(new)
    ends = np.append(starts[1:], len(first))  # of each run, the point after it
    before = np.where((starts > 0) & (group[starts - 1] == group[starts]), step[starts - 1], -1)
    beyond = np.minimum(ends, len(first) - 1)
    after = np.where((ends < len(first)) & (group[beyond] == group[starts]), step[beyond], n)
    low, high, x, counts = (column[~mixed] for column in (before[run] + 1, after[run], step, counts))
    corners = np.zeros((n + 1, n + 1), dtype=np.int64)
    np.add.at(corners, (low, x), counts)
    np.add.at(corners, (x + 1, x), -counts)
    np.add.at(corners, (low, high), -counts)
    np.add.at(corners, (x + 1, high), counts)
    certain = corners.cumsum(axis=0).cumsum(axis=1)
    up_to = np.concatenate([[0], np.cumsum(np.bincount(place, weights=table.counts, minlength=n).astype(np.int64))])
    a, end = np.arange(n)[:, None], np.arange(n)[:, None] + np.arange(1, widest + 1)
    inside = np.minimum(end, n)
    return np.where(end <= n, up_to[inside] - up_to[a] - certain[a, inside - 1], 0)


def _above(
    table: ClassTable,
    place: np.ndarray,
    alive: np.ndarray,
    safe: np.ndarray,
    p: float,
    n: int,
    widest: int,
    progress: Progress | None,
) -> np.ndarray:
    """For p above 0: every set of known variables in every interval, the largest sets first: by them most is certain.

    What is kept per width is who is still above ``p`` in the interval from which step. Who is ``safe`` always is.
    """
    others = len(table.attributes) - 1
    if 4 * len(place) * (n_subsets(others) + widest * (widest + 1)) + 16 * len(place) * (n + 1) > MEMORY:
        raise InputError(
            "There are too many sets of known variables and intervals for this. Choose p = 0, a narrower widest "
            "category, or fewer variables.",
            code="too-many-sets",
        )
    walk = Subsets(table)
    known = [replace(subset, group=subset.group.astype(np.int32)) for subset in islice(walk.walk(), 2**others)]
    rows = np.flatnonzero(alive)
    still = [_starts(rows, place[rows], width, n) for width in range(1, widest + 1)]
    for done, subset in enumerate(reversed(known)):
        both = walk.refine(replace(subset, group=subset.group.astype(np.intp)), others)
        peers, same = (_up_to(part, place, table.counts, n) for part in (subset, both))
        for i, (rows, a) in enumerate(still):
            of, among = subset.group[rows], both.group[rows]
            total = peers[of, a + i + 1] - peers[of, a]
            protective = total - (same[among, a + i + 1] - same[among, a])
            kept = (protective / total > p) | safe[rows]
            still[i] = rows[kept], a[kept]
        if progress:
            progress((done + 1) / len(known))
    inside = np.zeros((n, widest), dtype=np.int64)
    for i, (rows, a) in enumerate(still):
        inside[:, i] = np.bincount(a, weights=table.counts[rows], minlength=n)
    return inside


def _starts(rows: np.ndarray, place: np.ndarray, width: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Every row with every start of an interval of this width that holds it."""
    a = place[:, None] - np.arange(width)
    inside = (a >= 0) & (a + width <= n)
    return np.broadcast_to(rows[:, None], a.shape)[inside].astype(np.int32), a[inside].astype(np.int32)


def _up_to(subset: Subset, place: np.ndarray, counts: np.ndarray, n: int) -> np.ndarray:
    """int64, groups x (n + 1): the records of each group in the steps before this one."""
    per_place = np.bincount(subset.group * n + place, weights=counts, minlength=len(subset.sizes) * n)
    up_to = np.zeros((len(subset.sizes), n + 1), dtype=np.int64)
    np.cumsum(per_place.astype(np.int64).reshape(-1, n), axis=1, out=up_to[:, 1:])
    return up_to
