"""An analysis before and after: one logistic regression of the original and of its release, and how far both agree.

It was fixed before any release was looked at, but for faults of the fit that showed then: which category others are
compared with where that one has one outcome only or is not left, that a column which follows from others is in neither
fit, and which coefficients are not estimated. What takes part and how follows from the original alone:

* A column whose cells are numbers, ranges of numbers or dates (of nine in ten records that have a value, with three
  different places or more) takes part as a number: a range stands at the middle of its ends as they are written, one
  that is open on one side at its limit, a year, quarter or month at its middle, in units of the original's standard
  deviation. A cell that is no number (missing, ``*``, a word) stands at the original's mean; there is a column of its
  own for these, “no number”, where they are enough for a category.
* Any other column takes part as categories: of the original's values the ten commonest, each of at least 1% of the
  records and at least 20; the others are “other values”. A label of the release all of whose records had values of one
  category is that category; a label that stands for several is a category of its own; a missing cell and ``*`` are “no
  value”. Categories too small in a fit are among “other values”; if these are too few, among the category of
  comparison. That is the original's commonest that is in the fit with both outcomes, or the release's commonest where
  none of these is. A coefficient is named by its category and by that which it is compared with, and two fits have the
  same one where the names are the same.
* The outcome is one value against all others. Records of which that is not known any more take no part.
* Rows are taken as if they were independent: one row a record, also of persons with several.
* A category with one outcome only is left out with its records, as Stata does. A column that follows in the original
  from those before it (a department from diagnoses) is in neither fit. A coefficient with a standard error beyond 10 is
  not estimated.

The overlap of two 95% intervals is that of Karr et al. 2006 (The American Statistician 60:224): the mean of what they
have in common as a share of each; 0 where they do not meet. The mean is over all coefficients of either fit but the
intercepts; one that is in one fit only counts as 0.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.utility.scale import limits
from anonlib.coarsening.hierarchies import TOP
from anonlib.values.dates import to_dates
from anonlib.values.ranges import ranges_of_months

MOST_CATEGORIES = 10
LEAST_SHARE, LEAST_RECORDS = 0.01, 20
NO_NUMBER, NO_VALUE, OTHERS = "no number", "no value", "other values"
INTERCEPT = "intercept"
_NEARLY_ALL = 0.9
_NOT_ESTIMATED = 10.0  # standard error
_95 = 1.959963984540054
_ROUNDS = 100

Interval = tuple[float, float]


@dataclass(frozen=True)
class Term:
    """How a column takes part, by the original.

    Attributes
    ----------
    name : str
        The column.
    kind : Literal["numbers", "days", "categories"]
        What its cells are.
    centre, spread : float
        Mean and standard deviation of the original's numbers or days.
    categories : tuple[str, ...]
        Values of the original that are categories, the commonest first.
    """

    name: str
    kind: Literal["numbers", "days", "categories"]
    centre: float = 0.0
    spread: float = 1.0
    categories: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, values: np.ndarray, is_code: bool = False) -> Term:
        """The term of an original column; ``values`` are texts or None, one a record, of codes though of digits."""
        kinds: tuple[Literal["numbers", "days"], ...] = ("days", "numbers")
        for kind in () if is_code else kinds:
            at = _places(values, kind)
            known = at[~np.isnan(at)]
            n_values = sum(value is not None and value != TOP for value in values)
            if len(known) >= _NEARLY_ALL * n_values and len(np.unique(known)) >= 3:
                return cls(name, kind, float(known.mean()), float(known.std()))
        counts = pd.Series(values, dtype=object).value_counts().sort_index().sort_values(ascending=False, kind="stable")
        enough = [value for value, n in counts.items() if n >= least(len(values)) and value != TOP]
        return cls(name, "categories", categories=tuple(enough[:MOST_CATEGORIES]))

    def columns(self, before: np.ndarray, after: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
        """float columns by name of records whose values were ``before`` and are ``after``; those of the original are
        the same twice. ``y`` is their outcome, NaN where it is not known."""
        if self.kind != "categories":
            at = _places(after, self.kind)
            scaled = np.where(np.isnan(at), 0.0, (at - self.centre) / self.spread)
            without = np.isnan(at)
            enough = int(without.sum()) >= least(len(after))
            return {self.name: scaled} | ({f"{self.name}: {NO_NUMBER}": without.astype(float)} if enough else {})
        category = self.category(before, after)
        counts = pd.Series(category, dtype=object).value_counts()
        category = np.array([each if counts[each] >= least(len(after)) else OTHERS for each in category], dtype=object)
        present = {*category.tolist()}
        outcomes = pd.Series(y).groupby(category).nunique()
        counts = (
            pd.Series(category, dtype=object).value_counts().sort_index().sort_values(ascending=False, kind="stable")
        )
        usual = (*self.categories, OTHERS, NO_VALUE, *counts.index)
        compared = next((each for each in usual if each in present and outcomes[each] == 2), None)
        if compared is None:
            return {}
        if OTHERS in present and (category == OTHERS).sum() < least(len(after)):
            category[category == OTHERS] = compared
            present.discard(OTHERS)
        return {
            f"{self.name}: {each} (beside {compared})": (category == each).astype(float)
            for each in sorted(present - {compared})
        }

    def category(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Per record its category, however few have it."""
        had = np.array([self._of_value(value) for value in before], dtype=object)
        of_label = {}
        for label, categories in pd.Series(had).groupby(pd.Series(after, dtype=object), sort=False):
            of_label[label] = categories.iloc[0] if categories.nunique() == 1 else label
        return np.array([NO_VALUE if label is None or label == TOP else of_label[label] for label in after], object)

    def _of_value(self, value: str | None) -> str:
        if value is None or value == TOP:
            return NO_VALUE
        return value if value in self.categories else OTHERS


def least(n_records: int) -> float:
    """How many of so many records a category must have."""
    return max(LEAST_RECORDS, LEAST_SHARE * n_records)


def _places(labels: np.ndarray, kind: Literal["numbers", "days"]) -> np.ndarray:
    """float per record: its number or day, NaN if neither."""
    codes, distinct = pd.factorize(pd.Series(labels, dtype=object))
    at = (numbers if kind == "numbers" else days)([str(label) for label in distinct])
    return np.append(at, np.nan)[codes]


def numbers(labels: Sequence[str]) -> np.ndarray:
    """float64 per label: a number, the middle of a range, the limit of one that is open; NaN for anything else."""
    low, high = limits(list(labels))
    return np.where(np.isinf(low), high, np.where(np.isinf(high), low, low / 2 + high / 2))


def days(labels: Sequence[str]) -> np.ndarray:
    """float64 per label: days since 1970 of a date or of the middle of a month, quarter or year; NaN if neither."""
    texts = [label.strip() for label in labels]
    dates = to_dates(texts)
    spans = ranges_of_months(texts)
    low, high = (_first_day(np.where(spans.fits, months, 0.0)) for months in (spans.low, spans.high))
    middle = np.where(spans.fits, (low + high - 1) / 2, np.nan)
    return np.where(np.isnat(dates), middle, dates.astype("datetime64[D]").astype(np.int64))


def _first_day(months: np.ndarray) -> np.ndarray:
    since_1970 = months.astype(np.int64) - 12 * 1970
    return since_1970.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64).astype(float)


def outcome(before: np.ndarray, after: np.ndarray, value: str) -> np.ndarray:
    """float per record: 1 where its outcome is ``value``, 0 where it is another, NaN where that is not known any more.

    A label is known where all of its records had the value, or none; a missing one and ``*`` are not.
    """
    has_it = pd.Series(np.array([text == value for text in before], dtype=float))
    share = has_it.groupby(pd.Series(after, dtype=object)).transform("mean").to_numpy()
    is_blank = np.array([label is None or label == TOP for label in after], dtype=bool)
    return np.where(~is_blank & ((share == 0) | (share == 1)), share, np.nan)


def design(
    terms: Sequence[Term], before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray], y: np.ndarray
) -> dict[str, np.ndarray]:
    """The columns of a regression, the intercept first; terms of columns that are not in ``after`` have none."""
    columns = {INTERCEPT: np.ones(len(y))}
    for term in terms:
        if term.name in after:
            columns |= term.columns(before[term.name], after[term.name], y)
    return columns


def intervals(columns: Mapping[str, np.ndarray], y: np.ndarray, out: Collection[str] = ()) -> dict[str, Interval]:
    """The 95% intervals of a logistic regression, without the intercept's; none where there is nothing to fit.

    ``y`` is 0, 1, or NaN where a record takes no part; ``out`` are names of columns that take none.
    """
    use, names = ~np.isnan(y), [name for name in columns if name not in out]
    while len(np.unique(y[use])) == 2:
        x = np.column_stack([columns[name][use] for name in names])
        alone = [name for j, name in enumerate(names) if name != INTERCEPT and _has_one_outcome(x[:, j], y[use])]
        if not alone:
            names = [name for name, stays in zip(names, independent(x), strict=True) if stays]
            x = np.column_stack([columns[name][use] for name in names])
            estimates, errors = fit(x, y[use])
            return {
                name: (b - _95 * se, b + _95 * se)
                for name, b, se in zip(names, estimates.tolist(), errors.tolist(), strict=True)
                if name != INTERCEPT and se <= _NOT_ESTIMATED
            }
        for name in alone:
            use &= columns[name] == 0
        names = [name for name in names if name not in alone]
    return {}


def _has_one_outcome(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether a column of 0 and 1 has one outcome only where it is 1; nothing is asked of numbers."""
    is_set = x == 1
    return bool((is_set | (x == 0)).all() and is_set.any() and len(np.unique(y[is_set])) == 1)


def following(columns: Mapping[str, np.ndarray], y: np.ndarray) -> set[str]:
    """Names of the columns that follow from those before them, of records whose outcome is known."""
    x = np.column_stack([values[~np.isnan(y)] for values in columns.values()])
    return {name for name, stays in zip(columns, independent(x), strict=True) if not stays}


def independent(x: np.ndarray) -> np.ndarray:
    """bool per column: it does not follow from those before it."""
    sizes = np.maximum(np.linalg.norm(x, axis=0), 1e-300)
    return np.abs(np.diag(np.linalg.qr(x / sizes, mode="r"))) > 1e-7


def fit(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Estimates and standard errors of a logistic regression by Newton's method, without a penalty."""
    b = np.zeros(x.shape[1])
    last = _log_likelihood(x, y, b)
    for _ in range(_ROUNDS):
        p = _likely(x @ b)
        step = np.linalg.pinv(x.T @ (x * (p * (1 - p))[:, None])) @ (x.T @ (y - p))
        while _log_likelihood(x, y, b + step) < last - 1e-9 * abs(last) and np.abs(step).max() > 1e-12:
            step = step / 2
        b = b + step
        now = _log_likelihood(x, y, b)
        if abs(now - last) <= 1e-12 * (abs(now) + 0.1):
            break
        last = now
    p = _likely(x @ b)
    return b, np.sqrt(np.diag(np.linalg.pinv(x.T @ (x * (p * (1 - p))[:, None]))))


def _likely(eta: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(eta, -700, 700)))


def _log_likelihood(x: np.ndarray, y: np.ndarray, b: np.ndarray) -> float:
    eta = x @ b
    return float(y @ eta - np.logaddexp(0, eta).sum())


def overlap(a: Interval, b: Interval) -> float:
    """What two intervals have in common, as a share of each, on average; 0 where they do not meet."""
    common = min(a[1], b[1]) - max(a[0], b[0])
    return (common / (a[1] - a[0]) + common / (b[1] - b[0])) / 2 if common > 0 else 0.0


@dataclass(frozen=True)
class Agreement:
    """How far two fits agree.

    Attributes
    ----------
    overlaps : Mapping[str, float]
        By coefficient of either fit; 0 for one that is in one of them only.
    n_before, n_after, n_both : int
        Coefficients of the original's fit, of the release's, and of both.
    """

    overlaps: Mapping[str, float]
    n_before: int
    n_after: int
    n_both: int

    @property
    def mean(self) -> float:
        """Over all coefficients of either; 0 where there are none."""
        return sum(self.overlaps.values()) / len(self.overlaps) if self.overlaps else 0.0

    @property
    def of_both(self) -> float:
        """Over those that are in both fits; 0 where there are none."""
        return sum(self.overlaps.values()) / self.n_both if self.n_both else 0.0


def agreement(before: Mapping[str, Interval], after: Mapping[str, Interval]) -> Agreement:
    """How far the intervals of two fits agree."""
    names = [*before, *(name for name in after if name not in before)]
    both = [name for name in names if name in before and name in after]
    overlaps = {name: overlap(before[name], after[name]) if name in both else 0.0 for name in names}
    return Agreement(overlaps, len(before), len(after), len(both))
