"""How much a coarser ordered variable protects: all equal widths, and the best cuts (Kroes et al. 2021, Figure 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import checked_share
from anonlib.analyses.individuals.intervals import Grid, protected_as_it_is, protected_by_interval, protected_without
from anonlib.analyses.individuals.proximity import position
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.classes import ClassTable


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
    grid : Grid
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
    grid: Grid
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
    grid = Grid.of(classes, j)
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


def _best_cuts(inside: np.ndarray, widest: int, grid: Grid, aside: int) -> Partition:
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
