"""A first hierarchy for every column, from its values, so that a first search needs no work by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import builders
from anonlib.coarsening.hierarchies.builders import (
    Limits,
    at_width,
    codes,
    coordinate_levels,
    cuts_by_power,
    is_heavy_tailed,
    limits,
    merged,
    widths,
    widths_that_merge,
)
from anonlib.coarsening.hierarchies.hierarchy import EVERYTHING, Hierarchy
from anonlib.coarsening.hierarchies.rare import rare_by_share
from anonlib.coarsening.recoding import Intervals, Recoding, ValueMap, untouched
from anonlib.coarsening.recoding.dates import Unit
from anonlib.columns.codes import CodeSystem, recognised
from anonlib.columns.identifiers import kind_of_name, names_quantity
from anonlib.columns.identifiers.kinds import Kind
from anonlib.reading.sources import Described
from anonlib.values.ages import ages_of, unit_of_name
from anonlib.values.cells import MOSTLY, Values, is_code, ranges_or_none, to_numbers
from anonlib.values.dates import dates_or_none

_UNITS: tuple[Unit, ...] = ("month", "quarter", "year")
_YEARS_TOGETHER: dict[Unit, int] = {"5 years": 10, "10 years": 20, "20 years": 40}
"""Years together, and over how many years the dates of a column must lie for that."""
_FEW = 8  # numbers up to which they may as well be codes of a list
_FEWEST = 3  # numbers, or there is nothing between one and all
_MOST_GROUPS = 16  # intervals of the finest width
_MOST_WORDS = 100_000  # beyond, hardly any is common
_MOST_MASKS = 6  # levels of masked characters
_AGE_TOP, _OLDEST = 90, 130  # 45 CFR 164.514(b)(2)(i)(C): ages over 89 in one group
_AGE_WIDTHS = (5.0, 10.0, 20.0)  # years
_LARGEST = 1e15  # larger numbers are ids and not amounts


def suggested_hierarchy(
    values: Values,
    records: np.ndarray | None = None,
    name: str = "",
    *,
    dated: bool = False,
    described: Described | None = None,
) -> Hierarchy:
    """Levels for a column from the type of its values, the last one everything together.

    Codes of a known system (:mod:`anonlib.columns.codes`) go to the groups of their system, where it has any, other
    codes lose a character a level, and so do ZIP codes of one State; dates become months, quarters and years, those of
    births 5, 10 and 20 years together, and moments days before; degrees of latitude and longitude lose decimals;
    numbers intervals of three usual widths (ages 5, 10 and 20 years, with 90 and above together), or on a scale of 1,
    2, 5, 10 where few are far larger than all others. Eight different numbers or fewer do so where something says that
    they count or measure (a decimal point, the name, a unit), by widths that merge some of them. Of ranges neighbours
    are merged. Of words, of other few numbers, and of numbers that name something, those that few records have are one:
    which of the others belong together is for a person to say.

    Parameters
    ----------
    values : Values
        The column's distinct values.
    records : np.ndarray, optional
        The records of each, where they are known: where few have the lowest or the highest numbers, these are one
        group.
    name : str, default ""
        The column's name, which may tell that numbers are codes, or dates.
    dated : bool, default False
        Whether other columns tell that numbers are dates (:func:`anonlib.columns.roles.numbers_are_dates`).
    described : Described, optional
        What the file or a dictionary says of the column, such as that its numbers have a unit, or are codes of a list.

    Returns
    -------
    Hierarchy
        Any column gets one that fits it.
    """
    system = recognised(values, name)
    if system is not None:
        levels = system.merging(values)
        if levels and not _are_in_one_state(system, levels):
            return codes(system, levels)
        if not levels:
            return Hierarchy((*_of_words(values, records), EVERYTHING))
    suggested = _of_type(values, records, name, dated, described)
    odd = any(untouched(recoding, values).any() for recoding in suggested[:1])
    if not odd and not any(value.isspace() or not value for value in values):
        return Hierarchy((*suggested, EVERYTHING))
    # A text among numbers may look like a label, and a blank one is missing once it is masked: a level that then is
    # not nested is left out.
    nested: tuple[Recoding, ...] = ()
    for recoding in suggested:
        try:
            Hierarchy((*nested, recoding)).on([*values, None])
        except InputError:
            continue
        nested = (*nested, recoding)
    return Hierarchy((*nested, EVERYTHING))


def _are_in_one_state(system: CodeSystem, levels: Sequence[str]) -> bool:
    """Whether ZIP codes of five digits are all of one State: only their digits part them then."""
    return system.key == "us-zip" and "five digits" not in levels and not {*levels} & {*system.named}


def _of_type(
    values: Values, records: np.ndarray | None, name: str, dated: bool, described: Described | None
) -> tuple[Recoding, ...]:
    if not len(values):
        return ()
    kind = kind_of_name(name) if name else None
    dates = dates_or_none(values, numbers=dated or (kind is not None and kind.group == "date"))
    if dates is not None:
        first, last = dates.years or (0, 0)
        together = [unit for unit, least in _YEARS_TOGETHER.items() if last - first >= least]
        days: list[Unit] = ["day"] if dates.has_times else []
        return builders.dates([*days, *_UNITS, *together], top=False).recodings
    digits = [value for value in values if value.isdigit()]
    if len(digits) >= MOSTLY * len(values) and is_code(digits):
        length = len(digits[0])
        return builders.masking(length, step=math.ceil(length / _MOST_MASKS)).recodings[:-1]
    numbers = to_numbers(values)
    if kind is not None and kind.key in ("latitude", "longitude") and (levels := coordinate_levels(numbers)):
        return levels
    is_number = ~np.isnan(numbers)
    known, place = np.unique(numbers[is_number], return_inverse=True)
    if is_number.mean() >= MOSTLY and len(known) >= _FEWEST and np.abs(known).max() < _LARGEST:
        of_each = None if records is None else np.bincount(place, np.asarray(records)[is_number])
        if len(known) > _FEW and not _are_codes(kind, described):
            return _intervals(known, of_each)
        is_age = kind is not None and kind.key == "age"
        if len(known) <= _FEW and not is_age and _are_quantities(known, name, kind, described):
            return _of_few(known, of_each)
    are_groups = len(known) <= _FEW and is_number.all() and not names_quantity(name)  # by their numbers
    if kind is not None and kind.key == "age" and not are_groups and (bands := _of_ages(values, name)):
        return bands
    ranges = ranges_or_none(values)
    if ranges is not None:
        return merged(ranges)
    return _of_words(values, records)


def _are_codes(kind: Kind | None, described: Described | None) -> bool:
    """Whether the name, or a dictionary, says that numbers stand for the entries of a list."""
    if kind is not None and kind.is_nominal:
        return True
    return described is not None and described.measure == "nominal" and not described.unit


def _are_quantities(numbers: np.ndarray, name: str, kind: Kind | None, described: Described | None) -> bool:
    """Whether something says of few numbers that they count or measure: by themselves they may be codes of a list."""
    if _are_codes(kind, described):
        return False
    if described is not None and (described.unit or described.measure == "scale"):
        return True
    return bool((numbers != np.floor(numbers)).any()) or names_quantity(name)


def _of_words(values: Values, records: np.ndarray | None) -> tuple[Recoding, ...]:
    return () if records is None or len(values) > _MOST_WORDS else rare_by_share(values, np.asarray(records))


def _of_ages(values: Values, name: str) -> tuple[Recoding, ...]:
    """Bands of years for ages with units, ``6 mo`` beside ``34 years``; none where some are ranges, or few are read."""
    ages = ages_of(values, unit_of_name(name))
    known, is_old = ages.is_read, ages.reaching(_AGE_TOP)
    if known.mean() < MOSTLY or (ages.low != ages.high)[known & ~is_old].any():
        return ()
    levels = []
    for width in _AGE_WIDTHS:
        begins = np.floor(np.nan_to_num(ages.low) / width) * width
        ends = np.minimum(begins + width, _AGE_TOP) - 1
        bands = [
            f"{_AGE_TOP}+" if old else f"{begin:g}-{end:g}"
            for old, begin, end in zip(is_old.tolist(), begins.tolist(), ends.tolist(), strict=True)
        ]
        pairs = zip(values, bands, known.tolist(), strict=True)
        levels.append(
            ValueMap(tuple((str(value), band if is_known else str(value)) for value, band, is_known in pairs))
        )
    return tuple(levels)


def _intervals(numbers: np.ndarray, records: np.ndarray | None) -> tuple[Recoding, ...]:
    """Of different numbers, ascending, with the records of each where these are known."""
    low, high = float(numbers[0]), float(numbers[-1])
    whole = bool((numbers == np.floor(numbers)).all())
    if whole and low >= 0 and _AGE_TOP <= high <= _OLDEST:
        bottom, _ = limits(numbers, records, 5.0)
        return _of_widths(_AGE_WIDTHS, (bottom, None), _AGE_TOP)
    if is_heavy_tailed(numbers, records) and (by_power := cuts_by_power(numbers, records)):
        return builders.cuts(by_power, top=False).recodings
    rough = (high - low) / _MOST_GROUPS
    usual = widths(max(rough, 2.0) if whole else rough, high - low)  # a width of 1 would change nothing
    return _of_widths(usual, limits(numbers, records, usual[0]))


def _of_few(numbers: np.ndarray, records: np.ndarray | None) -> tuple[Intervals, ...]:
    """Intervals for few different numbers, ascending: only levels by which some of them are together."""
    wanted = widths_that_merge(numbers)
    levels, before = list[Intervals](), len(numbers)
    for level in _of_widths(wanted, limits(numbers, records, wanted[0])) if wanted else ():
        n_intervals = sum(not level.alike(numbers[:i], number).any() for i, number in enumerate(numbers.tolist()))
        if 1 < n_intervals < before:
            levels.append(level)
            before = n_intervals
    return tuple(levels)


def _of_widths(wanted: Sequence[float], ends: Limits, last: float | None = None) -> tuple[Intervals, ...]:
    """A level a width while there is something between the ends; ``last`` is the upper limit of all."""
    levels = []
    for width in wanted:
        bottom, top = at_width(ends, width)
        top = top if last is None else last
        if bottom is not None and top is not None and bottom >= top:
            break
        levels.append(Intervals(width, 0.0, bottom, top))
    return tuple(levels)
