"""Hierarchies of the usual kinds: intervals, masked characters, dates, trees, codes, coordinates and ranges.

Each ends in a level where everything is one, unless ``top=False``. First come intervals, masked characters, dates, and
values grouped by hand into a tree. Next are intervals that end where people expect: usual widths, a 1-2-5 scale, and
groups at the ends where few records are. The hierarchy of a column of codes is the groups of their system; the levels
of a column of latitudes or longitudes follow it. At the end are levels for a column of ranges: neighbours are merged,
to widths that people expect and up to everything.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies.hierarchy import EVERYTHING, TOP, Hierarchy, Levels
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Recoding, Rounding, ValueMap
from anonlib.coarsening.recoding.dates import Unit
from anonlib.coarsening.recoding.intervals import exact, steps_from
from anonlib.columns.codes import CodeSystem
from anonlib.values.cells import Values, to_numbers
from anonlib.values.dates import First
from anonlib.values.ranges import Ranges

UNITS: tuple[Unit, ...] = get_args(Unit)


def intervals(
    widths: Iterable[float] = (5, 10, 20),
    *,
    start: float = 0.0,
    bottom_group: float | None = None,
    top_group: float | None = None,
    top: bool = True,
) -> Hierarchy:
    """Numbers to intervals of equal width, level by level.

    Parameters
    ----------
    widths : Iterable[float], default (5, 10, 20)
        One width a level, each a multiple of the one before.
    start : float, default 0.0
        Where intervals are counted from.
    bottom_group, top_group : float, optional
        On every level, numbers below the one are a group and numbers from the other on (``<20``, ``90+``).
    top : bool, default True
        Whether a last level puts everything together.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For a width that is no multiple of the one before.

    Examples
    --------
    >>> ages = intervals([5, 10], top_group=90)
    >>> [ages.on(["34", "91"]).label(level).tolist() for level in (1, 2, 3)]
    [['30-34', '90+'], ['30-39', '90+'], ['*', '*']]
    """
    wanted = list(widths)
    levels = [Intervals(width, start, bottom_group, top_group) for width in wanted]
    if not levels:
        raise InputError("Give at least one width, such as 5.", code="levels-missing")
    for finer, coarser in pairwise(map(exact, wanted)):
        if coarser % finer or coarser <= finer:
            raise InputError(
                f"Each width must be a multiple of the one before, so that intervals do not part again: "
                f"{float(coarser):g} is none of {float(finer):g}.",
                code="levels-not-nested",
            )
    return finished(levels, top)


def cuts(levels: Iterable[Iterable[float]], *, top: bool = True) -> Hierarchy:
    """Numbers to intervals between given cuts.

    Parameters
    ----------
    levels : Iterable[Iterable[float]]
        Cuts of each level, the finest first; each level keeps some of the cuts of the one before. An interval includes
        its lower cut; numbers below the first cut are one group (``<20``), those from the last on too.
    top : bool, default True
        Whether a last level puts everything together.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For no level, and for a level with new cuts or the same ones.
    """
    recodings = [Intervals(cuts=tuple(level)) for level in levels]
    if not recodings:
        raise InputError("Give the cuts of at least one level, such as 18, 35 and 65.", code="levels-missing")
    for i, (finer, coarser) in enumerate(pairwise(recodings), start=1):
        new = sorted({*coarser.cuts} - {*finer.cuts})
        if new:
            raise InputError(
                f"Each level must keep some of the cuts of the level before and make no new ones: level {i + 1} "
                f"cuts at {new[0]:g}, level {i} does not.",
                code="levels-not-nested",
            )
        if coarser.cuts == finer.cuts:
            raise InputError(
                f"Levels {i} and {i + 1} have the same cuts. Take some away from level {i + 1}.", code="levels-alike"
            )
    return finished(recodings, top)


def rounding(to: Iterable[float] = (10, 100), *, top: bool = True) -> Hierarchy:
    """Numbers to round numbers, level by level, each rounded from the one before.

    Parameters
    ----------
    to : Iterable[float], default (10, 100)
        What each level rounds to, ascending.
    top : bool, default True
        Whether a last level puts everything together.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For numbers that are not ascending, or not above 0.
    """
    given = tuple(to)
    if not given:
        raise InputError("Give at least one number to round to, such as 10.", code="levels-missing")
    return finished([Rounding(number, given[:i]) for i, number in enumerate(given)], top)


def equal_frequency(
    values: Values, counts: Sequence[int] | np.ndarray | None = None, *, groups: int = 8, top: bool = True
) -> Hierarchy:
    """Numbers to about so many intervals of equally many records, then half as many, down to two.

    Parameters
    ----------
    values : Values
        Distinct values; those that are no numbers are not looked at.
    counts : Sequence[int] | np.ndarray, optional
        The records of each value; 1 each when left out. A value of very many records stays in one interval, so that
        there may be fewer.
    groups : int, default 8
        Intervals on level 1, at least 2. Higher levels keep every other cut.
    top : bool, default True
        Whether a last level puts everything together.

    Returns
    -------
    Hierarchy
    """
    groups = checks.whole(groups, "The number of groups", 2)
    numbers = to_numbers(values)
    weights = np.ones(len(numbers)) if counts is None else np.asarray(counts, dtype=float)
    if len(weights) != len(numbers):
        raise InputError(
            f"Give one count for each value ({len(numbers):,}), not {len(weights):,}.", code="list-of-other-length"
        )
    known = ~np.isnan(numbers) & (weights > 0)
    distinct, place = np.unique(numbers[known], return_inverse=True)
    if len(distinct) < 2:
        raise InputError(
            "Intervals of equally many records need at least two different numbers.", code="too-few-values"
        )
    below = np.cumsum(np.bincount(place, weights[known]))[:-1]  # records below each number but the first
    wanted = weights[known].sum() * np.arange(1, groups) / groups
    nearest = np.unique(np.abs(below[:, None] - wanted).argmin(axis=0))
    current = (distinct[1:][nearest]).tolist()
    levels = [current]
    while len(current) > 1:
        current = current[1::2]
        levels.append(current)
    return cuts(levels, top=top)


def masking(
    longest: int | Values, *, side: Literal["start", "end"] = "start", step: int = 1, fill: str = "*", top: bool = True
) -> Hierarchy:
    """Codes with more characters masked on each level: ``02138``, ``0213*``, ``021**`` and so on.

    Parameters
    ----------
    longest : int | Values
        Length of the longest value, or the values.
    side : Literal["start", "end"], default "start"
        Where characters are kept.
    step : int, default 1
        How many more characters each level masks.
    fill : str, default "*"
        What stands for a masked character.
    top : bool, default True
        Whether a last level puts everything together.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> [masking(5, step=2).on(["02138"]).label(level).item() for level in (1, 2, 3)]
    ['021**', '0****', '*']
    """
    n_characters = longest if isinstance(longest, int) else max((len(value) for value in longest), default=0)
    length, step = checks.whole(n_characters, "The length of the codes", 0), checks.whole(step, "Characters a level", 1)
    # Without a level of everything together, the last one masks all.
    lengths_kept = range(length - step, 0 if top else -step, -step)
    return finished([Mask(max(0, keep), side, fill, length) for keep in lengths_kept], top)


def dates(units: Iterable[Unit] = ("month", "quarter", "year"), *, top: bool = True, first: First = "day") -> Hierarchy:
    """Dates to days (moments lose their time), months, quarters, half years, years, and 5, 10 and 20 years together, or
    some of these.

    Parameters
    ----------
    units : Iterable[Unit], default ("month", "quarter", "year")
        The unit of each level, the finest first.
    top : bool, default True
        Whether a last level puts everything together.
    first : First, default "day"
        What stands first where no value tells whether the day or the month does.

    Returns
    -------
    Hierarchy
    """
    chosen = list(units)
    levels = [DateUnit(unit, first) for unit in chosen]
    if not levels:
        raise InputError(
            "Give at least one of day, month, quarter, half year, year, and 5, 10 and 20 years.", code="levels-missing"
        )
    if chosen != [unit for unit in UNITS if unit in chosen]:
        raise InputError(
            "Name day, month, quarter, half year, year, and 5, 10 and 20 years in this order, each once.",
            code="levels-out-of-order",
        )
    return finished(levels, top)


def tree(paths: Mapping[str | None, Sequence[str | None]], *, top: bool = True) -> Hierarchy:
    """Values grouped by hand.

    Parameters
    ----------
    paths : Mapping[str | None, Sequence[str | None]]
        Per value (None = missing) its labels from level 1 up to the root. Paths may have different lengths: a value
        whose path ends keeps its last label. A last label that all share is the level of everything together.
    top : bool, default True
        Whether that level is added if the paths do not have it.

    Returns
    -------
    Hierarchy

    Examples
    --------
    Figure 2 of Arca and Hewett 2021: *No* is *Any* on the level where *High* is still *Yes*.

    >>> alcohol = tree({"High": ("Yes", "Any"), "Low": ("Yes", "Any"), "No": ("Any",)})
    >>> [alcohol.on(["High", "No"]).label(level).tolist() for level in (1, 2)]
    [['Yes', 'Any'], ['Any', 'Any']]
    """
    height = max((len(path) for path in paths.values()), default=0)
    full = {value: [*path, *[(path or (value,))[-1]] * (height - len(path))] for value, path in paths.items()}
    return from_labels(list(full), [[path[i] for path in full.values()] for i in range(height)], top=top)


def from_labels(values: Sequence[str | None], levels: Sequence[Sequence[str | None]], *, top: bool = True) -> Hierarchy:
    """A hierarchy of explicit labels.

    Parameters
    ----------
    values : Sequence[str | None]
        Distinct values (None = missing).
    levels : Sequence[Sequence[str | None]]
        Per level, one label a value. A blank label means missing.
    top : bool, default True
        Whether a last level of one label for all values (missing ones too, if named) becomes the level of everything
        together, unless it is the only level and its label is not ``*``; if there is none, one is added.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For levels that are not nested, or a value that is named twice.
    """
    for i, level in enumerate(levels, start=1):
        if len(level) != len(values):
            raise InputError(
                f"Level {i} has {len(level):,} labels for {len(values):,} values. Give each value one.",
                code="list-of-other-length",
            )
    tidy = [[None if label is None or not str(label).strip() else label for label in level] for level in levels]
    Levels.of([np.array([*level, None], dtype=object)[:-1] for level in (values, *tidy)])
    recodings: list[Recoding] = []
    for i, level in enumerate(tidy):
        label = level[0] if level else None
        # A single level of one label may as well be that of a file which lacks the other values.
        named = label == TOP or (label is not None and i > 0)
        if top and i == len(tidy) - 1 and named and set(level) == {label}:
            return Hierarchy((*recodings, ValueMap((), otherwise=label, missing=label)))
        pairs = [(value, label) for value, label in zip(values, level, strict=True) if value is not None]
        missing = [label for value, label in zip(values, level, strict=True) if value is None]
        recodings.append(ValueMap(tuple(pairs), missing=missing[0] if missing else None))
    return finished(recodings, top)


def finished(recodings: Sequence[Recoding], top: bool) -> Hierarchy:
    """The hierarchy of some levels, with the level of everything together where it is asked for."""
    hierarchy = Hierarchy(tuple(recodings))
    return hierarchy.with_top() if top else hierarchy


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
    round_widths = [float(f"{digit}e{power}")]
    for _ in range(2):
        round_widths.append(wider(round_widths[-1], extent))
    return round_widths


def widths_that_merge(numbers: np.ndarray) -> list[float]:
    """Usual widths for few numbers, each a multiple of the one before and with fewer intervals, down to two.

    Parameters
    ----------
    numbers : np.ndarray
        Different numbers, ascending, at least two.

    Returns
    -------
    list of float
        At most three. The first is the least usual width (1, 2, 5, 10 and so on) by which some numbers are together.

    Examples
    --------
    >>> widths_that_merge(np.arange(6.0)), widths_that_merge(np.array([122.0, 143.0, 166.0, 180.0, 190.0]))
    ([2.0, 4.0], [20.0, 40.0])
    """
    extent = float(numbers[-1]) - float(numbers[0])
    if not math.isfinite(8 * extent):
        return []  # so far apart that no number is wide enough
    width, before = widths(float(np.diff(numbers).min()), extent)[0], len(numbers)
    merging: list[float] = []
    while len(merging) < _MOST_LEVELS and width <= 2 * extent:
        n_intervals = len(np.unique(steps_from(numbers, 0.0, width)))
        if 1 < n_intervals < before:
            merging.append(width)
            before = n_intervals
        width = wider(width, extent) if merging else widths(1.5 * width, extent)[0]
    return merging


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


def codes(system: CodeSystem, levels: Collection[str] | None = None) -> Hierarchy:
    """Codes of a known system to their groups, level by level, and everything together.

    Parameters
    ----------
    system : CodeSystem
        One of :data:`anonlib.columns.codes.SYSTEMS`.
    levels : Collection[str], optional
        Some of its levels, in any order; all of them where none are given.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For a level that the system does not have.

    Examples
    --------
    >>> from anonlib.columns.codes import SYSTEMS
    >>> codes(SYSTEMS["icd-10"], ["blocks"]).on(["I21.4", "I25", "J18.9"]).label(1).tolist()
    ['I20-I25', 'I20-I25', 'J09-J18']
    """
    wanted = system.levels if levels is None else levels
    if unknown := [level for level in wanted if level not in system.levels]:
        raise InputError(
            f"{system.label} have {words.listed(list(system.levels))}, and no “{unknown[0]}”.", code="level-unknown"
        )
    groups = (CodeGroup(system.key, level) for level in system.levels if level in wanted)
    return Hierarchy((*groups, EVERYTHING))


_STEPS = (0.01, 0.1, 1.0)  # degrees: about 1.1, 11 and 111 km from south to north
_SAME = 1e-9  # degrees
_MOST = 180.0  # degrees; larger numbers are metres of some projection


def coordinate_levels(numbers: np.ndarray) -> tuple[Recoding, ...]:
    """Degrees to hundredths, tenths and whole degrees, each rounded from the one before.

    Parameters
    ----------
    numbers : float64 array
        Distinct numbers of a column of latitudes or longitudes; NaN for a value that is none.

    Returns
    -------
    tuple of Recoding
        None of a level that no number is finer than. Empty where some number is no degree, and where all are whole.
    """
    known = numbers[~np.isnan(numbers)]
    if not len(known) or np.abs(known).max() > _MOST:
        return ()
    coarser = [step for step in _STEPS if (np.abs(known - np.round(known / step) * step) > _SAME).any()]
    return rounding(coarser, top=False).recodings if coarser else ()


_FEWEST_ENDS = 2  # between ranges, or there is nothing between one and all
_MOST_LEVELS = 3
_MONTHS = {"quarter": 3, "half": 6, "year": 12}


def merged(ranges: Ranges) -> tuple[Recoding, ...]:
    """Levels that merge neighbouring ranges, the finest first; none where ranges overlap, or few are left.

    Parameters
    ----------
    ranges : Ranges
        The ranges of a column. No level splits one of them.

    Returns
    -------
    tuple of Recoding
        Ranges of months: quarters, half years and years. Ranges of numbers of one width: the next usual
        widths; an open end begins where the last whole interval ends. Others: every other
        end is taken away, level by level.
    """
    if ranges.overlap:
        return ()
    if ranges.of == "months":
        return _units(ranges)
    ends = _ends(ranges)
    if len(ends) < _FEWEST_ENDS:
        return ()
    width = _common_width(ranges)
    return _widths(ranges, width) if width else without_every_other_end(ranges)


def _units(ranges: Ranges) -> tuple[Recoding, ...]:
    low, high = ranges.low[ranges.fits], ranges.high[ranges.fits]
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


def _ends(ranges: Ranges) -> list[float]:
    """The finite numbers at which ranges begin or end, ascending; those of single numbers not."""
    ends = np.concatenate([ranges.begin[ranges.is_range], ranges.end[ranges.is_range]])
    return sorted({*ends[np.isfinite(ends)].tolist()})


def _common_width(ranges: Ranges) -> float | None:
    """The width of the ranges with two ends, where all are of one and lie side by side; None otherwise."""
    finite = ranges.is_range & np.isfinite(ranges.begin) & np.isfinite(ranges.end)
    widths = {exact(end) - exact(begin) for begin, end in zip(ranges.begin[finite], ranges.end[finite], strict=True)}
    if len(widths) != 1:
        return None
    width = widths.pop()
    ends = _ends(ranges)
    return float(width) if all((exact(end) - exact(ends[0])) % width == 0 for end in ends) else None


def _widths(ranges: Ranges, width: float) -> tuple[Recoding, ...]:
    ends = _ends(ranges)
    start = float(exact(ends[0]) % exact(width))
    below, above = bool(np.isneginf(ranges.begin).any()), bool(np.isposinf(ranges.end).any())
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


def without_every_other_end(ranges: Ranges) -> tuple[Intervals, ...]:
    """Levels with every other end of the ranges taken away, beginning with the first: 5, 18, 45, 65 become 18, 65.

    Parameters
    ----------
    ranges : Ranges
        Ranges of numbers. One that overlaps others may be split, and then stays as it is.

    Returns
    -------
    tuple of Intervals
        At most three, the finest first.
    """
    ends = _ends(ranges)
    inner = ends[not np.isneginf(ranges.begin).any() : len(ends) - (not np.isposinf(ranges.end).any())]
    levels: list[Intervals] = []
    while len(inner := inner[1::2]) > 0 and len(levels) < _MOST_LEVELS:
        levels.append(Intervals(cuts=tuple(inner)))
    return tuple(levels)
