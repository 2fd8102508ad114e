"""Hierarchies of the usual kinds: intervals, masked characters, dates, and values grouped by hand into a tree.

Each ends in a level where everything is one, unless ``top=False``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies.hierarchy import TOP, Hierarchy, Levels
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Recoding, Rounding, ValueMap
from anonlib.coarsening.recoding.dates import Unit
from anonlib.coarsening.recoding.intervals import exact
from anonlib.values.cells import Values, to_numbers
from anonlib.values.dates import First

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
    return finished([Rounding(each, given[:i]) for i, each in enumerate(given)], top)


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
    found = longest if isinstance(longest, int) else max((len(value) for value in longest), default=0)
    length, step = checks.whole(found, "The length of the codes", 0), checks.whole(step, "Characters a level", 1)
    # Without a level of everything together, the last one masks all.
    kept = range(length - step, 0 if top else -step, -step)
    return finished([Mask(max(0, keep), side, fill, length) for keep in kept], top)


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
