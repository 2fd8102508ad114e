"""Levels for a column of ranges: neighbours are merged, to widths that people expect and up to everything."""

from __future__ import annotations

import numpy as np

from anonlib.coarsening.hierarchies.widths import on_grid, wider
from anonlib.coarsening.recoding import DateUnit, Intervals, Recoding
from anonlib.coarsening.recoding.intervals import exact
from anonlib.values.ranges import Ranges

_FEWEST_ENDS = 2  # between ranges, or there is nothing between one and all
_MOST_LEVELS = 3
_MONTHS = {"quarter": 3, "half": 6, "year": 12}


def merged(found: Ranges) -> tuple[Recoding, ...]:
    """Levels that merge neighbouring ranges, the finest first; none where ranges overlap, or few are left.

    Parameters
    ----------
    found : Ranges
        The ranges of a column. No level splits one of them.

    Returns
    -------
    tuple of Recoding
        Ranges of months: quarters, half years and years. Ranges of numbers of one width: the next usual
        widths; an open end begins where the last whole interval ends. Others: every other
        end is taken away, level by level.
    """
    if found.overlap:
        return ()
    if found.of == "months":
        return _units(found)
    ends = _ends(found)
    if len(ends) < _FEWEST_ENDS:
        return ()
    width = _common_width(found)
    return _widths(found, width) if width else without_every_other_end(found)


def _units(found: Ranges) -> tuple[Recoding, ...]:
    low, high = found.low[found.fits], found.high[found.fits]
    levels: list[Recoding] = []
    before = len(low)
    for unit, length in _MONTHS.items():
        if (low // length != (high - 1) // length).any():
            continue
        groups = len(np.unique(low // length))
        if 1 < groups < before:
            levels.append(DateUnit(unit))  # type: ignore[arg-type]
            before = groups
    return tuple(levels)


def _ends(found: Ranges) -> list[float]:
    """The finite numbers at which ranges begin or end, ascending; those of single numbers not."""
    ends = np.concatenate([found.begin[found.is_range], found.end[found.is_range]])
    return sorted({*ends[np.isfinite(ends)].tolist()})


def _common_width(found: Ranges) -> float | None:
    """The width of the ranges with two ends, where all are of one and lie side by side; None otherwise."""
    finite = found.is_range & np.isfinite(found.begin) & np.isfinite(found.end)
    widths = {exact(end) - exact(begin) for begin, end in zip(found.begin[finite], found.end[finite], strict=True)}
    if len(widths) != 1:
        return None
    width = widths.pop()
    ends = _ends(found)
    return float(width) if all((exact(end) - exact(ends[0])) % width == 0 for end in ends) else None


def _widths(found: Ranges, width: float) -> tuple[Recoding, ...]:
    ends = _ends(found)
    start = float(exact(ends[0]) % exact(width))
    below, above = bool(np.isneginf(found.begin).any()), bool(np.isposinf(found.end).any())
    levels: list[Recoding] = []
    before = len(ends) + 1
    while len(levels) < _MOST_LEVELS:
        width = wider(width, ends[-1] - ends[0])
        level, groups = _intervals(ends, width, start, below=below, above=above)
        if not 1 < groups < before:
            break
        levels.append(level)
        before = groups
    return tuple(levels)


def _intervals(ends: list[float], width: float, start: float, *, below: bool, above: bool) -> tuple[Intervals, int]:
    """Intervals of a width over ranges with these ends, and how many there are with two ends or would have.

    One that would reach further than the column is open at that end, and so is the last where a range is open there.
    """
    low, last = on_grid(ends[0], width, start, up=False), on_grid(ends[-1], width, start, up=True)
    bottom = low + width if low < ends[0] else ends[0] if below else None
    top = last - width if last > ends[-1] else ends[-1] if above else None
    groups = round((last - low) / width)
    crossed = bottom is not None and top is not None and bottom >= top
    return (Intervals(width, start), 0) if crossed else (Intervals(width, start, bottom, top), groups)


def without_every_other_end(found: Ranges) -> tuple[Intervals, ...]:
    """Levels with every other end of the ranges taken away, beginning with the first: 5, 18, 45, 65 become 18, 65.

    Parameters
    ----------
    found : Ranges
        Ranges of numbers. One that overlaps others may be split, and then stays as it is.

    Returns
    -------
    tuple of Intervals
        At most three, the finest first.
    """
    ends = _ends(found)
    inner = ends[not np.isneginf(found.begin).any() : len(ends) - (not np.isposinf(found.end).any())]
    levels: list[Intervals] = []
    while len(inner := inner[1::2]) > 0 and len(levels) < _MOST_LEVELS:
        levels.append(Intervals(cuts=tuple(inner)))
    return tuple(levels)
