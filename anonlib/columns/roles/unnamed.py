"""What values say of a column whose name says nothing, where only the officer can tell whether that is so."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from anonlib.columns.codes import SYSTEMS
from anonlib.columns.identifiers import KINDS, names_share_or_score
from anonlib.columns.roles.columns import Column
from anonlib.columns.roles.drafts import Draft
from anonlib.columns.roles.reasons import (
    IN_RUNS,
    MAY_BE_AGES,
    MAY_BE_PLACES,
    MAY_BE_WEIGHTS,
    RUNS,
    distinct,
    may_be_dates,
)
from anonlib.columns.roles.role import Role
from anonlib.reading.records import FrameRecords, Records

_TWO_LETTERS = re.compile("[A-Z]{2}")
_FEWEST_PLACES = 3
_YOUNGEST, _FIRST_OF_ALL, _OLDEST, _OF_A_SCALE = (
    40,
    55,
    112,
    100,
)  # ages: the lowest, the highest from and to, a score's
_FEWEST_AGES, _WITHOUT_GAPS = 25, 0.75  # different ages, and their share of those between lowest and highest
_FIRST_YEAR, _LAST_YEAR, _BIRTH_YEARS = 1900, 2035, 50
_AROUND_ONE, _LARGEST_WEIGHT, _SPREAD = (0.93, 1.07), 50.0, (0.1, 3.0)  # of weights that keep the number of records
_IN_RUNS = (0.1, 0.95)  # different values to a record, of a column of households
_FEWEST_IN_RUNS = 20


def by_values(column: Column) -> Draft | None:
    """A draft that asks, for what the values may be by themselves: ages, years, countries, weights of a survey."""
    looks: tuple[Callable[[Column], Draft | None], ...] = (_countries, _years, _ages, _weights)
    return next((drafted for look in looks if (drafted := look(column)) is not None), None)


def _countries(column: Column) -> Draft | None:
    """Codes of two letters, of countries or of States: some are both."""
    codes = column.few
    if len(codes) < _FEWEST_PLACES or not all(map(_TWO_LETTERS.fullmatch, codes)):
        return None
    for system in SYSTEMS.values():
        if system.kind in ("nationality", "region") and system.fits(sorted(codes)).all():
            return Draft(Role.QUASI_IDENTIFIER, KINDS[system.kind], (MAY_BE_PLACES, distinct(column)), MAY_BE_PLACES)
    return None


def _years(column: Column) -> Draft | None:
    numbers = column.evidence.numbers
    if numbers is None or not column.evidence.whole or column.near_unique:
        return None
    if numbers[0] < _FIRST_YEAR or numbers[-1] > _LAST_YEAR:
        return None
    kind = KINDS["birth_date" if numbers[-1] - numbers[0] >= _BIRTH_YEARS else "event_date"]
    return Draft(Role.QUASI_IDENTIFIER, kind, (distinct(column),), may_be_dates("years"))


def _ages(column: Column) -> Draft | None:
    """Whole numbers without many gaps, from a young age to an old one; a scale to 100 is none."""
    numbers = column.evidence.numbers
    if numbers is None or not column.evidence.whole or column.near_unique or not 0 <= numbers[0] <= _YOUNGEST:
        return None
    if names_share_or_score(column.spread.column):
        return None
    if not _FIRST_OF_ALL <= numbers[-1] <= _OLDEST or numbers[-1] == _OF_A_SCALE or len(numbers) < _FEWEST_AGES:
        return None
    if len(numbers) < _WITHOUT_GAPS * (numbers[-1] - numbers[0] + 1):
        return None
    return Draft(Role.QUASI_IDENTIFIER, KINDS["age"], (distinct(column),), MAY_BE_AGES)


def _weights(column: Column) -> Draft | None:
    """Numbers that are 1 on average and spread around it, as weights that keep the number of records do."""
    numbers = column.evidence.numbers
    if numbers is None or column.evidence.whole or numbers[0] <= 0 or numbers[-1] > _LARGEST_WEIGHT:
        return None
    mean, spread = float(numbers.mean()), float(numbers.std())
    if not _AROUND_ONE[0] <= mean <= _AROUND_ONE[1] or not _SPREAD[0] <= spread <= _SPREAD[1]:
        return None
    return Draft(Role.OTHER, KINDS["survey_weight"], (distinct(column),), MAY_BE_WEIGHTS)


def in_runs(drafted: Draft, column: Column, records: Records) -> Draft:
    """The draft, or that the values may number households or persons, since equal ones follow one another."""
    share = column.unique_share
    if drafted.role is not Role.OTHER or column.named is not None or not isinstance(records, FrameRecords):
        return drafted
    if not _IN_RUNS[0] <= share <= _IN_RUNS[1] or column.distinct < _FEWEST_IN_RUNS or column.present < column.records:
        return drafted
    if column.evidence.numbers is not None and not column.evidence.whole:
        return drafted
    codes = np.asarray(records.frame[column.spread.column].array.codes)
    if int((codes[1:] != codes[:-1]).sum()) + 1 != column.distinct:
        return drafted
    return Draft(Role.IDENTIFIER, KINDS["person"], (IN_RUNS, distinct(column)), RUNS)
