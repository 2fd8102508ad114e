"""Intervals that end where people expect: usual widths, a 1-2-5 scale, and groups at the ends where few records are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from anonlib.coarsening.recoding.intervals import exact

THIN = 5
"""Records: an interval at an end with fewer is put together with the next ones."""
_FEWEST = 4  # intervals that a usual width must leave, to be taken before twice the last
_ENOUGH = 200  # records, before ends are thin rather than all of a small file
_HEAVY, _FAR = 1000.0, 20.0  # the largest number to the smallest, and to the median, from which tails are heavy

Limits = tuple[float | None, float | None]


def wider(width: float, extent: float) -> float:
    """The next usual width that is a multiple (5, 10, 20, 100, and 25, 50, 100) for numbers that reach over an extent.

    Twice an unusual one, and where the usual one would leave fewer than four intervals.
    """
    digits = exact(width) / Fraction(10) ** math.floor(math.log10(width))
    usual = float(exact(width) * (5 if digits == 2 else 2))
    return usual if extent >= _FEWEST * usual else float(2 * exact(width))


def widths(rough: float, extent: float) -> list[float]:
    """Three widths, each a multiple of the one before, the first the usual one of at least about so large."""
    power = math.floor(math.log10(rough))
    digit = next((d for d in (1, 2, 5) if float(f"{d}e{power}") >= rough * 0.999), 10)
    found = [float(f"{digit}e{power}")]
    for _ in range(2):
        found.append(wider(found[-1], extent))
    return found


def limits(numbers: np.ndarray, records: np.ndarray | None, width: float) -> Limits:
    """The multiples of a width beyond which numbers are best one group, as few records are there.

    Parameters
    ----------
    numbers : np.ndarray
        Different numbers, ascending.
    records : np.ndarray | None
        The records of each number; None where they are not known.
    width : float
        Of the finest intervals.

    Returns
    -------
    tuple of float or None
        The lower and the upper limit. Each group has at least :data:`THIN` records, and at least half of the intervals
        stay between them; None where the end is not thin, or the file is small.
    """
    if records is None or records.sum() < _ENOUGH:
        return None, None
    steps = np.floor(numbers / width)
    if np.abs(steps).max() > 1e9:
        return None, None
    below, above = np.cumsum(records), np.cumsum(records[::-1])[::-1]
    first, last = steps[np.searchsorted(below, THIN)], steps[len(above) - 1 - np.searchsorted(above[::-1], THIN)]
    bottom = float(exact(width) * int(first + 1)) if below[steps == steps[0]][-1] < THIN else None
    top = float(exact(width) * int(last)) if above[steps == steps[-1]][0] < THIN else None
    low, high = steps[0] if bottom is None else first + 1, steps[-1] + 1 if top is None else last
    return (bottom, top) if 2 * (high - low) >= steps[-1] + 1 - steps[0] else (None, None)


def at_width(limits: Limits, width: float) -> Limits:
    """Limits moved inwards to multiples of a width, so that groups at the ends grow as intervals do."""
    bottom, top = limits
    return (
        None if bottom is None else on_grid(bottom, width, up=True),
        None if top is None else on_grid(top, width, up=False),
    )


def on_grid(number: float, width: float, start: float = 0.0, *, up: bool) -> float:
    """The end of intervals of a width, counted from a start, that is nearest to a number above or below; or itself."""
    steps = (exact(number) - exact(start)) / exact(width)
    return float(exact(start) + (math.ceil(steps) if up else math.floor(steps)) * exact(width))


def is_heavy_tailed(numbers: np.ndarray, records: np.ndarray | None) -> bool:
    """Whether numbers are positive, reach over three powers of ten, and most are far below the largest."""
    if numbers[0] < 1e-9 or numbers[-1] < _HEAVY * numbers[0]:
        return False
    weights = np.ones(len(numbers)) if records is None else records
    middle = numbers[np.searchsorted(np.cumsum(weights), weights.sum() / 2)]
    return bool(middle * _FAR <= numbers[-1])


def cuts_by_power(numbers: np.ndarray, records: np.ndarray | None) -> list[tuple[float, ...]]:
    """Cuts at 1, 2, 5, 10, 20 and so on, level by level: then at powers of ten, and at every other of them.

    At the ends cuts are left out until at least :data:`THIN` records are beyond the last, where records are known.
    """
    powers = range(math.floor(math.log10(numbers[0])), math.ceil(math.log10(numbers[-1])) + 1)
    scale = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    finest = [cut for cut in scale if numbers[0] < cut <= numbers[-1]]
    if records is not None and records.sum() >= _ENOUGH:
        places = np.searchsorted(numbers, finest)
        below = np.concatenate([[0], np.cumsum(records)])[places]
        finest = [c for c, n in zip(finest, below, strict=True) if THIN <= n <= records.sum() - THIN]
    tens = [cut for cut in finest if f"{cut:e}".startswith("1.0000")]
    levels = [tuple(level) for level in (finest, tens, tens[::2]) if level]
    return [level for i, level in enumerate(levels) if not i or level != levels[i - 1]]
