"""How much a coarser ordered variable protects: equal widths, and the best cuts (Kroes et al. 2021, Figure 4).

First it is counted how many individuals are protected within each interval of the variable. Then come all equal widths,
and the cuts that protect most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count, islice

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import Attacker, checked_share
from anonlib.analyses.individuals.peers import numbers_of, position
from anonlib.analyses.individuals.profile import privacy_profile
from anonlib.analyses.individuals.sampling import MEMORY
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets, n_subsets

MOST_STEPS = 1_000


@dataclass(frozen=True, eq=False)
class IntervalGrid:
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
    def of(cls, classes: ClassTable, j: int) -> IntervalGrid:
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
    grid: IntervalGrid,
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


@dataclass(frozen=True)
class Partition:
    """A way to cut an ordered variable into categories.

    Attributes
    ----------
    recoding : Intervals
        The intervals, as a step of a recipe takes them.
    categories : int
        How many there are between the least and the greatest value.
    protected : int
        Individuals whose least PPP is above p with it.
    widest : float
        The width of its widest category, in the variable's unit.
    """

    recoding: Intervals
    categories: int
    protected: int
    widest: float


@dataclass(frozen=True, eq=False)
class GeneralizationScan:
    """Individuals protected for every equal-width partition of an ordered variable.

    Attributes
    ----------
    sensitive : str
        The sensitive variable.
    attribute : str
        The ordered variable, to be made coarser.
    p : float
        In [0, 1); protected is who has a PPP above it for every set of known variables.
    n_records : int
        Individuals.
    grid : IntervalGrid
        The steps of the attribute, which widths count.
    widths, offsets : np.ndarray
        int64, per partition the width of its categories and where the second begins, in steps from the least value; the
        first category (and the last) may be shorter.
    categories, protected : np.ndarray
        int64, per partition its number of categories and the individuals protected.
    baseline : int
        Protected as the variable is.
    ceiling : int
        Protected when the variable is dropped.
    max_width : float | None
        The widest category that was allowed, a whole number of steps, in the variable's unit; None without a limit.
    optimum : Partition | None
        The best partition of any cuts with no category wider than ``max_width``; None without that limit, where it
        would be one category of everything.
    """

    sensitive: str
    attribute: str
    p: float
    n_records: int
    grid: IntervalGrid
    widths: np.ndarray
    offsets: np.ndarray
    categories: np.ndarray
    protected: np.ndarray
    baseline: int
    ceiling: int
    max_width: float | None
    optimum: Partition | None

    def partition(self, i: int) -> Partition:
        """The i-th equal-width partition."""
        width, second = self.grid.width(int(self.widths[i])), self.grid.value(int(self.offsets[i]))
        start = Fraction(repr(second)) % Fraction(repr(width))  # the same cuts, counted from near 0
        recoding = Intervals(width, start=float(start))
        return Partition(recoding, int(self.categories[i]), int(self.protected[i]), width)

    @cached_property
    def best(self) -> np.ndarray:
        """Positions of the best partition for each number of categories; of equals the narrowest, then the first."""
        order = np.lexsort((self.offsets, self.widths, -self.protected, self.categories))
        first = np.flatnonzero(np.diff(self.categories[order], prepend=-1))
        return order[first]

    def to_frame(self) -> pd.DataFrame:
        """One row an equal-width partition: its fields, ``share`` protected, whether ``best`` of its number."""
        best = np.zeros(len(self.widths), dtype=bool)
        best[self.best] = True
        return pd.DataFrame(
            {
                "width": _each(self.widths, self.grid.width),
                "starts_at": _each(self.offsets, self.grid.value),
                "categories": self.categories,
                "protected": self.protected,
                "share": self.protected / max(1, self.n_records),
                "best": best,
            }
        )


def generalization_scan(
    classes: ClassTable,
    sensitive: str,
    attribute: str,
    *,
    p: float = 0.0,
    max_width: float | None = None,
    missing_is_harm: bool = False,
    progress: Progress | None = None,
) -> GeneralizationScan:
    """How many individuals stay protected, whatever is known, for every equal-width partition of an ordered variable.

    The domain is every step between the least and the greatest value, not the values that occur: for whole numbers
    the step is 1, else the smallest round one that holds the decimals and leaves at most 1,000 steps. Values that are
    not numbers stay categories of their own. A set of known variables without ``attribute`` does not see the partition,
    and one with it has all its peers in one category; so the number protected is a sum over categories. Every
    partition, and the best of any cuts, follow from the number of each interval.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    sensitive : str
        The sensitive variable.
    attribute : str
        The ordered variable, to be made coarser.
    p : float, default 0.0
        In [0, 1); protected is who has a PPP above it for every set of known variables.
    max_width : float, optional
        The widest category, in the variable's unit. Also the limit of the exact optimum.
    missing_is_harm : bool, default False
        That a sensitive value is missing is to be protected too; else who lacks it counts as protected.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    GeneralizationScan

    Raises
    ------
    InputError
        When the attribute has no numbers, or ``max_width`` is below one step.

    References
    ----------
    Kroes et al. 2021, “Assessing the potential for privacy increase resulting from generalization”, Figure 4.

    Examples
    --------
    Of the five people of Table 1 Alice and the other woman of about 50 are protected once they share a category.

    >>> people = pd.DataFrame({
    ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
    ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
    ...     "age": ["50", "40", "35", "64", "49"],
    ... })
    >>> scan = generalization_scan(ClassTable.from_frame(people), "diagnosis", "age", max_width=5)
    >>> scan.baseline, scan.optimum.protected, int(scan.protected.max()), scan.ceiling
    (0, 2, 2, 5)
    """
    checked_share(p, "p")
    s, j = position(classes, sensitive), position(classes, attribute)
    if s == j:
        raise InputError(
            f"“{attribute}” is the sensitive variable. Choose another to make coarser.",
            code="column-in-two-roles",
            column=attribute,
        )
    if (read := classes.read(sensitive)) is not None:  # values that become one have no fewer records
        classes = read.project(read.attributes)
    grid = IntervalGrid.of(classes, j)
    widest = grid.n if max_width is None else min(grid.n, int(checks.number(max_width, "The width") / grid.step + 1e-9))
    if widest < 1:
        raise InputError(
            f"The widest category must be at least {grid.step:g}, the step of “{attribute}”.",
            code="number-out-of-range",
            column=attribute,
        )
    as_it_is = protected_as_it_is(classes, s, p, missing_is_harm)
    aside = int(classes.counts[as_it_is & (grid.place[classes.codes[:, j]] < 0)].sum())  # no number: not cut
    inside = protected_by_interval(classes, s, grid, p, widest, missing_is_harm, progress)
    widths, offsets, categories, protected = _equal_widths(inside, widest)
    return GeneralizationScan(
        sensitive=sensitive,
        attribute=attribute,
        p=p,
        n_records=classes.n_records,
        grid=grid,
        widths=widths,
        offsets=offsets,
        categories=categories,
        protected=protected + aside,
        baseline=int(classes.counts[as_it_is].sum()),
        ceiling=int(classes.counts[protected_without(classes, s, j, p, missing_is_harm)].sum()),
        max_width=None if max_width is None else grid.width(widest),
        optimum=None if max_width is None else _best_cuts(inside, widest, grid, aside),
    )


def _equal_widths(inside: np.ndarray, widest: int) -> tuple[np.ndarray, ...]:
    """Widths, offsets, categories and protected of every partition; ``inside[a, w - 1]`` is of w steps from a."""
    n = len(inside)
    by_width = []
    for width in range(1, widest + 1):
        offsets = np.arange(1, width + 1)  # where the first category ends
        starts = offsets[:, None] + width * np.arange(-1, (n - 1) // width + 1)
        ends = np.minimum(starts + width, n)
        starts = np.maximum(starts, 0)
        exists = starts < ends
        counts = np.where(exists, inside[np.minimum(starts, n - 1), np.where(exists, ends - starts, 1) - 1], 0)
        by_width.append((np.full(width, width), offsets % width, exists.sum(axis=1), counts.sum(axis=1)))
    return tuple(np.concatenate(column) for column in zip(*by_width, strict=True))


def _best_cuts(inside: np.ndarray, widest: int, grid: IntervalGrid, aside: int) -> Partition:
    """The cuts that protect most; among equals, those that leave most categories. Dynamic over the last category."""
    n = len(inside)
    best = np.zeros(n + 1, dtype=np.int64)  # protected * (n + 1) + categories, of the first so many steps
    chosen = np.zeros(n + 1, dtype=np.int64)
    for end in range(1, n + 1):
        width = np.arange(1, min(widest, end) + 1)
        score = best[end - width] + inside[end - width, width - 1] * (n + 1) + 1
        chosen[end] = width[score.argmax()]
        best[end] = score.max()
    ends = [n]
    while ends[-1] > 0:
        ends.append(ends[-1] - int(chosen[ends[-1]]))
    cuts = tuple(grid.value(end) for end in reversed(ends[1:-1]))
    recoding = Intervals(cuts=cuts) if cuts else Intervals(grid.width(grid.n), start=grid.low)
    protected, categories = divmod(int(best[n]), n + 1)
    return Partition(recoding, categories, protected + aside, grid.width(int(chosen[ends[:-1]].max())))


def _each(steps: np.ndarray, written: Callable[[int], float]) -> np.ndarray:
    """The numbers of steps as they are written; each different one is worked out once."""
    distinct, place = np.unique(steps, return_inverse=True)
    return np.array([written(number) for number in distinct.tolist()])[place]
