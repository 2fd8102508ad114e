"""Thresholds that regulators and guides use, each with its source, and whether a figure keeps to a limit.

What can be counted is compared by division: 7 of 100 are a share of 0.07, and the quotient of two whole numbers is the
float nearest to it, as a limit is that is written so. What floats add up or take logarithms of may differ from its
limit by their rounding, and then is equal to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

ROUNDING = 1e-12
"""Of a figure made of sums and logarithms of floats, a share of it: what differs by less is equal."""
_DIGITS = 128
_MOST_SIZE = 10**12  # of a class; no file has as many


@dataclass(frozen=True)
class Preset:
    """A smallest class size as a source has it, with the probability that the source prints for it.

    Attributes
    ----------
    title : str
        What it is called on screen.
    k : int
        The smallest class that is accepted.
    printed : float
        The threshold as printed, a probability; it may be rounded to below 1/k.
    source : str
        Who uses it.
    note : str, default ""
        Where 1/k lies above what is printed: the convention, and what a strict reading takes.
    """

    title: str
    k: int
    printed: float
    source: str
    note: str = ""

    @property
    def threshold(self) -> float:
        """1/k, by convention: a class of k is accepted, and every smaller one is not."""
        return 1 / self.k


PRESETS: tuple[Preset, ...] = (
    Preset(
        "0.33 · k = 3",
        3,
        0.33,
        "Cell size 3, used for disclosure to trusted recipients (El Emam 2013, precedents for cell sizes).",
        "By convention k = 3 meets it: the threshold is 1/3, which is 0.333. Read strictly, 0.33 takes k = 4: set the "
        "threshold apart under More.",
    ),
    Preset(
        "0.20 · k = 5",
        5,
        0.20,
        "Cell size 5, the most common precedent for controlled release (El Emam 2013).",
    ),
    Preset(
        "0.09 · k = 11",
        11,
        0.09,
        "EMA Policy 0070 and Health Canada PRCI (public release of clinical data); CMS shows no cell of 1 to 10.",
        "By convention k = 11 meets it: the threshold is 1/11, which is 0.0909. Read strictly, 0.09 takes k = 12: set "
        "the threshold apart under More.",
    ),
    Preset(
        "0.05 · k = 20",
        20,
        0.05,
        "Cell size 20, used for public release of sensitive data (El Emam 2013, precedents for cell sizes).",
    ),
)
DEFAULT = PRESETS[1]


def is_at_most(figure: float | np.ndarray, limit: float) -> Any:
    """Whether a figure made of sums and logarithms of floats is no larger than a limit, but for their rounding.

    Parameters
    ----------
    figure : float | np.ndarray
        One, or several.
    limit : float
        The largest that is accepted.

    Returns
    -------
    bool, or a bool array, one item a figure

    Examples
    --------
    >>> is_at_most(0.1 + 0.2, 0.3), is_at_most(0.3001, 0.3)
    (True, False)
    """
    return figure <= limit + ROUNDING * max(1.0, abs(limit))


def is_at_least(figure: float | np.ndarray, limit: float) -> Any:
    """Whether such a figure is no smaller than a limit: see :func:`is_at_most`.

    Parameters
    ----------
    figure : float | np.ndarray
        One, or several.
    limit : float
        The smallest that is accepted.

    Returns
    -------
    bool, or a bool array, one item a figure
    """
    return figure >= limit - ROUNDING * max(1.0, abs(limit))


def least_of(share: float, n: int) -> int:
    """The fewest of ``n`` that are at least a share of them, by division.

    Parameters
    ----------
    share : float
        In [0, 1].
    n : int
        How many there are, 0 or more.

    Examples
    --------
    Times 100, .07 is 7.000000000000001.

    >>> least_of(0.07, 100), least_of(0.071, 100), least_of(0.5, 0)
    (7, 8, 0)
    """
    fewest = min(n, math.ceil(share * n))
    while fewest < n and fewest / n < share:
        fewest += 1
    while fewest and (fewest - 1) / n >= share:
        fewest -= 1
    return fewest


def most_left_out(share_kept: float, n: int) -> int:
    """How many of ``n`` may be left out where a share of them must be kept.

    Parameters
    ----------
    share_kept : float
        In [0, 1].
    n : int
        How many there are, 0 or more.
    """
    return n - least_of(share_kept, n)


def smallest_class(risk: float) -> int:
    """The smallest class whose members have at most a risk, by division.

    Parameters
    ----------
    risk : float
        One of so many, in (0, 1].

    Examples
    --------
    >>> smallest_class(0.2), smallest_class(1 / 3), smallest_class(0.33), smallest_class(0.09)
    (5, 3, 4, 12)
    """
    size = max(1, math.ceil(min(1 / risk, _MOST_SIZE)))
    while size < _MOST_SIZE and 1 / size > risk:
        size += 1
    while size > 1 and 1 / (size - 1) <= risk:
        size -= 1
    return size


def mean_risk(counts: np.ndarray, sizes: np.ndarray) -> float:
    """The mean of 1 / size over those who are counted: the float nearest to it, in whatever order they stand.

    Parameters
    ----------
    counts : np.ndarray
        int64, how many have each size; 0 or more.
    sizes : np.ndarray
        int64, as many sizes, 1 or more where somebody has them.

    Returns
    -------
    float
        In [0, 1]; 0 of nobody.

    Examples
    --------
    Ten in classes of five, nine in classes of three: five classes of 19.

    >>> mean_risk(np.array([5, 3, 5, 3, 3]), np.array([5, 3, 5, 3, 3])) == 5 / 19
    True
    """
    counted = counts > 0
    distinct, place = np.unique(sizes[counted], return_inverse=True)
    of_size = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(of_size, place, counts[counted])
    # In whole numbers, with so many binary digits that what is cut off moves no float.
    total = sum((number << _DIGITS) // size for number, size in zip(of_size.tolist(), distinct.tolist(), strict=True))
    n = int(of_size.sum())
    return total / (n << _DIGITS) if n else 0.0
